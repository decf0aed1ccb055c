/* app/show/show.h - what commands print for a person: families, shares, tables, targets of check. */
#ifndef PARDUP_APP_SHOW_SHOW_H
#define PARDUP_APP_SHOW_SHOW_H

#include <stddef.h>
#include <stdio.h>

#include "app/ids.h"
#include "app/share.h"
#include "pardup/run/options.h"
#include "viewer.h"

/* ---- what pardup show prints of families ---- */

/*
 * Print the members of the family in a row of /families, and who had its text first. PD_OK or
 * PD_EFORMAT.
 *   all   print all members; false: the first ones
 */
int pd_show_family(struct pd_viewer *p, uint64_t family, bool all);

/*
 * Print the best families (app/best_families.h), one example each. PD_OK, PD_EIO or PD_EFORMAT.
 *   limit  families at most; 0: all that have an order
 */
int pd_show_best(struct pd_viewer *p, uint64_t limit);

/*
 * Print the documents of the family in a row of /document_families, and list them in `documents`.
 */
int pd_show_document_family(struct pd_viewer *p, uint64_t family, bool all,
                            struct pd_doc_rows *documents);

/* ---- the share of each of two sets of documents that the other one has ---- */

/* The documents of one side, and what of them is shared. */
struct pd_side_shares {
    uint64_t documents;
    uint64_t skipped;      /* records that did not become documents */
    uint64_t words, bytes; /* of the texts */
    struct pd_share share; /* of all documents together */
    uint64_t longest;      /* words of the longest passage */
};

struct pd_shares {
    struct pd_side_shares sides[2]; /* targets, sources */
    bool equal; /* each side is one document, and both have the same words in the same order */
    struct pd_passage_rows rows; /* what is shared: the passages as pd_viewer_list gives them */
};

/*
 * Count what the result `p` says about the targets and the sources of a job. Two documents with the
 * same words share one passage of everything, whatever the result says. Two single documents
 * are fetched. Of more documents, the files are read again, as the options of the input say.
 *   files  files of the first side; all other files are on the second side
 *   o      the options of the job
 * PD_OK, PD_EIO or PD_EFORMAT; to be released in any case.
 */
int pd_shares_count(struct pd_viewer *p, uint64_t files, const struct pd_options *o,
                    struct pd_shares *shares);
void pd_shares_release(struct pd_shares *shares);

/* ---- tables with tabs, lined up on a terminal ---- */

/*
 * Print the tables of text[0, n) with columns lined up, on lines of at most `width` columns.
 * Columns that have no room stand below, each time behind the first two, which tell rows apart.
 *   text  tables with tabs and an empty line between them; a line that begins with # is a title
 */
void pd_print_tables(const char *text, size_t n, size_t width);

/* The same for what `write` writes, on a terminal. Returns what `write` returns, or PD_EIO. */
int pd_print_lined_up(const struct pd_print_options *print, int (*write)(void *ctx, FILE *to),
                      void *ctx);

/* ---- what `check` found, for a person: target by target, in a terminal ---- */

/*
 * Print the result `path` of `check` with the options `o`: whether each target is a duplicate, how
 * many of its words come from which sources, and its passages side by side. Texts of sources come
 * from the index, or from their files; where neither has them, offsets are printed.
 *   temporary  folder of the result, removed as soon as the result is open; NULL: it stays
 *   why        no text of a source is read, and why; NULL: they are read
 * PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_check_show(const struct pd_options *o, const char *path, const char *temporary,
                  const char *why);

#endif

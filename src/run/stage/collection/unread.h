/* run/stage/collection/unread.h - what a job must not pass over without a word. */
#ifndef PARDUP_RUN_UNREAD_H
#define PARDUP_RUN_UNREAD_H

#include "collection.h"

/* Files that were not read at all, by number; a file may stand in it more than once. */
PD_VEC(pd_unread, uint64_t);

/*
 * Not collective. Sort the numbers, and fail because of the files, or with --skip-unknown warn;
 * `tell`: this rank warns. Returns PD_OK or PD_EFORMAT.
 */
int pd_unread_files(const struct pd_files *files, struct pd_unread *unread,
                    const struct pd_input_options *o, bool tell);

/*
 * Not collective. Fail when a field that the user has named is in none of the objects that were
 * read from JSON lines. Returns PD_OK or PD_EFORMAT.
 */
int pd_unread_fields(const struct pd_field_counts *counts, const struct pd_input_options *o);

/* Not collective. Tell of tables whose columns were found in other letters, if there are any. */
void pd_unread_renamed(const struct pd_field_counts *counts);

/* Tell of which kinds files are that are read by their parts or by converters, and how many. */
void pd_unread_kinds(const struct pd_field_counts *counts);

/* Is the file about its folder, as its name tells, such as README.md, LICENSE and metadata.yml? */
bool pd_unread_is_beside(const char *path);

/*
 * Tell of such files; `copies` are in families of whole documents, if there are three or more.
 * `--include` is suggested with the ending of the first other file.
 */
void pd_unread_beside(const struct pd_files *files, uint64_t copies);

/* What to add to the message that a collection has no documents: a hint, or "". */
const char *pd_unread_hint(const struct pd_field_counts *counts);

/*
 * COLLECTIVE. pd_unread_fields() and pd_unread_files() for a collection that has been read. PD_OK
 * or PD_EFORMAT.
 */
int pd_unread_check(const struct pd_collection *col);

/* The message for a document that is skipped because pd_document_read() says `why`. */
static inline const char *pd_unread_reason(enum pd_skip why)
{
    return why == PD_SKIP_TOO_LARGE
               ? "larger than --max-document, or nearly all words of one letter"
               : "no text";
}

/* What becomes of a record with this reason, in messages. */
static inline const char *pd_unread_fate(enum pd_skip why)
{
    return why == PD_SKIP_DOUBTFUL ? "read all the same" : "skipped";
}

/*
 * Is a file named as a text or a page? If it is binary all the same, it is a bad record and no file
 * of an unknown format.
 */
bool pd_unread_is_text(const char *path);

#endif

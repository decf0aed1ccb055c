/*
 * result/given.h - documents by the names that people give them, in lists, tables, runs and
 * options.
 *
 * A name means the documents with this id or this address. A name that is no id also means the file
 * of this name, with or without its folders and its ending, if only one document fits: `A27810` is
 * books/text/A27810.txt.gz. Composed and decomposed letters (NFC, NFD) are the same.
 */
#ifndef PARDUP_RESULT_GIVEN_H
#define PARDUP_RESULT_GIVEN_H

#include <stdbool.h>

#include "pardup/comm/comm.h"
#include "pardup/result/names.h"
#include "pardup/result/reader.h"

/* What documents a name fits that is no id. */
struct pd_fit {
    size_t at[2]; /* where the ids of the first two begin in pd_given.texts; 0: there is none */
    bool exact;   /* a document has the name as its id, so that others do not count */
};
PD_VEC(pd_fit_list, struct pd_fit);

/* A zeroed struct knows no name. */
struct pd_given {
    const struct pd_names *ids; /* the names, numbered from 0 in their order. Borrowed */
    struct pd_names forms;      /* names in another spelling: NFC, without "./" */
    struct pd_names fits;       /* ids of documents, with the number of the name that fits them */
    struct pd_fit_list fit;     /* per name */
    struct pd_name_list pages;  /* ids of documents whose address is a name; in texts */
    struct pd_bytes texts;      /* a byte that is not used, then ids of documents, each with NUL */
    struct pd_bytes example;    /* the id that pd_given_none() shows; NUL at its end */
};

/* Take the names. `ids` stays the caller's, must not change meanwhile, and is numbered from 0. */
void pd_given_open(struct pd_given *g, const struct pd_names *ids);

/*
 * A document has the id id[0, n), and an address unless url_n is 0. All documents of a result, or
 * all files of a collection, are seen before one is found.
 */
void pd_given_see(struct pd_given *g, const char *id, size_t n, const char *url, size_t url_n);

/* The same for all rows of a table of a result with the columns id and url. PD_OK or an error. */
int pd_given_see_table(struct pd_given *g, struct pd_result *result, const char *table);

/* Show the id id[0, n) in pd_given_none(), if there is none to show yet. pd_given_see() does so. */
void pd_given_show(struct pd_given *g, const char *id, size_t n);

/* All were seen: a name that is no id means documents by address, or the document that it fits. */
void pd_given_settle(struct pd_given *g);

/* COLLECTIVE. Rank 0 has seen and settled; from now on all ranks, which have opened, find the same. */
void pd_given_share(const struct pd_comm *c, struct pd_given *g);

/*
 * PD_OK, or PD_EFORMAT: a name is no id and fits several documents.
 *   whose  what the message begins with: "--docs-from pool.txt"
 *   found  per name: documents that have it; NULL: all documents, not only files, were seen
 */
int pd_given_check(const struct pd_given *g, const char *whose, const uint64_t *found);

/* The number of the name that means the document with this id; `none`: no name does. */
uint64_t pd_given_find(const struct pd_given *g, const char *id, size_t n, uint64_t none);

/*
 * The same, or else the name that is the address of the document, where files were seen and no
 * documents. url_n = 0: it has none.
 */
uint64_t pd_given_find_page(const struct pd_given *g, const char *id, size_t n, const char *url,
                            size_t url_n, uint64_t none);

/* Tell the first name that is no id, and the document that it means, if there is one. */
void pd_given_tell(const struct pd_given *g, const char *whose);

/*
 * Fail: no name means a document. Returns PD_EFORMAT; the message shows a name and an id.
 *   c          COLLECTIVE with it: the id may come from another rank. NULL: this process is alone
 *   documents  how many there are
 */
int pd_given_none(const struct pd_comm *c, struct pd_given *g, const char *whose,
                  uint64_t documents);

void pd_given_release(struct pd_given *g);

#endif

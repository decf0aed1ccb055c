/* run/stage/collection/wanted.h - the documents that --docs-from names. */
#ifndef PARDUP_RUN_WANTED_H
#define PARDUP_RUN_WANTED_H

#include <stdbool.h>

#include "pardup/base/raw.h"
#include "pardup/comm/comm.h"
#include "pardup/corpus/files.h"
#include "pardup/result/given.h"

/*
 * Not collective. Open `given` for names that may be those of files in a list, too. `ids` is
 * borrowed (result/given.h).
 */
void pd_given_files(struct pd_given *given, const struct pd_names *ids,
                    const struct pd_files *files);

/* A zeroed struct wants every document. */
struct pd_wanted {
    const char *path;    /* the list; NULL: there is none. Borrowed */
    struct pd_names ids; /* the ids in the list, numbered from 0 */
    struct pd_given given;
    char *whose; /* how messages begin */
};

/*
 * Not collective. Read the ids from a list, one a line; empty lines are ignored. Returns PD_OK,
 * PD_EIO, or PD_EFORMAT (no id in it).
 *   path  the list, or "-" for standard input; NULL: every document is wanted
 */
int pd_wanted_read(struct pd_wanted *wanted, const char *path);

/* COLLECTIVE. Read the list on rank 0 and give it to all ranks. Returns as pd_wanted_read(). */
int pd_wanted_share(const struct pd_comm *c, struct pd_wanted *wanted, const char *path);

/* Not collective. Tell it the files of the collection, which ids of the list may name. */
void pd_wanted_see(struct pd_wanted *wanted, const struct pd_files *files);

/* The number of the document's id in the list; UINT64_MAX: it has none. url_n = 0: no address. */
uint64_t pd_wanted_find(const struct pd_wanted *wanted, const char *id, size_t n, const char *url,
                        size_t url_n);

/* Is the document wanted? */
bool pd_wanted_has(struct pd_wanted *wanted, const struct pd_raw *raw);

/* A hash of the list, which does not depend on its name. */
uint64_t pd_wanted_hash(const struct pd_wanted *wanted);

/*
 * Warn of ids that no document has. PD_OK, or PD_EFORMAT: one of them may be several documents.
 *   found      per id: how many documents have it
 *   documents  documents that were read and left out
 */
int pd_wanted_tell(const struct pd_wanted *wanted, const uint64_t *found, uint64_t documents);

/*
 * Fail because no document has one of the ids. Returns PD_EFORMAT. Collective unless c is NULL.
 */
int pd_wanted_none(const struct pd_comm *c, struct pd_wanted *wanted, uint64_t documents);

void pd_wanted_release(struct pd_wanted *wanted);

#endif

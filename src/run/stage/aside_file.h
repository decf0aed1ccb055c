/*
 * run/stage/aside_file.h - which base units of each document are set aside, kept from signing on.
 *
 * The holder of a document learns it once (run/stage/classes/asides.h), and later stages ask here:
 * edges end where text is set aside, and such text is no part of a share.
 */
#ifndef PARDUP_RUN_ASIDE_FILE_H
#define PARDUP_RUN_ASIDE_FILE_H

#include <stdbool.h>

#include "pardup/base/record.h"
#include "pardup/store/packed.h"

/* A block of the file, and the first document in it. */
struct pd_aside_block {
    pd_doc first;
    uint64_t block;
};
PD_VEC(pd_aside_blocks, struct pd_aside_block);

/* Zeroed: no document has such units. */
struct pd_aside_file {
    bool ended;                    /* all documents were added */
    struct pd_packed *file;        /* in order of document; NULL: none was added */
    struct pd_aside_blocks blocks; /* in order of document */
    struct pd_bytes loaded;        /* the block that was asked for last */
    uint64_t block, at;            /* its number; where the next document begins in it */
    pd_doc asked;                  /* the document that was asked for last in it */
};

/* The base units of a document that are set aside, by number and in order. */
struct pd_aside_units {
    const uint32_t *v;
    size_t n;
    const uint32_t *ignored; /* which of them are text of --ignore, in order; nignored */
    size_t nignored;
    bool stub; /* the document is a stub (join/stubs.h): it takes no part as a whole either */
};

/*
 * Add the units of a document, which is behind all documents that were added.
 *   path   of the file, if none is there yet; its name is removed at once
 * PD_OK or PD_EIO.
 */
int pd_aside_file_add(struct pd_aside_file *f, const char *path, pd_doc doc,
                      const struct pd_aside_units *units);

/* All documents were added. PD_OK or PD_EIO. */
int pd_aside_file_end(struct pd_aside_file *f);

/*
 * Find the units of a document; they are borrowed until the next call. Fast for documents in order.
 * PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_aside_file_find(struct pd_aside_file *f, pd_doc doc, struct pd_aside_units *units);

void pd_aside_file_close(struct pd_aside_file *f);

#endif

/*
 * run/job/dedup/shared.h - tables that all ranks can read: a file for each rank in the work folder.
 *
 * A rank appends to its own file. What it has appended is read by any rank once all ranks have
 * agreed that it is written: pd_shared_publish(). So no rank holds a table of all documents.
 */
#ifndef PARDUP_RUN_DEDUP_SHARED_H
#define PARDUP_RUN_DEDUP_SHARED_H

#include <stdint.h>
#include <stdio.h>

#include "pardup/comm/comm.h"

/* The tables. Each rank has a part of each table, in records of one size. */
enum pd_shared_table {
    PD_SHARED_WANTED,   /* a byte for each row of the rank's range: is the document in a passage? */
    PD_SHARED_WORDED,   /* struct pd_worded, by place */
    PD_SHARED_CLAIMS,   /* struct pd_claim, in order */
    PD_SHARED_CHANGED,  /* struct pd_changed, by row */
    PD_SHARED_REMOVALS, /* struct pd_removal, by row */
    PD_SHARED_TABLES
};

struct pd_shared {
    const struct pd_comm *comm;
    const char *folder;                      /* borrowed */
    FILE *file;                              /* what this rank writes */
    char *buffer;                            /* of `file` */
    uint64_t at;                             /* bytes of `file` */
    int *readers;                            /* descriptor by rank; -1: not open */
    uint64_t begun[PD_SHARED_TABLES];        /* where the table begins in `file` */
    struct pd_bytes parts[PD_SHARED_TABLES]; /* by rank: begin of its part, bytes of its part */
};

/* Not collective. Open this rank's file. PD_OK or PD_EIO; to be closed in any case. */
int pd_shared_open(struct pd_shared *s, const struct pd_comm *c, const char *folder);

/* Not collective. Close and delete the file. */
void pd_shared_close(struct pd_shared *s);

/* Append n bytes, at *at of this rank's file unless it is NULL. PD_OK or PD_EIO. */
int pd_shared_append(struct pd_shared *s, const void *bytes, size_t n, uint64_t *at);

/* From here on the rank appends its part of the table. */
static inline void pd_shared_begin(struct pd_shared *s, enum pd_shared_table table)
{
    s->begun[table] = s->at;
}

/*
 * COLLECTIVE. What was appended since pd_shared_begin() is the rank's part of the table, and all
 * ranks can read it. Agreed: PD_OK, or a failure, `status` among them.
 */
int pd_shared_publish(struct pd_shared *s, enum pd_shared_table table, int status);

/*
 * Let all ranks read what this rank has appended: the file is closed and opened again, since only
 * then the file system of a network shows it to other nodes. PD_OK or PD_EIO.
 */
int pd_shared_show(struct pd_shared *s);

/* Read n bytes of a rank's file. PD_OK or PD_EIO. */
int pd_shared_read(struct pd_shared *s, uint64_t rank, uint64_t from, size_t n, void *to);

/* Where a rank's part of a published table begins in its file. */
uint64_t pd_shared_begin_of(const struct pd_shared *s, enum pd_shared_table table, uint64_t rank);

/* Bytes of a rank's part of a published table. */
uint64_t pd_shared_size(const struct pd_shared *s, enum pd_shared_table table, uint64_t rank);

/* Read n bytes of a rank's part of a published table, from byte `from` of the part on. */
int pd_shared_part(struct pd_shared *s, enum pd_shared_table table, uint64_t rank, uint64_t from,
                   size_t n, void *to);

#endif

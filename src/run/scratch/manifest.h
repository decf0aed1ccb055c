/*
 * run/scratch/manifest.h - small text files in scratch that say what a checkpoint consists of.
 *
 * Lines of text, the last one a checksum of those before. A manifest is there whole or not at all.
 */
#ifndef PARDUP_RUN_MANIFEST_H
#define PARDUP_RUN_MANIFEST_H

#include "pardup/base/bytes.h"
#include "scratch.h"

/* Append formatted text. */
void pd_manifest_print(struct pd_bytes *text, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Not collective (rank 0 writes). PD_OK or PD_EIO. */
int pd_manifest_write(struct pd_scratch *s, const char *name, const struct pd_bytes *text);

/*
 * COLLECTIVE. Rank 0's manifest on all ranks, into `text` (emptied first), with a NUL behind it. True: it is
 * there and whole; a damaged one is told and taken for none.
 */
bool pd_manifest_read(struct pd_scratch *s, const char *name, struct pd_bytes *text);

/* The next line of a manifest, NUL-terminated in place; NULL: there are no more. *at begins at 0. */
char *pd_manifest_line(struct pd_bytes *text, size_t *at);

#endif

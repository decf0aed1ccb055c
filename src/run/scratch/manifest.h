/*
 * run/scratch/manifest.h - small text files in scratch that say what a checkpoint consists of.
 *
 * A manifest is lines of text; the last line is a checksum of the others. A manifest is there whole or not at all.
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
 * COLLECTIVE. Read a manifest on rank 0, and give its text to all ranks, with a NUL behind it; `text` is emptied first.
 * False: there is none. A damaged manifest is told, and taken for none.
 */
bool pd_manifest_read(struct pd_scratch *s, const char *name, struct pd_bytes *text);

/* The next line of a manifest, NUL-terminated in place; NULL: there is no more line. *at is 0 in the beginning. */
char *pd_manifest_line(struct pd_bytes *text, size_t *at);

#endif

/*
 * run/scratch/manifest.h - small text files in scratch that say what a checkpoint consists of.
 *
 * A manifest is lines of text; the last line is a checksum of the lines before it. A manifest is
 * there whole or not at all, because its file gets its name last. The checksum also covers the name
 * of the manifest and the job that the scratch is bound to.
 */
#ifndef PARDUP_RUN_MANIFEST_H
#define PARDUP_RUN_MANIFEST_H

#include "pardup/base/bytes.h"
#include "scratch.h"

/* Not collective. Write a manifest, on rank 0 only: `text` and its checksum. PD_OK or PD_EIO. */
int pd_manifest_write(struct pd_scratch *s, const char *name, const struct pd_bytes *text);

/*
 * COLLECTIVE. Read a manifest on rank 0, and give its lines to all ranks. They replace the contents
 * of `text`, without the checksum and with a NUL behind them. False: there is no manifest. A
 * damaged manifest is warned of and not used.
 */
bool pd_manifest_read(struct pd_scratch *s, const char *name, struct pd_bytes *text);

/*
 * The next line of a manifest, NUL-terminated in place; NULL: there is no more line. `at`: byte of
 * `text` where the line begins, 0 at first; moved to the line behind.
 */
char *pd_manifest_line(struct pd_bytes *text, size_t *at);

#endif

/*
 * corpus/copier.h - a copy of an input file in which some records are replaced or left out.
 *
 * All other bytes are copied as they are stored. In a compressed file, only members that hold a
 * changed record are decoded and packed again, in the same format; a large member becomes several.
 */
#ifndef PARDUP_CORPUS_COPIER_H
#define PARDUP_CORPUS_COPIER_H

#include <stdbool.h>
#include <stdio.h>

#include "pardup/base/raw.h"

struct pd_copier;

/*
 * Begin to copy the file `path`, borrowed, to `to`, which the caller closes. PD_OK or PD_EIO; *c is
 * to be closed in any case.
 */
int pd_copier_open(struct pd_copier **c, const char *path, FILE *to);

/*
 * Write bytes[0, n) in place of a record. Records come in the order of the file.
 *   raw   the record: offset, skip, record_n and stored are looked at. If it fills whole members,
 *         they are passed over without being decoded
 * PD_OK, PD_EIO, or PD_EFORMAT: a member near the record is damaged, or cannot be packed again.
 */
int pd_copier_replace(struct pd_copier *c, const struct pd_raw *raw, const unsigned char *bytes,
                      size_t n);

/*
 * Leave out a record that may be an item of a list in an uncompressed file: the comma before it
 * goes, too, or else the comma behind it. Otherwise as pd_copier_replace() with no bytes.
 */
int pd_copier_drop(struct pd_copier *c, const struct pd_raw *raw);

/* Copy what is left. PD_OK, PD_EIO or PD_EFORMAT. */
int pd_copier_finish(struct pd_copier *c);

void pd_copier_close(struct pd_copier *c); /* NULL: does nothing */

#endif

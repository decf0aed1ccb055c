/* corpus/decoded.h - the decoded bytes of a file from its begin to its end, however it is packed. */
#ifndef PARDUP_CORPUS_DECODED_H
#define PARDUP_CORPUS_DECODED_H

#include <stddef.h>

struct pd_decoded;

/* Open a file; *d is to be closed in any case. PD_OK or PD_EIO. */
int pd_decoded_open(struct pd_decoded **d, const char *path);

/*
 * The next bytes, about a megabyte; valid until the next call. PD_OK, PD_END, PD_EIO, or PD_EFORMAT
 * when the file is damaged here, without a text of the error.
 */
int pd_decoded_next(struct pd_decoded *d, const unsigned char **bytes, size_t *n);

void pd_decoded_close(struct pd_decoded *d); /* NULL: does nothing */

#endif

/* index/indexed.h - the packed form of a document, for segment.c. */
#ifndef PARDUP_INDEX_INDEXED_H
#define PARDUP_INDEX_INDEXED_H

#include "pardup/index/segment.h"

/* Read the packed form of a document, v[0, n). Pointers go into v. False: it is broken. */
bool pd_indexed_unpack(const unsigned char *v, size_t n, bool with_text, struct pd_indexed *out);

/* Append a document that was unpacked in its packed form, with its numbers as they are. */
void pd_indexed_repack(const struct pd_indexed *doc, struct pd_bytes *to);

/* Append the bounds of the units of a document, packed. */
void pd_bounds_pack(const struct pd_sentences *units, struct pd_bytes *to);

#endif

/* corpus/copy/splice_inside.h - what the files that write records again share. Private to corpus/. */
#ifndef PARDUP_CORPUS_SPLICE_INSIDE_H
#define PARDUP_CORPUS_SPLICE_INSIDE_H

#include "pardup/corpus/splice.h"

/* Is the body of the record text[0, n) as it is? */
bool pd_splice_is_body(const struct pd_raw *raw, const unsigned char *text, size_t n);

/*
 * Append a record of a web archive without parts of its body, which is t->text. Its codings are
 * undone: the heads say so.
 */
void pd_splice_warc(const struct pd_raw *raw, const struct pd_trimmed *t, struct pd_bytes *to);

#endif

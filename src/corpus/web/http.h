/*
 * corpus/web/http.h - from a stored HTTP response to the document in it (RFC 9110 and 9112).
 *
 * The headers in archives are often wrong. A body that the header calls chunked or compressed, but
 * that is neither, is taken as it is. A body that is compressed more often than the header says is
 * decompressed as often.
 */
#ifndef PARDUP_CORPUS_HTTP_H
#define PARDUP_CORPUS_HTTP_H

#include "corpus/fields.h"
#include "corpus/packed/unpack.h"
#include "pardup/base/raw.h"

/* Decoders and buffers, which are kept from body to body. A zeroed struct is ready. */
struct pd_http {
    struct pd_gunzip *gunzip; /* NULL until a body needs it */
    struct pd_unzstd *unzstd; /* NULL until a body needs it */
    struct pd_bytes chunks;   /* the body without its chunk-size lines */
    bool mended;   /* the last response: its header had to be mended, or its body is cut short */
    uint64_t most; /* bytes of the largest decoded body; 0: PD_DOCUMENT_MOST */
    struct pd_bytes decoded[2]; /* the decompressed body; two for one that is coded twice */
};
void pd_http_release(struct pd_http *h);

/*
 * Set body, n, media and charset of *raw from the response s[0, n). They point into s, into
 * `arena`, or into `h` until its next use.
 * Returns PD_OK, PD_END when the response holds no document, or PD_EFORMAT with *trouble.
 */
int pd_http_read(struct pd_http *h, const unsigned char *s, size_t n, struct pd_arena *arena,
                 struct pd_raw *raw, struct pd_trouble *trouble);

#endif

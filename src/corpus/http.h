/*
 * corpus/http.h - from a stored HTTP response to the document in it (RFC 9110 and 9112).
 *
 * Archives disagree with their own headers: a body that is called chunked or packed but is neither
 * is taken as it is.
 */
#ifndef PARDUP_CORPUS_HTTP_H
#define PARDUP_CORPUS_HTTP_H

#include "fields.h"
#include "pardup/base/raw.h"
#include "unpack.h"

struct pd_http { /* a zeroed struct is ready */
    struct pd_gunzip *gunzip;
    struct pd_unzstd *unzstd;
    struct pd_bytes chunks;
    struct pd_bytes decoded; /* kept from body to body */
};
void pd_http_release(struct pd_http *h);

/* Is content of this type a document, and which? Without a (usable) type: PD_MEDIA_UNKNOWN. */
bool pd_media_of(const struct pd_field *type, enum pd_media *media);

/*
 * Set raw->body, n, media and charset from the response s[0, n). They point into s, into `h`
 * (until its next use) or into `arena`. PD_OK, PD_END (no document), or PD_EFORMAT with *trouble.
 */
int pd_http_read(struct pd_http *h, const unsigned char *s, size_t n, struct pd_arena *arena,
                 struct pd_raw *raw, struct pd_trouble *trouble);

#endif

/* corpus/packed/decoded.c - see include/pardup/corpus/decoded.h */
#include "pardup/corpus/decoded.h"

#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "stream.h"

#define STEP ((size_t)1 << 20) /* bytes that are asked for at a time */

struct pd_decoded {
    struct pd_stream *stream;
    size_t given; /* bytes that the last call has returned */
};

int pd_decoded_open(struct pd_decoded **made, const char *path)
{
    struct pd_decoded *d = pd_realloc(NULL, 1, sizeof *d);
    *d = (struct pd_decoded){.stream = pd_stream_new()};
    *made = d;
    return pd_stream_open(d->stream, path, 0);
}

int pd_decoded_next(struct pd_decoded *d, const unsigned char **bytes, size_t *n)
{
    pd_stream_advance(d->stream, d->given);
    const int status = pd_stream_peek(d->stream, STEP, bytes, n);
    d->given = *n;
    if (status == PD_EIO || *n > 0)
        return status == PD_EFORMAT ? PD_OK : status; /* the damage lies further on */
    return status == PD_OK ? PD_END : status;
}

void pd_decoded_close(struct pd_decoded *d)
{
    if (!d)
        return;
    pd_stream_free(d->stream);
    free(d);
}

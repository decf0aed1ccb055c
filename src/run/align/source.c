/* run/align/source.c - see src/run/align/source.h */
#include "source.h"

#include "pardup/base/error.h"

enum { AT_ONCE = 1024 }; /* most passages that a source is asked for at a time */

void pd_passage_reader_begin(struct pd_passage_reader *r, const struct pd_passage_source *source)
{
    r->source = source;
    r->taken.n = r->at = 0;
    r->ended = false;
}

int pd_passage_reader_next(struct pd_passage_reader *r, struct pd_passage **p)
{
    *p = NULL;
    while (r->at == r->taken.n && !r->ended) {
        size_t n = 0;
        r->at = r->taken.n = 0;
        pd_passages_reserve(&r->taken, AT_ONCE);
        const int status = r->source->fill(r->source->ctx, (unsigned char *)r->taken.v,
                                           AT_ONCE * sizeof *r->taken.v, &n);
        if (status < 0)
            return status;
        r->taken.n = n / sizeof *r->taken.v;
        r->ended = status == PD_END;
    }
    if (r->at < r->taken.n)
        *p = &r->taken.v[r->at++];
    return PD_OK;
}

/* run/stage/align/visiting.c - what the hops of passages share: see visit.h, visiting.h */
#include "visiting.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

/* ---- passages from a source ---- */

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

int pd_visiting_read(struct pd_visiting *v, struct pd_shuffle *shuffle)
{
    if (v->reading == shuffle)
        return PD_OK;
    v->reading = shuffle;
    pd_opened_forget(&v->opened);
    return pd_shuffle_sort_own(shuffle);
}

/* ---- words that follow a reply ---- */

size_t pd_words_send(struct pd_words_left *left, struct pd_opened *d, struct pd_words_part *to)
{
    const uint32_t n = pd_min_u32(left->end - left->next, PD_WORDS_IN_PART);
    *to = (struct pd_words_part){.size = (uint32_t)(sizeof *to + n * sizeof *to->terms),
                                 .waits_at = left->waits_at,
                                 .part = left->part++};
    pd_opened_terms(d, left->next, left->next + n, to->terms);
    left->next += n;
    return to->size;
}

int pd_words_receive(struct pd_shuffle *from, uint64_t waits_at, uint32_t n, struct pd_u64s *terms)
{
    const void *rec;
    terms->n = 0;
    for (uint64_t part = PD_FIRST_PART; terms->n < n; part++) {
        PD_TRY(pd_shuffle_look(from, &rec));
        const struct pd_words_part *words = rec;
        PD_CHECK(words && words->waits_at == waits_at && words->part == part);
        pd_u64s_append(terms, words->terms, (words->size - sizeof *words) / sizeof *words->terms);
        pd_shuffle_pass(from, words->size);
    }
    return PD_OK;
}

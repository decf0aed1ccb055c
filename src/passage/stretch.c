/*
 * passage/stretch.c - see include/pardup/passage/stretch.h
 *
 * A stretch gains when a word at one of its ends is left out that is not shared. So only shared
 * words are tried as the first and as the last word, and the ends of the core.
 */
#include "pardup/passage/stretch.h"

/* The best stretch so far, while words are gone through. */
struct greatest {
    int64_t lost, sum;      /* sum: of `above` of the shared words so far */
    int64_t least, most;    /* least sum of scores before a stretch; greatest score of one */
    uint32_t from;          /* where the sum was least */
    struct pd_stretch best; /* has the score `most` */
};

/* A stretch may begin with word k. */
static inline void begin_with(struct greatest *g, uint32_t k)
{
    const int64_t before = g->lost * k + g->sum;
    g->from = before < g->least ? k : g->from;
    g->least = before < g->least ? before : g->least;
}

/* A stretch may end with word k. */
static inline void end_with(struct greatest *g, uint32_t k)
{
    const int64_t score = g->lost * (k + 1) + g->sum - g->least;
    if (score > g->most) {
        g->most = score;
        g->best = (struct pd_stretch){g->from, k + 1};
    }
}

int64_t pd_stretch_best(const struct pd_stretching *s, struct pd_stretch *best)
{
    const struct pd_shared_word *w = s->v, *const end = w + s->n;
    const struct pd_shared_word *const first = w + s->core_from, *const behind = w + s->core_to;
    const int32_t *const above = s->above;
    struct greatest g = {.lost = s->lost, .most = INT64_MIN};
    for (; w < first; w++) {
        begin_with(&g, w->at);
        g.sum += above[w->id];
    }
    if (w == behind || w->at != s->core.from) {
        begin_with(&g, s->core.from);
        end_with(&g, s->core.from);
    }
    for (; w < behind; w++) {
        begin_with(&g, w->at);
        g.sum += above[w->id];
        end_with(&g, w->at);
    }
    begin_with(&g, s->core.to - 1); /* changes nothing if that word is shared: it costs nothing */
    for (; w < end; w++) {
        g.sum += above[w->id];
        end_with(&g, w->at);
    }
    *best = g.best;
    return g.most;
}

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

/* The ways do not depend on each other, so a processor can follow them at once. */
static inline __attribute__((always_inline)) void
find_best(const struct pd_stretching *s, const int n, struct pd_scored_stretch *best)
{
    const struct pd_shared_word *w = s->v, *const end = w + s->n;
    const struct pd_shared_word *const first = w + s->core_from, *const behind = w + s->core_to;
    const struct pd_above *const above = s->above;
    struct greatest g[PD_STRETCH_CHOICES];
    for (int c = 0; c < n; c++)
        g[c] = (struct greatest){.lost = s->lost[c], .most = INT64_MIN};
    for (; w < first; w++)
        for (int c = 0; c < n; c++) {
            begin_with(&g[c], w->at);
            g[c].sum += above[w->id].by[c];
        }
    for (int c = 0; c < n && (w == behind || w->at != s->core.from); c++) {
        begin_with(&g[c], s->core.from);
        end_with(&g[c], s->core.from);
    }
    for (; w < behind; w++)
        for (int c = 0; c < n; c++) {
            begin_with(&g[c], w->at);
            g[c].sum += above[w->id].by[c];
            end_with(&g[c], w->at);
        }
    for (int c = 0; c < n; c++) /* changes nothing if that word is shared: it costs nothing */
        begin_with(&g[c], s->core.to - 1);
    for (; w < end; w++)
        for (int c = 0; c < n; c++) {
            g[c].sum += above[w->id].by[c];
            end_with(&g[c], w->at);
        }
    for (int c = 0; c < n; c++)
        best[c] = (struct pd_scored_stretch){g[c].best, g[c].most};
}

void pd_stretch_best(const struct pd_stretching *s, int n, struct pd_scored_stretch *best)
{
    if (n == 1)
        find_best(s, 1, best);
    else
        find_best(s, PD_STRETCH_CHOICES, best);
}

/* passage/ends.c - see include/pardup/passage/ends.h */
#include "pardup/passage/ends.h"

#include "pardup/base/error.h"
#include "pardup/passage/edges.h"

static uint32_t word_behind(const struct pd_sentence *unit) { return unit->word + unit->nwords; }

struct pd_ends pd_ends_of(const struct pd_sentences *units, uint32_t nwords, uint32_t start,
                          uint32_t length, bool far)
{
    const struct pd_sentence *v = units->v;
    const uint32_t last = start + length - 1;
    const uint32_t from = v[start].word, to = word_behind(&v[last]);
    const uint32_t back = start > 0 ? from - v[start - 1].word : 0;
    const uint32_t ahead = last + 1 < units->n ? word_behind(&v[last + 1]) - to : 0;
    return (struct pd_ends){.back = {from - 1, from, far ? from : back},
                            .ahead = {to, nwords - to, far ? nwords - to : ahead},
                            .inside = to - from};
}

uint32_t pd_edge_compared(const struct pd_edge_side *side, uint32_t near_other)
{
    const uint32_t near = near_other > side->near ? near_other : side->near;
    const uint32_t n = side->n < near ? side->n : near;
    if (near_other == 0)
        return 0;
    return n < PD_EDGE_WORDS ? n : PD_EDGE_WORDS;
}

uint64_t pd_units_bytes(const struct pd_sentences *units, uint32_t start, uint32_t length)
{
    PD_CHECK((uint64_t)start + length <= units->n && length > 0);
    return pd_ij(units->v[start].begin, units->v[start + length - 1].end);
}

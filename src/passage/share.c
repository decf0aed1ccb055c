/* passage/share.c - see include/pardup/passage/share.h */
#include "pardup/passage/share.h"

#include "pardup/base/sort.h"

static uint64_t lesser(uint64_t x, uint64_t y) { return x < y ? x : y; }
static uint64_t greater(uint64_t x, uint64_t y) { return x > y ? x : y; }

/*
 * How many of [begin, end) are set aside. *next is the first part that ends behind `begin`; calls
 * ascend.
 */
static uint64_t set_aside(const struct pd_parts *aside, size_t *next, uint64_t begin, uint64_t end)
{
    uint64_t n = 0;
    while (*next < aside->n && aside->v[*next].end <= begin)
        ++*next;
    for (size_t k = *next; k < aside->n && aside->v[k].begin < end; k++)
        n += lesser(aside->v[k].end, end) - greater(aside->v[k].begin, begin);
    return n;
}

struct pd_share pd_share_of_words(uint64_t words, struct pd_parts *passages,
                                  const struct pd_parts *aside)
{
    size_t all = 0, next = 0;
    uint64_t covered = 0, reached = 0;
    if (passages->n > 1)
        pd_sort_records(passages->v, passages->n, 2, 1);
    for (size_t k = 0; k < passages->n; k++) {
        const uint64_t begin = greater(passages->v[k].begin, reached);
        const uint64_t end = lesser(passages->v[k].end, words);
        if (begin >= end)
            continue;
        covered += end - begin - set_aside(aside, &next, begin, end);
        reached = end;
    }
    return (struct pd_share){covered, words - set_aside(aside, &all, 0, words)};
}

/*
 * Classes to fans of dots; blocks of document pairs to passages. Pairs share a run of sentences and
 * some that stand anywhere; blocks are of one dot each.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "pardup/join/classes.h"
#include "pardup/passage/best.h"
#include "pardup/passage/diagonal.h"
#include "pd_random.h"

enum { PAIRS = 1 << 16, RUN = 20, STRAY = 4, DOTS = RUN + STRAY, SENTENCES = 64 };
enum { CLASSES = 2000, DOCUMENTS = 32, CAP = 1 << 20 };

PD_VEC(block_list, const struct pd_block *);

struct pairs {
    unsigned char *blocks; /* DOTS a pair, each of one dot */
    uint32_t size;         /* bytes of a block */
    uint32_t gap;
    struct pd_occurrence occurrences[DOCUMENTS];
    unsigned char *room;
};

static void make_block(unsigned char *to, uint32_t pair, uint32_t i, uint32_t j)
{
    struct pd_block *block = (struct pd_block *)(void *)to;
    *block = (struct pd_block){pd_block_size(1, 1), 1, 1, pair, pair + PAIRS};
    block->units[0] = i;
    block->units[1] = j;
}

static void make_pairs(struct pairs *p)
{
    uint64_t seed = 1;
    p->size = pd_block_size(1, 1);
    p->blocks = pd_realloc(NULL, (size_t)PAIRS * DOTS, p->size);
    for (uint32_t pair = 0; pair < PAIRS; pair++) {
        const uint32_t i = pd_random_below(&seed, SENTENCES), j = pd_random_below(&seed, SENTENCES);
        uint32_t order[DOTS];
        for (uint32_t k = 0; k < DOTS; k++) { /* blocks come in any order */
            const uint32_t to = pd_random_below(&seed, k + 1);
            order[k] = order[to];
            order[to] = k;
        }
        for (uint32_t k = 0; k < DOTS; k++) {
            unsigned char *to = p->blocks + ((size_t)pair * DOTS + order[k]) * p->size;
            if (k < RUN)
                make_block(to, pair, i + k, j + k);
            else
                make_block(to, pair, pd_random_below(&seed, SENTENCES),
                           pd_random_below(&seed, SENTENCES));
        }
    }
}

static uint64_t find(void *ctx, double *pause)
{
    struct pairs *p = ctx;
    struct pd_diagonals d = {0};
    struct pd_passages out = {0};
    struct block_list list = {0};
    (void)pause;
    for (size_t pair = 0; pair < PAIRS; pair++) {
        list.n = 0;
        for (size_t k = 0; k < DOTS; k++)
            block_list_push(
                &list,
                (const struct pd_block *)(const void *)(p->blocks + (pair * DOTS + k) * p->size));
        pd_diagonals_find(&d, &(struct pd_pair_dots){.b = 1, .blocks = list.v, .n = list.n}, 3,
                          p->gap, &out);
    }
    const uint64_t n = out.n;
    pd_diagonals_release(&d);
    pd_passages_release(&out);
    block_list_release(&list);
    return n;
}

/* The same with the best passages. */
static uint64_t find_best(void *ctx, double *pause)
{
    struct pairs *p = ctx;
    struct pd_best *best =
        pd_best_new(&(struct pd_best_options){.limits = PD_BEST_LIMITS, .gamma = 3, .gap = p->gap});
    struct pd_passages out = {0};
    struct block_list list = {0};
    (void)pause;
    for (size_t pair = 0; pair < PAIRS; pair++) {
        list.n = 0;
        for (size_t k = 0; k < DOTS; k++)
            block_list_push(
                &list,
                (const struct pd_block *)(const void *)(p->blocks + (pair * DOTS + k) * p->size));
        pd_best_find(best, &(struct pd_pair_dots){.b = 1, .blocks = list.v, .n = list.n}, &out);
    }
    const uint64_t n = out.n;
    pd_best_free(best);
    pd_passages_release(&out);
    block_list_release(&list);
    return n;
}

/* Each class with itself: DOCUMENTS (DOCUMENTS - 1) / 2 dots. */
static uint64_t expand(void *ctx, double *pause)
{
    struct pairs *p = ctx;
    struct pd_expansion e = {0};
    uint64_t bytes = 0;
    (void)pause;
    for (int k = 0; k < CLASSES; k++) {
        size_t n;
        pd_expansion_begin(
            &e, &(struct pd_matching){p->occurrences, p->occurrences, DOCUMENTS, DOCUMENTS, 1}, 0);
        while (!pd_expansion_write(&e, p->room, CAP, &n))
            bytes += n;
        bytes += n;
    }
    pd_expansion_release(&e);
    return bytes;
}

int main(void)
{
    struct pairs p = {.room = pd_realloc(NULL, CAP, 1)};
    make_pairs(&p);
    for (uint32_t k = 0; k < DOCUMENTS; k++)
        p.occurrences[k] = (struct pd_occurrence){k, k, 0};
    bench_repeat("expand", "M dots/s", (double)CLASSES * DOCUMENTS * (DOCUMENTS - 1) / 2, expand,
                 &p);
    bench_repeat("diagonals", "M dots/s", (double)PAIRS * DOTS, find, &p);
    p.gap = 8;
    bench_repeat("diagonals, gap", "M dots/s", (double)PAIRS * DOTS, find, &p);
    bench_repeat("best, gap", "M dots/s", (double)PAIRS * DOTS, find_best, &p);
    free(p.blocks);
    free(p.room);
    return 0;
}

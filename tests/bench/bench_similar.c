/* Probes that meet under one key, compared by Jaccard: short lists, as most are, and a long one. */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/join/similar.h"
#include "pd_random.h"

enum { PROBES = 1 << 17, SIZE = 20, WORDS = 1 << 16, EDITS = 3 };

PD_VEC(probe_list, const struct pd_probe *);

struct comparing {
    struct pd_probe *probes[PROBES];
    size_t list; /* probes that meet */
};

/*
 * One key for all; the others are words, frequent and rare; one set in two is an earlier one,
 * edited.
 */
static struct pd_probe *make_probe(struct pd_probe *const *earlier, uint32_t number, uint64_t *seed)
{
    struct pd_probe *p = pd_realloc(NULL, 1, PD_PROBE_BYTES(SIZE));
    const uint32_t near = number % 2 ? number - 1 : 0;
    *p = (struct pd_probe){
        .size = PD_PROBE_BYTES(SIZE), .nset = SIZE, .number = number, .nkeys = SIZE};
    for (uint32_t k = 1; k < SIZE; k++) {
        const uint32_t word = pd_random_below(seed, 1 + pd_random_below(seed, WORDS));
        const bool same = near && pd_random_below(seed, SIZE) >= EDITS;
        const uint8_t code = pd_key_code(2 + WORDS / (word + 1));
        p->keys[k] = same ? earlier[near]->keys[k] : pd_key_of(pd_mix(word + 1), code);
    }
    p->keys[0] = p->meeting = pd_key_of(pd_mix(0), 1); /* rarer than any word: comes first */
    pd_sort_records(p->keys, SIZE, 1, 1);
    return p;
}

static int keep(void *ctx, const struct pd_similar *v, size_t n)
{
    pd_similars_append(ctx, v, n);
    return PD_OK;
}

static uint64_t compare(void *ctx, double *pause)
{
    struct comparing *c = ctx;
    struct probe_list list = {0};
    struct pd_similars found = {0};
    struct pd_comparison comparison = {
        .kind = PD_JOIN_JACCARD, .tau = 0.6, .keep = keep, .ctx = &found};
    (void)pause;
    for (size_t k = 0; k < PROBES; k += c->list) {
        list.n = 0;
        for (size_t i = 0; i < c->list; i++)
            probe_list_push(&list, c->probes[k + i]);
        pd_comparison_find(&comparison, list.v, list.n);
    }
    pd_comparison_end(&comparison);
    const uint64_t n = found.n;
    pd_comparison_release(&comparison);
    pd_similars_release(&found);
    probe_list_release(&list);
    return n;
}

int main(void)
{
    enum { SHORT = 8, LONG = 1024 };
    struct comparing *c = pd_realloc(NULL, 1, sizeof *c);
    uint64_t seed = 1;
    for (uint32_t k = 0; k < PROBES; k++)
        c->probes[k] = make_probe(c->probes, k, &seed);
    c->list = SHORT;
    bench_repeat("similar, 8", "M pairs/s", (double)PROBES * (SHORT - 1) / 2, compare, c);
    c->list = LONG;
    bench_repeat("similar, 1024", "M pairs/s", (double)PROBES * (LONG - 1) / 2, compare, c);
    for (uint32_t k = 0; k < PROBES; k++)
        free(c->probes[k]);
    free(c);
    return 0;
}

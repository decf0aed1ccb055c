/* The similarity join against comparing every set with every other. */
#include "pardup/join/similar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/join/codes.h"
#include "pardup/join/minhash.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { SETS_MOST = 600, SIZE_MOST = 24, WORDS = 400 };

struct set {
    uint32_t n;
    uint32_t word[SIZE_MOST + 1]; /* ascending, distinct */
};

static struct set sets[SETS_MOST];
static uint32_t nsets;

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void finish(struct set *s)
{
    uint32_t kept = 0;
    qsort(s->word, s->n, sizeof *s->word, by_number);
    for (uint32_t k = 0; k < s->n; k++)
        if (k == 0 || s->word[k] != s->word[k - 1])
            s->word[kept++] = s->word[k];
    s->n = kept;
}

/* A word: few are frequent, many are rare. */
static uint32_t random_word(uint64_t *seed)
{
    return pd_random_below(seed, 1 + pd_random_below(seed, 1 + pd_random_below(seed, WORDS)));
}

static int by_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Similar ones, by the numbers of both. */
static int by_pair(const void *a, const void *b)
{
    const struct pd_similar *p = a, *q = b;
    return p->x != q->x ? by_word(&p->x, &q->x) : by_word(&p->y, &q->y);
}

static bool same(const struct set *a, const struct set *b)
{
    return a->n == b->n && memcmp(a->word, b->word, a->n * sizeof *a->word) == 0;
}

/*
 * Sets, all different (they stand for classes); half of them are earlier ones with a few changes.
 */
static void make_sets(uint64_t seed, uint32_t wanted)
{
    nsets = 0;
    for (int tries = 0; nsets < wanted && tries < 100000; tries++) {
        struct set s = {0};
        if (nsets && pd_random_below(&seed, 2)) {
            s = sets[pd_random_below(&seed, nsets)];
            for (uint32_t changes = pd_random_below(&seed, 3) + 1; changes; changes--)
                s.word[pd_random_below(&seed, s.n)] = random_word(&seed);
            if (pd_random_below(&seed, 2))
                s.word[s.n++] = random_word(&seed);
        } else {
            s.n = 1 + pd_random_below(&seed, SIZE_MOST);
            for (uint32_t k = 0; k < s.n; k++)
                s.word[k] = random_word(&seed);
        }
        finish(&s);
        s.n = s.n < SIZE_MOST ? s.n : SIZE_MOST;
        bool known = false;
        for (uint32_t k = 0; k < nsets && !known; k++)
            known = same(&sets[k], &s);
        if (!known)
            sets[nsets++] = s;
    }
}

static uint32_t common_of(const struct set *a, const struct set *b)
{
    uint32_t common = 0;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++)
            common += a->word[i] == b->word[j];
    return common;
}

/* All pairs, by the definition. */
static void compare_all(enum pd_join_kind kind, double tau, struct pd_similars *want)
{
    for (uint32_t x = 0; x < nsets; x++)
        for (uint32_t y = x + 1; y < nsets; y++) {
            const uint32_t common = common_of(&sets[x], &sets[y]), n = sets[x].n, m = sets[y].n;
            const double whole = kind == PD_JOIN_JACCARD ? n + m - common : n > m ? n : m;
            if ((double)common / whole >= tau)
                pd_similars_push(want, (struct pd_similar){x, y, (double)common / whole});
        }
}

static pd_sig sig_of(uint32_t word) { return pd_mix(word + 1); }

static uint8_t find_code(const struct pd_codes *codes, pd_sig sig)
{
    uint8_t code;
    pd_codes_find(codes, &sig, 1, &code);
    return code;
}

/* The codes of words by their frequency, as the pipeline makes them. */
static void make_codes(struct pd_codes *codes)
{
    uint32_t df[WORDS] = {0};
    for (uint32_t s = 0; s < nsets; s++)
        for (uint32_t k = 0; k < sets[s].n; k++)
            df[sets[s].word[k]]++;
    struct pd_sig_df {
        uint64_t sig, df;
    } all[WORDS];
    for (uint32_t w = 0; w < WORDS; w++)
        all[w] = (struct pd_sig_df){sig_of(w), df[w]};
    pd_sort_records(all, WORDS, 2, 1);
    pd_codes_begin(codes, WORDS);
    for (uint32_t w = 0; w < WORDS; w++)
        if (all[w].df > 1)
            pd_codes_push(codes, all[w].sig, pd_key_code(all[w].df));
    pd_codes_end(codes);
}

PD_VEC(probes, struct pd_probe *);

static struct pd_probe *make_probe(uint32_t number, const pd_key *keys, uint32_t single)
{
    const uint32_t nkeys = sets[number].n - single;
    struct pd_probe *p = pd_realloc(NULL, 1, PD_PROBE_BYTES(nkeys));
    *p = (struct pd_probe){
        .size = PD_PROBE_BYTES(nkeys), .nset = sets[number].n, .number = number, .nkeys = nkeys};
    memcpy(p->keys, keys + single, nkeys * sizeof *keys);
    return p;
}

/* One probe for each prefix key that others can have. */
static void make_probes(const struct pd_codes *codes, double tau, struct probes *probes)
{
    for (uint32_t s = 0; s < nsets; s++) {
        pd_key keys[SIZE_MOST];
        uint32_t single = 0;
        for (uint32_t k = 0; k < sets[s].n; k++) {
            const uint8_t code = find_code(codes, sig_of(sets[s].word[k]));
            keys[k] = pd_key_of(sig_of(sets[s].word[k]), code);
            single += code == 0;
        }
        pd_sort_records(keys, sets[s].n, 1, 1);
        for (uint32_t k = single; k < sets[s].n - pd_similarity_smallest(tau, sets[s].n) + 1; k++) {
            probes_push(probes, make_probe(s, keys, single));
            probes->v[probes->n - 1]->meeting = keys[k];
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const struct pd_probe *x = *(struct pd_probe *const *)a, *y = *(struct pd_probe *const *)b;
    return (x->meeting > y->meeting) - (x->meeting < y->meeting);
}

static int keep(void *ctx, const struct pd_similar *v, size_t n)
{
    pd_similars_append(ctx, v, n);
    return PD_OK;
}

static size_t place_end(const struct probes *probes, size_t begin)
{
    size_t end = begin;
    while (end < probes->n && probes->v[end]->meeting == probes->v[begin]->meeting)
        end++;
    return end;
}

static struct pd_notice make_notice(const struct pd_probe *p, size_t number)
{
    uint32_t at = 0;
    while (p->keys[at] != p->meeting)
        at++;
    struct pd_notice notice = {.nset = p->nset,
                               .meeting = p->meeting,
                               .set = number,
                               .rest = p->nkeys - at - 1,
                               .before = at ? p->keys[at - 1] : 0};
    const struct pd_bitmap b = pd_bitmap_of(p->keys + at + 1, notice.rest, p->nset);
    pd_bitmap_fold(&b, notice.bits);
    return notice;
}

enum { NOTICE_U64S = sizeof(struct pd_notice) / sizeof(uint64_t) };

/* Those that are wanted at their place, which are in order of place, stay, in order of place. */
static void sift(struct pd_comparison *c, struct probes *probes)
{
    size_t kept = 0;
    for (size_t begin = 0, end; begin < probes->n; begin = end) {
        struct pd_notice list[SETS_MOST];
        bool wanted[SETS_MOST] = {false};
        end = place_end(probes, begin);
        for (size_t k = begin; k < end; k++)
            list[k - begin] = make_notice(probes->v[k], k - begin);
        pd_sort_records(list, end - begin, NOTICE_U64S, 2);
        const size_t n = pd_comparison_sift(c, list, end - begin);
        for (size_t k = 0; k < n; k++)
            wanted[list[k].set] = true;
        for (size_t k = begin; k < end; k++)
            if (wanted[k - begin])
                probes->v[kept++] = probes->v[k];
            else
                free(probes->v[k]);
    }
    probes->n = kept;
    c->sifted = true;
}

static void meet(struct pd_comparison *c, struct probes *probes, bool sifted)
{
    if (probes->n)
        qsort(probes->v, probes->n, sizeof *probes->v, by_place);
    if (sifted)
        sift(c, probes);
    for (size_t begin = 0, end; begin < probes->n; begin = end) {
        end = place_end(probes, begin);
        CU_ASSERT_EQUAL(pd_comparison_find(c, (const struct pd_probe **)(void *)(probes->v + begin),
                                           end - begin),
                        PD_OK);
    }
    CU_ASSERT_EQUAL(pd_comparison_end(c), PD_OK);
    for (size_t k = 0; k < probes->n; k++)
        free(probes->v[k]);
    probes_release(probes);
    pd_comparison_release(c);
}

static void expect_equal(struct pd_similars *want, struct pd_similars *got)
{
    if (want->n)
        pd_sort_records(want->v, want->n, 3, 3);
    if (got->n)
        pd_sort_records(got->v, got->n, 3, 3);
    CU_ASSERT_EQUAL(got->n, want->n);
    CU_ASSERT(got->n != want->n || !want->n ||
              memcmp(got->v, want->v, want->n * sizeof *want->v) == 0);
}

static size_t check(enum pd_join_kind kind, double tau)
{
    struct pd_similars want = {0}, got = {0};
    struct pd_codes codes = {0};
    struct probes probes = {0};
    compare_all(kind, tau, &want);
    make_codes(&codes);
    for (int sifted = 0; sifted < 2; sifted++) {
        struct pd_comparison c = {.kind = kind, .tau = tau, .keep = keep, .ctx = &got};
        make_probes(&codes, tau, &probes);
        meet(&c, &probes, sifted);
        expect_equal(&want, &got);
        CU_ASSERT(c.candidates >= want.n && c.verified <= c.candidates);
        got.n = 0;
    }
    const size_t n = want.n;
    pd_similars_release(&want);
    pd_similars_release(&got);
    pd_codes_release(&codes);
    return n;
}

static const double taus[] = {0.05, 0.3, 0.5, 0.6, 2.0 / 3, 0.75, 0.8, 0.9, 1};
enum { NTAUS = sizeof taus / sizeof *taus };

static void test_joins_against_all_pairs(void)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        make_sets(seed, seed % 4 ? 200 : 40);
        for (int t = 0; t < NTAUS; t++) {
            found += check(PD_JOIN_JACCARD, taus[t]);
            found += check(PD_JOIN_OVERLAP, taus[t]);
        }
    }
    CU_ASSERT(found > 10000);
}

/* Many sets from few words: lists are long enough to be split, several levels deep. */
static void test_long_lists(void)
{
    make_sets(99, SETS_MOST);
    for (int t = 1; t < NTAUS; t++) {
        CU_ASSERT(check(PD_JOIN_JACCARD, taus[t]) > 0 || taus[t] > 0.8);
        CU_ASSERT(check(PD_JOIN_OVERLAP, taus[t]) > 0 || taus[t] > 0.8);
    }
}

/* A family: all share all but one word, so that every list holds everybody. */
static void make_family(void)
{
    nsets = 300;
    for (uint32_t s = 0; s < nsets; s++) {
        sets[s].n = 13;
        for (uint32_t k = 0; k < 12; k++)
            sets[s].word[k] = k;
        sets[s].word[12] = 20 + s;
    }
}

static void test_family(void)
{
    make_family();
    CU_ASSERT_EQUAL(check(PD_JOIN_OVERLAP, 0.6), (size_t)nsets * (nsets - 1) / 2);
    CU_ASSERT_EQUAL(check(PD_JOIN_JACCARD, 0.9), 0);
    CU_ASSERT_EQUAL(check(PD_JOIN_JACCARD, 12.0 / 14), (size_t)nsets * (nsets - 1) / 2);
}

/*
 * A list that is split although its sets are similar already: 260 sets have word 4 as the rarest
 * word that others have too, and one of words 0 to 3, which are more frequent. Pairs with the same
 * one meet again in the lists of the split; all other pairs do not.
 */
static void make_split(void)
{
    enum { SPLIT = 260, POOL = 30 };
    nsets = 0;
    for (uint32_t s = 0; s < SPLIT; s++)
        sets[nsets++] = (struct set){3, {s % 4, 4, 100 + s}};
    for (uint32_t x = 0; x < POOL; x++)
        for (uint32_t y = 0; y < x && nsets < SETS_MOST; y++)
            sets[nsets++] = (struct set){6, {0, 1, 2, 3, 10 + y, 10 + x}};
}

static void test_split(void)
{
    make_split();
    CU_ASSERT(check(PD_JOIN_OVERLAP, 0.3) > 0);
    CU_ASSERT(check(PD_JOIN_JACCARD, 0.2) > 0);
}

/* Bounds derived from the comparison itself never disagree with it. */
static void test_bounds(void)
{
    for (int t = 0; t < NTAUS; t++)
        for (uint32_t n = 1; n <= 40; n++) {
            const uint32_t smallest = pd_similarity_smallest(taus[t], n);
            CU_ASSERT(smallest >= 1 && smallest <= n);
            for (uint32_t m = 1; m <= 40; m++)
                for (int kind = PD_JOIN_JACCARD; kind <= PD_JOIN_OVERLAP; kind++) {
                    const uint32_t most = n < m ? n : m;
                    const uint32_t least =
                        pd_similarity_least((enum pd_join_kind)kind, taus[t], n, m);
                    for (uint32_t o = 0; o <= most; o++) {
                        const double whole = kind == PD_JOIN_JACCARD ? n + m - o : n > m ? n : m;
                        CU_ASSERT_EQUAL(o >= least, o / whole >= taus[t]);
                        CU_ASSERT(o / whole < taus[t] || (o >= smallest && m >= smallest));
                    }
                }
        }
}

/* The product of a threshold and a size is rounded up: 0.55 * 100 gives more than 55. */
static void test_smallest_is_not_rounded(void)
{
    static const double some[] = {0.55, 9. / 11, 0.07, 0.28, 0.56, 0.57, 0.58, 2. / 3, 0.9, 1};
    CU_ASSERT(0.55 * 100 > 55 && 9. / 11 * 77 > 63);
    CU_ASSERT_EQUAL(pd_similarity_smallest(0.55, 100), 55);
    CU_ASSERT_EQUAL(pd_similarity_smallest(9. / 11, 77), 63);
    for (size_t t = 0; t < sizeof some / sizeof *some; t++)
        for (uint32_t n = 1; n <= 1000; n++) {
            uint32_t want = 1;
            while ((double)want / (double)n < some[t])
                want++;
            CU_ASSERT_EQUAL(pd_similarity_smallest(some[t], n), want);
        }
}

/* Sets that are all different come to no place; of a pair each comes to one. */
static void test_sift_keeps_few(void)
{
    struct pd_codes codes = {0};
    struct probes probes = {0};
    struct pd_comparison c = {.kind = PD_JOIN_JACCARD, .tau = 0.75};
    make_sets(3, 40);
    make_codes(&codes);
    make_probes(&codes, c.tau, &probes);
    const size_t all = probes.n;
    struct pd_similars want = {0};
    compare_all(c.kind, c.tau, &want);
    qsort(probes.v, probes.n, sizeof *probes.v, by_place);
    sift(&c, &probes);
    CU_ASSERT(probes.n < all / 2 && probes.n >= (want.n ? 2 : 0));
    pd_comparison_release(&c);
    for (size_t k = 0; k < probes.n; k++)
        free(probes.v[k]);
    probes_release(&probes);
    pd_similars_release(&want);
    pd_codes_release(&codes);
}

static void test_codes_ascend(void)
{
    CU_ASSERT(pd_key_code(2) > 0);
    for (uint64_t df = 2; df < 5000; df++)
        CU_ASSERT(pd_key_code(df + 1) >= pd_key_code(df));
    CU_ASSERT(pd_key_code(8) > pd_key_code(6) && pd_key_code(3) > pd_key_code(2));
    CU_ASSERT(pd_key_code(UINT64_MAX) > pd_key_code((uint64_t)1 << 60));
}

/* LSH: the similar pairs among those that share a bucket of some table, each once. */
static void test_lsh(void)
{
    enum { TABLES = 4 };
    static const uint64_t masks[TABLES] = {0x11, 0x22, 0x83, 0x70};
    uint64_t bits[SETS_MOST] = {0};
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct pd_similars all = {0}, want = {0}, got = {0};
        struct probes probes = {0};
        struct pd_comparison c = {
            .kind = PD_JOIN_LSH, .tau = 0.6, .masks = masks, .keep = keep, .ctx = &got};
        make_sets(seed, 200);
        for (uint32_t s = 0; s < nsets; s++) {
            pd_key keys[SIZE_MOST];
            bits[s] = 0;
            for (uint32_t k = 0; k < sets[s].n; k++) {
                keys[k] = sig_of(sets[s].word[k]);
                bits[s] |= (uint64_t)1 << keys[k] % 8;
            }
            pd_sort_records(keys, sets[s].n, 1, 1);
            for (uint32_t t = 0; t < TABLES; t++) {
                struct pd_probe *p = make_probe(s, keys, 0);
                p->meeting = pd_mix((bits[s] & masks[t]) << 8 | t);
                p->table = t;
                p->superimposed = bits[s];
                probes_push(&probes, p);
            }
        }
        compare_all(PD_JOIN_OVERLAP, 0.6, &all);
        for (size_t k = 0; k < all.n; k++) {
            bool met = false;
            for (uint32_t t = 0; t < TABLES; t++)
                met |= !((bits[all.v[k].x] ^ bits[all.v[k].y]) & masks[t]);
            if (met)
                pd_similars_push(&want, all.v[k]);
        }
        CU_ASSERT(want.n < all.n);
        found += want.n;
        meet(&c, &probes, false);
        expect_equal(&want, &got);
        pd_similars_release(&all);
        pd_similars_release(&want);
        pd_similars_release(&got);
    }
    CU_ASSERT(found > 100);
}

/* Min-wise tables: the similar pairs that share a bucket of some table, each once. */
static void test_minhash(void)
{
    enum { TABLES = 4, ROWS = 2 };
    size_t found = 0, missed = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct pd_similars all = {0}, want = {0}, got = {0};
        struct probes probes = {0};
        struct pd_comparison c = {
            .kind = PD_JOIN_LSH, .tau = 0.6, .rows = ROWS, .keep = keep, .ctx = &got};
        static uint64_t buckets[SETS_MOST][TABLES];
        make_sets(seed, 200);
        for (uint32_t s = 0; s < nsets; s++) {
            pd_key keys[SIZE_MOST];
            for (uint32_t k = 0; k < sets[s].n; k++)
                keys[k] = sig_of(sets[s].word[k]);
            pd_sort_records(keys, sets[s].n, 1, 1);
            for (uint32_t t = 0; t < TABLES; t++) {
                struct pd_probe *p = make_probe(s, keys, 0);
                p->meeting = buckets[s][t] = pd_minhash_bucket(keys, sets[s].n, t, ROWS);
                p->table = t;
                probes_push(&probes, p);
            }
        }
        compare_all(PD_JOIN_OVERLAP, 0.6, &all);
        for (size_t k = 0; k < all.n; k++) {
            bool met = false;
            for (uint32_t t = 0; t < TABLES; t++)
                met |= buckets[all.v[k].x][t] == buckets[all.v[k].y][t];
            if (met)
                pd_similars_push(&want, all.v[k]);
        }
        found += want.n;
        missed += all.n - want.n;
        meet(&c, &probes, false);
        expect_equal(&want, &got);
        pd_similars_release(&all);
        pd_similars_release(&want);
        pd_similars_release(&got);
    }
    CU_ASSERT(found > 100 && missed > 0);
}

/* Those that were pushed are found, and no others, however evenly they lie. */
static void test_codes_are_found(void)
{
    enum { MOST = 3000 };
    static const uint64_t masks[] = {UINT64_MAX, 0xFFFFF, UINT64_C(0xFFF) << 52,
                                     UINT64_C(0xF000000000000FFF)};
    uint64_t seed = 5;
    struct pd_codes codes = {0};
    CU_ASSERT_EQUAL(find_code(&codes, 0), 0);
    for (size_t round = 0; round < 40; round++) {
        uint64_t v[MOST];
        const size_t wanted = round < 4 ? round : 1 + pd_random_below(&seed, MOST);
        size_t n = 0, wrong = 0;
        for (size_t k = 0; k < wanted; k++)
            v[k] = pd_random(&seed) & masks[round % 4];
        if (wanted)
            pd_sort_records(v, wanted, 1, 1);
        pd_codes_begin(&codes, round % 2 ? MOST : wanted + 1);
        for (size_t k = 0; k < wanted; k++) /* every third one is left out, and those that repeat */
            if (k % 3 && v[k] != v[k - 1] && (!codes.n || v[k] != codes.sigs[codes.n - 1]))
                pd_codes_push(&codes, v[k], (uint8_t)(1 + v[k] % 255)), n++;
        pd_codes_end(&codes);
        uint8_t codes_of[MOST];
        pd_codes_find(&codes, v, wanted, codes_of);
        for (size_t k = 0; k < wanted; k++) {
            const bool is_in = bsearch(&v[k], codes.sigs, n, sizeof *v, by_word) != NULL;
            wrong += codes_of[k] != (is_in ? 1 + v[k] % 255 : 0);
            wrong += find_code(&codes, v[k] ^ 1) &&
                     !bsearch(&(uint64_t){v[k] ^ 1}, codes.sigs, n, sizeof *v, by_word);
        }
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_EQUAL(find_code(&codes, UINT64_MAX), 0);
    }
    pd_codes_release(&codes);
}

/* Counts of partners taken away after every place, or never: same sums, and all pairs wanted. */
static void test_most(void)
{
    for (int taken = 0; taken < 2; taken++) {
        struct pd_similars all = {0}, got = {0};
        struct pd_codes codes = {0};
        struct probes probes = {0};
        struct pd_comparison c = {
            .kind = PD_JOIN_OVERLAP, .tau = 0.6, .max_partners = 5, .keep = keep, .ctx = &got};
        static uint64_t want[SETS_MOST], sum[SETS_MOST];
        size_t missed = 0;
        memset(want, 0, sizeof want);
        memset(sum, 0, sizeof sum);
        make_sets(7, 200);
        compare_all(PD_JOIN_OVERLAP, 0.6, &all);
        for (size_t k = 0; k < all.n; k++)
            want[all.v[k].x]++, want[all.v[k].y]++;
        make_codes(&codes);
        make_probes(&codes, 0.6, &probes);
        qsort(probes.v, probes.n, sizeof *probes.v, by_place);
        for (size_t begin = 0, end; begin < probes.n; begin = end) {
            for (end = begin; end < probes.n && probes.v[end]->meeting == probes.v[begin]->meeting;)
                end++;
            pd_comparison_find(&c, (const struct pd_probe **)(void *)(probes.v + begin),
                               end - begin);
            for (size_t k = 0; k < c.partners.nslots && (taken || end == probes.n); k++)
                sum[c.partners.slots[k].key] += c.partners.slots[k].value;
            if (taken)
                pd_hash_table_release(&c.partners);
        }
        CU_ASSERT_EQUAL(pd_comparison_end(&c), PD_OK);
        CU_ASSERT_EQUAL(memcmp(sum, want, sizeof sum), 0);
        pd_sort_records(got.v, got.n, 3, 3);
        for (size_t k = 0; k < all.n; k++)
            missed += want[all.v[k].x] <= 5 && want[all.v[k].y] <= 5 &&
                      !bsearch(&all.v[k], got.v, got.n, sizeof *got.v, by_pair);
        CU_ASSERT(missed == 0 && (taken || got.n < all.n));
        for (size_t k = 0; k < probes.n; k++)
            free(probes.v[k]);
        probes_release(&probes);
        pd_comparison_release(&c);
        pd_codes_release(&codes);
        pd_similars_release(&all);
        pd_similars_release(&got);
    }
}

static int keep_once(void *ctx, const struct pd_similar *v, size_t n)
{
    size_t *calls = ctx;
    (void)v;
    CU_ASSERT(n > 0 && n <= 1 << 14);
    return ++*calls == 2 ? PD_EIO : PD_OK;
}

/* Pairs leave while one place is being compared; when they cannot, the failure is kept. */
static void test_keep_fails(void)
{
    size_t calls = 0;
    struct pd_codes codes = {0};
    struct probes probes = {0};
    struct pd_comparison c = {
        .kind = PD_JOIN_OVERLAP, .tau = 0.6, .keep = keep_once, .ctx = &calls};
    make_family();
    make_codes(&codes);
    make_probes(&codes, 0.6, &probes);
    qsort(probes.v, probes.n, sizeof *probes.v, by_place);
    size_t n = 0;
    while (n < probes.n && probes.v[n]->meeting == probes.v[0]->meeting)
        n++;
    CU_ASSERT_EQUAL(pd_comparison_find(&c, (const struct pd_probe **)(void *)probes.v, n), PD_EIO);
    CU_ASSERT_EQUAL(pd_comparison_end(&c), PD_EIO);
    CU_ASSERT_EQUAL(calls, 2);
    for (size_t k = 0; k < probes.n; k++)
        free(probes.v[k]);
    probes_release(&probes);
    pd_comparison_release(&c);
    pd_codes_release(&codes);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_bounds),
                                        PD_TEST(test_smallest_is_not_rounded),
                                        PD_TEST(test_codes_ascend),
                                        PD_TEST(test_joins_against_all_pairs),
                                        PD_TEST(test_long_lists),
                                        PD_TEST(test_family),
                                        PD_TEST(test_split),
                                        PD_TEST(test_sift_keeps_few),
                                        PD_TEST(test_lsh),
                                        PD_TEST(test_minhash),
                                        PD_TEST(test_codes_are_found),
                                        PD_TEST(test_most),
                                        PD_TEST(test_keep_fails),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/similar", tests);
}

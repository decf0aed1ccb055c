/*
 * Signature sets of random units against slow definitions: as many signatures as different
 * features, as many in common as features in common, and identities equal exactly when the features
 * are. Terms are few, so that units repeat words and share features all the time.
 */
#include "pardup/feature/signer.h"

#include <stdbool.h>
#include <string.h>

#include "pardup/feature/imatch.h"
#include "pardup/feature/stopwords.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { TERMS = 7, WORDS = 14, UNITS = 60, BASE = 4, ROUNDS = 40 };

/* A feature spelled out, and a unit's: at most one for each word. */
struct item {
    uint32_t n, v[WORDS];
};
struct items {
    size_t n;
    struct item v[WORDS];
};

struct sample {
    uint32_t words[WORDS + PD_WORDS_AHEAD];
    struct pd_sentence base[BASE];
    struct pd_unit unit;
    struct items items;
    struct pd_sigs set;
    struct pd_identity identity;
    bool names; /* its signatures are compared one by one */
};

static uint64_t all_terms[TERMS];
static unsigned char flags[TERMS];

static void add(struct items *items, const struct item *item)
{
    for (size_t k = 0; k < items->n; k++)
        if (memcmp(&items->v[k], item, sizeof *item) == 0)
            return;
    items->v[items->n++] = *item;
}

static size_t common_items(const struct items *x, const struct items *y)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            n += memcmp(&x->v[i], &y->v[j], sizeof x->v[i]) == 0;
    return n;
}

static size_t common_signatures(const struct pd_sigs *x, const struct pd_sigs *y)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            n += x->v[i] == y->v[j];
    return n;
}

static void slow_words(const struct pd_unit *u, struct items *out)
{
    for (uint32_t k = 0; k < u->nwords; k++)
        if (!(flags[u->words[k]] & PD_WORD_LEFT_OUT))
            add(out, &(struct item){1, {u->words[k]}});
}

/* A word that counts, with how often the unit has it before. */
static void slow_multiset(const struct pd_unit *u, struct items *out)
{
    for (uint32_t k = 0; k < u->nwords; k++) {
        struct item item = {2, {u->words[k], 0}};
        for (uint32_t before = 0; before < k; before++)
            item.v[1] += u->words[before] == u->words[k];
        if (!(flags[u->words[k]] & PD_WORD_LEFT_OUT))
            add(out, &item);
    }
}

/* How often the unit has each word that counts: one feature. */
static void slow_bag(const struct pd_unit *u, struct items *out)
{
    struct item counts = {0};
    for (uint32_t k = 0; k < u->nwords; k++)
        if (!(flags[u->words[k]] & PD_WORD_LEFT_OUT)) {
            counts.v[u->words[k]]++;
            counts.n++;
        }
    if (counts.n)
        add(out, &counts);
}

static void slow_shingles(const struct pd_unit *u, uint32_t ngram, struct items *out)
{
    const uint32_t n = ngram < u->nwords ? ngram : u->nwords;
    for (uint32_t k = 0; n && k + n <= u->nwords; k++) {
        struct item item = {.n = n};
        for (uint32_t x = 0; x < n; x++)
            item.v[x] = u->words[k + x];
        add(out, &item);
    }
}

static void slow_spots(const struct pd_unit *u, uint32_t distance, uint32_t chain,
                       struct items *out)
{
    for (uint32_t k = 0; k < u->nwords; k++) {
        uint32_t behind[WORDS], n = 0;
        if (!(flags[u->words[k]] & PD_WORD_ANTECEDENT))
            continue;
        for (uint32_t x = k + 1; x < u->nwords; x++)
            if (!(flags[u->words[x]] & PD_WORD_STOP))
                behind[n++] = u->words[x];
        if (n < chain * distance)
            continue;
        struct item item = {chain + 1, {u->words[k]}};
        for (uint32_t c = 1; c <= chain; c++)
            item.v[c] = behind[c * distance - 1];
        add(out, &item);
    }
}

static void slow_lengths(const struct pd_unit *u, struct items *out)
{
    struct item item = {.n = u->nbase};
    for (uint32_t k = 0; k < u->nbase; k++)
        item.v[k] = u->base[k].nwords;
    if (item.n)
        add(out, &item);
}

/*
 * The run that begins with the unit's first word, and this word with each of the next `reach`
 * counted words, the smaller term first.
 */
static void slow_pairs(const struct pd_unit *u, uint32_t reach, struct items *out)
{
    struct item run = {.n = PD_RUN_WORDS};
    for (uint32_t k = 0; k < PD_RUN_WORDS && k <= u->nbehind; k++)
        run.v[k] = u->words[k];
    if (u->nwords && u->nbehind + 1 >= PD_RUN_WORDS)
        add(out, &run);
    if (u->nwords == 0 || flags[u->words[0]] & PD_WORD_LEFT_OUT)
        return;
    for (uint32_t k = 1; k <= u->nbehind && k <= PD_PAIR_WORDS && reach; k++) {
        const uint32_t x = u->words[0], y = u->words[k];
        if (flags[y] & PD_WORD_LEFT_OUT)
            continue;
        reach--;
        const struct item item = {2, {x < y ? x : y, x < y ? y : x}};
        if (x != y)
            add(out, &item);
    }
}

static void slow(const struct pd_signer *s, const struct pd_unit *u, struct items *out)
{
    out->n = 0;
    switch (s->kind) {
    case PD_FEATURE_WORDS:
        slow_words(u, out);
        break;
    case PD_FEATURE_MULTISET:
        slow_multiset(u, out);
        break;
    case PD_FEATURE_BAG:
        slow_bag(u, out);
        break;
    case PD_FEATURE_SEQUENCE:
        slow_shingles(u, WORDS, out);
        break;
    case PD_FEATURE_SHINGLE:
        slow_shingles(u, s->ngram, out);
        break;
    case PD_FEATURE_SPOT:
        slow_spots(u, s->spot_distance, s->spot_chain, out);
        break;
    case PD_FEATURE_LENGTHS:
        slow_lengths(u, out);
        break;
    case PD_FEATURE_BYTES: /* has a test of its own */
        break;
    case PD_FEATURE_PAIRS:
        slow_pairs(u, s->reach, out);
        break;
    }
}

/* Units of few words out of few terms; some are another one in a different order or are empty. */
static void make_unit(struct sample *u, uint64_t *seed)
{
    const uint32_t terms = 1 + pd_random_below(seed, TERMS);
    u->unit = (struct pd_unit){u->words, pd_random_below(seed, WORDS + 1),
                               u->base,  pd_random_below(seed, BASE + 1),
                               0,        false};
    u->unit.nbehind = WORDS - (u->unit.nwords ? u->unit.nwords : 1);
    if (pd_random_below(seed, 2))
        u->unit.nwords %= 4;
    for (uint32_t k = 0; k < WORDS; k++)
        u->words[k] = pd_random_below(seed, terms);
    for (uint32_t k = 0; k < BASE; k++)
        u->base[k] = (struct pd_sentence){0, 0, 0, 1 + pd_random_below(seed, 3)};
}

static void compare(const struct sample *x, const struct sample *y)
{
    const size_t common = common_items(&x->items, &y->items);
    const bool same = x->items.n == common && y->items.n == common;
    CU_ASSERT_EQUAL(common_signatures(&x->set, &y->set), common);
    if (x->set.n == 0 || y->set.n == 0 || x->names)
        return;
    for (int half = 0; half < 2; half++) /* either half must tell units apart on its own */
        CU_ASSERT_EQUAL(x->identity.v[half] == y->identity.v[half], same);
}

static bool one_signature(enum pd_feature_kind kind)
{
    return kind == PD_FEATURE_BAG || kind == PD_FEATURE_SEQUENCE || kind == PD_FEATURE_LENGTHS;
}

/* Both halves of a name tell signatures apart. */
static void check_names(const struct pd_signer *s)
{
    for (size_t x = 0; x < s->set.n; x++) {
        uint64_t more_x, more_y;
        CU_ASSERT_EQUAL(pd_signer_name(s, x, &more_x), s->set.v[x]);
        for (size_t y = 0; y < x; y++) {
            CU_ASSERT_NOT_EQUAL(pd_signer_name(s, y, &more_y), s->set.v[x]);
            CU_ASSERT_NOT_EQUAL(more_x, more_y);
        }
    }
}

static void check_signer(struct pd_signer *s, uint64_t *seed)
{
    static struct sample units[UNITS];
    pd_signer_use(s, all_terms, flags, TERMS);
    for (size_t k = 0; k < UNITS; k++) {
        struct sample *u = &units[k];
        make_unit(u, seed);
        slow(s, &u->unit, &u->items);
        CU_ASSERT_EQUAL(pd_signer_sign(s, &u->unit), u->items.n);
        CU_ASSERT_EQUAL(s->set.n, u->items.n);
        u->set.n = 0;
        for (size_t x = 0; x < s->set.n; x++)
            pd_sigs_push(&u->set, s->set.v[x]);
        u->names = pd_features[s->kind].result == PD_MAKES_NAMES;
        if (u->names)
            check_names(s);
        else if (s->set.n)
            u->identity.v[0] = pd_signer_identity(s, &u->identity.v[1]);
        if (s->set.n && one_signature(s->kind))
            CU_ASSERT_EQUAL(u->identity.v[0], s->set.v[0]);
    }
    for (size_t x = 0; x < UNITS; x++)
        for (size_t y = 0; y <= x; y++)
            compare(&units[x], &units[y]);
    for (size_t k = 0; k < UNITS; k++)
        pd_sigs_release(&units[k].set);
    pd_signer_release(s);
}

static void make_terms(void)
{
    for (uint32_t k = 0; k < TERMS; k++)
        all_terms[k] = pd_mix(k + 1);
}

static void check_kind(enum pd_feature_kind kind)
{
    uint64_t seed = kind;
    CU_ASSERT_EQUAL(pd_features[kind].result, one_signature(kind)        ? PD_MAKES_ONE
                                              : kind == PD_FEATURE_PAIRS ? PD_MAKES_NAMES
                                                                         : PD_MAKES_SET);
    make_terms();
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < TERMS; k++)
            flags[k] = (unsigned char)pd_random_below(&seed, 8);
        struct pd_signer s = {.kind = kind,
                              .ngram = 1 + pd_random_below(&seed, 5),
                              .spot_distance = 1 + pd_random_below(&seed, 3),
                              .spot_chain = 1 + pd_random_below(&seed, 3),
                              .reach = 1 + pd_random_below(&seed, 4)};
        check_signer(&s, &seed);
    }
}

static void test_deltas(void) { check_kind(PD_FEATURE_WORDS); }
static void test_multiset(void) { check_kind(PD_FEATURE_MULTISET); }
static void test_bag(void) { check_kind(PD_FEATURE_BAG); }
static void test_sequence(void) { check_kind(PD_FEATURE_SEQUENCE); }
static void test_shingles(void) { check_kind(PD_FEATURE_SHINGLE); }
static void test_spots(void) { check_kind(PD_FEATURE_SPOT); }
static void test_lengths(void) { check_kind(PD_FEATURE_LENGTHS); }
static void test_pairs(void) { check_kind(PD_FEATURE_PAIRS); }

/* Units that follow each other have the same pairs as units that are signed alone. */
static void test_pairs_follow(void)
{
    enum { ALL = 200 };
    static uint32_t words[ALL + PD_WORDS_AHEAD];
    uint64_t seed = 7;
    unsigned wrong = 0, nsigned = 0;
    make_terms();
    for (uint32_t round = 0; round < 8 * ROUNDS; round++) {
        struct pd_signer alone = {.kind = PD_FEATURE_PAIRS, .reach = 1 + round % PD_REACH_MOST};
        struct pd_signer s = alone;
        const uint32_t left_out = pd_random_below(&seed, 10); /* of ten terms */
        for (uint32_t k = 0; k < TERMS; k++)
            flags[k] = pd_random_below(&seed, 10) < left_out ? PD_WORD_LEFT_OUT : 0;
        for (uint32_t k = 0; k < ALL; k++)
            words[k] = pd_random_below(&seed, TERMS);
        pd_signer_use(&alone, all_terms, flags, TERMS);
        pd_signer_use(&s, all_terms, flags, TERMS);
        for (uint32_t k = 0, next = 0; k < ALL; k++) {
            if (pd_random_below(&seed, 50) == 0)
                continue; /* the next unit does not follow */
            struct pd_unit unit = {words + k, 1, NULL, 0, ALL - k - 1, false};
            pd_signer_sign(&alone, &unit);
            unit.follows = k && k == next;
            next = k + 1;
            pd_signer_sign(&s, &unit);
            nsigned += s.set.n > 0;
            wrong += s.set.n != alone.set.n ||
                     (s.set.n && (memcmp(s.set.v, alone.set.v, s.set.n * sizeof *s.set.v) ||
                                  memcmp(s.room.v, alone.room.v, s.set.n * sizeof *s.room.v)));
        }
        pd_signer_release(&alone);
        pd_signer_release(&s);
    }
    CU_ASSERT(nsigned > ALL);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Results of the first method name classes by the I-Match signature, and words by their terms. */
static void test_words_are_imatch(void)
{
    const uint32_t words[5 + PD_WORDS_AHEAD] = {3, 0, 3, 5, 1};
    const struct pd_unit unit = {words, 5, NULL, 0, 0, false};
    struct pd_imatch m = {0};
    uint64_t more;
    make_terms();
    memset(flags, 0, sizeof flags);
    flags[0] = PD_WORD_LEFT_OUT;
    flags[5] = PD_WORD_STOP | PD_WORD_ANTECEDENT; /* of no concern here */
    pd_imatch_add(&m, pd_mix(2));
    pd_imatch_add(&m, pd_mix(4));
    pd_imatch_add(&m, pd_mix(6));
    struct pd_signer s = {.kind = PD_FEATURE_WORDS};
    pd_signer_use(&s, all_terms, flags, TERMS);
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL(pd_signer_sign(&s, &unit), 3);
        CU_ASSERT_EQUAL(pd_signer_identity(&s, &more), pd_imatch_signature(&m));
        uint64_t sum = 0;
        for (size_t x = 0; x < s.set.n; x++)
            sum += s.set.v[x];
        CU_ASSERT_EQUAL(sum, pd_mix(2) + pd_mix(4) + pd_mix(6));
    }
    pd_signer_release(&s);
}

/* Longer than any block the sort treats in one go, with every shingle and spot in it many times. */
static void test_long_unit(void)
{
    enum { LONG = 10000, PERIOD = 100 };
    static uint32_t words[LONG + PD_WORDS_AHEAD];
    static unsigned char all[PERIOD];
    static uint64_t some[PERIOD];
    const struct pd_unit unit = {words, LONG, NULL, 0, 0, false};
    for (uint32_t k = 0; k < PERIOD; k++)
        some[k] = pd_mix(k);
    for (uint32_t k = 0; k < LONG; k++)
        words[k] = k % PERIOD;
    memset(all, PD_WORD_ANTECEDENT, sizeof all);
    static const enum pd_feature_kind kinds[] = {PD_FEATURE_WORDS, PD_FEATURE_SHINGLE,
                                                 PD_FEATURE_SPOT};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct pd_signer s = {.kind = kinds[k], .ngram = 64, .spot_distance = 2, .spot_chain = 7};
        pd_signer_use(&s, some, all, PERIOD);
        CU_ASSERT_EQUAL(pd_signer_sign(&s, &unit), PERIOD);
        pd_signer_release(&s);
    }
}

/* Shingles of 5 bytes at each word of "it" "" "is" "a" "long" "day", of which one form is empty. */
static void test_bytes(void)
{
    static const unsigned char forms[] = "itisalongday";
    static const uint32_t ends[] = {2, 2, 4, 5, 9, 12};
    static const char *const want[] = {"itisa", "isalo", "along", "longd"};
    static const uint32_t words[6 + PD_WORDS_AHEAD] = {0, 1, 2, 3, 4, 5};
    const struct pd_unit all = {.words = words, .nwords = 6};
    const struct pd_unit last = {.words = words + 3, .nwords = 1};
    const struct pd_unit exact = {.words = words, .nwords = 4};
    for (uint64_t sample = 1; sample < 4; sample++) {
        struct pd_signer s = {.kind = PD_FEATURE_BYTES, .shingle_bytes = 5, .sample = sample};
        size_t kept = 0;
        pd_signer_use_forms(&s, forms, ends);
        pd_signer_use(&s, NULL, NULL, 0);
        const size_t n = pd_signer_sign(&s, &all);
        for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
            const uint64_t hash = pd_hash_bytes(want[k], 5);
            size_t at = 0;
            while (at < n && s.set.v[at] != pd_mix(hash))
                at++;
            CU_ASSERT_EQUAL(at < n, hash % sample == 0);
            kept += hash % sample == 0;
        }
        CU_ASSERT_EQUAL(n, kept);
        if (sample == 1) { /* fewer bytes than a shingle are one */
            CU_ASSERT_EQUAL(pd_signer_sign(&s, &last), 1);
            CU_ASSERT_EQUAL(s.set.v[0], pd_mix(pd_hash_bytes("a", 1)));
            CU_ASSERT_EQUAL(pd_signer_sign(&s, &exact), 1); /* a shingle that ends with the unit */
            CU_ASSERT_EQUAL(s.set.v[0], pd_mix(pd_hash_bytes("itisa", 5)));
        }
        pd_signer_release(&s);
    }
}

/* The same with a blank between words: none is in front of a shingle, but one may end it. */
static void test_blanks(void)
{
    static const unsigned char forms[] = "itisalongday";
    static const uint32_t ends[] = {2, 2, 4, 5, 9, 12};
    static const char *const want[] = {"it is", "is a ", "a lon", "long "};
    static const uint32_t words[6 + PD_WORDS_AHEAD] = {0, 1, 2, 3, 4, 5};
    const struct pd_unit all = {.words = words, .nwords = 6};
    struct pd_signer s = {
        .kind = PD_FEATURE_BYTES, .shingle_bytes = 5, .sample = 1, .blanks = true};
    pd_signer_use_forms(&s, forms, ends);
    pd_signer_use(&s, NULL, NULL, 0);
    CU_ASSERT_EQUAL(pd_signer_sign(&s, &all), sizeof want / sizeof *want);
    for (size_t k = 0; k < s.set.n; k++)
        CU_ASSERT_EQUAL(s.set.v[k], pd_mix(pd_hash_bytes(want[k], 5)));
    pd_signer_release(&s);
}

/* Units without a counted word have one signature, if that is asked for; the others have their own. */
static void test_empty(void)
{
    const uint32_t words[3 + PD_WORDS_AHEAD] = {0, 0, 1};
    const struct pd_unit none = {.words = words, .nwords = 2}, one = {.words = words, .nwords = 3};
    struct pd_signer s = {.kind = PD_FEATURE_WORDS, .empty = true};
    uint64_t first, second, more[2];
    make_terms();
    memset(flags, 0, sizeof flags);
    flags[0] = PD_WORD_LEFT_OUT;
    pd_signer_use(&s, all_terms, flags, TERMS);
    CU_ASSERT_EQUAL(pd_signer_sign(&s, &none), 1);
    first = pd_signer_identity(&s, &more[0]);
    CU_ASSERT_EQUAL(pd_signer_sign(&s, &one), 1);
    second = pd_signer_identity(&s, &more[1]);
    CU_ASSERT_EQUAL(s.set.v[0], pd_mix(2));
    CU_ASSERT(first != second && more[0] != more[1]);
    s.empty = false;
    CU_ASSERT_EQUAL(pd_signer_sign(&s, &none), 0);
    pd_signer_release(&s);
}

/* No vocabulary at all: nothing to sign, nothing to trip over. */
static void test_nothing(void)
{
    for (int kind = 0; kind < PD_NFEATURES; kind++) {
        struct pd_signer s = {.kind = (enum pd_feature_kind)kind,
                              .ngram = 4,
                              .spot_distance = 1,
                              .spot_chain = 2,
                              .reach = 1,
                              .shingle_bytes = 1,
                              .sample = 1};
        pd_signer_use(&s, NULL, NULL, 0);
        CU_ASSERT_EQUAL(pd_signer_sign(&s, &(struct pd_unit){0}), 0);
        pd_signer_release(&s);
    }
}

/* All words in order, also those that are left out; never the identity of a unit. */
static void test_whole_documents(void)
{
    const uint64_t terms[] = {pd_mix(1), pd_mix(2), pd_mix(3)};
    const unsigned char left_out[] = {0, PD_WORD_LEFT_OUT, 0};
    const uint32_t texts[][3 + PD_WORDS_AHEAD] = {{0, 1, 2}, {0, 2, 1}, {0, 0, 2}};
    struct pd_signer s = {.kind = PD_FEATURE_SEQUENCE};
    struct pd_identity first[4];
    uint64_t more;
    pd_signer_use(&s, terms, left_out, 3);
    for (int k = 0; k < 3; k++)
        first[k] = pd_signer_whole(&s, texts[k], 3);
    first[3] = pd_signer_whole(&s, texts[0], 2);
    for (int x = 0; x < 4; x++)
        for (int y = 0; y < x; y++)
            CU_ASSERT(first[x].v[0] != first[y].v[0] && first[x].v[1] != first[y].v[1]);
    const struct pd_identity again = pd_signer_whole(&s, texts[0], 3);
    CU_ASSERT_EQUAL(memcmp(&again, &first[0], sizeof again), 0);
    const struct pd_unit unit = {.words = texts[0], .nwords = 3};
    CU_ASSERT_EQUAL(pd_signer_sign(&s, &unit), 1);
    CU_ASSERT_NOT_EQUAL(pd_signer_identity(&s, &more), first[0].v[0]);
    pd_signer_release(&s);
}

static void check_differ(struct pd_identity x, struct pd_identity y)
{
    CU_ASSERT(x.v[0] != y.v[0] && x.v[1] != y.v[1]);
}

/* A word less, another word, and two words the other way round, at all places. */
static void test_whole_words(void)
{
    enum { MOST = 21, OTHER = MOST };
    uint64_t terms[MOST + 1];
    uint32_t words[MOST];
    const struct pd_signer s = {.terms = terms, .nterms = MOST + 1};
    for (uint32_t k = 0; k <= MOST; k++)
        terms[k] = pd_mix(k + 1);
    for (uint32_t k = 0; k < MOST; k++)
        words[k] = k;
    for (size_t n = 1; n <= MOST; n++) {
        const struct pd_identity all = pd_signer_whole(&s, words, n);
        for (uint32_t k = 0; k < n; k++) {
            check_differ(pd_signer_whole(&s, words, k), all);
            words[k] = OTHER;
            check_differ(pd_signer_whole(&s, words, n), all);
            for (uint32_t j = 0; j < k; j++) {
                words[k] = j;
                words[j] = k;
                check_differ(pd_signer_whole(&s, words, n), all);
                words[j] = j;
            }
            words[k] = k;
        }
    }
    check_differ(pd_signer_whole(&s, NULL, 0), pd_signer_whole(&s, words, 1));
}

static void test_stopwords(void)
{
    size_t n;
    const char *const *words = pd_stopwords_english(&n);
    CU_ASSERT(n >= 150);
    for (size_t k = 0; k < n; k++) {
        CU_ASSERT_EQUAL(strspn(words[k], "abcdefghijklmnopqrstuvwxyz'"), strlen(words[k]));
        CU_ASSERT(k == 0 || strcmp(words[k - 1], words[k]) < 0);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_deltas),
                                        PD_TEST(test_bag),
                                        PD_TEST(test_sequence),
                                        PD_TEST(test_shingles),
                                        PD_TEST(test_spots),
                                        PD_TEST(test_bytes),
                                        PD_TEST(test_lengths),
                                        PD_TEST(test_pairs),
                                        PD_TEST(test_pairs_follow),
                                        PD_TEST(test_nothing),
                                        PD_TEST(test_long_unit),
                                        PD_TEST(test_words_are_imatch),
                                        PD_TEST(test_whole_documents),
                                        PD_TEST(test_whole_words),
                                        PD_TEST(test_stopwords),
                                        PD_TEST(test_multiset),
                                        PD_TEST(test_blanks),
                                        PD_TEST(test_empty),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "feature/signer", tests);
}

/* Collapse and expansion against comparing every unit with every other. */
#include "pardup/join/classes.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { DOCUMENTS = 40 };

struct dot {
    pd_doc a, b;
    uint64_t ij;
};
PD_VEC(dots, struct dot);
enum { DOT_WORDS = 3 };

static void make(struct pd_postings *p, uint64_t seed, uint32_t sigs, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const pd_sig sig = pd_mix(pd_random_below(&seed, sigs));
        const pd_doc doc = pd_random_below(&seed, DOCUMENTS);
        pd_postings_push(p, pd_posting_of(sig, sig << 63, doc, (uint32_t)k, 0));
    }
}

static uint64_t documents_with(const struct pd_postings *p, pd_sig sig)
{
    char seen[DOCUMENTS] = {0};
    uint64_t df = 0;
    for (size_t k = 0; k < p->n; k++)
        if (p->v[k].sig == sig && !seen[pd_posting_doc(&p->v[k])]++)
            df++;
    return df;
}

/* How often a signature stands in a document. */
static uint64_t times_in(const struct pd_postings *p, pd_sig sig, pd_doc doc)
{
    uint64_t n = 0;
    for (size_t k = 0; k < p->n; k++)
        n += p->v[k].sig == sig && pd_posting_doc(&p->v[k]) == doc;
    return n;
}

/* How many postings of the signature and document of p->v[k] have smaller units. */
static uint64_t times_before(const struct pd_postings *p, size_t k)
{
    uint64_t n = 0;
    for (size_t j = 0; j < p->n; j++)
        n += p->v[j].sig == p->v[k].sig && pd_posting_doc(&p->v[j]) == pd_posting_doc(&p->v[k]) &&
             pd_posting_unit(&p->v[j]) < pd_posting_unit(&p->v[k]);
    return n;
}

/*
 * Leave out the postings whose signature stands more than `most` times in their document: all of
 * them, or all but the first ones.
 */
static void leave_out_repeats(const struct pd_postings *p, uint64_t most, bool first,
                              struct pd_postings *rest)
{
    for (size_t k = 0; k < p->n; k++)
        if (!most || times_in(p, p->v[k].sig, pd_posting_doc(&p->v[k])) <= most ||
            (first && times_before(p, k) < most))
            pd_postings_push(rest, p->v[k]);
}

/* All pairs of equal signature in different documents, by two loops. */
static void compare_all(const struct pd_postings *p, uint64_t max_df, struct dots *dots)
{
    for (size_t x = 0; x < p->n; x++)
        for (size_t y = 0; y < p->n; y++) {
            const pd_doc a = pd_posting_doc(&p->v[x]), b = pd_posting_doc(&p->v[y]);
            if (p->v[x].sig == p->v[y].sig && a < b &&
                (!max_df || documents_with(p, p->v[x].sig) <= max_df))
                dots_push(dots,
                          (struct dot){
                              a, b, pd_ij(pd_posting_unit(&p->v[x]), pd_posting_unit(&p->v[y]))});
        }
}

/* The dots of a fan; what the head says is right. */
static void unpack_fan(const struct pd_fan *fan, pd_doc from, struct dots *dots)
{
    uint32_t is[PD_FAN_FIRSTS];
    struct pd_fan_reader r;
    pd_doc before = fan->a;
    CU_ASSERT(fan->a >= from && fan->ni > 0 && fan->ni <= PD_FAN_FIRSTS);
    CU_ASSERT(fan->size % 8 == 0 && fan->size <= PD_FAN_MOST && fan->padding < 8);
    pd_fan_open(fan, &r);
    for (size_t k = 0; k < fan->ni; k++)
        is[k] = pd_fan_first(&r);
    for (r.number = 0; pd_fan_next(&r); before = r.b) {
        CU_ASSERT(r.b > fan->a && r.b >= before);
        for (size_t k = 0; k < fan->ni; k++)
            dots_push(dots, (struct dot){fan->a, r.b, pd_ij(is[k], r.number)});
    }
}

static void unpack(const unsigned char *bytes, size_t n, pd_doc from, double similarity,
                   struct dots *dots)
{
    for (size_t at = 0; at < n;) {
        const struct pd_fan *fan = (const struct pd_fan *)(const void *)(bytes + at);
        CU_ASSERT_EQUAL(pd_fan_similarity(fan), similarity);
        unpack_fan(fan, from, dots);
        at += fan->size;
    }
}

/* An expansion in bites of `cap` bytes. */
static void expand(struct pd_expansion *e, pd_doc from, size_t cap, struct dots *dots)
{
    unsigned char *bytes = pd_realloc(NULL, cap, 1);
    const size_t before = dots->n;
    const uint64_t counted = e->dots;
    for (int last = 0; !last;) {
        size_t n;
        last = pd_expansion_write(e, bytes, cap, &n);
        CU_ASSERT(n <= cap);
        unpack(bytes, n, from, e->of.similarity, dots);
    }
    CU_ASSERT_EQUAL(e->dots - counted, dots->n - before);
    free(bytes);
}

/* Classes one behind the other, as they are kept. */
static int keep(void *ctx, const struct pd_class *class)
{
    pd_u64s_append(ctx, class, pd_class_bytes(class) / sizeof(uint64_t));
    return 0;
}

/* Collapse in stretches of `step` postings. */
static bool first_repeats, count_times; /* for collapse() */

static uint64_t collapse(struct pd_postings *p, size_t step, uint64_t max_df, uint64_t max_repeats,
                         bool keep_single, struct pd_commons *aside, struct pd_u64s *classes)
{
    struct pd_collapse c = {.max_df = max_df,
                            .max_repeats = max_repeats,
                            .first_repeats = first_repeats,
                            .count_times = count_times,
                            .keep_single = keep_single,
                            .aside = aside,
                            .keep = keep,
                            .ctx = classes};
    pd_sort_records(p->v, p->n, PD_POSTING_U64S, PD_POSTING_U64S);
    for (size_t k = 0; k < p->n; k += step)
        CU_ASSERT_EQUAL(pd_collapse_postings(&c, p->v + k, k + step < p->n ? step : p->n - k), 0);
    CU_ASSERT_EQUAL(pd_collapse_end(&c), 0);
    pd_collapse_release(&c);
    return c.number;
}

static void expand_classes(const struct pd_u64s *classes, uint64_t nclasses, pd_doc from,
                           size_t cap, struct dots *dots)
{
    struct pd_expansion e = {0};
    uint64_t number = 0;
    for (size_t at = 0; at < classes->n; number++) {
        const struct pd_class *c = (const struct pd_class *)(const void *)(classes->v + at);
        CU_ASSERT_EQUAL(c->number, number);
        pd_expansion_begin(&e, &(struct pd_matching){c->at, c->at, c->n, c->n, 1}, from);
        expand(&e, from, cap, dots);
        at += pd_class_bytes(c) / sizeof *classes->v;
    }
    CU_ASSERT_EQUAL(number, nclasses);
    pd_expansion_release(&e);
}

static void compare(struct dots *got, const struct dots *want, pd_doc from)
{
    size_t n = 0;
    pd_sort_records(got->v, got->n, DOT_WORDS, DOT_WORDS);
    for (size_t k = 0; k < want->n; k++) /* both ascend in their first documents */
        if (want->v[k].a >= from) {
            CU_ASSERT(n < got->n && memcmp(&got->v[n], &want->v[k], sizeof *got->v) == 0);
            n++;
        }
    CU_ASSERT_EQUAL(n, got->n);
}

static void check(uint64_t seed, uint32_t sigs, size_t n, uint64_t max_df, uint64_t max_repeats)
{
    struct pd_postings p = {0}, rest = {0};
    struct dots want = {0}, got = {0};
    struct pd_commons aside = {0};
    struct pd_u64s classes = {0};
    make(&p, seed, sigs, n);
    first_repeats = seed % 3 == 0;
    leave_out_repeats(&p, max_repeats, first_repeats, &rest);
    compare_all(&rest, max_df, &want);
    uint64_t common = 0;
    for (uint32_t s = 0; s < sigs; s++)
        common += max_df && documents_with(&rest, pd_mix(s)) > max_df;
    const uint64_t nclasses =
        collapse(&p, 1 + seed % 9, max_df, max_repeats, seed % 2, &aside, &classes);
    CU_ASSERT_EQUAL(aside.n, common);
    for (size_t k = 0; k < aside.n; k++)
        CU_ASSERT(times_in(&rest, aside.v[k].sig, aside.v[k].doc) > 0);
    pd_sort_records(want.v, want.n, DOT_WORDS, DOT_WORDS);
    for (pd_doc from = 0; from <= DOCUMENTS; from += 13)
        for (size_t cap = 400; cap <= 4000; cap += 1200) {
            got.n = 0;
            expand_classes(&classes, nclasses, from, cap, &got);
            compare(&got, &want, from);
        }
    pd_postings_release(&p);
    pd_postings_release(&rest);
    pd_u64s_release(&classes);
    dots_release(&want);
    dots_release(&got);
    pd_commons_release(&aside);
}

static void test_against_all_pairs(void)
{
    for (uint64_t seed = 0; seed < 20; seed++)
        for (uint64_t max_df = 0; max_df < 12; max_df += 5) {
            check(seed, 60, 300, max_df, seed % 4);
            check(seed, 5, 100, max_df, seed % 4);
            check(seed, 1, 40, max_df, seed % 4);
            check(seed, 1, 0, max_df, seed % 4);
        }
}

static void test_ledger_names_the_first_occurrence(void)
{
    struct pd_postings p = {0};
    struct pd_commons aside = {0};
    struct pd_u64s classes = {0};
    for (uint32_t k = 0; k < 5; k++)
        pd_postings_push(&p, pd_posting_of(77, 0, 9 - k, 3, 0));
    pd_postings_push(&p, pd_posting_of(77, 0, 5, 2, 0));
    CU_ASSERT_EQUAL(collapse(&p, 2, 4, 0, true, &aside, &classes), 0);
    CU_ASSERT_EQUAL(aside.n, 1);
    CU_ASSERT_EQUAL(aside.v[0].df, 5);
    CU_ASSERT_EQUAL(aside.v[0].doc, 5);
    CU_ASSERT_EQUAL(aside.v[0].unit, 2);
    pd_postings_release(&p);
    pd_commons_release(&aside);
    pd_u64s_release(&classes);
}

static int count_others(void *ctx, uint64_t number, const struct pd_occurrence *v, size_t n)
{
    struct pd_u64s *seen = ctx;
    (void)number;
    for (size_t k = 0; k < n; k++)
        pd_u64s_push(seen, v[k].doc);
    return 0;
}

static int count_anchors(void *ctx, const struct pd_class *class)
{
    CU_ASSERT_EQUAL(class->sig, 77);
    for (uint64_t k = 0; k < class->n; k++)
        pd_u64s_push(ctx, 1000 + class->at[k].doc);
    return 0;
}

/* A class that becomes common goes to its anchors from the first occurrence on; others do not. */
static void test_common_classes_get_anchors(void)
{
    const uint64_t want[] = {5, 6, 7, 9, 1003, 1003};
    const size_t nwant = sizeof want / sizeof *want;
    struct pd_u64s seen = {0}, classes = {0};
    struct pd_commons aside = {0};
    struct pd_anchoring anchoring = {
        .others = count_others, .anchors = count_anchors, .ctx = &seen};
    struct pd_collapse c = {.max_df = 3,
                            .max_repeats = 2,
                            .aside = &aside,
                            .anchoring = &anchoring,
                            .keep = keep,
                            .ctx = &classes};
    const pd_doc docs[] = {2, 2, 2, 3, 3, 5, 6, 7, 8, 8, 8, 9, 10, 10, 10}; /* 3 times: dropped */
    for (size_t k = 0; k < sizeof docs / sizeof *docs; k++) {
        const struct pd_posting p = pd_posting_of(77, 0, docs[k], (uint32_t)k, 0);
        CU_ASSERT_EQUAL(pd_collapse_postings(&c, &p, 1), 0);
    }
    for (pd_doc doc = 1; doc < 4; doc++) { /* not common */
        const struct pd_posting p = pd_posting_of(78, 0, doc, 0, 0);
        CU_ASSERT_EQUAL(pd_collapse_postings(&c, &p, 1), 0);
    }
    CU_ASSERT_EQUAL(pd_collapse_end(&c), 0);
    CU_ASSERT_EQUAL(c.number, 1);
    CU_ASSERT_EQUAL(aside.n, 1);
    CU_ASSERT_EQUAL(aside.v[0].df, 5);
    CU_ASSERT(seen.n == nwant && memcmp(seen.v, want, sizeof want) == 0);
    pd_collapse_release(&c);
    pd_anchoring_release(&anchoring);
    pd_commons_release(&aside);
    pd_u64s_release(&classes);
    pd_u64s_release(&seen);
}

/* Whole documents: no number, no class of one document, and fans of their own kind, not dots. */
static void test_whole_documents(void)
{
    struct pd_postings p = {0};
    struct pd_commons aside = {0};
    struct pd_u64s classes = {0};
    for (uint32_t k = 0; k < 3; k++)
        pd_postings_push(&p, pd_posting_of(77, 0, k, 10 + k, PD_WHOLE));
    pd_postings_push(&p, pd_posting_of(78, 0, 4, 10, PD_WHOLE));
    CU_ASSERT_EQUAL(collapse(&p, 2, 3, 0, true, &aside, &classes), 0);
    const struct pd_class *c = (const struct pd_class *)(const void *)classes.v;
    CU_ASSERT(c->number == UINT64_MAX && c->n == 3 && c->flags == PD_WHOLE);
    CU_ASSERT_EQUAL(classes.n, pd_class_bytes(c) / sizeof *classes.v);
    CU_ASSERT_EQUAL(aside.n, 0);

    struct pd_expansion e = {0};
    unsigned char *bytes = pd_realloc(NULL, 2 * PD_FAN_MOST, 1);
    size_t n;
    pd_expansion_begin(&e, &(struct pd_matching){c->at, c->at, c->n, c->n, 1}, 0);
    CU_ASSERT_EQUAL(pd_expansion_write(&e, bytes, 2 * PD_FAN_MOST, &n), 1);
    const struct pd_fan *fan = (const struct pd_fan *)(const void *)bytes;
    CU_ASSERT(fan->kind == PD_FAN_WHOLE && fan->ni == 1 && fan->a == 0);
    CU_ASSERT_EQUAL(e.dots, 0);

    /* text of brief documents, two units of each: fans of another kind */
    struct pd_occurrence brief[4];
    for (uint32_t k = 0; k < 4; k++)
        brief[k] = (struct pd_occurrence){k / 2, 5 + k, PD_WHOLE | PD_BRIEF};
    pd_expansion_begin(&e, &(struct pd_matching){brief, brief, 4, 4, 1}, 0);
    CU_ASSERT_EQUAL(pd_expansion_write(&e, bytes, 2 * PD_FAN_MOST, &n), 1);
    CU_ASSERT(fan->kind == PD_FAN_BRIEF && fan->ni == 2 && fan->a == 0);
    CU_ASSERT_EQUAL(e.dots, 0);
    free(bytes);
    pd_expansion_release(&e);

    CU_ASSERT_EQUAL(collapse(&p, 2, 2, 0, true, &aside, &classes), 0);
    CU_ASSERT(aside.n == 1 && aside.v[0].df == 3 && aside.v[0].unit == 0);

    /* a first and a last unit are no units that recur, and make no document count twice */
    for (int how = 0; how < 4; how++) {
        first_repeats = how % 2;
        count_times = how / 2;
        p.n = classes.n = 0;
        for (uint32_t k = 0; k < 4; k++)
            pd_postings_push(&p, pd_posting_of(77, 0, k / 2, k, PD_WHOLE | PD_BRIEF));
        CU_ASSERT_EQUAL(collapse(&p, 4, 3, 1, true, &aside, &classes), 0);
        CU_ASSERT(classes.n && ((const struct pd_class *)(const void *)classes.v)->n == 4);
    }
    first_repeats = count_times = false;
    pd_postings_release(&p);
    pd_commons_release(&aside);
    pd_u64s_release(&classes);
}

/* `n` units of document `doc`, `step` apart. */
static void add_units(struct pd_occurrence *v, size_t n, pd_doc doc, uint32_t step)
{
    for (uint32_t k = 0; k < n; k++)
        v[k] = (struct pd_occurrence){doc, k * step, 0};
}

/* The na units of the first document with the nb behind them make so many fans. */
static void expand_long(const struct pd_occurrence *v, size_t na, size_t nb, uint64_t want)
{
    struct pd_expansion e = {0};
    unsigned char *bytes = pd_realloc(NULL, PD_FAN_MOST, 1);
    struct dots got = {0};
    uint64_t fans = 0, dots = 0;
    pd_expansion_begin(&e, &(struct pd_matching){v, v + na, na, nb, 1}, 0);
    for (int last = 0; !last;) {
        size_t bite;
        last = pd_expansion_write(&e, bytes, PD_FAN_MOST, &bite);
        for (size_t at = 0; at < bite; fans++) {
            const struct pd_fan *fan = (const struct pd_fan *)(const void *)(bytes + at);
            got.n = 0;
            unpack_fan(fan, 0, &got);
            CU_ASSERT(got.n <= (size_t)fan->ni * PD_FAN_UNITS);
            for (size_t k = fan->ni; k < got.n; k += fan->ni) /* ascending, each once */
                CU_ASSERT(got.v[k].b > got.v[k - fan->ni].b || got.v[k].ij > got.v[k - fan->ni].ij);
            dots += got.n;
            at += fan->size;
        }
    }
    CU_ASSERT_EQUAL(fans, want);
    CU_ASSERT_EQUAL(dots, na * nb);
    CU_ASSERT_EQUAL(dots, e.dots);
    dots_release(&got);
    pd_expansion_release(&e);
    free(bytes);
}

/* Lists longer than a fan may hold are cut; together the fans are still all dots, once. */
static void test_long_lists_are_cut(void)
{
    enum { A = PD_FAN_FIRSTS + 7, B = 2 * PD_FAN_UNITS + 3, DOCS = 10000 };
    struct pd_occurrence *v = pd_realloc(NULL, A + B, sizeof *v);
    add_units(v, A, 0, 3);
    add_units(v + A, 5, 1, 1);
    expand_long(v, A, 5, 2); /* those of a */
    add_units(v, 2, 3, 77);
    add_units(v + 2, B, UINT64_C(1) << 40, 100000);
    expand_long(v, 2, B, 3); /* those of another document */
    for (uint32_t k = 0; k <= DOCS; k++)
        v[k] = (struct pd_occurrence){((uint64_t)k + 1) << 50, k, 0};
    expand_long(v, 1, DOCS, 2); /* fewer, but of many bytes */
    free(v);
}

/* Units that differ in the last bit of their names are of two classes, in further bits of one. */
static void test_names_have_118_bits(void)
{
    const uint64_t last = (uint64_t)1 << (64 - PD_NAME_BITS);
    struct pd_postings p = {0};
    struct pd_commons aside = {0};
    struct pd_u64s classes = {0};
    for (uint32_t k = 0; k < 6; k++)
        pd_postings_push(&p, pd_posting_of(77, k % 2 * last + k % 3, k, 0, 0));
    collapse(&p, 4, 2, 0, false, &aside, &classes);
    CU_ASSERT_EQUAL(aside.n, 2);
    CU_ASSERT_EQUAL(aside.v[0].df, 3);
    pd_postings_release(&p);
    pd_commons_release(&aside);
    pd_u64s_release(&classes);
}

static bool ascend(const struct pd_posting *p, const struct pd_posting *q)
{
    return p->sig < q->sig ||
           (p->sig == q->sig && (p->more_doc < q->more_doc ||
                                 (p->more_doc == q->more_doc && p->doc_unit < q->doc_unit)));
}

/* What goes in comes out, and no member moves another one; order is by name, document, unit. */
static void test_postings_are_packed(void)
{
    enum { MORES = 3, DOCS = 5, UNITS = 4, FLAGS = 1 << PD_FLAG_BITS };
    const uint64_t low = (uint64_t)1 << PD_DOC_LOW;
    const uint64_t mores[MORES] = {0, (uint64_t)1 << PD_DOC_HIGH, UINT64_MAX};
    const pd_doc docs[DOCS] = {0, 1, low - 1, low, ((uint64_t)1 << PD_DOC_BITS) - 1};
    const uint32_t units[UNITS] = {0, 1, 1u << 30, UINT32_MAX};
    const struct pd_posting first = pd_posting_of(77, 0, 0, 0, 0);
    struct pd_posting before = {0};
    for (unsigned k = 0; k < MORES * DOCS * UNITS * FLAGS; k++) {
        const unsigned flags = k % FLAGS, m = k / FLAGS / UNITS / DOCS;
        const uint32_t unit = units[k / FLAGS % UNITS];
        const pd_doc doc = docs[k / FLAGS / UNITS % DOCS];
        const struct pd_posting p = pd_posting_of(77, mores[m], doc, unit, flags);
        CU_ASSERT_EQUAL(pd_posting_doc(&p), doc);
        CU_ASSERT_EQUAL(pd_posting_unit(&p), unit);
        CU_ASSERT_EQUAL(pd_posting_flags(&p), flags);
        CU_ASSERT_EQUAL(pd_same_class(&p, &first), m == 0);
        CU_ASSERT(ascend(&before, &p));
        before = p;
    }
}

static void make_units(struct pd_occurrence *v, size_t n, uint32_t first_unit, uint64_t *seed)
{
    uint64_t doc = pd_random_below(seed, 3);
    for (size_t k = 0; k < n; k++) {
        v[k] = (struct pd_occurrence){doc, first_unit + (uint32_t)k, 0};
        doc += pd_random_below(seed, 3);
    }
}

/* Two lists: each unit of one against each of the other in a later document. */
static void test_two_lists(void)
{
    enum { A = 30, B = 20 };
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct pd_occurrence a[A], b[B];
        struct pd_expansion e = {0};
        struct dots want = {0}, got = {0};
        uint64_t state = seed;
        const size_t na = pd_random_below(&state, A + 1), nb = pd_random_below(&state, B + 1);
        const pd_doc from = pd_random_below(&state, 20);
        make_units(a, na, 0, &state);
        make_units(b, nb, 1000, &state);
        for (size_t x = 0; x < na; x++)
            for (size_t y = 0; y < nb; y++)
                if (a[x].doc < b[y].doc)
                    dots_push(&want, (struct dot){a[x].doc, b[y].doc, pd_ij(a[x].unit, b[y].unit)});
        pd_sort_records(want.v, want.n, DOT_WORDS, DOT_WORDS);
        pd_expansion_begin(&e, &(struct pd_matching){a, b, na, nb, 0.5}, from);
        expand(&e, from, 500, &got);
        compare(&got, &want, from);
        dots_release(&want);
        dots_release(&got);
        pd_expansion_release(&e);
    }
}

/* ---- for an index ---- */

/* What an index gets, beside the postings that count: `rest` without those that make no dots. */
struct indexing {
    struct pd_collapse collapse;
    struct pd_postings rest;
    uint64_t classes;
};

static int keep_indexed(void *ctx, const struct pd_class *class)
{
    struct indexing *x = ctx;
    const uint64_t df = documents_with(&x->rest, class->sig);
    const bool common = x->collapse.max_df && df > x->collapse.max_df;
    uint64_t n = 0;
    CU_ASSERT_EQUAL(x->collapse.df, df);
    CU_ASSERT_EQUAL(pd_collapse_is_common(&x->collapse), common);
    for (size_t k = 0; k < x->rest.n; k++) {
        const struct pd_posting *p = &x->rest.v[k];
        if (p->sig != class->sig)
            continue;
        if (!common || (class->n && pd_posting_doc(p) == class->at[0].doc)) {
            CU_ASSERT_TRUE_FATAL(n < class->n);
            CU_ASSERT_EQUAL(class->at[n].doc, pd_posting_doc(p));
            CU_ASSERT_EQUAL(class->at[n].unit, pd_posting_unit(p));
            n++;
        }
        if (n == 0) /* of a common class the first document is kept */
            CU_FAIL("an occurrence is missing");
    }
    CU_ASSERT_TRUE(common ? n <= class->n : n == class->n);
    x->classes++;
    return 0;
}

static void test_for_an_index(void)
{
    for (uint64_t k = 1; k <= 60; k++) {
        uint64_t seed = k;
        struct pd_postings p = {0}, counted = {0};
        struct indexing x = {.collapse = {.max_df = k % 5,
                                          .max_repeats = k % 4,
                                          .first_repeats = k % 3 == 0,
                                          .for_index = true,
                                          .keep = keep_indexed,
                                          .ctx = &x}};
        make(&p, k, 20, 300);
        for (size_t at = 0; at < p.n; at++)
            p.v[at] = pd_posting_of(p.v[at].sig, 0, pd_posting_doc(&p.v[at]) % 9,
                                    pd_posting_unit(&p.v[at]),
                                    pd_random_below(&seed, 3) ? 0 : PD_QUERY_ONLY);
        pd_sort_records(p.v, p.n, PD_POSTING_U64S, PD_POSTING_U64S);
        leave_out_repeats(&p, x.collapse.max_repeats, x.collapse.first_repeats, &counted);
        for (size_t at = 0; at < counted.n; at++)
            if (!(pd_posting_flags(&counted.v[at]) & PD_QUERY_ONLY))
                pd_postings_push(&x.rest, counted.v[at]);
        CU_ASSERT_EQUAL(pd_collapse_postings(&x.collapse, p.v, p.n), 0);
        CU_ASSERT_EQUAL(pd_collapse_end(&x.collapse), 0);
        CU_ASSERT_EQUAL(x.classes, 20);
        pd_collapse_release(&x.collapse);
        pd_postings_release(&p);
        pd_postings_release(&counted);
        pd_postings_release(&x.rest);
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {PD_TEST(test_against_all_pairs),
                                  PD_TEST(test_ledger_names_the_first_occurrence),
                                  PD_TEST(test_common_classes_get_anchors),
                                  PD_TEST(test_whole_documents),
                                  PD_TEST(test_long_lists_are_cut),
                                  PD_TEST(test_names_have_118_bits),
                                  PD_TEST(test_postings_are_packed),
                                  PD_TEST(test_two_lists),
                                  PD_TEST(test_for_an_index),
                                  CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/classes", tests);
}

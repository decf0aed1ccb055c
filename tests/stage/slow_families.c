/* tests/stage/slow_families.c - see tests/stage/slow_families.h */
#include "slow_families.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/date.h"
#include "stage.h"

/* The reach of one side of a passage. */
struct reach {
    uint64_t doc, begin, end, words;
    size_t with; /* index of a reach that it is united with; of itself if it stands for all */
};

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Do two spans of a document overlap by more than half of the shorter one? */
static bool overlap(const struct reach *a, const struct reach *b)
{
    const uint64_t from = greater(a->begin, b->begin), to = smaller(a->end, b->end);
    const uint64_t shorter = smaller(a->end - a->begin, b->end - b->begin);
    return a->doc == b->doc && to > from && 2 * (to - from) > shorter;
}

/* Unite what overlaps, as long as anything does. Spans of one component are linked at once. */
static void unite(struct reach *v, size_t n)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (v[i].with != v[j].with && overlap(&v[i], &v[j])) {
                    const size_t from = greater(v[i].with, v[j].with),
                                 to = smaller(v[i].with, v[j].with);
                    for (size_t k = 0; k < n; k++)
                        v[k].with = v[k].with == from ? to : v[k].with;
                    changed = true;
                }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (v[i].with == v[j].with) {
                    v[i].begin = smaller(v[i].begin, v[j].begin);
                    v[i].end = greater(v[i].end, v[j].end);
                    v[i].words = greater(v[i].words, v[j].words);
                }
    }
}

static struct reach reach_of(const struct pd_row *row, int side, size_t k)
{
    const uint64_t bytes = side ? row->bytes_b : row->bytes_a;
    return (struct reach){side ? row->b : row->a, bytes >> 32, (uint32_t)bytes,
                          side ? (uint32_t)row->words : row->words >> 32, k};
}

static int by_place(const void *a, const void *b)
{
    const struct slow_member *x = a, *y = b;
    if (x->doc != y->doc)
        return x->doc < y->doc ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static int by_family(const void *a, const void *b)
{
    const struct slow_member *x = a, *y = b;
    return x->family != y->family ? (x->family < y->family ? -1 : 1) : by_place(a, b);
}

/* The member at a place. */
static size_t member_at(const struct slow_families *f, const struct reach *r)
{
    size_t k = 0;
    while (f->members[k].doc != r->doc || f->members[k].begin != r->begin)
        k++;
    return k;
}

/* Rename families, so that those of two members are one. */
static void join(struct slow_families *f, size_t a, size_t b)
{
    const size_t from = greater(f->members[a].family, f->members[b].family),
                 to = smaller(f->members[a].family, f->members[b].family);
    for (size_t k = 0; k < f->nmembers; k++)
        if (f->members[k].family == from)
            f->members[k].family = to;
}

/* Families are named after their first member; number them in this order. */
static void number(struct slow_families *f)
{
    f->nfamilies = 0;
    for (size_t first = 0; first < f->nmembers; first++) {
        bool found = false;
        for (size_t k = first; k < f->nmembers; k++)
            if (f->members[k].family == first) {
                f->members[k].family = f->nfamilies;
                found = true;
            }
        f->nfamilies += found;
    }
}

static size_t representative(const struct slow_families *f, size_t family)
{
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < f->nmembers; k++) {
        const struct slow_member *m = &f->members[k];
        if (m->family == family &&
            (best == SIZE_MAX || m->end - m->begin > f->members[best].end - f->members[best].begin))
            best = k;
    }
    return best;
}

static void verify(const struct slow_input *in, struct slow_families *f, const struct reach *v)
{
    for (size_t family = 0; family < f->nfamilies; family++)
        f->members[representative(f, family)].verified = true;
    for (size_t row = 0; row < in->nrows; row++) {
        const size_t a = member_at(f, &v[2 * row]), b = member_at(f, &v[2 * row + 1]);
        const size_t best = representative(f, f->members[a].family);
        f->row_family[row] = f->members[a].family;
        f->members[b].verified |= a == best;
        f->members[a].verified |= b == best;
    }
}

/* Families of documents: what pairs that reach the rule connect. */
static void find_documents(const struct slow_input *in, struct slow_families *f)
{
    size_t *of = calloc(in->ndocs, sizeof *of);
    for (size_t k = 0; k < in->ndocs; k++) {
        of[k] = k;
        f->document_family[k] = -1;
    }
    for (size_t k = 0; k < in->npairs; k++) {
        const struct pd_pair *p = &in->pairs[k];
        if (in->whole ? p->resemblance < in->least
                      : p->coverage_a < in->least || p->coverage_b < in->least)
            continue;
        const size_t from = greater(of[p->a], of[p->b]), to = smaller(of[p->a], of[p->b]);
        for (size_t i = 0; i < in->ndocs; i++)
            of[i] = of[i] == from ? to : of[i];
    }
    f->ndocument_families = 0;
    for (size_t first = 0; first < in->ndocs; first++) {
        size_t n = 0;
        for (size_t k = 0; k < in->ndocs; k++)
            n += of[k] == first;
        for (size_t k = 0; k < in->ndocs && n > 1; k++)
            if (of[k] == first)
                f->document_family[k] = (int64_t)f->ndocument_families;
        f->ndocument_families += n > 1;
    }
    free(of);
}

void slow_families_find(const struct slow_input *in, struct slow_families *f)
{
    const size_t n = 2 * in->nrows;
    struct reach *v = calloc(n + 1, sizeof *v);
    *f = (struct slow_families){.members = calloc(n + 1, sizeof *f->members),
                                .row_family = calloc(in->nrows + 1, sizeof *f->row_family),
                                .document_family = calloc(in->ndocs, sizeof *f->document_family)};
    for (size_t k = 0; k < n; k++)
        v[k] = reach_of(&in->rows[k / 2], k % 2, k);
    unite(v, n);
    for (size_t k = 0; k < n; k++)
        if (v[k].with == k)
            f->members[f->nmembers++] =
                (struct slow_member){v[k].doc, v[k].begin, v[k].end, v[k].words, 0, false};
    qsort(f->members, f->nmembers, sizeof *f->members, by_place);
    for (size_t k = 0; k < f->nmembers; k++)
        f->members[k].family = k;
    for (size_t row = 0; row < in->nrows; row++)
        join(f, member_at(f, &v[2 * row]), member_at(f, &v[2 * row + 1]));
    number(f);
    qsort(f->members, f->nmembers, sizeof *f->members, by_family);
    verify(in, f, v);
    find_documents(in, f);
    free(v);
}

void slow_families_release(struct slow_families *f)
{
    free(f->members);
    free(f->row_family);
    free(f->document_family);
}

/* ---- beside the tables ---- */

static void expect_members(const struct slow_input *in, const struct slow_families *f,
                           struct pd_result *r)
{
    CU_ASSERT_EQUAL(stage_rows(r, "members"), f->nmembers);
    for (size_t k = 0; k < f->nmembers && k < stage_rows(r, "members"); k++) {
        const struct slow_member *m = &f->members[k];
        const bool source = m->doc >= in->sources_from;
        CU_ASSERT_EQUAL(stage_cell(r, "members", "family", k), (int64_t)m->family);
        CU_ASSERT_EQUAL(stage_cell(r, "members", "doc", k), source ? -1 : (int64_t)m->doc);
        CU_ASSERT_EQUAL(stage_cell(r, "members", "source", k),
                        source ? (int64_t)(m->doc - in->sources_from) : -1);
        CU_ASSERT_EQUAL(stage_cell(r, "members", "begin", k), (int64_t)m->begin);
        CU_ASSERT_EQUAL(stage_cell(r, "members", "end", k), (int64_t)m->end);
        CU_ASSERT_EQUAL(stage_cell(r, "members", "verified", k), m->verified);
    }
}

/* The members, the documents, and the first date of a family. */
static void expect_family(const struct slow_input *in, const struct slow_families *f,
                          struct pd_result *r, size_t family)
{
    int64_t members = 0, documents = 0, first_doc = -1;
    uint64_t first = PD_NO_DATE;
    char date[PD_DATE_ROOM];
    for (size_t k = 0; k < f->nmembers; k++) {
        const struct slow_member *m = &f->members[k];
        if (m->family != family)
            continue;
        documents += members == 0 || f->members[k - 1].doc != m->doc;
        members++;
        if (in->dates[m->doc] < first) {
            first = in->dates[m->doc];
            first_doc = (int64_t)m->doc;
        }
    }
    const size_t best = representative(f, family);
    pd_date_print(first, date);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "members", family), members);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "documents", family), documents);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "words", family), (int64_t)f->members[best].words);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "representative", family), (int64_t)best);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "first_doc", family), first_doc);
    CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "families", "first_date", family), date);
}

static void expect_document_family(const struct slow_input *in, const struct slow_families *f,
                                   struct pd_result *r, size_t family)
{
    int64_t documents = 0;
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < in->ndocs; k++)
        if (f->document_family[k] == (int64_t)family) {
            documents++;
            if (best == SIZE_MAX || in->lengths[k] > in->lengths[best])
                best = k;
        }
    const bool source = best >= in->sources_from;
    CU_ASSERT_EQUAL(stage_cell(r, "document_families", "documents", family), documents);
    CU_ASSERT_EQUAL(stage_cell(r, "document_families", "representative", family),
                    source ? -1 : (int64_t)best);
    CU_ASSERT_EQUAL(stage_cell(r, "document_families", "source", family),
                    source ? (int64_t)(best - in->sources_from) : -1);
}

void slow_families_expect(const struct slow_input *in, const struct slow_families *f,
                          struct pd_result *r)
{
    expect_members(in, f, r);
    CU_ASSERT_EQUAL(stage_rows(r, "families"), f->nfamilies);
    for (size_t k = 0; k < f->nfamilies && k < stage_rows(r, "families"); k++)
        expect_family(in, f, r, k);
    CU_ASSERT_EQUAL(stage_rows(r, "document_families"), f->ndocument_families);
    for (size_t k = 0; k < f->ndocument_families && k < stage_rows(r, "document_families"); k++)
        expect_document_family(in, f, r, k);
}

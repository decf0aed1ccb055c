/* tests/stage/slow_families.c - see tests/stage/slow_families.h */
#include "slow_families.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/date.h"
#include "pardup/passage/members.h"
#include "stage.h"

/* What a side of a passage covers of a member. */
struct portion {
    size_t member;
    uint64_t from, to; /* bytes of the side */
    uint64_t length;   /* of the whole side */
};

/* A side of a passage, and its portions. */
struct side {
    uint64_t doc, begin, end, words;
    struct portion *portions;
    size_t n, chief;
};

/* What two members have to do with each other. */
enum { LINKED = 1, AGREES = 2 };

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

static struct side side_of(const struct pd_row *row, int side)
{
    const uint64_t bytes = side ? row->bytes_b : row->bytes_a;
    return (struct side){.doc = side ? row->b : row->a,
                         .begin = bytes >> 32,
                         .end = (uint32_t)bytes,
                         .words = side ? (uint32_t)row->words : row->words >> 32};
}

/* Add the members of a document: passage/members.h, which has a test of its own. */
static void cut(const struct side *v, size_t n, uint64_t doc, struct slow_families *f)
{
    struct pd_reaches reaches = {0};
    struct pd_members members = {0};
    for (size_t k = 0; k < n; k++)
        if (v[k].doc == doc)
            pd_reaches_push(&reaches, (struct pd_reach){v[k].begin, v[k].end, 1});
    pd_members_cut(&reaches, &members);
    for (size_t k = 0; k < members.n; k++)
        f->members[f->nmembers++] =
            (struct slow_member){.doc = doc, .begin = members.v[k].begin, .end = members.v[k].end};
    pd_reaches_release(&reaches);
    pd_members_release(&members);
}

/* Find the portions of a side, and count its words in its members. */
static void find_portions(struct side *s, struct slow_families *f)
{
    const uint64_t length = s->end - s->begin;
    uint64_t most = 0;
    s->portions = calloc(f->nmembers, sizeof *s->portions);
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < f->nmembers; k++) {
            struct slow_member *m = &f->members[k];
            const uint64_t from = greater(m->begin, s->begin), to = smaller(m->end, s->end);
            const uint64_t bytes = m->doc == s->doc && from < to ? to - from : 0;
            const bool chief = pass == 1 && bytes == most && s->chief == SIZE_MAX;
            most = pass == 0 ? greater(most, bytes) : most;
            s->chief = pass == 0 ? SIZE_MAX : chief ? s->n : s->chief;
            if (pass == 0 || (!chief && bytes < PD_MEMBER_APART))
                continue;
            s->portions[s->n++] = (struct portion){k, from - s->begin, to - s->begin, length};
            m->words = greater(m->words, (s->words * bytes + length / 2) / length);
        }
}

/* Link two members of a passage, if their portions meet. */
static void link_portions(const struct slow_families *f, const struct portion *x,
                          const struct portion *y, bool chief, unsigned char *links)
{
    const uint64_t from = greater(x->from * y->length, y->from * x->length),
                   to = smaller(x->to * y->length, y->to * x->length),
                   met = from < to ? to - from : 0;
    const uint64_t doubt = (greater(x->length, y->length) - smaller(x->length, y->length)) *
                           smaller(x->length, y->length);
    const uint64_t shorter = smaller((x->to - x->from) * y->length, (y->to - y->from) * x->length);
    const struct slow_member *a = &f->members[x->member], *b = &f->members[y->member];
    if (!chief && 2 * met <= shorter + doubt)
        return;
    links[x->member * f->nmembers + y->member] |=
        LINKED | (2 * met > (a->end - a->begin) * y->length ? AGREES : 0);
    links[y->member * f->nmembers + x->member] |=
        LINKED | (2 * met > (b->end - b->begin) * x->length ? AGREES : 0);
}

/* Does member a come before member b? */
static bool is_before(const struct slow_families *f, const size_t *neighbours, size_t a, size_t b)
{
    const uint64_t length_a = f->members[a].end - f->members[a].begin,
                   length_b = f->members[b].end - f->members[b].begin;
    if (neighbours[a] != neighbours[b])
        return neighbours[a] > neighbours[b];
    return length_a != length_b ? length_a > length_b : a < b;
}

/* The first neighbour of member k with `bits` and `wanted`. SIZE_MAX: none. */
static size_t first_of(const struct slow_families *f, const unsigned char *links,
                       const size_t *neighbours, size_t k, unsigned char bits, const bool *wanted)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < f->nmembers; i++)
        if ((links[k * f->nmembers + i] & bits) == bits && (!wanted || wanted[i]) &&
            (best == SIZE_MAX || is_before(f, neighbours, i, best)))
            best = i;
    return best;
}

/* run/stage/families/representatives.h, member by member in their order. */
static void find_homes(struct slow_families *f, const unsigned char *links, const bool *chief)
{
    const size_t n = f->nmembers;
    size_t *neighbours = calloc(n + 1, sizeof *neighbours), *home = calloc(n + 1, sizeof *home);
    bool *done = calloc(n + 1, sizeof *done), *is_one = calloc(n + 1, sizeof *is_one);
    bool *joined = calloc(n + 1, sizeof *joined);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            neighbours[k] += links[k * n + i] & LINKED;
    for (size_t turn = 0; turn < n; turn++) {
        size_t k = SIZE_MAX;
        for (size_t i = 0; i < n; i++)
            if (!done[i] && (k == SIZE_MAX || is_before(f, neighbours, i, k)))
                k = i;
        const size_t best = first_of(f, links, neighbours, k, AGREES, is_one);
        done[k] = true;
        is_one[k] = best == SIZE_MAX;
        home[k] = is_one[k] ? k : best;
        joined[home[k]] |= !is_one[k];
    }
    for (size_t k = 0; k < n; k++) {
        f->members[k].family = home[k];
        f->members[k].verified = true;
        if (!is_one[k] || joined[k])
            continue;
        size_t first = first_of(f, links, neighbours, k, AGREES, NULL);
        first = first == SIZE_MAX ? first_of(f, links, neighbours, k, LINKED, NULL) : first;
        const bool settled = first != SIZE_MAX && (!is_one[first] || joined[first]);
        f->members[k].family = !chief[k] ? SIZE_MAX : settled ? home[first] : k;
        f->members[k].verified = !settled;
    }
    free(neighbours);
    free(home);
    free(done);
    free(is_one);
    free(joined);
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

/* Families are named after their representative; number them in this order. */
static void number(const struct slow_input *in, struct slow_families *f, const struct side *v)
{
    size_t *numbers = calloc(f->nmembers + 1, sizeof *numbers), n = 0;
    f->nfamilies = 0;
    for (size_t k = 0; k < f->nmembers; k++) {
        f->members[k].representative = f->members[k].family == k;
        numbers[k] = f->nfamilies;
        f->nfamilies += f->members[k].family == k;
    }
    for (size_t row = 0; row < in->nrows; row++) {
        const struct side *s = &v[2 * row];
        f->row_family[row] = numbers[f->members[s->portions[s->chief].member].family];
    }
    for (size_t k = 0; k < f->nmembers; k++)
        if (f->members[k].family != SIZE_MAX) {
            f->members[n] = f->members[k];
            f->members[n++].family = numbers[f->members[k].family];
        }
    f->nmembers = n;
    free(numbers);
}

static size_t representative(const struct slow_families *f, size_t family)
{
    size_t k = 0;
    while (f->members[k].family != family || !f->members[k].representative)
        k++;
    return k;
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
    struct side *v = calloc(n + 1, sizeof *v);
    *f = (struct slow_families){.members = calloc(3 * n + 1, sizeof *f->members),
                                .row_family = calloc(in->nrows + 1, sizeof *f->row_family),
                                .document_family = calloc(in->ndocs, sizeof *f->document_family)};
    for (size_t k = 0; k < n; k++)
        v[k] = side_of(&in->rows[k / 2], k % 2);
    for (uint64_t doc = 0; doc < in->ndocs; doc++)
        cut(v, n, doc, f);
    unsigned char *links = calloc(f->nmembers * f->nmembers + 1, 1);
    bool *chief = calloc(f->nmembers + 1, sizeof *chief);
    for (size_t k = 0; k < n; k++) {
        find_portions(&v[k], f);
        chief[v[k].portions[v[k].chief].member] = true;
    }
    for (size_t row = 0; row < in->nrows; row++) {
        const struct side *x = &v[2 * row], *y = x + 1;
        for (size_t i = 0; i < x->n; i++)
            for (size_t j = 0; j < y->n; j++)
                link_portions(f, &x->portions[i], &y->portions[j], i == x->chief && j == y->chief,
                              links);
    }
    find_homes(f, links, chief);
    number(in, f, v);
    qsort(f->members, f->nmembers, sizeof *f->members, by_family);
    find_documents(in, f);
    for (size_t k = 0; k < n; k++)
        free(v[k].portions);
    free(links);
    free(chief);
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
    struct pd_date first = PD_NO_DATE;
    bool sure = true;
    char date[PD_DATE_ROOM];
    for (size_t k = 0; k < f->nmembers; k++) {
        const struct slow_member *m = &f->members[k];
        if (m->family != family)
            continue;
        documents += members == 0 || f->members[k - 1].doc != m->doc;
        members++;
        if (pd_date_compare(in->dates[m->doc], first) < 0) {
            first = in->dates[m->doc];
            first_doc = (int64_t)m->doc;
        }
    }
    const size_t best = representative(f, family);
    pd_date_print(first, date);
    for (size_t k = 0; k < f->nmembers; k++)
        sure &= f->members[k].family != family || in->dates[f->members[k].doc].first >= first.first;
    sure &= first_doc >= 0 && pd_date_is_sure(first);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "members", family), members);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "documents", family), documents);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "words", family), (int64_t)f->members[best].words);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "representative", family), (int64_t)best);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "first_doc", family), first_doc);
    CU_ASSERT_EQUAL(stage_cell(r, "families", "first_sure", family), sure);
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

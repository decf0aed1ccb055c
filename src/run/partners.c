/*
 * run/partners.c - similar classes to matches of their occurrences, at the owner of the first one.
 *
 * A pair (x, y) goes to the owner of x, which asks the owner of y for y's occurrences: each list
 * travels once to each rank that needs it, so what moves is within the size of the result.
 */
#include <stdlib.h>
#include <string.h>

#include "joining.h"
#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"

/* Who needs the occurrences of a class. */
struct request {
    uint64_t number, rank;
};
PD_VEC(requests, struct request);

/* An occurrence on its way, with the rank it goes to. */
struct occurrence {
    uint64_t number;
    pd_doc doc;
    uint32_t nsigs, unit; /* as in struct pd_posting */
    uint64_t rank;
};
PD_VEC(occurrences, struct occurrence);

struct expanding {
    struct pd_source source;
    struct joining *j;
    uint64_t base;  /* number of this rank's first class ... */
    size_t *begins; /* ... and where each begins among the postings, and the last one ends */
    struct requests asked, mine; /* by others; by this rank, ascending */
    size_t answer, occurrence;   /* next to send */
    struct pd_similars similar;
    struct occurrences foreign;
    uint64_t *partners;     /* with --max-near: of each own class */
    size_t *foreign_begins; /* for each of `mine`: where its occurrences begin in the postings */
};

static int owner_of_pair(const void *rec, int nranks, void *ctx)
{
    (void)nranks;
    return pd_joining_owner(((struct expanding *)ctx)->j, ((const struct pd_similar *)rec)->x);
}

/* ---- crowded classes ---- */

/* How many partners of a class a rank has found. */
struct crowd {
    uint64_t number, n;
};
PD_VEC(crowds, struct crowd);

static int owner_of_crowd(const void *rec, int nranks, void *ctx)
{
    (void)nranks;
    return pd_joining_owner(((struct expanding *)ctx)->j, ((const struct crowd *)rec)->number);
}

static int take_crowds(const void *recs, size_t bytes, void *ctx)
{
    struct expanding *s = ctx;
    const struct crowd *v = recs;
    for (size_t k = 0; k < bytes / sizeof *v; k++)
        s->partners[v[k].number - s->base] += v[k].n;
    return PD_OK;
}

static bool is_crowded(const struct expanding *s, uint64_t number)
{
    return s->partners[number - s->base] > (uint64_t)s->j->job->options->max_near;
}

static int owner_of_second(const void *rec, int nranks, void *ctx)
{
    (void)nranks;
    return pd_joining_owner(((struct expanding *)ctx)->j, ((const struct pd_similar *)rec)->y);
}

static int take_if_second_is_free(const void *recs, size_t bytes, void *ctx)
{
    struct expanding *s = ctx;
    const struct pd_similar *v = recs;
    for (size_t k = 0; k < bytes / sizeof *v; k++)
        if (!is_crowded(s, v[k].y))
            pd_similars_push(&s->similar, v[k]);
    return PD_OK;
}

static int take_pairs(const void *recs, size_t bytes, void *ctx)
{
    struct expanding *s = ctx;
    const struct pd_similar *v = recs;
    for (size_t k = 0; k < bytes / sizeof *v; k++)
        if (!s->partners || !is_crowded(s, v[k].x))
            pd_similars_push(&s->similar, v[k]);
    return PD_OK;
}

/* Every rank's counts of partners to the owners of the classes. */
static int count_partners(struct expanding *s)
{
    struct pd_detect *job = s->j->job;
    const struct pd_tally *tally = &s->j->partners;
    struct crowds mine = {0};
    for (size_t k = 0; k < tally->nslots; k++)
        if (tally->slots[k].n)
            crowds_push(&mine, (struct crowd){tally->slots[k].sig, tally->slots[k].n});
    s->source = (struct pd_source){mine.v, mine.n, sizeof *mine.v, 0};
    const struct pd_route route = {sizeof *mine.v, pd_fill_from, owner_of_crowd, take_crowds, s};
    const int status = pd_exchange(job->comm, &route, &job->stages.moved);
    crowds_release(&mine);
    pd_tally_release(&s->j->partners);
    return status;
}

/* Crowded classes of this rank leave the postings for /common; their places become empty. */
static void set_aside_crowded(struct expanding *s)
{
    struct pd_detect *job = s->j->job;
    struct pd_postings *p = &job->joined.postings;
    const int rank = job->comm->rank;
    const uint64_t n = s->j->first[rank + 1] - s->base;
    size_t kept = 0, begin = 0;
    for (uint64_t k = 0; k < n; k++) {
        const size_t end = s->begins[k + 1];
        const struct pd_posting first = p->v[begin];
        s->begins[k] = kept;
        if (is_crowded(s, s->base + k)) {
            uint64_t df = 1;
            for (size_t i = begin + 1; i < end; i++)
                df += p->v[i].doc != p->v[i - 1].doc;
            pd_commons_push(&job->common, (struct pd_common){first.sig, df, first.doc, first.unit});
            job->counts.crowded++;
        } else {
            memmove(p->v + kept, p->v + begin, (end - begin) * sizeof *p->v);
            kept += end - begin;
        }
        begin = end;
    }
    s->begins[n] = p->n = job->joined.own = kept;
    pd_sort_records(job->common.v, job->common.n, PD_COMMON_WORDS, PD_COMMON_WORDS);
}

/* Drop the classes that are similar to too many, and their pairs. */
static int drop_crowded(struct expanding *s)
{
    struct pd_detect *job = s->j->job;
    const uint64_t n = s->j->first[job->comm->rank + 1] - s->base;
    s->partners = pd_realloc(NULL, n + 1, sizeof *s->partners);
    memset(s->partners, 0, (n + 1) * sizeof *s->partners);
    PD_TRY(count_partners(s));
    s->source = (struct pd_source){s->j->similar.v, s->j->similar.n, sizeof(struct pd_similar), 0};
    const struct pd_route route = {sizeof(struct pd_similar), pd_fill_from, owner_of_second,
                                   take_if_second_is_free, s};
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    pd_similars_release(&s->j->similar);
    s->j->similar = s->similar;
    s->similar = (struct pd_similars){0};
    set_aside_crowded(s);
    pd_comm_sum(job->comm, &job->counts.crowded, 1);
    return PD_OK;
}

static int owner_of_request(const void *rec, int nranks, void *ctx)
{
    (void)nranks;
    return pd_joining_owner(((struct expanding *)ctx)->j, ((const struct request *)rec)->number);
}

static int take_requests(const void *recs, size_t bytes, void *ctx)
{
    struct requests *to = &((struct expanding *)ctx)->asked;
    requests_append(to, recs, bytes / sizeof *to->v);
    return PD_OK;
}

static int fill_occurrences(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct expanding *s = ctx;
    const struct pd_postings *p = &s->j->job->joined.postings;
    struct occurrence *out = (struct occurrence *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    for (; k < most && s->answer < s->asked.n; s->answer++, s->occurrence = 0) {
        const struct request *r = &s->asked.v[s->answer];
        const size_t begin = s->begins[r->number - s->base],
                     end = s->begins[r->number - s->base + 1];
        for (; k < most && begin + s->occurrence < end; s->occurrence++) {
            const struct pd_posting *at = &p->v[begin + s->occurrence];
            out[k++] = (struct occurrence){r->number, at->doc, at->nsigs, at->unit, r->rank};
        }
        if (begin + s->occurrence < end)
            break;
    }
    *n = k * sizeof *out;
    return s->answer == s->asked.n ? PD_END : PD_OK;
}

static int owner_of_occurrence(const void *rec, int nranks, void *ctx)
{
    (void)nranks;
    (void)ctx;
    return (int)((const struct occurrence *)rec)->rank;
}

static int take_occurrences(const void *recs, size_t bytes, void *ctx)
{
    struct occurrences *to = &((struct expanding *)ctx)->foreign;
    occurrences_append(to, recs, bytes / sizeof *to->v);
    return PD_OK;
}

/* Where own classes begin. */
static void index_classes(struct expanding *s)
{
    const struct pd_joined *joined = &s->j->job->joined;
    const int rank = s->j->job->comm->rank;
    const uint64_t n = s->j->first[rank + 1] - s->j->first[rank];
    s->base = s->j->first[rank];
    s->begins = pd_realloc(NULL, n + 1, sizeof *s->begins);
    size_t begin = 0;
    for (uint64_t k = 0; k < n; k++) {
        s->begins[k] = begin;
        begin = pd_class_end(&joined->postings, begin, joined->own);
    }
    s->begins[n] = joined->own;
}

static bool is_own(const struct expanding *s, uint64_t number)
{
    const int rank = s->j->job->comm->rank;
    return number >= s->j->first[rank] && number < s->j->first[rank + 1];
}

/* The classes of other ranks that stand in pairs here, each once. */
static void list_requests(struct expanding *s)
{
    size_t kept = 0;
    for (size_t k = 0; k < s->similar.n; k++)
        if (!is_own(s, s->similar.v[k].y))
            requests_push(&s->mine,
                          (struct request){s->similar.v[k].y, (uint64_t)s->j->job->comm->rank});
    pd_sort_records(s->mine.v, s->mine.n, 2, 2);
    for (size_t k = 0; k < s->mine.n; k++)
        if (k == 0 || s->mine.v[k].number != s->mine.v[k - 1].number)
            s->mine.v[kept++] = s->mine.v[k];
    s->mine.n = kept;
}

/* Foreign occurrences behind the own postings, class by class. */
static void append_foreign(struct expanding *s)
{
    struct pd_postings *p = &s->j->job->joined.postings;
    size_t at = 0;
    pd_sort_records(s->foreign.v, s->foreign.n, 4, 3);
    s->foreign_begins = pd_realloc(NULL, s->mine.n + 1, sizeof *s->foreign_begins);
    for (size_t k = 0; k < s->mine.n; k++) {
        s->foreign_begins[k] = p->n;
        for (; at < s->foreign.n && s->foreign.v[at].number == s->mine.v[k].number; at++) {
            const struct occurrence *o = &s->foreign.v[at];
            pd_postings_push(p, (struct pd_posting){o->number, 0, o->doc, o->nsigs, o->unit});
        }
    }
    s->foreign_begins[s->mine.n] = p->n;
    occurrences_release(&s->foreign);
}

struct range {
    size_t begin, end;
};

static struct range range_of(const struct expanding *s, uint64_t number)
{
    if (is_own(s, number))
        return (struct range){s->begins[number - s->base], s->begins[number - s->base + 1]};
    size_t lo = 0, hi = s->mine.n;
    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;
        if (s->mine.v[mid].number <= number)
            lo = mid;
        else
            hi = mid;
    }
    PD_CHECK(lo < s->mine.n && s->mine.v[lo].number == number);
    return (struct range){s->foreign_begins[lo], s->foreign_begins[lo + 1]};
}

/* Those of a range that are on the index side: itself, or a copy without the others. */
static struct range index_side(struct expanding *s, struct range all)
{
    struct pd_postings *p = &s->j->job->joined.postings;
    struct range side = {p->n, p->n};
    if (!pd_units_sided(&s->j->job->form))
        return all;
    for (size_t k = all.begin; k < all.end; k++)
        if (!(p->v[k].nsigs & PD_QUERY_ONLY))
            pd_postings_push(p, p->v[k]);
    side.end = p->n;
    return side;
}

static void push_match(struct expanding *s, struct range a, struct range b, double similarity)
{
    a = index_side(s, a);
    if (a.end > a.begin)
        pd_matches_push(&s->j->job->joined.matches,
                        (struct pd_match){a.begin, a.end, b.begin, b.end, similarity});
}

static int fetch_partners(struct expanding *s)
{
    struct pd_detect *job = s->j->job;
    if (job->options->max_near)
        PD_TRY(drop_crowded(s));
    s->source = (struct pd_source){s->j->similar.v, s->j->similar.n, sizeof(struct pd_similar), 0};
    struct pd_route route = {sizeof(struct pd_similar), pd_fill_from, owner_of_pair, take_pairs, s};
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    pd_similars_release(&s->j->similar);
    pd_sort_records(s->similar.v, s->similar.n, 3, 2);
    list_requests(s);
    s->source = (struct pd_source){s->mine.v, s->mine.n, sizeof(struct request), 0};
    route =
        (struct pd_route){sizeof(struct request), pd_fill_from, owner_of_request, take_requests, s};
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    route = (struct pd_route){sizeof(struct occurrence), fill_occurrences, owner_of_occurrence,
                              take_occurrences, s};
    return pd_exchange(job->comm, &route, &job->stages.moved);
}

int pd_joining_expand(struct joining *j)
{
    struct expanding s = {.j = j};
    index_classes(&s);
    const int status = fetch_partners(&s);
    j->job->counts.similar = s.similar.n; /* those that count: the same for any number of ranks */
    pd_comm_sum(j->job->comm, &j->job->counts.similar, 1);
    if (status >= 0) {
        append_foreign(&s);
        for (size_t k = 0; k < s.similar.n; k++) {
            const struct pd_similar *pair = &s.similar.v[k];
            const struct range x = range_of(&s, pair->x), y = range_of(&s, pair->y);
            push_match(&s, x, y, pair->similarity);
            push_match(&s, y, x, pair->similarity);
        }
        if (pd_units_sided(&j->job->form))
            pd_joined_take_sides(&j->job->joined);
    }
    free(s.begins);
    free(s.partners);
    free(s.foreign_begins);
    requests_release(&s.asked);
    requests_release(&s.mine);
    pd_similars_release(&s.similar);
    occurrences_release(&s.foreign);
    return status;
}

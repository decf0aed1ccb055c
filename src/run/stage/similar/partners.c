/*
 * run/stage/similar/partners.c - the units of each class travel to the owners of the classes that
 * are similar to it.
 *
 * A pair of similar classes (x, y) goes to the owner of x, which sends the units of x to the owner
 * of y. There they are written to a file in order of y. The align stage reads it beside the file of
 * classes (run/stage/align/expand.c).
 *
 * With --max-near, counts of partners go to the owners of the classes first. A class with too many
 * partners is set aside, and its pairs are dropped. So is a class without a signature under --sct.
 */
#include <string.h>

#include "joining.h"
#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "pardup/store/cursor.h"
#include "pardup/store/sorter.h"

/*
 * Units of class x of a pair (x, y), on their way to the owner of y. A class with many units is
 * sent in several records. Order: number.
 */
struct sent {
    uint32_t size;             /* bytes of the record */
    uint32_t n;                /* units in the record */
    uint64_t number;           /* y, among the classes of all ranks */
    double similarity;         /* similarity of x and y, (0, 1] */
    struct pd_occurrence at[]; /* units of x */
};
enum { UNITS_MOST = 8192 }; /* units in a record, which takes at most PD_EXCHANGE_RECORD bytes */

struct sharing {
    struct joining *j;
    uint64_t base;            /* the number of this rank's first class */
    struct pd_shuffle counts; /* struct crowd, for the classes of this rank */
    struct pd_u64s crowded;   /* numbers of this rank's classes that are set aside, ascending */
    struct pd_shuffle from, pairs; /* struct pd_similar that are sent, that have arrived */
    struct pd_cursor classes;      /* reads the classes of this rank */
    const struct pd_class *class;  /* x of the pair whose units are sent */
    uint64_t unit;                 /* index of the unit of `class` that is sent next */
    struct pd_shuffle units;       /* struct sent, at the owners of y */
};

/* The owner of the class whose number a record begins with. */
static int owner_of_first(const void *rec, int nranks, void *ctx)
{
    (void)nranks;
    return pd_joining_owner(((struct sharing *)ctx)->j, *(const uint64_t *)rec);
}

/* The same for the number behind it: y of a pair, and of units that are sent. */
static int owner_of_second(const void *rec, int nranks, void *ctx)
{
    return owner_of_first((const uint64_t *)rec + 1, nranks, ctx);
}

/* Is a class of this rank crowded? `number`: the class, among the classes of all ranks. */
static bool is_crowded(const struct sharing *s, uint64_t number)
{
    return pd_search_has(s->crowded.v, s->crowded.n, number);
}

static bool first_is_free(const void *rec, void *ctx)
{
    return !is_crowded(ctx, ((const struct pd_similar *)rec)->x);
}

static bool second_is_free(const void *rec, void *ctx)
{
    return !is_crowded(ctx, ((const struct pd_similar *)rec)->y);
}

static const struct pd_flow pairs_by_first = {.name = "similar",
                                              .budget = PD_BUDGET_PAIRS,
                                              .size = sizeof(struct pd_similar),
                                              .keys = 2,
                                              .owner = owner_of_first,
                                              .arrive = first_is_free};
static const struct pd_flow pairs_by_second = {.name = "similar",
                                               .budget = PD_BUDGET_PAIRS,
                                               .size = sizeof(struct pd_similar),
                                               .keys = 2,
                                               .owner = owner_of_second,
                                               .arrive = second_is_free};

/*
 * COLLECTIVE. Send the pairs of s->from to the owners of their first or second classes, into
 * s->pairs.
 */
static int send_pairs(struct sharing *s, const struct pd_flow *flow)
{
    PD_TRY(pd_shuffle_sort(&s->from));
    pd_shuffle_open(&s->pairs, &s->j->job->transport, flow, s, NULL);
    PD_TRY(pd_shuffle_send(&s->pairs, pd_shuffle_fill, &s->from));
    pd_shuffle_close(&s->from);
    return PD_OK;
}

/* ---- crowded classes ---- */

static const struct pd_flow sums_flow = {.name = "partners",
                                         .budget = PD_BUDGET_CROWD_SUMS,
                                         .size = sizeof(struct crowd),
                                         .keys = 1,
                                         .owner = owner_of_first};

/* Add up the counts of all ranks, and list this rank's classes that have too many partners. */
static int find_crowded(struct sharing *s)
{
    const void *rec;
    struct crowd sum = {0};
    const uint64_t max_near = (uint64_t)s->j->job->options->method.max_near;
    const uint64_t most = max_near ? max_near : PD_NOTHING_LEFT - 1;
    int status = pd_shuffle_sort_own(&s->counts);
    while (status == PD_OK) {
        status = pd_shuffle_look(&s->counts, &rec);
        const struct crowd *next = rec;
        if (next && next->number == sum.number) {
            sum.n += next->n;
        } else {
            if (sum.n > most)
                pd_u64s_push(&s->crowded, sum.number);
            sum = next ? *next : sum;
        }
        if (next)
            pd_shuffle_pass(&s->counts, sizeof *next);
    }
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. Send all counts of partners to the owners of the classes, which list crowded classes.
 */
static int count_partners(struct sharing *s)
{
    struct joining *j = s->j;
    struct pd_job *job = j->job;
    PD_TRY(pd_shuffle_sort(&j->crowds));
    pd_shuffle_open(&s->counts, &job->transport, &sums_flow, s, NULL);
    PD_TRY(pd_shuffle_send(&s->counts, pd_shuffle_fill, &j->crowds));
    pd_shuffle_close(&j->crowds);
    PD_TRY(pd_comm_agree(job->comm, find_crowded(s)));
    pd_shuffle_close(&s->counts);
    return PD_OK;
}

/* List a class as common. */
static void set_aside(struct pd_job *job, const struct pd_class *c)
{
    uint64_t df = 1;
    for (uint64_t k = 1; k < c->n; k++)
        df += c->at[k].doc != c->at[k - 1].doc;
    pd_commons_push(&job->matches.common,
                    (struct pd_common){c->sig, df, c->at[0].doc, c->at[0].unit, PD_ASIDE_CROWDED});
    job->matches.counts.crowded++;
}

static int next_class(struct pd_cursor *cursor, const struct pd_class **class)
{
    const unsigned char *rec;
    size_t n;
    PD_PASS(pd_cursor_look(cursor, &rec, &n));
    *class = (const struct pd_class *)(const void *)rec;
    cursor->at += pd_class_bytes(*class);
    return PD_OK;
}

/* Copy this rank's classes, but list the crowded ones as common instead. */
static int copy_free(struct sharing *s, struct pd_packed *from, struct pd_packed *to)
{
    struct pd_cursor cursor = {0};
    const struct pd_class *class;
    int status;
    pd_cursor_begin(&cursor, from, 0, pd_packed_blocks(from));
    while ((status = next_class(&cursor, &class)) == PD_OK) {
        if (is_crowded(s, s->base + class->number)) {
            set_aside(s->j->job, class);
            continue;
        }
        status = pd_packed_append(to, class, pd_class_bytes(class), NULL);
        if (status < 0)
            break;
    }
    pd_cursor_release(&cursor);
    return status < 0 ? status : pd_packed_finish(to);
}

/* Replace the file of this rank's classes by a file without the crowded ones. */
static int set_aside_crowded(struct sharing *s)
{
    struct pd_job *job = s->j->job;
    struct pd_joined *joined = &job->matches.joined.v[0];
    struct pd_packed *rest = pd_packed_create(pd_scratch_path(&job->scratch, "classes"));
    if (!rest)
        return PD_EIO;
    int status = copy_free(s, joined->classes, rest);
    PD_THEN(status, pd_packed_forget(joined->classes));
    pd_packed_close(joined->classes);
    joined->classes = rest;
    pd_sort_records(job->matches.common.v, job->matches.common.n, PD_COMMON_U64S, PD_COMMON_U64S);
    return status;
}

/*
 * COLLECTIVE. Set the crowded classes aside. The pairs go to the owners of their second classes and
 * are dropped there if that class is crowded. Pairs whose first class is crowded are dropped later,
 * by first_is_free.
 */
static int drop_crowded(struct sharing *s)
{
    struct pd_job *job = s->j->job;
    PD_TRY(count_partners(s));
    PD_TRY(send_pairs(s, &pairs_by_second));
    s->from = s->pairs;
    s->pairs = (struct pd_shuffle){0};
    PD_TRY(pd_comm_agree(job->comm, set_aside_crowded(s)));
    pd_comm_sum(job->comm, &job->matches.counts.crowded, 1);
    return PD_OK;
}

/* ---- units ---- */

/* Read on to the class with this number. Pairs and classes are both in order of number. */
static int find_class(struct sharing *s, uint64_t number)
{
    while (!s->class || s->base + s->class->number < number) {
        const int status = next_class(&s->classes, &s->class);
        if (status < 0)
            return status;
        PD_CHECK(status == PD_OK);
    }
    PD_CHECK(s->base + s->class->number == number);
    return PD_OK;
}

/* Write the next units of the first class of a pair. Returns the bytes of the record. */
static size_t write_sent(struct sharing *s, const struct pd_similar *pair, unsigned char *to)
{
    struct sent *out = (struct sent *)(void *)to;
    const uint64_t left = s->class->n - s->unit;
    const uint32_t n = left < UNITS_MOST ? (uint32_t)left : UNITS_MOST;
    *out = (struct sent){.size = (uint32_t)(sizeof *out + n * sizeof *out->at),
                         .n = n,
                         .number = pair->y,
                         .similarity = pair->similarity};
    memcpy(out->at, s->class->at + s->unit, n * sizeof *out->at);
    s->unit += n;
    if (s->unit == s->class->n) {
        s->unit = 0;
        pd_shuffle_pass(&s->pairs, sizeof *pair);
        s->j->job->matches.counts.similar++;
    }
    return out->size;
}

static int fill_units(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sharing *s = ctx;
    const void *rec;
    for (*n = 0; *n + sizeof(struct sent) + UNITS_MOST * sizeof(struct pd_occurrence) <= cap;) {
        PD_PASS(pd_shuffle_look(&s->pairs, &rec));
        const struct pd_similar *pair = rec;
        PD_TRY(find_class(s, pair->x));
        *n += write_sent(s, pair, to + *n);
    }
    return PD_OK;
}

static const struct pd_flow units_flow = {
    .name = "units", .budget = PD_BUDGET_UNITS, .key_at = 1, .keys = 1, .owner = owner_of_second};

/* COLLECTIVE. Send the units of x to the owner of y, for all pairs. */
static int send_units(struct sharing *s)
{
    struct pd_job *job = s->j->job;
    struct pd_packed *classes = job->matches.joined.v[0].classes;
    PD_TRY(pd_shuffle_sort(&s->pairs));
    pd_shuffle_open(&s->units, &job->transport, &units_flow, s, NULL);
    pd_cursor_begin(&s->classes, classes, 0, pd_packed_blocks(classes));
    PD_TRY(pd_shuffle_send(&s->units, fill_units, s));
    pd_comm_sum(job->comm, &job->matches.counts.similar, 1);
    return PD_OK;
}

/* Write the units that have arrived to a file, with the number of y among this rank's classes. */
static int write_partners(struct sharing *s)
{
    struct pd_job *job = s->j->job;
    struct pd_packed *partners = pd_packed_create(pd_scratch_path(&job->scratch, "partners"));
    struct pd_u64s record = {0};
    const unsigned char *recs;
    size_t n;
    int status = partners ? pd_shuffle_sort_own(&s->units) : PD_EIO;
    job->matches.joined.v[0].partners = partners;
    while (status >= 0 && (status = pd_sorter_next(s->units.sorter, &recs, &n)) == PD_OK)
        for (size_t at = 0; at < n && status >= 0;) {
            const struct sent *sent = (const struct sent *)(const void *)(recs + at);
            const struct pd_partner head = {sent->number - s->base, sent->similarity, sent->n};
            record.n = 0;
            pd_u64s_append(&record, &head, sizeof head / sizeof *record.v);
            pd_u64s_append(&record, sent->at, sent->n * sizeof *sent->at / sizeof *record.v);
            status = pd_packed_append(partners, record.v, record.n * sizeof *record.v, NULL);
            at += sent->size;
        }
    pd_u64s_release(&record);
    return status < 0 ? status : pd_packed_finish(partners);
}

static int share(struct sharing *s)
{
    if (s->j->job->options->method.max_near || s->j->job->options->method.sct)
        PD_TRY(drop_crowded(s));
    PD_TRY(send_pairs(s, &pairs_by_first));
    PD_TRY(send_units(s));
    return pd_comm_agree(s->j->job->comm, write_partners(s));
}

int pd_joining_expand(struct joining *j)
{
    struct sharing s = {.j = j, .base = j->first[j->job->comm->rank], .from = j->found};
    j->found = (struct pd_shuffle){0};
    const int status = share(&s);
    PD_CLOSE(pd_shuffle, &s.from, &s.pairs, &s.units);
    pd_cursor_release(&s.classes);
    pd_shuffle_close(&s.counts);
    pd_u64s_release(&s.crowded);
    return status;
}

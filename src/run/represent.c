/*
 * run/represent.c - one unit stands for each class; how frequent are the signatures of those units?
 */
#include <string.h>

#include "joining.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/store/cursor.h"

/* Classes on their way from their owners to the holders of the text. */
struct sending {
    struct joining *j;
    struct pd_cursor classes;
    uint64_t base; /* number of this rank's first class */
};

static int fill_classes(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sending *s = ctx;
    struct representative *out = (struct representative *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k < most && status == PD_OK) {
        const unsigned char *rec;
        size_t left;
        status = pd_cursor_look(&s->classes, &rec, &left);
        if (status != PD_OK)
            break;
        const struct pd_class *c = (const struct pd_class *)(const void *)rec;
        if (c->nsigs <= PD_SET_MOST)
            out[k++] = (struct representative){c->at[0].doc, c->at[0].unit, s->base + c->number};
        s->classes.at += pd_class_bytes(c);
    }
    *n = k * sizeof *out;
    return status;
}

static int owner_of_text(const void *rec, int nranks, void *ctx)
{
    const struct sending *s = ctx;
    (void)nranks;
    return pd_collection_holder(&s->j->job->collection, ((const struct representative *)rec)->doc);
}

static int take_classes(const void *recs, size_t bytes, void *ctx)
{
    struct representatives *reps = &((struct sending *)ctx)->j->reps;
    representatives_append(reps, recs, bytes / sizeof *reps->v);
    return PD_OK;
}

int pd_joining_represent(struct joining *j)
{
    const struct pd_comm *c = j->job->comm;
    const uint64_t mine = j->job->nclasses;
    struct pd_packed *classes = j->job->joined.v[0].classes;
    struct pd_bytes all = {0};
    pd_comm_gather(c, &mine, sizeof mine, &all);
    j->first = pd_realloc(NULL, (size_t)c->size + 1, sizeof *j->first);
    j->first[0] = 0;
    for (int r = 0; r < c->size; r++)
        j->first[r + 1] = j->first[r] + ((const uint64_t *)(const void *)all.v)[r];
    pd_bytes_release(&all);
    j->job->counts.classes = j->first[c->size];
    struct sending s = {.j = j, .base = j->first[c->rank]};
    pd_cursor_begin(&s.classes, classes, 0, pd_packed_blocks(classes));
    const struct pd_route route = {sizeof(struct representative), fill_classes, owner_of_text,
                                   take_classes, &s};
    const int status = pd_exchange(c, &route, &j->job->stages.moved);
    pd_cursor_release(&s.classes);
    pd_sort_records(j->reps.v, j->reps.n, 3, 2);
    return status;
}

/* ---- frequencies ---- */

/* How many representatives of a rank have a signature; the answer has its code for n. */
struct frequency {
    pd_sig sig;
    uint32_t rank, n;
};
PD_VEC(frequencies, struct frequency);

enum { SIGNATURES_SHARE = 4, FREQUENCIES_SHARE = 4 }; /* parts of --memory */

struct ordering {
    struct joining *j;
    struct pd_sorter *sigs; /* of this rank's representatives ... */
    const pd_sig *next;     /* ... in order, those at hand */
    size_t nnext;
    struct frequency counted; /* the signature at hand and how many have it; n 0: none */
    struct pd_sorter *counts; /* arrived, in order of signature */
    const struct frequency *recs;
    size_t nrecs, rec;
    struct frequencies group;   /* all of one signature ... */
    struct frequencies answers; /* ... to be sent */
};

static struct pd_sorter *new_sorter(const struct joining *j, size_t size, uint64_t share,
                                    uint32_t (*part)(const void *, uint32_t, void *))
{
    struct pd_collection *col = &j->job->collection;
    const struct pd_sorting how = {.size = size,
                                   .keys = 1,
                                   .memory = col->memory / share,
                                   .path = pd_scratch_path(col->scratch, "signatures"),
                                   .part = part,
                                   .ctx = (void *)j};
    return pd_sorter_new(&how);
}

static uint32_t part_of_sig(const void *rec, uint32_t nparts, void *ctx)
{
    (void)ctx;
    return (uint32_t)pd_part(*(const pd_sig *)rec, (int)nparts);
}

/* The bits below those that name the rank. */
static uint32_t part_of_frequency(const void *rec, uint32_t nparts, void *ctx)
{
    const struct joining *j = ctx;
    return (uint32_t)pd_part(((const struct frequency *)rec)->sig * (uint64_t)j->job->comm->size,
                             (int)nparts);
}

static int list_signatures(struct ordering *s)
{
    struct joining *j = s->j;
    const struct pd_sigs *set = &j->signing.signer.set;
    const double tau = j->job->options->tau;
    for (size_t k = 0; k < j->reps.n; k++) {
        size_t n;
        PD_TRY(pd_joining_sign(j, k, &n));
        PD_TRY(pd_sorter_push(s->sigs, set->v, n * sizeof *set->v));
        j->probe_bytes += (n - pd_similarity_smallest(tau, (uint32_t)n) + 1) * PD_PROBE_BYTES(n);
    }
    return pd_sorter_finish(s->sigs);
}

/* The next signature of this rank's representatives, as often as they have it. PD_END: no more. */
static int next_signature(struct ordering *s, pd_sig *sig)
{
    if (s->nnext == 0) {
        const unsigned char *recs;
        size_t n;
        const int status = pd_sorter_next(s->sigs, &recs, &n);
        if (status != PD_OK)
            return status;
        s->next = (const pd_sig *)(const void *)recs;
        s->nnext = n / sizeof *s->next;
    }
    *sig = *s->next++;
    s->nnext--;
    return PD_OK;
}

static int fill_frequencies(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct ordering *s = ctx;
    struct frequency *out = (struct frequency *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k < most && status == PD_OK) {
        pd_sig sig = 0;
        status = next_signature(s, &sig);
        if (status == PD_OK && s->counted.n && sig == s->counted.sig) {
            s->counted.n++;
            continue;
        }
        if (s->counted.n)
            out[k++] = s->counted;
        s->counted = (struct frequency){sig, (uint32_t)s->j->job->comm->rank, status == PD_OK};
    }
    *n = k * sizeof *out;
    return status;
}

static int owner_of_signature(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_part(((const struct frequency *)rec)->sig, nranks);
}

static int owner_of_answer(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)((const struct frequency *)rec)->rank;
}

static int take_frequencies(const void *recs, size_t bytes, void *ctx)
{
    return pd_sorter_push(((struct ordering *)ctx)->counts, recs, bytes);
}

static int take_codes(const void *recs, size_t bytes, void *ctx)
{
    struct pd_codes *codes = &((struct ordering *)ctx)->j->codes;
    const struct frequency *v = recs;
    const size_t n = bytes / sizeof *v;
    pd_codes_reserve(codes, codes->n + n);
    for (size_t k = 0; k < n; k++)
        pd_codes_add(codes, v[k].sig, (uint8_t)v[k].n);
    return PD_OK;
}

/* All ranks' counts of the next signature, in s->group; empty: no more. */
static int next_group(struct ordering *s, uint64_t *df)
{
    s->group.n = 0;
    *df = 0;
    for (;;) {
        if (s->rec == s->nrecs) {
            const unsigned char *recs;
            size_t n;
            const int status = pd_sorter_next(s->counts, &recs, &n);
            s->rec = s->nrecs = 0;
            if (status != PD_OK)
                return status < 0 ? status : PD_OK;
            s->recs = (const struct frequency *)(const void *)recs;
            s->nrecs = n / sizeof *s->recs;
        }
        const struct frequency *f = &s->recs[s->rec];
        if (s->group.n && f->sig != s->group.v[0].sig)
            return PD_OK;
        frequencies_push(&s->group, *f);
        *df += f->n;
        s->rec++;
    }
}

/* Answers about the signatures that more than one representative has. */
static int fill_codes(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct ordering *s = ctx;
    const size_t most = cap / sizeof *s->answers.v;
    bool end = false;
    while (s->answers.n < most && !end) {
        uint64_t df;
        PD_TRY(next_group(s, &df));
        end = s->group.n == 0;
        for (size_t k = 0; k < s->group.n && df > 1; k++)
            frequencies_push(&s->answers, (struct frequency){s->group.v[k].sig, s->group.v[k].rank,
                                                             pd_key_code(df)});
    }
    const size_t taken = s->answers.n < most ? s->answers.n : most;
    s->answers.n -= taken; /* from the end: their order does not matter */
    *n = taken * sizeof *s->answers.v;
    if (taken)
        memcpy(to, s->answers.v + s->answers.n, *n);
    return end && s->answers.n == 0 ? PD_END : PD_OK;
}

static int order(struct ordering *s)
{
    struct pd_detect *job = s->j->job;
    struct pd_route route = {sizeof(struct frequency), fill_frequencies, owner_of_signature,
                             take_frequencies, s};
    PD_TRY(pd_comm_agree(job->comm, list_signatures(s)));
    PD_TRY(pd_exchange(job->comm, &route, &job->stages.moved));
    pd_sorter_free(s->sigs);
    s->sigs = NULL;
    PD_TRY(pd_comm_agree(job->comm, pd_sorter_finish(s->counts)));
    route.fill = fill_codes;
    route.owner = owner_of_answer;
    route.sink = take_codes;
    return pd_exchange(job->comm, &route, &job->stages.moved);
}

int pd_joining_order(struct joining *j)
{
    struct ordering s = {
        .j = j,
        .sigs = new_sorter(j, sizeof(pd_sig), SIGNATURES_SHARE, part_of_sig),
        .counts = new_sorter(j, sizeof(struct frequency), FREQUENCIES_SHARE, part_of_frequency)};
    const int status = order(&s);
    pd_sorter_free(s.sigs);
    pd_sorter_free(s.counts);
    frequencies_release(&s.group);
    frequencies_release(&s.answers);
    return status;
}

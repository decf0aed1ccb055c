/*
 * run/stage/similar/represent.c - the first unit of each class represents it, and is signed by the
 * holder of its text.
 */
#include "joining.h"
#include "pardup/base/error.h"
#include "run/stage/classes/sign.h"

/* The first unit of a class. Goes to the holder of the document. Order: doc, unit. */
struct representative {
    pd_doc doc;
    uint64_t unit;
    uint64_t number; /* the class, among the classes of all ranks */
    uint64_t units;  /* its units */
};

struct representing {
    struct joining *j;
    struct pd_signing signing;
    struct pd_cursor classes; /* reads the classes of this rank */
    uint64_t base;            /* the number of this rank's first class */
    struct pd_shuffle reps;   /* struct representative, at the holders of the documents */
    struct pd_u64s set;       /* the struct signed_set that is written next */
};

/* Write the representatives of the next classes. */
static int next_class(void *ctx, void *out)
{
    struct representing *s = ctx;
    const unsigned char *rec;
    size_t left;
    PD_PASS(pd_cursor_look(&s->classes, &rec, &left));
    const struct pd_class *c = (const struct pd_class *)(const void *)rec;
    *(struct representative *)out =
        (struct representative){c->at[0].doc, c->at[0].unit, s->base + c->number, c->n};
    s->classes.at += pd_class_bytes(c);
    return PD_OK;
}

static const struct pd_flow representatives = {.name = "representatives",
                                               .budget = PD_BUDGET_REPRESENTATIVES,
                                               .size = sizeof(struct representative),
                                               .keys = 2,
                                               .owner = pd_to_holder};

/*
 * COLLECTIVE. Number the classes of all ranks: first the classes of rank 0, then of rank 1, and so
 * on.
 */
static void number_classes(struct joining *j)
{
    const struct pd_comm *c = j->job->comm;
    const uint64_t mine = j->job->gathered.nclasses;
    struct pd_bytes all = {0};
    pd_comm_gather(c, &mine, sizeof mine, &all);
    j->first = pd_realloc(NULL, (size_t)c->size + 1, sizeof *j->first);
    j->first[0] = 0;
    for (int r = 0; r < c->size; r++)
        j->first[r + 1] = j->first[r] + ((const uint64_t *)(const void *)all.v)[r];
    pd_bytes_release(&all);
    j->job->matches.counts.classes = j->first[c->size];
}

/*
 * Write the set that was signed last to the file of sets. LSH needs no keys, so its signatures
 * count as keys.
 */
static int keep_set(struct representing *s, const struct representative *rep)
{
    struct joining *j = s->j;
    const struct pd_options *o = j->job->options;
    const struct pd_sigs *sigs = &s->signing.signer.set;
    struct signed_set head = {.number = rep->number, .nset = (uint32_t)sigs->n, .weight = 1};
    if (o->method.sct) /* of a document, the only unit */
        head.weight = (uint32_t)(rep->units < UINT32_MAX ? rep->units : UINT32_MAX);
    if (o->method.join == PD_JOIN_LSH) {
        head.nkeys = head.nset;
        head.superimposed = pd_superimposed(sigs->v, sigs->n, (unsigned)o->method.bits,
                                            (unsigned)o->method.word_bits);
        if (head.nset <= PD_SET_MOST)
            j->probe_bytes += pd_joining_probes(j, &head) * (uint64_t)PD_PROBE_BYTES(head.nkeys);
    } else {
        head.nrest = head.nset;
        j->nsigs += head.nset;
        j->ncounts += (uint64_t)head.nset * head.weight;
    }
    j->nlarge += head.nset > PD_SET_MOST;
    s->set.n = 0;
    pd_u64s_append(&s->set, &head, sizeof head / sizeof *s->set.v);
    pd_u64s_append(&s->set, sigs->v, sigs->n);
    pd_joining_sort_keys(s->set.v + s->set.n - sigs->n, sigs->n);
    j->job->matches.counts.set_bytes += s->set.n * sizeof *s->set.v;
    return pd_packed_append(j->sets, s->set.v, s->set.n * sizeof *s->set.v, NULL);
}

/* Sign the representatives in order of documents, so that each document is decoded once. */
static int sign(struct representing *s)
{
    const void *rec;
    uint64_t doc = UINT64_MAX;
    int status;
    PD_TRY(pd_shuffle_sort_own(&s->reps));
    PD_TRY(pd_joining_new_sets(s->j, &s->j->sets));
    while ((status = pd_shuffle_next(&s->reps, &rec)) == PD_OK) {
        const struct representative *rep = rec;
        if (rep->doc != doc)
            PD_TRY(pd_signing_load_number(&s->signing, rep->doc));
        doc = rep->doc;
        PD_CHECK(pd_signing_sign(&s->signing, (uint32_t)rep->unit) <= UINT32_MAX);
        PD_TRY(keep_set(s, rep));
    }
    return status < 0 ? status : pd_packed_finish(s->j->sets);
}

static int represent(struct representing *s)
{
    struct pd_job *job = s->j->job;
    struct pd_packed *classes = job->matches.joined.v[0].classes;
    pd_cursor_begin(&s->classes, classes, 0, pd_packed_blocks(classes));
    PD_TRY(pd_shuffle_send_made(&s->reps, next_class, s));
    const int status = pd_comm_agree(job->comm, sign(s));
    pd_comm_sum(job->comm, &job->matches.counts.set_bytes, 1);
    return status;
}

int pd_joining_represent(struct joining *j)
{
    struct representing s = {.j = j};
    number_classes(j);
    s.base = j->first[j->job->comm->rank];
    pd_shuffle_open(&s.reps, &j->job->transport, &representatives, &j->job->collection, NULL);
    pd_signing_init(&s.signing, j->job);
    const int status = represent(&s);
    pd_cursor_release(&s.classes);
    pd_signing_release(&s.signing);
    pd_shuffle_close(&s.reps);
    pd_u64s_release(&s.set);
    return status;
}

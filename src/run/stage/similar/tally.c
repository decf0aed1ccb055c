/*
 * run/stage/similar/tally.c - finds similar sets by counting the signatures that they share.
 *
 * Ranks send an entry for each signature of a set to the owner of the signature. The owner lists
 * the sets that have it, and counts one shared signature for each two of them. The counts of a pair
 * travel to one rank, which adds them up. This finds the pairs with a set that does not travel to
 * meetings: a set of more than PD_SET_MOST signatures, or any set, if counting is cheaper (join.c).
 * All that grows with the sets or the pairs can be on disk, except the entries of one signature.
 */
#include "joining.h"
#include "pardup/base/error.h"
#include "pardup/join/pair_counter.h"

/* bytes of the largest counter: a larger one is slower, because each count misses the cache */
static const uint64_t COUNTER_MOST = 64 << 20;

/* A signature of a set. Goes to the owner of the signature. Order: key, number. */
struct entry {
    pd_key key;
    uint64_t number; /* the class, among the classes of all ranks */
    uint64_t nset;   /* signatures in the set */
};

struct tallying {
    struct joining *j;
    enum pd_join_kind kind;
    double tau;
    uint32_t smallest;         /* signatures in the smallest set that takes part */
    struct set_walk walk;      /* the sets of this rank */
    uint32_t next_key;         /* index of the key of walk.set that is sent next */
    struct pd_shuffle entries; /* struct entry, at the owners of their keys */
    struct pd_bytes met;       /* all entries of one key */
    size_t x, y;               /* entries of `met` that are paired next */
    struct pd_pair_counter counter;
    struct pd_shuffle counts; /* struct pd_pair_count, at the ranks that add them up */
    uint64_t shared, pairs;   /* counts sent and pairs judged on this rank */
};

/* ---- entries of this rank's sets ---- */

static int next_entry(void *ctx, void *rec)
{
    struct tallying *s = ctx;
    for (;;) {
        const struct signed_set *set = s->walk.set;
        if (set && set->nset >= s->smallest && s->next_key < set->nkeys) {
            *(struct entry *)rec = (struct entry){set->keys[s->next_key++], set->number, set->nset};
            return PD_OK;
        }
        s->next_key = 0;
        pd_stages_progress(&s->j->job->stages, s->walk.cursor.next, s->walk.cursor.end, 0, 0);
        PD_PASS(pd_set_walk_next(&s->walk));
    }
}

static const struct pd_flow entries_flow = {.name = "entries",
                                            .budget = PD_BUDGET_PROBES,
                                            .size = sizeof(struct entry),
                                            .keys = 2,
                                            .lone_useless = true,
                                            .goes = PD_BY_MIX,
                                            .spread = true};

/* ---- counts of pairs ---- */

/* Is the pair judged here, and can sets of its sizes be similar? */
static bool is_wanted(const struct tallying *s, const struct entry *x, const struct entry *y)
{
    const uint32_t larger = (uint32_t)(x->nset > y->nset ? x->nset : y->nset);
    const uint32_t smaller = (uint32_t)(x->nset < y->nset ? x->nset : y->nset);
    /* the division rounds as that of the similarity, which is at most this quotient */
    return larger > s->j->most_sent && (double)smaller / (double)larger >= s->tau;
}

/*
 * Go on to the next two entries of one key. Returns PD_OK; PD_END: there are no more; or a failure.
 */
static int next_two(struct tallying *s)
{
    s->y++;
    if (s->y >= s->met.n / sizeof(struct entry)) {
        s->x++;
        s->y = s->x + 1;
    }
    while (s->y >= s->met.n / sizeof(struct entry)) {
        PD_PASS(pd_shuffle_group(&s->entries, 1, &s->met));
        s->x = 0;
        s->y = 1;
    }
    return PD_OK;
}

/* Count shared signatures. The next count is one that leaves the counter. */
static int next_count(void *ctx, void *rec)
{
    struct tallying *s = ctx;
    bool left = false;
    int status = PD_OK;
    while (!left && (status = next_two(s)) == PD_OK) {
        const struct entry *all = (const struct entry *)(const void *)s->met.v;
        const struct entry *x = &all[s->x], *y = &all[s->y];
        const struct pd_pair_count pair = {x->number, y->number, (uint32_t)x->nset,
                                           (uint32_t)y->nset, 0};
        left = is_wanted(s, x, y) && pd_pair_counter_add(&s->counter, &pair, rec);
    }
    left = left || (status == PD_END && pd_pair_counter_flush(&s->counter, rec));
    s->shared += left;
    return left ? PD_OK : status;
}

static int owner_of_count(const void *rec, int nranks, void *ctx)
{
    const struct pd_pair_count *count = rec;
    (void)ctx;
    return pd_hash_range(pd_mix(count->x + pd_mix(count->y)), nranks);
}

static const struct pd_flow counts_flow = {.name = "shared",
                                           .budget = PD_BUDGET_PAIR_COUNTS,
                                           .size = sizeof(struct pd_pair_count),
                                           .keys = 2,
                                           .owner = owner_of_count};

/* ---- pairs ---- */

/* Keep a pair that shares pair->n signatures, if that makes it similar. */
static int judge(struct tallying *s, const struct pd_pair_count *pair)
{
    struct joining *j = s->j;
    const double similarity = pd_similarity(s->kind, (uint32_t)pair->n, pair->nx, pair->ny);
    s->pairs++;
    if (similarity < s->tau)
        return PD_OK;
    if (j->job->options->method.max_near) {
        const struct crowd crowds[2] = {{pair->x, 1}, {pair->y, 1}};
        PD_TRY(pd_shuffle_push(&j->crowds, crowds, sizeof crowds));
    }
    const struct pd_similar found = {pair->x, pair->y, similarity};
    return pd_shuffle_push(&j->found, &found, sizeof found);
}

/* Add up the counts of each pair that have come to this rank. */
static int add_up(struct tallying *s)
{
    struct pd_pair_count sum = {0};
    const void *rec;
    int status = pd_shuffle_sort_own(&s->counts);
    while (status == PD_OK) {
        status = pd_shuffle_look(&s->counts, &rec);
        const struct pd_pair_count *next = rec;
        if (next && next->x == sum.x && next->y == sum.y) {
            sum.n += next->n;
        } else {
            if (sum.n && status >= 0)
                PD_TRY(judge(s, &sum));
            sum = next ? *next : sum;
        }
        if (next)
            pd_shuffle_pass(&s->counts, sizeof *next);
    }
    return status < 0 ? status : PD_OK;
}

/* COLLECTIVE. */
static int tally(struct tallying *s)
{
    struct joining *j = s->j;
    pd_set_walk_begin(&s->walk, j->sets);
    pd_shuffle_open(&s->entries, &j->job->transport, &entries_flow, s, NULL);
    PD_TRY(pd_shuffle_make(&s->entries, next_entry, s));
    pd_shuffle_open(&s->counts, &j->job->transport, &counts_flow, s, NULL);
    PD_TRY(pd_shuffle_send_made(&s->counts, next_count, s));
    pd_shuffle_close(&s->entries);
    return pd_comm_agree(j->job->comm, add_up(s));
}

int pd_joining_tally(struct joining *j)
{
    const struct pd_method_options *o = &j->job->options->method;
    struct pd_join_counts *counts = &j->job->matches.counts;
    const uint64_t room = pd_transport_budget(&j->job->transport, PD_BUDGET_TALLY);
    const uint64_t wanted =
        o->join == PD_JOIN_LSH ? COUNTER_MOST : 2 * j->nshared * sizeof(struct pd_pair_count);
    const uint64_t useful = wanted < COUNTER_MOST ? wanted : COUNTER_MOST;
    struct tallying s = {.j = j,
                         .kind = o->join,
                         .tau = o->tau,
                         .smallest = pd_similarity_smallest(o->tau, j->most_sent + 1)};
    pd_pair_counter_init(&s.counter, useful > room ? room : useful);
    const int status = tally(&s);
    uint64_t sums[2] = {s.shared, s.pairs};
    pd_comm_sum(j->job->comm, sums, 2);
    counts->shared = sums[0];
    counts->candidates += sums[1];
    counts->verified += sums[1];
    pd_cursor_release(&s.walk.cursor);
    pd_bytes_release(&s.met);
    pd_pair_counter_release(&s.counter);
    PD_CLOSE(pd_shuffle, &s.entries, &s.counts);
    return status;
}

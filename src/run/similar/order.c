/*
 * run/similar/order.c - how frequent are the signatures of representatives? Sets of signatures become sets of
 * keys, which sort rarest first (join/similar.h).
 *
 * Counts go to the owners of the signatures, codes of those that several representatives have come
 * back, in order, and the file of sets is written anew with as many codes as fit in memory: once as
 * a rule, several times where a rank has more of them.
 *
 * Most signatures are in one set only. Owners leave these out before they sort (store/sorter.h), which
 * is why a signature counted more than once is always told in two records.
 */
#include <stdlib.h>
#include <string.h>

#include "joining.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/comm/exchange.h"
#include "pardup/join/codes.h"

enum { PASSES_MOST = 8 }; /* of the signatures, so that those of one fit in memory */
enum {
    COUNTING_BITS = 14
}; /* so many signatures, as a power of two, are counted before they are told */
enum { COUNTING = 1 << COUNTING_BITS };

/*
 * How many representatives of a rank have a signature: in several records what was counted at a
 * time. The answer has its code for n.
 */
struct frequency {
    pd_sig sig;
    uint32_t rank, n;
};
PD_VEC(frequencies, struct frequency);

struct ordering {
    struct joining *j;
    uint64_t pass, npasses;     /* of each owner's signatures */
    struct set_walk walk;       /* of this rank's representatives ... */
    uint32_t next;              /* ... the signature of the set at hand that is counted next */
    struct frequency *counting; /* COUNTING, by the signature's first bits; n 0: none ... */
    size_t flushed;             /* ... of which, when there are no more, so many have been told */
    uint64_t ntold;             /* of all signatures, each as often as it is in a set */
    struct pd_shuffle counts;   /* at the owners of the signatures */
    struct frequencies group;   /* a signature's, one of each rank that has it ... */
    size_t told;                /* ... of whom so many have been answered */
    uint32_t code;              /* ... this */
    struct pd_shuffle answers;  /* at the ranks that asked, of all passes */
    struct pd_codes codes;      /* ... and those at hand: */
    pd_sig through;             /* all codes up to that of this signature */
    struct pd_u64s set;         /* a struct signed_set, to be written */
};

/* The bits below those that name the rank, and then below those that name the slice. */
static uint64_t in_rank(const struct ordering *s, pd_sig sig)
{
    return sig * (uint64_t)s->j->job->comm->size;
}

static uint32_t partition_of_count(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct ordering *s = ctx;
    const pd_sig sig = ((const struct frequency *)rec)->sig;
    return (uint32_t)pd_hash_range(in_rank(s, sig) * s->npasses, (int)npartitions);
}

static uint32_t partition_of_answer(const void *rec, uint32_t npartitions, void *ctx)
{
    (void)ctx;
    return (uint32_t)pd_hash_range(((const struct frequency *)rec)->sig, (int)npartitions);
}

/* What has been counted in a slot, as records; how many. */
static size_t tell(struct ordering *s, const struct frequency *slot, struct frequency *out)
{
    const uint32_t rank = (uint32_t)s->j->job->comm->rank;
    if (slot->n == 0)
        return 0;
    s->ntold += slot->n;
    out[0] = (struct frequency){slot->sig, rank, 1};
    out[1] = (struct frequency){slot->sig, rank, slot->n - 1};
    return slot->n > 1 ? 2 : 1;
}

/* Count signatures of the set at hand; tell those that have to make room, n records in all. */
static size_t count_some(struct ordering *s, struct frequency *out, size_t n, size_t most)
{
    const struct signed_set *set = s->walk.set;
    for (; s->next < set->nrest && n + 2 <= most; s->next++) {
        const pd_sig sig = set->keys[s->next];
        if ((uint64_t)pd_hash_range(in_rank(s, sig), (int)s->npasses) != s->pass)
            continue;
        struct frequency *slot = &s->counting[sig >> (64 - COUNTING_BITS)];
        if (slot->sig != sig) {
            n += tell(s, slot, out + n);
            *slot = (struct frequency){.sig = sig};
        }
        slot->n++;
    }
    return n;
}

static int fill_frequencies(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct ordering *s = ctx;
    struct frequency *out = (struct frequency *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k + 2 <= most && status == PD_OK) {
        if (s->walk.set)
            k = count_some(s, out, k, most);
        if (k + 2 > most)
            break;
        status = pd_set_walk_next(&s->walk);
        s->next = 0;
    }
    while (status == PD_END && s->flushed < COUNTING) {
        if (k + 2 > most) {
            status = PD_OK;
        } else {
            k += tell(s, &s->counting[s->flushed], out + k);
            s->flushed++;
        }
    }
    *n = k * sizeof *out;
    return status;
}

static int owner_of_signature(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(((const struct frequency *)rec)->sig, nranks);
}

static int owner_of_answer(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)((const struct frequency *)rec)->rank;
}

static const struct pd_flow counts_flow = {.name = "frequencies",
                                           .budget = PD_BUDGET_FREQUENCIES,
                                           .size = sizeof(struct frequency),
                                           .keys = 1,
                                           .lone_useless = true,
                                           .owner = owner_of_signature,
                                           .partition = partition_of_count};

static const struct pd_flow answers_flow = {.name = "answers",
                                            .budget = PD_BUDGET_CODED,
                                            .size = sizeof(struct frequency),
                                            .keys = 1,
                                            .owner = owner_of_answer,
                                            .partition = partition_of_answer};

static void add_rank(struct ordering *s, const struct frequency *f)
{
    for (size_t k = s->group.n; k-- > 0;)
        if (s->group.v[k].rank == f->rank)
            return;
    frequencies_push(&s->group, *f);
}

/* The ranks that have the next signature, in s->group, and how many sets. PD_END: no more. */
static int next_group(struct ordering *s, uint64_t *df)
{
    const void *rec;
    s->group.n = 0;
    *df = 0;
    for (;;) {
        PD_TRY(pd_shuffle_look(&s->counts, &rec));
        const struct frequency *f = rec;
        if (!f || (s->group.n && f->sig != s->group.v[0].sig))
            return s->group.n ? PD_OK : PD_END;
        add_rank(s, f);
        *df += f->n;
        pd_shuffle_pass(&s->counts, sizeof *f);
    }
}

/* Answers about the signatures that more than one representative has. */
static int fill_answers(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct ordering *s = ctx;
    struct frequency *out = (struct frequency *)(void *)to;
    const size_t most = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k < most && status == PD_OK) {
        if (s->told < s->group.n) {
            out[k] = s->group.v[s->told++];
            out[k++].n = s->code;
            continue;
        }
        uint64_t df;
        status = next_group(s, &df);
        s->told = df > 1 ? 0 : s->group.n;
        s->code = df > 1 ? pd_key_code(df) : 0;
    }
    *n = k * sizeof *out;
    return status;
}

/*
 * COLLECTIVE. Into how many slices signatures are cut. To read the sets several times costs less than
 * to spill signatures that are in one set only.
 */
static uint64_t passes_needed(const struct ordering *s)
{
    const struct pd_job *job = s->j->job;
    uint64_t nsigs = s->j->nsigs;
    pd_comm_sum(job->comm, &nsigs, 1);
    const uint64_t bytes = nsigs / (uint64_t)job->comm->size * sizeof(struct frequency);
    const uint64_t held =
        pd_transport_budget(&job->transport, PD_BUDGET_FREQUENCIES) / 3; /* by a sorter, at least */
    const uint64_t wanted = bytes / (held ? held : 1) + 1;
    return wanted < PASSES_MOST ? wanted : PASSES_MOST;
}

/* COLLECTIVE. Codes of this rank's signatures of a slice, into s->answers. */
static int ask_pass(struct ordering *s)
{
    pd_set_walk_begin(&s->walk, s->j->sets);
    memset(s->counting, 0, COUNTING * sizeof *s->counting);
    s->flushed = 0;
    pd_shuffle_open(&s->counts, &s->j->job->transport, &counts_flow, s, NULL);
    PD_TRY(pd_shuffle_send(&s->counts, fill_frequencies, s));
    PD_TRY(pd_shuffle_sort(&s->counts));
    s->group.n = s->told = 0;
    PD_TRY(pd_shuffle_send(&s->answers, fill_answers, s));
    pd_shuffle_close(&s->counts);
    return PD_OK;
}

static int ask(struct ordering *s)
{
    s->npasses = passes_needed(s);
    pd_shuffle_open(&s->answers, &s->j->job->transport, &answers_flow, s, NULL);
    for (s->pass = 0; s->pass < s->npasses; s->pass++)
        PD_TRY(ask_pass(s));
    PD_CHECK(s->ntold ==
             s->j->nsigs); /* a lost count would change what meets, seldom and silently */
    return PD_OK;
}

/* ---- codes ---- */

/* The next codes, as many as there is room for; s->through is the largest signature with the last ones. */
static int next_codes(struct ordering *s)
{
    const uint64_t most =
        pd_transport_budget(&s->j->job->transport, PD_BUDGET_CODES) / PD_CODES_BYTES;
    const uint64_t all = pd_sorter_bytes(s->answers.sorter) / sizeof(struct frequency);
    const uint64_t room = all < most ? all : most;
    const void *rec;
    pd_codes_begin(&s->codes, room < 1 ? 1 : room > UINT32_MAX ? UINT32_MAX : room);
    for (;;) {
        PD_TRY(pd_shuffle_look(&s->answers, &rec));
        const struct frequency *f = rec;
        if (!f || s->codes.n == s->codes.room)
            break;
        pd_codes_push(&s->codes, f->sig, (uint8_t)f->n);
        pd_shuffle_pass(&s->answers, sizeof *f);
    }
    s->through = rec ? s->codes.sigs[s->codes.n - 1] : UINT64_MAX;
    pd_codes_end(&s->codes);
    return PD_OK;
}

/* Keys for signatures; those that no other representative has are left out. */
static int code_set(struct ordering *s, const struct signed_set *old, struct pd_packed *to)
{
    struct joining *j = s->j;
    const size_t head = sizeof *old / sizeof *s->set.v;
    const pd_sig *sigs = old->keys + old->nkeys;
    uint8_t codes[PD_SET_MOST];
    size_t found = 0;
    while (found < old->nrest && sigs[found] <= s->through)
        found++;
    pd_codes_find(&s->codes, sigs, found, codes);
    s->set.n = 0;
    pd_u64s_append(&s->set, old, head + old->nkeys);
    for (size_t k = 0; k < found; k++)
        if (codes[k])
            pd_u64s_push(&s->set, pd_key_of(sigs[k], codes[k]));
    const size_t nkeys = s->set.n - head;
    pd_u64s_append(&s->set, sigs + found, old->nrest - found);
    struct signed_set *set = (struct signed_set *)(void *)s->set.v;
    set->nkeys = (uint16_t)nkeys;
    set->nrest = (uint16_t)(old->nrest - found);
    const uint32_t probes = pd_joining_probes(j, set);
    if (!probes) /* whatever the rest is */
        return PD_OK;
    if (s->through == UINT64_MAX) {
        pd_joining_sort_keys(set->keys, nkeys);
        j->nprobes += probes;
        j->probe_bytes += probes * (uint64_t)PD_PROBE_BYTES(nkeys);
    }
    return pd_packed_append(to, set, signed_set_bytes(set), NULL);
}

/* The file of sets once more, with the codes at hand. */
static int code_sets(struct ordering *s)
{
    struct joining *j = s->j;
    struct pd_packed *to;
    struct set_walk walk = {0};
    int status = pd_joining_new_sets(j, &to);
    pd_set_walk_begin(&walk, j->sets);
    while (status >= 0 && (status = pd_set_walk_next(&walk)) == PD_OK)
        status = code_set(s, walk.set, to);
    if (status >= 0)
        status = pd_packed_finish(to);
    pd_cursor_release(&walk.cursor);
    pd_packed_close(j->sets);
    j->sets = to;
    return status;
}

static int code_all(struct ordering *s)
{
    PD_TRY(pd_shuffle_sort_own(&s->answers));
    do {
        PD_TRY(next_codes(s));
        PD_TRY(code_sets(s));
    } while (s->through < UINT64_MAX);
    return PD_OK;
}

static int order(struct ordering *s)
{
    PD_TRY(ask(s));
    return pd_comm_agree(s->j->job->comm, code_all(s));
}

int pd_joining_order(struct joining *j)
{
    struct ordering s = {.j = j, .counting = pd_realloc(NULL, COUNTING, sizeof *s.counting)};
    const int status = order(&s);
    pd_cursor_release(&s.walk.cursor);
    free(s.counting);
    pd_shuffle_close(&s.counts);
    pd_shuffle_close(&s.answers);
    pd_codes_release(&s.codes);
    frequencies_release(&s.group);
    pd_u64s_release(&s.set);
    return status;
}

/*
 * run/stage/similar/order.c - orders the signatures of representatives by frequency: signature sets
 * become sets of keys, which sort rarest first (join/similar.h).
 *
 * Ranks count the signatures of their sets and send the counts to the owners of the signatures.
 * Owners reply with a code for every signature that several representatives have. Each rank then
 * writes its file of sets anew, with keys instead of signatures. The file is written once if all
 * codes of the rank fit in memory. Otherwise it is written several times, each time with the next
 * codes in order of signature.
 *
 * Most signatures are in one set only. Before they sort, owners drop a signature of which they get
 * a single record (lone_useless, store/sorter.h). A rank that has counted a signature more than
 * once therefore sends two records, one with the count 1 and one with the rest, so that it is not
 * dropped.
 */

#include "joining.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/join/codes.h"
#include "pardup/join/counter.h"
#include "pardup/store/sorter.h"

/* most passes over the sets; each counts a range of signatures, which should fit in memory */
enum { PASSES_MOST = 8 };

/*
 * in place of a code: the signature is over --sct; greater than every code, which is below 4 * 62
 */
enum { TOO_COMMON = UINT8_MAX };

/*
 * A count of a signature on one rank, on its way to the owner of the signature; and the owner's
 * reply to that rank. A rank may send several records of one signature, whose counts are added up.
 * Order: sig.
 */
struct frequency {
    pd_sig sig;
    uint32_t rank; /* the rank whose sets were counted */
    uint32_t n;    /* count: sets of the rank that have the signature; reply: the code */
};
PD_VEC(frequencies, struct frequency);

struct ordering {
    struct joining *j;

    uint64_t pass, npasses; /* each pass counts a range of each owner's signatures */
    struct set_walk walk;   /* the sets of this rank */
    uint32_t next_sig;      /* index of the signature of walk.set that is counted next */
    struct pd_sig_counter counter;
    uint64_t counted; /* signatures of all sets and passes so far, with repetitions */

    struct pd_shuffle counts; /* counts of one pass, at the owners of the signatures */
    struct frequencies group; /* a record for each rank that has one signature */
    size_t replied;           /* ranks of `group` that have been replied to */
    uint32_t code;            /* the code of the signature of `group` */

    struct pd_shuffle replies; /* replies of all passes, at the ranks that sent the counts */
    struct pd_codes codes;     /* codes of a range of signatures */
    pd_sig through;            /* the last signature of that range, or UINT64_MAX: the end */
    struct pd_u64s set;        /* the struct signed_set that is written next */
    struct pd_bytes found;     /* the codes of some of its signatures */
};

/* ---- counts to the owners ---- */

/*
 * The product drops the leading bits, which chose the owner. So the signatures of an owner are
 * spread over all 64 bits.
 */
static uint64_t within_owner(const struct ordering *s, pd_sig sig)
{
    return sig * (uint64_t)s->j->job->comm->size;
}

/* Is the signature counted in pass s->pass? */
static bool is_of_pass(const struct ordering *s, pd_sig sig)
{
    return (uint64_t)pd_hash_range(within_owner(s, sig), (int)s->npasses) == s->pass;
}

/* Write a count as records. Returns how many records: two, or one if the count is 1. */
static size_t write_count(struct ordering *s, const struct pd_sig_count *count,
                          struct frequency *out)
{
    const uint32_t rank = (uint32_t)s->j->job->comm->rank;
    s->counted += count->n;
    out[0] = (struct frequency){count->sig, rank, 1};
    out[1] = (struct frequency){count->sig, rank, (uint32_t)(count->n - 1)};
    return count->n > 1 ? 2 : 1;
}

/*
 * Count signatures of walk.set, and write counts that leave the counter to `out`, as long as it has
 * room for two more records. Returns how many records `out` then has.
 */
static size_t count_set(struct ordering *s, struct frequency *out, size_t n, size_t room)
{
    const struct signed_set *set = s->walk.set;
    struct pd_sig_count left;
    for (; s->next_sig < set->nrest && n + 2 <= room; s->next_sig++) {
        const pd_sig sig = set->keys[s->next_sig];
        if (is_of_pass(s, sig) && pd_sig_counter_add(&s->counter, sig, set->weight, &left))
            n += write_count(s, &left, out + n);
    }
    return n;
}

/*
 * Write counts: first the counts that leave the counter while sets are counted, then the counts
 * that are left in it.
 */
static int fill_counts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct ordering *s = ctx;
    struct frequency *out = (struct frequency *)(void *)to;
    const size_t room = cap / sizeof *out;
    struct pd_sig_count left;
    size_t k = 0;
    int status = PD_OK;
    while (k + 2 <= room && status == PD_OK) {
        if (s->walk.set)
            k = count_set(s, out, k, room);
        if (k + 2 > room)
            break;
        status = pd_set_walk_next(&s->walk);
        s->next_sig = 0;
    }
    bool more = true; /* the counter may hold counts; a walk that has ended stays ended */
    while (status == PD_END && k + 2 <= room && (more = pd_sig_counter_flush(&s->counter, &left)))
        k += write_count(s, &left, out + k);
    *n = k * sizeof *out;
    return status == PD_END && more ? PD_OK : status;
}

/* Spread the signatures of one owner and pass over all partitions. */
static uint32_t partition_of_count(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct ordering *s = ctx;
    const pd_sig sig = ((const struct frequency *)rec)->sig;
    return (uint32_t)pd_hash_range(within_owner(s, sig) * s->npasses, (int)npartitions);
}

static const struct pd_flow counts_flow = {.name = "frequencies",
                                           .budget = PD_BUDGET_FREQUENCIES,
                                           .size = sizeof(struct frequency),
                                           .keys = 1,
                                           .lone_useless = true,
                                           .goes = PD_BY_HASH,
                                           .partition = partition_of_count};

/* ---- codes back to the ranks that asked ---- */

/* Add the rank of a count to s->group, unless it is there. */
static void add_rank(struct ordering *s, const struct frequency *count)
{
    for (size_t k = s->group.n; k-- > 0;)
        if (s->group.v[k].rank == count->rank)
            return;
    frequencies_push(&s->group, *count);
}

/*
 * Read the counts of the next signature: the ranks that have it into s->group, the number of sets
 * that have it into *sets. PD_END: there is no more signature.
 */
static int next_group(struct ordering *s, uint64_t *sets)
{
    const void *rec;
    s->group.n = 0;
    *sets = 0;
    for (;;) {
        PD_TRY(pd_shuffle_look(&s->counts, &rec));
        const struct frequency *count = rec;
        if (!count || (s->group.n && count->sig != s->group.v[0].sig))
            return s->group.n ? PD_OK : PD_END;
        add_rank(s, count);
        *sets += count->n;
        pd_shuffle_pass(&s->counts, sizeof *count);
    }
}

/* The code of a signature that is in `sets` sets; with --sct: in that many documents. */
static uint32_t code_of(const struct ordering *s, uint64_t sets)
{
    const uint64_t sct = (uint64_t)s->j->job->options->method.sct;
    if (sct && sets > sct)
        return TOO_COMMON;
    return sets > 1 ? pd_key_code(sets) : 0;
}

/* The next code of a signature that more than one set has, for each rank that has it. */
static int next_reply(void *ctx, void *rec)
{
    struct ordering *s = ctx;
    struct frequency *reply = rec;
    while (s->replied == s->group.n) {
        uint64_t sets;
        PD_PASS(next_group(s, &sets));
        s->replied = sets > 1 ? 0 : s->group.n;
        s->code = code_of(s, sets);
        if (s->code != TOO_COMMON)
            s->j->nshared += sets * (sets - 1) / 2;
    }
    *reply = s->group.v[s->replied++];
    reply->n = s->code;
    return PD_OK;
}

static int rank_that_asked(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    (void)nranks;
    return (int)((const struct frequency *)rec)->rank;
}

static const struct pd_flow replies_flow = {.name = "codes",
                                            .budget = PD_BUDGET_CODED,
                                            .size = sizeof(struct frequency),
                                            .keys = 1,
                                            .owner = rank_that_asked,
                                            .spread = true};

/*
 * COLLECTIVE. The number of passes in which signatures are counted. Reading the sets several times
 * costs less than spilling the counts of signatures that are in one set only.
 */
static uint64_t passes_needed(const struct ordering *s)
{
    const struct pd_job *job = s->j->job;
    uint64_t nsigs = s->j->nsigs;
    pd_comm_sum(job->comm, &nsigs, 1);
    const uint64_t bytes = nsigs / (uint64_t)job->comm->size * sizeof(struct frequency);
    /* records take at least a third of a sorter's budget */
    const uint64_t fits = pd_transport_budget(&job->transport, PD_BUDGET_FREQUENCIES) / 3;
    const uint64_t wanted = bytes / (fits ? fits : 1) + 1;
    return wanted < PASSES_MOST ? wanted : PASSES_MOST;
}

/* COLLECTIVE. Get the codes of this rank's signatures of one pass into s->replies. */
static int ask_pass(struct ordering *s)
{
    pd_set_walk_begin(&s->walk, s->j->sets);
    pd_sig_counter_clear(&s->counter);
    pd_shuffle_open(&s->counts, &s->j->job->transport, &counts_flow, s, NULL);
    PD_TRY(pd_shuffle_gather(&s->counts, fill_counts, s));
    s->group.n = s->replied = 0;
    PD_TRY(pd_shuffle_send_made(&s->replies, next_reply, s));
    pd_shuffle_close(&s->counts);
    return PD_OK;
}

/* COLLECTIVE. Get the codes of all of this rank's signatures into s->replies. */
static int ask(struct ordering *s)
{
    s->npasses = passes_needed(s);
    pd_shuffle_open(&s->replies, &s->j->job->transport, &replies_flow, s, NULL);
    for (s->pass = 0; s->pass < s->npasses; s->pass++)
        PD_TRY(ask_pass(s));
    PD_CHECK(s->counted == s->j->ncounts); /* a lost count would change which sets meet, silently */
    return PD_OK;
}

/* ---- sets with keys instead of signatures ---- */

/* Take the codes of the next range of signatures, as large as memory allows, into s->codes. */
static int next_codes(struct ordering *s)
{
    const uint64_t fits =
        pd_transport_budget(&s->j->job->transport, PD_BUDGET_CODES) / PD_CODES_BYTES;
    const uint64_t all = pd_sorter_bytes(s->replies.sorter) / sizeof(struct frequency);
    const uint64_t room = all < fits ? all : fits;
    const void *rec;
    pd_codes_begin(&s->codes, room < 1 ? 1 : room > UINT32_MAX ? UINT32_MAX : room);
    for (;;) {
        PD_TRY(pd_shuffle_look(&s->replies, &rec));
        const struct frequency *reply = rec;
        if (!reply || s->codes.n == s->codes.room)
            break;
        pd_codes_push(&s->codes, reply->sig, (uint8_t)reply->n);
        pd_shuffle_pass(&s->replies, sizeof *reply);
    }
    s->through = rec ? s->codes.sigs[s->codes.n - 1] : UINT64_MAX;
    pd_codes_end(&s->codes);
    return PD_OK;
}

/*
 * Copy a set, with keys in place of its signatures up to s->through. Signatures that no other set
 * has are dropped, and signatures over --sct, which no longer belong to the set. A set that can
 * meet no other set is dropped whole.
 *
 * --sct: shingle commonality threshold, Nikkhoo, "The Impact of Near-Duplicate Documents on
 * Information Retrieval Evaluation", thesis, University of Waterloo 2010, section 3.3.2. The thesis
 * keeps common signatures in the sizes of its sets (join/pair_counter.h).
 */
static int code_set(struct ordering *s, const struct signed_set *old, struct pd_packed *to)
{
    struct joining *j = s->j;
    const size_t head = sizeof *old / sizeof *s->set.v;
    const pd_sig *sigs = old->keys + old->nkeys; /* the signatures without a code yet */
    size_t known = 0;                            /* signatures up to s->through */
    while (known < old->nrest && sigs[known] <= s->through)
        known++;
    pd_bytes_reserve(&s->found, known);
    unsigned char *codes = s->found.v;
    pd_codes_find(&s->codes, sigs, known, codes);
    s->set.n = 0;
    pd_u64s_append(&s->set, old, head + old->nkeys);
    uint32_t too_common = 0;
    for (size_t k = 0; k < known; k++)
        if (codes[k] == TOO_COMMON)
            too_common++;
        else if (codes[k])
            pd_u64s_push(&s->set, pd_key_of(sigs[k], codes[k]));
    const size_t nkeys = s->set.n - head;
    pd_u64s_append(&s->set, sigs + known, old->nrest - known);
    struct signed_set *set = (struct signed_set *)(void *)s->set.v;
    set->nkeys = (uint32_t)nkeys;
    set->nrest = (uint32_t)(old->nrest - known);
    set->nset -= too_common;
    if (set->nset == 0) {
        const struct crowd nothing = {set->number, PD_NOTHING_LEFT};
        return pd_shuffle_push(&j->crowds, &nothing, sizeof nothing);
    }
    const uint32_t probes = pd_joining_probes(j, set); /* signatures without a code yet count */
    if (!probes)
        return PD_OK;
    if (s->through == UINT64_MAX)
        pd_joining_sort_keys(set->keys, nkeys);
    if (s->through == UINT64_MAX && set->nset <= PD_SET_MOST) {
        j->nprobes += probes;
        j->probe_bytes += probes * (uint64_t)PD_PROBE_BYTES(nkeys);
    }
    return pd_packed_append(to, set, signed_set_bytes(set), NULL);
}

/* Write the file of sets anew, with keys for the codes in s->codes. */
static int code_sets(struct ordering *s)
{
    struct joining *j = s->j;
    struct pd_packed *to;
    struct set_walk walk = {0};
    int status = pd_joining_new_sets(j, &to);
    pd_set_walk_begin(&walk, j->sets);
    while (status >= 0 && (status = pd_set_walk_next(&walk)) == PD_OK)
        status = code_set(s, walk.set, to);
    PD_THEN(status, pd_packed_finish(to));
    pd_cursor_release(&walk.cursor);
    pd_packed_close(j->sets);
    j->sets = to;
    return status;
}

/* Write the file of sets anew until all signatures have become keys. */
static int code_all(struct ordering *s)
{
    PD_TRY(pd_shuffle_sort_own(&s->replies));
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
    struct ordering s = {.j = j};
    pd_sig_counter_init(&s.counter);
    const int status = order(&s);
    pd_cursor_release(&s.walk.cursor);
    pd_sig_counter_release(&s.counter);
    PD_CLOSE(pd_shuffle, &s.counts, &s.replies);
    pd_codes_release(&s.codes);
    frequencies_release(&s.group);
    pd_u64s_release(&s.set);
    pd_bytes_release(&s.found);
    return status;
}

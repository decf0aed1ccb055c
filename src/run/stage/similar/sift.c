/*
 * run/stage/similar/sift.c - sets are announced at their meetings, and travel only to meetings
 * where they are wanted.
 *
 * The more sets there are, the more of a set's rare signatures are in some other set by chance. The
 * whole set would then be sent to more and more meetings to which no similar set comes. So a notice
 * is sent first. It holds the size of the set, the position of the meeting in it and a small bitmap
 * of the keys behind it, which rule out nearly all pairs that are not similar (join/bitmaps.h). A
 * notice also names the key before the meeting, so most pairs are wanted at one meeting only.
 */
#include "joining.h"
#include "pardup/base/error.h"

enum { LARGE = 80 }; /* mean bytes of a probe up to which notices save nothing */

/*
 * A request for a set to come to a meeting. Goes to the rank that has the set. Order: set, meeting.
 */
struct wanted {
    uint64_t set; /* index of the set in the file of sets of its rank */
    uint64_t meeting;
    uint64_t rank; /* the rank that has the set */
};

struct sifting {
    struct joining *j;
    uint64_t pass, npasses;
    struct set_walk walk;      /* the sets of this rank */
    uint64_t set;              /* index of walk.set in its file */
    uint32_t next_key;         /* index of the key of walk.set that is announced next */
    struct pd_shuffle notices; /* struct pd_notice, at the owners of their meetings */
    struct pd_spare spare;     /* memory that a pass hands on to the next */
    struct pd_bytes met;       /* the notices of one meeting */
    size_t nwanted;            /* notices of wanted sets, at the front of `met` */
    size_t requested;          /* wanted sets that have been requested */
    struct pd_shuffle wanted;  /* struct wanted, at the ranks that have the sets */
    struct pd_comparison comparison;
    struct pd_u64s out; /* the struct signed_set that is written next */
    uint64_t nnotices;  /* notices that this rank has written */
};

/* ---- notices of this rank's sets ---- */

/* The notice of walk.set at the meeting of this key of it. */
static struct pd_notice notice_of(const struct sifting *s, uint32_t key)
{
    const struct signed_set *set = s->walk.set;
    const uint32_t rest = set->nkeys - key - 1u;
    const struct pd_bitmap b = pd_bitmap_of(set->keys + key + 1, rest, set->nset);
    struct pd_notice notice = {.meeting = set->keys[key],
                               .nset = set->nset,
                               .rank = (uint32_t)s->j->job->comm->rank,
                               .rest = rest,
                               .set = s->set,
                               .before = key ? set->keys[key - 1] : 0};
    pd_bitmap_fold(&b, notice.bits);
    return notice;
}

static int next_notice(void *ctx, void *rec)
{
    struct sifting *s = ctx;
    for (;;) {
        const struct signed_set *set = s->walk.set;
        if (set && pd_joining_travels(s->j, set) && s->next_key < pd_joining_probes(s->j, set)) {
            const uint32_t key = s->next_key++;
            if (!pd_joining_is_of_pass(set->keys[key], s->pass, s->npasses))
                continue;
            *(struct pd_notice *)rec = notice_of(s, key);
            s->nnotices++;
            return PD_OK;
        }
        s->set += set != NULL;
        s->next_key = 0;
        PD_PASS(pd_set_walk_next(&s->walk));
    }
}

static const struct pd_flow notices_flow = {.name = "notices",
                                            .budget = PD_BUDGET_NOTICES,
                                            .size = sizeof(struct pd_notice),
                                            .keys = 2,
                                            .lone_useless = true,
                                            .goes = PD_BY_MIX,
                                            .spread = true};

/* ---- which sets are wanted ---- */

/* Take the notices of the next meeting, wanted sets first. PD_END: there is no more meeting. */
static int next_meeting(struct sifting *s)
{
    s->requested = s->nwanted = 0;
    PD_PASS(pd_shuffle_group(&s->notices, 1, &s->met));
    struct pd_notice *notices = (struct pd_notice *)(void *)s->met.v;
    s->nwanted = pd_comparison_sift(&s->comparison, notices, s->met.n / sizeof *notices);
    return PD_OK;
}

static int next_wanted(void *ctx, void *rec)
{
    struct sifting *s = ctx;
    while (s->requested == s->nwanted)
        PD_PASS(next_meeting(s));
    const struct pd_notice *notice =
        (const struct pd_notice *)(const void *)s->met.v + s->requested++;
    *(struct wanted *)rec = (struct wanted){notice->set, notice->meeting, notice->rank};
    return PD_OK;
}

static const struct pd_flow wanted_flow = {.name = "wanted",
                                           .budget = PD_BUDGET_WANTED,
                                           .size = sizeof(struct wanted),
                                           .keys = 2,
                                           .goes = PD_TO_RANK,
                                           .rank_at = 2};

/* COLLECTIVE. Announce all sets, pass by pass, and take the requests into s->wanted. */
static int ask(struct sifting *s)
{
    for (s->pass = 0; s->pass < s->npasses; s->pass++) {
        pd_set_walk_begin(&s->walk, s->j->sets);
        s->set = 0;
        pd_shuffle_open(&s->notices, &s->j->job->transport, &notices_flow, s, &s->spare);
        PD_TRY(pd_shuffle_make(&s->notices, next_notice, s));
        s->requested = s->nwanted = 0;
        PD_TRY(pd_shuffle_send_made(&s->wanted, next_wanted, s));
        pd_shuffle_close(&s->notices);
    }
    return PD_OK;
}

/* ---- meetings of the sets that travel ---- */

/*
 * Copy walk.set, set k of its file, to s->out, with the meetings at which it is wanted behind its
 * keys.
 */
static int add_meetings(struct sifting *s, uint64_t k)
{
    const struct signed_set *set = s->walk.set;
    const void *rec;
    s->out.n = 0;
    pd_u64s_append(&s->out, set, signed_set_bytes(set) / sizeof *s->out.v);
    for (;;) {
        PD_TRY(pd_shuffle_look(&s->wanted, &rec));
        const struct wanted *w = rec;
        if (!w || w->set != k)
            break;
        pd_u64s_push(&s->out, w->meeting);
        ((struct signed_set *)(void *)s->out.v)->nrest++;
        pd_shuffle_pass(&s->wanted, sizeof *w);
    }
    return PD_OK;
}

/* Write the sets that are wanted at some meeting, with their meetings. */
static int write_wanted(struct sifting *s, struct pd_packed *to)
{
    struct joining *j = s->j;
    int status;
    PD_TRY(pd_shuffle_sort_own(&s->wanted));
    pd_set_walk_begin(&s->walk, j->sets);
    for (uint64_t k = 0; (status = pd_set_walk_next(&s->walk)) == PD_OK; k++) {
        PD_TRY(add_meetings(s, k));
        const struct signed_set *set = (const struct signed_set *)(const void *)s->out.v;
        if (!set->nrest) /* wanted nowhere */
            continue;
        j->probe_bytes += set->nrest * (uint64_t)PD_PROBE_BYTES(set->nkeys);
        PD_TRY(pd_packed_append(to, set, signed_set_bytes(set), NULL));
    }
    return status < 0 ? status : pd_packed_finish(to);
}

/* Replace the file of sets by a file of the sets that are wanted. */
static int keep_wanted(struct sifting *s)
{
    struct pd_packed *to;
    PD_TRY(pd_joining_new_sets(s->j, &to));
    s->j->probe_bytes = 0;
    const int status = write_wanted(s, to);
    pd_packed_close(s->j->sets);
    s->j->sets = to;
    return status;
}

static int sift(struct sifting *s)
{
    struct joining *j = s->j;
    struct pd_join_counts *counts = &j->job->matches.counts;
    pd_shuffle_open(&s->wanted, &j->job->transport, &wanted_flow, s, NULL);
    PD_TRY(ask(s));
    PD_TRY(pd_comm_agree(j->job->comm, keep_wanted(s)));
    counts->probes = s->nnotices;
    j->sift_candidates = s->comparison.candidates;
    return PD_OK;
}

int pd_joining_sift(struct joining *j)
{
    const struct pd_comm *c = j->job->comm;
    uint64_t sums[2] = {j->nprobes, j->probe_bytes};
    pd_comm_sum(c, sums, 2);
    j->sifted = sums[1] > sums[0] * LARGE;
    if (!j->sifted)
        return PD_OK;
    struct sifting s = {
        .j = j,
        .npasses = pd_joining_passes(j, j->nprobes * sizeof(struct pd_notice)),
        .comparison = {.kind = j->job->options->method.join, .tau = j->job->options->method.tau}};
    const int status = sift(&s);
    PD_CLOSE(pd_shuffle, &s.notices, &s.wanted);
    pd_spare_release(&s.spare);
    pd_cursor_release(&s.walk.cursor);
    pd_bytes_release(&s.met);
    pd_comparison_release(&s.comparison);
    pd_u64s_release(&s.out);
    return status;
}

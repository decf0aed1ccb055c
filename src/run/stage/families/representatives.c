/*
 * run/stage/families/representatives.c - see src/run/stage/families/representatives.h
 *
 * What travels, always to the owner of the first member:
 *     bonds     {member, member, ...}                 in both directions
 *     neighbours  {member, neighbour, how many neighbours the neighbour has, ...}
 *     rounds    {member, kind, ...}                   what the member waits for, and whom it tells
 *     choices   {member, a representative, its rank}
 *     homes     {representative, kind, member}        who has joined
 *     asked     {member, kind, ...}                   what a representative alone asks its neighbour
 */
#include "representatives.h"

#include <string.h>

#include "pardup/base/error.h"
#include "run/stage/table/table.h"
#include "stars.h"

/* A neighbour of a member, as the neighbour tells it. */
struct neighbour {
    uint64_t member, other;
    uint64_t neighbours; /* of the other one */
    uint32_t bytes, bytes_other;
    uint64_t says; /* u: the member, v: the other one */
};

/* Knowledge about a member in a round. The kinds are read in this order. */
enum { WAITS, IS_NONE, IS_ONE, TELLS };
struct known {
    uint64_t member, kind;
    uint64_t a;                 /* WAITS: for how many earlier members; TELLS: the later member */
    uint64_t neighbours, bytes; /* WAITS: of the member itself */
};

/* A representative that a member can join. The last choice is NO_CHOICE: its first neighbour. */
struct choice {
    uint64_t member;
    uint64_t few, brief; /* ~neighbours and ~bytes, so that the first comes first */
    uint64_t other;
};
#define NO_CHOICE UINT64_MAX /* in `few`; `brief` is 1 if the member has a chief bond, else 0 */

/* Questions and answers about the families that members belong to. */
enum { ALONE, JOINED };
enum { HOME, ASKED };
struct belonging {
    uint64_t member, kind;
    uint64_t a;     /* ALONE: its first neighbour; JOINED, ASKED: who; HOME: the representative */
    uint64_t chief; /* ALONE: the member has a chief bond */
};

/* A flow of records that begin with their member. */
#define FLOW(what, of, room, nkeys)                                                                \
    {                                                                                              \
        .name = what, .budget = room, .size = sizeof(of), .keys = nkeys,                           \
        .owner = pd_to_owner_of_node, .partition = pd_partition_of_member                          \
    }
static const struct pd_flow bonds_flow = FLOW("bonds", struct pd_bond, PD_BUDGET_BONDS, 2);
static const struct pd_flow neighbours_flow =
    FLOW("neighbours", struct neighbour, PD_BUDGET_NEIGHBOURS, 2);
static const struct pd_flow rounds_flow = FLOW("rounds", struct known, PD_BUDGET_ROUNDS, 2);
static const struct pd_flow choices_flow = FLOW("choices", struct choice, PD_BUDGET_CHOICES, 4);
static const struct pd_flow homes_flow = FLOW("homes", struct belonging, PD_BUDGET_HOMES, 2);
static const struct pd_flow asked_flow = FLOW("asked", struct belonging, PD_BUDGET_ASKED_HOMES, 2);

struct finding {
    struct pd_job *job;
    struct pd_families_extent *extent;
    struct pd_spool *bonds;
    struct pd_shuffle *facts;
    struct pd_shuffle in;      /* what is read */
    struct pd_shuffle rounds;  /* what is known for the next round */
    struct pd_shuffle choices; /* what members can choose from */
    struct pd_shuffle asked;
    struct pd_spool told;  /* choices that this rank has to send */
    struct pd_bytes group; /* records of the member at hand */
    size_t next;           /* bytes of the group that have been sent */
    uint64_t neighbours;   /* of the member at hand */
    struct known waits;    /* of the member at hand */
    bool known, none, one; /* it is undecided before this round; it is none, it is one now */
    uint64_t undecided;    /* members that wait for the next round */
    uint64_t member, home; /* the member at hand, and its home */
};

static void open_flow(struct finding *f, struct pd_shuffle *s, const struct pd_flow *flow)
{
    pd_shuffle_open(s, &f->job->transport, flow, f->extent, &f->job->spare);
}

static int push_home(struct finding *f, uint64_t member, uint64_t home, bool verified)
{
    const struct pd_fact fact = {member, PD_FACT_HOME, home, verified};
    return pd_shuffle_push(f->facts, &fact, sizeof fact);
}

/* ---- bonds: how many neighbours each member has ---- */

/* What a bond says where u and v have changed places. */
static uint64_t mirror(uint64_t says)
{
    return (says & PD_BOND_CHIEF) | (says & PD_BOND_U_AGREES ? PD_BOND_V_AGREES : 0) |
           (says & PD_BOND_V_AGREES ? PD_BOND_U_AGREES : 0);
}

static int fill_bonds(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct finding *f = ctx;
    struct pd_bond *out = (struct pd_bond *)(void *)to;
    for (*n = 0; *n + 2 * sizeof *out <= cap; *n += 2 * sizeof *out) {
        const void *rec;
        PD_PASS(pd_spool_look(f->bonds, &rec));
        const struct pd_bond b = *(const struct pd_bond *)rec;
        *out++ = b;
        *out++ = (struct pd_bond){b.v, b.u, b.bytes_v, b.bytes_u, mirror(b.says)};
        pd_spool_pass(f->bonds);
    }
    return PD_OK;
}

/* Read the bonds of the next member, a single one for each neighbour. */
static int next_bonds(struct finding *f)
{
    const int status = pd_shuffle_group(&f->in, 1, &f->group);
    struct pd_bond *b = (struct pd_bond *)(void *)f->group.v;
    size_t n = 0;
    for (size_t k = 0; k < f->group.n / sizeof *b; k++)
        if (n > 0 && b[n - 1].v == b[k].v)
            b[n - 1].says |= b[k].says;
        else
            b[n++] = b[k];
    f->neighbours = n;
    f->group.n = n * sizeof *b;
    f->next = 0;
    return status;
}

static int next_neighbour(void *ctx, void *rec)
{
    struct finding *f = ctx;
    struct pd_bond b;
    PD_PASS(f->next == f->group.n ? next_bonds(f) : PD_OK);
    memcpy(&b, f->group.v + f->next, sizeof b);
    f->next += sizeof b;
    *(struct neighbour *)rec =
        (struct neighbour){b.v, b.u, f->neighbours, b.bytes_v, b.bytes_u, mirror(b.says)};
    return PD_OK;
}

/* ---- neighbours: whom a member waits for, and whom it tells ---- */

/* Does a member come before another one? */
static bool is_before(uint64_t neighbours, uint64_t bytes, uint64_t member,
                      const struct neighbour *other)
{
    if (neighbours != other->neighbours)
        return neighbours > other->neighbours;
    if (bytes != other->bytes_other)
        return bytes > other->bytes_other;
    return member < other->other;
}

/* Does a member rather go with a neighbour than with another one? It does if it agrees with it. */
static bool is_nearer(const struct neighbour *p, const struct neighbour *other)
{
    const uint64_t agrees = p->says & PD_BOND_U_AGREES, others = other->says & PD_BOND_U_AGREES;
    return agrees != others ? agrees > others
                            : is_before(p->neighbours, p->bytes_other, p->other, other);
}

/* Push what is known of a member before the first round: its neighbours have come. */
static int push_known(struct finding *f)
{
    const struct neighbour *v = (const struct neighbour *)(const void *)f->group.v, *first = v;
    const size_t n = f->group.n / sizeof *v;
    struct known waits = {v->member, WAITS, 0, n, v->bytes};
    bool chief = false;
    for (size_t k = 0; k < n; k++) {
        const bool before = is_before(n, v->bytes, v->member, &v[k]);
        const struct known tells = {v->member, TELLS, v[k].other, 0, 0};
        chief |= (v[k].says & PD_BOND_CHIEF) != 0;
        waits.a += !before && v[k].other != v->member && v[k].says & PD_BOND_U_AGREES;
        if (is_nearer(&v[k], first))
            first = &v[k];
        if (before && v[k].says & PD_BOND_V_AGREES)
            PD_TRY(pd_shuffle_push(&f->rounds, &tells, sizeof tells));
    }
    const struct choice none = {v->member, NO_CHOICE, chief, first->other};
    PD_TRY(pd_shuffle_push(&f->choices, &none, sizeof none));
    return pd_shuffle_push(&f->rounds, &waits, sizeof waits);
}

/* COLLECTIVE. Begin the rounds. */
static int begin_rounds(struct finding *f)
{
    struct pd_shuffle neighbours = {0};
    open_flow(f, &f->in, &bonds_flow);
    open_flow(f, &neighbours, &neighbours_flow);
    int status = pd_shuffle_gather(&f->in, fill_bonds, f);
    PD_THEN(status, pd_shuffle_make(&neighbours, next_neighbour, f));
    pd_shuffle_close(&f->in);
    open_flow(f, &f->rounds, &rounds_flow);
    open_flow(f, &f->choices, &choices_flow);
    while (status >= 0 && (status = pd_shuffle_group(&neighbours, 1, &f->group)) == PD_OK)
        status = push_known(f);
    pd_shuffle_close(&neighbours);
    return pd_comm_agree(f->job->comm, status < 0 ? status : PD_OK);
}

/* ---- rounds ---- */

/* All that is known of the member at hand has come: keep it if it is still undecided. */
static int end_known(struct finding *f)
{
    if (!f->known || f->none || f->one)
        return PD_OK;
    f->undecided++;
    return pd_shuffle_push(&f->rounds, &f->waits, sizeof f->waits);
}

/* Take what has come about the member at hand. */
static void learn(struct finding *f, const struct known *k)
{
    if (k->kind == WAITS) {
        f->known = true;
        f->waits = *k;
    }
    f->waits.a -= f->known && k->kind == IS_NONE;
    f->none |= f->known && k->kind == IS_ONE;
    f->one = f->known && !f->none && f->waits.a == 0;
}

/* The member at hand, which is decided, tells a later one. */
static int tell(struct finding *f, uint64_t later, struct known *out)
{
    const struct choice c = {later, ~f->waits.neighbours, ~f->waits.bytes, f->waits.member};
    *out = (struct known){.member = later, .kind = f->one ? IS_ONE : IS_NONE};
    return f->one ? pd_spool_push(&f->told, &c) : PD_OK;
}

static int next_told(void *ctx, void *out)
{
    struct finding *f = ctx;
    for (const void *rec;;) {
        PD_TRY(pd_shuffle_next(&f->in, &rec));
        const struct known *k = rec;
        if (!k || k->member != f->waits.member) {
            PD_TRY(end_known(f));
            f->known = f->none = f->one = false;
            if (!k)
                return PD_END;
            f->waits = (struct known){.member = k->member};
        }
        learn(f, k);
        if (k->kind == TELLS && (f->none || f->one))
            return tell(f, k->a, out);
        if (k->kind == TELLS)
            PD_TRY(pd_shuffle_push(&f->rounds, k, sizeof *k));
    }
}

/* COLLECTIVE. Decide which members are representatives. */
static int decide(struct finding *f)
{
    int status = pd_shuffle_sort(&f->rounds);
    f->undecided = 1;
    pd_job_spool(f->job, &f->told, sizeof(struct choice), PD_BUDGET_TOLD, "told");
    for (int round = 0; round < PD_REPRESENTATIVE_ROUNDS && f->undecided && status >= 0; round++) {
        f->in = f->rounds;
        open_flow(f, &f->rounds, &rounds_flow);
        f->undecided = 0;
        f->waits.member = UINT64_MAX;
        f->known = false;
        status = pd_shuffle_make(&f->rounds, next_told, f);
        pd_shuffle_close(&f->in);
        pd_comm_sum(f->job->comm, &f->undecided, 1);
    }
    pd_shuffle_close(&f->rounds);
    return pd_comm_agree(f->job->comm, status < 0 ? status : pd_spool_finish(&f->told));
}

/* ---- homes ---- */

/* The first choice of each member. */
static int next_home(void *ctx, void *out)
{
    struct finding *f = ctx;
    const void *rec;
    int status;
    while ((status = pd_shuffle_next(&f->choices, &rec)) == PD_OK) {
        const struct choice c = *(const struct choice *)rec;
        const bool first = c.member != f->member, joins = c.few != NO_CHOICE;
        f->member = c.member;
        if (!first)
            continue;
        const struct belonging home = {c.member, HOME, c.other, 0};
        *(struct belonging *)out = joins ? (struct belonging){c.other, JOINED, c.member, 0}
                                         : (struct belonging){c.member, ALONE, c.other, c.brief};
        if (joins)
            PD_TRY(push_home(f, c.member, c.other, true));
        return joins ? pd_shuffle_push(&f->asked, &home, sizeof home) : PD_OK;
    }
    return status;
}

/* Who has joined each representative. A representative alone asks for the family of a neighbour. */
static int next_asked(void *ctx, void *out)
{
    struct finding *f = ctx;
    int status;
    while ((status = pd_shuffle_group(&f->in, 1, &f->group)) == PD_OK) {
        const struct belonging p = *(const struct belonging *)(const void *)f->group.v;
        const struct belonging home = {p.member, HOME, p.member, 0};
        PD_CHECK(p.kind == ALONE);
        if (f->group.n > sizeof p) {
            PD_TRY(push_home(f, p.member, p.member, true));
            PD_TRY(pd_shuffle_push(&f->asked, &home, sizeof home));
        } else if (p.chief) {
            *(struct belonging *)out = (struct belonging){p.a, ASKED, p.member, 0};
            return PD_OK;
        }
    }
    return status;
}

/* What has asked gets the home of its neighbour; its own if the neighbour has none. */
static int next_answer(void *ctx, void *out)
{
    struct finding *f = ctx;
    const void *rec;
    int status;
    while ((status = pd_shuffle_next(&f->asked, &rec)) == PD_OK) {
        const struct belonging p = *(const struct belonging *)rec;
        if (p.member != f->member || p.kind == HOME)
            f->home = p.kind == HOME ? p.a : UINT64_MAX;
        f->member = p.member;
        if (p.kind == HOME)
            continue;
        const bool none = f->home == UINT64_MAX;
        *(struct pd_fact *)out = (struct pd_fact){p.a, PD_FACT_HOME, none ? p.a : f->home, none};
        return PD_OK;
    }
    return status;
}

/* COLLECTIVE. Find the home of each member. */
static int find_homes(struct finding *f)
{
    int status = pd_shuffle_gather(&f->choices, pd_spool_fill, &f->told);
    open_flow(f, &f->in, &homes_flow);
    open_flow(f, &f->asked, &asked_flow);
    f->member = UINT64_MAX;
    PD_THEN(status, pd_shuffle_make(&f->in, next_home, f));
    PD_THEN(status, pd_shuffle_make(&f->asked, next_asked, f));
    f->member = UINT64_MAX;
    PD_THEN(status, pd_shuffle_send_made(f->facts, next_answer, f));
    return status;
}

int pd_representatives_find(struct pd_job *job, struct pd_families_extent *extent,
                            struct pd_spool *bonds, struct pd_shuffle *facts)
{
    struct finding f = {.job = job, .extent = extent, .bonds = bonds, .facts = facts};
    int status = begin_rounds(&f);
    pd_stages_progress(&job->stages, PD_FAMILIES_KNOWN, PD_FAMILIES_PHASES, 0, 0);
    PD_THEN(status, decide(&f));
    pd_stages_progress(&job->stages, PD_FAMILIES_CHOICES, PD_FAMILIES_PHASES, 0, 0);
    PD_THEN(status, find_homes(&f));
    PD_CLOSE(pd_shuffle, &f.in, &f.rounds, &f.choices, &f.asked);
    pd_spool_release(&f.told);
    pd_bytes_release(&f.group);
    return status;
}

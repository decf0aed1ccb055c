/*
 * What goes is chosen as slow lines choose it: units with their copies in arrays, removals in an
 * array, on ranks that own a range of places each. And rank 0 gives out tasks while it works at one.
 */
#include "run/job/dedup/choose/choose.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/run/stages.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_scratch.h"

enum { TASKS = 40, MOST_SECONDS = 10 };
enum { DOCUMENTS = 60, UNITS = 7, WORDS = 10, COPIES = 3, TRIES = 60 };

struct tasks {
    struct pd_dedup *d;
    uint64_t done; /* by this rank */
    double end;    /* of all waiting */
};

/* Copied units of all documents; unit u of a document has the bytes and words [10 u, 10 u + 10). */
struct made {
    struct pd_copieds copied; /* in order */
    struct pd_worded worded[DOCUMENTS];
    unsigned boxes[DOCUMENTS]; /* bit u: unit u of the document is a fragment */
    uint64_t min_run;
    double min_left;
    bool whole;
};

static void make(struct made *m, uint64_t *seed)
{
    memset(m->worded, 0, sizeof m->worded);
    m->copied.n = 0;
    m->min_left = pd_random_below(seed, 3) * 0.3;
    m->whole = pd_random_below(seed, 4) == 0;
    m->min_run = pd_random_below(seed, 2) ? 1 : pd_random_below(seed, UNITS + 1) * WORDS + 2;
    for (uint64_t place = 0; place < DOCUMENTS; place++) {
        m->worded[place].nwords = UNITS * WORDS;
        m->worded[place].units = UNITS;
        m->boxes[place] = m->min_run > 1 ? pd_random_below(seed, 1 << UNITS) : 0;
        m->boxes[place] &= pd_random_below(seed, 1 << UNITS); /* a quarter of all units */
        for (uint32_t unit = 0; unit < UNITS && place > 0; unit++) {
            uint32_t box = unit, box_end = unit;
            while (box > 0 && m->boxes[place] >> unit & 1 && m->boxes[place] >> (box - 1) & 1)
                box--;
            while (m->boxes[place] >> unit & 1 && m->boxes[place] >> box_end & 1)
                box_end++;
            for (uint32_t n = pd_random_below(seed, COPIES); n > 0; n--) {
                const uint32_t at = pd_random_below(seed, 2) ? unit : pd_random_below(seed, UNITS);
                const uint64_t kept = place - 1 - pd_random_below(seed, (uint32_t)place);
                pd_copieds_push(
                    &m->copied,
                    (struct pd_copied){.place = place,
                                       .begin = unit * WORDS,
                                       .kept = pd_random_below(seed, 20) ? kept : PD_DEDUP_NOWHERE,
                                       .row = place * DOCUMENTS + kept,
                                       .end = (unit + 1) * WORDS,
                                       .next = (unit + 1) * WORDS,
                                       .unit = unit,
                                       .words = WORDS,
                                       .matched = WORDS - pd_random_below(seed, 3),
                                       .kept_words = WORDS,
                                       .kept_from = at * WORDS,
                                       .kept_to = (at + 1) * WORDS,
                                       .kept_begin = at * WORDS,
                                       .kept_end = (at + 1) * WORDS,
                                       .box = box,
                                       .box_end = box_end});
            }
        }
    }
    pd_sort_records(m->copied.v, m->copied.n, PD_COPIED_U64S, PD_COPIED_U64S);
}

/* ---- the slow lines: a mark for each byte of each document ---- */

struct slow {
    unsigned char lost[DOCUMENTS][UNITS * WORDS]; /* bytes that go */
    bool gone[DOCUMENTS], blocked[DOCUMENTS];
    const struct pd_copied *by[DOCUMENTS][UNITS]; /* the copy because of which a unit goes */
};

static bool slow_stays(const struct slow *s, const struct pd_copied *c)
{
    if (c->kept == PD_DEDUP_NOWHERE || s->gone[c->kept])
        return false;
    for (uint32_t k = c->kept_begin; k < c->kept_end; k++)
        if (s->lost[c->kept][k])
            return false;
    return true;
}

/* Does a fragment go, though the one before or behind it stays, or the text of a heading does? */
static bool slow_cuts(const struct made *m, const bool *goes, uint64_t place, uint32_t u)
{
    const unsigned box = m->boxes[place];
    const bool last = u + 1 == UNITS;
    return goes[u] && box >> u & 1 &&
           ((u > 0 && box >> (u - 1) & 1 && !goes[u - 1]) || (!last && !goes[u + 1]));
}

/* Take out of goes[] what a person would not cut, until nothing changes. */
static void slow_person(const struct made *m, bool *goes, uint64_t place)
{
    bool changed = true;
    uint32_t n = 0;
    for (uint32_t u = 0; u < UNITS; u++)
        n += goes[u];
    if (n == UNITS || m->whole || m->min_run <= 1)
        return;
    while (changed) {
        changed = false;
        for (uint32_t u = 0; u < UNITS; u++)
            if (slow_cuts(m, goes, place, u)) {
                goes[u] = false;
                changed = true;
            }
    }
    for (uint32_t u = 0, to; u < UNITS; u = to + 1) {
        for (to = u; to < UNITS && goes[to]; to++)
            ;
        for (uint32_t k = u; k < to && (to - u) * WORDS < m->min_run; k++)
            goes[k] = false;
    }
}

/* The best copy of a unit: what goes on where the unit before it stands, else most words. */
static const struct pd_copied *slow_best(const struct made *m, const struct slow *s, uint64_t place,
                                         uint32_t unit, bool *blocked)
{
    const struct pd_copied *before = unit ? s->by[place][unit - 1] : NULL, *best = NULL,
                           *last = NULL;
    bool goes_on = false;
    for (size_t k = 0; k < m->copied.n; k++) {
        const struct pd_copied *c = &m->copied.v[k];
        if (c->place != place || c->unit != unit)
            continue;
        last = c;
        if (!slow_stays(s, c) || goes_on)
            continue;
        goes_on = before && before->kept == c->kept && before->row == c->row &&
                  before->kept_to == c->kept_from;
        if (goes_on || !best || c->matched > best->matched)
            best = c;
    }
    *blocked = last && !best && last->kept != PD_DEDUP_NOWHERE;
    return best;
}

static void choose_slowly(const struct made *m, struct slow *s)
{
    memset(s, 0, sizeof *s);
    for (uint64_t place = 0; place < DOCUMENTS; place++) {
        bool goes[UNITS], blocked;
        uint32_t units = 0;
        for (uint32_t u = 0; u < UNITS; u++) {
            goes[u] = slow_best(m, s, place, u, &blocked) != NULL;
            s->blocked[place] |= blocked;
        }
        slow_person(m, goes, place);
        for (uint32_t u = 0; u < UNITS; u++) {
            s->by[place][u] = goes[u] ? slow_best(m, s, place, u, &blocked) : NULL;
            units += goes[u];
        }
        s->gone[place] =
            units > 0 && (units == UNITS || (double)(UNITS - units) / UNITS < m->min_left);
        for (uint32_t u = 0; u < UNITS && (s->gone[place] || !m->whole); u++)
            if (s->by[place][u])
                memset(&s->lost[place][u * WORDS], 1, WORDS);
    }
}

/* ---- beside them ---- */

/* Is what was chosen for a document what the slow lines say? */
static void compare(const struct slow *s, const struct pd_choice *c, uint64_t place)
{
    const struct pd_fate *f = &c->fates[place - c->first];
    unsigned char lost[UNITS * WORDS] = {0};
    CU_ASSERT_EQUAL(f->gone, s->gone[place]);
    CU_ASSERT_EQUAL(f->blocked, s->blocked[place]);
    for (uint64_t k = 0; k < f->removed; k++) {
        const struct pd_removal *r = &c->removals.v[f->first + k];
        memset(lost + r->begin, 1, r->end - r->begin);
        for (uint32_t u = r->begin / WORDS; u < r->end / WORDS; u++) {
            const struct pd_copied *by = s->by[place][u];
            CU_ASSERT(by && by->kept == r->kept && by->row == r->row);
            CU_ASSERT(by && by->kept_begin == r->kept_begin + u * WORDS - r->begin);
        }
    }
    CU_ASSERT(memcmp(lost, s->lost[place], sizeof lost) == 0);
}

/* The share of this rank: places from random borders that are the same on all ranks. */
static void take_share(struct pd_dedup *d, const struct made *m, struct pd_choice *c,
                       uint64_t *seed)
{
    const int ranks = d->comm->size, rank = d->comm->rank;
    for (int k = 0; k <= ranks; k++)
        d->firsts[k] = k == 0 ? 0 : k == ranks ? DOCUMENTS : pd_random_below(seed, DOCUMENTS + 1);
    for (int k = 1; k < ranks; k++) /* ascending */
        d->firsts[k] = d->firsts[k] < d->firsts[k - 1] ? d->firsts[k - 1] : d->firsts[k];
    c->first = d->firsts[rank];
    c->n = d->firsts[rank + 1] - c->first;
    c->worded = m->worded + c->first;
    c->min_left = m->min_left;
    c->min_run = m->min_run;
    c->whole = m->whole;
    c->copied.n = 0;
    memset(c->fates, 0, DOCUMENTS * sizeof *c->fates);
    for (size_t k = 0; k < m->copied.n; k++)
        if (m->copied.v[k].place - c->first < c->n && m->copied.v[k].place >= c->first)
            pd_copieds_push(&c->copied, m->copied.v[k]);
}

static void test_beside_slow_lines(void)
{
    static struct made m;
    static struct slow s;
    uint64_t seed = 5, firsts[64], blocked, removals = 0;
    struct pd_fate fates[DOCUMENTS];
    struct pd_traffic moved = {0};
    char path[4096];
    struct pd_scratch scratch = {.comm = &test_comm, .dir = scratch_dir, .path = path};
    struct pd_dedup d = {
        .comm = &test_comm,
        .firsts = firsts,
        .transport = {&test_comm, &scratch, (uint64_t)1 << 30, &moved},
    };
    struct pd_choice c = {.fates = fates};
    for (int k = 0; k < TRIES; k++) {
        make(&m, &seed);
        choose_slowly(&m, &s);
        take_share(&d, &m, &c, &seed);
        CU_ASSERT_EQUAL(pd_choose(&d, &c, &blocked), PD_OK);
        for (uint64_t place = 0; place < DOCUMENTS; place++) {
            blocked -= s.blocked[place];
            if (place >= c.first && place - c.first < c.n)
                compare(&s, &c, place);
        }
        CU_ASSERT_EQUAL(blocked, 0);
        removals += c.removals.n;
    }
    pd_comm_sum(&test_comm, &removals, 1);
    CU_ASSERT(removals > TRIES * DOCUMENTS);
    pd_copieds_release(&m.copied);
    pd_copieds_release(&c.copied);
    pd_removals_release(&c.removals);
    pd_bytes_release(&c.lost);
    pd_going_list_release(&c.going);
    pd_spare_release(&d.spare);
}

/* Rank 0 is at its first task until the others have taken all tasks that are left. */
static int stay_at_task(void *ctx, uint64_t number)
{
    struct tasks *t = ctx;
    struct pd_dedup *d = t->d;
    t->done += number < TASKS;
    int status = PD_OK;
    while (status == PD_OK && d->comm->rank == 0 && d->comm->size > 1 && d->queue.next < TASKS &&
           pd_clock() < t->end)
        status = pd_dedup_poll(d);
    return status;
}

static void test_tasks(void)
{
    struct pd_dedup d = {.comm = &test_comm};
    struct tasks t = {&d, 0, pd_clock() + MOST_SECONDS};
    CU_ASSERT_EQUAL(
        pd_dedup_do(&d, (struct pd_dedup_step){"working", TASKS}, TASKS, stay_at_task, &t), PD_OK);
    uint64_t all = t.done;
    pd_comm_sum(&test_comm, &all, 1);
    CU_ASSERT_EQUAL(all, TASKS);
    if (test_comm.rank == 0)
        CU_ASSERT_EQUAL(t.done, test_comm.size > 1 ? 1 : TASKS);
    CU_ASSERT_EQUAL(pd_dedup_poll(&d), PD_OK); /* without a queue */
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_beside_slow_lines), PD_TEST(test_tasks),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    const int status = pd_run_tests(argc, argv, "run/job/dedup/choose", tests);
    scratch_close();
    return status;
}

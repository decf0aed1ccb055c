/* run/job/dedup/leaks.c - see run/job/dedup/leaks.h */
#include "run/job/dedup/leaks.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

enum {
    GRAMS_OF_RUN = 4,  /* least grams that match in a run of --run words */
    GRAMS_EDITED = 6,  /* least grams that match in an edited copy */
    FULL_PERCENT = 35, /* least share of an edited copy that its runs have, in bytes */
    EVEN_PERCENT = 75, /* least length of its shorter side, of the longer one, in bytes */
    APART = 200,       /* bytes between runs that follow each other, at most */
    OVER = 40,         /* bytes by which they overlap, at most */
    CHAINS_OPEN = 4    /* chains that a run can go on */
};

int pd_leaks_load(struct pd_dedup *d)
{
    if (!d->options->dedup.run)
        return PD_OK;
    const uint64_t n = d->ndocs - d->targets;
    d->item_words = pd_realloc(NULL, n + 1, sizeof *d->item_words);
    for (uint64_t k = 0; k < n; k++)
        PD_TRY(pd_dedup_doc(d, PD_DOC_WORDS, d->targets + k, &d->item_words[k]));
    return PD_OK;
}

/* ---- the runs of a pair ---- */

enum { A, B, BEGIN_A, END_A, BEGIN_B, END_B, MATCHED, WORDS, FAMILY };

int pd_leak_reader_open(struct pd_leak_reader *r, struct pd_dedup *d, uint64_t from, uint64_t to)
{
    static const char *const columns[] = {"doc_a", "doc_b",   "begin_a",  "end_a",   "begin_b",
                                          "end_b", "matched", "?words_b", "?family", NULL};
    *r = (struct pd_leak_reader){.d = d, .end = to};
    PD_TRY(pd_table_open(&r->t, d->result, "passages", columns));
    if (from == 0 || from >= to)
        return PD_OK;
    PD_TRY(pd_table_at(&r->t, from - 1)); /* its pair belongs to the range before */
    const uint64_t a = pd_table_count(&r->t, A), b = pd_table_count(&r->t, B);
    int status = PD_OK;
    while ((status = pd_table_next(&r->t)) == PD_OK && pd_table_count(&r->t, A) == a &&
           pd_table_count(&r->t, B) == b)
        ;
    r->t.next = status == PD_OK ? r->t.row : r->t.rows;
    return status < 0 ? status : PD_OK;
}

void pd_leak_reader_close(struct pd_leak_reader *r)
{
    pd_table_close(&r->t);
    pd_leak_runs_release(&r->runs);
    pd_leaks_release(&r->leaks);
}

/* Read the runs of the next pair. PD_OK, PD_END or PD_EFORMAT. */
static int read_pair(struct pd_leak_reader *r, struct pd_leak *pair)
{
    struct pd_table_reader *t = &r->t;
    int status;
    r->runs.n = 0;
    if (t->next >= r->end)
        return PD_END;
    while ((status = pd_table_next(t)) == PD_OK) {
        const uint64_t a = pd_table_count(t, A), b = pd_table_count(t, B);
        if (r->runs.n && (a != pair->doc || b != pair->item)) {
            t->next = t->row;
            return PD_OK;
        }
        *pair = (struct pd_leak){.doc = a, .item = b};
        pd_leak_runs_push(&r->runs, (struct pd_leak_run){.begin = pd_table_count(t, BEGIN_A),
                                                         .end = pd_table_count(t, END_A),
                                                         .item_begin = pd_table_count(t, BEGIN_B),
                                                         .item_end = pd_table_count(t, END_B),
                                                         .words = pd_table_count(t, WORDS),
                                                         .matched = pd_table_count(t, MATCHED),
                                                         .row = t->row,
                                                         .family = pd_table_count(t, FAMILY)});
    }
    return status < 0 ? status : r->runs.n ? PD_OK : PD_END;
}

static int by_place(const void *x, const void *y)
{
    const struct pd_leak_run *p = x, *q = y;
    const uint64_t ps[] = {p->begin, p->end, p->item_begin, p->row};
    const uint64_t qs[] = {q->begin, q->end, q->item_begin, q->row};
    for (int k = 0; k < 4; k++)
        if (ps[k] != qs[k])
            return ps[k] < qs[k] ? -1 : 1;
    return 0;
}

/* ---- what is a leak ---- */

/* Runs that follow each other in both documents. */
struct chain {
    struct pd_leak leak; /* from its first run to its last one */
    uint64_t last_begin, last_item_begin;
    uint64_t runs, matched, bytes; /* bytes of its runs in the document */
};

static struct pd_leak leak_of(const struct pd_leak *pair, const struct pd_leak_run *run,
                              enum pd_leak_kind kind)
{
    struct pd_leak leak = *pair;
    leak.row = run->row;
    leak.family = run->family;
    leak.begin = run->begin;
    leak.end = run->end;
    leak.item_begin = run->item_begin;
    leak.item_end = run->item_end;
    leak.words = run->words;
    leak.kind = kind;
    return leak;
}

static uint64_t words_of_item(const struct pd_dedup *d, uint64_t item)
{
    return item < d->targets ? 0 : d->item_words[item - d->targets];
}

/* Is a run a leak? *kind is set then. */
static bool is_leak(const struct pd_dedup *d, uint64_t item, const struct pd_leak_run *run,
                    enum pd_leak_kind *kind)
{
    const uint64_t least = (uint64_t)d->options->dedup.run, words = words_of_item(d, item);
    *kind = words < least ? PD_LEAK_SHORT : PD_LEAK_RUN;
    return words < least ? run->words >= words
                         : run->words >= least && run->matched >= GRAMS_OF_RUN;
}

static bool is_edited(const struct chain *c)
{
    const uint64_t a = c->leak.end - c->leak.begin, b = c->leak.item_end - c->leak.item_begin;
    const uint64_t longer = pd_max_u64(a, b), shorter = pd_min_u64(a, b);
    return c->runs > 1 && c->matched >= GRAMS_EDITED && 100 * c->bytes >= FULL_PERCENT * longer &&
           100 * shorter >= EVEN_PERCENT * longer;
}

/* Does a place lie behind an end, or hardly before it? */
static bool is_near(uint64_t place, uint64_t end)
{
    return place + OVER >= end && place <= end + APART;
}

static bool goes_on(const struct chain *c, const struct pd_leak_run *run)
{
    return is_near(run->begin, c->leak.end) && is_near(run->item_begin, c->leak.item_end) &&
           run->begin > c->last_begin && run->item_begin > c->last_item_begin;
}

static void add_run(struct chain *c, const struct pd_leak_run *run)
{
    c->leak.words += c->runs ? run->words : 0;
    c->leak.end = pd_max_u64(c->leak.end, run->end);
    c->leak.item_end = pd_max_u64(c->leak.item_end, run->item_end);
    c->last_begin = run->begin;
    c->last_item_begin = run->item_begin;
    c->runs++;
    c->matched += run->matched;
    c->bytes += run->end - run->begin;
}

static void end_chain(struct pd_leak_reader *r, const struct chain *c)
{
    if (c->runs && is_edited(c))
        pd_leaks_push(&r->leaks, c->leak);
}

/* Find the leaks of the pair whose runs are at hand: runs, and then edited copies. */
static void find_leaks(struct pd_leak_reader *r, const struct pd_leak *pair)
{
    struct chain open[CHAINS_OPEN] = {{.runs = 0}};
    enum pd_leak_kind kind;
    r->leaks.n = r->next = 0;
    qsort(r->runs.v, r->runs.n, sizeof *r->runs.v, by_place);
    for (size_t k = 0, oldest = 0; k < r->runs.n; k++) {
        const struct pd_leak_run *run = &r->runs.v[k];
        struct chain *c = NULL;
        for (size_t m = 0; m < CHAINS_OPEN && !c; m++)
            if (open[m].runs && goes_on(&open[m], run))
                c = &open[m];
        if (is_leak(r->d, pair->item, run, &kind))
            pd_leaks_push(&r->leaks, leak_of(pair, run, kind));
        if (!c) {
            c = &open[oldest++ % CHAINS_OPEN];
            end_chain(r, c);
            *c = (struct chain){.leak = leak_of(pair, run, PD_LEAK_EDITED)};
        }
        add_run(c, run);
    }
    for (size_t m = 0; m < CHAINS_OPEN; m++)
        end_chain(r, &open[m]);
}

int pd_leak_next(struct pd_leak_reader *r, struct pd_leak *leak)
{
    while (r->next == r->leaks.n) {
        struct pd_leak pair = {.doc = 0};
        PD_PASS(read_pair(r, &pair));
        find_leaks(r, &pair);
    }
    *leak = r->leaks.v[r->next++];
    return PD_OK;
}

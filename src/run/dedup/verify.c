/* run/dedup/verify.c - which units of a passage have their words in the document that keeps it. */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "pardup/passage/word_match.h"
#include "run/dedup/dedup.h"
#include "run/dedup/word_bits.h"

enum {
    DOCS_OF_TASK = 16,
    LISTS = 2,           /* of copied sentences: as they were found, and in order; then what goes */
    LATER = 8,           /* 1 / LATER of the copied sentences are left for searches that go on */
    FOLLOWS_MOST = 3,    /* rounds in which text that has gone leads to text that stays */
    SETS_SHARE = 4,      /* 1 / SETS_SHARE of what is held is for sets of words */
    SETS_MOST = 4 << 20, /* bytes of sets and of words that are held: more are of little use */
    WORDS_MOST = 16 << 20,
    BITS_OF_WORD = 16 /* bits for each word of a passage, so that few words share a bit by chance */
};

struct verifying {
    struct pd_dedup *d;
    struct pd_dedup_words gone, kept; /* the documents at hand */
    struct pd_bytes terms, matches;   /* buffers */
    size_t first;                     /* the first word of `gone` in `terms` */
    struct pd_word_bits bits;         /* the words of a passage in `kept` */
    struct pd_held words, sets;       /* of documents that keep text */
    struct pd_bytes set;              /* buffer */
    struct pd_bytes after;            /* for each unit of `gone`: a struct place */
    struct pd_copieds found;
    struct pd_follow follow;
    uint64_t shared; /* units that all ranks have found in this round */
};

/* What a round compares. */
enum round {
    FIRST,  /* all passages */
    AGAIN,  /* passages of blocked documents, behind the passages in which their units were found */
    FOLLOW, /* text that stays because text has gone that is the same */
};

/* Where a unit is looked for: behind this passage; the last place: nowhere any more. */
struct place {
    uint64_t kept_order, kept, row;
};
static const struct place first_place = {0, 0, 0}, no_place = {UINT64_MAX, UINT64_MAX, UINT64_MAX};

static struct place *places_of(const struct verifying *v)
{
    return (struct place *)(void *)v->after.v;
}

/*
 * Turn passages so that the document that comes later in the order of --keep loses its text, and
 * sort them by it, then by the order of the other document.
 */
static void turn_claims(struct pd_dedup *d)
{
    for (size_t k = 0; k < d->claims.n; k++) {
        struct pd_claim *claim = &d->claims.v[k];
        const struct pd_worded *a = pd_dedup_worded(d, claim->gone);
        const struct pd_worded *b = pd_dedup_worded(d, claim->kept);
        if (a->order < b->order || (a->order == b->order && a->doc < b->doc))
            *claim = (struct pd_claim){claim->kept, a->order,          claim->gone,
                                       claim->row,  claim->kept_bytes, claim->gone_bytes};
        else
            claim->kept_order = b->order;
    }
    pd_sort_records(d->claims.v, d->claims.n, PD_CLAIM_U64S, PD_CLAIM_KEYS);
    for (size_t k = 0; k < d->claims.n; k++) {
        struct pd_worded *w = pd_dedup_worded(d, d->claims.v[k].gone);
        w->claims = w->nclaims++ ? w->claims : k;
    }
}

/* The words [*from, *to) that lie in the bytes of a passage. */
static void find_words(const struct pd_dedup_words *w, uint64_t bytes, size_t *from, size_t *to)
{
    const uint32_t begin = (uint32_t)(bytes >> 32), end = (uint32_t)bytes;
    size_t lo = 0, hi = w->nwords;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (w->words[mid].begin < begin)
            lo = mid + 1;
        else
            hi = mid;
    }
    *from = lo;
    hi = w->nwords;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (w->words[mid].end <= end)
            lo = mid + 1;
        else
            hi = mid;
    }
    *to = lo;
}

/* The first unit whose first word is not before word `from`. */
static size_t first_unit(const struct pd_dedup_words *w, size_t from)
{
    size_t lo = 0, hi = w->nunits;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (w->units[mid].word < from)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/*
 * Keep unit u, of whose words `matched` are among the words [from, to) of the other document.
 *   again   a choice was made, and only text that stays by it is of use
 */
static void keep_unit(struct verifying *v, const struct pd_claim *claim, size_t u, uint32_t matched,
                      uint32_t from, uint32_t to, bool again)
{
    const struct pd_sentence *unit = &v->gone.units[u];
    if (again &&
        !pd_dedup_stays(v->d, claim->kept, v->kept.words[from].begin, v->kept.words[to - 1].end))
        return;
    places_of(v)[u] = no_place;
    pd_copieds_push(&v->found,
                    (struct pd_copied){.order = pd_dedup_worded(v->d, claim->gone)->order,
                                       .doc = claim->gone,
                                       .begin = unit->begin,
                                       .kept_order = pd_dedup_worded(v->d, claim->kept)->order,
                                       .kept = claim->kept,
                                       .row = claim->row,
                                       .end = unit->end,
                                       .next = u + 1 < v->gone.nunits ? unit[1].begin : unit->end,
                                       .unit = (uint32_t)u,
                                       .words = unit->nwords,
                                       .matched = matched,
                                       .kept_words = to - from,
                                       .kept_from = from,
                                       .kept_to = to,
                                       .kept_begin = v->kept.words[from].begin,
                                       .kept_end = v->kept.words[to - 1].end});
}

/* n words of `kept` from word `from` on, and where the words of a unit stand among them. */
struct aligned {
    const uint64_t *kept;
    size_t from, n;
    uint32_t *at; /* for each word of the unit: 1 plus the number of its match; 0: none */
};

/* Which words of a unit have matches: how many, and from where up to where the matches are. */
static uint32_t count_matches(const struct aligned *a, uint32_t nwords, uint32_t *from,
                              uint32_t *to)
{
    uint32_t matched = 0;
    for (uint32_t k = 0; k < nwords; k++)
        if (a->at[k]) {
            *from = matched++ ? *from : a->at[k] - 1;
            *to = a->at[k];
        }
    return matched;
}

/* Look for a unit again near the match of the word in its middle, as all its words are there. */
static void narrow(const struct verifying *v, const struct pd_sentence *unit, struct aligned *a)
{
    uint32_t nwords = unit->nwords, middle = nwords / 2;
    while (middle > 0 && !a->at[middle])
        middle--;
    const size_t match = a->at[middle] ? a->at[middle] - 1 : 0;
    const size_t skip = match > nwords ? match - nwords : 0;
    const size_t end = match + nwords < a->n ? match + nwords : a->n;
    const uint64_t *terms = (const uint64_t *)(const void *)v->terms.v;
    a->kept += skip;
    a->from += skip;
    a->n = end - skip;
    pd_word_match(a->kept, a->n, terms + (unit->word - v->first), nwords, a->at);
}

/* Keep unit u if enough of its words stand in the other document. */
static void judge_unit(struct verifying *v, const struct pd_claim *claim, size_t u,
                       struct aligned a, bool again)
{
    const struct pd_sentence *unit = &v->gone.units[u];
    const double least = v->d->options->dedup.min_agreement * unit->nwords;
    uint32_t from = 0, to = 0, matched = count_matches(&a, unit->nwords, &from, &to);
    if (matched == 0 || matched < least)
        return;
    if (matched < v->d->options->dedup.min_agreement * (to - from)) {
        narrow(v, unit, &a);
        matched = count_matches(&a, unit->nwords, &from, &to);
    }
    if (matched > 0 && matched >= least &&
        matched >= v->d->options->dedup.min_agreement * (to - from))
        keep_unit(v, claim, u, matched, (uint32_t)a.from + from, (uint32_t)a.from + to, again);
}

/* Is unit u to be looked for in this passage? */
static bool is_wanted(const struct verifying *v, size_t u, const struct pd_claim *claim)
{
    const struct place *p = &places_of(v)[u];
    if (p->kept_order != claim->kept_order)
        return p->kept_order < claim->kept_order;
    return p->kept != claim->kept ? p->kept < claim->kept : p->row <= claim->row;
}

/* Has unit u words behind word `from`? */
static bool ends_behind(const struct verifying *v, size_t u, size_t from)
{
    return (size_t)v->gone.units[u].word + v->gone.units[u].nwords > from;
}

/* The end of the units that lie among the words before `to`. */
static size_t units_before(const struct verifying *v, size_t u, size_t to)
{
    while (u < v->gone.nunits && (size_t)v->gone.units[u].word + v->gone.units[u].nwords <= to)
        u++;
    return u;
}

/* Set the bits of the words [from, to) of `kept`; if a choice was made, of words that stay by it. */
static void set_bits(struct verifying *v, size_t from, size_t to, bool again)
{
    const struct pd_worded *w = pd_dedup_worded(v->d, v->kept.doc);
    const struct pd_removal *r = v->d->removals.v;
    uint64_t gone = again ? w->first : 0;
    const uint64_t end = again ? gone + w->removed : 0; /* removals of `kept` */
    pd_word_bits_begin(&v->bits, to - from, BITS_OF_WORD);
    for (size_t k = from; k < to; k++) {
        const struct pd_located *word = &v->kept.words[k];
        while (gone < end && r[gone].end <= word->begin)
            gone++;
        if (gone < end && r[gone].begin < word->end)
            continue;
        pd_word_bits_add(&v->bits, word->term);
    }
}

/* Can enough words of unit u be in the set? False is certain. */
static bool may_stand(const struct verifying *v, size_t u, struct pd_word_set set)
{
    const double rounding = 1e-6;
    const struct pd_sentence *unit = &v->gone.units[u];
    const struct pd_located *words = v->gone.words + unit->word;
    const double spare = unit->nwords * (1 - v->d->options->dedup.min_agreement) + rounding;
    uint32_t absent = 0;
    for (uint32_t k = 0; k < unit->nwords && absent <= spare; k++)
        absent += !pd_word_set_may_have(set, words[k].term);
    return absent <= spare && absent < unit->nwords;
}

/* Can a wanted unit of [u, end) be found among the words of the set? */
static bool any_may_stand(const struct verifying *v, const struct pd_claim *claim, size_t u,
                          size_t end, struct pd_word_set set)
{
    for (; u < end; u++)
        if (is_wanted(v, u, claim) && may_stand(v, u, set))
            return true;
    return false;
}

/*
 * Keep unit u, of which the passage has a part, if all of its words stand in the other document one
 * behind the other.
 *   word, kept   a word of the passage, and where it stands there
 */
static void judge_edge(struct verifying *v, const struct pd_claim *claim, size_t u, size_t word,
                       size_t kept, bool again)
{
    const struct pd_sentence *unit = &v->gone.units[u];
    const size_t before = word - unit->word, from = kept - before;
    if (!is_wanted(v, u, claim) || kept < before || from + unit->nwords > v->kept.nwords)
        return;
    for (size_t k = 0; k < unit->nwords; k++)
        if (v->gone.words[unit->word + k].term != v->kept.words[from + k].term)
            return;
    keep_unit(v, claim, u, unit->nwords, (uint32_t)from, (uint32_t)from + unit->nwords, again);
}

/* Is a unit to be looked for in the passage, which has at least a part of it? */
static bool has_wanted(const struct verifying *v, const struct pd_claim *claim)
{
    const uint32_t begin = (uint32_t)(claim->gone_bytes >> 32), end = (uint32_t)claim->gone_bytes;
    const struct pd_sentence *units = v->gone.units;
    size_t lo = 0, hi = v->gone.nunits;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (units[mid].end <= begin)
            lo = mid + 1;
        else
            hi = mid;
    }
    while (lo < v->gone.nunits && units[lo].begin < end && !is_wanted(v, lo, claim))
        lo++;
    return lo < v->gone.nunits && units[lo].begin < end;
}

/* Compare a passage, if a unit is to be looked for in it. */
static int verify_claim(struct verifying *v, const struct pd_claim *claim, bool again)
{
    size_t from, to, kept_from, kept_to;
    if (!has_wanted(v, claim))
        return PD_OK;
    find_words(&v->gone, claim->gone_bytes, &from, &to);
    size_t u = first_unit(&v->gone, from);
    const size_t end = units_before(v, u, to), u_first = u;
    while (u < end && !is_wanted(v, u, claim))
        u++;
    if (u == end || (again && pd_dedup_worded(v->d, claim->kept)->gone))
        return PD_OK;
    struct pd_word_set all;
    PD_TRY(pd_dedup_word_set(v->d, claim->kept, &v->sets, &v->set, &all));
    if (!any_may_stand(v, claim, u, end, all))
        return PD_OK;
    PD_TRY(pd_dedup_words(v->d, claim->kept, &v->kept));
    find_words(&v->kept, claim->kept_bytes, &kept_from, &kept_to);
    if (u_first > 0 && ends_behind(v, u_first - 1, from) && kept_from < kept_to)
        judge_edge(v, claim, u_first - 1, from, kept_from, again);
    if (end < v->gone.nunits && v->gone.units[end].word < to && kept_from < kept_to)
        judge_edge(v, claim, end, to - 1, kept_to - 1, again);
    set_bits(v, kept_from, kept_to, again);
    if (!any_may_stand(v, claim, u, end, (struct pd_word_set){v->bits.v.v, v->bits.log}))
        return PD_OK;
    const size_t n = to - from, kept_n = kept_to - kept_from;
    pd_bytes_reserve(&v->terms, (n + kept_n + 1) * sizeof(uint64_t));
    pd_bytes_reserve(&v->matches, (n + 1) * sizeof(uint32_t));
    uint64_t *gone = (uint64_t *)(void *)v->terms.v, *kept = gone + n;
    uint32_t *at = (uint32_t *)(void *)v->matches.v;
    for (size_t k = 0; k < n; k++)
        gone[k] = v->gone.words[from + k].term;
    for (size_t k = 0; k < kept_n; k++)
        kept[k] = v->kept.words[kept_from + k].term;
    v->first = from;
    pd_word_match(kept, kept_n, gone, n, at);
    for (; u < end; u++)
        if (is_wanted(v, u, claim))
            judge_unit(
                v, claim, u,
                (struct aligned){kept, kept_from, kept_n, at + (v->gone.units[u].word - from)},
                again);
    return PD_OK;
}

/* Say which units of a blocked document are to be looked for, and behind which passage. */
static void find_blocked(struct verifying *v, const struct pd_worded *w)
{
    const struct pd_copied *c = v->d->copied.v + w->copied;
    for (size_t k = 0, same; k < w->ncopied; k += same) {
        const struct pd_copied *last = &c[k];
        bool stays = false;
        for (same = 0; k + same < w->ncopied && c[k + same].unit == c[k].unit; same++) {
            last = &c[k + same];
            stays |= last->kept == PD_DEDUP_NOWHERE ||
                     pd_dedup_stays(v->d, last->kept, last->kept_begin, last->kept_end);
        }
        if (!stays)
            places_of(v)[last->unit] = (struct place){last->kept_order, last->kept, last->row + 1};
    }
}

/* Remember which blocked units were not found, so that nobody looks for them again. */
static void end_search(struct verifying *v, const struct pd_worded *w)
{
    for (size_t u = 0; u < v->gone.nunits; u++)
        if (places_of(v)[u].kept != UINT64_MAX)
            pd_copieds_push(&v->found, (struct pd_copied){.order = w->order,
                                                          .doc = w->doc,
                                                          .begin = v->gone.units[u].begin,
                                                          .kept_order = UINT64_MAX,
                                                          .kept = PD_DEDUP_NOWHERE,
                                                          .end = v->gone.units[u].end,
                                                          .unit = (uint32_t)u});
}

static int verify_document(struct verifying *v, const struct pd_worded *w, bool again)
{
    const struct pd_claim *claims = v->d->claims.v + w->claims;
    if (w->nclaims == 0)
        return PD_OK;
    PD_TRY(pd_dedup_words(v->d, w->doc, &v->gone));
    pd_bytes_reserve(&v->after, (v->gone.nunits + 1) * sizeof(struct place));
    for (size_t u = 0; u < v->gone.nunits; u++)
        places_of(v)[u] = again ? no_place : first_place;
    if (again)
        find_blocked(v, w);
    for (uint64_t k = 0; k < w->nclaims; k++) {
        if (pd_comm_stopping())
            return pd_fail(PD_ESTOP, "stopped by a signal: --resume goes on");
        PD_TRY(verify_claim(v, &claims[k], again));
    }
    if (again)
        end_search(v, w);
    return PD_OK;
}

/* Compare units that stay with the texts that proved the removal of equal text. */
static int follow_document(struct verifying *v, const struct pd_worded *w)
{
    PD_TRY(pd_dedup_words(v->d, w->doc, &v->gone));
    pd_bytes_reserve(&v->after, (v->gone.nunits + 1) * sizeof(struct place));
    for (size_t u = 0; u < v->gone.nunits; u++) {
        const struct pd_sentence *unit = &v->gone.units[u];
        const bool stays = pd_dedup_stays(v->d, w->doc, unit->begin, unit->end);
        places_of(v)[u] = stays ? first_place : no_place;
    }
    PD_TRY(pd_dedup_follow(v->d, w, &v->gone, &v->follow));
    for (size_t k = 0; k < v->follow.claims.n; k++)
        PD_TRY(verify_claim(v, &v->follow.claims.v[k], true));
    return PD_OK;
}

/* Compare the passages of some documents. */
static int verify_task(struct verifying *v, uint64_t task, enum round round)
{
    const struct pd_wordeds *worded = &v->d->worded;
    const size_t from = (size_t)task * DOCS_OF_TASK;
    const size_t to = worded->n - from < DOCS_OF_TASK ? worded->n : from + DOCS_OF_TASK;
    for (size_t k = from; k < to; k++)
        if (round == FOLLOW)
            PD_TRY(worded->v[k].follow ? follow_document(v, &worded->v[k]) : PD_OK);
        else if (round == FIRST || worded->v[k].blocked)
            PD_TRY(verify_document(v, &worded->v[k], round == AGAIN));
    return PD_OK;
}

static int compare_copied(const struct pd_copied *a, const struct pd_copied *b)
{
    uint64_t x[PD_COPIED_U64S], y[PD_COPIED_U64S];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (int k = 0; k < PD_COPIED_U64S; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Merge more[0, n), which is in order, into what was found before, from the last ones on. */
static void merge_copied(struct pd_copieds *all, const struct pd_copied *more, size_t n)
{
    size_t old = all->n, to = all->n + n;
    pd_copieds_reserve(all, to);
    all->n = to;
    while (n > 0) {
        const bool is_old = old > 0 && compare_copied(&all->v[old - 1], &more[n - 1]) > 0;
        all->v[--to] = is_old ? all->v[--old] : more[--n];
    }
}

/* COLLECTIVE. Take out of v->found what all ranks have found. */
static void gather_found(struct verifying *v, struct pd_copieds *all)
{
    struct pd_bytes bytes = {0};
    if (v->d->comm->size == 1) {
        *all = v->found;
    } else {
        pd_dedup_gather(v->d->comm, v->found.v, v->found.n * sizeof *v->found.v, &bytes);
        all->v = (struct pd_copied *)(void *)bytes.v;
        all->n = bytes.n / sizeof *all->v;
        all->cap = bytes.cap / sizeof *all->v;
        pd_copieds_release(&v->found);
    }
    v->found = (struct pd_copieds){0};
}

/* COLLECTIVE. Give all ranks what each has found, if there is room. */
static int share_found(struct verifying *v, bool again)
{
    struct pd_dedup *d = v->d;
    struct pd_copieds more = {0};
    uint64_t n = v->found.n;
    pd_comm_sum(d->comm, &n, 1);
    v->shared = n;
    n += again ? d->copied.n : n / LATER;
    PD_TRY(pd_dedup_plan(d, "its copied sentences", LISTS * n * sizeof *d->copied.v,
                         PD_BUDGET_COPIED));
    gather_found(v, &more);
    pd_sort_records(more.v, more.n, PD_COPIED_U64S, PD_COPIED_U64S);
    if (!again) {
        d->copied = more;
        return PD_OK;
    }
    merge_copied(&d->copied, more.v, more.n);
    pd_copieds_release(&more);
    return PD_OK;
}

/* COLLECTIVE. Compare passages on all ranks. */
static int verify(struct verifying *v, enum round round)
{
    struct pd_dedup *d = v->d;
    struct pd_queue queue;
    uint64_t task;
    int status = PD_OK;
    pd_queue_open(d->comm, &queue, (d->worded.n + DOCS_OF_TASK - 1) / DOCS_OF_TASK);
    while (status >= 0 && (task = pd_queue_take(&queue)) != PD_NO_TASK)
        status = verify_task(v, task, round);
    if (status < 0)
        pd_queue_stop(&queue);
    pd_queue_close(&queue);
    PD_TRY(pd_comm_agree(d->comm, status));
    return share_found(v, round != FIRST);
}

int pd_dedup_decide(struct pd_dedup *d)
{
    struct verifying v = {.d = d, .gone.doc = UINT64_MAX, .kept.doc = UINT64_MAX};
    const uint64_t held = pd_budget_bytes(d->memory, PD_BUDGET_HELD);
    turn_claims(d);
    pd_held_open(&v.sets, pd_min_size(held / SETS_SHARE, SETS_MOST), d->worded.n);
    pd_held_open(&v.words, pd_min_size(held - held / SETS_SHARE, WORDS_MOST), d->worded.n);
    v.kept.held = &v.words;
    int status = verify(&v, FIRST);
    for (int follows = 0; status >= 0 && v.shared > 0;) {
        const bool blocked = pd_dedup_choose(d);
        if (!blocked && (follows++ == FOLLOWS_MOST || !pd_dedup_mark_follows(d)))
            break;
        status = verify(&v, blocked ? AGAIN : FOLLOW);
    }
    pd_bytes_release(&v.gone.bytes);
    pd_bytes_release(&v.kept.bytes);
    pd_bytes_release(&v.terms);
    pd_bytes_release(&v.matches);
    pd_bytes_release(&v.bits.v);
    pd_bytes_release(&v.set);
    pd_held_close(&v.words);
    pd_held_close(&v.sets);
    pd_bytes_release(&v.after);
    pd_copieds_release(&v.found);
    pd_follow_release(&v.follow);
    return status;
}

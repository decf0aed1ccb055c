/*
 * tests/stage/test_run_dedup.c - what a document loses, beside slow code: passages become claims on
 * the document that comes later, text that has gone leads to text that stays, copies go.
 *
 * Documents are arrays of units, and their place is their number. A unit is one of a few kinds, so a
 * text stands in many documents, and twice in some.
 */
#include "run/job/dedup/claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/run/detect.h"
#include "pd_random.h"
#include "run/job/dedup/choose/verify.h"
#include "run/job/dedup/word_bits.h"
#include "stage.h"

enum { DOCS = 14, UNITS = 12, KINDS = 16, SEED = 8, TRIES = 60 };

struct world {
    struct stage_docs docs;
    struct pd_sentences units[DOCS];
    struct pd_tokens words[DOCS];
    struct pd_worded worded[DOCS];
    struct pd_fate fates[DOCS];
    struct pd_choice choice;
    struct pd_claims claims; /* for pd_dedup_decide */
    struct pd_options options;
    struct pd_traffic moved;
    struct pd_scratch scratch;
    uint64_t firsts[2];
    char dir[4096], path[4096];
    struct pd_dedup d;
};

/* ---- documents ---- */

/* A unit of a kind. Of two kinds, one and the next one, only the last words differ. */
static void add_unit(struct stage_docs *d, uint32_t kind)
{
    const uint32_t n = SEED + kind / 2 % 4;
    stage_add_unit(d);
    for (uint32_t k = 0; k + 1 < n; k++)
        stage_add_word(d, kind / 2 * 16 + k);
    stage_add_word(d, 1000 + kind);
}

/* Write the words of a document, with an id. */
static void write_document(struct world *w, size_t doc)
{
    const struct pd_dedup_record record = {.changed = 0};
    struct pd_worded *worded = &w->worded[doc];
    struct pd_bytes b = {0}, text = {0};
    struct pd_word_bits bits = {.log = 0};
    struct pd_document t = {.words = {0}};
    w->units[doc].n = 0;
    stage_text(&w->docs, doc, &text, &w->units[doc]);
    stage_tokens(&w->docs, doc, &w->words[doc]);
    const size_t n = w->words[doc].n;
    for (size_t k = 0; k < n; k++) {
        const struct pd_token *at = &w->words[doc].v[k];
        const uint64_t term = stage_term(stage_words_of(&w->docs, doc, 0)[k]);
        pd_words_push(&t.words, (struct pd_word){.begin = at->begin, .end = at->end, .term = term});
    }
    t.sentences = w->units[doc];
    t.text = text.v;
    t.text_n = text.n;
    pd_bytes_append(&b, &record, sizeof record);
    pd_bytes_append(&b, "id\0\0\0\0\0", 8);
    pd_dedup_put_words(&b, &bits, &t);
    *worded = (struct pd_worded){
        .doc = doc, .id_n = 2, .units = w->units[doc].n, .nwords = n, .text_bytes = text.n};
    CU_ASSERT_EQUAL(pd_shared_append(&w->d.shared, b.v, b.n, &worded->at), PD_OK);
    pd_bytes_release(&b);
    PD_RELEASE(pd_bytes, &text, &bits.v);
    pd_words_release(&t.words);
}

/* A world in which nothing was decided. `step` 2: kinds have no words in common. */
static void open_world(struct world *w, uint64_t *seed, uint32_t step)
{
    memset(w, 0, sizeof *w);
    for (size_t doc = 0; doc < DOCS; doc++) {
        stage_add_doc(&w->docs);
        uint32_t kinds[UNITS];
        const uint32_t n = 2 + pd_random_below(seed, UNITS - 1);
        for (uint32_t k = 0; k < n; k++)
            add_unit(&w->docs, kinds[k] = pd_random_below(seed, KINDS / step) * step);
        for (uint32_t k = doc % 4 ? n : 0; k < n; k++) /* its text stands twice */
            add_unit(&w->docs, kinds[k]);
    }
    snprintf(w->dir, sizeof w->dir, "%s", stage_folder());
    w->firsts[1] = DOCS;
    w->options.dedup.min_agreement = 1;
    w->scratch = (struct pd_scratch){.comm = &test_comm, .dir = w->dir, .path = w->path};
    w->d = (struct pd_dedup){.comm = &test_comm,
                             .options = &w->options,
                             .memory = (uint64_t)1 << 28,
                             .ndocs = DOCS,
                             .targets = DOCS,
                             .min_run = 1,
                             .least_words = SEED,
                             .own = w->worded,
                             .firsts = w->firsts};
    w->d.transport = (struct pd_transport){&test_comm, &w->scratch, w->d.memory, &w->moved};
    w->choice = (struct pd_choice){
        .n = DOCS, .worded = w->worded, .fates = w->fates, .min_run = w->d.min_run};
    if (pd_shared_open(&w->d.shared, &test_comm, stage_folder()) < 0)
        pd_panic("%s", pd_error_text());
    for (size_t doc = 0; doc < DOCS; doc++)
        write_document(w, doc);
    if (pd_shared_show(&w->d.shared) < 0)
        pd_panic("%s", pd_error_text());
}

static void close_world(struct world *w)
{
    pd_shared_close(&w->d.shared);
    pd_spare_release(&w->d.spare);
    for (size_t doc = 0; doc < DOCS; doc++) {
        pd_sentences_release(&w->units[doc]);
        pd_tokens_release(&w->words[doc]);
    }
    pd_copieds_release(&w->choice.copied);
    pd_removals_release(&w->choice.removals);
    pd_bytes_release(&w->choice.lost);
    pd_going_list_release(&w->choice.going);
    pd_claims_release(&w->claims);
    stage_docs_release(&w->docs);
}

/* Byte `begin` of a unit, and the end of the white space behind it. */
static uint32_t begin_of(const struct world *w, uint64_t doc, size_t unit)
{
    return w->units[doc].v[unit].begin;
}

static uint32_t end_of(const struct world *w, uint64_t doc, size_t unit)
{
    const struct pd_sentences *u = &w->units[doc];
    return unit + 1 < u->n ? u->v[unit + 1].begin : u->v[unit].end;
}

/* A random stretch of a document, from the begin of a unit to the end of a unit. */
static void random_text(const struct world *w, uint64_t doc, uint64_t *seed, uint32_t *begin,
                        uint32_t *end)
{
    const uint32_t n = (uint32_t)w->units[doc].n, from = pd_random_below(seed, n);
    *begin = w->units[doc].v[from].begin;
    *end = w->units[doc].v[from + pd_random_below(seed, n - from)].end;
}

/* A document's set has all of its words, and few others. */
static void test_word_sets(void)
{
    struct world w;
    struct pd_bytes own = {0};
    struct pd_word_set set;
    struct pd_ring held;
    uint64_t seed = 3;
    open_world(&w, &seed, 1);
    pd_ring_open(&held, 4 << 10);
    for (size_t doc = 0; doc < DOCS; doc++) {
        size_t others = 0;
        CU_ASSERT_EQUAL(pd_dedup_word_set(&w.d, doc, &held, &own, &set), PD_OK);
        for (size_t k = 0; k < w.words[doc].n; k++)
            CU_ASSERT_TRUE(
                pd_word_set_may_have(set, stage_term(stage_words_of(&w.docs, doc, 0)[k])));
        for (uint32_t word = 0; word < 1000; word++)
            others += pd_word_set_may_have(set, stage_term(10000 + word));
        CU_ASSERT_TRUE(others > 10 && others < 200); /* a word sets one of eight bits at most */
    }
    pd_ring_close(&held);
    pd_bytes_release(&own);
    close_world(&w);
}

/* ---- where text that has gone leads ---- */

/* Runs of units go at random, because of random texts. */
static void remove_at_random(struct world *w, uint64_t doc, uint64_t *seed)
{
    struct pd_fate *f = &w->fates[doc];
    struct pd_removals *out = &w->choice.removals;
    f->first = out->n;
    for (size_t u = 0; u < w->units[doc].n && doc > 0; u++) {
        const bool goes_on = pd_random_below(seed, 2) && out->n > f->first &&
                             out->v[out->n - 1].end == begin_of(w, doc, u);
        if (pd_random_below(seed, 5) < 3)
            continue;
        if (!goes_on) {
            struct pd_removal r = {.doc = doc,
                                   .begin = begin_of(w, doc, u),
                                   .kept = pd_random_below(seed, (uint32_t)doc),
                                   .row = pd_random_below(seed, 1000),
                                   .family = pd_random_below(seed, 9)};
            random_text(w, r.kept, seed, &r.kept_begin, &r.kept_end);
            pd_removals_push(out, r);
        }
        out->v[out->n - 1].end = end_of(w, doc, u);
    }
    f->removed = out->n - f->first;
    f->gone = pd_random_below(seed, 8) == 0;
    w->worded[doc].nclaims = pd_random_below(seed, 6) > 0;
}

/* Units were found at random in other documents. */
static void copy_at_random(struct world *w, uint64_t doc, uint64_t *seed)
{
    struct pd_copieds *out = &w->choice.copied;
    w->fates[doc].copied = out->n;
    for (uint32_t u = 0; u < w->units[doc].n && doc > 0; u++)
        for (uint32_t n = pd_random_below(seed, 3); n > 0; n--) {
            struct pd_copied c = {.place = doc,
                                  .begin = begin_of(w, doc, u),
                                  .kept = pd_random_below(seed, (uint32_t)doc),
                                  .row = pd_random_below(seed, 1000),
                                  .family = pd_random_below(seed, 9),
                                  .end = w->units[doc].v[u].end,
                                  .unit = u};
            random_text(w, c.kept, seed, &c.kept_begin, &c.kept_end);
            if (pd_random_below(seed, 9) == 0)
                c.kept = PD_DEDUP_NOWHERE;
            pd_copieds_push(out, c);
        }
    w->fates[doc].ncopied = out->n - w->fates[doc].copied;
}

/* Does a removal of the document have a byte of [begin, end)? *next: from this removal on. */
static const struct pd_removal *slow_lost(const struct world *w, uint64_t doc, uint32_t begin,
                                          uint32_t end, uint64_t *next)
{
    const struct pd_fate *f = &w->fates[doc];
    while (*next < f->removed) {
        const struct pd_removal *r = &w->choice.removals.v[f->first + (*next)++];
        if (r->begin < end && begin < r->end)
            return r;
    }
    return NULL;
}

static bool slow_stays(const struct world *w, uint64_t doc, uint32_t begin, uint32_t end)
{
    uint64_t next = 0;
    return !w->fates[doc].gone && !slow_lost(w, doc, begin, end, &next);
}

/* The claim, on the text that proves a removal, about as far from its begin as [begin, end) is. */
static void slow_push(struct pd_claims *out, struct pd_claim claim, const struct pd_removal *r,
                      int64_t begin, int64_t end)
{
    const int64_t n = r->end - r->begin, kept_n = r->kept_end - r->kept_begin;
    const int64_t bytes = (int64_t)(uint32_t)claim.gone_bytes - (int64_t)(claim.gone_bytes >> 32);
    const int64_t room = llabs(kept_n - n) + bytes;
    int64_t from = begin - r->begin, to = end - r->begin;
    from = (from > 0 ? from : 0) - room;
    to = (to < n ? to : n) + room;
    from = from > 0 ? from : 0;
    to = to < kept_n ? to : kept_n;
    claim.kept = r->kept;
    claim.kept_bytes = (uint64_t)(r->kept_begin + from) << 32 | (uint64_t)(r->kept_begin + to);
    pd_claims_push(out, claim);
}

/* What is known of a document; another list means that something is new. */
struct slow {
    struct pd_u64s seen[DOCS];
    struct pd_claims claims; /* of the document at hand */
};

static void slow_units(const struct world *w, uint64_t doc, struct slow *s, struct pd_u64s *known)
{
    const struct pd_fate *f = &w->fates[doc];
    for (uint64_t k = f->copied; k < f->copied + f->ncopied; k++) {
        const struct pd_copied *u = &w->choice.copied.v[k];
        const struct pd_claim claim = {
            .gone = doc, .row = u->row, .family = u->family, .gone_bytes = u->begin << 32 | u->end};
        const struct pd_removal *r;
        uint64_t next = 0;
        if (u->kept == PD_DEDUP_NOWHERE || !slow_stays(w, doc, (uint32_t)u->begin, u->end))
            continue;
        pd_u64s_push(known, UINT64_MAX);
        pd_u64s_push(known, u->begin);
        while ((r = slow_lost(w, u->kept, u->kept_begin, u->kept_end, &next))) {
            pd_u64s_push(known, r->kept);
            pd_u64s_push(known, r->kept_begin);
            if (!w->d.skips)
                slow_push(&s->claims, claim, r, u->kept_begin, u->kept_end);
        }
    }
}

/* The unit of a word. */
static size_t unit_of(const struct world *w, uint64_t doc, size_t word)
{
    size_t u = 0;
    while (w->units[doc].v[u].word + w->units[doc].v[u].nwords <= word)
        u++;
    return u;
}

static bool word_stays(const struct world *w, uint64_t doc, size_t word)
{
    const uint32_t begin = begin_of(w, doc, unit_of(w, doc, word));
    uint64_t next = 0;
    return !slow_lost(w, doc, begin, begin + 1, &next);
}

/* How many words from `at` on stay, and stand from `gone` on, where they have gone? */
static size_t slow_run(const struct world *w, uint64_t doc, size_t gone, size_t at)
{
    const uint32_t *words = stage_words_of(&w->docs, doc, 0);
    const size_t n = w->words[doc].n;
    size_t k = 0;
    while (gone + k < n && at + k < n && words[gone + k] == words[at + k] &&
           !word_stays(w, doc, gone + k) && word_stays(w, doc, at + k))
        k++;
    return k;
}

/* Is a run of n words from `at` on as long as a passage? Units that it has in part do not count. */
static bool slow_is_long(const struct world *w, uint64_t doc, size_t at, size_t n)
{
    const struct pd_sentences *u = &w->units[doc];
    const size_t first = unit_of(w, doc, at), last = unit_of(w, doc, at + n - 1);
    uint64_t whole = last + 1 - first;
    if (u->v[first].word < at && whole-- == 0)
        return false;
    if (u->v[last].word + u->v[last].nwords > at + n && whole-- == 0)
        return false;
    return n >= w->d.least_words && whole >= w->d.least_units;
}

/* Runs of words that stay, and stand in text of the same document that has gone. */
static void slow_repeats(const struct world *w, uint64_t doc, struct slow *s)
{
    const struct pd_token *words = w->words[doc].v;
    for (size_t at = 0, n; at < w->words[doc].n; at += n ? n : 1) {
        const struct pd_removal *r;
        size_t gone = w->words[doc].n; /* the last place of the words */
        while (gone > 0 && slow_run(w, doc, gone - 1, at) < SEED)
            gone--;
        n = gone ? slow_run(w, doc, gone - 1, at) : 0;
        if (n == 0 || !slow_is_long(w, doc, at, n))
            continue;
        const uint32_t begin = words[gone - 1].begin, end = words[gone + n - 2].end;
        const struct pd_sentence *u = w->units[doc].v, *first = &u[unit_of(w, doc, at)],
                                 *last = &u[unit_of(w, doc, at + n - 1)];
        for (uint64_t next = 0; (r = slow_lost(w, doc, begin, end, &next));) {
            const struct pd_claim claim = {.gone = doc,
                                           .row = r->row,
                                           .family = r->family,
                                           .gone_bytes = (uint64_t)first->begin << 32 | last->end};
            slow_push(&s->claims, claim, r, begin, end);
        }
    }
}

/* Is the document to be searched once more? s->claims has its claims then. */
static bool slow_follow(const struct world *w, uint64_t doc, struct slow *s)
{
    const struct pd_fate *f = &w->fates[doc];
    struct pd_u64s known = {0};
    s->claims.n = 0;
    for (uint64_t k = f->first; k < f->first + f->removed; k++) {
        pd_u64s_push(&known, w->choice.removals.v[k].begin);
        pd_u64s_push(&known, w->choice.removals.v[k].end);
    }
    slow_units(w, doc, s, &known);
    const bool same =
        known.n == s->seen[doc].n &&
        (known.n == 0 || memcmp(known.v, s->seen[doc].v, known.n * sizeof *known.v) == 0);
    pd_u64s_release(&s->seen[doc]);
    s->seen[doc] = known;
    if (same || f->gone || w->worded[doc].nclaims == 0)
        return false;
    if (f->removed)
        slow_repeats(w, doc, s);
    pd_sort_records(s->claims.v, s->claims.n, PD_CLAIM_U64S, PD_CLAIM_U64S);
    return s->claims.n > 0;
}

/* Follow once, beside the slow code. Returns how many claims there were. */
static size_t expect_followed(struct world *w, struct slow *s)
{
    struct pd_searches searches = {0};
    size_t at = 0, claims = 0;
    CU_ASSERT_EQUAL(pd_follow(&w->d, &w->choice, &searches), PD_OK);
    for (uint64_t doc = 0; doc < DOCS; doc++) {
        struct pd_claim found[512];
        if (!slow_follow(w, doc, s))
            continue;
        const struct pd_search none = {DOCS, 0, 0},
                               *search = at < searches.n ? &searches.v[at++] : &none;
        CU_ASSERT_TRUE(search->place == doc && search->n == s->claims.n);
        if (search->n != s->claims.n || search->n > sizeof found / sizeof *found)
            continue;
        CU_ASSERT_EQUAL(
            pd_shared_read(&w->d.shared, 0, search->at, search->n * sizeof *found, found), PD_OK);
        CU_ASSERT_EQUAL(memcmp(found, s->claims.v, search->n * sizeof *found), 0);
        claims += search->n;
    }
    CU_ASSERT_EQUAL(at, searches.n);
    pd_searches_release(&searches);
    return claims;
}

static void test_follow(void)
{
    uint64_t seed = 11;
    size_t all = 0, later = 0;
    for (int k = 0; k < TRIES; k++) {
        struct world w;
        struct slow s = {.claims = {0}};
        open_world(&w, &seed, 1);
        w.d.skips = k % 7 == 6;
        w.d.least_words = SEED + pd_random_below(&seed, 6);
        w.d.least_units = pd_random_below(&seed, 3);
        for (uint64_t doc = 0; doc < DOCS; doc++) {
            remove_at_random(&w, doc, &seed);
            copy_at_random(&w, doc, &seed);
        }
        all += expect_followed(&w, &s);
        CU_ASSERT_EQUAL(expect_followed(&w, &s), 0); /* nothing is new */
        struct pd_removal *r =
            &w.choice.removals.v[pd_random_below(&seed, (uint32_t)w.choice.removals.n)];
        random_text(&w, r->kept, &seed, &r->kept_begin, &r->kept_end);
        later += expect_followed(&w, &s);
        for (size_t doc = 0; doc < DOCS; doc++)
            pd_u64s_release(&s.seen[doc]);
        pd_claims_release(&s.claims);
        close_world(&w);
    }
    CU_ASSERT_TRUE(all > 20 * TRIES && later > 2 * TRIES);
}

/* ---- passages become claims ---- */

/* A passage as the result has it; documents are rows of /documents. */
static struct pd_claim passage_of(const struct world *w, uint64_t row)
{
    struct pd_result *r = w->d.result;
#define CELL(column) ((uint64_t)stage_cell(r, "passages", column, row))
    return (struct pd_claim){.gone = CELL("doc_a"),
                             .kept = CELL("doc_b") + (w->d.foreign ? w->d.targets : 0),
                             .row = row,
                             .family = w->d.has_families ? CELL("family") : 0,
                             .gone_bytes = CELL("begin_a") << 32 | CELL("end_a"),
                             .kept_bytes = CELL("begin_b") << 32 | CELL("end_b")};
#undef CELL
}

/* Is the document in a passage? */
static bool slow_wanted(const struct world *w, uint64_t doc)
{
    for (uint64_t row = 0; row < w->d.passages; row++) {
        const struct pd_claim p = passage_of(w, row);
        if (p.gone != p.kept && (p.gone == doc || p.kept == doc))
            return true;
    }
    return false;
}

/* Which documents are in passages: they get places in random order. */
static void expect_wanted(struct world *w, struct pd_wordeds *own, uint64_t *seed)
{
    struct pd_bytes marks = {0};
    struct pd_wanted_rows wanted = {.d = &w->d};
    uint64_t hash = 0;
    CU_ASSERT_EQUAL(pd_find_wanted(&w->d, &marks, &hash), PD_OK);
    CU_ASSERT_EQUAL(marks.n, w->d.ndocs);
    CU_ASSERT_EQUAL(pd_publish_wanted(&w->d, &marks), PD_OK);
    for (uint64_t doc = 0; doc < w->d.ndocs; doc++) {
        bool is;
        CU_ASSERT_EQUAL(pd_is_wanted(&wanted, doc, &is), PD_OK);
        CU_ASSERT_EQUAL(is, slow_wanted(w, doc));
        if (!is)
            continue;
        pd_wordeds_push(own, (struct pd_worded){.doc = doc});
        const size_t other = pd_random_below(seed, (uint32_t)own->n);
        own->v[own->n - 1].doc = own->v[other].doc;
        own->v[other].doc = doc;
    }
    pd_wanted_rows_release(&wanted);
    w->firsts[1] = own->n;
}

static uint64_t slow_place(const struct pd_wordeds *own, uint64_t doc)
{
    uint64_t place = 0;
    while (own->v[place].doc != doc)
        place++;
    return place;
}

/* The claims of a document, by kept document, then by row. Returns how many. */
static uint64_t slow_claims(const struct world *w, const struct pd_wordeds *own, uint64_t place,
                            struct pd_claims *out)
{
    const size_t before = out->n;
    for (uint64_t kept = 0; kept < place; kept++)
        for (uint64_t row = 0; row < w->d.passages; row++) {
            const struct pd_claim p = passage_of(w, row);
            const uint64_t a = p.gone == p.kept ? UINT64_MAX : slow_place(own, p.gone);
            const uint64_t b = p.gone == p.kept ? UINT64_MAX : slow_place(own, p.kept);
            if (a == place && b == kept)
                pd_claims_push(
                    out, (struct pd_claim){place, kept, row, p.family, p.gone_bytes, p.kept_bytes});
            else if (b == place && a == kept)
                pd_claims_push(
                    out, (struct pd_claim){place, kept, row, p.family, p.kept_bytes, p.gone_bytes});
        }
    return out->n - before;
}

static void expect_claims(struct world *w, struct pd_wordeds *own, size_t *all)
{
    struct pd_claims slow = {0}, found = {0};
    CU_ASSERT_EQUAL(pd_bring_claims(&w->d, own), PD_OK);
    for (uint64_t place = 0; place < own->n; place++) {
        const uint64_t first = slow.n, n = slow_claims(w, own, place, &slow);
        CU_ASSERT_EQUAL(own->v[place].nclaims, n);
        CU_ASSERT_TRUE(n == 0 || own->v[place].claims == first);
    }
    const size_t bytes = slow.n * sizeof *slow.v;
    pd_claims_reserve(&found, slow.n + 1);
    CU_ASSERT_EQUAL(pd_shared_size(&w->d.shared, PD_SHARED_CLAIMS, 0), bytes);
    CU_ASSERT_EQUAL(pd_shared_part(&w->d.shared, PD_SHARED_CLAIMS, 0, 0, bytes, found.v), PD_OK);
    CU_ASSERT_EQUAL(memcmp(found.v, slow.v, bytes), 0);
    for (uint64_t place = 0; place < own->n; place++) {
        struct pd_worded worded;
        CU_ASSERT_EQUAL(pd_dedup_worded(&w->d, place, &worded), PD_OK);
        CU_ASSERT_EQUAL(memcmp(&worded, &own->v[place], sizeof worded), 0);
    }
    *all += slow.n;
    pd_claims_release(&slow);
    pd_claims_release(&found);
}

/* Of all passages in a collection; and as if their second documents were sources of an index. */
static void test_claims(void)
{
    uint64_t seed = 12;
    size_t all = 0;
    for (int k = 0; k < 8; k++) {
        struct stage s;
        struct world w;
        struct pd_wordeds own = {0};
        open_world(&w, &seed, 1);
        stage_parse_job(&s, k < 4 ? "--preset edited" : "--method pdc-imatch --gamma 0",
                        stage_write_operands(&w.docs));
        CU_ASSERT_EQUAL_FATAL(pd_detect(&test_comm, &s.options), PD_OK);
        w.d.result = stage_result_open(s.options.output);
        w.d.passages = stage_rows(w.d.result, "passages");
        w.d.foreign = k % 2 ? DOCS : 0;
        w.d.ndocs += w.d.foreign;
        w.d.has_families = k % 4 < 2 && pd_result_has(w.d.result, "passages", "family");
        w.d.own = NULL;
        expect_wanted(&w, &own, &seed);
        expect_claims(&w, &own, &all);
        w.d.ndocs = DOCS / 2;
        struct pd_bytes marks = {0};
        uint64_t hash = 0;
        CU_ASSERT_EQUAL(pd_find_wanted(&w.d, &marks, &hash), PD_EFORMAT);
        pd_error_clear();
        w.d.memory = 1;
        CU_ASSERT_EQUAL(pd_find_wanted(&w.d, &marks, &hash), PD_EFULL);
        pd_error_clear();
        pd_bytes_release(&marks);
        stage_result_close(w.d.result);
        pd_wordeds_release(&own);
        stage_close(&s);
        close_world(&w);
    }
    CU_ASSERT_TRUE(all > 500);
}

/* ---- what goes ---- */

static bool same_unit(const struct world *w, uint64_t a, uint32_t i, uint64_t b, uint32_t j)
{
    return stage_same_words(&w->docs, a, i, b, j);
}

/* Claims of all runs of equal units of a document and one before it, of 100 so many. */
static void claim_runs(struct world *w, uint64_t gone, uint64_t kept, uint32_t percent,
                       uint64_t *seed)
{
    const struct pd_sentences *a = &w->units[gone], *b = &w->units[kept];
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            uint32_t n = 0;
            if (i > 0 && j > 0 && same_unit(w, gone, i - 1, kept, j - 1))
                continue;
            while (i + n < a->n && j + n < b->n && same_unit(w, gone, i + n, kept, j + n))
                n++;
            if (n > 0 && pd_random_below(seed, 100) < percent)
                pd_claims_push(&w->claims,
                               (struct pd_claim){.gone = gone,
                                                 .kept = kept,
                                                 .row = w->claims.n,
                                                 .gone_bytes = (uint64_t)a->v[i].begin << 32 |
                                                               a->v[i + n - 1].end,
                                                 .kept_bytes = (uint64_t)b->v[j].begin << 32 |
                                                               b->v[j + n - 1].end});
        }
}

/* Make claims, publish them, and decide. `near`: only of a document and the one before it. */
static void decide(struct world *w, uint32_t percent, bool near, uint64_t *seed)
{
    for (uint64_t gone = 0; gone < DOCS; gone++) {
        w->worded[gone].claims = w->claims.n;
        for (uint64_t kept = near && gone ? gone - 1 : 0; kept < gone; kept++)
            claim_runs(w, gone, kept, percent, seed);
        w->worded[gone].nclaims = w->claims.n - w->worded[gone].claims;
    }
    w->d.passages = w->claims.n;
    pd_shared_begin(&w->d.shared, PD_SHARED_CLAIMS);
    int status =
        pd_shared_append(&w->d.shared, w->claims.v, w->claims.n * sizeof *w->claims.v, NULL);
    status = pd_shared_publish(&w->d.shared, PD_SHARED_CLAIMS, status);
    CU_ASSERT_EQUAL(status, PD_OK);
    CU_ASSERT_EQUAL(pd_dedup_decide(&w->d, &w->choice), PD_OK);
}

static bool unit_stays(const struct world *w, uint64_t doc, uint32_t unit)
{
    return slow_stays(w, doc, begin_of(w, doc, unit), w->units[doc].v[unit].end);
}

/* Does the unit stand in a document before, as text that stays (or, with `any`, at all)? */
static bool stands_before(const struct world *w, uint64_t doc, uint32_t unit, bool any)
{
    for (uint64_t before = 0; before < doc; before++)
        for (uint32_t k = 0; k < w->units[before].n; k++)
            if (same_unit(w, doc, unit, before, k) && (any || unit_stays(w, before, k)))
                return true;
    return false;
}

/* Each unit that goes stands in text that stays, word for word, where its removal says so. */
static void expect_proved(const struct world *w)
{
    for (size_t k = 0; k < w->choice.removals.n; k++) {
        const struct pd_removal *r = &w->choice.removals.v[k];
        const struct pd_sentences *a = &w->units[r->doc], *b = &w->units[r->kept];
        uint32_t i = 0, j = 0, words = 0;
        while (a->v[i].begin < r->begin)
            i++;
        while (b->v[j].begin < r->kept_begin)
            j++;
        CU_ASSERT_TRUE(r->kept < r->doc && slow_stays(w, r->kept, r->kept_begin, r->kept_end));
        CU_ASSERT_TRUE(a->v[i].begin == r->begin && b->v[j].begin == r->kept_begin);
        for (; i < a->n && a->v[i].begin < r->end; i++, j++) {
            CU_ASSERT_TRUE_FATAL(j < b->n && same_unit(w, r->doc, i, r->kept, j));
            words += a->v[i].nwords;
        }
        CU_ASSERT_EQUAL(r->end, i < a->n ? a->v[i].begin : a->v[a->n - 1].end);
        CU_ASSERT_EQUAL(r->kept_end, b->v[j - 1].end - 1); /* without its full stop */
        CU_ASSERT_TRUE(r->words == words && r->matched == words && r->kept_words == words);
    }
}

/* With all claims, and with few of them but a search for what stays: a text stays where it is first. */
static void test_first_stays(void)
{
    uint64_t seed = 13;
    size_t removals = 0;
    for (int k = 0; k < TRIES; k++) {
        struct world w;
        open_world(&w, &seed, 2);
        w.d.seeks = k % 2;
        decide(&w, k % 2 ? 30 : 100, false, &seed);
        expect_proved(&w);
        for (uint64_t doc = 0; doc < DOCS; doc++) {
            bool gone = true;
            for (uint32_t u = 0; u < w.units[doc].n; u++) {
                const bool goes = stands_before(&w, doc, u, true);
                CU_ASSERT_EQUAL(unit_stays(&w, doc, u), !goes);
                gone = gone && goes;
            }
            CU_ASSERT_EQUAL(w.fates[doc].gone, gone);
        }
        removals += w.choice.removals.n;
        close_world(&w);
    }
    CU_ASSERT_TRUE(removals > 10 * TRIES);
}

/* In how many documents, or at how many places, does the unit stand? */
static uint64_t times_of(const struct world *w, uint64_t doc, uint32_t unit)
{
    uint64_t times = 0;
    for (uint64_t other = 0; other < DOCS; other++) {
        uint64_t here = 0;
        for (uint32_t k = 0; k < w->units[other].n; k++)
            here += same_unit(w, doc, unit, other, k);
        times += w->d.most_places ? here : here > 0;
    }
    return times;
}

/* Without claims: what more documents or places have than --max-df stays, or goes with --common first. */
static void test_common(void)
{
    uint64_t seed = 16, stays = 0, goes = 0;
    for (int k = 0; k < TRIES; k++) {
        struct world w;
        open_world(&w, &seed, 2);
        w.d.seeks = true;
        w.d.common_first = k % 3 == 0;
        w.d.most = 4 + pd_random_below(&seed, 3);
        w.d.most_places = k % 2;
        decide(&w, 0, false, &seed);
        expect_proved(&w);
        for (uint64_t doc = 0; doc < DOCS; doc++)
            for (uint32_t u = 0; u < w.units[doc].n; u++) {
                const bool common = times_of(&w, doc, u) > w.d.most;
                const bool expected =
                    stands_before(&w, doc, u, true) && (w.d.common_first || !common);
                CU_ASSERT_EQUAL(unit_stays(&w, doc, u), !expected);
                stays += common;
                goes += expected;
            }
        close_world(&w);
    }
    CU_ASSERT_TRUE(stays > 10 * TRIES && goes > 10 * TRIES);
}

/* With a part of the claims, no claim leads from text that stays to text that stays. */
static void test_claims_are_used(void)
{
    uint64_t seed = 14;
    for (int k = 0; k < TRIES; k++) {
        struct world w;
        open_world(&w, &seed, 2);
        decide(&w, 50, k % 3 == 2, &seed);
        expect_proved(&w);
        for (size_t c = 0; c < w.claims.n; c++) {
            const struct pd_claim *claim = &w.claims.v[c];
            uint32_t i = 0, j = 0;
            while (begin_of(&w, claim->gone, i) < claim->gone_bytes >> 32)
                i++;
            while (begin_of(&w, claim->kept, j) < claim->kept_bytes >> 32)
                j++;
            for (; i < w.units[claim->gone].n &&
                   begin_of(&w, claim->gone, i) < (uint32_t)claim->gone_bytes;
                 i++, j++)
                CU_ASSERT_FALSE(unit_stays(&w, claim->gone, i) && unit_stays(&w, claim->kept, j));
        }
        close_world(&w);
    }
}

/* A text that is copied from copy to copy, each claimed from the one before, stays once. */
static void test_chain(void)
{
    enum { LINKS = 5 };
    uint64_t seed = 15;
    for (uint32_t kinds = 1; kinds < KINDS / 2; kinds++) {
        struct world w;
        open_world(&w, &seed, 2);
        stage_docs_release(&w.docs);
        w.docs = (struct stage_docs){.skips = {0}};
        for (uint32_t doc = 0; doc < DOCS; doc++) {
            stage_add_doc(&w.docs);
            for (uint32_t k = 0; k < kinds; k++)
                add_unit(&w.docs, 2 * k + KINDS * (doc < LINKS ? 1 : 2 + doc));
            add_unit(&w.docs, 2 * doc); /* so that no document goes whole */
            write_document(&w, doc);
        }
        CU_ASSERT_EQUAL(pd_shared_show(&w.d.shared), PD_OK);
        decide(&w, 100, true, &seed);
        expect_proved(&w);
        for (uint64_t doc = 0; doc < DOCS; doc++)
            for (uint32_t u = 0; u < kinds; u++)
                CU_ASSERT_EQUAL(unit_stays(&w, doc, u), doc == 0 || doc >= LINKS);
        close_world(&w);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_word_sets), PD_TEST(test_claims),
                                        PD_TEST(test_follow),    PD_TEST(test_first_stays),
                                        PD_TEST(test_common),    PD_TEST(test_claims_are_used),
                                        PD_TEST(test_chain),     CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/job/dedup", tests);
}

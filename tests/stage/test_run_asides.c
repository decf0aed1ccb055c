/*
 * tests/stage/test_run_asides.c - what gather sets aside and signs as a whole, beside slow code:
 * stubs, templates, imprints, doubtful units, whole documents, brief documents.
 */
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pd_random.h"
#include "run/stage/classes/templates.h"
#include "run/stage/collection/site.h"
#include "stage.h"

enum { SITES = 5, DOCS_MOST = 128, UNITS_MOST = 64 };

/* ---- pages of a few sites ---- */

static void add_words(struct stage_docs *d, uint32_t n, uint32_t from, uint32_t different,
                      uint64_t *seed)
{
    for (; n > 0; n--)
        stage_add_word(d, from + pd_random_below(seed, different));
}

/* A unit of the menu of a site: `k` tells its words. */
static void add_menu(struct stage_docs *d, uint32_t site, uint32_t k, bool frame)
{
    stage_add_unit(d)->frame = frame;
    for (uint32_t n = 0; n < 2 + k; n++)
        stage_add_word(d, 1000 * (site + 1) + 10 * k + n);
}

/* A page that says what many addresses of the site say. */
static void add_stub(struct stage_docs *d, uint32_t site, uint64_t *seed)
{
    const uint32_t kind = pd_random_below(seed, 2);
    add_menu(d, site, 0, false);
    add_menu(d, site, 5 + 6 * kind, false);
    if (kind)
        add_menu(d, site, 20, false);
}

/* A page with its inner text, and some units of the menu before and behind it. */
static void add_page(struct stage_docs *d, uint32_t site, uint64_t *seed)
{
    const bool frames = pd_random_below(seed, 3) == 0, bare = pd_random_below(seed, 8) == 0;
    for (uint32_t k = 0; k < 3; k++)
        if (pd_random_below(seed, 4))
            add_menu(d, site, k, frames);
    for (uint32_t n = pd_random_below(seed, 7); n > 0; n--) {
        struct stage_unit *unit = stage_add_unit(d);
        const uint32_t kind = bare ? 2 + pd_random_below(seed, 3) : pd_random_below(seed, 8);
        unit->doubtful = kind < 2;
        unit->linked = kind == 2;
        unit->stray = kind == 3 || kind == 4;
        if (unit->stray)
            add_words(d, 2, 500, 2 + pd_random_below(seed, 30), seed);
        else
            add_words(d, 1 + pd_random_below(seed, 6), 0, pd_random_below(seed, 2) ? 4 : 400, seed);
    }
    add_menu(d, site, 3 + pd_random_below(seed, 2), false);
    const uint32_t list = pd_random_below(seed, 9);
    if (list < 4) /* what pages of all sites say at their ends, a long text among it */
        add_menu(d, SITES, list < 3 ? list : 99, false);
}

static void make_site(struct stage_docs *d, uint32_t site, uint64_t *seed)
{
    const uint32_t articles = pd_random_below(seed, 11);
    for (uint32_t k = 2 + pd_random_below(seed, 22); k > 0; k--) {
        struct stage_doc *doc = stage_add_doc(d);
        doc->article = pd_random_below(seed, 10) < articles;
        if (pd_random_below(seed, 12))
            snprintf(doc->url, sizeof doc->url, "http://s%u.example/n%u?v=%u", site,
                     pd_random_below(seed, 12), pd_random_below(seed, 60));
        if (pd_random_below(seed, 3) == 0)
            add_stub(d, site, seed);
        else
            add_page(d, site, seed);
    }
}

/* ---- the slow definition: join/stubs.h, join/templates.h ---- */

struct page {
    bool stub;
    uint32_t site;                /* UINT32_MAX: of none */
    uint32_t numbers[UNITS_MOST]; /* of its units; UINT32_MAX: the frame is set aside */
    bool of_site[UNITS_MOST];     /* set aside as a template or of a stub */
    bool imprint[UNITS_MOST];     /* set aside as an imprint */
    bool stray[UNITS_MOST];       /* set aside as stray text */
    bool goes[UNITS_MOST];        /* one of the first two, and not stray */
    bool link[UNITS_MOST];        /* set aside as linked or doubtful */
    uint32_t traits[3];           /* units, UINT32_MAX: missing */
};

struct slow {
    const struct stage_docs *d;
    struct page v[DOCS_MOST];
    bool frame_aside;
};

static uint32_t units_of(const struct slow *s, size_t doc) { return s->d->docs.v[doc].nunits; }
static uint32_t words_in(const struct slow *s, size_t doc, uint32_t k)
{
    return stage_unit_of(s->d, doc, k)->nwords;
}

/* The next unit outside the frame, from k on. */
static uint32_t next_own(const struct slow *s, size_t doc, uint32_t k)
{
    while (k < units_of(s, doc) && stage_unit_of(s->d, doc, k)->frame)
        k++;
    return k;
}

static bool same_own_text(const struct slow *s, size_t a, size_t b)
{
    uint32_t i = next_own(s, a, 0), j = next_own(s, b, 0);
    for (; i < units_of(s, a) && j < units_of(s, b);
         i = next_own(s, a, i + 1), j = next_own(s, b, j + 1))
        if (!stage_same_words(s->d, a, i, b, j))
            return false;
    return i == units_of(s, a) && j == units_of(s, b);
}

static uint32_t own_words(const struct slow *s, size_t doc)
{
    uint32_t n = 0;
    for (uint32_t k = next_own(s, doc, 0); k < units_of(s, doc); k = next_own(s, doc, k + 1))
        n += words_in(s, doc, k);
    return n;
}

/* Is the address of `doc`, up to `end`, that of an earlier document with the same inner text? */
static bool was_seen(const struct slow *s, const size_t *same, size_t k, char end)
{
    const char *url = s->d->docs.v[same[k]].url;
    const size_t n = strcspn(url, (const char[]){end, 0});
    for (size_t i = 0; i < k; i++) {
        const char *other = s->d->docs.v[same[i]].url;
        if (strcspn(other, (const char[]){end, 0}) == n && memcmp(other, url, n) == 0)
            return true;
    }
    return false;
}

static bool is_stub(const struct slow *s, size_t doc)
{
    size_t same[DOCS_MOST], n = 0, names = 0, addresses = 0;
    const uint32_t words = own_words(s, doc), least = 5 + words / 32;
    for (size_t k = 0; k < s->d->docs.n; k++)
        if (s->v[k].site == s->v[doc].site && same_own_text(s, k, doc))
            same[n++] = k;
    for (size_t k = 0; k < n; k++) {
        names += !was_seen(s, same, k, '?');
        addresses += !was_seen(s, same, k, '#');
    }
    return s->v[doc].site != UINT32_MAX && words >= 1 && words <= 200 &&
           (names >= least || addresses >= 4 * least);
}

/* The three units with the most words in the middle three fifths of a page. */
static void find_traits(struct slow *s, size_t doc)
{
    const uint32_t all = s->d->docs.v[doc].nwords;
    for (int t = 0; t < 3; t++) {
        uint32_t best = UINT32_MAX, before = 0;
        for (uint32_t k = 0; k < units_of(s, doc); before += words_in(s, doc, k), k++) {
            const uint32_t n = words_in(s, doc, k), middle = 5 * (2 * before + n);
            const bool taken =
                (t > 0 && s->v[doc].traits[0] == k) || (t > 1 && s->v[doc].traits[1] == k);
            if (2 * all <= middle && middle <= 8 * all && !taken &&
                (best == UINT32_MAX || n > words_in(s, doc, best)))
                best = k;
        }
        s->v[doc].traits[t] = best;
    }
}

static bool same_trait(const struct slow *s, size_t a, size_t b, int t)
{
    const uint32_t i = s->v[a].traits[t], j = s->v[b].traits[t];
    if (i == UINT32_MAX || j == UINT32_MAX)
        return i == j;
    return stage_same_words(s->d, a, i, b, j);
}

static unsigned different_traits(const struct slow *s, const size_t *v, size_t n, int t)
{
    unsigned found = 0;
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        while (i < k && !same_trait(s, v[i], v[k], t))
            i++;
        found += i == k;
    }
    return found;
}

static size_t pages_of_site(const struct slow *s, uint32_t site, size_t *articles)
{
    size_t n = 0;
    *articles = 0;
    for (size_t k = 0; k < s->d->docs.n; k++)
        if (s->v[k].site == site && !s->v[k].stub) {
            n++;
            *articles += s->d->docs.v[k].article;
        }
    return n;
}

/* Is unit k running text in a frame that is set aside? */
static bool astray(const struct slow *s, size_t doc, uint32_t k)
{
    return s->frame_aside && stage_unit_of(s->d, doc, k)->stray;
}

/* Is the stray text of a unit stray in three documents, or in two of one site? */
static bool is_frame(const struct slow *s, size_t doc, uint32_t unit)
{
    size_t all = 0, of_site = 0;
    for (size_t k = 0; k < s->d->docs.n; k++) {
        bool has = false;
        for (uint32_t i = 0; i < units_of(s, k); i++)
            has |= astray(s, k, i) && stage_same_words(s->d, k, i, doc, unit);
        all += has;
        of_site +=
            has && (k == doc || (s->v[k].site == s->v[doc].site && s->v[doc].site != UINT32_MAX));
    }
    return astray(s, doc, unit) && (all >= 3 || of_site >= 2);
}

/* Is unit `unit` among the first or last five that --frame does not set aside, and that are not stray? */
static bool at_end(const struct slow *s, size_t doc, uint32_t unit)
{
    uint32_t n = 0, at = UINT32_MAX;
    for (uint32_t k = 0; k < units_of(s, doc); k++)
        if (s->v[doc].numbers[k] != UINT32_MAX && !astray(s, doc, k)) {
            at = k == unit ? n : at;
            n++;
        }
    return at != UINT32_MAX && (at < 5 || at + 5 >= n);
}

/* Does the document have the text of a unit, anywhere or at an end? */
static bool has_text(const struct slow *s, size_t doc, size_t from, uint32_t unit, bool end)
{
    for (uint32_t k = 0; k < units_of(s, doc); k++)
        if (stage_same_words(s->d, doc, k, from, unit) && (!end || at_end(s, doc, k)))
            return true;
    return false;
}

/* How many of p documents differ: the middle one of their three traits. */
static unsigned differ(const struct slow *s, const size_t *v, size_t p)
{
    const size_t q = p < 64 ? p : 64;
    const unsigned a = different_traits(s, v, q, 0), b = different_traits(s, v, q, 1),
                   c = different_traits(s, v, q, 2);
    const unsigned least = a < b ? (a < c ? a : c) : (b < c ? b : c);
    const unsigned most = a > b ? (a > c ? a : c) : (b > c ? b : c);
    return a + b + c - least - most;
}

/* The sites of the first 64 of p documents; a document of none counts as one. */
static size_t sites_of(const struct slow *s, const size_t *v, size_t p)
{
    size_t found = 0;
    for (size_t k = 0; k < p && k < 64; k++) {
        bool before = false;
        for (size_t i = 0; i < k; i++)
            before |= s->v[v[i]].site == s->v[v[k]].site && s->v[v[k]].site != UINT32_MAX;
        found += !before;
    }
    return found;
}

/* Is a unit at an end an imprint? */
static bool is_imprint(const struct slow *s, size_t doc, uint32_t unit)
{
    size_t v[DOCS_MOST], p = 0;
    const size_t all = s->d->docs.n;
    for (size_t k = 0; k < all; k++)
        if (!s->v[k].stub && has_text(s, k, doc, unit, true))
            v[p++] = k;
    const unsigned d = differ(s, v, p), n = words_in(s, doc, unit);
    return !s->v[doc].stub && at_end(s, doc, unit) && n <= 100 && d >= 3 &&
           sites_of(s, v, p) >= 3 && 4 * sites_of(s, v, p) >= (p < 64 ? p : 64) &&
           p >= 8 + n / 32 && 16 * p * p >= all && 5 * d >= 3 * (p < 64 ? p : 64);
}

/* Is the text of a unit a template of its site? */
static bool is_template(const struct slow *s, size_t doc, uint32_t unit)
{
    size_t v[DOCS_MOST], p = 0, articles;
    for (size_t k = 0; k < s->d->docs.n; k++)
        if (s->v[k].site == s->v[doc].site && !s->v[k].stub && has_text(s, k, doc, unit, false))
            v[p++] = k;
    const size_t pages = pages_of_site(s, s->v[doc].site, &articles), q = p < 64 ? p : 64;
    const unsigned d = differ(s, v, p);
    return d >= 3 &&
           ((4 * p >= 3 * pages && 4 * d >= q) || (4 * p >= pages && 2 * d >= q) ||
            (p >= 3 + words_in(s, doc, unit) / 32 && 16 * p * p >= pages && 10 * d >= 9 * q));
}

static void judge_page(struct slow *s, size_t doc)
{
    struct page *page = &s->v[doc];
    size_t articles;
    const size_t pages = pages_of_site(s, page->site, &articles);
    const bool of_articles = pages >= 3 && 5 * articles >= 3 * pages;
    for (uint32_t k = 0; k < units_of(s, doc); k++) {
        const bool counts = page->site != UINT32_MAX && page->numbers[k] != UINT32_MAX;
        page->of_site[k] = counts && (page->stub || is_template(s, doc, k));
        page->imprint[k] = page->numbers[k] != UINT32_MAX && is_imprint(s, doc, k);
        page->stray[k] = is_frame(s, doc, k);
        page->goes[k] = (page->of_site[k] || page->imprint[k]) && !page->stray[k];
        const struct stage_unit *unit = stage_unit_of(s->d, doc, k);
        page->link[k] = page->numbers[k] != UINT32_MAX && !page->goes[k] && !page->stray[k] &&
                        (unit->linked || (counts && of_articles && unit->doubtful));
    }
}

static void judge(struct slow *s, const struct stage_docs *d, bool frame_aside)
{
    *s = (struct slow){.d = d, .frame_aside = frame_aside};
    for (size_t doc = 0; doc < d->docs.n; doc++) {
        uint32_t number = 0;
        s->v[doc].site = *d->docs.v[doc].url ? (uint32_t)(d->docs.v[doc].url[8] - '0') : UINT32_MAX;
        for (uint32_t k = 0; k < units_of(s, doc); k++)
            s->v[doc].numbers[k] =
                frame_aside && stage_unit_of(d, doc, k)->frame ? UINT32_MAX : number++;
        find_traits(s, doc);
    }
    for (size_t doc = 0; doc < d->docs.n; doc++)
        s->v[doc].stub = is_stub(s, doc);
    for (size_t doc = 0; doc < d->docs.n; doc++)
        judge_page(s, doc);
}

/* Does the page keep its templates, as it says little else? */
static bool keeps(const struct slow *s, size_t doc)
{
    uint32_t all = 0, aside = 0;
    for (uint32_t k = 0; k < units_of(s, doc); k++)
        if (s->v[doc].numbers[k] != UINT32_MAX && !s->v[doc].stray[k]) {
            all += words_in(s, doc, k);
            aside += s->v[doc].goes[k] || s->v[doc].link[k] ? words_in(s, doc, k) : 0;
        }
    return !s->v[doc].stub && 10 * aside > 9 * all;
}

/* ---- beside the program ---- */

/* One document: which units are set aside. Adds to `sums` and to the units that take part. */
static void expect_page(const struct slow *s, const struct pd_asides *a, size_t doc,
                        struct pd_aside_counts *sums, uint64_t *left)
{
    const bool keep = keeps(s, doc);
    size_t at = 0, at_link = 0, at_stray = 0;
    for (uint32_t k = 0; k < units_of(s, doc); k++) {
        const struct page *page = &s->v[doc];
        const bool aside = page->stray[k] || (!keep && (page->goes[k] || page->link[k]));
        *left += page->numbers[k] != UINT32_MAX && !aside;
        if (!aside)
            continue;
        CU_ASSERT_TRUE(at < a->of_doc.n && a->of_doc.v[at] == page->numbers[k]);
        at++;
        sums->units++;
        sums->words += words_in(s, doc, k);
        if (page->goes[k])
            continue;
        const struct pd_word_numbers *list = page->stray[k] ? &a->stray : &a->links;
        size_t *const at_list = page->stray[k] ? &at_stray : &at_link;
        CU_ASSERT_TRUE(*at_list < list->n && list->v[*at_list] == page->numbers[k]);
        ++*at_list;
        sums->doubtful_units++;
        sums->doubtful_words += words_in(s, doc, k);
    }
    CU_ASSERT_EQUAL(a->of_doc.n, at);
    CU_ASSERT_EQUAL(a->links.n, at_link);
    CU_ASSERT_EQUAL(a->stray.n, at_stray);
    CU_ASSERT_EQUAL(a->is_stub && at > 0, s->v[doc].stub && at > 0);
}

/* Ask for each unit of the document, in order. */
static void expect_have(struct pd_asides *a, const struct pd_stored *stored)
{
    const struct pd_sentences *v = &stored->sentences;
    size_t at = 0;
    for (uint32_t k = 0; k < v->n; k++) {
        const bool aside = at < a->of_doc.n && a->of_doc.v[at] == k;
        CU_ASSERT_EQUAL(pd_asides_have(a, v->v, v->n, &v->v[k]), aside);
        at += aside;
    }
}

/* Is a name among those that were kept? */
static int has_name(void *ctx, uint64_t name, bool *found)
{
    const struct pd_u64s *names = ctx;
    *found = false;
    for (size_t k = 0; k < names->n; k++)
        *found |= names->v[k] == name;
    return PD_OK;
}

/* A document of `check` whose site has these names: the same units are set aside. */
static void expect_recalled(const struct slow *slow, struct pd_u64s *names, size_t doc,
                            const struct pd_stored *stored, const struct pd_docrec *rec)
{
    struct pd_asides a = {.at = 0};
    struct pd_aside_counts sums = {0};
    uint64_t left = 0;
    CU_ASSERT_EQUAL(pd_asides_recall(&a, stored, rec, has_name, names), PD_OK);
    expect_page(slow, &a, doc, &sums, &left);
    CU_ASSERT_EQUAL(memcmp(&a.found, &sums, sizeof sums), 0);
    pd_asides_close(&a);
}

static void expect_asides(struct stage *s, const struct slow *slow, struct pd_aside_counts *sums,
                          uint64_t *left)
{
    struct pd_asides a = {.keeps_names = true};
    struct pd_stored stored = {.sentences = {0}};
    CU_ASSERT_EQUAL(pd_asides_find(&s->job, &a), PD_OK);
    for (size_t doc = 0; doc < slow->d->docs.n; doc++) {
        struct pd_held held;
        CU_ASSERT_EQUAL(pd_collection_nth(&s->job.collection, doc, &held), PD_OK);
        CU_ASSERT_EQUAL(pd_collection_open(&s->job.collection, &held, &stored), PD_OK);
        CU_ASSERT_EQUAL(pd_asides_load(&a, doc, &stored, NULL), PD_OK);
        expect_page(slow, &a, doc, sums, left);
        expect_have(&a, &stored);
        expect_recalled(slow, &a.names, doc, &stored, held.rec);
    }
    CU_ASSERT_EQUAL(memcmp(&a.found, sums, sizeof *sums), 0);
    pd_stored_release(&stored);
    pd_asides_close(&a);
}

/* Is unit k of the document set aside in this way? */
static bool goes_as(const struct slow *s, size_t doc, uint32_t k, bool imprint)
{
    return imprint ? s->v[doc].imprint[k] : s->v[doc].of_site[k];
}

/* Is unit k the first one of its text that goes in this way, in its site or in all of them? */
static bool is_first(const struct slow *s, size_t doc, uint32_t k, bool imprint)
{
    for (size_t e = 0; e <= doc; e++)
        for (uint32_t i = 0; i < units_of(s, e) && (e < doc || i < k); i++)
            if (goes_as(s, e, i, imprint) && (imprint || s->v[e].site == s->v[doc].site) &&
                stage_same_words(s->d, e, i, doc, k))
                return false;
    return true;
}

/* The templates: one for each text of a site of which some unit goes, and one for each imprint. */
static void expect_templates(const struct pd_job *job, const struct slow *s)
{
    size_t texts = 0;
    for (size_t doc = 0; doc < s->d->docs.n; doc++)
        for (uint32_t k = 0; k < 2 * units_of(s, doc); k++) {
            const bool imprint = k % 2;
            const uint32_t unit = k / 2;
            uint64_t found = 0;
            if (!goes_as(s, doc, unit, imprint) || !is_first(s, doc, unit, imprint))
                continue;
            texts++;
            for (size_t t = 0; t < job->matches.templates.n; t++) {
                const struct pd_template *v = &job->matches.templates.v[t];
                found += v->doc == doc && v->unit == s->v[doc].numbers[unit] &&
                         v->words == words_in(s, doc, unit) &&
                         (v->why == PD_ASIDE_IMPRINT) == imprint;
            }
            CU_ASSERT_EQUAL(found, 1);
        }
    CU_ASSERT_EQUAL(job->matches.templates.n, texts);
}

/* What all collections together have: a case that never comes up tests nothing. */
static struct {
    uint64_t stubs, templates, imprints, doubtful, stray, kept, left;
} met;

static void meet(const struct slow *s, const struct pd_aside_counts *sums, uint64_t left)
{
    for (size_t doc = 0; doc < s->d->docs.n; doc++) {
        met.stubs += s->v[doc].stub;
        met.kept += keeps(s, doc);
        for (uint32_t k = 0; k < units_of(s, doc); k++) {
            met.imprints += s->v[doc].imprint[k] && !s->v[doc].of_site[k];
            met.stray += s->v[doc].stray[k];
        }
    }
    met.templates += sums->units - sums->doubtful_units;
    met.doubtful += sums->doubtful_units;
    met.left += left;
}

static void try_sites(uint64_t seed, bool frame_aside)
{
    static struct slow slow;
    struct stage_docs d = {0};
    struct stage s;
    struct pd_aside_counts sums = {0};
    uint64_t left = 0;
    const char *options = frame_aside ? "--method sentence-fp --units sentence --templates aside "
                                        "--frame aside"
                                      : "--method sentence-fp --units sentence --templates aside";
    for (uint32_t site = 0; site < SITES; site++)
        make_site(&d, site, &seed);
    judge(&slow, &d, frame_aside);
    stage_open(&s, options, &d);
    expect_asides(&s, &slow, &sums, &left);
    expect_templates(&s.job, &slow);
    stage_close(&s);
    stage_open(&s, options, &d);
    CU_ASSERT_TRUE(pd_job_count(&s.job) == PD_OK && pd_job_gather(&s.job) == PD_OK);
    CU_ASSERT_EQUAL(memcmp(&s.job.gathered.asides, &sums, sizeof sums), 0);
    CU_ASSERT_EQUAL(s.job.gathered.units[PD_WHY_MATCHED], left);
    meet(&slow, &sums, left);
    stage_close(&s);
    stage_docs_release(&d);
}

static void test_sites(void)
{
    for (uint64_t seed = 1; seed <= 16; seed++) {
        try_sites(seed, false);
        try_sites(seed, true);
    }
    CU_ASSERT_TRUE(met.stubs > 20 && met.templates > 100 && met.doubtful > 20 && met.kept > 5 &&
                   met.imprints > 20 && met.stray > 20 && met.left > 100);
}

/* ---- whole documents, and brief ones ---- */

/* A name of a brief document: some of its words in order. */
struct said {
    size_t doc, word, n; /* words [word, word + n) of all documents */
};

struct brief {
    const struct stage_docs *d;
    struct said v[DOCS_MOST * 8];
    size_t n;
};

static bool same_said(const struct brief *b, const struct said *x, const struct said *y)
{
    return x->n == y->n &&
           memcmp(b->d->words.v + x->word, b->d->words.v + y->word, x->n * sizeof(uint32_t)) == 0;
}

/* Add a name of a document, unless it has it. */
static void add_said(struct brief *b, size_t doc, size_t word, size_t n)
{
    const struct said said = {doc, word, n};
    for (size_t k = 0; k < b->n; k++)
        if (b->v[k].doc == doc && same_said(b, &b->v[k], &said))
            return;
    b->v[b->n++] = said;
}

/* What brief documents say: at most gamma + 1 units; each unit counts alone, too. */
static void list_brief(struct brief *b, const struct stage_docs *d, uint32_t gamma, bool by_units,
                       uint32_t least)
{
    *b = (struct brief){.d = d};
    for (size_t doc = 0; doc < d->docs.n; doc++) {
        const struct stage_doc *v = &d->docs.v[doc];
        if (v->nunits > gamma + 1 || v->nwords < least)
            continue;
        add_said(b, doc, d->units.v[v->unit].word, v->nwords);
        for (uint32_t k = 0; by_units && k < v->nunits; k++) {
            const struct stage_unit *u = stage_unit_of(d, doc, k);
            add_said(b, doc, u->word, u->nwords);
        }
    }
}

/* How many occurrences the classes of brief documents have, by the slow list. */
static uint64_t count_brief(const struct brief *b, uint64_t *classes)
{
    uint64_t occurrences = 0;
    *classes = 0;
    for (size_t k = 0; k < b->n; k++) {
        size_t same = 0, before = 0;
        for (size_t i = 0; i < b->n; i++)
            if (same_said(b, &b->v[i], &b->v[k])) {
                same++;
                before += i < k;
            }
        *classes += same > 1 && before == 0;
        occurrences += same > 1 ? (b->d->docs.v[b->v[k].doc].nunits > 1 ? 2 : 1) : 0;
    }
    return occurrences;
}

static bool says_same(const struct stage_docs *d, size_t a, size_t b)
{
    return d->docs.v[a].nwords == d->docs.v[b].nwords &&
           memcmp(d->words.v + d->units.v[d->docs.v[a].unit].word,
                  d->words.v + d->units.v[d->docs.v[b].unit].word,
                  d->docs.v[a].nwords * sizeof(uint32_t)) == 0;
}

/* A class of whole documents: all documents that say the same as its first one. */
static void expect_whole(const struct stage_docs *d, const struct pd_class *c)
{
    uint64_t k = 0;
    for (size_t doc = c->at[0].doc; doc < d->docs.n; doc++)
        if (says_same(d, doc, c->at[0].doc)) {
            CU_ASSERT_TRUE(k < c->n && c->at[k].doc == doc &&
                           c->at[k].unit == d->docs.v[doc].nunits && c->at[k].flags == PD_WHOLE);
            k++;
        }
    CU_ASSERT_EQUAL(c->n, k);
}

static uint64_t count_whole(const struct stage_docs *d, uint32_t least)
{
    uint64_t classes = 0;
    for (size_t a = 0; a < d->docs.n; a++) {
        size_t same = 0, before = 0;
        for (size_t b = 0; b < d->docs.n; b++)
            if (says_same(d, a, b)) {
                same++;
                before += b < a;
            }
        classes += same > 1 && before == 0 && d->docs.v[a].nwords >= least;
    }
    return classes;
}

static void expect_copies(struct pd_job *job, const struct stage_docs *d, const struct brief *b,
                          uint32_t least)
{
    struct stage_classes got;
    uint64_t whole = 0, brief = 0, occurrences = 0, classes;
    stage_read_classes(job->matches.joined.v[1].classes, &got);
    for (size_t k = 0; k < got.at.n; k++) {
        const struct pd_class *c = stage_class(&got, k);
        CU_ASSERT_TRUE(c->flags & PD_WHOLE && c->number == UINT64_MAX);
        if (!(c->at[0].flags & PD_BRIEF)) {
            expect_whole(d, c);
            whole++;
            continue;
        }
        brief++;
        occurrences += c->n;
        for (uint64_t i = 0; i < c->n; i++) {
            const uint32_t last = d->docs.v[c->at[i].doc].nunits - 1;
            CU_ASSERT_TRUE(c->at[i].unit == 0 || c->at[i].unit == last);
            CU_ASSERT_EQUAL(c->at[i].flags, PD_WHOLE | PD_BRIEF);
        }
    }
    CU_ASSERT_EQUAL(whole, count_whole(d, least));
    CU_ASSERT_EQUAL(occurrences, count_brief(b, &classes));
    CU_ASSERT_EQUAL(brief, classes);
    stage_classes_release(&got);
}

static void test_copies(void)
{
    static const struct stage_random short_ones = {
        .docs = 60, .units = 4, .words = 3, .different = 6, .copied = 50};
    static struct brief brief;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const bool by_units = seed & 1;
        struct stage_docs d = {0};
        struct stage s;
        uint64_t state = seed;
        stage_docs_random(&d, &state, &short_ones);
        list_brief(&brief, &d, 2, by_units, 3);
        if (!by_units)
            brief.n = 0; /* neither templates nor less than full agreement: whole documents do */
        stage_open(&s,
                   by_units ? "--method sentence-fp --units sentence --gamma 2 --copies report "
                              "--min-copy-words 3 --min-copy-agreement 0.5 --max-df 0"
                            : "--method sentence-fp --units sentence --gamma 2 --copies report "
                              "--min-copy-words 3 --min-copy-agreement 1 --max-df 0",
                   &d);
        CU_ASSERT_TRUE(pd_job_count(&s.job) == PD_OK && pd_job_gather(&s.job) == PD_OK);
        expect_copies(&s.job, &d, &brief, 3);
        stage_close(&s);
        stage_docs_release(&d);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_sites), PD_TEST(test_copies),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/stage/classes: what is set aside", tests);
}

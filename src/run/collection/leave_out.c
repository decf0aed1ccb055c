/* run/collection/leave_out.c - see include/pardup/run/leave_out.h */
#include "pardup/run/leave_out.h"
#include "pardup/base/numbers.h"

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/sort.h"
#include "pardup/join/stubs.h"
#include "pardup/join/templates.h"
#include "pardup/run/walk.h"
#include "pardup/store/blob.h"
#include "site.h"

PD_VEC(pd_standings, struct pd_standing);

/* A document, for counting the documents of its site. */
struct page {
    uint64_t site;
    uint64_t first, n; /* standings of the document */
    uint64_t words;    /* its words outside its frame */
    uint64_t stub;     /* 1: it is a stub (join/stubs.h) */
    uint64_t article;  /* 1: it surely is an article */
    uint64_t doubtful; /* 1: its doubtful units are left out, as its site is a site of articles */
};
PD_VEC(pd_pages, struct page);

/* A base unit that is a template, or is doubtful. Order: doc, unit. */
struct found_unit {
    pd_doc doc;
    uint64_t unit, words;
};
PD_VEC(pd_found_units, struct found_unit);

#define IN_FRAME UINT32_MAX /* in place of the number of a base unit that --frame sets aside */

struct finding {
    struct pd_standings standings;
    struct pd_pages pages;
    struct pd_sightings sightings;
    struct pd_found_units found, doubtful;
    struct pd_stands stands; /* scratch: base units of the document at hand */
    struct pd_bytes name;    /* scratch: its site */
    uint64_t words;          /* words of all documents */
};

static uint64_t words_hash(const struct pd_word *words, uint32_t n)
{
    uint64_t hash = 0;
    for (uint32_t k = 0; k < n; k++)
        hash = pd_words_hash(hash, words[k].term);
    return hash;
}

/* Keep the sighting of a document with this own text, if it may be a stub. */
static void sight(struct finding *f, const struct pd_raw *raw, uint64_t own)
{
    const pd_doc doc = f->pages.n - 1;
    const struct page *page = &f->pages.v[doc];
    struct pd_address address;
    if (pd_stub_fits(page->words) && page->site != PD_SITE_NONE && pd_site_is_host(page->site) &&
        pd_address_of(raw->url_n ? raw->url : raw->id, raw->url_n ? raw->url_n : raw->id_n,
                      &address))
        pd_sightings_push(&f->sightings,
                          (struct pd_sighting){pd_stub_text(page->site, own), address.name,
                                               address.all, doc, page->words});
}

/* Keep the standings of a document. The size of its site is not known yet. */
static int look_at(void *ctx, const struct pd_raw *raw, const struct pd_document *d, pd_doc number)
{
    struct finding *f = ctx;
    uint64_t all = 0, own = 0;
    size_t at = 0, at_doubtful = 0;
    f->stands.n = f->name.n = 0;
    for (size_t k = 0; k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        const uint64_t words = words_hash(d->words.v + s->word, s->nwords);
        const bool frame = pd_document_in_frame(d, k, &at);
        all += frame ? 0 : s->nwords;
        own = frame ? own : pd_words_hash(own, words);
        pd_stands_push(&f->stands,
                       (struct pd_stand){words, frame ? IN_FRAME : (uint32_t)k, s->nwords});
        if (pd_document_in_doubt(d, k, &at_doubtful) && s->nwords)
            pd_found_units_push(&f->doubtful, (struct found_unit){number, k, s->nwords});
    }
    const uint64_t site = pd_site_of(raw, &f->name);
    const uint64_t traits = pd_traits_of(f->stands.v, f->stands.n);
    if (site == PD_SITE_NONE)
        f->stands.n = 0;
    pd_pages_push(&f->pages, (struct page){.site = site,
                                           .first = f->standings.n,
                                           .n = f->stands.n,
                                           .words = all,
                                           .article = d->main.article});
    sight(f, raw, own);
    for (size_t k = 0; k < f->stands.n; k++)
        pd_standings_push(&f->standings, pd_standing_of(&f->stands.v[k], site, 0, number, traits));
    PD_CHECK(f->pages.n == number + 1);
    f->words += d->words.n;
    return PD_OK;
}

/*
 * Tell all standings how many documents their site has that are no stubs, and find the sites of
 * articles.
 */
static void count_sites(struct finding *f)
{
    struct pd_pages sorted = {0};
    for (size_t k = 0; k < f->pages.n; k++) {
        pd_pages_push(&sorted, f->pages.v[k]);
        sorted.v[k].doubtful = k; /* its number, to find it again */
    }
    struct page *v = sorted.v;
    pd_sort_records(v, sorted.n, sizeof *v / sizeof(uint64_t), 1);
    for (size_t k = 0, end; k < sorted.n; k = end) {
        uint64_t pages = 0, articles = 0;
        for (end = k; end < sorted.n && v[end].site == v[k].site; end++) {
            pages += !v[end].stub;
            articles += !v[end].stub && v[end].article;
        }
        for (size_t i = k; i < end; i++) {
            f->pages.v[v[i].doubtful].doubtful =
                v[i].site != PD_SITE_NONE && pd_site_is_of_articles(pages, articles);
            for (uint64_t s = v[i].first; s < v[i].first + v[i].n; s++)
                f->standings.v[s].unit_pages |= pages;
        }
    }
    pd_pages_release(&sorted);
}

/* Find the doubtful units of sites of articles. */
static void find_doubtful(struct finding *f)
{
    for (size_t k = 0; k < f->doubtful.n; k++)
        if (f->pages.v[f->doubtful.v[k].doc].doubtful)
            pd_found_units_push(&f->found, f->doubtful.v[k]);
}

/* Mark the documents that are stubs, and their standings. */
static void mark_stubs(struct finding *f)
{
    const struct pd_sighting *v = f->sightings.v;
    pd_sort_records(f->sightings.v, f->sightings.n, PD_SIGHTING_U64S, PD_SIGHTING_U64S);
    for (size_t k = 0, end; k < f->sightings.n; k = end) {
        for (end = k; end < f->sightings.n && v[end].text == v[k].text; end++)
            ;
        for (size_t i = k; i < end && pd_stub_judge(v + k, end - k); i++)
            f->pages.v[v[i].doc].stub = 1;
    }
    for (size_t k = 0; k < f->pages.n; k++)
        for (size_t s = 0; s < f->pages.v[k].n && f->pages.v[k].stub; s++)
            f->standings.v[f->pages.v[k].first + s].traits |= PD_STANDING_STUB;
}

/* Judge all texts, and list the units that are templates. Returns how many texts are. */
static uint64_t judge(struct finding *f)
{
    const struct pd_standing *v = f->standings.v;
    uint64_t templates = 0;
    pd_sort_records(f->standings.v, f->standings.n, sizeof *v / sizeof(uint64_t), PD_STANDING_U64S);
    for (size_t k = 0, end; k < f->standings.n; k = end) {
        struct pd_template found;
        for (end = k; end < f->standings.n && v[end].text == v[k].text; end++)
            ;
        const enum pd_judgement said = pd_template_judge(v + k, end - k, &found);
        if (said == PD_TEXT_STAYS)
            continue;
        const size_t before = f->found.n;
        for (size_t i = k; i < end; i++)
            if (pd_standing_goes(said, &v[i]) && pd_standing_unit(&v[i]) != IN_FRAME)
                pd_found_units_push(&f->found,
                                    (struct found_unit){pd_standing_doc(&v[i]),
                                                        pd_standing_unit(&v[i]), found.words});
        templates += f->found.n > before;
    }
    pd_sort_records(f->found.v, f->found.n, 3, 2);
    return templates;
}

/* Is this the first record of its unit? A template may be doubtful, too. */
static bool is_first(const struct found_unit *v, size_t k)
{
    return k == 0 || v[k].doc != v[k - 1].doc || v[k].unit != v[k - 1].unit;
}

/* List the units that are left out: of documents that do not keep them. */
static void leave_out(const struct finding *f, struct pd_leave_out *l, uint64_t *words)
{
    const struct found_unit *v = f->found.v;
    for (size_t k = 0, end; k < f->found.n; k = end) {
        uint64_t aside = 0;
        for (end = k; end < f->found.n && v[end].doc == v[k].doc; end++)
            aside += is_first(v, end) ? v[end].words : 0;
        if (!f->pages.v[v[k].doc].stub && pd_template_keeps(f->pages.v[v[k].doc].words, aside))
            continue;
        *words += aside;
        for (size_t i = k; i < end; i++)
            if (is_first(v, i))
                pd_left_units_push(&l->units, (struct pd_left_unit){v[i].doc, v[i].unit});
    }
}

int pd_leave_out_find(const struct pd_options *o, struct pd_leave_out *l)
{
    struct pd_options all = *o;
    struct finding f = {.words = 0};
    uint64_t words = 0;
    if (o->method.templates != PD_TEMPLATES_ASIDE)
        return PD_OK;
    if ((o->input.files_from && strcmp(o->input.files_from, "-") == 0) ||
        (o->input.docs_from && strcmp(o->input.docs_from, "-") == 0))
        return pd_fail(PD_EUSAGE, "--templates aside reads the inputs twice, so a list cannot come "
                                  "from standard input: put it in a file");
    all.print.doc = NULL;
    const int status = pd_walk(&all, look_at, &f);
    if (status >= 0) {
        mark_stubs(&f);
        count_sites(&f);
        find_doubtful(&f);
        const uint64_t templates = judge(&f);
        leave_out(&f, l, &words);
        pd_log(PD_LOG_INFO, "templates: %s (%s of %s units, %s of words); reading the inputs again",
               pd_grouped(templates), pd_grouped(l->units.n), pd_grouped(f.standings.n),
               pd_share_of(words, f.words));
    }
    pd_standings_release(&f.standings);
    pd_pages_release(&f.pages);
    pd_sightings_release(&f.sightings);
    pd_found_units_release(&f.found);
    pd_found_units_release(&f.doubtful);
    pd_stands_release(&f.stands);
    pd_bytes_release(&f.name);
    return status;
}

bool pd_leave_out_has(struct pd_leave_out *l, const struct pd_document *d, pd_doc doc,
                      uint32_t unit)
{
    const struct pd_left_unit *v = l->units.v;
    if (unit == 0)
        l->at_main = 0;
    if (pd_document_in_frame(d, unit, &l->at_main))
        return true;
    while (l->at < l->units.n &&
           (v[l->at].doc < doc || (v[l->at].doc == doc && v[l->at].unit < unit)))
        l->at++;
    return l->at < l->units.n && v[l->at].doc == doc && v[l->at].unit == unit;
}

void pd_leave_out_release(struct pd_leave_out *l) { pd_left_units_release(&l->units); }

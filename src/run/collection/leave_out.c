/* run/collection/leave_out.c - see include/pardup/run/leave_out.h */
#include "pardup/run/leave_out.h"

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/sort.h"
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
};
PD_VEC(pd_pages, struct page);

/* A base unit that is a template. Order: doc, unit. */
struct found_unit {
    pd_doc doc;
    uint64_t unit, words;
};
PD_VEC(pd_found_units, struct found_unit);

#define IN_FRAME UINT32_MAX /* in place of the number of a base unit that --frame sets aside */

struct finding {
    struct pd_standings standings;
    struct pd_pages pages;
    struct pd_found_units found;
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

/* Keep the standings of a document. The size of its site is not known yet. */
static int look_at(void *ctx, const struct pd_raw *raw, const struct pd_document *d, pd_doc number)
{
    struct finding *f = ctx;
    uint64_t all = 0;
    size_t at = 0;
    f->stands.n = f->name.n = 0;
    for (size_t k = 0; k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        const uint64_t words = words_hash(d->words.v + s->word, s->nwords);
        const bool frame = pd_document_in_frame(d, k, &at);
        all += frame ? 0 : s->nwords;
        pd_stands_push(&f->stands,
                       (struct pd_stand){words, frame ? IN_FRAME : (uint32_t)k, s->nwords});
    }
    const bool host = pd_site_name(raw, &f->name);
    const bool has_site = host || raw->file;
    const uint64_t site = has_site ? pd_site_number(f->name.v, f->name.n, host) : PD_SITE_NONE;
    const uint64_t traits = pd_traits_of(f->stands.v, f->stands.n);
    if (!has_site)
        f->stands.n = 0;
    pd_pages_push(&f->pages, (struct page){site, f->standings.n, f->stands.n, all});
    for (size_t k = 0; k < f->stands.n; k++)
        pd_standings_push(&f->standings, pd_standing_of(&f->stands.v[k], site, 0, number, traits));
    PD_CHECK(f->pages.n == number + 1);
    f->words += d->words.n;
    return PD_OK;
}

/* Tell all standings how many documents their site has. */
static void count_sites(struct finding *f)
{
    struct pd_pages sorted = {0};
    pd_pages_append(&sorted, f->pages.v, f->pages.n);
    struct page *v = sorted.v;
    pd_sort_records(v, sorted.n, sizeof *v / sizeof(uint64_t), 1);
    for (size_t k = 0, end; k < sorted.n; k = end) {
        for (end = k; end < sorted.n && v[end].site == v[k].site; end++)
            ;
        for (size_t i = k; i < end; i++)
            for (uint64_t s = v[i].first; s < v[i].first + v[i].n; s++)
                f->standings.v[s].unit_pages |= end - k;
    }
    pd_pages_release(&sorted);
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
        if (!pd_template_judge(v + k, end - k, &found))
            continue;
        templates++;
        for (size_t i = k; i < end; i++)
            if (pd_standing_unit(&v[i]) != IN_FRAME)
                pd_found_units_push(&f->found,
                                    (struct found_unit){pd_standing_doc(&v[i]),
                                                        pd_standing_unit(&v[i]), found.words});
    }
    pd_sort_records(f->found.v, f->found.n, 3, 2);
    return templates;
}

/* List the units that are left out: those of documents that do not keep their templates. */
static void leave_out(const struct finding *f, struct pd_leave_out *l, uint64_t *words)
{
    const struct found_unit *v = f->found.v;
    for (size_t k = 0, end; k < f->found.n; k = end) {
        uint64_t aside = 0;
        for (end = k; end < f->found.n && v[end].doc == v[k].doc; end++)
            aside += v[end].words;
        if (pd_template_keeps(f->pages.v[v[k].doc].words, aside))
            continue;
        *words += aside;
        for (size_t i = k; i < end; i++)
            pd_left_units_push(&l->units, (struct pd_left_unit){v[i].doc, v[i].unit});
    }
}

#define N(x) ((unsigned long long)(x))

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
        count_sites(&f);
        const uint64_t templates = judge(&f);
        leave_out(&f, l, &words);
        pd_log(PD_LOG_INFO,
               "templates: %llu (%llu of %llu units, %.0f %% of words); reading the inputs again",
               N(templates), N(l->units.n), N(f.standings.n),
               f.words ? 100 * (double)words / (double)f.words : 0);
    }
    pd_standings_release(&f.standings);
    pd_pages_release(&f.pages);
    pd_found_units_release(&f.found);
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

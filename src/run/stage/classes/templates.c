/*
 * run/stage/classes/templates.c - see src/run/stage/classes/templates.h
 *
 * Stubs are found first (stubs.h). Three shuffles follow. The owner of a site counts its documents
 * that are no stubs, and the articles among them. Documents of sites that may have a template send
 * the standings of their base units to the owners of the texts. All documents that are no stubs
 * send the base units at their ends. The owners judge, and tell the holders which base units are
 * set aside. The holders themselves know the links.
 */
#include "templates.h"

#include "pardup/base/error.h"
#include "run/stage/collection/site.h"
#include "stubs.h"

/* A document of a site; the reply is a struct page. Order: site, doc. */
struct site {
    uint64_t site;
    pd_doc doc; /* and PD_OF_STUB, or OF_ARTICLE if the document surely is an article */
};
#define OF_ARTICLE ((uint64_t)1 << 62) /* with the pages of a site: it is a site of articles */

struct page {
    pd_doc doc;
    uint64_t pages; /* documents of its site that are no stubs; and PD_OF_STUB, OF_ARTICLE */
};

#define IN_FRAME UINT32_MAX /* in place of the number of a base unit that --frame sets aside */

struct finding {
    struct pd_job *job;
    uint64_t doc;               /* this rank's next document */
    uint32_t unit;              /* its next unit with words */
    struct pd_shuffle sites[2]; /* struct site, twice: one is counted ahead of the other */
    int copied;                 /* status of filling the second one */
    uint64_t pages, articles;   /* of the site at hand: no stubs; articles among them */
    uint64_t replies;           /* documents of the site without a reply yet */
    struct pd_shuffle sizes;    /* struct page, at the holders */
    struct pd_shuffle stubs; /* stubs, at the holders of the documents, until `sites` are filled */
    struct pd_stored stored; /* the document at hand */
    struct pd_stands stands; /* its base units with words */
    pd_doc number;           /* its number */
    uint64_t site, traits, size; /* its site, traits, and documents of the site; 0: too few */
    size_t inner;                /* its base units with words that --frame does not set aside */
    size_t at;                   /* such a unit before f->unit */
    bool is_stub, of_articles;   /* it is a stub; its site is a site of articles */
    struct pd_shuffle *asides;   /* receives the links of this rank */
    struct pd_shuffle standings; /* struct pd_standing, at the owners of the texts */
    struct pd_bytes group;       /* standings of one text */
    size_t sent;                 /* standings of `group` that have been replied to */
    enum pd_judgement said;      /* of the text in `group` */
    struct pd_u64s *names;       /* receives the names of templates and stubs; NULL: not wanted */
};

/* ---- how many documents each site has ---- */

static int next_site(void *ctx, void *out)
{
    struct finding *f = ctx;
    struct pd_collection *col = &f->job->collection;
    struct pd_held held;
    bool stub;
    do {
        if (f->doc == col->ndocs)
            return PD_END;
        PD_TRY(pd_collection_nth(col, f->doc++, &held));
        PD_TRY(pd_stubs_have(&f->stubs, held.number, &stub));
    } while (held.rec->host == PD_SITE_NONE);
    const uint64_t is = stub ? PD_OF_STUB : held.rec->article ? OF_ARTICLE : 0;
    *(struct site *)out = (struct site){held.rec->host, held.number | is};
    return PD_OK;
}

/* Keep a record of sites[0] in sites[1], too. */
static bool copy_site(const void *rec, void *ctx)
{
    struct finding *f = ctx;
    PD_THEN(f->copied, pd_shuffle_push(&f->sites[1], rec, sizeof(struct site)));
    return true;
}

/* Count the documents of the next site: records of sites[0] up to the next site. */
static int count_site(struct finding *f)
{
    uint64_t site = 0;
    const void *rec;
    int status;
    f->pages = f->articles = f->replies = 0;
    while ((status = pd_shuffle_look(&f->sites[0], &rec)) == PD_OK) {
        const struct site *s = rec;
        if (f->replies && s->site != site)
            break;
        site = s->site;
        f->pages += !(s->doc & PD_OF_STUB);
        f->articles += (s->doc & OF_ARTICLE) != 0;
        f->replies++;
        pd_shuffle_pass(&f->sites[0], sizeof *s);
    }
    if (f->names && pd_site_is_of_articles(f->pages, f->articles))
        pd_u64s_push(f->names, pd_aside_site(site));
    return status < 0 ? status : PD_OK;
}

static int next_size(void *ctx, void *out)
{
    struct finding *f = ctx;
    const void *rec;
    int status;
    while ((status = pd_shuffle_look(&f->sites[1], &rec)) == PD_OK) {
        if (f->replies == 0)
            PD_TRY(count_site(f));
        const pd_doc doc = ((const struct site *)rec)->doc;
        const uint64_t of =
            (doc & PD_OF_STUB) | (pd_site_is_of_articles(f->pages, f->articles) ? OF_ARTICLE : 0);
        f->replies--;
        pd_shuffle_pass(&f->sites[1], sizeof(struct site));
        *(struct page *)out = (struct page){doc & ~(PD_OF_STUB | OF_ARTICLE), f->pages | of};
        if (f->pages >= PD_TEMPLATE_PAGES || doc & PD_OF_STUB)
            return PD_OK;
    }
    return status;
}

static const struct pd_flow sites_flow = {.name = "sites",
                                          .budget = PD_BUDGET_SITES,
                                          .size = sizeof(struct site),
                                          .keys = 2,
                                          .goes = PD_BY_MIX,
                                          .arrive = copy_site};
static const struct pd_flow sizes_flow = {.name = "sizes",
                                          .budget = PD_BUDGET_SITE_SIZES,
                                          .size = sizeof(struct page),
                                          .keys = 1,
                                          .owner = pd_to_holder};

/* COLLECTIVE. Tell the holder of each document how many documents its site has. */
static int count_sites(struct finding *f)
{
    for (int k = 0; k < 2; k++)
        pd_shuffle_open(&f->sites[k], &f->job->transport, &sites_flow, f, NULL);
    int status = pd_shuffle_send_made(&f->sites[0], next_site, f);
    pd_shuffle_close(&f->stubs);
    PD_THEN(status, pd_comm_agree(f->job->comm, f->copied));
    PD_THEN(status, pd_shuffle_sort(&f->sites[0]));
    PD_THEN(status, pd_shuffle_sort(&f->sites[1]));
    pd_shuffle_open(&f->sizes, &f->job->transport, &sizes_flow, &f->job->collection, NULL);
    PD_THEN(status, pd_shuffle_make(&f->sizes, next_size, f));
    PD_CLOSE(pd_shuffle, &f->sites[0], &f->sites[1]);
    return status;
}

/* ---- the standings of base units ---- */

/*
 * List the base units of the document at hand that have words. Units in its frame are evidence,
 * too, but have no number if they are set aside anyway. Linked units, and doubtful units of a site
 * of articles, are set aside here. PD_OK or PD_EIO.
 */
static int list_stands(struct finding *f)
{
    const struct pd_sentences *s = &f->stored.sentences;
    const bool aside = f->job->options->method.frame == PD_TEMPLATES_ASIDE;
    uint32_t number = 0;
    f->stands.n = f->inner = f->at = 0;
    for (size_t k = 0; k < s->n; k++) {
        const struct pd_fringe fringe = pd_stored_fringe(&f->stored, k);
        const uint32_t unit = aside && fringe.frame ? IN_FRAME : number++;
        if (s->v[k].nwords == 0)
            continue;
        const bool stray = aside && fringe.stray;
        pd_stands_push(&f->stands, (struct pd_stand){fringe.words, unit, s->v[k].nwords, stray});
        f->inner += unit != IN_FRAME && !stray;
        const struct pd_aside link = {
            f->number, pd_aside_unit(unit, f->is_stub ? PD_OF_STUB : 0, PD_GOES_LINK)};
        if (pd_aside_is_link(&fringe, f->of_articles))
            PD_TRY(pd_shuffle_push(f->asides, &link, sizeof link));
    }
    f->traits = pd_traits_of(f->stands.v, f->stands.n);
    return PD_OK;
}

/* Is the collection large enough for imprints? */
static bool has_imprints(const struct finding *f)
{
    return f->job->collection.totals.documents >= PD_IMPRINT_DOCUMENTS;
}

/*
 * What the owner of its site says of document `doc`: {doc, 0} if the site is too small. PD_OK or
 * PD_EIO.
 */
static int page_of(struct finding *f, pd_doc doc, struct page *page)
{
    const void *rec;
    const int status = pd_shuffle_seek(&f->sizes, doc, &rec);
    const struct page *said = rec;
    *page = said && said->doc == doc ? *said : (struct page){doc, 0};
    return status;
}

/*
 * Go on to the next document, which may send standings. PD_OK; PD_END: there is none; PD_EIO or
 * PD_EFORMAT.
 */
static int next_document(struct finding *f)
{
    struct pd_collection *col = &f->job->collection;
    struct pd_held held;
    struct page page;
    if (f->doc == col->ndocs)
        return PD_END;
    PD_TRY(pd_collection_nth(col, f->doc++, &held));
    PD_TRY(page_of(f, held.number, &page));
    f->number = page.doc;
    f->size = page.pages & ~(PD_OF_STUB | OF_ARTICLE);
    f->is_stub = page.pages & PD_OF_STUB;
    f->of_articles = page.pages & OF_ARTICLE;
    f->site = held.rec->host;
    f->unit = 0;
    PD_TRY(pd_collection_open_whole(col, &held, &f->stored));
    pd_collection_expect_next(col, &held);
    return list_stands(f);
}

/* Write one or two standings of base unit f->unit. Returns their number. */
static size_t put_standings(struct finding *f, struct pd_standing *out)
{
    const struct pd_stand *s = &f->stands.v[f->unit++];
    const uint64_t stub = f->is_stub ? PD_STANDING_STUB : 0;
    const uint64_t site = f->site == PD_SITE_NONE ? ~f->number : f->site;
    size_t n = 0;
    if (f->size || f->is_stub)
        out[n++] = pd_standing_of(s, f->site, f->size, f->number, f->traits | stub);
    if (s->stray)
        out[n++] = pd_standing_astray(s, site, f->number, f->traits | stub);
    else if (s->unit != IN_FRAME && pd_imprint_fits(f->at++, f->inner, s->nwords) && !f->is_stub &&
             has_imprints(f))
        out[n++] = pd_standing_at_end(s, site, f->number, f->traits);
    return n;
}

static int fill_standings(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    enum { MOST = 2 }; /* standings of one base unit */
    struct finding *f = ctx;
    struct pd_standing *out = (struct pd_standing *)(void *)to;
    const size_t room = cap / sizeof *out;
    size_t k = 0;
    int status = PD_OK;
    while (k + MOST <= room) {
        if (f->unit == f->stands.n && (status = next_document(f)) != PD_OK)
            break;
        while (f->unit < f->stands.n && k + MOST <= room)
            k += put_standings(f, out + k);
    }
    *n = k * sizeof *out;
    return status;
}

static const struct pd_flow standings_flow = {.name = "standings",
                                              .budget = PD_BUDGET_STANDINGS,
                                              .size = sizeof(struct pd_standing),
                                              .keys = PD_STANDING_U64S,
                                              .goes = PD_BY_HASH,
                                              .spread = true,
                                              .lone_useless = true};

/* ---- judging ---- */

/* Is a base unit set aside that the judgement of its text is about? */
static bool goes(const struct finding *f, const struct pd_standing *s)
{
    return pd_standing_goes(f->said, s) && pd_standing_unit(s) != IN_FRAME;
}

/* Judge the next text. PD_OK; PD_END: there is none; PD_EIO or PD_EFORMAT. */
static int judge_next(struct finding *f)
{
    struct pd_template found;
    f->sent = 0;
    f->said = PD_TEXT_STAYS;
    PD_PASS(pd_shuffle_group(&f->standings, 1, &f->group));
    const struct pd_standing *v = (const struct pd_standing *)(const void *)f->group.v;
    const size_t n = f->group.n / sizeof *v;
    f->said = pd_template_judge(v, n, f->job->collection.totals.documents, &found);
    if (f->names && f->said == PD_TEXT_GOES) /* also where --frame has set all of it aside */
        pd_u64s_push(f->names, pd_aside_name(v->text));
    size_t first = 0;
    while (first < n && !goes(f, &v[first]))
        first++;
    if (first == n)
        f->said = PD_TEXT_STAYS;
    if (f->said == PD_TEXT_STAYS || v->unit_pages & PD_STANDING_STRAY)
        return PD_OK;
    found.doc = pd_standing_doc(&v[first]);
    found.unit = pd_standing_unit(&v[first]);
    pd_templates_push(&f->job->matches.templates, found);
    return PD_OK;
}

static int next_aside(void *ctx, void *rec)
{
    struct finding *f = ctx;
    for (;;) {
        if (f->said == PD_TEXT_STAYS || f->sent == f->group.n / sizeof(struct pd_standing)) {
            PD_PASS(judge_next(f));
            continue;
        }
        const struct pd_standing *s = (const struct pd_standing *)(const void *)f->group.v;
        s += f->sent++;
        const uint64_t stub = s->traits & PD_STANDING_STUB ? PD_OF_STUB : 0;
        const bool stray = s->unit_pages & PD_STANDING_STRAY;
        *(struct pd_aside *)rec = (struct pd_aside){
            pd_standing_doc(s),
            pd_aside_unit(pd_standing_unit(s), stub, stray ? PD_GOES_STRAY : PD_GOES_TEMPLATE)};
        if (goes(f, s))
            return PD_OK;
    }
}

static const struct pd_flow asides_flow = {.name = "asides",
                                           .budget = PD_BUDGET_ASIDES,
                                           .size = sizeof(struct pd_aside),
                                           .keys = 2,
                                           .owner = pd_to_holder};

static void release(struct finding *f)
{
    PD_CLOSE(pd_shuffle, &f->sizes, &f->standings);
    pd_stored_release(&f->stored);
    pd_stands_release(&f->stands);
    pd_bytes_release(&f->group);
}

int pd_asides_find(struct pd_job *job, struct pd_asides *asides)
{
    asides->job = job;
    if (job->options->method.templates != PD_TEMPLATES_ASIDE)
        return PD_OK;
    struct finding f = {
        .job = job, .names = asides->keeps_names ? &asides->names : NULL, .asides = &asides->units};
    int status = pd_stubs_find(job, &f.stubs, f.names);
    PD_THEN(status, count_sites(&f));
    pd_shuffle_close(&f.stubs);
    pd_shuffle_open(&f.standings, &job->transport, &standings_flow, &f, &job->spare);
    pd_shuffle_open(&asides->units, &job->transport, &asides_flow, &job->collection, NULL);
    f.doc = 0;
    PD_THEN(status, pd_shuffle_gather(&f.standings, fill_standings, &f));
    PD_THEN(status, pd_shuffle_make(&asides->units, next_aside, &f));
    release(&f);
    return status;
}

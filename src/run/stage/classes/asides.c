/* run/stage/classes/asides.c - see src/run/stage/classes/asides.h */
#include "asides.h"

#include "pardup/base/error.h"
#include "pardup/index/index.h"
#include "pardup/join/stubs.h"
#include "pardup/join/templates.h"
#include "run/stage/collection/site.h"

static uint64_t words_of(const struct pd_stored *stored, const struct pd_word_numbers *units)
{
    uint64_t words = 0;
    for (size_t k = 0; k < units->n; k++)
        words += stored->sentences.v[units->v[k]].nwords;
    return words;
}

/* Unite two ascending lists into `a`, by way of `room`. */
static void unite(struct pd_word_numbers *a, const struct pd_word_numbers *b,
                  struct pd_word_numbers *room)
{
    room->n = 0;
    for (size_t i = 0, j = 0; i < a->n || j < b->n;) {
        const uint32_t x = i < a->n ? a->v[i] : UINT32_MAX, y = j < b->n ? b->v[j] : UINT32_MAX;
        pd_word_numbers_push(room, x < y ? x : y);
        i += x <= y;
        j += y <= x;
    }
    const struct pd_word_numbers old = *a;
    *a = *room;
    *room = old;
}

/*
 * Count the units of a document that are set aside, or keep them all but stray text, which is
 * frame. A stub keeps none.
 */
static void keep_or_count(struct pd_asides *a, const struct pd_stored *stored)
{
    if (!stored)
        return;
    const uint64_t stray = words_of(stored, &a->stray);
    uint64_t words = 0;
    for (size_t k = 0; k < stored->sentences.n; k++)
        words += stored->sentences.v[k].nwords;
    if (!a->is_stub && pd_template_keeps(words - stray, words_of(stored, &a->of_doc)))
        a->of_doc.n = a->links.n = 0;
    unite(&a->of_doc, &a->stray, &a->joined);
    a->found.units += a->of_doc.n;
    a->found.words += words_of(stored, &a->of_doc);
    a->found.doubtful_units += a->links.n + a->stray.n;
    a->found.doubtful_words += words_of(stored, &a->links) + stray;
}

void pd_asides_ignore(struct pd_asides *a, const struct pd_ignore *g,
                      const struct pd_stored *stored, const uint64_t *terms)
{
    if (g->units.n == 0)
        return;
    pd_ignore_find(g, stored, terms, &a->ignored);
    if (a->ignored.n == 0)
        return;
    a->found.ignored_documents++;
    a->found.ignored_words += words_of(stored, &a->ignored);
    unite(&a->of_doc, &a->ignored, &a->joined);
    a->is_stub |= words_of(stored, &a->of_doc) == stored->tokens.n;
}

void pd_asides_forget(struct pd_asides *a)
{
    a->of_doc.n = a->links.n = a->stray.n = a->ignored.n = a->at = 0;
    a->is_stub = false;
}

/* Load what was kept of a document. */
static int load_kept(struct pd_asides *a, pd_doc doc)
{
    struct pd_aside_units units;
    PD_TRY(pd_aside_file_find(&a->job->asides, doc, &units));
    for (size_t k = 0; k < units.n; k++)
        pd_word_numbers_push(&a->of_doc, units.v[k]);
    pd_word_numbers_append(&a->ignored, units.ignored, units.nignored);
    a->is_stub = units.stub;
    return PD_OK;
}

int pd_asides_keep(const struct pd_asides *a, struct pd_job *job, pd_doc doc)
{
    const struct pd_aside_units units = {a->of_doc.v, a->of_doc.n, a->ignored.v, a->ignored.n,
                                         a->is_stub};
    const bool first = !job->asides.file && (units.n || units.stub);
    const char *path = first ? pd_scratch_path(&job->scratch, "aside") : NULL;
    return pd_aside_file_add(&job->asides, path, doc, &units);
}

int pd_asides_end(struct pd_asides *a)
{
    return a->job && !a->job->asides.ended ? pd_aside_file_end(&a->job->asides) : PD_OK;
}

/* Is the document a stub that was found before? */
static int recall_stub(struct pd_asides *a, const struct pd_docrec *rec,
                       int (*has)(void *ctx, uint64_t name, bool *found), void *ctx)
{
    return pd_site_is_host(rec->host) && pd_stub_fits(rec->words - rec->frame_words)
               ? has(ctx, pd_aside_stub(pd_stub_text(rec->host, rec->inner_hash)), &a->is_stub)
               : PD_OK;
}

/* The name of a base unit, if its text is set aside in documents of the site. */
static uint64_t name_of(const struct pd_stand *s, uint64_t site)
{
    return pd_aside_name(pd_standing_of(s, site, 0, 0, 0).text);
}

/* Add what the index knows of the base units of a document, to empty lists. */
static int recall(struct pd_asides *a, const struct pd_stored *stored, const struct pd_docrec *rec,
                  int (*has)(void *ctx, uint64_t name, bool *found), void *ctx)
{
    const bool sited = rec->host != PD_SITE_NONE;
    bool of_articles = false;
    size_t inner = 0, at = 0;
    if (sited) {
        PD_TRY(recall_stub(a, rec, has, ctx));
        PD_TRY(has(ctx, pd_aside_site(rec->host), &of_articles));
    }
    for (size_t k = 0; k < stored->sentences.n; k++)
        inner += stored->sentences.v[k].nwords > 0 && !pd_stored_fringe(stored, k).stray;
    for (size_t k = 0; k < stored->sentences.n; k++) {
        const struct pd_fringe fringe = pd_stored_fringe(stored, k);
        const struct pd_stand stand = {fringe.words, (uint32_t)k, stored->sentences.v[k].nwords,
                                       fringe.stray};
        const bool link = pd_aside_is_link(&fringe, of_articles);
        bool found = a->is_stub, stray = false;
        if (stand.nwords == 0)
            continue;
        if (stand.stray)
            PD_TRY(has(ctx, name_of(&stand, PD_SITE_STRAY), &stray));
        if (stray) {
            pd_word_numbers_push(&a->stray, stand.unit);
            continue;
        }
        if (!found && sited)
            PD_TRY(has(ctx, name_of(&stand, rec->host), &found));
        if (!stand.stray && pd_imprint_fits(at++, inner, stand.nwords) && !found)
            PD_TRY(has(ctx, name_of(&stand, PD_SITE_ALL), &found));
        if (found || link)
            pd_word_numbers_push(&a->of_doc, stand.unit);
        if (!found && link)
            pd_word_numbers_push(&a->links, stand.unit);
    }
    return PD_OK;
}

int pd_asides_recall(struct pd_asides *a, const struct pd_stored *stored,
                     const struct pd_docrec *rec, int (*has)(void *ctx, uint64_t name, bool *found),
                     void *ctx)
{
    pd_asides_forget(a);
    PD_TRY(recall(a, stored, rec, has, ctx));
    keep_or_count(a, stored);
    return PD_OK;
}

static int is_known(void *index, uint64_t name, bool *found)
{
    return pd_index_has_aside(index, name, found);
}

/* --known: add what was set aside of the documents of the store. */
static int add_known(struct pd_asides *a, pd_doc doc, const struct pd_stored *stored)
{
    struct pd_word_numbers units = a->of_doc, links = a->links, stray = a->stray;
    struct pd_held held;
    int status = pd_collection_doc(&a->job->collection, doc, &held);
    a->of_doc = a->links = a->stray = (struct pd_word_numbers){0};
    PD_THEN(status, recall(a, stored, held.rec, is_known, (void *)a->job->index));
    unite(&a->of_doc, &units, &a->joined);
    unite(&a->links, &links, &a->joined);
    unite(&a->stray, &stray, &a->joined);
    PD_RELEASE(pd_word_numbers, &units, &links, &stray);
    return status;
}

int pd_asides_load(struct pd_asides *a, pd_doc doc, const struct pd_stored *stored,
                   const uint64_t *terms)
{
    const void *rec;
    int status = PD_END;
    uint64_t last = UINT64_MAX;
    pd_asides_forget(a);
    if (a->job && a->job->asides.ended)
        return load_kept(a, doc);
    while (a->units.sorter && (status = pd_shuffle_look(&a->units, &rec)) == PD_OK) {
        const struct pd_aside *next = rec;
        PD_CHECK(next->doc >= doc);
        if (next->doc != doc)
            break;
        a->is_stub = next->unit & PD_OF_STUB;
        const uint32_t unit = (uint32_t)(next->unit >> PD_GOES_BITS);
        const unsigned why = next->unit & (((unsigned)1 << PD_GOES_BITS) - 1);
        if (unit != last) {
            pd_word_numbers_push(why == PD_GOES_STRAY ? &a->stray : &a->of_doc, unit);
            if (why == PD_GOES_LINK)
                pd_word_numbers_push(&a->links, unit);
        }
        last = unit;
        pd_shuffle_pass(&a->units, sizeof *next);
    }
    if (status >= 0 && a->job && a->job->known && stored &&
        a->job->options->method.templates == PD_TEMPLATES_ASIDE)
        PD_TRY(add_known(a, doc, stored));
    keep_or_count(a, stored);
    if (a->job && stored)
        pd_asides_ignore(a, &a->job->ignore, stored, terms);
    return status >= 0 && a->job && stored ? pd_asides_keep(a, a->job, doc)
           : status < 0                    ? status
                                           : PD_OK;
}

bool pd_asides_have(struct pd_asides *a, const struct pd_sentence *base, size_t n,
                    const struct pd_sentence *u)
{
    const struct pd_word_numbers *v = &a->of_doc;
    if (!u->nwords)
        return false;
    /* a later unit may begin in the same base unit, so only base units before it are passed */
    while (a->at < v->n && base[v->v[a->at]].word + base[v->v[a->at]].nwords <= u->word)
        a->at++;
    uint32_t covered = u->word;
    for (size_t k = a->at; k < v->n && covered < u->word + u->nwords; k++) {
        const struct pd_sentence *s = &base[v->v[k]];
        PD_CHECK(v->v[k] < n);
        if (s->word > covered)
            return false;
        covered = s->word + s->nwords;
    }
    return covered >= u->word + u->nwords;
}

bool pd_asides_is_ignored(const struct pd_asides *a, const struct pd_sentence *base, size_t n,
                          const struct pd_sentence *u)
{
    for (size_t k = 0; k < a->ignored.n; k++) {
        const struct pd_sentence *s = &base[a->ignored.v[k]];
        PD_CHECK(a->ignored.v[k] < n);
        if (s->word <= u->word && u->word < s->word + s->nwords)
            return true;
    }
    return false;
}

void pd_asides_add_up(const struct pd_asides *a, struct pd_job *job)
{
    job->gathered.asides = a->found;
    pd_comm_sum(job->comm, (uint64_t *)&job->gathered.asides,
                sizeof job->gathered.asides / sizeof(uint64_t));
}

void pd_asides_close(struct pd_asides *a)
{
    pd_shuffle_close(&a->units);
    PD_RELEASE(pd_word_numbers, &a->of_doc, &a->links, &a->stray, &a->ignored, &a->joined);
    pd_u64s_release(&a->names);
}

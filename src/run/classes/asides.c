/* run/classes/asides.c - see src/run/classes/asides.h */
#include "asides.h"

#include "pardup/base/error.h"
#include "pardup/join/stubs.h"
#include "pardup/join/templates.h"
#include "run/collection/site.h"

static uint64_t words_of(const struct pd_stored *stored, const struct pd_word_numbers *units)
{
    uint64_t words = 0;
    for (size_t k = 0; k < units->n; k++)
        words += stored->sentences.v[units->v[k]].nwords;
    return words;
}

/* Count the units of a document that are set aside, or keep them all. A stub keeps none. */
static void keep_or_count(struct pd_asides *a, const struct pd_stored *stored)
{
    uint64_t words = 0;
    if (!stored)
        return;
    for (size_t k = 0; k < stored->sentences.n; k++)
        words += stored->sentences.v[k].nwords;
    if (!a->is_stub && pd_template_keeps(words, words_of(stored, &a->of_doc)))
        a->of_doc.n = a->links.n = 0;
    a->found.units += a->of_doc.n;
    a->found.words += words_of(stored, &a->of_doc);
    a->found.doubtful_units += a->links.n;
    a->found.doubtful_words += words_of(stored, &a->links);
}

/* Load what was kept of a document. */
static int load_kept(struct pd_asides *a, pd_doc doc)
{
    struct pd_aside_units units;
    PD_TRY(pd_aside_file_find(&a->job->asides, doc, &units));
    for (size_t k = 0; k < units.n; k++)
        pd_word_numbers_push(&a->of_doc, units.v[k]);
    a->is_stub = units.stub;
    return PD_OK;
}

int pd_asides_keep(const struct pd_asides *a, struct pd_job *job, pd_doc doc)
{
    const struct pd_aside_units units = {a->of_doc.v, a->of_doc.n, a->is_stub};
    const bool first = !job->asides.file && (units.n || units.stub);
    const char *path = first ? pd_scratch_path(&job->scratch, "aside") : NULL;
    return pd_aside_file_add(&job->asides, path, doc, &units);
}
int pd_asides_end(struct pd_asides *a)
{
    return a->job && !a->job->asides.ended ? pd_aside_file_end(&a->job->asides) : PD_OK;
}

int pd_asides_load(struct pd_asides *a, pd_doc doc, const struct pd_stored *stored)
{
    const void *rec;
    int status = PD_END;
    a->of_doc.n = a->links.n = a->at = 0;
    a->is_stub = false;
    if (a->job && a->job->asides.ended)
        return load_kept(a, doc);
    while (a->units.sorter && (status = pd_shuffle_look(&a->units, &rec)) == PD_OK) {
        const struct pd_aside *next = rec;
        PD_CHECK(next->doc >= doc);
        if (next->doc != doc)
            break;
        a->is_stub = next->unit & PD_OF_STUB;
        const uint32_t unit = (uint32_t)(next->unit >> 1);
        if (a->of_doc.n == 0 || a->of_doc.v[a->of_doc.n - 1] != unit) {
            pd_word_numbers_push(&a->of_doc, unit);
            if (next->unit & 1)
                pd_word_numbers_push(&a->links, unit);
        }
        pd_shuffle_pass(&a->units, sizeof *next);
    }
    keep_or_count(a, stored);
    return status >= 0 && a->job && stored ? pd_asides_keep(a, a->job, doc)
           : status < 0                    ? status
                                           : PD_OK;
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

int pd_asides_recall(struct pd_asides *a, const struct pd_stored *stored,
                     const struct pd_docrec *rec, int (*has)(void *ctx, uint64_t name, bool *found),
                     void *ctx)
{
    const bool sited = rec->host != PD_SITE_NONE;
    bool of_articles = false;
    size_t inner = 0, at = 0;
    a->of_doc.n = a->links.n = a->at = 0;
    a->is_stub = false;
    if (sited) {
        PD_TRY(recall_stub(a, rec, has, ctx));
        PD_TRY(has(ctx, pd_aside_site(rec->host), &of_articles));
    }
    for (size_t k = 0; k < stored->sentences.n; k++)
        inner += stored->sentences.v[k].nwords > 0;
    for (size_t k = 0; k < stored->sentences.n; k++) {
        const struct pd_fringe fringe = pd_stored_fringe(stored, k);
        const struct pd_stand stand = {fringe.words, (uint32_t)k, stored->sentences.v[k].nwords};
        const bool link = pd_aside_is_link(&fringe, of_articles);
        bool found = a->is_stub;
        if (stand.nwords == 0)
            continue;
        if (!found && sited)
            PD_TRY(has(ctx, name_of(&stand, rec->host), &found));
        if (pd_imprint_fits(at++, inner, stand.nwords) && !found)
            PD_TRY(has(ctx, name_of(&stand, PD_SITE_ALL), &found));
        if (found || link)
            pd_word_numbers_push(&a->of_doc, stand.unit);
        if (!found && link)
            pd_word_numbers_push(&a->links, stand.unit);
    }
    keep_or_count(a, stored);
    return PD_OK;
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

void pd_asides_close(struct pd_asides *a)
{
    pd_shuffle_close(&a->units);
    pd_word_numbers_release(&a->of_doc);
    pd_word_numbers_release(&a->links);
    pd_u64s_release(&a->names);
}

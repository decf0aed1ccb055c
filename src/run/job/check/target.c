/* run/job/check/target.c - see src/run/job/check/target.h */
#include "target.h"

#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/document/word.h"
#include "run/stage/collection/fringe.h"
#include "run/stage/collection/site.h"
#include "run/stage/collection/unread.h"

enum { SLOTS_KEPT = 1 << 12 }; /* a larger table of words is freed after its document */

/* The reader skips the line: keep the reason. */
static void on_skip(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    struct pd_target *t = ctx;
    (void)why, (void)offset, (void)skip;
    snprintf(t->reason, sizeof t->reason, "%s", detail);
}

void pd_target_init(struct pd_target *t, struct pd_job *job, const struct pd_index *index)
{
    const struct pd_input_options *o = &job->options->input;
    const struct pd_reader_options ro = {.format = PD_FORMAT_JSONL,
                                         .id_field = o->id_field,
                                         .text_field = o->text_field,
                                         .url_field = o->url_field,
                                         .site_field = o->site_field,
                                         .max_document = (uint64_t)o->max_document,
                                         .skipped = on_skip,
                                         .stopping = pd_comm_stopping,
                                         .ctx = t};
    *t = (struct pd_target){.job = job, .index = index, .document = pd_document_as(o)};
    t->keeps_forms = pd_features[job->options->method.feature].input == PD_READS_FORMS;
    t->document.stopping = pd_comm_stopping;
    t->reader = pd_reader_new(&ro);
    pd_signing_init(&t->signing, job);
}

void pd_target_release(struct pd_target *t)
{
    pd_reader_free(t->reader);
    pd_signing_release(&t->signing);
    pd_document_release(&t->document);
    pd_vocabulary_release(&t->vocabulary);
    PD_RELEASE(pd_terms, &t->terms, &t->spellings);
    PD_RELEASE(pd_bytes, &t->singles, &t->flags, &t->forms);
    pd_counts_release(&t->form_ends);
    pd_bytes_release(&t->site);
    pd_fringes_release(&t->fringes);
}

/* ---- the document ---- */

/* Keep the form of a new word. */
static void keep_form(struct pd_target *t, const struct pd_word *word)
{
    pd_signer_keep_form(t->document.norm.v + word->norm, word->norm_n, &t->forms);
    pd_counts_push(&t->form_ends, (uint32_t)t->forms.n);
}

/* Number the words of the document as a volume does, and give them their frozen flags. */
static void number_words(struct pd_target *t)
{
    struct pd_stored *stored = &t->signing.stored;
    const struct pd_words *words = &t->document.words;
    if (t->vocabulary.nslots > SLOTS_KEPT)
        pd_vocabulary_release(&t->vocabulary);
    else
        pd_vocabulary_clear(&t->vocabulary);
    pd_tokens_reserve(&stored->tokens, words->n);
    pd_word_numbers_reserve(&stored->numbers, words->n + PD_NUMBERS_BEHIND);
    t->terms.n = t->spellings.n = t->singles.n = t->flags.n = t->forms.n = t->form_ends.n = 0;
    for (size_t k = 0; k < words->n; k++) {
        struct pd_slot *slot = pd_vocabulary_enter(&t->vocabulary, words->v[k].term);
        const uint32_t number = pd_vocabulary_count(slot, 1);
        stored->tokens.v[k] = (struct pd_token){words->v[k].begin, words->v[k].end, number};
        stored->numbers.v[k] = number;
        if (number == t->terms.n) { /* a new word */
            pd_terms_push(&t->terms, words->v[k].term);
            if (t->job->options->method.refine != PD_REFINE_NONE)
                pd_terms_push(&t->spellings, pd_document_spelling(&t->document, &words->v[k]));
            pd_bytes_push(&t->singles, pd_word_is_single(&t->document, &words->v[k]));
            pd_bytes_push(&t->flags, pd_index_flags(t->index, words->v[k].term));
            if (t->keeps_forms)
                keep_form(t, &words->v[k]);
        }
    }
    memset(stored->numbers.v + words->n, 0, PD_NUMBERS_BEHIND * sizeof *stored->numbers.v);
    stored->tokens.n = stored->numbers.n = words->n;
}

/*
 * Tell the site of the document and, if it may have templates, which a site or all sites have, its
 * inner text.
 */
static void tell_site(struct pd_target *t)
{
    const struct pd_document *d = &t->document;
    t->site.n = 0;
    t->rec = (struct pd_docrec){.host = pd_site_of(&t->raw, &t->site),
                                .sentences = (uint32_t)d->sentences.n,
                                .words = (uint32_t)d->words.n};
    if (t->job->options->method.templates != PD_TEMPLATES_ASIDE)
        return;
    pd_fringes_list(d, &t->fringes, &t->rec);
    t->signing.stored.fringes = t->fringes.v;
}

/* Load the document as a target. */
static void load(struct pd_target *t)
{
    struct pd_signing *s = &t->signing;
    struct pd_address address;
    number_words(t);
    s->stored.sentences.n = 0;
    pd_sentences_append(&s->stored.sentences, t->document.sentences.v, t->document.sentences.n);
    if (t->keeps_forms)
        pd_signer_use_forms(&s->signer, t->forms.v, t->form_ends.v);
    pd_signer_use_singles(&s->signer, t->singles.v);
    pd_signer_use(&s->signer, t->terms.v, t->flags.v, t->vocabulary.n);
    s->spellings = t->spellings.v;
    s->number = 0;
    pd_address_of(t->raw.id, t->raw.id_n, t->raw.url, t->raw.url_n, &address);
    s->page = address.name;
    pd_signing_begin(s);
    tell_site(t);
}

int pd_target_read(struct pd_target *t, const char *s, size_t n)
{
    const uint64_t *repaired = &pd_reader_counts(t->reader)->repaired, before = *repaired;
    enum pd_skip why;
    int status = pd_reader_line(t->reader, (const unsigned char *)s, n, &t->raw);
    t->mended = *repaired > before;
    if (status == PD_OK && (status = pd_document_read(&t->document, &t->raw, &why)) != PD_OK)
        snprintf(t->reason, sizeof t->reason, "%s", pd_unread_reason(why));
    if (status == PD_OK)
        load(t);
    else
        PD_TRY(pd_comm_check_stop()); /* a signal is no reason to skip a line */
    return status;
}

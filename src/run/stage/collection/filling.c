/* run/stage/collection/filling.c - see src/run/stage/collection/filling.h */
#include "filling.h"

#include "fringe.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "pardup/document/word.h"
#include "pardup/feature/signer.h"
#include "site.h"

enum {
    /* bytes of memory for a word of a volume: its slots in the vocabulary, its term and its df */
    ENTRY_BYTES = 48
};

/* least and most bytes of a volume, whatever --memory says */
static const uint64_t volume_least = 1 << 20, volume_most = 64 << 20;

/* Bytes at which a volume is full. */
static uint64_t volume_limit(const struct pd_transport *t)
{
    const uint64_t bytes = pd_transport_budget(t, PD_BUDGET_VOLUME);
    return bytes < volume_least ? volume_least : bytes > volume_most ? volume_most : bytes;
}

/* May the passages be found by the words around regions? */
static bool may_refine(const struct pd_options *o)
{
    return o->method.refine != PD_REFINE_NONE || o->presets[PD_PRESET_EDITED].name;
}

/* May single characters say less than other words? */
static bool may_weigh(const struct pd_options *o)
{
    return o->method.char_ngram || o->presets[PD_PRESET_CHARACTERS].name ||
           o->presets[PD_PRESET_WEB].name;
}

void pd_filling_init(struct pd_filling *f, struct pd_collection *col,
                     const struct pd_reader *reader)
{
    *f = (struct pd_filling){.col = col,
                             .reader = reader,
                             .forms =
                                 col->whole_forms ||
                                 pd_features[col->options->method.feature].input == PD_READS_FORMS,
                             .spellings = may_refine(col->options),
                             .singles = may_weigh(col->options),
                             .limit = volume_limit(col->transport)};
}

void pd_filling_release(struct pd_filling *f)
{
    pd_tokens_release(&f->tokens);
    pd_fringes_release(&f->fringes);
    pd_volume_release(&f->volume);
    pd_vocabulary_release(&f->vocabulary);
}

/* ---- words and sentences of a document ---- */

/* Keep the form of the last word of the vocabulary. */
static void keep_form(struct pd_filling *f, const struct pd_document *d, const struct pd_word *word)
{
    struct pd_volume *v = &f->volume;
    const size_t before = v->forms.n;
    if (f->col->whole_forms)
        pd_bytes_append(&v->forms, d->norm.v + word->norm, word->norm_n);
    else
        pd_signer_keep_form(d->norm.v + word->norm, word->norm_n, &v->forms);
    pd_counts_push(&v->form_ends, (uint32_t)v->forms.n);
    f->bytes += v->forms.n - before + sizeof *v->form_ends.v;
}

/* Keep the spelling of the last word of the vocabulary. */
static void keep_spelling(struct pd_filling *f, const struct pd_document *d,
                          const struct pd_word *word)
{
    pd_terms_push(&f->volume.spellings, pd_document_spelling(d, word));
    f->bytes += sizeof *f->volume.spellings.v;
}

/* Keep whether the last word of the vocabulary is a single character. */
static void keep_single(struct pd_filling *f, const struct pd_document *d,
                        const struct pd_word *word)
{
    pd_bytes_push(&f->volume.singles, pd_word_is_single(d, word));
    f->bytes++;
}

/* Give the words of the document their word numbers, and count each different word once. */
static void count_words(struct pd_filling *f, const struct pd_document *d)
{
    struct pd_vocabulary *voc = &f->vocabulary;
    PD_CHECK(f->volume.docs.n < UINT32_MAX);
    /* tells this document from the others of the volume; never 0 */
    const uint32_t stamp = (uint32_t)f->volume.docs.n;
    pd_tokens_reserve(&f->tokens, d->words.n);
    f->tokens.n = d->words.n;
    const struct pd_word *const words = d->words.v;
    struct pd_token *const tokens = f->tokens.v;
    const size_t n = d->words.n;
    /* a copy that no store below can change: the compiler keeps it in registers */
    struct pd_vocabulary seen = *voc;
    for (size_t k = 0; k < PD_WORDS_EXPECTED && k < n; k++)
        pd_vocabulary_expect(&seen, words[k].term);
    for (size_t k = 0; k < n; k++) {
        if (k + PD_WORDS_EXPECTED < n)
            pd_vocabulary_expect(&seen, words[k + PD_WORDS_EXPECTED].term);
        struct pd_slot *slot = pd_vocabulary_met(&seen, words[k].term);
        if (!slot) {
            slot = pd_vocabulary_enter(voc, words[k].term);
            if (f->forms && voc->n > f->volume.form_ends.n)
                keep_form(f, d, &words[k]);
            if (f->spellings && voc->n > f->volume.spellings.n)
                keep_spelling(f, d, &words[k]);
            if (f->singles && voc->n > f->volume.singles.n)
                keep_single(f, d, &words[k]);
            seen = *voc;
        }
        const uint32_t number = pd_vocabulary_count(slot, stamp);
        tokens[k] = (struct pd_token){words[k].begin, words[k].end, number};
    }
}

/* ---- a document ---- */

static struct pd_fragment *fragment_at_hand(struct pd_filling *f)
{
    return &f->volume.fragments.v[f->volume.fragments.n - 1];
}

/* Keep the text of a document. *at: block and offset in the file, two 32-bit numbers. */
static int keep_text(struct pd_packed *texts, const struct pd_document *d, uint64_t *at)
{
    struct pd_packed_at place;
    if (d->text_n == 0)
        return PD_OK;
    PD_TRY(pd_packed_append(texts, d->text, d->text_n, &place));
    *at = (uint64_t)place.block << 32 | place.offset;
    return PD_OK;
}

/* Keep id, address, site and kept fields of a document. */
static void put_names(struct pd_filling *f, const struct pd_raw *raw,
                      const struct pd_byline *byline, struct pd_docrec *rec)
{
    struct pd_bytes *names = &f->volume.ids;
    rec->id_at = names->n;
    rec->id_n = (uint32_t)raw->id_n;
    rec->url_n = (uint32_t)pd_min_size(raw->url_n, PD_URL_MOST);
    pd_bytes_append(names, raw->id, raw->id_n);
    pd_bytes_append(names, raw->url, rec->url_n);
    const size_t site = names->n;
    rec->host = pd_site_of(raw, names);
    rec->site_n = (uint32_t)(names->n - site);
    const size_t meta = names->n;
    const struct pd_field_facts facts = pd_metadata_write(&f->col->metadata, raw, byline, names);
    rec->date = facts.date;
    rec->same = facts.same;
    f->volume.counts.cut += facts.cut;
    f->volume.counts.undated += facts.undated;
    rec->meta_n = (uint32_t)(names->n - meta);
}

int pd_filling_keep(struct pd_filling *f, uint32_t file, const struct pd_raw *raw,
                    const struct pd_document *d)
{
    struct pd_volume *v = &f->volume;
    struct pd_docrec rec = {.piece_key = raw->piece_key,
                            .offset = raw->offset,
                            .skip = raw->skip,
                            .length = raw->length,
                            .body_bytes = raw->n,
                            .text_bytes = d->text_n,
                            .text_hash = pd_hash_bytes(d->text, d->text_n),
                            .file = file,
                            .fragment = fragment_at_hand(f)->index,
                            .page = d->page,
                            .letter = raw->sender_n > 0,
                            .article = d->main.article,
                            .sentences = (uint32_t)d->sentences.n,
                            .words = (uint32_t)d->words.n,
                            .single_words = d->single_words};
    if (f->col->texts)
        PD_TRY(keep_text(f->col->texts, d, &rec.text_at));
    put_names(f, raw, d->byline, &rec);
    pd_fringes_list(d, &f->fringes, &rec);
    pd_docrecs_push(&v->docs, rec);
    count_words(f, d);
    f->bytes += sizeof rec + rec.id_n + rec.url_n + rec.site_n + rec.meta_n;
    v->counts.replaced += d->replaced;
    return pd_volume_push(v, d->sentences.v, f->fringes.v, d->sentences.n, f->tokens.v, &f->bytes);
}

void pd_filling_skip(struct pd_filling *f, const struct pd_skiprec *skip)
{
    pd_skiprecs_push(&f->volume.skips, *skip);
    f->bytes += sizeof *skip;
}

/* ---- the volume ---- */

bool pd_filling_is_full(const struct pd_filling *f, double share)
{
    const uint64_t bytes = f->bytes + ENTRY_BYTES * f->vocabulary.n;
    return (double)bytes >= share * (double)f->limit;
}

static struct pd_field_counts fields_since(const struct pd_field_counts *c,
                                           const struct pd_field_counts *before)
{
    struct pd_field_counts since = *c;
    uint64_t *to = (uint64_t *)&since;
    const uint64_t *from = (const uint64_t *)before;
    for (size_t k = 0; k < sizeof since / sizeof *to; k++)
        to[k] -= from[k];
    return since;
}

int pd_filling_seal(struct pd_filling *f)
{
    struct pd_collection *col = f->col;
    struct pd_volume *v = &f->volume;
    const struct pd_vocabulary *words = &f->vocabulary;
    const struct pd_reader_counts *counts = pd_reader_counts(f->reader);
    v->counts.ignored = counts->ignored - f->counted.ignored;
    v->counts.repaired = counts->repaired - f->counted.repaired;
    v->counts.fields = fields_since(&counts->fields, &f->counted.fields);
    f->counted = *counts;
    pd_terms_reserve(&v->terms, words->n);
    pd_counts_reserve(&v->df, words->n);
    v->terms.n = v->df.n = words->n;
    pd_vocabulary_list(words, v->terms.v, v->df.v);
    pd_vocabulary_clear(&f->vocabulary);
    f->bytes = 0;
    return pd_library_add(&col->library, v);
}

int pd_filling_begin(struct pd_filling *f, struct pd_fragment fragment)
{
    struct pd_volume *v = &f->volume;
    if (!v->file)
        PD_TRY(pd_volume_begin(v, pd_scratch_path(f->col->scratch, PD_VOLUME_FILES)));
    pd_fragments_push(&v->fragments, fragment);
    return PD_OK;
}

int pd_filling_turn_over(struct pd_filling *f)
{
    struct pd_fragment next = *fragment_at_hand(f);
    PD_TRY(pd_filling_seal(f));
    next.index++;
    return pd_filling_begin(f, next);
}

void pd_filling_end_piece(struct pd_filling *f) { fragment_at_hand(f)->last = 1; }

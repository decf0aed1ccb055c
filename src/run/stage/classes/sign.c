/* run/stage/classes/sign.c - see src/run/stage/classes/sign.h */
#include "sign.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/feature/winnow.h"
#include "run/stage/collection/site.h"

_Static_assert((int)PD_POSTINGS_MOST > (int)PD_REACH_MOST, "names of a unit");
_Static_assert(PD_WHY_MATCHED == 0, "what pd_winnow_choose sets");
_Static_assert(PD_NUMBERS_BEHIND >= PD_WORDS_AHEAD,
               "the last units of a document look ahead behind its words");

void pd_signing_init(struct pd_signing *s, struct pd_job *job)
{
    const struct pd_options *o = job->options;
    *s = (struct pd_signing){.job = job,
                             .signer = {.kind = o->method.feature,
                                        .ngram = (uint32_t)o->method.ngram,
                                        .char_ngram = (uint32_t)o->method.char_ngram,
                                        .lexicons = (uint32_t)o->method.lexicons,
                                        .shingle_bytes = (uint32_t)o->method.shingle_bytes,
                                        .blanks = o->method.blanks == PD_BLANKS_KEEP,
                                        .empty = o->method.empty == PD_TEMPLATES_MATCH,
                                        .sample = (uint64_t)o->method.sample,
                                        .spot_distance = (uint32_t)o->method.spot_distance,
                                        .spot_chain = (uint32_t)o->method.spot_chain,
                                        .reach = (uint32_t)o->method.reach}};
    s->volume = UINT64_MAX;
}

void pd_signing_release(struct pd_signing *s)
{
    pd_signer_release(&s->signer);
    pd_stored_release(&s->stored);
    pd_sentences_release(&s->derived);
    pd_bytes_release(&s->taken);
    pd_u64s_release(&s->hashes);
    PD_RELEASE(pd_word_numbers, &s->own, &s->own_units);
}

/* Words of the base unit in which a word stands. It is found at once for words in order. */
static uint32_t words_around(struct pd_signing *s, uint32_t word)
{
    const struct pd_sentence *base = s->stored.sentences.v;
    if (base[s->base_at].word > word)
        s->base_at = 0;
    while (base[s->base_at].word + base[s->base_at].nwords <= word)
        s->base_at++;
    return base[s->base_at].nwords;
}

/* Is a unit too short for --min-words? A gram is if it begins in a base unit that is. */
static bool is_short(struct pd_signing *s, uint32_t unit)
{
    const int64_t least = s->job->options->method.min_words;
    const struct pd_sentence *u = &s->units->v[unit];
    return least > 1 &&
           least > (s->job->form.kind == PD_FORM_GRAM ? words_around(s, u->word) : u->nwords);
}

static bool winnows(const struct pd_signing *s) { return s->job->options->method.winnow > 1; }

/* A unit, as far as it is signed by its words. */
static struct pd_unit unit_of(const struct pd_signing *s, uint32_t unit)
{
    const struct pd_sentence *u = &s->units->v[unit];
    return (struct pd_unit){.words = s->stored.numbers.v + u->word,
                            .nwords = u->nwords,
                            .nbehind = (uint32_t)s->stored.tokens.n - u->word - u->nwords};
}

/* Hash the grams of the loaded document. One that says too little has no words to hash. */
static void hash_grams(struct pd_signing *s)
{
    if (!s->signer.char_ngram) {
        pd_winnow_hash(s->signer.terms, s->stored.numbers.v, s->stored.tokens.n, s->job->form.size,
                       s->hashes.v);
        return;
    }
    for (uint32_t k = 0; k < s->units->n; k++) {
        const struct pd_unit gram = unit_of(s, k);
        s->hashes.v[k] =
            pd_winnow_hash_of(s->signer.terms, gram.words, pd_signer_words(&s->signer, &gram));
    }
}

/* Why a gram stands in no window; PD_WHY_MATCHED: it does. */
static enum pd_why why_no_choice(struct pd_signing *s, uint32_t gram)
{
    const struct pd_unit unit = unit_of(s, gram);
    return is_short(s, gram)                         ? PD_WHY_SHORT
           : pd_signer_words(&s->signer, &unit) == 0 ? PD_WHY_NOTHING
                                                     : PD_WHY_MATCHED;
}

/* Choose the grams of the loaded document that are compared (feature/winnow.h). */
static void winnow(struct pd_signing *s)
{
    const size_t n = s->units->n, window = (size_t)s->job->options->method.winnow;
    if (!winnows(s) || n == 0)
        return;
    pd_bytes_reserve(&s->taken, n);
    pd_u64s_reserve(&s->hashes, n);
    memset(s->taken.v, PD_WHY_WINNOWED, n);
    hash_grams(s);
    for (size_t from = 0, to; from < n; from = to + 1) {
        enum pd_why why = PD_WHY_MATCHED;
        for (to = from; to < n && !(why = why_no_choice(s, (uint32_t)to));)
            to++;
        pd_winnow_choose(s->hashes.v + from, to - from, window, s->taken.v + from);
        if (to < n)
            s->taken.v[to] = (unsigned char)why;
    }
}

void pd_signing_begin(struct pd_signing *s)
{
    s->next = s->base_at = 0;
    s->units = &s->stored.sentences;
    if (s->job->form.kind != PD_FORM_BASE) {
        pd_units_derive(&s->job->form, s->units, &s->stored.tokens, &s->derived);
        s->units = &s->derived;
    }
    winnow(s);
}

static int load(struct pd_signing *s, const struct pd_held *held)
{
    struct pd_collection *col = &s->job->collection;
    const struct pd_volume *v = pd_collection_volume(col, held);
    struct pd_address address;
    PD_TRY(pd_collection_open(col, held, &s->stored));
    pd_collection_expect_next(col, held);
    pd_stored_numbers(&s->stored);
    if (s->job->form.kind == PD_FORM_GRAM) /* grams need the positions of words */
        pd_stored_words(&s->stored, 0, (uint32_t)s->stored.tokens.n);
    if (s->volume != held->volume && v->form_ends.n)
        pd_signer_use_forms(&s->signer, v->forms.v, v->form_ends.v);
    if (s->volume != held->volume)
        pd_signer_use_singles(&s->signer, v->singles.v);
    if (s->volume != held->volume)
        pd_signer_use(&s->signer, v->terms.v, v->flags, v->terms.n);
    s->spellings = v->spellings.v;
    s->volume = held->volume;
    s->number = held->number;
    const char *id = pd_collection_id(col, held);
    pd_address_of(id, held->rec->id_n, id + held->rec->id_n, held->rec->url_n, &address);
    s->page = address.name;
    pd_signing_begin(s);
    return PD_OK;
}

int pd_signing_load(struct pd_signing *s, uint64_t k)
{
    struct pd_held held;
    PD_TRY(pd_collection_nth(&s->job->collection, k, &held));
    return load(s, &held);
}

int pd_signing_load_number(struct pd_signing *s, pd_doc number)
{
    struct pd_held held;
    PD_TRY(pd_collection_doc(&s->job->collection, number, &held));
    PD_CHECK(held.rec != NULL);
    return load(s, &held);
}

/*
 * How many counted words stand in the unit that was signed last, for --min-counted. For words they
 * are different ones: its `n` signatures.
 */
static int64_t counted_words(const struct pd_signing *s, size_t n)
{
    if (s->signer.kind == PD_FEATURE_MULTISET)
        return (int64_t)n;
    if (s->signer.kind == PD_FEATURE_WORDS)
        return s->signer.lexicons > 1 && n ? (int64_t)s->signer.room.n : (int64_t)n;
    return s->signer.kind == PD_FEATURE_BAG && n ? (int64_t)s->signer.room.n : INT64_MAX;
}

size_t pd_signing_sign(struct pd_signing *s, uint32_t unit)
{
    const struct pd_units_form *form = &s->job->form;
    struct pd_unit words = unit_of(s, unit);
    words.follows = form->kind == PD_FORM_GRAM && unit && unit == s->next;
    s->why = winnows(s)          ? (enum pd_why)s->taken.v[unit]
             : is_short(s, unit) ? PD_WHY_SHORT
                                 : PD_WHY_MATCHED;
    if (s->why != PD_WHY_MATCHED)
        return 0;
    s->next = unit + 1;
    if (form->kind != PD_FORM_GRAM) {
        words.base = s->stored.sentences.v + unit;
        words.nbase = form->kind == PD_FORM_WINDOW ? form->size : 1;
    }
    const size_t n = pd_signer_sign(&s->signer, &words);
    s->why = n == 0                                                      ? PD_WHY_NOTHING
             : counted_words(s, n) < s->job->options->method.min_counted ? PD_WHY_FEW
                                                                         : PD_WHY_MATCHED;
    return s->why == PD_WHY_MATCHED ? n : 0;
}

size_t pd_signing_postings(struct pd_signing *s, struct pd_asides *asides, uint32_t unit,
                           struct pd_posting *out)
{
    const struct pd_sentences *base = &s->stored.sentences;
    const struct pd_units_form *form = &s->job->form;
    uint64_t more;
    const struct pd_sentence *u = &s->units->v[unit];
    if (asides && pd_asides_have(asides, base->v, base->n, u)) {
        s->why =
            pd_asides_is_ignored(asides, base->v, base->n, u) ? PD_WHY_IGNORED : PD_WHY_TEMPLATE;
        return 0;
    }
    const size_t n = pd_signing_sign(s, unit);
    if (n == 0)
        return 0;
    const bool sided = pd_units_sided(form) && !pd_units_indexed(form, base, unit);
    const unsigned flags = sided ? PD_QUERY_ONLY : 0;
    if (!pd_signing_makes_names(&s->job->options->method)) {
        const pd_sig sig = pd_signer_identity(&s->signer, &more);
        *out = pd_posting_of(sig, more, s->number, unit, flags);
        return 1;
    }
    for (size_t k = 0; k < n; k++) {
        const pd_sig sig = pd_signer_name(&s->signer, k, &more);
        out[k] = pd_posting_of(sig, more, s->number, unit, flags);
    }
    return n;
}

bool pd_signing_makes_names(const struct pd_method_options *o)
{
    return pd_features[o->feature].result == PD_MAKES_NAMES || o->lexicons > 1;
}

bool pd_signing_whole(const struct pd_signing *s, struct pd_posting *out)
{
    const size_t nwords = s->stored.tokens.n;
    if (s->units->n == 0 || nwords == 0 || nwords < (size_t)s->job->options->method.min_copy_words)
        return false;
    const struct pd_identity id = pd_signer_whole(&s->signer, s->stored.numbers.v, nwords);
    *out = pd_posting_of(id.v[0], id.v[1], s->number, (uint32_t)s->units->n, PD_WHOLE);
    return true;
}

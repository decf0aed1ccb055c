/*
 * Words of documents to numbers, blobs and back, signatures: what lies between reading and sorting.
 */
#include <stdlib.h>

#include "bench.h"
#include "pardup/base/error.h"
#include "pardup/feature/imatch.h"
#include "pardup/feature/signer.h"
#include "pardup/feature/vocabulary.h"
#include "pardup/store/blob.h"

PD_VEC(terms, uint64_t);
PD_VEC(places, size_t);

/* All documents, one after the other. Words and sentences of document k begin at these places. */
struct units {
    struct terms terms; /* of the words, as read */
    struct pd_tokens tokens;
    struct pd_sentences sentences;
    struct pd_fringes fringes;
    struct places words_at, sentences_at, blobs_at;
    struct pd_vocabulary vocabulary;
    struct pd_bytes blobs;
    struct pd_stored stored;
    struct pd_word_numbers numbers; /* of the words */
    uint64_t *numbered;             /* the vocabulary's terms ... */
    unsigned char *flags;
    struct pd_signer signer;
};

static void add_document(struct units *u, const struct pd_document *d)
{
    places_push(&u->words_at, u->tokens.n);
    places_push(&u->sentences_at, u->sentences.n);
    pd_sentences_append(&u->sentences, d->sentences.v, d->sentences.n);
    for (size_t k = 0; k < d->sentences.n; k++)
        pd_fringes_push(&u->fringes, (struct pd_fringe){0});
    for (size_t k = 0; k < d->words.n; k++) {
        terms_push(&u->terms, d->words.v[k].term);
        pd_tokens_push(&u->tokens, (struct pd_token){d->words.v[k].begin, d->words.v[k].end, 0});
    }
}

static size_t documents(const struct units *u) { return u->words_at.n - 1; }

static void read_documents(struct units *u, int argc, char **argv)
{
    struct bench_pages pages = {0};
    struct pd_document d = {0};
    enum pd_skip why;
    bench_load(&pages, argc, argv, NULL);
    for (size_t k = 0; k < pages.n; k++)
        if (pd_document_read(&d, &pages.v[k].raw, &why) == PD_OK)
            add_document(u, &d);
    places_push(&u->words_at, u->tokens.n);
    places_push(&u->sentences_at, u->sentences.n);
    pd_document_release(&d);
    bench_unload(&pages);
}

static uint64_t number_words(void *ctx, double *pause)
{
    struct units *u = ctx;
    (void)pause;
    pd_vocabulary_clear(&u->vocabulary);
    for (size_t doc = 0; doc < documents(u); doc++)
        for (size_t k = u->words_at.v[doc]; k < u->words_at.v[doc + 1]; k++) {
            if (k + PD_WORDS_EXPECTED < u->terms.n)
                pd_vocabulary_expect(&u->vocabulary, u->terms.v[k + PD_WORDS_EXPECTED]);
            struct pd_slot *slot = pd_vocabulary_met(&u->vocabulary, u->terms.v[k]);
            if (!slot)
                slot = pd_vocabulary_enter(&u->vocabulary, u->terms.v[k]);
            u->tokens.v[k].term = pd_vocabulary_count(slot, (uint32_t)doc + 1);
        }
    return u->vocabulary.n;
}

static uint64_t encode(void *ctx, double *pause)
{
    struct units *u = ctx;
    (void)pause;
    u->blobs.n = u->blobs_at.n = 0;
    for (size_t doc = 0; doc < documents(u); doc++) {
        places_push(&u->blobs_at, u->blobs.n);
        pd_blob_encode(u->sentences.v + u->sentences_at.v[doc],
                       u->fringes.v + u->sentences_at.v[doc],
                       u->sentences_at.v[doc + 1] - u->sentences_at.v[doc],
                       u->tokens.v + u->words_at.v[doc], &u->blobs);
    }
    return u->blobs.n;
}

static uint64_t decode(void *ctx, double *pause)
{
    struct units *u = ctx;
    uint64_t words = 0;
    (void)pause;
    for (size_t at = 0; at < u->blobs.n; words += u->stored.tokens.n)
        at += pd_blob_decode(u->blobs.v + at, PD_BLOB_ALL, &u->stored);
    return words;
}

static uint64_t decode_numbers(void *ctx, double *pause)
{
    struct units *u = ctx;
    (void)pause;
    uint64_t words = 0;
    for (size_t doc = 0; doc < documents(u); words += u->stored.numbers.n) {
        pd_blob_open(u->blobs.v + u->blobs_at.v[doc++], PD_BLOB_ALL, &u->stored);
        pd_stored_numbers(&u->stored);
    }
    return words;
}

static uint64_t sign(void *ctx, double *pause)
{
    struct units *u = ctx;
    uint64_t sum = 0, more;
    (void)pause;
    for (size_t doc = 0; doc < documents(u); doc++) {
        const uint32_t *numbers = u->numbers.v + u->words_at.v[doc];
        for (size_t k = u->sentences_at.v[doc]; k < u->sentences_at.v[doc + 1]; k++) {
            const struct pd_sentence *s = &u->sentences.v[k];
            const struct pd_unit unit = {numbers + s->word, s->nwords, s, 1, 0, false};
            if (pd_signer_sign(&u->signer, &unit))
                sum += pd_signer_identity(&u->signer, &more) & 1;
        }
    }
    return sum;
}

/* Which words count, as with the default --idf; the most frequent thousand are antecedents. */
static void flag_words(struct units *u)
{
    enum { ANTECEDENTS = 1000 };
    const struct pd_vocabulary *e = &u->vocabulary;
    for (size_t k = 0; k < u->tokens.n; k++)
        pd_word_numbers_push(&u->numbers, u->tokens.v[k].term);
    for (size_t k = 0; k < PD_WORDS_AHEAD; k++)
        pd_word_numbers_push(&u->numbers, 0);
    uint32_t *df = pd_realloc(NULL, e->n + 1, sizeof *df);
    u->numbered = pd_realloc(NULL, e->n + 1, sizeof *u->numbered);
    pd_vocabulary_list(e, u->numbered, df);
    u->flags = pd_realloc(NULL, e->n + 1, 1);
    for (size_t k = 0; k < e->n; k++) {
        u->flags[k] = pd_imatch_counts(df[k], documents(u), 0.1, 1) ? 0 : PD_WORD_LEFT_OUT;
        u->flags[k] |= k < ANTECEDENTS ? PD_WORD_ANTECEDENT : 0; /* numbers are by first use */
    }
    free(df);
}

static void sign_as(struct units *u, const char *name, enum pd_feature_kind kind)
{
    u->signer = (struct pd_signer){.kind = kind, .ngram = 2, .spot_distance = 1, .spot_chain = 2};
    pd_signer_use(&u->signer, u->numbered, u->flags, u->vocabulary.n);
    bench_repeat(name, "M words/s", (double)u->tokens.n, sign, u);
    pd_signer_release(&u->signer);
}

int main(int argc, char **argv)
{
    struct units u = {0};
    read_documents(&u, argc, argv);
    const double words = (double)u.tokens.n;
    bench_repeat("vocabulary", "M words/s", words, number_words, &u);
    bench_repeat("blob encode", "M words/s", words, encode, &u);
    bench_repeat("blob decode", "M words/s", words, decode, &u);
    bench_repeat("blob numbers", "M words/s", words, decode_numbers, &u);
    flag_words(&u);
    sign_as(&u, "sign words", PD_FEATURE_WORDS);
    sign_as(&u, "sign bag", PD_FEATURE_BAG);
    sign_as(&u, "sign sequence", PD_FEATURE_SEQUENCE);
    sign_as(&u, "sign shingles", PD_FEATURE_SHINGLE);
    sign_as(&u, "sign spots", PD_FEATURE_SPOT);
    terms_release(&u.terms);
    pd_tokens_release(&u.tokens);
    pd_sentences_release(&u.sentences);
    pd_fringes_release(&u.fringes);
    places_release(&u.words_at);
    places_release(&u.sentences_at);
    places_release(&u.blobs_at);
    pd_word_numbers_release(&u.numbers);
    pd_vocabulary_release(&u.vocabulary);
    pd_bytes_release(&u.blobs);
    pd_stored_release(&u.stored);
    free(u.numbered);
    free(u.flags);
    return 0;
}

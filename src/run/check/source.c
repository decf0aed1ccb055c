/* run/check/source.c - see src/run/check/source.h */
#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/run/option_table.h"

void pd_source_init(struct pd_source_text *s, const struct pd_job *job, struct pd_index *index,
                    bool texts)
{
    *s = (struct pd_source_text){.job = job, .index = index, .number = UINT64_MAX, .texts = texts};
    s->document = pd_document_as(&job->options->input);
}

void pd_source_release(struct pd_source_text *s)
{
    pd_document_release(&s->document);
    pd_reader_free(s->reader);
    pd_unpacker_release(&s->unpacker);
    pd_bytes_release(&s->text);
    pd_bytes_release(&s->path);
    pd_sentences_release(&s->units);
    pd_sentences_release(&s->derived);
    pd_tokens_release(&s->tokens);
    pd_u64s_release(&s->terms);
}

/* ---- the text, from the source's file ---- */

static void silent(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    (void)ctx, (void)why, (void)offset, (void)skip, (void)detail;
}

/* A reader that sees the sources as they were seen when the index was made. */
static struct pd_reader *new_reader(const struct pd_index_manifest *m)
{
    const char *format = pd_index_manifest_option(m, "format");
    const struct pd_option *option = pd_option_find("index", "format", strlen("format"));
    const int choice = format ? pd_option_choice(option, format) : 0;
    const struct pd_reader_options ro = {.format = (enum pd_format)(choice < 0 ? 0 : choice),
                                         .id_field = pd_index_manifest_option(m, "id-field"),
                                         .text_field = pd_index_manifest_option(m, "text-field"),
                                         .url_field = pd_index_manifest_option(m, "url-field"),
                                         .skipped = silent};
    return pd_reader_new(&ro);
}

/* The path of a file of sources: from the folder where the index was made, or as it is. */
static const char *find_file(struct pd_source_text *s, const char *path)
{
    const char *directory = (const char *)s->index->manifest.directory.v;
    s->path.n = 0;
    if (*path != '/') {
        pd_bytes_append(&s->path, directory, strlen(directory));
        pd_bytes_append(&s->path, "/", 1);
    }
    pd_bytes_append(&s->path, path, strlen(path) + 1);
    return access((const char *)s->path.v, F_OK) == 0 ? (const char *)s->path.v : path;
}

static int fetch(struct pd_source_text *s, const struct pd_segment *segment)
{
    const struct pd_indexed *doc = &s->indexed;
    struct pd_file file = {0};
    struct pd_raw raw;
    enum pd_skip why;
    const char *path;
    PD_TRY(pd_segment_file(segment, doc->file, &path, &file.bytes));
    path = find_file(s, path);
    file.path = memcpy(pd_realloc(NULL, strlen(path) + 1, 1), path, strlen(path) + 1);
    if (!s->reader)
        s->reader = new_reader(&s->index->manifest);
    int status = pd_reader_fetch(s->reader, &file, doc->offset, doc->skip, &raw);
    if (status == PD_OK && pd_document_read(&s->document, &raw, &why) != PD_OK)
        status = PD_END;
    if (status > PD_OK)
        status = pd_fail(PD_EFORMAT,
                         "%s: document %.*s is not at byte %llu any more; make the index again, or "
                         "give --texts no",
                         file.path, (int)doc->id_n, doc->id, (unsigned long long)doc->offset);
    free(file.path);
    return status;
}

/* ---- the source at hand ---- */

static int damaged(const struct pd_source_text *s, const char *what)
{
    return pd_fail(PD_EFORMAT, "%s: the %s of document %.*s are damaged; make the index again",
                   pd_index_segment(s->index, s->number)->file.path, what, (int)s->indexed.id_n,
                   s->indexed.id);
}

/* Is [v, v + n) the text of the source? */
static int check_text(const struct pd_source_text *s, const unsigned char *v, size_t n)
{
    const struct pd_indexed *doc = &s->indexed;
    if (n == doc->text_bytes && pd_hash_bytes(v, n) == doc->text_hash)
        return PD_OK;
    return pd_fail(PD_EFORMAT,
                   "document %.*s has changed since the index was made; make the index again, "
                   "or give --texts no",
                   (int)doc->id_n, doc->id);
}

/* Leave out the base units in the frame of the page, and their words. False: the frame is broken. */
static bool leave_frame_out(struct pd_source_text *s)
{
    struct pd_document *d = &s->document;
    const size_t n = d->sentences.n;
    size_t kept = 0, words = 0;
    if (s->indexed.frame_n == 0)
        return true;
    bool *in_frame = pd_realloc(NULL, n + 1, sizeof *in_frame);
    const bool whole = pd_indexed_frame(&s->indexed, in_frame, n);
    for (size_t k = 0; whole && k < n; k++) {
        struct pd_sentence sentence = d->sentences.v[k];
        if (in_frame[k])
            continue;
        memmove(d->words.v + words, d->words.v + sentence.word,
                sentence.nwords * sizeof *d->words.v);
        sentence.word = (uint32_t)words;
        words += sentence.nwords;
        d->sentences.v[kept++] = sentence;
    }
    d->sentences.n = kept;
    d->words.n = words;
    free(in_frame);
    return whole;
}

/* Take the words of the document: each has its own term. */
static void take_words(struct pd_source_text *s)
{
    const struct pd_words *words = &s->document.words;
    pd_tokens_reserve(&s->tokens, words->n);
    pd_u64s_reserve(&s->terms, words->n);
    for (size_t k = 0; k < words->n; k++) {
        s->tokens.v[k] = (struct pd_token){words->v[k].begin, words->v[k].end, (uint32_t)k};
        s->terms.v[k] = words->v[k].term;
    }
    s->tokens.n = s->terms.n = words->n;
    s->spelled = (struct pd_spelled){s->spelled.units, s->tokens.v, s->terms.v, (uint32_t)words->n};
}

/* All units and words of the text. */
static int read_whole(struct pd_source_text *s)
{
    const struct pd_indexed *doc = &s->indexed;
    const struct pd_sentences *units = &s->document.sentences;
    if (!doc->text)
        PD_TRY(fetch(s, pd_index_segment(s->index, s->number)));
    else if (pd_document_cut(&s->document, s->text.v, s->text.n) != PD_OK)
        return damaged(s, "words");
    PD_TRY(check_text(s, s->document.text, s->document.text_n));
    if (!leave_frame_out(s))
        return damaged(s, "frames");
    take_words(s);
    if (s->job->form.kind != PD_FORM_BASE) {
        pd_units_derive(&s->job->form, units, &s->tokens, &s->derived);
        units = &s->derived;
    }
    s->spelled.units = units;
    return PD_OK;
}

/* Is byte `at` of the text the first of a character, or the end? */
static bool is_between(const struct pd_bytes *text, uint32_t at)
{
    return at == text->n || (at < text->n && (text->v[at] & 0xC0) != 0x80);
}

/* Do the units lie in the text one behind the other, and have whole characters? */
static bool are_cuts(const struct pd_sentences *units, const struct pd_bytes *text)
{
    uint32_t before = 0;
    for (size_t k = 0; k < units->n; before = units->v[k++].end) {
        const struct pd_sentence *unit = &units->v[k];
        if (unit->begin < before || !is_between(text, unit->begin) || !is_between(text, unit->end))
            return false;
    }
    return true;
}

/* The units of the index, whose words are not read. */
static int read_bounds(struct pd_source_text *s)
{
    if (!pd_indexed_bounds(&s->indexed, &s->units) ||
        (s->partial && !are_cuts(&s->units, &s->text)))
        return damaged(s, "units");
    s->spelled = (struct pd_spelled){.units = &s->units};
    return s->partial ? check_text(s, s->text.v, s->text.n) : PD_OK;
}

/* Can words be read by the bounds of units? They must be sentences, all of them, and edges near. */
static bool is_partial(const struct pd_source_text *s)
{
    return s->texts && s->indexed.text && !s->indexed.frame_n &&
           s->job->form.kind == PD_FORM_BASE && s->document.base == PD_BASE_SENTENCE &&
           s->job->options->method.edges != PD_EDGES_FAR;
}

static int read_source(struct pd_source_text *s)
{
    if (s->texts && s->indexed.text && !pd_indexed_text(&s->indexed, &s->unpacker, &s->text))
        return damaged(s, "texts");
    s->partial = is_partial(s);
    PD_TRY(s->texts && !s->partial ? read_whole(s) : read_bounds(s));
    if (s->spelled.units->n == s->indexed.nunits)
        return PD_OK;
    return pd_fail(PD_EFORMAT,
                   "document %.*s has other units than when the index was made; "
                   "make the index again",
                   (int)s->indexed.id_n, s->indexed.id);
}

int pd_source_go(struct pd_source_text *s, pd_doc number)
{
    if (s->number == number)
        return PD_OK;
    s->number = UINT64_MAX;
    PD_TRY(pd_segment_document(pd_index_segment(s->index, number), number, &s->indexed));
    s->number = number;
    const int status = read_source(s);
    if (status != PD_OK)
        s->number = UINT64_MAX;
    return status;
}

/* The words of units [from, to) of the document at hand. */
static uint32_t words_in(const struct pd_document *d, size_t from, size_t to)
{
    uint32_t n = 0;
    for (size_t k = from; k < to; k++)
        n += d->sentences.v[k].nwords;
    return n;
}

int pd_source_spell(struct pd_source_text *s, uint32_t from, uint32_t to, uint32_t near)
{
    enum { AROUND = 2 }; /* units around the passages at first, mostly enough */
    struct pd_document *d = &s->document;
    const uint32_t n = (uint32_t)s->units.n;
    bool enough = !s->partial;
    for (uint32_t around = AROUND; !enough; around *= 2) {
        const uint32_t begin = from > around ? from - around : 0;
        const uint32_t end = n - to > around ? to + around : n;
        if (pd_document_cut_some(d, s->text.v, s->text.n, s->units.v + begin, end - begin) !=
                PD_OK ||
            d->sentences.n != end - begin)
            return damaged(s, "units");
        memcpy(s->units.v + begin, d->sentences.v, d->sentences.n * sizeof *d->sentences.v);
        enough = (begin == 0 || words_in(d, 0, from - begin) >= near) &&
                 (end == n || words_in(d, to - begin, end - begin) >= near);
    }
    if (s->partial)
        take_words(s);
    return PD_OK;
}

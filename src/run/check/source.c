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

static int read_text(struct pd_source_text *s, const struct pd_segment *segment)
{
    const struct pd_indexed *doc = &s->indexed;
    if (!doc->text)
        PD_TRY(fetch(s, segment));
    else if (!pd_indexed_text(doc, &s->unpacker, &s->text) ||
             pd_document_cut(&s->document, s->text.v, s->text.n) != PD_OK)
        return pd_fail(PD_EFORMAT, "%s: the text of document %.*s is damaged; make the index again",
                       segment->file.path, (int)doc->id_n, doc->id);
    if (s->document.text_n != doc->text_bytes ||
        pd_hash_bytes(s->document.text, s->document.text_n) != doc->text_hash)
        return pd_fail(PD_EFORMAT,
                       "document %.*s has changed since the index was made; make the index again, "
                       "or give --texts no",
                       (int)doc->id_n, doc->id);
    return PD_OK;
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
    const struct pd_sentences *units = &s->document.sentences;
    if (s->job->form.kind != PD_FORM_BASE) {
        pd_units_derive(&s->job->form, units, &s->tokens, &s->derived);
        units = &s->derived;
    }
    s->spelled = (struct pd_spelled){units, s->tokens.v, s->terms.v, (uint32_t)words->n};
}

int pd_source_go(struct pd_source_text *s, pd_doc number)
{
    const struct pd_segment *segment = pd_index_segment(s->index, number);
    if (s->number == number)
        return PD_OK;
    s->number = UINT64_MAX;
    PD_TRY(pd_segment_document(segment, number, &s->indexed));
    if (s->texts) {
        PD_TRY(read_text(s, segment));
        take_words(s);
    } else {
        if (!pd_indexed_bounds(&s->indexed, &s->units))
            return pd_fail(PD_EFORMAT,
                           "%s: the units of document %.*s are damaged; make the index "
                           "again",
                           segment->file.path, (int)s->indexed.id_n, s->indexed.id);
        s->spelled = (struct pd_spelled){.units = &s->units};
    }
    if (s->spelled.units->n != s->indexed.nunits)
        return pd_fail(PD_EFORMAT,
                       "document %.*s has other units than when the index was made; "
                       "make the index again",
                       (int)s->indexed.id_n, s->indexed.id);
    s->number = number;
    return PD_OK;
}

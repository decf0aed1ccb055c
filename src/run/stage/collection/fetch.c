/* run/stage/collection/fetch.c - see include/pardup/run/fetch.h */
#include "pardup/run/fetch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/document/word.h"
#include "pardup/run/option_table.h"

/* Columns that lead back to the text of a document. Results of pardup 0.1 have no hashes. */
enum { ID, FILE_ROW, OFFSET, SKIP, TEXT_BYTES, TEXT_HASH };
static const char *const document_columns[] = {"id",         "file",       "offset", "skip",
                                               "text_bytes", "?text_hash", NULL};
enum { PATH, BYTES };
static const char *const file_columns[] = {"path", "bytes", NULL};

/* Bring the rows of a document and of its file to hand. */
static int look(struct pd_fetch *f, uint64_t doc)
{
    if (!f->documents.table) {
        const char *const tables[2][2] = {{"documents", "files"}, {"sources", "source_files"}};
        const char *const *of = tables[f->sources];
        PD_TRY(pd_table_open(&f->documents, f->result, of[0], document_columns));
        PD_TRY(pd_table_open(&f->files, f->result, of[1], file_columns));
    }
    PD_TRY(pd_table_at(&f->documents, doc));
    return pd_table_at(&f->files, pd_table_count(&f->documents, FILE_ROW));
}

/* A copy of a text of the row at hand, ended by NUL; the caller frees it. */
static char *copy_of(const struct pd_table_reader *t, int column)
{
    size_t n;
    const char *value = pd_table_text(t, column, &n);
    return pd_printed("%.*s", (int)n, value);
}

/* Has the document that was read the text of its row, by its length and, if known, its hash? */
static bool is_same_text(const struct pd_fetch *f)
{
    const struct pd_table_reader *t = &f->documents;
    const struct pd_document *d = &f->document;
    return d->text_n == pd_table_count(t, TEXT_BYTES) &&
           (!f->hashed || pd_hash_bytes(d->text, d->text_n) == pd_table_count(t, TEXT_HASH));
}

void pd_fetch_find(const struct pd_fetch *f, char **path)
{
    if (!f->directory || **path == '/')
        return;
    char *whole = pd_printed("%s/%s", f->directory, *path);
    if (access(whole, F_OK) == 0) {
        free(*path);
        *path = whole;
    } else {
        free(whole);
    }
}

/* Find out where the job ran. Results of pardup 0.1 do not say it. */
static void find_directory(struct pd_fetch *f)
{
    char here[PATH_MAX];
    if (pd_result_text(f->result, f->sources ? "source_directory" : "directory", &f->directory) < 0)
        pd_error_clear();
    f->placeless = !f->directory;
    if (f->directory && getcwd(here, sizeof here) && strcmp(here, f->directory) == 0) {
        free(f->directory);
        f->directory = NULL;
    }
}

void pd_fetch_use_index(struct pd_fetch *f, struct pd_index *index) { f->index = index; }

/* Take a source from an index. */
static int take_indexed(struct pd_fetch *f, const struct pd_index *index, uint64_t doc)
{
    struct pd_indexed indexed;
    if (doc >= index->manifest.head.documents)
        return pd_fail(PD_EFORMAT, "the index has no source %llu", (unsigned long long)doc);
    const struct pd_segment *segment = pd_index_segment(index, doc);
    PD_TRY(pd_segment_document(segment, doc, &indexed));
    struct pd_bytes id = {0};
    pd_indexed_id(&indexed, &id);
    pd_bytes_push(&id, '\0');
    free(f->id);
    f->id = (char *)id.v;
    if (!pd_indexed_text(&indexed, &f->unpacker, &f->text) ||
        pd_document_cut(&f->document, f->text.v, f->text.n) != PD_OK)
        return pd_fail(PD_EFORMAT, "%s: the text of document %s is damaged; make the index again",
                       segment->file.path, f->id);
    return PD_OK;
}

/*
 * Take a document of the store, if the store has its text. PD_END: its file is to be read, because
 * the store has no texts, or was made again since.
 */
static int take_known(struct pd_fetch *f, uint64_t doc)
{
    if (!f->store || doc < f->targets || doc - f->targets >= f->store->manifest.head.documents)
        return PD_END;
    PD_TRY(take_indexed(f, f->store, doc - f->targets));
    return is_same_text(f) ? PD_OK : PD_END;
}

int pd_fetch_tell(const struct pd_fetch *f, const char *path, int status)
{
    if (status >= 0 || *path == '/' || access(path, F_OK) == 0)
        return status;
    pd_error_clear();
    if (f->directory)
        return pd_fail(status, "%s: No such file or directory, here or in %s, where pardup ran",
                       path, f->directory);
    return pd_fail(status, "%s: No such file or directory%s", path,
                   f->placeless
                       ? "; start pardup in the folder where it ran, which the result does "
                         "not name (--reproducible)"
                       : "");
}

int pd_fetch_row(struct pd_fetch *f, uint64_t doc)
{
    struct pd_raw raw;
    enum pd_skip why;
    if (f->doc == doc)
        return PD_OK;
    f->doc = UINT64_MAX;
    f->body = NULL;
    if (f->index) {
        PD_TRY(take_indexed(f, f->index, doc));
        f->doc = doc;
        return PD_OK;
    }
    PD_TRY(look(f, doc));
    int status = take_known(f, doc);
    if (status == PD_OK)
        f->doc = doc;
    if (status != PD_END)
        return status;
    const uint64_t offset = pd_table_count(&f->documents, OFFSET);
    const uint64_t skip = pd_table_count(&f->documents, SKIP);
    struct pd_file where = {.bytes = pd_table_count(&f->files, BYTES),
                            .path = copy_of(&f->files, PATH)};
    free(f->id);
    f->id = copy_of(&f->documents, ID);
    pd_fetch_find(f, &where.path);
    status = pd_fetch_tell(f, where.path, pd_reader_fetch(f->reader, &where, offset, skip, &raw));
    if (status == PD_OK && pd_document_read(&f->document, &raw, &why) != PD_OK)
        status = PD_END;
    if (status == PD_OK && !is_same_text(f))
        status = pd_fail(PD_EFORMAT, "%s: document %s has changed since the result was made",
                         where.path, f->id);
    else if (status == PD_OK) {
        f->doc = doc;
        f->body = raw.body;
        f->body_n = raw.n;
    } else if (status >= 0)
        status = pd_fail(PD_EFORMAT, "%s: document %s is not at byte %llu any more", where.path,
                         f->id, (unsigned long long)offset);
    free(where.path);
    return status;
}

/* Skipped records were reported by the job. */
static void silent(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    (void)ctx, (void)why, (void)offset, (void)skip, (void)detail;
}

/*
 * The enumerator that the recorded value of an option stands for; 0: no value, or an unknown one.
 */
static int choice_of(const char *option, const char *value)
{
    const struct pd_option *found = pd_option_find("detect", option, strlen(option));
    const int choice = value ? pd_option_choice(found, value) : 0;
    return choice < 0 ? 0 : choice;
}

/*
 * The enumerator of an option that `attribute` records; 0 when it is missing, as in results of
 * pardup versions without the option.
 */
static int recorded(struct pd_result *result, const char *attribute, const char *option)
{
    char *value = NULL;
    if (pd_result_text(result, attribute, &value) < 0)
        pd_error_clear();
    const int choice = choice_of(option, value);
    free(value);
    return choice;
}

/* Open the store of detect --known, if it is there and has texts. */
static void open_store(struct pd_fetch *f)
{
    char *path = NULL;
    if (f->sources || pd_result_text(f->result, "known", &path) < 0) {
        pd_error_clear();
        return;
    }
    pd_fetch_find(f, &path);
    f->store = pd_zeroed(1, sizeof *f->store);
    if (pd_index_open(f->store, path) < 0 || !f->store->nsegments ||
        !f->store->segments[0].counts.with_text ||
        !pd_result_count(f->result, "targets", &f->targets)) {
        pd_error_clear();
        pd_index_close(f->store);
        free(f->store);
        f->store = NULL;
    }
    free(path);
}

/* An attribute that says how files are read. The attributes of sources have names of their own. */
static int attribute(const struct pd_fetch *f, const char *name, char **value)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", f->sources ? "source_" : "", name);
    return pd_result_text(f->result, full, value);
}

/* Make a reader that sees the files as the job did: format and field names are attributes. */
static int init(struct pd_fetch *f, struct pd_result *result, bool sources, const char *order)
{
    char *format = NULL, *id = NULL, *text = NULL, *url = NULL;
    *f = (struct pd_fetch){.doc = UINT64_MAX, .result = result, .sources = sources};
    f->hashed = pd_result_has(result, sources ? "sources" : "documents", "text_hash");
    int status = attribute(f, "format", &format);
    PD_THEN(status, attribute(f, "id_field", &id));
    PD_THEN(status, attribute(f, "text_field", &text));
    PD_THEN(status, attribute(f, "url_field", &url));
    struct pd_reader_options ro = {.order_field = order,
                                   .id_field = id,
                                   .text_field = text,
                                   .url_field = url,
                                   .skipped = silent};
    ro.format = (enum pd_format)choice_of("format", format);
    f->document.content = (enum pd_content)recorded(result, "content", "content");
    f->document.spelling = (enum pd_spelling)recorded(result, "spelling", "spelling");
    f->document.words_kind = (enum pd_words_kind)recorded(result, "words_kind", "words");
    if (f->document.words_kind == PD_WORDS_ICU && !pd_words_have_icu())
        f->document.words_kind = PD_WORDS_CHAR;
    f->reader = pd_reader_new(&ro);
    if (status >= 0) {
        find_directory(f);
        open_store(f);
    }
    PD_FREE(format, id, text, url);
    return status;
}

int pd_fetch_init(struct pd_fetch *f, struct pd_result *result)
{
    return init(f, result, false, NULL);
}

int pd_fetch_init_ordered(struct pd_fetch *f, struct pd_result *result, const char *order)
{
    return init(f, result, false, order);
}

int pd_fetch_init_second(struct pd_fetch *f, struct pd_result *result)
{
    return init(f, result, pd_result_has(result, "sources", "id"), NULL);
}

void pd_fetch_release(struct pd_fetch *f)
{
    pd_reader_free(f->reader);
    pd_document_release(&f->document);
    PD_FREE(f->id, f->directory);
    if (f->store)
        pd_index_close(f->store);
    free(f->store);
    pd_unpacker_release(&f->unpacker);
    pd_bytes_release(&f->text);
    pd_table_close(&f->documents);
    pd_table_close(&f->files);
    *f = (struct pd_fetch){.doc = UINT64_MAX};
}

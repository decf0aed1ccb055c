/* app/cmd_show.c - pardup show: passages side by side, with their text, in a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pardup/app/columns.h"
#include "pardup/app/commands.h"
#include "pardup/base/error.h"
#include "pardup/document/document.h"
#include "pardup/result/reader.h"

enum { DEFAULT_WIDTH = 100, LEAST_WIDTH = 20, ROWS_AT_ONCE = 4096 };
enum column {
    DOC_A,
    DOC_B,
    START_A,
    START_B,
    LENGTH_A,
    LENGTH_B,
    BEGIN_A,
    END_A,
    BEGIN_B,
    END_B,
    MATCHED,
    SIMILARITY,
    COLUMNS
};
static const char *const names[COLUMNS] = {"doc_a",    "doc_b",    "start_a", "start_b",
                                           "length_a", "length_b", "begin_a", "end_a",
                                           "begin_b",  "end_b",    "matched", "similarity"};

/* One side of a passage: a document, fetched again from the collection. */
struct side {
    uint64_t doc; /* row of /documents; UINT64_MAX: none yet */
    struct pd_reader *reader;
    struct pd_document document;
    char *id;
};

struct showing {
    const struct pd_options *options;
    struct pd_result *result;
    struct pd_slice slices[COLUMNS], slice;
    struct side sides[2];
    uint64_t wanted; /* row of the document asked for; UINT64_MAX: any */
    uint64_t shown;
    size_t width;
};

static int count_at(struct showing *s, const char *table, const char *column, uint64_t row,
                    uint64_t *value)
{
    PD_TRY(pd_result_slice(s->result, table, column, row, 1, &s->slice));
    *value = pd_slice_count(&s->slice, 0);
    return PD_OK;
}

static int text_at(struct showing *s, const char *table, const char *column, uint64_t row,
                   char **text)
{
    size_t n;
    PD_TRY(pd_result_slice(s->result, table, column, row, 1, &s->slice));
    const char *at = pd_slice_text(&s->slice, 0, &n);
    free(*text);
    *text = memcpy(pd_realloc(NULL, n + 1, 1), at, n);
    (*text)[n] = '\0';
    return PD_OK;
}

/* Read document `doc` into `side` the way detect read it. */
static int fetch(struct showing *s, struct side *side, uint64_t doc)
{
    uint64_t file, offset, skip;
    struct pd_file where = {0};
    struct pd_raw raw;
    enum pd_skip why;
    if (side->doc == doc)
        return PD_OK;
    side->doc = UINT64_MAX;
    PD_TRY(count_at(s, "documents", "file", doc, &file));
    PD_TRY(count_at(s, "documents", "offset", doc, &offset));
    PD_TRY(count_at(s, "documents", "skip", doc, &skip));
    PD_TRY(count_at(s, "files", "bytes", file, &where.bytes));
    PD_TRY(text_at(s, "documents", "id", doc, &side->id));
    PD_TRY(text_at(s, "files", "path", file, &where.path));
    int status = pd_reader_fetch(side->reader, &where, offset, skip, &raw);
    if (status == PD_OK && pd_document_read(&side->document, &raw, &why) == PD_OK)
        side->doc = doc;
    else if (status >= 0)
        status = pd_fail(PD_EFORMAT, "%s: document %s is not at byte %llu any more", where.path,
                         side->id, (unsigned long long)offset);
    free(where.path);
    return status;
}

static struct pd_span span_of(const struct side *side, uint64_t begin, uint64_t end)
{
    const uint64_t n = side->document.text_n;
    if (end > n || begin > end) /* the collection has changed since */
        return (struct pd_span){"", 0};
    return (struct pd_span){(const char *)side->document.text + begin, end - begin};
}

static int show_passage(struct showing *s, uint64_t k)
{
    uint64_t v[COLUMNS];
    struct side *a = &s->sides[0], *b = &s->sides[1];
    for (int c = 0; c < SIMILARITY; c++)
        v[c] = pd_slice_count(&s->slices[c], k);
    PD_TRY(fetch(s, a, v[DOC_A]));
    PD_TRY(fetch(s, b, v[DOC_B]));
    printf("%s# %llu  %s  ~  %s\n", s->shown ? "\n" : "", (unsigned long long)s->shown + 1, a->id,
           b->id);
    printf("  %llu matched, similarity %.2f; sentences %llu-%llu (bytes %llu-%llu)  ~  %llu-%llu "
           "(%llu-%llu)\n",
           (unsigned long long)v[MATCHED], pd_slice_real(&s->slices[SIMILARITY], k),
           (unsigned long long)v[START_A], (unsigned long long)(v[START_A] + v[LENGTH_A] - 1),
           (unsigned long long)v[BEGIN_A], (unsigned long long)v[END_A],
           (unsigned long long)v[START_B], (unsigned long long)(v[START_B] + v[LENGTH_B] - 1),
           (unsigned long long)v[BEGIN_B], (unsigned long long)v[END_B]);
    pd_print_columns(span_of(a, v[BEGIN_A], v[END_A]), span_of(b, v[BEGIN_B], v[END_B]), s->width,
                     (size_t)s->options->lines);
    s->shown++;
    return PD_OK;
}

static int find_document(struct showing *s)
{
    uint64_t rows;
    size_t n;
    s->wanted = UINT64_MAX;
    if (!s->options->doc)
        return PD_OK;
    PD_TRY(pd_result_rows(s->result, "documents", &rows));
    for (uint64_t from = 0; from < rows; from += ROWS_AT_ONCE) {
        const uint64_t take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        PD_TRY(pd_result_slice(s->result, "documents", "id", from, take, &s->slice));
        for (uint64_t k = 0; k < take; k++) {
            const char *id = pd_slice_text(&s->slice, k, &n);
            if (strlen(s->options->doc) == n && memcmp(s->options->doc, id, n) == 0) {
                s->wanted = from + k;
                return PD_OK;
            }
        }
    }
    return pd_fail(PD_EFORMAT, "%s: no document with this id", s->options->doc);
}

static int show_all(struct showing *s)
{
    const uint64_t limit = s->options->limit ? (uint64_t)s->options->limit : UINT64_MAX;
    uint64_t rows;
    PD_TRY(find_document(s));
    PD_TRY(pd_result_rows(s->result, "passages", &rows));
    for (uint64_t from = 0; from < rows && s->shown < limit; from += ROWS_AT_ONCE) {
        const uint64_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        for (int c = 0; c < COLUMNS; c++)
            PD_TRY(pd_result_slice(s->result, "passages", names[c], from, n, &s->slices[c]));
        for (uint64_t k = 0; k < n && s->shown < limit; k++)
            if (s->wanted == UINT64_MAX || pd_slice_count(&s->slices[DOC_A], k) == s->wanted ||
                pd_slice_count(&s->slices[DOC_B], k) == s->wanted)
                PD_TRY(show_passage(s, k));
    }
    if (s->shown == 0)
        puts("no passages");
    return pd_stdout_done();
}

static void silent(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    (void)ctx, (void)why, (void)offset, (void)skip, (void)detail;
}

/* Readers that see the collection as the run did: its format and field names are attributes. */
static int open_readers(struct showing *s)
{
    static const char *const formats[] = {"auto", "warc", "jsonl", "html", "text"};
    char *format = NULL, *id = NULL, *text = NULL, *url = NULL;
    int status = pd_result_text(s->result, "format", &format);
    if (status >= 0)
        status = pd_result_text(s->result, "id_field", &id);
    if (status >= 0)
        status = pd_result_text(s->result, "text_field", &text);
    if (status >= 0)
        status = pd_result_text(s->result, "url_field", &url);
    struct pd_reader_options ro = {
        .id_field = id, .text_field = text, .url_field = url, .skipped = silent};
    for (size_t k = 0; format && k < sizeof formats / sizeof *formats; k++)
        if (strcmp(format, formats[k]) == 0)
            ro.format = (enum pd_format)k;
    for (int side = 0; side < 2; side++) {
        s->sides[side].doc = UINT64_MAX;
        s->sides[side].reader = pd_reader_new(&ro);
    }
    free(format);
    free(id);
    free(text);
    free(url);
    return status;
}

static size_t terminal_width(const struct pd_options *o)
{
    struct winsize size;
    size_t width = DEFAULT_WIDTH;
    if (o->width)
        width = (size_t)o->width;
    else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
        width = size.ws_col;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

int pd_cmd_show(const struct pd_options *o)
{
    struct showing s = {.options = o, .width = terminal_width(o)};
    PD_TRY(pd_result_open(o->inputs[0], &s.result));
    int status = open_readers(&s);
    if (status >= 0)
        status = show_all(&s);
    for (int side = 0; side < 2; side++) {
        pd_reader_free(s.sides[side].reader);
        pd_document_release(&s.sides[side].document);
        free(s.sides[side].id);
    }
    for (int c = 0; c < COLUMNS; c++)
        pd_bytes_release(&s.slices[c].values);
    pd_bytes_release(&s.slice.values);
    pd_result_close(s.result);
    return status;
}

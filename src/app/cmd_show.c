/* app/cmd_show.c - pardup show: passages side by side, with their text, in a terminal. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "columns.h"
#include "commands.h"
#include "pardup/base/error.h"
#include "pardup/result/reader.h"
#include "pardup/run/fetch.h"
#include "print.h"

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
    AGREEMENT,
    COLUMNS
};
static const char *const names[COLUMNS] = {
    "doc_a", "doc_b",   "start_a", "start_b", "length_a",   "length_b", "begin_a",
    "end_a", "begin_b", "end_b",   "matched", "similarity", "agreement"};

struct showing {
    const struct pd_options *options;
    struct pd_result *result;
    struct pd_cells cells[COLUMNS]; /* rows at hand of /passages */
    struct pd_cells ids;            /* rows at hand of /documents/id */
    struct pd_fetch sides[2];       /* readers of the first and the second document */
    uint64_t wanted;                /* row of the document of --doc; UINT64_MAX: any document */
    uint64_t shown;                 /* passages shown so far */
    size_t width;                   /* columns of the terminal */
};

/* The text of a passage in one document; empty if the document has become shorter. */
static struct pd_span span_of(const struct pd_fetch *side, uint64_t begin, uint64_t end)
{
    const uint64_t n = side->document.text_n;
    if (end > n || begin > end)
        return (struct pd_span){"", 0};
    return (struct pd_span){(const char *)side->document.text + begin, end - begin};
}

static int show_passage(struct showing *s, uint64_t k)
{
    uint64_t v[COLUMNS];
    struct pd_fetch *a = &s->sides[0], *b = &s->sides[1];
    for (int c = 0; c < SIMILARITY; c++)
        v[c] = pd_cells_count(&s->cells[c], k);
    PD_TRY(pd_fetch_row(a, v[DOC_A]));
    PD_TRY(pd_fetch_row(b, v[DOC_B]));
    printf("%s# %llu  %s  ~  %s\n", s->shown ? "\n" : "", (unsigned long long)s->shown + 1, a->id,
           b->id);
    printf(
        "  %llu matched, similarity %.2f, agreement %.2f; sentences %llu-%llu (bytes %llu-%llu)  "
        "~  %llu-%llu (%llu-%llu)\n",
        (unsigned long long)v[MATCHED], pd_cells_real(&s->cells[SIMILARITY], k),
        pd_cells_real(&s->cells[AGREEMENT], k), (unsigned long long)v[START_A],
        (unsigned long long)(v[START_A] + v[LENGTH_A] - 1), (unsigned long long)v[BEGIN_A],
        (unsigned long long)v[END_A], (unsigned long long)v[START_B],
        (unsigned long long)(v[START_B] + v[LENGTH_B] - 1), (unsigned long long)v[BEGIN_B],
        (unsigned long long)v[END_B]);
    pd_print_columns(span_of(a, v[BEGIN_A], v[END_A]), span_of(b, v[BEGIN_B], v[END_B]), s->width,
                     (size_t)s->options->print.lines);
    s->shown++;
    return PD_OK;
}

/* Set s->wanted. */
static int find_document(struct showing *s)
{
    uint64_t rows;
    size_t n;
    s->wanted = UINT64_MAX;
    if (!s->options->print.doc)
        return PD_OK;
    PD_TRY(pd_result_rows(s->result, "documents", &rows));
    for (uint64_t from = 0; from < rows; from += ROWS_AT_ONCE) {
        const uint64_t take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        PD_TRY(pd_result_read(s->result, "documents", "id", from, take, &s->ids));
        for (uint64_t k = 0; k < take; k++) {
            const char *id = pd_cells_text(&s->ids, k, &n);
            if (strlen(s->options->print.doc) == n && memcmp(s->options->print.doc, id, n) == 0) {
                s->wanted = from + k;
                return PD_OK;
            }
        }
    }
    return pd_fail(PD_EFORMAT, "%s: no document with this id", s->options->print.doc);
}

static int show_all(struct showing *s)
{
    const uint64_t limit = s->options->print.limit ? (uint64_t)s->options->print.limit : UINT64_MAX;
    uint64_t rows;
    PD_TRY(find_document(s));
    PD_TRY(pd_result_rows(s->result, "passages", &rows));
    for (uint64_t from = 0; from < rows && s->shown < limit; from += ROWS_AT_ONCE) {
        const uint64_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        for (int c = 0; c < COLUMNS; c++)
            PD_TRY(pd_result_read(s->result, "passages", names[c], from, n, &s->cells[c]));
        for (uint64_t k = 0; k < n && s->shown < limit; k++)
            if (s->wanted == UINT64_MAX || pd_cells_count(&s->cells[DOC_A], k) == s->wanted ||
                pd_cells_count(&s->cells[DOC_B], k) == s->wanted)
                PD_TRY(show_passage(s, k));
    }
    if (s->shown == 0)
        puts("no passages");
    return pd_stdout_done();
}

static size_t terminal_width(const struct pd_options *o)
{
    struct winsize size;
    size_t width = DEFAULT_WIDTH;
    if (o->print.width)
        width = (size_t)o->print.width;
    else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
        width = size.ws_col;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

static int run(const struct pd_options *o)
{
    struct showing s = {.options = o, .width = terminal_width(o)};
    PD_TRY(pd_result_open(o->operands.v[0], &s.result));
    int status = PD_OK;
    for (int side = 0; side < 2; side++) {
        const int ready = pd_fetch_init(&s.sides[side], s.result);
        status = status < 0 ? status : ready;
    }
    if (status >= 0)
        status = show_all(&s);
    for (int side = 0; side < 2; side++)
        pd_fetch_release(&s.sides[side]);
    for (int c = 0; c < COLUMNS; c++)
        pd_bytes_release(&s.cells[c].values);
    pd_bytes_release(&s.ids.values);
    pd_result_close(s.result);
    return status;
}

const struct pd_command pd_command_show = {
    .name = "show",
    .usage = "[options] OUT.h5",
    .help = "show passages side by side, with their text",
    .operands = PD_OPERANDS_RESULT,
    .alone = run,
};

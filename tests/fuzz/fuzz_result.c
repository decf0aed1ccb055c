/*
 * tests/fuzz/fuzz_result.c - a real result with changed bytes: every column of every table is read,
 * and what is read is made plain as show and export print it.
 */
#include "fuzz.h"
#include "pardup/base/open.h"
#include "pardup/base/plain.h"
#include "pardup/result/reader.h"
#include "pardup/result/schema.h"
#include "pardup/result/writer.h"

enum { ROWS_MOST = 1000, LINE_ROOM = 512 };

/* A text as a line: no longer than its room, valid, and nothing in it that a terminal obeys. */
static void check_plain(const char *text, size_t n)
{
    char line[LINE_ROOM];
    const size_t end = pd_plain_line(line, sizeof line, text, n);
    PD_CHECK(end < sizeof line && line[end] == '\0');
    for (size_t at = 0, bytes; at < end; at += bytes) {
        uint32_t c;
        PD_CHECK(pd_plain_at(line + at, end - at, &bytes, &c) == PD_PLAIN_SHOWN);
        PD_CHECK(bytes > 0 && at + bytes <= end);
    }
}

static void check_column(struct pd_result *r, const char *table, const struct pd_column *column,
                         uint64_t rows, struct pd_cells *cells)
{
    const uint64_t n = rows < ROWS_MOST ? rows : ROWS_MOST;
    if (pd_result_read(r, table, column->name, rows - n, n, cells) < 0) {
        PD_CHECK(strlen(pd_error_text()) > 0);
        pd_error_clear();
        return;
    }
    PD_CHECK((cells->kind == PD_VALUES_TEXT) == (column->type == PD_TYPE_TEXT));
    PD_CHECK(cells->values.n == n * cells->width);
    for (uint64_t k = 0; k < n && cells->kind == PD_VALUES_TEXT; k++) {
        size_t bytes;
        const char *text = pd_cells_text(cells, k, &bytes);
        PD_CHECK(bytes <= cells->width);
        check_plain(text, bytes);
    }
    PD_CHECK(pd_result_read(r, table, column->name, rows, 1, cells) == PD_EFORMAT);
    pd_error_clear();
}

/* ---- the input ---- */

/* Write a real result to `path`: every table has rows, all zero but their texts. */
static void write_result(const char *path, enum pd_compress compress)
{
    enum { ROW_BYTES = 512, ROWS = 3, TEXT_WIDTH = 8 };
    static const unsigned char zeros[ROWS * ROW_BYTES];
    /* as many as the table with the most texts has, at least */
    static const size_t widths[] = {TEXT_WIDTH, TEXT_WIDTH, TEXT_WIDTH, TEXT_WIDTH,
                                    TEXT_WIDTH, TEXT_WIDTH, TEXT_WIDTH, TEXT_WIDTH};
    const struct pd_table_rows rows = {zeros, ROW_BYTES, ROWS, widths};
    struct pd_comm alone;
    struct pd_writer *w;
    pd_comm_alone(&alone);
    PD_CHECK(pd_writer_open(&alone, path, compress, &w) == PD_OK);
    for (size_t t = 0; t < PD_TABLES; t++)
        pd_writer_table(w, &pd_schema[t], &rows);
    pd_writer_text(w, "format", "auto");
    pd_writer_text(w, "directory", "/");
    PD_CHECK(pd_writer_commit(w) == PD_OK);
}

/* The bytes of a real result with this compression, made once. */
static const struct pd_bytes *real_result(enum pd_compress compress)
{
    static struct pd_bytes made[3];
    struct pd_bytes *b = &made[compress % 3];
    char path[64];
    if (b->n)
        return b;
    snprintf(path, sizeof path, "/tmp/fuzz-result-%d-%d", (int)getpid(), (int)compress);
    write_result(path, compress);
    PD_CHECK(pd_read_regular(path, b) == PD_OK);
    unlink(path);
    return b;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static const char *const texts[] = {"format", "content", "directory"};
    struct pd_cells cells = {0};
    struct pd_bytes bytes = {0};
    struct pd_result *r;
    unsigned char compress;
    check_plain((const char *)data, n);
    fuzz_settings(data, &n, &compress, sizeof compress);
    const struct pd_bytes *real = real_result((enum pd_compress)(compress % 3));
    pd_bytes_append(&bytes, real->v, real->n);
    fuzz_change(bytes.v, bytes.n, data, n);
    pd_error_clear();
    const int status = pd_result_open(fuzz_file(bytes.v, bytes.n), &r);
    pd_bytes_release(&bytes);
    if (status < 0) {
        pd_error_clear();
        return 0;
    }
    for (size_t t = 0; t < PD_TABLES; t++) {
        uint64_t rows;
        if (pd_result_rows(r, pd_schema[t].name, &rows) >= 0)
            for (const struct pd_column *c = pd_schema[t].columns; c->name; c++)
                check_column(r, pd_schema[t].name, c, rows, &cells);
        pd_error_clear();
    }
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char *text;
        PD_CHECK((pd_result_text(r, texts[k], &text) < 0) == (text == NULL));
        free(text);
        pd_error_clear();
    }
    pd_bytes_release(&cells.values);
    pd_result_close(r);
    return 0;
}

/* corpus/table/csv.c - see include/pardup/corpus/csv.h */
#include "pardup/corpus/csv.h"

#include <stdbool.h>
#include <string.h>

#include "corpus/rune.h"
#include "pardup/base/error.h"

/* The text that is being read. */
struct reading {
    const char *path;
    const unsigned char *s;
    size_t n, at, line;
    unsigned char separator;
};

static int wrong(const struct reading *r, size_t line, const char *what)
{
    return pd_fail(PD_EFORMAT, "%s: line %zu: %s", r->path, line, what);
}

/* Append the character at hand to the text. */
static int copy(struct reading *r, struct pd_bytes *to)
{
    const unsigned char c = r->s[r->at];
    const size_t n = c < 0x80 ? 1 : pd_rune_bytes(r->s + r->at, r->n - r->at);
    if (n == 0)
        return wrong(r, r->line, "bytes that are no UTF-8");
    if (c == '\0')
        return wrong(r, r->line, "a byte that is NUL");
    pd_bytes_append(to, r->s + r->at, n);
    r->line += c == '\n';
    r->at += n;
    return PD_OK;
}

static bool at_line_end(const struct reading *r)
{
    return r->at == r->n || r->s[r->at] == '\n' ||
           (r->s[r->at] == '\r' && r->at + 1 < r->n && r->s[r->at + 1] == '\n');
}

/* Read a value in quotes. */
static int read_quoted(struct reading *r, struct pd_bytes *to)
{
    const size_t line = r->line;
    for (r->at++; r->at < r->n;) {
        if (r->s[r->at] != '"') {
            PD_TRY(copy(r, to));
        } else if (r->at + 1 < r->n && r->s[r->at + 1] == '"') {
            pd_bytes_append(to, "\"", 1);
            r->at += 2;
        } else {
            r->at++;
            return at_line_end(r) || r->s[r->at] == r->separator
                       ? PD_OK
                       : wrong(r, r->line, "text behind the closing quote of a value");
        }
    }
    return wrong(r, line, "a quote without its end");
}

static int read_value(struct reading *r, struct pd_csv *c)
{
    pd_csv_cells_push(&c->cells, c->text.n);
    if (r->at < r->n && r->s[r->at] == '"')
        PD_TRY(read_quoted(r, &c->text));
    while (!at_line_end(r) && r->s[r->at] != r->separator)
        PD_TRY(copy(r, &c->text));
    pd_bytes_append(&c->text, "", 1);
    return PD_OK;
}

/* Read a row and its line end. */
static int read_row(struct reading *r, struct pd_csv *c)
{
    const size_t before = c->cells.n, line = r->line;
    pd_csv_cells_push(&c->lines, line);
    PD_TRY(read_value(r, c));
    while (r->at < r->n && r->s[r->at] == r->separator) {
        r->at++;
        PD_TRY(read_value(r, c));
    }
    if (r->at < r->n)
        r->at += r->s[r->at] == '\r' ? 2 : 1;
    r->line++;
    const size_t columns = c->cells.n - before;
    if (c->columns == 0)
        c->columns = columns;
    if (columns != c->columns)
        return pd_fail(PD_EFORMAT, "%s: line %zu: %zu values, but the header names %zu columns",
                       r->path, line, columns, c->columns);
    return PD_OK;
}

/* What separates the names in the line s[0, n): a comma, or if it has none a tab or a semicolon. */
static unsigned char separator_of(const unsigned char *s, size_t n)
{
    static const unsigned char separators[] = {',', '\t', ';'};
    size_t found = 0;
    bool quoted = false, has[sizeof separators] = {false};
    for (size_t k = 0; k < n && (quoted || s[k] != '\n'); k++) {
        quoted ^= s[k] == '"';
        for (size_t i = 0; i < sizeof separators && !quoted; i++)
            has[i] |= s[k] == separators[i];
    }
    while (found + 1 < sizeof separators && !has[found])
        found++;
    return has[found] ? separators[found] : separators[0];
}

int pd_csv_read(struct pd_csv *c, const char *path, const unsigned char *s, size_t n)
{
    struct reading r = {.path = path, .s = s, .n = n, .line = 1};
    if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        r.at = 3;
    r.separator = n > r.at ? separator_of(s + r.at, n - r.at) : ',';
    while (r.at < r.n) {
        if (at_line_end(&r)) { /* an empty line is no row */
            r.at += s[r.at] == '\r' ? 2 : 1;
            r.line++;
            continue;
        }
        PD_TRY(read_row(&r, c));
    }
    if (c->columns == 0)
        return pd_fail(PD_EFORMAT, "%s: has no header with the names of its columns", path);
    c->rows = c->lines.n - 1;
    return PD_OK;
}

const char *pd_csv_cell(const struct pd_csv *c, size_t row, size_t column)
{
    return (const char *)c->text.v + c->cells.v[(row + 1) * c->columns + column];
}

const char *pd_csv_name(const struct pd_csv *c, size_t column)
{
    return (const char *)c->text.v + c->cells.v[column];
}

size_t pd_csv_column(const struct pd_csv *c, const char *name)
{
    for (size_t k = 0; k < c->columns; k++)
        if (strcmp(pd_csv_name(c, k), name) == 0)
            return k;
    return SIZE_MAX;
}

void pd_csv_release(struct pd_csv *c)
{
    pd_bytes_release(&c->text);
    PD_RELEASE(pd_csv_cells, &c->cells, &c->lines);
    *c = (struct pd_csv){.rows = 0};
}

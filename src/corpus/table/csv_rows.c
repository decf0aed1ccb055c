/*
 * corpus/table/csv_rows.c - tables of comma-separated values: a row is a document, with the text in
 * one of its columns.
 *
 * The first row names the columns. Values are separated by commas, tabs or semicolons: by what the
 * names are separated by. A row may have line ends in its values, so the file is read from its
 * start. Of a broken row the first line is passed.
 */
#include <string.h>
#include <strings.h>

#include "corpus/inside.h"
#include "csv_row.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

#define LOOK       ((size_t)16 << 10) /* bytes searched first for the end of a row */
#define PAD        64                 /* readable bytes behind a body */
#define NAMES_ROOM 160                /* bytes of a message with names of columns */

static const unsigned char separators[] = {',', '\t', ';'};

/* What a column is; a field to keep is KEPT and its number. */
enum role { TEXT, ID, URL, SITE, ORDER, KEPT, ROLES = KEPT + PD_KEPT_FIELDS };

/* What the header of the file at hand says. */
struct table {
    bool there; /* it has been read */
    unsigned char separator;
    size_t columns;
    size_t column[ROLES];        /* the column of each role; NONE: there is none */
    struct pd_csv_values values; /* of the row at hand */
};
#define NONE SIZE_MAX

static void free_table(void *own)
{
    struct table *t = own;
    pd_csv_values_release(&t->values);
}

/* Another file is at hand. */
static void forget_table(void *own)
{
    struct table *t = own;
    t->there = false;
}

/* ---- the header ---- */

/* Is s[0, n) the name, but for blanks around it and the case of its letters? */
static bool is_alike(const unsigned char *s, size_t n, const char *name)
{
    while (n > 0 && *s == ' ') {
        s++;
        n--;
    }
    while (n > 0 && s[n - 1] == ' ')
        n--;
    return n == strlen(name) && strncasecmp((const char *)s, name, n) == 0;
}

/*
 * The first column of this name. Without one, the only column whose name is alike; NONE: there is
 * none, or there are several. *alike: the column is one of these.
 */
static size_t find_column(const struct pd_csv_values *names, const char *name, bool *alike)
{
    size_t found = NONE, likely = NONE, likelies = 0;
    struct pd_bytes text = {0};
    for (size_t k = 0; name && k < names->n && found == NONE; k++) {
        pd_bytes_reserve(&text, names->v[k].n + 1);
        const size_t n = pd_csv_decode(&names->v[k], text.v);
        if (n == strlen(name) && memcmp(text.v, name, n) == 0)
            found = k;
        if (is_alike(text.v, n, name)) {
            likely = k;
            likelies++;
        }
    }
    pd_bytes_release(&text);
    *alike = found == NONE && likelies == 1;
    return *alike ? likely : found;
}

/*
 * Read the row that names the columns, with the separator that gives most columns if one of them
 * is `text`. Returns as pd_csv_row(); PD_END when no column has the text.
 */
static int find_separator(struct pd_csv_part header, const char *text, struct table *t,
                          size_t *bytes)
{
    const char *why;
    bool alike;
    int best = PD_END;
    t->columns = 0;
    for (size_t k = 0; k < sizeof separators; k++) {
        size_t row;
        header.separator = separators[k];
        const int status = pd_csv_row(&header, &t->values, &row, &why);
        if (status == PD_EFULL)
            return status;
        if (status != PD_OK || t->values.n <= t->columns ||
            find_column(&t->values, text, &alike) == NONE)
            continue;
        t->separator = separators[k];
        t->columns = t->values.n;
        *bytes = row;
        best = PD_OK;
    }
    return best;
}

/*
 * Is a file that is named as one a table? Its first row must name the column o->text_field, and the
 * rows that are at hand must be as long as the first one.
 */
static bool claims(const struct pd_reader_options *o, const unsigned char *s, size_t n, bool whole)
{
    struct table t = {0};
    const char *why;
    size_t k = n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, bytes = 0;
    int status = PD_END;
    if (k < n)
        status = find_separator((struct pd_csv_part){.s = s + k, .n = n - k, .whole = whole},
                                pd_text_fields_last(o->text_field), &t, &bytes);
    bool good = status == PD_OK;
    for (k += bytes; good && status == PD_OK && k < n; k += bytes) {
        const struct pd_csv_part part = {s + k, n - k, whole, t.separator};
        status = pd_csv_row(&part, &t.values, &bytes, &why);
        const bool blank = t.values.n == 1 && t.values.v[0].n == 0;
        good = status == PD_EFULL || (status == PD_OK && (blank || t.values.n == t.columns));
    }
    pd_csv_values_release(&t.values);
    return good;
}

/* Fail: no column has the text. The header is s[0, n). */
static int tell_columns(const struct pd_reader *r, const unsigned char *s, size_t n)
{
    const unsigned char *lf = n > 0 ? memchr(s, '\n', n) : NULL;
    const size_t line = lf ? (size_t)(lf - s) : n;
    return pd_fail(PD_EIO, "%s: no column \"%s\" in its first row (--text-field): %.*s%s",
                   r->file->path, r->options.text_field, (int)pd_min_size(line, NAMES_ROOM),
                   n > 0 ? (const char *)s : "", line > NAMES_ROOM ? "..." : "");
}

/*
 * Read the header at the start of the file. Returns PD_OK; PD_END: the file is empty; PD_EFORMAT:
 * the stream breaks before it ends; or PD_EIO.
 */
static int read_header(struct pd_reader *r, struct table *t)
{
    const struct pd_reader_options *o = &r->options;
    const char *text = pd_text_fields_last(o->text_field);
    const char *names[KEPT] = {text, o->id_field, o->url_field, o->site_field, o->order_field};
    const unsigned char *s;
    size_t n, bytes = 0;
    int status = pd_stream_peek(r->stream, LOOK, &s, &n);
    if (status == PD_EIO || n == 0)
        return status == PD_OK ? PD_END : status;
    const size_t mark = n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    const bool broken = status == PD_EFORMAT;
    struct pd_csv_part header = {.s = s + mark, .n = n - mark, .whole = n < LOOK && !broken};
    status = header.n > 0 ? find_separator(header, text, t, &bytes) : PD_END;
    if (status != PD_OK)
        return broken ? PD_EFORMAT : tell_columns(r, header.s, header.n);
    const char *why;
    header.separator = t->separator;
    (void)!pd_csv_row(&header, &t->values, &bytes, &why);
    bool alike, any = false;
    for (size_t k = 0; k < KEPT; k++) {
        t->column[k] = find_column(&t->values, names[k], &alike);
        any |= alike;
    }
    for (size_t k = 0; k < PD_KEPT_FIELDS; k++) {
        const char *kept = o->keep && k < o->keep->n ? o->keep->names[k] : NULL;
        t->column[KEPT + k] = find_column(&t->values, kept, &alike);
        any |= alike;
    }
    r->counts.fields.renamed += any && !r->quiet && r->piece.stripe == 0;
    pd_stream_advance(r->stream, mark + bytes);
    t->there = true;
    return PD_OK;
}

/* ---- rows ---- */

/*
 * The row at the stream's position is s[0, *n), its values are t->values. Returns PD_OK; PD_EFULL
 * when it is larger than a document may be; PD_END when it is broken, with *why; PD_EFORMAT when
 * the stream breaks inside it; or PD_EIO.
 */
static int peek_row(struct pd_reader *r, struct table *t, const unsigned char **s, size_t *n,
                    const char **why)
{
    const size_t most = (size_t)r->options.max_document + LOOK; /* show a row too large */
    for (size_t have, want = LOOK;; want = 2 * have < most ? 2 * have : most) {
        const int status = pd_stream_peek(r->stream, want, s, &have);
        if (status == PD_EIO)
            return status;
        const struct pd_csv_part part = {*s, have, have < want && status == PD_OK, t->separator};
        const int row = pd_csv_row(&part, &t->values, n, why);
        if (row == PD_OK)
            return *n > r->options.max_document ? PD_EFULL : PD_OK;
        if (row == PD_EFORMAT)
            return PD_END;
        if (have < want)
            return status;
        if (have > r->options.max_document)
            return PD_EFULL;
    }
}

/* Pass empty lines. Returns PD_OK in front of a row, PD_END, PD_EFORMAT or PD_EIO. */
static int pass_blanks(struct pd_reader *r)
{
    for (;;) {
        const unsigned char *s;
        size_t n, k = 0;
        const int status = pd_stream_peek(r->stream, LOOK, &s, &n);
        if (status == PD_EIO)
            return status;
        while (k < n && (s[k] == '\n' || (s[k] == '\r' && k + 1 < n && s[k + 1] == '\n')))
            k++;
        pd_stream_advance(r->stream, k);
        if (k < n)
            return PD_OK;
        if (n == 0)
            return status == PD_OK ? PD_END : status;
    }
}

/* The value of the role as a text that lives as long as the record; NULL if there is none. */
static const char *take(struct pd_reader *r, const struct table *t, size_t role, size_t *n)
{
    *n = 0;
    if (t->column[role] == NONE)
        return NULL;
    const struct pd_csv_value *value = &t->values.v[t->column[role]];
    unsigned char *copy = pd_arena_alloc(&r->arena, value->n + 1);
    *n = pd_csv_decode(value, copy);
    return (const char *)copy;
}

static void set_kept(struct pd_reader *r, const struct table *t, struct pd_raw *raw)
{
    const struct pd_keeping *keep = r->options.keep;
    if (!keep || keep->n == 0)
        return;
    struct pd_kept *kept = pd_arena_alloc(&r->arena, keep->n * sizeof *kept);
    memset(kept, 0, keep->n * sizeof *kept);
    for (size_t k = 0; k < keep->n; k++)
        kept[k].v = take(r, t, KEPT + k, &kept[k].n);
    raw->kept = kept;
}

static void count_fields(struct pd_reader *r, const struct table *t)
{
    struct pd_field_counts *c = &r->counts.fields;
    if (r->quiet)
        return;
    c->objects++;
    c->texts++;
    c->ids += t->column[ID] != NONE;
    c->urls += t->column[URL] != NONE;
    c->sites += t->column[SITE] != NONE;
}

/* Make *raw the document of the row s, whose values are t->values. */
static void set_document(struct pd_reader *r, const struct table *t, const unsigned char *s,
                         struct pd_raw *raw)
{
    const struct pd_csv_value *text = &t->values.v[t->column[TEXT]];
    pd_bytes_reserve(&r->text, text->n + PAD);
    r->text.n = pd_csv_decode(text, r->text.v);
    raw->body = r->text.v;
    raw->n = r->text.n;
    raw->media = PD_MEDIA_TEXT;
    raw->id = take(r, t, ID, &raw->id_n);
    raw->url = take(r, t, URL, &raw->url_n);
    raw->site = take(r, t, SITE, &raw->site_n);
    raw->order = take(r, t, ORDER, &raw->order_n);
    set_kept(r, t, raw);
    raw->kind = PD_RECORD_CSV;
    raw->record = s;
    raw->value = text->s;
    raw->value_n = text->n;
}

/*
 * Read the row at the mark and pass it. Returns PD_OK for a document, PD_END when the row holds
 * none, PD_EFORMAT when the stream breaks, or PD_EIO.
 */
static int read_row(struct pd_reader *r, struct pd_raw *raw)
{
    struct table *t = r->own;
    const unsigned char *s;
    const char *why = "";
    size_t n;
    int status = peek_row(r, t, &s, &n, &why);
    switch (status) {
    case PD_EFULL:
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "row is too long (--max-document)");
        status = pd_reader_pass_line(r, UINT64_MAX);
        return status == PD_EIO ? status : PD_END;
    case PD_END:
        pd_reader_tell(r, PD_SKIP_CORRUPT, "%s", why);
        status = pd_reader_pass_line(r, UINT64_MAX);
        return status == PD_EIO ? status : PD_END;
    case PD_OK:
        break;
    default:
        return status;
    }
    pd_stream_advance(r->stream, n);
    if (t->values.n != t->columns) {
        pd_reader_tell(r, PD_SKIP_CORRUPT, "%zu values, but the first row names %zu columns",
                       t->values.n, t->columns);
        return PD_END;
    }
    if (!r->owned)
        return PD_END;
    count_fields(r, t);
    set_document(r, t, s, raw);
    return pd_reader_deliver(r, raw);
}

/*
 * Go behind the header of the file; only the first piece has rows. Without a header all rows are
 * lost. PD_OK or PD_EIO.
 */
static int enter(struct pd_reader *r, struct table *t)
{
    r->done = r->piece.from > 0;
    pd_reader_enter(r);
    if (r->done)
        return PD_OK;
    pd_reader_mark(r);
    const int status = read_header(r, t);
    r->done = status != PD_OK;
    if (status != PD_EFORMAT)
        return status == PD_EIO ? status : PD_OK;
    pd_reader_tell(r, PD_SKIP_CORRUPT, "the row that names the columns cannot be read");
    return pd_stream_open(r->stream, r->file->path, r->file->bytes);
}

static int next_row(struct pd_reader *r, struct pd_raw *raw)
{
    if (!r->entered)
        PD_TRY(enter(r, r->own));
    return pd_reader_next_item(r, pass_blanks, read_row, raw);
}

static int go_to_row(struct pd_reader *r, uint64_t offset, uint64_t skip)
{
    struct table *t = r->own;
    if (!t->there) {
        pd_stream_go_to(r->stream, 0);
        const int status = read_header(r, t);
        if (status != PD_OK)
            return status == PD_EFORMAT ? PD_END : status;
    }
    return pd_reader_go_to(r, offset, skip);
}

const struct pd_layout pd_layout_csv = {.endings = {".csv", ".tsv"},
                                        .claims = claims,
                                        .own = sizeof(struct table),
                                        .forget = forget_table,
                                        .free = free_table,
                                        .next = next_row,
                                        .go_to = go_to_row,
                                        .many = true};

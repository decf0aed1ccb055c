/* corpus/copy/splice.c - see include/pardup/corpus/splice.h */
#include "pardup/corpus/splice.h"

#include <stdlib.h>
#include <string.h>

#include "corpus/inside.h"
#include "corpus/json/json_line.h"
#include "corpus/json/json_scan.h"
#include "corpus/table/csv_row.h"
#include "corpus/text_fields.h"
#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "splice_inside.h"

/* ---- JSON lines ---- */

/*
 * Bytes of s[0, size) before the first escape, but not beyond the next edge of a cut around byte
 * `at`.
 */
static size_t plain_run(const unsigned char *s, size_t size, size_t at, const struct pd_cut *cut)
{
    const size_t edge = !cut ? SIZE_MAX : at < cut->begin ? cut->begin : cut->end;
    const size_t most = size < edge - at ? size : edge - at;
    const unsigned char *escape = memchr(s, '\\', most);
    return escape ? (size_t)(escape - s) : most;
}

/*
 * Append what stays of the inside s[0, size) of a string of JSON, which begins at byte *at of the
 * text; *at moves to its end. False when the string is not the text.
 */
static bool cut_string(const unsigned char *s, size_t size, const struct pd_trimmed *t, size_t *at,
                       struct pd_bytes *to)
{
    const struct pd_cuts *cuts = t->cuts;
    unsigned char character[4];
    size_t next = 0; /* the first cut that ends behind *at */
    for (size_t k = 0, taken, made; k < size; k += taken, *at += made) {
        while (next < cuts->n && cuts->v[next].end <= *at)
            next++;
        const unsigned char *same = s + k; /* what the text should have here */
        taken = made = plain_run(s + k, size - k, *at, next < cuts->n ? &cuts->v[next] : NULL);
        if (taken == 0) {
            taken = pd_json_unescape(s + k, size - k, character, &made);
            same = character;
        }
        if (*at + made > t->n || memcmp(t->text + *at, same, made) != 0)
            return false;
        if (next == cuts->n || *at < cuts->v[next].begin)
            pd_bytes_append(to, s + k, taken);
    }
    return true;
}

/* A field of the text: its value in the line with its quotes, and the text that stays of it. */
struct spliced_field {
    const unsigned char *s;
    size_t size, from, to; /* of `s`; in the buffer of what stays */
};

/* Find the strings of a line that make its text, in the order of the text. Returns how many. */
static size_t find_texts(const struct pd_raw *raw, const char *list,
                         struct spliced_field found[PD_TEXT_FIELDS])
{
    struct pd_text_fields f;
    size_t n = 0;
    int group = 0;
    pd_text_fields_read(&f, list);
    for (size_t k = 0; k < f.n && (n == 0 || f.group[k] == group); k++) {
        struct spliced_field *to = &found[n];
        to->size = pd_json_string(raw->record, raw->record_n, f.names[k], &to->s);
        if (to->size < 2 && strcmp(list, "text") == 0)
            to->size = pd_json_string(raw->record, raw->record_n, "Clean-Text", &to->s);
        if (to->size < 2)
            continue;
        group = f.group[k];
        n++;
    }
    return n;
}

static int by_place(const void *x, const void *y)
{
    const struct spliced_field *p = x, *q = y;
    return (p->s > q->s) - (p->s < q->s);
}

/* Put what stays of each field into `left`. False when the fields are not the text. */
static bool cut_fields(struct spliced_field *fields, size_t n, const struct pd_trimmed *t,
                       struct pd_bytes *left)
{
    const size_t between = strlen(PD_TEXT_BETWEEN);
    size_t at = 0;
    bool exact = true;
    for (size_t k = 0; k < n && exact; k++) {
        if (k > 0) {
            exact = at + between <= t->n && memcmp(t->text + at, PD_TEXT_BETWEEN, between) == 0;
            at += between;
        }
        fields[k].from = left->n;
        exact = exact && cut_string(fields[k].s + 1, fields[k].size - 2, t, &at, left);
        fields[k].to = left->n;
    }
    return exact && at == t->n;
}

static int splice_line(const struct pd_raw *raw, const char *list, const struct pd_trimmed *t,
                       struct pd_bytes *to, bool *exact)
{
    struct spliced_field fields[PD_TEXT_FIELDS];
    struct pd_bytes left = {0};
    const size_t n = find_texts(raw, list, fields);
    const unsigned char *at = raw->record;
    *exact = n > 0 && cut_fields(fields, n, t, &left);
    if (!*exact && n == 1) {
        struct pd_bytes cleaned = {0};
        pd_cut_text(t, &cleaned);
        left.n = 0;
        pd_json_escape(&left, cleaned.v, cleaned.n);
        fields[0].from = 0;
        fields[0].to = left.n;
        pd_bytes_release(&cleaned);
    }
    const bool good = *exact || n == 1;
    qsort(fields, n, sizeof *fields, by_place);
    for (size_t k = 0; k < n && good; k++) {
        pd_bytes_append(to, at, (size_t)(fields[k].s + 1 - at));
        if (fields[k].to > fields[k].from)
            pd_bytes_append(to, left.v + fields[k].from, fields[k].to - fields[k].from);
        at = fields[k].s + fields[k].size - 1;
    }
    pd_bytes_append(to, at, (size_t)(raw->record + raw->record_n - at));
    pd_bytes_release(&left);
    return good ? PD_OK
                : pd_fail(PD_EFORMAT, "%.*s: its field \"%s\" cannot be written again",
                          (int)raw->id_n, raw->id, list);
}

/*
 * A file that is one document. A message keeps its header if its body stands there as it is, and
 * also if it says nothing of a character set: then UTF-8 is understood.
 */
static void splice_file(const struct pd_raw *raw, const struct pd_trimmed *t, struct pd_bytes *to,
                        bool *exact)
{
    const unsigned char *s = raw->record, *end = s + raw->record_n;
    const bool inside = raw->body >= s && raw->body <= end && raw->n <= (size_t)(end - raw->body);
    *exact = inside && pd_splice_is_body(raw, t->text, t->n);
    const bool around = *exact || (inside && raw->media == PD_MEDIA_TEXT && raw->charset_n == 0);
    if (around)
        pd_bytes_append(to, s, (size_t)(raw->body - s));
    pd_cut_text(t, to);
    if (around)
        pd_bytes_append(to, raw->body + raw->n, (size_t)(end - raw->body) - raw->n);
}

/* ---- tables ---- */

/* A value stays without quotes if it was so, unless it would begin with one. */
static int splice_row(const struct pd_raw *raw, const struct pd_trimmed *t, struct pd_bytes *to,
                      bool *exact)
{
    const unsigned char *s = raw->record, *behind = raw->value + raw->value_n;
    *exact = pd_splice_is_body(raw, t->text, t->n);
    if (!*exact)
        return pd_fail(PD_EFORMAT,
                       "%.*s: its text is not UTF-8, and cannot be written again: choose --as "
                       "jsonl, attributes or lists, or --remove documents",
                       (int)raw->id_n, raw->id);
    struct pd_bytes cleaned = {0};
    pd_cut_text(t, &cleaned);
    pd_bytes_append(to, s, (size_t)(raw->value - s));
    const bool was_quoted = raw->value_n != raw->n;
    if (was_quoted || (cleaned.n > 0 && *cleaned.v == '"' && *raw->value != '"'))
        pd_csv_quote(cleaned.v, cleaned.n, to);
    else
        pd_bytes_append(to, cleaned.v, cleaned.n);
    pd_bytes_append(to, behind, (size_t)(s + raw->record_n - behind));
    pd_bytes_release(&cleaned);
    return PD_OK;
}

int pd_splice(const struct pd_raw *raw, const char *text_field, const struct pd_trimmed *t,
              struct pd_bytes *to, bool *exact)
{
    size_t head;
    to->n = 0;
    switch (raw->kind) {
    case PD_RECORD_JSON:
        return splice_line(raw, text_field, t, to, exact);
    case PD_RECORD_WARC:
        head = pd_splice_head(raw, t->text, t->n, exact);
        pd_splice_behind(raw->record, head, *exact, t, to);
        return PD_OK;
    case PD_RECORD_FILE:
        splice_file(raw, t, to, exact);
        return PD_OK;
    case PD_RECORD_CSV:
        return splice_row(raw, t, to, exact);
    case PD_RECORD_OTHER:
        break;
    }
    return pd_fail(PD_EFORMAT,
                   "%.*s: parts of records of this format cannot be cut out: choose --as "
                   "jsonl, attributes or lists, or --remove documents",
                   (int)raw->id_n, raw->id);
}

/* The document of a record that was read as `raw`, with another body. */
static bool read_again(const struct pd_raw *raw, const struct pd_bytes *record,
                       const struct pd_bytes *body, struct pd_raw *again)
{
    *again = *raw;
    again->body = body->v;
    again->n = body->n;
    return raw->kind != PD_RECORD_FILE ||
           pd_layout_of(record->v, record->n) == pd_layout_of(raw->record, raw->record_n);
}

int pd_splice_body(struct pd_reader *r, const struct pd_raw *raw, const char *text_field,
                   const struct pd_cuts *cuts, struct pd_spliced *to)
{
    const struct pd_trimmed body = {raw->body, raw->n, cuts};
    bool exact = true;
    to->record.n = to->body.n = 0;
    if (raw->kind == PD_RECORD_WARC) {
        pd_splice_warc(raw, &body, &to->record);
        return pd_warc_again(r, to->record.v, to->record.n, &to->again) == PD_OK ? PD_OK : PD_END;
    }
    PD_TRY(pd_splice(raw, text_field, &body, &to->record, &exact));
    pd_cut_text(&body, &to->body);
    return exact && read_again(raw, &to->record, &to->body, &to->again) ? PD_OK : PD_END;
}

void pd_spliced_release(struct pd_spliced *s) { PD_RELEASE(pd_bytes, &s->record, &s->body); }

int pd_splice_number(const struct pd_raw *raw, const char *name, uint64_t number,
                     struct pd_bytes *record)
{
    const unsigned char *value;
    size_t end = record->n;
    if (raw->kind != PD_RECORD_JSON)
        return pd_fail(PD_EFORMAT, "%.*s: is no JSON line, and gets no field %s", (int)raw->id_n,
                       raw->id, name);
    if (pd_json_number(record->v, record->n, name, &value) ||
        pd_json_string(record->v, record->n, name, &value) ||
        pd_json_compound(record->v, record->n, name, &value))
        return pd_fail(PD_EFORMAT, "%.*s: has a field %s already: choose another --count-field",
                       (int)raw->id_n, raw->id, name);
    while (end > 0 && record->v[end - 1] != '}')
        end--;
    struct pd_bytes behind = {0};
    end -= end > 0;
    pd_bytes_append(&behind, record->v + end, record->n - end);
    record->n = end;
    pd_bytes_print(record, ",");
    pd_json_quote(record, name, strlen(name));
    pd_bytes_print(record, ":%llu", (unsigned long long)number);
    pd_bytes_append(record, behind.v, behind.n);
    pd_bytes_release(&behind);
    return PD_OK;
}

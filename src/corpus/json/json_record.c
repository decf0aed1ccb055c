/* corpus/json/json_record.c - see json_record.h */
#include "json_record.h"

#include <string.h>

#include "json_fields.h"
#include "json_line.h"
#include "pardup/base/error.h"

#define PAD            64 /* readable bytes behind a body */
#define CLUEWEB_ID     "ClueWeb22-ID"
#define FIELDS_ROOM    100                /* bytes of a message with names of fields */
#define KEPT_JSON_MOST ((size_t)64 << 10) /* bytes of a list or object that is looked at */

/*
 * The fields that a line is asked for. A field of ClueWeb22 follows the field that it stands for.
 */
enum field { ID, ID_CLUEWEB, TEXT, TEXT_CLUEWEB, URL, URL_CLUEWEB, SITE, ORDER, FIELDS };

/* Names that a line may be asked for: the fields above, then the fields to keep. */
enum { NAMES = FIELDS + PD_KEPT_FIELDS + PD_TEXT_FIELDS };

/*
 * The names of the fields; NULL: the field is not asked for. A new field is a constant above and a
 * name here. Its value is then line.values[constant]. Returns how many names there are.
 */
static size_t name_fields(const struct pd_reader *r, const char *names[NAMES])
{
    const struct pd_reader_options *o = &r->options;
    const size_t kept = o->keep ? o->keep->n : 0;
    names[ID] = o->id_field;
    names[ID_CLUEWEB] = strcmp(o->id_field, "id") == 0 ? CLUEWEB_ID : NULL;
    names[TEXT] = r->text_fields.n ? r->text_fields.names[0] : NULL;
    names[TEXT_CLUEWEB] = strcmp(o->text_field, "text") == 0 ? "Clean-Text" : NULL;
    names[URL] = o->url_field;
    names[URL_CLUEWEB] = strcmp(o->url_field, "url") == 0 ? "URL" : NULL;
    names[SITE] = o->site_field;
    names[ORDER] = o->order_field;
    for (size_t k = 0; k < kept; k++)
        names[FIELDS + k] = o->keep->names[k];
    for (size_t k = 1; k < r->text_fields.n; k++)
        names[FIELDS + kept + k - 1] = r->text_fields.names[k];
    return FIELDS + kept + (r->text_fields.n ? r->text_fields.n - 1 : 0);
}

/* The value of the field, or of ClueWeb22's field that stands for it. */
static const struct pd_json_value *value_of(const struct pd_json_line *line, enum field field)
{
    const struct pd_json_value *v = &line->values[field];
    return v->kind == PD_JSON_NONE ? v + 1 : v;
}

/* The value of text field k. */
static const struct pd_json_value *text_value(const struct pd_reader *r,
                                              const struct pd_json_line *line, size_t k)
{
    const size_t kept = r->options.keep ? r->options.keep->n : 0;
    return k == 0 ? value_of(line, TEXT) : &line->values[FIELDS + kept + k - 1];
}

/* The first text field that is a string, of the first group that has one; -1: there is none. */
static int first_text(const struct pd_reader *r, const struct pd_json_line *line)
{
    for (size_t k = 0; k < r->text_fields.n; k++)
        if (text_value(r, line, k)->kind == PD_JSON_STRING)
            return (int)k;
    return -1;
}

static void count_fields(struct pd_reader *r, const struct pd_json_line *line)
{
    struct pd_field_counts *c = &r->counts.fields;
    if (r->quiet || !line->object)
        return;
    c->objects++;
    c->ids += value_of(line, ID)->kind != PD_JSON_NONE;
    c->texts += first_text(r, line) >= 0 || value_of(line, TEXT)->kind != PD_JSON_NONE;
    c->urls += value_of(line, URL)->kind != PD_JSON_NONE;
    c->sites += line->values[SITE].kind != PD_JSON_NONE;
}

/* Set *to and *n to a value that is a string. They stay as they are for any other value. */
static void take_string(struct pd_reader *r, const struct pd_json_value *v, const char **to,
                        size_t *n)
{
    if (v->kind != PD_JSON_STRING)
        return;
    unsigned char *copy = pd_arena_alloc(&r->arena, v->n + 1);
    *n = pd_json_decode(v, copy);
    copy[*n] = '\0';
    *to = (char *)copy;
}

/* Set *to and *n to a string, or to a number as it is written; null leaves them, too. */
static void take_text(struct pd_reader *r, const struct pd_json_value *v, const char **to,
                      size_t *n)
{
    struct pd_json_value text = *v;
    if (pd_json_has_number(v) && v->n > 0)
        text.kind = PD_JSON_STRING;
    take_string(r, &text, to, n);
}

/*
 * Set the id from the object s[0, n). In an object that was mended, U+FFFD stands for bytes of the
 * id that are no UTF-8, so that different ids would be the same: they are taken as they are.
 */
static void set_id(struct pd_reader *r, const struct pd_json_line *line, const unsigned char *s,
                   size_t n, struct pd_raw *raw)
{
    const unsigned char *string = NULL;
    const struct pd_json_value *id = value_of(line, ID);
    raw->id_number = pd_json_has_number(id) && pd_json_is_number(id->s, id->n);
    const char *name = id == &line->values[ID] ? r->options.id_field : CLUEWEB_ID;
    const bool mended = line->repaired && id->kind == PD_JSON_STRING;
    const size_t bytes = mended ? pd_json_string(s, n, name, &string) : 0;
    if (bytes < 2) {
        take_text(r, id, &raw->id, &raw->id_n);
        return;
    }
    struct pd_bytes copy = {0};
    pd_json_mend_bytes(string, bytes, &copy);
    const struct pd_json_value whole = {
        .kind = PD_JSON_STRING, .escaped = true, .s = copy.v + 1, .n = copy.n < 2 ? 0 : copy.n - 2};
    take_string(r, &whole, &raw->id, &raw->id_n);
    pd_bytes_release(&copy);
}

static void set_url(struct pd_reader *r, const struct pd_json_line *line, struct pd_raw *raw)
{
    take_string(r, value_of(line, URL), &raw->url, &raw->url_n);
    /* ClueWeb22's addresses end in LF */
    while (raw->url_n > 0 && raw->url[raw->url_n - 1] == '\n')
        raw->url_n--;
}

/* Set *kept to a list or object without white space outside of its strings, or to true or false. */
static void take_json(struct pd_reader *r, const struct pd_json_value *v, struct pd_kept *kept)
{
    bool string = false;
    *kept = (struct pd_kept){.json = true, .lost = v->n == 0 || v->n > KEPT_JSON_MOST};
    if (kept->lost)
        return;
    char *copy = pd_arena_alloc(&r->arena, v->n);
    for (size_t k = 0; k < v->n; k++) {
        kept->lost |= v->s[k] == '\0'; /* the parser passes over it between values */
        if (v->s[k] == '"')
            string = !string;
        if (string && v->s[k] == '\\')
            copy[kept->n++] = (char)v->s[k++];
        if (string || !memchr(" \t\r\n", v->s[k], 4))
            copy[kept->n++] = (char)v->s[k];
    }
    kept->v = kept->lost ? NULL : copy;
}

/* Set the values of the fields to keep. */
static void set_kept(struct pd_reader *r, const struct pd_json_line *line, struct pd_raw *raw)
{
    const struct pd_keeping *keep = r->options.keep;
    if (!keep || keep->n == 0)
        return;
    struct pd_kept *values = pd_arena_alloc(&r->arena, keep->n * sizeof *values);
    memset(values, 0, keep->n * sizeof *values);
    for (size_t k = 0; k < keep->n; k++) {
        const struct pd_json_value *v = &line->values[FIELDS + k];
        if (v->kind == PD_JSON_BOOLEAN || v->kind == PD_JSON_OBJECT || v->kind == PD_JSON_ARRAY) {
            take_json(r, v, &values[k]);
            continue;
        }
        values[k].json = pd_json_has_number(v) && pd_json_is_number(v->s, v->n);
        if (v->kind != PD_JSON_NULL)
            take_text(r, v, &values[k].v, &values[k].n);
    }
    raw->kept = values;
}

/* Set the body to the fields of a group, from field `first` on. */
static void set_body(struct pd_reader *r, const struct pd_json_line *line, size_t first,
                     struct pd_raw *raw)
{
    const struct pd_text_fields *f = &r->text_fields;
    r->text.n = 0;
    for (size_t k = first; k < f->n && f->group[k] == f->group[first]; k++) {
        const struct pd_json_value *text = text_value(r, line, k);
        if (text->kind != PD_JSON_STRING)
            continue;
        if (k > first)
            pd_bytes_append(&r->text, PD_TEXT_BETWEEN, strlen(PD_TEXT_BETWEEN));
        pd_bytes_reserve(&r->text, r->text.n + text->n + PAD);
        r->text.n += pd_json_decode(text, r->text.v + r->text.n);
    }
    raw->body = r->text.v;
    raw->n = r->text.n;
    raw->media = PD_MEDIA_TEXT;
}

/* Report that the object s[0, n) has no text, and where it could be. */
static void tell_no_text(struct pd_reader *r, const struct pd_json_value *text,
                         const unsigned char *s, size_t n)
{
    char fields[FIELDS_ROOM];
    while (n > 0 && memchr(" \t\r\n", *s, 4)) {
        s++;
        n--;
    }
    if (n > 0 && *s == '[') {
        pd_reader_tell(
            r, PD_SKIP_JSON,
            "the line is a list, not an object: jq -c '.[]' makes a line of each of them");
        return;
    }
    if (text->kind == PD_JSON_ARRAY) {
        pd_reader_tell(
            r, PD_SKIP_JSON,
            "field \"%s\" is a list, not a string: jq -c '.%s |= join(\"\\n\")' joins it",
            r->options.text_field, r->options.text_field);
        return;
    }
    pd_json_string_fields(s, n, fields, sizeof fields);
    pd_reader_tell(r, PD_SKIP_JSON, "no field \"%s\" that is a string%s%s%s", r->options.text_field,
                   *fields ? "; strings: " : "", fields, *fields ? " (--text-field)" : "");
}

/* Report that an object does not parse, for the parser's reason. */
static void tell_broken(struct pd_reader *r, const char *error)
{
    static const char behind[] = "end of file expected near ";
    const char *what = error + sizeof behind - 1;
    if (strncmp(error, behind, sizeof behind - 1) != 0)
        pd_reader_tell(r, PD_SKIP_JSON, "%s", error);
    else if (strncmp(what, "'{", 2) == 0)
        pd_reader_tell(r, PD_SKIP_JSON, "more than one object in the line%s",
                       r->file ? ": --format json reads such files" : "");
    else
        pd_reader_tell(r, PD_SKIP_JSON, "more than an object in the line, near %s", what);
}

int pd_json_record(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw)
{
    const char *names[NAMES];
    struct pd_json_line line;
    const size_t nnames = name_fields(r, names);
    if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) { /* files that begin with it were joined */
        s += 3;
        n -= 3;
    }
    if (pd_json_line_read(r, s, n, names, nnames, &line) == PD_EFULL) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "object of %zu bytes has too many values", n);
        return PD_END;
    }
    count_fields(r, &line);
    const int first = first_text(r, &line);
    const bool found = first >= 0;
    if (!line.parsed)
        tell_broken(r, line.error);
    else if (!found)
        tell_no_text(r, value_of(&line, TEXT), s, n);
    if (line.object)
        set_id(r, &line, s, n, raw);
    if (found) {
        set_body(r, &line, (size_t)first, raw);
        take_text(r, &line.values[ORDER], &raw->order, &raw->order_n);
        take_string(r, &line.values[SITE], &raw->site, &raw->site_n);
        set_url(r, &line, raw);
        set_kept(r, &line, raw);
        r->counts.repaired += line.repaired && !r->quiet;
    }
    pd_json_line_release(&line);
    return found ? PD_OK : PD_END;
}

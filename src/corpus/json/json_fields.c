/* corpus/json/json_fields.c - see json_fields.h */
#include "json_fields.h"

#include <jansson.h>

#include "corpus/records.h"
#include "json_line.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

#define VALUES_FREE  ((size_t)1 << 20) /* values of a line that are always read */
#define VALUE_BYTES  64 /* bytes that a value of a longer line must have on average */
#define PART_BYTES   ((size_t)1 << 20) /* bytes of a long line that are parsed at once */
#define DAMAGE_LEAST ((size_t)1 << 10) /* bytes of a line that may be damage */
#define NUMBER_MOST  24                /* bytes of an integer, with NUL */

/* ---- lines for the parser ---- */

/*
 * Would a tree of the values of the line s[0, n) take far more memory than the line? A
 * value of two bytes in an array takes some forty, and a member of an object a hundred. When
 * reading is to stop, the answer does not matter.
 */
static bool has_many_values(const struct pd_reader *r, const unsigned char *s, size_t n)
{
    size_t values = 0, look = 0;
    bool string = false;
    if (n <= VALUES_FREE)
        return false;
    for (size_t k = 0; k < n; k++) {
        if (k >= look && pd_stream_stopped(r->stream))
            return true;
        look = k >= look ? k + PART_BYTES : look;
        if (s[k] == '"')
            string = !string;
        else if (string)
            k += s[k] == '\\';
        else
            values += s[k] == ',' || s[k] == '[' || s[k] == '{';
    }
    return values > VALUES_FREE && values > n / VALUE_BYTES;
}

/* A long line on its way to jansson, part by part. */
struct feeding {
    const struct pd_stream *stream;
    const unsigned char *s;
    size_t n, done;
};

static size_t feed(void *to, size_t room, void *ctx)
{
    struct feeding *f = ctx;
    if (f->done % PART_BYTES == 0 && pd_stream_stopped(f->stream))
        return (size_t)-1;
    const size_t bytes =
        pd_min_size(pd_min_size(room, f->n - f->done), PART_BYTES - f->done % PART_BYTES);
    memcpy(to, f->s + f->done, bytes);
    f->done += bytes;
    return bytes;
}

/*
 * Parse a line. A long line takes seconds, so a signal is heard inside it; then there is no object.
 */
static json_t *load(const struct pd_reader *r, const unsigned char *s, size_t n, size_t flags,
                    json_error_t *error)
{
    struct feeding f = {.stream = r->stream, .s = s, .n = n};
    return n > PART_BYTES ? json_load_callback(feed, &f, flags, error)
                          : json_loadb((const char *)s, n, flags, error);
}

/*
 * The object that is the line s[0, n); NULL with *error when it does not parse. *repaired: the line
 * had to be mended, other than that numbers are too large for the parser. *exact: integers are as
 * the line has them.
 */
static json_t *parse(struct pd_reader *r, const unsigned char *s, size_t n, bool *repaired,
                     bool *exact, json_error_t *error)
{
    json_error_t again;
    json_t *root = load(r, s, n, JSON_ALLOW_NUL, error);
    *repaired = false;
    *exact = root;
    if (root)
        return root;
    if (json_error_code(error) == json_error_numeric_overflow)
        root = load(r, s, n, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &again);
    /* zeros that were written over several lines would become one string */
    if (root || pd_stream_stopped(r->stream) || (n > DAMAGE_LEAST && pd_records_damaged(s, n)) ||
        !pd_json_mend(s, n, &r->text, repaired))
        return root;
    return load(r, r->text.v, r->text.n, JSON_ALLOW_NUL, &again);
}

/* ---- values ---- */

/* A line s[0, n) that the parser has read. */
struct parsed {
    const unsigned char *s;
    size_t n;
    json_t *root; /* NULL: it is not JSON */
    bool exact;   /* integers of the tree are as the line has them */
};

/* Set *v to the value of the field `name`; NULL: there is none. */
static void take(struct pd_reader *r, const struct parsed *p, const char *name,
                 struct pd_json_value *v)
{
    const json_t *found = p->root && name ? pd_json_field(p->root, name) : NULL;
    static const enum pd_json_kind kinds[] = {
        [JSON_OBJECT] = PD_JSON_OBJECT, [JSON_ARRAY] = PD_JSON_ARRAY,
        [JSON_STRING] = PD_JSON_STRING, [JSON_INTEGER] = PD_JSON_INTEGER,
        [JSON_REAL] = PD_JSON_REAL,     [JSON_TRUE] = PD_JSON_BOOLEAN,
        [JSON_FALSE] = PD_JSON_BOOLEAN, [JSON_NULL] = PD_JSON_NULL};
    *v = (struct pd_json_value){.kind = found ? kinds[json_typeof(found)] : PD_JSON_NONE};
    if (v->kind == PD_JSON_STRING) {
        v->s = (const unsigned char *)json_string_value(found);
        v->n = json_string_length(found);
    } else if (p->exact && v->kind == PD_JSON_INTEGER &&
               json_integer_value(found) != 0) { /* 0 may be -0 */
        char *number = pd_arena_alloc(&r->arena, NUMBER_MOST);
        v->n = (size_t)snprintf(number, NUMBER_MOST, "%" JSON_INTEGER_FORMAT,
                                json_integer_value(found));
        v->s = (unsigned char *)number;
    } else if (pd_json_has_number(v)) {
        v->n = pd_json_number(p->s, p->n, name, &v->s);
    } else if (v->kind == PD_JSON_BOOLEAN) {
        v->s = (const unsigned char *)(json_is_true(found) ? "true" : "false");
        v->n = strlen((const char *)v->s);
    } else if (p->exact && found) {
        v->n = pd_json_compound(p->s, p->n, name, &v->s);
    }
}

/* Read a line with the parser. */
static void read_tree(struct pd_reader *r, const unsigned char *s, size_t n,
                      const char *const *names, size_t nnames, struct pd_json_line *line)
{
    json_error_t error;
    struct parsed p = {.s = s, .n = n};
    p.root = parse(r, s, n, &line->repaired, &p.exact, &error);
    line->tree = p.root;
    line->parsed = p.root;
    line->object = json_is_object(p.root);
    if (!p.root)
        snprintf(line->error, sizeof line->error, "%s", error.text);
    for (size_t k = 0; k < nnames; k++)
        take(r, &p, names[k], &line->values[k]);
}

int pd_json_line_read(struct pd_reader *r, const unsigned char *s, size_t n,
                      const char *const *names, size_t nnames, struct pd_json_line *line)
{
    *line = (struct pd_json_line){0};
    if (pd_json_scan(s, n, names, nnames, pd_max_size(VALUES_FREE, n / VALUE_BYTES),
                     line->values)) {
        line->object = line->parsed = true;
        for (size_t k = 0; k < nnames; k++)
            if (line->values[k].kind == PD_JSON_NULL) /* it has no number: see take() */
                line->values[k].n = 0;
        return PD_OK;
    }
    if (has_many_values(r, s, n))
        return PD_EFULL;
    read_tree(r, s, n, names, nnames, line);
    return PD_OK;
}

void pd_json_line_release(struct pd_json_line *line)
{
    json_decref(line->tree);
    line->tree = NULL;
}

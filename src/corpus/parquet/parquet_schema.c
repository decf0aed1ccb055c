/* corpus/parquet/parquet_schema.c - see parquet_schema.h */
#include "parquet_schema.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pardup/base/error.h"
#include "parquet_number.h"

enum {
    DEPTH_MOST = 64, /* groups inside groups */
    NAMES_MOST = 110 /* bytes of the list of columns in a message */
};

int pd_parquet_footer_say(struct pd_parquet_footer *f, const char *why)
{
    snprintf(f->why, sizeof f->why, "%s", why);
    return PD_EFORMAT;
}

/* How often a value stands in a row: enum FieldRepetitionType of the format. */
enum repetition { REQUIRED, OPTIONAL, REPEATED };

/* A row of the schema: a column, or a group of columns. */
struct element {
    const unsigned char *name;
    size_t name_n;
    int64_t type, length, repetition, children, converted, scale;
    enum pd_parquet_meaning means; /* as its logical type says */
    bool utc;
    int digits;
};

/* The columns that have the name of a role in other letters. */
struct alike {
    struct pd_parquet_leaf leaf; /* the last of them */
    bool nested;
    size_t n; /* how many there are; a single one is taken */
};

/* The schema on its way from the root to the element at hand. */
struct walk {
    struct pd_parquet_footer *f;
    const char *const *names;
    uint64_t left[DEPTH_MOST];     /* per group: elements that follow in it */
    size_t path_n[DEPTH_MOST];     /* per group: bytes of its path */
    unsigned levels[DEPTH_MOST];   /* per group: optional groups down to it */
    unsigned repeats[DEPTH_MOST];  /* per group: repeated groups down to it */
    size_t depth;                  /* groups around the element */
    struct pd_bytes path;          /* the element's, with dots */
    bool nested[PD_PARQUET_ROLES]; /* what the role names is no column of single values */
    struct alike alike[PD_PARQUET_ROLES];
    char columns[NAMES_MOST + 8]; /* names in the root */
    size_t columns_n;
};

/* Read the unit of a time: thousandths, millionths and so on of a second. */
static void read_unit(struct pd_thrift *t, const struct pd_thrift_field *f, struct element *e)
{
    if (f->type != PD_THRIFT_STRUCT) {
        pd_thrift_skip(t, f);
        return;
    }
    for (struct pd_thrift_field unit = {0}; pd_thrift_next(t, &unit); pd_thrift_skip(t, &unit))
        e->digits = unit.id >= 1 && unit.id <= 3 ? 3 * unit.id : e->digits;
}

/* Read a logical type, a union of structs, by their numbers in parquet.thrift. */
static void read_logical(struct pd_thrift *t, struct element *e)
{
    enum { DECIMAL = 5, TIME = 7, TIMESTAMP = 8, INTEGER = 10 };
    static const enum pd_parquet_meaning meanings[] = {
        [DECIMAL] = PD_MEANS_DECIMAL,     [6] = PD_MEANS_DATE,  [TIME] = PD_MEANS_TIME,
        [TIMESTAMP] = PD_MEANS_TIMESTAMP, [14] = PD_MEANS_UUID, [15] = PD_MEANS_HALF};
    for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);) {
        const int kind = f.id;
        if (f.type != PD_THRIFT_STRUCT) {
            pd_thrift_skip(t, &f);
            continue;
        }
        if (kind > 0 && kind < (int)(sizeof meanings / sizeof *meanings))
            e->means = meanings[kind];
        for (struct pd_thrift_field g = {0}; pd_thrift_next(t, &g);) {
            const bool truth = g.type == PD_THRIFT_TRUE || g.type == PD_THRIFT_FALSE;
            if (kind == DECIMAL && g.id == 1 && g.type == PD_THRIFT_I32)
                e->scale = pd_thrift_int(t, &g);
            else if ((kind == TIME || kind == TIMESTAMP) && g.id == 1 && truth)
                e->utc = pd_thrift_bool(t, &g);
            else if ((kind == TIME || kind == TIMESTAMP) && g.id == 2)
                read_unit(t, &g, e);
            else if (kind == INTEGER && g.id == 2 && truth)
                e->means = pd_thrift_bool(t, &g) ? PD_MEANS_ITSELF : PD_MEANS_UNSIGNED;
            else
                pd_thrift_skip(t, &g);
        }
    }
}

static struct element read_element(struct pd_thrift *t)
{
    struct element e = {.type = -1, .converted = -1};
    for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);) {
        switch (f.id) {
        case PD_IN_ELEMENT_TYPE:
            e.type = pd_thrift_int(t, &f);
            break;
        case PD_IN_ELEMENT_LENGTH:
            e.length = pd_thrift_int(t, &f);
            break;
        case PD_IN_ELEMENT_REPETITION:
            e.repetition = pd_thrift_int(t, &f);
            break;
        case PD_IN_ELEMENT_NAME:
            e.name = pd_thrift_bytes(t, &f, &e.name_n);
            break;
        case PD_IN_ELEMENT_CHILDREN:
            e.children = pd_thrift_int(t, &f);
            break;
        case PD_IN_ELEMENT_CONVERTED:
            e.converted = pd_thrift_int(t, &f);
            break;
        case PD_IN_ELEMENT_SCALE:
            e.scale = pd_thrift_int(t, &f);
            break;
        case PD_IN_ELEMENT_LOGICAL:
            if (f.type == PD_THRIFT_STRUCT)
                read_logical(t, &e);
            else
                pd_thrift_skip(t, &f);
            break;
        default:
            pd_thrift_skip(t, &f);
        }
    }
    return e;
}

/* Add a name to the list of columns, which ends in dots when there is no room. */
static void list_column(struct walk *w, const struct element *e)
{
    const size_t gap = w->columns_n > 0 ? 2 : 0;
    if (w->columns_n > NAMES_MOST)
        return;
    if (w->columns_n + gap + e->name_n > NAMES_MOST) {
        w->columns_n = NAMES_MOST + 1;
        strcat(w->columns, gap ? ", ..." : "...");
        return;
    }
    memcpy(w->columns + w->columns_n, ", ", gap);
    if (e->name_n > 0)
        memcpy(w->columns + w->columns_n + gap, e->name, e->name_n);
    w->columns_n += gap + e->name_n;
    w->columns[w->columns_n] = '\0';
}

/* Bytes of a value of the column; 0: they differ, or it is a truth value. */
static uint32_t size_of(const struct element *e)
{
    static const unsigned char sizes[] = {
        [PD_PARQUET_INT32] = 4, [PD_PARQUET_INT64] = 8,  [PD_PARQUET_INT96] = 12,
        [PD_PARQUET_FLOAT] = 4, [PD_PARQUET_DOUBLE] = 8, [PD_PARQUET_BYTE_ARRAY] = 0};
    if (e->type == PD_PARQUET_FIXED)
        return e->length > 0 && e->length <= INT32_MAX ? (uint32_t)e->length : 0;
    return e->type >= 0 && e->type < PD_PARQUET_FIXED ? sizes[e->type] : 0;
}

/* What old writers say by a converted type, where there is no logical type: it has one word less. */
static void take_converted(struct element *e)
{
    static const struct {
        enum pd_parquet_meaning means;
        int digits;
    } converted[] = {[5] = {PD_MEANS_DECIMAL, 0},   [6] = {PD_MEANS_DATE, 0},
                     [7] = {PD_MEANS_TIME, 3},      [8] = {PD_MEANS_TIME, 6},
                     [9] = {PD_MEANS_TIMESTAMP, 3}, [10] = {PD_MEANS_TIMESTAMP, 6},
                     [11] = {PD_MEANS_UNSIGNED, 0}, [12] = {PD_MEANS_UNSIGNED, 0},
                     [13] = {PD_MEANS_UNSIGNED, 0}, [14] = {PD_MEANS_UNSIGNED, 0},
                     [21] = {PD_MEANS_INTERVAL, 0}};
    if (e->means != PD_MEANS_ITSELF || e->converted < 0 ||
        e->converted >= (int64_t)(sizeof converted / sizeof *converted))
        return;
    e->means = converted[e->converted].means;
    e->digits = converted[e->converted].digits;
    e->utc = e->means == PD_MEANS_TIMESTAMP;
}

/* Can a value of the column mean what the schema says? */
static bool fits(const struct element *e)
{
    const bool half = e->type == PD_PARQUET_INT32, whole = half || e->type == PD_PARQUET_INT64;
    const bool fixed = e->type == PD_PARQUET_FIXED;
    switch (e->means) {
    case PD_MEANS_ITSELF:
        return true;
    case PD_MEANS_DATE:
        return half;
    case PD_MEANS_DECIMAL:
        return e->scale >= 0 && e->scale <= PD_PARQUET_DIGITS &&
               (whole || e->type == PD_PARQUET_BYTE_ARRAY || (fixed && e->length <= 32));
    case PD_MEANS_UUID:
        return fixed && e->length == 16;
    case PD_MEANS_HALF:
        return fixed && e->length == 2;
    case PD_MEANS_INTERVAL:
        return fixed && e->length == 12;
    default:
        return whole;
    }
}

/* What the schema says of a column. */
static struct pd_parquet_leaf leaf_of(const struct walk *w, const struct element *e,
                                      unsigned levels, unsigned repeats)
{
    struct element known = *e;
    take_converted(&known);
    if (!fits(&known))
        known.means = PD_MEANS_ITSELF;
    return (struct pd_parquet_leaf){.there = true,
                                    .means = known.means,
                                    .utc = known.utc,
                                    .digits = known.means == PD_MEANS_DECIMAL ? (int)known.scale
                                                                              : known.digits,
                                    .number = w->f->nleaves,
                                    .levels = levels,
                                    .type = (int)e->type,
                                    .size = size_of(e),
                                    .repeats = repeats,
                                    .own = e->name,
                                    .own_n = e->name_n};
}

/* Is the element's path the name of a column that is wanted? Then note what it is. */
static void match(struct walk *w, const struct element *e, unsigned levels, unsigned repeats)
{
    for (int role = 0; role < PD_PARQUET_ROLES; role++) {
        const char *name = w->names[role];
        struct pd_parquet_leaf *leaf = &w->f->leaves[role];
        struct alike *alike = &w->alike[role];
        if (!name || leaf->there || w->path.n == 0 || strlen(name) != w->path.n ||
            strncasecmp(name, (const char *)w->path.v, w->path.n) != 0)
            continue;
        const bool nested = e->children > 0 || repeats > 0;
        if (memcmp(name, w->path.v, w->path.n) != 0) {
            *alike = (struct alike){leaf_of(w, e, levels, repeats), nested, alike->n + 1};
            alike->leaf.name = name;
            continue;
        }
        w->nested[role] = nested;
        *leaf = leaf_of(w, e, levels, repeats);
        leaf->name = name;
    }
}

/* Go on to the next element of the schema. Returns false when the schema is damaged. */
static bool enter(struct walk *w, const struct element *e)
{
    while (w->depth > 0 && w->left[w->depth - 1] == 0)
        w->depth--;
    if (w->depth == 0)
        return false;
    const size_t up = w->depth - 1;
    const unsigned levels = w->levels[up] + (e->repetition != REQUIRED);
    const unsigned repeats = w->repeats[up] + (e->repetition == REPEATED);
    w->left[up]--;
    w->path.n = w->path_n[up];
    if (w->path.n > 0)
        pd_bytes_push(&w->path, '.');
    pd_bytes_append(&w->path, e->name, e->name_n);
    if (w->depth == 1)
        list_column(w, e);
    match(w, e, levels, repeats);
    if (e->children <= 0) {
        if (w->f->wants_every && w->f->every.n < PD_PARQUET_COLUMNS)
            pd_parquet_leaves_push(&w->f->every, leaf_of(w, e, levels, repeats));
        w->f->nleaves++;
        return e->type >= PD_PARQUET_BOOLEAN && e->type <= PD_PARQUET_FIXED;
    }
    if (w->depth == DEPTH_MOST)
        return false;
    w->left[w->depth] = (uint64_t)e->children;
    w->path_n[w->depth] = w->path.n;
    w->levels[w->depth] = levels;
    w->repeats[w->depth++] = repeats;
    return true;
}

/* May the column of a role hold numbers, too? */
static bool takes_numbers(int role) { return role == PD_PARQUET_ID || role >= PD_PARQUET_KEPT; }

/* Is the column of a role of a kind that is not read? */
static bool is_odd(const struct walk *w, int role)
{
    const struct pd_parquet_leaf *leaf = &w->f->leaves[role];
    return leaf->there && (w->nested[role] || (leaf->type == PD_PARQUET_FIXED && leaf->size == 0) ||
                           (!takes_numbers(role) && (leaf->type != PD_PARQUET_BYTE_ARRAY ||
                                                     leaf->means != PD_MEANS_ITSELF)));
}

/* Say what is wrong with the column of a role, which is not there or odd. Returns PD_EFORMAT. */
static int refuse(struct walk *w, int role)
{
    static const char *const options[] = {"text-field", "id-field", "url-field", "site-field"};
    static const char *const types[] = {"BOOLEAN", "INT32",  "INT64",      "INT96",
                                        "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
    struct pd_parquet_footer *f = w->f;
    const struct pd_parquet_leaf *leaf = &f->leaves[role];
    f->asked = true;
    if (!leaf->there)
        snprintf(f->why, sizeof f->why, "no column \"%.40s\" (--%s); its columns: %s",
                 w->names[role], options[role], w->columns);
    else if (w->nested[role])
        snprintf(f->why, sizeof f->why,
                 "column \"%.60s\" (--%s) is nested: only columns of single values are read",
                 w->names[role], options[role]);
    else
        snprintf(f->why, sizeof f->why, "column \"%.60s\" (--%s) is of type %s, not %s",
                 w->names[role], options[role], types[leaf->type],
                 takes_numbers(role) ? "a string or number" : "a string");
    return PD_EFORMAT;
}

/* No column has the name of a role: take the only one that has it in other letters. */
static void take_alike(struct walk *w, int role)
{
    w->f->leaves[role] = w->alike[role].leaf;
    w->nested[role] = w->alike[role].nested;
    w->f->renamed = true;
}

/* Leave out columns that are odd. PD_OK, or PD_EFORMAT with f->why: one must be there and is not. */
static int judge(struct walk *w, const bool usual[PD_PARQUET_ROLES])
{
    for (int role = 0; role < PD_PARQUET_ROLES; role++) {
        struct pd_parquet_leaf *leaf = &w->f->leaves[role];
        if (!leaf->there && w->alike[role].n == 1)
            take_alike(w, role);
        if (leaf->there && !is_odd(w, role))
            continue;
        const bool id =
            role == PD_PARQUET_ID && leaf->there; /* rows would get names of their own */
        if (w->names[role] && (role == PD_PARQUET_TEXT || id || !usual[role]))
            return refuse(w, role);
        leaf->there = false;
    }
    return PD_OK;
}

int pd_parquet_schema_read(struct pd_parquet_footer *f, struct pd_thrift *t,
                           const struct pd_thrift_field *field, const char *const *names,
                           const bool *usual)
{
    struct walk w = {.f = f, .names = names};
    size_t n = pd_thrift_list(t, field, PD_THRIFT_STRUCT);
    bool sound = n > 0;
    if (sound) {
        const struct element root = read_element(t);
        sound = root.children >= 0;
        w.left[0] = (uint64_t)root.children;
        w.depth = 1;
    }
    for (; sound && n > 1 && !t->bad; n--) {
        const struct element e = read_element(t);
        sound = !t->bad && enter(&w, &e);
    }
    while (sound && w.depth > 0)
        sound = w.left[--w.depth] == 0;
    pd_bytes_release(&w.path);
    return sound && !t->bad ? judge(&w, usual) : pd_parquet_footer_say(f, "the schema is damaged");
}

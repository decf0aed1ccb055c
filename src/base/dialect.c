/* base/dialect.c - see include/pardup/base/dialect.h */
#include "pardup/base/dialect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "pardup/base/open.h"

enum {
    SIGN_LOOK = 4096,  /* bytes in which a sign stands */
    NAME_MOST = 100,   /* bytes of a name */
    NAMES_MOST = 300,  /* names of a dialect */
    LINES_MOST = 10000 /* lines of a file */
};

const char *pd_dialect_name(const char *s, size_t *n)
{
    *n = 0;
    if (!s)
        return NULL;
    s += strspn(s, " ");
    *n = strcspn(s, " ");
    return *n > 0 ? s : NULL;
}

/* Is a name of the list `root`? Prefixes and a / behind a name do not matter. */
static bool lists(const char *names, const unsigned char *root, size_t root_n)
{
    size_t n;
    for (const char *name = names; (name = pd_dialect_name(name, &n)) != NULL; name += n) {
        const char *colon = memchr(name, ':', n), *from = colon ? colon + 1 : name;
        const size_t bytes = n - (size_t)(from - name) - (name[n - 1] == '/');
        if ((bytes == root_n && strncasecmp(from, (const char *)root, bytes) == 0) || *name == '*')
            return true;
    }
    return false;
}

bool pd_dialect_fits(const struct pd_dialect *d, const unsigned char *root, size_t root_n,
                     const unsigned char *from, const unsigned char *end)
{
    size_t n;
    if (lists(d->documents, root, root_n))
        return true; /* a document of such a file, which has its signs */
    if (!lists(d->roots, root, root_n))
        return false;
    if (end - from > SIGN_LOOK)
        end = from + SIGN_LOOK;
    for (const char *sign = d->signs; (sign = pd_dialect_name(sign, &n)) != NULL; sign += n)
        if (memmem(from, (size_t)(end - from), sign, n))
            return true;
    return !d->signs;
}

/* ---- files of rows ---- */

PD_VEC(pd_dialects, struct pd_dialect);
static struct pd_dialects added;

const struct pd_dialect *pd_dialect_added(size_t k) { return k < added.n ? &added.v[k] : NULL; }

/* A kind of row. */
static const struct kind {
    const char *name;
    enum { ROOT, WORDS, NAMES, VALUES, PLACES, TAGS, FLAG } has; /* what stands behind its name */
    size_t at; /* the member that it fills: a string or, of FLAG, a truth value */
} kinds[] = {
#define OF(name, act)                                                                              \
    {                                                                                              \
        name, NAMES, offsetof(struct pd_dialect, of[act])                                          \
    }
#define ROW(name, has, where)                                                                      \
    {                                                                                              \
        name, has, offsetof(struct pd_dialect, where)                                              \
    }
    ROW("root", ROOT, roots),
    ROW("sign", WORDS, signs),
    ROW("closed", FLAG, closed),
    ROW("tight", FLAG, tight),
    OF("block", PD_XML_BLOCK),
    OF("inline", PD_XML_INLINE),
    OF("line", PD_XML_LINE),
    OF("word", PD_XML_WORD),
    OF("lines", PD_XML_LINES),
    OF("break", PD_XML_BREAK),
    OF("blank", PD_XML_BLANK),
    OF("hyphen", PD_XML_HYPHEN),
    OF("out", PD_XML_OUT),
    OF("formula", PD_XML_FORMULA),
    OF("later", PD_XML_LATER),
    OF("only", PD_XML_COUNTS),
    OF("choice", PD_XML_CHOICE),
    OF("group", PD_XML_GROUP),
    OF("preferred", PD_XML_PREFERRED),
    OF("level", PD_XML_LEVEL),
    ROW("value", VALUES, of[PD_XML_VALUE]),
    ROW("document", TAGS, documents),
    ROW("id", PLACES, id),
    ROW("title", PLACES, bylines[0]),
    ROW("author", PLACES, bylines[1]),
    ROW("date", PLACES, bylines[2]),
#undef ROW
#undef OF
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The fault of a name in such a row; NULL: none. */
static const char *wrong(const struct kind *kind, const char *name, size_t n)
{
    const char *at = memchr(name, '@', n);
    const size_t element = at ? (size_t)(at - name) : n;
    if (n > NAME_MOST)
        return "a name has at most 100 bytes";
    if (kind->has == WORDS)
        return NULL;
    if (strcspn(name, "<>&\"'=") < n)
        return "names of elements stand alone, without brackets";
    if (kind->has == VALUES && (!at || element == 0 || element + 1 == n))
        return "an attribute with text is written as element@attribute";
    if (at && kind->has != VALUES && kind->has != PLACES)
        return "only value, id, title, author and date take attributes";
    if (kind->has != TAGS && memchr(name, ':', element))
        return "names stand without a prefix";
    return NULL;
}

/* How many names of the list are of the same element as `name`. */
static size_t count_same(const char *names, const char *name)
{
    size_t n, same = 0;
    const size_t m = strcspn(name, "@") + 1;
    for (const char *other = names; (other = pd_dialect_name(other, &n)) != NULL; other += n)
        same += n > m && strncasecmp(other, name, m) == 0;
    return same;
}

/* Add a row to the last dialect: `names` stand behind its kind. Returns what is wrong; NULL: nothing. */
static const char *add_row(const struct kind *kind, const char *names, size_t *count)
{
    size_t n;
    if (kind->has == ROOT) {
        pd_dialects_push(&added, (struct pd_dialect){.roots = NULL});
        *count = 0;
    }
    for (size_t k = 0; kind->has == TAGS && k + 1 < added.n; k++)
        if (added.v[k].documents) /* a piece of a file does not tell whose documents are in it */
            return "another dialect has documents, and a job has one such dialect";
    char *const member = (char *)&added.v[added.n - 1] + kind->at;
    if (kind->has == FLAG) {
        *(bool *)(void *)member = true;
        return *names ? "nothing stands behind it" : NULL;
    }
    const char **text = (const char **)(void *)member;
    const bool none = !pd_dialect_name(names, &n);
    if (none && kind->at != offsetof(struct pd_dialect, of[PD_XML_COUNTS]))
        return "a name is missing";
    char *all = pd_printed("%s%s%s", *text ? *text : "", *text ? " " : "", names);
    free((char *)*text);
    *text = all;
    if (kind->at == offsetof(struct pd_dialect, id) && strchr(all, ' '))
        return "a document has one id";
    for (const char *name = names; (name = pd_dialect_name(name, &n)) != NULL; name += n) {
        const char *why = wrong(kind, name, n);
        if (why)
            return why;
        if (++*count > NAMES_MOST)
            return "a dialect has at most 300 names";
        if (kind->has == VALUES && count_same(all, name) > PD_XML_VALUES)
            return "an element has at most three attributes with text";
    }
    return NULL;
}

static const struct kind *kind_named(const char *name, size_t n)
{
    for (size_t k = 0; k < KINDS; k++)
        if (strlen(kinds[k].name) == n && memcmp(kinds[k].name, name, n) == 0)
            return &kinds[k];
    return NULL;
}

static int no_kind(const char *path, size_t line, const char *row, size_t n)
{
    struct pd_bytes all = {0};
    for (size_t k = 0; k < KINDS; k++)
        pd_bytes_print(&all, " %s", kinds[k].name);
    const int status =
        pd_fail(PD_EFORMAT, "%s:%zu: '%.*s' begins no row; rows begin with%.*s", path, line,
                (int)(n < NAME_MOST ? n : NAME_MOST), row, (int)all.n, all.v);
    pd_bytes_release(&all);
    return status;
}

/* Read a line, which ends with NUL. *count: the names of the dialect at hand. */
static int read_line(const char *path, size_t line, char *text, bool first, size_t *count)
{
    for (char *c = text; *c; c++)
        *c = strchr("\t\r\n\f", *c) ? ' ' : *c;
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        text[--n] = '\0';
    const char *row = pd_dialect_name(text, &n);
    if (!row || *row == '#')
        return PD_OK;
    const struct kind *kind = kind_named(row, n);
    if (!kind)
        return no_kind(path, line, row, n);
    if (first && kind->has != ROOT)
        return pd_fail(PD_EFORMAT, "%s:%zu: the first row names root elements, as 'root letter'",
                       path, line);
    const char *names = row + n + strspn(row + n, " ");
    const char *why = add_row(kind, names, count);
    return why ? pd_fail(PD_EFORMAT, "%s:%zu: %s: %s", path, line, kind->name, why) : PD_OK;
}

int pd_dialects_read(const char *path)
{
    FILE *file = pd_open_list(path);
    if (!file)
        return PD_EIO;
    char *text = NULL;
    size_t room = 0, count = 0, line = 0;
    const size_t before = added.n;
    int status = PD_OK;
    for (ssize_t n; status == PD_OK && (n = getline(&text, &room, file)) >= 0;) {
        const size_t mark = ++line == 1 && strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        if (strlen(text) < (size_t)n || line > LINES_MOST)
            status = pd_fail(PD_EFORMAT, "%s:%zu: not a file of rows in UTF-8", path, line);
        else
            status = read_line(path, line, text + mark, added.n == before, &count);
    }
    if (status == PD_OK && added.n == before)
        status =
            pd_fail(PD_EFORMAT, "%s: no row in it: a vocabulary begins with 'root NAME'", path);
    free(text);
    fclose(file);
    return status;
}

/*
 * app/report/hide.c - names of other people in the texts of a page: see src/app/report/report.h
 *
 * A name is known by its parts: runs of letters or of digits in the name of a file or in the field
 * `author`. Parts that the document of the page has in its own name are nobody else's.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "app/like.h"
#include "pardup/base/hash.h"
#include "report.h"

enum {
    SHORT = 2,         /* letters: such a part is hidden beside another one only */
    DIGITS_LEAST = 4,  /* of a number */
    APART_MOST = 3,    /* bytes between two parts of one name */
    WIDE_FROM = 0x2E80 /* from here on, letters of scripts without blanks between words */
};

/* What a table of names says of a part. */
enum { PART_SHORT = 1, PART_LONG, PART_OWN };

/* A run of letters or of digits. */
struct run {
    size_t begin, end; /* bytes */
    size_t letters;    /* or digits */
    bool number, wide, small;
};

static bool in_run(utf8proc_int32_t c, bool number)
{
    const utf8proc_category_t kind = utf8proc_category(c);
    return number ? kind == UTF8PROC_CATEGORY_ND
                  : kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_ME;
}

/* Bytes of the character at s[0], n > 0; *c is its number, or 0 if it is broken. */
static size_t character(const unsigned char *s, size_t n, utf8proc_int32_t *c)
{
    const utf8proc_ssize_t bytes = utf8proc_iterate(s, (utf8proc_ssize_t)n, c);
    *c = bytes > 0 ? *c : 0;
    return bytes > 0 ? (size_t)bytes : 1;
}

/* The next run of s[0, n) from `at` on. False: there is none. */
static bool next_run(const unsigned char *s, size_t n, size_t at, struct run *run)
{
    utf8proc_int32_t c;
    for (size_t bytes; at < n; at += bytes) {
        bytes = character(s + at, n - at, &c);
        const bool number = in_run(c, true);
        if (!number && !in_run(c, false))
            continue;
        *run = (struct run){.begin = at, .number = number};
        run->small = utf8proc_category(c) == UTF8PROC_CATEGORY_LL;
        run->wide = !number && c >= WIDE_FROM;
        for (; at < n && in_run(c, number); run->letters++) {
            at += bytes;
            run->end = at;
            bytes = at < n ? character(s + at, n - at, &c) : 0;
        }
        return true;
    }
    return false;
}

/* What the folded text of a run is called in the table. */
static uint64_t key_of(const unsigned char *s, const struct run *run)
{
    char *folded = pd_like_fold((const char *)s + run->begin, run->end - run->begin);
    const uint64_t key =
        folded ? pd_hash_bytes((const unsigned char *)folded, strlen(folded)) : UINT64_MAX;
    free(folded);
    return key;
}

/* Take the parts of a name. `own`: it is the name of the document of the page. */
static void take(struct pd_report_page *r, const char *name, size_t n, bool own)
{
    const unsigned char *s = (const unsigned char *)name;
    struct run run;
    for (size_t at = 0; next_run(s, n, at, &run); at = run.end) {
        if (run.letters < (run.number ? DIGITS_LEAST : SHORT))
            continue;
        uint64_t *part = pd_hash_table_at(&r->names, key_of(s, &run));
        const bool is_long = run.number || run.wide || run.letters > SHORT;
        *part = own || *part == PART_OWN ? PART_OWN : is_long ? PART_LONG : PART_SHORT;
        if (run.wide && !own) {
            pd_bytes_append(&r->wide_names, s + run.begin, run.end - run.begin);
            pd_bytes_push(&r->wide_names, '\0');
        }
    }
}

int pd_report_learn_names(struct pd_report_page *r)
{
    static const char *const columns[] = {"id", "?meta", NULL};
    struct pd_table_reader t;
    struct pd_bytes author = {0};
    int status = pd_table_open(&t, r->result, "documents", columns);
    for (int own = 1; own >= 0; own--) /* its own name first */
        for (uint64_t row = 0; row < r->label.hidden && status >= 0; row++) {
            size_t n, meta_n;
            if ((row == r->only) != own)
                continue;
            status = pd_table_at(&t, row);
            if (status < 0)
                break;
            const char *id = pd_table_text(&t, 0, &n);
            const char *slash = memrchr(id, '/', n), *name = slash ? slash + 1 : id;
            take(r, name, n - (size_t)(name - id), own);
            const char *meta = pd_table_text(&t, 1, &meta_n);
            if (pd_table_has(&t, 1) && pd_kept_find(meta, meta_n, "author", &author))
                take(r, (const char *)author.v, author.n, own);
        }
    pd_table_close(&t);
    pd_bytes_release(&author);
    return status < 0 ? status : PD_OK;
}

static void blacken(unsigned char *s, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++)
        s[k] = s[k] == ' ' || s[k] == '\n' ? s[k] : '*';
}

/* Does a line "Name: ..." begin with the run? Then its end, else 0. */
static size_t end_of_name_line(const unsigned char *s, size_t n, const struct run *run)
{
    const size_t colon = run->end + (run->end < n && s[run->end] == ' ');
    if (run->end - run->begin != 4 || strncasecmp((const char *)s + run->begin, "name", 4) != 0 ||
        colon >= n || s[colon] != ':')
        return 0;
    const unsigned char *lf = memchr(s + colon, '\n', n - colon);
    return lf ? (size_t)(lf - s) : n;
}

/* Hide names of scripts without blanks between words. */
static void hide_wide(const struct pd_report_page *r, unsigned char *s, size_t n)
{
    const char *names = (const char *)r->wide_names.v;
    for (size_t at = 0; at < r->wide_names.n; at += strlen(names + at) + 1) {
        const size_t m = strlen(names + at);
        for (unsigned char *p = s; (p = memmem(p, n - (size_t)(p - s), names + at, m)); p += m)
            blacken(p, 0, m);
    }
}

/* Parts of names beside each other. */
struct group {
    size_t begin, end; /* bytes */
    size_t parts;
    bool sure; /* it has a part that stands for a person alone */
};

static void end_group(struct group *g, unsigned char *s, bool own)
{
    if (g->sure && g->parts >= (own ? 2 : 1))
        blacken(s, g->begin, g->end);
    *g = (struct group){0};
}

void pd_report_hide(const struct pd_report_page *r, uint64_t row, unsigned char *s, size_t n)
{
    const bool own = row == r->only;
    struct group g = {0};
    struct run run;
    if (row >= r->label.hidden)
        return;
    for (size_t at = 0; next_run(s, n, at, &run); at = run.end) {
        const size_t line = own ? 0 : end_of_name_line(s, n, &run);
        const uint64_t part = run.small ? 0 : pd_hash_table_get(&r->names, key_of(s, &run));
        if (line) {
            blacken(s, run.end + 1, line);
            run.end = line;
        }
        if (g.parts &&
            (run.begin - g.end > APART_MOST || memchr(s + g.end, '\n', run.begin - g.end)))
            end_group(&g, s, own);
        if (part != PART_SHORT && part != PART_LONG) {
            end_group(&g, s, own);
            continue;
        }
        g.begin = g.parts++ ? g.begin : run.begin;
        g.end = run.end;
        g.sure |= part == PART_LONG;
    }
    end_group(&g, s, own);
    hide_wide(r, s, n);
}

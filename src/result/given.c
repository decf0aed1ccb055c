/* result/given.c - see include/pardup/result/given.h */
#include "pardup/result/given.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/plain.h"
#include "pardup/result/table.h"

enum {
    FOLDERS = 32,         /* the last folders of an id that a name may have */
    ENDING = 10,          /* letters of an ending at most */
    COMPOSED_MOST = 4096, /* bytes: a longer text is compared as it is */
    NAME_ROOM = 120       /* bytes of a name in a message */
};

/* ---- spellings ---- */

static bool is_ascii(const char *s, size_t n)
{
    while (n > 0 && (unsigned char)s[n - 1] < 0x80)
        n--;
    return n == 0;
}

/* The text in NFC, NUL at its end, to be freed; NULL: it is no UTF-8, or too long. */
static char *compose(const char *s, size_t n)
{
    utf8proc_uint8_t *to = NULL;
    if (n > COMPOSED_MOST)
        return NULL;
    if (utf8proc_map((const utf8proc_uint8_t *)s, (utf8proc_ssize_t)n, &to,
                     UTF8PROC_STABLE | UTF8PROC_COMPOSE) < 0)
        return NULL;
    return (char *)to;
}

void pd_given_open(struct pd_given *g, const struct pd_names *ids)
{
    *g = (struct pd_given){.ids = ids};
    pd_bytes_append(&g->texts, "", 1);
    for (uint64_t k = 0; k < ids->names.n; k++) {
        const struct pd_name *name = &ids->names.v[k];
        const char *s = (const char *)ids->text.v + name->at;
        const size_t dot = name->n > 2 && memcmp(s, "./", 2) == 0 ? 2 : 0;
        char *composed = is_ascii(s, name->n) ? NULL : compose(s + dot, name->n - dot);
        if (composed)
            pd_names_put(&g->forms, composed, strlen(composed), k);
        if (dot)
            pd_names_put(&g->forms, s + dot, name->n - dot, k);
        free(composed);
        pd_fit_list_push(&g->fit, (struct pd_fit){.exact = false});
    }
}

/* The number of the name that is the text, in one of its spellings. */
static uint64_t look(const struct pd_given *g, const char *s, size_t n)
{
    uint64_t found = pd_names_find_plain(g->ids, s, n, UINT64_MAX);
    if (found == UINT64_MAX && g->forms.names.n)
        found = pd_names_find(&g->forms, s, n, UINT64_MAX);
    const bool other = found == UINT64_MAX && g->forms.names.n && !is_ascii(s, n);
    char *composed = other ? compose(s, n) : NULL;
    if (composed)
        found = pd_names_find(&g->forms, composed, strlen(composed), UINT64_MAX);
    free(composed);
    return found;
}

/* ---- names of files ---- */

/* Bytes of s[0, n) without the ending of a packed file. */
static size_t without_packing(const char *s, size_t n)
{
    static const char *const endings[] = {".gz", ".zst", ".bz2", ".xz", ".lz4", ".Z", ".br"};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        const size_t m = strlen(endings[k]);
        if (n > m && memcmp(s + n - m, endings[k], m) == 0)
            return n - m;
    }
    return n;
}

/* Bytes of s[0, n) without its ending, which begins with a dot inside the last part of a path. */
static size_t without_ending(const char *s, size_t n)
{
    for (size_t m = n; m > 1 && n - m <= ENDING && s[m - 1] != '/'; m--)
        if (s[m - 1] == '.' && m < n && s[m - 2] != '/')
            return m - 1;
    return n;
}

/* Keep the id of a document. Returns where it begins. */
static size_t keep(struct pd_given *g, const char *id, size_t n)
{
    const size_t at = g->texts.n;
    pd_bytes_append(&g->texts, id, n);
    pd_bytes_append(&g->texts, "", 1);
    return at;
}

/* A name may be s[0, n), a part of the id id[0, id_n). */
static void see_part(struct pd_given *g, const char *s, size_t n, const char *id, size_t id_n)
{
    const uint64_t k = look(g, s, n);
    if (k == UINT64_MAX || g->fit.v[k].at[1])
        return;
    struct pd_fit *fit = &g->fit.v[k];
    const char *first = (const char *)g->texts.v + fit->at[0];
    if (fit->at[0] && strlen(first) == id_n && memcmp(first, id, id_n) == 0)
        return; /* another document with the same id */
    fit->at[fit->at[0] > 0] = keep(g, id, id_n);
}

void pd_given_show(struct pd_given *g, const char *id, size_t n)
{
    if (g->example.n > 0)
        return;
    pd_bytes_append(&g->example, id, n);
    pd_bytes_append(&g->example, "", 1);
}

void pd_given_see(struct pd_given *g, const char *id, size_t n, const char *url, size_t url_n)
{
    const size_t unpacked = without_packing(id, n), bare = without_ending(id, unpacked);
    const uint64_t k = look(g, id, n);
    const uint64_t page = url_n ? pd_names_find_plain(g->ids, url, url_n, UINT64_MAX) : UINT64_MAX;
    pd_given_show(g, id, n);
    if (k != UINT64_MAX)
        g->fit.v[k].exact = true;
    if (page != UINT64_MAX)
        pd_name_list_push(&g->pages,
                          (struct pd_name){.number = page, .at = keep(g, id, n), .n = n});
    size_t from = n;
    for (int folders = 0; folders < FOLDERS && from > 0; folders++) {
        for (from -= from > 0; from > 0 && id[from - 1] != '/'; from--)
            ;
        if (from > 0)
            see_part(g, id + from, n - from, id, n);
        if (unpacked > from && unpacked < n)
            see_part(g, id + from, unpacked - from, id, n);
        if (bare > from && bare < unpacked)
            see_part(g, id + from, bare - from, id, n);
    }
}

/* A name as messages show it. */
static const char *name_of(const struct pd_given *g, uint64_t k, char room[NAME_ROOM])
{
    const struct pd_name *name = &g->ids->names.v[k];
    pd_plain_line(room, NAME_ROOM, (const char *)g->ids->text.v + name->at, name->n);
    return room;
}

static const char *id_at(const struct pd_bytes *texts, size_t at, char room[NAME_ROOM])
{
    const char *id = texts->n > at ? (const char *)texts->v + at : "";
    pd_plain_line(room, NAME_ROOM, id, strlen(id));
    return room;
}

int pd_given_see_table(struct pd_given *g, struct pd_result *result, const char *table)
{
    static const char *const columns[] = {"id", "?url", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, result, table, columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        size_t n, url_n = 0;
        const char *id = pd_table_text(&t, 0, &n), *url = pd_table_text(&t, 1, &url_n);
        pd_given_see(g, id, n, url, url_n);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

void pd_given_settle(struct pd_given *g)
{
    for (size_t p = 0; p < g->pages.n; p++) {
        const struct pd_name *page = &g->pages.v[p];
        if (g->fit.v[page->number].exact)
            continue;
        pd_names_put(&g->fits, (const char *)g->texts.v + page->at, page->n, page->number);
        g->fit.v[page->number].at[0] = g->fit.v[page->number].at[1] = 0;
    }
    for (uint64_t k = 0; k < g->fit.n; k++) {
        const struct pd_fit *fit = &g->fit.v[k];
        const char *id = (const char *)g->texts.v + fit->at[0];
        if (!fit->exact && fit->at[0] && !fit->at[1])
            pd_names_put(&g->fits, id, strlen(id), k);
    }
}

void pd_given_share(const struct pd_comm *c, struct pd_given *g)
{
    struct pd_bytes all = {0};
    for (size_t k = 0; c->rank == 0 && k < g->fits.names.n; k++) {
        const struct pd_name *fit = &g->fits.names.v[k];
        pd_bytes_append(&all, (const unsigned char *)&fit->number, sizeof fit->number);
        pd_bytes_append(&all, g->fits.text.v + fit->at, fit->n + 1);
    }
    pd_comm_share(c, &all);
    for (size_t at = 0; c->rank != 0 && at < all.n;) {
        uint64_t number;
        memcpy(&number, all.v + at, sizeof number);
        const char *id = (const char *)all.v + at + sizeof number;
        pd_names_put(&g->fits, id, strlen(id), number);
        at += sizeof number + strlen(id) + 1;
    }
    pd_bytes_release(&all);
}

int pd_given_check(const struct pd_given *g, const char *whose, const uint64_t *found)
{
    char name[NAME_ROOM], first[NAME_ROOM], second[NAME_ROOM];
    for (uint64_t k = 0; k < g->fit.n; k++) {
        const struct pd_fit *fit = &g->fit.v[k];
        if (!fit->exact && fit->at[1] && !(found && found[k]))
            return pd_fail(PD_EFORMAT,
                           "%s: %s may be %s or %s: give more of the path, or the whole id", whose,
                           name_of(g, k, name), id_at(&g->texts, fit->at[0], first),
                           id_at(&g->texts, fit->at[1], second));
    }
    return PD_OK;
}

uint64_t pd_given_find(const struct pd_given *g, const char *id, size_t n, uint64_t none)
{
    const uint64_t found = look(g, id, n);
    return found != UINT64_MAX ? found : pd_names_find(&g->fits, id, n, none);
}

uint64_t pd_given_find_page(const struct pd_given *g, const char *id, size_t n, const char *url,
                            size_t url_n, uint64_t none)
{
    const uint64_t found = pd_given_find(g, id, n, none);
    return found == none && url_n > 0 ? pd_names_find_plain(g->ids, url, url_n, none) : found;
}

void pd_given_tell(const struct pd_given *g, const char *whose)
{
    char name[NAME_ROOM], id[NAME_ROOM];
    if (g->fits.names.n)
        pd_log(PD_LOG_INFO, "%s: %zu name%s of files, the first is %s for %s", whose,
               g->fits.names.n, pd_plural(g->fits.names.n),
               name_of(g, g->fits.names.v[0].number, name),
               id_at(&g->fits.text, g->fits.names.v[0].at, id));
}

int pd_given_none(const struct pd_comm *c, struct pd_given *g, const char *whose,
                  uint64_t documents)
{
    char name[NAME_ROOM], id[NAME_ROOM];
    struct pd_bytes all = {0};
    if (c)
        pd_comm_gather(c, g->example.v, g->example.n, &all);
    else
        pd_bytes_append(&all, g->example.v, g->example.n);
    const int status =
        pd_fail(PD_EFORMAT,
                "%s: none of its %zu id%s is that of one of the %llu document%s: %s "
                "is one of its ids, %s one of theirs",
                whose, g->ids->names.n, pd_plural(g->ids->names.n), (unsigned long long)documents,
                pd_plural(documents), name_of(g, 0, name), id_at(&all, 0, id));
    pd_bytes_release(&all);
    return status;
}

void pd_given_release(struct pd_given *g)
{
    PD_RELEASE(pd_names, &g->forms, &g->fits);
    pd_fit_list_release(&g->fit);
    pd_name_list_release(&g->pages);
    PD_RELEASE(pd_bytes, &g->texts, &g->example);
}

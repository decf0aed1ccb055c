/* run/dedup/groups.c - see run/dedup/groups.h; also what the summary and the terminal say of them. */
#include "run/dedup/groups.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/corpus/kept.h"
#include "run/dedup/write.h"

enum {
    SAID = 6, /* lines on the terminal */
    ROOM = 64 /* bytes of a name there */
};

const char *pd_dedup_by(const struct pd_dedup *d)
{
    return d->options->dedup.by ? d->options->dedup.by : "file";
}

int pd_grouping_open(struct pd_grouping *g, struct pd_dedup *d, const char *by)
{
    *g = (struct pd_grouping){.d = d, .by = by};
    if (strcmp(by, "file") == 0)
        return PD_OK;
    g->field = strncmp(by, "field:", 6) == 0 ? by + 6 : NULL;
    g->columns[0] = g->field ? "meta" : "host";
    if (!pd_result_has(d->result, "documents", g->columns[0]))
        return pd_fail(PD_EFORMAT, "--by %s: %s has no /documents/%s: run detect again", by,
                       pd_result_path(d->result), g->columns[0]);
    return pd_table_open(&g->t, d->result, "documents", g->columns);
}

void pd_grouping_close(struct pd_grouping *g)
{
    pd_table_close(&g->t);
    pd_bytes_release(&g->value);
}

int pd_group_name(struct pd_grouping *g, uint64_t doc, const char **name, size_t *n)
{
    const struct pd_dedup *d = g->d;
    if (!g->columns[0]) {
        while (doc >= d->files[g->file].last)
            g->file++;
        *name = d->files[g->file].path;
        *n = strlen(*name);
        return PD_OK;
    }
    PD_TRY(pd_table_at(&g->t, doc));
    *name = pd_table_text(&g->t, 0, n);
    if (!g->field)
        return PD_OK;
    const bool found = pd_kept_find(*name, *n, g->field, &g->value);
    *name = (const char *)g->value.v;
    *n = found ? g->value.n : 0;
    return PD_OK;
}

static int count_document(struct pd_changes *c, uint64_t doc, struct pd_group *group)
{
    const struct pd_changed *w;
    uint64_t words, bytes;
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_WORDS, doc, &words));
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_TEXT_BYTES, doc, &bytes));
    PD_TRY(pd_changes_of(c, doc, &w));
    group->documents++;
    group->words += words;
    group->bytes += bytes;
    if (!w)
        return PD_OK;
    group->whole += w->gone;
    group->changed += !w->gone;
    group->words_gone += w->gone ? w->w.nwords : 0;
    group->bytes_gone += w->gone ? bytes : 0;
    PD_TRY(w->gone ? PD_OK : pd_changes_removals(c, w));
    for (size_t k = 0; k < c->removals.n && !w->gone; k++) {
        group->words_gone += c->removals.v[k].words;
        group->bytes_gone += c->removals.v[k].lost;
    }
    return PD_OK;
}

int pd_groups_count(struct pd_groups *groups, struct pd_grouping *g)
{
    struct pd_changes changes = {.d = g->d};
    int status = PD_OK;
    for (uint64_t doc = 0; doc < g->d->targets && status >= 0; doc++) {
        const char *name;
        size_t n;
        status = pd_group_name(g, doc, &name, &n);
        if (status < 0 || n == 0)
            continue;
        const uint64_t at = pd_names_put(&groups->names, name, n, groups->v.n);
        if (at == groups->v.n)
            pd_group_list_push(&groups->v, (struct pd_group){.documents = 0});
        status = count_document(&changes, doc, &groups->v.v[at]);
    }
    pd_changes_release(&changes);
    return status;
}

void pd_groups_release(struct pd_groups *groups)
{
    pd_names_release(&groups->names);
    pd_group_list_release(&groups->v);
}

/* ---- what the summary says ---- */

/* A group and its name, to be sorted. */
struct named {
    const char *name;
    const struct pd_group *group;
};

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct named *)x)->name, ((const struct named *)y)->name);
}

static uint64_t loss_of(const struct pd_group *g)
{
    return g->words ? g->words_gone : g->bytes_gone;
}

static int most_first(const void *x, const void *y)
{
    const uint64_t a = loss_of(((const struct named *)x)->group);
    const uint64_t b = loss_of(((const struct named *)y)->group);
    return a != b ? (a > b ? -1 : 1) : by_name(x, y);
}

/* The groups in an order; to be freed. */
static struct named *sort_groups(const struct pd_groups *groups,
                                 int (*order)(const void *, const void *))
{
    struct named *v = pd_realloc(NULL, groups->v.n + 1, sizeof *v);
    for (size_t k = 0; k < groups->v.n; k++)
        v[k] = (struct named){pd_groups_name(groups, k), &groups->v.v[k]};
    qsort(v, groups->v.n, sizeof *v, order);
    return v;
}

static void print_group(const struct pd_dedup *d, const char *key, const struct named *x,
                        struct pd_bytes *to)
{
    const struct pd_group *g = x->group;
    pd_bytes_print(to, "{\"%s\":", key);
    pd_json_quote(to, x->name, strlen(x->name));
    pd_bytes_print(to, ",\"documents\":{\"before\":%llu,\"after\":%llu,\"changed\":%llu}",
                   pd_ull(g->documents), pd_ull(g->documents - g->whole), pd_ull(g->changed));
    if (d->has_words)
        pd_bytes_print(to, ",\"words\":{\"before\":%llu,\"after\":%llu}", pd_ull(g->words),
                       pd_ull(g->words - g->words_gone));
    pd_bytes_print(to, "}");
}

/* Append a list of the groups that lose text, by name. */
static int print_groups(struct pd_dedup *d, const char *by, const char *list, const char *key,
                        struct pd_bytes *to)
{
    struct pd_grouping g;
    struct pd_groups groups = {0};
    uint64_t shown = 0;
    int status = pd_grouping_open(&g, d, by);
    PD_THEN(status, pd_groups_count(&groups, &g));
    struct named *v = sort_groups(&groups, by_name);
    pd_bytes_print(to, ",\"%s\":[", list);
    for (size_t k = 0; k < groups.v.n; k++)
        if (v[k].group->whole || v[k].group->changed) {
            pd_bytes_print(to, "%s\n", shown++ ? "," : "");
            print_group(d, key, &v[k], to);
        }
    pd_bytes_print(to, "]");
    free(v);
    pd_groups_release(&groups);
    pd_grouping_close(&g);
    return status;
}

int pd_dedup_print_groups(struct pd_dedup *d, struct pd_bytes *to)
{
    const char *by = pd_dedup_by(d);
    if (pd_result_has(d->result, "documents", "host"))
        PD_TRY(print_groups(d, "host", "hosts", "host", to));
    return strncmp(by, "field:", 6) == 0 ? print_groups(d, by, "values", "value", to) : PD_OK;
}

/* ---- what the terminal says ---- */

static void say_group(const struct pd_dedup *d, const char *name, const struct pd_group *g)
{
    const uint64_t all = d->has_words ? g->words : g->bytes;
    const uint64_t gone = d->has_words ? g->words_gone : g->bytes_gone;
    char line[ROOM];
    pd_plain_line(line, sizeof line, name, strlen(name));
    pd_log(PD_LOG_INFO, "    %s: %s of %s %s (%.2f %%), %s of %s documents", line, pd_grouped(gone),
           pd_grouped(all), d->has_words ? "words" : "bytes",
           all ? 100 * (double)gone / (double)all : 0, pd_grouped(g->whole),
           pd_grouped(g->documents));
}

int pd_dedup_say_groups(struct pd_dedup *d)
{
    struct pd_grouping g;
    struct pd_groups groups = {0};
    if (!d->options->dedup.by)
        return PD_OK;
    int status = pd_grouping_open(&g, d, d->options->dedup.by);
    PD_THEN(status, pd_groups_count(&groups, &g));
    struct named *v = sort_groups(&groups, most_first);
    const size_t said = groups.v.n <= SAID ? groups.v.n : SAID - 1;
    struct pd_group others = {0};
    char name[ROOM];
    if (status >= 0)
        pd_log(PD_LOG_INFO, "  lost, by %s", g.by);
    for (size_t k = 0; k < said && status >= 0; k++)
        say_group(d, v[k].name, v[k].group);
    for (size_t k = said; k < groups.v.n; k++)
        for (size_t at = 0; at < sizeof others / sizeof(uint64_t); at++)
            ((uint64_t *)(void *)&others)[at] += ((const uint64_t *)(const void *)v[k].group)[at];
    snprintf(name, sizeof name, "%s others", pd_grouped(groups.v.n - said));
    if (said < groups.v.n && status >= 0)
        say_group(d, name, &others);
    free(v);
    pd_groups_release(&groups);
    pd_grouping_close(&g);
    return status;
}

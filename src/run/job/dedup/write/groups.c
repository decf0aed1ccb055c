/*
 * run/job/dedup/write/groups.c - documents by their file, host or value of a field, and what they
 * lose: for the summary, the terminal, and --max-loss.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/base/sort.h"
#include "pardup/corpus/kept.h"
#include "pardup/result/names.h"
#include "run/job/dedup/write/write.h"

enum {
    SAID = 6,       /* lines on the terminal */
    SAID_ROOM = 64, /* bytes of a name there */
    BLAMED = 3,     /* families that are named for a group that loses too much */
    ROOM = 256      /* bytes of a name that is printed */
};

/* How the documents are grouped. */
struct grouping {
    struct pd_dedup *d;
    const char *by;         /* as the user has said it */
    const char *columns[2]; /* of /documents; NULL: the groups are files */
    const char *field;      /* of /documents/meta; NULL: the column is the name */
    struct pd_table_reader t;
    uint64_t file; /* of the document that was asked for last */
    struct pd_bytes value;
};

/* The documents of one group. */
struct group {
    uint64_t documents, whole, changed;
    uint64_t words, words_gone; /* 0 if the result does not say it */
    uint64_t bytes, bytes_gone; /* of text; white space counts where it was (changed.h) */
};
PD_VEC(group_list, struct group);

struct groups {
    struct pd_names names; /* numbered by the first documents of the groups */
    struct group_list v;
};

/* The name of a group, ended by NUL. */
static inline const char *name_of_group(const struct groups *groups, size_t k)
{
    return (const char *)groups->names.text.v + groups->names.names.v[k].at;
}

const char *pd_dedup_by(const struct pd_dedup *d)
{
    return d->options->dedup.by ? d->options->dedup.by : "file";
}

/* `by` is file, host or field:NAME. PD_OK, PD_EIO or PD_EFORMAT (the result does not say it). */
static int grouping_open(struct grouping *g, struct pd_dedup *d, const char *by)
{
    *g = (struct grouping){.d = d, .by = by};
    if (strcmp(by, "file") == 0)
        return PD_OK;
    g->field = strncmp(by, "field:", 6) == 0 ? by + 6 : NULL;
    g->columns[0] = g->field ? "meta" : "host";
    if (!pd_result_has(d->result, "documents", g->columns[0]))
        return pd_fail(PD_EFORMAT, "--by %s: %s has no /documents/%s: run detect again", by,
                       pd_result_path(d->result), g->columns[0]);
    return pd_table_open(&g->t, d->result, "documents", g->columns);
}

/* The name of the group of a document; *n is 0 if it is in no group. Ask in ascending order. */
static int group_name(struct grouping *g, uint64_t doc, const char **name, size_t *n)
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

static int count_document(struct pd_changes *c, uint64_t doc, struct group *group)
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

/* Count the documents that may lose text, by groups. PD_OK or a failure; to be released in any case. */
static int groups_count(struct groups *groups, struct grouping *g, struct pd_dedup *d,
                        const char *by)
{
    struct pd_changes changes = {.d = d};
    int status = grouping_open(g, d, by);
    for (uint64_t doc = 0; doc < d->targets && status >= 0; doc++) {
        const char *name;
        size_t n;
        status = group_name(g, doc, &name, &n);
        if (status < 0 || n == 0)
            continue;
        const uint64_t at = pd_names_put(&groups->names, name, n, groups->v.n);
        if (at == groups->v.n)
            group_list_push(&groups->v, (struct group){.documents = 0});
        status = count_document(&changes, doc, &groups->v.v[at]);
    }
    pd_changes_release(&changes);
    return status;
}

static void groups_release(struct groups *groups, struct grouping *g)
{
    pd_names_release(&groups->names);
    group_list_release(&groups->v);
    pd_table_close(&g->t);
    pd_bytes_release(&g->value);
}

/* ---- what the summary says ---- */

/* A group and its name, to be sorted. */
struct named {
    const char *name;
    const struct group *group;
};

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct named *)x)->name, ((const struct named *)y)->name);
}

static uint64_t loss_of(const struct group *g) { return g->words ? g->words_gone : g->bytes_gone; }

static int most_first(const void *x, const void *y)
{
    const uint64_t a = loss_of(((const struct named *)x)->group);
    const uint64_t b = loss_of(((const struct named *)y)->group);
    return a != b ? (a > b ? -1 : 1) : by_name(x, y);
}

/* The groups in an order; to be freed. */
static struct named *sort_groups(const struct groups *groups,
                                 int (*order)(const void *, const void *))
{
    struct named *v = pd_realloc(NULL, groups->v.n + 1, sizeof *v);
    for (size_t k = 0; k < groups->v.n; k++)
        v[k] = (struct named){name_of_group(groups, k), &groups->v.v[k]};
    qsort(v, groups->v.n, sizeof *v, order);
    return v;
}

static void print_group(const struct pd_dedup *d, const char *key, const struct named *x,
                        struct pd_bytes *to)
{
    const struct group *g = x->group;
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
    struct grouping g;
    struct groups groups = {0};
    uint64_t shown = 0;
    int status = groups_count(&groups, &g, d, by);
    struct named *v = sort_groups(&groups, by_name);
    pd_bytes_print(to, ",\"%s\":[", list);
    for (size_t k = 0; k < groups.v.n; k++)
        if (v[k].group->whole || v[k].group->changed) {
            pd_bytes_print(to, "%s\n", shown++ ? "," : "");
            print_group(d, key, &v[k], to);
        }
    pd_bytes_print(to, "]");
    free(v);
    groups_release(&groups, &g);
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

static void say_group(const struct pd_dedup *d, const char *name, const struct group *g)
{
    const uint64_t all = d->has_words ? g->words : g->bytes;
    const uint64_t gone = d->has_words ? g->words_gone : g->bytes_gone;
    char line[SAID_ROOM];
    pd_plain_line(line, sizeof line, name, strlen(name));
    pd_log(PD_LOG_INFO, "    %s: %s of %s %s (%.2f %%), %s of %s documents", line, pd_grouped(gone),
           pd_grouped(all), d->has_words ? "words" : "bytes",
           all ? 100 * (double)gone / (double)all : 0, pd_grouped(g->whole),
           pd_grouped(g->documents));
}

int pd_dedup_say_groups(struct pd_dedup *d)
{
    struct grouping g;
    struct groups groups = {0};
    if (!d->options->dedup.by)
        return PD_OK;
    int status = groups_count(&groups, &g, d, d->options->dedup.by);
    struct named *v = sort_groups(&groups, most_first);
    const size_t said = groups.v.n <= SAID ? groups.v.n : SAID - 1;
    struct group others = {0};
    char name[SAID_ROOM];
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
    groups_release(&groups, &g);
    return status;
}

/* ---- --max-loss: no group may lose too much of its text ---- */

/* ---- the families that did it ---- */

/* Bytes that a group loses to a family, or without families to the document that keeps them. */
struct blame {
    uint64_t key, kept; /* family or kept document; a kept document of the family */
    uint64_t place;     /* of `kept` */
    uint64_t bytes;
};
PD_VEC(blames, struct blame);

static int most_blamed_first(const void *x, const void *y)
{
    const struct blame *a = x, *b = y;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

/* The families that make a group lose text, the family with most of it first. */
static int find_blame(struct grouping *g, struct pd_changes *c, const struct pd_name *group,
                      const char *names, struct blames *found)
{
    struct pd_dedup *d = g->d;
    const struct pd_changed *w;
    struct pd_worded kept;
    const char *name;
    size_t n, sums = 0;
    g->file = 0;
    int status = pd_changes_seek(c, 0);
    while (status >= 0 && (status = pd_changes_next(c, UINT64_MAX, &w)) == PD_OK) {
        PD_TRY(group_name(g, w->doc, &name, &n));
        if (n != group->n || memcmp(name, names + group->at, n) != 0)
            continue;
        PD_TRY(pd_changes_removals(c, w));
        for (size_t k = 0; k < c->removals.n; k++) {
            const struct pd_removal *r = &c->removals.v[k];
            if (d->has_families && r->row == PD_NO_PASSAGE)
                continue;
            PD_TRY(pd_dedup_worded(d, r->kept, &kept));
            blames_push(found, (struct blame){d->has_families ? r->family : kept.doc, kept.doc,
                                              r->kept, r->lost});
        }
    }
    PD_TRY(status);
    pd_sort_records(found->v, found->n, 4, 2);
    for (size_t k = 0; k < found->n; k++) {
        if (sums > 0 && found->v[sums - 1].key == found->v[k].key)
            found->v[sums - 1].bytes += found->v[k].bytes;
        else
            found->v[sums++] = found->v[k];
    }
    found->n = sums;
    if (sums)
        qsort(found->v, sums, sizeof *found->v, most_blamed_first);
    return PD_OK;
}

/* Write the first families to list[0, room). */
static int list_blame(struct pd_dedup *d, const struct blames *found, char *list, size_t room)
{
    struct pd_bytes kept = {0};
    char id[ROOM - 100], family[40] = "";
    int status = PD_OK;
    *list = '\0';
    for (size_t k = 0; k < found->n && k < BLAMED && status >= 0; k++) {
        struct pd_worded w;
        status = pd_dedup_worded(d, found->v[k].place, &w);
        PD_THEN(status, pd_dedup_id(d, &w, &kept));
        if (status < 0)
            break;
        pd_plain_line(id, sizeof id, (const char *)kept.v, kept.n);
        if (d->has_families)
            snprintf(family, sizeof family, "family %llu of ", pd_ull(found->v[k].key));
        const size_t at = strlen(list);
        snprintf(list + at, room - at, "%s%s%s (%llu bytes)", k ? ", " : "", family, id,
                 pd_ull(found->v[k].bytes));
    }
    pd_bytes_release(&kept);
    return status;
}

/* Refuse the group with this number. `more` others lose too much as well. */
static int refuse(struct grouping *g, const struct groups *groups, size_t k, size_t more)
{
    const struct pd_name *group = &groups->names.names.v[k];
    const struct group *loss = &groups->v.v[k];
    struct pd_changes changes = {.d = g->d};
    struct blames found = {0};
    char list[BLAMED * ROOM + 1], name[ROOM], others[60] = "";
    int status = find_blame(g, &changes, group, (const char *)groups->names.text.v, &found);
    PD_THEN(status, list_blame(g->d, &found, list, sizeof list));
    blames_release(&found);
    pd_changes_release(&changes);
    if (status < 0)
        return status;
    pd_plain_line(name, sizeof name, name_of_group(groups, k), group->n);
    if (more)
        snprintf(others, sizeof others, " (so would %zu more)", more);
    return pd_fail(PD_EFULL,
                   "%s%s%s: would lose %.1f %% of its text, more than --max-loss allows%s; most is "
                   "in: %s%s; nothing is written",
                   g->field        ? g->field
                   : g->columns[0] ? g->columns[0]
                                   : "",
                   g->columns[0] ? " " : "", name,
                   100 * (double)loss->bytes_gone / (double)loss->bytes, others, list,
                   g->d->has_families ? " (show --family N)" : "");
}

/* Refuse the first group that loses too much. */
static int judge(struct grouping *g, const struct groups *groups)
{
    size_t first = 0, many = 0;
    for (size_t k = 0; k < groups->v.n; k++) {
        const struct group *x = &groups->v.v[k];
        if ((double)x->bytes_gone > g->d->options->dedup.max_loss * (double)x->bytes && many++ == 0)
            first = k;
    }
    return many ? refuse(g, groups, first, many - 1) : PD_OK;
}

int pd_dedup_check_loss(struct pd_dedup *d)
{
    struct grouping g;
    struct groups groups = {0};
    if (d->options->dedup.max_loss >= 1 && !d->options->dedup.by)
        return PD_OK;
    int status = groups_count(&groups, &g, d, pd_dedup_by(d));
    if (status >= 0 && groups.v.n == 0 && d->targets > 0)
        status = pd_fail(PD_EFORMAT, "--by %s: no document has it in /documents/%s%s%s", g.by,
                         g.columns[0], g.field ? ": run detect with --keep-fields " : "",
                         g.field ? g.field : "");
    PD_THEN(status, judge(&g, &groups));
    groups_release(&groups, &g);
    return status;
}

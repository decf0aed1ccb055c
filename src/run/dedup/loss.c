/* run/dedup/loss.c - --max-loss: no file, host or value of a field may lose too much of its text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/plain.h"
#include "pardup/base/sort.h"
#include "pardup/corpus/kept.h"
#include "pardup/result/names.h"
#include "run/dedup/write.h"

enum {
    BLAMED = 3, /* families that are named for a group that loses too much */
    ROOM = 256  /* bytes of a name that is printed */
};

/* How the documents are grouped, and the names of the groups of some documents. */
struct grouping {
    struct pd_dedup *d;
    const char *columns[2]; /* of /documents; NULL: the groups are files */
    const char *field;      /* of /documents/meta; NULL: the column is the name */
    struct pd_table_reader t;
    uint64_t file; /* of the document that was asked for last */
    struct pd_bytes value;
};

/* The documents of one group. */
struct group {
    uint64_t lost, all; /* bytes of text */
};
PD_VEC(groups, struct group);

static int grouping_open(struct grouping *g, struct pd_dedup *d)
{
    const char *of = d->options->dedup.max_loss_of;
    *g = (struct grouping){.d = d};
    if (strcmp(of, "file") == 0)
        return PD_OK;
    g->field = strncmp(of, "field:", 6) == 0 ? of + 6 : NULL;
    g->columns[0] = g->field ? "meta" : "host";
    if (!pd_result_has(d->result, "documents", g->columns[0]))
        return pd_fail(PD_EFORMAT, "--max-loss-of %s: %s has no /documents/%s: run detect again",
                       of, pd_result_path(d->result), g->columns[0]);
    return pd_table_open(&g->t, d->result, "documents", g->columns);
}

static void grouping_close(struct grouping *g)
{
    pd_table_close(&g->t);
    pd_bytes_release(&g->value);
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

static int count_loss(struct pd_changes *c, uint64_t doc, struct group *group)
{
    const struct pd_changed *w;
    uint64_t bytes;
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_TEXT_BYTES, doc, &bytes));
    PD_TRY(pd_changes_of(c, doc, &w));
    group->all += bytes;
    if (w && w->gone)
        group->lost += bytes;
    if (!w || w->gone)
        return PD_OK;
    PD_TRY(pd_changes_removals(c, w));
    for (size_t k = 0; k < c->removals.n; k++)
        group->lost += c->removals.v[k].lost;
    return PD_OK;
}

/* Count what each group loses. Groups are numbered by their first documents. */
static int count_losses(struct grouping *g, struct pd_changes *c, struct pd_names *names,
                        struct groups *groups)
{
    const char *name;
    size_t n;
    for (uint64_t doc = 0; doc < g->d->targets; doc++) {
        PD_TRY(group_name(g, doc, &name, &n));
        if (n == 0)
            continue;
        const uint64_t at = pd_names_put(names, name, n, groups->n);
        if (at == groups->n)
            groups_push(groups, (struct group){0, 0});
        PD_TRY(count_loss(c, doc, &groups->v[at]));
    }
    if (groups->n == 0 && g->d->targets > 0)
        return pd_fail(PD_EFORMAT, "--max-loss-of %s: no document has it in /documents/%s%s%s",
                       g->d->options->dedup.max_loss_of, g->columns[0],
                       g->field ? ": run detect with --keep-fields " : "",
                       g->field ? g->field : "");
    return PD_OK;
}

/* ---- the families that did it ---- */

/* Bytes that a group loses to a family, or without families to the document that keeps them. */
struct blame {
    uint64_t key, kept; /* family or kept document; a kept document of the family */
    uint64_t place;     /* of `kept` */
    uint64_t bytes;
};
PD_VEC(blames, struct blame);

static int most_first(const void *x, const void *y)
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
        qsort(found->v, sums, sizeof *found->v, most_first);
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
        if (status >= 0)
            status = pd_dedup_id(d, &w, &kept);
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

static int refuse(struct grouping *g, struct pd_changes *c, const struct pd_name *group,
                  const char *names, const struct group *loss, size_t more)
{
    struct blames found = {0};
    char list[BLAMED * ROOM + 1], name[ROOM], others[60] = "";
    int status = find_blame(g, c, group, names, &found);
    if (status >= 0)
        status = list_blame(g->d, &found, list, sizeof list);
    blames_release(&found);
    if (status < 0)
        return status;
    pd_plain_line(name, sizeof name, names + group->at, group->n);
    if (more)
        snprintf(others, sizeof others, " (so would %zu more)", more);
    return pd_fail(PD_EFULL,
                   "%s%s%s: would lose %.1f %% of its text, more than --max-loss allows%s; most is "
                   "in: %s%s; nothing is written",
                   g->field        ? g->field
                   : g->columns[0] ? g->columns[0]
                                   : "",
                   g->columns[0] ? " " : "", name, 100 * (double)loss->lost / (double)loss->all,
                   others, list, g->d->has_families ? " (show --family N)" : "");
}

/* Refuse the first group that loses too much. */
static int judge(struct grouping *g, struct pd_changes *c, const struct pd_names *names,
                 const struct groups *groups)
{
    size_t first = 0, many = 0;
    for (size_t k = 0; k < groups->n; k++) {
        const struct group *x = &groups->v[k];
        if ((double)x->lost > g->d->options->dedup.max_loss * (double)x->all && many++ == 0)
            first = k;
    }
    return many ? refuse(g, c, &names->names.v[first], (const char *)names->text.v,
                         &groups->v[first], many - 1)
                : PD_OK;
}

int pd_dedup_check_loss(struct pd_dedup *d)
{
    struct grouping g;
    struct pd_names names = {0};
    struct groups groups = {0};
    struct pd_changes changes = {.d = d};
    if (d->options->dedup.max_loss >= 1)
        return PD_OK;
    int status = grouping_open(&g, d);
    if (status >= 0)
        status = count_losses(&g, &changes, &names, &groups);
    if (status >= 0)
        status = judge(&g, &changes, &names, &groups);
    grouping_close(&g);
    pd_names_release(&names);
    groups_release(&groups);
    pd_changes_release(&changes);
    return status;
}

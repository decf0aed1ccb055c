/* run/dedup/loss.c - --max-loss: no file, host or value of a field may lose too much of its text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/plain.h"
#include "pardup/base/sort.h"
#include "run/dedup/groups.h"
#include "run/dedup/write.h"

enum {
    BLAMED = 3, /* families that are named for a group that loses too much */
    ROOM = 256  /* bytes of a name that is printed */
};

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
static int find_blame(struct pd_grouping *g, struct pd_changes *c, const struct pd_name *group,
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
        PD_TRY(pd_group_name(g, w->doc, &name, &n));
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

/* Refuse the group with this number; so would `more` others be. */
static int refuse(struct pd_grouping *g, const struct pd_groups *groups, size_t k, size_t more)
{
    const struct pd_name *group = &groups->names.names.v[k];
    const struct pd_group *loss = &groups->v.v[k];
    struct pd_changes changes = {.d = g->d};
    struct blames found = {0};
    char list[BLAMED * ROOM + 1], name[ROOM], others[60] = "";
    int status = find_blame(g, &changes, group, (const char *)groups->names.text.v, &found);
    PD_THEN(status, list_blame(g->d, &found, list, sizeof list));
    blames_release(&found);
    pd_changes_release(&changes);
    if (status < 0)
        return status;
    pd_plain_line(name, sizeof name, pd_groups_name(groups, k), group->n);
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
static int judge(struct pd_grouping *g, const struct pd_groups *groups)
{
    size_t first = 0, many = 0;
    for (size_t k = 0; k < groups->v.n; k++) {
        const struct pd_group *x = &groups->v.v[k];
        if ((double)x->bytes_gone > g->d->options->dedup.max_loss * (double)x->bytes && many++ == 0)
            first = k;
    }
    return many ? refuse(g, groups, first, many - 1) : PD_OK;
}

int pd_dedup_check_loss(struct pd_dedup *d)
{
    struct pd_grouping g;
    struct pd_groups groups = {0};
    if (d->options->dedup.max_loss >= 1 && !d->options->dedup.by)
        return PD_OK;
    int status = pd_grouping_open(&g, d, pd_dedup_by(d));
    PD_THEN(status, pd_groups_count(&groups, &g));
    if (status >= 0 && groups.v.n == 0 && d->targets > 0)
        status = pd_fail(PD_EFORMAT, "--by %s: no document has it in /documents/%s%s%s", g.by,
                         g.columns[0], g.field ? ": run detect with --keep-fields " : "",
                         g.field ? g.field : "");
    PD_THEN(status, judge(&g, &groups));
    pd_grouping_close(&g);
    pd_groups_release(&groups);
    return status;
}

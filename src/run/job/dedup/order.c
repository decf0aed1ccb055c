/* run/job/dedup/order.c - the order of --keep: which of two documents keeps a text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/open.h"
#include "pardup/base/search.h"
#include "pardup/result/given.h"
#include "run/job/dedup/worded.h"
#include "run/job/dedup/write/part_files.h"

enum { ROUND_BYTES = 4 << 20 };   /* bytes of a rank that are gathered at a time */
#define LATER ((uint64_t)1 << 63) /* in `order`: targets come behind sources */

/* COLLECTIVE. Append the n bytes of all ranks to `all`, however many they are, rank by rank. */
static void gather(const struct pd_comm *c, const void *mine, size_t n, struct pd_bytes *all)
{
    for (int rank = 0; rank < c->size; rank++) {
        const unsigned char *bytes = mine;
        uint64_t left = rank == c->rank ? n : 0;
        for (pd_comm_max(c, &left, 1); left > 0;) {
            const size_t take = left < ROUND_BYTES ? (size_t)left : ROUND_BYTES;
            pd_comm_gather(c, bytes, rank == c->rank ? take : 0, all);
            if (rank == c->rank)
                bytes += take;
            left -= take;
        }
    }
}

/* COLLECTIVE. Give this rank's documents the numbers that they have by their values, on all ranks. */
static int order_by_keys(struct pd_dedup *d, struct pd_keep_keys *k, struct pd_wordeds *read,
                         uint64_t worded)
{
    static const char *const whats[] = {"this field", "words", "bytes",
                                        "a date (--date-field of detect)", "an address"};
    const bool kept = strncmp(d->options->dedup.keep, "best:", 5) == 0;
    struct pd_bytes all = {0};
    struct pd_keep_rows rows;
    pd_comm_sum(d->comm, k->seen, PD_KEEP_KEYS);
    for (size_t i = 0; i < k->n; i++)
        if (worded > 0 && k->seen[i] == 0)
            return pd_fail(PD_EFORMAT, "--keep %s: no document of a passage has %s%s%s%s",
                           d->options->dedup.keep, whats[k->v[i].what],
                           *k->v[i].name && kept ? " among those that detect has kept" : "",
                           *k->v[i].name ? ": " : "", k->v[i].name);
    gather(d->comm, k->values.v, k->values.n, &all);
    pd_keep_sort(k, &all, &rows);
    for (size_t i = 0; i < read->n; i++)
        read->v[i].order = rows.n; /* sources have no values */
    for (size_t i = 0; i < rows.n; i++) {
        const size_t at = pd_search_first(read->v, read->n, sizeof *read->v,
                                          offsetof(struct pd_worded, doc), rows.v[i]);
        if (at < read->n && read->v[at].doc == rows.v[i])
            read->v[at].order = i;
    }
    free(rows.v);
    pd_bytes_release(&all);
    return PD_OK;
}

static int read_list(const char *path, struct pd_names *ids)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    bool first = true;
    FILE *list = pd_open_list(path);
    if (!list)
        return PD_EIO;
    while ((n = getline(&line, &room, list)) > 0) {
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
            n--;
        const size_t mark = first && n >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        first = false;
        if ((size_t)n > mark)
            pd_names_put(ids, line + mark, (size_t)n - mark, ids->names.n);
    }
    int status = ferror(list) ? pd_fail(PD_EIO, "%s: cannot be read", path) : PD_OK;
    if (status >= 0 && ids->names.n == 0)
        status = pd_fail(PD_EFORMAT, "--keep list:%s: no id in it", path);
    fclose(list);
    free(line);
    return status;
}

/* A later try must have the same list: what is done went by this one. */
static int bind_list(const struct pd_dedup *d, const struct pd_names *ids)
{
    struct pd_bytes text = {0};
    pd_bytes_print(&text, "{\"ids\":%zu,\"hash\":%llu}\n", ids->names.n,
                   (unsigned long long)pd_hash_bytes(ids->text.v, ids->text.n));
    const int status = pd_dedup_bind(d, "list", &text);
    pd_bytes_release(&text);
    return status;
}

/* Look which documents of the result the ids of the list mean, and tell which mean none. */
static int find_listed(struct pd_dedup *d, const char *path, struct pd_ordering *o)
{
    const size_t n = o->listed->names.n;
    char *whose = pd_printed("--keep list:%s", path);
    size_t missing = n, first = 0;
    unsigned char *found = pd_zeroed(n, 1);
    int status = pd_given_see_table(&o->given, d->result, "documents");
    if (status >= 0 && d->foreign)
        status = pd_given_see_table(&o->given, d->result, "sources");
    pd_given_settle(&o->given);
    PD_THEN(status, pd_given_check(&o->given, whose, NULL));
    for (uint64_t doc = 0; doc < d->ndocs && status >= 0; doc++) {
        const char *id = "";
        size_t id_n = 0;
        status = pd_dedup_find_id(d, doc, &id, &id_n);
        const uint64_t at = pd_given_find(&o->given, id, id_n, UINT64_MAX);
        if (status >= 0 && at != UINT64_MAX && !found[at]) {
            found[at] = 1;
            missing--;
        }
    }
    while (first < n && found[first])
        first++;
    if (status >= 0 && missing == n)
        status = pd_given_none(NULL, &o->given, whose, d->ndocs);
    else if (status >= 0 && missing > 0)
        pd_log(PD_LOG_WARN, "%s: %zu of its %zu ids are not found, the first is: %.*s", whose,
               missing, n, (int)o->listed->names.v[first].n,
               (const char *)o->listed->text.v + o->listed->names.v[first].at);
    if (status >= 0)
        pd_given_tell(&o->given, whose);
    PD_FREE(found, whose);
    return status;
}

/* Documents whose ids are lines of the list come first. */
static int order_by_list(struct pd_dedup *d, const struct pd_given *ids, struct pd_wordeds *read)
{
    struct pd_bytes id = {0};
    int status = PD_OK;
    for (size_t k = 0; k < read->n && status >= 0; k++) {
        status = pd_dedup_id(d, &read->v[k], &id);
        if (status >= 0)
            read->v[k].order =
                pd_given_find(ids, (const char *)id.v, id.n, UINT64_MAX) == UINT64_MAX;
    }
    pd_bytes_release(&id);
    return status;
}

int pd_ordering_open(struct pd_dedup *d, struct pd_ordering *o)
{
    const char *keep = d->options->dedup.keep;
    int status = PD_OK;
    *o = (struct pd_ordering){.listed = NULL};
    PD_TRY(pd_comm_agree(d->comm, pd_keep_read(keep, &o->keys)));
    if (strncmp(keep, "list:", 5) == 0) {
        o->listed = pd_realloc(NULL, 1, sizeof *o->listed);
        *o->listed = (struct pd_names){.text = {0}};
        status = read_list(keep + 5, o->listed);
        if (status >= 0 && d->comm->rank == 0)
            status = bind_list(d, o->listed);
        pd_given_open(&o->given, o->listed);
        if (status >= 0 && d->comm->rank == 0)
            status = find_listed(d, keep + 5, o);
        status = pd_comm_agree(d->comm, status);
        if (status >= 0)
            pd_given_share(d->comm, &o->given);
    }
    return pd_comm_agree(d->comm, status);
}

void pd_ordering_close(struct pd_ordering *o)
{
    pd_given_release(&o->given);
    if (o->listed)
        pd_names_release(o->listed);
    free(o->listed);
    pd_keep_release(&o->keys);
}

static int by_doc(const void *x, const void *y)
{
    const uint64_t a = ((const struct pd_worded *)x)->doc, b = ((const struct pd_worded *)y)->doc;
    return a < b ? -1 : a > b;
}

int pd_dedup_set_order(struct pd_dedup *d, struct pd_ordering *o, struct pd_wordeds *read)
{
    uint64_t worded = read->n;
    int status = PD_OK;
    pd_comm_sum(d->comm, &worded, 1);
    PD_VEC_SORT(read, by_doc);
    if (o->keys.n == 1 && o->keys.v[0].what == PD_KEEP_BYTES) {
        for (size_t k = 0; k < read->n; k++)
            read->v[k].order = LATER - 1 - read->v[k].text_bytes;
    } else if (o->keys.n) {
        status = order_by_keys(d, &o->keys, read, worded);
    } else if (o->listed) {
        status = order_by_list(d, &o->given, read);
    }
    for (size_t k = 0; k < read->n; k++)
        read->v[k].order |= read->v[k].doc < d->targets && d->targets < d->ndocs ? LATER : 0;
    return pd_comm_agree(d->comm, status);
}

/*
 * run/dedup/lists.c - lists of ids: keep.txt and drop.txt.
 *
 * Whoever filters a collection by drop.txt loses all documents with an id of it. So an id that is
 * also that of a document that stays is in keep.txt only.
 */
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/plain.h"
#include "pardup/result/names.h"
#include "run/dedup/part_files.h"
#include "run/dedup/write.h"

/* Ids of documents that go whole. */
struct dropped {
    struct pd_names ids;    /* numbered as they were put */
    struct pd_bytes shared; /* for each id 1: a document that stays has it, too */
    uint64_t left_out;      /* documents that go and have such an id */
};

static int gather(struct pd_dedup *d, struct dropped *g)
{
    struct pd_bytes id = {0};
    struct pd_changes c = {.d = d};
    const struct pd_changed *w;
    int status = PD_OK;
    while (status >= 0 && (status = pd_changes_next(&c, UINT64_MAX, &w)) == PD_OK) {
        if (!w->gone)
            continue;
        status = pd_dedup_id(d, &w->w, &id);
        const uint64_t fresh = g->ids.names.n;
        if (status >= 0 &&
            pd_names_put(&g->ids, id.n ? (const char *)id.v : "", id.n, fresh) == fresh)
            pd_bytes_push(&g->shared, 0);
    }
    pd_bytes_release(&id);
    pd_changes_release(&c);
    return status;
}

/* Does the list have the document? A document that stays marks its id. */
static bool is_listed(struct dropped *g, const char *id, size_t n, bool gone)
{
    const uint64_t at = pd_names_find(&g->ids, id, n, UINT64_MAX);
    if (at == UINT64_MAX)
        return !gone;
    if (!gone)
        g->shared.v[at] = 1;
    g->left_out += gone && g->shared.v[at];
    return !gone || !g->shared.v[at];
}

/* Write the ids of documents that go whole, or of the others. */
static int write_list(struct pd_dedup *d, const char *name, struct dropped *g, bool gone)
{
    struct pd_bytes line = {0};
    struct pd_changes changes = {.d = d};
    struct pd_output out;
    int status = pd_output_open_proof(d, &out, name);
    for (uint64_t doc = 0; doc < d->targets && status >= 0; doc++) {
        const struct pd_changed *w;
        const char *id;
        size_t bytes;
        status = pd_dedup_find_id(d, doc, &id, &bytes);
        PD_THEN(status, pd_changes_of(&changes, doc, &w));
        if (status < 0 || (w && w->gone) != gone || !is_listed(g, id, bytes, gone))
            continue;
        pd_bytes_reserve(&line, bytes * PD_PLAIN_ESCAPE + 1);
        pd_plain_line((char *)line.v, bytes * PD_PLAIN_ESCAPE + 1, id, bytes);
        if (fprintf(out.file, "%s\n", (char *)line.v) < 0)
            status = pd_fail(PD_EIO, "%s: cannot be written", out.path);
    }
    pd_bytes_release(&line);
    pd_changes_release(&changes);
    return pd_output_close(&out, status);
}

int pd_dedup_write_lists(struct pd_dedup *d)
{
    struct dropped g = {.left_out = 0};
    int status = gather(d, &g);
    if (status >= 0)
        status = write_list(d, "keep.txt", &g, false); /* first: it marks ids */
    PD_THEN(status, write_list(d, "drop.txt", &g, true));
    if (status >= 0 && g.left_out > 0)
        pd_log(PD_LOG_WARN,
               "documents that would go, but have the id of one that stays: %llu; these ids are in "
               "keep.txt only, and removed.jsonl.zst tells the documents apart (doc)",
               pd_ull(g.left_out));
    pd_names_release(&g.ids);
    pd_bytes_release(&g.shared);
    return status;
}

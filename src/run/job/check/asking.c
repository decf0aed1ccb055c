/* run/job/check/asking.c - see src/run/job/check/asking.h */
#include "asking.h"

#include "pardup/base/error.h"

void pd_asking_init(struct pd_asking *a, struct pd_job *job, struct pd_index *index)
{
    *a = (struct pd_asking){.job = job, .index = index};
    pd_query_init(&a->query, job, index);
    pd_signing_init(&a->signing, job);
}

void pd_asking_release(struct pd_asking *a)
{
    pd_target_names_release(&a->names);
    pd_query_release(&a->query);
    pd_signing_release(&a->signing);
}

int pd_asking_open_index(const struct pd_comm *c, struct pd_index *index, const char *dir)
{
    for (;;) {
        PD_TRY(pd_comm_agree(c, pd_index_open(index, dir)));
        uint64_t states[2] = {index->manifest.checksum, ~index->manifest.checksum};
        pd_comm_max(c, states, 2);
        if (states[0] == ~states[1])
            return PD_OK;
        pd_index_close(index);
    }
}

int pd_asking_prepare(struct pd_asking *a)
{
    return pd_target_names_make(&a->names, a->job, &a->query, &a->signing);
}

/* Add the rows of the next pair of the target at hand. */
static void add_pair(struct pd_asking *a)
{
    struct pd_rows *rows = &a->query.rows;
    const size_t from = a->next;
    const pd_doc source = rows->v[from].b;
    for (; a->next < rows->n && rows->v[a->next].b == source; a->next++)
        rows->v[a->next].b += a->shift;
    pd_rows_add(a->rows, rows->v + from, a->next - from);
}

/*
 * Look up the next target of this rank. It is loaded if it shares a name with a source. PD_END:
 * there is none in the slice.
 */
static int ask_next(struct pd_asking *a)
{
    struct pd_collection *col = &a->job->collection;
    struct pd_held held;
    if (a->doc == col->ndocs)
        return PD_END;
    PD_TRY(pd_collection_nth(col, a->doc, &held));
    const struct pd_docrec rec = *held.rec; /* another volume may take its place */
    const pd_doc number = held.number;
    if (number >= a->to)
        return PD_END;
    PD_TRY(pd_target_names_next(&a->names));
    a->doc++;
    if (number < pd_row_bin_start(a->job, a->rows->from))
        return PD_OK;
    if (a->query.names.n)
        PD_TRY(pd_signing_load(&a->signing, a->doc - 1));
    PD_TRY(pd_query_match(&a->query, &a->signing, &rec));
    PD_TRY(a->keep ? a->keep(a->ctx, &a->query, number) : PD_OK);
    a->next = 0;
    pd_stages_progress(&a->job->stages, a->doc, col->ndocs, 0, 0);
    return PD_OK;
}

static int fill_rows(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_asking *a = ctx;
    for (*n = 0;;) {
        *n += pd_rows_send(a->rows, to + *n, cap - *n);
        if (pd_rows_wait(a->rows))
            return PD_OK;
        if (a->next < a->query.rows.n) {
            add_pair(a);
            continue;
        }
        PD_PASS(ask_next(a));
    }
}

/* Move what the query has left out to the slice at hand. */
static void count_left_out(struct pd_asking *a)
{
    uint64_t *to = (uint64_t *)&a->job->aligned.left_out, *from = (uint64_t *)&a->query.left_out;
    for (size_t k = 0; k < sizeof a->query.left_out / sizeof *to; k++) {
        to[k] += from[k];
        from[k] = 0;
    }
}

int pd_asking_send(struct pd_asking *a, struct pd_gathering_rows *rows)
{
    a->rows = rows;
    a->to = pd_row_bin_start(a->job, rows->to);
    const int status = pd_shuffle_send(&rows->pairs, fill_rows, a);
    count_left_out(a);
    return status;
}

/* ---- detect --known ---- */

int pd_known_store_open(struct pd_known_store *k, struct pd_job *job)
{
    *k = (struct pd_known_store){.job = job};
    PD_TRY(pd_asking_open_index(job->comm, &k->index, job->options->check.index));
    job->index = &k->index;
    job->known = true;
    job->foreign_sources = k->index.manifest.head.documents;
    return PD_OK;
}

void pd_known_store_close(struct pd_known_store *k)
{
    if (k->asking.job)
        pd_asking_release(&k->asking);
    if (k->job)
        pd_index_close(&k->index);
}

static int send_rows(void *ctx, struct pd_gathering_rows *rows)
{
    return pd_asking_send(ctx, rows);
}

int pd_known_store_prepare(struct pd_known_store *k)
{
    struct pd_job *job = k->job;
    pd_asking_init(&k->asking, job, &k->index);
    k->asking.shift = job->collection.totals.documents;
    job->more_rows = send_rows;
    job->rows_ctx = &k->asking;
    pd_stages_begin(&job->stages, PD_STAGE_COUNT);
    return pd_stages_end(&job->stages, pd_asking_prepare(&k->asking));
}

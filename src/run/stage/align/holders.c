/* run/stage/align/holders.c - see src/run/stage/align/holders.h */
#include "holders.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

/* least steps of the index for each batch, so that few steps have more than one batch to search */
enum { STEPS_A_BATCH = 4 };

/*
 * Set volumes[k] for each batch k of this rank: 1 + the index of its volume, 0 if the volume stays
 * in memory. It is 0 for batches of other ranks. Numbered batches ascend like batches, so the two
 * lists are walked in step. Batches beyond --limit-docs have no numbered batch; nobody asks for
 * their volumes.
 */
static void list_volumes(struct pd_holders *h, const struct pd_collection *col, uint64_t *volumes)
{
    const struct pd_numbereds *numbered = &col->numbered;
    memset(volumes, 0, h->n * sizeof *volumes);
    h->nvolumes = 1;
    h->ascending = true;
    for (size_t k = 0, e = 0; k < h->n && numbered->n; k++) {
        const struct pd_batch *batch = &col->batches.v[k];
        if (batch->rank != (uint64_t)col->comm->rank || !batch->documents)
            continue;
        while (e + 1 < numbered->n && numbered->v[e + 1].first <= batch->base)
            e++;
        const uint64_t volume = numbered->v[e].volume;
        if (!col->library.shelf.v[volume].kept)
            volumes[k] = volume + 1;
        if (volumes[k] && volumes[k] + 1 < h->nvolumes)
            h->ascending = false;
        if (h->nvolumes <= volumes[k])
            h->nvolumes = volumes[k] + 1;
    }
}

/* Make the index h->first. */
static void make_index(struct pd_holders *h, uint64_t ndocs)
{
    while (ndocs >> (h->shift + 1) >= STEPS_A_BATCH * (h->n + 1))
        h->shift++;
    const size_t nsteps = (size_t)(ndocs >> h->shift) + 1;
    h->first = pd_realloc(NULL, nsteps, sizeof *h->first);
    for (size_t step = 0, k = 0; step < nsteps; step++) {
        while (k + 1 < h->n && h->v[k + 1].base <= (pd_doc)step << h->shift)
            k++;
        h->first[step] = (uint32_t)k;
    }
}

void pd_holders_init(struct pd_holders *h, const struct pd_collection *col)
{
    const uint64_t ndocs = col->totals.documents;
    PD_CHECK(ndocs >> PD_LOCATOR_BITS == 0);
    *h = (struct pd_holders){.n = col->batches.n};
    uint64_t *volumes = pd_realloc(NULL, h->n + 1, sizeof *volumes);
    list_volumes(h, col, volumes);
    pd_comm_max(col->comm, volumes, (int)h->n);
    h->v = pd_realloc(NULL, h->n + 1, sizeof *h->v);
    for (size_t k = 0; k < h->n; k++)
        h->v[k] = (struct pd_holding){col->batches.v[k].base, volumes[k], col->batches.v[k].rank};
    free(volumes);
    make_index(h, ndocs);
}

void pd_holders_release(struct pd_holders *h)
{
    PD_FREE(h->v, h->first);
    *h = (struct pd_holders){0};
}

/*
 * All volumes have the same number of partitions, so partitions ascend with volumes. No product
 * overflows.
 */
uint32_t pd_holders_partition(const struct pd_holders *h, uint64_t locator, pd_doc least,
                              pd_doc range, uint32_t npartitions)
{
    const uint64_t volume = locator >> PD_LOCATOR_BITS;
    if (h->nvolumes == 1) /* the same, with one division */
        return (uint32_t)((locator - least) * npartitions / range);
    const uint64_t within = (pd_locator_doc(locator) - least) * (npartitions / h->nvolumes) / range;
    return (uint32_t)(volume * npartitions / h->nvolumes + within);
}

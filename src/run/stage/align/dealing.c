/* run/stage/align/dealing.c - see src/run/stage/align/dealing.h */
#include "dealing.h"

#include "pardup/base/error.h"

enum { PAIRING_LEAST = 1 << 20 }; /* bytes of dots of one document that memory holds in any case */

void pd_dealing_begin(struct pd_dealing *d, struct pd_job *job, uint32_t gamma)
{
    *d = (struct pd_dealing){.job = job, .gamma = gamma, .pairing = pd_pairing_new()};
}

void pd_dealing_release(struct pd_dealing *d)
{
    PD_CLOSE(pd_shuffle, &d->fans, &d->blocks);
    pd_pairing_free(d->pairing);
    pd_bytes_release(&d->pair);
    pd_block_list_release(&d->list);
    d->pairing = NULL;
}

/* Blocks stay on their rank; they are sorted by pair. */
static const struct pd_flow blocks_flow = {
    .name = "blocks", .budget = PD_BUDGET_BLOCKS, .key_at = 1, .keys = 2};

/* Document a has too many dots for memory: move them as blocks to d->blocks, on disk if need be. */
static int pour_blocks(struct pd_dealing *d, pd_doc a)
{
    const struct pd_block *block;
    if (!d->blocks.sorter)
        pd_shuffle_open(&d->blocks, &d->job->transport, &blocks_flow, d, NULL);
    while ((block = pd_pairing_block(d->pairing)))
        PD_TRY(pd_shuffle_push(&d->blocks, block, block->size));
    pd_pairing_begin(d->pairing, a);
    return PD_OK;
}

/*
 * Take all fans of the next first document below `to`. If there is none, d->open is false
 * afterwards.
 */
static int next_document(struct pd_dealing *d, pd_doc to)
{
    const uint64_t share = pd_transport_budget(&d->job->transport, PD_BUDGET_PAIRING);
    const size_t most = share < PAIRING_LEAST ? PAIRING_LEAST : share;
    const struct pd_fan *fan;
    const void *rec;
    pd_doc a = 0;
    d->open = false;
    for (;;) {
        PD_TRY(pd_shuffle_look(&d->fans, &rec));
        fan = rec;
        if (!fan || (d->open ? fan->a != a : fan->a >= to))
            break;
        if (!d->open)
            pd_pairing_begin(d->pairing, fan->a);
        d->open = true;
        a = fan->a;
        pd_pairing_add(d->pairing, fan);
        pd_shuffle_pass(&d->fans, fan->size);
        d->done += fan->size;
        if (pd_pairing_bytes(d->pairing) > most)
            PD_TRY(pour_blocks(d, a));
    }
    if (!d->blocks.sorter) {
        pd_pairing_end(d->pairing, d->gamma);
        return PD_OK;
    }
    PD_TRY(pour_blocks(d, a));
    return pd_shuffle_sort_own(&d->blocks);
}

/*
 * List all blocks of the next pair, for a document with too many dots. PD_END: there is none.
 */
static int next_of_many(struct pd_dealing *d, struct pd_pair_dots *pair)
{
    const struct pd_block *block = NULL;
    d->list.n = 0;
    *pair = (struct pd_pair_dots){.brief = NULL};
    PD_TRY(pd_shuffle_group(&d->blocks, blocks_flow.keys, &d->pair));
    for (size_t at = 0; at < d->pair.n; at += block->size) {
        block = (const struct pd_block *)(const void *)(d->pair.v + at);
        const struct pd_brief *brief = pd_block_brief(block);
        if (!brief)
            pd_block_list_push(&d->list, block);
        else if (pair->brief)
            pd_brief_join(&d->brief, brief);
        else
            d->brief = *brief;
        if (brief)
            pair->brief = &d->brief;
    }
    if (!block)
        return PD_END;
    pair->a = block->a;
    pair->b = block->b;
    pair->blocks = d->list.v;
    pair->n = d->list.n;
    return PD_OK;
}

int pd_dealing_next(struct pd_dealing *d, pd_doc to, struct pd_pair_dots *pair)
{
    for (int status;; d->open = false) {
        if (!d->open)
            PD_TRY(next_document(d, to));
        if (!d->open)
            return PD_END;
        if (d->blocks.sorter)
            status = next_of_many(d, pair);
        else
            status = pd_pairing_next(d->pairing, pair) ? PD_OK : PD_END;
        if (status != PD_END)
            return status;
        pd_shuffle_close(&d->blocks);
    }
}

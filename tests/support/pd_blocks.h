/*
 * tests/support/pd_blocks.h - blocks of dots of one document pair, for tests of passage/.
 *
 * The documents are 0 and 1. A block has ni units of the first and nj units of the second one, each
 * of which matches each (base/record.h).
 */
#ifndef PD_BLOCKS_H
#define PD_BLOCKS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/record.h"
#include "pardup/base/vec.h"

PD_VEC(block_list, struct pd_block *);

/*
 * Append a new block, whose units the caller writes. `spelt`: a similarity of 1 is written out, as
 * any other is.
 */
static inline struct pd_block *add_block(struct block_list *list, uint32_t ni, uint32_t nj,
                                         double similarity, bool spelt)
{
    const uint32_t size = pd_block_size(ni, nj), more = similarity < 1 || spelt ? 8 : 0;
    struct pd_block *block = pd_realloc(NULL, size + more, 1);
    memset(block, 0, size);
    *block = (struct pd_block){size + more, (uint16_t)ni, (uint16_t)nj, 0, 1};
    if (more)
        memcpy((char *)block + size, &similarity, sizeof similarity);
    block_list_push(list, block);
    return block;
}

/* The blocks as struct pd_pair_dots has them. */
static inline const struct pd_block *const *blocks_of(const struct block_list *list)
{
    return (const struct pd_block *const *)list->v;
}

static inline void release_blocks(struct block_list *list)
{
    for (size_t k = 0; k < list->n; k++)
        free(list->v[k]);
    block_list_release(list);
}

#endif

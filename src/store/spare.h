/*
 * store/spare.h - the memory of sorters and spools: pages of a few sizes, each the double of the one before, cut from slabs.
 *
 * Pages that were given back go to whoever asks next, at once: what one sorter has no more, because it has been
 * read, another fills (struct pd_spare, store/sorter.h). Slabs stay until all are released.
 */
#ifndef PARDUP_STORE_SPARE_H
#define PARDUP_STORE_SPARE_H

#include "pardup/store/sorter.h"

#define PD_PAGE_LEAST ((size_t)256) /* bytes of a page of size 0 */

static inline size_t pd_page_bytes(unsigned size) { return PD_PAGE_LEAST << size; }

/* A page of a size below PD_PAGE_SIZES, 8-byte aligned. */
void *pd_spare_take(struct pd_spare *s, unsigned size);

void pd_spare_give(struct pd_spare *s, void *page, unsigned size);

#endif

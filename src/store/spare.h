/*
 * store/spare.h - pages of memory for sorters and spools, cut from slabs.
 *
 * A page of size k has 256 * 2^k bytes, k < PD_PAGE_SIZES. A page that is given back can be taken
 * at once by another sorter or spool that shares the memory (struct pd_spare, store/sorter.h).
 * Slabs stay until all of the memory is released.
 */
#ifndef PARDUP_STORE_SPARE_H
#define PARDUP_STORE_SPARE_H

#include "pardup/store/sorter.h"

#define PD_PAGE_LEAST ((size_t)256) /* bytes of a page of size 0 */

static inline size_t pd_page_bytes(unsigned size) { return PD_PAGE_LEAST << size; }

/* Take a page of size `size` < PD_PAGE_SIZES, 8-byte aligned. Panics when there is no memory. */
void *pd_spare_take(struct pd_spare *s, unsigned size);

/* Give back a page that was taken as a page of the same size. */
void pd_spare_give(struct pd_spare *s, void *page, unsigned size);

#endif

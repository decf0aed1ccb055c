/* join/classes.c - see include/pardup/join/classes.h */
#include "pardup/join/classes.h"

#include <string.h>

#include "pardup/base/sort.h"

static size_t class_end(const struct pd_postings *p, size_t begin)
{
    size_t end = begin + 1;
    while (end < p->n && p->v[end].sig == p->v[begin].sig)
        end++;
    return end;
}

static uint64_t documents_in(const struct pd_posting *v, size_t n)
{
    uint64_t df = n > 0;
    for (size_t k = 1; k < n; k++)
        df += v[k].doc != v[k - 1].doc;
    return df;
}

void pd_classes_collapse(struct pd_postings *p, uint64_t max_df, struct pd_commons *aside)
{
    size_t kept = 0;
    pd_sort_records(p->v, p->n, PD_POSTING_WORDS, PD_POSTING_WORDS);
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        end = class_end(p, begin);
        const struct pd_posting *first = &p->v[begin];
        const uint64_t df = documents_in(first, end - begin);
        if (max_df && df > max_df) {
            pd_commons_push(aside, (struct pd_common){first->sig, df, first->doc, first->unit});
        } else if (df > 1) {
            memmove(p->v + kept, first, (end - begin) * sizeof *first);
            kept += end - begin;
        }
    }
    p->n = kept;
}

/* The end of the occurrences in the document of occurrence x. */
static size_t document_end(const struct pd_postings *p, size_t x, size_t end)
{
    const pd_doc doc = x < end ? p->v[x].doc : 0;
    while (x < end && p->v[x].doc == doc)
        x++;
    return x;
}

static size_t least(size_t x, size_t y) { return x < y ? x : y; }

/* Bytes of the blocks of n times m units, cut as pd_classes_expand cuts them. */
static uint64_t blocks_bytes(size_t n, size_t m)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; i += PD_BLOCK_MOST)
        for (size_t j = 0; j < m; j += PD_BLOCK_MOST)
            bytes += pd_block_size(least(n - i, PD_BLOCK_MOST), least(m - j, PD_BLOCK_MOST));
    return bytes;
}

uint64_t pd_classes_measure(const struct pd_postings *p, uint64_t ndocs, uint64_t *bins,
                            size_t nbins)
{
    uint64_t dots = 0;
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        end = class_end(p, begin);
        for (size_t x = begin, x_end; x < end; x = x_end) {
            x_end = document_end(p, x, end);
            const size_t bin = (size_t)((unsigned __int128)p->v[x].doc * nbins / ndocs);
            for (size_t y = x_end, y_end; y < end; y = y_end) {
                y_end = document_end(p, y, end);
                bins[bin] += blocks_bytes(x_end - x, y_end - y);
            }
            dots += (uint64_t)(x_end - x) * (end - x_end);
        }
    }
    return dots;
}

/* First occurrence in [lo, hi) of a document at or after `doc`. */
static size_t lower_bound(const struct pd_postings *p, size_t lo, size_t hi, pd_doc doc)
{
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (p->v[mid].doc < doc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void partner_at(struct pd_expansion *e, size_t y)
{
    e->y = y;
    e->y_end = document_end(e->postings, y, e->end);
    e->x_done = e->y_done = 0;
}

static void first_at(struct pd_expansion *e, size_t x)
{
    e->x = x;
    e->x_end = document_end(e->postings, x, e->end);
    partner_at(e, e->x_end);
}

/* Move on to a first document and a partner that still have blocks to give. 0: there are none. */
static int advance(struct pd_expansion *e)
{
    const struct pd_postings *p = e->postings;
    for (;;) {
        if (e->x < e->end && p->v[e->x].doc < e->to) {
            if (e->y < e->end && e->x_done < e->x_end - e->x)
                return 1;
            if (e->y < e->end)
                partner_at(e, e->y_end);
            else
                first_at(e, e->x_end);
        } else if (e->end < p->n) {
            e->begin = e->end;
            e->end = class_end(p, e->begin);
            first_at(e, lower_bound(p, e->begin, e->end, e->from));
        } else {
            return 0;
        }
    }
}

/* The next block of the pair at hand: first all of b's units against some of a's, then on. */
static uint32_t write_block(struct pd_expansion *e, unsigned char *to)
{
    const struct pd_posting *x = e->postings->v + e->x + e->x_done;
    const struct pd_posting *y = e->postings->v + e->y + e->y_done;
    const size_t ni = least(e->x_end - e->x - e->x_done, PD_BLOCK_MOST);
    const size_t nj = least(e->y_end - e->y - e->y_done, PD_BLOCK_MOST);
    struct pd_block *block = (struct pd_block *)(void *)to;
    *block = (struct pd_block){pd_block_size(ni, nj), (uint16_t)ni, (uint16_t)nj, x->doc, y->doc};
    for (size_t k = 0; k < ni; k++)
        block->units[k] = x[k].unit;
    for (size_t k = 0; k < nj; k++)
        block->units[ni + k] = y[k].unit;
    if ((ni + nj) % 2)
        block->units[ni + nj] = 0; /* the padding */
    e->y_done += nj;
    if (e->y_done == e->y_end - e->y) {
        e->y_done = 0;
        e->x_done += ni;
    }
    return block->size;
}

int pd_classes_expand(struct pd_expansion *e, unsigned char *to, size_t cap, size_t *n)
{
    *n = 0;
    while (advance(e)) {
        const size_t ni = least(e->x_end - e->x - e->x_done, PD_BLOCK_MOST);
        const size_t nj = least(e->y_end - e->y - e->y_done, PD_BLOCK_MOST);
        if (*n + pd_block_size(ni, nj) > cap)
            return 0;
        *n += write_block(e, to + *n);
    }
    return 1;
}

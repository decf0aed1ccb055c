/* join/classes.c - see include/pardup/join/classes.h */
#include "pardup/join/classes.h"

#include <string.h>

#include "pardup/base/sort.h"

size_t pd_class_end(const struct pd_postings *p, size_t begin, size_t limit)
{
    const struct pd_posting *first = &p->v[begin];
    size_t end = begin + 1;
    while (end < limit && p->v[end].sig == first->sig && p->v[end].more == first->more)
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

void pd_classes_collapse(struct pd_postings *p, uint64_t max_df, bool keep_single,
                         struct pd_commons *aside)
{
    size_t kept = 0;
    pd_sort_records(p->v, p->n, PD_POSTING_WORDS, PD_POSTING_WORDS);
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        end = pd_class_end(p, begin, p->n);
        const struct pd_posting *first = &p->v[begin];
        const uint64_t df = documents_in(first, end - begin);
        if (max_df && df > max_df) {
            pd_commons_push(aside, (struct pd_common){first->sig, df, first->doc, first->unit});
        } else if (df > 1 || keep_single) {
            memmove(p->v + kept, first, (end - begin) * sizeof *first);
            kept += end - begin;
        }
    }
    p->n = kept;
}

void pd_joined_release(struct pd_joined *j)
{
    pd_postings_release(&j->postings);
    pd_matches_release(&j->matches);
    j->own = 0;
}

void pd_joined_take_sides(struct pd_joined *j)
{
    for (size_t begin = 0, end; begin < j->own; begin = end) {
        const size_t indexed = j->postings.n;
        end = pd_class_end(&j->postings, begin, j->own);
        for (size_t k = begin; k < end; k++)
            if (!(j->postings.v[k].nsigs & PD_QUERY_ONLY))
                pd_postings_push(&j->postings, j->postings.v[k]);
        if (j->postings.n > indexed)
            pd_matches_push(&j->matches, (struct pd_match){indexed, j->postings.n, begin, end, 1});
    }
    j->own = 0;
}

/* The end of the occurrences in the document of occurrence x. */
static size_t document_end(const struct pd_postings *p, size_t x, size_t end)
{
    const pd_doc doc = x < end ? p->v[x].doc : 0;
    while (x < end && p->v[x].doc == doc)
        x++;
    return x;
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

/* The first partner of the occurrences [x, x_end) of a match. */
static size_t first_partner(const struct pd_postings *p, const struct pd_match *m, size_t x,
                            size_t x_end)
{
    return m->a == m->b ? x_end : lower_bound(p, m->b, m->b_end, p->v[x].doc + 1);
}

static size_t least(size_t x, size_t y) { return x < y ? x : y; }

static uint32_t block_bytes(size_t ni, size_t nj, double similarity)
{
    return pd_block_size(ni, nj) + (similarity < 1 ? (uint32_t)sizeof similarity : 0);
}

/* Bytes of the blocks of n times m units, cut as pd_joined_expand cuts them. */
static uint64_t blocks_bytes(size_t n, size_t m, double similarity)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; i += PD_BLOCK_MOST)
        for (size_t j = 0; j < m; j += PD_BLOCK_MOST)
            bytes +=
                block_bytes(least(n - i, PD_BLOCK_MOST), least(m - j, PD_BLOCK_MOST), similarity);
    return bytes;
}

/* Go on to the next match: first own classes with themselves. 0: there are none. */
static int next_match(struct pd_expansion *e)
{
    const struct pd_joined *j = e->joined;
    if (e->next_class < j->own) {
        const size_t begin = e->next_class;
        e->next_class = pd_class_end(&j->postings, begin, j->own);
        e->match = (struct pd_match){begin, e->next_class, begin, e->next_class, 1};
    } else if (e->next_match < j->matches.n) {
        e->match = j->matches.v[e->next_match++];
    } else {
        return 0;
    }
    return 1;
}

uint64_t pd_joined_measure(const struct pd_joined *j, uint64_t ndocs, uint64_t *bins, size_t nbins)
{
    struct pd_expansion e = {.joined = j};
    const struct pd_postings *p = &j->postings;
    uint64_t dots = 0;
    while (next_match(&e)) {
        const struct pd_match *m = &e.match;
        for (size_t x = m->a, x_end; x < m->a_end; x = x_end) {
            x_end = document_end(p, x, m->a_end);
            const size_t bin = (size_t)((unsigned __int128)p->v[x].doc * nbins / ndocs);
            const size_t first = first_partner(p, m, x, x_end);
            for (size_t y = first, y_end; y < m->b_end; y = y_end) {
                y_end = document_end(p, y, m->b_end);
                bins[bin] += blocks_bytes(x_end - x, y_end - y, m->similarity);
            }
            dots += (uint64_t)(x_end - x) * (m->b_end - first);
        }
    }
    return dots;
}

static void partner_at(struct pd_expansion *e, size_t y)
{
    e->y = y;
    e->y_end = document_end(&e->joined->postings, y, e->match.b_end);
    e->x_done = e->y_done = 0;
}

static void first_at(struct pd_expansion *e, size_t x)
{
    const struct pd_postings *p = &e->joined->postings;
    e->x = x;
    e->x_end = document_end(p, x, e->match.a_end);
    partner_at(e, x < e->match.a_end ? first_partner(p, &e->match, x, e->x_end) : e->match.b_end);
}

/* Move on to a first document and a partner that still have blocks to give. 0: there are none. */
static int advance(struct pd_expansion *e)
{
    const struct pd_postings *p = &e->joined->postings;
    for (;;) {
        if (e->x < e->match.a_end && p->v[e->x].doc < e->to) {
            if (e->y < e->match.b_end && e->x_done < e->x_end - e->x)
                return 1;
            if (e->y < e->match.b_end)
                partner_at(e, e->y_end);
            else
                first_at(e, e->x_end);
        } else if (next_match(e)) {
            first_at(e, lower_bound(p, e->match.a, e->match.a_end, e->from));
        } else {
            return 0;
        }
    }
}

/* The next block of the pair at hand: first all of b's units against some of a's, then on. */
static uint32_t write_block(struct pd_expansion *e, unsigned char *to)
{
    const struct pd_postings *p = &e->joined->postings;
    const struct pd_posting *x = p->v + e->x + e->x_done, *y = p->v + e->y + e->y_done;
    const size_t ni = least(e->x_end - e->x - e->x_done, PD_BLOCK_MOST);
    const size_t nj = least(e->y_end - e->y - e->y_done, PD_BLOCK_MOST);
    const double similarity = e->match.similarity;
    struct pd_block *block = (struct pd_block *)(void *)to;
    *block = (struct pd_block){block_bytes(ni, nj, similarity), (uint16_t)ni, (uint16_t)nj, x->doc,
                               y->doc};
    for (size_t k = 0; k < ni; k++)
        block->units[k] = x[k].unit;
    for (size_t k = 0; k < nj; k++)
        block->units[ni + k] = y[k].unit;
    if ((ni + nj) % 2)
        block->units[ni + nj] = 0; /* the padding */
    if (similarity < 1)
        memcpy(to + block->size - sizeof similarity, &similarity, sizeof similarity);
    e->y_done += nj;
    if (e->y_done == e->y_end - e->y) {
        e->y_done = 0;
        e->x_done += ni;
    }
    return block->size;
}

int pd_joined_expand(struct pd_expansion *e, unsigned char *to, size_t cap, size_t *n)
{
    *n = 0;
    while (advance(e)) {
        const size_t ni = least(e->x_end - e->x - e->x_done, PD_BLOCK_MOST);
        const size_t nj = least(e->y_end - e->y - e->y_done, PD_BLOCK_MOST);
        if (*n + block_bytes(ni, nj, e->match.similarity) > cap)
            return 0;
        *n += write_block(e, to + *n);
    }
    return 1;
}

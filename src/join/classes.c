/* join/classes.c - see include/pardup/join/classes.h */
#include "pardup/join/classes.h"

#include <string.h>

/* ---- collapsing ---- */

static struct pd_class *class_at_hand(struct pd_collapse *c)
{
    return (struct pd_class *)(void *)c->class.v;
}

static void begin_class(struct pd_collapse *c, const struct pd_posting *p)
{
    const struct pd_class head = {.sig = p->sig, .nsigs = p->nsigs & ~PD_QUERY_ONLY};
    c->first = *p;
    c->df = 0;
    c->class.n = 0;
    pd_u64s_append(&c->class, &head, sizeof head / sizeof *c->class.v);
}

static void add_occurrence(struct pd_collapse *c, const struct pd_posting *p)
{
    const struct pd_occurrence at = {p->doc, p->unit, p->nsigs & PD_QUERY_ONLY};
    if (c->df == 0 || p->doc != c->last)
        c->df++;
    c->last = p->doc;
    if (c->max_df && c->df > c->max_df)
        return; /* it is set aside: only its df still matters */
    pd_u64s_append(&c->class, &at, sizeof at / sizeof *c->class.v);
    class_at_hand(c)->n++;
}

int pd_collapse_end(struct pd_collapse *c)
{
    const struct pd_posting *first = &c->first;
    const uint64_t df = c->df;
    c->df = 0;
    if (c->max_df && df > c->max_df) {
        pd_commons_push(c->aside, (struct pd_common){first->sig, df, first->doc, first->unit});
        return 0;
    }
    if (df == 0 || (df == 1 && !c->keep_single))
        return 0;
    class_at_hand(c)->number = c->number++;
    return c->keep(c->ctx, class_at_hand(c));
}

int pd_collapse_postings(struct pd_collapse *c, const struct pd_posting *v, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (c->df == 0 || v[k].sig != c->first.sig || v[k].more != c->first.more) {
            const int status = pd_collapse_end(c);
            if (status < 0)
                return status;
            begin_class(c, &v[k]);
        }
        add_occurrence(c, &v[k]);
    }
    return 0;
}

void pd_collapse_release(struct pd_collapse *c) { pd_u64s_release(&c->class); }

/* ---- expanding ---- */

/* The end of the occurrences in the document of occurrence x. */
static size_t document_end(const struct pd_occurrence *v, size_t x, size_t end)
{
    const pd_doc doc = x < end ? v[x].doc : 0;
    while (x < end && v[x].doc == doc)
        x++;
    return x;
}

/* First occurrence in [lo, hi) of a document at or after `doc`. */
static size_t lower_bound(const struct pd_occurrence *v, size_t lo, size_t hi, pd_doc doc)
{
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (v[mid].doc < doc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static size_t least(size_t x, size_t y) { return x < y ? x : y; }

static void partner_at(struct pd_expansion *e, size_t y)
{
    e->y = y;
    e->y_end = document_end(e->b, y, e->nb);
    e->x_done = e->y_done = 0;
}

static void first_at(struct pd_expansion *e, size_t x)
{
    e->x = x;
    e->x_end = document_end(e->a, x, e->na);
    if (x == e->na)
        partner_at(e, e->nb);
    else if (e->a == e->b)
        partner_at(e, e->x_end);
    else
        partner_at(e, lower_bound(e->b, 0, e->nb, e->a[x].doc + 1));
}

void pd_expansion_begin(struct pd_expansion *e, const struct pd_occurrence *a, size_t na,
                        const struct pd_occurrence *b, size_t nb, double similarity, pd_doc from)
{
    *e = (struct pd_expansion){.a = a, .na = na, .b = b, .nb = nb, .similarity = similarity};
    first_at(e, lower_bound(a, 0, na, from));
}

/* Move on to a first document and a partner that still have blocks to give. 0: there are none. */
static int advance(struct pd_expansion *e)
{
    while (e->x < e->na) {
        if (e->y < e->nb && e->x_done < e->x_end - e->x)
            return 1;
        if (e->y < e->nb)
            partner_at(e, e->y_end);
        else
            first_at(e, e->x_end);
    }
    return 0;
}

static uint32_t block_bytes(size_t ni, size_t nj, double similarity)
{
    return pd_block_size(ni, nj) + (similarity < 1 ? (uint32_t)sizeof similarity : 0);
}

/* The next block of the pair at hand: first all of b's units against some of a's, then on. */
static uint32_t write_block(struct pd_expansion *e, size_t ni, size_t nj, unsigned char *to)
{
    const struct pd_occurrence *x = e->a + e->x + e->x_done, *y = e->b + e->y + e->y_done;
    const double similarity = e->similarity;
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

int pd_expansion_write(struct pd_expansion *e, unsigned char *to, size_t cap, size_t *n)
{
    *n = 0;
    while (advance(e)) {
        const size_t ni = least(e->x_end - e->x - e->x_done, PD_BLOCK_MOST);
        const size_t nj = least(e->y_end - e->y - e->y_done, PD_BLOCK_MOST);
        if (*n + block_bytes(ni, nj, e->similarity) > cap)
            return 0;
        *n += write_block(e, ni, nj, to + *n);
    }
    return 1;
}

/* passage/inner.c - see include/pardup/passage/inner.h */
#include "pardup/passage/inner.h"

#include <stdbool.h>

#include "pardup/base/sort.h"

static uint32_t begin_of(uint64_t bytes) { return (uint32_t)(bytes >> 32); }
static uint32_t end_of(uint64_t bytes) { return (uint32_t)bytes; }

static bool lies_within(const struct pd_row *inner, const struct pd_row *outer)
{
    return begin_of(outer->bytes_a) <= begin_of(inner->bytes_a) &&
           end_of(outer->bytes_a) >= end_of(inner->bytes_a) &&
           begin_of(outer->bytes_b) <= begin_of(inner->bytes_b) &&
           end_of(outer->bytes_b) >= end_of(inner->bytes_b);
}

/* Order by begin, and by descending end: a row comes after every row that it lies within. */
static uint64_t order_of(uint64_t bytes) { return pd_ij(begin_of(bytes), ~end_of(bytes)); }

size_t pd_inner_drop(struct pd_row *rows, size_t n, struct pd_inner_keys *keys)
{
    const struct pd_row *recent[PD_INNER_REACH]; /* the last of the outer rows, as a ring */
    size_t outer = 0, left = 0; /* rows that do not lie within another; rows left in the end */
    keys->n = 0;
    for (size_t k = 0; k < n; k++)
        pd_inner_keys_push(keys, (struct pd_inner_key){order_of(rows[k].bytes_a),
                                                       order_of(rows[k].bytes_b),
                                                       ~(uint64_t)rows[k].matched, k});
    pd_sort_records(keys->v, n, PD_INNER_KEY_U64S, PD_INNER_KEY_U64S);
    for (size_t k = 0; k < n; k++) {
        struct pd_row *row = &rows[keys->v[k].at];
        const size_t nrecent = outer < PD_INNER_REACH ? outer : PD_INNER_REACH;
        bool inner = false;
        for (size_t r = 0; r < nrecent && !inner; r++)
            inner = lies_within(row, recent[r]);
        if (inner)
            row->matched = 0; /* marks a row to drop: no passage has 0 matches */
        else
            recent[outer++ % PD_INNER_REACH] = row;
    }
    for (size_t k = 0; k < n; k++)
        if (rows[k].matched)
            rows[left++] = rows[k];
    return left;
}

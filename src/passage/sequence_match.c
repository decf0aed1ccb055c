/* passage/sequence_match.c - see sequence_match.h */
#include "sequence_match.h"

#include "sequence.h"

#define ROWS_MOST ((size_t)1 << 17) /* u64s of rows that are kept: 1 MB, which stays in the cache */

/*
 * The two sequences, by number: `rows` is the longer one. `back` has the numbers of both from the
 * last to the first.
 */
struct sides {
    struct pd_numbered rows, columns;
    struct pd_numbered back[2];
    uint32_t n;                       /* the highest number */
    uint32_t row_begin, column_begin; /* where they begin in the sequences that are matched */
    bool rows_are_b;
};

/* Words [i, to_i) of the rows and [j, to_j) of the columns. */
struct part {
    uint32_t i, to_i, j, to_j;
};

static uint64_t match(struct pd_agreement *g, const struct sides *s, uint32_t i, uint32_t j)
{
    const uint32_t row = s->row_begin + s->rows.at[i], column = s->column_begin + s->columns.at[j];
    g->at[s->rows_are_b ? row : column] = (s->rows_are_b ? column : row) + 1;
    return 1;
}

static struct pd_numbered range(const struct pd_numbered *of, uint32_t from, uint32_t to)
{
    return (struct pd_numbered){.v = of->v + from, .n = to - from};
}

/*
 * Read a longest common subsequence of a part off its rows, from the end. Equal last words belong
 * to one. Else, where the length does not rise in the last column, that column is of no use; where
 * it does, it rises there without the last row, too, as the two words differ.
 */
static uint64_t read_rows(struct pd_agreement *g, const struct sides *s, struct part p)
{
    const size_t width = ((size_t)(p.to_j - p.j) + PD_BITS - 1) / PD_BITS;
    uint32_t x = p.to_i - p.i, y = p.to_j - p.j;
    uint64_t n = 0;
    pd_u64s_reserve(&g->rows, width * x);
    if (!pd_sequence_rows(g, range(&s->rows, p.i, p.to_i), range(&s->columns, p.j, p.to_j), s->n,
                          g->rows.v))
        return 0;
    while (x > 0 && y > 0) {
        const uint64_t bits = g->rows.v[width * (x - 1) + (y - 1) / PD_BITS];
        if (s->rows.v[p.i + x - 1] == s->columns.v[p.j + y - 1])
            n += match(g, s, p.i + --x, p.j + --y);
        else if (bits >> (y - 1) % PD_BITS & 1)
            y--;
        else
            x--;
    }
    return n;
}

/*
 * Set *j to where the columns of a part are divided so that both halves, divided before row
 * `middle`, have a longest common subsequence of the part. Of several such places, one between
 * equal words is taken, so that no run of words is torn. False: g->stopped.
 */
static bool find_middle(struct pd_agreement *g, const struct sides *s, struct part p,
                        uint32_t middle, uint32_t *j)
{
    const uint32_t *const rows = s->rows.v, *const columns = s->columns.v + p.j, m = p.to_j - p.j;
    uint64_t most = 0, before = 0;
    pd_word_codes_reserve(&g->lengths, (size_t)m + 1);
    uint32_t *const behind = g->lengths.v; /* for each column, of the second half from there on */
    if (!pd_sequence_columns(g, range(&s->back[0], s->rows.n - p.to_i, s->rows.n - middle),
                             range(&s->back[1], s->columns.n - p.to_j, s->columns.n - p.j), s->n))
        return false;
    behind[m] = 0;
    for (uint32_t k = 0; k < m; k++)
        behind[m - 1 - k] = behind[m - k] + !(g->bits.v[k / PD_BITS] >> k % PD_BITS & 1);
    if (!pd_sequence_columns(g, range(&s->rows, p.i, middle), range(&s->columns, p.j, p.to_j),
                             s->n))
        return false;
    for (uint32_t k = 0; k <= m; k++) {
        const unsigned run =
            (k > 0 && rows[middle - 1] == columns[k - 1]) + (k < m && rows[middle] == columns[k]);
        const uint64_t here = 4 * (before + behind[k]) + run + 1;
        *j = here > most ? p.j + k : *j;
        most = here > most ? here : most;
        before += k < m && !(g->bits.v[k / PD_BITS] >> k % PD_BITS & 1);
    }
    return true;
}

static uint64_t match_part(struct pd_agreement *g, const struct sides *s, struct part p)
{
    const uint32_t *const rows = s->rows.v, *const columns = s->columns.v;
    uint64_t n = 0;
    while (p.i < p.to_i && p.j < p.to_j && rows[p.i] == columns[p.j])
        n += match(g, s, p.i++, p.j++);
    while (p.i < p.to_i && p.j < p.to_j && rows[p.to_i - 1] == columns[p.to_j - 1])
        n += match(g, s, --p.to_i, --p.to_j);
    const uint32_t nrows = p.to_i - p.i, middle = p.i + nrows / 2;
    const size_t width = ((size_t)(p.to_j - p.j) + PD_BITS - 1) / PD_BITS;
    if (nrows == 0 || width == 0)
        return n;
    if (nrows == 1 || nrows * width <= ROWS_MOST)
        return n + read_rows(g, s, p);
    uint32_t j = p.j;
    if (!find_middle(g, s, p, middle, &j))
        return n;
    n += match_part(g, s, (struct part){p.i, middle, p.j, j});
    return n + match_part(g, s, (struct part){middle, p.to_i, j, p.to_j});
}

/* Write the numbers of a sequence to `to`, from the last to the first. */
static struct pd_numbered turn(struct pd_numbered of, uint32_t *to)
{
    for (uint32_t k = 0; k < of.n; k++)
        to[k] = of.v[of.n - 1 - k];
    return (struct pd_numbered){.v = to, .n = of.n};
}

uint64_t pd_match_sequence(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b)
{
    const uint32_t begin_a = (uint32_t)(a.terms - g->first_a);
    const uint32_t begin_b = (uint32_t)(b.terms - g->first_b);
    const bool swap = a.n < b.n;
    struct sides s = {.row_begin = swap ? begin_b : begin_a,
                      .column_begin = swap ? begin_a : begin_b,
                      .rows_are_b = swap};
    s.n = pd_number_common(g, swap ? b : a, swap ? a : b, &s.rows, &s.columns);
    pd_word_codes_reserve(&g->turned, (size_t)s.rows.n + s.columns.n + 1);
    s.back[0] = turn(s.rows, g->turned.v);
    s.back[1] = turn(s.columns, g->turned.v + s.rows.n);
    return match_part(g, &s, (struct part){0, s.rows.n, 0, s.columns.n});
}

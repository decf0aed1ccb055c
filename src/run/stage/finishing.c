/* run/stage/finishing.c - see src/run/stage/finishing.h */
#include "run/stage/finishing.h"

#include <math.h>

void pd_finishing_init(struct pd_finishing *f, const struct pd_method_options *o,
                       struct pd_left_out *left_out)
{
    *f = (struct pd_finishing){.options = o, .left_out = left_out};
    f->agreement =
        (struct pd_agreement){.exact_cells = PD_AGREEMENT_CELLS, .stopping = pd_comm_stopping};
}

void pd_finishing_release(struct pd_finishing *f)
{
    pd_rows_release(&f->rows);
    pd_single_counts_release(&f->singles);
    pd_agreement_release(&f->agreement);
    pd_trim_rows_release(&f->waiting);
    PD_RELEASE(pd_u64s, &f->steps, &f->order);
}

void pd_finishing_begin(struct pd_finishing *f) { f->rows.n = f->waiting.n = f->steps.n = 0; }

static struct pd_trim_row *last(struct pd_finishing *f) { return &f->waiting.v[f->waiting.n - 1]; }

void pd_finishing_add(struct pd_finishing *f, const struct pd_row *row, enum pd_copy copy)
{
    pd_trim_rows_push(
        &f->waiting,
        (struct pd_trim_row){.row = *row, .copy = copy, .back = f->steps.n, .ahead = f->steps.n});
}

void pd_finishing_edge(struct pd_finishing *f, enum pd_direction direction, struct pd_beyond a,
                       struct pd_beyond b)
{
    struct pd_trim_row *row = last(f);
    const uint32_t n = pd_edges_agree(&a, &b);
    if (direction == PD_BACK)
        row->nback = n;
    else
        row->nahead = n;
    for (uint32_t k = 0; k < n; k++)
        pd_u64s_push(&f->steps, pd_ij((uint32_t)a.v[k].bound, (uint32_t)b.v[k].bound));
    if (direction == PD_BACK)
        row->ahead = f->steps.n;
}

/* The own words of a row in the first document. */
static uint64_t own_words(const struct pd_row *row)
{
    return (uint32_t)row->own_a - (row->own_a >> 32);
}

bool pd_finishing_is_short(const struct pd_finishing *f)
{
    const struct pd_trim_row *row = &f->waiting.v[f->waiting.n - 1];
    const uint64_t words = own_words(&row->row) + row->nback + row->nahead; /* they say no more */
    return row->copy == PD_COPY_NO && f->options->passages != PD_PASSAGES_BEST &&
           words < (uint64_t)f->options->min_passage_words;
}

void pd_finishing_same(struct pd_finishing *f, uint32_t n)
{
    last(f)->words = (struct pd_agreed){n, n, n};
}

int pd_finishing_words(struct pd_finishing *f, struct pd_spoken a, struct pd_spoken b)
{
    last(f)->words =
        (struct pd_agreed){a.n, b.n, (uint32_t)pd_agreement_words(&f->agreement, a, b)};
    return f->agreement.stopped ? pd_comm_check_stop() : PD_OK;
}

void pd_finishing_unknown(struct pd_finishing *f, uint32_t in_a)
{
    last(f)->words = (struct pd_agreed){.in_a = in_a};
}

/*
 * Does a row say less than --min-passage-words words? With --char-ngram a single character says
 * less than another word.
 */
static bool says_little(const struct pd_finishing *f, const struct pd_row *row)
{
    const uint64_t words = own_words(row), least = (uint64_t)f->options->min_passage_words;
    const uint64_t all = (uint64_t)f->options->char_ngram;
    if (!all || words < least)
        return words < least;
    const uint32_t *counts = f->singles.v;
    const uint64_t singles = counts[(uint32_t)row->own_a] - counts[row->own_a >> 32];
    return words * all - singles * (all - (uint64_t)f->options->ngram) < least * all;
}

/* A row whose ends are known: keep it, unless it is left out. */
static void end_row(struct pd_finishing *f, struct pd_trim_row *r)
{
    const uint32_t edges = r->nback + r->nahead;
    const enum pd_copy copy = (enum pd_copy)r->copy;
    if (r->words.in_b) {
        pd_agreed_set(&r->row, r->words, edges);
    } else {
        r->row.words = pd_ij(r->words.in_a, 0);
        r->row.agreement = NAN;
    }
    if (copy == PD_COPY_NO && says_little(f, &r->row))
        f->left_out->too_short++;
    else if (!pd_row_agrees(&r->row, r->words.in_both + edges, copy, f->options))
        f->left_out->unlike++;
    else
        pd_rows_push(&f->rows, r->row);
}

void pd_finishing_end(struct pd_finishing *f)
{
    struct pd_trim_rows *rows = &f->waiting;
    if (f->options->passages == PD_PASSAGES_BEST) /* they must not overlap */
        rows->n = pd_trim(rows->v, rows->n, f->steps.v, &f->order);
    else
        for (size_t k = 0; k < rows->n; k++)
            pd_trim(&rows->v[k], 1, f->steps.v, &f->order);
    for (size_t k = 0; k < rows->n; k++)
        end_row(f, &rows->v[k]);
    rows->n = f->steps.n = 0;
}

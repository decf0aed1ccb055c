/* passage/best/best.c - see include/pardup/passage/best.h */
#include "pardup/passage/best.h"

#include "passage/best_inside.h"

struct pd_best {
    struct pd_best_options options;
    struct pd_dot_lines lines;
    struct pd_dot_runs runs;
    struct pd_subruns subruns;
    struct pd_chains chains;
};

struct pd_best *pd_best_new(const struct pd_best_options *options)
{
    struct pd_best *b = pd_realloc(NULL, 1, sizeof *b);
    *b = (struct pd_best){.options = *options};
    return b;
}

void pd_best_free(struct pd_best *b)
{
    if (!b)
        return;
    pd_dot_lines_release(&b->lines);
    pd_dot_runs_release(&b->runs);
    pd_subruns_release(&b->subruns);
    pd_chains_release(&b->chains);
    free(b);
}

/* The mean similarity of the dots of a chain. */
static double mean_similarity(const struct pd_best *b, const struct pd_chain *chain, uint32_t dots)
{
    double sum = 0;
    for (size_t k = chain->from; k < chain->to; k++) {
        const struct pd_subrun *s = &b->subruns.v[k];
        const uint32_t j = (uint32_t)pd_subrun_j(b->runs.v, s);
        for (uint32_t n = 0; n < s->n; n++)
            sum += pd_dot_lines_similarity(&b->lines, s->i + n, j + n);
    }
    return sum / dots;
}

/* True if some dot of a chain is not identical. */
static bool is_similar(const struct pd_best *b, const struct pd_chain *chain)
{
    for (size_t k = chain->from; k < chain->to; k++) {
        const struct pd_dot_run *run = &b->runs.v[b->subruns.v[k].run];
        if (run->weight < (uint64_t)pd_run_n(run) * PD_DOT_WEIGHT)
            return true;
    }
    return false;
}

static void emit(const struct pd_best *b, const struct pd_chain *chain, struct pd_passage *p)
{
    const struct pd_subrun *first = &b->subruns.v[chain->from];
    const struct pd_subrun *last = &b->subruns.v[chain->to - 1];
    const struct pd_dot_run *runs = b->runs.v;
    p->start_a = first->i;
    p->start_b = (uint32_t)pd_subrun_j(runs, first);
    p->length_a = (uint32_t)(pd_subrun_last_i(last) - p->start_a + 1);
    p->length_b = (uint32_t)(pd_subrun_last_j(runs, last) - p->start_b + 1);
    p->matched = 0;
    for (size_t k = chain->from; k < chain->to; k++)
        p->matched += b->subruns.v[k].n;
    p->similarity = is_similar(b, chain) ? mean_similarity(b, chain, p->matched) : 1;
}

static int by_start(const void *pa, const void *pb)
{
    const struct pd_passage *a = pa, *b = pb;
    return (a->start_a > b->start_a) - (a->start_a < b->start_a);
}

/* Link the runs of a pair, and append its passages. */
static void link_and_choose(struct pd_best *b, pd_doc first, pd_doc second, struct pd_passages *out)
{
    const size_t before = out->n;
    b->subruns.n = b->chains.n = 0;
    pd_chains_of_runs(&b->runs, &b->options, &b->subruns, &b->chains);
    pd_chains_choose(&b->runs, &b->options, &b->subruns, &b->chains);
    for (size_t k = 0; k < b->chains.n; k++) {
        struct pd_passage p = {.a = first, .b = second};
        emit(b, &b->chains.v[k], &p);
        pd_passages_push(out, p);
    }
    if (b->chains.n > 1)
        qsort(out->v + before, out->n - before, sizeof *out->v, by_start);
}

static struct pd_run_choice choice_of(const struct pd_best *b)
{
    /* without links, a short run is no chain */
    return (struct pd_run_choice){.least = b->options.gap ? 1 : b->options.gamma + 1,
                                  .limits = b->options.limits,
                                  .stopping = b->options.stopping};
}

void pd_best_find(struct pd_best *b, const struct pd_pair_dots *pair, struct pd_passages *out)
{
    const struct pd_run_choice choice = choice_of(b);
    if (pair->dots) {
        pd_dot_lines_of_dots(&b->lines, pair->dots, pair->n);
        pd_runs_of_lines(&b->lines, &choice, &b->runs);
    } else if (!pd_runs_of_classes(pair->blocks, pair->n, &choice, &b->runs)) {
        pd_dot_lines_of_blocks(&b->lines, pair->blocks, pair->n);
        pd_runs_of_lines(&b->lines, &choice, &b->runs);
    }
    link_and_choose(b, pair->a, pair->b, out);
}

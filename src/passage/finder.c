/* passage/finder.c - see include/pardup/passage/finder.h */
#include "pardup/passage/finder.h"

#include "pardup/base/minmax.h"

void pd_finder_init(struct pd_finder *f, enum pd_finder_way way,
                    const struct pd_best_options *options)
{
    *f = (struct pd_finder){.way = way,
                            .gamma = options->gamma,
                            .gap = options->gap,
                            .diagonals = {.stopping = options->stopping}};
    if (way == PD_FIND_BEST)
        f->best = pd_best_new(options);
}

void pd_finder_release(struct pd_finder *f)
{
    pd_diagonals_release(&f->diagonals);
    pd_regions_release(&f->regions);
    pd_best_free(f->best);
    f->best = NULL;
}

/* The block that says that the documents of a pair are equal; NULL: there is none. */
static const struct pd_block *whole_block(const struct pd_pair_dots *pair)
{
    for (size_t k = 0; !pair->dots && k < pair->n; k++)
        if (pd_block_is_whole(pair->blocks[k]))
            return pair->blocks[k];
    return NULL;
}

/* The passage of two equal documents. They may be divided into different numbers of units. */
static struct pd_passage whole_passage(const struct pd_block *whole)
{
    const uint32_t na = whole->units[0], nb = whole->units[1];
    return (struct pd_passage){.a = whole->a,
                               .b = whole->b,
                               .length_a = na,
                               .length_b = nb,
                               .matched = pd_min_u32(na, nb),
                               .copy = PD_COPY_WHOLE,
                               .similarity = 1};
}

/* The passage of two brief documents: from the first to the last unit of their text. */
static struct pd_passage brief_passage(const struct pd_pair_dots *pair)
{
    const struct pd_brief *brief = pair->brief;
    const uint32_t na = brief->last_a - brief->first_a + 1, nb = brief->last_b - brief->first_b + 1;
    return (struct pd_passage){.a = pair->a,
                               .b = pair->b,
                               .start_a = brief->first_a,
                               .start_b = brief->first_b,
                               .length_a = na,
                               .length_b = nb,
                               .matched = pd_min_u32(na, nb),
                               .copy = PD_COPY_BRIEF,
                               .similarity = 1};
}

/* Append the passages that the dots of a pair make. */
static void find_in_dots(struct pd_finder *f, const struct pd_pair_dots *pair,
                         struct pd_passages *out)
{
    switch (f->way) {
    case PD_FIND_ALL:
        pd_diagonals_find(&f->diagonals, pair, f->gamma, f->gap, out);
        break;
    case PD_FIND_BEST:
        pd_best_find(f->best, pair, out);
        break;
    case PD_FIND_REGIONS:
        pd_regions_find(&f->regions, pair, f->gamma, f->gap, out);
        break;
    }
}

bool pd_finder_find(struct pd_finder *f, const struct pd_pair_dots *pair, struct pd_passages *out)
{
    const struct pd_block *whole = whole_block(pair);
    const size_t before = out->n;
    if (whole) {
        pd_passages_push(out, whole_passage(whole));
        return true;
    }
    if (pair->n)
        find_in_dots(f, pair, out);
    if (!pair->brief || out->n > before)
        return false;
    pd_passages_push(out, brief_passage(pair));
    return true;
}

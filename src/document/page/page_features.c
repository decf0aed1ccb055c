/* page_features.c - see page_features.h */
#include "page_features.h"

#include "feature_values.h"

uint32_t pd_feature_best(const struct pd_outline *outline)
{
    uint32_t best = 0;
    for (uint32_t k = 0; k < outline->nodes.n; k++) {
        if (outline->nodes.v[k].prose > outline->nodes.v[best].prose)
            best = k;
    }
    return best;
}

/* Add `n` to the sums of the groups in the set. */
static void add_groups(uint64_t *sums, uint64_t set, uint64_t n)
{
    for (; set != 0; set &= set - 1)
        sums[__builtin_ctzll(set)] += n;
}

/* Sums over the blocks of a page. Words are counted in half words. */
struct block_sums {
    uint64_t classes[64]; /* words under each class group */
    uint64_t texts[64];   /* blocks with each text group */
    uint64_t in_tag[64];  /* words inside each tag, at any depth */
    uint64_t of_tag[64];  /* words whose innermost element has the tag */
    uint64_t headings;    /* blocks */
    uint64_t in_headings; /* words */
    uint64_t longest;     /* the most words of a block that are not linked */
    uint64_t prose;       /* words that are not linked, in blocks with many of them */
    uint64_t stops, prices, ended;
};

static struct block_sums sum_blocks(const struct pd_outline *outline)
{
    enum { PROSE = 30 /* half words of a long block */ };
    struct block_sums sums = {.prose = 0};
    for (size_t k = 0; k < outline->blocks.n; k++) {
        const struct pd_outline_block *b = &outline->blocks.v[k];
        const struct pd_node *node = &outline->nodes.v[b->node];
        const uint32_t plain = b->counts.halves - b->linked;
        add_groups(sums.classes, node->all, b->counts.halves);
        add_groups(sums.texts, b->cues, 1);
        add_groups(sums.in_tag, node->around, b->counts.halves);
        sums.of_tag[node->tag] += b->counts.halves;
        sums.headings += is_heading(node->tag);
        sums.in_headings += is_heading(node->tag) ? b->counts.halves : 0;
        sums.longest = plain > sums.longest ? plain : sums.longest;
        sums.prose += plain >= PROSE ? plain : 0;
        sums.stops += b->counts.stops;
        sums.prices += b->counts.prices;
        sums.ended += b->last == 1 && b->counts.stops > 0;
    }
    return sums;
}

static uint64_t count_articles(const struct pd_outline *outline)
{
    uint64_t n = 0;
    for (size_t k = 0; k < outline->nodes.n; k++)
        n += outline->nodes.v[k].tag == PD_TAG_ARTICLE;
    return n;
}

/*
 * The first of more than two twins, from the parent with the most words. The root, which has no
 * twins, when no element has.
 */
static const struct pd_node *find_twins(const struct pd_outline *outline)
{
    const struct pd_node *nodes = outline->nodes.v, *best = &nodes[0];
    for (size_t k = 0; k < outline->nodes.n; k++) {
        const struct pd_node *node = &nodes[k];
        if (node->halves > 0 && node->twins > 2 && node->order == 0 &&
            (best == &nodes[0] || nodes[node->parent].halves > nodes[best->parent].halves))
            best = node;
    }
    return best;
}

/* The features of PD_PAGE_FEATURES. */
static void put_plain(const struct pd_outline *outline, const struct block_sums *sums,
                      int16_t *features)
{
    const struct pd_node *nodes = outline->nodes.v, *twins = find_twins(outline);
    const uint64_t all = nodes[0].halves;
    const int16_t plain[PD_PAGE_PLAIN] = {
        [PD_PAGE_BLOCKS] = cap(outline->blocks.n),
        [PD_PAGE_WORDS] = cap(all / 2),
        [PD_PAGE_LINKED] = share(nodes[0].linked, all),
        [PD_PAGE_IN_P] = share(sums->of_tag[PD_TAG_P], all),
        [PD_PAGE_IN_ITEMS] = share(sums->in_tag[PD_TAG_ITEM], all),
        [PD_PAGE_IN_CELLS] = share(sums->in_tag[PD_TAG_CELL], all),
        [PD_PAGE_IN_PRE] = share(sums->in_tag[PD_TAG_PRE], all),
        [PD_PAGE_IN_HEADINGS] = share(sums->in_headings, all),
        [PD_PAGE_IN_MAIN] = share(sums->in_tag[PD_TAG_MAIN], all),
        [PD_PAGE_IN_ARTICLE] = share(sums->in_tag[PD_TAG_ARTICLE], all),
        [PD_PAGE_IN_PROSE] = share(nodes[pd_feature_best(outline)].halves, all),
        [PD_PAGE_ARTICLES] = cap(count_articles(outline)),
        [PD_PAGE_HEADINGS] = cap(sums->headings),
        [PD_PAGE_FORMS] = cap(outline->forms),
        [PD_PAGE_INPUTS] = cap(outline->inputs),
        [PD_PAGE_IMAGES] = cap(outline->images),
        [PD_PAGE_TIMES] = cap(outline->times),
        [PD_PAGE_LONGEST] = cap(sums->longest),
        [PD_PAGE_PROSE] = share(sums->prose, all),
        [PD_PAGE_STOPS] = cap(sums->stops),
        [PD_PAGE_PRICES] = cap(sums->prices),
        [PD_PAGE_ENDED] = cap(sums->ended),
        [PD_PAGE_TWINS] = cap(twins->twins),
        [PD_PAGE_TWIN_WORDS] = twins->twins ? cap(nodes[twins->parent].halves / twins->twins) : 0,
        [PD_PAGE_TWIN_SHARE] = share(nodes[twins->parent].halves, all),
        [PD_PAGE_TOLD] = cap(outline->told),
    };
    memcpy(features, plain, sizeof plain);
}

void pd_page_features(const struct pd_outline *outline, int16_t *features)
{
    const uint64_t all = outline->nodes.v[0].halves;
    const struct block_sums sums = sum_blocks(outline);
    put_plain(outline, &sums, features);
    for (unsigned k = 0; k < PD_CLASS_GROUPS; k++)
        features[PD_PAGE_CLASSES + k] = share(sums.classes[k], all);
    put_bits(outline->kinds, PD_KIND_GROUPS, features + PD_PAGE_KINDS);
    for (unsigned k = 0; k < PD_TEXT_GROUPS; k++)
        features[PD_PAGE_TEXTS + k] = cap(sums.texts[k]);
}

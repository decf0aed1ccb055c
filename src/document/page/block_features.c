/* block_features.c - the features of the blocks of a page: see page_features.h */
#include "feature_values.h"
#include "page_features.h"

enum { LEVELS = 8 }; /* elements around a block that are looked at for twins */

/* Tags that a block may be inside of, for the features from PD_BLOCK_TAGS on. */
static const uint8_t tags[] = {PD_TAG_NAV,    PD_TAG_ASIDE,   PD_TAG_FOOTER,  PD_TAG_HEADER,
                               PD_TAG_MAIN,   PD_TAG_ARTICLE, PD_TAG_SECTION, PD_TAG_FORM,
                               PD_TAG_TABLE,  PD_TAG_LIST,    PD_TAG_QUOTE,   PD_TAG_FIGURE,
                               PD_TAG_BUTTON, PD_TAG_SELECT,  PD_TAG_LABEL,   PD_TAG_DETAILS,
                               PD_TAG_DIALOG, PD_TAG_PRE,     PD_TAG_TERMS,   PD_TAG_P};
_Static_assert(sizeof tags == PD_BLOCK_NEAR - PD_BLOCK_TAGS, "a feature for each tag");

static bool is_in(const struct pd_node *node, unsigned tag) { return node->around >> tag & 1; }

/* Whether a block is prose: words that are not linked, and a full stop. */
static bool is_prose(const struct pd_outline_block *b)
{
    enum { LEAST = 30 /* half words */ };
    return b->counts.halves >= LEAST && b->last == 1 && 3 * (uint64_t)b->linked <= b->counts.halves;
}

/* Sums of blocks that look the same. */
struct look {
    uint64_t halves, linked, blocks, prose;
};

/* A walk through the blocks of a page. */
struct pd_block_walk {
    const struct pd_outline *outline;
    const struct pd_node *nodes;
    const int16_t *page; /* features of the page */
    size_t at;           /* index of the next block */
    uint32_t best;       /* the element with most prose */
    bool *above;         /* for each element: whether `best` is inside */
    size_t h1;           /* index of the first block in an <h1>; SIZE_MAX: none */
    struct look *looks;
    uint64_t *prose;       /* half words of prose before each block, and in all */
    uint32_t *next_prose;  /* index of the first block of prose from each block on */
    uint64_t before;       /* half words before the block */
    size_t last_prose;     /* index of the last block of prose; SIZE_MAX: none */
    size_t heading;        /* index of the last heading; SIZE_MAX: none */
    size_t title;          /* index of the last block that is the title; SIZE_MAX: none */
    size_t told, told_end; /* the blocks of told text, from first to behind the last */
};

static void put_position(const struct pd_block_walk *w, size_t k, int16_t *f)
{
    const struct pd_outline_block *blocks = w->outline->blocks.v;
    f[PD_BLOCK_PLACE] = share(k, w->outline->blocks.n);
    f[PD_BLOCK_BEFORE] = share(w->before, w->nodes[0].halves);
    f[PD_BLOCK_SINCE_HEADING] = w->heading == SIZE_MAX ? PD_FEATURE_MOST : cap(k - w->heading);
    if (w->heading != SIZE_MAX) {
        f[PD_BLOCK_HEADING] = (int16_t)(w->nodes[blocks[w->heading].node].tag - PD_TAG_H1 + 1);
        f[PD_BLOCK_HEADING_HALVES] = cap(blocks[w->heading].counts.halves);
    }
    f[PD_BLOCK_SINCE_H1] = w->h1 == SIZE_MAX ? PD_FEATURE_MOST : k >= w->h1 ? cap(k - w->h1) : -1;
    f[PD_BLOCK_UNTIL_H1] = w->h1 != SIZE_MAX && k < w->h1 ? cap(w->h1 - k) : 0;
}

/* Sizes of some elements around the block; the root stands for elements that are not there. */
static void put_up(const struct pd_node *nodes, uint32_t at, int16_t *f)
{
    static const uint8_t first[] = {/* the feature to begin with, by levels above the element */
                                    [1] = PD_BLOCK_UP1_HALVES,
                                    [2] = PD_BLOCK_UP2_HALVES,
                                    [3] = PD_BLOCK_UP3_HALVES,
                                    [5] = PD_BLOCK_UP5_HALVES};
    uint32_t k = at;
    for (unsigned level = 1; level < sizeof first; level++) {
        k = nodes[k].parent;
        if (first[level] == 0)
            continue;
        f[first[level]] = cap(nodes[k].halves);
        f[first[level] + 1] = share(nodes[k].linked, nodes[k].halves);
        f[first[level] + 2] = cap(nodes[k].blocks);
    }
}

/* How far the block is from the element with most prose, up and down the tree. */
static void put_best(const struct pd_block_walk *w, uint32_t at, int16_t *f)
{
    const struct pd_node *nodes = w->nodes;
    uint32_t common = at; /* the innermost element that holds both */
    unsigned apart = 1;
    for (; !w->above[common]; apart++)
        common = nodes[common].parent;
    f[PD_BLOCK_APART] = cap(apart);
    f[PD_BLOCK_BEST_SHARE] = share(nodes[w->best].halves, nodes[0].halves);
    f[PD_BLOCK_ASIDE_LEVELS] = (int16_t)(nodes[w->best].depth - nodes[common].depth);
}

/* The section of a block: the outermost element around it with at most half of the words. */
static void put_section(const struct pd_node *nodes, uint32_t at, int16_t *f)
{
    const uint64_t all = nodes[0].halves;
    uint32_t section = at;
    while (section != 0 && 2 * (uint64_t)nodes[nodes[section].parent].halves <= all)
        section = nodes[section].parent;
    f[PD_BLOCK_SECTION_SHARE] = share(nodes[section].halves, all);
    f[PD_BLOCK_SECTION_DENSITY] = share(nodes[section].linked, nodes[section].halves);
    f[PD_BLOCK_SECTION_TAG] = nodes[section].tag;
    f[PD_BLOCK_SECTION_PLACE] = cap(nodes[section].order);
}

/* The elements around a block that have the most twins, and the nearest ones that have twins. */
static void put_twins(const struct pd_node *nodes, uint32_t at, int16_t *f)
{
    const struct pd_node *twin = &nodes[at], *inner = NULL;
    uint32_t k = at;
    for (unsigned level = 0; level < LEVELS; level++, k = nodes[k].parent) {
        if (nodes[k].twins <= 2)
            continue;
        inner = inner ? inner : &nodes[k];
        if (nodes[k].twins > twin->twins) {
            twin = &nodes[k];
            f[PD_BLOCK_TWIN_LEVEL] = cap(level);
        }
    }
    f[PD_BLOCK_TWIN_N] = cap(twin->twins);
    if (twin->twins > 0)
        f[PD_BLOCK_TWIN_EACH] = cap(nodes[twin->parent].halves / twin->twins);
    f[PD_BLOCK_TWIN_OWN] = cap(twin->halves);
    f[PD_BLOCK_TWIN_ORDER] = cap(twin->order);
    if (inner) {
        f[PD_BLOCK_NEAR_TWINS] = cap(inner->twins);
        f[PD_BLOCK_NEAR_EACH] = cap(nodes[inner->parent].halves / inner->twins);
    }
}

/* What the elements around a block are called: their classes and tags. */
static void put_names(const struct pd_node *nodes, uint32_t at, int16_t *f)
{
    uint64_t near = 0; /* class groups of the block's element, its parent and grandparent */
    uint32_t k = at;
    for (unsigned level = 0; level < 3; level++, k = nodes[k].parent)
        near |= nodes[k].own;
    put_bits(near, PD_CLASS_GROUPS, f + PD_BLOCK_NEAR);
    put_bits(nodes[at].all, PD_CLASS_GROUPS, f + PD_BLOCK_FAR);
    for (unsigned t = 0; t < sizeof tags; t++)
        f[PD_BLOCK_TAGS + t] = is_in(&nodes[at], tags[t]);
}

/* Features of the block `by` blocks away, if there is one. */
static void put_neighbour(const struct pd_block_walk *w, size_t k, int by, int16_t *f)
{
    const size_t n = w->outline->blocks.n;
    const size_t other = k + (size_t)by; /* wraps round for blocks before the first */
    if (other >= n)
        return;
    const struct pd_outline_block *b = &w->outline->blocks.v[other];
    f[0] = cap(b->counts.halves);
    f[1] = share(b->linked, b->counts.halves);
    f[2] = w->nodes[b->node].tag;
}

static void put_own(const struct pd_outline_block *b, const struct pd_node *node, int16_t *f)
{
    f[PD_BLOCK_HALVES] = cap(b->counts.halves);
    f[PD_BLOCK_DENSITY] = share(b->linked, b->counts.halves);
    f[PD_BLOCK_CHARS] = cap(b->counts.chars);
    f[PD_BLOCK_CAPITALS] = share(2 * (uint64_t)b->counts.capitals, b->counts.halves);
    f[PD_BLOCK_DIGITS] = share(b->counts.digits, b->counts.chars);
    f[PD_BLOCK_COMMAS] = cap(b->counts.commas);
    f[PD_BLOCK_MARKS] = cap(b->counts.stops);
    f[PD_BLOCK_SIGNS] = cap(b->counts.signs);
    f[PD_BLOCK_MONEY] = cap(b->counts.prices);
    f[PD_BLOCK_PICTURES] = cap(b->images);
    f[PD_BLOCK_FIELDS] = cap(b->inputs);
    f[PD_BLOCK_LAST] = b->last;
    f[PD_BLOCK_LOWER] = b->lower;
    f[PD_BLOCK_COPIES] = cap(b->copies);
    f[PD_BLOCK_TAG] = node->tag;
    f[PD_BLOCK_DEPTH] = node->depth;
    put_bits(b->cues, PD_TEXT_GROUPS, f + PD_BLOCK_TEXTS);
}

static void put_page(const int16_t *page, int16_t *f)
{
    f[PD_BLOCK_ALL_BLOCKS] = page[PD_PAGE_BLOCKS];
    f[PD_BLOCK_ALL_WORDS] = page[PD_PAGE_WORDS];
    f[PD_BLOCK_ALL_LINKED] = page[PD_PAGE_LINKED];
    f[PD_BLOCK_ALL_PROSE] = page[PD_PAGE_PROSE];
    f[PD_BLOCK_ALL_LONGEST] = page[PD_PAGE_LONGEST];
    f[PD_BLOCK_ALL_TWIN_SHARE] = page[PD_PAGE_TWIN_SHARE];
    f[PD_BLOCK_ALL_MAIN] = page[PD_PAGE_IN_MAIN];
    f[PD_BLOCK_ALL_ARTICLES] = page[PD_PAGE_ARTICLES];
}

static void put_prose(const struct pd_block_walk *w, size_t k, int16_t *f)
{
    enum { REACH = 3 /* blocks */ };
    const size_t n = w->outline->blocks.n;
    const struct pd_outline_block *b = &w->outline->blocks.v[k];
    const struct look *look = &w->looks[b->look];
    const uint64_t all = w->prose[n];
    f[PD_BLOCK_LOOK_SHARE] = share(look->halves, w->nodes[0].halves);
    f[PD_BLOCK_LOOK_BLOCKS] = cap(look->blocks);
    f[PD_BLOCK_LOOK_DENSITY] = share(look->linked, look->halves);
    f[PD_BLOCK_LOOK_PROSE] = share(look->prose, look->halves);
    f[PD_BLOCK_PROSE_BEFORE] = share(w->prose[k], all);
    f[PD_BLOCK_PROSE_BEHIND] = share(all - w->prose[k + 1], all);
    f[PD_BLOCK_SINCE_PROSE] = w->last_prose == SIZE_MAX ? PD_FEATURE_MOST : cap(k - w->last_prose);
    f[PD_BLOCK_UNTIL_PROSE] =
        w->next_prose[k] == UINT32_MAX ? PD_FEATURE_MOST : cap(w->next_prose[k] - k);
    f[PD_BLOCK_PROSE_AROUND] =
        cap(w->prose[k + 1 + REACH < n ? k + 1 + REACH : n] - w->prose[k < REACH ? 0 : k - REACH]);
    f[PD_BLOCK_UP1_PROSE] = cap(w->nodes[w->nodes[b->node].parent].prose);
    if (w->heading != SIZE_MAX)
        put_bits(w->outline->blocks.v[w->heading].cues, PD_TEXT_GROUPS, f + PD_BLOCK_HEADED);
}

static void put_told(const struct pd_block_walk *w, size_t k, int16_t *f)
{
    for (unsigned what = 0; what < PD_TOLD_N; what++)
        f[PD_BLOCK_TOLD_TEXT + what] = w->outline->blocks.v[k].told[what];
    f[PD_BLOCK_ALL_TOLD] = cap(w->outline->told);
    if (w->told < w->told_end)
        f[PD_BLOCK_SPAN] = k < w->told ? 1 : k < w->told_end ? 2 : 3;
    f[PD_BLOCK_SINCE_TITLE] = w->title == SIZE_MAX ? PD_FEATURE_MOST : cap(k - w->title);
}

/* Find the first and the last block of the text that the page has told. */
static void find_told(struct pd_block_walk *w)
{
    enum { LEAST = 10 /* half words */ };
    w->told = SIZE_MAX;
    for (size_t k = 0; k < w->outline->blocks.n; k++) {
        const struct pd_outline_block *b = &w->outline->blocks.v[k];
        if (b->counts.halves < LEAST || b->told[PD_TOLD_TEXT] < 128)
            continue;
        w->told = w->told < k ? w->told : k;
        w->told_end = k + 1;
    }
}

/* Fill the sums of looks and of prose. */
static void sum_up(struct pd_block_walk *w)
{
    const size_t n = w->outline->blocks.n;
    uint32_t next = UINT32_MAX;
    for (size_t k = 0; k < n; k++) {
        const struct pd_outline_block *b = &w->outline->blocks.v[k];
        struct look *look = &w->looks[b->look];
        const uint64_t prose = is_prose(b) ? b->counts.halves : 0;
        look->halves += b->counts.halves;
        look->linked += b->linked;
        look->blocks++;
        look->prose += prose;
        w->prose[k + 1] = w->prose[k] + prose;
    }
    for (size_t k = n; k-- > 0;) {
        next = is_prose(&w->outline->blocks.v[k]) ? (uint32_t)k : next;
        w->next_prose[k] = next;
    }
}

static size_t find_h1(const struct pd_outline *outline)
{
    for (size_t k = 0; k < outline->blocks.n; k++) {
        if (outline->nodes.v[outline->blocks.v[k].node].tag == PD_TAG_H1)
            return k;
    }
    return SIZE_MAX;
}

/* Room for n zeros of `size` bytes. */
static void *zeroed(size_t n, size_t size)
{
    void *room = pd_realloc(NULL, n + 1, size);
    return memset(room, 0, (n + 1) * size);
}

struct pd_block_walk *pd_block_walk_new(const struct pd_outline *outline, const int16_t *page)
{
    const size_t n = outline->blocks.n;
    struct pd_block_walk *w = zeroed(1, sizeof *w);
    w->outline = outline;
    w->nodes = outline->nodes.v;
    w->page = page;
    w->best = pd_feature_best(outline);
    w->h1 = find_h1(outline);
    w->last_prose = w->heading = w->title = SIZE_MAX;
    w->above = zeroed(outline->nodes.n, sizeof *w->above);
    w->looks = zeroed(outline->looks, sizeof *w->looks);
    w->prose = zeroed(n + 1, sizeof *w->prose);
    w->next_prose = zeroed(n, sizeof *w->next_prose);
    sum_up(w);
    find_told(w);
    for (uint32_t k = w->best; !w->above[k]; k = w->nodes[k].parent)
        w->above[k] = true;
    return w;
}

void pd_block_walk_next(struct pd_block_walk *w, int16_t *f)
{
    const size_t k = w->at++;
    const struct pd_outline_block *b = &w->outline->blocks.v[k];
    memset(f, 0, PD_BLOCK_KINDS * sizeof *f);
    put_own(b, &w->nodes[b->node], f);
    put_page(w->page, f);
    put_position(w, k, f);
    put_up(w->nodes, b->node, f);
    put_best(w, b->node, f);
    put_section(w->nodes, b->node, f);
    put_twins(w->nodes, b->node, f);
    put_names(w->nodes, b->node, f);
    put_neighbour(w, k, -2, f + PD_BLOCK_B2_HALVES);
    put_neighbour(w, k, -1, f + PD_BLOCK_B1_HALVES);
    put_neighbour(w, k, 1, f + PD_BLOCK_A1_HALVES);
    put_neighbour(w, k, 2, f + PD_BLOCK_A2_HALVES);
    put_prose(w, k, f);
    if (b->told[PD_TOLD_TITLE] >= 200)
        w->title = k;
    put_told(w, k, f);
    if (is_heading(w->nodes[b->node].tag))
        w->heading = k;
    if (is_prose(b))
        w->last_prose = k;
    w->before += b->counts.halves;
}

void pd_block_walk_free(struct pd_block_walk *w)
{
    PD_FREE(w->above, w->looks, w->prose, w->next_prose, w);
}

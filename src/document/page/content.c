/* content.c - see src/document/page/content.h */
#include "content.h"

#include "feature_values.h"
#include "page_features.h"
#include "page_trees.h"

#define BETWEEN_BLOCKS "\n\n"
#define NO_BREAK_SPACE "\xC2\xA0"

enum {
    ODDS_ALL = 1024,                /* a probability of 1 */
    ODDS_NEVER = ODDS_ALL / 5,      /* a block below is never kept */
    ODDS_CODE = ODDS_ALL / 10,      /* code below is kept only between blocks that are */
    ODDS_ALWAYS = ODDS_ALL * 3 / 5, /* a block from here on always is; the limit in articles */
    POINTER_HALVES = 40,            /* half words of the longest block that may be a pointer */
    STRAY_HALVES = 60,              /* half words of the shortest stray block */
    STRAY_LINKED = 4,               /* one in so many of its words may be linked */
    STRAY_SENTENCE = 80             /* half words for each mark that ends a sentence */
};

/* The probability that a score stands for. */
static unsigned odds_of(int score)
{
    /*
     * ODDS_ALL / (1 + exp(-x)) at each multiple x of a quarter from -8 to 8; straight lines between
     */
    enum { STEP = PD_SCORE_UNIT / 4 };
    static const uint16_t odds[] = {
        0,    0,    1,    1,    1,    1,    2,    2,    3,    3,    4,    5,    7,
        9,    11,   14,   18,   24,   30,   38,   49,   62,   78,   98,   122,  152,
        187,  228,  275,  329,  387,  448,  512,  576,  637,  695,  749,  796,  837,
        872,  902,  926,  946,  962,  975,  986,  994,  1000, 1006, 1010, 1013, 1015,
        1017, 1019, 1020, 1021, 1021, 1022, 1022, 1023, 1023, 1023, 1023, 1024, 1024,
    };
    const unsigned at = (unsigned)(score + PD_SCORE_MOST + 1);
    const unsigned low = odds[at / STEP], high = odds[at / STEP + 1];
    return low + (high - low) * (at % STEP) / STEP;
}

/* Whether a page is an article. */
enum article { NO_ARTICLE, MAYBE_ARTICLE, SURELY_ARTICLE };

/*
 * Write the scores of the kinds of the page, with 0 for the best, to kinds[PD_PAGE_NKINDS]. Returns
 * whether it is an article.
 */
static enum article judge_page(const int16_t *page, int16_t *kinds)
{
    int16_t best = -PD_SCORE_MOST;
    for (unsigned k = 0; k < PD_PAGE_NKINDS; k++) {
        kinds[k] = pd_forest_score(&pd_kind_forests[k], page);
        best = kinds[k] > best ? kinds[k] : best;
    }
    bool surely = true;
    for (unsigned k = 0; k < PD_PAGE_NKINDS; k++) {
        kinds[k] = (int16_t)(kinds[k] - best);
        surely &= k == PD_KIND_ARTICLE ? kinds[k] == 0 : kinds[k] <= -PD_SCORE_UNIT;
    }
    if (surely)
        return SURELY_ARTICLE;
    return kinds[PD_KIND_ARTICLE] >= -PD_SCORE_UNIT ? MAYBE_ARTICLE : NO_ARTICLE;
}

/* Blocks that wait until they are judged together. */
struct waiting {
    unsigned n;
    size_t blocks[PD_FOREST_ROWS];
    int16_t rows[PD_FOREST_ROWS][PD_FEATURES_ROOM]; /* their features */
};

/* Write the scores of the blocks that wait. */
static void judge_waiting(struct waiting *waiting, int16_t *scores)
{
    int16_t found[PD_FOREST_ROWS];
    pd_forest_scores(&pd_block_forest, waiting->rows, PD_BLOCK_N, found);
    for (unsigned k = 0; k < waiting->n; k++)
        scores[waiting->blocks[k]] = found[k];
    waiting->n = 0;
}

/* Write the score of each block. Returns whether the page is an article. */
static enum article judge_blocks(const struct pd_outline *outline, int16_t *scores)
{
    struct waiting waiting = {.n = 0};
    int16_t page[PD_FEATURES_ROOM], kinds[PD_PAGE_NKINDS];
    _Static_assert((int)PD_PAGE_N <= PD_TREE_LEAF && (int)PD_BLOCK_N <= PD_TREE_LEAF,
                   "a byte each");
    page[PD_TREE_LEAF] = INT16_MAX;
    pd_page_features(outline, page);
    const enum article article = judge_page(page, kinds);
    for (unsigned k = 0; k < PD_FOREST_ROWS; k++)
        memcpy(waiting.rows[k] + PD_BLOCK_KINDS, kinds, sizeof kinds);
    struct pd_block_walk *walk = pd_block_walk_new(outline, page);
    for (size_t k = 0; k < outline->blocks.n; k++) {
        pd_block_walk_next(walk, waiting.rows[waiting.n]);
        scores[k] = 0;
        if (outline->blocks.v[k].counts.halves == 0)
            continue; /* a block without words is never kept */
        waiting.blocks[waiting.n++] = k;
        if (waiting.n == PD_FOREST_ROWS)
            judge_waiting(&waiting, scores);
    }
    if (waiting.n > 0)
        judge_waiting(&waiting, scores);
    pd_block_walk_free(walk);
    return article;
}

/*
 * The least probability of the blocks that are kept: the limit that gives the highest expected F1
 * of words: twice the expected words of main content that are kept, by the words that are kept and
 * the expected words of main content.
 */
static unsigned find_limit(const struct pd_outline_block *blocks, size_t n, const int16_t *scores)
{
    uint64_t words[ODDS_ALL + 1] = {0}, wanted = 0;
    for (size_t k = 0; k < n; k++) {
        const unsigned odds = odds_of(scores[k]);
        words[odds] += blocks[k].counts.halves;
        wanted += (uint64_t)blocks[k].counts.halves * odds;
    }
    uint64_t kept = 0, right = 0, best_right = 0, best_of = 1;
    unsigned limit = ODDS_ALWAYS;
    for (unsigned odds = ODDS_ALL; odds >= ODDS_NEVER; odds--) {
        kept += words[odds];
        right += words[odds] * odds;
        const uint64_t of = kept * ODDS_ALL + wanted;
        if (words[odds] == 0 ||
            (unsigned __int128)right * best_of <= (unsigned __int128)best_right * of)
            continue;
        best_right = right;
        best_of = of;
        limit = odds < ODDS_ALWAYS ? odds : ODDS_ALWAYS;
    }
    return limit;
}

/* Is most of a block linked? A heading may be linked and belong to the article. */
static bool is_linked(const struct pd_outline *outline, const struct pd_outline_block *b)
{
    return 2 * b->linked > b->counts.halves && !is_heading(outline->nodes.v[b->node].tag);
}

/*
 * Does a block of an article point to another page, as the headline of another article or a call to
 * subscribe does? It is short, and most of it is linked. An entry of a list may belong to the
 * article.
 */
static bool is_pointer(const struct pd_outline *outline, const struct pd_outline_block *b)
{
    const bool in_list = outline->nodes.v[b->node].around >> PD_TAG_LIST & 1;
    return b->counts.halves <= POINTER_HALVES && !in_list && is_linked(outline, b);
}

/* What becomes of a block: it is left out, kept in doubt, or kept. */
enum label { OUT, DOUBTFUL, KEPT };

/* Label the blocks. A block is kept if its probability is at least `limit`. */
static void label_likely(const struct pd_outline *outline, const int16_t *scores, unsigned limit,
                         enum article article, uint8_t *labels)
{
    for (size_t k = 0; k < outline->blocks.n; k++) {
        const struct pd_outline_block *b = &outline->blocks.v[k];
        const unsigned odds = odds_of(scores[k]);
        if (b->counts.halves == 0 || odds < limit ||
            (article == SURELY_ARTICLE && is_pointer(outline, b)))
            labels[k] = OUT;
        else
            labels[k] = article != NO_ARTICLE && odds < ODDS_ALWAYS ? DOUBTFUL : KEPT;
    }
}

static bool is_code(const struct pd_outline *outline, size_t k)
{
    return outline->nodes.v[outline->blocks.v[k].node].around >> PD_TAG_PRE & 1;
}

static bool has_words(const struct pd_outline *outline, size_t k)
{
    return outline->blocks.v[k].counts.halves > 0;
}

static uint8_t lesser(uint8_t a, uint8_t b) { return a < b ? a : b; }
static uint8_t greater(uint8_t a, uint8_t b) { return a > b ? a : b; }

/*
 * Give preformatted text, which may be many blocks, one label: the best label of its own blocks, or
 * the label of the nearest blocks with words before and behind. Where these two differ, the better
 * label counts if a block may be kept at all. The trees know prose, and code is none.
 */
static void label_code(const struct pd_outline *outline, const int16_t *scores, uint8_t *labels)
{
    const size_t n = outline->blocks.n;
    uint8_t before = OUT;
    for (size_t k = 0; k < n;) {
        uint8_t own = OUT;
        bool able = false;
        size_t end = k;
        for (; end < n && (is_code(outline, end) || !has_words(outline, end)); end++) {
            own = greater(own, labels[end]);
            able |= has_words(outline, end) && odds_of(scores[end]) >= ODDS_CODE;
        }
        const uint8_t behind = end < n ? labels[end] : OUT;
        own = greater(own, able ? greater(before, behind) : lesser(before, behind));
        for (; k < end; k++)
            labels[k] = has_words(outline, k) ? own : OUT;
        before = behind;
        k = end + 1;
    }
}

static bool is_told_main(const struct pd_outline *outline, size_t k)
{
    return outline->nodes.v[outline->blocks.v[k].node].around >> PD_AROUND_MAIN & 1;
}

/*
 * Keep what the page itself calls its main content, and nothing else, where most of what is kept
 * is links outside of it, or nothing is kept: the menu of a page with little text, or a page whose
 * own text is links.
 */
static void label_told(const struct pd_outline *outline, uint8_t *labels)
{
    uint64_t told = 0, kept = 0, inside = 0, linked = 0; /* half words; the last three are kept */
    for (size_t k = 0; k < outline->blocks.n; k++) {
        const struct pd_outline_block *b = &outline->blocks.v[k];
        const uint32_t halves = is_told_main(outline, k) ? b->counts.halves : 0;
        told += halves;
        if (labels[k] == OUT)
            continue;
        kept += b->counts.halves;
        linked += b->linked;
        inside += halves;
    }
    if (told == 0 || 2 * inside > kept || 2 * linked < kept)
        return;
    for (size_t k = 0; k < outline->blocks.n; k++)
        labels[k] = has_words(outline, k) && is_told_main(outline, k) ? KEPT : OUT;
}

/* Is a block that is left out running text? */
static bool is_stray(const struct pd_outline *outline, const struct pd_outline_block *b)
{
    return b->counts.halves >= STRAY_HALVES && STRAY_LINKED * b->linked <= b->counts.halves &&
           STRAY_SENTENCE * b->counts.stops >= b->counts.halves &&
           !(outline->nodes.v[b->node].all & PD_CUE_CONSENT);
}

/* List the blocks that are kept, which of them are linked, or else doubtful, and stray blocks. */
static void list_kept(const struct pd_outline *outline, const uint8_t *labels, struct pd_main *main)
{
    for (size_t k = 0; k < outline->blocks.n; k++) {
        const struct pd_outline_block *b = &outline->blocks.v[k];
        const struct pd_extent at = {b->begin, b->end};
        if (labels[k] == OUT) {
            if (is_stray(outline, b))
                pd_extents_push(&main->stray, at);
            continue;
        }
        pd_extents_push(&main->blocks, at);
        if (is_linked(outline, b) && !is_code(outline, k))
            pd_extents_push(&main->linked, at);
        else if (labels[k] == DOUBTFUL)
            pd_extents_push(&main->doubtful, at);
    }
}

bool pd_content_find_main(const unsigned char *html, size_t n, const struct pd_html_outline *layout,
                          const struct pd_bytes *text, struct pd_main *main)
{
    struct pd_outline outline = {0};
    pd_main_clear(main);
    const bool judged = pd_outline_read(&outline, html, n, text, layout);
    if (judged) {
        int16_t *scores = pd_realloc(NULL, outline.blocks.n + 1, sizeof *scores);
        const enum article article = judge_blocks(&outline, scores);
        main->article = article == SURELY_ARTICLE;
        const unsigned limit =
            main->article ? ODDS_ALWAYS : find_limit(outline.blocks.v, outline.blocks.n, scores);
        uint8_t *labels = pd_realloc(NULL, outline.blocks.n + 1, sizeof *labels);
        label_likely(&outline, scores, limit, article, labels);
        label_code(&outline, scores, labels);
        label_told(&outline, labels);
        list_kept(&outline, labels, main);
        PD_FREE(labels, scores);
    }
    pd_outline_release(&outline);
    return judged;
}

/* Bytes of s[0, n) before its first no-break space. */
static size_t no_break_space(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const unsigned char *lead = memchr(s + k, 0xC2, n - k);
        if (!lead)
            return n;
        k = (size_t)(lead - s);
        if (k + 1 < n && s[k + 1] == 0xA0)
            return k;
    }
    return n;
}

/* Copy a block to the text before it, each no-break space as a space. Returns the bytes written. */
static size_t move_block(unsigned char *to, const unsigned char *from, size_t n)
{
    const unsigned char *const begin = to, *const end = from + n;
    while (from < end) {
        const size_t plain = no_break_space(from, (size_t)(end - from));
        memmove(to, from, plain);
        to += plain;
        from += plain;
        if (from < end) {
            *to++ = ' ';
            from += sizeof NO_BREAK_SPACE - 1;
        }
    }
    return (size_t)(to - begin);
}

void pd_content_trace_main(const struct pd_main *main, const struct pd_bytes *text,
                           struct pd_origins *origins)
{
    size_t n = 0;
    origins->n = 0;
    for (size_t k = 0; k < main->blocks.n; k++) {
        const struct pd_extent e = main->blocks.v[k];
        n += n > 0 ? sizeof BETWEEN_BLOCKS - 1 : 0;
        for (size_t from = e.begin; from < e.end;) {
            const size_t plain = no_break_space(text->v + from, e.end - from);
            pd_origins_add(origins, n, plain, from, plain);
            n += plain;
            from += plain;
            if (from < e.end) {
                pd_origins_add(origins, n++, 1, from, sizeof NO_BREAK_SPACE - 1);
                from += sizeof NO_BREAK_SPACE - 1;
            }
        }
    }
}

/* If extent *at of some blocks begins at `begin`, it is `moved` now. */
static void move_extent(struct pd_extents *extents, size_t *at, size_t begin,
                        struct pd_extent moved)
{
    if (*at < extents->n && extents->v[*at].begin == begin)
        extents->v[(*at)++] = moved;
}

void pd_content_keep_main(struct pd_main *main, struct pd_bytes *text)
{
    size_t n = 0, doubtful = 0, linked = 0;
    for (size_t k = 0; k < main->blocks.n; k++) {
        const struct pd_extent e = main->blocks.v[k];
        if (n > 0) {
            memcpy(text->v + n, BETWEEN_BLOCKS, sizeof BETWEEN_BLOCKS - 1);
            n += sizeof BETWEEN_BLOCKS - 1;
        }
        const size_t begin = n;
        n += move_block(text->v + n, text->v + e.begin, e.end - e.begin);
        move_extent(&main->doubtful, &doubtful, e.begin, (struct pd_extent){begin, n});
        move_extent(&main->linked, &linked, e.begin, (struct pd_extent){begin, n});
    }
    text->n = n;
    main->stray.n = 0;
}

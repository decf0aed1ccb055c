/*
 * page_features.h - a page and its blocks as numbers, from which trees judge (page_trees.h).
 *
 * Private to document/; content.c judges pages with it. A feature is an integer from 0 to 32767,
 * except SINCE_H1, which is -1 before the first <h1>; greater values become 32767. A share is out
 * of 255: with 30 of a page's 100 words in links, LINKED is 76. Words are counted in half words
 * (outline.h). "Since" and "until" are distances in blocks; 32767: no such block.
 *
 * A feature is known to the trees by its number alone. So the order of the lists is fixed by
 * page_trees.c: whoever changes it trains the trees again (scripts/data/train_content.py).
 */
#ifndef PARDUP_DOCUMENT_PAGE_FEATURES_H
#define PARDUP_DOCUMENT_PAGE_FEATURES_H

#include "outline.h"
#include "page_cues.h"

enum { PD_PAGE_NKINDS = 7 }; /* kinds of pages: page_trees.c names them */

/* clang-format off */
/* Features of a page. */
#define PD_PAGE_FEATURES(X) \
    X(BLOCKS) X(WORDS) \
    /* shares of words: in links, in elements of a tag, in the element with most prose */ \
    X(LINKED) X(IN_P) X(IN_ITEMS) X(IN_CELLS) X(IN_PRE) X(IN_HEADINGS) X(IN_MAIN) X(IN_ARTICLE) \
    X(IN_PROSE) \
    /* numbers of elements; headings are counted in blocks */ \
    X(ARTICLES) X(HEADINGS) X(FORMS) X(INPUTS) X(IMAGES) X(TIMES) \
    X(LONGEST) /* the most words of a block that are not linked */ \
    X(PROSE) /* share of words in blocks that are long and not linked */ \
    X(STOPS) X(PRICES) /* sentence marks, currency signs */ \
    X(ENDED) /* blocks that end with a sentence mark */ \
    /* the largest list of twins: elements, words of each, share of the page's words */ \
    X(TWINS) X(TWIN_WORDS) X(TWIN_SHARE) \
    X(TOLD) /* words of the text that the page has told (page_told.h) */

/* Features of a block. UPk is the element k levels above the block's own element. */
#define PD_BLOCK_FEATURES(X) \
    /* the block itself, from struct pd_outline_block; DENSITY is the share of words in links */ \
    X(HALVES) X(DENSITY) X(CHARS) X(CAPITALS) X(DIGITS) X(COMMAS) X(MARKS) X(SIGNS) X(MONEY) \
    X(PICTURES) X(FIELDS) X(LAST) X(LOWER) X(COPIES) X(TAG) X(DEPTH) \
    X(PLACE) X(BEFORE) /* share of the blocks, of the words before it */ \
    /* the last heading before the block (1 to 6 for h1 to h6, half words), the first <h1> */ \
    X(SINCE_HEADING) X(HEADING) X(HEADING_HALVES) X(SINCE_H1) X(UNTIL_H1) \
    /* levels up to what also holds the element with most prose; from there down to it */ \
    X(APART) X(ASIDE_LEVELS) \
    X(BEST_SHARE) /* share of the page's words in the element with most prose */ \
    X(UP1_HALVES) X(UP1_DENSITY) X(UP1_BLOCKS) X(UP2_HALVES) X(UP2_DENSITY) X(UP2_BLOCKS) \
    X(UP3_HALVES) X(UP3_DENSITY) X(UP3_BLOCKS) X(UP5_HALVES) X(UP5_DENSITY) X(UP5_BLOCKS) \
    /* the section: the outermost element around it with at most half of the page's words */ \
    X(SECTION_SHARE) X(SECTION_DENSITY) X(SECTION_TAG) X(SECTION_PLACE) \
    /* the most twins among eight elements around: how many, levels above, half words of each, \
       half words of this one, twins before it; and the nearest element with twins */ \
    X(TWIN_N) X(TWIN_LEVEL) X(TWIN_EACH) X(TWIN_OWN) X(TWIN_ORDER) X(NEAR_TWINS) X(NEAR_EACH) \
    /* the blocks two and one before (B) and after (A) it */ \
    X(B2_HALVES) X(B2_DENSITY) X(B2_TAG) X(B1_HALVES) X(B1_DENSITY) X(B1_TAG) \
    X(A1_HALVES) X(A1_DENSITY) X(A1_TAG) X(A2_HALVES) X(A2_DENSITY) X(A2_TAG) \
    /* features of the page */ \
    X(ALL_BLOCKS) X(ALL_WORDS) X(ALL_LINKED) X(ALL_PROSE) X(ALL_LONGEST) X(ALL_TWIN_SHARE) \
    X(ALL_MAIN) X(ALL_ARTICLES) \
    X(LOOK_SHARE) X(LOOK_BLOCKS) X(LOOK_DENSITY) X(LOOK_PROSE) /* blocks that look the same */ \
    /* shares of the page's prose before and behind it, the nearest blocks of prose, half words of \
       prose in seven blocks around it, prose of the parent element (outline.h) */ \
    X(PROSE_BEFORE) X(PROSE_BEHIND) X(SINCE_PROSE) X(UNTIL_PROSE) X(PROSE_AROUND) X(UP1_PROSE) \
    /* shares of its runs of words that the page tells of itself (page_told.h) */ \
    X(TOLD_TEXT) X(TOLD_TITLE) X(TOLD_ABOUT) X(TOLD_BEFORE) X(ALL_TOLD) \
    X(SPAN) /* 1, 2, 3: before, in, behind the blocks of told text; 0: there are none */ \
    X(SINCE_TITLE)
/* clang-format on */

#define PD_FEATURE_NAME(name)  #name,
#define PD_PAGE_FEATURE(name)  PD_PAGE_##name,
#define PD_BLOCK_FEATURE(name) PD_BLOCK_##name,

enum {
    PD_PAGE_FEATURES(PD_PAGE_FEATURE) PD_PAGE_PLAIN,
    PD_PAGE_CLASSES = PD_PAGE_PLAIN,                   /* share of words under the class group */
    PD_PAGE_KINDS = PD_PAGE_CLASSES + PD_CLASS_GROUPS, /* the meta data has the group: 0 or 1 */
    PD_PAGE_TEXTS = PD_PAGE_KINDS + PD_KIND_GROUPS,    /* blocks with the group */
    PD_PAGE_N = PD_PAGE_TEXTS + PD_TEXT_GROUPS
};
enum {
    PD_BLOCK_FEATURES(PD_BLOCK_FEATURE) PD_BLOCK_PLAIN,
    PD_BLOCK_TAGS = PD_BLOCK_PLAIN,                  /* inside an element of the tag: 0 or 1 */
    PD_BLOCK_NEAR = PD_BLOCK_TAGS + 20,              /* class groups of the three elements around */
    PD_BLOCK_FAR = PD_BLOCK_NEAR + PD_CLASS_GROUPS,  /* class groups of all elements around */
    PD_BLOCK_TEXTS = PD_BLOCK_FAR + PD_CLASS_GROUPS, /* text groups */
    PD_BLOCK_HEADED = PD_BLOCK_TEXTS + PD_TEXT_GROUPS, /* text groups of the heading before */
    PD_BLOCK_KINDS = PD_BLOCK_HEADED + PD_TEXT_GROUPS, /* scores of the kinds of pages */
    PD_BLOCK_N = PD_BLOCK_KINDS + PD_PAGE_NKINDS
};

/* The features of a page: `features` has room for PD_PAGE_N. Linear time. */
void pd_page_features(const struct pd_outline *outline, int16_t *features);

/*
 * The features of one block after the other, up to PD_BLOCK_KINDS. `page` is what
 * pd_page_features() gave; it and the outline are borrowed. pd_block_walk_next() is called once for
 * each block, with room for PD_BLOCK_N features. All takes linear time.
 */
struct pd_block_walk;
struct pd_block_walk *pd_block_walk_new(const struct pd_outline *outline, const int16_t *page);
void pd_block_walk_next(struct pd_block_walk *walk, int16_t *features);
void pd_block_walk_free(struct pd_block_walk *walk);

#endif

/*
 * outline.h - the elements of a page and the blocks of its text.
 *
 * Private to document/. A word counts as two half words, a Chinese or Japanese character as one.
 * The elements are a tree as a browser's, except that end tags without a start tag are ignored,
 * misnested tags close what is open inside them, and elements nested deeper than PD_OUTLINE_DEEPEST
 * belong to the deepest one.
 */
#ifndef PARDUP_DOCUMENT_OUTLINE_H
#define PARDUP_DOCUMENT_OUTLINE_H

#include <stdbool.h>

#include "page_told.h"
#include "pardup/document/html.h"

enum { PD_OUTLINE_DEEPEST = 250, PD_OUTLINE_BLOCKS = 1 << 18, PD_AROUND_MAIN = 63 };

/* An element. */
struct pd_node {
    uint64_t own, all;  /* class cues (page_cues.h): its own; its own and of all elements around */
    uint64_t around;    /* bit t: the element or one around it is an enum pd_tag t;
                           PD_AROUND_MAIN: it is <main> or has role=main */
    uint32_t parent;    /* index; the root is its own parent */
    uint32_t signature; /* hash of tag and class */
    uint32_t twins;     /* elements with this parent and signature, this one included */
    uint32_t order;     /* twins before this one */
    uint32_t blocks;    /* blocks inside */
    uint32_t halves;    /* half words inside */
    uint32_t linked;    /* half words inside that are linked */
    uint32_t prose;     /* half words of paragraphs: a measure of main content */
    uint8_t tag;        /* enum pd_tag */
    uint8_t depth;      /* elements around it */
};
PD_VEC(pd_nodes, struct pd_node);

/* The text between two block-level tags. */
struct pd_outline_block {
    size_t begin, end; /* bytes of the text */
    uint64_t cues;     /* text cues, of a short block */
    struct pd_text_counts counts;
    uint32_t node;   /* the innermost element around its first character */
    uint32_t linked; /* half words inside links */
    uint32_t look;   /* number of its look: equal when tags and classes of element and parent are */
    uint32_t copies; /* blocks with this text on the page, this one included */
    uint32_t images; /* images behind the text before */
    uint32_t inputs; /* input fields behind the text before */
    uint8_t last;    /* last byte, a mark that ends sentences: 1; a colon: 2; other: 0 */
    bool lower;      /* begins with a to z */
    uint8_t told[PD_TOLD_N]; /* shares of its runs of words, out of 255 (page_told.h) */
};
PD_VEC(pd_outline_blocks, struct pd_outline_block);

struct pd_outline {
    struct pd_nodes nodes; /* parents first; v[0] is the root */
    struct pd_outline_blocks blocks;
    uint32_t looks; /* number of looks */
    uint64_t kinds; /* kind cues of the meta data (page_cues.h) */
    uint32_t inputs, images, times, forms;
    uint32_t told; /* words of the text that the page has told */
};

/*
 * Fill `outline`, which is zeroed, from a page, its text, and what pd_html_text_outlined() told of
 * it. False when the page has more than PD_OUTLINE_BLOCKS blocks or PD_HTML_TAGS tags, which no
 * page for people has. Linear time. Freed with pd_outline_release().
 */
bool pd_outline_read(struct pd_outline *outline, const unsigned char *html, size_t n,
                     const struct pd_bytes *text, const struct pd_html_outline *layout);
void pd_outline_release(struct pd_outline *outline);

#endif

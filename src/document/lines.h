/*
 * lines.h - which line ends of a text are only where a line was full.
 *
 * Greedy wrapping breaks a line where the next word no longer fits. So the break behind a line is
 * "natural" when that line, a space and the first word of the next line are together longer than
 * the longest line of the paragraph, with some slack for printed text. Where most breaks are natural the paragraph is wrapped text,
 * and its natural breaks mean no more than a space.
 *
 * Lines quoted with "> " or "| " count as lines of their own depth of quotation; a change of depth,
 * an empty line and a line without any letter or digit end a paragraph.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_LINES_H
#define PARDUP_DOCUMENT_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum pd_gap_kind {
    GAP_NONE,  /* no white space */
    GAP_SPACE, /* white space within a line, or a natural break of wrapped text */
    GAP_LINE,  /* a line end that somebody meant */
    GAP_END,   /* end of paragraph or text */
};

struct pd_gap {
    enum pd_gap_kind kind;
    size_t to;   /* first byte of what follows, behind a quotation prefix; the text's end */
    size_t line; /* first byte of the line that `to` is in; 0 without a line end in the gap */
    bool next;   /* that is the next line, of which is known: */
    bool empty;
    unsigned depth;
};

/* The line a reader is in. */
struct pd_lines {
    const unsigned char *text;
    size_t n;
    size_t line;    /* its first byte */
    unsigned depth; /* of quotation */
    bool empty;     /* neither letter nor digit in it */
    bool fresh;     /* it begins a paragraph of which the next two are not known yet */
    bool wrapped;   /* the paragraph is wrapped text */
    size_t width;   /* columns of the paragraph's longest line, when wrapped */
};

/* Start at the first line of the text. */
void pd_lines_open(struct pd_lines *l, const unsigned char *text, size_t n);

/*
 * The gap that starts at text[from], in the current line. Cost: its bytes and the line before it, and where it is
 * the first line end of a paragraph, that.
 */
struct pd_gap pd_lines_gap(struct pd_lines *l, size_t from);

/* Go on behind the gap. Cost: the start of the line, unless it is the next. */
void pd_lines_enter(struct pd_lines *l, const struct pd_gap *gap);

/* The same behind an empty line, where the next paragraph begins with a letter. */
static inline void pd_lines_enter_letter(struct pd_lines *l, size_t line)
{
    l->line = line;
    l->depth = 0;
    l->empty = false;
    l->fresh = true;
}

#endif

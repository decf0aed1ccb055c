/*
 * lines.h - tells line ends that somebody meant from line ends that stand where a line was full.
 *
 * Greedy wrapping breaks a line where the next word no longer fits. So the break after a line is
 * "natural" when the line, a space and the first word of the next line are together longer than the
 * longest line of the paragraph, with some slack for printed text. A paragraph is wrapped text when
 * most of its breaks are natural. Its natural breaks then mean no more than a space.
 *
 * A paragraph ends at an empty line, at a line without any letter or digit, and where the depth of
 * quotation changes. The depth of a line is the number of '>' and '|' that it starts with.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_LINES_H
#define PARDUP_DOCUMENT_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* What a gap means. */
enum pd_gap_kind {
    PD_GAP_NONE,  /* no white space */
    PD_GAP_SPACE, /* white space within a line, or a natural break of wrapped text */
    PD_GAP_LINE,  /* a line end that somebody meant */
    PD_GAP_END,   /* end of paragraph or text */
};

/* A gap: the white space between two words, or between a mark and the next word. */
struct pd_gap {
    enum pd_gap_kind kind;
    size_t to;      /* first byte after the gap and a quotation prefix, or the text's end */
    size_t line;    /* first byte of the line that `to` is in; 0 when the gap has no line end */
    bool next;      /* the gap has one line end, and text follows: `empty` and `depth` are set */
    bool empty;     /* the line of `to` has neither letter nor digit */
    unsigned depth; /* depth of quotation of the line of `to` */
};

/* The state of a reader of a text: the current line and its paragraph. */
struct pd_lines {
    const unsigned char *text; /* borrowed */
    size_t n;                  /* bytes of text */
    size_t line;               /* first byte of the current line */
    unsigned depth;            /* depth of quotation of the line */
    bool empty;                /* the line has neither letter nor digit */
    bool fresh;                /* the line begins a paragraph; wrapped and width are not set yet */
    bool wrapped;              /* the paragraph is wrapped text */
    size_t width;              /* columns of the paragraph's longest line, when wrapped */
};

/* Start at the first line of text[0, n), which is borrowed as long as `lines` is used. */
void pd_lines_open(struct pd_lines *lines, const unsigned char *text, size_t n);

/*
 * The gap that starts at text[from], which is in the current line. Reads the gap and the line
 * before it; at the first line end of a paragraph, also the whole paragraph.
 */
struct pd_gap pd_lines_gap(struct pd_lines *lines, size_t from);

/*
 * Go on after the gap. If the gap has a line end, the line of gap->to becomes the current one; its
 * start is read unless gap->next is set.
 */
void pd_lines_enter(struct pd_lines *lines, const struct pd_gap *gap);

/*
 * Go on after an empty line, at the first byte of a paragraph that begins with a letter or digit.
 * Shorter than pd_lines_enter(), as this case needs no reading.
 */
static inline void pd_lines_enter_letter(struct pd_lines *lines, size_t line)
{
    lines->line = line;
    lines->depth = 0;
    lines->empty = false;
    lines->fresh = true;
}

#endif

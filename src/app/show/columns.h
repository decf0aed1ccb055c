/*
 * app/show/columns.h - a passage side by side in a terminal, with the words that differ marked.
 *
 * Equal words stand on one line in both columns. Words that differ are red on the left and green on
 * the right; without colours they stand in [-...-] and {+...+}, as git and wdiff print them. With
 * `context` 2, a run of many equal words is folded to its first and last two:
 *
 *       The [-old-] house            | The {+new+} house
 *       stood                        | stood
 *       ... 40 words alike ...
 *       and was gone.                | and was gone.
 */
#ifndef PARDUP_APP_SHOW_COLUMNS_H
#define PARDUP_APP_SHOW_COLUMNS_H

#include "pardup/passage/alignment.h"
#include "passage_text.h"
#include "terminal.h"

/* How much of a passage is drawn. */
struct pd_drawing {
    struct pd_terminal terminal;
    size_t lines;   /* lines at most; 0: all. One more line has the rest, or says how long it is */
    size_t context; /* equal words drawn at either end of a run of them; 0: all */
};

/*
 * Draw both sides of a passage, wrapped at words and with white space folded.
 *   runs  the alignment of the words of the two sides (passage/alignment.h)
 */
void pd_draw_passage(const struct pd_drawing *how, const struct pd_passage_text sides[2],
                     const struct pd_aligned_runs *runs);

/* How many columns of the terminal each of the two columns has. */
size_t pd_draw_room(const struct pd_terminal *t);

/* Print one line with a text in each column; a text that is too long is clipped. */
void pd_draw_heads(const struct pd_terminal *t, const char *left, const char *right);

#endif

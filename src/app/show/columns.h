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

#include <stdbool.h>

#include "pardup/document/document.h"
#include "pardup/passage/alignment.h"
#include "terminal.h"

/* ---- the text of a passage in one document, cut into what is printed ---- */

/* A passage in one document. The text and the words belong to the document. */
struct pd_passage_text {
    const char *text;  /* the text of the document, valid UTF-8 */
    size_t begin, end; /* the passage is its bytes [begin, end) */
    const struct pd_word *words;
    uint32_t nwords; /* words of the passage */
};

/* Bytes [begin, end) of a document; empty if the document is shorter. */
struct pd_passage_text pd_passage_text_of(const struct pd_document *d, uint64_t begin,
                                          uint64_t end);

/*
 * Text without white space that is printed as it is. A word with blanks in it is several snippets.
 */
struct pd_snippet {
    size_t begin, end;           /* bytes of the document's text */
    size_t word_begin, word_end; /* the part of a word in it; equal: no word */
    uint32_t word;               /* the word of the passage to which the snippet belongs */
    size_t columns;              /* its columns on the terminal */
    bool space;                  /* white space stands before it */
    bool differs;                /* the word has no partner */
};
PD_VEC(pd_snippets, struct pd_snippet);

static inline bool pd_snippet_has_word(const struct pd_snippet *s)
{
    return s->word_begin < s->word_end;
}

/*
 * Append the snippets of word w of a passage, and of what stands between it and the next word.
 *   most     columns of a snippet at most, at least 2; a longer stretch becomes several snippets
 *   differs  what the snippets say
 */
void pd_passage_cut(const struct pd_passage_text *s, uint32_t w, size_t most, bool differs,
                    struct pd_snippets *out);

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

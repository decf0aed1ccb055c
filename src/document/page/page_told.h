/*
 * page_told.h - what a page tells about its own text, and which of its text repeats.
 *
 * Private to document/. Many pages name their title, a summary and even their text for search
 * engines: in JSON-LD (schema.org) and in meta elements (Open Graph). The words of each block are
 * compared with those words, and with the text before the block, in runs of three.
 */
#ifndef PARDUP_DOCUMENT_PAGE_TOLD_H
#define PARDUP_DOCUMENT_PAGE_TOLD_H

#include <stddef.h>
#include <stdint.h>

#include "page_text.h"
#include "pardup/base/bytes.h"
#include "pardup/base/vec.h"

/* What a piece of text is said to be. PD_TOLD_BEFORE: it stands on the page before the block. */
enum pd_told { PD_TOLD_TEXT, PD_TOLD_TITLE, PD_TOLD_ABOUT, PD_TOLD_BEFORE, PD_TOLD_N };

/* A piece of text in the source of the page: in JSON, or the value of an attribute. */
struct pd_told_piece {
    const unsigned char *s;
    size_t n;
    enum pd_told what;
};
PD_VEC(pd_told_pieces, struct pd_told_piece);

/* Add what the JSON-LD s[0, n) tells. Linear time. */
void pd_told_json(struct pd_told_pieces *pieces, const unsigned char *s, size_t n);

/* Add what a meta element tells, whose attributes are s[0, n). Linear time. */
void pd_told_meta(struct pd_told_pieces *pieces, const unsigned char *s, size_t n);

/* Runs of three words that were told, or read before. */
struct pd_told_runs {
    uint32_t *slots;
    size_t mask, room;   /* slots - 1; runs that still fit in */
    uint32_t text_words; /* words of PD_TOLD_TEXT */
};

/* All runs of the pieces, with room for a text of `words` words. Released with free(slots). */
struct pd_told_runs pd_told_runs_make(const struct pd_told_pieces *pieces, size_t words);

/*
 * The shares of the runs of the block [begin, end) that are in what was told, out of 255, to
 * shares[PD_TOLD_N]. Its runs are added to the runs that were read before. A block of fewer than
 * three words is one run.
 */
void pd_told_look_up(struct pd_told_runs *runs, const struct pd_page_text *text, size_t begin,
                     size_t end, uint8_t *shares);

#endif

/*
 * word_masks.h - blocks of text, classified before they are cut into words: one bit for each byte.
 */
#ifndef PARDUP_DOCUMENT_WORD_MASKS_H
#define PARDUP_DOCUMENT_WORD_MASKS_H

#include "document/block.h"
#include "document/chars.h"
#include "pardup/document/document.h"
#include "word_form.h"

/* Masks of a text block: which bytes belong to words. */
struct pd_word_masks {
    uint64_t letters; /* letters, digits, _ and all beyond ASCII except signs (is_sign) */
    uint64_t in_word; /* letters, and quotes and points that may stand between two letters */
    /*
     * Bytes of in_word that are not read by masks alone: all characters except ASCII and À to ÿ,
     * and quotes and points before a byte beyond ASCII.
     */
    uint64_t wide;
};

/*
 * Blocks that are classified at a time. The number of words in a block is irregular, so the
 * processor mispredicts the loop over them. Blocks classified in advance need not wait for the
 * loop.
 */
enum { PD_BLOCKS_AHEAD = 32 };

/* The state of cutting a text into words. */
struct pd_scan {
    const unsigned char *text;
    size_t text_end;     /* end of the text that is read */
    size_t lower;        /* text[i] in lower case is d->norm.v[lower + i], for classified blocks */
    size_t blocks_begin; /* first byte of the classified blocks */
    size_t blocks_end;   /* first byte after the classified blocks; 0 when there are none */
    struct pd_word_masks blocks[PD_BLOCKS_AHEAD]; /* the classified blocks */
    const struct pd_simple *simple;               /* pd_simple_forms() */
    const struct pd_sentences *sentences; /* no word goes on behind one; NULL: none are known */
    bool stopped;                         /* d->stopping() was nonzero */
    size_t most;                          /* places of seams of the largest document */
};

/* pd_kind_of(), by a table where possible. */
static inline enum pd_char_kind pd_scan_kind(const struct pd_scan *scan, uint32_t c)
{
    const struct pd_simple *entry = pd_simple_of(scan->simple, c);
    return entry ? (enum pd_char_kind)entry->kind : pd_kind_of(c);
}

/*
 * Add to d->seams a place text[i] at which a seam may begin. A place that was added before its
 * block was classified comes again.
 */
static inline void pd_scan_seam(struct pd_document *d, size_t i)
{
    if (d->seams.n == 0 || d->seams.v[d->seams.n - 1].from < i)
        pd_seams_push(&d->seams, (struct pd_seam){(uint32_t)i, (uint32_t)i});
}

/* The mask that has, for each byte, the bit of the byte before it. */
static inline uint64_t pd_bit_before(uint64_t bits, bool first) { return bits << 1 | first; }

/*
 * Classify PD_BLOCKS_AHEAD blocks from text[block] on, or fewer at the text's end. A word may reach
 * across text[block] only when `block` is blocks_end.
 */
void pd_masks_ahead(struct pd_scan *scan, size_t block, struct pd_document *d);

#endif

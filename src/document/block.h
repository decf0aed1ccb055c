/*
 * block.h - text blocks: 64 bytes of text are classified together, into masks of a bit per byte.
 *
 * Private to document/. There are four versions with equal results (tests/unit/test_block.c
 * compares them). AVX-512 takes a whole block at a time and AVX2 half a block. They are used where
 * the processor has them. The vectors of base/vector.h take 16 bytes at a time. The plain version
 * looks up one byte at a time in a table and is used on processors without vectors.
 */
#ifndef PARDUP_DOCUMENT_BLOCK_H
#define PARDUP_DOCUMENT_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pardup/base/vector.h"

enum { PD_BLOCK = 64 }; /* bytes of a text block; bit k of a mask is byte k */

/*
 * The text block of text[0, n) that starts at `begin`, which is at most n. Near the end of the text
 * it is copied to `copy` and filled up with NULs; elsewhere it is a pointer into the text.
 */
static inline const unsigned char *pd_block_at(const unsigned char *text, size_t n, size_t begin,
                                               unsigned char copy[PD_BLOCK])
{
    if (n - begin >= PD_BLOCK)
        return text + begin;
    memset(copy, 0, PD_BLOCK);
    memcpy(copy, text + begin, n - begin);
    return copy;
}

/*
 * Mask of the stops of a block, which are the bytes at which a sentence may end:
 *   - line ends and . ! ? )
 *   - first bytes of characters that may be marks. A first byte that letters of Arabic, Japanese or
 *     Korean share counts only before the second byte of a mark, or as the last byte of the block.
 *   - : and ; after a byte beyond ASCII (0x80 and above)
 * `beyond`: the byte before the block is beyond ASCII; false at the start of the text.
 * pd_block_stops() uses the fastest version for this processor, pd_block_stops_plain() the table.
 */
uint64_t pd_block_stops(const unsigned char block[PD_BLOCK], bool beyond);
uint64_t pd_block_stops_plain(const unsigned char block[PD_BLOCK], bool beyond);

/* Masks of a block: the bytes that words are made from. */
struct pd_block_words {
    uint64_t form;   /* ASCII letters, digits and _ */
    uint64_t digit;  /* 0 to 9 */
    uint64_t quote;  /* ' */
    uint64_t point;  /* . and , */
    uint64_t beyond; /* bytes beyond ASCII: 0x80 and above */
    uint64_t lead;   /* 0xC2 and 0xE2: first bytes of Latin-1 signs and general punctuation */
    uint64_t latin;  /* 0xC3: first byte of U+00C0 to U+00FF */
    uint64_t dash;   /* - */
    uint64_t bar;    /* | */
};

/* The masks of a block. Also writes the block with A to Z in lower case to `lower`. */
struct pd_block_words pd_block_words(const unsigned char block[PD_BLOCK],
                                     unsigned char lower[PD_BLOCK]);
struct pd_block_words pd_block_words_plain(const unsigned char block[PD_BLOCK],
                                           unsigned char lower[PD_BLOCK]);

/* The version with AVX2, for processors that have it, and the version with vectors of 16 bytes. */
#ifdef __SSE2__
bool pd_block_has_32(void);
uint64_t pd_block_stops_32(const unsigned char block[PD_BLOCK], bool beyond);
struct pd_block_words pd_block_words_32(const unsigned char block[PD_BLOCK],
                                        unsigned char lower[PD_BLOCK]);
#endif
#ifdef PD_VECTORS
uint64_t pd_block_stops_16(const unsigned char block[PD_BLOCK], bool beyond);
struct pd_block_words pd_block_words_16(const unsigned char block[PD_BLOCK],
                                        unsigned char lower[PD_BLOCK]);
#endif

#endif

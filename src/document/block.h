/*
 * block.h - 64 bytes of text at a time: which of them matter, as a bit each.
 *
 * Private to document/. With SSE2, which every x86-64 has, sixteen bytes are classified at once;
 * elsewhere a table says the same of one (tests/unit/test_block.c holds the two together).
 */
#ifndef PARDUP_DOCUMENT_BLOCK_H
#define PARDUP_DOCUMENT_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { PD_BLOCK = 64 }; /* bytes; bit k of a mask is byte k */

/* The block that byte `i` of text[0, n) is in: the text itself, or `copy` where it is cut short. */
static inline const unsigned char *pd_block_at(const unsigned char *text, size_t n, size_t i,
                                               unsigned char copy[PD_BLOCK])
{
    const size_t begin = i & ~(size_t)(PD_BLOCK - 1);
    if (n - begin >= PD_BLOCK)
        return text + begin;
    memset(copy, 0, PD_BLOCK);
    memcpy(copy, text + begin, n - begin);
    return copy;
}

/*
 * Bytes at which a sentence may end: line ends, . ! ? ) and the lead bytes of other marks; : and ;
 * behind a byte beyond ASCII, as the byte before the block is when `beyond` is set.
 */
uint64_t pd_block_stops(const unsigned char block[PD_BLOCK], bool beyond);
uint64_t pd_block_stops_plain(const unsigned char block[PD_BLOCK], bool beyond);

/* Bytes of words: all that matters to finding the ASCII ones. */
struct pd_block_words {
    uint64_t form;   /* letters, digits, _ */
    uint64_t digit;  /* 0 to 9 */
    uint64_t quote;  /* ' */
    uint64_t point;  /* . and , */
    uint64_t beyond; /* 0x80 and above */
};
struct pd_block_words pd_block_words(const unsigned char block[PD_BLOCK]);
struct pd_block_words pd_block_words_plain(const unsigned char block[PD_BLOCK]);

#endif

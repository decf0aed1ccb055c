/*
 * block.h - 64 bytes of text at a time: which of them matter, as a bit each.
 *
 * Private to document/. With AVX-512, where the processor has it, a block is classified at once; with SSE2,
 * which every x86-64 has, sixteen bytes; elsewhere a table says the same of one byte (tests/unit/test_block.c
 * holds the three together).
 */
#ifndef PARDUP_DOCUMENT_BLOCK_H
#define PARDUP_DOCUMENT_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PD_BLOCK = 64 }; /* bytes; bit k of a mask is byte k */

/* The block of text[0, n) that starts at `begin`: the text itself, or `copy` where it is cut short. */
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
 * Bytes at which a sentence may end: line ends, . ! ? ) and the lead bytes of other marks, those of Arabic and
 * Japanese letters with the second byte of a mark only; : and ; behind a byte beyond ASCII, as the byte before the
 * block is when `beyond` is set.
 */
uint64_t pd_block_stops(const unsigned char block[PD_BLOCK], bool beyond);
uint64_t pd_block_stops_plain(const unsigned char block[PD_BLOCK], bool beyond);

/* Bytes of words, and what tells the ASCII ones from others. */
struct pd_block_words {
    uint64_t form;   /* letters, digits, _ */
    uint64_t digit;  /* 0 to 9 */
    uint64_t quote;  /* ' */
    uint64_t point;  /* . and , */
    uint64_t beyond; /* 0x80 and above */
    uint64_t lead;   /* first bytes of Latin-1 signs and of general punctuation: 0xC2, 0xE2 */
    uint64_t latin;  /* first bytes of U+00C0 to U+00FF: 0xC3 */
};

/* Also writes the block with A to Z in lower case. */
struct pd_block_words pd_block_words(const unsigned char block[PD_BLOCK],
                                     unsigned char lower[PD_BLOCK]);
struct pd_block_words pd_block_words_plain(const unsigned char block[PD_BLOCK],
                                           unsigned char lower[PD_BLOCK]);

#ifdef __SSE2__
uint64_t pd_block_stops_16(const unsigned char block[PD_BLOCK], bool beyond);
struct pd_block_words pd_block_words_16(const unsigned char block[PD_BLOCK],
                                        unsigned char lower[PD_BLOCK]);
#endif

#endif

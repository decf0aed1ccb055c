/*
 * base/spelling.h - the first letters of a word in 64 bits, for comparing words that were misread.
 *
 * A letter is one of 31 codes, which follows from the last byte of its character, so different
 * letters may have one code. Words with equal spellings may differ, and so only serve as evidence
 * beside equal words.
 */
#ifndef PARDUP_BASE_SPELLING_H
#define PARDUP_BASE_SPELLING_H

#include <stddef.h>
#include <stdint.h>

enum {
    PD_SPELLING_BITS = 5,     /* of a letter; 0: there is none */
    PD_SPELLING_LETTERS = 12, /* most letters that are kept */
    PD_SPELLING_CODES = 31
};

/* The spelling of a word of n bytes (UTF-8), the first letter in the last bits. */
static inline uint64_t pd_spelling_of(const unsigned char *s, size_t n)
{
    uint64_t spelling = 0;
    unsigned letters = 0;
    for (size_t k = 0; k < n && letters < PD_SPELLING_LETTERS; k++)
        if (k + 1 == n || (s[k + 1] & 0xC0) != 0x80) /* the last byte of a character */
            spelling |= (uint64_t)(s[k] % PD_SPELLING_CODES + 1) << PD_SPELLING_BITS * letters++;
    return spelling;
}

#endif

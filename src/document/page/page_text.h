/*
 * page_text.h - the text of a page, prepared for many questions: a bit a byte for each kind of
 * character, and the text in lower case.
 *
 * Private to document/. Words are counted in half words, since a Chinese or Japanese character is
 * one.
 */
#ifndef PARDUP_DOCUMENT_PAGE_TEXT_H
#define PARDUP_DOCUMENT_PAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "document/block.h"
#include "document/word/word_hash.h"

/*
 * Kinds of characters: bit k of a mask is byte k of a text block. `letter` and `white` have all
 * bytes of a character beyond ASCII, of which each is one or the other, and the last five have its
 * first.
 */
struct pd_text_masks {
    uint64_t letter, white;            /* letters, with A to Z among them; what separates words */
    uint64_t upper, digit;             /* A to Z, 0 to 9 */
    uint64_t line;                     /* line feeds */
    uint64_t beyond;                   /* bytes beyond ASCII */
    uint64_t follow;                   /* bytes of a character behind its first */
    uint64_t half;                     /* Chinese and Japanese characters, which are in `white` */
    uint64_t comma, stop, sign, price; /* struct pd_text_counts */
};

/*
 * The masks of a block, but for what is beyond ASCII. Writes the block with A to Z in lower case to
 * `lower`. pd_text_masks_of() uses the faster version for this processor.
 */
struct pd_text_masks pd_text_masks_of(const unsigned char block[PD_BLOCK],
                                      unsigned char lower[PD_BLOCK]);
struct pd_text_masks pd_text_masks_plain(const unsigned char block[PD_BLOCK],
                                         unsigned char lower[PD_BLOCK]);

struct pd_page_text {
    const unsigned char *s; /* UTF-8, borrowed */
    size_t n;
    struct pd_text_masks *masks; /* of each text block of s, and of an empty one behind them */
    unsigned char *lower;        /* s with A to Z in lower case, and PD_BLOCK bytes behind it */
};

/* Prepare s[0, n), which stays borrowed. Linear time. Freed with pd_page_text_release(). */
void pd_page_text_read(struct pd_page_text *text, const unsigned char *s, size_t n);
void pd_page_text_release(struct pd_page_text *text);

/* The position of the first two line feeds in a row from `begin` on; the end: there are none. */
size_t pd_page_text_block_end(const struct pd_page_text *text, size_t begin);

/* The bits of [begin, end) in the mask of the text block at byte `block`. */
static inline uint64_t pd_bits_between(size_t block, size_t begin, size_t end)
{
    const uint64_t from = begin > block ? ~UINT64_C(0) << (begin - block) : ~UINT64_C(0);
    return end - block < PD_BLOCK ? from & ~(~UINT64_C(0) << (end - block)) : from;
}

/* Counts of part of a text. */
struct pd_text_counts {
    uint32_t halves;   /* half words; a Chinese or Japanese character counts as half a word */
    uint32_t chars;    /* characters */
    uint32_t capitals; /* words that begin with A to Z */
    uint32_t digits;   /* 0 to 9 */
    uint32_t commas;   /* commas of any script */
    uint32_t stops;    /* . ! ? and the same of other scripts */
    uint32_t signs;    /* | / > and the like, which separate links */
    uint32_t prices;   /* currency signs */
};

/* Count in [begin, end), which are bounds of characters. */
struct pd_text_counts pd_page_text_count(const struct pd_page_text *text, size_t begin, size_t end);

/*
 * The half words in [begin, end). *inside: a word goes on from the text before, so the next
 * character begins none; becomes the same for the text behind.
 */
uint32_t pd_page_text_halves(const struct pd_page_text *text, size_t begin, size_t end,
                             bool *inside);

/* A walk through the words of a part of a text: runs of letters, and of digits if they are wanted. */
struct pd_page_words {
    const struct pd_page_text *text;
    size_t block, end; /* the current text block; the end of the part */
    uint64_t left;     /* bits of the text block that are still to come */
    bool digits;
    size_t from, to; /* the current word */
    bool beyond;     /* bytes beyond ASCII, all of which count as letters, are in it */
};

static inline uint64_t pd_page_words_bits(const struct pd_page_words *w)
{
    const struct pd_text_masks *m = &w->text->masks[w->block / PD_BLOCK];
    return m->letter | m->beyond | (w->digits ? m->digit : 0);
}

static inline struct pd_page_words pd_page_words_of(const struct pd_page_text *text, size_t begin,
                                                    size_t end, bool digits)
{
    struct pd_page_words w = {
        .text = text, .block = begin - begin % PD_BLOCK, .end = end, .digits = digits};
    w.left = begin < end ? pd_page_words_bits(&w) & pd_bits_between(w.block, begin, end) : 0;
    return w;
}

/* Go on to the next text block. False at the end of the part. */
static inline bool pd_page_words_turn(struct pd_page_words *w)
{
    w->block += PD_BLOCK;
    if (w->block >= w->end)
        return false;
    w->left = pd_page_words_bits(w) & pd_bits_between(w->block, 0, w->end);
    return true;
}

/* Go to the next word. False behind the last one. */
static inline bool pd_page_words_next(struct pd_page_words *w)
{
    while (w->left == 0) {
        if (!pd_page_words_turn(w))
            return false;
    }
    const uint64_t first = w->left & -w->left, behind = w->left & (w->left + first);
    w->from = w->block + (unsigned)__builtin_ctzll(first);
    w->beyond = ((w->left ^ behind) & w->text->masks[w->block / PD_BLOCK].beyond) != 0;
    const uint64_t gap = ~w->left & -first;
    w->to = w->block + (gap ? (unsigned)__builtin_ctzll(gap) : PD_BLOCK);
    w->left = behind;
    while (w->to == w->block + PD_BLOCK && pd_page_words_turn(w) && w->left & 1) {
        const uint64_t clear = ~w->left;
        w->to = w->block + (clear ? (unsigned)__builtin_ctzll(clear) : PD_BLOCK);
        w->beyond |= (w->left & ~(w->left + 1) & w->text->masks[w->block / PD_BLOCK].beyond) != 0;
        w->left &= w->left + 1;
    }
    return true;
}

/* A hash of n bytes, at least one. The 15 bytes behind them can be read. */
static inline uint64_t pd_page_word_hash(const unsigned char *s, size_t n)
{
    static const uint64_t bits[17][2] = {
#define PD_LOW(k) {k == 8 ? ~UINT64_C(0) : ~(~UINT64_C(0) << 8 * (k % 8)), 0}
#define PD_HIGH(k)                                                                                 \
    {                                                                                              \
        ~UINT64_C(0), k == 16 ? ~UINT64_C(0) : ~(~UINT64_C(0) << 8 * (k % 8))                      \
    }
        PD_LOW(0),   PD_LOW(1),   PD_LOW(2),   PD_LOW(3),   PD_LOW(4),   PD_LOW(5),
        PD_LOW(6),   PD_LOW(7),   PD_LOW(8),   PD_HIGH(9),  PD_HIGH(10), PD_HIGH(11),
        PD_HIGH(12), PD_HIGH(13), PD_HIGH(14), PD_HIGH(15), PD_HIGH(16)
#undef PD_LOW
#undef PD_HIGH
    };
    uint64_t h = PD_XXH_FLIP_LOW;
    for (;; s += 16, n -= 16) {
        const size_t k = n < 16 ? n : 16;
        const uint64_t a = (pd_load8(s) & bits[k][0]) ^ h;
        const uint64_t b = (pd_load8(s + 8) & bits[k][1]) ^ PD_XXH_FLIP_HIGH;
        const unsigned __int128 product = (unsigned __int128)a * b;
        h = (uint64_t)product ^ (uint64_t)(product >> 64);
        if (n <= 16)
            return h;
    }
}

#endif

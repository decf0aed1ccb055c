/*
 * document/charset/charset_dos.c - see charset_dos.h
 *
 * Greek and Hebrew have letters that stand at ends of words only. West European letters beyond
 * ASCII stand between small letters, where windows-1252 has quotes, and DOS has no capitals.
 */
#include "charset_dos.h"

#include <stdbool.h>
#include <string.h>

enum {
    LETTERS_LEAST = 24, /* of a Greek or Hebrew text */
    FINALS_SHARE = 60,  /* most letters for a final one at the end of a word */
    WRONG_SHARE = 20,   /* least final letters at ends for one inside a word */
    INSIDE_LEAST = 3,   /* letters between small ones of a West European text */
    AGAINST_SHARE = 8   /* least of them for another sign between small letters */
};

/* A code page of another script. */
static const struct page {
    const char *label;
    unsigned char first, last;           /* letters */
    unsigned char more_first, more_last; /* more letters */
    const char *finals;                  /* letters that end words */
} pages[] = {{"cp737", 0x80, 0xAF, 0xE0, 0xEB, "\xAA"},
             {"cp862", 0x80, 0x9A, 0x80, 0x80, "\x8A\x8D\x8F\x93\x95"}};

static bool is_letter(const struct page *p, unsigned char c)
{
    return (c >= p->first && c <= p->last) || (c >= p->more_first && c <= p->more_last);
}

static bool is_of(const struct page *p, const unsigned char *s, size_t n)
{
    size_t letters = 0, others = 0, finals = 0, wrong = 0;
    for (size_t k = 0; k < n; k++) {
        if (s[k] < 0x80)
            continue;
        const bool letter = is_letter(p, s[k]), final = strchr(p->finals, s[k]) != NULL;
        const bool goes_on = k + 1 < n && is_letter(p, s[k + 1]);
        letters += letter;
        others += !letter;
        finals += final && !goes_on && k > 0 && is_letter(p, s[k - 1]);
        wrong += final && goes_on;
    }
    return letters >= LETTERS_LEAST && others * WRONG_SHARE <= letters &&
           finals * FINALS_SHARE >= letters && wrong * WRONG_SHARE <= finals;
}

static bool is_small(unsigned char c) { return c >= 'a' && c <= 'z'; }

/* Is s[0, n) a text of a West European language in cp437 or cp850? */
static bool is_west(const unsigned char *s, size_t n)
{
    static const char small[] =
        "\x81\x82\x84\x86\x87\x88\x89\x8B\x8D\x91\x93\x94\x95\x98\x9B\xA1\xA2\xA3\xA4";
    static const char either[] =
        "\x83\x85\x8A\x8C\x96\x97\xA0\xC6\xE1\xE4"; /* letters of DOS and others */
    size_t inside = 0, against = 0;
    for (size_t k = 1; k + 1 < n; k++) {
        if (s[k] < 0x80 || !is_small(s[k - 1]) || !is_small(s[k + 1]))
            continue;
        const bool here = strchr(small, s[k]) != NULL;
        inside += here;
        against += !here && !strchr(either, s[k]);
    }
    return inside >= INSIDE_LEAST && against * AGAINST_SHARE <= inside;
}

const char *pd_charset_dos(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++)
        if (is_of(&pages[k], s, n))
            return pages[k].label;
    return is_west(s, n) ? "cp850" : NULL;
}

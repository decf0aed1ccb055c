/* overstrike.c - see src/document/charset/overstrike.h */
#include "overstrike.h"

#include <string.h>

enum {
    BS = 0x08,
    ESC = 0x1B,
    BEL = 0x07,
    CONTROL_MOST = 64, /* bytes of a sequence that sets a colour */
    LINK_MOST = 4096   /* bytes of a link or a title */
};

/* Bytes of the sequence at s[0, n), which begins with ESC; 0: it is none that is known. */
static size_t sequence(const unsigned char *s, size_t n)
{
    size_t k = 2;
    if (n < 2)
        return 0;
    if (s[1] == '[') {
        while (k < n && k < CONTROL_MOST && s[k] >= 0x20 && s[k] < 0x40)
            k++;
        return k < n && s[k] >= 0x40 && s[k] < 0x7F ? k + 1 : 0;
    }
    if (s[1] != ']')
        return 0;
    while (k < n && k < LINK_MOST && s[k] != BEL && s[k] != ESC && s[k] != '\n')
        k++;
    if (k < n && s[k] == BEL)
        return k + 1;
    return k + 1 < n && s[k] == ESC && s[k + 1] == '\\' ? k + 2 : 0;
}

/* Bytes of the line end at s[0, n) if a line follows that has a soft hyphen alone; else 0. */
static size_t before_lone_hyphen(const unsigned char *s, size_t n)
{
    const size_t k = n > 1 && s[0] == '\r' && s[1] == '\n' ? 2 : s[0] == '\n';
    const bool lone = k > 0 && n - k > 2 && s[k] == 0xC2 && s[k + 1] == 0xAD &&
                      (s[k + 2] == '\n' || s[k + 2] == '\r');
    return lone ? k : 0;
}

bool pd_overstrike_find(const unsigned char *s, size_t n)
{
    if (n == 0)
        return false;
    for (const unsigned char *at = s; (at = memmem(at, (size_t)(s + n - at), "\n\xC2\xAD", 3));
         at++)
        if (before_lone_hyphen(at, (size_t)(s + n - at)) > 0)
            return true;
    if (!memchr(s, BS, n) && !memchr(s, ESC, n))
        return false;
    for (size_t k = 0; k + 1 < n; k++)
        if ((s[k] == ESC && sequence(s + k, n - k) > 0) || (s[k] == BS && s[k + 1] > ' '))
            return true;
    return false;
}

static size_t letter_bytes(unsigned char c)
{
    return c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

/*
 * Bytes at s[0, n) that print no letter: ESC and its kind, a letter that is struck over, or the
 * line end between a word and its soft hyphen.
 */
static size_t unseen(const unsigned char *s, size_t n)
{
    if (before_lone_hyphen(s, n) > 0)
        return before_lone_hyphen(s, n);
    if (s[0] == ESC)
        return sequence(s, n);
    const size_t letter = s[0] == BS ? 0 : letter_bytes(s[0]);
    size_t k = letter;
    while (k < n && s[k] == BS)
        k++;
    if (k == letter || k >= n || s[k] <= ' ' || s[k] == 0x7F) /* nothing is struck over it */
        return 0;
    return letter > 0 && s[k] == '_' && s[0] != '_' ? 0 : k; /* c BS _ keeps c */
}

/* Bytes behind the letter s[0, letter) that underline it: BS and _. */
static size_t underline(const unsigned char *s, size_t letter, size_t n)
{
    size_t k = letter;
    while (k < n && s[k] == BS)
        k++;
    return k > letter && k < n && s[k] == '_' ? k + 1 - letter : 0;
}

void pd_overstrike_text(const unsigned char *s, size_t n, struct pd_bytes *out,
                        struct pd_origins *origins)
{
    for (size_t k = 0, begin = 0; k <= n;) {
        const size_t none = k < n ? unseen(s + k, n - k) : 0;
        const size_t letter = k < n && letter_bytes(s[k]) < n - k ? letter_bytes(s[k]) : n - k;
        const size_t line = none == 0 && k < n ? underline(s + k, letter, n - k) : 0;
        const size_t end = k + (none == 0 ? letter : 0), left_out = none + line;
        if (left_out > 0 || k == n) {
            if (origins)
                pd_origins_add(origins, out->n, end - begin, begin, end - begin);
            pd_bytes_append(out, s + begin, end - begin);
            if (origins)
                pd_origins_add(origins, out->n, 0, end, left_out);
            begin = end + left_out;
        }
        k = k == n ? n + 1 : end + left_out;
    }
}

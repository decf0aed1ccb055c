/*
 * base/scan.h - ASCII characters, small steps through bytes, and numbers in bytes. s lies before
 * `end`.
 */
#ifndef PARDUP_BASE_SCAN_H
#define PARDUP_BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool pd_scan_is_space(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool pd_scan_is_blank(unsigned char c) { return c == ' ' || c == '\t'; }
static inline bool pd_scan_is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
static inline bool pd_scan_is_letter(unsigned char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* The value of a hexadecimal digit; -1: it is none. */
static inline int pd_scan_hex_digit(unsigned char c)
{
    if (pd_scan_is_digit(c))
        return c - '0';
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* Does s[0, n) begin with `word`, in the same case? */
static inline bool pd_scan_has(const void *s, size_t n, const char *word)
{
    return n >= strlen(word) && memcmp(s, word, strlen(word)) == 0;
}

/* The bytes of s[0, n) up to its first line end, and with it. */
static inline size_t pd_scan_line(const unsigned char *s, size_t n)
{
    const unsigned char *lf = memchr(s, '\n', n);
    return lf ? (size_t)(lf - s) + 1 : n;
}

/* The number in n bytes, at most 8, whose lowest byte comes first. */
static inline uint64_t pd_scan_number(const unsigned char *s, size_t n)
{
    uint64_t x = 0;
    for (size_t k = 0; k < n; k++)
        x |= (uint64_t)s[k] << 8 * k;
    return x;
}

/* Does s begin with `word`, in the same case? */
static inline bool pd_scan_begins(const unsigned char *s, const unsigned char *end,
                                  const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(end - s) >= n && memcmp(s, word, n) == 0;
}

static inline const unsigned char *pd_scan_skip_spaces(const unsigned char *s,
                                                       const unsigned char *end)
{
    while (s < end && pd_scan_is_space(*s))
        s++;
    return s;
}

/* The position behind the next `mark`; `end` when there is none. */
static inline const unsigned char *pd_scan_behind(const unsigned char *s, const unsigned char *end,
                                                  const char *mark)
{
    const unsigned char *hit = memmem(s, (size_t)(end - s), mark, strlen(mark));
    return hit ? hit + strlen(mark) : end;
}

#endif

/* document/scan.h - steps through markup, shared by feeds and XML texts. s lies before `end`. */
#ifndef PARDUP_DOCUMENT_SCAN_H
#define PARDUP_DOCUMENT_SCAN_H

#include <stdbool.h>
#include <string.h>

static inline bool pd_scan_is_space(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
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

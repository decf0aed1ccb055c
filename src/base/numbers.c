/* base/numbers.c - see include/pardup/base/numbers.h */
#include "pardup/base/numbers.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *pd_count(char text[PD_COUNT_ROOM], uint64_t n)
{
    char digits[PD_COUNT_ROOM];
    const int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t out = 0;
    for (int k = 0; k < len; k++) {
        if (k && (len - k) % 3 == 0)
            text[out++] = ',';
        text[out++] = digits[k];
    }
    text[out] = '\0';
    return text;
}

const char *pd_percent(char text[PD_COUNT_ROOM], uint64_t part, uint64_t all)
{
    const double share = all ? 100.0 * (double)part / (double)all : 0;
    if (part == 0 || part == all)
        snprintf(text, PD_COUNT_ROOM, "%d %%", part ? 100 : 0);
    else if (share < 0.1)
        snprintf(text, PD_COUNT_ROOM, "under 0.1 %%");
    else if (share < 9.95 || share > 99)
        snprintf(text, PD_COUNT_ROOM, "%.1f %%", share > 99.9 ? 99.9 : share);
    else
        snprintf(text, PD_COUNT_ROOM, "%.0f %%", share);
    return text;
}

/* The room of the oldest text, which the next one takes. */
static char *next_text(void)
{
    static char texts[PD_COUNTS_AT_ONCE][PD_COUNT_ROOM];
    static unsigned last;
    last = (last + 1) % PD_COUNTS_AT_ONCE;
    return texts[last];
}

const char *pd_grouped(uint64_t n) { return pd_count(next_text(), n); }

const char *pd_share_of(uint64_t part, uint64_t all) { return pd_percent(next_text(), part, all); }

const char *pd_size(uint64_t bytes)
{
    char *text = next_text();
    const bool small = bytes < 100000;
    const uint64_t unit = small ? 1000 : 1000000, tenths = (bytes + unit / 20) / (unit / 10);
    size_t n = strlen(pd_count(text, tenths / 10));
    text[n++] = '.';
    text[n++] = (char)('0' + tenths % 10);
    memcpy(text + n, small ? " kB" : " MB", sizeof " MB");
    return text;
}

/* run/dedup/gaps.c - which white space goes with the sentences that go. */
#include "run/dedup/dedup.h"

struct gap {
    uint32_t bytes, lines; /* white space, and the line ends in it */
};

static struct gap gap_before(const struct pd_bytes *text, uint32_t at)
{
    struct gap gap = {0, 0};
    for (; gap.bytes < at; gap.bytes++) {
        const unsigned char c = text->v[at - gap.bytes - 1];
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            break;
        gap.lines += c == '\n';
    }
    return gap;
}

void pd_dedup_keep_lines(struct pd_dedup *d, const struct pd_worded *w, const struct pd_bytes *text)
{
    struct pd_removal *r = d->removals.v + w->first;
    for (uint64_t k = 0, n; k < w->removed; k += n) {
        for (n = 1; k + n < w->removed && r[k + n].begin == r[k + n - 1].end; n++)
            ;
        struct pd_removal *last = &r[k + n - 1];
        const struct gap before = gap_before(text, r[k].begin);
        const struct gap behind = gap_before(text, last->end);
        if (r[k].begin > before.bytes && behind.lines > before.lines) {
            r[k].begin -= before.bytes;
            last->end -= behind.bytes;
        }
    }
}

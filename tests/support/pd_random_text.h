/* tests/support/pd_random_text.h - reproducible random UTF-8, rich in what splitters stumble on. */
#ifndef PD_RANDOM_TEXT_H
#define PD_RANDOM_TEXT_H

#include <stdint.h>

#include "pardup/base/bytes.h"

struct pd_random {
    uint64_t state; /* any seed */
};

static inline uint32_t pd_random_below(struct pd_random *r, uint32_t n)
{
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(r->state >> 33) % n;
}

static inline void pd_push_utf8(struct pd_bytes *b, uint32_t c)
{
    if (c < 0x80) {
        pd_bytes_push(b, (unsigned char)c);
        return;
    }
    const unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    pd_bytes_push(b, (unsigned char)((0x1F80u >> more) | c >> (6 * more)));
    for (unsigned k = more; k-- > 0;)
        pd_bytes_push(b, (unsigned char)(0x80 | (c >> (6 * k) & 0x3F)));
}

/*
 * Append n characters: of `traps` (0 ends them) about half the time, else ASCII or any character.
 * The storage is exactly as long as the text, so that a sanitizer sees every read behind it.
 */
static inline void pd_random_text(struct pd_random *r, const uint32_t *traps, uint32_t n,
                                  struct pd_bytes *out)
{
    struct pd_bytes text = {0};
    uint32_t ntraps = 0;
    while (traps[ntraps])
        ntraps++;
    while (n-- > 0) {
        uint32_t c = traps[pd_random_below(r, ntraps)];
        if (pd_random_below(r, 2) == 0)
            c = pd_random_below(r, pd_random_below(r, 2) ? 0x80 : 0x110000);
        if (c < 0xD800 || c > 0xDFFF)
            pd_push_utf8(&text, c);
    }
    pd_bytes_append(out, text.v, text.n);
    pd_bytes_release(&text);
}

#endif

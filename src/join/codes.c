/* join/codes.c - see include/pardup/join/codes.h */
#include "pardup/join/codes.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

/* PD_CODES_BYTES follows from STEP and BITS. */
enum {
    STEP = 2,      /* least average number of signatures in a step */
    BITS = 8,      /* the bit table has BITS to 2 * BITS bits for each signature of `room` */
    U64_BITS = 64, /* bits of a u64 */
    AHEAD = 64     /* signatures that are looked up together */
};

void pd_codes_begin(struct pd_codes *c, size_t room)
{
    PD_CHECK(0 < room && room <= UINT32_MAX);
    if (c->room != room) {
        pd_codes_release(c);
        c->sigs = pd_realloc(NULL, room, sizeof *c->sigs);
        c->codes = pd_realloc(NULL, room, 1);
        c->index = pd_realloc(NULL, room / STEP + 2, sizeof *c->index);
        for (c->mask = U64_BITS - 1; c->mask < (uint64_t)room * BITS;)
            c->mask += c->mask + 1;
        c->bits = pd_zeroed((c->mask + 1) / U64_BITS, sizeof *c->bits);
        c->room = room;
    }
    c->n = 0;
}

void pd_codes_push(struct pd_codes *c, pd_sig sig, uint8_t code)
{
    PD_CHECK(c->n < c->room && code && (c->n == 0 || c->sigs[c->n - 1] < sig));
    c->sigs[c->n] = sig;
    c->codes[c->n++] = code;
    c->bits[(sig & c->mask) / U64_BITS] |= UINT64_C(1) << sig % U64_BITS;
}

void pd_codes_end(struct pd_codes *c)
{
    if (c->n == 0)
        return;
    const uint64_t span = c->sigs[c->n - 1] - c->sigs[0];
    for (c->shift = 0; span >> c->shift > c->n / STEP;)
        c->shift++;
    size_t k = 0;
    for (uint64_t step = 0; step <= span >> c->shift; step++) {
        while ((c->sigs[k] - c->sigs[0]) >> c->shift < step)
            k++;
        c->index[step] = (uint32_t)k;
    }
    c->index[(span >> c->shift) + 1] = (uint32_t)c->n;
}

/*
 * List the indices of the signatures that the bit table does not rule out into which[0, n).
 *   n  at most AHEAD
 * Returns how many there are.
 */
static size_t filter_by_bits(const struct pd_codes *c, const pd_sig *sigs, size_t n, uint8_t *which)
{
    size_t nwhich = 0;
    for (size_t k = 0; k < n; k++)
        __builtin_prefetch(c->bits + (sigs[k] & c->mask) / U64_BITS);
    for (size_t k = 0; k < n; k++) {
        which[nwhich] = (uint8_t)k; /* no branch: the processor could not predict it */
        nwhich += c->bits[(sigs[k] & c->mask) / U64_BITS] >> sigs[k] % U64_BITS & 1;
    }
    return nwhich;
}

/* pd_codes_find for at most AHEAD signatures and a table that is not empty. */
static void find_some(const struct pd_codes *c, const pd_sig *sigs, size_t n, uint8_t *codes)
{
    const pd_sig least = c->sigs[0], span = c->sigs[c->n - 1] - least;
    const uint32_t *steps[AHEAD];
    uint8_t which[AHEAD];
    memset(codes, 0, n);
    n = filter_by_bits(c, sigs, n, which);
    for (size_t k = 0; k < n; k++) {
        const uint64_t above = sigs[which[k]] - least; /* > span if the signature is < least */
        steps[k] = c->index + ((above < span ? above : span) >> c->shift);
        __builtin_prefetch(steps[k]);
    }
    for (size_t k = 0; k < n; k++) {
        __builtin_prefetch(c->sigs + *steps[k]);
        __builtin_prefetch(c->codes + *steps[k]);
    }
    for (size_t k = 0; k < n; k++) {
        const pd_sig sig = sigs[which[k]];
        uint32_t i = steps[k][0];
        const uint32_t end = steps[k][1];
        while (i < end && c->sigs[i] < sig)
            i++;
        if (i < end && c->sigs[i] == sig)
            codes[which[k]] = c->codes[i];
    }
}

void pd_codes_find(const struct pd_codes *c, const pd_sig *sigs, size_t n, uint8_t *codes)
{
    if (c->n == 0) {
        memset(codes, 0, n);
        return;
    }
    for (size_t k = 0; k < n; k += AHEAD)
        find_some(c, sigs + k, n - k < AHEAD ? n - k : AHEAD, codes + k);
}

void pd_codes_release(struct pd_codes *c)
{
    PD_FREE(c->sigs, c->codes, c->index, c->bits);
    *c = (struct pd_codes){0};
}

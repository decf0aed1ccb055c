/* join/codes.c - see include/pardup/join/codes.h */
#include "pardup/join/codes.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

enum {
    STEP = 2,  /* signatures, at least, on average: PD_CODES_BYTES depends on it */
    AHEAD = 64 /* signatures that are looked for at a time */
};

void pd_codes_begin(struct pd_codes *c, size_t room)
{
    PD_CHECK(0 < room && room <= UINT32_MAX);
    if (c->room != room) {
        pd_codes_release(c);
        c->sigs = pd_realloc(NULL, room, sizeof *c->sigs);
        c->codes = pd_realloc(NULL, room, 1);
        c->index = pd_realloc(NULL, room / STEP + 2, sizeof *c->index);
        c->room = room;
    }
    c->n = 0;
}

void pd_codes_push(struct pd_codes *c, pd_sig sig, uint8_t code)
{
    PD_CHECK(c->n < c->room && code && (c->n == 0 || c->sigs[c->n - 1] < sig));
    c->sigs[c->n] = sig;
    c->codes[c->n++] = code;
}

void pd_codes_end(struct pd_codes *c)
{
    if (c->n == 0)
        return;
    const uint64_t span = c->sigs[c->n - 1] - c->sigs[0];
    for (c->shift = 0; span >> c->shift > c->n / STEP;)
        c->shift++;
    size_t at = 0;
    for (uint64_t step = 0; step <= span >> c->shift; step++) {
        while ((c->sigs[at] - c->sigs[0]) >> c->shift < step)
            at++;
        c->index[step] = (uint32_t)at;
    }
    c->index[(span >> c->shift) + 1] = (uint32_t)c->n;
}

/* The same, of at most AHEAD. */
static void find_some(const struct pd_codes *c, const pd_sig *sigs, size_t n, uint8_t *codes)
{
    const pd_sig least = c->sigs[0], span = c->sigs[c->n - 1] - least;
    const uint32_t *steps[AHEAD];
    for (size_t k = 0; k < n; k++) {
        const uint64_t above = sigs[k] - least; /* of one below: more than the span */
        steps[k] = c->index + ((above < span ? above : span) >> c->shift);
        __builtin_prefetch(steps[k]);
    }
    for (size_t k = 0; k < n; k++) {
        __builtin_prefetch(c->sigs + *steps[k]);
        __builtin_prefetch(c->codes + *steps[k]);
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t at = steps[k][0];
        const uint32_t end = steps[k][1];
        while (at < end && c->sigs[at] < sigs[k])
            at++;
        codes[k] = at < end && c->sigs[at] == sigs[k] ? c->codes[at] : 0;
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
    free(c->sigs);
    free(c->codes);
    free(c->index);
    *c = (struct pd_codes){0};
}

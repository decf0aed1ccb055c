/* join/codes.c - see include/pardup/join/codes.h */
#include "pardup/join/codes.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

enum { FIRST_SLOTS = 1 << 10 };

void pd_codes_reserve(struct pd_codes *c, size_t n)
{
    struct pd_codes grown = {.n = c->n, .nslots = c->nslots ? c->nslots : FIRST_SLOTS};
    while (grown.nslots < 2 * n)
        grown.nslots *= 2;
    if (grown.nslots == c->nslots)
        return;
    grown.sigs = pd_realloc(NULL, grown.nslots, sizeof *grown.sigs);
    grown.codes = pd_realloc(NULL, grown.nslots, 1);
    memset(grown.codes, 0, grown.nslots);
    grown.n = 0;
    for (size_t k = 0; k < c->nslots; k++)
        if (c->codes[k])
            pd_codes_add(&grown, c->sigs[k], c->codes[k]);
    pd_codes_release(c);
    *c = grown;
}

void pd_codes_add(struct pd_codes *c, pd_sig sig, uint8_t code)
{
    size_t at = sig & (c->nslots - 1);
    PD_CHECK(2 * c->n < c->nslots && code);
    while (c->codes[at])
        at = (at + 1) & (c->nslots - 1);
    c->sigs[at] = sig;
    c->codes[at] = code;
    c->n++;
}

void pd_codes_release(struct pd_codes *c)
{
    free(c->sigs);
    free(c->codes);
    *c = (struct pd_codes){0};
}

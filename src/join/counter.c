/* join/counter.c - see include/pardup/join/counter.h */
#include "pardup/join/counter.h"

#include <stdlib.h>
#include <string.h>

void pd_sig_counter_init(struct pd_sig_counter *c)
{
    *c = (struct pd_sig_counter){.slots = pd_realloc(NULL, PD_COUNTER_SLOTS, sizeof *c->slots)};
    pd_sig_counter_clear(c);
}

void pd_sig_counter_release(struct pd_sig_counter *c)
{
    free(c->slots);
    *c = (struct pd_sig_counter){0};
}

void pd_sig_counter_clear(struct pd_sig_counter *c)
{
    memset(c->slots, 0, PD_COUNTER_SLOTS * sizeof *c->slots);
    c->flushed = 0;
}

bool pd_sig_counter_flush(struct pd_sig_counter *c, struct pd_sig_count *left)
{
    while (c->flushed < PD_COUNTER_SLOTS) {
        *left = c->slots[c->flushed++];
        if (left->n > 0)
            return true;
    }
    return false;
}

/* store/cursor.c - see include/pardup/store/cursor.h */
#include "pardup/store/cursor.h"

#include "pardup/base/error.h"

void pd_cursor_begin(struct pd_cursor *c, struct pd_packed *file, uint32_t begin, uint32_t end)
{
    c->file = file;
    c->next = begin;
    c->end = end;
    c->block.n = c->at = 0;
}

int pd_cursor_look(struct pd_cursor *c, const unsigned char **recs, size_t *n)
{
    *n = 0;
    while (c->at == c->block.n) {
        if (c->next == c->end)
            return PD_END;
        c->at = 0;
        PD_TRY(pd_packed_load(c->file, c->next++, &c->block));
    }
    *recs = c->block.v + c->at;
    *n = c->block.n - c->at;
    return PD_OK;
}

void pd_cursor_release(struct pd_cursor *c)
{
    pd_bytes_release(&c->block);
    *c = (struct pd_cursor){0};
}

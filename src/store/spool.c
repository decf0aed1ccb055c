/* store/spool.c - see include/pardup/store/spool.h */
#include "pardup/store/spool.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/store/packed.h"
#include "spare.h"

enum { PAGE = PD_PAGE_SIZES - 1 }; /* size of all pages: the largest one of spare.h */

struct pd_spool_page {
    struct pd_spool_page *next;
    unsigned char recs[];
};

/* Bytes of records that a page has room for. */
static size_t page_room(const struct pd_spool *s)
{
    return (pd_page_bytes(PAGE) - sizeof(struct pd_spool_page)) / s->how.size * s->how.size;
}

void pd_spool_init(struct pd_spool *s, const struct pd_spooling *how)
{
    *s = (struct pd_spool){.how = *how};
    PD_CHECK(how->size % sizeof(uint64_t) == 0 && how->size > 0 && page_room(s) > 0);
    s->path = pd_printed("%s", how->path);
    s->how.path = s->path;
}

static void page_new(struct pd_spool *s)
{
    struct pd_spool_page *page = pd_spare_take(s->how.spare, PAGE);
    page->next = NULL;
    if (s->last)
        s->last->next = page;
    else
        s->first = page;
    s->last = page;
    s->end = 0;
    s->held += pd_page_bytes(PAGE);
}

static int open_file(struct pd_spool *s)
{
    s->file = pd_packed_create(s->path);
    if (!s->file || pd_packed_forget(s->file) < 0) /* a killed process leaves no file */
        return PD_EIO;
    pd_packed_as_u64s(s->file, s->how.size);
    return PD_OK;
}

int pd_spool_push(struct pd_spool *s, const void *rec)
{
    s->n++;
    if (!s->file && (!s->last || s->end == page_room(s))) {
        if (s->last && s->held + pd_page_bytes(PAGE) > s->how.memory)
            PD_TRY(open_file(s));
        else
            page_new(s);
    }
    if (s->file)
        return pd_packed_append(s->file, rec, s->how.size, NULL);
    memcpy(s->last->recs + s->end, rec, s->how.size);
    s->end += s->how.size;
    return PD_OK;
}

int pd_spool_finish(struct pd_spool *s)
{
    if (!s->file)
        return PD_OK;
    PD_TRY(pd_packed_finish(s->file));
    pd_cursor_begin(&s->cursor, s->file, 0, pd_packed_blocks(s->file));
    return PD_OK;
}

/* Give back the first page, which has been read. */
static void drop_first_page(struct pd_spool *s)
{
    struct pd_spool_page *page = s->first;
    s->first = page->next;
    s->at = 0;
    pd_spare_give(s->how.spare, page, PAGE);
}

int pd_spool_look(struct pd_spool *s, const void **rec)
{
    const unsigned char *recs;
    size_t n;
    *rec = NULL;
    if (s->first && s->at == (s->first == s->last ? s->end : page_room(s)))
        drop_first_page(s);
    if (s->first) {
        *rec = s->first->recs + s->at;
        return PD_OK;
    }
    if (!s->file)
        return PD_END;
    const int status = pd_cursor_look(&s->cursor, &recs, &n);
    if (status == PD_OK)
        *rec = recs;
    return status;
}

void pd_spool_pass(struct pd_spool *s) { *(s->first ? &s->at : &s->cursor.at) += s->how.size; }

int pd_spool_next(struct pd_spool *s, const void **rec)
{
    const int status = pd_spool_look(s, rec);
    if (status == PD_OK)
        pd_spool_pass(s);
    return status;
}

int pd_spool_fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_spool *s = ctx;
    const void *rec;
    int status = PD_OK;
    for (*n = 0; *n + s->how.size <= cap; *n += s->how.size) {
        if ((status = pd_spool_look(s, &rec)) != PD_OK)
            break;
        memcpy(to + *n, rec, s->how.size);
        pd_spool_pass(s);
    }
    return status;
}

void pd_spool_release(struct pd_spool *s)
{
    while (s->first)
        drop_first_page(s);
    pd_cursor_release(&s->cursor);
    pd_packed_close(s->file);
    free(s->path);
    *s = (struct pd_spool){0};
}

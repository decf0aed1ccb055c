/* app/changes.c - see src/app/changes.h */
#include "changes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/hash_table.h"
#include "pardup/corpus/kept.h"
#include "pardup/document/word.h"
#include "pardup/passage/alignment.h"
#include "pardup/run/walk.h"
#include "temporary.h"

enum { DATE_MOST = 31 }; /* bytes */

/* A page, as it was when it was seen last. */
struct page {
    size_t name, name_n; /* in names: its address, path or id */
    uint64_t hash;       /* of its text */
    uint64_t at, n;      /* its text in the file */
    size_t seen;         /* 1 plus the last capture that has it; GONE_FROM: it was gone */
};
PD_VEC(pages, struct page);
#define GONE_FROM 0
#define NO_TEXT   UINT64_MAX /* hash of a page that had revisits only */

struct changes {
    const struct pd_options *options;
    const struct pd_changes_told *told;
    FILE *texts;
    uint64_t end; /* bytes of `texts` */
    struct pages pages;
    struct pd_hash_table by_name; /* hash of the name: index plus 1 in `pages` */
    struct pd_bytes names;

    struct pd_capture capture; /* at hand */
    const char *operand;
    char date[DATE_MOST + 1]; /* the latest of its records */

    /* Buffers. */
    struct pd_bytes text, before;
    struct pd_document documents[2];
    struct pd_u64s terms[2];
    struct pd_alignment alignment;
};

/* ---- texts ---- */

/* Set c->text to the text that is compared: with --frame aside only what is outside the frame. */
static void take_text(struct changes *c, const struct pd_document *d)
{
    size_t at = 0;
    c->text.n = 0;
    if (!d->has_main)
        pd_bytes_append(&c->text, d->text, d->text_n);
    for (size_t k = 0; d->has_main && k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        if (pd_document_in_frame(d, k, &at))
            continue;
        pd_bytes_append(&c->text, d->text + s->begin, s->end - s->begin);
        pd_bytes_append(&c->text, "\n", 1);
    }
}

/* Keep c->text as the text of a page. */
static int keep_text(struct changes *c, struct page *p)
{
    *p = (struct page){p->name, p->name_n, pd_hash_bytes(c->text.v, c->text.n),
                       c->end,  c->text.n, p->seen};
    c->end += c->text.n;
    if (fseeko(c->texts, (off_t)p->at, SEEK_SET) != 0 ||
        fwrite(c->text.v, 1, c->text.n, c->texts) != c->text.n)
        return pd_fail(PD_EIO, "texts of pages: %s", strerror(errno));
    return PD_OK;
}

/* The words of text[0, n) in documents[k]. */
static int cut(struct changes *c, int k, const unsigned char *text, size_t n,
               struct pd_spoken *spoken)
{
    struct pd_document *d = &c->documents[k];
    if (pd_document_cut(d, n ? text : (const unsigned char *)"", n) != PD_OK)
        return pd_fail(PD_EFORMAT, "%s: a text has too many words", c->operand);
    pd_u64s_reserve(&c->terms[k], d->words.n);
    for (size_t w = 0; w < d->words.n; w++)
        c->terms[k].v[w] = d->words.v[w].term;
    *spoken = (struct pd_spoken){c->terms[k].v, (uint32_t)d->words.n};
    return PD_OK;
}

/* Count the words of a page that changed to c->text. */
static int compare(struct changes *c, const struct page *p, struct pd_change *change)
{
    struct pd_spoken before, after;
    pd_bytes_reserve(&c->before, p->n);
    if (fseeko(c->texts, (off_t)p->at, SEEK_SET) != 0 ||
        fread(c->before.v, 1, p->n, c->texts) != p->n)
        return pd_fail(PD_EIO, "texts of pages: %s", strerror(errno));
    PD_TRY(cut(c, 0, c->before.v, p->n, &before));
    PD_TRY(cut(c, 1, c->text.v, c->text.n, &after));
    const uint64_t matches = pd_align(&c->alignment, before, after);
    change->words = after.n;
    change->gone = before.n - matches;
    change->more = after.n - matches;
    return PD_OK;
}

/* ---- pages ---- */

/* What a page is called: its address, or its path below the operand, or its id. */
static void name_of(const struct changes *c, const struct pd_raw *raw, const char **name, size_t *n)
{
    const size_t folder = strlen(c->operand);
    const bool by_url = c->options->print.by == PD_BY_URL;
    *name = by_url && raw->url_n ? raw->url : raw->id;
    *n = by_url && raw->url_n ? raw->url_n : raw->id_n;
    if (!by_url || raw->url_n || *n <= folder || memcmp(*name, c->operand, folder) != 0)
        return;
    *name += folder;
    *n -= folder;
    for (; *n > 1 && **name == '/'; --*n)
        ++*name;
}

/* The page of this name, which is added if no capture has had it. */
static struct page *find_page(struct changes *c, const char *name, size_t n)
{
    uint64_t *at = pd_hash_table_at(&c->by_name, pd_hash_bytes((const unsigned char *)name, n));
    if (!*at) {
        pages_push(&c->pages, (struct page){.name = c->names.n, .name_n = n});
        pd_bytes_append(&c->names, name, n);
        *at = c->pages.n;
    }
    return &c->pages.v[*at - 1];
}

/* The date of a record: that of its header, else none. The latest one is that of the capture. */
static void see_date(struct changes *c, const struct pd_raw *raw, const char **date, size_t *n)
{
    *date = raw->kept && raw->kept->v ? raw->kept->v : "";
    *n = raw->kept && raw->kept->v ? raw->kept->n : 0;
    *n = *n < DATE_MOST ? *n : DATE_MOST;
    if (*n && strncmp(c->date, *date, *n) < 0) {
        memcpy(c->date, *date, *n);
        c->date[*n] = '\0';
    }
}

/* Count a page once in a capture, and tell it. The first capture has nothing to tell. */
static int tell(struct changes *c, struct page *p, struct pd_change *change)
{
    const size_t seen = c->capture.number + 1;
    c->capture.counts[change->status] += p->seen != seen;
    p->seen = change->status == PD_CHANGE_GONE ? GONE_FROM : seen;
    change->page = (const char *)c->names.v + p->name;
    change->page_n = p->name_n;
    return c->capture.number > 0 ? c->told->page(c->told->ctx, change) : PD_OK;
}

/* Judge a page that the capture before had: c->text against its text. */
static int judge(struct changes *c, struct page *p, struct pd_change *change)
{
    if (pd_hash_bytes(c->text.v, c->text.n) == p->hash)
        return PD_OK;
    PD_TRY(compare(c, p, change));
    if (change->gone + change->more == 0)
        return PD_OK;
    change->status = PD_CHANGE_CHANGED;
    return keep_text(c, p);
}

static int visit(void *ctx, const struct pd_raw *raw, const struct pd_document *d, pd_doc number)
{
    struct changes *c = ctx;
    const char *name;
    size_t n;
    struct pd_change change = {.status = PD_CHANGE_EQUAL};
    (void)number;
    name_of(c, raw, &name, &n);
    struct page *p = find_page(c, name, n);
    const bool known = p->seen != GONE_FROM;
    see_date(c, raw, &change.date, &change.date_n);
    if (raw->revisit) { /* a record that says that a page is unchanged */
        c->capture.revisits++;
        c->capture.unknown += !known;
        p->hash = known ? p->hash : NO_TEXT;
        return tell(c, p, &change);
    }
    take_text(c, d);
    if (known && p->hash != NO_TEXT) {
        PD_TRY(judge(c, p, &change));
    } else {
        change.status = PD_CHANGE_NEW;
        PD_TRY(keep_text(c, p));
    }
    return tell(c, p, &change);
}

/* Tell the pages that the capture lacks, and what it has. */
static int end_capture(struct changes *c)
{
    const size_t date_n = strlen(c->date);
    int status = PD_OK;
    for (size_t k = 0; k < c->pages.n && status == PD_OK; k++) {
        struct page *p = &c->pages.v[k];
        if (p->seen == GONE_FROM || p->seen == c->capture.number + 1)
            continue;
        struct pd_change change = {.status = PD_CHANGE_GONE, .date = c->date, .date_n = date_n};
        status = tell(c, p, &change);
    }
    c->capture.name = date_n ? c->date : c->operand;
    c->told->capture(c->told->ctx, &c->capture);
    return status;
}

/* Go through the pages of a capture. */
static int go_through(struct changes *c, size_t number)
{
    struct pd_options one = *c->options;
    one.operands = (struct pd_texts){&c->options->operands.v[number], 1};
    one.input.revisits = true;
    c->operand = c->options->operands.v[number];
    c->date[0] = '\0';
    c->capture = (struct pd_capture){.number = number};
    PD_TRY(pd_walk(&one, visit, c));
    return end_capture(c);
}

static void release(struct changes *c)
{
    if (c->texts)
        fclose(c->texts);
    pages_release(&c->pages);
    pd_hash_table_release(&c->by_name);
    PD_RELEASE(pd_bytes, &c->names, &c->text, &c->before);
    for (int k = 0; k < 2; k++) {
        pd_document_release(&c->documents[k]);
        pd_u64s_release(&c->terms[k]);
    }
    pd_alignment_release(&c->alignment);
}

int pd_changes_walk(const struct pd_options *o, const struct pd_changes_told *told)
{
    struct changes c = {.options = o, .told = told, .alignment = PD_ALIGNMENT};
    char folder[PATH_MAX], path[PATH_MAX];
    PD_TRY(pd_temporary_make(o, folder));
    snprintf(path, sizeof path, "%.*s/texts", PATH_MAX - PD_TEMPORARY_ROOM, folder);
    c.texts = fopen(path, "w+b");
    int status = c.texts ? PD_OK : pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    pd_temporary_remove(folder); /* the file stays until it is closed */
    for (int k = 0; k < 2; k++)
        c.documents[k] = pd_document_as(&o->input);
    for (size_t k = 0; k < o->operands.n && status == PD_OK; k++)
        status = go_through(&c, k);
    release(&c);
    return status < 0 ? status : PD_OK;
}

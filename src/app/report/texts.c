/*
 * app/report/texts.c - the documents of a report page, and the texts that the page has room for. See
 * src/app/report/report.h.
 */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/search.h"
#include "report.h"

/* Texts of whole documents on the page, bytes. With --doc, nearly all of the page is theirs. */
enum { TEXT_BYTES = 1200000, TEXT_BYTES_OF_ONE = 3500000 };

/*
 * Beginnings of passages whose documents are not on the page, bytes: all, and what whole texts have
 * left; one side.
 */
enum { EXCERPT_BYTES = 1300000, EXCERPT_LEAST = 40, EXCERPT_MOST = 2000 };

static int by_document(const void *x, const void *y)
{
    const struct pd_report_document *a = x, *b = y;
    return a->row < b->row ? -1 : a->row > b->row;
}

int pd_report_look(struct pd_page *r, uint64_t row, const struct pd_table_reader **t)
{
    static const char *const columns[] = {"id", "text_bytes", NULL};
    const bool source = row & PD_SOURCE_ROW;
    struct pd_table_reader *listed = &r->listed[source];
    if (!listed->table)
        PD_TRY(pd_table_open(listed, r->result, source ? "sources" : "documents", columns));
    *t = listed;
    return pd_table_at(listed, row & ~PD_SOURCE_ROW);
}

/* List the documents of the sample, each with its number of passages. */
static int list_documents(struct pd_page *r)
{
    struct pd_report_documents *all = &r->documents;
    for (size_t k = 0; k < r->passages.n; k++)
        for (int side = 0; side < 2; side++)
            pd_report_documents_push(
                all, (struct pd_report_document){.row = r->passages.v[k].doc[side], .passages = 1});
    if (r->only != UINT64_MAX)
        pd_report_documents_push(all, (struct pd_report_document){.row = r->only});
    if (all->n)
        qsort(all->v, all->n, sizeof *all->v, by_document);
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++)
        if (n && all->v[n - 1].row == all->v[k].row)
            all->v[n - 1].passages += all->v[k].passages;
        else
            all->v[n++] = all->v[k];
    all->n = n;
    for (size_t k = 0; k < n; k++) {
        const struct pd_table_reader *t;
        PD_TRY(pd_report_look(r, all->v[k].row, &t));
        all->v[k].bytes = pd_table_count(t, PD_LISTED_BYTES);
    }
    return PD_OK;
}

/* What decides whose text is on the page: the document asked for, then most passages. */
struct candidate {
    uint64_t rank; /* the smallest comes first */
    size_t document;
};

static int by_rank(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->document < b->document ? -1 : a->document > b->document;
}

/* Choose the documents whose whole text is on the page. Returns the bytes that they leave. */
static uint64_t choose_texts(struct pd_page *r)
{
    const size_t n = r->documents.n;
    uint64_t room = r->only == UINT64_MAX ? TEXT_BYTES : TEXT_BYTES_OF_ONE;
    struct candidate *all = pd_realloc(NULL, n + 1, sizeof *all);
    for (size_t k = 0; k < n; k++) {
        const struct pd_report_document *d = &r->documents.v[k];
        all[k] = (struct candidate){d->row == r->only ? 0 : UINT64_MAX - d->passages, k};
    }
    qsort(all, n, sizeof *all, by_rank);
    for (size_t k = 0; k < n; k++) {
        struct pd_report_document *d = &r->documents.v[all[k].document];
        d->whole = d->bytes <= room;
        room -= d->whole ? d->bytes : 0;
    }
    free(all);
    return room;
}

size_t pd_report_number(const struct pd_page *r, uint64_t row)
{
    return pd_search_first(r->documents.v, r->documents.n, sizeof *r->documents.v,
                           offsetof(struct pd_report_document, row), row);
}

bool pd_report_fetch(struct pd_page *r, uint64_t row)
{
    struct pd_fetch *side = &r->sides[row & PD_SOURCE_ROW ? 1 : 0];
    r->fetched = side;
    if (pd_fetch_row(side, row & ~PD_SOURCE_ROW) >= 0)
        return true;
    if (r->missing++ == 0)
        pd_log(PD_LOG_WARN, "%s: the page is without this text", pd_error_text());
    pd_error_clear();
    return false;
}

size_t pd_report_cut(const unsigned char *text, size_t n, size_t text_n)
{
    if (n >= text_n)
        return text_n;
    while (n > 0 && (text[n] & 0xC0) == 0x80)
        n--;
    return n;
}

/* Keep text[0, n). */
static struct pd_report_text keep(struct pd_page *r, const unsigned char *text, size_t n)
{
    const struct pd_report_text kept = {r->texts.n, n};
    pd_bytes_append(&r->texts, text, n);
    return kept;
}

/* One side of a passage, in a document. */
struct place {
    size_t document; /* number on the page */
    size_t passage;
    int side;
};
PD_VEC(places, struct place);

static int by_place(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    if (a->document != b->document)
        return a->document < b->document ? -1 : 1;
    return a->passage != b->passage ? (a->passage < b->passage ? -1 : 1) : a->side - b->side;
}

/* Keep the text of a document, or the beginnings of its passages, which are places[0, n). */
static void read_text(struct pd_page *r, struct pd_report_document *d, const struct place *places,
                      size_t n, size_t most)
{
    if (!pd_report_fetch(r, d->row)) {
        d->whole = false;
        return;
    }
    const struct pd_document *read = &r->fetched->document;
    if (d->whole)
        d->text = keep(r, read->text, read->text_n);
    for (size_t k = 0; k < n && !d->whole; k++) {
        struct pd_report_passage *p = &r->passages.v[places[k].passage];
        const uint64_t begin = p->begin[places[k].side], end = p->end[places[k].side];
        if (begin < end && end <= read->text_n)
            p->excerpt[places[k].side] =
                keep(r, read->text + begin, pd_report_cut(read->text + begin, most, end - begin));
    }
}

/* Read each document once. `room`: bytes for beginnings of passages. */
static void read_texts(struct pd_page *r, uint64_t room)
{
    struct places all = {0};
    for (size_t k = 0; k < r->passages.n; k++)
        for (int side = 0; side < 2; side++) {
            const size_t d = pd_report_number(r, r->passages.v[k].doc[side]);
            if (!r->documents.v[d].whole)
                places_push(&all, (struct place){d, k, side});
        }
    size_t most = (size_t)room / (all.n + 1);
    most = most < EXCERPT_LEAST ? EXCERPT_LEAST : most > EXCERPT_MOST ? EXCERPT_MOST : most;
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by_place);
    for (size_t d = 0, at = 0; d < r->documents.n; d++) {
        size_t n = 0;
        while (at + n < all.n && all.v[at + n].document == d)
            n++;
        read_text(r, &r->documents.v[d], n ? all.v + at : NULL, n, most);
        at += n;
    }
    places_release(&all);
}

int pd_report_texts(struct pd_page *r)
{
    PD_TRY(list_documents(r));
    read_texts(r, EXCERPT_BYTES + choose_texts(r));
    return PD_OK;
}

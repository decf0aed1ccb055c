/*
 * app/report/texts.c - the documents of a report page, and the texts that the page has room for.
 * See src/app/report/report.h.
 */
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/search.h"
#include "pardup/document/word.h"
#include "pardup/passage/alignment.h"
#include "report.h"

/* ---- marks: which words of the passages have no match ---- */

/*
 * The alignment is that of passage/alignment.h, over the whole passage. Each document is read once,
 * so the words of a side are held until the other side is read.
 */
struct marking {
    struct pd_report_page *page;
    struct pd_alignment alignment;
    struct marking_side *sides; /* of each passage: the first, the second */
    struct pd_u64s terms[2];
    uint64_t held; /* words of all sides that are held */
};

enum {
    HELD_MOST = 1 << 23, /* words (128 MB) */
    MARKS_MOST = 400000  /* numbers on the page (1.3 MB) */
};

/* A word of a side; its bytes count from the begin of the passage. */
struct spelled {
    uint64_t term;
    uint32_t begin, end;
};
PD_VEC(spelleds, struct spelled);

struct marking_side {
    struct spelleds words;
    uint64_t shown; /* bytes on the page */
    bool taken;
};

static void marking_init(struct marking *m, struct pd_report_page *page)
{
    const size_t sides = 2 * page->passages.n;
    *m = (struct marking){.page = page, .alignment = PD_ALIGNMENT};
    m->sides = pd_zeroed(sides + 1, sizeof *m->sides);
}

/* Keep the words of a side. */
static void hold(struct marking *m, const struct pd_report_passage *p, int side,
                 struct spelleds *to)
{
    const struct pd_words *words = &m->page->fetched->document.words;
    uint32_t from;
    const uint32_t n = pd_words_between(words, p->begin[side], p->end[side], &from);
    spelleds_reserve(to, n);
    for (uint32_t k = from; k < from + n; k++)
        spelleds_push(to, (struct spelled){words->v[k].term,
                                           (uint32_t)(words->v[k].begin - p->begin[side]),
                                           (uint32_t)(words->v[k].end - p->begin[side])});
    m->held += n;
}

static struct pd_spoken spoken(struct pd_u64s *terms, const struct spelleds *words)
{
    pd_u64s_reserve(terms, words->n);
    for (size_t k = 0; k < words->n; k++)
        terms->v[k] = words->v[k].term;
    return (struct pd_spoken){terms->v, (uint32_t)words->n};
}

/* Push the marks of one side that are on the page. */
static void push_marks(struct marking *m, struct pd_report_passage *p, int side,
                       const struct marking_side *s)
{
    struct pd_report_numbers *marks = &m->page->marks;
    uint32_t at = 0;
    p->marks[side] = (struct pd_report_text){.at = marks->n};
    for (size_t k = 0; k < m->alignment.runs.n; k++) {
        const struct pd_aligned_run *run = &m->alignment.runs.v[k];
        const uint32_t first = side ? run->b : run->a, n = side ? run->nb : run->na;
        if (run->equal || n == 0)
            continue;
        const uint32_t begin = s->words.v[first].begin, end = s->words.v[first + n - 1].end;
        if (begin >= s->shown)
            break;
        pd_report_numbers_push(marks, begin - at);
        pd_report_numbers_push(marks, (end < s->shown ? end : (uint32_t)s->shown) - begin);
        at = end;
    }
    p->marks[side].n = marks->n - p->marks[side].at;
}

/* Set the marks of a passage. */
static void align(struct marking *m, struct pd_report_passage *p,
                  const struct marking_side sides[2])
{
    const size_t before = m->page->marks.n;
    pd_align(&m->alignment, spoken(&m->terms[0], &sides[0].words),
             spoken(&m->terms[1], &sides[1].words));
    for (int side = 0; side < 2; side++)
        push_marks(m, p, side, &sides[side]);
    p->marked = m->page->marks.n <= MARKS_MOST;
    if (!p->marked)
        m->page->marks.n = before;
}

/*
 * Take one side of a passage, whose document was read last. If the other side was taken before, set
 * the marks of the passage. A passage whose words or marks have no room gets none.
 *   shown   bytes of the side that are on the page, from its begin on
 */
static void marking_take(struct marking *m, size_t passage, int side, uint64_t shown)
{
    struct pd_report_passage *p = &m->page->passages.v[passage];
    struct marking_side *sides = m->sides + 2 * passage, *s = &sides[side];
    if (p->begin[side] >= p->end[side] || p->words[side] > HELD_MOST - m->held)
        return;
    hold(m, p, side, &s->words);
    s->shown = shown;
    s->taken = true;
    if (!sides[1 - side].taken)
        return;
    align(m, p, sides);
    for (int k = 0; k < 2; k++) {
        m->held -= sides[k].words.n;
        spelleds_release(&sides[k].words);
    }
}

static void marking_release(struct marking *m)
{
    for (size_t k = 0; k < 2 * m->page->passages.n; k++)
        spelleds_release(&m->sides[k].words);
    free(m->sides);
    pd_alignment_release(&m->alignment);
    for (int side = 0; side < 2; side++)
        pd_u64s_release(&m->terms[side]);
}

/* ---- texts ---- */

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

int pd_report_look(struct pd_report_page *r, uint64_t row, const struct pd_table_reader **t)
{
    static const char *const columns[] = {"text_bytes", "?date", NULL};
    const bool source = row & PD_SOURCE_ROW;
    struct pd_table_reader *listed = &r->listed[source];
    if (!listed->table)
        PD_TRY(pd_table_open(listed, r->result, source ? "sources" : "documents", columns));
    *t = listed;
    return pd_table_at(listed, row & ~PD_SOURCE_ROW);
}

/* List the documents of the sample, each with its number of passages. */
static int list_documents(struct pd_report_page *r)
{
    struct pd_report_documents *all = &r->documents;
    for (size_t k = 0; k < r->passages.n; k++)
        for (int side = 0; side < 2; side++)
            pd_report_documents_push(
                all, (struct pd_report_document){.row = r->passages.v[k].doc[side], .passages = 1});
    if (r->only != UINT64_MAX)
        pd_report_documents_push(all, (struct pd_report_document){.row = r->only});
    PD_VEC_SORT(all, by_document);
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
static uint64_t choose_texts(struct pd_report_page *r)
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
        const bool hidden = d->row < r->label.hidden && d->row != r->only;
        d->whole = d->bytes <= room && !hidden;
        room -= d->whole ? d->bytes : 0;
    }
    free(all);
    return room;
}

bool pd_report_fetch(struct pd_report_page *r, uint64_t row)
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

/* Keep text[0, n) of the document in `row`, without names that are hidden. */
static struct pd_report_text keep(struct pd_report_page *r, uint64_t row, const unsigned char *text,
                                  size_t n)
{
    const struct pd_report_text kept = {r->texts.n, n};
    pd_bytes_append(&r->texts, text, n);
    pd_report_hide(r, row, r->texts.v + kept.at, n);
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

/* What reads the documents of the page. */
struct reading {
    struct pd_report_page *page;
    size_t most; /* bytes of a passage in a document that is not whole */
    struct marking marking;
    struct pd_aside_text aside;
    struct pd_report_covereds covered;
    struct pd_parts parts; /* buffer */
};

/* List the pairs of documents of the sample; passages of a pair follow each other. */
static void list_pairs(struct pd_report_page *r)
{
    for (size_t k = 0; k < r->passages.n; k++) {
        const struct pd_report_passage *p = &r->passages.v[k];
        if (k == 0 || p->doc[0] != p[-1].doc[0] || p->doc[1] != p[-1].doc[1])
            pd_report_pairs_push(
                &r->pairs,
                (struct pd_report_pair){
                    {pd_report_number(r, p->doc[0]), pd_report_number(r, p->doc[1])}, {0, 0}});
    }
}

/* The share of the document read last that g->covered.v[from, to) has. */
static struct pd_share share_of(struct reading *g, size_t from, size_t to)
{
    g->parts.n = 0;
    for (size_t k = from; k < to; k++)
        pd_parts_push(&g->parts, (struct pd_part){g->covered.v[k].begin, g->covered.v[k].end});
    return pd_share_of_document(&g->aside, &g->page->fetched->document, &g->parts);
}

/* Count the shares of a document: that all others have, and that each one on the page has. */
static void count_shares(struct reading *g, size_t document)
{
    const struct pd_report_covered *v = g->covered.v;
    const size_t first = pd_search_first(v, g->covered.n, sizeof *v, 0, document);
    size_t end = first;
    while (end < g->covered.n && v[end].document == document)
        end++;
    g->page->documents.v[document].share = share_of(g, first, end);
    for (size_t from = first, to; from < end; from = to) {
        const uint64_t pair = v[from].pair;
        for (to = from; to < end && v[to].pair == pair;)
            to++;
        if (pair == PD_REPORT_NO_PAIR)
            continue;
        struct pd_report_pair *p = &g->page->pairs.v[pair];
        p->covered[p->document[1] == document] = share_of(g, from, to).covered;
    }
}

/* Keep which bytes of a document are set aside, if its text is on the page. */
static void keep_aside(struct reading *g, struct pd_report_document *d)
{
    struct pd_report_numbers *numbers = &g->page->marks;
    uint64_t at = 0;
    d->aside.at = numbers->n;
    for (size_t k = 0; d->whole && k < g->aside.bytes.n; k++) {
        const struct pd_part part = g->aside.bytes.v[k];
        pd_report_numbers_push(numbers, (uint32_t)(part.begin - at));
        pd_report_numbers_push(numbers, (uint32_t)(part.end - part.begin));
        at = part.end;
    }
    d->aside.n = numbers->n - d->aside.at;
}

/* How much of a passage of n bytes is shown: up to `most` bytes, and whole words if it has any. */
static size_t shown(const struct pd_document *d, uint64_t begin, size_t most, size_t n)
{
    uint32_t from;
    if (n <= most)
        return n;
    const uint32_t words = pd_words_between(&d->words, begin, begin + most, &from);
    return words ? d->words.v[from + words - 1].end - begin
                 : pd_report_cut(d->text + begin, most, n);
}

/* Keep what the page has of one side of a passage, and find the words to mark. */
static void read_place(struct reading *g, const struct pd_report_document *d,
                       const struct place *place)
{
    const struct pd_document *read = &g->page->fetched->document;
    struct pd_report_passage *p = &g->page->passages.v[place->passage];
    const uint64_t begin = p->begin[place->side], end = p->end[place->side];
    if (begin >= end || end > read->text_n)
        return;
    const size_t n = d->whole ? end - begin : shown(read, begin, g->most, end - begin);
    if (!d->whole)
        p->excerpt[place->side] = keep(g->page, d->row, read->text + begin, n);
    if (!p->marked)
        marking_take(&g->marking, place->passage, place->side, n);
}

/* Keep the text of a document, or the beginnings of its passages, which are places[0, n). */
static int read_text(struct reading *g, size_t document, const struct place *places, size_t n)
{
    struct pd_report_document *d = &g->page->documents.v[document];
    if (!pd_report_fetch(g->page, d->row)) {
        d->whole = false;
        return PD_OK;
    }
    const struct pd_document *read = &g->page->fetched->document;
    if (d->whole)
        d->text = keep(g->page, d->row, read->text, read->text_n);
    PD_TRY(pd_aside_read(&g->aside, d->row));
    keep_aside(g, d);
    count_shares(g, document);
    for (size_t k = 0; k < n; k++)
        read_place(g, d, &places[k]);
    return PD_OK;
}

/* List the sides of passages, by document. Returns how many lie in documents that are not whole. */
static size_t list_places(const struct pd_report_page *r, struct places *all)
{
    size_t n = 0;
    for (size_t k = 0; k < r->passages.n; k++)
        for (int side = 0; side < 2; side++) {
            const size_t d = pd_report_number(r, r->passages.v[k].doc[side]);
            n += !r->documents.v[d].whole;
            places_push(all, (struct place){d, k, side});
        }
    PD_VEC_SORT(all, by_place);
    return n;
}

/* Read each document once. `room`: bytes for beginnings of passages. */
static int read_texts(struct pd_report_page *r, uint64_t room)
{
    struct places all = {0};
    struct reading g = {.page = r};
    g.most = (size_t)room / (list_places(r, &all) + 1);
    g.most = g.most < EXCERPT_LEAST ? EXCERPT_LEAST : g.most > EXCERPT_MOST ? EXCERPT_MOST : g.most;
    marking_init(&g.marking, r);
    int status = pd_aside_open(&g.aside, r->result);
    PD_THEN(status, pd_report_covered(r, &g.covered));
    pd_progress_begin(&r->progress, "texts");
    for (size_t d = 0, at = 0; d < r->documents.n && status >= 0; d++) {
        size_t n = 0;
        while (at + n < all.n && all.v[at + n].document == d)
            n++;
        status = read_text(&g, d, n ? all.v + at : NULL, n);
        pd_progress_tell(&r->progress, d + 1, r->documents.n, 0, 0);
        at += n;
    }
    pd_aside_close(&g.aside);
    pd_report_covereds_release(&g.covered);
    pd_parts_release(&g.parts);
    marking_release(&g.marking);
    places_release(&all);
    return status;
}

int pd_report_texts(struct pd_report_page *r)
{
    PD_TRY(list_documents(r));
    list_pairs(r);
    return read_texts(r, EXCERPT_BYTES + choose_texts(r));
}

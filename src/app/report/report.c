/* app/report/report.c - see src/app/report/report.h */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/ids.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/search.h"

enum { ROWS_AT_ONCE = 4096 };

/* Texts of whole documents on the page, bytes. With --doc, nearly all of the page is theirs. */
enum { TEXT_BYTES = 1200000, TEXT_BYTES_OF_ONE = 3500000 };

/*
 * Beginnings of passages whose documents are not on the page, bytes: all, and what whole texts have
 * left; one side.
 */
enum { EXCERPT_BYTES = 1300000, EXCERPT_LEAST = 40, EXCERPT_MOST = 2000 };

/* Columns of /passages, in the order of struct reading. */
enum {
    DOC_A,
    DOC_B,
    BEGIN_A,
    BEGIN_B,
    END_A,
    END_B,
    WORDS_A,
    WORDS_B,
    AGREEMENT,
    SIMILARITY,
    FAMILY,
    COLUMNS
};
static const char *const column_names[COLUMNS] = {"doc_a",     "doc_b",      "begin_a", "begin_b",
                                                  "end_a",     "end_b",      "words_a", "words_b",
                                                  "agreement", "similarity", "family"};

static int by_order(const void *x, const void *y)
{
    const struct pd_report_passage *a = x, *b = y;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int by_row(const void *x, const void *y)
{
    const struct pd_report_passage *a = x, *b = y;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Keep the `most` passages of the sample that come first by their hashes. */
static void cut_sample(struct pd_report_passages *s, size_t most)
{
    if (s->n <= most)
        return;
    qsort(s->v, s->n, sizeof *s->v, by_order);
    s->n = most;
}

size_t pd_report_bin(uint64_t size)
{
    size_t k = 0;
    while (k + 1 < PD_REPORT_LENGTHS && size >> (k + 1))
        k++;
    return k;
}

/* Add 1 to the bin of a share in [0, 1]. */
static void count_tenth(uint64_t tenths[PD_REPORT_TENTHS], double share)
{
    const int tenth = (int)(share * PD_REPORT_TENTHS);
    tenths[tenth < 0 ? 0 : tenth < PD_REPORT_TENTHS ? tenth : PD_REPORT_TENTHS - 1]++;
}

/* Count a wanted passage, and put it into the sample. */
static void take(struct pd_page *r, const struct pd_report_passage *p, size_t most)
{
    r->lengths[pd_report_bin(p->words[0])]++;
    count_tenth(r->tenths, p->agreement);
    r->rows++;
    pd_report_passages_push(&r->passages, *p);
    if (r->passages.n / 2 >= most)
        cut_sample(&r->passages, most);
}

static bool is_wanted(const struct pd_page *r, const struct pd_report_passage *p)
{
    return (r->only == UINT64_MAX || p->doc[0] == r->only || p->doc[1] == r->only) &&
           (r->family == UINT64_MAX || p->family == r->family);
}

/* Read all passages; `cells` has room for each column. */
static int read_passages(struct pd_page *r, struct pd_cells cells[COLUMNS + 1])
{
    const int64_t limit = r->options->print.limit;
    const size_t most = limit ? (size_t)limit : SIZE_MAX;
    const bool families = pd_result_has(r->result, "passages", "family");
    uint64_t rows;
    PD_TRY(pd_result_rows(r->result, "passages", &rows));
    for (uint64_t from = 0; from < rows; from += ROWS_AT_ONCE) {
        const uint64_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        for (int c = 0; c < (families ? COLUMNS : FAMILY); c++)
            PD_TRY(pd_result_read(r->result, "passages", column_names[c], from, n, &cells[c]));
        for (uint64_t k = 0; k < n; k++) {
            struct pd_report_passage p = {.row = from + k, .order = pd_mix(from + k)};
            for (int side = 0; side < 2; side++) {
                p.doc[side] = pd_cells_count(&cells[DOC_A + side], k);
                p.doc[side] |= side == 1 && r->sides[1].sources ? PD_SOURCE_ROW : 0;
                p.begin[side] = pd_cells_count(&cells[BEGIN_A + side], k);
                p.end[side] = pd_cells_count(&cells[END_A + side], k);
                p.words[side] = pd_cells_count(&cells[WORDS_A + side], k);
            }
            p.agreement = pd_cells_real(&cells[AGREEMENT], k);
            p.similarity = pd_cells_real(&cells[SIMILARITY], k);
            p.family = families ? pd_cells_count(&cells[FAMILY], k) : UINT64_MAX;
            if (is_wanted(r, &p))
                take(r, &p, most);
        }
    }
    cut_sample(&r->passages, most);
    if (r->passages.n)
        qsort(r->passages.v, r->passages.n, sizeof *r->passages.v, by_row);
    return PD_OK;
}

/*
 * Count the document pairs by the larger share of their units that lies in passages, and by their
 * resemblance.
 */
static int count_pairs(struct pd_page *r, struct pd_cells cells[3])
{
    static const char *const names[3] = {"coverage_a", "coverage_b", "resemblance"};
    uint64_t rows;
    PD_TRY(pd_result_rows(r->result, "pairs", &rows));
    for (uint64_t from = 0; from < rows; from += ROWS_AT_ONCE) {
        const uint64_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        for (int c = 0; c < 3; c++)
            PD_TRY(pd_result_read(r->result, "pairs", names[c], from, n, &cells[c]));
        for (uint64_t k = 0; k < n; k++) {
            const double a = pd_cells_real(&cells[0], k), b = pd_cells_real(&cells[1], k);
            const double resemblance = pd_cells_real(&cells[2], k);
            count_tenth(r->coverage, a > b ? a : b);
            if (!isnan(resemblance)) {
                r->resembling = true;
                count_tenth(r->resemblance, resemblance);
            }
        }
    }
    return PD_OK;
}

/* ---- documents ---- */

static int by_document(const void *x, const void *y)
{
    const struct pd_report_document *a = x, *b = y;
    return a->row < b->row ? -1 : a->row > b->row;
}

int pd_report_cell(struct pd_page *r, const char *column, uint64_t row, struct pd_cells *cells,
                   uint64_t *at)
{
    const char *table = row & PD_SOURCE_ROW ? "sources" : "documents";
    const uint64_t number = row & ~PD_SOURCE_ROW, first = number - number % ROWS_AT_ONCE;
    uint64_t rows;
    *at = number - first;
    if (cells->values.n && r->window == (first | (row & PD_SOURCE_ROW)))
        return PD_OK;
    PD_TRY(pd_result_rows(r->result, table, &rows));
    if (number >= rows)
        return pd_fail(PD_EFORMAT, "%s: a passage is in a document that is not there",
                       pd_result_path(r->result));
    r->window = first | (row & PD_SOURCE_ROW);
    return pd_result_read(r->result, table, column, first,
                          rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE, cells);
}

/* List the documents of the sample, each with its number of passages. */
static int list_documents(struct pd_page *r, struct pd_cells *cells)
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
        uint64_t at;
        PD_TRY(pd_report_cell(r, "text_bytes", all->v[k].row, cells, &at));
        all->v[k].bytes = pd_cells_count(cells, at);
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

/* ---- the report ---- */

/* The first row of /documents with the id of --doc. */
static int find_document(struct pd_page *r)
{
    struct pd_doc_rows found = {0};
    const int status = pd_ids_find(r->result, r->options->print.doc, &found);
    if (status >= 0)
        r->only = found.v[0];
    pd_doc_rows_release(&found);
    return status;
}

/* The family of --family, which must be there. */
static int find_family(struct pd_page *r)
{
    uint64_t all;
    if (!pd_result_has(r->result, "passages", "family"))
        return pd_fail(
            PD_EFORMAT,
            "%s: has no families, as an earlier pardup wrote it: pardup families makes them",
            pd_result_path(r->result));
    PD_TRY(pd_result_rows(r->result, "families", &all));
    r->family = (uint64_t)r->options->print.family;
    if (r->family >= all)
        return pd_fail(PD_EFORMAT, "--family %" PRIu64 ": the result has %" PRIu64 " famil%s",
                       r->family, all, all == 1 ? "y" : "ies");
    return PD_OK;
}

static int gather(struct pd_page *r, struct pd_cells cells[COLUMNS + 1])
{
    if (r->options->print.doc)
        PD_TRY(find_document(r));
    if (r->options->print.family >= 0)
        PD_TRY(find_family(r));
    PD_TRY(pd_report_count_families(r));
    PD_TRY(read_passages(r, cells));
    PD_TRY(count_pairs(r, cells));
    PD_TRY(list_documents(r, &cells[COLUMNS]));
    read_texts(r, EXCERPT_BYTES + choose_texts(r));
    return PD_OK;
}

int pd_report_open(struct pd_page *r, const struct pd_options *o)
{
    struct pd_cells cells[COLUMNS + 1] = {0};
    *r = (struct pd_page){.options = o, .only = UINT64_MAX, .family = UINT64_MAX};
    PD_TRY(pd_result_open(o->operands.v[0], &r->result));
    const int targets = pd_fetch_init(&r->sides[0], r->result);
    const int second = pd_fetch_init_second(&r->sides[1], r->result); /* both are to be released */
    int status = targets < 0 ? targets : second;
    if (status >= 0)
        status = gather(r, cells);
    for (int c = 0; c <= COLUMNS; c++)
        pd_bytes_release(&cells[c].values);
    return status;
}

void pd_report_release(struct pd_page *r)
{
    for (int side = 0; side < 2 && r->result; side++)
        pd_fetch_release(&r->sides[side]);
    pd_report_passages_release(&r->passages);
    pd_report_documents_release(&r->documents);
    pd_bytes_release(&r->texts);
    pd_result_close(r->result);
    r->result = NULL;
}

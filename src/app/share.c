/* app/share.c - see src/app/share.h */
#include "share.h"

#include "pardup/base/error.h"
#include "pardup/document/word.h"
#include "pardup/run/fetch.h"

enum { ROWS_AT_ONCE = 4096 };
enum { DOC, BEGIN, END };
static const char *const columns[PD_ASIDE_COLUMNS] = {"doc", "begin", "end"};

int pd_aside_open(struct pd_aside_text *a, struct pd_result *result)
{
    *a = (struct pd_aside_text){.result = result};
    return pd_result_has(result, "aside", columns[BEGIN])
               ? pd_result_rows(result, "aside", &a->rows)
               : PD_OK;
}

void pd_aside_close(struct pd_aside_text *a)
{
    for (int c = 0; c < PD_ASIDE_COLUMNS; c++)
        pd_bytes_release(&a->cells[c].values);
    pd_parts_release(&a->bytes);
    pd_parts_release(&a->words);
}

/* Bring rows from `row` on to hand. */
static int look(struct pd_aside_text *a, uint64_t row)
{
    a->from = row;
    a->n = 0;
    const uint64_t n = a->rows - row < ROWS_AT_ONCE ? a->rows - row : ROWS_AT_ONCE;
    for (int c = 0; c < PD_ASIDE_COLUMNS; c++)
        PD_TRY(pd_result_read(a->result, "aside", columns[c], row, n, &a->cells[c]));
    a->n = n;
    return PD_OK;
}

/* The document of a row that is at hand. */
static uint64_t doc_of(const struct pd_aside_text *a, uint64_t row)
{
    return pd_cells_count(&a->cells[DOC], row - a->from);
}

/* Bring the first row of a document to hand, or of the first document behind it: *row. */
static int find(struct pd_aside_text *a, uint64_t doc, uint64_t *row)
{
    uint64_t lo = 0, hi = a->rows; /* the row is in [lo, hi] */
    for (int windows = 0; windows < 2 && a->n && doc_of(a, a->from) < doc; windows++) {
        const uint64_t last = a->from + a->n - 1;
        const bool here = doc_of(a, last) >= doc;
        lo = here ? a->from : last + 1;
        hi = here ? last : hi;
        if (here || lo == hi)
            break;
        PD_TRY(look(a, lo)); /* documents in order are often in the next window */
    }
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (mid < a->from || mid - a->from >= a->n)
            PD_TRY(look(a, mid));
        if (doc_of(a, mid) < doc)
            lo = mid + 1;
        else
            hi = mid;
    }
    *row = lo;
    return PD_OK;
}

int pd_aside_read(struct pd_aside_text *a, uint64_t doc)
{
    uint64_t row = 0, reached = 0;
    a->bytes.n = 0;
    if (a->rows == 0 || doc & PD_SOURCE_ROW)
        return PD_OK;
    PD_TRY(find(a, doc, &row));
    for (; row < a->rows; row++) {
        if (row < a->from || row - a->from >= a->n)
            PD_TRY(look(a, row));
        if (doc_of(a, row) != doc)
            return PD_OK;
        const struct pd_part part = {pd_cells_count(&a->cells[BEGIN], row - a->from),
                                     pd_cells_count(&a->cells[END], row - a->from)};
        if (part.begin < reached || part.end < part.begin)
            return pd_fail(PD_EFORMAT, "%s: row %llu of /aside is out of order",
                           pd_result_path(a->result), (unsigned long long)row);
        pd_parts_push(&a->bytes, part);
        reached = part.end;
    }
    return PD_OK;
}

/* Set `words` to the words that lie in each of `bytes`; they may be the same. */
static void find_words(const struct pd_document *d, const struct pd_parts *bytes,
                       struct pd_parts *words)
{
    const size_t n = bytes->n;
    pd_parts_reserve(words, n);
    for (size_t k = 0; k < n; k++) {
        uint32_t from;
        const uint32_t many =
            pd_words_between(&d->words, bytes->v[k].begin, bytes->v[k].end, &from);
        words->v[k] = (struct pd_part){from, from + many};
    }
    words->n = n;
}

struct pd_share pd_share_of_document(struct pd_aside_text *a, const struct pd_document *d,
                                     struct pd_parts *passages)
{
    find_words(d, &a->bytes, &a->words);
    find_words(d, passages, passages);
    return pd_share_of_words(d->words.n, passages, &a->words);
}

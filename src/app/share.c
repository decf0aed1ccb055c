/* app/share.c - see src/app/share.h */
#include "share.h"

#include "pardup/base/error.h"
#include "pardup/document/word.h"
#include "pardup/run/fetch.h"

enum { DOC, BEGIN, END };
static const char *const columns[] = {"doc", "begin", "end", NULL};

int pd_aside_open(struct pd_aside_text *a, struct pd_result *result)
{
    *a = (struct pd_aside_text){.table = {.rows = 0}};
    return pd_result_has(result, "aside_spans", columns[BEGIN])
               ? pd_table_open(&a->table, result, "aside_spans", columns)
               : PD_OK;
}

void pd_aside_close(struct pd_aside_text *a)
{
    pd_table_close(&a->table);
    pd_parts_release(&a->bytes);
    pd_aside_runs_release(&a->words);
    pd_u64s_release(&a->passages);
}

int pd_aside_read(struct pd_aside_text *a, uint64_t doc)
{
    struct pd_table_reader *t = &a->table;
    uint64_t reached = 0;
    a->bytes.n = 0;
    if (t->rows == 0 || doc & PD_SOURCE_ROW)
        return PD_OK;
    int status = pd_table_find(t, DOC, doc);
    for (; status == PD_OK && pd_table_count(t, DOC) == doc; status = pd_table_next(t)) {
        const struct pd_part part = {pd_table_count(t, BEGIN), pd_table_count(t, END)};
        if (part.begin < reached || part.end < part.begin)
            return pd_fail(PD_EFORMAT, "%s: row %llu of /aside_spans is out of order",
                           pd_result_path(t->result), (unsigned long long)t->row);
        pd_parts_push(&a->bytes, part);
        reached = part.end;
    }
    return status < 0 ? status : PD_OK;
}

struct pd_share pd_share_of_document(struct pd_aside_text *a, const struct pd_document *d,
                                     const struct pd_parts *passages)
{
    uint32_t from, n;
    a->words.n = a->passages.n = 0;
    for (size_t k = 0; k < a->bytes.n; k++) {
        n = pd_words_between(&d->words, a->bytes.v[k].begin, a->bytes.v[k].end, &from);
        if (n > 0)
            pd_aside_add(&a->words, from, from + n);
    }
    for (size_t k = 0; k < passages->n; k++) {
        n = pd_words_between(&d->words, passages->v[k].begin, passages->v[k].end, &from);
        pd_u64s_push(&a->passages, pd_ij(from, from + n));
    }
    return pd_share_of_words(a->passages.v, a->passages.n, (uint32_t)d->words.n, &a->words);
}

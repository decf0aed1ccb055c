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
    return pd_result_has(result, "aside", columns[BEGIN])
               ? pd_table_open(&a->table, result, "aside", columns)
               : PD_OK;
}

void pd_aside_close(struct pd_aside_text *a)
{
    pd_table_close(&a->table);
    pd_parts_release(&a->bytes);
    pd_parts_release(&a->words);
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
            return pd_fail(PD_EFORMAT, "%s: row %llu of /aside is out of order",
                           pd_result_path(t->result), (unsigned long long)t->row);
        pd_parts_push(&a->bytes, part);
        reached = part.end;
    }
    return status < 0 ? status : PD_OK;
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

/*
 * run/job/explain/listed.c - what a result says of two documents: common classes, passages.
 */
#include "explain.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "pardup/result/table.h"

int pd_explain_read_common(struct pd_result *r, struct pd_commons *common)
{
    static const char *const columns[] = {"hash", "df", "doc", "sentence", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r, "common", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK)
        pd_commons_push(common, (struct pd_common){.sig = pd_table_count(&t, 0),
                                                   .df = pd_table_count(&t, 1),
                                                   .doc = pd_table_count(&t, 2),
                                                   .unit = pd_table_count(&t, 3)});
    pd_table_close(&t);
    if (status < 0)
        return status;
    pd_sort_records(common->v, common->n, PD_COMMON_U64S, 1);
    return PD_OK;
}

const struct pd_common *pd_explain_common(const struct explaining *x, pd_sig sig)
{
    const struct pd_commons *c = &x->common;
    const size_t k = pd_search_first(c->v, c->n, sizeof *c->v, 0, sig);
    return k < c->n && c->v[k].sig == sig ? &c->v[k] : NULL;
}

int pd_explain_list_passages(struct pd_result *r, struct pd_explanation *e)
{
    static const char *const columns[] = {"doc_a",    "doc_b",    "start_a", "start_b",
                                          "length_a", "length_b", "matched", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r, "passages", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        if (pd_table_count(&t, 0) != e->sides[0].doc || pd_table_count(&t, 1) != e->sides[1].doc)
            continue;
        pd_passages_push(&e->listed,
                         (struct pd_passage){.a = t.row,
                                             .b = t.row,
                                             .start_a = (uint32_t)pd_table_count(&t, 2),
                                             .start_b = (uint32_t)pd_table_count(&t, 3),
                                             .length_a = (uint32_t)pd_table_count(&t, 4),
                                             .length_b = (uint32_t)pd_table_count(&t, 5),
                                             .matched = (uint32_t)pd_table_count(&t, 6)});
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

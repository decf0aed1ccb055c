/* app/eval_mosaic.c - see src/app/eval_mosaic.h */
#include "eval_mosaic.h"

#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/real.h"
#include "pardup/result/mosaic.h"
#include "pardup/result/table.h"

/* Add up the text of the documents that may be copies: targets, where there are sources. */
static int add_text(struct pd_result *r, uint64_t targets, struct pd_mosaic *m)
{
    static const char *const columns[] = {"text_bytes", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r, "documents", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK)
        m->text += t.row < targets ? pd_table_count(&t, 0) : 0;
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* The copy is the target of a source, or the later one of two documents. */
static int read_copies(struct pd_result *r, bool against, struct pd_copied_texts *to)
{
    static const char *const columns[] = {"doc_a",   "begin_a", "end_a",     "doc_b",
                                          "begin_b", "end_b",   "agreement", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r, "passages", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        const int side = against ? 0 : 3;
        const double weight = pd_mosaic_weight(pd_table_real(&t, 6));
        const struct pd_copied_text text = {
            pd_table_count(&t, side), weight < 1 ? (uint64_t)((1 - weight) * 1e9) : 0,
            pd_table_count(&t, side + 1), pd_table_count(&t, side + 2)};
        if (text.begin < text.end)
            pd_copied_texts_push(to, text);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

static double share(double part, uint64_t all) { return all ? part / (double)all : 0; }

static void print(enum pd_report format, const struct pd_mosaic *m)
{
    const double copied = share((double)m->copied, m->text), mass = share(m->mass, m->text);
    char parts[3][PD_REAL_ROOM];
    pd_real_print(copied, parts[0]);
    pd_real_print(m->mass, parts[1]);
    pd_real_print(mass, parts[2]);
    if (format == PD_REPORT_TSV)
        printf("text\t%llu\ncopied\t%llu\ncopied_share\t%s\nmosaic\t%s\nmosaic_share\t%s\n",
               pd_ull(m->text), pd_ull(m->copied), parts[0], parts[1], parts[2]);
    else if (format == PD_REPORT_JSON)
        printf("{\"text\":%llu,\"copied\":%llu,\"copied_share\":%s,\"mosaic\":%s,"
               "\"mosaic_share\":%s}\n",
               pd_ull(m->text), pd_ull(m->copied), parts[0], parts[1], parts[2]);
    else
        printf("text    %15s bytes\ncopied  %15s bytes  (%.2f %%)\nmosaic  %15s bytes  (%.2f %%), "
               "copies weighed by how much they were edited\n",
               pd_grouped(m->text), pd_grouped(m->copied), 100 * copied,
               pd_grouped((uint64_t)(m->mass + 0.5)), 100 * mass);
}

int pd_eval_mosaic(const struct pd_options *o, struct pd_result *r)
{
    struct pd_copied_texts texts = {0};
    struct pd_mosaic m = {0};
    uint64_t documents, targets;
    PD_TRY(pd_result_rows(r, "documents", &documents));
    if (!pd_result_count(r, "targets", &targets))
        targets = documents;
    const bool against = targets < documents || pd_result_has(r, "sources", "id");
    int status = add_text(r, targets, &m);
    PD_THEN(status, read_copies(r, against, &texts));
    if (status >= 0) {
        pd_mosaic_add(&m, &texts);
        print(o->eval.report, &m);
    }
    pd_copied_texts_release(&texts);
    return status;
}

/* app/report/report.c - see src/app/report/report.h */
#include "report.h"

#include <inttypes.h>

#include "app/ids.h"
#include "pardup/base/error.h"

/* The first row of /documents with the id of --doc. */
static int find_document(struct pd_report_page *r)
{
    struct pd_doc_rows found = {0};
    const int status = pd_ids_find(r->result, r->options->print.doc, &found);
    if (status >= 0)
        r->only = found.v[0];
    pd_doc_rows_release(&found);
    return status;
}

/* The family of --family, which must be there. */
static int find_family(struct pd_report_page *r)
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

static int gather(struct pd_report_page *r, bool looks)
{
    if (r->options->print.doc && looks)
        PD_TRY(find_document(r));
    r->label.hidden = r->options->print.hide_names ? pd_report_targets(r->result) : 0;
    r->label.shown = r->only;
    if (r->label.hidden)
        PD_TRY(pd_report_learn_names(r));
    if (r->options->print.family >= 0)
        PD_TRY(find_family(r));
    PD_TRY(pd_report_count_families(r));
    PD_TRY(pd_report_sample(r));
    return pd_report_texts(r);
}

uint64_t pd_report_targets(struct pd_result *result)
{
    uint64_t n = 0;
    if (pd_result_count(result, "first_with", &n) || pd_result_count(result, "targets", &n))
        return n;
    return pd_result_rows(result, "documents", &n) < 0 ? 0 : n;
}

int pd_report_open(struct pd_report_page *r, const struct pd_options *o, uint64_t only)
{
    struct pd_comm alone;
    *r = (struct pd_report_page){.options = o, .only = only, .family = UINT64_MAX};
    pd_comm_alone(&alone);
    pd_progress_open(&r->progress, &alone, o->job.progress);
    PD_TRY(pd_result_open(o->operands.v[0], &r->result));
    const int targets = pd_fetch_init(&r->sides[0], r->result);
    const int second = pd_fetch_init_second(&r->sides[1], r->result); /* both are to be released */
    PD_TRY(targets < 0 ? targets : second);
    PD_TRY(pd_label_open(&r->label, r->result, o->print.label));
    return gather(r, only == UINT64_MAX);
}

void pd_report_release(struct pd_report_page *r)
{
    for (int side = 0; side < 2 && r->result; side++)
        pd_fetch_release(&r->sides[side]);
    for (int k = 0; k < 2; k++)
        pd_table_close(&r->listed[k]);
    pd_label_close(&r->label);
    pd_report_passages_release(&r->passages);
    pd_report_documents_release(&r->documents);
    pd_report_pairs_release(&r->pairs);
    pd_bytes_release(&r->texts);
    pd_report_numbers_release(&r->marks);
    pd_hash_table_release(&r->names);
    pd_bytes_release(&r->wide_names);
    pd_result_close(r->result);
    pd_progress_end(&r->progress);
    r->result = NULL;
}

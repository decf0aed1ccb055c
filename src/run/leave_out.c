/* run/leave_out.c - see include/pardup/run/leave_out.h */
#include "pardup/run/leave_out.h"

#include <stdio.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/run/detect.h"
#include "run/classes/templates.h"

/* List the units of a document that are set aside. `stored`: scratch. */
static int list_units(struct pd_collection *col, pd_doc doc, struct pd_asides *asides,
                      struct pd_stored *stored, struct pd_leave_out *l)
{
    struct pd_held held;
    PD_TRY(pd_collection_nth(col, doc, &held));
    PD_TRY(pd_collection_open(col, &held, stored));
    pd_collection_expect_next(col, &held);
    PD_TRY(pd_asides_load(asides, doc, stored));
    for (size_t k = 0; k < asides->of_doc.n; k++)
        pd_left_units_push(&l->units, (struct pd_left_unit){doc, asides->of_doc.v[k]});
    return PD_OK;
}

/* Read all documents, and list the units that are set aside. The scratch of the job is open. */
static int list_all(struct pd_job *job, struct pd_asides *asides, struct pd_leave_out *l)
{
    struct pd_collection *col = &job->collection;
    struct pd_stored stored = {0};
    PD_TRY(pd_collection_list_files(col));
    PD_TRY(pd_collection_cut(col));
    PD_TRY(pd_collection_read(col, NULL, &job->stages));
    int status = pd_asides_find(job, asides);
    for (pd_doc doc = 0; doc < col->totals.documents && status >= 0; doc++)
        status = list_units(col, doc, asides, &stored, l);
    pd_stored_release(&stored);
    return status;
}

/* Run the job that finds what is set aside. It says nothing: the inputs are read again. */
static int find(struct pd_job *job, struct pd_leave_out *l)
{
    struct pd_asides asides = {.at = 0};
    pd_log_open(0, 1, PD_LOG_ERROR);
    const int status = list_all(job, &asides, l);
    pd_log_open(0, 1, job->options->quiet ? PD_LOG_ERROR : PD_LOG_INFO);
    if (status >= 0)
        pd_log(PD_LOG_INFO, "templates: %s (%s of %s units, %s of words); reading the inputs again",
               pd_grouped(job->matches.templates.n), pd_grouped(asides.found.units),
               pd_grouped(job->collection.totals.sentences),
               pd_share_of(asides.found.words, job->collection.totals.words));
    pd_asides_close(&asides);
    return status;
}

int pd_leave_out_find(const struct pd_options *o, struct pd_leave_out *l)
{
    struct pd_options options = *o;
    struct pd_comm comm;
    struct pd_job job;
    char output[32]; /* names the folder in scratch, as the path of a result does */
    if (o->method.templates != PD_TEMPLATES_ASIDE)
        return PD_OK;
    if ((o->input.files_from && strcmp(o->input.files_from, "-") == 0) ||
        (o->input.docs_from && strcmp(o->input.docs_from, "-") == 0))
        return pd_fail(PD_EUSAGE, "--templates aside reads the inputs twice, so a list cannot come "
                                  "from standard input: put it in a file");
    snprintf(output, sizeof output, "text-%ld", (long)getpid());
    options.output = output;
    options.job.progress = PD_PROGRESS_NONE;
    pd_comm_alone(&comm);
    pd_detect_stop_on_signals();
    pd_job_init(&job, &comm, &options);
    int status = pd_scratch_open(&job.scratch, &comm, &options);
    if (status >= 0)
        status = find(&job, l);
    pd_job_release(&job);
    if (job.scratch.dir) {
        pd_scratch_empty(&job.scratch);
        pd_scratch_close(&job.scratch);
    }
    pd_detect_end_on_signals();
    return status;
}

bool pd_leave_out_has(struct pd_leave_out *l, const struct pd_document *d, pd_doc doc,
                      uint32_t unit)
{
    const struct pd_left_unit *v = l->units.v;
    if (unit == 0)
        l->at_main = l->own = 0;
    if (pd_document_in_frame(d, unit, &l->at_main))
        return true;
    const uint64_t own = l->own++;
    while (l->at < l->units.n &&
           (v[l->at].doc < doc || (v[l->at].doc == doc && v[l->at].unit < own)))
        l->at++;
    return l->at < l->units.n && v[l->at].doc == doc && v[l->at].unit == own;
}

void pd_leave_out_release(struct pd_leave_out *l) { pd_left_units_release(&l->units); }

/* run/job/leave_out.c - see include/pardup/run/leave_out.h */
#include "pardup/run/leave_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/run/detect.h"
#include "run/stage/job.h"

/* Read all documents, and find what is set aside. The scratch of the job is open. */
static int find(struct pd_job *job)
{
    PD_TRY(pd_collection_list_files(&job->collection));
    PD_TRY(pd_collection_cut(&job->collection));
    PD_TRY(pd_collection_read(&job->collection, NULL, &job->stages));
    return pd_job_set_aside(job);
}

/* Say what was found. */
static void tell(const struct pd_job *job)
{
    const struct pd_totals *t = &job->collection.totals;
    const struct pd_aside_counts *asides = &job->gathered.asides;
    pd_log(PD_LOG_INFO, "templates: %s (%s of %s units, %s of words); reading the inputs again",
           pd_grouped(job->matches.templates.n), pd_grouped(asides->units),
           pd_grouped(t->sentences), pd_share_of(asides->words, t->words));
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
        return pd_fail(PD_EUSAGE, "--aside templates reads the inputs twice, so a list cannot come "
                                  "from standard input: put it in a file");
    snprintf(output, sizeof output, "text-%ld", (long)getpid());
    options.output = output;
    options.job.progress = PD_PROGRESS_NONE;
    pd_comm_alone(&comm);
    pd_detect_stop_on_signals();
    pd_job_init(&job, &comm, &options);
    int status = pd_scratch_open(&job.scratch, &comm, &options);
    pd_log_open(0, 1, PD_LOG_ERROR); /* warnings come when the inputs are read again */
    PD_THEN(status, find(&job));
    pd_log_open(0, 1, o->quiet ? PD_LOG_ERROR : PD_LOG_INFO);
    if (status >= 0)
        tell(&job);
    l->file = pd_realloc(NULL, 1, sizeof *l->file);
    *l->file = job.asides;
    job.asides = (struct pd_aside_file){.file = NULL};
    pd_job_end(&job);
    pd_detect_end_on_signals();
    return status;
}

int pd_leave_out_load(struct pd_leave_out *l, pd_doc doc)
{
    struct pd_aside_units units = {.n = 0};
    if (l->file)
        PD_TRY(pd_aside_file_find(l->file, doc, &units));
    l->units = units.v;
    l->n = units.n;
    l->at_main = l->at_stray = l->own = 0;
    return PD_OK;
}

bool pd_leave_out_has(struct pd_leave_out *l, const struct pd_document *d, size_t unit)
{
    const bool stray = pd_document_is_stray(d, unit, &l->at_stray);
    if (pd_document_in_frame(d, unit, &l->at_main) && !stray)
        return true;
    const bool aside = l->n && *l->units == l->own;
    l->own++;
    if (aside) {
        l->units++;
        l->n--;
    }
    return aside;
}

void pd_leave_out_release(struct pd_leave_out *l)
{
    if (l->file)
        pd_aside_file_close(l->file);
    free(l->file);
}

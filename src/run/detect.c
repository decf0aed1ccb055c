/* run/detect.c - see include/pardup/run/detect.h */
#include "pardup/run/detect.h"

#include <math.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/run/provenance.h"

enum { FEW_DOCUMENTS = 100 }; /* below, I-Match's idf bound bites on ordinary words */

/* In a small collection every word that two documents share is "common": say so, it surprises. */
static void warn_if_small(const struct pd_detect *job)
{
    const uint64_t n = job->collection.totals.with_sentences;
    const double lo = job->options->idf_lo;
    if (n > 1 && n < FEW_DOCUMENTS && lo > 0)
        pd_log(PD_LOG_WARN,
               "only %llu documents: words in more than %.1f of them do not count for matching "
               "(--idf); --idf 0,1 counts all words",
               (unsigned long long)n, pow((double)n, 1 - lo));
}

static int run_stages(struct pd_detect *job)
{
    PD_TRY(pd_collection_plan(&job->collection, job->comm, job->options));
    PD_TRY(pd_collection_read(&job->collection, &job->stages));
    warn_if_small(job);
    PD_TRY(pd_detect_count(job));
    PD_TRY(pd_detect_gather(job));
    PD_TRY(pd_writer_open(job->comm, job->options->output, job->options->compress, &job->writer));
    PD_TRY(pd_detect_align(job));
    return pd_detect_write(job);
}

int pd_detect(const struct pd_comm *c, const struct pd_options *options)
{
    struct pd_detect job = {.comm = c, .options = options};
    pd_stages_open(&job.stages, c, options->progress);
    int status = pd_writer_check(c, options->output);
    if (status >= 0)
        status = run_stages(&job);
    if (status >= 0)
        pd_provenance_summary(&job);
    pd_writer_discard(job.writer);
    pd_collection_release(&job.collection);
    free(job.left_out);
    pd_postings_release(&job.postings);
    pd_commons_release(&job.common);
    pd_rows_release(&job.rows);
    return status;
}

/*
 * run/join.c - the join stage: which classes are similar, for methods that ask for more than equality.
 */
#include <stdlib.h>

#include "joining.h"
#include "pardup/base/error.h"

int pd_joining_owner(const struct joining *j, uint64_t number)
{
    int lo = 0, hi = j->job->comm->size - 1;
    while (lo < hi) {
        const int mid = lo + (hi - lo + 1) / 2;
        if (j->first[mid] <= number)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

int pd_joining_sign(struct joining *j, size_t k, size_t *n)
{
    const struct representative *rep = &j->reps.v[k];
    if (k == 0 || rep[-1].doc != rep->doc)
        PD_TRY(pd_signing_load_number(&j->signing, rep->doc));
    *n = pd_signing_sign(&j->signing, (uint32_t)rep->unit);
    return PD_OK;
}

/* LSH needs no order, but the size of its probes. */
static int prepare_tables(struct joining *j)
{
    const struct pd_options *o = j->job->options;
    pd_sampling_make(&j->sampling, (unsigned)o->bits, (unsigned)o->diffbit, (unsigned)o->tables);
    for (size_t k = 0; k < j->reps.n; k++) {
        size_t n;
        PD_TRY(pd_joining_sign(j, k, &n));
        j->probe_bytes += (uint64_t)o->tables * PD_PROBE_BYTES(n);
    }
    return PD_OK;
}

static int join(struct joining *j)
{
    PD_TRY(pd_joining_represent(j));
    if (j->job->options->join == PD_JOIN_LSH)
        PD_TRY(pd_comm_agree(j->job->comm, prepare_tables(j)));
    else
        PD_TRY(pd_joining_order(j));
    PD_TRY(pd_joining_probe(j));
    representatives_release(&j->reps);
    pd_codes_release(&j->codes);
    return pd_joining_expand(j);
}

int pd_detect_join(struct pd_detect *job)
{
    struct joining j = {.job = job};
    if (job->options->join == PD_JOIN_EQUAL)
        return PD_OK;
    pd_stages_begin(&job->stages, PD_STAGE_JOIN);
    pd_signing_init(&j.signing, job);
    const int status = join(&j);
    pd_signing_release(&j.signing);
    free(j.first);
    representatives_release(&j.reps);
    pd_codes_release(&j.codes);
    pd_similars_release(&j.similar);
    pd_sorter_free(j.found);
    pd_tally_release(&j.partners);
    return pd_stages_end(&job->stages, status);
}

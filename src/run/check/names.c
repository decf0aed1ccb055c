/* run/check/names.c - see src/run/check/names.h */
#include "names.h"

#include "pardup/base/error.h"
#include "run/table/table.h"

/* A target in the spool, before its postings. */
struct head {
    pd_doc doc;
    uint64_t unknown; /* features that no source has */
    uint64_t n;       /* postings that follow */
};
_Static_assert(sizeof(struct head) == sizeof(struct pd_posting), "records of one size");

/* A target has a name that `df` sources have. With --max-df-of times: a unit of it has, so often. */
struct known {
    pd_sig name;
    uint64_t df;
};

/* A name is common. */
struct common {
    pd_sig name;
    uint64_t rank; /* that is told */
};

/* ---- signing ---- */

static int keep(struct pd_target_names *t)
{
    const struct pd_query *q = t->query;
    const struct head head = {t->signing->number, q->unknown, q->names.n};
    PD_TRY(pd_spool_push(&t->kept, &head));
    for (size_t k = 0; k < q->names.n; k++)
        PD_TRY(pd_spool_push(&t->kept, &q->names.v[k]));
    return PD_OK;
}

/* Sign the next target of this rank. */
static int sign_next(struct pd_target_names *t)
{
    struct pd_collection *col = &t->job->collection;
    struct pd_held held;
    PD_TRY(pd_collection_nth(col, t->doc, &held));
    const struct pd_docrec rec = *held.rec; /* another volume may take its place */
    PD_TRY(pd_signing_load(t->signing, t->doc++));
    PD_TRY(pd_query_sign(t->query, t->signing, &rec));
    if (!t->job->known)
        PD_TRY(pd_asides_keep(&t->query->asides, t->job, t->signing->number));
    PD_TRY(pd_query_keep_known(t->query));
    PD_TRY(keep(t));
    t->sent = 0;
    pd_stages_progress(&t->job->stages, t->doc, col->ndocs, 0, 0);
    return PD_OK;
}

/* Send the known names that enough targets can make common. */
static int next_known(void *ctx, void *rec)
{
    struct pd_target_names *t = ctx;
    const uint64_t targets = t->job->collection.totals.documents;
    const bool times = t->job->options->method.max_df_of == PD_DF_TIMES;
    const uint64_t max_df = (uint64_t)t->job->options->method.max_df;
    const struct pd_u64s *v = &t->query->known;
    for (;;) {
        for (; t->sent < v->n; t->sent += 2) {
            const struct known known = {v->v[t->sent], v->v[t->sent + 1]};
            const bool may_be = times || known.df + targets > max_df;
            if (max_df && known.df <= max_df && may_be) {
                t->sent += 2;
                *(struct known *)rec = known;
                return PD_OK;
            }
        }
        if (t->doc == t->job->collection.ndocs)
            return PD_END;
        PD_TRY(sign_next(t));
    }
}

/* ---- common names ---- */

/* Find the next common name of this rank. PD_OK, PD_END or a failure. */
static int next_common(struct pd_target_names *t)
{
    const uint64_t max_df = (uint64_t)t->job->options->method.max_df;
    const void *rec;
    int status = pd_shuffle_look(&t->known, &rec);
    while (status == PD_OK) {
        const struct known first = *(const struct known *)rec;
        uint64_t df = first.df;
        for (; status == PD_OK && ((const struct known *)rec)->name == first.name; df++) {
            pd_shuffle_pass(&t->known, sizeof first);
            status = pd_shuffle_look(&t->known, &rec);
        }
        if (status >= 0 && df > max_df) {
            t->name = first.name;
            t->next = 0;
            return PD_OK;
        }
    }
    return status;
}

static int tell_next(void *ctx, void *rec)
{
    struct pd_target_names *t = ctx;
    const int status = t->next < t->job->comm->size ? PD_OK : next_common(t);
    if (status == PD_OK)
        *(struct common *)rec = (struct common){t->name, (uint64_t)t->next++};
    return status;
}

static bool tell(const void *rec, void *ctx)
{
    struct pd_target_names *t = ctx;
    PD_THEN(t->status, pd_marks_add(&t->query->marks, ((const struct common *)rec)->name));
    return false;
}

static int send_all(struct pd_target_names *t)
{
    static const struct pd_flow known = {.name = "known",
                                         .budget = PD_BUDGET_POSTINGS,
                                         .size = sizeof(struct known),
                                         .keys = 1,
                                         .goes = PD_BY_HASH,
                                         .spread = true};
    static const struct pd_flow common = {.name = "common",
                                          .budget = PD_BUDGET_FLAGGED,
                                          .size = sizeof(struct common),
                                          .keys = 1,
                                          .goes = PD_TO_RANK,
                                          .rank_at = 1,
                                          .arrive = tell};
    struct pd_shuffle told = {0};
    pd_shuffle_open(&t->known, &t->job->transport, &known, t, NULL);
    int status = pd_shuffle_make(&t->known, next_known, t);
    if (status >= 0) {
        pd_shuffle_open(&told, &t->job->transport, &common, t, NULL);
        t->next = t->job->comm->size;
        status = pd_shuffle_send_made(&told, tell_next, t);
        pd_shuffle_close(&told);
    }
    pd_marks_end(&t->query->marks);
    pd_shuffle_close(&t->known);
    return status < 0 ? status : pd_comm_agree(t->job->comm, t->status);
}

int pd_target_names_make(struct pd_target_names *t, struct pd_job *job, struct pd_query *query,
                         struct pd_signing *signing)
{
    *t = (struct pd_target_names){.job = job, .query = query, .signing = signing};
    pd_job_spool(job, &t->kept, sizeof(struct pd_posting), PD_BUDGET_WAITING, "names");
    t->kept.how.spare = &t->spare; /* --known: the names are read until the job ends */
    PD_TRY(send_all(t));
    int status = pd_spool_finish(&t->kept);
    if (status >= 0 && !job->known)
        status = pd_aside_file_end(&job->asides);
    return pd_comm_agree(job->comm, status);
}

/* ---- the next target ---- */

int pd_target_names_next(struct pd_target_names *t)
{
    struct pd_postings *names = &t->query->names;
    const void *rec;
    PD_TRY(pd_spool_next(&t->kept, &rec));
    PD_CHECK(rec != NULL);
    const struct head head = *(const struct head *)rec;
    t->query->unknown = head.unknown;
    names->n = 0;
    for (uint64_t k = 0; k < head.n; k++) {
        PD_TRY(pd_spool_next(&t->kept, &rec));
        pd_postings_push(names, *(const struct pd_posting *)rec);
    }
    return pd_asides_load(&t->query->asides, head.doc, NULL, NULL);
}

void pd_target_names_release(struct pd_target_names *t)
{
    pd_spool_release(&t->kept);
    pd_spare_release(&t->spare);
}

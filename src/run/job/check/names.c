/* run/job/check/names.c - see src/run/job/check/names.h */
#include "names.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "run/stage/table/table.h"

/* A target: in the batch before its n postings, in the spool before its n classes. */
struct head {
    pd_doc doc;
    uint64_t unknown; /* features that no source has; known in the spool */
    uint64_t n;
};
_Static_assert(sizeof(struct head) == sizeof(struct pd_posting), "the batch has both");

/* A record of the spool: a target, or a class, or further postings and places of the class. */
struct kept {
    union {
        struct head head;
        struct pd_known_class class;
    };
    struct pd_posting posting;
    struct pd_occurrence place;
};

/* The places that are kept of a class. */
static uint32_t places_of(const struct pd_known_class *c)
{
    return c->places == PD_PLACES_MANY ? 0 : c->places;
}

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

static int keep(struct pd_target_names *t, pd_doc doc)
{
    const struct pd_query *q = t->query;
    const struct pd_posting *posting = q->names.v;
    const struct pd_occurrence *place = q->places.v;
    PD_TRY(pd_spool_push(&t->kept, &(struct kept){.head = {doc, q->unknown, q->classes.n}}));
    for (size_t c = 0; c < q->classes.n; c++) {
        const struct pd_known_class *class = &q->classes.v[c];
        const uint32_t places = places_of(class);
        for (uint32_t k = 0; k < class->n || k < places; k++) {
            struct kept kept = {.class = *class};
            if (k < class->n)
                kept.posting = *posting++;
            if (k < places)
                kept.place = *place++;
            PD_TRY(pd_spool_push(&t->kept, &kept));
        }
    }
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
    pd_query_ask_names(t->query, &t->look_ups);
    const struct pd_posting head = {t->signing->number, 0, t->query->names.n}; /* a struct head */
    pd_postings_push(&t->batch, head);
    pd_postings_append(&t->batch, t->query->names.v, t->query->names.n);
    pd_stages_progress(&t->job->stages, t->doc, col->ndocs, 0, 0);
    return PD_OK;
}

/* Sign the next targets, which make a batch, and look their names up. PD_END: there are none. */
static int sign_batch(struct pd_target_names *t)
{
    enum { BATCH_MOST = 1 << 18, BUDGET_PARTS = 1024 }; /* postings; each takes some 100 bytes */
    const uint64_t budget = pd_transport_budget(&t->job->transport, PD_BUDGET_POSTINGS);
    const size_t most = pd_min_size(BATCH_MOST, budget / BUDGET_PARTS);
    t->batch.n = t->taken = t->answered = 0;
    pd_look_ups_begin(&t->look_ups);
    while (t->batch.n <= most && t->doc < t->job->collection.ndocs)
        PD_TRY(sign_next(t));
    return t->batch.n ? pd_look_ups_end(&t->look_ups, t->query->index) : PD_END;
}

/* Keep the next target. PD_OK, PD_END or a failure. */
static int keep_next(struct pd_target_names *t)
{
    const int status = t->taken < t->batch.n ? PD_OK : sign_batch(t);
    if (status != PD_OK)
        return status;
    const struct pd_posting *v = &t->batch.v[t->taken];
    const size_t n = v->doc_unit;
    t->query->names.n = 0;
    pd_postings_append(&t->query->names, v + 1, n);
    t->taken += n + 1;
    pd_query_keep_known(t->query, &t->look_ups, &t->answered);
    t->sent = 0;
    return keep(t, v->sig);
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
            const bool may_be = times ? max_df > 0 : pd_is_common(known.df + targets, max_df);
            if (may_be && !pd_is_common(known.df, max_df)) {
                t->sent += 2;
                *(struct known *)rec = known;
                return PD_OK;
            }
        }
        const int status = keep_next(t);
        if (status != PD_OK)
            return status;
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
        if (status >= 0 && pd_is_common(df, max_df)) {
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
    PD_CHECK(((const struct common *)rec)->rank == (uint64_t)t->job->comm->rank);
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

static void release_batch(struct pd_target_names *t)
{
    pd_postings_release(&t->batch);
    pd_look_ups_release(&t->look_ups);
}

int pd_target_names_make(struct pd_target_names *t, struct pd_job *job, struct pd_query *query,
                         struct pd_signing *signing)
{
    *t = (struct pd_target_names){.job = job, .query = query, .signing = signing};
    pd_job_spool(job, &t->kept, sizeof(struct kept), PD_BUDGET_WAITING, "names");
    t->kept.how.spare = &t->spare; /* --known: the names are read until the job ends */
    PD_TRY(send_all(t));
    int status = pd_spool_finish(&t->kept);
    release_batch(t);
    if (status >= 0 && !job->known)
        status = pd_aside_file_end(&job->asides);
    return pd_comm_agree(job->comm, status);
}

/* ---- the next target ---- */

/* Give the query the next class of the target at hand. */
static int next_class(struct pd_target_names *t)
{
    struct pd_query *q = t->query;
    const void *rec;
    uint32_t k = 0, n = 1, places = 0;
    for (; k < n || k < places; k++) {
        PD_TRY(pd_spool_next(&t->kept, &rec));
        PD_CHECK(rec != NULL);
        const struct kept *kept = rec;
        n = kept->class.n;
        places = places_of(&kept->class);
        if (k == 0)
            pd_known_classes_push(&q->classes, kept->class);
        if (k < n)
            pd_postings_push(&q->names, kept->posting);
        if (k < places)
            pd_occurrences_push(&q->places, kept->place);
    }
    return PD_OK;
}

int pd_target_names_next(struct pd_target_names *t)
{
    struct pd_query *q = t->query;
    const void *rec;
    PD_TRY(pd_spool_next(&t->kept, &rec));
    PD_CHECK(rec != NULL);
    const struct head head = ((const struct kept *)rec)->head;
    q->unknown = head.unknown;
    q->names.n = q->classes.n = q->places.n = 0;
    for (uint64_t k = 0; k < head.n; k++)
        PD_TRY(next_class(t));
    return pd_asides_load(&q->asides, head.doc, NULL, NULL);
}

void pd_target_names_release(struct pd_target_names *t)
{
    release_batch(t);
    pd_spool_release(&t->kept);
    pd_spare_release(&t->spare);
}

/*
 * run/stage/classes/gather.c - the gather stage: signs every unit, brings units with equal
 * signature sets together, and collapses them into classes.
 */
#include <string.h>

#include "brief.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "pardup/base/recurring.h"
#include "pardup/join/classes.h"
#include "pardup/store/sorter.h"
#include "templates.h"

struct gathering {
    struct pd_signing signing;
    uint64_t doc;  /* the document that is signed: its position among this rank's documents */
    uint32_t unit; /* the next unit of that document */
    uint64_t units[PD_WHYS]; /* units of this rank so far, by reason */
    struct pd_asides asides; /* base units that are templates */
    struct pd_shuffle postings;
    struct pd_recurring recurring;  /* the names that recur, of this rank; closed: not known */
    bool naming;                    /* the names of units are sent, not yet their postings */
    struct pd_recurring of_sources; /* the names that sources have; closed: targets post all */
    struct pd_packed *classes;      /* the file of this rank's classes while it is written */

    /*
     * the files of this rank's classes with anchors and of whole documents, and of the other
     * occurrences of classes with anchors; or NULL
     */
    struct pd_packed *anchored, *others;
    struct pd_anchoring anchoring;
    struct pd_u64s record; /* scratch: the record that is written */
};

/* Does the join compare signature sets, not only names of sets? */
static bool compares_sets(const struct pd_options *o) { return o->method.join != PD_JOIN_EQUAL; }

static bool reports_copies(const struct pd_job *job)
{
    return job->options->method.copies == PD_COPIES_REPORT;
}

static bool matches_common(const struct pd_job *job)
{
    return job->options->method.common == PD_COMMON_FIRST;
}

/* Keep the postings of n that have a name of a source, or are of a source. Returns how many. */
static size_t only_of_sources(const struct gathering *s, struct pd_posting *v, size_t n)
{
    const struct pd_job *job = s->signing.job;
    size_t kept = 0;
    if (s->signing.number >= job->sources.from)
        return n;
    for (size_t k = 0; k < n; k++)
        if (pd_recurring_has(&s->of_sources, v[k].sig))
            v[kept++] = v[k];
    return kept;
}

static int fill_postings(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct gathering *s = ctx;
    struct pd_signing *signing = &s->signing;
    const uint64_t ndocs = signing->job->collection.ndocs;
    struct pd_posting *out = (struct pd_posting *)(void *)to;
    const size_t room = cap / sizeof *out - PD_POSTINGS_MOST;
    size_t k = 0;
    const double began = pd_clock();
    for (; s->doc < ndocs && k < room; s->doc++, s->unit = 0) {
        if (s->unit == 0) {
            PD_TRY(pd_signing_load(signing, s->doc));
            PD_TRY(pd_asides_load(&s->asides, signing->number, &signing->stored,
                                  signing->signer.terms));
        }
        for (; s->unit < signing->units->n && k < room; s->unit++) {
            const size_t made = pd_signing_postings(signing, &s->asides, s->unit, &out[k]);
            k += s->of_sources.v ? only_of_sources(s, &out[k], made) : made;
            s->units[signing->why]++;
        }
        if (s->unit < signing->units->n || (k >= room && reports_copies(signing->job)))
            break; /* the buffer is full in the middle of a document */
        if (reports_copies(signing->job) && !s->asides.is_stub && !s->naming) {
            k += pd_signing_whole(signing, &out[k]);
            k += pd_brief_sign(signing, &s->asides.of_doc,
                               pd_brief_by_units(&signing->job->options->method), &out[k]);
        }
    }
    signing->job->gathered.signing_seconds += pd_clock() - began;
    *n = k * sizeof *out;
    const bool twice = s->recurring.v != NULL; /* all units are signed twice */
    pd_stages_progress(&signing->job->stages, s->doc + (twice && !s->naming ? ndocs : 0),
                       twice ? 2 * ndocs : ndocs, 0, 0);
    return s->doc == ndocs ? PD_END : PD_OK;
}

static int owner_of_signature(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(*(const pd_sig *)rec, nranks); /* a posting begins with its signature */
}

/* The bits of a signature below the bits that choose the owner. */
static uint64_t below_owner(const struct gathering *s, pd_sig sig)
{
    return sig * (uint64_t)s->signing.job->comm->size;
}

/* ---- names that recur ---- */

/*
 * Where each word makes a unit, most units have a name that no other unit has, and their postings
 * would be most of the memory of the job. So all units are signed twice, if the postings would fill
 * their budget or more than POSTINGS_MOST. First only their names travel, and their owners note
 * which recur (base/recurring.h). Then postings of other names are dropped as they arrive. Whole
 * documents are few: they are not named first.
 */
#define POSTINGS_MOST ((uint64_t)400 << 20) /* bytes that are held rather than signed twice */

enum {
    SLOTS_A_WORD = 8,     /* slots of the table for each word of a rank's share */
    SLOTS_LEAST = 2,      /* with fewer slots a word the table would tell little: none is made */
    RECURRING_SHARE = 4,  /* the table takes at most 1/4 of the memory for postings */
    NAMES_AT_ONCE = 1024, /* units that are signed at a time while names are sent */
    SLOTS_A_BYTE = 4
};

static uint64_t slots_for_names(const struct pd_job *job)
{
    const uint64_t words = job->collection.totals.words / (uint64_t)job->comm->size + 1;
    const uint64_t budget = pd_transport_budget(&job->transport, PD_BUDGET_POSTINGS);
    const uint64_t most = budget / RECURRING_SHARE * SLOTS_A_BYTE;
    if (words * sizeof(struct pd_posting) <= pd_min_u64(budget, POSTINGS_MOST) ||
        job->form.kind != PD_FORM_GRAM || compares_sets(job->options) || pd_job_sets_aside(job) ||
        most < SLOTS_LEAST * words)
        return 0;
    return pd_min_u64(SLOTS_A_WORD * words, most);
}

static int fill_names(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_posting postings[NAMES_AT_ONCE];
    pd_sig *const names = (pd_sig *)(void *)to;
    size_t k = 0;
    int status = PD_OK;
    while (status == PD_OK && (k + NAMES_AT_ONCE) * sizeof *names <= cap) {
        size_t bytes;
        status = fill_postings(ctx, (unsigned char *)postings, sizeof postings, &bytes);
        for (size_t m = 0; status >= 0 && m < bytes / sizeof *postings; m++)
            names[k++] = postings[m].sig;
    }
    *n = k * sizeof *names;
    return status;
}

static int meet_names(const void *recs, size_t bytes, void *ctx)
{
    struct gathering *s = ctx;
    const pd_sig *const names = recs;
    for (size_t k = 0; k < bytes / sizeof *names; k++)
        pd_recurring_meet(&s->recurring, below_owner(s, names[k]));
    return PD_OK;
}

static bool recurs(const void *rec, void *ctx)
{
    const struct gathering *s = ctx;
    const struct pd_posting *p = rec;
    return pd_posting_flags(p) & PD_WHOLE ||
           pd_recurring_has(&s->recurring, below_owner(s, p->sig));
}

/* COLLECTIVE. Find the names that recur. */
static int find_recurring(struct gathering *s, uint64_t nslots)
{
    struct pd_job *job = s->signing.job;
    const struct pd_route route = {.size = sizeof(pd_sig),
                                   .fill = fill_names,
                                   .owner = owner_of_signature,
                                   .sink = meet_names,
                                   .fill_ctx = s,
                                   .owner_ctx = s,
                                   .sink_ctx = s};
    pd_recurring_open(&s->recurring, nslots);
    s->naming = s->signing.signer.first_halves = true;
    PD_TRY(pd_exchange(job->comm, &route, job->transport.moved));
    s->naming = s->signing.signer.first_halves = false;
    s->doc = s->unit = 0;
    memset(s->units, 0, sizeof s->units);
    return PD_OK;
}

/* ---- names that sources have ---- */

/*
 * --against with a few sources: most names of targets are of no source. If nobody wants to know which
 * units targets share with each other, all ranks have a table of the names of sources, and only
 * these travel. What is found does not depend on the table.
 */
#define SOURCE_NAMES_MOST ((uint64_t)16 << 20) /* names of all sources */
enum { BYTES_A_NAME = 32 };                    /* of the names, gathered, and of the table */

/* List the names of the units of sources that this rank holds. */
static int list_names(struct gathering *s, uint64_t most, struct pd_u64s *names)
{
    struct pd_posting postings[PD_POSTINGS_MOST];
    struct pd_signing *signing = &s->signing;
    struct pd_job *job = signing->job;
    struct pd_held held;
    for (uint64_t k = 0; k < job->collection.ndocs && names->n <= most; k++) {
        PD_TRY(pd_collection_nth(&job->collection, k, &held));
        if (held.number < job->sources.from)
            continue;
        PD_TRY(pd_signing_load(signing, k));
        for (uint32_t unit = 0; unit < signing->units->n; unit++) {
            const size_t n = pd_signing_postings(signing, NULL, unit, postings);
            for (size_t m = 0; m < n; m++)
                pd_u64s_push(names, postings[m].sig);
        }
    }
    return PD_OK;
}

/* COLLECTIVE. Find the names that sources have, unless they are too many. */
static int find_of_sources(struct gathering *s)
{
    const struct pd_job *job = s->signing.job;
    const struct pd_comm *c = job->comm;
    const uint64_t budget = pd_transport_budget(&job->transport, PD_BUDGET_POSTINGS);
    const uint64_t most = pd_min_u64(SOURCE_NAMES_MOST, budget / BYTES_A_NAME);
    struct pd_u64s names = {0};
    struct pd_bytes all = {0};
    int status = pd_comm_agree(c, list_names(s, most, &names));
    uint64_t n = names.n;
    pd_comm_sum(c, &n, 1);
    if (status >= 0 && n > 0 && n <= most) {
        pd_comm_gather(c, names.v, names.n * sizeof *names.v, &all);
        pd_recurring_open(&s->of_sources, SLOTS_A_WORD * n);
        for (uint64_t k = 0; k < n; k++) {
            uint64_t name;
            memcpy(&name, all.v + k * sizeof name, sizeof name);
            pd_recurring_meet(&s->of_sources, name);
            pd_recurring_meet(&s->of_sources, name);
        }
    }
    pd_bytes_release(&all);
    pd_u64s_release(&names);
    return status;
}

/* In a dry run: would this class be common in the whole collection? */
static bool is_common_in_whole(const struct pd_job *job, const struct pd_class *class)
{
    const struct pd_collection *col = &job->collection;
    const struct pd_batch *first = pd_collection_batch(col, class->at[0].doc);
    const struct pd_batch *last = pd_collection_batch(col, class->at[class->n - 1].doc);
    uint64_t df = 0;
    for (uint64_t k = 0; k < class->n; k++)
        df += k == 0 || class->at[k].doc != class->at[k - 1].doc;
    return pd_excerpts_common(&col->excerpts, df,
                              pd_excerpts_find(&col->excerpts, first->file, first->piece_key),
                              pd_excerpts_find(&col->excerpts, last->file, last->piece_key),
                              (uint64_t)job->options->method.max_df);
}

static int keep_class(void *ctx, const struct pd_class *class)
{
    struct gathering *s = ctx;
    if (s->signing.job->collection.excerpts.share == 0 ||
        !is_common_in_whole(s->signing.job, class))
        return pd_packed_append(class->flags & PD_WHOLE ? s->anchored : s->classes, class,
                                pd_class_bytes(class), NULL);
    if (!matches_common(s->signing.job))
        return PD_OK;
    PD_TRY(pd_anchoring_add(&s->anchoring, class->at, class->n));
    return pd_anchoring_end(&s->anchoring, class->sig);
}

/* ---- common classes ---- */

static int keep_anchors(void *ctx, const struct pd_class *class)
{
    const struct gathering *s = ctx;
    return pd_packed_append(s->anchored, class, pd_class_bytes(class), NULL);
}

static int keep_others(void *ctx, uint64_t number, const struct pd_occurrence *v, size_t n)
{
    struct gathering *s = ctx;
    const struct pd_partner head = {number, 1, n};
    s->record.n = 0;
    pd_u64s_append(&s->record, &head, sizeof head / sizeof *s->record.v);
    pd_u64s_append(&s->record, v, n * sizeof *v / sizeof *s->record.v);
    return pd_packed_append(s->others, s->record.v, s->record.n * sizeof *s->record.v, NULL);
}

/*
 * Make ready to match common classes and whole documents: create the files of the second element of
 * `joined`.
 */
static int begin_anchoring(struct gathering *s)
{
    struct pd_job *job = s->signing.job;
    s->anchoring = (struct pd_anchoring){.sources_from = job->sources.from,
                                         .others = keep_others,
                                         .anchors = keep_anchors,
                                         .ctx = s};
    s->anchored = pd_packed_create(pd_scratch_path(&job->scratch, "anchored"));
    s->others = pd_packed_create(pd_scratch_path(&job->scratch, "others"));
    pd_joineds_push(&job->matches.joined, (struct pd_joined){s->anchored, s->others});
    if (!s->anchored || !s->others)
        return PD_EIO;
    pd_packed_as_u64s(s->anchored, sizeof(struct pd_occurrence));
    return PD_OK;
}

/* ---- all classes ---- */

/* Collapse all postings of this rank. */
static int collapse_stream(struct gathering *s, struct pd_collapse *c)
{
    struct pd_stages *stages = &s->signing.job->stages;
    const unsigned char *recs;
    size_t n;
    uint64_t done = 0;
    int status;
    pd_progress_begin(&stages->progress, "classes");
    PD_TRY(pd_shuffle_sort_own(&s->postings));
    const uint64_t all = pd_sorter_bytes(s->postings.sorter);
    while ((status = pd_sorter_next(s->postings.sorter, &recs, &n)) == PD_OK) {
        PD_TRY(pd_collapse_postings(c, (const struct pd_posting *)(const void *)recs,
                                    n / sizeof(struct pd_posting)));
        done += n;
        pd_stages_progress(stages, pd_sorter_passed(s->postings.sorter, done), all, 0, 0);
    }
    PD_TRY(status);
    return pd_collapse_end(c);
}

/* Collapse the postings of this rank into classes, in files in scratch. */
static int collapse(struct gathering *s)
{
    struct pd_job *job = s->signing.job;
    const bool anchors = matches_common(job) || reports_copies(job);
    struct pd_collapse c = {.max_df = (uint64_t)job->options->method.max_df,
                            .count_times = job->options->method.max_df_of == PD_DF_TIMES,
                            .max_repeats = (uint64_t)job->options->method.max_repeats,
                            .first_repeats = job->options->method.repeats == PD_REPEATS_FIRST,
                            .keep_single = compares_sets(job->options),
                            .within = job->options->method.within,
                            .aside = &job->matches.common,
                            .listed_from = job->options->job.only_sources ? job->sources.from : 0,
                            .anchoring = matches_common(job) ? &s->anchoring : NULL,
                            .keep = keep_class,
                            .ctx = s};
    s->classes = pd_packed_create(pd_scratch_path(&job->scratch, "classes"));
    if (!s->classes)
        return PD_EIO;
    /*
     * a class is a whole number of records of this size: its head has the size of two occurrences
     */
    pd_packed_as_u64s(s->classes, sizeof(struct pd_occurrence));
    pd_joineds_push(&job->matches.joined, (struct pd_joined){.classes = s->classes});
    int status = anchors ? begin_anchoring(s) : PD_OK;
    PD_THEN(status, collapse_stream(s, &c));
    PD_THEN(status, pd_packed_finish(s->classes));
    if (status >= 0 && anchors)
        status = pd_packed_finish(s->anchored);
    if (status >= 0 && anchors)
        status = pd_packed_finish(s->others);
    job->gathered.nclasses = c.number;
    job->gathered.whole_common = c.whole_common;
    job->gathered.repeated = c.repeated;
    job->gathered.large = c.large;
    pd_collapse_release(&c);
    return status;
}

static const struct pd_flow postings = {.name = "postings",
                                        .budget = PD_BUDGET_POSTINGS,
                                        .size = sizeof(struct pd_posting),
                                        .keys = PD_POSTING_U64S,
                                        .goes = PD_BY_HASH,
                                        .spread = true};

/* COLLECTIVE. Add up what the ranks have counted. */
static void add_up(const struct gathering *s)
{
    struct pd_job *job = s->signing.job;
    uint64_t sums[] = {job->gathered.whole_common, job->gathered.repeated, job->gathered.large};
    pd_comm_sum(job->comm, sums, sizeof sums / sizeof *sums);
    job->gathered.whole_common = sums[0];
    job->gathered.repeated = sums[1];
    job->gathered.large = sums[2];
    pd_asides_add_up(&s->asides, job);
    memcpy(job->gathered.units, s->units, sizeof s->units);
    pd_comm_sum(job->comm, job->gathered.units, PD_WHYS);
}

int pd_job_set_aside(struct pd_job *job)
{
    struct pd_asides asides = {.of_doc = {0}};
    struct pd_stored stored = {0};
    struct pd_held held;
    if (!pd_job_sets_aside(job))
        return PD_OK;
    pd_stages_begin(&job->stages, PD_STAGE_GATHER);
    int status = pd_asides_find(job, &asides);
    for (uint64_t k = 0; k < job->collection.ndocs && status >= 0; k++) {
        status = pd_collection_nth(&job->collection, k, &held);
        PD_THEN(status, pd_collection_open(&job->collection, &held, &stored));
        if (status >= 0) {
            pd_stored_numbers(&stored);
            status = pd_asides_load(&asides, held.number, &stored,
                                    pd_collection_volume(&job->collection, &held)->terms.v);
        }
    }
    PD_THEN(status, pd_asides_end(&asides));
    pd_asides_add_up(&asides, job);
    pd_asides_close(&asides);
    pd_stored_release(&stored);
    return pd_stages_end(&job->stages, status);
}

int pd_job_gather(struct pd_job *job)
{
    struct gathering s = {0};
    struct pd_flow flow = postings;
    const bool sets = compares_sets(job->options);
    PD_CHECK(job->collection.ndocs >> PD_DOC_BITS == 0);
    pd_stages_begin(&job->stages, PD_STAGE_GATHER);
    pd_signing_init(&s.signing, job);
    flow.lone_useless = !sets;
    int status = PD_OK;
    if (pd_job_sets_aside(job))
        status = pd_asides_find(job, &s.asides);
    if (job->options->job.only_sources && status >= 0)
        status = find_of_sources(&s);
    const uint64_t nslots = s.of_sources.v ? 0 : slots_for_names(job);
    if (nslots && status >= 0) {
        status = find_recurring(&s, nslots);
        flow.arrive = recurs;
        flow.less = nslots / SLOTS_A_BYTE;
    }
    pd_shuffle_open(&s.postings, &job->transport, &flow, &s, sets ? NULL : &job->spare);
    PD_THEN(status, pd_shuffle_send(&s.postings, fill_postings, &s));
    PD_THEN(status, pd_comm_agree(job->comm, pd_asides_end(&s.asides)));
    pd_asides_close(&s.asides);
    pd_recurring_close(&s.recurring);
    pd_recurring_close(&s.of_sources);
    PD_THEN(status, collapse(&s));
    add_up(&s);
    pd_signing_release(&s.signing);
    pd_anchoring_release(&s.anchoring);
    pd_u64s_release(&s.record);
    pd_shuffle_close(&s.postings);
    return pd_stages_end(&job->stages, status);
}

/* tools/prevalence/tables.c - the tables of pardup prevalence, with tabs. */
#include <stdio.h>
#include <stdlib.h>

#include "app/print.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "prevalence.h"

/* A document of a topic. */
struct member {
    uint64_t topic, doc;
};
PD_VEC(members, struct member);

/* Counts of a set of documents. `redundant` ones are among the `relevant` ones. */
struct counts {
    uint64_t sets, documents, unknown, near, relevant, redundant;
};

struct tables {
    struct pd_prevalence *p;
    FILE *out;
    size_t ntopics;
    struct members pooled;   /* documents that the runs found for each topic */
    struct members relevant; /* documents that are relevant to each topic */
    uint64_t *marks;         /* per document: 1 + the topic that it is relevant to, seen last */
    uint64_t *docs;          /* room for the documents of a set */
};

static bool has_judgements(const struct tables *t) { return t->p->options->qrels.n; }

static double share_of(uint64_t part, uint64_t all) { return all ? (double)part / (double)all : 0; }

/* ---- sets of documents ---- */

/* Sort, and keep each member once. */
static void make_set(struct members *m)
{
    size_t kept = 0;
    pd_sort_records(m->v, m->n, 2, 2);
    for (size_t k = 0; k < m->n; k++)
        if (kept == 0 || memcmp(&m->v[kept - 1], &m->v[k], sizeof *m->v) != 0)
            m->v[kept++] = m->v[k];
    m->n = kept;
}

static void collect(struct tables *t)
{
    const struct pd_trec *r = &t->p->runs;
    for (size_t k = 0; k < r->found.n; k++)
        members_push(&t->pooled, (struct member){r->found.v[k].topic, r->found.v[k].doc});
    for (size_t k = 0; k < r->judged.n; k++)
        if (r->judged.v[k].relevant)
            members_push(&t->relevant, (struct member){r->judged.v[k].topic, r->judged.v[k].doc});
    make_set(&t->pooled);
    make_set(&t->relevant);
}

/* Put the documents of the topic at m->v[from] to t->docs. Returns where the next topic begins. */
static size_t topic_documents(struct tables *t, const struct members *m, size_t from, size_t *n)
{
    size_t k = from;
    for (; k < m->n && m->v[k].topic == m->v[from].topic; k++)
        t->docs[k - from] = m->v[k].doc;
    *n = k - from;
    return k;
}

/* The counts of t->docs[0, n). */
static struct counts count_set(struct tables *t, size_t n, double least)
{
    struct counts c = {.sets = 1, .documents = n};
    for (size_t k = 0; k < n; k++)
        c.unknown += pd_is_unknown(t->p, t->docs[k]);
    c.near = pd_near_count(&t->p->near, t->docs, n, least);
    return c;
}

static void add(struct counts *sum, const struct counts *c)
{
    sum->sets += c->sets;
    sum->documents += c->documents;
    sum->unknown += c->unknown;
    sum->near += c->near;
    sum->relevant += c->relevant;
    sum->redundant += c->redundant;
}

/* Mark the documents that are relevant to the topic. */
static void mark_relevant(struct tables *t, uint64_t topic)
{
    size_t lo = pd_search_first(t->relevant.v, t->relevant.n, sizeof *t->relevant.v,
                                offsetof(struct member, topic), topic);
    for (; lo < t->relevant.n && t->relevant.v[lo].topic == topic; lo++)
        t->marks[t->relevant.v[lo].doc] = topic + 1;
}

/* The counts of the first `top` documents of entries [from, end): one run and one topic. */
static struct counts count_found(struct tables *t, size_t from, size_t end, double top,
                                 double least)
{
    const struct pd_found *v = t->p->runs.found.v + from;
    const uint64_t topic = v->topic;
    const size_t n = (double)(end - from) < top ? end - from : (size_t)top;
    for (size_t k = 0; k < n; k++)
        t->docs[k] = v[k].doc;
    struct counts c = count_set(t, n, least);
    if (has_judgements(t)) {
        mark_relevant(t, topic);
        for (size_t k = 0; k < n; k++)
            if (t->marks[v[k].doc] == topic + 1)
                t->docs[c.relevant++] = v[k].doc;
        c.redundant = pd_near_redundant(&t->p->near, t->docs, c.relevant, least);
    }
    return c;
}

/* ---- cells ---- */

static void print_count(const struct tables *t, uint64_t n)
{
    fprintf(t->out, "\t%llu", (unsigned long long)n);
}

static void print_shares(const struct tables *t, const struct counts *c)
{
    print_count(t, c->documents);
    print_count(t, c->unknown);
    print_count(t, c->near);
    fprintf(t->out, "\t%.6f", share_of(c->near, c->documents));
}

static void print_redundant(const struct tables *t, const struct counts *c)
{
    print_count(t, c->relevant);
    print_count(t, c->redundant);
    fprintf(t->out, "\t%.6f", share_of(c->redundant, c->relevant));
}

static void print_name(const struct tables *t, const struct pd_names *names, uint64_t number)
{
    const char *name = pd_trec_name(names, number);
    fputc('\t', t->out);
    pd_print_cell(t->out, name, strlen(name));
}

static void print_run(const struct tables *t, uint64_t run)
{
    const char *file = t->p->options->runs.v[t->p->runs.runs.v[run].file];
    print_name(t, &t->p->runs.tags, t->p->runs.runs.v[run].tag);
    fputc('\t', t->out);
    pd_print_cell(t->out, file, strlen(file));
}

/* ---- tables ---- */

/* How many runs found something for each topic; the caller frees it. */
static uint64_t *count_runs(const struct tables *t)
{
    const struct pd_trec *r = &t->p->runs;
    uint64_t *count = pd_zeroed(t->ntopics, sizeof *count);
    for (size_t from = 0; from < r->found.n; from = pd_trec_end(r, from))
        count[r->found.v[from].topic]++;
    return count;
}

static void print_topics(struct tables *t, double least)
{
    uint64_t *runs = count_runs(t), all_runs = 0;
    struct counts all = {0};
    double shares = 0;
    for (size_t from = 0, n; from < t->pooled.n;) {
        const uint64_t topic = t->pooled.v[from].topic;
        from = topic_documents(t, &t->pooled, from, &n);
        const struct counts c = count_set(t, n, least);
        add(&all, &c);
        all_runs += runs[topic];
        shares += share_of(c.near, c.documents);
        fprintf(t->out, "%g", least);
        print_name(t, &t->p->runs.topics, topic);
        print_count(t, runs[topic]);
        print_shares(t, &c);
        fprintf(t->out, "\t%.6f\n", share_of(c.near, c.documents));
    }
    fprintf(t->out, "%g\tall", least);
    print_count(t, all_runs);
    print_shares(t, &all);
    fprintf(t->out, "\t%.6f\n", shares / (double)all.sets);
    free(runs);
}

static void print_runs(struct tables *t, double least)
{
    const struct pd_trec *r = &t->p->runs;
    for (size_t from = 0, end; from < r->found.n;) {
        const uint64_t run = r->found.v[from].run;
        struct counts all = {0};
        for (; from < r->found.n && r->found.v[from].run == run; from = end) {
            end = pd_trec_end(r, from);
            const struct counts c = count_found(t, from, end, (double)r->found.n, least);
            add(&all, &c);
        }
        fprintf(t->out, "%g", least);
        print_run(t, run);
        print_count(t, all.sets);
        print_shares(t, &all);
        if (has_judgements(t))
            print_redundant(t, &all);
        fputc('\n', t->out);
    }
}

enum { STEPS = 19 }; /* shares of table 4.1: 5, 10 ... 95 % */

/* Count for each step the runs and topics whose first `top` documents reach it. Returns how many
 * runs and topics there are. */
static uint64_t count_steps(struct tables *t, double top, double least, uint64_t reach[STEPS])
{
    const struct pd_trec *r = &t->p->runs;
    const bool more = t->p->options->bound == PD_BOUND_MORE;
    uint64_t sets = 0;
    memset(reach, 0, STEPS * sizeof *reach);
    for (size_t from = 0, end; from < r->found.n; from = end, sets++) {
        end = pd_trec_end(r, from);
        const struct counts c = count_found(t, from, end, top, least);
        for (uint64_t k = 0; k < STEPS; k++) {
            const uint64_t have = 20 * c.near, want = (k + 1) * c.documents;
            reach[k] += more ? have > want : have >= want;
        }
    }
    return sets;
}

static void print_steps(struct tables *t, double least)
{
    const size_t n = t->p->top.n;
    uint64_t(*reach)[STEPS] = pd_realloc(NULL, n, sizeof *reach), sets = 0;
    for (size_t k = 0; k < n; k++)
        sets = count_steps(t, t->p->top.v[k], least, reach[k]);
    for (int step = 0; step < STEPS; step++) {
        fprintf(t->out, "%g\t%.2f", least, 0.05 * (step + 1));
        for (size_t k = 0; k < n; k++)
            fprintf(t->out, "\t%.6f", share_of(reach[k][step], sets));
        fputc('\n', t->out);
    }
    free(reach);
}

static void print_run_topics(struct tables *t, double least)
{
    const struct pd_trec *r = &t->p->runs;
    for (size_t from = 0, end; from < r->found.n; from = end) {
        end = pd_trec_end(r, from);
        for (size_t k = 0; k < t->p->top.n; k++) {
            const struct counts c = count_found(t, from, end, t->p->top.v[k], least);
            fprintf(t->out, "%g", least);
            print_run(t, r->found.v[from].run);
            print_name(t, &t->p->runs.topics, r->found.v[from].topic);
            fprintf(t->out, "\t%.0f", t->p->top.v[k]);
            print_shares(t, &c);
            if (has_judgements(t))
                print_redundant(t, &c);
            fputc('\n', t->out);
        }
    }
}

/*
 * Per topic: the relevant documents that all runs found, and how many of them repeat an earlier
 * document.
 */
static struct counts *count_redundant(struct tables *t, double least)
{
    const struct pd_trec *r = &t->p->runs;
    struct counts *sums = pd_zeroed(t->ntopics, sizeof *sums);
    for (size_t from = 0, end; from < r->found.n; from = end) {
        end = pd_trec_end(r, from);
        const struct counts c = count_found(t, from, end, (double)r->found.n, least);
        add(&sums[r->found.v[from].topic], &c);
    }
    return sums;
}

static void print_relevant(struct tables *t, double least)
{
    struct counts *found = count_redundant(t, least), all = {0};
    for (size_t from = 0, n; from < t->relevant.n;) {
        const uint64_t topic = t->relevant.v[from].topic;
        from = topic_documents(t, &t->relevant, from, &n);
        struct counts c = count_set(t, n, least);
        c.relevant = found[topic].relevant;
        c.redundant = found[topic].redundant;
        add(&all, &c);
        fprintf(t->out, "%g", least);
        print_name(t, &t->p->runs.topics, topic);
        print_shares(t, &c);
        print_redundant(t, &c);
        fputc('\n', t->out);
    }
    fprintf(t->out, "%g\tall", least);
    print_shares(t, &all);
    print_redundant(t, &all);
    fputc('\n', t->out);
    free(found);
}

/* ---- which tables ---- */

#define COUNTED  "documents\tunknown\tnear_duplicates\tshare"
#define FOR_EACH "near duplicates of others "
#define SHARE    "share of runs and topics with "
#define AMONG    " this share of near duplicates among the first n documents"

/* A table; its lines are printed once for each least resemblance. */
struct kind {
    const char *name, *help, *header;
    bool judged; /* columns for judgements, if there are some */
    void (*print)(struct tables *t, double least);
};
static const struct kind kinds[] = {
    [PD_PREVALENCE_TOPICS] = {"topics",
                              FOR_EACH "among the documents that all runs found for a topic",
                              "rr\ttopic\truns\t" COUNTED "\tmean_share", false, print_topics},
    [PD_PREVALENCE_RUNS] = {"runs", FOR_EACH "in the list of their topic, over all topics of a run",
                            "rr\trun\tfile\ttopics\t" COUNTED, true, print_runs},
    [PD_PREVALENCE_SHARES] = {"shares", SHARE "at least" AMONG, "rr\tat_least", false, print_steps},
    [PD_PREVALENCE_RELEVANT] = {"relevant",
                                FOR_EACH "among the relevant documents of a topic; of those that "
                                         "runs found, the ones that repeat a relevant document "
                                         "ranked earlier",
                                "rr\ttopic\t" COUNTED "\tfound\tredundant\tredundant_share", false,
                                print_relevant},
    [PD_PREVALENCE_RUN_TOPICS] = {"run-topics", FOR_EACH "among the first n documents",
                                  "rr\trun\tfile\ttopic\tn\t" COUNTED, true, print_run_topics}};
static const struct kind more_than = {"shares", SHARE "more than" AMONG, "rr\tmore_than", false,
                                      print_steps};

static void print_tables(struct tables *t, enum pd_prevalence_table which)
{
    const bool summary = which == PD_PREVALENCE_SUMMARY;
    const unsigned last = has_judgements(t) ? PD_PREVALENCE_RELEVANT : PD_PREVALENCE_SHARES;
    for (unsigned k = summary ? PD_PREVALENCE_TOPICS : which; k <= (summary ? last : which); k++) {
        const bool more = k == PD_PREVALENCE_SHARES && t->p->options->bound == PD_BOUND_MORE;
        const struct kind *kind = more ? &more_than : &kinds[k];
        if (summary)
            fprintf(t->out, "%s# %s: %s\n", k > PD_PREVALENCE_TOPICS ? "\n" : "", kind->name,
                    kind->help);
        fputs(kind->header, t->out);
        for (size_t n = 0; n < t->p->top.n && kind->print == print_steps; n++)
            fprintf(t->out, "\tn%.0f", t->p->top.v[n]);
        fprintf(t->out, "%s\n",
                kind->judged && has_judgements(t) ? "\trelevant\tredundant\tredundant_share" : "");
        for (size_t n = 0; n < t->p->least.n; n++)
            kind->print(t, t->p->least.v[n]);
    }
}

void pd_prevalence_tables(struct pd_prevalence *p, FILE *out)
{
    const size_t n = p->runs.docs.names.n;
    struct tables t = {.p = p, .out = out, .ntopics = p->runs.topics.names.n};
    t.marks = pd_zeroed(n, sizeof *t.marks);
    t.docs = pd_realloc(NULL, n, sizeof *t.docs);
    collect(&t);
    print_tables(&t, p->options->table);
    PD_RELEASE(members, &t.pooled, &t.relevant);
    PD_FREE(t.marks, t.docs);
}

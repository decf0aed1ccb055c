/*
 * run/job/explain/explain.c - see include/pardup/run/explain.h
 *
 * The result says what was found (listed.c). The documents are read again, and their units signed
 * (sign.c), compared (compare.c) and put together to runs (runs.c).
 */
#include "explain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/result/table.h"

/* ---- the documents, read again ---- */

/* A scan: the job that reads files of the result once more. */
struct scan {
    struct pd_result *result;
    struct pd_comm comm;
    struct pd_options options;
    struct pd_job job;
    char **paths;
    size_t npaths;
    char *table;       /* the table of --frequencies; NULL: there is none */
    pd_doc numbers[2]; /* the two documents in this scan */
};

/* Do words or units count by what the whole collection has? */
static bool needs_all(const struct pd_method_options *o)
{
    return (pd_features[o->feature].counts != PD_COUNTS_NOTHING && !o->frequencies) ||
           o->templates == PD_TEMPLATES_ASIDE;
}

/* Read files [from, to) of the result, too. */
static int add_files(struct scan *s, const struct pd_fetch *f, uint64_t from, uint64_t to)
{
    static const char *const columns[] = {"path", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, s->result, "files", columns);
    s->paths = pd_realloc(s->paths, s->npaths + (to - from) + 1, sizeof *s->paths);
    for (uint64_t k = from; k < to && status >= 0; k++) {
        size_t n;
        status = pd_table_at(&t, k);
        if (status < 0)
            break;
        const char *path = pd_table_text(&t, 0, &n);
        char *found = pd_printed("%.*s", (int)n, path);
        pd_fetch_find(f, &found);
        s->paths[s->npaths++] = found;
        if (access(found, F_OK) != 0)
            status = pd_fetch_tell(f, found, pd_fail(PD_EIO, "%s: %s", found, strerror(errno)));
    }
    pd_table_close(&t);
    return status;
}

/* The files of the two documents, and which documents are in them. */
struct places {
    uint64_t file[2], first[2]; /* of each document: its file, and the first document in that */
    uint64_t end;               /* the document behind those of the first file */
};

static int find_places(struct pd_table_reader *t, const struct pd_explanation *e, struct places *p)
{
    for (int k = 0; k < 2; k++) {
        PD_TRY(pd_table_at(t, e->sides[k].doc));
        p->file[k] = pd_table_count(t, 0);
        PD_TRY(pd_table_find(t, 0, p->file[k]));
        p->first[k] = t->row;
    }
    const int status = pd_table_find(t, 0, p->file[0] + 1);
    p->end = status == PD_END ? t->rows : t->row;
    return status < 0 ? status : PD_OK;
}

/* Choose the files that are read, and say which numbers the two documents get. */
static int choose_files(struct scan *s, struct pd_explanation *e)
{
    const struct pd_fetch *f = &e->sides[0].text;
    static const char *const columns[] = {"file", NULL};
    struct pd_table_reader t;
    struct places p;
    uint64_t files;
    if (e->scanned) {
        PD_TRY(pd_result_rows(s->result, "files", &files));
        for (int k = 0; k < 2; k++)
            s->numbers[k] = e->sides[k].doc;
        return add_files(s, f, 0, files);
    }
    int status = pd_table_open(&t, s->result, "documents", columns);
    PD_THEN(status, find_places(&t, e, &p));
    pd_table_close(&t);
    PD_TRY(status);
    PD_TRY(add_files(s, f, p.file[0], p.file[0] + 1));
    s->numbers[0] = e->sides[0].doc - p.first[0];
    s->numbers[1] = e->sides[1].doc - p.first[1];
    if (p.file[1] == p.file[0])
        return PD_OK;
    s->numbers[1] += p.end - p.first[0];
    return add_files(s, f, p.file[1], p.file[1] + 1);
}

/* Read the files, and count words. */
static int read_files(struct scan *s, struct pd_explanation *e)
{
    struct pd_job *job = &s->job;
    struct pd_collection *col = &job->collection;
    uint64_t documents;
    PD_TRY(pd_collection_list_files(col));
    PD_TRY(pd_collection_cut(col));
    PD_TRY(pd_collection_read(col, NULL, &job->stages));
    PD_TRY(pd_result_rows(s->result, "documents", &documents));
    if (e->scanned && col->totals.documents != documents)
        return pd_fail(PD_EFORMAT,
                       "%s: the collection has %llu documents, the result %llu: it has changed",
                       pd_result_path(s->result), (unsigned long long)col->totals.documents,
                       (unsigned long long)documents);
    job->targets = job->sources = (struct pd_side){col, 0, col->totals.documents};
    return pd_job_count(job);
}

/* ---- the whole ---- */

/* Keep the bounds of the frequency of words that count. */
static void keep_range(const struct scan *s, struct pd_explanation *e)
{
    const struct pd_background *b = &s->job.background;
    if (pd_features[s->job.options->method.feature].counts != PD_COUNTS_DOCUMENTS)
        return;
    e->documents = b->documents;
    e->least = b->kept.least;
    e->most = b->kept.end - 1;
}

/* Read what is needed, sign, and compare. The scratch of the job is open. */
static int explain(struct explaining *x, struct scan *s)
{
    struct pd_explanation *e = x->e;
    uint64_t targets;
    PD_TRY(pd_ignore_read(&s->job.ignore, &s->comm, &s->options));
    PD_TRY(read_files(s, e));
    keep_range(s, e);
    PD_TRY(pd_explain_sign(x, &s->job, s->numbers));
    pd_explain_compare(x);
    pd_explain_runs(x);
    if (pd_result_count(s->result, "targets", &targets) &&
        (e->sides[0].doc < targets) == (e->sides[1].doc < targets))
        e->left = PD_LEFT_SIDES;
    if (pd_result_count(s->result, "first_with", &targets) && e->sides[0].doc >= targets)
        e->left = PD_LEFT_SIDES; /* both are of --with */
    return PD_OK;
}

/* Run the job of the scan. */
static int scan(struct explaining *x, struct scan *s, const char *scratch)
{
    char output[4096];
    snprintf(output, sizeof output, "%s/explain", scratch);
    s->options.output = output;
    s->options.job.scratch = scratch;
    if (s->options.method.frequencies) {
        s->table = pd_printed("%s", s->options.method.frequencies);
        pd_fetch_find(&x->e->sides[0].text, &s->table);
        s->options.method.frequencies = s->table;
    }
    s->options.operands = (struct pd_texts){(const char **)s->paths, s->npaths};
    s->options.input.limit_docs = x->e->scanned ? s->options.input.limit_docs : 0;
    pd_comm_alone(&s->comm);
    pd_job_init(&s->job, &s->comm, &s->options);
    pd_result_count(s->result, "frequencies_hash", &s->job.background.hash);
    int status = pd_scratch_open(&s->job.scratch, &s->comm, &s->options);
    PD_THEN(status, explain(x, s));
    pd_job_end(&s->job);
    return status;
}

/* Open the two documents; the first of the collection comes first. */
static int open_both(struct pd_result *r, const uint64_t docs[2], struct pd_explanation *e)
{
    for (int k = 0; k < 2; k++)
        PD_TRY(pd_fetch_init(&e->sides[k].text, r));
    e->sides[0].doc = docs[0] < docs[1] ? docs[0] : docs[1];
    e->sides[1].doc = docs[0] < docs[1] ? docs[1] : docs[0];
    return PD_OK;
}

int pd_explain(const struct pd_options *o, struct pd_result *result, const uint64_t docs[2],
               const char *scratch, struct pd_explanation *e)
{
    struct scan s = {.result = result, .options = *o};
    struct explaining x = {.options = o, .result = result, .e = e};
    e->scanned = needs_all(&o->method);
    int status = open_both(result, docs, e);
    PD_THEN(status, pd_explain_read_common(result, &x.common));
    PD_THEN(status, pd_explain_list_passages(result, e));
    PD_THEN(status, choose_files(&s, e));
    PD_THEN(status, scan(&x, &s, scratch));
    for (size_t k = 0; k < s.npaths; k++)
        free(s.paths[k]);
    PD_FREE(s.paths, s.table);
    pd_commons_release(&x.common);
    for (int k = 0; k < 2; k++) {
        pd_postings_release(&x.sides[k].names);
        pd_bytes_release(&x.sides[k].recurs);
        members_release(&x.sides[k].members);
        PD_RELEASE(pd_u64s, &x.sides[k].firsts, &x.sides[k].sided);
    }
    return status;
}

void pd_explain_release(struct pd_explanation *e)
{
    for (int k = 0; k < 2; k++) {
        pd_fetch_release(&e->sides[k].text);
        pd_explaineds_release(&e->sides[k].units);
        pd_used_words_release(&e->sides[k].words);
    }
    pd_u64s_release(&e->dots);
    PD_RELEASE(pd_passages, &e->found, &e->listed, &e->regions);
    pd_trieds_release(&e->tried);
    pd_u64s_release(&e->tried_to);
}

/*
 * tools/prevalence/cmd_prevalence.c - pardup prevalence: near duplicates in TREC runs and topics
 * (thesis of Nikkhoo, 2010, chapter 4).
 *
 * Memory: the lines of all runs, 48 bytes each; the names in them; the pairs of documents that they
 * name. The tables of the result are read in blocks.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/print.h"
#include "app/show/show.h"
#include "app/show/terminal.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/plain.h"
#include "pardup/corpus/list.h"
#include "pardup/result/given.h"
#include "pardup/result/table.h"
#include "pardup/run/option_rows.h"
#include "prevalence.h"

#define WHOSE "--run, --qrels" /* how messages on ids begin */

enum { UNKNOWN_SHOWN = 3 };

/* ---- options ---- */

/* Read numbers with commas between them, each above 0 and at most `most`. */
static int parse_numbers(const char *option, const char *text, double most, bool whole,
                         struct pd_numbers *numbers)
{
    const char *at = text;
    char *end;
    do {
        const double x = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(x > 0 && x <= most) || (whole && x != floor(x)))
            return pd_fail(PD_EUSAGE,
                           "--%s %s: expected %snumbers above 0 and up to %g, with "
                           "commas between them",
                           option, text, whole ? "whole " : "", most);
        pd_numbers_push(numbers, x);
        at = end + 1;
    } while (*end);
    return PD_OK;
}

static int parse_lists(const struct pd_prevalence_options *o, struct pd_numbers *top,
                       struct pd_numbers *least)
{
    PD_TRY(parse_numbers("top", o->top, 1e9, true, top));
    return o->coverage ? parse_numbers("coverage", o->coverage, 1, false, least)
                       : parse_numbers("rr", o->rr, 1, false, least);
}

/* The operands before the last one are runs: a shell puts them behind --run. */
static void take_runs(struct pd_prevalence_options *o)
{
    struct pd_texts *runs = &o->runs, *operands = &o->all.operands;
    const size_t more = operands->n - 1;
    runs->v = pd_realloc(runs->v, runs->n + more, sizeof *runs->v);
    for (size_t k = 0; k < more; k++)
        runs->v[runs->n++] = operands->v[k];
    operands->v[0] = operands->v[more];
    operands->n = 1;
}

static int settle(struct pd_options *all)
{
    struct pd_prevalence_options *o = (void *)all;
    struct pd_numbers top = {0}, least = {0};
    const int status = parse_lists(o, &top, &least);
    const bool several = least.n > 1;
    PD_RELEASE(pd_numbers, &top, &least);
    PD_TRY(status);
    take_runs(o);
    if (!o->runs.n)
        return pd_fail(PD_EUSAGE, "--run FILE is required: what a system found for the topics");
    if (o->table == PD_PREVALENCE_RELEVANT && !o->qrels.n)
        return pd_fail(PD_EUSAGE, "--table relevant needs --qrels FILE");
    if (!o->unique)
        return o->all.output ? pd_fail(PD_EUSAGE, "-o DIR goes with --unique only") : PD_OK;
    if (!o->all.output)
        return pd_fail(PD_EUSAGE, "--unique needs -o DIR, the folder to write to");
    if (several)
        return pd_fail(PD_EUSAGE, "--unique needs one threshold, not several");
    return pd_unique_check(o);
}

/* ---- runs and judgements ---- */

static int read_file(struct pd_trec *runs, const char *path, uint64_t file,
                     int (*take)(struct pd_trec *, char *, uint64_t, uint64_t))
{
    struct pd_list *list;
    char *line;
    size_t n;
    int status = PD_OK;
    PD_TRY(pd_list_open(path, &list));
    while (status == PD_OK && (status = pd_list_next(list, &line, &n)) == PD_OK) {
        status = take(runs, line, file, pd_list_line(list));
        if (status < 0)
            status = pd_list_blame(list, status);
    }
    pd_list_close(list);
    return status < 0 ? status : PD_OK;
}

static int read_runs(struct pd_prevalence *p)
{
    const struct pd_prevalence_options *o = p->options;
    struct pd_trec *r = &p->runs;
    for (size_t k = 0; k < o->runs.n; k++) {
        const size_t before = r->found.n;
        PD_TRY(read_file(r, o->runs.v[k], k, pd_trec_take));
        if (r->found.n == before)
            return pd_fail(PD_EFORMAT, "%s: no line of a run in it", o->runs.v[k]);
    }
    for (size_t k = 0; k < o->qrels.n; k++) {
        const size_t before = r->judged.n;
        PD_TRY(read_file(r, o->qrels.v[k], k, pd_trec_judge));
        if (r->judged.n == before)
            return pd_fail(PD_EFORMAT, "%s: no judgement in it", o->qrels.v[k]);
    }
    pd_trec_sort(r, o->order);
    if (r->repeated)
        pd_log(PD_LOG_WARN,
               "%llu line%s of runs name%s a document again for the same topic; the "
               "first one counts",
               pd_ull(r->repeated), pd_plural(r->repeated), r->repeated == 1 ? "s" : "");
    if (r->disputed)
        pd_log(PD_LOG_WARN,
               "%llu judgements disagree with an earlier one of the same topic and document; it is "
               "relevant if one of them says so",
               pd_ull(r->disputed));
    if (r->contradict)
        pd_log(PD_LOG_WARN,
               "in %llu runs and topics the scores rise as the ranks fall; ranks "
               "count, unless --order score is given",
               pd_ull(r->contradict));
    return PD_OK;
}

/* ---- the result ---- */

/* The document of each row that runs or judgements name: its index plus 1. */
static int find_rows(struct pd_prevalence *p, struct pd_result *r, struct pd_hash_table *docs)
{
    static const char *const columns[] = {"id", NULL};
    struct pd_given given;
    struct pd_table_reader t = {.rows = 0};
    pd_given_open(&given, &p->runs.docs);
    int status = pd_given_see_table(&given, r, "documents");
    pd_given_settle(&given);
    PD_THEN(status, pd_given_check(&given, WHOSE, NULL));
    PD_THEN(status, pd_table_open(&t, r, "documents", columns));
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        size_t n;
        const char *id = pd_table_text(&t, 0, &n);
        const uint64_t doc = pd_given_find(&given, id, n, PD_NO_ROW);
        if (doc == PD_NO_ROW || p->rows[doc] != PD_NO_ROW)
            continue; /* an id that occurs again means its first document */
        p->rows[doc] = t.row;
        *pd_hash_table_at(docs, t.row) = doc + 1;
    }
    if (status >= 0 && docs->n == 0)
        status = pd_given_none(NULL, &given, WHOSE, t.rows);
    if (status >= 0)
        pd_given_tell(&given, WHOSE);
    pd_table_close(&t);
    pd_given_release(&given);
    return status < 0 ? status : PD_OK;
}

/* Warn of documents that the result does not have. They stay in all counts, without a partner. */
static void tell_unknown(const struct pd_prevalence *p, const struct pd_result *r)
{
    const struct pd_names *docs = &p->runs.docs;
    struct pd_bytes names = {0};
    uint64_t unknown = 0;
    for (uint64_t doc = 0; doc < docs->names.n; doc++) {
        const char *name = pd_trec_name(docs, doc);
        if (pd_is_unknown(p, doc) && unknown++ < UNKNOWN_SHOWN) {
            pd_bytes_append(&names, " ", 1);
            pd_bytes_append(&names, name, strlen(name));
        }
    }
    pd_bytes_append(&names, "", 1);
    if (unknown)
        pd_log(PD_LOG_WARN,
               "%llu of the %zu documents that the runs%s name are not in %s (first:"
               "%s); they count as documents without near duplicates",
               pd_ull(unknown), docs->names.n, p->options->qrels.n ? " and judgements" : "",
               pd_result_path(r), (char *)names.v);
    pd_bytes_release(&names);
}

/* The lesser of two numbers; not a number if one of them is none. */
static double lesser(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmin(a, b); }

/*
 * Read the pairs of documents that are named. The resemblance of a pair is that of a document
 * method, or the lesser of its two coverages.
 */
static int read_pairs(struct pd_prevalence *p, struct pd_result *r, struct pd_hash_table *docs)
{
    static const char *const whole[] = {"doc_a", "doc_b", "resemblance", NULL};
    static const char *const covered[] = {"doc_a", "doc_b", "coverage_a", "coverage_b", NULL};
    const bool coverage = p->options->coverage;
    struct pd_table_reader t;
    int status = pd_table_open(&t, r, "pairs", coverage ? covered : whole);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        const uint64_t a = pd_hash_table_get(docs, pd_table_count(&t, 0));
        const uint64_t b = pd_hash_table_get(docs, pd_table_count(&t, 1));
        double resemblance = pd_table_real(&t, 2);
        if (coverage)
            resemblance = lesser(resemblance, pd_table_real(&t, 3));
        if (a && b && a != b && resemblance >= 0) /* not true of NaN */
            pd_near_push(&p->near, a - 1, b - 1, resemblance);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* Has the result a resemblance of its pairs, down to the thresholds that are asked for? */
static int check_method(const struct pd_prevalence *p, struct pd_result *r)
{
    char *units, *join = NULL;
    double tau, least = 1;
    PD_TRY(pd_result_text(r, "units", &units));
    int status = PD_OK;
    if (strcmp(units, "document") != 0)
        status = pd_fail(PD_EUSAGE,
                         "%s: compares passages (--units %s), so its pairs have no "
                         "resemblance: detect with --method nikkhoo has it; or give --coverage X, "
                         "the least share of both texts that is in passages",
                         pd_result_path(r), units);
    PD_THEN(status, pd_result_text(r, "join", &join));
    PD_THEN(status, pd_result_real(r, "tau", &tau));
    for (size_t k = 0; k < p->least.n; k++)
        least = fmin(least, p->least.v[k]);
    if (status >= 0 && strcmp(join, "equal") != 0 && least < tau)
        pd_log(PD_LOG_WARN,
               "%s holds pairs from a resemblance of %g on (--tau); --rr %g counts "
               "no others",
               pd_result_path(r), tau, least);
    PD_FREE(units, join);
    return status;
}

static int read_result(struct pd_prevalence *p, struct pd_result *r)
{
    const size_t n = p->runs.docs.names.n;
    struct pd_hash_table docs = {0};
    if (!p->options->coverage)
        PD_TRY(check_method(p, r));
    p->rows = pd_realloc(NULL, n, sizeof *p->rows);
    for (size_t k = 0; k < n; k++)
        p->rows[k] = PD_NO_ROW;
    int status = find_rows(p, r, &docs);
    PD_THEN(status, read_pairs(p, r, &docs));
    pd_hash_table_release(&docs);
    if (status >= 0) {
        tell_unknown(p, r);
        pd_near_sort(&p->near, n);
    }
    return status;
}

static int write_tables(void *ctx, FILE *to)
{
    pd_prevalence_tables(ctx, to);
    return PD_OK;
}

/* Print the tables with tabs; on a terminal they are lined up. */
static int print_tables(struct pd_prevalence *p)
{
    PD_TRY(isatty(STDOUT_FILENO) ? pd_print_lined_up(&p->options->all.print, write_tables, p)
                                 : write_tables(p, stdout));
    return pd_stdout_done();
}

static int run(const struct pd_options *all)
{
    const struct pd_prevalence_options *o = (const void *)all;
    struct pd_prevalence p = {.options = o};
    struct pd_result *r;
    PD_TRY(pd_result_open(o->all.operands.v[0], &r));
    int status = parse_lists(o, &p.top, &p.least);
    PD_THEN(status, read_runs(&p));
    PD_THEN(status, read_result(&p, r));
    if (status >= 0 && o->unique)
        status = pd_unique_write(&p);
    if (status >= 0) {
        status = print_tables(&p);
    }
    pd_near_release(&p.near);
    pd_trec_release(&p.runs);
    PD_RELEASE(pd_numbers, &p.top, &p.least);
    free(p.rows);
    pd_result_close(r);
    return status;
}

static const char *const order_names[] = {[PD_TREC_RANK] = "rank", [PD_TREC_SCORE] = "score", NULL};
static const char *const bound_names[] = {
    [PD_BOUND_LEAST] = "at-least", [PD_BOUND_MORE] = "more-than", NULL};
static const char *const prevalence_names[] = {[PD_PREVALENCE_SUMMARY] = "summary",
                                               [PD_PREVALENCE_TOPICS] = "topics",
                                               [PD_PREVALENCE_RUNS] = "runs",
                                               [PD_PREVALENCE_SHARES] = "shares",
                                               [PD_PREVALENCE_RELEVANT] = "relevant",
                                               [PD_PREVALENCE_RUN_TOPICS] = "run-topics",
                                               NULL};

#define PD_OPTIONS struct pd_prevalence_options

/* clang-format off */
static const struct pd_option options[] = {
    {"run", "FILE", TEXTS(runs), OWN, NULL,
     "a TREC run, plain or compressed; lines \"topic Q0 document rank score tag\"; more "
     "runs may follow before RESULT.h5"},
    {"qrels", "FILE", TEXTS(qrels), OWN, NULL,
     "TREC judgements; lines \"topic iteration document relevance\"; adds the redundant relevant "
     "documents; may be given several times"},
    {"top", "N,...", TEXT(top), OWN, "10,20,50,100,200,500",
     "how many first documents of a run and topic count in the tables shares and run-topics"},
    {"rr", "X,...", TEXT(rr), OWN, "0.5",
     "least resemblance of near duplicates; several numbers: every table once for each"},
    {"coverage", "X,...", TEXT(coverage), OWN, NULL,
     "least share of both documents that is in passages which they share; for results of passages, "
     "instead of --rr"},
    {"order", "O", CHOICE(order, order_names), OWN, "rank",
     "which documents of a run come first; rank: least rank, then greatest score; score: greatest "
     "score, then greatest id, as trec_eval does"},
    {"bound", "B", CHOICE(bound, bound_names), OWN, "at-least",
     "what table shares counts; runs and topics with at least, or with more than, 5, 10 ... 95 % of "
     "near duplicates"},
    {"table", "T", CHOICE(table, prevalence_names), OWN, "summary",
     "which table is printed; summary: topics, runs, shares and, with --qrels, relevant"},
    {"unique", NULL, FLAG(unique), OWN, NULL,
     "also write runs and judgements without repeats; the first document of those that repeat "
     "each other is kept, and ranks are counted anew"},
    {"output", "DIR", TEXT(all.output), OWN, NULL,
     "folder for --unique; files named as the inputs, and repeats.tsv with what was left out"},
    {.name = NULL},
};
/* clang-format on */

const struct pd_command pd_command_prevalence = {
    .name = "prevalence",
    .usage = "[options] --run FILE... RESULT.h5",
    .help = "near duplicates in TREC runs, topics and judgements",
    .brief = "run qrels table coverage rr unique output order bound top",
    .example = "pardup prevalence --qrels qrels.txt --run runs/*.gz docs.h5",
    .options = options,
    .bytes = sizeof(struct pd_prevalence_options),
    .section = "runs and judgements",
    .operands = PD_OPERANDS_RUNS,
    .settle = settle,
    .alone = run,
};

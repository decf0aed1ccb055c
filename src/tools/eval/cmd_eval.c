/* tools/eval/cmd_eval.c - pardup eval: a result against what is known to be duplicate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/print.h"
#include "eval_report.h"
#include "eval_sheet.h"
#include "figures.h"
#include "mosaic.h"
#include "paired.h"
#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/real.h"
#include "pardup/base/sort.h"
#include "pardup/result/given.h"
#include "pardup/result/reader.h"
#include "pardup/result/table.h"
#include "pardup/run/fetch.h"
#include "pardup/run/option_rows.h"

/* ---- two results: is one better, or is it chance? ---- */

static const enum pd_measure shown[] = {PD_PRECISION,      PD_RECALL,      PD_F1,
                                        PD_PAIR_PRECISION, PD_PAIR_RECALL, PD_PAIR_F1};
enum { NSHOWN = sizeof shown / sizeof *shown };

/* Fail unless both results have the same documents in the same order. PD_OK or PD_EFORMAT. */
static int eval_same_documents(struct pd_result *first, struct pd_result *second)
{
    static const char *const id[] = {"id", NULL};
    struct pd_table_reader a = {.ncolumns = 0}, b = {.ncolumns = 0};
    int status = pd_table_open(&a, first, "documents", id);
    PD_THEN(status, pd_table_open(&b, second, "documents", id));
    bool same = status >= 0 && a.rows == b.rows;
    while (status >= 0 && same && (status = pd_table_next(&a)) == PD_OK) {
        size_t n, m;
        PD_THEN(status, pd_table_at(&b, a.row));
        const char *one = pd_table_text(&a, 0, &n);
        const char *other = status >= 0 ? pd_table_text(&b, 0, &m) : "";
        same = status >= 0 && n == m && memcmp(one, other, n) == 0;
    }
    pd_table_close(&a);
    pd_table_close(&b);
    return status < 0 || same
               ? (status < 0 ? status : PD_OK)
               : pd_fail(PD_EFORMAT,
                         "%s: has other documents than %s; results are compared that were made "
                         "from the same inputs",
                         pd_result_path(second), pd_result_path(first));
}

static void put(struct pd_figure_list *f, const char *measure, const char *what, double value,
                double low, double high)
{
    char *name = pd_printed("%s %s", measure, what);
    pd_figures_put_interval(f, name, value, low, high);
    free(name);
}

static void put_measure(struct pd_figure_list *f, const char *name,
                        const struct pd_paired_measure *m)
{
    put(f, name, "of the first", m->value[0], NAN, NAN);
    put(f, name, "of the second", m->value[1], NAN, NAN);
    put(f, name, "difference", m->value[1] - m->value[0], m->low, m->high);
    put(f, name, "p (bootstrap)", m->chance, NAN, NAN);
    put(f, name, "samples", (double)m->samples, NAN, NAN);
    put(f, name, "mean difference of a sample", m->mean, NAN, NAN);
    put(f, name, "t", m->t, NAN, NAN);
    put(f, name, "p (t-test)", m->p, NAN, NAN);
}

/* Print a number in eight columns; "-": there is none. */
static void print_number(double x)
{
    if (isnan(x))
        printf("%8s", "-");
    else
        printf(fabs(x) >= 100 ? "%8.1f" : x != 0 && fabs(x) < 0.0005 ? "%8.0e" : "%8.3f", x);
}

/* Print the measures for people, a line each. */
static void print_table(const struct pd_eval_options *o, const struct pd_paired *p)
{
    printf("%s document pairs\n\n%-15s%8s%8s%8s", pd_grouped(p->pairs), "", "first", "second",
           "change");
    printf("%18s%8s%8s%8s\n", o->bootstrap ? "95 % interval" : "", "p", "t", "p of t");
    for (size_t k = 0; k < NSHOWN; k++) {
        const struct pd_paired_measure *m = &p->measures[shown[k]];
        char interval[64] = "-";
        if (!isnan(m->low))
            snprintf(interval, sizeof interval, "%.3f to %.3f", m->low, m->high);
        printf("%-15s", pd_measure_names[shown[k]]);
        print_number(m->value[0]);
        print_number(m->value[1]);
        print_number(m->value[1] - m->value[0]);
        printf("%18s", interval);
        print_number(m->chance);
        print_number(m->t);
        print_number(m->p);
        putchar('\n');
    }
}

/* Print the comparison of two results by their judged pairs. */
static void eval_paired(const struct pd_eval_options *o, const struct pd_judged_pairs lists[2])
{
    struct pd_figure_list f = {NULL, 0, 0};
    struct pd_paired p;
    pd_paired_compare(lists, (uint64_t)o->bootstrap, (uint64_t)o->seed, &p);
    if (o->report == PD_REPORT_TABLE || o->report == PD_REPORT_PAN) {
        print_table(o, &p);
        return;
    }
    pd_figures_put(&f, "document pairs", (double)p.pairs);
    for (size_t k = 0; k < NSHOWN; k++)
        put_measure(&f, pd_measure_names[shown[k]], &p.measures[shown[k]]);
    pd_figures_print(&f, o->report);
    pd_figures_release(&f);
}

/* ---- --mosaic: how much text of a result is copied ---- */

/* Add up the text of the documents that may be copies: targets, where there are sources. */
static int add_text(struct pd_result *r, uint64_t targets, struct pd_mosaic *m)
{
    static const char *const columns[] = {"text_bytes", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r, "documents", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK)
        m->text += t.row < targets ? pd_table_count(&t, 0) : 0;
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* The copy is the target of a source, or the later one of two documents. */
static int read_copies(struct pd_result *r, bool against, struct pd_copied_texts *to)
{
    static const char *const columns[] = {"doc_a",   "begin_a", "end_a",     "doc_b",
                                          "begin_b", "end_b",   "agreement", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, r, "passages", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        const int side = against ? 0 : 3;
        const double weight = pd_mosaic_weight(pd_table_real(&t, 6));
        const struct pd_copied_text text = {
            pd_table_count(&t, side), weight < 1 ? (uint64_t)((1 - weight) * 1e9) : 0,
            pd_table_count(&t, side + 1), pd_table_count(&t, side + 2)};
        if (text.begin < text.end)
            pd_copied_texts_push(to, text);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

static double share(double part, uint64_t all) { return all ? part / (double)all : 0; }

static void print(enum pd_report format, const struct pd_mosaic *m)
{
    const double copied = share((double)m->copied, m->text), mass = share(m->mass, m->text);
    char parts[3][PD_REAL_ROOM];
    pd_real_print(copied, parts[0]);
    pd_real_print(m->mass, parts[1]);
    pd_real_print(mass, parts[2]);
    if (format == PD_REPORT_TSV)
        printf("text\t%llu\ncopied\t%llu\ncopied_share\t%s\nmosaic\t%s\nmosaic_share\t%s\n",
               pd_ull(m->text), pd_ull(m->copied), parts[0], parts[1], parts[2]);
    else if (format == PD_REPORT_JSON)
        printf("{\"text\":%llu,\"copied\":%llu,\"copied_share\":%s,\"mosaic\":%s,"
               "\"mosaic_share\":%s}\n",
               pd_ull(m->text), pd_ull(m->copied), parts[0], parts[1], parts[2]);
    else
        printf("text    %15s bytes\ncopied  %15s bytes  (%.2f %%)\nmosaic  %15s bytes  (%.2f %%), "
               "copies weighed by how much they were edited\n",
               pd_grouped(m->text), pd_grouped(m->copied), 100 * copied,
               pd_grouped((uint64_t)(m->mass + 0.5)), 100 * mass);
}

/* Print it in the format options->report. PD_OK or a failure. */
static int eval_mosaic(const struct pd_eval_options *o, struct pd_result *r)
{
    struct pd_copied_texts texts = {0};
    struct pd_mosaic m = {0};
    uint64_t documents, targets;
    PD_TRY(pd_result_rows(r, "documents", &documents));
    if (!pd_result_count(r, "targets", &targets))
        targets = documents;
    const bool against = targets < documents || pd_result_has(r, "sources", "id");
    int status = add_text(r, targets, &m);
    PD_THEN(status, read_copies(r, against, &texts));
    if (status >= 0) {
        pd_mosaic_add(&m, &texts);
        print(o->report, &m);
    }
    pd_copied_texts_release(&texts);
    return status;
}

/* ---- a result against what is known ---- */

enum { UNKNOWN_SHOWN = 10 };

static bool is_pan(const struct pd_eval_options *o, const char *path)
{
    if (o->report == PD_REPORT_PAN || o->truth_format == PD_TRUTH_PAN)
        return true;
    return o->truth_format == PD_TRUTH_AUTO && pd_truth_is_pan(path);
}

/* Give the ids of the documents to the truth. PAN names a document by its file, without folders. */
static int load_documents(struct pd_eval *e, struct pd_result *r)
{
    uint64_t n;
    struct pd_cells ids = {0};
    PD_TRY(pd_result_rows(r, "documents", &n));
    const int status = pd_result_read(r, "documents", "id", 0, n, &ids);
    if (status >= 0)
        pd_truth_documents(&e->truth, (const char *)ids.values.v, ids.width, n,
                           is_pan(e->options, e->options->truth.v[0]));
    pd_bytes_release(&ids.values);
    return status;
}

/* Look which documents of the result the names mean that are no ids. docs: per name. */
static int find_documents(struct pd_result *r, const struct pd_names *names, uint64_t *docs)
{
    static const char *const columns[] = {"id", NULL};
    struct pd_given given;
    struct pd_table_reader t = {.ncolumns = 0};
    pd_given_open(&given, names);
    int status = pd_given_see_table(&given, r, "documents");
    pd_given_settle(&given);
    PD_THEN(status, pd_given_check(&given, "--truth", NULL));
    PD_THEN(status, pd_table_open(&t, r, "documents", columns));
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        size_t n;
        const char *id = pd_table_text(&t, 0, &n);
        const uint64_t k = pd_given_find(&given, id, n, UINT64_MAX);
        if (k != UINT64_MAX && docs[k] == UINT64_MAX)
            docs[k] = t.row; /* of several with one address, the first */
    }
    pd_table_close(&t);
    if (status >= 0)
        pd_given_tell(&given, "--truth");
    pd_given_release(&given);
    return status < 0 ? status : PD_OK;
}

/* Names in the truth that are no ids may name files, or be addresses. */
static int meet_unknown(struct pd_truth *t, struct pd_result *r)
{
    struct pd_names names = {0};
    uint64_t *docs = pd_realloc(NULL, t->unknown.n + 1, sizeof *docs);
    for (size_t k = 0; k < t->unknown.n; k++) {
        const char *name = pd_truth_unknown(t, k);
        pd_names_put(&names, name, strlen(name), k);
        docs[k] = UINT64_MAX;
    }
    const int status = names.names.n ? find_documents(r, &names, docs) : PD_OK;
    if (status >= 0)
        pd_truth_meet(t, docs);
    pd_names_release(&names);
    free(docs);
    return status;
}

static int load_truth(struct pd_eval *e, struct pd_result *r)
{
    const struct pd_eval_options *o = e->options;
    const bool pan = is_pan(o, o->truth.v[0]);
    for (size_t k = 0; k < o->truth.n; k++) {
        const char *path = o->truth.v[k];
        if (is_pan(o, path) != pan)
            return pd_fail(PD_EUSAGE, "--truth %s: PAN and other truth cannot be mixed", path);
        PD_TRY(pan ? pd_truth_read_pan(&e->truth, path) : pd_truth_read(&e->truth, path));
    }
    if (o->ignore)
        PD_TRY(pd_truth_read_ignored(&e->truth, o->ignore));
    PD_TRY(meet_unknown(&e->truth, r));
    pd_truth_sort(&e->truth);
    if (e->told)
        return PD_OK;
    for (size_t k = 0; k < e->truth.unknown.n && k < UNKNOWN_SHOWN; k++)
        pd_log(PD_LOG_WARN, "%s: named in the truth, but not a document of the result",
               pd_truth_unknown(&e->truth, k));
    if (e->truth.unknown.n > UNKNOWN_SHOWN)
        pd_log(PD_LOG_WARN, "%zu documents of the truth are not in the result", e->truth.unknown.n);
    return PD_OK;
}

/* Read the passages, or the matches, which have the length of one unit on each side. */
static int load_detections(struct pd_eval *e, struct pd_result *r)
{
    static const char *const columns[2][7] = {
        {"doc_a", "doc_b", "begin_a", "begin_b", "end_a", "end_b"},
        {"doc_a", "doc_b", "unit_a", "unit_b", "unit_a", "unit_b"}};
    const bool units = e->truth.units;
    const char *table = units ? "matches" : "passages";
    struct pd_table_reader t = {.ncolumns = 0};
    int status = units && !pd_result_has(r, table, "unit_a")
                     ? pd_fail(PD_EFORMAT, "%s: no matches in it; detect --matches writes them",
                               pd_result_path(r))
                     : pd_table_open(&t, r, table, columns[units]);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        const struct pd_match m = {pd_table_count(&t, 0),
                                   pd_table_count(&t, 1),
                                   pd_table_count(&t, 2),
                                   pd_table_count(&t, 3),
                                   pd_table_count(&t, 4) + units,
                                   pd_table_count(&t, 5) + units,
                                   0};
        if (m.a >= e->truth.documents || m.b >= e->truth.documents)
            status = pd_fail(PD_EFORMAT, "%s: /%s names a row that /documents has not",
                             pd_result_path(r), table);
        else if (m.begin_a < m.end_a && m.begin_b < m.end_b)
            pd_matches_push(&e->found, pd_match_ordered(m));
    }
    pd_table_close(&t);
    pd_sort_records(e->found.v, e->found.n, PD_MATCH_U64S, PD_MATCH_U64S);
    e->outside = pd_truth_judge(&e->truth, &e->found);
    return status < 0 ? status : PD_OK;
}

/* Convert the offsets of `n` marks in a text of `text_n` bytes. */
typedef void conversion(const unsigned char *text, size_t text_n, const struct pd_mark *marks,
                        size_t n);

/* Convert offsets by the texts of their documents. Each text is read once. */
static int convert_marks(struct pd_marks *marks, struct pd_result *r, conversion *convert)
{
    struct pd_fetch fetch;
    pd_sort_records(marks->v, marks->n, PD_MARK_U64S, 2);
    int status = pd_fetch_init(&fetch, r);
    for (size_t k = 0, end; k < marks->n && status >= 0; k = end) {
        for (end = k + 1; end < marks->n && marks->v[end].doc == marks->v[k].doc;)
            end++;
        status = pd_fetch_row(&fetch, marks->v[k].doc);
        if (status >= 0)
            convert(fetch.document.text, fetch.document.text_n, marks->v + k, end - k);
    }
    pd_fetch_release(&fetch);
    return status;
}

static int convert_matches(struct pd_matches *matches, uint64_t documents, struct pd_result *r,
                           conversion *convert)
{
    struct pd_marks marks = {0};
    pd_marks_of(matches, documents, &marks);
    const int status = convert_marks(&marks, r, convert);
    pd_marks_release(&marks);
    pd_sort_records(matches->v, matches->n, PD_MATCH_U64S, PD_MATCH_U64S);
    return status;
}

static int convert_ignored(struct pd_ignored_texts *texts, uint64_t documents, struct pd_result *r)
{
    struct pd_marks marks = {0};
    for (size_t k = 0; k < texts->n; k++) {
        struct pd_ignored *t = &texts->v[k];
        if (t->doc >= documents)
            continue;
        pd_marks_push(&marks, (struct pd_mark){t->doc, t->begin, &t->begin});
        pd_marks_push(&marks, (struct pd_mark){t->doc, t->end, &t->end});
    }
    const int status = convert_marks(&marks, r, pd_marks_to_chars);
    pd_marks_release(&marks);
    return status;
}

/* Bring all offsets to one unit. The truth is in characters if it is PAN's, else in bytes. */
static int agree_on_unit(struct pd_eval *e, struct pd_result *r)
{
    const bool pan = e->truth.only_listed;
    const uint64_t n = e->truth.documents;
    if (e->truth.units)
        return e->truth.ignored.n
                   ? pd_fail(PD_EUSAGE, "--ignore counts in bytes, and the truth in units")
                   : PD_OK;
    e->characters =
        e->options->unit == PD_OFFSETS_CHAR || (e->options->unit == PD_OFFSETS_AUTO && pan);
    int status = PD_OK;
    if (pan != e->characters)
        status =
            convert_matches(&e->truth.cases, n, r, pan ? pd_marks_to_bytes : pd_marks_to_chars);
    if (status >= 0 && e->characters)
        status = convert_matches(&e->found, n, r, pd_marks_to_chars);
    if (status >= 0 && e->characters)
        status = convert_ignored(&e->truth.ignored, n, r);
    return status;
}

static void cut_ignored(struct pd_eval *e)
{
    pd_ignored_merge(&e->truth.ignored);
    pd_ignored_cut(&e->truth.ignored, &e->truth.cases);
    e->ignored = pd_ignored_cut(&e->truth.ignored, &e->found);
}

static struct pd_judging judging_of(const struct pd_eval *e)
{
    return (struct pd_judging){.cases = &e->truth.cases,
                               .found = &e->found,
                               .labels = &e->truth.labels,
                               .nclasses = e->truth.class_names.n,
                               .bootstrap = (uint64_t)e->options->bootstrap,
                               .seed = (uint64_t)e->options->seed};
}

static void judge(struct pd_eval *e)
{
    const struct pd_judging in = judging_of(e);
    e->scores = pd_realloc(NULL, in.nclasses + 1, sizeof *e->scores);
    pd_measures_judge(&in, e->scores);
}

static int settle(struct pd_options *all)
{
    const struct pd_eval_options *o = (const void *)all;
    const bool sheet = o->sheet != PD_SHEET_NONE;
    const int ways = o->mosaic + sheet + (o->truth.n > 0) + (o->labels.n > 0);
    if (ways > 1)
        return pd_fail(PD_EUSAGE, "--truth, --mosaic, --sheet and --labels exclude each other");
    if (o->all.operands.n == 2 && !o->truth.n)
        return pd_fail(PD_EUSAGE, "%s: two results are compared by --truth FILE only",
                       o->all.operands.v[1]);
    if (o->all.output && !sheet && !o->labels.n)
        return pd_fail(PD_EUSAGE, "-o is for --sheet and --labels");
    return ways ? PD_OK
                : pd_fail(PD_EUSAGE, "--truth FILE is required: what is known to be duplicate; or "
                                     "--mosaic, or --sheet and --labels");
}

/* Read the truth, and the detections of a result. */
static int load(struct pd_eval *e, struct pd_result *r)
{
    PD_TRY(load_documents(e, r));
    PD_TRY(load_truth(e, r));
    PD_TRY(load_detections(e, r));
    PD_TRY(agree_on_unit(e, r));
    cut_ignored(e);
    return PD_OK;
}

static void release(struct pd_eval *e)
{
    free(e->scores);
    pd_matches_release(&e->found);
    pd_truth_release(&e->truth);
}

static int judge_by_truth(const struct pd_eval_options *o, struct pd_result *r)
{
    struct pd_eval e = {.options = o};
    const int status = load(&e, r);
    if (status >= 0) {
        judge(&e);
        pd_eval_report(&e);
    }
    release(&e);
    return status;
}

/* List the judged document pairs of a result. */
static int list_pairs(const struct pd_eval_options *o, struct pd_result *r, bool told,
                      struct pd_judged_pairs *to)
{
    struct pd_eval e = {.options = o, .told = told};
    const int status = load(&e, r);
    if (status >= 0) {
        const struct pd_judging in = judging_of(&e);
        pd_measures_pairs(&in, to);
    }
    release(&e);
    return status;
}

/* Compare two results by the same truth. */
static int compare(const struct pd_eval_options *o, struct pd_result *first)
{
    struct pd_judged_pairs lists[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    struct pd_result *second;
    PD_TRY(pd_result_open(o->all.operands.v[1], &second));
    int status = eval_same_documents(first, second);
    PD_THEN(status, list_pairs(o, first, false, &lists[0]));
    PD_THEN(status, list_pairs(o, second, true, &lists[1]));
    if (status >= 0)
        eval_paired(o, lists);
    pd_judged_pairs_release(&lists[0]);
    pd_judged_pairs_release(&lists[1]);
    pd_result_close(second);
    return status;
}

static int run(const struct pd_options *all)
{
    const struct pd_eval_options *o = (const void *)all;
    struct pd_result *r;
    PD_TRY(pd_result_open(o->all.operands.v[0], &r));
    const int status = o->mosaic                ? eval_mosaic(o, r)
                       : o->sheet               ? pd_eval_sheet(o, r)
                       : o->labels.n            ? pd_eval_labels(o, r)
                       : o->all.operands.n == 2 ? compare(o, r)
                                                : judge_by_truth(o, r);
    pd_result_close(r);
    return status < 0 ? status : pd_stdout_done();
}

static const char *const truth_format_names[] = {
    [PD_TRUTH_AUTO] = "auto", [PD_TRUTH_TSV] = "tsv", [PD_TRUTH_PAN] = "pan", NULL};
static const char *const report_names[] = {[PD_REPORT_TABLE] = "table",
                                           [PD_REPORT_TSV] = "tsv",
                                           [PD_REPORT_JSON] = "json",
                                           [PD_REPORT_PAN] = "pan",
                                           NULL};
static const char *const offset_names[] = {
    [PD_OFFSETS_AUTO] = "auto", [PD_OFFSETS_CHAR] = "chars", [PD_OFFSETS_BYTE] = "bytes", NULL};
static const char *const older_offset_names[] = {
    [PD_OFFSETS_AUTO] = "auto", [PD_OFFSETS_CHAR] = "char", [PD_OFFSETS_BYTE] = "byte", NULL};
static const char *const sheet_names[] = {[PD_SHEET_NONE] = "none",
                                          [PD_SHEET_MATCHES] = "matches",
                                          [PD_SHEET_PASSAGES] = "passages",
                                          [PD_SHEET_PAIRS] = "pairs",
                                          NULL};

#define PD_OPTIONS struct pd_eval_options

/* clang-format off */
static const struct pd_option options[] = {
    {"truth", "FILE", TEXTS(truth), OWN, NULL,
     "what is duplicate; a file of lines \"doc_a begin_a end_a doc_b begin_b end_b [class]\" or "
     "\"doc_a unit_a doc_b unit_b [class]\" or \"doc_a doc_b [class]\", with tabs; or a folder of PAN; may be given several times"},
    {"mosaic", NULL, FLAG(mosaic), OWN, NULL,
     "without a truth: how much text of the collection is a copy, weighed by how much each copy was edited"},
    {"truth-format", "F", CHOICE(truth_format, truth_format_names), OWN, "auto",
     "format of the truth; auto: pan for folders and XML files, else tsv"},
    {"ignore", "FILE", TEXT(ignore), OWN, NULL,
     "text that is not judged; a file of lines \"doc begin end\", with tabs, such as "
     "boilerplate.tsv of synth; a detection or case is left out when all its text in one "
     "document is ignored"},
    {"format", "F", CHOICE(report, report_names), OWN, "table",
     "how measures are printed; pan: a table, and --truth-format pan"},
    {"offsets", "UNIT", CHOICE(unit, offset_names), OWN, "auto",
     "what lengths and offsets count; auto: chars for PAN, else bytes; chars: characters, for which the "
     "documents are read again"},
    {"unit", "UNIT", CHOICE(unit, older_offset_names), OWN, "auto", NULL},
    {"bootstrap", "N", COUNT(bootstrap, 0, 1e6), OWN, "1000",
     "resamples of document pairs for the 95 % intervals; 0: no intervals"},
    {"sheet", "ROWS", CHOICE(sheet, sheet_names), OWN, "none",
     "draw rows of the result into a sheet (CSV) with both texts and an empty column label, for people to judge; -o NAME.html: a page to label them with keys, which saves the sheet"},
    {"count", "N", COUNT(count, 1, 1e5), OWN, "200", "rows that --sheet draws"},
    {"labels", "FILE.csv", TEXTS(labels), OWN, NULL,
     "a sheet that a person has labelled; given once for each labeller: prints their agreement (Cohen's or Fleiss' "
     "kappa), the share of each label, and precision, where 0 or no means not a duplicate"},
    {"output", "FILE", TEXT(all.output), OWN, NULL,
     "the sheet; with --labels, a sheet with the label that most labellers have given; standard output if not given"},
    {"seed", "S", COUNT(seed, 0, 1e18), OWN, "1", "seed of the resamples, and of --sheet"},
    {.name = NULL},
};
/* clang-format on */

const struct pd_command pd_command_eval = {
    .name = "eval",
    .usage = "[options] (--truth FILE | --mosaic | --sheet ROWS | --labels FILE.csv...) OUT.h5 "
             "[OTHER.h5]",
    .help = "judge a result against what is known to be duplicate",
    .brief =
        "truth truth-format mosaic ignore offsets bootstrap sheet count labels output format seed",
    .example = "pardup eval --truth truth.tsv out.h5",
    .options = options,
    .bytes = sizeof(struct pd_eval_options),
    .section = "truth",
    .operands = PD_OPERANDS_COMPARED,
    .settle = settle,
    .alone = run,
};

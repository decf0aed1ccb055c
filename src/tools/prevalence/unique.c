/* tools/prevalence/unique.c - pardup prevalence --unique: runs and judgements without repeats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/log.h"
#include "pardup/base/plain.h"
#include "pardup/corpus/list.h"
#include "pardup/run/own.h"
#include "pardup/store/commit.h"
#include "prevalence.h"

#define REPEATS "repeats.tsv"

/* ---- names of files ---- */

/* The path of the file that is written for an input: not compressed, so without such an ending. The
 * caller frees it. */
static char *path_for(const char *folder, const char *input)
{
    static const char *const endings[] = {".gz", ".zst", ".bz2", ".xz", ".lz4", ".Z", NULL};
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    size_t n = strlen(name);
    for (int k = 0; endings[k]; k++) {
        const size_t ending = strlen(endings[k]);
        if (n > ending && strcmp(name + n - ending, endings[k]) == 0) {
            n -= ending;
            break;
        }
    }
    return pd_printed("%s/%.*s", folder, (int)n, name);
}

/* Input k of the runs and the judgements; NULL: there is none. */
static const char *input(const struct pd_prevalence_options *o, size_t k)
{
    return k < o->runs.n                ? o->runs.v[k]
           : k < o->runs.n + o->qrels.n ? o->qrels.v[k - o->runs.n]
                                        : NULL;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int check_input(const struct pd_prevalence_options *o, size_t k)
{
    const char *in = input(o, k), *other;
    struct stat st;
    if (strcmp(in, "-") == 0 || (stat(in, &st) == 0 && !S_ISREG(st.st_mode)))
        return pd_fail(PD_EUSAGE, "%s: --unique reads it twice, so it must be a regular file", in);
    char *path = path_for(o->all.output, in);
    int status = PD_OK;
    if (strcmp(strrchr(path, '/') + 1, REPEATS) == 0)
        status = pd_fail(PD_EUSAGE, "%s: another name, please: -o DIR gets a file " REPEATS, in);
    for (size_t i = 0; (other = input(o, i)) && status >= 0; i++) {
        char *taken = path_for(o->all.output, other);
        if (i < k && strcmp(taken, path) == 0)
            status = pd_fail(PD_EUSAGE, "%s and %s would both be written to %s", other, in, path);
        else if (same_file(path, other))
            status = pd_fail(PD_EUSAGE, "%s: it is an input, and -o %s would replace it", path,
                             o->all.output);
        free(taken);
    }
    free(path);
    return status;
}

int pd_unique_check(const struct pd_prevalence_options *o)
{
    for (size_t k = 0; input(o, k); k++)
        PD_TRY(check_input(o, k));
    return PD_OK;
}

/* ---- what is kept ---- */

struct writing {
    struct pd_prevalence *p;
    FILE *repeats;          /* repeats.tsv.part */
    uint64_t *docs;         /* room for the documents of a set */
    uint64_t *kept;         /* room for what they repeat */
    uint64_t *ranks;        /* per line of the file: its new rank; 0: it is left out */
    size_t lines;           /* lines that `ranks` has room for */
    uint64_t written, left; /* lines */
};

static void set_rank(struct writing *w, uint64_t line, uint64_t rank)
{
    if (line >= w->lines) {
        const size_t more = line + line / 2 + 1;
        w->ranks = pd_realloc(w->ranks, more, sizeof *w->ranks);
        memset(w->ranks + w->lines, 0, (more - w->lines) * sizeof *w->ranks);
        w->lines = more;
    }
    w->ranks[line] = rank;
}

static void print_name(FILE *to, const struct pd_names *names, uint64_t number, char end)
{
    char shown[1024];
    const char *name = pd_trec_name(names, number);
    pd_plain_line(shown, sizeof shown, name, strlen(name));
    fprintf(to, "%s%c", shown, end);
}

/* Note in repeats.tsv that a document of a topic was left out. */
static void note(struct writing *w, const char *file, uint64_t topic, uint64_t doc, uint64_t kept)
{
    char shown[1024];
    pd_plain_line(shown, sizeof shown, file, strlen(file));
    fprintf(w->repeats, "%s\t", shown);
    print_name(w->repeats, &w->p->runs.topics, topic, '\t');
    print_name(w->repeats, &w->p->runs.docs, doc, '\t');
    print_name(w->repeats, &w->p->runs.docs, kept, '\n');
    w->left++;
}

/* Set the ranks of the lines of a run's file. */
static void rank_run(struct writing *w, const char *path, uint64_t file)
{
    const struct pd_trec *r = &w->p->runs;
    for (size_t from = 0, end; from < r->found.n; from = end) {
        const struct pd_found *v = r->found.v + from;
        uint64_t rank = 0;
        end = pd_trec_end(r, from);
        if (r->runs.v[v->run].file != file)
            continue;
        for (size_t k = 0; k < end - from; k++)
            w->docs[k] = v[k].doc;
        pd_near_keep_first(&w->p->near, w->docs, end - from, w->p->least.v[0], w->kept);
        for (size_t k = 0; k < end - from; k++) {
            const bool keep = w->kept[k] == v[k].doc;
            set_rank(w, v[k].line, keep ? ++rank : 0);
            if (!keep)
                note(w, path, v->topic, v[k].doc, w->kept[k]);
        }
    }
}

/* The end of the judgements of one topic in one file. */
static size_t judged_end(const struct pd_judgeds *j, size_t from)
{
    size_t end = from + 1;
    while (end < j->n && j->v[end].topic == j->v[from].topic && j->v[end].file == j->v[from].file)
        end++;
    return end;
}

/* Set rank 1 for the lines of judgements that are kept. */
static void rank_judgements(struct writing *w, const char *path, uint64_t file)
{
    const struct pd_judgeds *j = &w->p->runs.judged;
    for (size_t from = 0, end; from < j->n; from = end) {
        const struct pd_judged *v = j->v + from;
        end = judged_end(j, from);
        if (v->file != file)
            continue;
        for (size_t k = 0; k < end - from; k++)
            w->docs[k] = v[k].doc;
        pd_near_keep_first(&w->p->near, w->docs, end - from, w->p->least.v[0], w->kept);
        for (size_t k = 0; k < end - from; k++) {
            const bool keep = w->kept[k] == v[k].doc;
            set_rank(w, v[k].line, keep);
            if (!keep)
                note(w, path, v->topic, v[k].doc, w->kept[k]);
        }
    }
}

/* ---- writing ---- */

/* Print a line of a run with another rank; the other columns stay as they are. */
static void print_ranked(FILE *to, const char *line, uint64_t rank)
{
    const char *at = line;
    for (int column = 0; column < 3; column++) {
        at += strspn(at, " \t");
        at += strcspn(at, " \t");
    }
    at += strspn(at, " \t");
    fprintf(to, "%.*s%llu%s\n", (int)(at - line), line, pd_ull(rank), at + strcspn(at, " \t"));
}

static int copy_lines(struct writing *w, const char *path, FILE *to, bool ranked)
{
    struct pd_list *list;
    char *line;
    size_t n;
    int status;
    PD_TRY(pd_list_open(path, &list));
    while ((status = pd_list_next(list, &line, &n)) == PD_OK) {
        const uint64_t number = pd_list_line(list);
        const uint64_t rank = number < w->lines ? w->ranks[number] : 0;
        w->written += rank > 0;
        if (rank && ranked)
            print_ranked(to, line, rank);
        else if (rank)
            fprintf(to, "%s\n", line);
    }
    pd_list_close(list);
    return status < 0 ? status : PD_OK;
}

static int write_input(struct writing *w, size_t k)
{
    const struct pd_prevalence_options *o = w->p->options;
    const bool run = k < o->runs.n;
    const char *in = input(o, k);
    struct pd_new_file n;
    PD_TRY(pd_new_file_open(&n, NULL, path_for(o->all.output, in)));
    if (w->lines)
        memset(w->ranks, 0, w->lines * sizeof *w->ranks);
    if (run)
        rank_run(w, in, k);
    else
        rank_judgements(w, in, k - o->runs.n);
    return pd_new_file_close(&n, copy_lines(w, in, n.f, run));
}

static int write_inputs(struct writing *w)
{
    for (size_t k = 0; input(w->p->options, k); k++)
        PD_TRY(write_input(w, k));
    return PD_OK;
}

int pd_unique_write(struct pd_prevalence *p)
{
    const struct pd_trec *r = &p->runs;
    const size_t most = r->found.n > r->judged.n ? r->found.n : r->judged.n;
    struct writing w = {.p = p};
    const char *folder = p->options->all.output;
    struct pd_new_file n;
    PD_TRY(pd_own_folder(folder, REPEATS));
    PD_TRY(pd_folder_make(folder));
    PD_TRY(pd_new_file_open(&n, NULL, path_for(folder, REPEATS)));
    w.repeats = n.f;
    w.docs = pd_realloc(NULL, most, sizeof *w.docs);
    w.kept = pd_realloc(NULL, most, sizeof *w.kept);
    fputs("file\ttopic\tdocument\trepeats\n", n.f);
    const int status = pd_new_file_close(&n, write_inputs(&w));
    if (status >= 0)
        pd_log(PD_LOG_INFO, "%s: %llu lines kept, %llu left out (%s/" REPEATS " lists them)",
               folder, pd_ull(w.written), pd_ull(w.left), folder);
    PD_FREE(w.docs, w.kept, w.ranks);
    return status;
}

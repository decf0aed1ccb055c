/* tools/synth/cmd_synth.c - pardup synth: a collection with known duplicates, and what is known. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/next.h"
#include "app/print.h"
#include "bad.h"
#include "edit.h"
#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/comm/comm.h"
#include "pardup/run/option_rows.h"
#include "pardup/run/own.h"
#include "pardup/run/stages.h"
#include "pardup/store/commit.h"
#include "truth.h"

/* ---- synth.json: the properties asked for and the properties planted ---- */

#define NAMES (sizeof names / sizeof *names)

static double share(uint64_t part, uint64_t all) { return all ? (double)part / (double)all : 0; }

/* The smallest bin such that at least the share `at` of all is in it or in bins below it. */
static unsigned percentile(const uint64_t *bins, unsigned n, double at)
{
    uint64_t all = 0, sum = 0;
    for (unsigned k = 0; k < n; k++)
        all += bins[k];
    unsigned k = 0;
    for (sum = bins[0]; k + 1 < n && (double)sum < at * (double)all;)
        sum += bins[++k];
    return k;
}

static void pair(FILE *f, const char *name, double asked, double planted)
{
    fprintf(f, "  \"%s\": [%.6g, %.6g],\n", name, asked, planted);
}

static void sizes(FILE *f, const struct pd_synth_stats *s)
{
    static const char *const names[] = {"groups of 2", "groups of 3", "groups of 4",
                                        "groups of 5", "groups of 6", "groups of more"};
    static const double asked[] = {0.66, 0.14, 0.065, 0.036, 0.025, 0.074};
    for (size_t k = 0; k < NAMES; k++)
        pair(f, names[k], asked[k], share(s->sizes[k], s->groups));
}

static void runs(FILE *f, const struct pd_synth_stats *s)
{
    static const char *const names[] = {"runs of 1", "runs of 2", "runs of 3 to 4",
                                        "runs of 5 to 9", "runs of 10 to 49"};
    static const double asked[] = {0.60, 0.20, 0.12, 0.06, 0.02};
    for (size_t k = 0; k < NAMES; k++)
        pair(f, names[k], asked[k], share(s->runs[k], s->partial));
}

static void percentiles(FILE *f, const struct pd_synth_stats *s, int learned)
{
    static const struct {
        const char *sentences, *words;
        double at, page, sentence;
    } rows[] = {{"sentences per page, 10 %", "words per sentence, 10 %", 0.1, 2, 6},
                {"sentences per page, 50 %", "words per sentence, 50 %", 0.5, 19, 12},
                {"sentences per page, 90 %", "words per sentence, 90 %", 0.9, 105, 27}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        pair(f, rows[k].sentences, rows[k].page,
             percentile(s->page_bins, PD_SYNTH_PAGE_BINS, rows[k].at));
    for (size_t k = 0; k < sizeof rows / sizeof *rows && !learned; k++)
        pair(f, rows[k].words, rows[k].sentence,
             percentile(s->word_bins, PD_SYNTH_WORD_BINS, rows[k].at));
}

static void edits(FILE *f, const struct pd_synth_maker *m, const struct pd_synth_stats *s)
{
    const struct pd_synth_rates *rates = &pd_synth_rates[m->options.profile];
    const uint64_t *n = s->ops;
    const uint64_t replaced =
        n[PD_SYNTH_ABOVE] + n[PD_SYNTH_BELOW] + n[PD_SYNTH_REWORDED] + n[PD_SYNTH_NEW];
    const uint64_t moved = n[PD_SYNTH_INSERTED] + n[PD_SYNTH_DELETED];
    pair(f, "sentences replaced", rates->replaced, share(replaced, s->of_copies));
    pair(f, "sentences inserted or deleted", rates->moved, share(moved, s->of_copies));
}

static void counts(FILE *f, const struct pd_synth_stats *s, uint64_t shards)
{
    fprintf(f,
            "  \"documents\": %llu, \"files\": %llu, \"html_bytes\": %llu, \"text_bytes\": %llu,\n"
            "  \"sentences\": %llu, \"words\": %llu, \"groups\": %llu, \"near_documents\": %llu,\n"
            "  \"partial_copies\": %llu, \"passages_cut_in_a_sentence\": %llu,\n  "
            "\"pairs_of_sentences_same_by_chance\": %llu,\n  \"passages\": {",
            pd_ull(s->documents), pd_ull(shards), pd_ull(s->html_bytes), pd_ull(s->text_bytes),
            pd_ull(s->sentences), pd_ull(s->words), pd_ull(s->groups), pd_ull(s->near_documents),
            pd_ull(s->partial), pd_ull(s->cut), pd_ull(s->chance));
    for (int k = 0; k < PD_SYNTH_CLASSES; k++)
        fprintf(f, "%s\"%s\": %llu", k ? ", " : "", pd_synth_class_names[k],
                pd_ull(s->passages[k]));
    fputs("}\n}\n", f);
}

/* Write the report to `f`. Shares and percentiles are pairs, [asked, planted]. */
static void synth_report(const struct pd_synth_maker *m, const struct pd_synth_stats *s,
                         uint64_t shards, FILE *f)
{
    const struct pd_synth_options *o = &m->options;
    uint64_t rare = 0;
    for (int k = 1; k < PD_SYNTH_COMMONS; k++)
        rare += s->common[k];
    fprintf(f, "{\n  \"seed\": %lld, \"profile\": \"%s\", \"tau\": %g,\n", (long long)o->seed,
            pd_synth_profile_names[o->profile], o->tau);
    pair(f, "bytes per page", (double)o->page_bytes, (double)s->html_bytes / (double)s->documents);
    pair(f, "pages in groups", o->near, share(s->near_documents, s->documents));
    sizes(f, s);
    pair(f, "pages with a partial copy", o->partial, share(s->partial, s->documents));
    runs(f, s);
    pair(f, "copies inside a host", 0.8, share(s->same_host, s->copies));
    percentiles(f, s, o->learn != NULL);
    edits(f, m, s);
    pair(f, "pages with the most common sentence", 0.05, share(s->common[0], s->documents));
    pair(f, "pages with each of ten common sentences", 0.01,
         share(rare, (PD_SYNTH_COMMONS - 1) * s->documents));
    counts(f, s, shards);
}

/* ---- the command ---- */

struct options {
    struct pd_options all;
    struct pd_synth_options synth;
};

#define REPORT     "synth.json"  /* the last file that is written */
#define UNFINISHED ".unfinished" /* a file while others are written */

enum { PATH_MOST = 4096, NAME_MOST = 128, BUFFER = 1 << 20 };

struct job {
    const struct pd_comm *comm;
    const char *dir; /* where the collection is written; "-": standard output */
    struct pd_synth_maker maker;
    struct pd_synth_packer packer;
    struct pd_synth_content content;
    struct pd_synth_page page;
    struct pd_synth_stats stats;
    struct pd_synth_chance chance;
    struct pd_bytes rows; /* of a truth file, or of boilerplate, until they are written */
    uint64_t per_shard;   /* documents in a shard */
    uint64_t shards;      /* files of the collection; with --container text: groups of files */
    uint64_t blocks;      /* blocks of PD_SYNTH_BLOCK documents */
};

/* Open a file in the folder of the collection. */
static int target_open(struct pd_new_file *t, const char *dir, const char *name)
{
    return pd_new_file_open(t, NULL, pd_printed("%s/%s", dir, name));
}

static int write_bytes(FILE *f, const char *path, const struct pd_bytes *b)
{
    if (b->n > 0 && fwrite(b->v, 1, b->n, f) != b->n)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    return PD_OK;
}

static int make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? PD_OK
               : pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
}

/* ---- shards ---- */

static void boilerplate_rows(struct job *j, const char *id)
{
    const struct pd_synth_page *g = &j->page;
    char row[3 * (PD_SYNTH_ID + NAME_MOST)];
    int n = snprintf(row, sizeof row, "%s\t%u\t%u\thost-%u\n%s\t%u\t%u\thost-%u\n", id,
                     g->head.begin, g->head.end, g->host, id, g->foot.begin, g->foot.end, g->host);
    if (g->which < PD_SYNTH_COMMONS)
        n += snprintf(row + n, sizeof row - (size_t)n, "%s\t%u\t%u\tcommon-%u\n", id,
                      g->common.begin, g->common.end, g->which);
    pd_bytes_append(&j->rows, row, (size_t)n);
}

/*
 * Make a document and count it in j->stats. Returns its record, valid until the next call; the rows
 * of its boilerplate are appended to j->rows.
 */
static const struct pd_bytes *make_record(struct job *j, uint64_t document)
{
    char id[PD_SYNTH_ID];
    const uint64_t slot = pd_synth_slot_of(&j->maker.plan, document);
    const struct pd_synth_slot *s =
        &pd_synth_block(&j->maker.plan, slot / PD_SYNTH_BLOCK)->v[slot % PD_SYNTH_BLOCK];
    pd_synth_content(&j->maker, slot, &j->content);
    pd_synth_page(&j->maker, slot, &j->content, &j->page);
    pd_synth_count(&j->content, s->parent != PD_SYNTH_NONE && s->run == 0, &j->page, &j->stats);
    pd_synth_chance_add(&j->chance, &j->content);
    pd_synth_id(&j->maker, document, id);
    boilerplate_rows(j, id);
    return pd_synth_record(&j->maker, document, &j->page, &j->packer);
}

static int write_single(struct job *j, uint64_t document, const struct pd_bytes *record)
{
    struct pd_new_file t;
    char id[PD_SYNTH_ID], folder[PATH_MOST];
    pd_synth_id(&j->maker, document, id);
    snprintf(folder, sizeof folder, "%s/%.*s", j->dir, (int)strcspn(id, "/"), id);
    PD_TRY(make_folder(folder));
    PD_TRY(target_open(&t, j->dir, id));
    return pd_new_file_close(&t, write_bytes(t.f, t.path, record));
}

static void shard_range(const struct job *j, uint64_t shard, uint64_t *begin, uint64_t *end)
{
    *begin = shard * j->per_shard;
    *end = *begin + j->per_shard;
    if (*end > j->maker.plan.documents)
        *end = j->maker.plan.documents;
}

/* Write all documents of a shard to `f`; if `f` is NULL, write each document to its own file. */
static int write_documents(struct job *j, uint64_t shard, FILE *f, const char *path)
{
    uint64_t document, end;
    int status = PD_OK;
    for (shard_range(j, shard, &document, &end); document < end && status >= 0; document++) {
        const struct pd_bytes *record = make_record(j, document);
        if ((status = pd_comm_check_stop()) < 0)
            break;
        status = f ? write_bytes(f, path, record) : write_single(j, document, record);
    }
    return status;
}

static int write_rows(struct job *j, const char *name)
{
    struct pd_new_file t;
    PD_TRY(target_open(&t, j->dir, name));
    return pd_new_file_close(&t, write_bytes(t.f, t.path, &j->rows));
}

static int write_shard(struct job *j, uint64_t shard)
{
    static const char *const extensions[] = {"warc", "jsonl", "txt"};
    const struct pd_synth_options *o = &j->maker.options;
    struct pd_new_file t;
    char name[NAME_MOST];
    j->rows.n = 0;
    if (o->container == PD_SYNTH_TEXT) {
        PD_TRY(write_documents(j, shard, NULL, NULL));
    } else {
        snprintf(name, sizeof name, "part-%05llu.%s%s", pd_ull(shard), extensions[o->container],
                 o->pack == PD_SYNTH_GZIP ? ".gz" : "");
        PD_TRY(target_open(&t, j->dir, name));
        PD_TRY(pd_new_file_close(&t, write_documents(j, shard, t.f, t.path)));
    }
    snprintf(name, sizeof name, ".boilerplate-%05llu", pd_ull(shard));
    return write_rows(j, name);
}

static int write_shards(struct job *j)
{
    int status = PD_OK;
    for (uint64_t k = (uint64_t)j->comm->rank; k < j->shards && status >= 0;
         k += (uint64_t)j->comm->size)
        status = write_shard(j, k);
    return pd_comm_agree(j->comm, status);
}

/* ---- truth ---- */

/* Write the truth of this rank's blocks of documents, in order, to a file of its own. */
static int write_truth(struct job *j)
{
    const uint64_t rank = (uint64_t)j->comm->rank, size = (uint64_t)j->comm->size;
    const uint64_t end = j->blocks * (rank + 1) / size;
    struct pd_new_file t;
    char name[NAME_MOST];
    int status = PD_OK;
    snprintf(name, sizeof name, ".truth-%05llu", pd_ull(rank));
    PD_TRY(target_open(&t, j->dir, name));
    for (uint64_t k = j->blocks * rank / size; k < end && status >= 0; k++) {
        j->rows.n = 0;
        pd_synth_truth(&j->maker, k, &j->rows, &j->stats);
        status = write_bytes(t.f, t.path, &j->rows);
        PD_THEN(status, pd_comm_check_stop());
    }
    return pd_new_file_close(&t, status);
}

/* Append the file of a rank or shard to `to`, and remove it. */
static int take_file(struct job *j, const char *kind, uint64_t number, struct pd_new_file *to)
{
    char path[PATH_MOST + NAME_MOST];
    snprintf(path, sizeof path, "%s/.%s-%05llu", j->dir, kind, pd_ull(number));
    FILE *f = fopen(path, "rb");
    if (!f)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    int status = PD_OK;
    pd_bytes_reserve(&j->rows, BUFFER);
    while (status >= 0 && (j->rows.n = fread(j->rows.v, 1, BUFFER, f)) > 0)
        status = write_bytes(to->f, to->path, &j->rows);
    if (status >= 0 && ferror(f))
        status = pd_fail(PD_EIO, "%s: cannot be read", path);
    fclose(f);
    if (unlink(path) != 0)
        PD_THEN(status, pd_fail(PD_EIO, "%s: %s", path, strerror(errno)));
    return status;
}

static int join_files(struct job *j, const char *kind, const char *columns, uint64_t nfiles)
{
    struct pd_new_file t;
    char name[NAME_MOST];
    int status = PD_OK;
    snprintf(name, sizeof name, "%s.tsv", kind);
    PD_TRY(target_open(&t, j->dir, name));
    fputs(columns, t.f);
    for (uint64_t k = 0; k < nfiles && status >= 0; k++)
        status = take_file(j, kind, k, &t);
    return pd_new_file_close(&t, status);
}

static int write_bad(struct job *j)
{
    struct pd_new_file t;
    j->rows.n = 0;
    PD_TRY(pd_synth_bad(&j->maker, j->maker.options.bad, &j->packer, &j->rows));
    PD_TRY(target_open(&t, j->dir, "bad.warc.gz"));
    return pd_new_file_close(&t, write_bytes(t.f, t.path, &j->rows));
}

static int write_report(struct job *j)
{
    struct pd_new_file t;
    PD_TRY(target_open(&t, j->dir, REPORT));
    synth_report(&j->maker, &j->stats, j->shards, t.f);
    return pd_new_file_close(&t, PD_OK);
}

/* Write the mark of a collection that is not whole yet, or take it away. */
static int mark_folder(const char *dir, bool unfinished)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s/" UNFINISHED, PATH_MAX - (int)sizeof UNFINISHED - 1, dir);
    const int fd = unfinished ? open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666) : unlink(path);
    if (fd < 0)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    if (unfinished)
        close(fd);
    return PD_OK;
}

/* Write the files that a collection has once. On rank 0 only. */
static int finish(struct job *j)
{
    PD_TRY(join_files(j, "truth", pd_synth_truth_columns, (uint64_t)j->comm->size));
    PD_TRY(join_files(j, "boilerplate", "# doc\tbegin\tend\tkind\n", j->shards));
    if (j->maker.options.bad)
        PD_TRY(write_bad(j));
    PD_TRY(write_report(j));
    return mark_folder(j->dir, false);
}

/* COLLECTIVE. Count pairs of sentences that are the same by chance; all ranks get the count. */
static void count_chance(struct job *j)
{
    struct pd_bytes all = {0};
    pd_comm_gather(j->comm, j->chance.own.v, j->chance.own.n * sizeof *j->chance.own.v, &all);
    j->stats.chance =
        pd_synth_chance_pairs((uint64_t *)all.v, all.n / sizeof(uint64_t), j->chance.every);
    pd_bytes_release(&all);
}

/* May the folder be written? It is empty, or has the report or the mark of an earlier collection. */
static int take_folder(const char *dir)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s/" UNFINISHED, PATH_MAX - (int)sizeof UNFINISHED - 1, dir);
    return access(path, F_OK) == 0 ? PD_OK : pd_own_folder(dir, REPORT);
}

/* Nothing more is written, after a failure: an empty folder needs no mark. */
static void leave_folder(const char *dir)
{
    mark_folder(dir, false);
    if (pd_own_folder(dir, REPORT) < 0)
        mark_folder(dir, true);
}

/* COLLECTIVE. Make the folder, and keep other jobs out of it: *lock is to be closed. */
static int claim_folder(const struct job *j, int *lock)
{
    int status = PD_OK;
    if (j->comm->rank == 0) {
        status = take_folder(j->dir);
        PD_THEN(status, make_folder(j->dir));
        PD_THEN(status, pd_folder_lock(j->dir, lock));
        PD_THEN(status, mark_folder(j->dir, true));
    }
    return pd_comm_agree(j->comm, status);
}

static int write_collection(struct job *j)
{
    const double start = pd_clock();
    PD_TRY(write_shards(j));
    const double written = pd_clock();
    PD_TRY(pd_comm_agree(j->comm, write_truth(j)));
    pd_comm_sum(j->comm, (uint64_t *)&j->stats, sizeof j->stats / sizeof(uint64_t));
    count_chance(j);
    PD_TRY(pd_comm_agree(j->comm, j->comm->rank == 0 ? finish(j) : PD_OK));
    const double megabytes = (double)j->stats.html_bytes / 1e6;
    pd_log(PD_LOG_INFO,
           "%s document%s, %.1f MB of HTML in %s file%s: %.1f s (%.0f MB/s), "
           "truth %.1f s",
           pd_grouped(j->stats.documents), pd_plural(j->stats.documents), megabytes,
           pd_grouped(j->shards), pd_plural(j->shards), written - start,
           megabytes / (written - start), pd_clock() - written);
    return PD_OK;
}

static int stream(struct job *j)
{
    const struct pd_synth_options *o = &j->maker.options;
    if (o->container == PD_SYNTH_TEXT)
        return pd_fail(PD_EUSAGE, "--container text is a file a document: it needs -o DIR");
    if ((uint64_t)o->shard >= j->shards)
        return pd_fail(PD_EUSAGE, "--shard %lld: the shards are 0 to %llu", (long long)o->shard,
                       pd_ull(j->shards - 1));
    PD_TRY(write_documents(j, (uint64_t)o->shard, stdout, "standard output"));
    return pd_stdout_done();
}

static int settle(struct pd_options *o)
{
    return o->output ? PD_OK : pd_fail(PD_EUSAGE, "-o DIR is required: where to write");
}

static int run(const struct pd_comm *c, const struct pd_options *all)
{
    const struct pd_synth_options *o = &((const struct options *)(const void *)all)->synth;
    struct job j = {.comm = c, .dir = all->output};
    int lock = -1;
    if (o->bad)
        PD_TRY(pd_comm_agree(c, pd_synth_bad_check(o->bad)));
    pd_synth_packer_init(&j.packer);
    int status = pd_comm_agree(c, pd_synth_open(&j.maker, o));
    if (status >= 0) {
        j.per_shard = (uint64_t)((o->shard_bytes + o->page_bytes - 1) / o->page_bytes);
        j.shards = (j.maker.plan.documents + j.per_shard - 1) / j.per_shard;
        j.blocks = (j.maker.plan.documents + PD_SYNTH_BLOCK - 1) / PD_SYNTH_BLOCK;
        pd_synth_chance_init(&j.chance, j.maker.plan.documents);
        const bool streams = strcmp(j.dir, "-") == 0;
        status =
            streams ? pd_comm_agree(c, c->rank == 0 ? stream(&j) : PD_OK) : claim_folder(&j, &lock);
        if (status >= 0 && !streams)
            status = write_collection(&j);
    }
    if (status < 0 && lock >= 0)
        leave_folder(j.dir);
    if (lock >= 0)
        close(lock);
    pd_synth_close(&j.maker);
    pd_synth_packer_release(&j.packer);
    pd_synth_content_release(&j.content);
    pd_synth_page_release(&j.page);
    pd_bytes_release(&j.rows);
    pd_synth_hashes_release(&j.chance.own);
    return status;
}

static const char *const container_names[] = {
    [PD_SYNTH_WARC] = "warc", [PD_SYNTH_JSONL] = "jsonl", [PD_SYNTH_TEXT] = "text", NULL};
static const char *const pack_names[] = {[PD_SYNTH_GZIP] = "gzip", [PD_SYNTH_PLAIN] = "none", NULL};

#define PD_OPTIONS struct options

/* clang-format off */
static const struct pd_option options[] = {
    {"output", "DIR", TEXT(all.output), OWN, NULL,
     "folder of the collection and its truth; -: one file of the collection to standard output"},
    {"seed", "S", COUNT(synth.seed, 0, 1e18), OWN, "1",
     "another seed gives another collection"},
    {"documents", "N", COUNT(synth.documents, 0, 1e12), OWN, "0",
     "pages in the collection; 0: --bytes decides"},
    {"bytes", "SIZE", BYTES(synth.bytes, 1, 1e15), OWN, "100M",
     "bytes of HTML in the collection, about (K, M, G, T)"},
    {"page-bytes", "SIZE", BYTES(synth.page_bytes, 1, 1e9), OWN, "22500",
     "bytes of HTML in the mean page; a page is never shorter than its text needs"},
    {"shard-bytes", "SIZE", BYTES(synth.shard_bytes, 1, 1e15), OWN, "1G",
     "bytes of HTML in one file, about (K, M, G, T)"},
    {"shard", "K", COUNT(synth.shard, 0, 1e12), OWN, "0",
     "with -o -: number of the file, from 0"},
    {"profile", "P", CHOICE(synth.profile, pd_synth_profile_names), OWN, "versions",
     "how copied sentences are edited"},
    {"near", "X", REAL(synth.near, 0, 0.5), OWN, "0.24",
     "share of pages in groups of near duplicates"},
    {"partial", "X", REAL(synth.partial, 0, 0.5), OWN, "0.15",
     "share of pages that hold a partial copy"},
    {"tau", "T", REAL(synth.tau, 1e-9, 1), OWN, "0.9",
     "some edits leave sentences just above or just below this similarity"},
    {"container", "C", CHOICE(synth.container, container_names), OWN, "warc",
     "format of the files; text: one file for each document"},
    {"pack", "P", CHOICE(synth.pack, pack_names), OWN, "gzip",
     "compression; gzip: one member for each document"},
    {"learn", "FILES", TEXT(synth.learn), OWN, NULL,
     "take words, frequencies and sentence lengths from these texts, separated by commas"},
    {"bad", "CASES", TEXT(synth.bad), OWN, NULL,
     "also write bad.warc.gz with some of: empty,huge,repeat,charset,binary,twice,cut"},
    {.name = NULL},
};
/* clang-format on */

const struct pd_command pd_command_synth = {
    .name = "synth",
    .usage = "[options] -o DIR",
    .help = "make a collection with known duplicates",
    .brief = "output seed documents bytes page-bytes profile near partial container",
    .example = "pardup synth --bytes 100M -o pages/",
    .options = options,
    .bytes = sizeof(struct options),
    .section = "the collection",
    .operands = PD_OPERANDS_NONE,
    .next = pd_next_detect,
    .settle = settle,
    .together = run,
};

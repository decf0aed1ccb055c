/*
 * tests/stage/test_run_jobs.c - whole jobs on one rank: a job that was left after any stage, or
 * with damaged files, is resumed to the same result; a dry run says what the job finds.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/result/schema.h"
#include "pardup/run/dedup.h"
#include "pardup/run/detect.h"
#include "pd_random.h"
#include "run/stage/resume/checkpoint.h"
#include "stage.h"

static void make_docs(struct stage_docs *d, uint64_t seed)
{
    static const struct stage_random how = {
        .docs = 60, .units = 40, .words = 8, .different = 90, .copied = 40, .changed = 3};
    stage_docs_random(d, &seed, &how);
    for (size_t k = 0; k < d->docs.n; k++)
        snprintf(d->docs.v[k].url, sizeof d->docs.v[k].url, "http://h%zu.example/n%zu", k % 3, k);
}

/* ---- a result as bytes ---- */

/* Append all columns of a table. */
static void append_table(struct pd_result *r, const struct pd_table_schema *table,
                         struct pd_bytes *to)
{
    struct pd_cells cells = {0};
    for (size_t c = 0; table->columns[c].name; c++)
        if (pd_result_has(r, table->name, table->columns[c].name)) {
            CU_ASSERT_EQUAL(pd_result_read(r, table->name, table->columns[c].name, 0,
                                           stage_rows(r, table->name), &cells),
                            PD_OK);
            pd_bytes_append(to, cells.values.v, cells.values.n);
        }
    pd_bytes_release(&cells.values);
}

/* All tables, and some attributes. */
static void read_result(const char *path, struct pd_bytes *to)
{
    static const char *const counts[] = {"documents",  "words",           "terms_left_out",
                                         "candidates", "similar_classes", "template_words"};
    struct pd_result *r = stage_result_open(path);
    to->n = 0;
    for (int k = 0; k < PD_TABLES; k++)
        append_table(r, &pd_schema[k], to);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        uint64_t count = 0;
        CU_ASSERT_TRUE(pd_result_count(r, counts[k], &count));
        pd_bytes_append(to, &count, sizeof count);
    }
    stage_result_close(r);
}

/* Run a whole job, and read its result. */
static void run_job(const char *options, const char *operands, struct pd_bytes *to)
{
    struct stage s;
    stage_parse_job(&s, options, operands);
    if (pd_detect(&test_comm, &s.options) < 0)
        pd_panic("%s", pd_error_text());
    read_result(s.options.output, to);
    stage_close(&s);
}

/* Targets and sources: the result says which documents and files are which. */
static void test_sides(void)
{
    enum { TARGETS = 23 };
    struct stage_docs d = {0};
    struct stage s;
    uint64_t targets, files;
    make_docs(&d, 5);
    for (size_t k = TARGETS; k < d.docs.n; k++)
        d.docs.v[k].file = 1;
    stage_parse_job(&s, "--preset texts", stage_write_operands(&d));
    CU_ASSERT_EQUAL(pd_detect(&test_comm, &s.options), PD_OK);
    struct pd_result *r = stage_result_open(s.options.output);
    CU_ASSERT_TRUE(pd_result_count(r, "targets", &targets) && targets == TARGETS);
    CU_ASSERT_TRUE(pd_result_count(r, "target_files", &files) && files == 1);
    stage_result_close(r);
    stage_close(&s);
    stage_docs_release(&d);
}

/*
 * Every third document has the ignored units, of which the first stands in two places; two documents
 * are nothing else. So nothing is shared, and the result says how much is set aside.
 */
static void test_ignored(void)
{
    enum { DOCS = 30, TASK = 4, WORDS = 9, ONLY = 12 };
    struct stage_docs d = {0}, task = {0};
    struct stage s;
    char options[700];
    uint64_t documents = 0, words = 0, counted[2];
    for (uint32_t doc = 0; doc < DOCS; doc++) {
        stage_add_doc(&d);
        for (uint32_t u = 0; u < TASK + 1 && doc % 3 == 0; u++) {
            stage_add_unit(&d);
            for (uint32_t k = 0; k < WORDS + u % TASK; k++, words++)
                stage_add_word(&d, 100 * (u % TASK) + k);
        }
        documents += doc % 3 == 0;
        for (uint32_t u = 0; u < 3 && doc != ONLY && doc != 2 * ONLY; u++) {
            stage_add_unit(&d);
            for (uint32_t k = 0; k < WORDS; k++)
                stage_add_word(&d, 1000 + 100 * doc + 10 * u + k);
        }
    }
    stage_add_doc(&task);
    for (uint32_t u = 0; u < TASK; u++) {
        stage_add_unit(&task);
        for (uint32_t k = 0; k < WORDS + u; k++)
            stage_add_word(&task, 100 * u + k);
    }
    snprintf(options, sizeof options, "--preset texts --gamma 0 --ignore %.600s",
             stage_write_lines(&task, 0, "task.jsonl"));
    stage_parse_job(&s, options, stage_write_operands(&d));
    CU_ASSERT_EQUAL(pd_detect(&test_comm, &s.options), PD_OK);
    struct pd_result *r = stage_result_open(s.options.output);
    CU_ASSERT_TRUE(pd_result_count(r, "ignored_documents", &counted[0]) && counted[0] == documents);
    CU_ASSERT_TRUE(pd_result_count(r, "ignored_words", &counted[1]) && counted[1] == words);
    CU_ASSERT_EQUAL(stage_rows(r, "passages"), 0);
    stage_result_close(r);
    unlink(s.options.output);
    stage_close(&s);
    stage_docs_release(&d);
    stage_docs_release(&task);
}

/* ---- jobs that end early ---- */

enum { BEGUN, HALF_READ, READ, COUNTED, MATCHED, STOPPED, ALIGNED, STOPS };

/* The stages that a job runs before it is left. */
static void run_until(struct pd_job *job, int stop)
{
    CU_ASSERT_EQUAL(pd_job_set_sides(job), PD_OK);
    pd_job_choose_preset(job, 1);
    if (stop >= COUNTED)
        CU_ASSERT_EQUAL(pd_job_count(job), PD_OK);
    if (stop >= MATCHED)
        CU_ASSERT_TRUE(pd_job_gather(job) == PD_OK && pd_job_join(job) == PD_OK &&
                       pd_checkpoint_save_matches(job) == PD_OK);
    if (stop == STOPPED)
        pd_comm_ask_to_stop(SIGTERM);
    if (stop >= STOPPED)
        CU_ASSERT_EQUAL(pd_job_align(job), stop == STOPPED ? PD_ESTOP : PD_OK);
    pd_comm_ask_to_stop(0);
}

/* Begin a job, and leave it. */
static void leave_job(const char *options, const char *operands, int stop)
{
    struct stage s;
    stage_list(&s, options, operands);
    if (stop == HALF_READ)
        pd_comm_ask_to_stop(SIGTERM);
    if (stop >= HALF_READ)
        CU_ASSERT_EQUAL(stage_read(&s), stop == HALF_READ ? PD_ESTOP : PD_OK);
    pd_comm_ask_to_stop(0);
    if (stop >= READ)
        run_until(&s.job, stop);
    stage_abandon(&s);
}

/* Go on with a job that was left, and compare its result. */
static void expect_same(const char *options, const char *operands, const struct pd_bytes *expected)
{
    struct pd_bytes got = {0};
    char all[512];
    snprintf(all, sizeof all, "%s --resume", options);
    run_job(all, operands, &got);
    CU_ASSERT_EQUAL(got.n, expected->n);
    CU_ASSERT_TRUE(got.n == expected->n && memcmp(got.v, expected->v, got.n) == 0);
    pd_bytes_release(&got);
}

#define SETS "--feature words --idf 0.1,1 --always-df 3 --max-df 20 --gamma 0 --join jaccard "
static const char *const methods[] = {
    "--method pdc-imatch --gamma 0 --idf 0,1 --max-df 9 --common first --copies report",
    SETS "--tau 0.5 --memory 1M",
    "--preset web --gamma 0 --min-passage-words 3 --min-counted 1",
    "--preset edited --memory 1M",
};
enum { METHODS = sizeof methods / sizeof *methods };

static void test_left_after_a_stage(void)
{
    for (int m = 0; m < METHODS; m++) {
        struct stage_docs d = {0};
        struct pd_bytes expected = {0};
        make_docs(&d, 1 + (uint64_t)m);
        const char *operands = stage_write_operands(&d);
        run_job(methods[m], operands, &expected);
        CU_ASSERT_TRUE(expected.n > 10000);
        for (int stop = BEGUN; stop < STOPS; stop++) {
            leave_job(methods[m], operands, stop);
            expect_same(methods[m], operands, &expected);
        }
        expect_same(methods[m], operands, &expected); /* no checkpoint is there */
        pd_bytes_release(&expected);
        stage_docs_release(&d);
    }
}

/* Nothing that is done is done again: pieces, matches and slices are taken up. */
static void test_taken_up(void)
{
    struct stage_docs d = {0};
    struct stage s;
    char all[512];
    bool taken = false;
    pd_doc from = 0;
    make_docs(&d, 2);
    const char *operands = stage_write_operands(&d);
    leave_job(methods[1], operands, ALIGNED);
    snprintf(all, sizeof all, "%s --resume", methods[1]);
    stage_list(&s, all, operands);
    struct pd_collection *col = &s.job.collection;
    unsigned char *done = pd_realloc(NULL, col->pieces.n + 1, 1);
    CU_ASSERT_TRUE(s.job.resumed);
    CU_ASSERT_EQUAL(pd_checkpoint_take_volumes(col, done), PD_OK);
    for (size_t k = 0; k < col->pieces.n; k++)
        CU_ASSERT_EQUAL(done[k], 1);
    CU_ASSERT_EQUAL(pd_collection_read(col, done, &s.job.stages), PD_OK);
    CU_ASSERT_EQUAL(col->totals.documents, d.docs.n);
    CU_ASSERT_EQUAL(pd_job_set_sides(&s.job), PD_OK);
    CU_ASSERT_EQUAL(pd_checkpoint_take_matches(&s.job, &taken), PD_OK);
    CU_ASSERT_TRUE(taken && s.job.matches.counts.similar > 0);
    pd_checkpoint_take_slices(&s.job, &from);
    CU_ASSERT_TRUE(from == d.docs.n && s.job.aligned.nslices > 1);
    free(done);
    stage_close(&s);
    stage_docs_release(&d);
}

/* ---- damage ---- */

/* The scratch folder of the job, in the folder of the test. */
static void find_scratch(char *path, size_t n)
{
    DIR *dir = opendir(stage_folder());
    *path = '\0';
    for (struct dirent *e; (e = readdir(dir));) {
        struct stat st;
        char found[4500];
        snprintf(found, sizeof found, "%s/%s", stage_folder(), e->d_name);
        if (e->d_name[0] != '.' && stat(found, &st) == 0 && S_ISDIR(st.st_mode))
            snprintf(path, n, "%s", found);
    }
    closedir(dir);
    PD_CHECK(*path);
}

/* Remove a file, cut it, or change a byte of it. */
static void damage_file(const char *path, uint64_t *seed)
{
    struct stat st;
    PD_CHECK(stat(path, &st) == 0);
    const off_t at = st.st_size ? (off_t)pd_random_below(seed, (uint32_t)st.st_size) : 0;
    const uint32_t how = st.st_size ? pd_random_below(seed, 3) : 0;
    if (how == 0) {
        PD_CHECK(unlink(path) == 0);
    } else if (how == 1) {
        PD_CHECK(truncate(path, at) == 0);
    } else {
        const int fd = open(path, O_RDWR);
        unsigned char c;
        PD_CHECK(pread(fd, &c, 1, at) == 1);
        c ^= 0x55;
        PD_CHECK(pwrite(fd, &c, 1, at) == 1);
        close(fd);
    }
}

/* Damage one file in the scratch folder. Returns how many there were to choose from. */
static uint32_t damage(uint64_t *seed)
{
    char folder[4500], path[5000];
    char names[200][256];
    uint32_t n = 0;
    find_scratch(folder, sizeof folder);
    DIR *dir = opendir(folder);
    for (struct dirent *e; (e = readdir(dir)) && n < 200;)
        if (e->d_name[0] != '.' && strcmp(e->d_name, PD_SCRATCH_LOCK) != 0)
            snprintf(names[n++], sizeof names[0], "%s", e->d_name);
    closedir(dir);
    if (n > 0) {
        snprintf(path, sizeof path, "%s/%s", folder, names[pd_random_below(seed, n)]);
        damage_file(path, seed);
    }
    return n;
}

static void test_damaged(void)
{
    struct stage_docs d = {0};
    uint64_t seed = 9;
    make_docs(&d, 2);
    const char *operands = stage_write_operands(&d);
    for (int m = 0; m < 2; m++) {
        struct pd_bytes expected = {0};
        run_job(methods[m], operands, &expected);
        for (int k = 0; k < 12; k++) {
            leave_job(methods[m], operands, k % 2 ? ALIGNED : MATCHED);
            CU_ASSERT_TRUE(damage(&seed) > 4);
            expect_same(methods[m], operands, &expected);
        }
        pd_bytes_release(&expected);
    }
    stage_docs_release(&d);
}

/* Other options, or other inputs, are refused with a reason; what does not matter is not. */
static void test_stale(void)
{
    struct stage_docs d = {0};
    struct pd_bytes expected = {0};
    struct stage s;
    make_docs(&d, 2);
    const char *operands = stage_write_operands(&d);
    const char *method = "--method pdc-imatch --gamma 0 --idf 0,1";
    run_job(method, operands, &expected);
    leave_job(method, operands, ALIGNED);
    stage_parse_job(&s, "--method pdc-imatch --gamma 1 --idf 0,1 --resume", operands);
    CU_ASSERT_EQUAL(pd_detect(&test_comm, &s.options), PD_ESTALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "other options"));
    stage_close(&s);
    expect_same("--method pdc-imatch --gamma 0 --idf 0,1 --memory 2M", operands, &expected);
    leave_job(method, operands, ALIGNED);
    d.docs.v[0].url[7] = 'x';
    stage_write_operands(&d);
    stage_parse_job(&s, "--method pdc-imatch --gamma 0 --idf 0,1 --resume", operands);
    CU_ASSERT_EQUAL(pd_detect(&test_comm, &s.options), PD_ESTALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "another input"));
    stage_close(&s);
    run_job(method, operands, &expected); /* without --resume the checkpoint goes */
    pd_bytes_release(&expected);
    stage_docs_release(&d);
}

/* A list of words that has changed is another input, too. */
static void test_stale_list(void)
{
    static const char *const with[] = {"--antecedents", "--stop-words"};
    struct stage_docs d = {0};
    make_docs(&d, 2);
    const char *operands = stage_write_operands(&d);
    for (int k = 0; k < 2; k++) {
        char path[600], options[900];
        struct stage s;
        snprintf(path, sizeof path, "%.500s/list%d", stage_folder(), k);
        snprintf(options, sizeof options, "--method pdc-spotsigs --gamma 0 %s %s", with[k], path);
        FILE *f = fopen(path, "w");
        fputs("woaa woba\n", f);
        fclose(f);
        leave_job(options, operands, COUNTED);
        f = fopen(path, "a");
        fputs("woca\n", f);
        fclose(f);
        strcat(options, " --resume");
        stage_parse_job(&s, options, operands);
        CU_ASSERT_EQUAL(pd_detect(&test_comm, &s.options), PD_ESTALE);
        CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
        stage_close(&s);
    }
    stage_docs_release(&d);
}

/* A folder that was emptied is still locked. */
static void test_lock(void)
{
    struct stage_docs d = {0};
    struct stage s;
    char folder[4500], path[4600];
    make_docs(&d, 2);
    stage_open(&s, "--method pdc-imatch", &d);
    find_scratch(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/%s", folder, PD_SCRATCH_LOCK);
    pd_scratch_empty(&s.job.scratch);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    stage_close(&s);
    CU_ASSERT_NOT_EQUAL(access(folder, F_OK), 0);
    stage_docs_release(&d);
}

/* ---- dry runs ---- */

/* Run a dry run; what it prints is in `to`. */
static void dry_run(const char *options, const char *operands, struct pd_bytes *to)
{
    char all[512], path[600], part[4096];
    struct stage s;
    snprintf(all, sizeof all, "%s --dry-run", options);
    snprintf(path, sizeof path, "%.500s/printed", stage_folder());
    const int out = dup(STDOUT_FILENO), f = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    fflush(stdout);
    dup2(f, STDOUT_FILENO);
    stage_parse_job(&s, all, operands);
    CU_ASSERT_EQUAL(pd_detect(&test_comm, &s.options), PD_OK);
    CU_ASSERT_NOT_EQUAL(access(s.options.output, F_OK), 0);
    stage_close(&s);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    lseek(f, 0, SEEK_SET);
    to->n = 0;
    for (ssize_t n; (n = read(f, part, sizeof part)) > 0;)
        pd_bytes_append(to, part, (size_t)n);
    pd_bytes_push(to, 0);
    close(f);
}

/* A figure that was printed, without the commas or blanks of its groups. */
static uint64_t figure(const struct pd_bytes *printed, const char *name)
{
    char what[64];
    uint64_t value = 0;
    snprintf(what, sizeof what, "expected %s ", name);
    const char *p = strstr((const char *)printed->v, what);
    if (!p)
        return UINT64_MAX;
    for (p += strlen(what); *p && *p != '\n'; p++)
        if (*p >= '0' && *p <= '9')
            value = 10 * value + (uint64_t)(*p - '0');
    return value;
}

/* A collection that is read as a whole: the figures are exact. */
static void test_dry_run(void)
{
    struct stage_docs d = {0};
    struct pd_bytes printed = {0};
    struct stage s;
    struct pd_result *r;
    make_docs(&d, 4);
    const char *operands = stage_write_operands(&d);
    for (int m = 0; m < METHODS; m++) {
        stage_parse_job(&s, methods[m], operands);
        CU_ASSERT_EQUAL(pd_detect(&test_comm, &s.options), PD_OK);
        r = stage_result_open(s.options.output);
        const uint64_t passages = stage_rows(r, "passages"), pairs = stage_rows(r, "pairs");
        stage_result_close(r);
        unlink(s.options.output);
        stage_close(&s);
        dry_run(methods[m], operands, &printed);
        CU_ASSERT_EQUAL(figure(&printed, "documents"), d.docs.n);
        CU_ASSERT_EQUAL(figure(&printed, "sentences"), d.units.n);
        CU_ASSERT_EQUAL(figure(&printed, "words"), d.words.n);
        CU_ASSERT_EQUAL(figure(&printed, "passages"), passages);
        CU_ASSERT_EQUAL(figure(&printed, "pairs"), pairs);
        CU_ASSERT_PTR_NOT_NULL(strstr((char *)printed.v, "based on the whole collection"));
    }
    pd_bytes_release(&printed);
    stage_docs_release(&d);
}

/* Postings of all units spill if memory is small: 0.65 of 32 bytes for each. */
static void test_scratch_of_units(void)
{
    enum { DOCS = 500, UNITS = 100 };
    static const char *const memory[] = {"--method sentence-fp --memory 1M",
                                         "--method sentence-fp --memory 256M"};
    struct stage_docs d = {0};
    struct pd_bytes printed = {0};
    uint64_t scratch[2];
    for (uint32_t k = 0; k < DOCS * UNITS; k++) {
        if (k % UNITS == 0)
            stage_add_doc(&d);
        stage_add_unit(&d);
        stage_add_word(&d, k % 1000);
        stage_add_word(&d, k / 1000);
    }
    const char *operands = stage_write_operands(&d);
    for (int k = 0; k < 2; k++) {
        dry_run(memory[k], operands, &printed);
        scratch[k] = figure(&printed, "scratch"); /* tenths of a megabyte */
    }
    const double more = (double)scratch[0] - (double)scratch[1];
    CU_ASSERT(more > 0.65 * 32 * DOCS * UNITS / 1e5 - 1.5 &&
              more < 0.65 * 32 * DOCS * UNITS / 1e5 + 1.5);
    pd_bytes_release(&printed);
    stage_docs_release(&d);
}

/* ---- dedup ---- */

/* Run `dedup` over the result of a job, into a folder that is not there. A failure makes none. */
static int run_dedup(const char *options, struct pd_dedup_made *made)
{
    static int folders;
    char line[1500];
    struct stage s;
    snprintf(line, sizeof line, "%s -o %.500s/clean%d %.500s/result.h5", options, stage_folder(),
             ++folders, stage_folder());
    stage_parse(&s, "dedup", line);
    const int status = pd_dedup(&test_comm, &s.options, made);
    CU_ASSERT_EQUAL(access(s.options.output, F_OK) == 0, status == PD_OK);
    stage_close(&s);
    return status;
}

enum { DEDUP_UNITS = 10, DEDUP_WORDS = 10 };

/*
 * What goes: runs, and their words. `left`: the sentences that are written. The first line that is
 * written has `field` behind its text.
 */
static void expect_gone(const char *options, uint64_t removals, uint64_t words, uint64_t left,
                        const char *field)
{
    struct pd_dedup_made made;
    uint64_t written = 0;
    CU_ASSERT_EQUAL(run_dedup(options, &made), PD_OK);
    CU_ASSERT_EQUAL_FATAL(made.files.n, 1);
    FILE *f = fopen(made.files.v[0], "r");
    char line[4096];
    for (int k = 0; fgets(line, sizeof line, f); k++) {
        CU_ASSERT_TRUE(k > 0 || strstr(line, field));
        for (const char *p = line; (p = strchr(p, '.')); p++)
            written++;
    }
    fclose(f);
    CU_ASSERT_EQUAL(written, left);
    CU_ASSERT_EQUAL(made.removals, removals);
    CU_ASSERT_EQUAL(made.words_gone, words);
    pd_dedup_made_release(&made);
}

/* A, B, C with sentences of their own; B has two runs of A, too, and C one sentence. D is A. */
static void add_copies(struct stage_docs *d)
{
    static const char *const copied[] = {"", "123 789", "9", "0123456789"};
    for (uint32_t doc = 0; doc < 4; doc++) {
        stage_add_doc(d);
        for (uint32_t u = 0; u < DEDUP_UNITS; u++) {
            const bool copy = strchr(copied[doc], (char)('0' + u));
            stage_add_unit(d);
            for (uint32_t w = 0; w < DEDUP_WORDS; w++)
                stage_add_word(d, 1000 * (copy ? 0 : doc) + 10 * u + w);
        }
    }
}

/*
 * Inside a collection a copied sentence stays, as it is no run of words; text of sources goes sentence
 * by sentence. A file of a format that cannot be written is refused before a folder is made.
 */
static void test_dedup(void)
{
    static const char method[] = "--method sentence-fp --units sentence";
    struct stage_docs d = {0};
    struct pd_dedup_made made;
    struct pd_bytes result = {0};
    char path[600];
    add_copies(&d);
    run_job(method, stage_write_operands(&d), &result);
    expect_gone("", 3, 160, 24, "}");
    expect_gone("--min-run 1", 4, 170, 23, "}");
    expect_gone("--min-run 0", 4, 170, 23, "}");
    expect_gone("--count-field n", 3, 160, 24, "\"n\":2}");
    expect_gone("--remove documents", 1, 100, 30, "}");
    d.docs.v[2].file = d.docs.v[3].file = 1;
    run_job(method, stage_write_operands(&d), &result);
    expect_gone("", 5, 160, 4, "}");
    snprintf(path, sizeof path, "%.500s/plain.txt", stage_folder());
    FILE *f = fopen(path, "w");
    fputs("One text alone.\n", f);
    fclose(f);
    run_job(method, path, &result);
    CU_ASSERT_EQUAL(run_dedup("--count-field n", &made), PD_EFORMAT);
    pd_dedup_made_release(&made);
    pd_bytes_release(&result);
    stage_docs_release(&d);
}

/* ---- what a job says of itself ---- */

/* Run a job; what it warns of is valid until the next one. */
static const char *warnings_of(const char *options, const char *operands)
{
    struct stage s;
    stage_parse_job(&s, options, operands);
    stage_listen(PD_LOG_WARN);
    const int status = pd_detect(&test_comm, &s.options);
    const char *said = stage_heard();
    CU_ASSERT_EQUAL(status, PD_OK);
    unlink(s.options.output);
    stage_close(&s);
    return said;
}

/* Each document has two units that all have, and two of its own; one more document has one unit of all. */
static void test_few_compared(void)
{
    enum { DOCS = 12, UNITS = 4 };
    static const char method[] = "--method sentence-fp --units sentence --max-df 4";
    struct stage_docs d = {0};
    char first[100];
    for (uint32_t k = 0; k < DOCS * UNITS + 1; k++) {
        if (k == DOCS * UNITS)
            CU_ASSERT_STRING_EQUAL(warnings_of(method, stage_write_operands(&d)), "");
        if (k % UNITS == 0)
            stage_add_doc(&d);
        stage_add_unit(&d);
        for (uint32_t w = 0; w < 5; w++)
            stage_add_word(&d, w + 10 * (k % UNITS < 2 ? k % UNITS : k));
    }
    const char *operands = stage_write_operands(&d);
    const char *said = warnings_of(method, operands);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "only 24 of 49 units are compared: 0 have no signature"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, " 25 are common (--max-df), 0 recur"));
    snprintf(first, sizeof first, "%s --common first", method);
    CU_ASSERT_STRING_EQUAL(warnings_of(first, operands), "");
    stage_docs_release(&d);
}

/* What the preset auto sets where most texts are letters. */
static void test_letters(void)
{
    static const struct {
        const char *options;
        uint64_t letters, pages;
        int64_t max_df;
    } cases[] = {
        {"", 60, 0, 10},
        {"", 50, 0, 100}, /* not most of them */
        {"--words code", 60, 0, 60},
        {"--preset texts", 60, 0, 300},
    };
    struct stage_docs d = {0};
    make_docs(&d, 6);
    for (size_t k = 0; k < d.docs.n; k++)
        *d.docs.v[k].url = '\0';
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct stage s;
        stage_open(&s, cases[k].options, &d);
        struct pd_totals *t = &s.job.collection.totals;
        t->documents = 100;
        t->letters = cases[k].letters;
        t->pages = cases[k].pages;
        pd_job_choose_preset(&s.job, 1);
        const struct pd_method_options *m = &s.job.settled.method;
        CU_ASSERT_EQUAL(m->max_df, cases[k].max_df);
        CU_ASSERT_EQUAL(m->frame == PD_TEMPLATES_ASIDE, cases[k].max_df == 10);
        CU_ASSERT_EQUAL(m->templates == PD_TEMPLATES_ASIDE, cases[k].max_df == 10);
        t->documents = d.docs.n;
        stage_close(&s);
    }
    stage_docs_release(&d);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_sides),
                                        PD_TEST(test_ignored),
                                        PD_TEST(test_left_after_a_stage),
                                        PD_TEST(test_taken_up),
                                        PD_TEST(test_damaged),
                                        PD_TEST(test_stale),
                                        PD_TEST(test_stale_list),
                                        PD_TEST(test_lock),
                                        PD_TEST(test_dry_run),
                                        PD_TEST(test_scratch_of_units),
                                        PD_TEST(test_dedup),
                                        PD_TEST(test_few_compared),
                                        PD_TEST(test_letters),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "whole jobs", tests);
}

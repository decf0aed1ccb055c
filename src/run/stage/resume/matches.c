/*
 * run/stage/resume/matches.c - the matches of a job in scratch: classes, their partners, and the
 * lists of common classes and of templates.
 *
 * The manifest has a line of counts, and then a line for each rank with the names of its files.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/sort.h"
#include "pardup/comm/exchange.h"
#include "pardup/store/cursor.h"
#include "run/scratch/manifest.h"
#include "taken.h"

#define JOINED_FILE "joined" /* the name of the manifest */

/* The name of a file in scratch; "-": no file. */
static const char *name_of(const struct pd_packed *f)
{
    return f ? strrchr(pd_packed_path(f), '/') + 1 : "-";
}

/* Write n records of `size` bytes to a new file in scratch, and finish it. */
static struct pd_packed *write_list(struct pd_job *job, const char *name, const void *v, size_t n,
                                    size_t size, int *status)
{
    struct pd_packed *f = pd_packed_create(pd_scratch_path(&job->scratch, name));
    *status = f ? PD_OK : PD_EIO;
    for (size_t k = 0; k < n && *status >= 0; k++)
        *status = pd_packed_append(f, (const char *)v + k * size, size, NULL);
    if (*status >= 0)
        *status = pd_packed_finish(f);
    return f;
}

/*
 * Write common classes and templates to files, and print this rank's line of the manifest: the
 * names of all its files.
 */
static int write_lists(struct pd_job *job, struct pd_bytes *line)
{
    const struct pd_joineds *joined = &job->matches.joined;
    const struct pd_joined *j = &joined->v[0];
    const struct pd_joined anchored = joined->n > 1 ? joined->v[1] : (struct pd_joined){0};
    const struct pd_commons *common = &job->matches.common;
    const struct pd_templates *templates = &job->matches.templates;
    struct pd_packed *listed = NULL;
    int status;
    struct pd_packed *commons =
        write_list(job, "common", common->v, common->n, sizeof *common->v, &status);
    if (status >= 0)
        listed =
            write_list(job, "templates", templates->v, templates->n, sizeof *templates->v, &status);
    if (status >= 0)
        pd_bytes_print(line, "%s %s %s %s %s %s\n", name_of(j->classes), name_of(j->partners),
                       name_of(anchored.classes), name_of(anchored.partners), name_of(commons),
                       name_of(listed));
    pd_packed_close(listed);
    pd_packed_close(commons);
    return status;
}

/*
 * Counts of the stages before align that the result file or the summary shows. A job that takes up
 * the matches runs none of them, so the counts are in the manifest.
 */
enum { OTHER_COUNTS = 18, COUNTS = OTHER_COUNTS + PD_WHYS };
static void list_counts(struct pd_job *job, uint64_t *counts[COUNTS])
{
    struct pd_join_counts *c = &job->matches.counts;
    uint64_t *const list[OTHER_COUNTS] = {&job->counted.terms_left_out,
                                          &job->counted.antecedents,
                                          &c->classes,
                                          &job->gathered.whole_common,
                                          &job->gathered.repeated,
                                          &job->gathered.asides.units,
                                          &job->gathered.asides.words,
                                          &job->gathered.asides.doubtful_units,
                                          &job->gathered.asides.doubtful_words,
                                          &job->gathered.asides.ignored_documents,
                                          &job->gathered.asides.ignored_words,
                                          &c->probes,
                                          &c->passes,
                                          &c->shared,
                                          &c->candidates,
                                          &c->verified,
                                          &c->similar,
                                          &c->crowded};
    memcpy(counts, list, sizeof list);
    for (int k = 0; k < PD_WHYS; k++)
        counts[OTHER_COUNTS + k] = &job->gathered.units[k];
}

/* Print the first line of the manifest: number of ranks, then counts. */
static void print_counts(struct pd_job *job, struct pd_bytes *text)
{
    uint64_t *counts[COUNTS];
    list_counts(job, counts);
    pd_bytes_print(text, "%d", job->comm->size);
    for (int k = 0; k < COUNTS; k++)
        pd_bytes_print(text, " %" PRIu64, *counts[k]);
    pd_bytes_print(text, "\n");
}

/* Read the line that print_counts printed. Returns the number of ranks. */
static int scan_counts(struct pd_job *job, char *line)
{
    uint64_t *counts[COUNTS];
    list_counts(job, counts);
    const int ranks = (int)strtol(line, &line, 10);
    for (int k = 0; k < COUNTS; k++)
        *counts[k] = strtoull(line, &line, 10);
    return ranks;
}

int pd_checkpoint_save_matches(struct pd_job *job)
{
    struct pd_bytes line = {0}, text = {0};
    int status = pd_comm_agree(job->comm, write_lists(job, &line));
    if (status >= 0) {
        print_counts(job, &text);
        pd_comm_gather(job->comm, line.v, line.n, &text);
        status = pd_comm_agree(job->comm, job->comm->rank == 0
                                              ? pd_manifest_write(&job->scratch, JOINED_FILE, &text)
                                              : PD_OK);
    }
    PD_RELEASE(pd_bytes, &line, &text);
    return status;
}

/* Append the records of a file to `to`. */
static int read_list(struct pd_bytes *to, const char *path)
{
    struct pd_packed *f = pd_taken_open(path);
    struct pd_cursor c = {0};
    const unsigned char *recs;
    size_t n;
    int status;
    if (!f)
        return PD_EIO;
    pd_cursor_begin(&c, f, 0, pd_packed_blocks(f));
    while ((status = pd_cursor_look(&c, &recs, &n)) == PD_OK) {
        pd_bytes_append(to, recs, n);
        c.at += n;
    }
    pd_cursor_release(&c);
    pd_packed_close(f);
    return status;
}

/* Add the common classes and the templates of two files to this rank's lists. */
static int take_lists(struct pd_job *job, const char *commons, const char *templates)
{
    struct pd_matched *m = &job->matches;
    struct pd_bytes list = {0};
    int status = read_list(&list, pd_scratch_file(&job->scratch, commons));
    pd_commons_append(&m->common, list.v, list.n / sizeof *m->common.v);
    list.n = 0;
    PD_THEN(status, read_list(&list, pd_scratch_file(&job->scratch, templates)));
    pd_templates_append(&m->templates, list.v, list.n / sizeof *m->templates.v);
    pd_bytes_release(&list);
    return status;
}

/* Take up the files of an element of job->matches.joined; "-" in place of a name: no file. */
static int take_joined(struct pd_job *job, const char *classes, const char *partners)
{
    struct pd_joined j = {0};
    if (strcmp(classes, "-") == 0)
        return PD_OK;
    j.classes = pd_taken_open(pd_scratch_file(&job->scratch, classes));
    if (!j.classes)
        return PD_EIO;
    if (strcmp(partners, "-") != 0)
        j.partners = pd_taken_open(pd_scratch_file(&job->scratch, partners));
    pd_joineds_push(&job->matches.joined, j);
    return j.partners || strcmp(partners, "-") == 0 ? PD_OK : PD_EIO;
}

/* Take up the files that a line of the manifest names. */
static int take_line(struct pd_job *job, char *line)
{
    char *rest = line;
    const char *classes = strsep(&rest, " "), *partners = strsep(&rest, " ");
    const char *anchored = strsep(&rest, " "), *others = strsep(&rest, " ");
    const char *commons = strsep(&rest, " "), *templates = rest;
    if (!classes || !partners || !anchored || !others || !commons || !templates)
        return pd_fail(PD_EFORMAT, "%s: not as this pardup writes it", job->scratch.path);
    PD_TRY(take_joined(job, classes, partners));
    PD_TRY(take_joined(job, anchored, others));
    return take_lists(job, commons, templates);
}

static int owner_of_common(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(((const struct pd_common *)rec)->sig, nranks);
}

/*
 * COLLECTIVE. Move common classes to the owners of their signatures, in the order of their table.
 */
static int share_commons(struct pd_job *job)
{
    struct pd_source source = {job->matches.common.v, job->matches.common.n,
                               sizeof *job->matches.common.v, 0};
    struct pd_bytes got = {0};
    const struct pd_route route = {.size = sizeof *job->matches.common.v,
                                   .fill = pd_fill_from,
                                   .fill_ctx = &source,
                                   .owner = owner_of_common};
    const int status = pd_shuffle_collect(&job->transport, route, &got);
    job->matches.common.n = 0;
    pd_commons_append(&job->matches.common, got.v, got.n / sizeof *job->matches.common.v);
    pd_bytes_release(&got);
    pd_sort_records(job->matches.common.v, job->matches.common.n, PD_COMMON_U64S, PD_COMMON_U64S);
    return status;
}

int pd_checkpoint_take_matches(struct pd_job *job, bool *taken)
{
    struct pd_bytes text = {0};
    size_t at = 0;
    int status = PD_OK;
    *taken = job->resumed && pd_manifest_read(&job->scratch, JOINED_FILE, &text);
    if (*taken) {
        const int n = scan_counts(job, pd_manifest_line(&text, &at));
        for (int k = 0; k < n; k++) {
            char *line = pd_manifest_line(&text, &at);
            if (status >= 0 && line && pd_taken_here(job->comm, (uint64_t)k, (uint64_t)n))
                status = take_line(job, line);
        }
        *taken = pd_taken_everywhere(job->comm, status, "units are signed and compared");
    }
    pd_bytes_release(&text);
    if (*taken)
        return share_commons(job);
    pd_job_forget_matches(job);
    return PD_OK;
}

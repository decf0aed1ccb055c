/*
 * run/stage/resume/slices.c - the finished slices of a job in scratch.
 *
 * Each slice has a manifest: a line about the slice, and then a line for each rank about its part.
 */
#include <inttypes.h>
#include <stdio.h>

#include "checkpoint.h"
#include "pardup/base/error.h"
#include "run/scratch/manifest.h"
#include "taken.h"

/* The name of the manifest of slice k. */
static void slice_name(char name[32], uint64_t k)
{
    snprintf(name, 32, "slice-%llu", (unsigned long long)k);
}

int pd_checkpoint_save_slice(struct pd_job *job)
{
    const struct pd_slice *s = &job->aligned.slices.v[job->aligned.slices.n - 1];
    struct pd_bytes line = {0}, text = {0};
    char name[32];
    slice_name(name, s->slice);
    pd_bytes_print(&text, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %d\n", s->from, s->to,
                   job->aligned.dots, job->comm->size);
    pd_bytes_print(&line,
                   "%" PRIu64 " %" PRIu64 " %" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                   " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                   s->rows, s->pairs, s->file.session, s->file.rank, s->file.number,
                   s->left_out.same_host, s->left_out.too_short, s->left_out.unlike,
                   s->left_out.below, s->left_out.same);
    pd_comm_gather(job->comm, line.v, line.n, &text);
    const int status = job->comm->rank == 0 ? pd_manifest_write(&job->scratch, name, &text) : PD_OK;
    PD_RELEASE(pd_bytes, &line, &text);
    return pd_comm_agree(job->comm, status);
}

/* Read a line about a part, as pd_checkpoint_save_slice prints it. PD_OK or PD_EFORMAT. */
static int scan_part(const char *line, struct pd_slice *s)
{
    return sscanf(line,
                  "%" SCNu64 " %" SCNu64 " %" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                  " %" SCNu64 " %" SCNu64 " %" SCNu64,
                  &s->rows, &s->pairs, &s->file.session, &s->file.rank, &s->file.number,
                  &s->left_out.same_host, &s->left_out.too_short, &s->left_out.unlike,
                  &s->left_out.below, &s->left_out.same) == 10
               ? PD_OK
               : PD_EFORMAT;
}

/* Is the file of passages with this id whole? PD_OK or PD_EIO. */
static int check_rows(struct pd_job *job, struct pd_scratch_id id)
{
    struct pd_packed *f = pd_taken_open(pd_scratch_path_of(&job->scratch, PD_ROW_FILES, id));
    pd_packed_close(f);
    return f ? PD_OK : PD_EIO;
}

/*
 * COLLECTIVE. Take up this rank's parts of a slice of n parts, whose lines in the manifest begin at
 * byte `at` of `text`. False: some rank lacks a part; then the slice is not taken up.
 */
static bool take_parts(struct pd_job *job, struct pd_bytes *text, size_t at, struct pd_slice slice,
                       int n)
{
    const size_t before = job->aligned.slices.n;
    int status = PD_OK;
    for (int k = 0; k < n; k++) {
        char *line = pd_manifest_line(text, &at);
        if (status < 0 || !pd_taken_here(job->comm, (uint64_t)k, (uint64_t)n))
            continue;
        status = line ? scan_part(line, &slice) : PD_EFORMAT;
        if (status >= 0 && slice.pairs)
            status = check_rows(job, slice.file);
        if (status >= 0)
            pd_slices_push(&job->aligned.slices, slice);
    }
    const bool taken = pd_taken_everywhere(job->comm, status, "passages from there on are found");
    if (!taken)
        job->aligned.slices.n = before;
    return taken;
}

void pd_checkpoint_take_slices(struct pd_job *job, pd_doc *from)
{
    struct pd_bytes text = {0};
    char name[32];
    *from = 0;
    for (bool more = job->resumed; more;) {
        struct pd_slice slice = {.slice = job->aligned.nslices};
        size_t at = 0;
        int n = 0;
        slice_name(name, job->aligned.nslices);
        more = pd_manifest_read(&job->scratch, name, &text);
        if (!more)
            break;
        more = sscanf(pd_manifest_line(&text, &at), "%" SCNu64 " %" SCNu64 " %" SCNu64 " %d",
                      &slice.from, &slice.to, &slice.dots, &n) == 4 &&
               slice.from <= *from && slice.to > *from && n > 0 &&
               take_parts(job, &text, at, slice, n);
        if (more) {
            *from = slice.to;
            job->aligned.dots = slice.dots;
            job->aligned.nslices++;
        }
    }
    pd_bytes_release(&text);
}

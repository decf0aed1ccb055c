/* run/stage/table/slices.c - see src/run/stage/table/slices.h */
#include "slices.h"

#include "pardup/base/error.h"
#include "pardup/passage/folded.h"
#include "pardup/passage/pair.h"

/* COLLECTIVE. Find where this rank's files begin in the tables, and where all slices end. */
static void find_positions(struct pd_slices_reader *r)
{
    const struct pd_slices *slices = &r->job->aligned.slices;
    const struct pd_comm *c = r->job->comm;
    struct pd_both end = {0};
    for (uint64_t slice = 0, k = 0; slice < r->job->aligned.nslices; slice++) {
        const uint64_t begin = k;
        struct pd_both mine = {0};
        for (; k < slices->n && slices->v[k].slice == slice; k++) {
            mine.rows += slices->v[k].rows;
            mine.pairs += slices->v[k].pairs;
        }
        struct pd_both at = {end.rows + pd_comm_before(c, mine.rows),
                             end.pairs + pd_comm_before(c, mine.pairs)};
        for (uint64_t file = begin; file < k; file++) {
            pd_boths_push(&r->starts, at);
            at.rows += slices->v[file].rows;
            at.pairs += slices->v[file].pairs;
        }
        uint64_t sums[] = {mine.rows, mine.pairs};
        pd_comm_sum(c, sums, 2);
        end.rows += sums[0];
        end.pairs += sums[1];
        pd_boths_push(&r->ends, end);
    }
}

int pd_slices_next_file(struct pd_slices_reader *r)
{
    struct pd_job *job = r->job;
    while (r->rows_left == 0 && r->next_file < r->starts.n) {
        const struct pd_slice *s = &job->aligned.slices.v[r->next_file];
        r->at = r->starts.v[r->next_file++];
        r->rows_left = s->rows;
        if (!r->rows_left)
            continue;
        pd_packed_close(r->file);
        r->file = pd_packed_open(pd_scratch_path_of(&job->scratch, PD_ROW_FILES, s->file));
        if (!r->file)
            return PD_EIO;
        pd_cursor_begin(&r->cursor, r->file, 0, pd_packed_blocks(r->file));
    }
    return PD_OK;
}

int pd_slices_pair(struct pd_slices_reader *r, struct pd_rows *rows, struct pd_pair *pair)
{
    const unsigned char *recs;
    const size_t before = rows->n;
    size_t n;
    const int status = pd_cursor_look(&r->cursor, &recs, &n);
    PD_CHECK(status != PD_END);
    PD_TRY(status);
    r->cursor.at += pd_rows_unfold(recs, rows);
    n = rows->n - before;
    PD_CHECK(n <= r->rows_left);
    r->rows_left -= n;
    pd_u64s_reserve(&r->scratch, n);
    *pair = pd_pair_of(rows->v + before, n, r->scratch.v);
    if (r->job->form.kind == PD_FORM_WHOLE)
        pair->resemblance = pair->score; /* the only passage is all of both documents */
    r->at.rows += n;
    r->at.pairs++;
    r->npairs++;
    return PD_OK;
}

void pd_slices_open(struct pd_slices_reader *r, struct pd_job *job)
{
    *r = (struct pd_slices_reader){.job = job};
    find_positions(r);
}

void pd_slices_close(struct pd_slices_reader *r)
{
    PD_RELEASE(pd_boths, &r->starts, &r->ends);
    pd_packed_close(r->file);
    pd_cursor_release(&r->cursor);
    pd_u64s_release(&r->scratch);
}

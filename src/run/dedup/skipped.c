/* run/dedup/skipped.c - lines of a file that are no document. */
#include <string.h>

#include "pardup/base/error.h"
#include "run/dedup/write.h"

enum { ROWS_AT_ONCE = 4096 };

/* The first row of /skipped of a file that is not before file k. */
static int row_of(const struct pd_dedup *d, uint64_t k, uint64_t rows, uint64_t *row)
{
    struct pd_cells file = {0};
    uint64_t hi = rows;
    int status = PD_OK;
    for (*row = 0; *row < hi && status >= 0;) {
        const uint64_t mid = *row + (hi - *row) / 2;
        status = pd_result_read(d->result, "skipped", "file", mid, 1, &file);
        if (status >= 0 && pd_cells_count(&file, 0) < k)
            *row = mid + 1;
        else
            hi = mid;
    }
    pd_bytes_release(&file.values);
    return status;
}

int pd_dedup_skipped_open(const struct pd_dedup *d, uint64_t k, struct pd_dedup_skipped *s)
{
    uint64_t rows;
    *s = (struct pd_dedup_skipped){.row = 0};
    if (!pd_result_has(d->result, "skipped", "reason"))
        return PD_OK;
    PD_TRY(pd_result_rows(d->result, "skipped", &rows));
    PD_TRY(row_of(d, k, rows, &s->row));
    return row_of(d, k + 1, rows, &s->end);
}

void pd_dedup_skipped_close(struct pd_dedup_skipped *s)
{
    pd_bytes_release(&s->offset.values);
    pd_bytes_release(&s->skip.values);
    pd_bytes_release(&s->reason.values);
}

/* Does the reason speak of a record, and not of damage in the file? */
static bool is_line(const char *reason, size_t n)
{
    static const char *const damage[] = {"truncated", "corrupt", "garbage"};
    for (size_t k = 0; k < sizeof damage / sizeof *damage; k++)
        if (n == strlen(damage[k]) && memcmp(reason, damage[k], n) == 0)
            return false;
    return true;
}

static int read_rows(const struct pd_dedup *d, struct pd_dedup_skipped *s)
{
    s->from = s->row;
    s->n = s->end - s->row < ROWS_AT_ONCE ? s->end - s->row : ROWS_AT_ONCE;
    PD_TRY(pd_result_read(d->result, "skipped", "offset", s->from, s->n, &s->offset));
    PD_TRY(pd_result_read(d->result, "skipped", "skip", s->from, s->n, &s->skip));
    return pd_result_read(d->result, "skipped", "reason", s->from, s->n, &s->reason);
}

int pd_dedup_skipped_pass(const struct pd_dedup *d, struct pd_dedup_skipped *s, uint64_t offset,
                          uint64_t skip, uint64_t *lines)
{
    size_t n;
    *lines = 0;
    for (; s->row < s->end; s->row++) {
        if (s->row >= s->from + s->n)
            PD_TRY(read_rows(d, s));
        const uint64_t k = s->row - s->from, at = pd_cells_count(&s->offset, k);
        if (at > offset || (at == offset && pd_cells_count(&s->skip, k) >= skip))
            return PD_OK;
        const char *reason = pd_cells_text(&s->reason, k, &n);
        *lines += is_line(reason, n);
    }
    return PD_OK;
}

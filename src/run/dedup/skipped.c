/* run/dedup/skipped.c - lines of a file that are no document. */
#include <string.h>

#include "pardup/base/error.h"
#include "run/dedup/write.h"

enum { FILE_AT, OFFSET, SKIP, REASON };

/* The first row of /skipped of a file that is not before file k. */
static int row_of(struct pd_dedup_skipped *s, uint64_t k, uint64_t *row)
{
    const int status = pd_table_find(&s->t, FILE_AT, k);
    *row = status == PD_OK ? s->t.row : s->t.rows;
    return status;
}

int pd_dedup_skipped_open(const struct pd_dedup *d, uint64_t k, struct pd_dedup_skipped *s)
{
    static const char *const columns[] = {"file", "offset", "skip", "reason", NULL};
    *s = (struct pd_dedup_skipped){.end = 0};
    if (!pd_result_has(d->result, "skipped", "reason"))
        return PD_OK;
    PD_TRY(pd_table_open(&s->t, d->result, "skipped", columns));
    PD_TRY(row_of(s, k + 1, &s->end));
    return row_of(s, k, &s->t.next);
}

void pd_dedup_skipped_close(struct pd_dedup_skipped *s) { pd_table_close(&s->t); }

/* Does the reason speak of a record, and not of damage in the file? */
static bool is_line(const char *reason, size_t n)
{
    static const char *const damage[] = {"truncated", "corrupt", "garbage"};
    for (size_t k = 0; k < sizeof damage / sizeof *damage; k++)
        if (n == strlen(damage[k]) && memcmp(reason, damage[k], n) == 0)
            return false;
    return true;
}

int pd_dedup_skipped_pass(struct pd_dedup_skipped *s, uint64_t offset, uint64_t skip,
                          uint64_t *lines)
{
    struct pd_table_reader *t = &s->t;
    size_t n;
    for (*lines = 0; t->next < s->end;) {
        PD_TRY(pd_table_next(t));
        const uint64_t at = pd_table_count(t, OFFSET);
        if (at > offset || (at == offset && pd_table_count(t, SKIP) >= skip)) {
            t->next = t->row;
            return PD_OK;
        }
        const char *reason = pd_table_text(t, REASON, &n);
        *lines += is_line(reason, n);
    }
    return PD_OK;
}

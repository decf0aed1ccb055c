/* run/job/dedup/write/parquet_rows.c - Parquet files of the new collection, whose rows are documents. */
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/corpus/parquet_copier.h"
#include "run/job/dedup/write/write.h"

/* A file that is being written. */
struct rows {
    struct pd_dedup *d;
    uint64_t k; /* its number */
    struct pd_parquet_copier *copier;
    struct pd_row_changes changes; /* of a row group */
    uint64_t offset;               /* where it begins */
    struct pd_bytes text, head;    /* the cleaned text of a document, the head of its record */
    struct pd_changes documents;   /* that change, as they are listed */
    struct pd_changes again;       /* the same, as they are written */
    struct pd_cuts cuts;
    uint64_t inexact;
};

static struct pd_parquet_plan plan_of(const struct pd_dedup *d)
{
    return (struct pd_parquet_plan){pd_budget_bytes(d->memory, PD_BUDGET_PAGES),
                                    pd_budget_memory(1, PD_BUDGET_PAGES)};
}

static int changed(const struct rows *s)
{
    return pd_fail(PD_EFORMAT, "%s: has changed since the result was made: run detect again",
                   s->d->files[s->k].found);
}

static int make_text(void *context, const struct pd_row_change *change, const unsigned char *text,
                     size_t n, struct pd_bytes *to)
{
    struct rows *s = context;
    const struct pd_changed *w;
    struct pd_dedup_record record;
    PD_TRY(pd_dedup_poll(s->d));
    PD_TRY(pd_changes_of(&s->again, change->item, &w));
    PD_TRY(pd_dedup_record(s->d, &w->w, &record, &s->head));
    if (n == 0 || pd_hash_bytes(text, n) != record.body_hash)
        return changed(s);
    PD_TRY(pd_dedup_text(s->d, &w->w, &s->text));
    PD_TRY(pd_changes_removals(&s->again, w));
    pd_cuts_of(&s->again.removals, &s->cuts);
    s->inexact += n != s->text.n || memcmp(text, s->text.v, n) != 0;
    pd_cut_text(&(struct pd_trimmed){s->text.v, s->text.n, &s->cuts}, to);
    return PD_OK;
}

static int write_group(struct rows *s)
{
    if (s->changes.n == 0)
        return PD_OK;
    const int status =
        pd_parquet_copier_change(s->copier, s->offset, s->changes.v, s->changes.n, make_text, s);
    s->changes.n = 0;
    return status;
}

/* A row that goes is not read again, so that the file must be as it was. */
static int add_change(struct rows *s, const struct pd_changed *w, uint64_t changed_at)
{
    struct pd_dedup *d = s->d;
    struct pd_dedup_record record;
    uint64_t offset, skip;
    PD_TRY(pd_dedup_doc(d, PD_DOC_OFFSET, w->doc, &offset));
    PD_TRY(pd_dedup_doc(d, PD_DOC_SKIP, w->doc, &skip));
    if (offset != s->offset)
        PD_TRY(write_group(s));
    PD_TRY(pd_dedup_record(d, &w->w, &record, &s->head));
    if (w->gone && record.changed != changed_at)
        return changed(s);
    s->offset = offset;
    pd_row_changes_push(&s->changes, (struct pd_row_change){skip, w->doc, w->gone});
    return PD_OK;
}

static int write_rows(struct rows *s, FILE *to)
{
    struct pd_dedup *d = s->d;
    const struct pd_dedup_file *f = &d->files[s->k];
    struct pd_file file = {.path = f->found};
    const struct pd_changed *w;
    PD_TRY(pd_file_look(&file));
    PD_TRY(pd_parquet_copier_open(&s->copier, d->fetch.reader, f->found, to, plan_of(d)));
    int status = pd_changes_seek(&s->documents, f->first);
    while (status >= 0 && (status = pd_changes_next(&s->documents, f->last, &w)) == PD_OK)
        status = add_change(s, w, file.changed);
    PD_TRY(status);
    PD_TRY(write_group(s));
    return pd_parquet_copier_finish(s->copier);
}

int pd_dedup_check_rows(struct pd_dedup *d, uint64_t k)
{
    struct pd_parquet_copier *c;
    const int status =
        pd_parquet_copier_open(&c, d->fetch.reader, d->files[k].found, NULL, plan_of(d));
    pd_parquet_copier_close(c);
    return status;
}

int pd_dedup_write_rows(struct pd_dedup *d, uint64_t k, FILE *to, struct pd_shard *shard)
{
    struct rows s = {.d = d, .k = k, .documents = {.d = d}, .again = {.d = d}};
    const int status = write_rows(&s, to);
    shard->inexact += s.inexact;
    pd_parquet_copier_close(s.copier);
    pd_row_changes_release(&s.changes);
    PD_RELEASE(pd_bytes, &s.text, &s.head);
    PD_RELEASE(pd_changes, &s.documents, &s.again);
    pd_cuts_release(&s.cuts);
    return status;
}

/* run/job/dedup/write/json_lines.c - files of the new collection as JSON lines: --as jsonl. */
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/base/log.h"
#include "pardup/corpus/kept.h"
#include "run/job/dedup/write/write.h"

int pd_json_lines_open(struct pd_json_lines *j, struct pd_dedup *d)
{
    static const char *const columns[] = {"?url", "?meta", NULL};
    *j = (struct pd_json_lines){.d = d, .changes = {.d = d}};
    j->changes.all = d->options->dedup.count_field != NULL;
    return pd_table_open(&j->told, d->result, "documents", columns);
}

void pd_json_lines_close(struct pd_json_lines *j)
{
    pd_table_close(&j->told);
    pd_changes_release(&j->changes);
    pd_packer_release(&j->packer);
    PD_RELEASE(pd_bytes, &j->line, &j->text);
    pd_cuts_release(&j->cuts);
}

/* Append what the result says of a document: its address and its kept fields. */
static int append_told(struct pd_json_lines *j, uint64_t doc)
{
    const char *const own[] = {"id", "text", "url", j->d->options->dedup.count_field, NULL};
    size_t n;
    PD_TRY(pd_table_at(&j->told, doc));
    const char *url = pd_table_text(&j->told, 0, &n);
    if (n) {
        pd_bytes_print(&j->line, ",\"url\":");
        pd_json_quote(&j->line, url, n);
    }
    const char *meta = pd_table_text(&j->told, 1, &n);
    pd_kept_append(meta, n, own, &j->line);
    return PD_OK;
}

/* Write the line of a document that stays. *w is NULL: it stays whole. */
static int write_document(struct pd_json_lines *j, struct pd_dedup_cursor *cursor, uint64_t doc,
                          const struct pd_changed *w, FILE *to)
{
    const struct pd_document *t = &j->d->fetch.document;
    const char *field = j->d->options->dedup.count_field;
    struct pd_raw raw;
    const char *id;
    size_t n;
    j->cuts.n = j->text.n = j->line.n = 0;
    PD_TRY(pd_dedup_cursor_document(cursor, doc, false, &raw));
    if (w) {
        PD_TRY(pd_changes_removals(&j->changes, w));
        pd_cuts_of(&j->changes.removals, &j->cuts);
    }
    pd_cut_text(&(struct pd_trimmed){t->text, t->text_n, &j->cuts}, &j->text);
    PD_TRY(pd_dedup_find_id(j->d, doc, &id, &n));
    pd_bytes_print(&j->line, "{\"id\":");
    pd_json_quote(&j->line, id, n);
    pd_bytes_print(&j->line, ",\"text\":");
    pd_json_quote(&j->line, j->text.v, j->text.n);
    PD_TRY(append_told(j, doc));
    if (field) {
        pd_bytes_print(&j->line, ",");
        pd_json_quote(&j->line, field, strlen(field));
        pd_bytes_print(&j->line, ":%llu", pd_ull(1 + (w ? w->copies : 0)));
    }
    pd_bytes_print(&j->line, "}\n");
    return pd_packer_add(&j->packer, j->line.v, j->line.n, to);
}

int pd_json_lines_write(struct pd_json_lines *j, uint64_t k, FILE *to, bool *none)
{
    const struct pd_dedup_file *f = &j->d->files[k];
    struct pd_dedup_cursor cursor;
    const struct pd_changed *w;
    *none = true;
    j->packer.packing = pd_dedup_packing(f->name);
    for (uint64_t doc = f->first; doc < f->last; doc++) {
        PD_TRY(pd_dedup_poll(j->d));
        PD_TRY(pd_changes_of(&j->changes, doc, &w));
        if (w && w->gone)
            continue;
        if (*none)
            PD_TRY(pd_dedup_cursor_open(&cursor, j->d, k, f->last - f->first, true));
        *none = false;
        PD_TRY(write_document(j, &cursor, doc, w, to));
    }
    return pd_packer_end(&j->packer, to);
}

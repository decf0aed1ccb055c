/* run/job/dedup/write/attributes.c - lines beside the documents that say what of them would go. */
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "run/job/dedup/write/part_files.h"
#include "run/job/dedup/write/write.h"

/* ---- lines of a file that are no document ---- */

/* Rows of /skipped of one file: records that are no document. */
struct skipped {
    struct pd_table_reader t;
    uint64_t end; /* of the rows of the file */
};

enum { FILE_AT, OFFSET, SKIP, REASON };

/* The first row of /skipped of a file that is not before file k. */
static int row_of(struct skipped *s, uint64_t k, uint64_t *row)
{
    const int status = pd_table_find(&s->t, FILE_AT, k);
    *row = status == PD_OK ? s->t.row : s->t.rows;
    return status;
}

/* Go to the rows of file k. PD_OK or a failure to read the result. */
static int skipped_open(const struct pd_dedup *d, uint64_t k, struct skipped *s)
{
    static const char *const columns[] = {"file", "offset", "skip", "reason", NULL};
    *s = (struct skipped){.end = 0};
    if (!pd_result_has(d->result, "skipped", "reason"))
        return PD_OK;
    PD_TRY(pd_table_open(&s->t, d->result, "skipped", columns));
    PD_TRY(row_of(s, k + 1, &s->end));
    return row_of(s, k, &s->t.next);
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

/*
 * Pass the rows of records before a place in the file. *lines: how many of the records were lines.
 */
static int skipped_pass(struct skipped *s, uint64_t offset, uint64_t skip, uint64_t *lines)
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

/* ---- attributes ---- */

/* The file that is being written. */
struct attributes {
    struct pd_dedup *d;
    struct pd_bytes text;  /* the cleaned text of a document */
    struct pd_bytes lines; /* its line */
    struct pd_changes changes;
    struct pd_packer packer;
};

/* Append the spans of a document in characters of its text: [[begin, end, agreement], ...]. */
static void append_spans(struct attributes *s, const struct pd_changed *w)
{
    const struct pd_bytes *t = &s->text;
    size_t byte = 0, character = 0;
    pd_bytes_print(&s->lines, "[");
    for (uint64_t k = 0; k < w->removed; k++) {
        const struct pd_removal *r = &s->changes.removals.v[k];
        size_t begin = 0;
        for (; byte < r->end; byte++) {
            begin = byte == r->begin ? character : begin;
            character += byte + 1 == t->n || (t->v[byte + 1] & 0xc0) != 0x80;
        }
        pd_bytes_print(&s->lines, "%s[%zu,%zu,%.4f]", k ? "," : "", begin, character,
                       pd_removal_agreement(r));
    }
    pd_bytes_print(&s->lines, "]");
    if (!w->gone)
        return;
    for (; byte < t->n; byte++)
        character += byte + 1 == t->n || (t->v[byte + 1] & 0xc0) != 0x80;
    pd_bytes_print(&s->lines, ",\"pardup_drop\":[[0,%zu,1]]", character);
}

/* Write the lines that stand for lines without a document, up to a place in the file. */
static int annotate_skipped(struct attributes *s, struct skipped *skipped, uint64_t offset,
                            uint64_t skip, FILE *to)
{
    static const char line[] = "{\"id\":null,\"attributes\":{}}\n";
    uint64_t lines = 0;
    PD_TRY(skipped_pass(skipped, offset, skip, &lines));
    for (; lines > 0; lines--)
        PD_TRY(pd_packer_add(&s->packer, line, sizeof line - 1, to));
    return PD_OK;
}

/* Write the line of a document. */
static int annotate_document(struct attributes *s, uint64_t doc, const char *id, size_t n, FILE *to)
{
    const struct pd_changed *w;
    PD_TRY(pd_changes_of(&s->changes, doc, &w));
    s->lines.n = 0;
    pd_bytes_print(&s->lines, "{\"id\":");
    pd_json_quote(&s->lines, id, n);
    pd_bytes_print(&s->lines, ",\"attributes\":{\"pardup_duplicate\":");
    if (w) {
        PD_TRY(pd_dedup_text(s->d, &w->w, &s->text));
        PD_TRY(pd_changes_removals(&s->changes, w));
        append_spans(s, w);
    } else {
        pd_bytes_print(&s->lines, "[]");
    }
    pd_bytes_print(&s->lines, "}}\n");
    return pd_packer_add(&s->packer, s->lines.v, s->lines.n, to);
}

/* Write a line for each document of file k. JSON lines without a document have a line, too. */
static int annotate_documents(struct attributes *s, uint64_t k, struct skipped *skipped, FILE *to)
{
    struct pd_dedup *d = s->d;
    const struct pd_dedup_file *f = &d->files[k];
    for (uint64_t doc = f->first; doc < f->last; doc++) {
        uint64_t offset, skip;
        const char *id;
        size_t n;
        PD_TRY(pd_dedup_doc(d, PD_DOC_OFFSET, doc, &offset));
        PD_TRY(pd_dedup_doc(d, PD_DOC_SKIP, doc, &skip));
        PD_TRY(annotate_skipped(s, skipped, offset, skip, to));
        PD_TRY(pd_dedup_find_id(d, doc, &id, &n));
        PD_TRY(annotate_document(s, doc, id, n, to));
    }
    return annotate_skipped(s, skipped, UINT64_MAX, 0, to);
}

static int annotate_file(struct attributes *s, uint64_t k, FILE *to)
{
    struct skipped skipped = {.end = 0};
    int status = PD_OK;
    if (pd_reader_is_lines(s->d->fetch.reader, s->d->files[k].found))
        status = skipped_open(s->d, k, &skipped);
    PD_THEN(status, annotate_documents(s, k, &skipped, to));
    pd_table_close(&skipped.t);
    return status < 0 ? status : pd_packer_finish(&s->packer, to);
}

int pd_dedup_write_attributes(struct pd_dedup *d, uint64_t k)
{
    const char *name = d->files[k].name;
    struct attributes s = {.d = d, .changes = {.d = d}};
    struct pd_output out;
    char *path = pd_output_path(d, "attributes/", name);
    if (!path)
        return PD_EIO;
    int status = pd_output_open(d, &out, path, k);
    s.packer.packing = pd_dedup_packing(name);
    PD_THEN(status, annotate_file(&s, k, out.file));
    PD_RELEASE(pd_bytes, &s.text, &s.lines);
    pd_changes_release(&s.changes);
    pd_packer_release(&s.packer);
    return pd_output_close(&out, status);
}

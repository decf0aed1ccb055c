/* run/dedup/attributes.c - lines beside the documents that say what of them would go. */
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "run/dedup/part_files.h"
#include "run/dedup/write.h"

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
static int annotate_skipped(struct attributes *s, struct pd_dedup_skipped *skipped, uint64_t offset,
                            uint64_t skip, FILE *to)
{
    static const char line[] = "{\"id\":null,\"attributes\":{}}\n";
    uint64_t lines = 0;
    PD_TRY(pd_dedup_skipped_pass(skipped, offset, skip, &lines));
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
static int annotate_documents(struct attributes *s, uint64_t k, struct pd_dedup_skipped *skipped,
                              FILE *to)
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
    struct pd_dedup_skipped skipped = {.end = 0};
    int status = PD_OK;
    if (pd_reader_is_lines(s->d->fetch.reader, s->d->files[k].found))
        status = pd_dedup_skipped_open(s->d, k, &skipped);
    PD_THEN(status, annotate_documents(s, k, &skipped, to));
    pd_dedup_skipped_close(&skipped);
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
    free(path);
    PD_RELEASE(pd_bytes, &s.text, &s.lines);
    pd_changes_release(&s.changes);
    pd_packer_release(&s.packer);
    return pd_output_close(&out, status);
}

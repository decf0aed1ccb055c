/*
 * run/job/dedup/write/shards.c - the files of the new collection, or their attributes, one after
 * the other.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/base/log.h"
#include "pardup/corpus/packer.h"
#include "run/job/dedup/write/certificate.h"
#include "run/job/dedup/write/part_files.h"
#include "run/job/dedup/write/write.h"

enum { IDS_MOST = 256 << 10 }; /* bytes of ids that are held */

/* What a rank needs to write files; reused from file to file. */
struct shards {
    struct pd_dedup *d;
    struct pd_changes changes;  /* documents that change */
    struct pd_bytes gone, kept; /* ids */
    struct pd_ring ids;         /* ids of documents that keep text, each behind its row */
    struct pd_records records;
    struct pd_json_lines json;
    struct pd_bytes text;      /* the cleaned text of a document */
    struct pd_bytes words;     /* places of its words */
    struct pd_bytes lines;     /* lines of removed.jsonl or of attributes */
    struct pd_bytes certified; /* lines of the certificate */
    struct pd_packer proof;    /* for lines of removed.jsonl */
    FILE *removed;             /* where they go */
};

/* ---- the proof ---- */

static bool is_space(unsigned char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Append the line of removed.jsonl for a removal of a document, whose text `kept` keeps. */
static void print_removal(struct shards *s, const struct pd_changed *w, const struct pd_removal *r,
                          uint64_t kept)
{
    const struct pd_dedup *d = s->d;
    struct pd_bytes *to = &s->lines;
    pd_bytes_print(to, "{\"id\":");
    pd_json_quote(to, (const char *)s->gone.v, s->gone.n);
    pd_bytes_print(to, ",\"begin\":%u,\"end\":%u,\"kept_id\":", r->begin, r->end);
    pd_json_quote(to, (const char *)s->kept.v, s->kept.n);
    pd_bytes_print(to, ",\"kept_begin\":%u,\"kept_end\":%u,\"agreement\":%.4f", r->kept_begin,
                   r->kept_end, pd_removal_agreement(r));
    const bool known = r->row != PD_NO_PASSAGE;
    if (d->has_families && known)
        pd_bytes_print(to, ",\"family\":%llu", pd_ull(r->family));
    else
        pd_bytes_print(to, ",\"family\":null");
    if (known)
        pd_bytes_print(to, ",\"passage\":%llu", pd_ull(r->row));
    else
        pd_bytes_print(to, ",\"passage\":null");
    pd_bytes_print(to,
                   ",\"removed\":\"%s\",\"words\":%u,\"doc\":%llu,"
                   "\"kept_doc\":%llu}\n",
                   w->gone ? "document" : "passage", r->words, pd_ull(w->doc),
                   pd_ull(kept - (pd_dedup_is_foreign(d, kept) ? d->targets : 0)));
}

/* Bring the id of a document that keeps text into s->kept. Few documents keep the text of many. */
static int find_kept(struct shards *s, uint64_t place, uint64_t *doc)
{
    const unsigned char *held = pd_ring_find(&s->ids, place);
    struct pd_worded w;
    uint64_t head[2]; /* row, bytes of the id */
    if (held) {
        memcpy(head, held, sizeof head);
        *doc = head[0];
        s->kept.n = 0;
        pd_bytes_append(&s->kept, held + sizeof head, head[1]);
        return PD_OK;
    }
    PD_TRY(pd_dedup_worded(s->d, place, &w));
    PD_TRY(pd_dedup_id(s->d, &w, &s->kept));
    *doc = head[0] = w.doc;
    head[1] = w.id_n;
    unsigned char *room = pd_ring_put(&s->ids, place, sizeof head + w.id_n);
    if (room) {
        memcpy(room, head, sizeof head);
        memcpy(room + sizeof head, s->kept.v, w.id_n);
    }
    return PD_OK;
}

/* Append the line for text in [begin, end) that goes with its document, unless there is none. */
static void print_rest(struct shards *s, const struct pd_changed *w, size_t begin, size_t end,
                       struct pd_shard *shard)
{
    const struct pd_located *words = (const void *)s->words.v;
    while (begin < end && is_space(s->text.v[begin]))
        begin++;
    while (begin < end && is_space(s->text.v[end - 1]))
        end--;
    if (begin == end)
        return;
    uint64_t n = 0;
    for (size_t k = 0; k < w->w.nwords; k++)
        n += words[k].begin >= begin && words[k].end <= end;
    pd_bytes_print(&s->lines, "{\"id\":");
    pd_json_quote(&s->lines, (const char *)s->gone.v, s->gone.n);
    pd_bytes_print(&s->lines,
                   ",\"begin\":%zu,\"end\":%zu,\"kept_id\":null,\"kept_begin\":null,"
                   "\"kept_end\":null,\"agreement\":null,\"family\":null,\"passage\":null,"
                   "\"removed\":\"rest\",\"words\":%llu,\"doc\":%llu,\"kept_doc\":null}\n",
                   begin, end, pd_ull(n), pd_ull(w->doc));
    shard->rest_words += n;
}

/* Append the lines for text of a document that goes whole and that no removal proves. */
static int print_rests(struct shards *s, const struct pd_changed *w, struct pd_shard *shard)
{
    const struct pd_removals *v = &s->changes.removals;
    const size_t before = s->lines.n;
    size_t at = 0;
    PD_TRY(pd_dedup_text(s->d, &w->w, &s->text));
    PD_TRY(pd_dedup_located(s->d, &w->w, &s->words));
    for (size_t k = 0; k < v->n; k++) {
        print_rest(s, w, at, v->v[k].begin, shard);
        at = v->v[k].end;
    }
    print_rest(s, w, at, s->text.n, shard);
    shard->rests += s->lines.n > before;
    return PD_OK;
}

/* Append the lines of removed.jsonl for a document, whose removals are at hand. */
static int prove(struct shards *s, const struct pd_changed *w, struct pd_shard *shard)
{
    const struct pd_removals *v = &s->changes.removals;
    uint64_t kept = 0, bytes = 0;
    PD_TRY(pd_dedup_id(s->d, &w->w, &s->gone));
    for (size_t k = 0; k < v->n; k++) {
        if (k == 0 || v->v[k].kept != v->v[k - 1].kept)
            PD_TRY(find_kept(s, v->v[k].kept, &kept));
        print_removal(s, w, &v->v[k], kept);
        bytes += v->v[k].end - v->v[k].begin;
    }
    return w->gone && bytes < w->w.text_bytes ? print_rests(s, w, shard) : PD_OK;
}

/* ---- a file of the collection ---- */

static int write_collection_file(struct shards *s, uint64_t k, struct pd_shard *shard)
{
    struct pd_output out;
    struct stat st;
    bool whole_file = false;
    char *path = pd_output_path(s->d, "", s->d->files[k].name);
    if (!path)
        return PD_EIO;
    int status = pd_output_open(s->d, &out, pd_printed("%s", path), k);
    PD_THEN(status, s->d->options->dedup.as == PD_WRITTEN_JSONL
                        ? pd_json_lines_write(&s->json, k, out.file, &whole_file)
                        : pd_records_write(&s->records, k, out.file, shard, &whole_file));
    if (status >= 0 && whole_file) {
        fclose(out.file);
        unlink(out.part);
        out.file = NULL;
    }
    status = pd_output_close(&out, status);
    if (status >= 0 && !whole_file)
        status = stat(path, &st) ? pd_fail(PD_EIO, "%s: %s", path, strerror(errno)) : PD_OK;
    shard->stored_left = status < 0 || whole_file ? 0 : (uint64_t)st.st_size;
    free(path);
    return status;
}

/* ---- one shard after the other ---- */

/* Count what a document loses, whose removals are at hand. */
static void count_changed(const struct shards *s, const struct pd_changed *w,
                          struct pd_shard *shard)
{
    uint64_t words = 0, bytes = 0;
    for (size_t k = 0; k < s->changes.removals.n; k++) {
        words += s->changes.removals.v[k].words;
        bytes += s->changes.removals.v[k].end - s->changes.removals.v[k].begin;
    }
    shard->spans += w->removed;
    shard->whole += w->gone;
    shard->changed += !w->gone;
    shard->left -= w->gone;
    shard->words_left -= !s->d->has_words ? 0 : w->gone ? w->w.nwords : words;
    shard->text_left -= w->gone ? w->w.text_bytes : bytes;
}

/* Count what becomes of the documents of file k, and make the lines that prove it. */
static int count_shard(struct shards *s, uint64_t k, struct pd_shard *shard)
{
    struct pd_dedup *d = s->d;
    const struct pd_dedup_file *f = &d->files[k];
    const struct pd_changed *w;
    uint64_t words, bytes;
    *shard = (struct pd_shard){.file = k,
                               .documents = f->last - f->first,
                               .stored_bytes = f->bytes,
                               .stored_left = f->bytes};
    for (uint64_t doc = f->first; doc < f->last; doc++) {
        PD_TRY(pd_dedup_doc(d, PD_DOC_WORDS, doc, &words));
        PD_TRY(pd_dedup_doc(d, PD_DOC_TEXT_BYTES, doc, &bytes));
        shard->words += words;
        shard->text_bytes += bytes;
    }
    shard->left = shard->documents;
    shard->words_left = shard->words;
    shard->text_left = shard->text_bytes;
    s->lines.n = 0;
    int status = pd_changes_seek(&s->changes, f->first);
    while (status >= 0 && (status = pd_changes_next(&s->changes, f->last, &w)) == PD_OK) {
        PD_TRY(pd_changes_removals(&s->changes, w));
        count_changed(s, w, shard);
        pd_dedup_reached(d, w->doc - f->first, 2 * shard->documents);
        PD_TRY(prove(s, w, shard));
    }
    return status < 0 ? status : PD_OK;
}

static int write_file(struct shards *s, uint64_t k, struct pd_shard *shard)
{
    const struct pd_dedup_options *o = &s->d->options->dedup;
    PD_TRY(count_shard(s, k, shard));
    PD_TRY(pd_packer_add(&s->proof, s->lines.v, s->lines.n, s->removed));
    if (o->as == PD_WRITTEN_ATTRIBUTES)
        PD_TRY(pd_dedup_write_attributes(s->d, k));
    else if (o->as != PD_WRITTEN_LISTS)
        PD_TRY(write_collection_file(s, k, shard));
    pd_dedup_reached(s->d, 2 * shard->documents, 2 * shard->documents);
    if (o->as == PD_WRITTEN_ATTRIBUTES)
        return PD_OK;
    return o->certificate ? pd_certify_file(s->d, k, &s->lines, &s->certified) : PD_OK;
}

/* Bring all that was written to disk, which for many small files is faster than one by one. */
static int sync_output(const struct pd_dedup *d)
{
    const int folder = open(d->options->output, O_RDONLY | O_DIRECTORY);
    const bool synced = folder >= 0 && syncfs(folder) == 0;
    const int why = errno;
    if (folder >= 0)
        close(folder);
    return synced ? PD_OK : pd_fail(PD_EIO, "%s: %s", d->options->output, strerror(why));
}

/*
 * Write the files of a bundle, what proves their removals, and then the mark that they are there.
 */
static int write_bundle(struct shards *s, uint64_t number)
{
    const struct pd_bundle *b = &s->d->bundles.v[number];
    struct pd_shard *shards = pd_zeroed(b->to - b->from, sizeof *shards);
    struct pd_output out;
    int status = pd_output_open(s->d, &out, pd_dedup_work_path(s->d, "removed", number),
                                s->d->nfiles + number);
    s->removed = out.file;
    s->proof.packing = PD_PACK_ZSTD;
    s->certified.n = 0;
    for (uint64_t k = b->from; k < b->to && status >= 0; k++)
        if (s->d->files[k].written)
            status = write_file(s, k, &shards[k - b->from]);
        else if (s->d->options->dedup.certificate)
            status = pd_certify_file(s->d, k, NULL, &s->certified);
    PD_THEN(status, pd_packer_end(&s->proof, out.file));
    status = pd_output_close(&out, status);
    if (status >= 0 && s->d->options->dedup.certificate)
        status = pd_certify_bundle(s->d, number, &s->certified);
    PD_THEN(status, sync_output(s->d));
    if (status >= 0) {
        status = pd_output_open(s->d, &out, pd_dedup_work_path(s->d, "done", number),
                                s->d->nfiles + number);
        status = pd_output_put(&out, status, shards, (b->to - b->from) * sizeof *shards);
    }
    free(shards);
    return status;
}

static bool is_done(const struct pd_dedup *d, uint64_t number)
{
    char *path = pd_dedup_work_path(d, "done", number);
    const bool done = access(path, F_OK) == 0;
    free(path);
    return done;
}

static int write_task(void *ctx, uint64_t number)
{
    struct shards *s = ctx;
    PD_TRY(is_done(s->d, number) ? PD_OK : write_bundle(s, number));
    return pd_dedup_poll(s->d);
}

int pd_dedup_write(struct pd_dedup *d)
{
    const struct pd_dedup_step step = {"write", 2 * (d->ndocs - d->foreign)};
    struct shards s = {.d = d, .changes = {.d = d}};
    pd_records_open(&s.records, d);
    pd_ring_open(&s.ids, IDS_MOST);
    int status = pd_comm_agree(d->comm, pd_json_lines_open(&s.json, d));
    PD_THEN(status, pd_dedup_do(d, step, d->bundles.n, write_task, &s));
    pd_json_lines_close(&s.json);
    PD_RELEASE(pd_bytes, &s.gone, &s.kept);
    pd_ring_close(&s.ids);
    pd_records_close(&s.records);
    pd_changes_release(&s.changes);
    PD_RELEASE(pd_bytes, &s.text, &s.words, &s.lines, &s.certified);
    pd_packer_release(&s.proof);
    return pd_comm_agree(d->comm, status);
}

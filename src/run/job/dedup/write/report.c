/*
 * run/job/dedup/write/report.c - what was removed: removed.jsonl.zst, summary.json, lists, lines to
 * read.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/corpus/packer.h"
#include "pardup/result/names.h"
#include "run/job/dedup/leaks.h"
#include "run/job/dedup/write/part_files.h"
#include "run/job/dedup/write/write.h"

enum { COPY_BYTES = 1 << 20 };

/* ---- the proof of all files, one after the other ---- */

static int append_file(FILE *to, const char *path, struct pd_bytes *buffer)
{
    FILE *from = fopen(path, "rb");
    size_t n;
    if (!from)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    pd_bytes_reserve(buffer, COPY_BYTES);
    while ((n = fread(buffer->v, 1, COPY_BYTES, from)) > 0)
        if (fwrite(buffer->v, 1, n, to) != n)
            break;
    const bool good = !ferror(from) && !ferror(to);
    fclose(from);
    return good ? PD_OK : pd_fail(PD_EIO, "%s: cannot be copied", path);
}

static int write_removed(struct pd_dedup *d)
{
    struct pd_packer packer = {.packing = PD_PACK_ZSTD};
    struct pd_bytes buffer = {0};
    struct pd_output out;
    int status = pd_output_open_proof(d, &out, PD_DEDUP_REMOVED);
    for (uint64_t k = 0; k < d->bundles.n && status >= 0; k++) {
        char *from = pd_dedup_work_path(d, "removed", k);
        status = append_file(out.file, from, &buffer);
        free(from);
    }
    PD_THEN(status, pd_packer_finish(&packer, out.file));
    pd_packer_release(&packer);
    pd_bytes_release(&buffer);
    return pd_output_close(&out, status);
}

/* ---- the summary ---- */

/* What became of each file: to be freed. NULL: failure. */
static struct pd_shard *read_shards(const struct pd_dedup *d)
{
    struct pd_shard *shards = pd_zeroed(d->nfiles + 1, sizeof *shards);
    int status = PD_OK;
    for (uint64_t k = 0; k < d->bundles.n && status >= 0; k++) {
        const struct pd_bundle *b = &d->bundles.v[k];
        char *path = pd_dedup_work_path(d, "done", k);
        FILE *f = fopen(path, "rb");
        if (!f || fread(&shards[b->from], sizeof *shards, b->to - b->from, f) != b->to - b->from)
            status = pd_fail(PD_EIO, "%s: cannot be read back", path);
        if (f)
            fclose(f);
        free(path);
    }
    if (status >= 0)
        return shards;
    free(shards);
    return NULL;
}

static struct pd_shard sum_of(const struct pd_shard *shards, uint64_t n)
{
    struct pd_shard sum = {0};
    for (uint64_t k = 0; k < n; k++)
        for (size_t at = 0; at < PD_SHARD_U64S; at++)
            ((uint64_t *)(void *)&sum)[at] += ((const uint64_t *)(const void *)&shards[k])[at];
    return sum;
}

static void print_counts(struct pd_bytes *to, const struct pd_dedup *d, const struct pd_shard *s)
{
    pd_bytes_print(to, "\"documents\":{\"before\":%llu,\"after\":%llu,\"changed\":%llu},",
                   pd_ull(s->documents), pd_ull(s->left), pd_ull(s->changed));
    if (d->has_words)
        pd_bytes_print(to, "\"words\":{\"before\":%llu,\"after\":%llu},", pd_ull(s->words),
                       pd_ull(s->words_left));
    pd_bytes_print(to, "\"text_bytes\":{\"before\":%llu,\"after\":%llu},", pd_ull(s->text_bytes),
                   pd_ull(s->text_left));
    pd_bytes_print(to, "\"stored_bytes\":{\"before\":%llu,\"after\":%llu},",
                   pd_ull(s->stored_bytes), pd_ull(s->stored_left));
    pd_bytes_print(to, "\"rest\":{\"documents\":%llu,\"words\":%llu},", pd_ull(s->rests),
                   pd_ull(s->rest_words));
    if (d->options->dedup.revisit)
        pd_bytes_print(to, "\"revisits\":%llu,", pd_ull(s->revisits));
    pd_bytes_print(to, "\"removed_spans\":%llu,\"cleaned_records\":%llu", pd_ull(s->spans),
                   pd_ull(s->inexact));
}

void pd_dedup_quote_name(struct pd_bytes *to, const char *name)
{
    struct pd_bytes written = {0};
    const size_t n = strlen(name);
    for (size_t k = 0, bytes; k < n; k += bytes) {
        uint32_t c;
        if (pd_plain_at(name + k, n - k, &bytes, &c) == PD_PLAIN_BROKEN)
            pd_bytes_print(&written, "\\x%02X", (unsigned)c & 0xff);
        else
            pd_bytes_append(&written, name + k, bytes);
    }
    pd_json_quote(to, (const char *)written.v, written.n);
    pd_bytes_release(&written);
}

void pd_dedup_print_options(const struct pd_dedup *d, struct pd_bytes *to)
{
    const struct pd_dedup_options *o = &d->options->dedup;
    pd_bytes_print(to, "\"pardup_version\":\"%s\",\"remove\":\"%s\",\"keep\":", PARDUP_VERSION,
                   o->remove == PD_REMOVE_DOCUMENTS ? "documents" : "passages");
    pd_json_quote(to, o->keep, strlen(o->keep));
    pd_bytes_print(to,
                   ",\"min_left\":%g,\"min_agreement\":%g,\"min_run\":%llu,\"max_loss\":%g,\"by\":",
                   o->min_left, o->min_agreement, pd_ull(d->min_run), o->max_loss);
    pd_json_quote(to, pd_dedup_by(d), strlen(pd_dedup_by(d)));
}

static int write_summary(struct pd_dedup *d, const struct pd_shard *shards,
                         const struct pd_shard *sum)
{
    struct pd_bytes text = {0};
    struct pd_output out;
    pd_bytes_print(&text, "{");
    pd_dedup_print_options(d, &text);
    pd_bytes_print(&text, ",");
    print_counts(&text, d, sum);
    pd_bytes_print(&text, ",\"files\":[");
    for (uint64_t k = 0, n = 0; k < d->nfiles; k++) {
        if (!d->files[k].written)
            continue;
        pd_bytes_print(&text, "%s\n{\"file\":", n++ ? "," : "");
        pd_dedup_quote_name(&text, d->files[k].name);
        pd_bytes_print(&text, ",");
        print_counts(&text, d, &shards[k]);
        pd_bytes_print(&text, "}");
    }
    pd_bytes_print(&text, "\n]");
    int status = pd_dedup_print_groups(d, &text);
    pd_bytes_print(&text, "}\n");
    if (status >= 0)
        status =
            pd_output_put(&out, pd_output_open_proof(d, &out, PD_DEDUP_SUMMARY), text.v, text.n);
    pd_bytes_release(&text);
    return status;
}

/* ---- lists of ids: keep.txt and drop.txt ---- */

/*
 * Whoever filters a collection by drop.txt loses all documents with an id of it. So an id that is
 * also that of a document that stays is in keep.txt only.
 */

/* Ids of documents that go whole. */
struct dropped {
    struct pd_names ids;    /* numbered as they were put */
    struct pd_bytes shared; /* for each id 1: a document that stays has it, too */
    uint64_t left_out;      /* documents that go and have such an id */
};

static int gather(struct pd_dedup *d, struct dropped *g)
{
    struct pd_bytes id = {0};
    struct pd_changes c = {.d = d};
    const struct pd_changed *w;
    int status = PD_OK;
    while (status >= 0 && (status = pd_changes_next(&c, UINT64_MAX, &w)) == PD_OK) {
        if (!w->gone)
            continue;
        status = pd_dedup_id(d, &w->w, &id);
        const uint64_t fresh = g->ids.names.n;
        if (status >= 0 &&
            pd_names_put(&g->ids, id.n ? (const char *)id.v : "", id.n, fresh) == fresh)
            pd_bytes_push(&g->shared, 0);
    }
    pd_bytes_release(&id);
    pd_changes_release(&c);
    return status;
}

/* Does the list have the document? A document that stays marks its id. */
static bool is_listed(struct dropped *g, const char *id, size_t n, bool gone)
{
    const uint64_t at = pd_names_find(&g->ids, id, n, UINT64_MAX);
    if (at == UINT64_MAX)
        return !gone;
    if (!gone)
        g->shared.v[at] = 1;
    g->left_out += gone && g->shared.v[at];
    return !gone || !g->shared.v[at];
}

/* Write the ids of documents that go whole, or of the others. */
static int write_list(struct pd_dedup *d, const char *name, struct dropped *g, bool gone)
{
    struct pd_bytes line = {0};
    struct pd_changes changes = {.d = d};
    struct pd_output out;
    int status = pd_output_open_proof(d, &out, name);
    for (uint64_t doc = 0; doc < d->targets && status >= 0; doc++) {
        const struct pd_changed *w;
        const char *id;
        size_t bytes;
        status = pd_dedup_find_id(d, doc, &id, &bytes);
        PD_THEN(status, pd_changes_of(&changes, doc, &w));
        if (status < 0 || (w && w->gone) != gone || !is_listed(g, id, bytes, gone))
            continue;
        pd_bytes_reserve(&line, bytes * PD_PLAIN_ESCAPE + 1);
        pd_plain_line((char *)line.v, bytes * PD_PLAIN_ESCAPE + 1, id, bytes);
        if (fprintf(out.file, "%s\n", (char *)line.v) < 0)
            status = pd_fail(PD_EIO, "%s: cannot be written", out.path);
    }
    pd_bytes_release(&line);
    pd_changes_release(&changes);
    return pd_output_close(&out, status);
}

static int write_lists(struct pd_dedup *d)
{
    struct dropped g = {.left_out = 0};
    int status = gather(d, &g);
    if (status >= 0)
        status = write_list(d, "keep.txt", &g, false); /* first: it marks ids */
    PD_THEN(status, write_list(d, "drop.txt", &g, true));
    if (status >= 0 && g.left_out > 0)
        pd_log(PD_LOG_WARN,
               "documents that would go, but have the id of one that stays: %llu; these ids are in "
               "keep.txt only, and removed.jsonl.zst tells the documents apart (doc)",
               pd_ull(g.left_out));
    pd_names_release(&g.ids);
    pd_bytes_release(&g.shared);
    return status;
}

/* ---- the end ---- */

static double share(uint64_t part, uint64_t all)
{
    return all ? 100 * (double)part / (double)all : 0;
}

/* Say how much text was set aside, so that its copies stay, and how they go. */
static void say_aside(const struct pd_dedup *d)
{
    uint64_t frames = 0, templates = 0;
    pd_result_count(d->result, "frame_words", &frames);
    pd_result_count(d->result, "template_words", &templates);
    if (d->seeks && frames + templates > 0)
        pd_log(PD_LOG_INFO,
               "  set aside   %13s  words of menus, templates and letters' frames are no copies "
               "(detect --aside none)",
               pd_grouped(frames + templates));
}

static void say(const struct pd_dedup *d, const struct pd_shard *s)
{
    const bool collection = pd_writes_collection(&d->options->dedup);
    const char *to = collection ? "gone" : "to go", *cut = collection ? "cut" : "to cut";
    pd_log(PD_LOG_INFO, "%s", d->options->output);
    pd_log(PD_LOG_INFO, "  documents   %13s -> %13s  (%s %s, %s %s)", pd_grouped(s->documents),
           pd_grouped(s->left), pd_grouped(s->whole), to, pd_grouped(s->changed), cut);
    if (d->has_words)
        pd_log(PD_LOG_INFO, "  words       %13s -> %13s  (%.2f %% less)", pd_grouped(s->words),
               pd_grouped(s->words_left), share(s->words - s->words_left, s->words));
    else
        pd_log(PD_LOG_INFO, "  words       not in this result, which an earlier pardup has made");
    pd_log(PD_LOG_INFO, "  text bytes  %13s -> %13s  (%.2f %% less)", pd_grouped(s->text_bytes),
           pd_grouped(s->text_left), share(s->text_bytes - s->text_left, s->text_bytes));
    pd_log(PD_LOG_INFO, "  file bytes  %13s -> %13s", pd_grouped(s->stored_bytes),
           pd_grouped(s->stored_left));
    pd_log(PD_LOG_INFO, "  removals    %13s  (%s/%s has the proofs)", pd_grouped(s->spans),
           d->proof, PD_DEDUP_REMOVED);
    say_aside(d);
    if (s->rests)
        pd_log(PD_LOG_INFO, "  without proof %11s  document%s whose rest of %s words went",
               pd_grouped(s->rests), pd_plural(s->rests), pd_grouped(s->rest_words));
    if (s->revisits)
        pd_log(PD_LOG_INFO, "  revisits    %13s  record%s in place of a copy",
               pd_grouped(s->revisits), pd_plural(s->revisits));
    if (s->inexact)
        pd_log(PD_LOG_INFO, "  written as cleaned text: %s record%s whose text was cut",
               pd_grouped(s->inexact), pd_plural(s->inexact));
}

/* Which files of the work folder are removed. A job that is killed meanwhile can be taken up. */
enum turn { MARKS, OTHERS, JOB, TURNS };

static enum turn turn_of(const char *name)
{
    return strncmp(name, "done.", strlen("done.")) == 0 ? MARKS
           : strncmp(name, "job.", strlen("job.")) == 0 ? JOB
                                                        : OTHERS;
}

/*
 * Remove the marks of what is done first, so that a job that is taken up does all of it again, and
 * what tells whose job it is last. A job that was killed has left files of more ranks than there
 * are.
 */
static void empty_work(const char *path)
{
    const struct dirent *entry;
    for (enum turn turn = MARKS; turn < TURNS; turn++) {
        DIR *folder = opendir(path);
        while (folder && (entry = readdir(folder)) != NULL)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                turn_of(entry->d_name) == turn)
                unlinkat(dirfd(folder), entry->d_name, 0);
        if (folder)
            closedir(folder);
    }
}

void pd_dedup_clean(const struct pd_dedup *d, bool failed)
{
    empty_work(d->work);
    if (rmdir(d->work) != 0) { /* a call that was interrupted works the second time */
        empty_work(d->work);
        if (rmdir(d->work) != 0)
            pd_log(PD_LOG_WARN, "%s: cannot be removed: remove it", d->work);
    }
    if (!failed)
        return;
    char *claim = pd_printed("%s/%s.part", d->proof, PD_DEDUP_REMOVED);
    unlink(claim);
    free(claim);
    rmdir(d->proof);
    rmdir(d->options->output);
}

static void push_copy(struct pd_texts *to, const char *text)
{
    to->v = pd_realloc(to->v, to->n + 1, sizeof *to->v);
    to->v[to->n++] = pd_printed("%s", text);
}

void pd_dedup_hand_over(const struct pd_dedup *d, struct pd_dedup_made *made)
{
    made->proof = pd_printed("%s", d->proof);
    const char *index = d->known ? d->known : d->index_path;
    made->known = d->known != NULL;
    made->index = index ? pd_printed("%s", index) : NULL;
    for (uint64_t k = 0; k < d->nfiles; k++) {
        char *path =
            d->files[k].written ? pd_printed("%s/%s", d->options->output, d->files[k].name) : NULL;
        if (!path && !d->known)
            push_copy(&made->sources, d->files[k].found);
        else if (path && access(path, F_OK) == 0)
            push_copy(&made->files, path);
        free(path);
    }
}

int pd_dedup_report(struct pd_dedup *d, struct pd_dedup_made *made)
{
    struct pd_shard *shards = read_shards(d);
    if (!shards)
        return PD_EIO;
    const struct pd_shard sum = sum_of(shards, d->nfiles);
    int status = write_removed(d);
    if (status >= 0 && d->options->dedup.as == PD_WRITTEN_LISTS)
        status = write_lists(d);
    if (status >= 0 && d->options->dedup.check)
        status = pd_dedup_write_asides(d);
    PD_THEN(status, write_summary(d, shards, &sum));
    free(shards);
    PD_TRY(status);
    say(d, &sum);
    PD_TRY(pd_dedup_say_groups(d));
    PD_TRY(d->options->dedup.run ? pd_leaks_report(d) : PD_OK);
    made->documents = sum.left;
    made->words = sum.words_left;
    made->removals = sum.spans;
    made->touched = sum.whole + sum.changed;
    made->words_gone = sum.words - sum.words_left;
    return PD_OK;
}

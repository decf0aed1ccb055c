/*
 * run/read.c - the reading stage: pieces to stored documents, each piece by whichever rank is free.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/comm/queue.h"
#include "pardup/document/document.h"
#include "pardup/document/utf8.h"
#include "pardup/run/number.h"

enum {
    SKIPS_TOLD = 5 /* lines a rank prints about skipped records; all are counted and listed */
};

struct reading {
    struct pd_collection *col;
    struct pd_stages *stages;
    struct pd_queue queue;
    struct pd_reader *reader;
    struct pd_document doc;
    struct pd_tokens tokens;
    uint64_t told;             /* skip lines printed */
    uint64_t documents, bytes; /* since the last report to the shared counters */
    const struct pd_piece *piece;
    int status; /* of --strict: set by the skip callback */
};

static void on_skip(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    struct reading *r = ctx;
    const struct pd_file *file = &r->col->files.v[r->piece->file];
    const struct pd_skiprec rec = {r->piece->file, offset, skip, why};
    pd_skiprecs_push(&r->col->skips, rec);
    char where[64];
    snprintf(where, sizeof where, skip ? "%llu+%llu" : "%llu", (unsigned long long)offset,
             (unsigned long long)skip);
    if (r->col->options->strict) {
        if (r->status >= 0)
            r->status = pd_fail(PD_EFORMAT, "%s: byte %s: %s (%s); without --strict it is skipped",
                                file->path, where, detail, pd_skip_name(why));
    } else if (r->told++ < SKIPS_TOLD) {
        pd_log_rank(PD_LOG_WARN, "%s: byte %s: %s; skipped (%s)", file->path, where, detail,
                    pd_skip_name(why));
        if (r->told == SKIPS_TOLD)
            pd_log_rank(PD_LOG_WARN, "further skipped records are only counted and listed");
    }
}

/* Hash of the host part of an address, lower case; 0 when there is none. */
static uint64_t host_of(const char *url, size_t n)
{
    char host[256];
    size_t k = 0;
    const char *at = memmem(url, n, "://", 3);
    if (!at)
        return 0;
    for (at += 3; at < url + n && k < sizeof host && !strchr("/:?#", *at); at++)
        host[k++] = (char)tolower((unsigned char)*at);
    return k ? pd_hash_bytes(host, k) | 1 : 0; /* never the 0 that means unknown */
}

/* Number the words, count each once for this document. */
static void count_words(struct reading *r)
{
    struct pd_vocabulary *voc = &r->col->vocabulary;
    const struct pd_document *d = &r->doc;
    PD_CHECK(r->col->docs.n < UINT32_MAX);
    const uint32_t stamp = (uint32_t)r->col->docs.n + 1;
    pd_tokens_reserve(&r->tokens, d->words.n);
    r->tokens.n = d->words.n;
    for (size_t k = 0; k < d->words.n; k++) {
        const struct pd_word *w = &d->words.v[k];
        const uint32_t number = pd_vocabulary_number(voc, w->term);
        pd_vocabulary_count(voc, number, stamp);
        r->tokens.v[k] = (struct pd_token){w->begin, w->end, number};
    }
}

static void keep(struct reading *r, const struct pd_raw *raw)
{
    struct pd_collection *col = r->col;
    const struct pd_document *d = &r->doc;
    struct pd_docrec rec = {.segment = raw->segment,
                            .offset = raw->offset,
                            .skip = raw->skip,
                            .length = raw->length,
                            .body_bytes = raw->n,
                            .text_bytes = d->text_n,
                            .id_at = col->ids.n,
                            .id_n = (uint32_t)raw->id_n,
                            .file = r->piece->file,
                            .stored = col->store.blobs.n,
                            .sentences = (uint32_t)d->sentences.n,
                            .words = (uint32_t)d->words.n};
    rec.host = raw->url_n ? host_of(raw->url, raw->url_n) : host_of(raw->id, raw->id_n);
    count_words(r);
    pd_utf8_mend((const unsigned char *)raw->id, raw->id_n, &col->ids); /* a path may be anything */
    rec.id_n = (uint32_t)(col->ids.n - rec.id_at);
    pd_docstore_push(&col->store, d->sentences.v, d->sentences.n, r->tokens.v);
    pd_docrecs_push(&col->docs, rec);
    col->totals.replaced += d->replaced;
    r->documents++;
    r->bytes += raw->n;
}

/* After each document: count it for all, show how far we are. True when another rank failed. */
static int report(struct reading *r)
{
    pd_queue_add(&r->queue, r->documents, r->bytes);
    r->documents = r->bytes = 0;
    const int stopped = pd_queue_poll(&r->queue);
    if (r->col->comm->rank == 0)
        pd_stages_progress(r->stages, r->queue.next, r->queue.ntasks, r->queue.documents,
                           r->queue.bytes);
    return stopped;
}

static int read_piece(struct reading *r, const struct pd_piece *piece)
{
    const struct pd_options *o = r->col->options;
    struct pd_raw raw;
    enum pd_skip why;
    int status;
    r->piece = piece;
    PD_TRY(pd_reader_open(r->reader, &r->col->files.v[piece->file], piece));
    for (int64_t n = 0; (status = pd_reader_next(r->reader, &raw)) == PD_OK;) {
        if (pd_document_read(&r->doc, &raw, &why) == PD_OK) {
            keep(r, &raw);
            n++;
        } else {
            on_skip(r, why, raw.offset, raw.skip, "no text");
        }
        if (r->status < 0)
            return r->status;
        if (o->limit_docs && n >= o->limit_docs)
            return PD_END; /* what follows in this piece is beyond the limit in any case */
        if (report(r))
            return PD_END;
    }
    return status < 0 ? status : r->status < 0 ? r->status : PD_OK;
}

static int read_pieces(struct reading *r)
{
    const struct pd_collection *col = r->col;
    const uint64_t limit = (uint64_t)col->options->limit_docs;
    int status = PD_OK;
    /* Pieces are taken in order: once the finished ones hold `limit` documents, no later is needed. */
    while (status >= 0 && !(limit && r->queue.known_documents >= limit)) {
        const uint64_t task = pd_queue_take(&r->queue);
        if (task == PD_NO_TASK)
            break;
        status = read_piece(r, &col->pieces.v[task]);
    }
    if (status < 0)
        pd_queue_stop(&r->queue);
    return status < 0 ? status : PD_OK;
}

int pd_collection_read(struct pd_collection *col, struct pd_stages *stages)
{
    const struct pd_options *o = col->options;
    struct reading r = {.col = col, .stages = stages, .doc = pd_document_as(o)};
    const struct pd_reader_options ro = {o->format,    o->id_field, o->text_field,
                                         o->url_field, on_skip,     &r};
    r.reader = pd_reader_new(&ro);
    pd_stages_begin(stages, PD_STAGE_READ);
    pd_queue_open(col->comm, &r.queue, col->pieces.n);
    int status = read_pieces(&r);
    pd_queue_close(&r.queue);
    col->totals.ignored = pd_reader_counts(r.reader)->ignored;
    col->totals.repaired = pd_reader_counts(r.reader)->repaired;
    pd_reader_free(r.reader);
    pd_document_release(&r.doc);
    pd_tokens_release(&r.tokens);
    status = pd_comm_agree(col->comm, status);
    if (status >= 0)
        status = pd_collection_number(col, stages);
    return pd_stages_end(stages, status);
}

void pd_collection_release(struct pd_collection *col)
{
    pd_files_free(&col->files);
    pd_pieces_release(&col->pieces);
    pd_docrecs_release(&col->docs);
    pd_bytes_release(&col->ids);
    pd_docstore_release(&col->store);
    pd_vocabulary_release(&col->vocabulary);
    pd_segments_release(&col->segments);
    pd_skiprecs_release(&col->skips);
}

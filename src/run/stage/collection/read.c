/*
 * run/stage/collection/read.c - the read stage: whichever rank is free reads the next piece, and
 * stores its documents in volumes.
 */
#include <signal.h>
#include <stdio.h>

#include "filling.h"
#include "number.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/minmax.h"
#include "pardup/comm/queue.h"
#include "pardup/document/document.h"
#include "unread.h"

enum {
    /*
     * Stored bytes before the end of a piece at which the next piece is asked for. Reading them
     * takes some milliseconds, in which rank 0 looks for messages.
     */
    ASK_AHEAD = 384 << 10,

    /* lines that a rank prints about skipped records; all records are counted and listed */
    SKIPS_SHOWN = 5
};

/*
 * When the piece that is being read was begun, seconds of pd_clock; 0: no piece is being read. It
 * is static because stopping() gets no context.
 */
static double piece_began;

/*
 * The signal that asks the job to stop; 0: none. After SIGUSR1 reading goes on until the piece has
 * been read, or has taken `patience` seconds in all: a piece that is not read to its end is read
 * again.
 */
static int stopping(void)
{
    static const double patience = 5; /* seconds */
    const int signal = pd_comm_stopping();
    if (signal == SIGUSR1 && piece_began > 0 && pd_clock() - piece_began < patience)
        return 0;
    return signal;
}

struct reading {
    struct pd_collection *col;
    struct pd_stages *stages;
    struct pd_queue queue;
    struct pd_reader *reader;
    struct pd_document doc;       /* the document that was read last */
    struct pd_byline byline;      /* what it tells about itself */
    struct pd_filling filling;    /* the volume that documents are added to */
    struct pd_terms todo;         /* numbers of the pieces that no volume holds yet */
    struct pd_terms tasks;        /* where each task begins in `todo`, and the end */
    struct pd_terms before;       /* per task, and at the end: bytes before it */
    bool last;                    /* `piece` is the last one of its task */
    uint64_t skips_shown;         /* lines printed about skipped records */
    uint64_t documents, bytes;    /* documents and bytes read since the last report */
    const struct pd_piece *piece; /* the piece that is being read; NULL: none */
    const struct pd_file *file;   /* the file that the reader has open */
    int status;                   /* the failure of on_skip */
};

/* Add the document that was read last to the volume. */
static int keep(struct reading *r, const struct pd_raw *raw)
{
    PD_TRY(pd_filling_keep(&r->filling, r->piece->file, raw, &r->doc));
    r->documents++;
    r->bytes += raw->n;
    return pd_filling_is_full(&r->filling, 1) ? pd_filling_turn_over(&r->filling) : PD_OK;
}

/*
 * Say that a record is skipped, as a line of the log or, with --strict, as the failure of the job.
 */
static void tell_skip(struct reading *r, const struct pd_skiprec *skip, const char *detail)
{
    const struct pd_file *file = &r->col->files.v[skip->file];
    const char *reason = pd_skip_name((enum pd_skip)skip->why);
    char where[64];
    snprintf(where, sizeof where, skip->skip ? "%llu+%llu" : "%llu",
             (unsigned long long)skip->offset, (unsigned long long)skip->skip);
    if (r->col->options->input.strict && skip->why != PD_SKIP_DOUBTFUL) {
        PD_THEN(r->status,
                pd_fail(PD_EFORMAT, "%s: byte %s: %s (%s); without --strict it is skipped",
                        file->path, where, detail, reason));
    } else if (r->skips_shown++ < SKIPS_SHOWN) {
        pd_log_rank(PD_LOG_WARN, "%s: byte %s: %s; %s (%s)", file->path, where, detail,
                    pd_unread_fate((enum pd_skip)skip->why), reason);
        if (r->skips_shown == SKIPS_SHOWN)
            pd_log_rank(PD_LOG_WARN, "further skipped records are only counted and listed");
    }
}

/*
 * Keep a skipped record in the volume. Damaged data may hold millions without a document between
 * them, so they fill volumes as documents do.
 */
static void on_skip(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    struct reading *r = ctx;
    const struct pd_skiprec rec = {r->piece->file, offset, skip, why};
    pd_filling_skip(&r->filling, &rec);
    if (why != PD_SKIP_NO_TEXT) /* nothing is wrong with it: it is only counted and listed */
        tell_skip(r, &rec, detail);
    if (r->status >= 0 && pd_filling_is_full(&r->filling, 1))
        r->status = pd_filling_turn_over(&r->filling);
}

/* Stored bytes of a piece. Stripes of a file share its bytes. */
static uint64_t bytes_of(const struct pd_piece *piece)
{
    return (piece->to - piece->from) / piece->nstripes;
}

/*
 * On rank 0. About how many stored bytes all ranks have read: the bytes of the pieces handed out,
 * less the bytes that ranks have still to read of their pieces. All ranks are taken to be as far in
 * their pieces as this rank.
 */
static uint64_t bytes_read(const struct reading *r)
{
    const uint64_t handed = r->before.v[r->queue.next], ranks = (uint64_t)r->col->comm->size;
    const uint64_t readers = r->queue.next < ranks ? r->queue.next : ranks;
    const uint64_t reached = pd_reader_reached(r->reader);
    const uint64_t left =
        reached < r->piece->to ? (r->piece->to - reached) / r->piece->nstripes : 0;
    return left * readers < handed ? handed - left * readers : 0;
}

/* After each document, tell the queue and show progress. Returns 1 if a rank has failed, else 0. */
static int report(struct reading *r)
{
    pd_queue_add(&r->queue, r->documents, r->bytes);
    r->documents = r->bytes = 0;
    const int stopped = pd_queue_poll(&r->queue);
    if (r->col->comm->rank == 0)
        pd_stages_progress(r->stages, bytes_read(r), r->before.v[r->before.n - 1],
                           r->queue.documents, r->queue.bytes);
    return stopped;
}

/* PD_ESTOP if a signal asks the job to stop. */
static int stop(void)
{
    const int signal = stopping();
    if (!signal)
        return PD_OK;
    pd_error_clear(); /* the reader may have said that it was stopped */
    return pd_fail(PD_ESTOP, "stopped by signal %d", signal);
}

static int open_piece(struct reading *r, const struct pd_piece *piece)
{
    const struct pd_file *file = &r->col->files.v[piece->file];
    if (file == r->file) {
        pd_reader_go_on(r->reader, piece);
        return PD_OK;
    }
    r->file = file;
    return pd_reader_open(r->reader, file, piece);
}

/* Tasks are taken in order. Once the tasks taken hold --limit-docs documents, no later one is needed. */
static bool is_enough(const struct reading *r)
{
    const uint64_t limit = (uint64_t)r->col->options->input.limit_docs;
    return limit && r->queue.known_documents >= limit;
}

/* Near the end of the task, ask for the next one, whose number comes while the rest is read. */
static void look_ahead(struct reading *r)
{
    if (r->last && !is_enough(r) && pd_reader_reached(r->reader) + ASK_AHEAD >= r->piece->to)
        pd_queue_expect(&r->queue);
}

/* PD_OK or PD_END: the piece needs no more reading. */
static int read_documents(struct reading *r, const struct pd_piece *piece)
{
    const struct pd_options *o = r->col->options;
    struct pd_raw raw;
    enum pd_skip why;
    int status;
    r->piece = piece;
    piece_began = pd_clock();
    const struct pd_fragment first = {(uint64_t)(piece - r->col->pieces.v), 0, 0};
    PD_TRY(pd_filling_begin(&r->filling, first));
    PD_TRY(open_piece(r, piece));
    for (int64_t n = 0; (status = pd_reader_next(r->reader, &raw)) == PD_OK;) {
        if (!pd_wanted_has(&r->col->wanted, &raw)) {
            r->filling.volume.counts.unlisted++;
        } else if (pd_document_read(&r->doc, &raw, &why) == PD_OK) {
            const char *doubt = pd_document_doubt(&r->doc, &raw);
            if (doubt)
                on_skip(r, PD_SKIP_DOUBTFUL, raw.offset, raw.skip, doubt);
            PD_TRY(keep(r, &raw));
            n++;
        } else {
            PD_TRY(stop());
            if (why == PD_SKIP_BINARY && raw.file && !pd_unread_is_text(r->file->path))
                why = PD_SKIP_UNKNOWN;
            on_skip(r, why, raw.offset, raw.skip, pd_unread_reason(why));
        }
        if (r->status < 0)
            return r->status;
        if (o->input.limit_docs && n >= o->input.limit_docs)
            return PD_END; /* later documents of this piece are beyond the limit in any case */
        PD_TRY(stop());
        if (report(r) || pd_excerpts_enough(&r->col->excerpts, piece, pd_reader_reached(r->reader)))
            return PD_END;
        look_ahead(r);
    }
    return status < 0 ? status : r->status < 0 ? r->status : PD_OK;
}

/* read_documents(), and a look whether the file was changed meanwhile. */
static int read_piece(struct reading *r, const struct pd_piece *piece)
{
    const int status = read_documents(r, piece);
    if (status == PD_EIO) /* the reader ends in this way when it is asked to stop */
        PD_TRY(stop());
    const int same = status >= 0 ? pd_reader_check(r->reader) : PD_OK;
    return same < 0 ? same : status;
}

/* The piece has been read to its end. If the volume is nearly full, it ends here too. */
static int end_piece(struct reading *r)
{
    static const double nearly_full = 0.75;
    pd_filling_end_piece(&r->filling);
    return pd_filling_is_full(&r->filling, nearly_full) ? pd_filling_seal(&r->filling) : PD_OK;
}

static int read_task(struct reading *r, uint64_t task)
{
    const uint64_t end = r->tasks.v[task + 1];
    int status = PD_OK;
    for (uint64_t k = r->tasks.v[task]; k < end && status >= 0 && !r->queue.stopped; k++) {
        r->last = k + 1 == end;
        status = read_piece(r, &r->col->pieces.v[r->todo.v[k]]);
        if (status >= 0 && !r->queue.stopped) /* else the piece may have been left in the middle */
            status = end_piece(r);
        r->piece = NULL;
        piece_began = 0;
        PD_THEN(status, stop());
    }
    return status;
}

static int read_pieces(struct reading *r)
{
    int status = PD_OK;
    while (status >= 0 && (r->queue.expecting || !is_enough(r))) {
        const uint64_t task = pd_queue_take(&r->queue);
        if (task == PD_NO_TASK)
            break;
        status = read_task(r, task);
    }
    /*
     * A job that is asked to stop writes its volume too: the whole pieces in it need not be read
     * again.
     */
    if ((status >= 0 || status == PD_ESTOP) && r->filling.volume.fragments.n) {
        const int sealed = pd_filling_seal(&r->filling);
        status = sealed < 0 ? sealed : status;
    }
    if (status < 0)
        pd_queue_stop(&r->queue);
    return status < 0 ? status : PD_OK;
}

static void add_fields(struct pd_field_counts *sum, const struct pd_field_counts *c)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)c;
    for (size_t k = 0; k < sizeof *sum / sizeof *to; k++)
        to[k] += from[k];
}

/* Add up the counts of this rank's volumes, and note files that were not read at all. */
static int take_counts(struct pd_collection *col)
{
    for (size_t k = 0; k < col->library.shelf.n; k++) {
        struct pd_volume *v;
        PD_TRY(pd_library_volume(&col->library, k, &v));
        pd_terms_push(&col->skips, v->skips.n);
        col->totals.skipped += v->skips.n;
        for (size_t i = 0; i < v->skips.n; i++) {
            col->totals.doubtful += v->skips.v[i].why == PD_SKIP_DOUBTFUL;
            if (v->skips.v[i].why == PD_SKIP_UNKNOWN)
                pd_skiprecs_push(&col->unread, v->skips.v[i]);
        }
        col->totals.ignored += v->counts.ignored;
        col->totals.unlisted += v->counts.unlisted;
        col->totals.repaired += v->counts.repaired;
        col->totals.replaced += v->counts.replaced;
        col->totals.cut += v->counts.cut;
        col->totals.undated += v->counts.undated;
        add_fields(&col->totals.fields, &v->counts.fields);
    }
    return PD_OK;
}

/*
 * List the pieces that no volume holds yet. Small files are dealt by the tasks, some neighbours
 * each: rank 0 takes a task at once, and would read most of them while the others wait for its
 * replies.
 */
static void list_pieces(struct reading *r, const unsigned char *done)
{
    enum { TASKS_A_RANK = 16, TASK_MOST = 256 << 10 /* bytes */ };
    const struct pd_pieces *all = &r->col->pieces;
    uint64_t bytes = 0, begin = 0;
    for (size_t k = 0; k < all->n; k++)
        bytes += bytes_of(&all->v[k]);
    const uint64_t share = bytes / TASKS_A_RANK / (uint64_t)r->col->comm->size;
    bytes = 0;
    for (size_t k = 0; k < all->n; k++) {
        if (done && done[k])
            continue;
        if (r->todo.n == 0 || bytes - begin >= pd_min_u64(share, TASK_MOST)) {
            pd_terms_push(&r->tasks, r->todo.n);
            pd_terms_push(&r->before, begin = bytes);
        }
        pd_terms_push(&r->todo, k);
        bytes += bytes_of(&all->v[k]);
    }
    pd_terms_push(&r->tasks, r->todo.n);
    pd_terms_push(&r->before, bytes);
}

/* Does the method need the frames of pages, or may it, once a preset is chosen? */
static bool may_need_frames(const struct pd_options *o)
{
    bool need = o->method.frame == PD_TEMPLATES_ASIDE ||
                (o->letters.name && o->letters.frame == PD_TEMPLATES_ASIDE);
    for (int k = 0; k < PD_PRESETS; k++)
        need |= o->presets[k].name && o->presets[k].frame == PD_TEMPLATES_ASIDE;
    return need;
}

int pd_collection_read(struct pd_collection *col, const unsigned char *done,
                       struct pd_stages *stages)
{
    const struct pd_options *o = col->options;
    struct reading r = {.col = col, .stages = stages, .doc = pd_document_as(&o->input)};
    const struct pd_reader_options ro = {.format = o->input.format,
                                         .id_field = o->input.id_field,
                                         .text_field = o->input.text_field,
                                         .url_field = o->input.url_field,
                                         .site_field = o->input.site_field,
                                         .keep = &col->metadata.keep,
                                         .max_document = (uint64_t)o->input.max_document,
                                         .skipped = on_skip,
                                         .stopping = stopping,
                                         .ctx = &r};
    r.reader = pd_reader_new(&ro);
    pd_filling_init(&r.filling, col, r.reader);
    r.doc.stopping = stopping;
    r.doc.byline = pd_metadata_wants_byline(&col->metadata) ? &r.byline : NULL;
    r.doc.marks_frame = may_need_frames(o);
    col->library.keep = pd_transport_budget(col->transport, PD_BUDGET_LIBRARY);
    pd_stages_begin(stages, PD_STAGE_READ);
    list_pieces(&r, done);
    pd_queue_open(col->comm, &r.queue, r.tasks.n - 1);
    int status = read_pieces(&r);
    pd_queue_close(&r.queue);
    pd_reader_free(r.reader);
    pd_document_release(&r.doc);
    pd_byline_release(&r.byline);
    pd_filling_release(&r.filling);
    PD_RELEASE(pd_terms, &r.todo, &r.tasks, &r.before);
    PD_THEN(status, take_counts(col));
    status = pd_comm_agree(col->comm, status);
    PD_THEN(status, pd_collection_number(col));
    return pd_stages_end(stages, status);
}

void pd_collection_release(struct pd_collection *col)
{
    pd_wanted_release(&col->wanted);
    pd_metadata_release(&col->metadata);
    pd_files_free(&col->files);
    pd_pieces_release(&col->pieces);
    pd_library_release(&col->library);
    PD_RELEASE(pd_numbereds, &col->numbered, &col->beyond);
    pd_batches_release(&col->batches);
    pd_terms_release(&col->skips);
    pd_skiprecs_release(&col->unread);
}

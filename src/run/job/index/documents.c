/* run/job/index/documents.c - see src/run/job/index/sources.h */
#include "sources.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "run/view.h"

enum { PART_BYTES = 64 << 10 }; /* most bytes of a packed document in one record */

/* A part of a packed document, on its way to rank 0. Order: number, part. */
struct part {
    uint32_t size;   /* bytes of the record, a multiple of 8 */
    uint32_t n;      /* bytes of `v` that count */
    uint64_t number; /* of the document */
    uint64_t part;   /* of the document, from 0 */
    unsigned char v[];
};

struct sending {
    struct pd_job *job;
    const char *folder; /* before paths of files that are not absolute; empty: nothing */
    struct pd_signing *signing;
    uint64_t doc;                  /* the next document of this rank */
    struct pd_stored whole;        /* the document at hand, with its frame */
    struct pd_asides *asides;      /* what --templates sets aside */
    struct pd_bytes frame, others; /* what is set aside of it: its frame, and others; packed */
    struct pd_bytes flags;         /* scratch: flags before they are packed */
    struct pd_bytes packed;        /* the document at hand, packed; `sent` bytes of it were sent */
    size_t sent;
    uint64_t part;
    pd_doc number;         /* of the document at hand */
    struct pd_bytes block; /* of texts */
    uint64_t block_number; /* UINT64_MAX: none */
    struct pd_shuffle parts;
    struct pd_segment_writer *writer; /* of rank 0 */
};

/* The text of a document, which was kept while it was read; NULL: texts are not kept. */
static int text_of(struct sending *s, const struct pd_docrec *rec, const unsigned char **text)
{
    struct pd_packed *texts = s->job->collection.texts;
    const uint64_t block = rec->text_at >> 32;
    *text = NULL;
    if (!texts)
        return PD_OK;
    if (rec->text_bytes && block != s->block_number) {
        s->block_number = UINT64_MAX;
        PD_TRY(pd_packed_load(texts, (uint32_t)block, &s->block));
        s->block_number = block;
    }
    *text = rec->text_bytes ? s->block.v + (rec->text_at & UINT32_MAX) : (const unsigned char *)"";
    return PD_OK;
}

/* Does the segment have the path of a file with the folder before it? */
static bool is_moved(const struct sending *s, const char *path)
{
    return *s->folder && *path != '/';
}

/* Pack the frame of a document into s->frame; it stays empty if the units have the frame. */
static int pack_frame(struct sending *s, const struct pd_held *held)
{
    s->frame.n = 0;
    if (s->job->options->method.frame != PD_TEMPLATES_ASIDE || !held->rec->frame_sentences)
        return PD_OK;
    PD_TRY(pd_collection_open_whole(&s->job->collection, held, &s->whole));
    pd_indexed_pack_flags(pd_view_frame(&s->whole, &s->flags), s->whole.sentences.n, &s->frame);
    return PD_OK;
}

/* Pack what --templates sets aside of the document that is loaded. *words: how many words it has. */
static int pack_others(struct sending *s, pd_doc number, uint64_t *words)
{
    const struct pd_stored *stored = &s->signing->stored;
    const struct pd_word_numbers *units = &s->asides->of_doc;
    const size_t n = stored->sentences.n;
    PD_TRY(pd_asides_load(s->asides, number, stored, s->signing->signer.terms));
    pd_bytes_reserve(&s->flags, (n + 1) * sizeof(bool));
    bool *flags = (bool *)(void *)s->flags.v;
    memset(flags, 0, n * sizeof *flags);
    for (size_t k = 0; k < units->n; k++) {
        flags[units->v[k]] = true;
        *words += stored->sentences.v[units->v[k]].nwords;
    }
    s->others.n = 0;
    pd_indexed_pack_flags(flags, n, &s->others);
    return PD_OK;
}

/* Pack the next document of this rank into s->packed. */
static int pack_next(struct sending *s)
{
    struct pd_collection *col = &s->job->collection;
    struct pd_held held;
    const unsigned char *text;
    PD_TRY(pd_signing_load(s->signing, s->doc));
    PD_TRY(pd_collection_nth(col, s->doc++, &held));
    pd_stages_progress(&s->job->stages, s->doc, col->ndocs, 0, 0);
    const struct pd_docrec *rec = held.rec;
    PD_TRY(text_of(s, rec, &text));
    uint64_t aside_words = 0;
    PD_TRY(pack_others(s, held.number, &aside_words));
    PD_TRY(pack_frame(s, &held));
    if (s->frame.n)
        aside_words += rec->frame_words;
    struct pd_indexed doc = {.id =
                                 (const char *)pd_collection_volume(col, &held)->ids.v + rec->id_at,
                             .id_n = rec->id_n,
                             .file = rec->file,
                             .offset = rec->offset,
                             .skip = rec->skip,
                             .length = rec->length,
                             .host = rec->host,
                             .text_hash = rec->text_hash,
                             .sentences = rec->sentences,
                             .words = rec->words,
                             .text_bytes = rec->text_bytes,
                             .aside_words = aside_words,
                             .frame = {s->frame.v, s->frame.n},
                             .asides = {s->others.v, s->others.n}};
    const char *path = col->files.v[rec->file].path;
    if (!is_moved(s, path) && strlen(path) == doc.id_n && memcmp(path, doc.id, doc.id_n) == 0)
        doc.id_n = 0; /* the file has it */
    s->packed.n = s->sent = s->part = 0;
    s->number = held.number;
    pd_indexed_pack(&doc, s->signing->units, text, &s->packed);
    return PD_OK;
}

static int fill_documents(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct sending *s = ctx;
    for (*n = 0;;) {
        if (s->sent == s->packed.n) {
            if (s->doc == s->job->collection.ndocs)
                return PD_END;
            PD_TRY(pack_next(s));
        }
        struct part *part = (struct part *)(void *)(to + *n);
        const size_t take = pd_min_size(s->packed.n - s->sent, PART_BYTES);
        const size_t size = (sizeof *part + take + 7) / 8 * 8;
        if (size > cap - *n)
            return PD_OK;
        memset(part, 0, size);
        *part = (struct part){(uint32_t)size, (uint32_t)take, s->number, s->part++};
        memcpy(part->v, s->packed.v + s->sent, take);
        s->sent += take;
        *n += size;
    }
}

static const struct pd_flow documents_flow = {
    .name = "documents", .budget = PD_BUDGET_IDS, .key_at = 1, .keys = 2, .goes = PD_TO_FIRST};

static int write_documents(struct sending *s)
{
    struct pd_bytes packed = {0};
    struct pd_indexed doc;
    const void *rec = NULL;
    int status = PD_OK;
    for (pd_doc number = 0; status >= 0; packed.n = 0, number++) {
        while ((status = pd_shuffle_look(&s->parts, &rec)) == PD_OK &&
               ((const struct part *)rec)->number == number) {
            const struct part *part = rec;
            pd_bytes_append(&packed, part->v, part->n);
            pd_shuffle_pass(&s->parts, part->size);
        }
        if (status < 0 || packed.n == 0)
            break;
        pd_indexed_unpack(packed.v, packed.n, s->job->collection.texts != NULL, &doc);
        status = pd_segment_add_document(s->writer, &doc);
    }
    const struct pd_files *files = &s->job->collection.files;
    for (size_t k = 0; status >= 0 && k < files->n; k++) {
        const struct pd_file *file = &files->v[k];
        packed.n = 0;
        if (is_moved(s, file->path)) {
            pd_bytes_append(&packed, s->folder, strlen(s->folder));
            pd_bytes_append(&packed, "/", 1);
        }
        pd_bytes_append(&packed, file->path, strlen(file->path) + 1);
        status = pd_segment_add_file(s->writer, (const char *)packed.v, file->bytes);
    }
    pd_bytes_release(&packed);
    return status < 0 ? status : PD_OK;
}

int pd_send_documents(struct pd_job *job, const char *folder, struct pd_signing *signing,
                      struct pd_asides *asides, struct pd_segment_writer *writer)
{
    struct sending s = {.job = job,
                        .folder = folder,
                        .signing = signing,
                        .asides = asides,
                        .writer = writer,
                        .block_number = UINT64_MAX};
    pd_progress_begin(&job->stages.progress, "documents");
    pd_shuffle_open(&s.parts, &job->transport, &documents_flow, &s, NULL);
    int status = pd_shuffle_send(&s.parts, fill_documents, &s);
    PD_THEN(status, pd_comm_agree(job->comm, pd_asides_end(asides)));
    PD_THEN(status, pd_shuffle_sort(&s.parts));
    PD_THEN(status, pd_comm_agree(job->comm, job->comm->rank == 0 ? write_documents(&s) : PD_OK));
    pd_shuffle_close(&s.parts);
    pd_stored_release(&s.whole);
    PD_RELEASE(pd_bytes, &s.frame, &s.others, &s.flags, &s.packed, &s.block);
    return status;
}

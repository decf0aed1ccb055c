/*
 * tests/support/pd_records.h - what a reader makes of a file, noted down; WARC records to order.
 *
 * Include in one .c of a test program.
 */
#ifndef PD_RECORDS_H
#define PD_RECORDS_H

#include <sys/stat.h>

#include "pardup/corpus/reader.h"
#include "pd_scratch.h"

struct seen_doc {
    uint64_t segment, offset, skip, length;
    uint64_t hash; /* of id, url, charset, media and body */
    size_t n;      /* bytes of body */
    char id[48];
};
PD_VEC(seen_docs, struct seen_doc);

struct seen_skip {
    enum pd_skip why;
    uint64_t offset, skip;
    char detail[120];
};
PD_VEC(seen_skips, struct seen_skip);

struct seen {
    struct seen_docs docs;
    struct seen_skips skips;
    struct pd_reader_counts counts;
    struct pd_bytes last; /* body of the last document, and its labels */
    char charset[32], url[128];
    enum pd_media media;
    int status; /* first failure, PD_OK */
};

static inline void seen_release(struct seen *seen)
{
    seen_docs_release(&seen->docs);
    seen_skips_release(&seen->skips);
    pd_bytes_release(&seen->last);
}

static inline uint64_t hash_more(uint64_t h, const void *v, size_t n)
{
    const unsigned char *s = v;
    for (size_t k = 0; k < n; k++) /* FNV-1a */
        h = (h ^ s[k]) * 1099511628211u;
    return (h ^ n) * 1099511628211u;
}

static inline void copy_label(char *to, size_t cap, const char *v, size_t n)
{
    snprintf(to, cap, "%.*s", (int)n, v ? v : "");
}

static inline struct seen_doc see_document(const struct pd_raw *raw)
{
    struct seen_doc doc = {.segment = raw->segment,
                           .offset = raw->offset,
                           .skip = raw->skip,
                           .length = raw->length,
                           .n = raw->n};
    uint64_t h = 14695981039346656037u;
    h = hash_more(h, raw->id, raw->id_n);
    h = hash_more(h, raw->url, raw->url_n);
    h = hash_more(h, raw->charset, raw->charset_n);
    h = hash_more(h, raw->body, raw->n);
    doc.hash = h ^ (uint64_t)raw->media;
    unsigned behind = 0; /* 64 bytes behind the body must be readable: a sanitizer watches */
    for (size_t k = 0; k < 64; k++)
        behind += raw->body[raw->n + k];
    (void)behind;
    copy_label(doc.id, sizeof doc.id, raw->id, raw->id_n);
    return doc;
}

static inline void see_skip(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip,
                            const char *detail)
{
    struct seen *seen = ctx;
    struct seen_skip told = {.why = why, .offset = offset, .skip = skip};
    snprintf(told.detail, sizeof told.detail, "%s", detail);
    seen_skips_push(&seen->skips, told);
}

static inline struct pd_file file_of(const char *path)
{
    struct stat st;
    PD_CHECK(stat(path, &st) == 0);
    return (struct pd_file){(char *)(uintptr_t)path, (uint64_t)st.st_size};
}

static inline void see_piece(struct seen *seen, struct pd_reader *r, const struct pd_file *file,
                             const struct pd_piece *piece)
{
    struct pd_raw raw;
    int status = pd_reader_open(r, file, piece);
    while (status == PD_OK && (status = pd_reader_next(r, &raw)) == PD_OK) {
        seen_docs_push(&seen->docs, see_document(&raw));
        seen->last.n = 0;
        pd_bytes_append(&seen->last, raw.body, raw.n);
        pd_bytes_append(&seen->last, "", 1);
        copy_label(seen->charset, sizeof seen->charset, raw.charset, raw.charset_n);
        copy_label(seen->url, sizeof seen->url, raw.url, raw.url_n);
        seen->media = raw.media;
    }
    if (status < 0 && seen->status == PD_OK)
        seen->status = status;
}

/* Read the file in pieces of `step` stored bytes (0: one piece), each in `nstripes` stripes. */
static inline struct seen see_cut(const char *path, enum pd_format format, uint64_t step,
                                  uint32_t nstripes)
{
    struct seen seen = {0};
    const struct pd_reader_options options = {.format = format, .skipped = see_skip, .ctx = &seen};
    struct pd_reader *r = pd_reader_new(&options);
    const struct pd_file file = file_of(path);
    if (step == 0)
        step = file.bytes + 1;
    for (uint64_t from = 0; from == 0 || from < file.bytes; from += step)
        for (uint32_t s = 0; s < nstripes; s++) {
            const uint64_t to = from + step < file.bytes ? from + step : file.bytes;
            const struct pd_piece piece = {
                .stripe = s, .nstripes = nstripes, .from = from, .to = to};
            see_piece(&seen, r, &file, &piece);
        }
    seen.counts = *pd_reader_counts(r);
    pd_reader_free(r);
    return seen;
}

static inline struct seen see(const char *path, enum pd_format format)
{
    return see_cut(path, format, 0, 1);
}

static inline struct seen see_bytes(const void *v, size_t n, enum pd_format format)
{
    return see(scratch_write("file", v, n), format);
}

static inline int same_documents(const struct seen *a, const struct seen *b)
{
    if (a->docs.n != b->docs.n)
        return 0;
    for (size_t k = 0; k < a->docs.n; k++)
        if (a->docs.v[k].hash != b->docs.v[k].hash)
            return 0;
    return 1;
}

/* A record with content v[0, n); `more` holds further header lines; `length` is what it claims. */
static inline void put_record_claiming(struct pd_bytes *b, const char *type, const char *id,
                                       const char *more, const void *v, size_t n, long length)
{
    put(b, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:%s>\r\n%s", type, id, more);
    put(b, "Content-Length: %ld\r\n\r\n", length);
    pd_bytes_append(b, v, n);
    put(b, "\r\n\r\n");
}

static inline void put_record(struct pd_bytes *b, const char *type, const char *id,
                              const char *more, const void *v, size_t n)
{
    put_record_claiming(b, type, id, more, v, n, (long)n);
}

/* A page as a server sends it; `fields` are lines of the HTTP header. */
static inline void put_page(struct pd_bytes *b, const char *id, const char *fields, const void *v,
                            size_t n)
{
    struct pd_bytes http = {0};
    put(&http, "HTTP/1.1 200 OK\r\n%s\r\n", fields);
    pd_bytes_append(&http, v, n);
    put_record(b, "response", id,
               "Content-Type: application/http; msgtype=response\r\n"
               "WARC-Target-URI: http://example.org/\r\n",
               http.v, http.n);
    pd_bytes_release(&http);
}

#define HTML "Content-Type: text/html\r\n"

#endif

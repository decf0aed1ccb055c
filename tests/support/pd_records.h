/*
 * tests/support/pd_records.h - what a reader makes of a file, noted down; WARC records to order.
 *
 * Include in one .c of a test program.
 */
#ifndef PD_RECORDS_H
#define PD_RECORDS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "pardup/base/hash.h"
#include "pardup/corpus/reader.h"
#include "pd_scratch.h"

struct seen_doc {
    uint64_t piece_key, offset, skip, length;
    uint64_t hash; /* of id, url, charset, media and body */
    uint64_t body; /* hash of the body alone: ids may hold places */
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
    bool error;
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
    return pd_mix(h ^ pd_hash_bytes(v, n));
}

static inline void copy_label(char *to, size_t cap, const char *v, size_t n)
{
    snprintf(to, cap, "%.*s", (int)n, v ? v : "");
}

static inline struct seen_doc see_document(const struct pd_raw *raw)
{
    struct seen_doc doc = {.piece_key = raw->piece_key,
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
    doc.body = hash_more(0, raw->body, raw->n);
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
    return (struct pd_file){(char *)(uintptr_t)path, (uint64_t)st.st_size, 0};
}

/* `again`: of the file that was opened for the piece before. */
static inline void see_piece(struct seen *seen, struct pd_reader *r, const struct pd_file *file,
                             const struct pd_piece *piece, bool again)
{
    struct pd_raw raw;
    int status = PD_OK;
    if (again)
        pd_reader_go_on(r, piece);
    else
        status = pd_reader_open(r, file, piece);
    while (status == PD_OK && (status = pd_reader_next(r, &raw)) == PD_OK) {
        seen_docs_push(&seen->docs, see_document(&raw));
        seen->last.n = 0;
        pd_bytes_append(&seen->last, raw.body, raw.n);
        pd_bytes_append(&seen->last, "", 1);
        copy_label(seen->charset, sizeof seen->charset, raw.charset, raw.charset_n);
        copy_label(seen->url, sizeof seen->url, raw.url, raw.url_n);
        seen->media = raw.media;
        seen->error = raw.error;
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
    unsigned npieces = 0; /* of three the first is opened, for the others the reader goes on */
    for (uint64_t from = 0; from == 0 || from < file.bytes; from += step)
        for (uint32_t s = 0; s < nstripes; s++) {
            const uint64_t to = from + step < file.bytes ? from + step : file.bytes;
            const struct pd_piece piece = {
                .stripe = s, .nstripes = nstripes, .from = from, .to = to};
            see_piece(&seen, r, &file, &piece, npieces++ % 3 > 0);
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

static inline int same_bodies(const struct seen *a, const struct seen *b)
{
    int same = a->docs.n == b->docs.n;
    for (size_t k = 0; same && k < a->docs.n; k++)
        same = a->docs.v[k].body == b->docs.v[k].body;
    return same;
}

/* Read the file in two pieces that meet at stored byte `cut`. */
static inline struct seen see_split(const char *path, enum pd_format format, uint64_t cut)
{
    struct seen seen = {0};
    const struct pd_reader_options options = {.format = format, .skipped = see_skip, .ctx = &seen};
    struct pd_reader *r = pd_reader_new(&options);
    const struct pd_file file = file_of(path);
    const struct pd_piece a = {.nstripes = 1, .to = cut};
    const struct pd_piece b = {.nstripes = 1, .from = cut, .to = file.bytes};
    see_piece(&seen, r, &file, &a, false);
    see_piece(&seen, r, &file, &b, cut % 2);
    seen.counts = *pd_reader_counts(r);
    pd_reader_free(r);
    return seen;
}

static inline int same_reading(const struct seen *a, const struct seen *b)
{
    int same = same_documents(a, b) && a->skips.n == b->skips.n && a->status == b->status &&
               a->counts.ignored == b->counts.ignored && a->counts.repaired == b->counts.repaired &&
               a->counts.stored_bytes == b->counts.stored_bytes;
    for (size_t k = 0; same && k < a->skips.n; k++)
        same = a->skips.v[k].why == b->skips.v[k].why &&
               a->skips.v[k].offset == b->skips.v[k].offset &&
               a->skips.v[k].skip == b->skips.v[k].skip;
    return same;
}

/* At how many places does it matter that the file is cut there, or every so many bytes? */
static inline size_t cuts_that_matter(const void *v, size_t n, enum pd_format format, size_t stride)
{
    const char *path = scratch_write("cut", v, n);
    struct seen want = see(path, format);
    size_t differ = want.counts.stored_bytes != n;
    for (size_t cut = 1; cut < n; cut += stride) {
        struct seen two = see_split(path, format, cut);
        differ += !same_reading(&two, &want);
        seen_release(&two);
        if (cut * 4 < n)
            continue;
        struct seen many = see_cut(path, format, cut / 4 + 1, 1);
        differ += !same_reading(&many, &want);
        seen_release(&many);
    }
    seen_release(&want);
    return differ;
}

/* The same documents as plain as in members of `each` bytes, cut and striped; returns failures. */
static inline size_t packings_that_matter(const void *v, size_t n, enum pd_format format,
                                          size_t each)
{
    size_t differ = 0;
    struct seen want = see(scratch_write("plain", v, n), format);
    for (int zstd = 0; zstd < 2; zstd++) {
        struct pd_bytes packed = {0};
        for (size_t k = 0; k < n; k += each)
            (zstd ? put_zstd : put_gzip)(&packed, (const char *)v + k, n - k < each ? n - k : each);
        const char *path = scratch_write("packed", packed.v, packed.n);
        for (uint32_t nstripes = 1; nstripes <= 2; nstripes++) {
            struct seen got = see_cut(path, format, nstripes == 1 ? packed.n / 3 + 1 : 0, nstripes);
            differ += !same_bodies(&got, &want) || got.skips.n != want.skips.n ||
                      got.counts.stored_bytes != packed.n ||
                      got.counts.decoded_bytes != want.counts.decoded_bytes;
            seen_release(&got);
        }
        pd_bytes_release(&packed);
    }
    seen_release(&want);
    return differ;
}

/*
 * Change bytes at random and cut what comes of it: returns how often a cut then mattered. That no
 * change makes the reader fail is for the sanitizers to see, and here that it ends.
 */
static inline size_t damage_that_matters(const void *v, size_t n, enum pd_format format,
                                         const char *bytes, int rounds)
{
    uint64_t seed = 5;
    size_t differ = 0;
    struct pd_bytes damaged = {0};
    for (int k = 0; k < rounds; k++) {
        damaged.n = 0;
        pd_bytes_append(&damaged, v, n);
        for (uint32_t i = noise(&seed) % 4; i < 4; i++)
            damaged.v[noise(&seed) % n] = (unsigned char)bytes[noise(&seed) % strlen(bytes)];
        if (k % 5 == 4)
            damaged.n = noise(&seed) % n;
        differ += cuts_that_matter(damaged.v, damaged.n, format, 1 + damaged.n / 7) > 0;
    }
    pd_bytes_release(&damaged);
    return differ;
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

/* run/job/dedup/write/certificate.c - see run/job/dedup/write/certificate.h */
#include "run/job/dedup/write/certificate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/merkle.h"
#include "pardup/base/minmax.h"
#include "pardup/base/open.h"
#include "pardup/corpus/decoded.h"
#include "run/job/dedup/write/part_files.h"
#include "run/job/dedup/write/write.h"

enum {
    STEP = 1 << 20,     /* bytes of a file that are read at a time */
    HEAD_MOST = 1 << 20 /* bytes of the head of a record in a web archive */
};

/* Append the size and the digest of a file as it is stored. */
static int print_stored(struct pd_dedup *d, const char *path, struct pd_bytes *to)
{
    struct sha256_ctx c;
    uint64_t bytes = 0;
    ssize_t n = 0;
    const int fd = pd_open_regular(path);
    int status = fd < 0 ? PD_EIO : PD_OK;
    unsigned char *room = pd_realloc(NULL, STEP, 1);
    sha256_init(&c);
    while (status >= 0 && (n = read(fd, room, STEP)) > 0) {
        sha256_update(&c, (size_t)n, room);
        bytes += (uint64_t)n;
        status = pd_dedup_poll(d);
    }
    if (n < 0)
        status = pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    free(room);
    const struct pd_digest digest = pd_digest_end(&c);
    pd_bytes_print(to, "\"bytes\":%llu,\"sha256\":\"", pd_ull(bytes));
    pd_digest_print(to, &digest);
    pd_bytes_print(to, "\"");
    return status;
}

static void print_root(struct pd_bytes *to, const char *what, struct pd_merkle *m)
{
    if (m->open) /* the last line has no end */
        pd_merkle_end(m);
    const struct pd_digest root = pd_merkle_root(m);
    pd_bytes_print(to, "\"%s\":%llu,\"root\":\"", what, pd_ull(m->n));
    pd_digest_print(to, &root);
    pd_bytes_print(to, "\"");
}

/* ---- trees of records ---- */

/* Records of a web archive as leaves, each with the line ends behind it. */
struct archive {
    struct pd_merkle tree;
    struct pd_bytes head; /* of the record at hand, as far as it has come */
    uint64_t content;     /* bytes of its content that have not come; once its head is whole */
    bool broken;          /* the file has no records */
};

/* Take the head that has come up to its empty line: how long is the content? */
static void end_head(struct archive *a)
{
    static const char name[] = "\nContent-Length:";
    pd_bytes_push(&a->head, 0);
    const char *length = strcasestr((const char *)a->head.v, name);
    char *end = NULL;
    a->content = length ? strtoull(length + sizeof name - 1, &end, 10) : 0;
    a->broken = !length || end == length + sizeof name - 1;
    pd_merkle_put(&a->tree, a->head.v, a->head.n - 1);
    a->head.n = 0;
}

/* Go on by bytes[0, n) of the archive. Its first byte begins a record. */
static void put_archive(struct archive *a, const unsigned char *bytes, size_t n)
{
    static const char begin[] = "WARC/";
    const struct pd_bytes *head = &a->head;
    for (size_t k = 0; k < n && !a->broken;) {
        const size_t take = (size_t)pd_min_u64(a->content, n - k);
        if (take > 0) {
            pd_merkle_put(&a->tree, bytes + k, take);
            a->content -= take;
            k += take;
            continue;
        }
        if (a->tree.open && head->n == 0 && (bytes[k] == '\r' || bytes[k] == '\n')) {
            pd_merkle_put(&a->tree, &bytes[k++], 1);
            continue;
        }
        if (a->tree.open && head->n == 0)
            pd_merkle_end(&a->tree);
        pd_bytes_push(&a->head, bytes[k++]);
        a->broken = head->n > HEAD_MOST || head->v[head->n - 1] == 0 ||
                    (head->n == sizeof begin - 1 && memcmp(head->v, begin, head->n) != 0);
        if (head->n >= 4 && memcmp(head->v + head->n - 4, "\r\n\r\n", 4) == 0)
            end_head(a);
    }
}

/*
 * Append the tree over the lines of a file, or over the records of a web archive. Other files and
 * damaged ones have none.
 */
static int print_records(struct pd_dedup *d, const char *path, bool lines, struct pd_bytes *to)
{
    struct archive a = {.broken = false};
    struct pd_decoded *file;
    const unsigned char *bytes;
    size_t n;
    int status = pd_decoded_open(&file, path);
    while (status >= 0 && !a.broken && (status = pd_decoded_next(file, &bytes, &n)) == PD_OK) {
        if (lines)
            pd_merkle_lines(&a.tree, bytes, n);
        else
            put_archive(&a, bytes, n);
        status = pd_dedup_poll(d);
    }
    pd_decoded_close(file);
    const bool whole = lines || (a.tree.open && !a.broken && a.head.n == 0 && a.content == 0);
    pd_bytes_release(&a.head);
    PD_TRY(status == PD_EFORMAT ? PD_OK : status);
    if (status == PD_EFORMAT || !whole)
        return PD_OK;
    pd_bytes_print(to, ",");
    print_root(to, "records", &a.tree);
    return PD_OK;
}

/* Append what became of file k, or null if it was one document, which is gone. */
static int print_written(struct pd_dedup *d, uint64_t k, struct pd_bytes *to)
{
    char *path = pd_printed("%s/%s", d->options->output, d->files[k].name);
    int status = PD_OK;
    if (access(path, F_OK) != 0) {
        pd_bytes_print(to, "null");
    } else {
        pd_bytes_print(to, "{");
        status = print_stored(d, path, to);
        const bool lines = d->options->dedup.as == PD_WRITTEN_JSONL ||
                           pd_reader_is_lines(d->fetch.reader, d->files[k].found);
        if (status >= 0)
            status = print_records(d, path, lines, to);
        pd_bytes_print(to, "}");
    }
    free(path);
    return status;
}

int pd_certify_file(struct pd_dedup *d, uint64_t k, const struct pd_bytes *removed,
                    struct pd_bytes *to)
{
    const struct pd_dedup_file *f = &d->files[k];
    struct pd_merkle lines = {.n = 0};
    pd_bytes_print(to, f->written ? "{\"file\":" : "{\"source\":");
    pd_dedup_quote_name(to, f->written ? f->name : f->path);
    pd_bytes_print(to, ",\"before\":{");
    PD_TRY(print_stored(d, f->found, to));
    pd_bytes_print(to, "}");
    if (f->written) {
        pd_bytes_print(to, ",\"after\":");
        PD_TRY(print_written(d, k, to));
        pd_merkle_lines(&lines, removed->v, removed->n);
        pd_bytes_print(to, ",\"removed\":{");
        print_root(to, "lines", &lines);
        pd_bytes_print(to, "}");
    }
    pd_bytes_print(to, "}\n");
    return PD_OK;
}

int pd_certify_bundle(struct pd_dedup *d, uint64_t number, const struct pd_bytes *lines)
{
    struct pd_output out;
    const int status =
        pd_output_open(d, &out, pd_dedup_work_path(d, "certified", number), d->nfiles + number);
    return pd_output_put(&out, status, lines->v, lines->n);
}

/* ---- the certificate ---- */

/* Write a line, and make it a leaf. */
static int put_line(FILE *to, struct pd_merkle *m, const char *line, size_t n)
{
    pd_merkle_put(m, line, n);
    pd_merkle_end(m);
    return fputs(m->n > 1 ? ",\n" : "", to) >= 0 && fwrite(line, 1, n, to) == n ? PD_OK : PD_EIO;
}

/* Write the lines of all files, in their order. */
static int put_files(struct pd_dedup *d, FILE *to, struct pd_merkle *m)
{
    char *line = NULL;
    size_t room = 0;
    int status = PD_OK;
    for (uint64_t k = 0; k < d->bundles.n && status >= 0; k++) {
        char *path = pd_dedup_work_path(d, "certified", k);
        FILE *from = fopen(path, "rb");
        ssize_t n;
        if (!from)
            status = pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
        while (status >= 0 && (n = getline(&line, &room, from)) > 0)
            status = put_line(to, m, line, (size_t)n - 1);
        if (from)
            fclose(from);
        free(path);
    }
    free(line);
    return status;
}

/* Write a line for a file of the proof. */
static int put_proof(struct pd_dedup *d, const char *name, FILE *to, struct pd_merkle *m)
{
    struct pd_bytes line = {0};
    char *path = pd_printed("%s/%s", d->proof, name);
    pd_bytes_print(&line, "{\"proof\":\"%s\",", name);
    int status = print_stored(d, path, &line);
    pd_bytes_print(&line, "}");
    PD_THEN(status, put_line(to, m, (const char *)line.v, line.n));
    pd_bytes_release(&line);
    free(path);
    return status;
}

static int put_options(const struct pd_dedup *d, FILE *to, struct pd_merkle *m)
{
    struct pd_bytes line = {0};
    pd_bytes_print(&line, "{\"options\":{");
    pd_dedup_print_options(d, &line);
    pd_bytes_print(&line, "}}");
    const int status = put_line(to, m, (const char *)line.v, line.n);
    pd_bytes_release(&line);
    return status;
}

static int put_root(FILE *to, const struct pd_merkle *m)
{
    const struct pd_digest root = pd_merkle_root(m);
    struct pd_bytes line = {0};
    pd_bytes_print(&line, "\n],\"root\":\"");
    pd_digest_print(&line, &root);
    pd_bytes_print(&line, "\"}\n");
    const bool good = fwrite(line.v, 1, line.n, to) == line.n;
    pd_bytes_release(&line);
    return good ? PD_OK : PD_EIO;
}

int pd_certify(struct pd_dedup *d)
{
    struct pd_merkle m = {.n = 0};
    struct pd_output out;
    int status = pd_output_open_proof(d, &out, PD_DEDUP_CERTIFICATE);
    FILE *to = out.file;
    PD_THEN(status, fputs("{\"lines\":[\n", to) < 0 ? PD_EIO : put_options(d, to, &m));
    PD_THEN(status, put_files(d, to, &m));
    PD_THEN(status, put_proof(d, PD_DEDUP_REMOVED, to, &m));
    PD_THEN(status, put_proof(d, PD_DEDUP_SUMMARY, to, &m));
    PD_THEN(status, put_root(to, &m));
    if (status < 0) /* if no reason is known yet */
        status = pd_fail(status, "%s: cannot be written", out.path);
    return pd_output_close(&out, status);
}

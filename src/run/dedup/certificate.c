/* run/dedup/certificate.c - see run/dedup/certificate.h */
#include "run/dedup/certificate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/merkle.h"
#include "pardup/base/open.h"
#include "pardup/corpus/decoded.h"
#include "run/dedup/part_files.h"
#include "run/dedup/write.h"

enum { STEP = 1 << 20 }; /* bytes of a file that are read at a time */

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

/* Append the tree over the lines of a file. A damaged file has none. */
static int print_records(struct pd_dedup *d, const char *path, struct pd_bytes *to)
{
    struct pd_merkle m = {.n = 0};
    struct pd_decoded *file;
    const unsigned char *bytes;
    size_t n;
    int status = pd_decoded_open(&file, path);
    while (status >= 0 && (status = pd_decoded_next(file, &bytes, &n)) == PD_OK) {
        pd_merkle_lines(&m, bytes, n);
        status = pd_dedup_poll(d);
    }
    pd_decoded_close(file);
    if (status == PD_EFORMAT)
        return PD_OK;
    PD_TRY(status);
    pd_bytes_print(to, ",");
    print_root(to, "records", &m);
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
        if (status >= 0 && (d->options->dedup.as == PD_WRITTEN_JSONL ||
                            pd_reader_is_lines(d->fetch.reader, d->files[k].found)))
            status = print_records(d, path, to);
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

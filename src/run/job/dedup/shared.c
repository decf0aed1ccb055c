/* run/job/dedup/shared.c - see run/job/dedup/shared.h */
#include "run/job/dedup/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/open.h"

enum { WRITE_BYTES = 256 << 10 }; /* written at a time: Linux then holds the file in larger parts */

static char *path_of(const struct pd_shared *s, uint64_t rank)
{
    return pd_printed("%s/words.%llu", s->folder, (unsigned long long)rank);
}

/* Open the file of this rank. `mode` as for fopen(). */
static int open_file(struct pd_shared *s, const char *mode)
{
    char *path = path_of(s, (uint64_t)s->comm->rank);
    s->file = fopen(path, mode);
    const int status = s->file ? PD_OK : pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    if (s->file)
        setvbuf(s->file, s->buffer, _IOFBF, WRITE_BYTES);
    free(path);
    return status;
}

int pd_shared_open(struct pd_shared *s, const struct pd_comm *c, const char *folder)
{
    *s = (struct pd_shared){.comm = c, .folder = folder};
    s->readers = pd_realloc(NULL, (size_t)c->size, sizeof *s->readers);
    for (int rank = 0; rank < c->size; rank++)
        s->readers[rank] = -1;
    s->buffer = pd_realloc(NULL, WRITE_BYTES, 1);
    return open_file(s, "wb");
}

/* A file that has grown is opened again: a network's file system need not show it otherwise. */
static void close_readers(struct pd_shared *s)
{
    for (int rank = 0; rank < s->comm->size; rank++)
        if (s->readers[rank] >= 0) {
            close(s->readers[rank]);
            s->readers[rank] = -1;
        }
}

void pd_shared_close(struct pd_shared *s)
{
    if (!s->readers)
        return;
    close_readers(s);
    char *path = path_of(s, (uint64_t)s->comm->rank);
    if (s->file)
        fclose(s->file);
    unlink(path);
    free(path);
    for (int table = 0; table < PD_SHARED_TABLES; table++)
        pd_bytes_release(&s->parts[table]);
    PD_FREE(s->buffer, s->readers);
    *s = (struct pd_shared){.comm = NULL};
}

int pd_shared_append(struct pd_shared *s, const void *bytes, size_t n, uint64_t *at)
{
    if (at)
        *at = s->at;
    s->at += n;
    return fwrite(bytes, 1, n, s->file) == n
               ? PD_OK
               : pd_fail(PD_EIO, "%s: %s", s->folder, strerror(errno));
}

int pd_shared_show(struct pd_shared *s)
{
    FILE *file = s->file;
    s->file = NULL;
    if (fclose(file) != 0)
        return pd_fail(PD_EIO, "%s: %s", s->folder, strerror(errno));
    return open_file(s, "ab");
}

int pd_shared_publish(struct pd_shared *s, enum pd_shared_table table, int status)
{
    const uint64_t part[2] = {s->begun[table], s->at - s->begun[table]};
    status = pd_comm_agree(s->comm, status < 0 ? status : pd_shared_show(s));
    s->parts[table].n = 0;
    pd_comm_gather(s->comm, part, sizeof part, &s->parts[table]);
    close_readers(s);
    return status;
}

int pd_shared_read(struct pd_shared *s, uint64_t rank, uint64_t from, size_t n, void *to)
{
    if (s->readers[rank] < 0) {
        char *path = path_of(s, rank);
        s->readers[rank] = pd_open_regular(path);
        free(path);
        if (s->readers[rank] < 0)
            return PD_EIO;
    }
    for (size_t done = 0; done < n;) {
        const ssize_t got =
            pread(s->readers[rank], (char *)to + done, n - done, (off_t)(from + done));
        if (got <= 0)
            return pd_fail(PD_EIO, "%s: words of documents cannot be read back: %s", s->folder,
                           got ? strerror(errno) : "the file is too short");
        done += (size_t)got;
    }
    return PD_OK;
}

static const uint64_t *part_of(const struct pd_shared *s, enum pd_shared_table table, uint64_t rank)
{
    return (const uint64_t *)(const void *)s->parts[table].v + 2 * rank;
}

uint64_t pd_shared_begin_of(const struct pd_shared *s, enum pd_shared_table table, uint64_t rank)
{
    return part_of(s, table, rank)[0];
}

uint64_t pd_shared_size(const struct pd_shared *s, enum pd_shared_table table, uint64_t rank)
{
    return part_of(s, table, rank)[1];
}

int pd_shared_part(struct pd_shared *s, enum pd_shared_table table, uint64_t rank, uint64_t from,
                   size_t n, void *to)
{
    return pd_shared_read(s, rank, part_of(s, table, rank)[0] + from, n, to);
}

/* corpus/parquet/parquet_footer.c - see parquet_footer.h */
#include "parquet_footer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "parquet_page.h"
#include "parquet_schema.h"

enum {
    TAIL = 8 /* bytes behind the metadata: its length, and the magic */
};
#define ENCRYPTED "PARE" /* the magic of a file whose metadata is encrypted */

int pd_parquet_pread(int fd, const char *path, void *to, size_t n, uint64_t offset)
{
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(fd, (char *)to + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
        if (got == 0)
            return PD_END;
        done += (size_t)got;
    }
    return PD_OK;
}

/* ---- row groups ---- */

/* The encodings of a chunk, as bits. */
static uint32_t read_encodings(struct pd_thrift *t, const struct pd_thrift_field *f)
{
    const struct pd_thrift_field item = {.type = PD_THRIFT_I32};
    const int most = 31;
    uint32_t bits = 0;
    for (size_t n = pd_thrift_list(t, f, PD_THRIFT_I32); n > 0 && !t->bad; n--) {
        const int64_t k = pd_thrift_int(t, &item);
        bits |= (uint32_t)1 << (k >= 0 && k < most ? k : most);
    }
    return bits;
}

static void read_chunk_meta(struct pd_thrift *t, struct pd_parquet_chunk *chunk)
{
    int64_t bytes = -1, data = -1, dictionary = 0, values = -1;
    for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);) {
        switch (f.id) {
        case PD_IN_COLUMN_ENCODINGS:
            chunk->encodings = read_encodings(t, &f);
            break;
        case PD_IN_COLUMN_CODEC:
            chunk->codec = (int)pd_thrift_int(t, &f);
            break;
        case PD_IN_COLUMN_VALUES:
            values = pd_thrift_int(t, &f);
            break;
        case PD_IN_COLUMN_STORED:
            bytes = pd_thrift_int(t, &f);
            break;
        case PD_IN_COLUMN_DATA_AT:
            data = pd_thrift_int(t, &f);
            break;
        case PD_IN_COLUMN_DICTIONARY_AT:
            dictionary = pd_thrift_int(t, &f);
            break;
        default:
            pd_thrift_skip(t, &f);
        }
    }
    /* some writers say that the dictionary is at 0 when there is none */
    const int64_t start = dictionary > 0 && dictionary < data ? dictionary : data;
    if (start < 0 || bytes < 0 || start > INT64_MAX - bytes)
        t->bad = true;
    chunk->start = t->bad ? 0 : (uint64_t)start;
    chunk->end = t->bad ? 0 : (uint64_t)(start + bytes);
    chunk->values = values < 0 ? 0 : (uint64_t)values;
}

/* The chunk of a column. A chunk in another file, or an encrypted one, is no chunk of this file. */
static struct pd_parquet_chunk read_chunk(struct pd_thrift *t)
{
    struct pd_parquet_chunk chunk = {0};
    bool found = false;
    for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);) {
        if (f.id == PD_IN_CHUNK_META && pd_thrift_struct(t, &f)) {
            read_chunk_meta(t, &chunk);
            found = true;
        } else if (f.id == PD_IN_CHUNK_FILE) {
            size_t n;
            pd_thrift_bytes(t, &f, &n);
            t->bad = t->bad || n > 0;
        } else {
            chunk.encrypted = chunk.encrypted || f.id == PD_IN_CHUNK_CRYPTO;
            pd_thrift_skip(t, &f);
        }
    }
    t->bad = t->bad || !found;
    return chunk;
}

/*
 * Read the columns of a row group. Grows its start and end, and sets chunks[role] for the columns
 * that are there, and every[k] for each column, unless it is NULL. Returns how many columns it has.
 */
static size_t read_chunks(const struct pd_parquet_footer *f, struct pd_thrift *t,
                          const struct pd_thrift_field *field, struct pd_parquet_group *group,
                          struct pd_parquet_chunk *chunks, struct pd_parquet_chunk *every)
{
    const size_t n = pd_thrift_list(t, field, PD_THRIFT_STRUCT);
    for (size_t k = 0; k < n && !t->bad; k++) {
        const struct pd_parquet_chunk chunk = read_chunk(t);
        group->start = pd_min_u64(group->start, chunk.start);
        group->end = pd_max_u64(group->end, chunk.end);
        if (every && k < f->every.n)
            every[k] = chunk;
        for (int role = 0; role < PD_PARQUET_ROLES; role++)
            if (f->leaves[role].there && f->leaves[role].number == k)
                chunks[role] = chunk;
    }
    return n;
}

/*
 * Read a row group. Sets its start, end and rows, and the chunks as read_chunks() does. Anything
 * that does not fit the file makes t->bad.
 */
static void read_group(const struct pd_parquet_footer *f, struct pd_thrift *t,
                       struct pd_parquet_group *group, struct pd_parquet_chunk *chunks,
                       struct pd_parquet_chunk *every)
{
    int64_t rows = -1;
    size_t n = 0;
    group->start = UINT64_MAX;
    group->end = 0;
    for (struct pd_thrift_field field = {0}; pd_thrift_next(t, &field);) {
        if (field.id == PD_IN_GROUP_ROWS)
            rows = pd_thrift_int(t, &field);
        else if (field.id == PD_IN_GROUP_COLUMNS)
            n = read_chunks(f, t, &field, group, chunks, every);
        else
            pd_thrift_skip(t, &field);
    }
    t->bad = t->bad || rows < 0 || (rows > 0 && n != f->nleaves);
    group->rows = t->bad ? 0 : (uint64_t)rows;
}

bool pd_parquet_chunks(const struct pd_parquet_footer *f, const struct pd_parquet_group *group,
                       struct pd_parquet_chunk chunks[PD_PARQUET_ROLES])
{
    struct pd_thrift t = {f->bytes.v + group->at, f->bytes.v + f->bytes.n, false};
    struct pd_parquet_group again;
    read_group(f, &t, &again, chunks, NULL);
    return !t.bad;
}

bool pd_parquet_every_chunk(const struct pd_parquet_footer *f, const struct pd_parquet_group *group,
                            struct pd_parquet_chunk *chunks)
{
    struct pd_thrift t = {f->bytes.v + group->at, f->bytes.v + f->bytes.n, false};
    struct pd_parquet_group again;
    struct pd_parquet_chunk roles[PD_PARQUET_ROLES];
    read_group(f, &t, &again, roles, chunks);
    return !t.bad;
}

/* Are the columns that are there stored in ways that are read? Returns PD_OK or PD_EFORMAT. */
static int judge_codecs(struct pd_parquet_footer *f, const struct pd_parquet_chunk *chunks)
{
    for (int role = 0; role < PD_PARQUET_ROLES; role++) {
        const struct pd_parquet_leaf *leaf = &f->leaves[role];
        const char *foreign = leaf->there ? pd_parquet_foreign_codec(chunks[role].codec) : NULL;
        if (leaf->there && chunks[role].encrypted) {
            snprintf(f->why, sizeof f->why, "column \"%.60s\" is encrypted", leaf->name);
            return PD_EFORMAT;
        }
        if (!foreign)
            continue;
        snprintf(f->why, sizeof f->why,
                 "column \"%.60s\" is compressed by %s, which pardup does not read", leaf->name,
                 foreign);
        return PD_EFORMAT;
    }
    return PD_OK;
}

/* Returns PD_OK, or PD_EFORMAT with f->why. */
static int read_groups(struct pd_parquet_footer *f, struct pd_thrift *t,
                       const struct pd_thrift_field *field)
{
    const uint64_t most = PD_PARQUET_ROWS_FREE + PD_PARQUET_ROWS_EACH * f->data_end;
    uint64_t behind = strlen(PD_PARQUET_MAGIC), rows = 0;
    struct pd_parquet_chunk chunks[PD_PARQUET_ROLES];
    for (size_t n = pd_thrift_list(t, field, PD_THRIFT_STRUCT); n > 0 && !t->bad; n--) {
        struct pd_parquet_group group = {.at = (size_t)(t->p - f->bytes.v)};
        read_group(f, t, &group, chunks, NULL);
        if (t->bad || group.rows == 0)
            continue;
        if (group.start < behind || group.end > f->data_end || group.start >= group.end)
            return pd_parquet_footer_say(f,
                                         "a row group lies outside of the file, or in another one");
        PD_TRY(judge_codecs(f, chunks));
        if (group.rows > most - rows)
            return pd_parquet_footer_say(f,
                                         "more than 65,536 rows, and 64 for each byte of the file");
        rows += group.rows;
        behind = group.end;
        pd_parquet_groups_push(&f->groups, group);
    }
    return t->bad ? pd_parquet_footer_say(f, "the list of row groups is damaged") : PD_OK;
}

/* ---- the whole ---- */

/* Read the footer's bytes. Returns PD_OK, PD_EIO, or PD_EFORMAT with f->why. */
static int load(struct pd_parquet_footer *f, int fd, uint64_t bytes, const char *path,
                uint64_t most)
{
    unsigned char tail[TAIL];
    const size_t magic = strlen(PD_PARQUET_MAGIC);
    if (bytes < magic + TAIL)
        return pd_parquet_footer_say(f, "cut short, or still being written");
    int status = pd_parquet_pread(fd, path, tail, sizeof tail, bytes - TAIL);
    if (status == PD_EIO)
        return status;
    if (status == PD_OK && memcmp(tail + TAIL - magic, ENCRYPTED, magic) == 0)
        return pd_parquet_footer_say(f, "encrypted");
    if (status != PD_OK || memcmp(tail + TAIL - magic, PD_PARQUET_MAGIC, magic) != 0)
        return pd_parquet_footer_say(f, "cut short, or still being written");
    const uint64_t n =
        tail[0] | (uint64_t)tail[1] << 8 | (uint64_t)tail[2] << 16 | (uint64_t)tail[3] << 24;
    if (n > bytes - TAIL - magic)
        return pd_parquet_footer_say(f, "metadata longer than the file");
    if (n > most) {
        snprintf(f->why, sizeof f->why, "%llu bytes of metadata: more than --max-document",
                 (unsigned long long)n);
        return PD_EFORMAT;
    }
    f->data_end = bytes - TAIL - n;
    pd_bytes_reserve(&f->bytes, (size_t)n + 1);
    f->bytes.n = (size_t)n;
    status = pd_parquet_pread(fd, path, f->bytes.v, f->bytes.n, f->data_end);
    return status == PD_END ? pd_parquet_footer_say(f, "the file became shorter while it was read")
                            : status;
}

int pd_parquet_footer_read(struct pd_parquet_footer *f, int fd, uint64_t bytes, const char *path,
                           uint64_t most, const char *const names[PD_PARQUET_ROLES],
                           const bool usual[PD_PARQUET_ROLES])
{
    f->groups.n = f->bytes.n = f->every.n = f->nleaves = 0;
    f->asked = f->renamed = false;
    memset(f->leaves, 0, sizeof f->leaves);
    PD_TRY(load(f, fd, bytes, path, most));
    struct pd_thrift t = {f->bytes.v, f->bytes.v + f->bytes.n, false};
    bool schema = false, groups = false;
    for (struct pd_thrift_field field = {0}; pd_thrift_next(&t, &field);) {
        if (field.id == PD_IN_FILE_SCHEMA && !schema) {
            PD_TRY(pd_parquet_schema_read(f, &t, &field, names, usual));
            schema = true;
        } else if (field.id == PD_IN_FILE_GROUPS && schema && !groups) {
            PD_TRY(read_groups(f, &t, &field));
            groups = true;
        } else {
            pd_thrift_skip(&t, &field);
        }
    }
    return t.bad || !groups ? pd_parquet_footer_say(f, "the metadata is damaged") : PD_OK;
}

void pd_parquet_footer_release(struct pd_parquet_footer *f)
{
    pd_bytes_release(&f->bytes);
    pd_parquet_groups_release(&f->groups);
    pd_parquet_leaves_release(&f->every);
}

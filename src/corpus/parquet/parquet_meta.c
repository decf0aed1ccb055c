/* corpus/parquet/parquet_meta.c - see parquet_meta.h */
#include "parquet_meta.h"

#include "parquet_thrift.h"

/* The field at hand of the struct that is being read, as it is. */
static void put_same(struct pd_put *p, struct pd_thrift *t, const struct pd_thrift_field *f)
{
    const unsigned char *from = t->p;
    pd_thrift_skip(t, f);
    pd_put_head(p, f->id, f->type);
    pd_bytes_append(p->to, from, (size_t)(t->p - from));
}

/* A row group of the copy. */
struct fresh {
    const struct pd_parquet_group *group;
    uint64_t start, rows;
    const struct pd_parquet_made *made; /* NULL: it was copied */
    size_t ncolumns;
    uint64_t number;
};

/* Where a byte of a row group that was copied lies now. */
static int64_t moved(const struct fresh *g, int64_t offset)
{
    return (int64_t)((uint64_t)offset - g->group->start + g->start);
}

/* struct ColumnMetaData of a chunk that was copied */
static void put_moved(struct pd_put *p, struct pd_thrift *t, const struct fresh *g)
{
    for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);) {
        int64_t at;
        switch (f.id) {
        case PD_IN_COLUMN_DATA_AT:
            pd_put_int(p, f.id, PD_THRIFT_I64, moved(g, pd_thrift_int(t, &f)));
            break;
        case PD_IN_COLUMN_DICTIONARY_AT: /* some writers say 0 when there is none */
            at = pd_thrift_int(t, &f);
            pd_put_int(p, f.id, PD_THRIFT_I64, at > 0 ? moved(g, at) : at);
            break;
        case PD_IN_COLUMN_INDEX_AT:
        case PD_IN_COLUMN_BLOOM_AT:
        case PD_IN_COLUMN_BLOOM_BYTES:
            pd_thrift_skip(t, &f);
            break;
        default:
            put_same(p, t, &f);
        }
    }
    pd_put_stop(p);
}

static void put_encodings(struct pd_put *p, int id)
{
    pd_put_list(p, id, PD_THRIFT_I32, 2);
    pd_put_varint(p->to, PD_PARQUET_PLAIN << 1);
    pd_put_varint(p->to, PD_PARQUET_RLE << 1);
}

/* struct ColumnMetaData of a chunk that was written again */
static void put_made(struct pd_put *p, struct pd_thrift *t, const struct pd_parquet_made *made)
{
    for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);) {
        if (f.id == PD_IN_COLUMN_TYPE || f.id == PD_IN_COLUMN_PATH || f.id == PD_IN_COLUMN_KEYS) {
            put_same(p, t, &f);
            continue;
        }
        if (f.id == PD_IN_COLUMN_ENCODINGS)
            put_encodings(p, f.id);
        else if (f.id == PD_IN_COLUMN_CODEC)
            pd_put_int(p, f.id, PD_THRIFT_I32, made->codec);
        else if (f.id == PD_IN_COLUMN_VALUES)
            pd_put_int(p, f.id, PD_THRIFT_I64, (int64_t)made->values);
        else if (f.id == PD_IN_COLUMN_BYTES)
            pd_put_int(p, f.id, PD_THRIFT_I64, (int64_t)made->bytes);
        else if (f.id == PD_IN_COLUMN_STORED)
            pd_put_int(p, f.id, PD_THRIFT_I64, (int64_t)made->stored);
        else if (f.id == PD_IN_COLUMN_DATA_AT)
            pd_put_int(p, f.id, PD_THRIFT_I64, (int64_t)made->start);
        pd_thrift_skip(t, &f);
    }
    pd_put_stop(p);
}

/* struct ColumnChunk */
static void put_chunk(struct pd_bytes *to, struct pd_thrift *t, const struct fresh *g, size_t k)
{
    struct pd_put chunk = {to, 0}, meta = {to, 0};
    for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);) {
        if (f.id == PD_IN_CHUNK_META) {
            pd_put_head(&chunk, f.id, PD_THRIFT_STRUCT);
            if (g->made)
                put_made(&meta, t, &g->made[k]);
            else
                put_moved(&meta, t, g);
        } else if (f.id == PD_IN_CHUNK_OFFSET) {
            /* what it means depends on the writer; 0 when it lies elsewhere */
            const int64_t at = pd_thrift_int(t, &f);
            const bool inside =
                at >= 0 && (uint64_t)at >= g->group->start && (uint64_t)at <= g->group->end;
            pd_put_int(&chunk, f.id, PD_THRIFT_I64,
                       g->made  ? (int64_t)g->made[k].start
                       : inside ? moved(g, at)
                                : 0);
        } else { /* indexes; a file of its own, which is this one */
            pd_thrift_skip(t, &f);
        }
    }
    pd_put_stop(&chunk);
}

static void put_chunks(struct pd_put *p, struct pd_thrift *t, const struct pd_thrift_field *f,
                       const struct fresh *g)
{
    const size_t n = pd_thrift_list(t, f, PD_THRIFT_STRUCT);
    pd_put_list(p, f->id, PD_THRIFT_STRUCT, n);
    for (size_t k = 0; k < n && !t->bad; k++)
        put_chunk(p->to, t, g, k);
}

/* Bytes of all chunks that were written again. */
static int64_t sum(const struct fresh *g, bool stored)
{
    uint64_t n = 0;
    for (size_t k = 0; k < g->ncolumns; k++)
        n += stored ? g->made[k].stored : g->made[k].bytes;
    return (int64_t)n;
}

/* A field of struct RowGroup */
static void put_group_field(struct pd_put *p, struct pd_thrift *t, const struct pd_thrift_field *f,
                            const struct fresh *g)
{
    switch (f->id) {
    case PD_IN_GROUP_COLUMNS:
        put_chunks(p, t, f, g);
        return;
    case PD_IN_GROUP_ROWS:
        pd_put_int(p, f->id, PD_THRIFT_I64, (int64_t)g->rows);
        break;
    case PD_IN_GROUP_OFFSET:
        pd_put_int(p, f->id, PD_THRIFT_I64, (int64_t)g->start);
        break;
    case PD_IN_GROUP_ORDINAL:
        if (g->number <= INT16_MAX)
            pd_put_int(p, f->id, PD_THRIFT_I16, (int64_t)g->number);
        break;
    default:
        if (!g->made) {
            put_same(p, t, f);
            return;
        }
        if (f->id == PD_IN_GROUP_BYTES || f->id == PD_IN_GROUP_STORED)
            pd_put_int(p, f->id, PD_THRIFT_I64, sum(g, f->id == PD_IN_GROUP_STORED));
    }
    pd_thrift_skip(t, f);
}

void pd_parquet_meta_add(struct pd_parquet_meta *m, const struct pd_parquet_footer *f,
                         const struct pd_parquet_group *group, uint64_t start, uint64_t rows,
                         const struct pd_parquet_made *made)
{
    struct pd_thrift t = {f->bytes.v + group->at, f->bytes.v + f->bytes.n, false};
    struct pd_put p = {&m->groups, 0};
    const struct fresh g = {group, start, rows, made, f->nleaves, m->n};
    for (struct pd_thrift_field field = {0}; pd_thrift_next(&t, &field);)
        put_group_field(&p, &t, &field, &g);
    pd_put_stop(&p);
    m->bad = m->bad || t.bad;
    m->n++;
    m->rows += rows;
}

bool pd_parquet_meta_end(const struct pd_parquet_meta *m, const struct pd_parquet_footer *f,
                         struct pd_bytes *to)
{
    struct pd_thrift t = {f->bytes.v, f->bytes.v + f->bytes.n, false};
    struct pd_put p = {to, 0};
    const size_t before = to->n;
    bool schema = false, groups = false; /* as the reader does, groups before it do not count */
    for (struct pd_thrift_field field = {0}; pd_thrift_next(&t, &field);) {
        if (field.id == PD_IN_FILE_ROWS) {
            pd_put_int(&p, field.id, PD_THRIFT_I64, (int64_t)m->rows);
        } else if (field.id == PD_IN_FILE_GROUPS && schema && !groups) {
            pd_put_list(&p, field.id, PD_THRIFT_STRUCT, (size_t)m->n);
            pd_bytes_append(to, m->groups.v, m->groups.n);
            groups = true;
        } else if (field.id != PD_IN_FILE_GROUPS && field.id != PD_IN_FILE_ENCRYPTION &&
                   field.id != PD_IN_FILE_SIGNING_KEY) {
            schema = schema || field.id == PD_IN_FILE_SCHEMA;
            put_same(&p, &t, &field);
            continue;
        }
        pd_thrift_skip(&t, &field);
    }
    pd_put_stop(&p);
    const size_t n = to->n - before;
    pd_parquet_put_length(to, n);
    pd_bytes_append(to, PD_PARQUET_MAGIC, sizeof PD_PARQUET_MAGIC - 1);
    return n <= INT32_MAX && !t.bad && !m->bad;
}

void pd_parquet_meta_release(struct pd_parquet_meta *m) { pd_bytes_release(&m->groups); }

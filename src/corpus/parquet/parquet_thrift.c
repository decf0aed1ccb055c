/* corpus/parquet/parquet_thrift.c - see parquet_thrift.h */
#include "parquet_thrift.h"

enum {
    DEPTH_MOST = 24, /* values inside values; Parquet's own metadata has fewer than 10 */
    VARINT_BITS = 63 /* shift of the last byte of a varint */
};

static uint64_t fail(struct pd_thrift *t)
{
    t->bad = true;
    t->p = t->end;
    return 0;
}

static unsigned byte(struct pd_thrift *t) { return t->p < t->end ? *t->p++ : (unsigned)fail(t); }

uint64_t pd_thrift_varint(struct pd_thrift *t)
{
    uint64_t x = 0;
    for (unsigned shift = 0; shift <= VARINT_BITS; shift += 7) {
        const unsigned b = byte(t);
        x |= (uint64_t)(b & 0x7F) << shift;
        if (b < 0x80)
            return t->bad ? 0 : x;
    }
    return fail(t);
}

int64_t pd_thrift_zigzag(struct pd_thrift *t)
{
    const uint64_t x = pd_thrift_varint(t);
    return (int64_t)(x >> 1 ^ (0 - (x & 1)));
}

bool pd_thrift_next(struct pd_thrift *t, struct pd_thrift_field *f)
{
    const unsigned b = byte(t);
    f->type = (int)(b & 15);
    if (t->bad || f->type == PD_THRIFT_STOP)
        return false;
    const int64_t id = b >> 4 ? f->id + (int64_t)(b >> 4) : pd_thrift_zigzag(t);
    if (f->type > PD_THRIFT_STRUCT || id <= 0 || id > INT16_MAX)
        fail(t);
    f->id = (int)id;
    return !t->bad;
}

int64_t pd_thrift_int(struct pd_thrift *t, const struct pd_thrift_field *f)
{
    if (f->type == PD_THRIFT_I8)
        return (int8_t)byte(t);
    if (f->type < PD_THRIFT_I16 || f->type > PD_THRIFT_I64)
        return (int64_t)fail(t);
    return pd_thrift_zigzag(t);
}

bool pd_thrift_bool(struct pd_thrift *t, const struct pd_thrift_field *f)
{
    if (f->type != PD_THRIFT_TRUE && f->type != PD_THRIFT_FALSE)
        fail(t);
    return f->type == PD_THRIFT_TRUE;
}

/* Pass n bytes. Returns the first. */
static const unsigned char *take(struct pd_thrift *t, uint64_t n)
{
    const unsigned char *p = t->p;
    if (n > (uint64_t)(t->end - p))
        fail(t);
    else
        t->p += n;
    return p;
}

const unsigned char *pd_thrift_bytes(struct pd_thrift *t, const struct pd_thrift_field *f,
                                     size_t *n)
{
    if (f->type != PD_THRIFT_BINARY)
        fail(t);
    const uint64_t bytes = pd_thrift_varint(t);
    const unsigned char *p = take(t, bytes);
    *n = t->bad ? 0 : (size_t)bytes;
    return p;
}

/* The head of a list: its items, and their type. */
static size_t list_head(struct pd_thrift *t, int *item)
{
    const unsigned b = byte(t);
    const uint64_t n = b >> 4 == 15 ? pd_thrift_varint(t) : b >> 4;
    *item = (int)(b & 15);
    if (n > (uint64_t)(t->end - t->p))
        fail(t);
    return t->bad ? 0 : (size_t)n;
}

size_t pd_thrift_list(struct pd_thrift *t, const struct pd_thrift_field *f, int item)
{
    int found;
    if (f->type != PD_THRIFT_LIST)
        return (size_t)fail(t);
    const size_t n = list_head(t, &found);
    return n > 0 && found != item ? (size_t)fail(t) : n;
}

bool pd_thrift_struct(struct pd_thrift *t, const struct pd_thrift_field *f)
{
    if (f->type != PD_THRIFT_STRUCT)
        fail(t);
    return !t->bad;
}

static void skip(struct pd_thrift *t, int type, bool item, int depth);

static void skip_items(struct pd_thrift *t, int depth)
{
    int item;
    for (size_t n = list_head(t, &item); n > 0 && !t->bad; n--)
        skip(t, item, true, depth);
}

static void skip_map(struct pd_thrift *t, int depth)
{
    const uint64_t n = pd_thrift_varint(t);
    if (n == 0)
        return;
    const unsigned types = byte(t);
    if (n > (uint64_t)(t->end - t->p))
        fail(t);
    for (uint64_t k = 0; k < n && !t->bad; k++) {
        skip(t, (int)(types >> 4), true, depth);
        skip(t, (int)(types & 15), true, depth);
    }
}

/* `item`: the value is in a list, where a truth value takes a byte. */
static void skip(struct pd_thrift *t, int type, bool item, int depth)
{
    if (depth > DEPTH_MOST) {
        fail(t);
        return;
    }
    switch (type) {
    case PD_THRIFT_TRUE:
    case PD_THRIFT_FALSE:
        take(t, item);
        break;
    case PD_THRIFT_I8:
        take(t, 1);
        break;
    case PD_THRIFT_I16:
    case PD_THRIFT_I32:
    case PD_THRIFT_I64:
        pd_thrift_varint(t);
        break;
    case PD_THRIFT_DOUBLE:
        take(t, sizeof(double));
        break;
    case PD_THRIFT_BINARY:
        take(t, pd_thrift_varint(t));
        break;
    case PD_THRIFT_LIST:
    case PD_THRIFT_SET:
        skip_items(t, depth + 1);
        break;
    case PD_THRIFT_MAP:
        skip_map(t, depth + 1);
        break;
    case PD_THRIFT_STRUCT:
        for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);)
            skip(t, f.type, false, depth + 1);
        break;
    default:
        fail(t);
    }
}

void pd_thrift_skip(struct pd_thrift *t, const struct pd_thrift_field *f)
{
    skip(t, f->type, false, 0);
}

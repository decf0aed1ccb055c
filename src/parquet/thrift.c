/* parquet/thrift.c - see include/pardup/parquet/thrift.h */
#include "pardup/parquet/thrift.h"

#include <string.h>

enum { SHORT = 15 }; /* lists of fewer items have their length in the type's byte */

void pd_put_varint(struct pd_bytes *to, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        pd_bytes_push(to, (unsigned char)(x | 0x80));
    pd_bytes_push(to, (unsigned char)x);
}

static void put_zigzag(struct pd_bytes *to, int64_t x)
{
    pd_put_varint(to, (uint64_t)x << 1 ^ (x < 0 ? UINT64_MAX : 0));
}

void pd_put_head(struct pd_put *p, int id, int type)
{
    const int step = id - p->last;
    if (step > 0 && step <= SHORT) {
        pd_bytes_push(p->to, (unsigned char)(step << 4 | type));
    } else {
        pd_bytes_push(p->to, (unsigned char)type);
        put_zigzag(p->to, id);
    }
    p->last = id;
}

void pd_put_int(struct pd_put *p, int id, int type, int64_t x)
{
    pd_put_head(p, id, type);
    put_zigzag(p->to, x);
}

void pd_put_item(struct pd_bytes *to, const char *s)
{
    const size_t n = strlen(s);
    pd_put_varint(to, n);
    pd_bytes_append(to, s, n);
}

void pd_put_text(struct pd_put *p, int id, const char *s)
{
    pd_put_head(p, id, PD_THRIFT_BINARY);
    pd_put_item(p->to, s);
}

void pd_put_list(struct pd_put *p, int id, int item, size_t n)
{
    pd_put_head(p, id, PD_THRIFT_LIST);
    pd_bytes_push(p->to, (unsigned char)((n < SHORT ? n : SHORT) << 4 | (size_t)item));
    if (n >= SHORT)
        pd_put_varint(p->to, n);
}

void pd_put_stop(struct pd_put *p) { pd_bytes_push(p->to, PD_THRIFT_STOP); }

/*
 * store/deltas.c - see deltas.h
 *
 * The packed bytes: for every two u64s, a byte with two lengths, low half first, then the bytes of
 * the first u64; the bytes of the second follow. A length is the number of bytes of a u64, 0 to 8.
 */
#include "deltas.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    U64 = 8,  /* bytes of a u64 */
    HALF = 4, /* bits of a length */
    LOW = 15  /* mask of the lower length */
};

/* A position in the unpacked records. */
struct position {
    size_t record; /* first byte of the record */
    size_t end;    /* first byte of the next record */
    size_t before; /* bytes of the record before; 0: there is none */
    size_t at;     /* first byte of the u64 */
    size_t size;   /* bytes of each record, or 0, as in pd_deltas_pack() */
};

static uint64_t u64_at(const unsigned char *v, size_t at)
{
    uint64_t value;
    memcpy(&value, v + at, sizeof value);
    return value;
}

/* The same u64 of the record before; 0 if that record is shorter. */
static uint64_t same_before(const unsigned char *v, const struct position *p)
{
    const size_t in = p->at - p->record;
    return in < p->before ? u64_at(v, p->record - p->before + in) : 0;
}

/*
 * Begin a record whose first u64 is `first`. False: its size is invalid, or it ends beyond the n
 * bytes of all records.
 */
static bool begin_record(struct position *p, uint64_t first, size_t n)
{
    uint32_t own;
    memcpy(&own, &first, sizeof own);
    const size_t size = p->size ? p->size : own;
    p->end = p->at + size;
    return size >= U64 && size % U64 == 0 && size <= n - p->at;
}

/* Go on to the next u64. */
static void next_u64(struct position *p)
{
    p->at += U64;
    if (p->at == p->end) {
        p->before = p->end - p->record;
        p->record = p->end;
    }
}

size_t pd_deltas_pack(void *to, size_t most, const void *v, size_t n, size_t size)
{
    unsigned char *out = to, *lengths = out;
    const unsigned char *const limit = out + most;
    bool second = false;
    for (struct position p = {.size = size}; p.at < n; next_u64(&p), second = !second) {
        const uint64_t value = u64_at(v, p.at), differ = value ^ same_before(v, &p);
        const uint64_t stored = htole64(differ);
        const int bits = differ ? 64 - __builtin_clzll(differ) : 0, bytes = (bits + 7) / 8;
        if (limit - out < bytes + !second || (p.at == p.record && !begin_record(&p, value, n)))
            return 0;
        if (second)
            *lengths = (unsigned char)(*lengths | bytes << HALF);
        else {
            lengths = out++;
            *lengths = (unsigned char)bytes;
        }
        memcpy(out, &stored, sizeof stored);
        out += bytes;
    }
    return (size_t)(out - (unsigned char *)to);
}

int pd_deltas_unpack(void *to, size_t n, const void *v, size_t packed, size_t size)
{
    static const uint64_t masks[U64 + 1] = {
        0,          0xFF,         0xFFFF,         0xFFFFFF,
        0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF,
        UINT64_MAX};
    unsigned char *const out = to;
    const unsigned char *in = v, *const limit = in + packed;
    unsigned lengths = 0;
    bool second = false;
    for (struct position p = {.size = size}; p.at < n; next_u64(&p), second = !second) {
        uint64_t stored;
        if (in >= limit && !second)
            return 0;
        lengths = second ? lengths >> HALF : *in++;
        const unsigned bytes = lengths & LOW;
        if (bytes > U64 || (size_t)(limit - in) < bytes)
            return 0;
        memcpy(&stored, in, sizeof stored);
        in += bytes;
        const uint64_t value = (le64toh(stored) & masks[bytes]) ^ same_before(out, &p);
        if (p.at == p.record && !begin_record(&p, value, n))
            return 0;
        memcpy(out + p.at, &value, sizeof value);
    }
    return in == limit;
}

/*
 * base/fan.h - the fan: packed dots of one document with later documents, on the way from join to
 * passage.
 *
 * A fan lists units of document a that are in one class, and the units of later documents that
 * match each of them. A class in n documents makes n - 1 fans, not n (n - 1) / 2 document pairs.
 * Numbers are packed as differences: a unit of another document takes about four bytes.
 */
#ifndef PARDUP_BASE_FAN_H
#define PARDUP_BASE_FAN_H

#include <stdbool.h>

#include "pardup/base/record.h"

enum pd_fan_kind {
    PD_FAN_EQUAL,   /* the units are identical */
    PD_FAN_SIMILAR, /* the units have a similarity below 1 */

    /* the documents are equal word for word; the only unit of each is its number of units */
    PD_FAN_WHOLE,

    /*
     * the documents are brief and share text; their units are the first and the last of a struct
     * pd_brief, once if they are one. Several fans can have them
     */
    PD_FAN_BRIEF
};

/* Travels to the holder of document a. Order: a. */
struct pd_fan {
    uint32_t size;   /* bytes of the whole record, a multiple of 8 */
    uint16_t ni;     /* units of a */
    uint8_t kind;    /* enum pd_fan_kind */
    uint8_t padding; /* zero bytes at the end of `coded` */
    pd_doc a;        /* the first document */
    /*
     * The similarity as a double, only if `kind` is PD_FAN_SIMILAR. Then varints:
     * - The ni units of a, ascending, each as its difference from the unit before (the first: from
     *   0).
     * - The later documents, ascending. Each document is one varint, its difference from the
     *   document before (the first: from a), and then its units, ascending. Each unit is one
     *   varint: twice its difference from the unit before (the first: from 0), plus 1 if another
     *   unit of the same document follows.
     */
    unsigned char coded[];
};
_Static_assert(sizeof(struct pd_fan) == 16, "fan has padding");

/* Whatever does not fit into one fan becomes several fans. */
#define PD_FAN_MOST ((size_t)64 << 10) /* largest fan, bytes */
enum {
    PD_FAN_FIRSTS = 8192,        /* most units of a in one fan */
    PD_FAN_UNITS = PD_BLOCK_MOST /* most units of later documents in one fan */
};

enum { PD_VARINT_MOST = 10 }; /* longest varint of a 64-bit number, bytes */

/* Write x as a varint to p[0 .. PD_VARINT_MOST). Returns the byte after the varint. */
static inline unsigned char *pd_varint_put(unsigned char *p, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        *p++ = (unsigned char)(x | 0x80);
    *p++ = (unsigned char)x;
    return p;
}

/* Read the varint at p into *x. Returns the byte after the varint. */
static inline const unsigned char *pd_varint_get(const unsigned char *p, uint64_t *x)
{
    uint64_t sum = *p & 0x7F;
    for (unsigned shift = 7; *p++ & 0x80; shift += 7)
        sum |= (uint64_t)(*p & 0x7F) << shift;
    *x = sum;
    return p;
}

/* The similarity of the units of a to the units of later documents, (0, 1]; 1: identical. */
static inline double pd_fan_similarity(const struct pd_fan *fan)
{
    double similarity = 1;
    if (fan->kind == PD_FAN_SIMILAR)
        memcpy(&similarity, fan->coded, sizeof similarity);
    return similarity;
}

/* A fan while it is read: first all units of a, then the units of the later documents. */
struct pd_fan_reader {
    const unsigned char *at;  /* the next varint */
    const unsigned char *end; /* the end of the varints */
    pd_doc b;                 /* the later document whose unit was read last */
    uint32_t number;          /* the unit read last */
    bool more;                /* the next unit is in document b, too */
};

/* Begin to read a fan, which must stay in memory while it is read. */
static inline void pd_fan_open(const struct pd_fan *fan, struct pd_fan_reader *r)
{
    *r = (struct pd_fan_reader){.at =
                                    fan->coded + (fan->kind == PD_FAN_SIMILAR ? sizeof(double) : 0),
                                .end = (const unsigned char *)fan + fan->size - fan->padding,
                                .b = fan->a};
}

/* The next unit of a. Call it exactly fan->ni times, before pd_fan_next(). */
static inline uint32_t pd_fan_first(struct pd_fan_reader *r)
{
    uint64_t difference;
    r->at = pd_varint_get(r->at, &difference);
    return r->number += (uint32_t)difference;
}

/* Put the next unit of a later document into r->b and r->number. False: there are no more. */
static inline bool pd_fan_next(struct pd_fan_reader *r)
{
    uint64_t x;
    if (r->at == r->end)
        return false;
    if (!r->more) {
        r->at = pd_varint_get(r->at, &x);
        r->b += x;
        r->number = 0;
    }
    r->at = pd_varint_get(r->at, &x);
    r->number += (uint32_t)(x >> 1);
    r->more = x & 1;
    return true;
}

#endif

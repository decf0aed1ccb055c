/*
 * base/fan.h - dots of one document with all later ones, packed: what travels from join to passage.
 *
 * Sentences of document a that are in one class, and the sentences of later documents that each of
 * them duplicates. A class in n documents is n - 1 fans, not n (n - 1) / 2 pairs of documents;
 * numbers are differences, about four bytes for a sentence of another document.
 */
#ifndef PARDUP_BASE_FAN_H
#define PARDUP_BASE_FAN_H

#include <stdbool.h>

#include "pardup/base/record.h"

/* Owner rank: by a. Order: a. */
struct pd_fan {
    uint32_t size; /* bytes of the record, 8 | size */
    uint16_t ni;   /* sentences of a */
    uint8_t similar;
    uint8_t padding;
    pd_doc a;
    /*
     * If `similar`, their similarity, a double; else they are identical. Then numbers: the
     * sentences of a, ascending, as differences; the other documents, ascending, each as
     * difference (of the first: to a) and its sentences, ascending, each as difference to the one
     * before, twice, plus 1 unless it is the last. Then `padding` zeros.
     */
    unsigned char coded[];
};
_Static_assert(sizeof(struct pd_fan) == 16, "fan has padding");

#define PD_FAN_MOST ((size_t)64 << 10) /* bytes, at most; longer ones are cut into several fans, */
enum {
    PD_FAN_FIRSTS = 8192,
    PD_FAN_UNITS = PD_BLOCK_MOST
}; /* as those of more sentences: of a, of others */

enum { PD_VARINT_MOST = 10 }; /* bytes of a number */

static inline unsigned char *pd_varint_put(unsigned char *p, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        *p++ = (unsigned char)(x | 0x80);
    *p++ = (unsigned char)x;
    return p;
}

static inline const unsigned char *pd_varint_get(const unsigned char *p, uint64_t *x)
{
    uint64_t sum = *p & 0x7F;
    for (unsigned shift = 7; *p++ & 0x80; shift += 7)
        sum |= (uint64_t)(*p & 0x7F) << shift;
    *x = sum;
    return p;
}

static inline double pd_fan_similarity(const struct pd_fan *fan)
{
    double similarity = 1;
    if (fan->similar)
        memcpy(&similarity, fan->coded, sizeof similarity);
    return similarity;
}

/* A fan being read: first all sentences of a, then those of the others. */
struct pd_fan_reader {
    const unsigned char *at;
    const unsigned char *end;
    pd_doc b;
    uint32_t number; /* the last sentence read */
    bool more;       /* the next sentence is one of b, too */
};

static inline void pd_fan_open(const struct pd_fan *fan, struct pd_fan_reader *r)
{
    *r = (struct pd_fan_reader){.at = fan->coded + (fan->similar ? sizeof(double) : 0),
                                .end = (const unsigned char *)fan + fan->size - fan->padding,
                                .b = fan->a};
}

/* The next of a's sentences, of which there are fan->ni. */
static inline uint32_t pd_fan_first(struct pd_fan_reader *r)
{
    uint64_t difference;
    r->at = pd_varint_get(r->at, &difference);
    return r->number += (uint32_t)difference;
}

/* The next of the others, to r->b and r->number. False: there are no more. */
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

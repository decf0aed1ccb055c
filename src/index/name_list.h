/*
 * index/name_list.h - the names of a segment: the number and the first slot of each name.
 *
 * Names are a sorted list in the code of Elias ("Efficient Storage and Retrieval by Content and
 * Address of Static Files", JACM 1974) and Fano. The first `bits` bits of a name are its bucket. In
 * the section `buckets` each bucket has a one for each of its names and then a zero. `spans` says
 * where the ones of every PD_NAMES_SPAN-th bucket begin. The rest of each name is in `names`. There
 * are about as many buckets as names, so a name takes two bits and its rest, and a look-up compares
 * one or two names.
 *
 * In `heads` a slot has a one if it is the first of its name. `firsts` has the first slot of every
 * PD_FIRSTS_SPAN-th name.
 */
#ifndef PARDUP_INDEX_NAME_LIST_H
#define PARDUP_INDEX_NAME_LIST_H

#include "pardup/index/segment.h"

enum {
    PD_BITS_LEAST = 8,    /* first bits of a name that are its bucket, at least */
    PD_BITS_WORD = 64,    /* bits of a number in `buckets` and `heads` */
    PD_NAMES_SPAN = 128,  /* buckets of a span */
    PD_FIRSTS_SPAN = 256, /* names of a number in `firsts` */
    PD_READ_BITS = 57     /* most bits that can begin anywhere in 8 bytes */
};

/* n <= PD_READ_BITS bits from a bit of the section on, whose bytes are checked. */
static inline uint64_t pd_bits_at(const struct pd_section *section, uint64_t bit, unsigned n)
{
    return pd_packed_number(section->v + bit / 8, sizeof(uint64_t)) >> bit % 8 &
           ((UINT64_C(1) << n) - 1);
}

/* Check n bits of a section. PD_OK or PD_EFORMAT. */
static inline int pd_bits_check(const struct pd_section *section, uint64_t bit, uint64_t n)
{
    return pd_section_check(section, bit / 8, (bit % 8 + n + 7) / 8);
}

/* The tables of a segment contradict each other. Returns PD_EFORMAT. */
int pd_segment_broken(const struct pd_segment *s);

/* The same, of the number or section with this name. */
int pd_segment_contradicts(const struct pd_segment *s, const char *name);

/* Are the sections of names as long as the numbers of the segment say? */
bool pd_name_list_fit(const struct pd_segment *s);

/* The number of a name. PD_OK, PD_END (there is no such name) or PD_EFORMAT. */
int pd_name_list_find(const struct pd_segment *s, pd_sig sig, struct pd_name_hint *hint,
                      uint64_t *name);

/* The first slot of a name. PD_OK or PD_EFORMAT. */
int pd_name_list_first(const struct pd_segment *s, uint64_t name, struct pd_name_hint *hint,
                       uint64_t *slot);

/* The places of a name whose first slot is `slot`. PD_OK or PD_EFORMAT. */
int pd_name_list_places(const struct pd_segment *s, uint64_t name, uint64_t slot,
                        struct pd_places *places);

/* Go on to the next name. PD_OK, PD_END or PD_EFORMAT. */
int pd_name_list_next(struct pd_names_cursor *c);

#endif

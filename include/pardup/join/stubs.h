/*
 * join/stubs.h - tell pages that say nothing of their own from copies of an article.
 *
 * A *stub* is what a site answers at many addresses alike: an error page, a request to log in. The
 * *inner text* of a document is its base units outside its frame; two inner texts are equal if they
 * have the same base units. An inner text of W words, 1 <= W <= PD_STUB_WORDS, is a stub of its
 * site if its documents have at least q = PD_STUB_NAMES + floor(W / 32) different names, or at
 * least 4 q different addresses. The *name* in an address is the last part of its path that is not
 * empty, without query, fragment and parameters behind ';'. Addresses are compared without
 * fragments.
 *
 * Articles that a site has at many addresses stay: long articles, versions of a documentation,
 * which have the same names, print versions, which are few, and sessions, which have the same name.
 *
 * Source: none of the papers.
 * Memory: the occurrences of one inner text in one site at a time.
 */
#ifndef PARDUP_JOIN_STUBS_H
#define PARDUP_JOIN_STUBS_H

#include <stdbool.h>

#include "pardup/base/hash.h"
#include "pardup/base/record.h"

enum {
    PD_STUB_WORDS = 200, /* words of the longest stub */
    PD_STUB_NAMES = 5    /* names that the shortest stub has */
};

/* A document with an address. Travels to the owner of `text`. Order: as written. */
struct pd_sighting {
    uint64_t text;    /* hash of the site and of the inner text */
    uint64_t name;    /* hash of the name in its address */
    uint64_t address; /* hash of its address */
    pd_doc doc;       /* the document */
    uint64_t words;   /* of the inner text */
};
PD_VEC(pd_sightings, struct pd_sighting);
#define PD_SIGHTING_U64S 5

/* The hash that stands for an inner text of a site. */
static inline uint64_t pd_stub_text(uint64_t site, uint64_t own)
{
    return pd_mix(own ^ pd_mix(site));
}

/* Whether an inner text of this many words may be a stub. */
static inline bool pd_stub_fits(uint64_t words) { return 1 <= words && words <= PD_STUB_WORDS; }

/* Whether the inner text of all n > 0 sightings, in their order, is a stub. Cost: O(n). */
bool pd_stub_judge(const struct pd_sighting *v, size_t n);

#endif

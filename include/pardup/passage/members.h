/*
 * passage/members.h - the members of families in one document.
 *
 * Passages reach spans of a document. Two spans that overlap by more than half of the shorter one
 * say the same, so they are one member, which is their union. The rule, whatever the order: all
 * spans are linked that overlap so, each connected component is replaced by its union, and this is
 * repeated until nothing changes.
 */
#ifndef PARDUP_PASSAGE_MEMBERS_H
#define PARDUP_PASSAGE_MEMBERS_H

#include <stdint.h>

#include "pardup/base/vec.h"

/* A reach: bytes [begin, end) of a document's text, begin < end. */
struct pd_reach {
    uint64_t begin, end; /* in: the span; out: its member */
    size_t parent;       /* the span with which it was united; its own index: it is a member */
};
PD_VEC(pd_reaches, struct pd_reach);

/*
 * Unite spans. Afterwards a span whose parent is its own index is a member, and pd_member_of()
 * finds the member of any span.
 *   spans   distinct, with any parents
 * Cost: O(n log n + n m) for m members, a few times.
 */
void pd_members_unite(struct pd_reaches *spans);

/* The index of the member of span k. */
size_t pd_member_of(const struct pd_reaches *spans, size_t k);

#endif

/*
 * passage/members.h - the members of families in one document: its copied text, cut where passages
 * begin and end.
 *
 * Passages reach parts of a document. A copied run is a longest run of bytes that reaches cover or
 * touch. It is cut by this rule:
 *
 * 1. Points are the ends of the run, and ends of reaches in it. Ends of reaches become points by
 *    falling number of passages that begin or end there, the first of equal ones first, unless
 *    another point is less than PD_MEMBER_APART bytes away.
 * 2. An end of a reach counts at the nearest point, at the first of two equally near ones.
 * 3. The run is cut at its ends, and at a point where the passages that begin or end are no fewer
 *    than the passages that go on across it. A passage whose two ends count at one point does neither there.
 *
 * So a footer that many other documents have is cut off the text above it, but a quotation of a
 * part cuts the text only if that part is found more often than the whole. Ends that differ by a
 * few words make no splinters. All reaches together have at most two cuts inside for each passage
 * end, so the work is linear in passages.
 */
#ifndef PARDUP_PASSAGE_MEMBERS_H
#define PARDUP_PASSAGE_MEMBERS_H

#include <stdint.h>

#include "pardup/base/vec.h"

enum { PD_MEMBER_APART = 128 }; /* bytes, about twenty words */

/* A reach: bytes [begin, end) of a document's text, begin < end. */
struct pd_reach {
    uint64_t begin, end;
    uint64_t passages; /* how many have it */
};
PD_VEC(pd_reaches, struct pd_reach);

/* A member: bytes [begin, end). */
struct pd_member {
    uint64_t begin, end;
};
PD_VEC(pd_members, struct pd_member);

/* What a reach covers of a member: bytes [begin, end) of the document. */
struct pd_portion {
    size_t member; /* index of the member */
    uint64_t begin, end;
};
PD_VEC(pd_portions, struct pd_portion);

/*
 * Replace `members` by the members of a document, in order. They do not overlap.
 *   reaches  of the document, in any order; the same reach may stand there twice
 * Cost: O(n log n).
 */
void pd_members_cut(const struct pd_reaches *reaches, struct pd_members *members);

/*
 * Replace `portions` by what a reach covers of members, in order. A portion is PD_MEMBER_APART
 * bytes or longer, or the longest portion, the first of equally long ones. There is at most one
 * more than there are cuts inside the reach.
 */
void pd_members_cover(const struct pd_members *members, uint64_t begin, uint64_t end,
                      struct pd_portions *portions);

/* The index of the longest portion, the first of equally long ones; n > 0. */
size_t pd_portion_chief(const struct pd_portion *portions, size_t n);

#endif

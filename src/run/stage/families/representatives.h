/*
 * run/stage/families/representatives.h - which members stand for families, and who belongs to them.
 *
 * Passages link members. What a passage covers of a member is a portion (passage/members.h); its
 * chief portion is the longest one of an end. A passage links the members of its two chief
 * portions, and other members if their portions stand in the same proportion of both ends: more
 * than half of the shorter portion must meet the other one. That errs by up to half of the bytes by
 * which the ends differ in length, so this much more must meet.
 *
 * A member agrees with a neighbour, which is a linked member, if more than half of it meets the
 * neighbour in one passage. Members have an order: more neighbours come first, then more bytes,
 * then the place in the collection.
 *
 * 1. Representatives, from the earliest member on: a member that agrees with an earlier
 *    representative joins the family of the earliest one of them, and is verified. Every other
 *    member is a representative.
 * 2. A representative that nobody has joined goes with a neighbour: the earliest one that it agrees
 *    with, or else the earliest neighbour. It is then in the family of this neighbour, and not verified.
 *    If the neighbour is such a representative, too, it is a family alone. But it is in no family
 *    if it has no chief portion.
 *
 * Members are decided in rounds. A round decides each member that knows an earlier representative,
 * or knows that all earlier members with which it agrees are none. Ten rounds are common. What
 * PD_REPRESENTATIVE_ROUNDS rounds leave undecided is a representative that nobody has joined.
 *
 * Method: star clusters as in Aslam, Pelekhov, Rus, "The star clustering algorithm for static and
 * dynamic information organization", Journal of Graph Algorithms and Applications 8(1), 2004.
 * Deviation from Star clusters: a member is in one family only, and agreement has a direction, so a
 * long text may stand for its quotations, but a footer does not for the texts above it.
 */
#ifndef PARDUP_RUN_REPRESENTATIVES_H
#define PARDUP_RUN_REPRESENTATIVES_H

#include "facts.h"
#include "pardup/store/spool.h"

enum { PD_REPRESENTATIVE_ROUNDS = 1000 };

/* What a passage says of two members. Several links of the same two are one. */
struct pd_bond {
    uint64_t u, v;             /* the members; u == v only if the bond is chief */
    uint32_t bytes_u, bytes_v; /* their lengths */
    uint64_t says;             /* bits: */
};
#define PD_BOND_U_AGREES ((uint64_t)1) /* u agrees with v */
#define PD_BOND_V_AGREES ((uint64_t)2) /* v agrees with u */
#define PD_BOND_CHIEF    ((uint64_t)4) /* the passage has its longest portions in u and v */

/*
 * COLLECTIVE. Find the families of members.
 *   extent  borrowed during the call
 *   bonds   the links of this rank, struct pd_bond; finished, and read to its end
 *   facts   open; gets a PD_FACT_HOME for each member that is in a family, at its owner
 * Agreed: PD_OK or a failure. A bond costs some 200 bytes in all, and spills. Memory that is not
 * planned: the bonds of one member.
 */
int pd_representatives_find(struct pd_job *job, struct pd_families_extent *extent,
                            struct pd_spool *bonds, struct pd_shuffle *facts);

#endif

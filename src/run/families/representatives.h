/*
 * run/families/representatives.h - which members stand for families, and who belongs to them.
 *
 * Members are linked by passages: by each the two that have its longest portions, and others whose
 * portions stand in the same proportion of both of its ends. A member agrees with another one if
 * more than half of it meets the other one in one passage. Of two members, the one with more partners (linked members) comes
 * first, then the longer one, then the first one.
 *
 * 1. In this order, a member that agrees with a representative before it joins the family of the
 *    first such representative, and is verified. Every other member is a representative.
 * 2. A representative that nobody has joined is in the family of its first partner, of those that
 *    it agrees with if there are any, but not verified. If that partner is such a representative,
 *    too, it stays alone. It stays in no family instead if no passage has its longest portion in
 *    it.
 *
 * The members are decided in rounds: one of which an earlier representative is known, or of which
 * all earlier members that it agrees with are known to be none. What PD_REPRESENTATIVE_ROUNDS
 * rounds leave undecided counts as a representative that nobody has joined.
 *
 * Method: star clusters as in Aslam, Pelekhov, Rus, "The star clustering algorithm for static and
 * dynamic information organization", Journal of Graph Algorithms and Applications 8(1), 2004.
 * Deviation: a member is in one family only, and agreement has a direction, so a long text may
 * stand for its quotations, but a footer does not for the texts above it.
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
 * COLLECTIVE. Find them.
 *   extent  borrowed during the call
 *   bonds   the links of this rank, struct pd_bond; finished, and read to its end
 *   facts   open; gets a PD_FACT_HOME for each member that is in a family, at its owner
 * Agreed: PD_OK or a failure. A bond costs some 200 bytes in all, and spills. Memory that is not
 * planned: the bonds of one member.
 */
int pd_representatives_find(struct pd_job *job, const struct pd_families_extent *extent,
                            struct pd_spool *bonds, struct pd_shuffle *facts);

#endif

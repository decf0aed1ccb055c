/*
 * run/why.h - the reasons for which units match or do not.
 *
 * A unit gets the reason why it takes no part where it is signed (run/stage/classes/sign.h).
 * Command `explain` adds the reasons that are about two units.
 */
#ifndef PARDUP_RUN_WHY_H
#define PARDUP_RUN_WHY_H

#include <stdbool.h>

/* Why a unit, or a pair of units, matches or does not. */
enum pd_why {
    PD_WHY_MATCHED,
    PD_WHY_BELOW,    /* the units are not similar enough, or not equal where they must be */
    PD_WHY_BUCKET,   /* the units share no bucket (--join lsh) */
    PD_WHY_COMMON,   /* a common class is set aside */
    PD_WHY_ANCHORED, /* a common class matches in its first document only */
    PD_WHY_TIER,     /* common units in one document match by sixteens only */
    PD_WHY_CROWDED,  /* the class is similar to more than --max-near others */
    PD_WHY_REPEATED, /* the unit occurs too often in its document (--max-repeats) */
    PD_WHY_SAMPLED,  /* the unit is not compared with later documents (--sample, --window) */
    PD_WHY_TEMPLATE, /* a template of the site */
    PD_WHY_IGNORED,  /* text of a file of --ignore */
    PD_WHY_SHORT,    /* fewer words than --min-words */
    PD_WHY_WINNOWED, /* a gram near it is compared in its place (--winnow) */
    PD_WHY_FEW,      /* fewer counted words than --min-counted */
    PD_WHY_NOTHING,  /* no signature: no word of it counts, or --char-ngram wants more words */
    PD_WHY_ALONE,    /* the other document has no unit with a word or signature of this unit */
    PD_WHYS
};

/* Is a unit with this reason set aside? */
static inline bool pd_why_is_aside(enum pd_why why)
{
    return why == PD_WHY_TEMPLATE || why == PD_WHY_IGNORED;
}

#endif

/*
 * run/classes/brief.h - sign brief documents: pages that say little outside templates
 * (--copies report).
 *
 * A document is brief if at most gamma + 1 of its base units are no templates and have words. A
 * passage would need them all, so a page of two sentences, or one that names the version in a
 * sentence of four, has none. So brief documents are also compared by these units, their own text.
 * Two brief documents share text if they say the same, or with --min-copy-agreement below 1, if a
 * base unit of both is the same word for word, and at least a quarter of the own text of both.
 * Which of these pairs agree in enough words is judged when their rows are made.
 *
 * Source: none of the papers. Documents that share a long sentence are few, so comparing all of
 * them costs little.
 */
#ifndef PARDUP_RUN_BRIEF_H
#define PARDUP_RUN_BRIEF_H

#include "sign.h"

enum {
    PD_BRIEF_QUARTERS = 4, /* a shared base unit has one of four parts of the own text, or more */
    PD_BRIEF_NAMES = 1 + PD_BRIEF_QUARTERS,
    PD_BRIEF_POSTINGS = 2 * PD_BRIEF_NAMES
};

/*
 * Make the postings of the loaded document as a brief one (PD_BRIEF): for each text that it may
 * share, one with the first unit of its own text and one with the last unit, or a single one if
 * they are one unit.
 *   aside  numbers of its base units that are templates, ascending
 *   units  whether single base units are shared: the texts of both sides can be compared
 *   out    room for PD_BRIEF_POSTINGS
 * Returns how many; 0: it is not brief, or has fewer words of its own than --min-copy-words.
 */
size_t pd_brief_sign(struct pd_signing *s, const struct pd_word_numbers *aside, bool units,
                     struct pd_posting *out);

/* Do the options let brief documents share single base units? */
static inline bool pd_brief_by_units(const struct pd_method_options *o)
{
    return o->min_copy_agreement < 1;
}

#endif

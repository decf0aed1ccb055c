/*
 * run/stage/classes/brief.h - sign brief documents: pages that say little outside templates
 * (--copies report).
 *
 * A document is brief if its own text, the base units that are no templates and have words, says
 * too little for a passage:
 *   - where base units are compared: it is at most gamma + 1 base units;
 *   - where grams are: its base units of at least --min-words words have fewer than twice
 *     --min-passage-words words, or less than half of its words. Such a page is a list.
 * So brief documents are also compared by their own text. Two brief documents share text if they
 * say the same, or with --min-copy-agreement below 1, if one of the sixteen longest base units of
 * both is the same word for word.
 * With --min-copy-agreement below 1, two documents with words of their own are also compared so if
 * their pages have the same name (pd_address_of): brief or not, and with fewer words than
 * --min-copy-words, too. Two versions of a list may share only entries that many lists have.
 * Whether a pair agrees in enough words is judged when its row is made.
 *
 * Source: none of the papers. Documents that share their longest sentences, or a name, are few, so
 * comparing all of them costs little.
 */
#ifndef PARDUP_RUN_BRIEF_H
#define PARDUP_RUN_BRIEF_H

#include "sign.h"

enum {
    PD_BRIEF_PART = 2,   /* less than half of a list is in longer base units */
    PD_BRIEF_UNITS = 16, /* base units that a document may share */
    PD_BRIEF_NAMES = 2 + PD_BRIEF_UNITS,
    PD_BRIEF_POSTINGS = 2 * PD_BRIEF_NAMES
};

/*
 * Make the postings of the loaded document as a brief one (PD_BRIEF): for each text that it may
 * share, and for the name of its page, one with the first unit of its own text and one with the
 * last unit, or a single one if they are one unit.
 *   aside  numbers of its base units that are templates, ascending
 *   units  whether single base units and names are shared: the texts of both sides can be compared
 *   out    room for PD_BRIEF_POSTINGS
 * Returns how many.
 */
size_t pd_brief_sign(struct pd_signing *s, const struct pd_word_numbers *aside, bool units,
                     struct pd_posting *out);

/* Do the options let brief documents share single base units? */
static inline bool pd_brief_by_units(const struct pd_method_options *o)
{
    return o->min_copy_agreement < 1;
}

#endif

/*
 * feature/units.h - the units that are compared, made from the base units of a stored document.
 *
 * Base units are what document/ found and store/ keeps (sentences, clauses ...). Units are these
 * themselves, windows of them, word n-grams of the document, or the document. Windows and n-grams overlap.
 * Source: windows and n-grams as in Wang, Chang, "Exploiting Sentence-Level Features for
 * Near-Duplicate Document Detection", AIRS 2009, sections 3.1 and 4.1.
 */
#ifndef PARDUP_FEATURE_UNITS_H
#define PARDUP_FEATURE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/unit.h"

enum pd_form_kind { PD_FORM_BASE, PD_FORM_WINDOW, PD_FORM_GRAM, PD_FORM_WHOLE };

struct pd_units_form {
    enum pd_form_kind kind;
    uint32_t size; /* WINDOW: base units in one; GRAM: words in one; >= 1 */
    uint32_t step; /* one unit in so many is on the index side; >= 1 */
    bool jump;     /* WINDOW: of those, not the ones whose word counts repeat the one before */
};

/*
 * Fill `units` with the units of a document: BASE: a copy of `base`; WINDOW: one for each base unit
 * that begins one, from its first base unit's begin to its last one's end; GRAM: one for each word
 * that begins one; WHOLE: one for the document. A document with too few base units or words has none. `words` of a unit are
 * tokens [word, word + nwords).
 */
void pd_units_derive(const struct pd_units_form *form, const struct pd_sentences *base,
                     const struct pd_tokens *tokens, struct pd_sentences *units);

/*
 * Is unit `k` on the index side, the side of the earlier document? Sampling and steps thin out the
 * index side only, as in section 4.2 of the paper; of the later document all units are compared.
 */
bool pd_units_indexed(const struct pd_units_form *form, const struct pd_sentences *base,
                      uint32_t k);

/* Are there units that are not on the index side at all? */
static inline bool pd_units_sided(const struct pd_units_form *form)
{
    return form->step > 1 || form->jump;
}

/* Number of units that pd_units_derive makes of `nbase` base units with `nwords` words in all. */
uint64_t pd_units_count(const struct pd_units_form *form, uint64_t nbase, uint64_t nwords);

#endif

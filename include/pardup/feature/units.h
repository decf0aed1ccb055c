/*
 * feature/units.h - the units that are compared, made from the base units of a stored document.
 *
 * Base units (sentences, clauses or stop units) are found by document/ and kept by store/. The
 * units that are compared are the base units themselves, windows of base units, grams of the
 * document's words, or the whole document. Windows and grams overlap.
 * Source: windows and n-grams as in Wang, Chang, "Exploiting Sentence-Level Features for
 * Near-Duplicate Document Detection", AIRS 2009, sections 3.1 and 4.1.
 */
#ifndef PARDUP_FEATURE_UNITS_H
#define PARDUP_FEATURE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/unit.h"

/* What a unit is: see pd_units_derive. */
enum pd_form_kind { PD_FORM_BASE, PD_FORM_WINDOW, PD_FORM_GRAM, PD_FORM_WHOLE };

/* How units are made of the base units and words of a document. */
struct pd_units_form {
    enum pd_form_kind kind; /* base units as they are, windows, grams, or the whole document */
    uint32_t size;          /* WINDOW: base units in a window; GRAM: words in a gram; >= 1 */
    uint32_t step;          /* every step-th unit is on the index side; >= 1 */
    bool jump;              /* WINDOW: off the index side if its word counts repeat, see below */
};

/*
 * Fill `units` with the units of a document. A document with too few base units or words has none.
 *   BASE    a copy of `base`
 *   WINDOW  all `size` consecutive base units, from the begin of the first to the end of the last
 *   GRAM    all `size` consecutive words
 *   WHOLE   the whole document, if it has a base unit
 * The words of a unit are tokens [word, word + nwords). Earlier contents of `units` are replaced.
 */
void pd_units_derive(const struct pd_units_form *form, const struct pd_sentences *base,
                     const struct pd_tokens *tokens, struct pd_sentences *units);

/*
 * True if unit `k` of a document is on the index side: it is compared with later documents. Every
 * step-th unit is. With `jump`, a window is left out if its base units have, one by one, the word
 * counts of the window `step` before it. All units of a document are compared with earlier
 * documents: sampling thins out the index side only, as in section 4.2 of the paper.
 */
bool pd_units_indexed(const struct pd_units_form *form, const struct pd_sentences *base,
                      uint32_t k);

/* True if some units may not be on the index side. */
static inline bool pd_units_sided(const struct pd_units_form *form)
{
    return form->step > 1 || form->jump;
}

/* The number of units that pd_units_derive makes of `nbase` base units with `nwords` words. */
uint64_t pd_units_count(const struct pd_units_form *form, uint64_t nbase, uint64_t nwords);

#endif

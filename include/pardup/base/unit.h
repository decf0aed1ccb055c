/* base/unit.h - sentences and words of one document, as document/ finds and store/ keeps them. */
#ifndef PARDUP_BASE_UNIT_H
#define PARDUP_BASE_UNIT_H

#include <stdint.h>

#include "pardup/base/vec.h"

/* Trimmed of white space; words [word, word + nwords), nwords >= 1. In ascending, disjoint order. */
struct pd_sentence {
    uint32_t begin, end; /* bytes of the document's text */
    uint32_t word;
    uint32_t nwords;
};
PD_VEC(pd_sentences, struct pd_sentence);

/* A word of a stored document. */
struct pd_token {
    uint32_t begin, end; /* bytes of the document's text */
    uint32_t term;       /* its number in this rank's vocabulary */
};
PD_VEC(pd_tokens, struct pd_token);

#endif

/* base/unit.h - base units and words of a document, as document/ finds and store/ keeps them. */
#ifndef PARDUP_BASE_UNIT_H
#define PARDUP_BASE_UNIT_H

#include <stdint.h>

#include "pardup/base/vec.h"

/* A base unit. The base units of a document are in order of their text and do not overlap. */
struct pd_sentence {
    uint32_t begin, end; /* bytes [begin, end) of the text, trimmed of white space */
    uint32_t word;       /* number of its first word in the document */
    uint32_t nwords;     /* its words, at least 1 */
};
PD_VEC(pd_sentences, struct pd_sentence);

/* A word of a stored document. */
struct pd_token {
    uint32_t begin, end; /* bytes [begin, end) of the document's text */
    uint32_t term;       /* word number: the index of its term in the volume's vocabulary */
};
PD_VEC(pd_tokens, struct pd_token);

#endif

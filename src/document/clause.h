/*
 * document/clause.h - clauses as units: punctuation marks alone end one.
 *
 * Both sets of delimiters of Wang, Chang, "Exploiting Sentence-Level Features for Near-Duplicate
 * Document Detection", AIRS 2009, section 4.1: with PD_BASE_CLAUSE every mark ends a unit (SL-FP),
 * with PD_BASE_STOP only . ; ! ? and their wide forms (SL-FP-SD). Copies lose and gain line ends,
 * and lists become prose: clauses find what sentences, which depend on more, do not.
 * Deviation: marks inside a word as document/word.h defines it (3.14, don't) end nothing, hyphens,
 * dashes and slashes neither; an empty line does, a single line end does not.
 */
#ifndef PARDUP_DOCUMENT_CLAUSE_H
#define PARDUP_DOCUMENT_CLAUSE_H

#include "pardup/document/document.h"

/*
 * Group d->words, which hold the words of all of `text`, into d->sentences: a unit reaches from its
 * first word to its last; d->base says which marks end it. Cannot fail. Linear time.
 */
void pd_clauses_group(const unsigned char *text, struct pd_document *d);

#endif

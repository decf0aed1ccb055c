/*
 * document/sentence/clause.h - clauses and stop units: base units that punctuation marks alone
 * delimit.
 *
 * The two sets of delimiters are from Wang, Chang, "Exploiting Sentence-Level Features for
 * Near-Duplicate Document Detection", AIRS 2009, section 4.1. With PD_BASE_CLAUSE every mark ends a
 * unit (SL-FP). With PD_BASE_STOP only . ; ! ? and their wide forms end one (SL-FP-SD).
 * A copy may lose or gain line ends, and a list may become prose. Sentences depend on line ends and
 * lists, clauses do not; so clauses find some copies that sentences miss.
 * Deviation from Wang and Chang: marks inside a word as document/word.h defines it (3.14, don't)
 * end nothing, and neither do hyphens, dashes and slashes. An empty line ends a unit, a single line
 * end does not.
 */
#ifndef PARDUP_DOCUMENT_CLAUSE_H
#define PARDUP_DOCUMENT_CLAUSE_H

#include "pardup/document/document.h"

/*
 * Group d->words into base units and append the units to d->sentences.
 *   text    the document's text
 *   d       `words` holds all words of the text; `base` says which marks end a unit
 * A unit reaches from its first word to its last. Cannot fail. Linear time.
 */
void pd_clauses_group(const unsigned char *text, struct pd_document *d);

#endif

/*
 * document/sentence.h - where sentences begin and end.
 *
 * About fifty rules in one table (sentence.c), the same for all languages: what differs are the
 * marks (site.c) and the abbreviations and sentence starters (lexicon.c: English, German, French,
 * Spanish, Italian, some Dutch, Danish and Russian).
 */
#ifndef PARDUP_DOCUMENT_SENTENCE_H
#define PARDUP_DOCUMENT_SENTENCE_H

#include "pardup/document/document.h"

/*
 * Split UTF-8 `text` (valid; n < 4 GiB) into sentences and append them with word and nwords 0.
 * Each is trimmed of white space and not empty; together they hold every byte that is not white
 * space. Cannot fail. Linear time, no memory besides `out`.
 */
void pd_sentences_split(const unsigned char *text, size_t n, struct pd_sentences *out);

#endif

/*
 * document/byline.h - what a document tells about itself: title, author, date.
 *
 * Sources: TEI P5, chapter 2; the names of <meta> that Google Scholar, Dublin Core and Open Graph
 * define; schema.org in JSON-LD. The table in byline.c has their ranks.
 */
#ifndef PARDUP_DOCUMENT_BYLINE_H
#define PARDUP_DOCUMENT_BYLINE_H

#include "pardup/base/bytes.h"

enum { PD_BYLINE_TITLE, PD_BYLINE_AUTHOR, PD_BYLINE_DATE, PD_BYLINES };

/* A zeroed struct knows nothing. */
struct pd_byline {
    struct pd_bytes values[PD_BYLINES]; /* UTF-8 in one line; empty: the document does not say it */
    int ranks[PD_BYLINES];              /* of where the value stands: a lower one wins */
};

/* The name of the field that has it: "title", "author", "date". */
extern const char *const pd_byline_names[PD_BYLINES];

void pd_byline_clear(struct pd_byline *t);

/* Read the head of a page, or the header of a TEI text: markup in UTF-8. Other values stay. */
void pd_byline_markup(struct pd_byline *t, const unsigned char *s, size_t n);

void pd_byline_release(struct pd_byline *t);

#endif

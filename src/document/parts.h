/*
 * document/parts.h - the text of office documents and e-books, from the XML of their parts.
 *
 * The body of such a document begins with a tag that corpus/office.c writes, <pardup-docx>,
 * <pardup-odt> or <pardup-epub>, and goes on with the parts as they stand in the archive.
 */
#ifndef PARDUP_DOCUMENT_PARTS_H
#define PARDUP_DOCUMENT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

/* Is s[0, n) such a body? */
bool pd_parts_find(const unsigned char *s, size_t n);

/*
 * Append the text of such a body, in UTF-8, to `out`, as pd_html_text() does. Names are compared without
 * prefix and case. Text counts inside w:t and a:t, text:p and text:h, or <body>. Paragraphs, headings,
 * list items and cells are blocks. A tab is a space, a break of a line a line end. Deleted text,
 * instructions of fields, comments, numbers of notes and second versions for old programs are left out. A note of an odt
 * file stands at the end, where docx has its own. Cannot fail. Linear time.
 */
void pd_parts_text(const unsigned char *s, size_t n, struct pd_bytes *out);

#endif

/*
 * document/html/html_reference.h - character references: &amp; &#8212; &#x2014;
 *
 * WHATWG HTML standard, sections 13.2.5.72 to 13.2.5.80, by the rules for text. Attributes have
 * other rules, but are never decoded.
 */
#ifndef PARDUP_DOCUMENT_HTML_REFERENCE_H
#define PARDUP_DOCUMENT_HTML_REFERENCE_H

#include <stddef.h>

#define PD_REFERENCE_MOST 6 /* bytes in UTF-8 that a reference stands for, at most */

/*
 * Decode the reference that '&' at s[0] begins in s[0, n). `text` and *text_n become the UTF-8 that
 * it stands for. The longest name is taken; a number that is no character gives U+FFFD. Returns the
 * length of the reference in bytes; 0, with nothing written, when '&' stands for itself.
 */
size_t pd_html_reference(const unsigned char *s, size_t n, unsigned char text[PD_REFERENCE_MOST],
                         size_t *text_n);

#endif

/*
 * document/html_reference.h - character references: &amp; &#8212; &#x2014;
 *
 * WHATWG HTML standard, sections 13.2.5.72 to 13.2.5.80, as they hold in text. (Attributes, where
 * other rules hold, are never decoded.)
 */
#ifndef PARDUP_DOCUMENT_HTML_REFERENCE_H
#define PARDUP_DOCUMENT_HTML_REFERENCE_H

#include <stddef.h>

#define PD_REFERENCE_MOST 6 /* bytes a reference can stand for */

/*
 * Decode the reference at s[0] == '&' into `text` and set *text_n. The longest name wins; a number
 * that is no character gives U+FFFD. Returns the bytes of s used up, 0 when '&' means itself.
 */
size_t pd_html_reference(const unsigned char *s, size_t n, unsigned char text[PD_REFERENCE_MOST],
                         size_t *text_n);

#endif

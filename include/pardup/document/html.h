/*
 * document/html.h - an HTML page to the text a reader sees.
 *
 * Tokenised after the WHATWG HTML standard, section 13.2.5 (tags, attributes, comments, raw text,
 * script data, character references); no tree is built. Dropped with their content: script, style,
 * title, template, noscript, iframe, noembed, noframes, svg/math markup (their text stays),
 * comments, declarations. Of a head only such elements can hold text, so "without head" needs no
 * state.
 * As in browsers, what is never closed (comment, quoted attribute, script, title, template) reaches
 * to the end of the page.
 * Deviation: without a tree, style, script and title inside svg end as they do outside; any
 * block-level start tag ends svg and math, as in browsers, but also inside foreignObject; <pre>
 * ends at </pre> only; <noscript> is raw text, as with scripting on.
 */
#ifndef PARDUP_DOCUMENT_HTML_H
#define PARDUP_DOCUMENT_HTML_H

#include <stdbool.h>

#include "pardup/base/bytes.h"

/*
 * Append the text of `html` (UTF-8, n bytes) to `out`. A block-level tag becomes an empty line
 * ("\n\n", never more than one, none at the start), <br> a line end, other white space outside
 * <pre> and <textarea> a single space, none at line starts and ends; inline tags leave nothing.
 * So the result read as plain text has the same sentences. NUL becomes U+FFFD. Cannot fail;
 * linear time.
 */
void pd_html_text(const unsigned char *html, size_t n, struct pd_bytes *out);

/* Text [begin, end) of `out` that stands in a link, or in an element of the page's furniture. */
struct pd_html_link {
    size_t begin, end;
};
PD_VEC(pd_html_links, struct pd_html_link);

/* The same, and set `links`, ascending and disjoint. NULL: none are wanted. */
void pd_html_text_linked(const unsigned char *html, size_t n, struct pd_bytes *out,
                         struct pd_html_links *links);

/* Does it look like HTML? Judged by its first kilobyte, for files and records without a type. */
bool pd_html_sniff(const unsigned char *s, size_t n);

#endif

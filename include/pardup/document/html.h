/*
 * document/html.h - the text that a reader sees in an HTML page.
 *
 * A page is cut into tokens after the WHATWG HTML standard, section 13.2.5 (tags, attributes,
 * comments, raw text, script data, character references). No tree is built.
 * Dropped with their content are script, style, title, template, noscript, iframe, noembed,
 * noframes, comments and declarations. The tags of svg and math are dropped, but their text stays,
 * except in <desc>. In <ruby>, the text of <rt> and <rp> is dropped: it repeats how the words are
 * read, or what they mean. Every element that can hold text in a <head> is dropped, so the head needs no
 * state of its own.
 * A comment, quoted attribute, script, title or template that is never closed reaches to the end of
 * the page, as in browsers.
 * Deviation, because there is no tree:
 * - style, script and title inside svg end as they do outside.
 * - Any block-level start tag ends svg and math. Browsers do so too, but not inside foreignObject.
 * - <pre> ends only at </pre>.
 * - <noscript> is raw text, as in a browser with scripting on.
 * In XHTML (pd_html_is_xhtml) an element such as <title/> is empty, and CDATA sections are text.
 * Deviation: a page that calls itself XHTML is read as XHTML even if its server calls it HTML. A
 * browser would drop all text behind <script src="a.js"/> in such a page.
 */
#ifndef PARDUP_DOCUMENT_HTML_H
#define PARDUP_DOCUMENT_HTML_H

#include <stdbool.h>

#include "pardup/base/bytes.h"

/*
 * Append the text of `html` (UTF-8, n bytes) to `out`, so that the result read as plain text has
 * the sentences of the page. Cannot fail. Linear time.
 * A block-level tag becomes an empty line ("\n\n"): never more than one, and none at the start.
 * <br> becomes a line end. Other white space becomes a single space, and nothing at the start and
 * end of a line; inside <pre>, <textarea> and the like it is kept. Inline tags leave nothing. NUL
 * becomes U+FFFD.
 */
void pd_html_text(const unsigned char *html, size_t n, struct pd_bytes *out);

/*
 * A range of output text, in bytes of `out`, that is inside a link (<a>) or page furniture (<nav>,
 * <footer>, <aside>, <select>, <button>).
 */
struct pd_html_link {
    size_t begin, end;
};
PD_VEC(pd_html_links, struct pd_html_link);

/*
 * Do what pd_html_text() does, and overwrite `links` with the linked ranges of the text, ascending
 * and disjoint. With `links` NULL none are recorded. With `xml` the page is XHTML even if it does
 * not call itself so.
 */
void pd_html_text_linked(const unsigned char *html, size_t n, bool xml, struct pd_bytes *out,
                         struct pd_html_links *links);

/*
 * Whether the page calls itself XHTML in its first 4096 bytes: by an XML declaration, a document
 * type that names XHTML, or <html xmlns=...>.
 */
bool pd_html_is_xhtml(const unsigned char *s, size_t n);

/*
 * Whether s[0, n) looks like HTML. The first 1024 bytes behind leading white space decide, but a
 * page may also begin behind other text in its first 4096 bytes if it ends with </body> or </html>.
 * Meant for files and records without a media type.
 */
bool pd_html_sniff(const unsigned char *s, size_t n);

#endif

/*
 * document/html.h - the text that a reader sees in an HTML page.
 *
 * A page is cut into tokens after the WHATWG HTML standard, section 13.2.5 (tags, attributes,
 * comments, raw text, script data, character references). No tree is built.
 * Dropped with their content are script, style, title, template, noscript, iframe, noembed,
 * noframes, comments and declarations. The tags of svg and math are dropped, but their text stays,
 * except in <desc>. In <ruby>, the text of <rt> and <rp> is dropped: it repeats how the words are
 * read, or what they mean. Every element that can hold text in a <head> is dropped, so the head
 * needs no state of its own.
 * A comment, quoted attribute, script, title or template that is never closed reaches to the end of
 * the page, as in browsers.
 * Deviation, because there is no tree:
 * - style, script and title inside svg end as they do outside.
 * - Any block-level start tag ends svg and math. Browsers do so too, but not inside foreignObject.
 * - <pre> ends only at </pre>.
 * - <noscript> is raw text, as in a browser with scripting on, unless the page is hardly anything
 *   else: 2000 bytes in all <noscript>s, and eight times the bytes of the other text. Then the page
 *   is read as by a browser without scripting.
 * In XHTML (pd_html_is_xhtml) an element such as <title/> is empty, and CDATA sections are text.
 * Deviation: a page that calls itself XHTML is read as XHTML even if its server calls it HTML. A
 * browser would drop all text behind <script src="a.js"/> in such a page.
 */
#ifndef PARDUP_DOCUMENT_HTML_H
#define PARDUP_DOCUMENT_HTML_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/document/origin.h"

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
 * What a tag is, for the search for the main content. Elements of one use share a value.
 * PD_TAG_NONE is not listed. Elements from PD_TAG_IMAGE on hold no text of the page.
 */
enum pd_tag {
    PD_TAG_NONE,
    PD_TAG_BLOCK, /* any other block-level element */
    PD_TAG_DIV,
    PD_TAG_SECTION,
    PD_TAG_ARTICLE,
    PD_TAG_MAIN,
    PD_TAG_P,
    PD_TAG_H1,
    PD_TAG_H2,
    PD_TAG_H3,
    PD_TAG_H4,
    PD_TAG_H5,
    PD_TAG_H6,
    PD_TAG_QUOTE,
    PD_TAG_PRE,
    PD_TAG_LIST,  /* ul, ol, menu, dir */
    PD_TAG_ITEM,  /* li */
    PD_TAG_TERMS, /* dl */
    PD_TAG_TERM,  /* dt, dd */
    PD_TAG_TABLE,
    PD_TAG_ROW,
    PD_TAG_CELL,
    PD_TAG_FIGURE,
    PD_TAG_CAPTION,
    PD_TAG_DETAILS,
    PD_TAG_SUMMARY,
    PD_TAG_DIALOG,
    PD_TAG_FORM,
    PD_TAG_LABEL, /* label, legend */
    PD_TAG_BUTTON,
    PD_TAG_SELECT,
    PD_TAG_OPTION,
    PD_TAG_HEADER,
    PD_TAG_FOOTER,
    PD_TAG_ASIDE,
    PD_TAG_NAV,
    PD_TAG_BODY,
    PD_TAG_ROOT, /* html */
    PD_TAG_IMAGE,
    PD_TAG_INPUT,
    PD_TAG_TIME,
    PD_TAG_META,
    PD_TAG_SCRIPT,
    PD_TAG_HEAD
};

/* A start or end tag. */
struct pd_html_tag {
    size_t at;                         /* bytes of output before the tag */
    uint32_t attributes, attributes_n; /* bytes of the page behind the name, up to and with '>' */
    uint8_t tag;                       /* enum pd_tag */
    bool closing;                      /* an end tag */
    bool empty;                        /* a start tag whose element ends with it */
};
PD_VEC(pd_html_tags, struct pd_html_tag);
enum { PD_HTML_TAGS = 1 << 22 }; /* tags of a page that are listed; the others are not */

/* What the layout of a page tells about its text. */
struct pd_html_outline {
    struct pd_html_links links; /* the linked ranges of the text, ascending and disjoint */
    struct pd_html_tags tags;   /* the tags, in the order of the page */
};
void pd_html_outline_release(struct pd_html_outline *outline);

/*
 * Do what pd_html_text() does, and overwrite `outline` with that of the page, unless it is NULL.
 * With `xml` the page is XHTML even if it does not call itself so.
 */
void pd_html_text_outlined(const unsigned char *html, size_t n, bool xml, struct pd_bytes *out,
                           struct pd_html_outline *outline);

/* What a caller wants besides the text; each may be NULL, and is overwritten otherwise. */
struct pd_html_wants {
    struct pd_html_outline *outline;
    struct pd_origins *origins; /* the bytes of the page from which the text was made */
};

/* Do what pd_html_text_outlined() does, and tell what the caller wants. */
void pd_html_text_told(const unsigned char *html, size_t n, bool xml, struct pd_bytes *out,
                       const struct pd_html_wants *wants);

/*
 * Whether the page calls itself XHTML in its first 4096 bytes: by an XML declaration, a document
 * type that names XHTML, or <html xmlns=...>.
 */
bool pd_html_is_xhtml(const unsigned char *s, size_t n);

/*
 * Whether s[0, n) looks like HTML. The first 1024 bytes behind leading white space decide, but a
 * page may also begin behind other text in its first 64 KiB if it ends with </body> or </html>, and
 * behind a tag that is not HTML's if four tags of HTML, with an end tag, are in its first 4096
 * bytes. Meant for files and records without a media type.
 */
bool pd_html_sniff(const unsigned char *s, size_t n);

#endif

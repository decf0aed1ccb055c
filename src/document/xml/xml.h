/* document/xml/xml.h - XML files: feeds, sitemaps, and texts such as TEI, JATS and DocBook. */
#ifndef PARDUP_DOCUMENT_XML_H
#define PARDUP_DOCUMENT_XML_H

#include <stddef.h>

#include "pardup/base/bytes.h"

enum pd_xml_kind {
    PD_XML_OTHER,   /* not XML, or a page */
    PD_XML_FEED,    /* RSS 0.9 to 2.0 or Atom: text in some of its elements (feed.h) */
    PD_XML_SITEMAP, /* addresses only */
    PD_XML_TEXT,    /* text in all of its elements */
    PD_XML_PARTS    /* parts of an office document or e-book, as corpus/office.c writes them */
};

/*
 * What the XML file s[0, n) is, by its first 64 KiB. It is XML_TEXT if its root element is one of
 * dialect.h, if its document type has the name of the root element, or if it begins with <?xml and
 * is no page. A root element <html> makes it a page.
 */
enum pd_xml_kind pd_xml_sniff(const unsigned char *s, size_t n);

/*
 * Append the text of the XML s[0, n), which is UTF-8, to `out`, as pd_html_text() does.
 *
 * Names are compared without prefix and case. The dialect of the root element says what an element
 * does (dialect.h). An element that no dialect names is inline if text of the same block
 * stands before it, and a block otherwise, with empty lines around it. Of several readings one is
 * taken: the source's, else the first one with text. A break of a line, column or page is a blank,
 * except where TEI says that it is inside a word (break="no"), and a line end behind a hyphen.
 * Notes of an odt file stand at the end. Entities that the file declares are replaced by their
 * values. An element that is to be left out but never ends is kept. Cannot fail. Linear time.
 */
void pd_xml_text(const unsigned char *s, size_t n, struct pd_bytes *out);

#endif

/* document/xml.h - XML files: feeds, sitemaps, and texts such as TEI, JATS and DocBook. */
#ifndef PARDUP_DOCUMENT_XML_H
#define PARDUP_DOCUMENT_XML_H

#include <stddef.h>

#include "pardup/base/bytes.h"

enum pd_xml_kind {
    PD_XML_OTHER,   /* not XML, or a page */
    PD_XML_FEED,    /* RSS 0.9 to 2.0 or Atom: text in some of its elements (feed.h) */
    PD_XML_SITEMAP, /* addresses only */
    PD_XML_TEXT,    /* text in all of its elements */
    PD_XML_PARTS    /* parts of an office document or e-book (parts.h) */
};

/*
 * What the XML file s[0, n) is, by its root element in the first 64 KiB. A root element that is
 * also one of HTML's makes it a page, except an <article> that has attributes of JATS or DocBook.
 */
enum pd_xml_kind pd_xml_sniff(const unsigned char *s, size_t n);

/*
 * Append the text of the XML s[0, n), which is UTF-8, to `out`, as pd_html_text() does.
 *
 * Names are compared without prefix and case. An element is inline if it is a usual inline element
 * of TEI, JATS or DocBook, or if its name is not known and text of the same block stands before it.
 * Other elements are blocks, with empty lines around them. A line of verse ends with a line end. A
 * break of a line, column or page is a space, except where TEI says that it is inside a word
 * (break="no"). What is about the text is left out: the header of TEI, journals, persons and
 * licences of JATS. If an editor's reading stands beside what the source has (<choice>, <app>), the
 * source's is taken. Entities that the file declares are replaced by their values. An element that is to be left out but never ends is kept. Cannot fail. Linear
 * time.
 */
void pd_xml_text(const unsigned char *s, size_t n, struct pd_bytes *out);

#endif

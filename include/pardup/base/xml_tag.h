/* base/xml_tag.h - tags of XML and CDATA sections. s lies before `end`. */
#ifndef PARDUP_BASE_XML_TAG_H
#define PARDUP_BASE_XML_TAG_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

#define PD_CDATA "<![CDATA["

/* A tag. */
struct pd_xml_tag {
    const unsigned char *name; /* behind the prefix; n bytes */
    size_t n;
    const unsigned char *attributes, *end; /* from behind the name to behind the '>' */
    bool closing, empty;                   /* </a>; <a/> */
};

/* Does a tag begin at s, which is a '<'? */
bool pd_xml_tag_begins(const unsigned char *s, const unsigned char *end);

/* Read the tag at s, whose '<' is followed by a name or '/'. */
struct pd_xml_tag pd_xml_tag_read(const unsigned char *s, const unsigned char *end);

/* Has the tag this name, in any case of letters? */
bool pd_xml_is_named(const struct pd_xml_tag *tag, const char *name);

/* The place of the tag's name among names[0, n); n: it is not there. */
size_t pd_xml_find_name(const struct pd_xml_tag *tag, const char *const *names, size_t n);

/*
 * The position behind the CDATA section at s. *text_end receives where its text ends, which begins
 * behind PD_CDATA.
 */
const unsigned char *pd_xml_cdata(const unsigned char *s, const unsigned char *end,
                                  const unsigned char **text_end);

/*
 * The value of the tag's attribute with this name and prefix: from *from to *to, as it is written.
 * False: there is none, or it is empty. `name` ends at a blank, or at its end; one that begins with
 * a colon stands for any prefix.
 */
bool pd_xml_attribute(const struct pd_xml_tag *tag, const char *name, const unsigned char **from,
                      const unsigned char **to);

/* Append text of XML to `out` with the five references of XML replaced. */
void pd_xml_unescape(const unsigned char *s, const unsigned char *end, struct pd_bytes *out);

/*
 * Is the text from s to `to` base64? It has no blanks in its first line, and capitals, small
 * letters and digits.
 */
bool pd_xml_is_base64(const unsigned char *s, const unsigned char *to);

/* Does the text go on with a capital and no second one, behind blanks and tags at s? */
bool pd_xml_is_capital(const unsigned char *s, const unsigned char *end);

#endif

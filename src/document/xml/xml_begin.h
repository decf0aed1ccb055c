/* document/xml/xml_begin.h - how an XML file begins. */
#ifndef PARDUP_DOCUMENT_XML_BEGIN_H
#define PARDUP_DOCUMENT_XML_BEGIN_H

#include <stdbool.h>

#include "dialect.h"

/* The position behind the declaration at s, such as <!DOCTYPE a [<!ENTITY b "c">]>. */
const unsigned char *pd_xml_behind_declaration(const unsigned char *s, const unsigned char *end);

/*
 * The position behind what may stand before the root element. *type and *type_end: the first
 * document type declaration, if there is one.
 */
const unsigned char *pd_xml_pass_prolog(const unsigned char *s, const unsigned char *end,
                                        const unsigned char **type, const unsigned char **type_end);

/* How an XML file begins. */
struct pd_xml_beginning {
    struct pd_xml_tag root;           /* without a name: the file does not begin like XML */
    bool typed;                       /* its document type has the name of the root */
    const struct pd_dialect *dialect; /* of the table; NULL: none */
    const struct pd_dialect *added;   /* one that a person has added; NULL: none */
};

/* How the XML from s to `end` begins, in its first 64 KiB. */
struct pd_xml_beginning pd_xml_begin(const unsigned char *s, const unsigned char *end);

#endif

/* document/xml/dialect.h - what the elements of XML mean: a table of dialects. */
#ifndef PARDUP_DOCUMENT_DIALECT_H
#define PARDUP_DOCUMENT_DIALECT_H

#include <stdint.h>

#include "pardup/base/dialect.h"
#include "pardup/base/xml_tag.h"

/*
 * The dialect of a file, by its root element and the bytes up to `end`; `from` is where its
 * document type or root begins. NULL: none of the table.
 */
const struct pd_dialect *pd_dialect_find(const struct pd_xml_tag *root, const unsigned char *from,
                                         const unsigned char *end);

/* The same among the dialects that a person has added, whose rows win over the rows of the table. */
const struct pd_dialect *pd_dialect_find_added(const struct pd_xml_tag *root,
                                               const unsigned char *from, const unsigned char *end);

enum { PD_XML_SLOTS = 1024 }; /* a power of two, more than twice the names of a dialect */

/* What the names of one dialect do. */
struct pd_xml_names {
    struct pd_xml_name {
        const char *name; /* NULL: free */
        const char *attribute[PD_XML_VALUES];
        uint32_t does; /* PD_XML_DOES() */
        uint16_t n;    /* bytes of the name */
    } slots[PD_XML_SLOTS];
};

/* Make the names of a dialect, and of one that was added; NULL: there is none. */
void pd_xml_names_make(struct pd_xml_names *names, const struct pd_dialect *dialect,
                       const struct pd_dialect *added);

/* A hash of the tag's name, without regard to case. */
uint32_t pd_xml_name_hash(const struct pd_xml_tag *tag);

/* What an element with this name does; NULL: it is not named. */
const struct pd_xml_name *pd_xml_names_find(const struct pd_xml_names *names,
                                            const struct pd_xml_tag *tag, uint32_t hash);

#endif

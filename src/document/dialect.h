/* document/dialect.h - what the elements of XML mean: a table of dialects. */
#ifndef PARDUP_DOCUMENT_DIALECT_H
#define PARDUP_DOCUMENT_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/xml_tag.h"

/* What an element does to the text. An element may do several of these. */
enum pd_xml_act {
    PD_XML_BLOCK,     /* an empty line before and behind it */
    PD_XML_INLINE,    /* no trace, also where no text stands before it */
    PD_XML_LINE,      /* a line of its own */
    PD_XML_WORD,      /* inline; a blank between two that stand side by side */
    PD_XML_LINES,     /* blanks and line ends in it are kept */
    PD_XML_BREAK,     /* a line end */
    PD_XML_BLANK,     /* a blank, or the line end behind a hyphen */
    PD_XML_HYPHEN,    /* a hyphen */
    PD_XML_OUT,       /* left out with its content */
    PD_XML_FORMULA,   /* left out with its content if its notation is TeX */
    PD_XML_LATER,     /* moved to the end of the document */
    PD_XML_COUNTS,    /* only text inside such elements counts, if a dialect has any */
    PD_XML_CHOICE,    /* one of its children is read */
    PD_XML_GROUP,     /* its children are children of the choice around it */
    PD_XML_PREFERRED, /* the child of a choice that is read; else the first one with text */
    PD_XML_LEVEL,     /* the whole text of the element around it, which its parts may have, too */
    PD_XML_VALUE,     /* an attribute has text: element@attribute, or element@!attribute for HTML */
    PD_XML_ACTS
};
#define PD_XML_DOES(act) (1U << (unsigned)(act))

/* A dialect of XML. Names stand in one string, with blanks between them. */
struct pd_dialect {
    const char *roots; /* names of root elements */
    const char
        *signs; /* words near the root, one of which must be there; NULL: the root is enough */
    bool
        closed; /* an element that is not named leaves no trace, and the common names are not used */
    bool tight;                  /* blanks that have a line end in them are layout of the file */
    const char *of[PD_XML_ACTS]; /* names of elements by what they do */
};

/*
 * The dialect of a file, by its root element and the bytes up to `end`; `from` is where its document
 * type or root begins. NULL: none of the table.
 */
const struct pd_dialect *pd_dialect_find(const struct pd_xml_tag *root, const unsigned char *from,
                                         const unsigned char *end);

enum { PD_XML_SLOTS = 1024 }; /* a power of two, more than twice the names of a dialect */

/* What the names of one dialect do. */
struct pd_xml_names {
    struct pd_xml_name {
        const char *name; /* NULL: free */
        const char *attribute[3];
        uint32_t does; /* PD_XML_DOES() */
        uint16_t n;    /* bytes of the name */
    } slots[PD_XML_SLOTS];
};

/* Make the names of a dialect; NULL: only the common names. */
void pd_xml_names_make(struct pd_xml_names *names, const struct pd_dialect *dialect);

/* A hash of the tag's name, without regard to case. */
uint32_t pd_xml_name_hash(const struct pd_xml_tag *tag);

/* What an element with this name does; NULL: it is not named. */
const struct pd_xml_name *pd_xml_names_find(const struct pd_xml_names *names,
                                            const struct pd_xml_tag *tag, uint32_t hash);

#endif

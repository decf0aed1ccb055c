/*
 * base/dialect.h - what the elements of XML mean: dialects, and what a person adds to them.
 *
 * The table of pardup's own dialects is in document/xml/dialect.c. `--vocabulary FILE` adds
 * dialects to a table of the process, which is filled before anything is read.
 */
#ifndef PARDUP_BASE_DIALECT_H
#define PARDUP_BASE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

/* The effect of an element on the text. An element may have several. */
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

enum { PD_XML_VALUES = 3, PD_XML_BYLINES = 3 };

/* A dialect of XML. Names stand in one string, with blanks between them. */
struct pd_dialect {
    const char *roots; /* names of root elements; * is any */
    const char *signs; /* words near the root: one must be there; NULL: the root is enough */
    bool
        closed; /* an element that is not named leaves no trace, and the common names are not used */
    bool tight;                  /* blanks that have a line end in them are layout of the file */
    const char *of[PD_XML_ACTS]; /* names of elements by what they do */

    /* Members of a dialect that a person adds. */
    const char
        *documents; /* elements that are a document each, as the file has them, with a / behind
                              one without content; NULL: a file is one document */
    const char *id; /* element in a document, or @attribute of the document's tag, with its id */
    const char *bylines[PD_XML_BYLINES]; /* element or element@attribute: title, author, date */
};

/* The next name behind s, of *n bytes; NULL: there is none. s may be NULL. */
const char *pd_dialect_name(const char *s, size_t *n);

/*
 * Has the dialect this root element, without prefix and in any case of letters, and a sign in the
 * first 4 KiB from `from` on? `from` is where the document type or root of a file begins.
 */
bool pd_dialect_fits(const struct pd_dialect *d, const unsigned char *root, size_t root_n,
                     const unsigned char *from, const unsigned char *end);

/*
 * Add the dialects of a file of rows, as docs/formats.md describes it. They stay for the life of
 * the process. Returns PD_OK, or PD_EIO or PD_EFORMAT with a message that names file and line.
 */
int pd_dialects_read(const char *path);

/* The k-th dialect that was added, from 0; NULL: there are no more. */
const struct pd_dialect *pd_dialect_added(size_t k);

#endif

/* document/html_element.h - the elements of HTML that shape the text, in one table. */
#ifndef PARDUP_DOCUMENT_HTML_ELEMENT_H
#define PARDUP_DOCUMENT_HTML_ELEMENT_H

#include <stdint.h>

#define PD_ELEMENT_NAME 11 /* bytes: longest name in the table and NUL */

enum {
    PD_EL_BLOCK = 1 << 0,      /* an empty line around it */
    PD_EL_LINE = 1 << 1,       /* <br> */
    PD_EL_PRE = 1 << 2,        /* white space inside counts */
    PD_EL_RAW = 1 << 3,        /* no tags inside, up to its own end tag (RCDATA and RAWTEXT) */
    PD_EL_REFERENCES = 1 << 4, /* RAW with character references (RCDATA) */
    PD_EL_SCRIPT = 1 << 5,     /* RAW with the escaped states of scripts */
    PD_EL_ENDLESS = 1 << 6,    /* RAW to the end of the page */
    PD_EL_DROP = 1 << 7,       /* RAW whose content is no text */
    PD_EL_TEMPLATE = 1 << 8,   /* content is dropped, tags and all */
    PD_EL_FOREIGN = 1 << 9,    /* svg and math */
    PD_EL_DESC = 1 << 10,      /* dropped inside svg */
    PD_EL_FURNITURE = 1 << 11, /* menus, footers, forms: seldom main content */
};

struct pd_element {
    char name[PD_ELEMENT_NAME];
    uint16_t what; /* PD_EL_ flags */
};

/* `name`: lower case, padded with NUL. NULL: the element is transparent, as most inline ones. */
const struct pd_element *pd_element_find(const char name[PD_ELEMENT_NAME]);

#endif

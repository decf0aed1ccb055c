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

#define PD_TAG_NAME 16 /* bytes of a tag's name that are looked at */

/* A tag's name in lower case, padded with NULs: compared as two integers. */
struct pd_tag_name {
    uint64_t head, tail;
};

/* The name as a tag would have it. */
struct pd_tag_name pd_element_name(const char *name);

/* The elements by name: a hash table with open addressing. */
#define PD_ELEMENT_BITS  9
#define PD_ELEMENT_SLOTS (1u << PD_ELEMENT_BITS) /* several times the elements */
struct pd_element_slot {
    struct pd_tag_name name;
    const struct pd_element *element; /* NULL: free */
};
const struct pd_element_slot *pd_element_slots(void); /* thread-safe */

/* The slot that holds the name, or the free one where it belongs. */
static inline const struct pd_element_slot *pd_element_slot(const struct pd_element_slot *slots,
                                                            const struct pd_tag_name *name)
{
    const uint64_t hash = name->head * 0x9E3779B97F4A7C15u; /* Fibonacci hashing */
    for (uint64_t k = hash >> (64 - PD_ELEMENT_BITS);; k++) {
        const struct pd_element_slot *s = &slots[k % PD_ELEMENT_SLOTS];
        if (!s->element || (s->name.head == name->head && s->name.tail == name->tail))
            return s;
    }
}

/* NULL: the element is transparent, as most inline ones. */
static inline const struct pd_element *pd_element_find(const struct pd_element_slot *slots,
                                                       const struct pd_tag_name *name)
{
    return pd_element_slot(slots, name)->element;
}

#endif

/* document/html_element.h - the elements of HTML that shape the text, in one table. */
#ifndef PARDUP_DOCUMENT_HTML_ELEMENT_H
#define PARDUP_DOCUMENT_HTML_ELEMENT_H

#include <stddef.h>
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

/* The elements by name: a hash table without collisions. */
#define PD_ELEMENT_BITS   9
#define PD_ELEMENT_SLOTS  (1u << PD_ELEMENT_BITS)
#define PD_ELEMENT_SPREAD UINT64_C(0x371D7AD5C6DF698D)
struct pd_element_slot {
    struct pd_tag_name name; /* zeros: free */
    struct pd_element element;
};
const struct pd_element_slot *pd_element_slots(void); /* thread-safe */

static inline size_t pd_element_slot(const struct pd_tag_name *name)
{
    return name->head * PD_ELEMENT_SPREAD >> (64 - PD_ELEMENT_BITS);
}

/* Never NULL: an element that does nothing (`what` is 0) is transparent, as most inline ones. */
static inline const struct pd_element *pd_element_find(const struct pd_element_slot *slots,
                                                       const struct pd_tag_name *name)
{
    static const struct pd_element transparent = {"", 0};
    const struct pd_element_slot *s = &slots[pd_element_slot(name)];
    const uint64_t differs = (s->name.head ^ name->head) | (s->name.tail ^ name->tail);
    return differs ? &transparent : &s->element;
}

/* The same one's flags, without a branch on whether it is known. */
static inline unsigned pd_element_what(const struct pd_element_slot *slots,
                                       const struct pd_tag_name *name)
{
    const struct pd_element_slot *s = &slots[pd_element_slot(name)];
    const uint64_t differs = (s->name.head ^ name->head) | (s->name.tail ^ name->tail);
    return s->element.what & ((unsigned)(differs != 0) - 1);
}

#endif

/* document/html/html_element.h - a table of the HTML elements that affect the text of a page. */
#ifndef PARDUP_DOCUMENT_HTML_ELEMENT_H
#define PARDUP_DOCUMENT_HTML_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/document/html.h"

#define PD_ELEMENT_NAME 11 /* bytes of the longest name in the table and NUL */

/* What an element does to the text of the page, in bits. */
enum {
    PD_EL_BLOCK = 1 << 0,      /* an empty line before and behind it */
    PD_EL_LINE = 1 << 1,       /* a line end: <br> */
    PD_EL_PRE = 1 << 2,        /* white space inside is kept */
    PD_EL_RAW = 1 << 3,        /* no tags inside, up to its end tag (RCDATA and RAWTEXT) */
    PD_EL_REFERENCES = 1 << 4, /* with RAW: character references inside (RCDATA) */
    PD_EL_SCRIPT = 1 << 5,     /* with RAW: the escaped states of scripts inside */
    PD_EL_ENDLESS = 1 << 6,    /* with RAW: reaches to the end of the page */
    PD_EL_DROP = 1 << 7,       /* with RAW: the content is dropped */
    PD_EL_TEMPLATE = 1 << 8,   /* the content is dropped, including its tags */
    PD_EL_FOREIGN = 1 << 9,    /* <svg> and <math> */
    PD_EL_DESC = 1 << 10,      /* the content is dropped inside svg and math */
    PD_EL_FURNITURE = 1 << 11, /* seldom main content: menus, footers, buttons */
    PD_EL_READING = 1 << 12,   /* the content is dropped: how a word is read, in <ruby> */
    PD_EL_RUBY = 1 << 13,      /* ends PD_EL_READING */
    PD_EL_NOSCRIPT = 1 << 14,  /* with RAW: read in a page that is empty otherwise */
    PD_EL_NOTED = 1 << 15,     /* the outline of the page has it: all with a tag, and <a> */
};

struct pd_element {
    char name[PD_ELEMENT_NAME];
    uint16_t flags; /* PD_EL_ flags */
    uint8_t tag;    /* enum pd_tag */
};

#define PD_TAG_NAME 16 /* bytes of the longest tag name that can be known */

/* A tag's name in lower case, padded with NULs. Two names are compared as two integers each. */
struct pd_tag_name {
    uint64_t head, tail; /* first eight bytes, last eight bytes */
};

/* The element `name` (lower case, at most PD_TAG_NAME bytes) as the name of a tag. */
struct pd_tag_name pd_element_name(const char *name);

/* The elements by name, in a hash table without collisions. */
#define PD_ELEMENT_BITS   9 /* log2 of the number of slots */
#define PD_ELEMENT_SLOTS  (1u << PD_ELEMENT_BITS)
#define PD_ELEMENT_SPREAD UINT64_C(0xC4647159C324C985) /* a multiplier that gives no collisions */
struct pd_element_slot {
    struct pd_tag_name name; /* all zeros: the slot is free */
    struct pd_element element;
};

/* The table of PD_ELEMENT_SLOTS slots, filled at the first call and never freed. Thread-safe. */
const struct pd_element_slot *pd_element_slots(void);

/* The index of the only slot in which the element can be. */
static inline size_t pd_element_slot(const struct pd_tag_name *name)
{
    return name->head * PD_ELEMENT_SPREAD >> (64 - PD_ELEMENT_BITS);
}

/*
 * The element of a tag, never NULL. An element that is not in the table does nothing (`flags` is
 * 0), as most inline elements.
 */
static inline const struct pd_element *pd_element_find(const struct pd_element_slot *slots,
                                                       const struct pd_tag_name *name)
{
    static const struct pd_element transparent = {"", 0, PD_TAG_NONE};
    const struct pd_element_slot *s = &slots[pd_element_slot(name)];
    const uint64_t differs = (s->name.head ^ name->head) | (s->name.tail ^ name->tail);
    return differs ? &transparent : &s->element;
}

/* The flags of a tag's element, 0 if unknown, found without a branch. */
static inline unsigned pd_element_flags(const struct pd_element_slot *slots,
                                        const struct pd_tag_name *name)
{
    const struct pd_element_slot *s = &slots[pd_element_slot(name)];
    const uint64_t differs = (s->name.head ^ name->head) | (s->name.tail ^ name->tail);
    return s->element.flags & ((unsigned)(differs != 0) - 1);
}

#endif

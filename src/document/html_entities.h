/*
 * document/html_entities.h - the named character references of HTML, as a hash table.
 *
 * WHATWG HTML standard, section 13.5: 2125 names; 106 of them may stand without a semicolon.
 * scripts/data/make_entities.py writes html_entities.c; html_reference.c looks names up.
 */
#ifndef PARDUP_DOCUMENT_HTML_ENTITIES_H
#define PARDUP_DOCUMENT_HTML_ENTITIES_H

#include <stdint.h>

#define PD_ENTITY_NAME  32 /* bytes of the longest name and NUL */
#define PD_ENTITY_BARE  6  /* bytes of the longest name that needs no semicolon */
#define PD_ENTITY_SLOTS 4096

struct pd_entity {
    char name[PD_ENTITY_NAME]; /* without '&' and ';' */
    char text[7];              /* one or two characters in UTF-8, NUL-terminated */
    unsigned char bare;        /* 1: the name may stand without a semicolon */
};

extern const struct pd_entity pd_entities[]; /* ascending by name */
/* A hash table of pd_entities by name, with linear probing. */
extern const uint16_t pd_entity_slots[PD_ENTITY_SLOTS]; /* 0: free, or 1 + index */

#endif

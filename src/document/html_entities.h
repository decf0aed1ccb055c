/*
 * document/html_entities.h - the named character references of HTML, as a hash table.
 *
 * WHATWG HTML standard, section 13.5: 2125 names, of which 106 also stand without a semicolon.
 * html_entities.c is written by scripts/make_entities.py; html_reference.c looks names up.
 */
#ifndef PARDUP_DOCUMENT_HTML_ENTITIES_H
#define PARDUP_DOCUMENT_HTML_ENTITIES_H

#include <stdint.h>

#define PD_ENTITY_NAME  32 /* bytes: longest name and NUL */
#define PD_ENTITY_BARE  6  /* bytes: longest name that needs no semicolon */
#define PD_ENTITY_SLOTS 4096

struct pd_entity {
    char name[PD_ENTITY_NAME]; /* without '&' and ';' */
    char text[7];              /* UTF-8, one or two characters */
    unsigned char bare;        /* 1: stands without a semicolon */
};

extern const struct pd_entity pd_entities[];            /* ascending by name */
extern const uint16_t pd_entity_slots[PD_ENTITY_SLOTS]; /* 0, or 1 + index; probed linearly */

#endif

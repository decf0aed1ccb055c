/*
 * document/html/html_entities.h - the named character references of HTML.
 *
 * WHATWG HTML standard, section 13.5: 2125 names; 106 of them may stand without a semicolon.
 * scripts/data/make_entities.py writes html_entities.c; html_reference.c looks names up.
 */
#ifndef PARDUP_DOCUMENT_HTML_ENTITIES_H
#define PARDUP_DOCUMENT_HTML_ENTITIES_H

#define PD_ENTITY_NAME 32   /* bytes of the longest name and NUL */
#define PD_ENTITY_BARE 6    /* bytes of the longest name that needs no semicolon */
#define PD_ENTITIES    2125 /* names */

struct pd_entity {
    char name[PD_ENTITY_NAME]; /* without '&' and ';' */
    char text[7];              /* one or two characters in UTF-8, NUL-terminated */
    unsigned char bare;        /* 1: the name may stand without a semicolon */
};

extern const struct pd_entity pd_entities[PD_ENTITIES]; /* ascending by name */

#endif

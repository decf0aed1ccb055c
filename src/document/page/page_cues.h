/*
 * page_cues.h - words by which classes, meta data and texts of web pages tell what they are for.
 *
 * Private to document/. Words of one use form a group, and a set of groups is a mask of bits.
 */
#ifndef PARDUP_DOCUMENT_PAGE_CUES_H
#define PARDUP_DOCUMENT_PAGE_CUES_H

#include <stddef.h>
#include <stdint.h>

#include "page_text.h"

/* Where the words stand; each place has its own groups. */
enum pd_cue_place {
    PD_CUES_CLASS, /* class, id and role of an element: "post-content", "sidebarLeft" */
    PD_CUES_KIND   /* meta data: "og:type", JSON-LD types, the generator */
};
enum { PD_CLASS_GROUPS = 35, PD_KIND_GROUPS = 12, PD_TEXT_GROUPS = 15 };
#define PD_CUE_CONSENT (UINT64_C(1) << 12) /* the group of PD_CUES_CLASS for notices of cookies */
#define PD_CUE_HIDDEN  (UINT64_C(1) << 25) /* the group of PD_CUES_CLASS for what is not shown */

/* The groups whose words occur in s[0, n), bit k for group k. Linear time. Thread-safe. */
uint64_t pd_page_cues(enum pd_cue_place place, const unsigned char *s, size_t n);

/* The groups whose words occur in [begin, end) of a text. */
uint64_t pd_text_cues(const struct pd_page_text *text, size_t begin, size_t end);

#endif

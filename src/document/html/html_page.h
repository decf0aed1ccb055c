/*
 * html_page.h - the state of reading an HTML page, and what its outline notes of tags.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_HTML_PAGE_H
#define PARDUP_DOCUMENT_HTML_PAGE_H

#include <stdbool.h>

#include "html_element.h"
#include "html_rendered.h"

/* The page that is being read, and what is open at the current position. */
struct pd_page {
    const unsigned char *end;               /* end of the page */
    const struct pd_element_slot *elements; /* table of elements */
    struct pd_rendered text;                /* the output */
    uint32_t templates;                     /* open <template>s */
    uint32_t foreign;                       /* open <svg>s and <math>s */
    bool desc;                              /* inside <desc> in an svg */
    bool reading;                           /* inside <rt> or <rp> of a <ruby> */
    bool unscripted;                        /* <noscript> is read as by a browser without scripts */
    size_t alternative;                     /* bytes in the <noscript>s that were dropped */
    bool xml;                               /* the page is XHTML: "<title/>" is a whole element */
    bool cdata_open;                        /* XHTML: no "]]>" follows any more */
    bool ocr;                               /* hOCR: spans are lines of print */
    bool typed; /* the first declaration, which may be a doctype, has been read */

    const unsigned char *begin;      /* of the page */
    const unsigned char *lt;         /* the '<' of the markup that was read last */
    struct pd_html_outline *outline; /* NULL: not wanted */
    bool link;                       /* inside an <a> */
    uint32_t furniture;              /* open elements with PD_EL_FURNITURE */
    size_t link_begin;               /* output offset at which the current linked range begins */
    size_t link_end;                 /* output offset at which the last linked range ended */
};

/*
 * Record in the outline a tag of e, which has PD_EL_NOTED and ends before s. Returns true when it
 * is a whole element of XHTML. Only for a page with an outline.
 */
bool pd_page_note(struct pd_page *page, const struct pd_element *e, bool closing,
                  const unsigned char *attributes, const unsigned char *s);

/* The page ends, and a linked range with it. */
void pd_page_end_notes(struct pd_page *page);

#endif

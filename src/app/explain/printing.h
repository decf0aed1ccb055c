/*
 * app/explain/printing.h - private to app/explain: an explanation that is being printed.
 *
 * print.c prints what all methods have, and units.c the units side by side. refined.c prints what
 * --refine words has in place of the units: where words meet, and the spans that were tried there.
 * All print lines by printing.c.
 */
#ifndef PARDUP_APP_EXPLAIN_PRINTING_H
#define PARDUP_APP_EXPLAIN_PRINTING_H

#include "explain.h"

enum { PD_PRINT_MARGIN = 2 }; /* blanks before a text */

struct pd_printing {
    const struct pd_options *o;
    const struct pd_explanation *e;
    size_t width;           /* columns of the terminal */
    size_t room;            /* columns of one of the two texts */
    struct pd_bytes buffer; /* a line that is put together */
    struct pd_bytes texts[2];
};

/* Print p->buffer, wrapped, with this margin from its second line on, and empty it. */
void pd_print_paragraph(struct pd_printing *p, size_t rest);

/* Print both p->texts side by side, in at most --lines lines. */
void pd_print_both(const struct pd_printing *p);

/* ---- units.c ---- */

/* Print the units of A with their partners, then the other units of B; --limit of each. */
void pd_explain_units(struct pd_printing *p);

/* ---- refined.c ---- */

/* Put together which words meet. */
void pd_explain_meeting(struct pd_printing *p);

/* Print the regions, their texts, and what was decided about each span in them. */
void pd_explain_regions(struct pd_printing *p);

#endif

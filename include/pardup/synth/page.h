/*
 * synth/page.h - a page as HTML, and the text that pd_html_text makes of it.
 *
 * Both are written at the same time: every piece of visible text goes through one function, which
 * escapes it for the one and lays it out for the other.
 */
#ifndef PARDUP_SYNTH_PAGE_H
#define PARDUP_SYNTH_PAGE_H

#include "pardup/synth/content.h"

#define PD_SYNTH_COMMONS 11 /* sentences that many pages have, whatever their host */

struct pd_synth_span {
    uint32_t begin, end; /* bytes of the text */
};
PD_VEC(pd_synth_spans, struct pd_synth_span);

struct pd_synth_page {
    struct pd_bytes html;
    struct pd_bytes text;
    struct pd_synth_spans sentences; /* of the main text */
    struct pd_synth_span head;
    struct pd_synth_span foot;   /* what all pages of the host share */
    struct pd_synth_span common; /* inside foot; empty when there is none */
    uint32_t which;              /* common sentence; the first is the most frequent */
    uint32_t host;
    int gap; /* an empty line comes before the next text */
};

void pd_synth_page(struct pd_synth_maker *m, uint64_t slot, const struct pd_synth_content *c,
                   struct pd_synth_page *page);
void pd_synth_page_release(struct pd_synth_page *page);

/* "http://www....example/..." without NUL; a fresh string in `out`. */
void pd_synth_url(const struct pd_synth_maker *m, uint64_t document, uint32_t host,
                  struct pd_bytes *out);

/*
 * Make ready: words, plan, and as much script and style as brings the mean page to the size asked.
 * PD_OK, or PD_EIO (a file to learn from).
 */
int pd_synth_open(struct pd_synth_maker *m, const struct pd_synth_options *o);
void pd_synth_close(struct pd_synth_maker *m);

#endif

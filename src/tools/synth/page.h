/*
 * tools/synth/page.h - a page as HTML, and the text that pd_html_text makes of it.
 *
 * Both are written at the same time. One function takes all visible text: it escapes the text for
 * the HTML, and lays it out for the text.
 */
#ifndef PARDUP_TOOLS_SYNTH_PAGE_H
#define PARDUP_TOOLS_SYNTH_PAGE_H

#include "content.h"

#define PD_SYNTH_COMMONS 11 /* number of sentences that many pages share, whatever their host */

struct pd_synth_span {
    uint32_t begin, end; /* bytes of pd_synth_page.text */
};
PD_VEC(pd_synth_spans, struct pd_synth_span);

/* A page. Zeroed: empty. Its memory is reused from page to page. */
struct pd_synth_page {
    struct pd_bytes html;            /* UTF-8 */
    struct pd_bytes text;            /* what pd_html_text makes of html */
    struct pd_synth_spans sentences; /* the sentences of the main text */
    struct pd_synth_span head;       /* text at the start, the same on all pages of the host */
    struct pd_synth_span foot;       /* text behind the main text, the same except for `common` */
    struct pd_synth_span common;     /* the common sentence inside foot; empty if there is none */
    uint32_t which; /* number of the common sentence, 0 the most frequent; PD_SYNTH_COMMONS: none */
    uint32_t host;
    bool block_ended; /* an empty line comes before the next visible text */
};

/* Make the page of a slot with the main text `c`; it replaces what `page` holds. */
void pd_synth_page(struct pd_synth_maker *m, uint64_t slot, const struct pd_synth_content *c,
                   struct pd_synth_page *page);
void pd_synth_page_release(struct pd_synth_page *page);

/* Set `out` to the URL of a document, without NUL: http://www.hHOST-HASH.example/DOCUMENT.html. */
void pd_synth_url(const struct pd_synth_maker *m, uint64_t document, uint32_t host,
                  struct pd_bytes *out);

/*
 * Prepare to make documents: learn or make the words, plan the copies, and choose how much filler
 * (style, script and data) brings the mean page to o->page_bytes.
 *   m  zeroed; call pd_synth_close in the end, also after a failure
 * Returns PD_OK, or PD_EIO or PD_EFORMAT for a file to learn from.
 */
int pd_synth_open(struct pd_synth_maker *m, const struct pd_synth_options *o);
void pd_synth_close(struct pd_synth_maker *m);

#endif

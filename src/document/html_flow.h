/*
 * document/html_flow.h - how text is laid out: white space, line ends, empty lines.
 *
 * Pieces of text go in, with what stands between them; the rules of pd_html_text (html.h) come out.
 */
#ifndef PARDUP_DOCUMENT_HTML_FLOW_H
#define PARDUP_DOCUMENT_HTML_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

/* What stands between the text so far and the next; the larger wins: its bits hold the others'. */
enum pd_gap { PD_GAP_NONE = 0, PD_GAP_SPACE = 1, PD_GAP_LINE = 3, PD_GAP_BLOCK = 7 };

struct pd_flow {
    struct pd_bytes *out;
    size_t start; /* where the text begins in out */
    unsigned gap; /* enum pd_gap */
    uint32_t pre; /* > 0: white space counts */
};

void pd_flow_begin(struct pd_flow *f, struct pd_bytes *out);

enum { PD_FLOW_REFERENCES = 1 /* decode them */, PD_FLOW_TAGS = 2 /* stop at a '<' */ };

/* Text [s, end); returns where it stops. Linear time. */
const unsigned char *pd_flow_text(struct pd_flow *f, const unsigned char *s,
                                  const unsigned char *end, unsigned what);

/* As preformatted text may. */
bool pd_flow_ends_in_space(const struct pd_flow *f);

/* White space at s, where it does not count (pre is 0); returns its end. */
static inline const unsigned char *pd_flow_space(struct pd_flow *f, const unsigned char *s,
                                                 const unsigned char *end)
{
    const unsigned char *const begin = s;
    while (s < end && *s <= ' ' &&
           (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\r' || *s == '\f'))
        s++;
    f->gap |= (s > begin) * PD_GAP_SPACE;
    return s;
}

void pd_flow_line(struct pd_flow *f);  /* <br>; two make an empty line */
void pd_flow_block(struct pd_flow *f); /* an empty line */
void pd_flow_end(struct pd_flow *f);   /* no white space at the end */

#endif

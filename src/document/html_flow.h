/*
 * document/html_flow.h - lay out the text of a page: spaces, line ends, empty lines.
 *
 * Texts go in, and the gaps between them. The output is laid out by the rules of pd_html_text()
 * (html.h).
 */
#ifndef PARDUP_DOCUMENT_HTML_FLOW_H
#define PARDUP_DOCUMENT_HTML_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

/*
 * The gap between the output so far and the next text: nothing, a space, a line end, an empty line.
 * A larger gap has all bits of a smaller one, so that `or` gives the larger of two.
 */
enum pd_gap { PD_GAP_NONE = 0, PD_GAP_SPACE = 1, PD_GAP_LINE = 3, PD_GAP_BLOCK = 7 };

struct pd_flow {
    struct pd_bytes *out;
    size_t start; /* length of `out` before the page */
    unsigned gap; /* enum pd_gap, not yet written */
    uint32_t pre; /* open elements in which white space is kept; 0: it is folded */
};

/* Start a page whose text is appended to `out`, which is borrowed until pd_flow_end(). */
void pd_flow_begin(struct pd_flow *flow, struct pd_bytes *out);

enum { PD_FLOW_REFERENCES = 1 /* decode references */, PD_FLOW_TAGS = 2 /* stop at a '<' */ };

/* Append the text [s, end); `flags` is PD_FLOW_ flags. Returns where it stops. Linear time. */
const unsigned char *pd_flow_text(struct pd_flow *flow, const unsigned char *s,
                                  const unsigned char *end, unsigned flags);

/* Whether the output ends in white space, as it may behind preformatted text. */
bool pd_flow_ends_in_space(const struct pd_flow *flow);

/* Read the white space at s, which is folded (`pre` is 0). Returns the position behind it. */
static inline const unsigned char *pd_flow_space(struct pd_flow *flow, const unsigned char *s,
                                                 const unsigned char *end)
{
    const unsigned char *const begin = s;
    while (s < end && *s <= ' ' &&
           (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\r' || *s == '\f'))
        s++;
    flow->gap |= (s > begin) * PD_GAP_SPACE;
    return s;
}

void pd_flow_line(struct pd_flow *flow);  /* a <br>; two make an empty line */
void pd_flow_block(struct pd_flow *flow); /* the end of a block: an empty line */
void pd_flow_end(struct pd_flow *flow);   /* the end of the page: remove white space there */

#endif

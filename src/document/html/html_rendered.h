/*
 * document/html/html_rendered.h - the rendered text of a page: its texts, and what separates them.
 *
 * Private to document/. html.c reads tags and texts, and writes the texts with it. White space
 * between two texts is kept back until the second one comes: "<p> a<p> b " becomes "a\n\nb". The
 * output follows the rules of pd_html_text() (html.h), which are near the rendered text of the
 * WHATWG HTML standard (section "The innerText attribute", required line breaks).
 */
#ifndef PARDUP_DOCUMENT_HTML_RENDERED_H
#define PARDUP_DOCUMENT_HTML_RENDERED_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/document/origin.h"

/*
 * What stands between the output so far and the next text: nothing, a space, a line end, an empty
 * line. A larger spacing has all bits of a smaller one, so that `or` gives the larger of two.
 */
enum pd_spacing {
    PD_SPACING_NONE = 0,
    PD_SPACING_SPACE = 1,
    PD_SPACING_LINE = 3,
    PD_SPACING_BLOCK = 7
};

/* The output of one page. */
struct pd_rendered {
    struct pd_bytes *out;        /* borrowed */
    size_t start;                /* length of `out` before the page */
    unsigned spacing;            /* enum pd_spacing, not yet written */
    uint32_t pre;                /* open elements in which white space is kept; 0: it is folded */
    struct pd_origins *origins;  /* of the output; NULL: not wanted */
    const unsigned char *source; /* the page, in which the origins count */
};

/*
 * Start a page at `source` whose text is appended to `out`. All three are borrowed until
 * pd_rendered_end(). `origins` may be NULL; else it is emptied, and receives the origins.
 */
void pd_rendered_begin(struct pd_rendered *rendered, struct pd_bytes *out,
                       const unsigned char *source, struct pd_origins *origins);

/*
 * Note that n bytes of output, which have just been written, were made from [from, end). With n 0
 * these bytes belong to the spacing that is to be written.
 */
static inline void pd_rendered_note(struct pd_rendered *rendered, size_t n,
                                    const unsigned char *from, const unsigned char *end)
{
    if (rendered->origins)
        pd_origins_add(rendered->origins, rendered->out->n - n - rendered->start, n,
                       (size_t)(from - rendered->source), (size_t)(end - from));
}

enum {
    PD_RENDERED_REFERENCES = 1 /* decode references */,
    PD_RENDERED_TAGS = 2 /* stop at a '<' */
};

/* Append the text [s, end); `flags` is PD_RENDERED_ flags. Returns where it stops. Linear time. */
const unsigned char *pd_rendered_text(struct pd_rendered *rendered, const unsigned char *s,
                                      const unsigned char *end, unsigned flags);

/* Whether the output ends in white space, as it may behind preformatted text. */
bool pd_rendered_ends_in_space(const struct pd_rendered *rendered);

/* White space at [begin, end), which may be empty, is folded. */
static inline void pd_rendered_fold(struct pd_rendered *rendered, const unsigned char *begin,
                                    const unsigned char *end)
{
    if (rendered->origins && rendered->spacing <= PD_SPACING_SPACE)
        pd_rendered_note(rendered, 0, begin, end);
    rendered->spacing |= (end > begin) * PD_SPACING_SPACE;
}

/* Read the white space at s, which is folded (`pre` is 0). Returns the position behind it. */
static inline const unsigned char *
pd_rendered_space(struct pd_rendered *rendered, const unsigned char *s, const unsigned char *end)
{
    const unsigned char *const begin = s;
    while (s < end && *s <= ' ' &&
           (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\r' || *s == '\f'))
        s++;
    pd_rendered_fold(rendered, begin, s);
    return s;
}

/* A <br>; two make an empty line. */
void pd_rendered_line(struct pd_rendered *rendered);

/* The end of a block: an empty line. */
void pd_rendered_block(struct pd_rendered *rendered);

/* The end of the page: white space there is removed. */
void pd_rendered_end(struct pd_rendered *rendered);

#endif

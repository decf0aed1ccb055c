/*
 * html_run.h - lay out short runs of text between tags without branches that depend on the text.
 *
 * Private to document/; for processors with vectors (base/vector.h). Most runs are white space, or
 * one or two words. The rules are as in pd_rendered_text() (html_rendered.h), which lays out the
 * runs that are refused here.
 */
#ifndef PARDUP_DOCUMENT_HTML_RUN_H
#define PARDUP_DOCUMENT_HTML_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "html_rendered.h"
#include "pardup/base/vector.h"

#ifdef PD_VECTORS

enum {
    PD_RUN_MOST = sizeof(__m128i),       /* bytes of a run, at most */
    PD_RUN_BEYOND = 2 * sizeof(__m128i), /* bytes from the start of a run that must be readable */
    PD_RUN_ROOM = 2 + sizeof(__m128i)    /* bytes that may be written behind the output */
};

/* Where the next text is written. */
struct pd_pen {
    unsigned char *out; /* end of the output; enough room is behind it */
    unsigned spacing;   /* enum pd_spacing, not yet written */
};

static inline unsigned pd_run_mask(__m128i x) { return (unsigned)_mm_movemask_epi8(x); }

/*
 * *n becomes the length of the run at s, up to a '<' and at most PD_RUN_MOST. Returns true when the
 * text goes on behind the run.
 */
static inline bool pd_run_length(const unsigned char *s, unsigned *n)
{
    const __m128i x = _mm_loadu_si128((const __m128i *)s);
    const unsigned lt = pd_run_mask(_mm_cmpeq_epi8(x, _mm_set1_epi8('<')));
    *n = (unsigned)__builtin_ctz(lt | 1u << PD_RUN_MOST);
    return lt == 0;
}

/* Write the spacing if text follows (`text`). */
static inline void pd_run_space(struct pd_pen *pen, unsigned spacing, bool text)
{
    static const struct {
        char bytes[2];
        uint16_t n;
    } marks[PD_SPACING_BLOCK + 1] = {[PD_SPACING_SPACE] = {" ", 1},
                                     [PD_SPACING_LINE] = {"\n", 1},
                                     [PD_SPACING_BLOCK] = {{'\n', '\n'}, 2}};
    memcpy(pen->out, marks[spacing].bytes, sizeof marks[spacing].bytes);
    pen->out += marks[spacing].n & -(size_t)text;
}

/*
 * Write the run s[0, n) where white space is folded, behind text that does not end in white space.
 * False, with nothing done, when more is needed than to copy the run without the white space at its
 * ends.
 */
static inline bool pd_run_fold(struct pd_pen *pen, const unsigned char *s, unsigned n)
{
    const __m128i x = _mm_loadu_si128((const __m128i *)s), blank = _mm_set1_epi8(' ');
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(x, blank), x);
    const __m128i tab = _mm_sub_epi8(x, _mm_set1_epi8('\t'));
    const __m128i line = _mm_cmpeq_epi8(_mm_min_epu8(tab, _mm_set1_epi8('\r' - '\t')), tab);
    const __m128i white = _mm_or_si128(line, _mm_cmpeq_epi8(x, blank)); /* vertical tabs too */
    const __m128i signs =
        _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('&')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\v')));
    const unsigned all = (1u << n) - 1;
    const unsigned rare = pd_run_mask(_mm_or_si128(signs, _mm_xor_si128(low, white))) & all;
    const unsigned space = pd_run_mask(white) & all, words = all & ~space;
    const unsigned begin = (unsigned)__builtin_ctz(words | 1u << PD_RUN_MOST);
    const unsigned end = 31 - (unsigned)__builtin_clz(2 * words + 1);
    const unsigned twice = (space & space >> 1) >> begin << begin & ((1u << end) - 1);
    if (rare | twice)
        return false;
    const bool text = words != 0;
    const unsigned spacing = pen->spacing | (space & PD_SPACING_SPACE);
    pd_run_space(pen, spacing, text);
    const __m128i content = _mm_loadu_si128((const __m128i *)(s + begin));
    _mm_storeu_si128((__m128i *)pen->out, _mm_max_epu8(content, blank));
    pen->out += (end - begin) & -(unsigned)text;
    pen->spacing = (spacing & ((unsigned)text - 1)) | ((end < n) & text);
    return true;
}

/*
 * Write the run s[0, n) where white space is kept. False, with nothing done, when an empty line is
 * due before the run, or when more is needed than to copy the run.
 */
static inline bool pd_run_keep(struct pd_pen *pen, const unsigned char *s, unsigned n)
{
    if (pen->spacing == PD_SPACING_BLOCK)
        return false;
    const __m128i x = _mm_loadu_si128((const __m128i *)s);
    const __m128i signs =
        _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('&')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\r')));
    const __m128i zero = _mm_cmpeq_epi8(x, _mm_setzero_si128());
    if (pd_run_mask(_mm_or_si128(signs, zero)) & ((1u << n) - 1))
        return false;
    pd_run_space(pen, pen->spacing, n > 0);
    _mm_storeu_si128((__m128i *)pen->out, x);
    pen->out += n;
    pen->spacing &= (unsigned)(n > 0) - 1;
    return true;
}

#endif

#endif

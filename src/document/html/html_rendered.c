/* html_rendered.c - see src/document/html/html_rendered.h */
#include "html_rendered.h"

#include <string.h>

#include "html_reference.h"
#include "pardup/base/vector.h"
#include "pardup/document/utf8.h"

/* What a byte of text is; PLAIN bytes are copied. */
enum kind { PLAIN, SPACE, CR, AND, NUL, LT };
enum { SPACING_MOST = 2 }; /* bytes of a spacing, at most */

/* clang-format off */
/* The kinds of bytes where white space is folded, and where it is kept. */
static const unsigned char folded[256] = {
    ['\0'] = NUL, ['\t'] = SPACE, ['\n'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE, [' '] = SPACE,
    ['&'] = AND, ['<'] = LT};
static const unsigned char kept[256] = {['\0'] = NUL, ['\r'] = CR, ['&'] = AND, ['<'] = LT};
/* clang-format on */

void pd_rendered_begin(struct pd_rendered *rendered, struct pd_bytes *out,
                       const unsigned char *source, struct pd_origins *origins)
{
    *rendered =
        (struct pd_rendered){.out = out, .start = out->n, .origins = origins, .source = source};
    if (origins)
        origins->n = 0;
}

void pd_rendered_line(struct pd_rendered *rendered)
{
    rendered->spacing = rendered->spacing >= PD_SPACING_LINE ? PD_SPACING_BLOCK : PD_SPACING_LINE;
}

void pd_rendered_block(struct pd_rendered *rendered) { rendered->spacing = PD_SPACING_BLOCK; }

bool pd_rendered_ends_in_space(const struct pd_rendered *rendered)
{
    const struct pd_bytes *out = rendered->out;
    return out->n > rendered->start && folded[out->v[out->n - 1]] == SPACE;
}

/*
 * Remove white space from the end of the output. Only preformatted text leaves any, and each byte
 * is removed at most once.
 */
static void trim(struct pd_rendered *rendered)
{
    while (pd_rendered_ends_in_space(rendered))
        rendered->out->n--;
    if (rendered->origins)
        pd_origins_end(rendered->origins, rendered->out->n - rendered->start);
}

void pd_rendered_end(struct pd_rendered *rendered) { trim(rendered); }

/*
 * Write the spacing, because text follows. No branch depends on which spacing it is. `out` has room
 * for SPACING_MOST bytes.
 */
static inline void write_spacing(struct pd_rendered *rendered)
{
    static const struct {
        unsigned char bytes[SPACING_MOST], n;
    } marks[] = {[PD_SPACING_SPACE] = {" ", 1},
                 [PD_SPACING_LINE] = {"\n", 1},
                 [PD_SPACING_BLOCK] = {{'\n', '\n'}, 2}};
    struct pd_bytes *out = rendered->out;
    if (pd_rendered_ends_in_space(rendered) && rendered->spacing == PD_SPACING_BLOCK)
        trim(rendered);
    memcpy(out->v + out->n, marks[rendered->spacing].bytes, SPACING_MOST);
    out->n += (out->n > rendered->start) * (size_t)marks[rendered->spacing].n;
    rendered->spacing = PD_SPACING_NONE;
}

/* Write the spacing and n bytes of text at s, which [from, end) of the page stand for. */
static void append(struct pd_rendered *rendered, const void *s, size_t n, const unsigned char *from,
                   const unsigned char *end)
{
    pd_bytes_reserve(rendered->out, rendered->out->n + SPACING_MOST + n);
    write_spacing(rendered);
    pd_bytes_append(rendered->out, s, n);
    pd_rendered_note(rendered, n, from, end);
}

enum { STEP = 16 }; /* bytes read and written at a time */

#ifdef PD_VECTORS
/*
 * The number of bytes at the start of x that are copied as they are: words with single spaces
 * between them. `pre`: white space other than CR is copied too.
 */
static inline unsigned count_plain(__m128i x, bool pre)
{
    const __m128i signs =
        _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('&')), _mm_cmpeq_epi8(x, _mm_set1_epi8('<')));
    const unsigned all = 1u << STEP;
    if (pre) {
        const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('\r')),
                                            _mm_cmpeq_epi8(x, _mm_setzero_si128()));
        return (unsigned)__builtin_ctz((unsigned)_mm_movemask_epi8(_mm_or_si128(signs, others)) |
                                       all);
    }
    const __m128i controls =
        _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(' ' - 1)), x); /* tabs and line ends too */
    const unsigned stops = (unsigned)_mm_movemask_epi8(_mm_or_si128(signs, controls));
    const unsigned spaces = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(' ')));
    return (unsigned)__builtin_ctz(stops | (spaces & (stops | spaces | all) >> 1) | all);
}
#endif

/*
 * Copy words from s on. Where sixteen bytes can be read, the single spaces between words are copied
 * too. Returns the position of the first byte that is not copied.
 */
static inline const unsigned char *copy_plain(struct pd_rendered *rendered, const unsigned char *s,
                                              const unsigned char *end, const unsigned char *kinds)
{
    pd_bytes_reserve(rendered->out, rendered->out->n + SPACING_MOST + (size_t)(end - s) + STEP);
    write_spacing(rendered);
    const unsigned char *const begin = s;
    unsigned char *out = rendered->out->v + rendered->out->n;
    for (;;) {
#ifdef PD_VECTORS
        while (end - s >= STEP) {
            const __m128i x = _mm_loadu_si128((const __m128i *)s);
            const unsigned n = count_plain(x, rendered->pre > 0);
            _mm_storeu_si128((__m128i *)out, x);
            out += n;
            s += n;
            if (n < STEP - 1) /* with STEP - 1 the last byte may be a single space */
                break;
        }
#endif
        if (s == end || kinds[*s] != PLAIN)
            break;
        *out++ = *s++;
    }
    rendered->out->n = (size_t)(out - rendered->out->v);
    pd_rendered_note(rendered, (size_t)(s - begin), begin, s);
    return s;
}

/* Write what the character reference at s stands for. Returns the position behind it. */
static const unsigned char *copy_reference(struct pd_rendered *rendered, const unsigned char *s,
                                           const unsigned char *end)
{
    unsigned char text[PD_REFERENCE_MOST];
    size_t n;
    const size_t used = pd_html_reference(s, (size_t)(end - s), text, &n);
    if (used == 0) {
        append(rendered, s, 1, s, s + 1);
        return s + 1;
    }
    if (rendered->pre == 0 && folded[text[0]] == SPACE)
        pd_rendered_fold(rendered, s, s + used);
    else
        append(rendered, text, n, s, s + used);
    return s + used;
}

static const unsigned char *skip_spaces(const unsigned char *s, const unsigned char *end)
{
    while (s < end && folded[*s] == SPACE)
        s++;
    return s;
}

const unsigned char *pd_rendered_text(struct pd_rendered *rendered, const unsigned char *s,
                                      const unsigned char *end, unsigned flags)
{
    const unsigned char *kinds = rendered->pre ? kept : folded;
    if (rendered->out->n == rendered->start) /* even preformatted text starts without white space */
        s = skip_spaces(s, end);
    while (s < end) {
        const enum kind kind = kinds[*s];
        if (kind == PLAIN) {
            s = copy_plain(rendered, s, end, kinds);
        } else if (kind == LT && flags & PD_RENDERED_TAGS) {
            break;
        } else if (kind == SPACE) {
            const unsigned char *const begin = s;
            s = skip_spaces(s + 1, end);
            pd_rendered_fold(rendered, begin, s);
        } else if (kind == AND && flags & PD_RENDERED_REFERENCES) {
            s = copy_reference(rendered, s, end);
        } else if (kind == NUL) {
            append(rendered, PD_REPLACEMENT_S, sizeof PD_REPLACEMENT_S - 1, s, s + 1);
            s++;
        } else if (kind == CR) { /* CR LF and CR become line ends */
            const size_t line_end = end - s > 1 && s[1] == '\n' ? 2 : 1;
            append(rendered, "\n", 1, s, s + line_end);
            s += line_end;
        } else {
            append(rendered, s, 1, s, s + 1);
            s++;
        }
    }
    return s;
}

/* html_flow.c - see src/document/html_flow.h */
#include "html_flow.h"

#include <string.h>

#include "html_reference.h"
#include "pardup/document/utf8.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What a byte of text is; PLAIN bytes are copied. */
enum kind { PLAIN, SPACE, CR, AND, NUL, LT };
enum { GAP_MOST = 2 }; /* bytes of a gap, at most */

/* clang-format off */
/* The kinds of bytes where white space is folded, and where it is kept. */
static const unsigned char folded[256] = {
    ['\0'] = NUL, ['\t'] = SPACE, ['\n'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE, [' '] = SPACE,
    ['&'] = AND, ['<'] = LT};
static const unsigned char kept[256] = {['\0'] = NUL, ['\r'] = CR, ['&'] = AND, ['<'] = LT};
/* clang-format on */

void pd_flow_begin(struct pd_flow *flow, struct pd_bytes *out)
{
    *flow = (struct pd_flow){.out = out, .start = out->n};
}

void pd_flow_line(struct pd_flow *flow)
{
    flow->gap = flow->gap >= PD_GAP_LINE ? PD_GAP_BLOCK : PD_GAP_LINE;
}

void pd_flow_block(struct pd_flow *flow) { flow->gap = PD_GAP_BLOCK; }

bool pd_flow_ends_in_space(const struct pd_flow *flow)
{
    const struct pd_bytes *out = flow->out;
    return out->n > flow->start && folded[out->v[out->n - 1]] == SPACE;
}

/*
 * Remove white space from the end of the output. Only preformatted text leaves any, and each byte
 * is removed at most once.
 */
static void trim(struct pd_flow *flow)
{
    while (pd_flow_ends_in_space(flow))
        flow->out->n--;
}

void pd_flow_end(struct pd_flow *flow) { trim(flow); }

/*
 * Write the gap, because text follows. No branch depends on which gap it is. `out` has GAP_MOST
 * bytes of room.
 */
static inline void close_gap(struct pd_flow *flow)
{
    static const struct {
        unsigned char bytes[GAP_MOST], n;
    } marks[] = {
        [PD_GAP_SPACE] = {" ", 1}, [PD_GAP_LINE] = {"\n", 1}, [PD_GAP_BLOCK] = {"\n\n", 2}};
    struct pd_bytes *out = flow->out;
    if (pd_flow_ends_in_space(flow) && flow->gap == PD_GAP_BLOCK)
        trim(flow);
    memcpy(out->v + out->n, marks[flow->gap].bytes, GAP_MOST);
    out->n += (out->n > flow->start) * (size_t)marks[flow->gap].n;
    flow->gap = PD_GAP_NONE;
}

/* Write the gap and n bytes of text at s. */
static void append(struct pd_flow *flow, const void *s, size_t n)
{
    pd_bytes_reserve(flow->out, flow->out->n + GAP_MOST + n);
    close_gap(flow);
    pd_bytes_append(flow->out, s, n);
}

enum { STEP = 16 }; /* bytes read and written at a time */

#ifdef __SSE2__
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
static inline const unsigned char *copy_plain(struct pd_flow *flow, const unsigned char *s,
                                              const unsigned char *end, const unsigned char *kinds)
{
    pd_bytes_reserve(flow->out, flow->out->n + GAP_MOST + (size_t)(end - s) + STEP);
    close_gap(flow);
    unsigned char *out = flow->out->v + flow->out->n;
    for (;;) {
#ifdef __SSE2__
        while (end - s >= STEP) {
            const __m128i x = _mm_loadu_si128((const __m128i *)s);
            const unsigned n = count_plain(x, flow->pre > 0);
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
    flow->out->n = (size_t)(out - flow->out->v);
    return s;
}

/* Write what the character reference at s stands for. Returns the position behind it. */
static const unsigned char *copy_reference(struct pd_flow *flow, const unsigned char *s,
                                           const unsigned char *end)
{
    unsigned char text[PD_REFERENCE_MOST];
    size_t n;
    const size_t used = pd_html_reference(s, (size_t)(end - s), text, &n);
    if (used == 0) {
        append(flow, s, 1);
        return s + 1;
    }
    if (flow->pre == 0 && folded[text[0]] == SPACE)
        flow->gap |= PD_GAP_SPACE;
    else
        append(flow, text, n);
    return s + used;
}

static const unsigned char *skip_spaces(const unsigned char *s, const unsigned char *end)
{
    while (s < end && folded[*s] == SPACE)
        s++;
    return s;
}

const unsigned char *pd_flow_text(struct pd_flow *flow, const unsigned char *s,
                                  const unsigned char *end, unsigned flags)
{
    const unsigned char *kinds = flow->pre ? kept : folded;
    if (flow->out->n == flow->start) /* even preformatted text starts without white space */
        s = skip_spaces(s, end);
    while (s < end) {
        const enum kind kind = kinds[*s];
        if (kind == PLAIN) {
            s = copy_plain(flow, s, end, kinds);
        } else if (kind == LT && flags & PD_FLOW_TAGS) {
            break;
        } else if (kind == SPACE) {
            s = skip_spaces(s + 1, end);
            flow->gap |= PD_GAP_SPACE;
        } else if (kind == AND && flags & PD_FLOW_REFERENCES) {
            s = copy_reference(flow, s, end);
        } else if (kind == NUL) {
            append(flow, PD_REPLACEMENT_S, sizeof PD_REPLACEMENT_S - 1);
            s++;
        } else if (kind == CR) { /* CR LF and CR become line ends */
            append(flow, "\n", 1);
            s += end - s > 1 && s[1] == '\n' ? 2 : 1;
        } else {
            append(flow, s++, 1);
        }
    }
    return s;
}

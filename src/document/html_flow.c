/* html_flow.c - see include/pardup/document/html_flow.h */
#include "pardup/document/html_flow.h"

#include "pardup/document/html_reference.h"
#include "pardup/document/utf8.h"

enum kind { PLAIN, SPACE, CR, AND, NUL };
enum { GAP_MOST = 2 }; /* bytes a gap takes */

/* clang-format off */
static const unsigned char folded[256] = {
    ['\0'] = NUL, ['\t'] = SPACE, ['\n'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE, [' '] = SPACE,
    ['&'] = AND};
static const unsigned char kept[256] = {['\0'] = NUL, ['\r'] = CR, ['&'] = AND};
/* clang-format on */

void pd_flow_begin(struct pd_flow *f, struct pd_bytes *out)
{
    *f = (struct pd_flow){.out = out, .start = out->n};
}

static void widen(struct pd_flow *f, enum pd_gap gap) { f->gap = gap > f->gap ? gap : f->gap; }

void pd_flow_line(struct pd_flow *f)
{
    f->gap = f->gap >= PD_GAP_LINE ? PD_GAP_BLOCK : PD_GAP_LINE;
}

void pd_flow_block(struct pd_flow *f) { f->gap = PD_GAP_BLOCK; }

/* Only preformatted text ends in white space; every byte is taken back once at most. */
static void trim(struct pd_flow *f)
{
    struct pd_bytes *out = f->out;
    while (out->n > f->start && folded[out->v[out->n - 1]] == SPACE)
        out->n--;
}

void pd_flow_end(struct pd_flow *f) { trim(f); }

/* Text follows: write the gap before it. There is room for it. */
static void close_gap(struct pd_flow *f)
{
    static const char *const marks[] = {"", " ", "\n", "\n\n"};
    if (f->gap == PD_GAP_NONE)
        return;
    if (f->gap == PD_GAP_BLOCK)
        trim(f);
    if (f->out->n > f->start) {
        for (const char *c = marks[f->gap]; *c; c++)
            f->out->v[f->out->n++] = (unsigned char)*c;
    }
    f->gap = PD_GAP_NONE;
}

static void append(struct pd_flow *f, const void *s, size_t n)
{
    pd_bytes_reserve(f->out, f->out->n + GAP_MOST + n);
    close_gap(f);
    pd_bytes_append(f->out, s, n);
}

#define EACH(byte) (0x0101010101010101u * (byte))

/* High bit of each byte of `x` that is below `limit` <= 0x80. */
static inline uint64_t below(uint64_t x, unsigned char limit)
{
    return ~(((x & EACH(0x7F)) + EACH((uint64_t)(0x80 - limit))) | x) & EACH(0x80);
}

/* Eight bytes that are copied as they are: no '&', no white space but single spaces. */
static inline bool is_clean(const unsigned char *s)
{
    uint64_t x, next;
    memcpy(&x, s, sizeof x);
    memcpy(&next, s + 1, sizeof next);
    const uint64_t and = below(x ^ EACH('&'), 1), double_space = below(x, '!') & below(next, '!');
    return (below(x, ' ') | and | double_space) == 0;
}

/* Copy words and the single spaces between them; returns the first byte not copied. */
static const unsigned char *copy_plain(struct pd_flow *f, const unsigned char *s,
                                       const unsigned char *end, const unsigned char *kinds)
{
    pd_bytes_reserve(f->out, f->out->n + GAP_MOST + (size_t)(end - s));
    close_gap(f);
    unsigned char *out = f->out->v + f->out->n;
    for (; end - s > 8 && is_clean(s); s += 8, out += 8)
        memcpy(out, s, 8);
    for (;;) {
        while (s < end && kinds[*s] == PLAIN)
            *out++ = *s++;
        if (end - s < 2 || *s != ' ' || kinds[s[1]] != PLAIN)
            break;
        *out++ = *s++;
    }
    f->out->n = (size_t)(out - f->out->v);
    return s;
}

static const unsigned char *copy_reference(struct pd_flow *f, const unsigned char *s,
                                           const unsigned char *end)
{
    unsigned char text[PD_REFERENCE_MOST];
    size_t n;
    const size_t used = pd_html_reference(s, (size_t)(end - s), text, &n);
    if (used == 0) {
        append(f, s, 1);
        return s + 1;
    }
    if (f->pre == 0 && folded[text[0]] == SPACE)
        widen(f, PD_GAP_SPACE);
    else
        append(f, text, n);
    return s + used;
}

static const unsigned char *skip_spaces(const unsigned char *s, const unsigned char *end)
{
    while (s < end && folded[*s] == SPACE)
        s++;
    return s;
}

void pd_flow_text(struct pd_flow *f, const unsigned char *s, size_t n, bool references)
{
    const unsigned char *end = s + n, *kinds = f->pre ? kept : folded;
    if (f->out->n == f->start) /* not even preformatted text starts with white space */
        s = skip_spaces(s, end);
    while (s < end) {
        switch ((enum kind)kinds[*s]) {
        case SPACE:
            s = skip_spaces(s, end);
            widen(f, PD_GAP_SPACE);
            break;
        case CR: /* CR LF and CR are line ends */
            append(f, "\n", 1);
            s += end - s > 1 && s[1] == '\n' ? 2 : 1;
            break;
        case NUL:
            append(f, PD_REPLACEMENT_S, sizeof PD_REPLACEMENT_S - 1);
            s++;
            break;
        case AND:
            if (references) {
                s = copy_reference(f, s, end);
            } else {
                append(f, s, 1);
                s++;
            }
            break;
        case PLAIN:
            s = copy_plain(f, s, end, kinds);
            break;
        }
    }
}

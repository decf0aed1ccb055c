/* utf8.c - see include/pardup/document/utf8.h */
#include "pardup/document/utf8.h"

#include <stdbool.h>

#include "pardup/base/vector.h"
#include "utf8_vector.h"

const uint16_t pd_windows_1252[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

size_t pd_ascii_span(const unsigned char *s, size_t n)
{
    size_t k = 0;
#ifdef PD_VECTORS
    enum { N = sizeof(__m128i) };
    for (; n - k >= 2 * N; k += 2 * N) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(s + k));
        const __m128i b = _mm_loadu_si128((const __m128i *)(s + k + N));
        if (_mm_movemask_epi8(_mm_or_si128(a, b)) != 0) {
            const unsigned low = (unsigned)_mm_movemask_epi8(a);
            const unsigned high = (unsigned)_mm_movemask_epi8(b);
            return k + (size_t)__builtin_ctz(low | high << N);
        }
    }
#endif
    for (uint64_t x; n - k >= sizeof x; k += sizeof x) {
        memcpy(&x, s + k, sizeof x);
        if (x & 0x8080808080808080u)
            break;
    }
    while (k < n && s[k] < 0x80)
        k++;
    return k;
}

static inline bool trail(unsigned char c) { return (c & 0xC0) == 0x80; }

/*
 * The length in bytes of the character at s, where s[0] >= 0x80. When the sequence is broken, minus
 * the length of the longest part that could have begun a character, at least 1.
 * The second byte shows all special cases: overlong forms, surrogates, and characters above
 * U+10FFFF.
 */
static int sequence(const unsigned char *s, size_t n)
{
    const unsigned char lead = s[0];
    const int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4)
        return -1;
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char top = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (n < 2 || s[1] < low || s[1] > top)
        return -1;
    for (int k = 2; k < length; k++) {
        if ((size_t)k >= n || !trail(s[k]))
            return -k;
    }
    return length;
}

size_t pd_utf8_valid(const unsigned char *s, size_t n)
{
    size_t k = pd_utf8_blocks(s, n);
    while (k < n) {
        if (s[k] < 0x80) {
            k++;
            if (k < n && s[k] < 0x80) /* one ASCII byte, often a space, is not worth the call */
                k += pd_ascii_span(s + k, n - k);
            continue;
        }
        const int length = sequence(s + k, n - k);
        if (length < 0)
            return k;
        k += (size_t)length;
    }
    return n;
}

size_t pd_utf8_broken(const unsigned char *s, size_t n) { return (size_t)-sequence(s, n); }

uint64_t pd_utf8_mend(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    uint64_t mended = 0;
    while (n > 0) {
        const size_t good = pd_utf8_valid(s, n);
        pd_bytes_append(out, s, good);
        s += good;
        n -= good;
        if (n == 0)
            break;
        const size_t bad = pd_utf8_broken(s, n);
        pd_bytes_append(out, PD_REPLACEMENT_S, sizeof PD_REPLACEMENT_S - 1);
        mended++;
        s += bad;
        n -= bad;
    }
    return mended;
}

size_t pd_utf8_put(unsigned char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (unsigned char)c;
        return 1;
    }
    const size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char mark[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t k = n - 1; k > 0; k--, c >>= 6)
        out[k] = (unsigned char)(0x80 | (c & 0x3F));
    out[0] = (unsigned char)(mark[n] | c);
    return n;
}

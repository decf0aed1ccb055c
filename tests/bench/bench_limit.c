/*
 * What the hardware gives for reading to signatures: pages inflated, UTF-8 looked at, tags
 * stripped, ASCII words hashed, sentences signed by the sum of their words, postings dealt to
 * partitions; in one loop, with none of pardup's rules and code. A bound to hold `read`, `count`
 * and `gather` against on the same bytes in the same minutes, not a model: it is wrong wherever a
 * page is not simple.
 *
 * usage: bench_limit FILE...   archives with a gzip member a page, as `pardup synth` makes them
 */
#include <emmintrin.h>
#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "pardup/base/error.h"

enum {
    ROOM = 64,   /* bytes behind a page or text that may be read and written */
    PART = 0x1F, /* between blocks of text */
    STEP = 16,
    BLOCK = 64,
    PARTITIONS = 1024,
    COMBINED = 16, /* postings of a partition that are kept in the cache until they are written */
    PARTITION_MOST = 1 << 14
};
static const uint64_t mix1 = 0x9E3779B97F4A7C15, mix2 = 0xC2B2AE3D27D4EB4F;

struct posting {
    uint64_t hash;
    uint32_t doc, sentence;
};

struct bound {
    struct pd_bytes archive; /* all files, one after the other */
    struct pd_bytes record, text;
    struct posting (*near)[COMBINED], (*far)[PARTITION_MOST];
    uint32_t n[PARTITIONS];
    uint64_t html, sentences;
    uint32_t doc;
};

static uint64_t mixed(uint64_t x, uint64_t y)
{
    const __uint128_t product = (__uint128_t)(x ^ mix1) * (y ^ mix2);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static void emit(struct bound *b, uint64_t hash, uint32_t sentence)
{
    const uint32_t to = (uint32_t)(hash % PARTITIONS), k = b->n[to]++ % PARTITION_MOST;
    b->near[to][k % COMBINED] = (struct posting){hash, b->doc, sentence};
    if (k % COMBINED == COMBINED - 1)
        memcpy(&b->far[to][k - k % COMBINED], b->near[to], sizeof b->near[to]);
}

static inline __attribute__((always_inline)) uint64_t mask_of(const unsigned char *s,
                                                              int (*columns)(__m128i))
{
    uint64_t all = 0;
    for (unsigned k = 0; k < BLOCK; k += STEP) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(s + k));
        all |= (uint64_t)(unsigned)columns(x) << k;
    }
    return all;
}

static __m128i among(__m128i x, char first, int n) /* bytes from `first` on, n of them */
{
    const __m128i from = _mm_sub_epi8(x, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8((char)(n - 1))), from);
}

static inline int letters(__m128i x)
{
    const __m128i lower = _mm_or_si128(x, _mm_set1_epi8(0x20));
    const __m128i in = _mm_or_si128(among(lower, 'a', 26), among(x, '0', 10));
    return _mm_movemask_epi8(_mm_or_si128(in, x)); /* and all that is not ASCII */
}

static inline int stops(__m128i x)
{
    const __m128i line = _mm_cmpeq_epi8(x, _mm_set1_epi8(PART));
    const __m128i ask = _mm_cmpeq_epi8(x, _mm_set1_epi8('?'));
    const __m128i stop = _mm_cmpeq_epi8(x, _mm_set1_epi8('.'));
    return _mm_movemask_epi8(_mm_or_si128(line, _mm_or_si128(ask, stop)));
}

static inline int high(__m128i x) { return _mm_movemask_epi8(x); }

/* Bytes that begin a character of several; a check would have to look at them. */
static uint64_t count_high(const unsigned char *s, size_t n)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < n; k += BLOCK)
        sum += mask_of(s + k, high) != 0;
    return sum;
}

/* Text between tags, a line for each that parts blocks by its first letter. */
static size_t strip(const unsigned char *s, size_t n, unsigned char *out)
{
    static const char parting[] = "pdlhtubfso";
    uint32_t parts = 0;
    unsigned char *to = out;
    const unsigned char *const end = s + n;
    for (const char *c = parting; *c; c++)
        parts |= 1u << (*c & 31);
    while (s < end) {
        const unsigned char *lt = memchr(s, '<', (size_t)(end - s));
        const size_t m = (size_t)((lt ? lt : end) - s);
        memcpy(to, s, BLOCK < m ? m : BLOCK); /* most are short: without a branch */
        to += m;
        if (!lt)
            break;
        const unsigned char name = lt[1] == '/' ? lt[2] : lt[1];
        *to = PART;
        to += parts >> (name & 31) & 1;
        s = memchr(lt, '>', (size_t)(end - lt));
        if (s && (memcmp(lt + 1, "scr", 3) == 0 || memcmp(lt + 1, "sty", 3) == 0))
            s = memmem(s, (size_t)(end - s), "</s", 3);
        else
            s = s ? s + 1 : end;
        if (!s)
            break;
    }
    return (size_t)(to - out);
}

static uint64_t word_hash(const unsigned char *s, size_t n)
{
    static const uint64_t small = 0x2020202020202020;
    uint64_t head, tail = 0;
    memcpy(&head, s, sizeof head);
    if (n < sizeof head)
        head &= (UINT64_C(1) << 8 * n) - 1;
    else
        memcpy(&tail, s + n - sizeof tail, sizeof tail);
    return mixed((head | small) + n, tail | small);
}

static void sign(struct bound *b, const unsigned char *s, size_t n)
{
    const unsigned char *begin = s;
    uint64_t carry = 0, sum = 0;
    uint32_t words = 0, sentence = 0;
    for (size_t at = 0; at < n; at += BLOCK) {
        const uint64_t in = mask_of(s + at, letters), before = in << 1 | carry;
        uint64_t begins = in & ~before, ends = ~in & before, last = mask_of(s + at, stops);
        carry = in >> (BLOCK - 1);
        for (;; last &= last - 1) {
            const uint64_t upto = last ^ (last - 1); /* the next stop, or all */
            uint64_t some = ends & upto;
            words += (uint32_t)__builtin_popcountll(some);
            ends ^= some;
            for (; some != 0; some &= some - 1) {
                const unsigned char *end = s + at + __builtin_ctzll(some);
                if (begins & ((some & -some) - 1)) {
                    begin = s + at + __builtin_ctzll(begins);
                    begins &= begins - 1;
                }
                sum += mixed(word_hash(begin, (size_t)(end - begin)), mix1);
            }
            if (last == 0)
                break;
            if (words > 0)
                emit(b, mixed(sum, words), sentence++);
            sum = words = 0;
        }
        if (begins)
            begin = s + at + __builtin_ctzll(begins);
    }
    b->sentences += sentence;
}

static const unsigned char *body_of(const unsigned char *s, const unsigned char *end)
{
    for (int headers = 0; headers < 2; headers++) { /* of the record, of HTTP */
        const unsigned char *at = memmem(s, (size_t)(end - s), "\r\n\r\n", 4);
        s = at ? at + 4 : s;
    }
    return s;
}

static uint64_t all_pages(void *ctx, double *pause)
{
    struct bound *b = ctx;
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    size_t used, made, high_blocks = 0;
    (void)pause;
    b->html = b->sentences = b->doc = 0;
    for (size_t at = 0; at < b->archive.n; at += used) {
        if (libdeflate_gzip_decompress_ex(inflate, b->archive.v + at, b->archive.n - at,
                                          b->record.v, b->record.cap - ROOM, &used,
                                          &made) != LIBDEFLATE_SUCCESS)
            break;
        const unsigned char *end = b->record.v + made, *html = body_of(b->record.v, end);
        const size_t n = (size_t)(end - html);
        memset(b->record.v + made, 0, ROOM);
        high_blocks += count_high(html, n);
        const size_t text = strip(html, n, b->text.v);
        memset(b->text.v + text, PART, ROOM);
        sign(b, b->text.v, text + 1);
        b->html += n;
        b->doc++;
    }
    libdeflate_free_decompressor(inflate);
    return b->sentences + (high_blocks > b->html);
}

static void load(struct bound *b, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        return;
    const size_t n = (size_t)ftell(f);
    rewind(f);
    pd_bytes_reserve(&b->archive, b->archive.n + n);
    b->archive.n += fread(b->archive.v + b->archive.n, 1, n, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    enum { PAGE_MOST = 32 << 20 };
    struct bound b = {0};
    for (int k = 1; k < argc; k++)
        load(&b, argv[k]);
    pd_bytes_reserve(&b.record, PAGE_MOST);
    pd_bytes_reserve(&b.text, 2 * PAGE_MOST);
    b.near = pd_realloc(NULL, PARTITIONS, sizeof *b.near);
    b.far = pd_realloc(NULL, PARTITIONS, sizeof *b.far);
    all_pages(&b, &(double){0}); /* memory is touched, and bytes are counted */
    if (b.html > 0)
        bench_repeat("limit", "MB/s", (double)b.html, all_pages, &b);
    else
        fprintf(stderr, "usage: %s FILE...   archives with a gzip member a page\n", argv[0]);
    free(b.near);
    free(b.far);
    pd_bytes_release(&b.archive);
    pd_bytes_release(&b.record);
    pd_bytes_release(&b.text);
    return b.html > 0 ? 0 : 2;
}

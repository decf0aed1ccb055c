#include "pardup/document/word.h"

#include <utf8proc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "block.h"
#include "chars.h"
#include "find.h"
#include "pardup/base/error.h"
#include "segmenter.h"
#include "word_form.h"
#include "word_hash.h"

static bool is_digit(uint32_t c)
{
    return c < 0x80 ? is_ascii_digit(c)
                    : utf8proc_category((utf8proc_int32_t)c) == UTF8PROC_CATEGORY_ND;
}

static bool same_run(enum kind word, enum kind next)
{
    return next == MARK || (next == word && word != SINGLE);
}

/* May an apostrophe or a point at p, after the character `last`, stand inside the word? */
static bool joins(const unsigned char *p, const unsigned char *end, enum kind word, uint32_t last)
{
    unsigned n;
    const bool point = *p == '.' || *p == ',';
    char_at(p, &n);
    if (p + n >= end || word == SINGLE)
        return false;
    const uint32_t next = char_at(p + n, &n);
    return point ? is_digit(last) && is_digit(next) : pd_kind_of(next) == word;
}

/* End of the word that starts at p with a character of kind `word`. */
static const unsigned char *word_end(const unsigned char *p, const unsigned char *end,
                                     enum kind word)
{
    unsigned n;
    uint32_t last = char_at(p, &n);
    const unsigned char *stop = p + n; /* behind the last character that is not ignorable */
    if (word == MARK)
        word = RUN;
    for (p = stop; p < end; p += n) {
        const uint32_t c = char_at(p, &n);
        const enum kind k = pd_kind_of(c);
        if (k == IGNORABLE)
            continue;
        const bool inside =
            k == APOSTROPHE || k == POINT ? joins(p, end, word, last) : same_run(word, k);
        if (!inside)
            break;
        last = c;
        stop = p + n;
    }
    return stop;
}

/* Characters that are their own compared form, as are words of nothing else. */
static bool is_stable(uint32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x3041 && c <= 0x3096) || c == 0x3005 || (c >= 0x30A1 && c <= 0x30FA) ||
           (c >= 0x30FC && c <= 0x30FE) || (c >= 0xAC00 && c <= 0xD7A3);
}

static bool are_stable(const unsigned char *p, const unsigned char *end)
{
    unsigned n;
    for (; p < end; p += n)
        if (!is_stable(char_at(p, &n)))
            return false;
    return true;
}

static void check_size(size_t norm)
{
    if (norm > UINT32_MAX)
        pd_panic("normalised words of one document exceed 4 GiB");
}

static inline void push_hashed(struct pd_document *d, size_t begin, size_t end, size_t norm,
                               uint64_t term)
{
    check_size(d->norm.n);
    pd_words_push(&d->words, (struct pd_word){
                                 .begin = (uint32_t)begin,
                                 .end = (uint32_t)end,
                                 .norm = (uint32_t)norm,
                                 .norm_n = (uint32_t)(d->norm.n - norm),
                                 .term = term,
                             });
}

/* The word's form is d->norm from `norm` on. A form without a byte is no word; which characters
 * vanish altogether is up to the version of Unicode. */
static void push(struct pd_document *d, size_t begin, size_t end, size_t norm)
{
    const size_t n = d->norm.n - norm;
    if (n > 0)
        push_hashed(d, begin, end, norm, XXH3_64bits(d->norm.v + norm, n));
}

bool pd_words_have_icu(void)
{
#ifdef PARDUP_ICU
    return true;
#else
    return false;
#endif
}

/* The word [p, stop), whatever its characters. */
static void push_any(const unsigned char *text, const unsigned char *p, const unsigned char *stop,
                     struct pd_document *d)
{
    const size_t norm = d->norm.n;
    if (are_stable(p, stop))
        pd_bytes_append(&d->norm, p, (size_t)(stop - p));
    else
        pd_word_form(p, stop, &d->norm);
    push(d, (size_t)(p - text), (size_t)(stop - text), norm);
}

/* Behind the run of Chinese and Japanese characters that starts at p. */
static const unsigned char *asian_end(const unsigned char *p, const unsigned char *end)
{
    unsigned n;
    const unsigned char *stop = p; /* behind the last character that is not ignorable */
    for (; p < end; p += n) {
        const enum kind k = pd_kind_of(char_at(p, &n));
        if (k == IGNORABLE)
            continue;
        if (k != SINGLE && k != KANA && k != MARK)
            break;
        stop = p + n;
    }
    return stop;
}

/* The words of the run that starts at p, by the dictionary; returns its end. */
static const unsigned char *scan_asian(const unsigned char *text, const unsigned char *p,
                                       const unsigned char *end, struct pd_document *d)
{
    const unsigned char *const stop = asian_end(p, end);
    if (d->segmenter == NULL)
        d->segmenter = pd_segmenter_new();
    PD_CHECK(d->segmenter != NULL);
    pd_segmenter_start(d->segmenter, p, (size_t)(stop - p));
    for (const unsigned char *word = p; word < stop;) {
        const unsigned char *next = p + pd_segmenter_next(d->segmenter);
        push_any(text, word, next, d);
        word = next;
    }
    return stop;
}

/* What a text is cut into words with: the block at hand, as bits. */
struct scan {
    const unsigned char *text;
    size_t n;        /* bytes that may be read */
    size_t block;    /* first byte of the block */
    uint64_t starts; /* a word begins here, where none is before */
    uint64_t inside; /* ASCII that goes on with a word */
    uint64_t mixed;  /* a word that gets here goes on, or may, with a character beyond ASCII */
    const struct pd_simple *simple;
};

static inline enum kind kind_of(const struct scan *s, uint32_t c)
{
    const struct pd_simple *e = pd_simple_of(s->simple, c);
    return e ? (enum kind)e->kind : pd_kind_of(c);
}

/* Bits moved so that each byte's is that of the byte before it, or behind it. */
static uint64_t before(uint64_t bits, bool first) { return bits << 1 | first; }
static uint64_t behind(uint64_t bits, bool last) { return bits >> 1 | (uint64_t)last << 63; }

/* Latin-1 signs and general punctuation, which part words as ASCII signs do: no-break space, “ ” – */
static bool is_sign(const struct scan *s, const unsigned char *p, unsigned *len)
{
    const uint32_t c = char_at(p, len);
    return (*p == 0xC2 || *p == 0xE2) && kind_of(s, c) == BREAK;
}

/* `beyond`, bytes of the block beyond ASCII, without signs. */
static uint64_t without_signs(const struct scan *s, size_t block, uint64_t beyond)
{
    uint64_t rest = beyond;
    while (rest != 0) {
        const unsigned at = (unsigned)__builtin_ctzll(rest);
        const unsigned char *p = s->text + block + at;
        unsigned len, before_block = 0;
        while ((*p & 0xC0) == 0x80 && p > s->text) { /* it began in the block before */
            p--;
            before_block++;
        }
        const bool sign = is_sign(s, p, &len);
        if (len <= before_block) /* no character: the range began inside one */
            return beyond;
        const uint64_t bytes = ((UINT64_C(1) << (len - before_block)) - 1) << at;
        rest &= ~bytes;
        if (sign)
            beyond &= ~bytes;
    }
    return beyond;
}

static void classify(struct scan *s, size_t block)
{
    unsigned char copy[PD_BLOCK];
    struct pd_block_words w = pd_block_words(pd_block_at(s->text, s->n, block, copy));
    if (w.beyond != 0)
        w.beyond = without_signs(s, block, w.beyond);
    const unsigned char last = block > 0 ? s->text[block - 1] : 0;
    const unsigned char next = block + PD_BLOCK < s->n ? s->text[block + PD_BLOCK] : 0;
    const uint64_t quotes = w.quote & before(w.form, pd_ascii_form[last] != 0) &
                            behind(w.form, pd_ascii_form[next] != 0);
    const uint64_t points =
        w.point & before(w.digit, is_ascii_digit(last)) & behind(w.digit, is_ascii_digit(next));
    s->block = block;
    s->starts = w.form | w.beyond;
    s->inside = w.form | quotes | points;
    s->mixed = w.beyond | ((w.quote | w.point) & behind(w.beyond, next >= 0x80));
}

static inline void enter(struct scan *s, size_t i)
{
    const size_t block = i & ~(size_t)(PD_BLOCK - 1);
    if (block != s->block)
        classify(s, block);
}

/* Behind the ASCII that goes on with a word from i on. */
static inline size_t inside_end(struct scan *s, size_t i, size_t end)
{
    while (i < end) {
        enter(s, i);
        const uint64_t outside = ~s->inside >> (i - s->block);
        if (outside != 0) {
            i += (size_t)__builtin_ctzll(outside);
            return i < end ? i : end;
        }
        i = s->block + PD_BLOCK;
    }
    return end;
}

/* Does the word whose ASCII ends at i, which is before `end`, go on, or may it? */
static bool is_mixed(struct scan *s, size_t i, size_t end)
{
    unsigned len;
    enter(s, i);
    if ((s->mixed >> (i - s->block) & 1) == 0 || (s->text[i] < 0x80 && i + 1 == end))
        return false;
    const uint32_t c = char_at(s->text + i + (s->text[i] < 0x80), &len);
    const enum kind kind = kind_of(s, c);
    return kind != BREAK && kind != SINGLE && kind != KANA;
}

/* Not inlined: it would crowd out the words that are common. */
__attribute__((noinline)) static uint64_t lower_any(unsigned char *out, const unsigned char *s,
                                                    size_t n)
{
    for (size_t k = 0; k < n; k++)
        out[k] = is_ascii_upper(s[k]) ? s[k] | 0x20 : s[k];
    return XXH3_64bits(out, n);
}

enum { ROOM = 16 }; /* bytes that lower() may write behind a form */

/* The n bytes at s in lower case, of which `left` can be read; returns their hash. */
static inline uint64_t lower(unsigned char *out, const unsigned char *s, size_t n, size_t left)
{
#ifdef __SSE2__
    if (n <= PD_SHORT_WORD && left >= PD_SHORT_WORD) { /* nearly all words */
        const __m128i x = pd_lower16(_mm_loadu_si128((const __m128i *)s));
        _mm_storeu_si128((__m128i *)out, x);
        return pd_hash_short((uint64_t)_mm_cvtsi128_si64(x),
                             (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x)), n);
    }
#else
    (void)left;
#endif
    return lower_any(out, s, n);
}

/* What a character does to a word of letters and digits, where that is a matter of a table. */
enum step { TAKE, STOP, ASK };

/* A quote or point of `n` bytes at p inside a word that began before it. */
static enum step joint(const struct scan *s, const unsigned char *p, size_t n,
                       const unsigned char *end)
{
    const unsigned char *next = p + n;
    if (next >= end)
        return STOP;
    if (*p == '.' || *p == ',') {
        if (p[-1] >= 0x80 || *next >= 0x80)
            return ASK;
        return is_ascii_digit(p[-1]) && is_ascii_digit(*next) ? TAKE : STOP;
    }
    if (*next < 0x80)
        return pd_ascii_form[*next] ? TAKE : STOP;
    unsigned len;
    const uint32_t c = char_at(next, &len);
    return kind_of(s, c) == RUN ? TAKE : kind_of(s, c) == BREAK ? STOP : ASK;
}

enum { SIMPLE_MOST = 512 }; /* bytes of a word that is tried the short way */
#define SIMPLE_ROOM (SIMPLE_MOST * sizeof((struct pd_simple *)0)->form)

/*
 * The word at p when all its characters are ASCII or simple; its form goes to out[0, *n), which has
 * SIMPLE_ROOM. Returns its end, NULL when it has others.
 */
static const unsigned char *scan_simple(const struct scan *s, const unsigned char *p,
                                        const unsigned char *end, unsigned char *out, size_t *n)
{
    unsigned char *to = out;
    unsigned len;
    for (const unsigned char *begin = p; p < end; p += len) {
        if (p - begin >= SIMPLE_MOST)
            return NULL;
        const uint32_t c = char_at(p, &len);
        const struct pd_simple *e = pd_simple_of(s->simple, c);
        if (pd_ascii_form[*p]) {
            *to++ = pd_ascii_form[*p];
        } else if (e && e->n > 0) {
            memcpy(to, e->form, sizeof e->form);
            to += e->n;
        } else if (c == '\'' || c == '.' || c == ',' || c == 0x2019) {
            const enum step step = joint(s, p, len, end);
            if (step == ASK)
                return NULL;
            if (step == STOP)
                break;
            *to++ = c == 0x2019 ? '\'' : (unsigned char)c;
        } else {
            const enum kind kind = kind_of(s, c);
            if (kind == BREAK || kind == SINGLE || kind == KANA)
                break;
            return NULL;
        }
    }
    *n = (size_t)(to - out);
    return p;
}

/* The word at p, which begins with letters or digits; returns its end. */
static const unsigned char *scan_run(const struct scan *s, const unsigned char *p,
                                     const unsigned char *end, struct pd_document *d)
{
    size_t n, norm = d->norm.n;
    pd_bytes_reserve(&d->norm, norm + SIMPLE_ROOM);
    const unsigned char *stop = scan_simple(s, p, end, d->norm.v + norm, &n);
    if (stop == NULL) {
        stop = word_end(p, end, RUN);
        push_any(s->text, p, stop, d);
        return stop;
    }
    d->norm.n += n;
    push(d, (size_t)(p - s->text), (size_t)(stop - s->text), norm);
    return stop;
}

/*
 * The word at p, which may hold any character, or the words of a run; returns the end, or behind p
 * when there is none. Not inlined: the loop over ASCII words is tight.
 */
__attribute__((noinline)) static const unsigned char *scan_any(const struct scan *s,
                                                               const unsigned char *p,
                                                               const unsigned char *end,
                                                               struct pd_document *d)
{
    unsigned n;
    const uint32_t c = char_at(p, &n);
    const enum kind k = kind_of(s, c);
    if (k == BREAK || k >= IGNORABLE)
        return p + n;
    if (k == RUN)
        return scan_run(s, p, end, d);
    if (d->words_kind == PD_WORDS_ICU && (k == SINGLE || k == KANA))
        return scan_asian(s->text, p, end, d);
    const unsigned char *stop = word_end(p, end, k);
    push_any(s->text, p, stop, d);
    return stop;
}

/*
 * The ASCII words of the block that text[i] is in, from there on, one after the other; returns where
 * the first word is that the block alone does not tell the end of, or else the end of the block.
 */
static inline size_t scan_block(struct scan *s, size_t i, size_t end, struct pd_document *d)
{
    enter(s, i);
    const size_t block = s->block, last = end - block < PD_BLOCK ? end - block : PD_BLOCK;
    const uint64_t live = ~UINT64_C(0) << (i - block) & ~UINT64_C(0) >> (PD_BLOCK - last);
    /* what would join a word to what is not looked at joins nothing */
    const uint64_t edges = UINT64_C(1) << (i - block) | (uint64_t)(block + last == end)
                                                            << (last - 1);
    const uint64_t in = s->inside & live & ~(edges & ~s->starts), mixed = s->mixed & live;
    uint64_t begins = in & ~(in << 1), ends = ~in & in << 1;
    if (mixed != 0)
        ends &= (mixed & -mixed) - 1;
    pd_words_reserve(&d->words, d->words.n + PD_BLOCK / 2);
    struct pd_word *word = d->words.v + d->words.n;
    unsigned char *const forms = d->norm.v;
    size_t norm = d->norm.n;
    for (; ends != 0; ends &= ends - 1, begins &= begins - 1, word++) {
        const size_t from = block + (size_t)__builtin_ctzll(begins);
        const size_t to = block + (size_t)__builtin_ctzll(ends);
        *word = (struct pd_word){
            .begin = (uint32_t)from,
            .end = (uint32_t)to,
            .norm = (uint32_t)norm,
            .norm_n = (uint32_t)(to - from),
            .term = lower(forms + norm, s->text + from, to - from, s->n - from),
        };
        norm += to - from;
    }
    d->words.n = (size_t)(word - d->words.v);
    d->norm.n = norm;
    check_size(norm);
    begins |= mixed;
    return block + (begins != 0 ? (size_t)__builtin_ctzll(begins) : last);
}

/* The word that may begin at i, however long and whatever its characters; returns its end. */
static size_t scan_word(struct scan *s, size_t i, size_t end, struct pd_document *d)
{
    size_t stop = pd_ascii_form[s->text[i]] ? inside_end(s, i, end) : i;
    if (stop == i && s->text[i] < 0x80)
        return i + 1;
    if (stop == i || (stop < end && is_mixed(s, stop, end))) {
        stop = (size_t)(scan_any(s, s->text + i, s->text + end, d) - s->text);
        /* forms may outgrow the text: keep room for the ASCII words to come */
        pd_bytes_reserve(&d->norm, d->norm.n + (end - stop) + ROOM);
        return stop;
    }
    if (stop == end && !pd_ascii_form[s->text[stop - 1]]) /* joins what is cut off */
        stop--;
    const size_t norm = d->norm.n;
    const uint64_t term = lower(d->norm.v + norm, s->text + i, stop - i, s->n - i);
    d->norm.n += stop - i;
    push_hashed(d, i, stop, norm, term);
    return stop;
}

static void scan(struct scan *s, size_t begin, size_t end, struct pd_document *d)
{
    pd_bytes_reserve(&d->norm, d->norm.n + (end - begin) + ROOM);
    for (size_t i = begin; i < end;) {
        i = scan_block(s, i, end, d);
        if (i < end && i < s->block + PD_BLOCK)
            i = scan_word(s, i, end, d);
    }
}

void pd_words_scan(const unsigned char *text, uint32_t begin, uint32_t end, struct pd_document *d)
{
    struct scan s = {.text = text, .n = end, .block = SIZE_MAX, .simple = pd_simple_forms()};
    scan(&s, begin, end, d);
}

bool pd_words_of_sentences(struct pd_document *d)
{
    struct scan s = {
        .text = d->text, .n = d->text_n, .block = SIZE_MAX, .simple = pd_simple_forms()};
    size_t n = 0;
    for (size_t k = 0; k < d->sentences.n; k++) {
        struct pd_sentence u = d->sentences.v[k];
        u.word = (uint32_t)d->words.n;
        scan(&s, u.begin, u.end, d);
        u.nwords = (uint32_t)d->words.n - u.word;
        if (d->norm.n > UINT32_MAX) /* a few characters grow tenfold when they are normalised */
            return false;
        if (u.nwords > 0)
            d->sentences.v[n++] = u;
    }
    d->sentences.n = n;
    return true;
}

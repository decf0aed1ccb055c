#include "pardup/document/word.h"

#include <utf8proc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "chars.h"
#include "pardup/base/error.h"
#include "segmenter.h"

/*
 * A long word is normalised in pieces, so that no buffer grows and utf8proc's sorting of combining
 * marks, quadratic in a run of them, stays cheap. Composition across a cut is lost: no real word is
 * that long.
 */
#define PIECE_BYTES    512
#define MOST_EXPANSION 12 /* NFKC: U+FDFA, 3 bytes, becomes 18 characters in 33 bytes */

/* What a character does to words. SINGLE, KANA and RUN start one, the others only go on. */
enum kind {
    BREAK,
    RUN,        /* letters, digits, connectors */
    SINGLE,     /* a word of its own: Han, Hiragana */
    KANA,       /* Katakana: a run apart from Latin letters and digits */
    MARK,       /* belongs to what is before it, else starts a run */
    IGNORABLE,  /* invisible: neither starts, ends nor splits a word */
    APOSTROPHE, /* part of a word between letters */
    POINT,      /* part of a word between digits */
};

/* 0 for a byte that is no word; else the byte in lower case. */
static const unsigned char ascii_form[256] = {
    ['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4', ['5'] = '5', ['6'] = '6',
    ['7'] = '7', ['8'] = '8', ['9'] = '9', ['A'] = 'a', ['B'] = 'b', ['C'] = 'c', ['D'] = 'd',
    ['E'] = 'e', ['F'] = 'f', ['G'] = 'g', ['H'] = 'h', ['I'] = 'i', ['J'] = 'j', ['K'] = 'k',
    ['L'] = 'l', ['M'] = 'm', ['N'] = 'n', ['O'] = 'o', ['P'] = 'p', ['Q'] = 'q', ['R'] = 'r',
    ['S'] = 's', ['T'] = 't', ['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x', ['Y'] = 'y',
    ['Z'] = 'z', ['_'] = '_', ['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd', ['e'] = 'e',
    ['f'] = 'f', ['g'] = 'g', ['h'] = 'h', ['i'] = 'i', ['j'] = 'j', ['k'] = 'k', ['l'] = 'l',
    ['m'] = 'm', ['n'] = 'n', ['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r', ['s'] = 's',
    ['t'] = 't', ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x', ['y'] = 'y', ['z'] = 'z',
};

static enum kind kind_by_property(uint32_t c)
{
    const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)c);
    if (p->ignorable)
        return IGNORABLE;
    switch (p->category) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return MARK;
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
    case UTF8PROC_CATEGORY_PC:
        return is_han(c) || is_hiragana(c) ? SINGLE : is_katakana(c) ? KANA : RUN;
    default:
        return BREAK;
    }
}

static enum kind kind_of(uint32_t c)
{
    if (c < 0x80) {
        if (ascii_form[c])
            return RUN;
        return c == '\'' ? APOSTROPHE : c == '.' || c == ',' ? POINT : BREAK;
    }
    if (c >= 0x4E00 && c <= 0x9FFF)
        return SINGLE;
    if (c == 0x2019 || c == 0x02BC)
        return APOSTROPHE;
    if (c == 0x200B) /* zero width space: made to separate words, though ignorable */
        return BREAK;
    return kind_by_property(c);
}

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
    return point ? is_digit(last) && is_digit(next) : kind_of(next) == word;
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
        const enum kind k = kind_of(c);
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

/* Append the compared form of one piece; there is room for it. */
static void normalise_piece(const unsigned char *s, size_t n, struct pd_bytes *norm)
{
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    utf8proc_int32_t chars[PIECE_BYTES * MOST_EXPANSION + 1]; /* reencode() adds a NUL */
    const utf8proc_ssize_t room = sizeof chars / sizeof *chars - 1;
    utf8proc_ssize_t len = utf8proc_decompose(s, (utf8proc_ssize_t)n, chars, room, options);
    PD_CHECK(len >= 0 && len <= room);
    for (utf8proc_ssize_t k = 0; k < len; k++)
        if (chars[k] == 0x2019 || chars[k] == 0x02BC)
            chars[k] = '\'';
    len = utf8proc_reencode(chars, len, options);
    PD_CHECK(len >= 0 && (size_t)len <= n * MOST_EXPANSION);
    memcpy(norm->v + norm->n, chars, (size_t)len);
    norm->n += (size_t)len;
}

static void normalise(const unsigned char *s, const unsigned char *end, struct pd_bytes *norm)
{
    while (s < end) {
        const unsigned char *cut = end;
        if (end - s > PIECE_BYTES)
            for (cut = s + PIECE_BYTES; (*cut & 0xC0) == 0x80;)
                cut--;
        pd_bytes_reserve(norm, norm->n + (size_t)(cut - s) * MOST_EXPANSION);
        normalise_piece(s, (size_t)(cut - s), norm);
        s = cut;
    }
}

/* Single characters that are their own compared form. */
static bool is_stable(uint32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x3041 && c <= 0x3096) || c == 0x3005;
}

/* The word's form is d->norm from `norm` on. A form without a byte is no word; which characters
 * vanish altogether is up to the version of Unicode. */
static inline void push(struct pd_document *d, size_t begin, size_t end, size_t norm)
{
    const size_t n = d->norm.n - norm;
    if (n == 0)
        return;
    if (d->norm.n > UINT32_MAX)
        pd_panic("normalised words of one document exceed 4 GiB");
    pd_words_push(&d->words, (struct pd_word){
                                 .begin = (uint32_t)begin,
                                 .end = (uint32_t)end,
                                 .norm = (uint32_t)norm,
                                 .norm_n = (uint32_t)n,
                                 .term = XXH3_64bits(d->norm.v + norm, n),
                             });
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
    normalise(p, stop, &d->norm);
    push(d, (size_t)(p - text), (size_t)(stop - text), norm);
}

/* Behind the run of Chinese and Japanese characters that starts at p. */
static const unsigned char *asian_end(const unsigned char *p, const unsigned char *end)
{
    unsigned n;
    const unsigned char *stop = p; /* behind the last character that is not ignorable */
    for (; p < end; p += n) {
        const enum kind k = kind_of(char_at(p, &n));
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

/*
 * The word at p, which may hold any character, or the words of a run; returns the end, or behind p
 * when there is none. Not inlined: the loop over ASCII words is tight.
 */
__attribute__((noinline)) static const unsigned char *scan_any(const unsigned char *text,
                                                               const unsigned char *p,
                                                               const unsigned char *end,
                                                               struct pd_document *d)
{
    unsigned n;
    const uint32_t c = char_at(p, &n);
    const enum kind k = kind_of(c);
    if (k == BREAK || k >= IGNORABLE)
        return p + n;
    if (d->words_kind == PD_WORDS_ICU && (k == SINGLE || k == KANA))
        return scan_asian(text, p, end, d);
    const unsigned char *stop = word_end(p, end, k);
    const size_t norm = d->norm.n;
    if (is_stable(c) && stop == p + n) {
        pd_bytes_reserve(&d->norm, norm + n);
        memcpy(d->norm.v + norm, p, n);
        d->norm.n += n;
        push(d, (size_t)(p - text), (size_t)(stop - text), norm);
    } else {
        push_any(text, p, stop, d);
    }
    return stop;
}

/* The ASCII word at p; its form, never longer than it, has room. NULL when it is not pure ASCII. */
static inline const unsigned char *scan_ascii(const unsigned char *p, const unsigned char *end,
                                              unsigned char *form)
{
    for (;;) {
        while (p < end && (*form = ascii_form[*p]) != 0)
            p++, form++;
        if (p == end)
            return p;
        if (*p >= 0x80)
            return NULL;
        const bool point = *p == '.' || *p == ',';
        if ((!point && *p != '\'') || p + 1 == end)
            return p;
        if (p[1] >= 0x80)
            return NULL;
        if (point ? !is_ascii_digit(p[-1]) || !is_ascii_digit(p[1]) : !ascii_form[p[1]])
            return p;
        *form++ = *p++;
    }
}

void pd_words_scan(const unsigned char *text, uint32_t begin, uint32_t end, struct pd_document *d)
{
    if (begin == end)
        return;
    const unsigned char *p = text + begin;
    const unsigned char *const stop = text + end;
    pd_bytes_reserve(&d->norm, d->norm.n + (end - begin) + 1);
    while (p < stop) {
        if (*p < 0x80 && !ascii_form[*p]) {
            p++;
            continue;
        }
        const size_t norm = d->norm.n;
        const unsigned char *q = *p < 0x80 ? scan_ascii(p, stop, d->norm.v + norm) : NULL;
        if (q) {
            d->norm.n += (size_t)(q - p);
            push(d, (size_t)(p - text), (size_t)(q - text), norm);
        } else { /* forms may outgrow the text: keep room for the ASCII words to come */
            q = scan_any(text, p, stop, d);
            pd_bytes_reserve(&d->norm, d->norm.n + (size_t)(stop - q) + 1);
        }
        p = q;
    }
}

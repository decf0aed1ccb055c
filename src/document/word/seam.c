/* seam.c - see seam.h */
#include "seam.h"

#include <utf8proc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "document/chars.h"
#include "word_form.h"

/* Kinds of letters. */
enum letter { NONE, SMALL, CAPITAL, CASELESS };

/* The kind of letter that c is; Chinese, Japanese and combining characters are none. */
static enum letter letter_of(uint32_t c)
{
    if (c < 0x80)
        return is_ascii_lower(c) ? SMALL : is_ascii_upper(c) ? CAPITAL : NONE;
    if (pd_kind_of(c) != PD_CHAR_RUN)
        return NONE;
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_LL:
        return SMALL;
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
        return CAPITAL;
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_LM:
        return CASELESS;
    default:
        return NONE;
    }
}

/* The letter that begins at text[i]; NONE at the end of the text. */
static enum letter letter_at(const unsigned char *text, size_t i, size_t end)
{
    unsigned len;
    return i < end ? letter_of(char_at(text + i, &len)) : NONE;
}

/* The kind of the letter before text[i], which may have combining marks. */
static enum letter letter_before(const unsigned char *text, size_t begin, size_t i)
{
    enum { MOST_MARKS = 4 };
    unsigned len;
    for (unsigned k = 0; k <= MOST_MARKS && i > begin; k++, i -= len) {
        const uint32_t c = char_before(text + i, &len);
        if (c < 0x80 || pd_kind_of(c) != PD_CHAR_MARK)
            return letter_of(c);
    }
    return NONE;
}

/* The first byte after one line end with blanks at text[i]; i when there is none, or several. */
static size_t skip_line_end(const unsigned char *text, size_t i, size_t end)
{
    size_t next = i;
    while (next < end && (text[next] == ' ' || text[next] == '\t'))
        next++;
    if (next == end || (text[next] != '\n' && text[next] != '\r'))
        return i;
    next += text[next] == '\r' && next + 1 < end && text[next + 1] == '\n' ? 2 : 1;
    while (next < end &&
           (text[next] == ' ' || text[next] == '\t' || text[next] == '\f' || text[next] == '>'))
        next++;
    return next;
}

/* Is another bar at an end of the word around text[from, to)? Then it is a list: a|b|c. */
static bool has_other_bar(const unsigned char *text, size_t begin, size_t from, size_t to,
                          size_t end)
{
    enum { FAR = 48 }; /* bytes of a part of a word, at most */
    size_t i = from, k = to;
    while (i > begin && from - i < FAR && (text[i - 1] >= 0x80 || pd_ascii_form[text[i - 1]]))
        i--;
    while (k < end && k - to < FAR && (text[k] >= 0x80 || pd_ascii_form[text[k]]))
        k++;
    return (i > begin && text[i - 1] == '|') || (k < end && text[k] == '|');
}

/* May the letter at text[to] go on a word that has a letter of kind `before` before a hyphen? */
static bool goes_on(const unsigned char *text, enum letter before, size_t to, size_t end)
{
    unsigned len;
    const enum letter next = letter_at(text, to, end);
    if (next != CAPITAL || before != CAPITAL)
        return next == SMALL || (next == CASELESS && before == CASELESS);
    char_at(text + to, &len);
    return letter_at(text, to + len, end) == CAPITAL;
}

size_t pd_seam_end(const unsigned char *text, size_t begin, size_t i, size_t end)
{
    unsigned len;
    const uint32_t c = char_at(text + i, &len);
    const bool bar = c == '|' || c == 0x2223;
    if (!bar && c != '-' && c != 0xAC && c != 0xAD && c != 0x2010 && c != 0x2E17)
        return i;
    const size_t to = bar ? i + len : skip_line_end(text, i + len, end);
    if (to == i + len && !bar)
        return i;
    const enum letter before = letter_before(text, begin, i);
    if (before == NONE || letter_at(text, to, end) == NONE)
        return i;
    if (c != 0xAD && !goes_on(text, before, to, end))
        return i;
    return bar && has_other_bar(text, begin, i, to, end) ? i : to;
}

void pd_seams_check(const unsigned char *text, size_t begin, size_t end,
                    const struct pd_sentences *within, struct pd_seams *seams)
{
    size_t n = 0, sentence = 0, first = begin, last = end; /* a seam lies in text[first, last) */
    for (size_t k = 0; k < seams->n; k++) {
        const uint32_t i = seams->v[k].from;
        if (within) {
            while (sentence < within->n && within->v[sentence].end <= i)
                sentence++;
            if (sentence == within->n)
                break;
            first = within->v[sentence].begin;
            last = within->v[sentence].end;
        }
        const size_t to = i < first || i >= last ? i : pd_seam_end(text, first, i, last);
        if (to > i)
            seams->v[n++] = (struct pd_seam){i, (uint32_t)to};
    }
    seams->n = n;
}

/*
 * Append to the word `a` the word `b`, which comes behind it. The term of `a` is set later. A word
 * may have any number of parts, so the form of a word that has grown is not copied again.
 */
static void append_word(struct pd_word *a, const struct pd_word *b, struct pd_bytes *norm)
{
    pd_bytes_reserve(norm, norm->n + a->norm_n + b->norm_n);
    if (a->norm + a->norm_n != norm->n) {
        memcpy(norm->v + norm->n, norm->v + a->norm, a->norm_n);
        a->norm = (uint32_t)norm->n;
        norm->n += a->norm_n;
    }
    memcpy(norm->v + norm->n, norm->v + b->norm, b->norm_n);
    norm->n += b->norm_n;
    a->norm_n += b->norm_n;
    a->end = b->end;
}

void pd_seams_end(struct pd_document *d, struct pd_closing *c)
{
    if (!c->grown)
        return;
    struct pd_word *const word = &d->words.v[c->kept - 1];
    word->term = XXH3_64bits(d->norm.v + word->norm, word->norm_n);
    c->grown = false;
}

/* Move the words up to words[to] down. */
static void keep_words(struct pd_document *d, struct pd_closing *c, size_t to)
{
    struct pd_word *const words = d->words.v;
    if (to > c->from)
        pd_seams_end(d, c); /* the last word grows no further */
    if (c->kept < c->from)
        memmove(words + c->kept, words + c->from, (to - c->from) * sizeof *words);
    c->kept += to - c->from;
    c->from = to;
}

void pd_seams_close(struct pd_document *d, struct pd_closing *c, size_t to)
{
    struct pd_word *const words = d->words.v;
    for (; c->seam < d->seams.n; c->seam++) {
        const struct pd_seam *seam = &d->seams.v[c->seam];
        if (words[to - 1].begin < seam->to)
            break;
        size_t next = c->from; /* becomes the word behind the seam; there is one */
        while (words[next].begin < seam->to)
            next++;
        keep_words(d, c, next);
        if (c->kept > 0 && words[c->kept - 1].end == seam->from && words[next].begin == seam->to) {
            append_word(&words[c->kept - 1], &words[next], &d->norm);
            c->grown = true;
            c->from++;
        }
    }
    keep_words(d, c, to);
}

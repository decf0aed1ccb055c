/* word_form.c - see word_form.h */
#include "word_form.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

#include "document/chars.h"
#include "pardup/base/error.h"
#include "pardup/document/utf8.h"
#include "pardup/document/word.h"

/*
 * A long word is normalised in spans of at most SPAN_BYTES. So the buffer has a fixed size, and
 * utf8proc's sorting of combining marks, which is quadratic in their number, stays cheap.
 * Characters on both sides of a cut are not composed; no real word is that long.
 */
#define SPAN_BYTES     512
#define MOST_EXPANSION 12 /* NFKC, bytes per byte: U+FDFA, 3 bytes, becomes 18 characters in 33 */

const unsigned char pd_ascii_form[256] = {
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

/*
 * The kind of a symbol that NFKC makes letters or digits in a circle or square, all of one kind.
 * Several Chinese characters in one square are several words, and so are none here.
 */
static enum pd_char_kind kind_by_form(uint32_t c, const utf8proc_property_t *property)
{
    enum { MOST = 32 }; /* characters */
    utf8proc_int32_t chars[MOST];
    if (property->decomp_type != UTF8PROC_DECOMP_TYPE_CIRCLE &&
        property->decomp_type != UTF8PROC_DECOMP_TYPE_SQUARE)
        return PD_CHAR_BREAK;
    const utf8proc_ssize_t n =
        utf8proc_decompose_char((utf8proc_int32_t)c, chars, MOST,
                                UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE, NULL);
    if (n < 1 || n > MOST)
        return PD_CHAR_BREAK;
    const enum pd_char_kind first = pd_kind_of((uint32_t)chars[0]);
    for (utf8proc_ssize_t k = 1; k < n; k++) {
        const enum pd_char_kind kind = pd_kind_of((uint32_t)chars[k]);
        if (kind != PD_CHAR_MARK && (kind != first || first == PD_CHAR_SINGLE))
            return PD_CHAR_BREAK;
    }
    return first == PD_CHAR_RUN || first == PD_CHAR_KANA || first == PD_CHAR_SINGLE ? first
                                                                                    : PD_CHAR_BREAK;
}

/* The kind by Unicode's general category. */
static enum pd_char_kind kind_by_property(uint32_t c)
{
    const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)c);
    if (property->ignorable)
        return PD_CHAR_IGNORABLE;
    switch (property->category) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return PD_CHAR_MARK;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        if (is_south_east_asian(c))
            return is_vowel_behind(c) ? PD_CHAR_MARK : PD_CHAR_SINGLE;
        /* fall through */
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
    case UTF8PROC_CATEGORY_PC:
        return is_han(c) || is_hiragana(c) ? PD_CHAR_SINGLE
               : is_katakana(c)            ? PD_CHAR_KANA
                                           : PD_CHAR_RUN;
    default:
        return is_radical(c) ? PD_CHAR_SINGLE : kind_by_form(c, property);
    }
}

enum pd_char_kind pd_kind_of(uint32_t c)
{
    if (c < 0x80) {
        if (pd_ascii_form[c])
            return PD_CHAR_RUN;
        return c == '\''              ? PD_CHAR_APOSTROPHE
               : c == '.' || c == ',' ? PD_CHAR_POINT
                                      : PD_CHAR_BREAK;
    }
    if ((c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3041 && c <= 0x3096))
        return PD_CHAR_SINGLE;
    if (c == 0x2019 || c == 0x02BC || c == 0x92)
        return PD_CHAR_APOSTROPHE;
    if ((c >= 0x2010 && c <= 0x2027) || (c >= 0x3001 && c <= 0x3003))
        return PD_CHAR_BREAK;
    if (c >= 0x30A1 && c <= 0x30FA)
        return PD_CHAR_KANA;
    if (c >= 0xAC00 && c <= 0xD7A3)
        return PD_CHAR_RUN;
    return kind_by_property(c);
}

/* Is c a character that no word is compared by: pointing of Hebrew, Arabic, Syriac, or a tatweel? */
static bool is_pointing(uint32_t c)
{
    if (c == 0x0640 || c == 0x06E5 || c == 0x06E6 || c == 0xFB1E)
        return true;
    return ((c >= 0x0590 && c <= 0x077F) || (c >= 0x0860 && c <= 0x08FF)) &&
           utf8proc_category((utf8proc_int32_t)c) == UTF8PROC_CATEGORY_MN;
}

/* The letter as which the decomposed character c is compared; docs/methods.md has the table. */
static uint32_t letter_for(uint32_t c)
{
    switch (c) {
    case 0x92:   /* the same sign of windows-1252 whose byte became a character */
    case 0x02BC: /* modifier letter apostrophe */
    case 0x2019: /* right single quotation mark */
        return '\'';
    case 0x0671: /* alef wasla */
    case 0x0672: /* alef with wavy hamza above */
    case 0x0673: /* alef with wavy hamza below */
        return 0x0627;
    case 0x0649: /* alef maksura */
    case 0x06CC: /* Farsi yeh */
        return 0x064A;
    case 0x06A9: /* keheh */
    case 0x06AA: /* swash kaf */
        return 0x0643;
    case 0x06C1: /* heh goal */
    case 0x06D5: /* ae */
        return 0x0647;
    default:
        return c;
    }
}

/* Append the normalised form of s[0, n), n <= SPAN_BYTES; `norm` has n * MOST_EXPANSION free. */
static void normalise_span(const unsigned char *s, size_t n, struct pd_bytes *norm)
{
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    utf8proc_int32_t chars[SPAN_BYTES * MOST_EXPANSION + 1]; /* reencode() adds a NUL */
    const utf8proc_ssize_t room = sizeof chars / sizeof *chars - 1;
    utf8proc_ssize_t len = utf8proc_decompose(s, (utf8proc_ssize_t)n, chars, room, options);
    PD_CHECK(len >= 0 && len <= room);
    utf8proc_ssize_t kept = 0;
    for (utf8proc_ssize_t k = 0; k < len; k++)
        if (!is_pointing((uint32_t)chars[k]))
            chars[kept++] = (utf8proc_int32_t)letter_for((uint32_t)chars[k]);
    len = utf8proc_reencode(chars, kept, options);
    PD_CHECK(len >= 0 && (size_t)len <= n * MOST_EXPANSION);
    memcpy(norm->v + norm->n, chars, (size_t)len);
    norm->n += (size_t)len;
}

void pd_word_form(const unsigned char *begin, const unsigned char *end, struct pd_bytes *norm)
{
    while (begin < end) {
        const unsigned char *cut = end;
        if (end - begin > SPAN_BYTES)
            for (cut = begin + SPAN_BYTES; (*cut & 0xC0) == 0x80;)
                cut--;
        pd_bytes_reserve(norm, norm->n + (size_t)(cut - begin) * MOST_EXPANSION);
        normalise_span(begin, (size_t)(cut - begin), norm);
        begin = cut;
    }
}

static struct pd_simple simple[PD_SIMPLE_LOW + PD_SIMPLE_HIGH];
static pthread_once_t simple_once = PTHREAD_ONCE_INIT;

/*
 * In these ranges every mark that composes with the character before it has a combining class above
 * 0. So a form whose first character has class 0 is not changed by what stands before it.
 */
static bool is_in_known_range(uint32_t c) { return c < 0x900 || (c >= 0x1E00 && c < 0x2000); }

/* Is the form simple: characters of the known ranges that start with combining class 0? */
static bool is_simple_form(const unsigned char *form, size_t n)
{
    unsigned len;
    const uint32_t first = char_at(form, &len);
    if (utf8proc_get_property((utf8proc_int32_t)first)->combining_class != 0)
        return false;
    for (size_t k = 0; k < n; k += len)
        if (!is_in_known_range(char_at(form + k, &len)))
            return false;
    return true;
}

/* Fill in the entry of character c; `form` is a buffer. */
static void fill_entry(uint32_t c, struct pd_simple *entry, struct pd_bytes *form)
{
    unsigned char utf8[PD_UTF8_MOST];
    form->n = 0;
    entry->kind = (unsigned char)pd_kind_of(c);
    pd_word_form(utf8, utf8 + pd_utf8_put(utf8, c), form);
    entry->simple = (entry->kind == PD_CHAR_RUN || entry->kind == PD_CHAR_MARK) && form->n == 0;
    if (entry->kind != PD_CHAR_RUN || form->n == 0 || form->n > sizeof entry->form ||
        !is_simple_form(form->v, form->n))
        return;
    entry->simple = true;
    entry->n = (unsigned char)form->n;
    memcpy(entry->form, form->v, form->n);
}

static void fill_simple(void)
{
    struct pd_bytes form = {0};
    for (uint32_t k = 0; k < PD_SIMPLE_LOW; k++)
        fill_entry(0x80 + k, &simple[k], &form);
    for (uint32_t k = 0; k < PD_SIMPLE_HIGH; k++)
        fill_entry(0x1E00 + k, &simple[PD_SIMPLE_LOW + k], &form);
    pd_bytes_release(&form);
}

const struct pd_simple *pd_simple_forms(void)
{
    pthread_once(&simple_once, fill_simple);
    return simple;
}

bool pd_word_is_form(const unsigned char *form, size_t n)
{
    struct pd_bytes again = {0};
    size_t plain = 0; /* bytes of small letters, digits and _ */
    while (plain < n && pd_ascii_form[form[plain]] == form[plain])
        plain++;
    if (plain == n)
        return true;
    pd_word_form(form, form + n, &again);
    const bool same = again.n == n && memcmp(again.v, form, n) == 0;
    pd_bytes_release(&again);
    return same;
}

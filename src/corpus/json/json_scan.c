/* corpus/json/json_scan.c - see json_scan.h */
#include "json_scan.h"

#include <stdint.h>
#include <string.h>

#include "corpus/rune.h"
#include "pardup/base/vector.h"

enum {
    DEEPEST = 128,           /* objects and arrays around a value */
    DIGITS = 18,             /* digits that any 64-bit integer can hold */
    REAL_BYTES = 100,        /* a longer real number may be out of range */
    EXPONENT_DIGITS = 2,     /* a number with a longer exponent may be out of range, too */
    NAME_PART = 256,         /* a part of a name before a dot is shorter */
    ESCAPE_BYTES = 6,        /* bytes of an escape such as \u00e9 */
    TWO_BYTES = 0x80,        /* the first character of two bytes in UTF-8 */
    THREE_BYTES = 0x800,     /* the first character of three bytes */
    FOUR_BYTES = 0x10000,    /* the first character of four bytes */
    SURROGATE_BITS = 10,     /* bits of a character in either unit */
    CHARACTER_BITS = 6,      /* bits of a character in a byte that follows */
    CHARACTER_MASK = 0x3f,   /* these bits */
    CHARACTER_FOLLOWS = 0x80 /* the bits of a byte that follows that are not of the character */
};

struct scan {
    const unsigned char *s; /* the next byte */
    const unsigned char *end;
    size_t commas; /* commas and opening brackets that may follow */
    unsigned depth;
    const char *rest[PD_JSON_NAMES_MOST]; /* names without the parts that led to this object */
    size_t rest_n[PD_JSON_NAMES_MOST];    /* their bytes */
    struct pd_json_value *values;
};

/* ---- strings ---- */

/* Four hexadecimal digits at s as a number; -1 when they are none. */
static int hex_quad(const unsigned char *s)
{
    int x = 0;
    for (int k = 0; k < 4; k++) {
        const unsigned char c = s[k], l = c | 0x20;
        if (c >= '0' && c <= '9')
            x = x << 4 | (c - '0');
        else if (l >= 'a' && l <= 'f')
            x = x << 4 | (l - 'a' + 10);
        else
            return -1;
    }
    return x;
}

int pd_json_unit(const unsigned char *s, size_t n)
{
    return n >= ESCAPE_BYTES && s[0] == '\\' && s[1] == 'u' ? hex_quad(s + 2) : -1;
}

/* The character of an escape of two bytes, by its letter; 0: there is no such escape. */
static inline unsigned char short_escape(unsigned char letter)
{
    switch (letter) {
    case '"':
    case '\\':
    case '/':
        return letter;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

/* Bytes of the escape at s[0, n), of both halves of a surrogate pair; 0 when it is broken. */
static inline size_t escape_bytes(const unsigned char *s, size_t n)
{
    if (n >= 2 && short_escape(s[1]))
        return 2;
    const int unit = pd_json_unit(s, n);
    if (!pd_json_is_high(unit) && !pd_json_is_low(unit))
        return unit < 0 ? 0 : ESCAPE_BYTES;
    const int low = pd_json_is_high(unit) ? pd_json_unit(s + ESCAPE_BYTES, n - ESCAPE_BYTES) : -1;
    return pd_json_is_low(low) ? (size_t)2 * ESCAPE_BYTES : 0;
}

/* The first byte at s that is no ASCII, a control, a quote or a backslash; `end` without one. */
static const unsigned char *pass_ascii(const unsigned char *s, const unsigned char *end)
{
#ifdef PD_VECTORS
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
                  space = _mm_set1_epi8(' ');
    for (; end - s >= 16; s += 16) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);
        /* bytes from 0x80 on are negative, so less than a space, too */
        const __m128i special =
            _mm_or_si128(_mm_cmplt_epi8(v, space),
                         _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)));
        const int bits = _mm_movemask_epi8(special);
        if (bits)
            return s + __builtin_ctz((unsigned)bits);
    }
#endif
    while (s < end && *s >= ' ' && *s < 0x80 && *s != '"' && *s != '\\')
        s++;
    return s;
}

/* Bytes of the character at s, which is no ASCII or an escape; 0 when it is broken. */
static inline size_t rare_bytes(const unsigned char *s, const unsigned char *end)
{
    const size_t left = (size_t)(end - s);
    return *s == '\\' ? escape_bytes(s, left) : *s < 0x80 ? 0 : pd_rune_bytes(s, left);
}

/* Pass a string; false when it is broken. */
static bool scan_string(struct scan *c, struct pd_json_value *v)
{
    const unsigned char *s = c->s + 1, *end = c->end;
    bool escaped = false;
    for (const unsigned char *begin = s; (s = pass_ascii(s, end)) < end;) {
        if (*s == '"') {
            *v = (struct pd_json_value){PD_JSON_STRING, escaped, begin, (size_t)(s - begin)};
            c->s = s + 1;
            return true;
        }
        do { /* such characters come in runs */
            const size_t taken = rare_bytes(s, end);
            if (taken == 0)
                return false;
            escaped |= *s == '\\';
            s += taken;
        } while (s < end && (*s >= 0x80 || *s == '\\'));
    }
    return false;
}

/* Write a character in UTF-8. Returns its bytes. */
static size_t put_utf8(unsigned c, unsigned char to[4])
{
    const size_t n = c < TWO_BYTES ? 1 : c < THREE_BYTES ? 2 : c < FOUR_BYTES ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t k = n; k-- > 1; c >>= CHARACTER_BITS)
        to[k] = (unsigned char)(CHARACTER_FOLLOWS | (c & CHARACTER_MASK));
    to[0] = (unsigned char)(lead[n] | c);
    return n;
}

size_t pd_json_unescape(const unsigned char *s, size_t n, unsigned char to[4], size_t *made)
{
    *made = 1;
    to[0] = s[0];
    if (s[0] != '\\' || n < 2)
        return 1;
    const int unit = s[1] == 'u' ? pd_json_unit(s, n) : -1;
    if (unit < 0) {
        to[0] = short_escape(s[1]) ? short_escape(s[1]) : s[1];
        return 2;
    }
    unsigned character = (unsigned)unit;
    size_t taken = ESCAPE_BYTES;
    if (pd_json_is_high(unit)) {
        const int low = pd_json_unit(s + taken, n - taken);
        if (pd_json_is_low(low)) {
            character = FOUR_BYTES + ((character - PD_JSON_HIGH) << SURROGATE_BITS) +
                        (unsigned)(low - PD_JSON_LOW);
            taken += ESCAPE_BYTES;
        }
    }
    *made = put_utf8(character, to);
    return taken;
}

size_t pd_json_decode(const struct pd_json_value *string, unsigned char *to)
{
    const unsigned char *s = string->s, *end = s + string->n;
    unsigned char *at = to, character[4];
    while (s < end) {
        const size_t left = (size_t)(end - s);
        const unsigned char *slash = string->escaped ? memchr(s, '\\', left) : NULL;
        const size_t plain = slash ? (size_t)(slash - s) : left;
        memcpy(at, s, plain);
        at += plain;
        s += plain;
        if (!slash)
            break;
        size_t made;
        s += pd_json_unescape(s, (size_t)(end - s), character, &made);
        memcpy(at, character, made);
        at += made;
    }
    return (size_t)(at - to);
}

/* ---- numbers and words ---- */

/* Pass digits. Returns how many. */
static size_t scan_digits(struct scan *c)
{
    const unsigned char *s = c->s;
    while (c->s < c->end && *c->s >= '0' && *c->s <= '9')
        c->s++;
    return (size_t)(c->s - s);
}

static bool is_at(const struct scan *c, unsigned char byte)
{
    return c->s < c->end && *c->s == byte;
}

/* Pass a number; false when it is broken, or may be out of range. */
static bool scan_number(struct scan *c, struct pd_json_value *v)
{
    *v = (struct pd_json_value){.kind = PD_JSON_INTEGER, .s = c->s};
    c->s += *c->s == '-';
    const bool zero = is_at(c, '0');
    const size_t digits = scan_digits(c);
    if (digits == 0 || (zero && digits > 1))
        return false;
    if (is_at(c, '.')) {
        v->kind = PD_JSON_REAL;
        c->s++;
        if (scan_digits(c) == 0)
            return false;
    }
    if (is_at(c, 'e') || is_at(c, 'E')) {
        v->kind = PD_JSON_REAL;
        c->s++;
        c->s += is_at(c, '+') || is_at(c, '-');
        const size_t exponent = scan_digits(c);
        if (exponent == 0 || exponent > EXPONENT_DIGITS)
            return false;
    }
    v->n = (size_t)(c->s - v->s);
    return v->kind == PD_JSON_INTEGER ? digits <= DIGITS : v->n <= REAL_BYTES;
}

static bool scan_word(struct scan *c, const char *word, enum pd_json_kind kind,
                      struct pd_json_value *v)
{
    const size_t n = strlen(word);
    *v = (struct pd_json_value){.kind = kind, .s = c->s, .n = n};
    if ((size_t)(c->end - c->s) < n || memcmp(c->s, word, n) != 0)
        return false;
    c->s += n;
    return true;
}

/* ---- objects and arrays ---- */

static bool scan_value(struct scan *c, struct pd_json_value *v);

/* Pass blanks. Is there a byte behind them? */
static bool pass_blanks(struct scan *c)
{
    while (c->s < c->end && (*c->s == ' ' || *c->s == '\t' || *c->s == '\r' || *c->s == '\n'))
        c->s++;
    return c->s < c->end;
}

/*
 * Pass the bracket that opens an object or array. *empty: the closing bracket followed, and was
 * passed, too.
 */
static bool scan_open(struct scan *c, unsigned char close, bool *empty)
{
    c->s++;
    if (c->depth == DEEPEST || c->commas == 0 || !pass_blanks(c))
        return false;
    c->depth++;
    c->commas--;
    *empty = *c->s == close;
    c->s += *empty;
    c->depth -= *empty;
    return true;
}

/* Pass what stands behind a value, `close` or a comma. *more: another value follows. */
static bool scan_comma(struct scan *c, unsigned char close, bool *more)
{
    if (!pass_blanks(c) || (*c->s != close && *c->s != ','))
        return false;
    *more = *c->s++ == ',';
    if (!*more) {
        c->depth--;
        return true;
    }
    return c->commas-- > 0 && pass_blanks(c);
}

static bool scan_array(struct scan *c)
{
    struct pd_json_value item;
    bool empty, more = true;
    if (!scan_open(c, ']', &empty))
        return false;
    while (!empty && more)
        if (!scan_value(c, &item) || !scan_comma(c, ']', &more))
            return false;
    return true;
}

/*
 * Which of the names `wanted` have the key as a whole, and which as their part before a dot?
 * False when a name with dots has been led by an earlier key of this object, which is in `led`.
 */
static bool match(const struct scan *c, uint64_t wanted, const struct pd_json_value *key,
                  uint64_t *led, uint64_t *whole, uint64_t *inner)
{
    *whole = *inner = 0;
    for (; wanted > 0; wanted &= wanted - 1) {
        const int k = __builtin_ctzll(wanted);
        const uint64_t bit = wanted & -wanted;
        if (c->rest_n[k] < key->n || memcmp(c->rest[k], key->s, key->n) != 0)
            continue;
        const bool ends = c->rest_n[k] == key->n;
        if (!ends && (c->rest[k][key->n] != '.' || key->n >= NAME_PART))
            continue;
        if (*led & bit)
            return false;
        if (!ends || memchr(c->rest[k], '.', c->rest_n[k]))
            *led |= bit;
        *(ends ? whole : inner) |= bit;
    }
    return true;
}

/* Take the first n bytes from the names, or put them back. */
static void shorten(struct scan *c, uint64_t names, size_t n, bool back)
{
    for (; names > 0; names &= names - 1) {
        const int k = __builtin_ctzll(names);
        c->rest[k] = back ? c->rest[k] - n : c->rest[k] + n;
        c->rest_n[k] = back ? c->rest_n[k] + n : c->rest_n[k] - n;
    }
}

/* Pass an object. The fields `wanted` are looked for in it. */
static bool scan_object(struct scan *c, uint64_t wanted)
{
    uint64_t led = 0, whole, inner;
    struct pd_json_value key, value;
    bool empty, more = true;
    if (!scan_open(c, '}', &empty))
        return false;
    while (!empty && more) {
        if (*c->s != '"' || !scan_string(c, &key) || key.escaped || !pass_blanks(c) ||
            *c->s++ != ':' || !pass_blanks(c) || !match(c, wanted, &key, &led, &whole, &inner))
            return false;
        if (inner && *c->s == '{') {
            value = (struct pd_json_value){.kind = PD_JSON_OBJECT, .s = c->s};
            shorten(c, inner, key.n + 1, false);
            if (!scan_object(c, inner))
                return false;
            shorten(c, inner, key.n + 1, true);
            value.n = (size_t)(c->s - value.s);
        } else if (!scan_value(c, &value)) {
            return false;
        }
        for (; whole > 0; whole &= whole - 1)
            c->values[__builtin_ctzll(whole)] = value;
        if (!scan_comma(c, '}', &more))
            return false;
    }
    return true;
}

/* Pass a value. */
static bool scan_value(struct scan *c, struct pd_json_value *v)
{
    const unsigned char *s = c->s;
    bool sound;
    switch (*s) {
    case '"':
        return scan_string(c, v);
    case 't':
        return scan_word(c, "true", PD_JSON_BOOLEAN, v);
    case 'f':
        return scan_word(c, "false", PD_JSON_BOOLEAN, v);
    case 'n':
        return scan_word(c, "null", PD_JSON_NULL, v);
    case '{':
        sound = scan_object(c, 0);
        *v = (struct pd_json_value){.kind = PD_JSON_OBJECT, .s = s, .n = (size_t)(c->s - s)};
        return sound;
    case '[':
        sound = scan_array(c);
        *v = (struct pd_json_value){.kind = PD_JSON_ARRAY, .s = s, .n = (size_t)(c->s - s)};
        return sound;
    default:
        return scan_number(c, v);
    }
}

bool pd_json_scan(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                  size_t commas, struct pd_json_value *values)
{
    struct scan c = {.s = s, .end = s + n, .commas = commas, .values = values};
    uint64_t wanted = 0;
    for (size_t k = 0; k < nnames; k++) {
        values[k] = (struct pd_json_value){.kind = PD_JSON_NONE};
        if (!names[k])
            continue;
        wanted |= (uint64_t)1 << k;
        c.rest[k] = names[k];
        c.rest_n[k] = strlen(names[k]);
    }
    return pass_blanks(&c) && *c.s == '{' && scan_object(&c, wanted) && !pass_blanks(&c);
}

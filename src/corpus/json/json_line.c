/* corpus/json/json_line.c - see src/corpus/json/json_line.h */
#include "json_line.h"

#include <jansson.h>
#include <string.h>

#include "corpus/rune.h"
#include "json_scan.h"

#define REPLACEMENT  "\xef\xbf\xbd" /* U+FFFD */
#define NUMBER_MOST  15             /* characters of a number that every parser can hold */
#define PART_MOST    256            /* bytes of a name before its dot */
#define ESCAPE_BYTES 6              /* bytes of an escape such as \u00e9 */

/*
 * Copy the escape at s[0, n), mended if need be. Returns its bytes in s; *mended is set if it was.
 */
static size_t mend_escape(const unsigned char *s, size_t n, struct pd_bytes *to, bool *mended)
{
    const int unit = pd_json_unit(s, n);
    if (unit >= 0) {
        if (pd_json_is_high(unit) &&
            pd_json_is_low(pd_json_unit(s + ESCAPE_BYTES, n - ESCAPE_BYTES))) {
            pd_bytes_append(to, s, (size_t)2 * ESCAPE_BYTES);
            return (size_t)2 * ESCAPE_BYTES;
        }
        if (pd_json_is_high(unit) || pd_json_is_low(unit)) {
            pd_bytes_append(to, REPLACEMENT, sizeof REPLACEMENT - 1);
            *mended = true;
        } else {
            pd_bytes_append(to, s, ESCAPE_BYTES);
        }
        return ESCAPE_BYTES;
    }
    if (n >= 2 && s[1] != '\0' && strchr("\"\\/bfnrt", s[1])) {
        pd_bytes_append(to, s, 2);
        return 2;
    }
    pd_bytes_append(to, "\\\\", 2); /* a backslash that escapes nothing is one */
    *mended = true;
    return 1;
}

static void append_control(struct pd_bytes *to, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    const char escape[ESCAPE_BYTES] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
    pd_bytes_append(to, escape, sizeof escape);
}

/* Bytes of s[0, n) that stand in a string as they are. */
static size_t plain_bytes(const unsigned char *s, size_t n)
{
    size_t k = 0;
    for (size_t c; k < n && s[k] >= ' ' && s[k] != '"' && s[k] != '\\'; k += c)
        if ((c = pd_rune_bytes(s + k, n - k)) == 0)
            break;
    return k;
}

/*
 * Copy the string at s[0, n), which begins with its quote. Returns its bytes in s.
 *   broken   bytes that are no UTF-8 stay
 */
static size_t mend_string(const unsigned char *s, size_t n, bool broken, struct pd_bytes *to,
                          bool *mended)
{
    size_t k = 1;
    pd_bytes_append(to, s, 1);
    while (k < n) {
        if (s[k] == '"') {
            pd_bytes_append(to, s + k, 1);
            return k + 1;
        }
        if (s[k] == '\\') {
            k += mend_escape(s + k, n - k, to, mended);
            continue;
        }
        const size_t plain = plain_bytes(s + k, n - k);
        pd_bytes_append(to, s + k, plain);
        k += plain;
        if (k == n || s[k] == '"' || s[k] == '\\')
            continue;
        if (s[k] < ' ')
            append_control(to, s[k]);
        else if (broken)
            pd_bytes_push(to, s[k]);
        else
            pd_bytes_append(to, REPLACEMENT, sizeof REPLACEMENT - 1);
        *mended = true;
        k++;
    }
    return n;
}

static bool is_word_byte(unsigned char c) { return c > ' ' && c < 0x7f && !strchr(",:{}[]\"", c); }

/* Bytes of the word at s[0, n): a number, true, null or what is written in their place. */
static size_t word_bytes(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (k < n && is_word_byte(s[k]))
        k++;
    return k;
}

static bool is_one_of(const unsigned char *s, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(s, word, n) == 0;
}

bool pd_json_is_number(const unsigned char *s, size_t n)
{
    size_t k = n > 0 && s[0] == '-', digits = k;
    while (k < n && s[k] >= '0' && s[k] <= '9')
        k++;
    if (k == digits || (s[digits] == '0' && k > digits + 1))
        return false;
    if (k < n && s[k] == '.') {
        digits = ++k;
        while (k < n && s[k] >= '0' && s[k] <= '9')
            k++;
        if (k == digits)
            return false;
    }
    if (k < n && (s[k] == 'e' || s[k] == 'E')) {
        k++;
        k += k < n && (s[k] == '+' || s[k] == '-');
        digits = k;
        while (k < n && s[k] >= '0' && s[k] <= '9')
            k++;
        if (k == digits)
            return false;
    }
    return k == n;
}

/* Copy the word s[0, n), or what stands for it. *huge: a number was copied as 0. */
static void mend_word(const unsigned char *s, size_t n, struct pd_bytes *to, bool *huge_number,
                      bool *mended)
{
    const bool number = pd_json_is_number(s, n);
    const bool huge = number && (n > NUMBER_MOST || memchr(s, 'e', n) || memchr(s, 'E', n));
    if (huge)
        pd_bytes_append(to, "0", 1);
    else if (number || is_one_of(s, n, "true") || is_one_of(s, n, "false"))
        pd_bytes_append(to, s, n);
    else
        pd_bytes_append(to, "null", 4);
    *huge_number |= huge;
    *mended |= !number && !is_one_of(s, n, "true") && !is_one_of(s, n, "false") &&
               !is_one_of(s, n, "null");
}

/* Does s[0, n) begin with a comma in front of a closing bracket? */
static bool is_last_comma(const unsigned char *s, size_t n)
{
    if (s[0] != ',')
        return false;
    const size_t k = pd_json_pass_blanks(s, 1, n);
    return k < n && (s[k] == '}' || s[k] == ']');
}

bool pd_json_mend(const unsigned char *s, size_t n, struct pd_bytes *to, bool *unsound)
{
    bool mended = false, huge = false;
    to->n = 0;
    for (size_t k = 0; k < n;) {
        const size_t word = word_bytes(s + k, n - k);
        if (s[k] == '"') {
            k += mend_string(s + k, n - k, false, to, &mended);
        } else if (word > 0) {
            mend_word(s + k, word, to, &huge, &mended);
            k += word;
        } else if (is_last_comma(s + k, n - k)) {
            pd_bytes_append(to, " ", 1);
            mended = true;
            k++;
        } else {
            pd_bytes_append(to, s + k++, 1);
        }
    }
    *unsound = mended;
    return mended || huge;
}

/* Bytes of the string at s[0, n), which begins with its quote. */
static size_t string_bytes(const unsigned char *s, size_t n)
{
    for (size_t k = 1; k < n;) {
        const unsigned char *quote = memchr(s + k, '"', n - k);
        if (!quote)
            break;
        size_t slashes = 0;
        while (slashes < (size_t)(quote - s) - k && quote[-1 - (ptrdiff_t)slashes] == '\\')
            slashes++;
        k = (size_t)(quote - s) + 1;
        if (slashes % 2 == 0)
            return k;
    }
    return n;
}

/* A name, or a part of one between dots. */
struct name {
    const char *v;
    size_t n;
};

/* Is the string s[0, n), with its quotes, the name? It may have escapes. */
static bool is_name(const unsigned char *s, size_t n, const struct name *want)
{
    if (n == want->n + 2 && memcmp(s + 1, want->v, want->n) == 0)
        return true;
    size_t same = 0, k = 1;
    if (n < want->n + 2 || !memchr(s, '\\', n))
        return false;
    for (size_t made; k < n - 1; same += made) {
        unsigned char character[4];
        k += pd_json_unescape(s + k, n - 1 - k, character, &made);
        if (same + made > want->n || memcmp(want->v + same, character, made) != 0)
            return false;
    }
    return same == want->n;
}

/*
 * Where the value of a field of the object s[0, n) begins. n: there is no such field. Of several
 * fields with this name the last one counts.
 */
static size_t member_at(const unsigned char *s, size_t n, const char *name, size_t name_n)
{
    const struct name want = {name, name_n};
    size_t found = n, depth = 0;
    for (size_t k = 0; k < n;) {
        if (s[k] != '"') {
            depth += s[k] == '{' || s[k] == '[';
            depth -= depth > 0 && (s[k] == '}' || s[k] == ']');
            k++;
            continue;
        }
        const size_t string = string_bytes(s + k, n - k);
        const bool named = depth == 1 && is_name(s + k, string, &want);
        k = pd_json_pass_blanks(s, k + string, n);
        if (k == n || s[k] != ':')
            continue;
        k = pd_json_pass_blanks(s, k + 1, n);
        if (named)
            found = k;
    }
    return found;
}

/* Bytes of the list or object at s[0, n); 0: it does not end. */
static size_t compound_bytes(const unsigned char *s, size_t n)
{
    size_t depth = 0;
    for (size_t k = 0; k < n;) {
        if (s[k] == '"') {
            k += string_bytes(s + k, n - k);
        } else {
            depth += s[k] == '[' || s[k] == '{';
            depth -= depth > 0 && (s[k] == ']' || s[k] == '}');
            k++;
        }
        if (depth == 0)
            return k;
    }
    return 0;
}

/* Where the value of pd_json_field() begins in the object s[0, n) as it is written; n: none. */
static size_t value_of(const unsigned char *s, size_t n, const char *name)
{
    size_t found = member_at(s, n, name, strlen(name));
    for (const char *dot = name; found == n && (dot = strchr(dot, '.')) != NULL; dot++) {
        const size_t at = member_at(s, n, name, (size_t)(dot - name));
        if (at == n || s[at] != '{')
            continue;
        const size_t size = compound_bytes(s + at, n - at), inner = value_of(s + at, size, dot + 1);
        found = inner < size ? at + inner : n;
    }
    return found;
}

size_t pd_json_number(const unsigned char *s, size_t n, const char *name,
                      const unsigned char **number)
{
    const size_t at = value_of(s, n, name);
    const size_t word = at < n ? word_bytes(s + at, n - at) : 0;
    *number = s + at;
    return word > 0 && (memchr("+-.", s[at], 3) || (s[at] >= '0' && s[at] <= '9')) ? word : 0;
}

size_t pd_json_string(const unsigned char *s, size_t n, const char *name,
                      const unsigned char **string)
{
    const size_t at = value_of(s, n, name);
    *string = s + at;
    return at < n && s[at] == '"' ? string_bytes(s + at, n - at) : 0;
}

void pd_json_mend_bytes(const unsigned char *s, size_t n, struct pd_bytes *to)
{
    bool mended;
    to->n = 0;
    mend_string(s, n, true, to, &mended);
}

size_t pd_json_compound(const unsigned char *s, size_t n, const char *name,
                        const unsigned char **value)
{
    const size_t at = value_of(s, n, name);
    *value = s + at;
    return at < n && (s[at] == '[' || s[at] == '{') ? compound_bytes(s + at, n - at) : 0;
}

/* ---- the names that an object has ---- */

static bool is_plain(const struct name *name)
{
    for (size_t k = 0; k < name->n; k++)
        if (name->v[k] <= ' ' || name->v[k] >= 0x7f)
            return false;
    return name->n > 0;
}

/*
 * Append a name, behind that of the object around it, if there is one, to the list in to[0, most).
 */
static void list_name(const struct name *outer, const struct name *name, char *to, size_t most)
{
    const size_t before = strlen(to), room = most - before;
    if (!is_plain(name) || (outer->n > 0 && !is_plain(outer)))
        return;
    const int n = snprintf(to + before, room, "%s%.*s%s%.*s", before ? ", " : "", (int)outer->n,
                           outer->n ? outer->v : "", outer->n ? "." : "", (int)name->n, name->v);
    if (n < 0 || (size_t)n >= room)
        to[before] = '\0';
}

void pd_json_string_fields(const unsigned char *s, size_t n, char *to, size_t most)
{
    struct name outer = {NULL, 0}, last = {NULL, 0};
    size_t depth = 0;
    bool inside = false; /* the container at depth 2 is the object in the field `outer` */
    *to = '\0';
    for (size_t k = 0; k < n;) {
        if (s[k] != '"') {
            depth += s[k] == '{' || s[k] == '[';
            depth -= depth > 0 && (s[k] == '}' || s[k] == ']');
            if (depth == 2 && (s[k] == '{' || s[k] == '[')) {
                inside = s[k] == '{';
                outer = last;
            }
            k++;
            continue;
        }
        const size_t string = string_bytes(s + k, n - k);
        const struct name name = {(const char *)s + k + 1, string > 1 ? string - 2 : 0};
        k = pd_json_pass_blanks(s, k + string, n);
        if (k == n || s[k] != ':' || depth == 0 || depth > 2 || (depth == 2 && !inside))
            continue;
        k = pd_json_pass_blanks(s, k + 1, n);
        const struct name none = {NULL, 0};
        if (k < n && s[k] == '"')
            list_name(depth == 2 ? &outer : &none, &name, to, most);
        if (depth == 1)
            last = name;
        k += k < n && s[k] == '"' ? string_bytes(s + k, n - k) : 0;
    }
}

const json_t *pd_json_field(const json_t *root, const char *name)
{
    const json_t *value = json_object_get(root, name);
    char part[PART_MOST];
    for (const char *dot = name; !value && (dot = strchr(dot, '.')) != NULL; dot++) {
        const size_t n = (size_t)(dot - name);
        if (n >= sizeof part)
            break;
        memcpy(part, name, n);
        part[n] = '\0';
        const json_t *object = json_object_get(root, part);
        value = object ? pd_json_field(object, dot + 1) : NULL;
    }
    return value;
}

/* run/check/flat.c - see src/run/check/flat.h */
#include "flat.h"

#include <string.h>

#include "pardup/document/utf8.h"

struct flat {
    const char *at, *end;
    struct pd_bytes *room;
};

static void pass_blanks(struct flat *f)
{
    while (f->at < f->end && (*f->at == ' ' || *f->at == '\t' || *f->at == '\r'))
        f->at++;
}

/* Pass the character c. False: another one comes. */
static bool pass(struct flat *f, char c)
{
    pass_blanks(f);
    if (f->at == f->end || *f->at != c)
        return false;
    f->at++;
    return true;
}

/* The character that the escape \c stands for; 0: it has none. */
static char escaped(char c)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *found = c ? strchr(from, c) : NULL;
    return found ? to[found - from] : '\0';
}

/* The number that the four digits at `digits` write; UINT32_MAX: they are no such digits. */
static uint32_t code_at(const char *digits, const char *end)
{
    uint32_t code = 0;
    if (end - digits < 4)
        return UINT32_MAX;
    for (int k = 0; k < 4; k++) {
        const char c = digits[k], letter = (char)(c | 0x20);
        const bool digit = c >= '0' && c <= '9';
        if (!digit && !(letter >= 'a' && letter <= 'f'))
            return UINT32_MAX;
        code = code << 4 | (uint32_t)(digit ? c - '0' : letter - 'a' + 10);
    }
    return code;
}

/* Read the escape behind \u, two of them for a character beyond U+FFFF. False: broken, or NUL. */
static bool read_code(struct flat *f)
{
    unsigned char utf8[PD_UTF8_MOST];
    uint32_t c = code_at(f->at, f->end);
    if (c == 0 || c == UINT32_MAX || (c >= 0xDC00 && c <= 0xDFFF))
        return false;
    f->at += 4;
    if (c >= 0xD800 && c <= 0xDBFF) {
        if (f->end - f->at < 2 || f->at[0] != '\\' || f->at[1] != 'u')
            return false;
        const uint32_t low = code_at(f->at + 2, f->end);
        if (low < 0xDC00 || low > 0xDFFF)
            return false;
        f->at += 6;
        c = 0x10000 + ((c - 0xD800) << 10 | (low - 0xDC00));
    }
    pd_bytes_append(f->room, utf8, pd_utf8_put(utf8, c));
    return true;
}

/* Read an escape, whose backslash is passed, into the room. */
static bool read_escape(struct flat *f)
{
    if (f->at == f->end)
        return false;
    const char c = *f->at++, plain = escaped(c);
    if (c == 'u')
        return read_code(f);
    if (plain)
        pd_bytes_push(f->room, (unsigned char)plain);
    return plain;
}

/* Read a string, which begins behind its quote. One with escapes is copied to the room. */
static bool read_string(struct flat *f, const char **text, size_t *n)
{
    const char *const begin = f->at;
    const size_t in_room = f->room->n;
    for (;;) {
        const char *from = f->at;
        while (f->at < f->end && *f->at != '"' && *f->at != '\\' && (unsigned char)*f->at >= ' ')
            f->at++;
        if (f->at == f->end || (unsigned char)*f->at < ' ')
            return false;
        if (*f->at == '"' && from == begin) { /* no escapes */
            *text = begin;
            *n = (size_t)(f->at++ - begin);
            break;
        }
        pd_bytes_append(f->room, from, (size_t)(f->at - from));
        *text = (const char *)f->room->v + in_room;
        *n = f->room->n - in_room;
        if (*f->at++ == '"')
            break;
        if (!read_escape(f))
            return false;
    }
    return pd_utf8_valid((const unsigned char *)*text, *n) == *n;
}

/* Read a name and its string. */
static bool read_field(struct flat *f, struct pd_flat_field fields[2])
{
    const char *name, *text;
    size_t name_n, n;
    if (!pass(f, '"') || !read_string(f, &name, &name_n) || !pass(f, ':') || !pass(f, '"') ||
        !read_string(f, &text, &n))
        return false;
    for (int k = 0; k < 2; k++)
        if (strlen(fields[k].name) == name_n && memcmp(fields[k].name, name, name_n) == 0) {
            fields[k].text = text;
            fields[k].n = n;
        }
    return true;
}

bool pd_flat_read(const char *line, size_t n, struct pd_flat_field fields[2], struct pd_bytes *room)
{
    struct flat f = {line, line + n, room};
    room->n = 0;
    pd_bytes_reserve(room, n + 1); /* strings in it must not move */
    fields[0].text = fields[1].text = NULL;
    if (!pass(&f, '{') || !read_field(&f, fields))
        return false;
    while (pass(&f, ','))
        if (!read_field(&f, fields))
            return false;
    if (!pass(&f, '}'))
        return false;
    pass_blanks(&f);
    return f.at == f.end;
}

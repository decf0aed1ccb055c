/*
 * corpus/mail/card.c - files of vCards and of calendars (RFC 6350, RFC 5545): the text is that of
 * their names, titles, summaries and notes, with an empty line between two entries.
 */
#include <string.h>
#include <strings.h>

#include "corpus/inside.h"
#include "pardup/base/error.h"

static bool begins(const unsigned char *s, size_t n, const char *word)
{
    const size_t m = strlen(word);
    return n >= m && strncasecmp((const char *)s, word, m) == 0;
}

static bool recognises(const struct pd_beginning *file)
{
    const unsigned char *s = file->s + file->text;
    const size_t n = file->n - file->text;
    return begins(s, n, "BEGIN:VCARD") || begins(s, n, "BEGIN:VCALENDAR");
}

/*
 * Does the property of the line s[0, n) hold text that a person reads? Then where its value begins;
 * else 0.
 */
static size_t value_at(const unsigned char *s, size_t n)
{
    static const char *const names[] = {"FN",      "TITLE",       "ORG",     "NOTE",
                                        "SUMMARY", "DESCRIPTION", "COMMENT", "LOCATION"};
    const unsigned char *group = memchr(s, '.', n), *colon = memchr(s, ':', n);
    const size_t from = group && colon && group < colon ? (size_t)(group - s) + 1 : 0;
    for (size_t k = 0; colon && k < sizeof names / sizeof *names; k++) {
        const size_t to = from + strlen(names[k]);
        if (begins(s + from, n - from, names[k]) && to < n && (s[to] == ':' || s[to] == ';'))
            return (size_t)(colon - s) + 1;
    }
    return 0;
}

/* Append the value s[0, n) and the lines that go on with it. Returns the bytes of all of them. */
static size_t put_value(struct pd_bytes *to, const unsigned char *s, size_t n)
{
    size_t k = 0;
    for (; k < n; k++) {
        const size_t end = s[k] == '\r' && k + 1 < n && s[k + 1] == '\n' ? k + 1 : k;
        if (s[end] == '\n' && (end + 1 == n || (s[end + 1] != ' ' && s[end + 1] != '\t')))
            break;
        if (s[end] == '\n')
            k = end + 1; /* the line goes on behind a blank */
        else if (s[k] == '\\' && k + 1 < n)
            pd_bytes_push(to, (s[++k] | 0x20) == 'n' ? '\n' : s[k]);
        else
            pd_bytes_push(to, s[k]);
    }
    pd_bytes_push(to, '\n');
    return k;
}

static int extract(struct pd_reader *r, struct pd_raw *raw)
{
    const unsigned char *s = raw->body, *const end = s + raw->n;
    bool any = false; /* the entry has text */
    r->text.n = 0;
    while (s < end) {
        const size_t left = (size_t)(end - s);
        const unsigned char *lf = memchr(s, '\n', left);
        const size_t line = lf ? (size_t)(lf - s) : left, at = value_at(s, line);
        if (at > 0)
            s += at + put_value(&r->text, s + at, left - at);
        else
            s += line;
        any |= at > 0;
        if (any && at == 0 && begins(end - left, left, "END:")) {
            pd_bytes_push(&r->text, '\n');
            any = false;
        }
        lf = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
        s = lf ? lf + 1 : end;
    }
    pd_reader_give_text(r, raw);
    return PD_OK;
}

const struct pd_layout pd_layout_card = {
    .recognises = recognises, .next = pd_whole_next, .extract = extract, .fixed = true};

/* code.c - see code.h */
#include "code.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "chars.h"

static bool is_ascii_white(unsigned char c) { return c < 0x80 && is_white(c); }

static bool is_name(unsigned char c)
{
    return is_ascii_lower(c | 0x20) || is_ascii_digit(c) || c == '_' || c == '$' || c >= 0x80;
}

static bool is_operator(unsigned char c) { return c != '\0' && strchr("+-*/%=<>!&|^~?:", c); }

static bool begins(const unsigned char *s, const unsigned char *end, const char *mark)
{
    const size_t n = strlen(mark);
    return (size_t)(end - s) >= n && memcmp(s, mark, n) == 0;
}

static const unsigned char *line_end(const unsigned char *s, const unsigned char *end)
{
    const unsigned char *found = memchr(s, '\n', (size_t)(end - s));
    return found ? found : end;
}

/* The position behind the next `mark`; `end` when there is none. */
static const unsigned char *behind(const unsigned char *s, const unsigned char *end,
                                   const char *mark)
{
    const unsigned char *found = memmem(s, (size_t)(end - s), mark, strlen(mark));
    return found ? found + strlen(mark) : end;
}

/* The end of the comment at s; s when there is none. `apart`: white space or nothing is before s. */
static const unsigned char *comment_end(const unsigned char *s, const unsigned char *end,
                                        bool apart)
{
    static const char *const quotes[] = {"\"\"\"", "'''"};
    for (size_t k = 0; k < sizeof quotes / sizeof *quotes; k++)
        if (begins(s, end, quotes[k]))
            return behind(s + strlen(quotes[k]), end, quotes[k]);
    if (begins(s, end, "/*"))
        return behind(s + 2, end, "*/");
    const bool dashes =
        begins(s, end, "--") && (end - s == 2 || s[2] == '-' || is_ascii_white(s[2]));
    if (begins(s, end, "//") || (apart && (*s == '#' || dashes)))
        return line_end(s, end);
    return s;
}

/* The end of the string at s, which is a quote; s when its line does not close it. */
static const unsigned char *string_end(const unsigned char *s, const unsigned char *end)
{
    const unsigned char quote = *s;
    for (const unsigned char *at = s + 1; at < end && *at != '\n'; at++) {
        if (*at == quote)
            return at + 1;
        at += *at == '\\' && at + 1 < end && at[1] != '\n';
    }
    return s;
}

/* Append the word [from, to), whose form is form[0, n). */
static void push_word(struct pd_document *d, const unsigned char *from, const unsigned char *to,
                      const void *form, size_t n)
{
    const struct pd_word word = {.begin = (uint32_t)(from - d->text),
                                 .end = (uint32_t)(to - d->text),
                                 .norm = (uint32_t)d->norm.n,
                                 .norm_n = (uint32_t)n,
                                 .term = XXH3_64bits(form, n)};
    pd_bytes_append(&d->norm, form, n);
    pd_words_push(&d->words, word);
}

/* Read the word at s, or what is none. Returns the position behind it. */
static const unsigned char *read_word(struct pd_document *d, const unsigned char *s)
{
    static const char name[] = "name", number[] = "number";
    const unsigned char *const end = d->text + d->text_n;
    const unsigned char *to = comment_end(s, end, s == d->text || is_ascii_white(s[-1]));
    if (to != s)
        return to;
    if (is_name(*s)) {
        const bool digit = is_ascii_digit(*s);
        while (to < end && (is_name(*to) || (digit && *to == '.')))
            to++;
        if (digit)
            push_word(d, s, to, number, sizeof number - 1);
        else
            push_word(d, s, to, name, sizeof name - 1);
        return to;
    }
    if (*s == '"' || *s == '\'' || *s == '`')
        to = string_end(s, end);
    else if (is_operator(*s))
        to = s + 1;
    if (to == s)
        return s + 1;
    push_word(d, s, to, s, (size_t)(to - s));
    return to;
}

/* Is the document too large, or not wanted? */
static bool is_too_large(const struct pd_document *d)
{
    return d->norm.n > UINT32_MAX || pd_document_is_dense(d) || (d->stopping && d->stopping());
}

/*
 * Append the words that begin in text[from, to). It looks at the text around, so a part of a text
 * has the words of the whole one.
 */
static bool read_range(struct pd_document *d, size_t from, size_t to)
{
    enum { STEP = 256 << 10 }; /* bytes between two looks whether to stop */
    size_t looked = from;
    for (const unsigned char *s = d->text + from; s < d->text + to;) {
        s = is_ascii_white(*s) ? s + 1 : read_word(d, s);
        if ((size_t)(s - d->text) - looked < STEP)
            continue;
        looked = (size_t)(s - d->text);
        if (is_too_large(d))
            return false;
    }
    return !is_too_large(d);
}

bool pd_code_read(struct pd_document *d)
{
    if (!read_range(d, 0, d->text_n))
        return false;
    uint32_t end = 0; /* of the word before */
    for (size_t k = 0; k < d->words.n; end = d->words.v[k++].end) {
        const struct pd_word *word = &d->words.v[k];
        if (k == 0 || memchr(d->text + end, '\n', word->begin - end))
            pd_sentences_push(&d->sentences,
                              (struct pd_sentence){.begin = word->begin, .word = (uint32_t)k});
        struct pd_sentence *line = &d->sentences.v[d->sentences.n - 1];
        line->end = word->end;
        line->nwords++;
    }
    return true;
}

bool pd_code_words(struct pd_document *d)
{
    for (size_t k = 0; k < d->sentences.n; k++) {
        struct pd_sentence *line = &d->sentences.v[k];
        line->word = (uint32_t)d->words.n;
        if (!read_range(d, line->begin, line->end))
            return false;
        line->nwords = (uint32_t)d->words.n - line->word;
    }
    return true;
}

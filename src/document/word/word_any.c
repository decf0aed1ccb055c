/* word_any.c - see word_any.h */
#include "word_any.h"

#include <utf8proc.h>

#include "pardup/base/error.h"
#include "seam.h"
#include "segmenter.h"

static bool is_digit(uint32_t c)
{
    return c < 0x80 ? is_ascii_digit(c)
                    : utf8proc_category((utf8proc_int32_t)c) == UTF8PROC_CATEGORY_ND;
}

/* Does a character of kind `next` continue a word of kind `word`? */
static bool same_run(enum pd_char_kind word, enum pd_char_kind next)
{
    return next == PD_CHAR_MARK || (next == word && word != PD_CHAR_SINGLE);
}

/* May the apostrophe or point at `joint`, after the character `last`, stand inside the word? */
static bool joins(const unsigned char *joint, const unsigned char *end, enum pd_char_kind word,
                  uint32_t last)
{
    unsigned len;
    const bool point = *joint == '.' || *joint == ',';
    char_at(joint, &len);
    if (joint + len >= end || word == PD_CHAR_SINGLE)
        return false;
    const uint32_t next = char_at(joint + len, &len);
    return point ? is_digit(last) && is_digit(next) : pd_kind_of(next) == word;
}

/* End of the word that starts at `next` with a character of kind `word`. */
static const unsigned char *find_word_end(const unsigned char *next, const unsigned char *end,
                                          enum pd_char_kind word)
{
    unsigned len;
    uint32_t last = char_at(next, &len);
    const unsigned char *last_end = next + len; /* of the last character that is not ignorable */
    if (word == PD_CHAR_MARK)
        word = PD_CHAR_RUN;
    for (next = last_end; next < end; next += len) {
        const uint32_t c = char_at(next, &len);
        const enum pd_char_kind kind = pd_kind_of(c);
        if (kind == PD_CHAR_IGNORABLE)
            continue;
        const bool inside = kind == PD_CHAR_APOSTROPHE || kind == PD_CHAR_POINT
                                ? joins(next, end, word, last)
                                : same_run(word, kind);
        if (!inside)
            break;
        last = c;
        last_end = next + len;
    }
    return last_end;
}

/*
 * Is character c stable: Han, Hiragana, Katakana or Hangul that normalisation does not change? A
 * word of only stable characters is its own normalised form.
 */
static bool is_stable(uint32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x3041 && c <= 0x3096) || c == 0x3005 || (c >= 0x30A1 && c <= 0x30FA) ||
           (c >= 0x30FC && c <= 0x30FE) || (c >= 0xAC00 && c <= 0xD7A3);
}

static bool are_stable(const unsigned char *next, const unsigned char *end)
{
    unsigned len;
    for (; next < end; next += len)
        if (!is_stable(char_at(next, &len)))
            return false;
    return true;
}

/*
 * Append the word text[begin, end), whose normalised form is d->norm from `norm` to its end. Its
 * hash is set later. A word with an empty form is left out: the version of Unicode decides which
 * characters vanish altogether.
 */
static void push_word(struct pd_document *d, size_t begin, size_t end, size_t norm)
{
    const size_t n = d->norm.n - norm;
    if (n > 0)
        pd_words_push(&d->words, (struct pd_word){.begin = (uint32_t)begin,
                                                  .end = (uint32_t)end,
                                                  .norm = (uint32_t)norm,
                                                  .norm_n = (uint32_t)n});
}

/* Append the word [begin, end), which may hold any characters. */
static void push_any(const unsigned char *text, const unsigned char *begin,
                     const unsigned char *end, struct pd_document *d)
{
    const size_t norm = d->norm.n;
    if (are_stable(begin, end))
        pd_bytes_append(&d->norm, begin, (size_t)(end - begin));
    else
        pd_word_form(begin, end, &d->norm);
    push_word(d, (size_t)(begin - text), (size_t)(end - text), norm);
}

/* The end of the run of Chinese and Japanese characters that starts at `next`. */
static const unsigned char *find_run_end(const unsigned char *next, const unsigned char *end)
{
    unsigned len;
    const unsigned char *run_end = next; /* end of the last character that is not ignorable */
    for (; next < end; next += len) {
        const enum pd_char_kind kind = pd_kind_of(char_at(next, &len));
        if (kind == PD_CHAR_IGNORABLE)
            continue;
        if (kind != PD_CHAR_SINGLE && kind != PD_CHAR_KANA && kind != PD_CHAR_MARK)
            break;
        run_end = next + len;
    }
    return run_end;
}

/* Append the words of the run that starts at `run`, by ICU's dictionary. Returns the run's end. */
static const unsigned char *scan_asian(const unsigned char *text, const unsigned char *run,
                                       const unsigned char *end, struct pd_document *d)
{
    const unsigned char *const run_end = find_run_end(run, end);
    if (d->segmenter == NULL)
        d->segmenter = pd_segmenter_new();
    PD_CHECK(d->segmenter != NULL);
    pd_segmenter_start(d->segmenter, run, (size_t)(run_end - run));
    for (const unsigned char *word = run; word < run_end;) {
        const unsigned char *next = run + pd_segmenter_next(d->segmenter);
        push_any(text, word, next, d);
        word = next;
    }
    return run_end;
}

/* What a joint does. A joint is a quote or point after a character of a word. */
enum step {
    TAKE, /* the joint belongs to the word, which goes on */
    END,  /* the word ends before the joint */
    ASK   /* find_word_end() decides */
};

/* Is c an ASCII digit, or the first or last byte of a character that may be a digit? */
static bool may_be_digit(unsigned char c) { return is_ascii_digit(c) || c >= 0x80; }

/* What the joint, which has `joint_n` bytes, does. */
static enum step step_at(const struct pd_scan *scan, const unsigned char *joint, size_t joint_n,
                         const unsigned char *end)
{
    const unsigned char *next = joint + joint_n;
    if (next >= end)
        return END;
    if (*joint == '.' || *joint == ',') {
        if (!may_be_digit(joint[-1]) || !may_be_digit(*next))
            return END;
        return joint[-1] >= 0x80 || *next >= 0x80 ? ASK : TAKE;
    }
    if (*next < 0x80)
        return pd_ascii_form[*next] ? TAKE : END;
    unsigned len;
    const uint32_t c = char_at(next, &len);
    return pd_scan_kind(scan, c) == PD_CHAR_RUN     ? TAKE
           : pd_scan_kind(scan, c) == PD_CHAR_BREAK ? END
                                                    : ASK;
}

/* Most bytes of a word that scan_simple() reads, and bytes of room for its normalised form. */
enum { SIMPLE_MOST = 512 };
#define SIMPLE_ROOM (SIMPLE_MOST * sizeof((struct pd_simple *)0)->form)

/*
 * Read the word at `next` when all its characters are ASCII or simple (word_form.h). Writes its
 * normalised form to out[0, *n); out has SIMPLE_ROOM bytes. Returns the end of the word, or NULL
 * when it is too long or has other characters.
 */
static const unsigned char *scan_simple(const struct pd_scan *scan, const unsigned char *next,
                                        const unsigned char *end, unsigned char *out, size_t *n)
{
    unsigned char *form_end = out;
    unsigned len;
    for (const unsigned char *begin = next; next < end; next += len) {
        if (next - begin >= SIMPLE_MOST)
            return NULL;
        const uint32_t c = char_at(next, &len);
        const struct pd_simple *simple = pd_simple_of(scan->simple, c);
        if (pd_ascii_form[*next]) {
            *form_end++ = pd_ascii_form[*next];
        } else if (simple && simple->simple) {
            memcpy(form_end, simple->form, sizeof simple->form);
            form_end += simple->n;
        } else if (c == '\'' || c == '.' || c == ',' || c == 0x2019 || c == 0x92) {
            const enum step step = step_at(scan, next, len, end);
            if (step == ASK)
                return NULL;
            if (step == END)
                break;
            *form_end++ = c >= 0x80 ? '\'' : (unsigned char)c;
        } else {
            const enum pd_char_kind kind = pd_scan_kind(scan, c);
            if (kind == PD_CHAR_BREAK || kind == PD_CHAR_SINGLE || kind == PD_CHAR_KANA)
                break;
            return NULL;
        }
    }
    *n = (size_t)(form_end - out);
    return next;
}

/*
 * Append the word at `word`, which begins with a character of kind PD_CHAR_RUN. Returns the word's
 * end.
 */
static const unsigned char *scan_run(const struct pd_scan *scan, const unsigned char *word,
                                     const unsigned char *end, struct pd_document *d)
{
    size_t n, norm = d->norm.n;
    pd_bytes_reserve(&d->norm, norm + SIMPLE_ROOM);
    const unsigned char *word_end = scan_simple(scan, word, end, d->norm.v + norm, &n);
    if (word_end == NULL) {
        word_end = find_word_end(word, end, PD_CHAR_RUN);
        push_any(scan->text, word, word_end, d);
        return word_end;
    }
    d->norm.n += n;
    push_word(d, (size_t)(word - scan->text), (size_t)(word_end - scan->text), norm);
    return word_end;
}

const unsigned char *pd_word_any(const struct pd_scan *scan, const unsigned char *word,
                                 const unsigned char *end, struct pd_document *d)
{
    unsigned len;
    const uint32_t c = char_at(word, &len);
    const enum pd_char_kind kind = pd_scan_kind(scan, c);
    if (kind == PD_CHAR_BREAK || kind >= PD_CHAR_IGNORABLE) {
        const size_t i = (size_t)(word - scan->text);
        if ((*word == 0xC2 || *word == 0xE2) && i >= scan->blocks_end && pd_seam_may_begin(word))
            pd_scan_seam(d, i); /* the block has not been classified */
        return word + len;
    }
    if (kind == PD_CHAR_RUN)
        return scan_run(scan, word, end, d);
    if (d->words_kind == PD_WORDS_ICU && (kind == PD_CHAR_SINGLE || kind == PD_CHAR_KANA))
        return scan_asian(scan->text, word, end, d);
    const unsigned char *word_end = find_word_end(word, end, kind);
    push_any(scan->text, word, word_end, d);
    d->single_words += kind == PD_CHAR_SINGLE;
    return word_end;
}

/* page_told.c - see page_told.h */
#include "page_told.h"

#include <stdbool.h>
#include <string.h>

#include "document/html/html_reference.h"
#include "pardup/base/hash.h"
#include "pardup/base/scan.h"

enum { RUN = 3 /* words */ };

/* The end of a JSON string that begins at s, behind the quotation mark: its last quotation mark. */
static const unsigned char *string_end(const unsigned char *s, const unsigned char *end)
{
    for (; s < end && *s != '"'; s++)
        s += *s == '\\' && s + 1 < end;
    return s;
}

static bool equals(const unsigned char *s, size_t n, const char *name)
{
    return n == strlen(name) && memcmp(s, name, n) == 0;
}

/* What a value of JSON-LD with this name is; PD_TOLD_N for other names. */
static enum pd_told what_of_json(const unsigned char *name, size_t n)
{
    if (equals(name, n, "articleBody") || equals(name, n, "text"))
        return PD_TOLD_TEXT;
    if (equals(name, n, "headline"))
        return PD_TOLD_TITLE;
    return equals(name, n, "description") ? PD_TOLD_ABOUT : PD_TOLD_N;
}

void pd_told_json(struct pd_told_pieces *pieces, const unsigned char *s, size_t n)
{
    const unsigned char *const end = s + n;
    enum pd_told what = PD_TOLD_N; /* the string ahead is the value of such a name */
    while ((s = memchr(s, '"', (size_t)(end - s))) != NULL) {
        const unsigned char *const begin = s + 1, *const close = string_end(begin, end);
        if (what != PD_TOLD_N)
            pd_told_pieces_push(pieces,
                                (struct pd_told_piece){begin, (size_t)(close - begin), what});
        s = close < end ? close + 1 : end;
        while (s < end && pd_scan_is_space(*s))
            s++;
        what = PD_TOLD_N;
        if (s < end && *s == ':') {
            for (s++; s < end && pd_scan_is_space(*s);)
                s++;
            if (s < end && *s == '"')
                what = what_of_json(begin, (size_t)(close - begin));
        }
    }
}

void pd_told_meta(struct pd_told_pieces *pieces, const unsigned char *s, size_t n)
{
    enum pd_told what = PD_TOLD_N;
    if (memmem(s, n, "og:title", 8))
        what = PD_TOLD_TITLE;
    else if (memmem(s, n, "description", 11))
        what = PD_TOLD_ABOUT;
    const unsigned char *value = what == PD_TOLD_N ? NULL : memmem(s, n, "content=", 8);
    if (!value || value + 9 >= s + n)
        return;
    value += 8;
    const size_t left = (size_t)(s + n - value - 1);
    const unsigned char *close =
        *value == '"' || *value == '\'' ? memchr(value + 1, *value, left) : NULL;
    if (close)
        pd_told_pieces_push(pieces,
                            (struct pd_told_piece){value + 1, (size_t)(close - value - 1), what});
}

static unsigned hex_of(unsigned char c)
{
    return c <= '9' ? c - (unsigned)'0' : (c | 0x20u) - 'a' + 10;
}

/* Append the character that \uXXXX at s stands for, if it is in the basic plane. */
static void append_escape(struct pd_bytes *out, const unsigned char *s)
{
    unsigned c = 0;
    for (unsigned k = 0; k < 4; k++)
        c = c << 4 | (hex_of(s[k]) & 15);
    unsigned char utf8[3] = {(unsigned char)(0xE0 | c >> 12), (unsigned char)(0x80 | (c >> 6 & 63)),
                             (unsigned char)(0x80 | (c & 63))};
    if (c < 0x80)
        pd_bytes_append(out, &(unsigned char){(unsigned char)c}, 1);
    else if (c < 0x800)
        pd_bytes_append(out, &(unsigned char[2]){(unsigned char)(0xC0 | c >> 6), utf8[2]}, 2);
    else
        pd_bytes_append(out, utf8, sizeof utf8);
}

/* The text of a piece without escapes, tags and character references. */
static void append_plain(struct pd_bytes *out, const struct pd_told_piece *piece)
{
    const unsigned char *const end = piece->s + piece->n;
    unsigned char reference[PD_REFERENCE_MOST];
    for (const unsigned char *s = piece->s; s < end;) {
        const unsigned char *plain = s;
        size_t n = 0;
        while (s < end && *s != '\\' && *s != '<' && *s != '&')
            s++;
        pd_bytes_append(out, plain, (size_t)(s - plain));
        if (s == end)
            break;
        if (*s == '\\' && end - s >= 6 && s[1] == 'u') {
            append_escape(out, s + 2);
            s += 6;
        } else if (*s == '\\') {
            pd_bytes_append(out, " ", 1);
            s += end - s < 2 ? 1 : 2;
        } else if (*s == '<') {
            const unsigned char *close = memchr(s, '>', (size_t)(end - s));
            pd_bytes_append(out, " ", 1);
            s = close ? close + 1 : s + 1;
        } else {
            const size_t length = pd_html_reference(s, (size_t)(end - s), reference, &n);
            pd_bytes_append(out, length ? reference : (const unsigned char *)" ", length ? n : 1);
            s += length ? length : 1;
        }
    }
}

/* Bytes of the sign or the no-break space, beyond ASCII, that begins at s; 0: it is a letter. */
static size_t sign_at(const unsigned char *s, const unsigned char *end)
{
    if (*s == 0xC2)
        return 2;
    return end - s >= 2 && (*s == 0xE2 || *s == 0xE3) && s[1] == 0x80 ? 3 : 0;
}

/*
 * The next word of a run of letters and digits, some of which are beyond ASCII. A Chinese or
 * Japanese character is a word. Apostrophes and other punctuation separate words, since they are
 * written in several ways. Returns where the word begins, NULL: there is none. *behind is where it
 * ends.
 */
static const unsigned char *word_at(const unsigned char *s, const unsigned char *end,
                                    const unsigned char **behind)
{
    while (s < end && *s >= 0x80 && sign_at(s, end) != 0)
        s += sign_at(s, end);
    if (s >= end)
        return NULL;
    const unsigned char *const begin = s;
    if (*s >= 0xE3 && *s <= 0xE9) {
        *behind = end - s < 3 ? end : s + 3; /* JSON may be cut inside a character */
        return begin;
    }
    while (s < end && (*s < 0x80 || !((*s >= 0xE3 && *s <= 0xE9) || sign_at(s, end) != 0)))
        s++;
    *behind = s;
    return begin;
}

/* A walk over the runs of a text. */
struct walk {
    struct pd_page_words words;
    const unsigned char *lower; /* the text in lower case */
    const unsigned char *s;     /* in a run of letters with some beyond ASCII; NULL: in none */
    uint64_t last[RUN];         /* hashes of the last words, the oldest first */
    unsigned n;                 /* words read */
    bool done;
};

static struct walk walk_of(const struct pd_page_text *text, size_t begin, size_t end)
{
    return (struct walk){.words = pd_page_words_of(text, begin, end, true), .lower = text->lower};
}

/* The hash of the next word. False behind the last one. */
static inline bool next_word(struct walk *w, uint64_t *hash)
{
    const unsigned char *const lower = w->lower;
    for (;;) {
        if (w->s) {
            const unsigned char *const begin = word_at(w->s, lower + w->words.to, &w->s);
            if (begin) {
                *hash = pd_page_word_hash(begin, (size_t)(w->s - begin));
                return true;
            }
            w->s = NULL;
        }
        if (!pd_page_words_next(&w->words))
            return false;
        if (!w->words.beyond) {
            *hash = pd_page_word_hash(lower + w->words.from, w->words.to - w->words.from);
            return true;
        }
        w->s = lower + w->words.from;
    }
}

/* The next run. False behind the last one. */
static inline bool next_run(struct walk *w, uint64_t *run)
{
    while (!w->done) {
        uint64_t hash;
        w->done = !next_word(w, &hash);
        if (!w->done) {
            w->last[0] = w->last[1];
            w->last[1] = w->last[2];
            w->last[2] = hash;
            w->n++;
        }
        if (w->done ? w->n > 0 && w->n < RUN : w->n >= RUN) {
            *run = pd_mix(w->last[0] + 3 * w->last[1] + 5 * w->last[2]);
            return true;
        }
    }
    return false;
}

/*
 * A slot holds the upper bits of a run and, in its lowest bits, where it was met: a bit for each
 * enum pd_told.
 */
static uint32_t meet(struct pd_told_runs *runs, uint64_t run, enum pd_told what)
{
    const uint32_t bits = (1u << PD_TOLD_N) - 1, key = (uint32_t)(run >> 32) & ~bits;
    size_t k = run & runs->mask;
    while (runs->slots[k] != 0 && (runs->slots[k] & ~bits) != key)
        k = (k + 1) & runs->mask;
    const uint32_t before = runs->slots[k] & bits;
    if (before != 0 || runs->room > 0) {
        runs->room -= before == 0;
        runs->slots[k] = key | before | 1u << what;
    }
    return before;
}

struct pd_told_runs pd_told_runs_make(const struct pd_told_pieces *pieces, size_t words)
{
    struct pd_told_runs runs = {0};
    struct pd_bytes plain = {0};
    for (size_t k = 0; k < pieces->n; k++)
        words += pieces->v[k].n / 4;
    size_t slots = 64;
    while (slots < 2 * words)
        slots *= 2;
    runs.slots = pd_realloc(NULL, slots, sizeof *runs.slots);
    memset(runs.slots, 0, slots * sizeof *runs.slots);
    runs.mask = slots - 1;
    runs.room = slots / 4 * 3;
    for (size_t k = 0; k < pieces->n; k++) {
        plain.n = 0;
        append_plain(&plain, &pieces->v[k]);
        struct pd_page_text text;
        pd_page_text_read(&text, plain.v, plain.n);
        struct walk w = walk_of(&text, 0, text.n);
        for (uint64_t run; next_run(&w, &run);)
            meet(&runs, run, pieces->v[k].what);
        runs.text_words += pieces->v[k].what == PD_TOLD_TEXT ? w.n : 0;
        pd_page_text_release(&text);
    }
    pd_bytes_release(&plain);
    return runs;
}

void pd_told_look_up(struct pd_told_runs *runs, const struct pd_page_text *text, size_t begin,
                     size_t end, uint8_t *shares)
{
    struct walk w = walk_of(text, begin, end);
    uint64_t all = 0, met[PD_TOLD_N] = {0};
    for (uint64_t run; next_run(&w, &run); all++) {
        const uint32_t before = meet(runs, run, PD_TOLD_BEFORE);
        for (unsigned what = 0; what < PD_TOLD_N; what++)
            met[what] += before >> what & 1;
    }
    for (unsigned what = 0; what < PD_TOLD_N; what++)
        shares[what] = all ? (uint8_t)(255 * met[what] / all) : 0;
}

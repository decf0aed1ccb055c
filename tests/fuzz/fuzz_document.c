/*
 * tests/fuzz/fuzz_document.c - any bytes as the body of a document: character set, HTML, main
 * content, sentences or clauses, words.
 */
#include <stdbool.h>

#include "document/sentence/sentence.h"
#include "fuzz.h"
#include "pardup/base/hash.h"
#include "pardup/document/document.h"
#include "pardup/document/utf8.h"
#include "pardup/document/word.h"

struct settings {
    unsigned char how;   /* two bits each: media, units, content and frame, words */
    unsigned char label; /* from outside */
};

static const char *const labels[] = {
    NULL,          "utf-8",       "latin1",      "windows-1251", "gbk",          "gb18030",
    "big5",        "shift_jis",   "euc-jp",      "iso-2022-jp",  "euc-kr",       "utf-16",
    "utf-16be",    "iso-8859-8",  "koi8-r",      "macintosh",    "utf-7",        "hz-gb-2312",
    "iso-2022-kr", "iso-2022-cn", "windows-874", "tis-620",      "windows-1258", "x-user-defined",
};

/* Does text[at] begin a character, or end the text? */
static bool is_border(const unsigned char *text, size_t n, size_t at)
{
    return at == n || (at < n && (text[at] & 0xC0) != 0x80);
}

static void check_words(const struct pd_document *d)
{
    for (size_t k = 0; k < d->words.n; k++) {
        const struct pd_word *w = &d->words.v[k];
        PD_CHECK(w->begin < w->end && w->end <= d->text_n);
        PD_CHECK(k == 0 || w[-1].end <= w->begin);
        PD_CHECK(is_border(d->text, d->text_n, w->begin));
        PD_CHECK(is_border(d->text, d->text_n, w->end));
        PD_CHECK(w->norm_n > 0 && (size_t)w->norm + w->norm_n <= d->norm.n);
        PD_CHECK(pd_utf8_valid(d->norm.v + w->norm, w->norm_n) == w->norm_n);
        PD_CHECK(w->term == pd_hash_bytes(d->norm.v + w->norm, w->norm_n));
    }
}

static void check_units(const struct pd_document *d)
{
    size_t word = 0;
    for (size_t k = 0; k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        PD_CHECK(s->begin < s->end && s->end <= d->text_n);
        PD_CHECK(k == 0 || s[-1].end <= s->begin);
        PD_CHECK(is_border(d->text, d->text_n, s->begin));
        PD_CHECK(is_border(d->text, d->text_n, s->end));
        PD_CHECK(s->word == word && s->nwords > 0);
        word += s->nwords;
        PD_CHECK(word <= d->words.n);
        PD_CHECK(d->words.v[s->word].begin >= s->begin && d->words.v[word - 1].end <= s->end);
    }
    PD_CHECK(word == d->words.n);
}

/* Doubtful or linked blocks are ascending parts of the text, outside the frame. */
static void check_blocks(const struct pd_document *d, const struct pd_extents *v,
                         bool (*asks)(const struct pd_document *d, size_t k, size_t *at))
{
    size_t in_frame = 0, at = 0;
    for (size_t k = 0; k < v->n; k++) {
        PD_CHECK(v->v[k].begin <= v->v[k].end && v->v[k].end <= d->text_n);
        PD_CHECK(k == 0 || v->v[k - 1].end <= v->v[k].begin);
    }
    for (size_t k = 0; k < d->sentences.n; k++) {
        const bool frame = pd_document_in_frame(d, k, &in_frame);
        PD_CHECK(!(asks(d, k, &at) && frame));
    }
}

/* Sentences as they are split hold every byte that is not white space (ASCII, for this test). */
static void check_split(const struct pd_document *d)
{
    struct pd_sentences all = {0};
    pd_sentences_split(d->text, d->text_n, &all);
    size_t at = 0;
    for (size_t k = 0; k <= all.n; k++) {
        const size_t begin = k < all.n ? all.v[k].begin : d->text_n;
        PD_CHECK(at <= begin);
        for (; at < begin; at++)
            PD_CHECK(d->text[at] >= 0x80 || strchr(" \t\n\v\f\r", d->text[at]));
        at = k < all.n ? all.v[k].end : begin;
        PD_CHECK(k == all.n || (begin < at && at <= d->text_n));
    }
    pd_sentences_release(&all);
}

/* Origins are ascending, and lie in the text and in the page. */
static void check_origins(const struct pd_origins *o, size_t text, size_t n)
{
    size_t at = 0, from = 0;
    for (size_t k = 0; k < o->n; k++) {
        PD_CHECK(o->v[k].at >= at && o->v[k].from >= from);
        at = (size_t)o->v[k].at + o->v[k].n;
        from = (size_t)o->v[k].from + o->v[k].from_n;
    }
    PD_CHECK(at <= text && from <= n);
}

/*
 * The text of HTML is the same with and without its links, which are ascending and disjoint, and
 * with its origins.
 */
static void check_html(const unsigned char *html, size_t n)
{
    struct pd_bytes a = {0}, b = {0};
    struct pd_html_outline outline = {0};
    pd_html_text(html, n, &a);
    pd_html_text_outlined(html, n, false, &b, &outline);
    const struct pd_html_links links = outline.links;
    PD_CHECK(a.n == b.n && (a.n == 0 || memcmp(a.v, b.v, a.n) == 0));
    for (size_t k = 0; k < links.n; k++) {
        PD_CHECK(links.v[k].begin < links.v[k].end && links.v[k].end <= a.n);
        PD_CHECK(k == 0 || links.v[k - 1].end <= links.v[k].begin);
    }
    struct pd_origins origins = {0};
    b.n = 0;
    pd_html_text_told(html, n, false, &b, &(struct pd_html_wants){.origins = &origins});
    PD_CHECK(a.n == b.n && (a.n == 0 || memcmp(a.v, b.v, a.n) == 0));
    check_origins(&origins, a.n, n);
    pd_origins_release(&origins);
    pd_bytes_release(&a);
    pd_bytes_release(&b);
    pd_html_outline_release(&outline);
}

/*
 * Can the bytes themselves tell a character set, by escape sequences, HZ, UTF-16, a byte order mark, or
 * signs that are struck over others?
 */
static bool tells_form(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (s[k] == 0x1B || s[k] == '~' || s[k] == 0 || s[k] == '\b')
            return true;
    return n >= 2 && s[0] >= 0xEF;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    struct settings how;
    fuzz_settings(data, &n, &how, sizeof how);
    const char *label = labels[how.label % (sizeof labels / sizeof *labels)];
    struct pd_document d = {
        .content = how.how >> 4 & 1 ? PD_CONTENT_MAIN : PD_CONTENT_ALL,
        .marks_frame = how.how >> 5 & 1,
        .base = (how.how >> 2 & 3) % 3,
        .words_kind = how.how >> 6 & 1 && pd_words_have_icu() ? PD_WORDS_ICU : PD_WORDS_CHAR,
    };
    /* of its own size: nothing may be read behind the body */
    unsigned char *body = pd_realloc(NULL, n ? n : 1, 1);
    memcpy(body, data, n);
    const struct pd_raw raw = {.body = body,
                               .n = n,
                               .charset = label,
                               .charset_n = label ? strlen(label) : 0,
                               .media = how.how & 3};
    enum pd_skip why = PD_SKIP_KINDS;
    const int status = pd_document_read(&d, &raw, &why);
    PD_CHECK(status == PD_OK || (status == PD_END && why < PD_SKIP_KINDS));
    if (status == PD_OK) {
        PD_CHECK(d.text_n <= PD_DOCUMENT_MOST && pd_utf8_valid(d.text, d.text_n) == d.text_n);
        PD_CHECK(n == 0 || raw.media != PD_MEDIA_TEXT || label || d.replaced ||
                 tells_form(body, n) || pd_utf8_valid(body, n) < n ||
                 (d.text == body && d.text_n == n));
        check_words(&d);
        check_units(&d);
        check_blocks(&d, &d.main.doubtful, pd_document_in_doubt);
        check_blocks(&d, &d.main.linked, pd_document_is_linked);
        check_split(&d);
        check_html(d.text, d.text_n);
    }
    pd_document_release(&d);
    free(body);
    return 0;
}

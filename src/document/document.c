/* document.c - see include/pardup/document/document.h */
#include "pardup/document/document.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "code.h"
#include "document/charset/charset.h"
#include "document/charset/overstrike.h"
#include "document/page/content.h"
#include "document/sentence/clause.h"
#include "document/sentence/sentence.h"
#include "document/word/segmenter.h"
#include "document/xml/xml.h"
#include "feed.h"
#include "letter.h"
#include "pardup/base/error.h"
#include "pardup/base/wide.h"
#include "pardup/document/byline.h"
#include "pardup/document/utf8.h"
#include "pardup/document/word.h"

enum {
    CONTROLS_BYTES = 4096, /* bytes at the start of a body searched for control characters */
    CONTROLS_FREE = 4,     /* control characters allowed in any text */
    CONTROLS_SHARE = 32,   /* one more is allowed for each 32 bytes */
    CONTROLS_TEXT = 16,    /* control characters allowed in UTF-8 without NUL */
    CONTROLS_MOST = 8      /* in such a text, one more is allowed for each 8 bytes */
};

/* First bytes of files of binary formats. */
/* clang-format off */
#define MAGIC(bytes) {bytes, sizeof(bytes) - 1}
static const struct magic {
    const char *bytes;
    size_t n;
} magics[] = {
    MAGIC("%PDF-"), MAGIC("\x89PNG\r\n"), MAGIC("GIF87a"), MAGIC("GIF89a"),
    MAGIC("\xFF\xD8\xFF"), /* JPEG */
    MAGIC("II*\0"), MAGIC("MM\0*"), /* TIFF */
    MAGIC("PK\3\4"), MAGIC("7z\xBC\xAF"), MAGIC("Rar!\x1A"), MAGIC("\x1F\x8B"), /* gzip */
    MAGIC("BZh91AY&SY"), MAGIC("\xFD\067zXZ"), MAGIC("\x28\xB5\x2F\xFD"), /* zstd */
    MAGIC("\x7F\105LF"), MAGIC("\xCA\xFE\xBA\xBE"), /* Java class */
    MAGIC("\xD0\xCF\x11\xE0"), /* old Word, Excel */
    MAGIC("OggS\0"),
};
#undef MAGIC
/* clang-format on */

static bool has_magic(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < sizeof magics / sizeof *magics; k++) {
        if (n >= magics[k].n && memcmp(s, magics[k].bytes, magics[k].n) == 0)
            return true;
    }
    return false;
}

/* Is the body labelled as UTF-16 or UTF-32? */
static bool is_labelled_wide(const struct pd_raw *raw)
{
    enum { NAME = sizeof "utf-16" - 1 };
    return raw->charset_n >= NAME && (strncasecmp(raw->charset, "utf-16", NAME) == 0 ||
                                      strncasecmp(raw->charset, "utf-32", NAME) == 0);
}

/*
 * Count the control characters that no text holds. Backspace, tab, line feed, form feed, carriage
 * return and escape do occur in texts and are not counted. The inner loop counts in bytes, so that
 * the compiler makes it a vector loop.
 */
static size_t count_controls(const unsigned char *s, size_t n)
{
    enum { STEP = 128 }; /* bytes; at most 255, so that a byte can hold their count */
    size_t sum = 0;
    while (n > 0) {
        const size_t step = n < STEP ? n : STEP;
        unsigned char count = 0;
        for (size_t k = 0; k < step; k++) {
            const unsigned char c = s[k];
            count = (unsigned char)(count + (c < 0x08));
            count = (unsigned char)(count + (c == 0x0B));
            count = (unsigned char)(count + ((unsigned char)(c - 0x0E) < 0x1B - 0x0E));
            count = (unsigned char)(count + ((unsigned char)(c - 0x1C) < 0x20 - 0x1C));
        }
        sum += count;
        s += step;
        n -= step;
    }
    return sum;
}

/*
 * An upper bound of count_controls() in fewer steps: counts all control characters except tab and
 * line feed, and each byte after the last whole STEP.
 */
static size_t bound_controls(const unsigned char *s, size_t n)
{
    enum { STEP = 128 };
    size_t sum = n % STEP;
    for (const unsigned char *const end = s + n - n % STEP; s < end; s += STEP) {
        unsigned char count = 0;
        for (size_t k = 0; k < STEP; k++) {
            count = (unsigned char)(count + (s[k] < '\t'));
            count = (unsigned char)(count + ((unsigned char)(s[k] - 0x0B) < 0x20 - 0x0B));
        }
        sum += count;
    }
    return sum;
}

/* Is s[0, n) UTF-8 without NUL, except that its last character may be cut? Binary data never is. */
static bool is_utf8(const unsigned char *s, size_t n)
{
    enum { CUT_MOST = 3 }; /* bytes of a character that is cut */
    return pd_utf8_valid(s, n) + CUT_MOST >= n && memchr(s, 0, n) == NULL;
}

/* Do the controls of s[0, n) switch to the characters of ISO 2022, by a name of a set as in ESC $ ) C? */
static bool is_shifted(const unsigned char *s, size_t n)
{
    static const char set[] = "\x1b$)";
    return memmem(s, n, set, sizeof set - 1) && is_utf8(s, n);
}

/* Does s[0, n) have more control characters than a text has? */
static bool has_controls(const unsigned char *s, size_t n)
{
    const size_t allowed = CONTROLS_FREE + n / CONTROLS_SHARE;
    if (bound_controls(s, n) <= allowed || is_shifted(s, n))
        return false;
    const size_t controls = count_controls(s, n);
    return controls > allowed && !(controls <= CONTROLS_TEXT + n / CONTROLS_MOST && is_utf8(s, n));
}

/*
 * Is the body no text? It is none when it begins as a binary format does or has too many control
 * characters. They are not counted in UTF-16 and UTF-32, which are full of NULs. A body that surely
 * is one of these gets its label, whatever it was labelled as.
 */
static bool is_binary(struct pd_raw *raw)
{
    static const char *const labels[] = {[PD_WIDE_16LE] = "utf-16le",
                                         [PD_WIDE_16BE] = "utf-16be",
                                         [PD_WIDE_32LE] = "utf-32le",
                                         [PD_WIDE_32BE] = "utf-32be"};
    const size_t n = raw->n < CONTROLS_BYTES ? raw->n : CONTROLS_BYTES;
    if (has_magic(raw->body, raw->n))
        return true;
    if (n == 0 || pd_wide_marked(raw->body, n) != PD_WIDE_NO)
        return false;
    if (!has_controls(raw->body, n))
        return false;
    const enum pd_wide wide = pd_wide_seen(raw->body, raw->n);
    if (wide != PD_WIDE_NO) {
        raw->charset = labels[wide];
        raw->charset_n = strlen(labels[wide]);
        return false;
    }
    return !is_labelled_wide(raw);
}

/* Replace d->text, a page, by what a reader sees of it. */
static void read_page(struct pd_document *d, bool xhtml, bool frame)
{
    const bool main = d->content == PD_CONTENT_MAIN, judged = main || frame;
    struct pd_html_wants wants = {.outline = judged ? &d->outline : NULL};
    if (d->trace)
        wants.origins = &d->trace->origins[PD_STEP_PAGE];
    pd_html_text_told(d->text, d->text_n, xhtml, &d->html, &wants);
    if (judged)
        d->has_main = pd_content_find_main(d->text, d->text_n, &d->outline, &d->html, &d->main);
    if (main && d->has_main) {
        if (d->trace) {
            d->trace->made[PD_STEP_MAIN] = true;
            pd_content_trace_main(&d->main, &d->html, &d->trace->origins[PD_STEP_MAIN]);
        }
        pd_content_keep_main(&d->main, &d->html);
        d->has_main = false; /* nothing is left around it */
    }
}

/* Replace d->text, as a printer or terminal gets it, by what a reader sees of it. */
static void read_printed(struct pd_document *d)
{
    if (d->trace)
        d->trace->made[PD_STEP_PAGE] = true;
    pd_overstrike_text(d->text, d->text_n, &d->html,
                       d->trace ? &d->trace->origins[PD_STEP_PAGE] : NULL);
    d->text = d->html.v;
    d->text_n = d->html.n;
}

/* What s[0, n) is, whose source does not say it. XML names its character set as XHTML does. */
static enum pd_media media_seen(const unsigned char *s, size_t n)
{
    if (pd_xml_sniff(s, n) != PD_XML_OTHER)
        return PD_MEDIA_XHTML;
    return pd_html_sniff(s, n) ? PD_MEDIA_HTML : PD_MEDIA_UNKNOWN;
}

/*
 * Set d->text to the text of the body in UTF-8: to the body itself, or to a buffer of `d`. False
 * when the body is text for programs only.
 *   frame   find the frame of a page
 */
static bool read_text(struct pd_document *d, const struct pd_raw *raw, bool frame)
{
    struct pd_raw typed = *raw;
    if (typed.media == PD_MEDIA_UNKNOWN)
        typed.media = media_seen(raw->body, raw->n);
    pd_charset_to_utf8(&typed, &d->utf8, &d->text, &d->text_n, &d->replaced, d->trace);
    if (typed.media == PD_MEDIA_UNKNOWN && d->text == d->utf8.v)
        typed.media = media_seen(d->text, d->text_n); /* UTF-16 is recognised only once converted */
    const bool markup = typed.media == PD_MEDIA_HTML || typed.media == PD_MEDIA_XHTML;
    enum pd_xml_kind kind = markup ? pd_xml_sniff(d->text, d->text_n) : PD_XML_OTHER;
    if (kind == PD_XML_TEXT && raw->media != PD_MEDIA_UNKNOWN) /* the source calls it a page */
        kind = PD_XML_OTHER;
    d->page = markup && kind != PD_XML_TEXT && kind != PD_XML_PARTS;
    d->html.n = 0;
    if (!markup) {
        if (pd_overstrike_find(d->text, d->text_n))
            read_printed(d);
        return d->text_n == 0 ||
               (!pd_robots_sniff(d->text, d->text_n) && !pd_cdx_sniff(d->text, d->text_n));
    }
    if (kind == PD_XML_SITEMAP)
        return false;
    if (d->byline && kind != PD_XML_FEED)
        pd_byline_markup(d->byline, d->text, d->text_n);
    if (d->trace)
        d->trace->made[PD_STEP_PAGE] = true;
    if (kind == PD_XML_FEED)
        pd_feed_text(d->text, d->text_n, &d->html);
    else if (kind == PD_XML_TEXT || kind == PD_XML_PARTS)
        pd_xml_text(d->text, d->text_n, &d->html);
    else
        read_page(d, typed.media == PD_MEDIA_XHTML, frame);
    d->text = d->html.v;
    d->text_n = d->html.n;
    return true;
}

static bool is_stopped(const struct pd_document *d) { return d->stopping && d->stopping(); }

/*
 * Read the base units and words of d->text. False when there are too many, or when the normalised
 * forms need 4 GiB or more.
 */
static bool cut_text(struct pd_document *d)
{
    const size_t most = pd_document_most_units(d);
    if (d->words_kind == PD_WORDS_CODE)
        return pd_code_read(d);
    if (d->base == PD_BASE_SENTENCE) {
        pd_sentences_split_some(d->text, d->text_n, most, d->stopping, &d->sentences);
        return d->sentences.n <= most && !is_stopped(d) && pd_words_of_sentences(d);
    }
    if (!pd_words_scan(d->text, 0, (uint32_t)d->text_n, d))
        return false;
    pd_clauses_group(d->text, d);
    return true;
}

/* Read the text, and the frame of a page or letter if `frame` says so. */
static int read_whole(struct pd_document *d, const struct pd_raw *given, bool frame,
                      enum pd_skip *why)
{
    struct pd_raw raw = *given;
    if (raw.n == 0)
        raw.body = (const unsigned char *)""; /* NULL has no end to count from */
    d->sentences.n = d->words.n = d->norm.n = d->single_words = 0;
    d->replaced = 0;
    d->has_main = false;
    pd_main_clear(&d->main);
    if (d->trace)
        pd_trace_clear(d->trace);
    if (d->byline)
        pd_byline_clear(d->byline);
    *why = PD_SKIP_BINARY;
    if (is_binary(&raw))
        return PD_END;
    *why = PD_SKIP_TOO_LARGE;
    if (raw.n > pd_document_most(d))
        return PD_END;
    *why = PD_SKIP_NO_TEXT;
    if (!read_text(d, &raw, frame))
        return PD_END;
    if (frame && !d->page && d->words_kind != PD_WORDS_CODE)
        d->has_main = pd_letter_body(d->text, d->text_n, &d->main.blocks);
    if (frame && raw.error) {
        d->has_main = true;
        pd_main_clear(&d->main);
    }
    *why = PD_SKIP_TOO_LARGE;
    if (d->text_n == 0)
        d->text = (const unsigned char *)""; /* a buffer that was never filled is NULL */
    return d->text_n > PD_DOCUMENT_MOST || is_stopped(d) ? PD_END : PD_OK;
}

int pd_document_read(struct pd_document *d, const struct pd_raw *raw, enum pd_skip *why)
{
    const int status = read_whole(d, raw, d->marks_frame, why);
    return status == PD_OK && !cut_text(d) ? PD_END : status;
}

int pd_document_read_text(struct pd_document *d, const struct pd_raw *raw, enum pd_skip *why)
{
    return read_whole(d, raw, false, why);
}

int pd_document_cut(struct pd_document *d, const unsigned char *text, size_t n)
{
    d->sentences.n = d->words.n = d->norm.n = d->single_words = 0;
    d->text = text;
    d->text_n = n;
    d->has_main = false;
    pd_main_clear(&d->main);
    return cut_text(d) ? PD_OK : PD_END;
}

int pd_document_cut_some(struct pd_document *d, const unsigned char *text, size_t n,
                         const struct pd_sentence *some, size_t nsome)
{
    d->sentences.n = d->words.n = d->norm.n = d->single_words = 0;
    d->text = text;
    d->text_n = n;
    d->has_main = false;
    pd_main_clear(&d->main);
    pd_sentences_append(&d->sentences, some, nsome);
    const bool code = d->words_kind == PD_WORDS_CODE;
    return (code ? pd_code_words(d) : pd_words_of_sentences(d)) ? PD_OK : PD_END;
}

/* Does a sentence meet one of the extents? Sentences are asked for in order. */
static bool meets(const struct pd_extents *extents, const struct pd_sentence *s, size_t *at)
{
    while (*at < extents->n && extents->v[*at].end <= s->begin)
        ++*at;
    return *at < extents->n && extents->v[*at].begin < s->end;
}

bool pd_document_in_frame(const struct pd_document *d, size_t k, size_t *at)
{
    const struct pd_sentence *s = &d->sentences.v[k];
    if (!d->has_main)
        return false;
    return !meets(&d->main.blocks, s, at);
}

bool pd_document_in_doubt(const struct pd_document *d, size_t k, size_t *at)
{
    return meets(&d->main.doubtful, &d->sentences.v[k], at);
}

bool pd_document_is_linked(const struct pd_document *d, size_t k, size_t *at)
{
    return meets(&d->main.linked, &d->sentences.v[k], at);
}

bool pd_document_is_stray(const struct pd_document *d, size_t k, size_t *at)
{
    return d->has_main && meets(&d->main.stray, &d->sentences.v[k], at);
}

void pd_document_release(struct pd_document *d)
{
    pd_sentences_release(&d->sentences);
    pd_words_release(&d->words);
    pd_bytes_release(&d->norm);
    pd_seams_release(&d->seams);
    PD_RELEASE(pd_bytes, &d->utf8, &d->html);
    PD_RELEASE(pd_extents, &d->main.blocks, &d->main.doubtful, &d->main.linked, &d->main.stray);
    pd_html_outline_release(&d->outline);
    pd_segmenter_free(d->segmenter);
    d->segmenter = NULL;
}

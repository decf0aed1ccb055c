/* document/doubt.c - files whose text is hardly one; see include/pardup/document/document.h */
#include <string.h>

#include "document/xml/xml.h"
#include "document/xml/xml_begin.h"
#include "pardup/document/document.h"

enum {
    MARKS_LEAST = 64,  /* bytes of a file without any text */
    FILE_LEAST = 4096, /* bytes of a file that should yield text */
    TEXT_LEAST = 200,  /* a text with fewer bytes is too short for such a file */
    TEXT_SHARE = 50,   /* if it has less than one in 50 bytes of the file */
    LOOK = 1 << 20,    /* bytes of a text that are looked at */
    TAG_MOST = 400,    /* bytes of a tag */
    TAGS_LEAST = 8,    /* tags of a text that may be markup */
    END_LOOK = 4096,   /* bytes in which the end tag of a root element stands */
    CODE_LINE = 60,    /* bytes of a line of base64, at the least */
    CODE_LINES = 10    /* such lines of a text that may be base64 */
};

/* Bytes of the tag at s[0, n), which begins with '<'; 0: it is none. */
static size_t tag_bytes(const unsigned char *s, size_t n)
{
    const size_t most = n < TAG_MOST ? n : TAG_MOST;
    if (n < 3 || !(s[1] == '/' || s[1] == '!' || s[1] == '?' ||
                   ((s[1] | 0x20) >= 'a' && (s[1] | 0x20) <= 'z')))
        return 0;
    const unsigned char *end = memchr(s + 1, '>', most - 1);
    return end && !memchr(s + 1, '<', (size_t)(end - s) - 1) ? (size_t)(end - s) + 1 : 0;
}

/* Are tags a third of s[0, n)? */
static bool is_markup(const unsigned char *s, size_t n)
{
    size_t tags = 0, bytes = 0;
    for (size_t k = 0; k < n;) {
        const unsigned char *open = memchr(s + k, '<', n - k);
        if (!open)
            break;
        k = (size_t)(open - s);
        const size_t tag = tag_bytes(open, n - k);
        tags += tag > 0;
        bytes += tag;
        k += tag ? tag : 1;
    }
    return tags >= TAGS_LEAST && 3 * bytes >= n;
}

/* Is the line s[0, n) base64? Letters of both cases and digits stand in it, and no blank. */
static bool is_code_line(const unsigned char *s, size_t n)
{
    bool upper = false, lower = false, digit = false;
    n -= n > 0 && s[n - 1] == '\r';
    for (size_t k = 0; k < n; k++) {
        const unsigned char c = s[k];
        upper |= c >= 'A' && c <= 'Z';
        lower |= c >= 'a' && c <= 'z';
        digit |= c >= '0' && c <= '9';
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
              c == '+' || c == '/' || c == '='))
            return false;
    }
    return n >= CODE_LINE && upper && lower && digit;
}

/* Are lines of base64 half of s[0, n)? */
static bool is_base64(const unsigned char *s, size_t n)
{
    size_t lines = 0, bytes = 0;
    for (size_t k = 0; k < n;) {
        const unsigned char *lf = memchr(s + k, '\n', n - k);
        const size_t line = lf ? (size_t)(lf - s) - k : n - k;
        if (line >= CODE_LINE && is_code_line(s + k, line)) {
            lines += 1 + line / (4 * CODE_LINE); /* all may be one line */
            bytes += line + 1;
        }
        k += line + 1;
    }
    return lines >= CODE_LINES && 2 * bytes >= n;
}

/* Is s[0, n) the XML of a text whose root element does not end? */
static bool is_cut_xml(const unsigned char *s, size_t n)
{
    if (n == 0 || pd_xml_sniff(s, n) != PD_XML_TEXT)
        return false;
    const struct pd_xml_tag root = pd_xml_begin(s, s + n).root;
    const size_t look = n < END_LOOK ? n : END_LOOK;
    const unsigned char *at = s + n - look;
    while ((at = memmem(at, (size_t)(s + n - at), "</", 2)) != NULL) {
        const struct pd_xml_tag tag = pd_xml_tag_read(at, s + n);
        if (tag.n == root.n && memcmp(tag.name, root.name, root.n) == 0)
            return false;
        at += 2;
    }
    return !root.empty;
}

const char *pd_document_doubt(const struct pd_document *d, const struct pd_raw *raw)
{
    const size_t n = d->text_n < LOOK ? d->text_n : LOOK;
    if (raw->kind != PD_RECORD_FILE || d->words_kind == PD_WORDS_CODE)
        return NULL;
    if (raw->n >= MARKS_LEAST && d->text_n == 0)
        return "no text in it: is it in attributes, or in another kind of file?";
    if (raw->n >= FILE_LEAST && d->text_n < TEXT_LEAST && d->text_n < raw->n / TEXT_SHARE)
        return "almost no text for its size";
    if (is_markup(d->text, n))
        return "its text is mostly tags: is it XML or a page of another kind?";
    if (is_base64(d->text, n))
        return "its text is mostly base64";
    if (is_cut_xml(raw->body, raw->n))
        return "its root element does not end: the file is cut short or broken";
    return NULL;
}

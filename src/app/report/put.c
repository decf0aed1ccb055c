/* app/report/put.c - texts as strings of the page's data: see src/app/report/report.h */
#include <inttypes.h>
#include <string.h>

#include "pardup/base/plain.h"
#include "pardup/document/utf8.h"
#include "report.h"

enum { LONGEST_WORD = 40 }; /* bytes */

/* First bytes of characters from here on are mostly of scripts without blanks, such as Chinese. */
enum { THREE_BYTES = 0xE0 };

/* Does a byte of ASCII stand in a string of the page as it is? */
static bool is_itself(unsigned char c)
{
    return c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

void pd_report_put(FILE *out, const char *s, size_t n)
{
    struct pd_bytes mended = {0};
    if (pd_utf8_valid((const unsigned char *)s, n) < n) { /* an id may hold any bytes */
        pd_utf8_mend((const unsigned char *)s, n, &mended);
        s = (const char *)mended.v;
        n = mended.n;
    }
    putc('"', out);
    uint32_t c;
    for (size_t k = 0, bytes; k < n; k += bytes) {
        for (bytes = 0; k + bytes < n && is_itself((unsigned char)s[k + bytes]); bytes++)
            ; /* most of all text */
        if (bytes > 0) {
            fwrite(s + k, 1, bytes, out);
            continue;
        }
        const bool shown = pd_plain_at(s + k, n - k, &bytes, &c) == PD_PLAIN_SHOWN;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", s[k]);
        else if (c == '\n')
            fputs("\\n", out);
        else if (!shown || c == '<' || c == '>' || c == '&')
            fprintf(out, "\\u%04" PRIx32, c);
        else
            fwrite(s + k, 1, bytes, out);
    }
    putc('"', out);
    pd_bytes_release(&mended);
}

static bool is_blank(unsigned char c) { return c == ' ' || c == '\n' || c == '\t'; }

void pd_report_put_beginning(FILE *out, const unsigned char *text, size_t most, size_t n)
{
    for (; n > 1 && strchr(".,:;!?) \n\t", *text);
         n--) /* the end of a sentence that is not shown */
        text++;
    const size_t whole = pd_report_cut(text, most, n);
    size_t end = whole;
    struct pd_bytes beginning = {0};
    while (whole < n && end > 0 && whole - end < LONGEST_WORD && !is_blank(text[end]) &&
           text[end] < THREE_BYTES)
        end--;
    if (end == 0 || !is_blank(text[end]))
        end = whole;
    pd_bytes_append(&beginning, text, end);
    if (end < n)
        pd_bytes_append(&beginning, (const unsigned char *)"\u2026", strlen("\u2026"));
    pd_report_put(out, (const char *)beginning.v, beginning.n);
    pd_bytes_release(&beginning);
}

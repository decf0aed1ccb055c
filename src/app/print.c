/* app/print.c - see src/app/print.h */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/document/utf8.h"
#include "print.h"

int pd_stdout_done(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return pd_fail(PD_EIO, "standard output: %s", strerror(errno));
    return PD_OK;
}

/* How many bytes from s[0] on are shown as they are, up to a byte `a` or `b`. */
static size_t shown_bytes(const char *s, size_t n, char a, char b)
{
    size_t k = 0, bytes = 1;
    uint32_t character;
    for (; k < n && s[k] != a && s[k] != b; k += bytes) {
        bytes = 1;
        if (s[k] >= 0x20 && s[k] < 0x7F) /* most of all text */
            continue;
        if (pd_plain_at(s + k, n - k, &bytes, &character) != PD_PLAIN_SHOWN)
            break;
    }
    return k;
}

void pd_print_json(const char *s, size_t n)
{
    if (pd_utf8_valid((const unsigned char *)s, n) < n) { /* a path may hold any bytes */
        struct pd_bytes mended = {0};
        pd_utf8_mend((const unsigned char *)s, n, &mended);
        pd_print_json((const char *)mended.v, mended.n);
        pd_bytes_release(&mended);
        return;
    }
    putchar('"');
    uint32_t character;
    size_t bytes;
    for (size_t k = 0; k < n;) {
        const size_t shown = shown_bytes(s + k, n - k, '"', '\\');
        fwrite(s + k, 1, shown, stdout);
        k += shown;
        if (k == n)
            break;
        if (pd_plain_at(s + k, n - k, &bytes, &character) == PD_PLAIN_SHOWN)
            printf("\\%c", s[k]);
        else
            printf("\\u%04x", (unsigned)character);
        k += bytes;
    }
    putchar('"');
}

void pd_print_xml(const char *s, size_t n)
{
    for (size_t at = 0, bytes; at < n; at += bytes) {
        uint32_t character;
        char escape[PD_PLAIN_ESCAPE];
        const enum pd_plain_kind kind = pd_plain_at(s + at, n - at, &bytes, &character);
        if (kind != PD_PLAIN_SHOWN)
            fwrite(escape, 1, pd_plain_escape(escape, kind, character), stdout);
        else if (strchr("&<>\"", s[at]))
            printf("&#%d;", s[at]);
        else if (character != 0xFFFE && character != 0xFFFF)
            fwrite(s + at, 1, bytes, stdout);
    }
}

/* Print the character at s[0], or its escape. Returns its bytes. */
static size_t print_shown(FILE *out, const char *s, size_t n)
{
    char escape[PD_PLAIN_ESCAPE];
    uint32_t c;
    size_t bytes;
    const enum pd_plain_kind kind = pd_plain_at(s, n, &bytes, &c);
    if (kind == PD_PLAIN_SHOWN)
        fwrite(s, 1, bytes, out);
    else
        fwrite(escape, 1, pd_plain_escape(escape, kind, c), out);
    return bytes;
}

/* Print a cell; a character `doubled` stands twice, as the backslash does. */
static void print_cell(FILE *out, const char *s, size_t n, char doubled)
{
    if (n && strchr("=+-@", *s) && *s)
        fputc('\\', out);
    for (size_t k = 0; k < n;) {
        const size_t shown = shown_bytes(s + k, n - k, '\\', doubled);
        fwrite(s + k, 1, shown, out);
        k += shown;
        if (k < n && (s[k] == '\\' || s[k] == doubled))
            fputc(s[k], out);
        if (k < n)
            k += print_shown(out, s + k, n - k);
    }
}

void pd_print_cell(FILE *out, const char *s, size_t n) { print_cell(out, s, n, '\\'); }

void pd_print_csv(FILE *out, const char *s, size_t n)
{
    const char *around = n && (memchr(s, ',', n) || memchr(s, '"', n)) ? "\"" : "";
    fputs(around, out);
    print_cell(out, s, n, '"');
    fputs(around, out);
}

void pd_print_plain(const char *s, size_t n)
{
    for (size_t k = 0; k < n;)
        k += print_shown(stdout, s + k, n - k);
}

void pd_print_text(const char *s, size_t n)
{
    if (!isatty(STDOUT_FILENO)) {
        fwrite(s, 1, n, stdout);
        return;
    }
    for (size_t k = 0; k < n;)
        if (s[k] == '\n' || s[k] == '\t')
            putchar(s[k++]);
        else
            k += print_shown(stdout, s + k, n - k);
}

/* corpus/foreign.c - see foreign.h */
#include "foreign.h"

#include <stdbool.h>
#include <string.h>

#include "pardup/base/scan.h"
#include "pardup/base/wide.h"

/* The ends of messages about formats that are not read. */
#define UNPACK  ", which pardup does not read: unpack it first"
#define TEXTS   ", which pardup does not read: write its texts as JSON lines"
#define SAVE    ", which pardup does not read: save it as text"
#define NOT     ", which pardup does not read"
#define POINTER "a pointer in place of the file"
#define OFFICE                                                                                     \
    "a zip archive or a spreadsheet, which pardup does not read: unpack it, or save it as text"
#define ROW(at, magic, text)                                                                       \
    {                                                                                              \
        at, magic, sizeof(magic) - 1, text                                                         \
    }
static const struct {
    size_t at; /* offset of `magic` in the file */
    const char *magic;
    size_t n; /* bytes of `magic` */
    const char *text;
} foreign[] = {ROW(0, "]\0\0", "compressed by lzma" UNPACK),
               ROW(0, "LZIP\x01", "compressed by lzip" UNPACK),
               ROW(0, "\x89LZO\0", "compressed by lzop" UNPACK),
               ROW(0, "\x02\x21\x4c\x18", "compressed by lz4" UNPACK),
               ROW(0, "\xff\x06\0\0sNaPpY", "compressed by Snappy" UNPACK),
               ROW(0, "x\x01", "compressed by zlib" UNPACK),
               ROW(0, "x\x9c", "compressed by zlib" UNPACK),
               ROW(0, "x\xda", "compressed by zlib" UNPACK),
               ROW(0, "PK\x03\x04", OFFICE),
               ROW(0, "PK\x05\x06", OFFICE),
               ROW(0, "PK\x07\x08", OFFICE),
               ROW(0, "7z\xbc\xaf\x27\x1c", "a 7z archive" UNPACK),
               ROW(0, "Rar!\x1a", "a rar archive" UNPACK),
               ROW(0, "MSCF\0\0\0\0", "a cabinet archive" UNPACK),
               ROW(0, "!<arch>\n", "an ar archive or a Debian package" UNPACK),
               ROW(257, "ustar", "a tar archive" UNPACK),
               ROW(0, "\x1f\x8b\x08", "compressed twice" UNPACK),
               ROW(0, "\x28\xb5\x2f\xfd", "compressed twice" UNPACK),
               ROW(4, "1AY&SY", "compressed twice" UNPACK),
               ROW(0, "\xfd\x37zXZ", "compressed twice" UNPACK),
               ROW(0, "\x04\x22\x4d\x18", "compressed twice" UNPACK),
               ROW(0, "ARROW1", "an Arrow file" TEXTS),
               ROW(0, "Obj\x01", "an Avro file" TEXTS),
               ROW(0, "\x89HDF\r\n", "an HDF5 file" TEXTS),
               ROW(0, "SQLite format 3", "an SQLite file" TEXTS),
               ROW(0, "\x93NUMPY", "a file of NumPy" TEXTS),
               ROW(0, "\x80\x03", "a Python pickle" TEXTS),
               ROW(0, "\x80\x04\x95", "a Python pickle" TEXTS),
               ROW(0, "\x80\x05\x95", "a Python pickle" TEXTS),
               ROW(0, "%!PS", "a PostScript file" NOT ": make text of it, as ps2ascii does"),
               ROW(0, "x\x9f\x3e\x22", "a TNEF file of Outlook" SAVE),
               ROW(0, "!BDN", "a mail folder of Outlook" SAVE),
               ROW(60, "BOOKMOBI", "an e-book of Kindle" SAVE),
               ROW(0, "version https://git-lfs", POINTER ": git lfs pull brings it"),
               ROW(0, "version https://hawser", POINTER ": git lfs pull brings it"),
               ROW(0, "# xet version", POINTER " of git-xet"),
               ROW(0, "/annex/objects/", POINTER ": git annex get brings it"),
               ROW(0, "\x89PNG\r\n", "an image" NOT),
               ROW(0, "GIF8", "an image" NOT),
               ROW(0, "\xff\xd8\xff", "an image" NOT)};
#undef ROW

/* Pass blanks of s[0, n) from k on. */
static size_t pass_blanks(const unsigned char *s, size_t k, size_t n)
{
    while (k < n && memchr(" \t\r\n", s[k], 4))
        k++;
    return k;
}

/* Is s[0, n) what a store of objects answers in place of a file: XML with an error? */
static bool is_refusal(const unsigned char *s, size_t n)
{
    static const char *const tags[] = {"<Error>", "<Code>"};
    size_t k = pd_scan_has(s, n, "\xef\xbb\xbf") ? 3 : 0;
    const unsigned char *end = pd_scan_has(s + k, n - k, "<?xml") ? memchr(s, '>', n) : NULL;
    k = end ? (size_t)(end - s) + 1 : k;
    for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
        k = pass_blanks(s, k, n);
        if (!pd_scan_has(s + k, n - k, tags[t]))
            return false;
        k += strlen(tags[t]);
    }
    return true;
}

/*
 * Is s[0, n) in UTF-16 or UTF-32, and an object or a list of objects? A text can begin with a
 * bracket, too.
 */
static bool is_wide_json(const unsigned char *s, size_t n)
{
    const enum pd_wide marked = pd_wide_marked(s, n);
    const enum pd_wide form = marked != PD_WIDE_NO ? marked : pd_wide_seen(s, n);
    const size_t bytes = pd_wide_bytes(form);
    bool list = false;
    if (form == PD_WIDE_NO)
        return false;
    for (size_t k = marked == PD_WIDE_NO ? 0 : bytes; k + bytes <= n; k += bytes) {
        const uint32_t c = pd_wide_unit(form, s + k);
        if (c == '{')
            return true;
        if ((c != '[' && c != ' ' && c != '\t' && c != '\r' && c != '\n') || (c == '[' && list))
            return false;
        list |= c == '[';
    }
    return false;
}

/* Is the number s[0, n) in octal digits, between blanks and up to a NUL or blank, `number`? */
static bool is_octal(const unsigned char *s, size_t n, unsigned number)
{
    unsigned long long x = 0;
    size_t k = 0;
    while (k < n && s[k] == ' ')
        k++;
    const size_t from = k;
    for (; k < n && s[k] >= '0' && s[k] <= '7'; k++)
        x = 8 * x + (unsigned)(s[k] - '0');
    return k > from && x == number;
}

/* Is s[0, n) a tar archive without a magic number? The checksum of its first header tells. */
static bool is_old_tar(const unsigned char *s, size_t n)
{
    enum { HEADER = 512, CHECKSUM = 148, DIGITS = 8 };
    unsigned sum = 0;
    if (n < HEADER)
        return false;
    for (size_t k = 0; k < HEADER; k++)
        sum += k >= CHECKSUM && k < CHECKSUM + DIGITS ? ' ' : s[k];
    return s[0] != '\0' && is_octal(s + CHECKSUM, DIGITS, sum);
}

const char *pd_foreign_format(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
        const size_t m = foreign[k].n;
        if (n >= foreign[k].at + m && memcmp(s + foreign[k].at, foreign[k].magic, m) == 0)
            return foreign[k].text;
    }
    if (is_refusal(s, n))
        return "the answer of a server that refused a file, not the file";
    if (is_old_tar(s, n))
        return "a tar archive" UNPACK;
    if (is_wide_json(s, n))
        return "JSON in UTF-16 or UTF-32" NOT ": convert it to UTF-8";
    return NULL;
}

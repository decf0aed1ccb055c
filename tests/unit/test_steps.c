/*
 * tests/unit/test_steps.c - reading takes time in proportion to the bytes that are read.
 *
 * The readers and the text layer are compiled for this test with a call in each basic block (gcc's
 * and clang's -fsanitize-coverage=trace-pc). The test counts the calls, and the bytes that library
 * functions look at. Counts do not depend on the machine, so bounds on them hold or do not.
 *
 * Each case is a file of a few bytes that are repeated. It is read at 1, 2 and 4 times a size:
 * twice the bytes may take little more than twice the steps.
 */
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "pardup/corpus/reader.h"
#include "pardup/document/document.h"
#include "pd_cunit.h"

#define GROWTH  2.3  /* most times the steps for twice the bytes */
#define STEPS   1500 /* most steps for a byte of the file */
#define VECTOR  16   /* bytes that a library function looks at in one step */
#define FREE    5e5  /* steps of any file, such as the tables of a first document */
#define GZ_HEAD "\x1f\x8b\x08\0\0\0\0\0\0\3"

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { steps++; }

static void look_at(size_t n) { steps += n / VECTOR + 1; }

void *__real_memchr(const void *s, int c, size_t n);
void *__wrap_memchr(const void *s, int c, size_t n);
void *__wrap_memchr(const void *s, int c, size_t n)
{
    const char *hit = __real_memchr(s, c, n);
    look_at(hit ? (size_t)(hit - (const char *)s) : n);
    return (void *)(uintptr_t)hit;
}

void *__real_memmem(const void *s, size_t n, const void *t, size_t m);
void *__wrap_memmem(const void *s, size_t n, const void *t, size_t m);
void *__wrap_memmem(const void *s, size_t n, const void *t, size_t m)
{
    const char *hit = __real_memmem(s, n, t, m);
    look_at(hit ? (size_t)(hit - (const char *)s) : n);
    return (void *)(uintptr_t)hit;
}

void *__real_memmove(void *to, const void *from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n)
{
    look_at(n);
    return __real_memmove(to, from, n);
}

void *__real_memcpy(void *to, const void *from, size_t n);
void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memcpy(void *to, const void *from, size_t n)
{
    look_at(n);
    return __real_memcpy(to, from, n);
}

int __real_isal_inflate(struct inflate_state *state);
int __wrap_isal_inflate(struct inflate_state *state);
int __wrap_isal_inflate(struct inflate_state *state)
{
    const uint32_t in = state->avail_in, out = state->avail_out;
    const int status = __real_isal_inflate(state);
    look_at(in - state->avail_in);
    look_at(out - state->avail_out);
    return status;
}

size_t __real_ZSTD_decompressStream(ZSTD_DStream *z, ZSTD_outBuffer *out, ZSTD_inBuffer *in);
size_t __wrap_ZSTD_decompressStream(ZSTD_DStream *z, ZSTD_outBuffer *out, ZSTD_inBuffer *in);
size_t __wrap_ZSTD_decompressStream(ZSTD_DStream *z, ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
    const size_t read = in->pos, made = out->pos;
    const size_t status = __real_ZSTD_decompressStream(z, out, in);
    look_at(in->pos - read);
    look_at(out->pos - made);
    return status;
}

/* ---- files ---- */

/* Bytes of a string with NULs. */
struct bytes {
    const char *v;
    size_t n;
};
#define B(s)                                                                                       \
    {                                                                                              \
        s, sizeof(s) - 1                                                                           \
    }

/* A file: `head`, then `unit` as often as it fits, then `tail`. */
struct made {
    const char *name;
    enum pd_format format;
    size_t kib; /* KiB of the smallest of the three files */
    struct bytes head, unit, tail;
};

#define MAIL "From a@b Mon Jan  5 10:00:00 2004\nSubject: x\n"
#define WARC                                                                                       \
    "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:1>\r\n"                        \
    "WARC-Date: 2004-01-05T10:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: "
#define DOC  "<DOC>\n<DOCNO>A-1</DOCNO>\n"
#define NEST GZ_HEAD "\0\x14\0\xeb\xff" /* a stored block that holds the next member's head */

static const struct made texts[] = {
    {"line separators", 0, 32, B("A word."), B("\u2028"), B("end.")},
    {"paragraph separators", 0, 32, B("A word."), B("\u2029"), B("end.")},
    {"em spaces", 0, 32, B("A word."), B("\u2003"), B("end.")},
    {"narrow spaces", 0, 32, B("A word."), B("\u202F"), B("end.")},
    {"wide spaces", 0, 32, B("A word."), B("\u205F"), B("end.")},
    {"ideographic spaces", 0, 32, B("A word."), B("\u3000"), B("end.")},
    {"no-break spaces", 0, 32, B("A word."), B("\u00A0"), B("end.")},
    {"next lines", 0, 32, B("A word."), B("\xC2\x85"), B("end.")},
    {"spaces and bullets", 0, 32, B("A word:"), B("\u2003\u2022 \u2003"), B("end.")},
    {"spaces and marks", 0, 32, B("A word"), B("\u2003. "), B("end.")},
    {"spaces of a page", 0, 32, B("<html><p>A word."), B("&emsp;"), B("end.")},
    {"white space behind a word", 0, 256, B("A word"), B(" "), B("end.")},
    {"tabs behind a word", 0, 256, B("A word"), B("\t"), B("end.")},
    {"em spaces behind a word", 0, 256, B("A word"), B("\u2003"), B("end")},
    {"form feeds", 0, 32, B("A word."), B("\f"), B("end.")},
    {"line ends", 0, 32, B("A word."), B("\n"), B("end.")},
    {"carriage returns", 0, 32, B("A word."), B("\r"), B("end.")},
    {"blank lines", 0, 32, B("A word."), B(" \n"), B("end.")},
    {"lines of signs", 0, 32, B("A word."), B("--\n"), B("end.")},
    {"short lines", 0, 32, B("A word."), B("a\n"), B("end.")},
    {"small lines", 0, 32, B("A word."), B("ab cd\n"), B("end.")},
    {"wrapped lines", 0, 32, B(""),
     B("this is a line of text that is as long as the others in it\n"), B("end.")},
    {"quoted lines", 0, 32, B("A word."), B("\n> > a"), B("end.")},
    {"quotation", 0, 32, B("A word.\n"), B("> "), B("end.")},
    {"bars", 0, 32, B("A word.\n"), B("|"), B("end.")},
    {"bars in words", 0, 32, B("A word "), B("a|b"), B("end.")},
    {"hyphens", 0, 32, B("A word "), B("-"), B("end.")},
    {"hyphens at line ends", 0, 32, B("A word "), B("ab-\n"), B("end.")},
    {"hyphens and blanks", 0, 32, B("A word "), B("ab- "), B("\nend.")},
    {"soft hyphens", 0, 32, B("A word"), B("\u00AD"), B("end.")},
    {"joiners", 0, 32, B("A word"), B("\u200D"), B(". end")},
    {"joiners and marks", 0, 32, B("A word"), B("\u200D."), B(" end")},
    {"full stops", 0, 32, B("A word"), B("."), B(" end")},
    {"spaced stops", 0, 32, B("A word"), B(" ."), B(" end")},
    {"wide stops", 0, 32, B("A word"), B("\u3002"), B(" end")},
    {"stops and quotes", 0, 32, B("A word"), B(".\u201D"), B(" end")},
    {"closing quotes", 0, 32, B("A word."), B("\u201D"), B(" end")},
    {"parentheses", 0, 32, B("A word."), B(")"), B(" end")},
    {"open parentheses", 0, 32, B("A word."), B("("), B(" end")},
    {"footnotes", 0, 32, B("A word."), B("[1]"), B(" end")},
    {"colons", 0, 32, B("A word "), B("\u0531:"), B(" end")},
    {"list items", 0, 32, B("A list: "), B("1. "), B(" end")},
    {"item in items", 0, 32, B("A list: "), B("(a) "), B(" end")},
    {"braces", 0, 32, B("A word"), B("\uFF08\u3002"), B(" end")},
    {"apostrophes", 0, 32, B("A word"), B("'"), B(" end")},
    {"numbers", 0, 32, B("A word "), B("1,"), B(" end")},
    {"combining marks", 0, 32, B("A word"), B("\u0301"), B(" end")},
    {"one word", 0, 32, B(""), B("a"), B(" end")},
    {"one Greek word", 0, 32, B(""), B("\u03B1"), B(" end")},
    {"Chinese", 0, 32, B(""), B("\u4E2D"), B(" end")},
    {"Thai", 0, 32, B(""), B("\u0E01\u0E34"), B(" end")},
    {"bytes that are no text", 0, 32, B("A word "), B("\xE9\xA0"), B(" end")},
    {"UTF-16", 0, 32, B("\xFF\xFE"), B("a\0"), B("b\0")},
    {"ISO 2022", 0, 32, B("A word "), B("\x1b$B$\"\x1b(B"), B(" end")},
    {"escapes", 0, 32, B("A word "), B("\x1b$B"), B(" end")},
};

static const struct made pages[] = {
    {"open tags", 0, 32, B("<html>"), B("<p>"), B("a")},
    {"open lists", 0, 32, B("<html>"), B("<ul><li>a"), B("a")},
    {"ends of tags", 0, 32, B("<html>"), B("</p>"), B("a")},
    {"tags without end", 0, 32, B("<html>"), B("<a "), B("a")},
    {"attributes", 0, 32, B("<html><a"), B(" a=\"b\""), B(">a")},
    {"open attributes", 0, 32, B("<html>"), B("<a b=\""), B("a")},
    {"less-than signs", 0, 32, B("<html>"), B("<"), B("a")},
    {"open comments", 0, 32, B("<html>"), B("<!--"), B("a")},
    {"open declarations", 0, 32, B("<html>"), B("<!a"), B("a")},
    {"open instructions", 0, 32, B("<html>"), B("<?a"), B("a")},
    {"open CDATA", 0, 32, B("<html>"), B("<![CDATA["), B("a")},
    {"open scripts", 0, 32, B("<html>"), B("<script>"), B("a")},
    {"scripts with comments", 0, 32, B("<html><script>"), B("<!--<script>"), B("a")},
    {"open styles", 0, 32, B("<html>"), B("<style></styl"), B("a")},
    {"open titles", 0, 32, B("<html>"), B("<title>"), B("a")},
    {"open text areas", 0, 32, B("<html>"), B("<textarea>"), B("a")},
    {"ampersands", 0, 32, B("<html>"), B("&"), B("a")},
    {"open references", 0, 32, B("<html>"), B("&#1"), B("a")},
    {"named references", 0, 32, B("<html>"), B("&nbsp;"), B("a")},
    {"line breaks", 0, 32, B("<html>"), B("<br>"), B("a")},
    {"preformatted", 0, 32, B("<html><pre>a"), B(" \n"), B("a")},
    {"preformatted blocks", 0, 32, B("<html>a"), B("<pre> </pre>"), B("a")},
    {"tables", 0, 32, B("<html>"), B("<table><tr><td>"), B("a")},
    {"cells", 0, 32, B("<html><table>"), B("<tr><td>a"), B("a")},
    {"ruby", 0, 32, B("<html>"), B("<ruby>a<rt>"), B("a")},
    {"metas", 0, 32, B("<html>"), B("<meta charset"), B("a")},
    {"XHTML", 0, 32, B("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">"),
     B("<script/><![CDATA["), B("a")},
    {"feed", 0, 32, B("<?xml version=\"1.0\"?><rss><channel>"), B("<item><title>a"), B("a")},
    {"TEI", 0, 32, B("<?xml version=\"1.0\"?><TEI>"), B("<teiHeader>a<x>"), B("a")},
    {"XML of open quotes", 0, 32, B("<?xml version=\"1.0\"?><a b=\">"), B("<b c='>"), B("a")},
    {"XML of open parts", 0, 32, B("<?xml version=\"1.0\"?><a>"), B("<![CDATA[<?<!a"), B("a")},
    {"feed of descriptions", 0, 32, B("<?xml version=\"1.0\"?><rss><channel>"),
     B("<item><description>&lt;p&gt;a</description></item>"), B("</channel></rss>")},
};

static const struct made records[] = {
    {"line ends in a mailbox", 0, 64, B(MAIL "\nHi.\n"), B("\n"), B("")},
    {"line ends before a message", PD_FORMAT_MBOX, 64, B(""), B("\n"), B(MAIL "\nHi.\n")},
    {"blank lines in a header", PD_FORMAT_MBOX, 64, B(MAIL), B(" \n"), B("\nHi.\n")},
    {"returns in a header", PD_FORMAT_MBOX, 64, B(MAIL), B("\r"), B("\nHi.\n")},
    {"From lines", 0, 64, B(MAIL "\nHi.\n"), B("From \n"), B("")},
    {"From lines with a date", PD_FORMAT_MBOX, 64, B(MAIL "\nHi.\n"), B("From a 10:00 2004\n"),
     B("")},
    {"messages", PD_FORMAT_MBOX, 64, B(""), B(MAIL "\nHi.\n\n"), B("")},
    {"header fields", PD_FORMAT_MAIL, 64, B("From: a\n"), B("Subject: b\n"), B("\nHi.\n")},
    {"folded field", PD_FORMAT_MAIL, 64, B("From: a\nContent-Type: text/plain"), B("\n "),
     B("\nHi.\n")},
    {"parameters", PD_FORMAT_MAIL, 64, B("From: a\nContent-Type: text/plain"), B("; a=b"),
     B("\n\nHi.\n")},
    {"parts", PD_FORMAT_MAIL, 64, B("From: a\nContent-Type: multipart/mixed; boundary=b\n\n"),
     B("--b\n"), B("\nHi.\n")},
    {"parts of parts", PD_FORMAT_MAIL, 64,
     B("From: a\nContent-Type: multipart/mixed; boundary=b\n\n"),
     B("--b\nContent-Type: multipart/mixed; boundary=b\n\n"), B("\nHi.\n")},
    {"parts without a name", PD_FORMAT_MAIL, 64, B("From: a\nContent-Type: multipart/mixed\n\n"),
     B("--b\nContent-Type: multipart/mixed\n\n"), B("\nHi.\n")},
    {"quoted-printable", PD_FORMAT_MAIL, 64,
     B("From: a\nContent-Transfer-Encoding: quoted-printable\n\n"), B("= "), B("\nHi.\n")},
    {"open DOC", 0, 64, B("<DOC>\n<DOCNO>A-1</DOCNO>\n"), B("<DOC>\n"), B("")},
    {"open DOCHDR", 0, 64, B(DOC), B("<DOCHDR>\n"), B("</DOC>\n")},
    {"open DOCHDR in documents", 0, 64, B(""), B(DOC "<DOCHDR>\n</DOC>\n"), B("")},
    {"long DOCHDR", 0, 64, B(DOC "<DOCHDR>\nhttp://a.b/c\n"), B("a: b\n"), B("</DOC>\n")},
    {"blank DOCHDR", 0, 64, B(DOC "<DOCHDR>\n"), B(" "), B("</DOCHDR>\n</DOC>\n")},
    {"open TEXT", 0, 64, B(DOC), B("<TEXT>\n"), B("</DOC>\n")},
    {"open HEADLINE", 0, 64, B(DOC "<TEXT>\na\n</TEXT>\n"), B("<HEADLINE>\n"), B("</DOC>\n")},
    {"tags in TEXT", 0, 64, B(DOC "<TEXT>\n"), B("<P"), B("</TEXT>\n</DOC>\n")},
    {"blank tags in TEXT", 0, 64, B(DOC "<TEXT>\n"), B(" <P>"), B("</TEXT>\n</DOC>\n")},
    {"documents without end", 0, 64, B(""), B(DOC), B("")},
    {"Reuters", 0, 64, B("<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n"),
     B("<REUTERS NEWID=\"1\"><BODY>"), B("</REUTERS>\n")},
    {"JSON", PD_FORMAT_JSONL, 64, B("{\"id\":1,\"text\":\""), B("a"), B("\"}\n")},
    {"JSON lines", 0, 64, B(""), B("{\"id\":1,\"text\":\"a\"}\n"), B("")},
    {"JSON of escapes", PD_FORMAT_JSONL, 64, B("{\"id\":1,\"text\":\""), B("\\ud800"), B("\"}\n")},
    {"JSON of bad bytes", PD_FORMAT_JSONL, 64, B("{\"id\":1,\"text\":\""), B("\xE9"), B("\"}\n")},
    {"JSON of NaN", PD_FORMAT_JSONL, 64, B("{\"id\":1,\"text\":\"a\",\"b\":["), B("NaN,"),
     B("1]}\n")},
    {"JSON of braces", PD_FORMAT_JSONL, 64, B(""), B("{"), B("\n")},
    {"open JSON objects", PD_FORMAT_JSON, 64, B("{\"a\":"), B("{\"a\":"), B("\n")},
    {"small JSON objects", PD_FORMAT_JSON, 64, B("["), B("{\"a\":\"b\"},"), B("]")},
    {"JSON that is no object", PD_FORMAT_JSON, 64, B("["), B("1,x"), B("]")},
    {"JSON lines of braces", PD_FORMAT_JSONL, 64, B("{}\n"), B("{\n"), B("\n")},
    {"WARC magics", PD_FORMAT_WARC, 64, B(WARC "2\r\n\r\nHi\r\n\r\n"), B("WARC/1.0\r\n"), B("")},
    {"WARC without length", PD_FORMAT_WARC, 64, B(""), B(WARC "\r\n\r\nHi\r\n\r\n"), B("")},
    {"WARC of wrong lengths", PD_FORMAT_WARC, 64, B(""), B(WARC "7\r\n\r\nHi\r\n\r\n"), B("")},
    {"WARC of short lengths", PD_FORMAT_WARC, 64, B(""), B(WARC "1\r\n\r\nHi\r\n\r\n"), B("")},
    {"WARC of long lengths", PD_FORMAT_WARC, 64, B(""), B(WARC "9999999\r\n\r\nHi\r\n\r\n"), B("")},
    {"WARC of huge lengths", PD_FORMAT_WARC, 64, B(""), B(WARC "9999999999\r\n\r\nHi\r\n\r\n"),
     B("")},
    {"line ends in WARC", PD_FORMAT_WARC, 64, B(WARC "2\r\n\r\nHi\r\n\r\n"), B("\r\n"), B("")},
    {"fields of WARC", PD_FORMAT_WARC, 64, B("WARC/1.0\r\n"), B("a: b\r\n"), B("\r\n")},
    {"chunks", PD_FORMAT_WARC, 64,
     B("WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\r\n"
       "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"),
     B("1\r\na\r\n"), B("0\r\n\r\n")},
    {"line ends of chunks", PD_FORMAT_WARC, 64,
     B("WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\r\n"
       "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"),
     B("1\r\na\r\n\r\n\r\n"), B("0\r\n\r\n")},
    {"HTTP fields", PD_FORMAT_WARC, 64,
     B("WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\r\n"
       "HTTP/1.1 200 OK\r\n"),
     B("a: b\r\n"), B("\r\nHi\r\n\r\n")},
    {"status lines", PD_FORMAT_WARC, 64,
     B("WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\r\n"),
     B("HTTP/1.1 200 OK\r\n"), B("\r\nHi\r\n\r\n")},
    {"ARC lines", PD_FORMAT_ARC, 64, B(""), B("http://a.b/ 1.2.3.4 20040105100000 text/html 9\n"),
     B("")},
    {"ARC addresses", PD_FORMAT_ARC, 64, B("http://a.b/ 1.2.3.4 20040105100000 text/html 2\nHi\n"),
     B("http: "), B("")},
};

static const struct made damaged[] = {
    {"gzip signatures", 0, 32, B(GZ_HEAD "bad"), B("\x1f\x8b\x08"), B("")},
    {"gzip names", 0, 32, B(GZ_HEAD "bad"), B("\x1f\x8b\x08\x08"), B("")},
    {"gzip comments", 0, 32, B(GZ_HEAD "bad"), B("\x1f\x8b\x08\x10"), B("")},
    {"gzip fields", 0, 32, B(GZ_HEAD "bad"), B("\x1f\x8b\x08\x04\1\1\1\1\1\1\1\1"), B("")},
    {"gzip heads", 0, 32, B(GZ_HEAD "bad"), B(GZ_HEAD), B("")},
    {"stored blocks", 0, 64, B(GZ_HEAD "bad"),
     B(GZ_HEAD "\0\x64\0\x9b\xff"
               "0123456789012345678901234567890123456789"
               "012345678901234567890123456789012345678901234567890123456789\0\x0a\0\xf5\xff"),
     B("")},
    {"stored blocks in each other", 0, 256, B(GZ_HEAD "bad"), B(GZ_HEAD "\0\x0a\0\xf5\xff"), B("")},
    {"empty members", 0, 32, B(""), B(GZ_HEAD "\3\0\0\0\0\0\0\0\0\0"), B("")},
    {"zeros behind a member", 0, 32, B(GZ_HEAD "\3\0\0\0\0\0\0\0\0\0"), B("\0"), B("")},
    {"zstd magics", 0, 32,
     B("\x28\xb5\x2f\xfd"
       "bad"),
     B("\x28\xb5\x2f\xfd"), B("")},
    {"zstd frames", 0, 256,
     B("\x28\xb5\x2f\xfd"
       "bad"),
     B("\x28\xb5\x2f\xfd\x00\x58"
       "\x68\0\0\x28\xb5\x2f\xfd\x00\x58\x38\0\0"),
     B("")},
    {"skippable frames", 0, 32, B(""), B("\x50\x2a\x4d\x18\0\0\0\0"), B("")},
    {"LZW", 0, 32, B("\x1f\x9d\x90"), B("a\0"), B("")},
};

/* ---- counting ---- */

static void write_file(const char *path, const struct made *m, size_t bytes)
{
    FILE *f = fopen(path, "wb");
    PD_CHECK(f);
    fwrite(m->head.v, 1, m->head.n, f);
    for (size_t n = 0; n < bytes; n += m->unit.n)
        fwrite(m->unit.v, 1, m->unit.n, f);
    fwrite(m->tail.v, 1, m->tail.n, f);
    PD_CHECK(fclose(f) == 0);
}

/* The steps of reading all documents of the file as `as` says, with their base units and words. */
static uint64_t count_steps(const char *path, enum pd_format format, const struct pd_document *as)
{
    struct pd_files files = {0};
    const struct pd_reader_options options = {.format = format};
    struct pd_document doc = *as;
    struct pd_raw raw;
    enum pd_skip why;
    PD_CHECK(pd_files_add(&files, path, NULL) == PD_OK);
    const struct pd_piece piece = {.nstripes = 1, .to = files.v[0].bytes};
    struct pd_reader *reader = pd_reader_new(&options);
    steps = 0;
    PD_CHECK(pd_reader_open(reader, &files.v[0], &piece) == PD_OK);
    while (pd_reader_next(reader, &raw) == PD_OK)
        pd_document_read(&doc, &raw, &why);
    const uint64_t sum = steps;
    pd_reader_free(reader);
    pd_document_release(&doc);
    pd_files_free(&files);
    return sum;
}

/* Check n files, read in their format, or in `format` where they leave it open. */
static void check_as(const struct made *made, size_t n, enum pd_format format,
                     const struct pd_document *as)
{
    char path[] = "/tmp/test_steps.XXXXXX";
    const int fd = mkstemp(path);
    PD_CHECK(fd >= 0 && close(fd) == 0);
    for (size_t k = 0; k < n; k++) {
        double before = 0;
        for (size_t bytes = made[k].kib << 10; bytes <= made[k].kib << 12; bytes *= 2) {
            write_file(path, &made[k], bytes);
            const double taken =
                (double)count_steps(path, made[k].format ? made[k].format : format, as);
            const bool slow = (before > 0 && taken > GROWTH * before + FREE) ||
                              taken > STEPS * (double)bytes + FREE;
            if (slow || getenv("STEPS_SHOWN"))
                fprintf(stderr, "  %s (%d): %zu bytes, %.0f steps, before %.0f\n", made[k].name,
                        (int)format, bytes, taken, before);
            CU_ASSERT_FALSE(slow);
            before = taken;
            if (slow)
                break;
        }
    }
    unlink(path);
}

static void check(const struct made *made, size_t n, enum pd_format format)
{
    check_as(made, n, format, &(struct pd_document){0});
}

static void test_texts(void) { check(texts, sizeof texts / sizeof *texts, PD_FORMAT_AUTO); }
static void test_pages(void) { check(pages, sizeof pages / sizeof *pages, PD_FORMAT_AUTO); }
/* Main content, clauses and stop units. */
static void test_other_units(void)
{
    static const struct pd_document as[] = {
        {.content = PD_CONTENT_MAIN}, {.base = PD_BASE_CLAUSE}, {.base = PD_BASE_STOP}};
    for (size_t k = 0; k < sizeof as / sizeof *as; k++) {
        check_as(texts, sizeof texts / sizeof *texts, PD_FORMAT_AUTO, &as[k]);
        check_as(pages, sizeof pages / sizeof *pages, PD_FORMAT_AUTO, &as[k]);
    }
}

static void test_records(void) { check(records, sizeof records / sizeof *records, PD_FORMAT_AUTO); }

static void test_damaged(void)
{
    static const enum pd_format formats[] = {PD_FORMAT_AUTO, PD_FORMAT_WARC, PD_FORMAT_JSONL,
                                             PD_FORMAT_TREC};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        check(damaged, sizeof damaged / sizeof *damaged, formats[k]);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_texts),       PD_TEST(test_pages),
                                        PD_TEST(test_other_units), PD_TEST(test_records),
                                        PD_TEST(test_damaged),     CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "steps", tests);
}

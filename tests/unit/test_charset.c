/* Unit tests of document/charset: UTF-8, labels, declarations, order of belief, broken bytes. */
#include "pd_cunit.h"

#include <stdbool.h>
#include <stdio.h>

#include "document/charset/charset.h"
#include "document/charset/charset_label.h"
#include "pardup/document/utf8.h"
#include "pd_random.h"

static struct pd_bytes buffer;
static const unsigned char *text;
static size_t text_n;
static uint64_t replaced;

static void convert(const char *label, enum pd_media media, const void *body, size_t n)
{
    const struct pd_raw raw = {.charset = label,
                               .charset_n = label ? strlen(label) : 0,
                               .body = body,
                               .n = n,
                               .media = media};
    replaced = 0;
    pd_charset_to_utf8(&raw, &buffer, &text, &text_n, &replaced, NULL);
}

static bool same(int line, const char *want)
{
    const bool equal = text_n == strlen(want) && (text_n == 0 || !memcmp(text, want, text_n));
    if (!equal)
        fprintf(stderr, "line %d: got <%.*s>\n", line, (int)text_n, (const char *)text);
    return equal;
}

#define EXPECT_N(label, media, body, n, want, broken)                                              \
    do {                                                                                           \
        convert(label, media, body, n);                                                            \
        CU_ASSERT(same(__LINE__, want));                                                           \
        CU_ASSERT_EQUAL(replaced, broken);                                                         \
    } while (0)
#define EXPECT(label, body, want, broken)                                                          \
    EXPECT_N(label, PD_MEDIA_TEXT, body, strlen(body), want, broken)
#define EXPECT_HTML(label, body, want, broken)                                                     \
    EXPECT_N(label, PD_MEDIA_HTML, body, strlen(body), want, broken)

/* Length of the character at s by the table of well-formed sequences, 0 when there is none. */
static size_t oracle(const unsigned char *s, size_t n)
{
    static const struct {
        unsigned char low[4], top[4];
        size_t n;
    } rows[] = {{{0x00}, {0x7F}, 1},
                {{0xC2, 0x80}, {0xDF, 0xBF}, 2},
                {{0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}, 3},
                {{0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}, 3},
                {{0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}, 3},
                {{0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}, 3},
                {{0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}, 4},
                {{0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}, 4},
                {{0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}, 4}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        size_t k = 0;
        while (k < rows[r].n && k < n && s[k] >= rows[r].low[k] && s[k] <= rows[r].top[k])
            k++;
        if (k == rows[r].n)
            return k;
    }
    return 0;
}

static size_t oracle_valid(const unsigned char *s, size_t n)
{
    size_t k = 0;
    for (size_t step; k < n && (step = oracle(s + k, n - k)) > 0; k += step)
        ;
    return k;
}

static void test_utf8_valid_random(void)
{
    static const unsigned char bytes[] = {'a',  'b',  0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
                                          0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE,
                                          0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};
    uint64_t state = 47;
    for (int round = 0; round < 200000; round++) {
        unsigned char s[6];
        for (size_t k = 0; k < sizeof s; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            s[k] = bytes[(state >> 33) % sizeof bytes];
        }
        if (pd_utf8_valid(s, sizeof s) != oracle_valid(s, sizeof s))
            CU_FAIL("differs from the table of well-formed sequences");
    }
}

static void test_utf8_valid_long(void)
{
    unsigned char s[100];
    for (size_t bad = 0; bad <= sizeof s; bad++) {
        memset(s, 'x', sizeof s);
        if (bad < sizeof s)
            s[bad] = 0xFF;
        CU_ASSERT_EQUAL(pd_utf8_valid(s, sizeof s), bad);
        CU_ASSERT_EQUAL(pd_ascii_span(s, sizeof s), bad);
    }
}

/* Characters of all lengths with a byte changed here and there: what is checked in blocks, too. */
static void test_utf8_valid_blocks(void)
{
    /* clang-format off */
    static const char *const characters[] = {
        "a", " ", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xEC\xBF\xBF", "\xED\x9F\xBF",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF3\xBF\xBF\xBF", "\xF4\x8F\xBF\xBF"};
    /* clang-format on */
    enum { KINDS = sizeof characters / sizeof *characters, MOST = 300 };
    uint64_t seed = 11;
    for (int round = 0; round < 200000; round++) {
        unsigned char s[MOST];
        uint32_t n = 0;
        const uint32_t want = pd_random_below(&seed, MOST - PD_UTF8_MOST);
        const uint32_t kinds = 1 + pd_random_below(&seed, KINDS);
        while (n < want) {
            const char *c = characters[pd_random_below(&seed, kinds)];
            memcpy(s + n, c, strlen(c));
            n += (uint32_t)strlen(c);
        }
        if (n > 0 && round % 4 > 0)
            s[pd_random_below(&seed, n)] = (unsigned char)pd_random(&seed);
        n -= n > 0 && round % 3 == 0; /* cut */
        if (pd_utf8_valid(s, n) != oracle_valid(s, n))
            CU_FAIL("differs from the table of well-formed sequences");
    }
}

static void test_utf8_stays(void)
{
    static const char body[] = "\xEF\xBB\xBFna\xC3\xAFve\r\n\0\xE4\xB8\xAD";
    EXPECT("utf-8", "ab\xC3\xA9", "ab\xC3\xA9", 0);
    convert(NULL, PD_MEDIA_TEXT, body, sizeof body - 1);
    CU_ASSERT_PTR_EQUAL(text, body);
    CU_ASSERT_EQUAL(text_n, sizeof body - 1);
    convert("shift_jis", PD_MEDIA_HTML, body, sizeof body - 1); /* the mark is believed first */
    CU_ASSERT_PTR_EQUAL(text, body + 3);
    convert("big5", PD_MEDIA_TEXT, "ascii", 5);
    CU_ASSERT_STRING_EQUAL(text, "ascii");
    EXPECT("", "", "", 0);
}

static void test_utf8_is_mended(void)
{
    EXPECT("utf-8", "a\xFFz\xC3", "a�z�", 2);
    EXPECT("utf8", "\xE4\xB8x\xF0\x9F\x98\xE4\xB8\xAD", "�x�中", 2);
    EXPECT("UTF-8", "\xED\xA0\x80\xC0\xAF\xF4\x90\x80\x80éé", "���������éé", 9);
    EXPECT(NULL, "\xEF\xBB\xBFx\xFF", "\xEF\xBB\xBFx�", 1);
    EXPECT_HTML(NULL, "\xEF\xBB\xBFx\xFF", "x�", 1);
}

static void test_windows_1252(void)
{
    EXPECT("latin1", "caf\xE9 \x93x\x94 \x80\xFF", "café “x” €ÿ", 0);
    EXPECT("ISO-8859-1", "\x81\x8D\x8F\x90\x9D", "\xC2\x81\xC2\x8D\xC2\x8F\xC2\x90\xC2\x9D", 0);
    EXPECT(" \"us-ascii\" ", "0123456789abcdef\x99", "0123456789abcdef™", 0);
    EXPECT("x-user-defined", "\xE9", "é", 0);
}

static void test_sets(void)
{
    EXPECT("gb2312", "\xD6\xD0\xB9\xFA \x81\x30\x81\x30", "中国 \xC2\x80", 0);
    EXPECT("gbk", "\x80 \xA3\xA0", "€ \u3000", 0);
    EXPECT("Big5", "\xA4\xA4\xA4\xE5", "中文", 0);
    EXPECT("big5", "\xA1\xFE\xA3\xC0\xA3\xE0\x8E\x69", "／␀␡箸", 0); /* not in the C library */
    EXPECT("big5", "\x88\x62\x88\xA5", "\xC3\x8A\xCC\x84\xC3\xAA\xCC\x8C", 0);
    EXPECT("shift_jis", "\x93\xFA\x96\x7B\x5C\x87\x40", "日本\\①", 0);
    EXPECT("x-sjis", "\xB1", "ｱ", 0);
    EXPECT("EUC-JP", "\xC6\xFC\xCB\xDC", "日本", 0);
    EXPECT("euc-jp", "\xAD\xA1\xFA\xD6\x8E\xB1\x8F\xB0\xA1", "①橳ｱ丂", 0);
    EXPECT("iso-2022-jp", "\x1B$B-!yz\x1B(J\\~\x1B(I1\x1B(B~", "①巐¥‾ｱ~", 0);
    EXPECT("koi8-u", "\xAE\xBE", "ўЎ", 0);
    EXPECT("x-mac-cyrillic", "\xFF\x80", "€А", 0);
    EXPECT("macintosh", "\xC6\xDB", "∆€", 0);
    EXPECT("windows-1255", "\xCA\xE0", "\xD6\xBAא", 0);
    EXPECT("iso-8859-16", "\xAA\xDE", "ȘȚ", 0);
    EXPECT("iso-2022-jp", "\x1B$BF|K\\\x1B(B!", "日本!", 0);
    EXPECT("ks_c_5601-1987", "\xC7\xD1\xB1\xB9", "한국", 0);
    EXPECT("windows-1251", "\xCF\xF0\xE8\xE2\xE5\xF2", "Привет", 0);
    EXPECT("koi8-r", "\xF0\xD2\xC9\xD7\xC5\xD4", "Привет", 0);
    EXPECT("iso-8859-9", "\xFE\xFD\x80", "şı€", 0);
    EXPECT("iso-8859-15", "\xA4", "€", 0);
    EXPECT("tis-620", "\xA1", "ก", 0);
    EXPECT("windows-1258", "x\x81i\xEC", "x\xC2\x81i\xCC\x81", 0);
    EXPECT_N("utf-16le", PD_MEDIA_TEXT, "a\0\x2D\x4E", 4, "a中", 0);
    EXPECT_N(NULL, PD_MEDIA_TEXT, "\xFE\xFF\0a\x4E\x2D", 6, "a中", 0);
    EXPECT_N("utf-8", PD_MEDIA_HTML, "\xFF\xFEx\0\x2D\x4E", 6, "x中", 0);
    EXPECT_N(NULL, PD_MEDIA_TEXT, "\xFF\xFE\0\0a\0\0\0\x2D\x4E\0\0", 12, "a中", 0);
    EXPECT_N(NULL, PD_MEDIA_HTML, "\0\0\xFE\xFF\0\0\0a\0\1\xF6\0", 12, "a\xF0\x9F\x98\x80", 0);
    EXPECT("hz-gb-2312", "a~~b ~{VPND~} c~\nd", "a~b 中文 cd", 0);
}

static void test_broken_sequences(void)
{
    EXPECT("gbk", "a\xD6!\xFF\xFFz\xD6", "a�!��z�", 4);
    EXPECT("euc-kr", "\xC7\xD1\xC9\xFE\xB1\xB9", "한�국", 1);
    EXPECT("shift_jis", "\x82\x3C\x93\xFA", "�<日", 1);
    EXPECT("gbk", "\x81<\x81\x30<\x81\x30\x81<b>", "�<�0<�0�<b>", 4);
    EXPECT("gbk", "\xE3\x32\x9A\x35\xE3\x32\x9A\x36\x90\x30\x81\x30\x81\x30\x81",
           "\xF4\x8F\xBF\xBF�\xF0\x90\x80\x80�", 2);
    EXPECT("euc-jp", "\x8F\xA2\xFF<\x8E<\x80<\xA9\xFF<", "�<�<�<�<", 4);
    EXPECT("iso-2022-jp", "\x1B$B\x1B(B\x1B$B0\x1B(B<\x1B(X\xE9", "���<�(X�", 5);
    EXPECT("big5", "\x80\xFF\xA4<\xA4\xFF", "��\xEF\xBF\xBD<�", 4);
    EXPECT("windows-1253", "\x81\xAA", "\xC2\x81�", 1);
    EXPECT("windows-1258", "\xE9z", "éz", 0);
    EXPECT_N("utf-16be", PD_MEDIA_TEXT, "\xD8\0\0a\xDC\0\0b\0", 9, "�a�b�", 3);
    EXPECT_N("utf-32le", PD_MEDIA_TEXT, "a\0\0\0\0\xD8\0\0\0\0\x11\0b", 13, "a���", 3);
    EXPECT("hz-gb-2312", "~{V\nb~{VP", "�\nb中", 1);
    char many[1000];
    memset(many, 0xFF, sizeof many);
    convert("big5", PD_MEDIA_TEXT, many, sizeof many);
    CU_ASSERT_EQUAL(replaced, sizeof many);
    CU_ASSERT_EQUAL(text_n, replaced * 3);
}

static const char *name_of(const struct pd_charset *c) { return c ? c->name : "none"; }

static void declared(int line, const char *html, const char *want)
{
    const char *got = name_of(pd_charset_declared((const unsigned char *)html, strlen(html)));
    if (strcmp(got, want) != 0)
        fprintf(stderr, "line %d: got %s\n", line, got);
    CU_ASSERT_STRING_EQUAL(got, want);
}
#define DECLARED(html, want) declared(__LINE__, html, want)

static void test_labels(void)
{
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("GB_2312-80", 10)), "GB18030");
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("\t'Windows-31J'\n", 15)), "CP932");
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("latin", 5)), "none");
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("atin1", 5)), "none");
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("latin1 us-ascii", 15)), "none");
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("utf-8\0", 6)), "none");
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("866\0xxxxx", 9)), "none");
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("", 0)), "none");
    CU_ASSERT_STRING_EQUAL(name_of(pd_charset_find("l1", 2)), "CP1252");
}

static void test_declarations(void)
{
    DECLARED("<meta charset=gbk>", "GB18030");
    DECLARED("<html><META  lang='a>b' Charset = \" Big5 \" >", "BIG5-HKSCS");
    DECLARED("<meta/charset='koi8-r'/>", "KOI8-R");
    DECLARED("<meta http-equiv='Content-Type' content='text/html; charset=euc-jp'>", "EUC-JP-MS");
    DECLARED("<meta content=\"text/html; CHARSET = 'sjis';x\" http-equiv=content-type>", "CP932");
    DECLARED("<meta content='text/html; charset=sjis'>", "none");
    DECLARED("<meta http-equiv=refresh content='0;charset=sjis'>", "none");
    DECLARED("<meta http-equiv=content-type content='charset x charset=big5'>", "BIG5-HKSCS");
    DECLARED("<meta charset=utf-16le>", "UTF-8");
    DECLARED("<meta charset=nosuch><meta charset=l2>", "ISO-8859-2");
    DECLARED("<!-- <meta charset=gbk> --><meta charset=l3>", "ISO-8859-3");
    DECLARED("<!--><meta charset=gbk>", "GB18030");
    DECLARED("<a title='<meta charset=gbk>'><meta charset=l3>", "ISO-8859-3");
    DECLARED("<b <meta charset=gbk>", "none");
    DECLARED("</b x='<meta charset=gbk>'></ <meta charset=gbk><? <meta charset=gbk>", "none");
    DECLARED("1 < 2 <<meta charset=gbk>", "GB18030");
    DECLARED("<metal charset=gbk>", "none");
    DECLARED("<meta ='a charset=gbk b'>", "GB18030");
    DECLARED("<meta charset='gbk", "none");
    DECLARED("<?xml version=\"1.0\" encoding=\"EUC-KR\"?><html>", "CP949");
    DECLARED("<?xml version=\"1.0\" encoding='utf-16'?><meta charset=gbk>", "GB18030");
    DECLARED("<?xml version=\"1.0\"?> encoding='gbk'", "none");
    DECLARED("", "none");
    DECLARED("<", "none");
    DECLARED("<meta", "none");
    DECLARED("<meta ", "none");
}

/* Behind the first kilobyte a declaration counts only when the page is not UTF-8 without it. */
static void test_late_declaration(void)
{
    char html[1100];
    memset(html, ' ', sizeof html);
    memcpy(html + 1024 - 18, "<meta charset=gbk>", 18);
    memcpy(html + sizeof html - 2, "\xC4\xA3", 2); /* one character in GBK and in UTF-8 */
    convert(NULL, PD_MEDIA_HTML, html, sizeof html);
    CU_ASSERT(memcmp(text + text_n - 3, "模", 3) == 0);
    memmove(html + 1, html, sizeof html - 3);
    convert(NULL, PD_MEDIA_HTML, html, sizeof html);
    CU_ASSERT(memcmp(text + text_n - 2, "ģ", 2) == 0);
    html[sizeof html - 1] = '\xE3';
    convert(NULL, PD_MEDIA_HTML, html, sizeof html);
    CU_ASSERT(memcmp(text + text_n - 3, "你", 3) == 0);
}

static void test_order_of_belief(void)
{
    EXPECT_HTML("windows-1251", "<meta charset=koi8-r>\xCF", "<meta charset=koi8-r>П", 0);
    EXPECT_HTML("nosuch", "<meta charset=koi8-r>\xF0", "<meta charset=koi8-r>П", 0);
    EXPECT_HTML("", "<meta charset=koi8-r>\xD0\x9F", "<meta charset=koi8-r>п÷", 0);
    EXPECT_HTML("", "<meta charset=nosuch>\xD0\x9F", "<meta charset=nosuch>П", 0);
    EXPECT("", "<meta charset=koi8-r>\xD0\x9F", "<meta charset=koi8-r>П", 0); /* no page */
    EXPECT("", "It\x92s a caf\xE9, he said: \x93so what\x94?", "It’s a café, he said: “so what”?",
           0);
}

/* A label that the text gives the lie to, and others that only look like it. */
static void test_labels_that_lie(void)
{
    EXPECT("iso-8859-1", "é è ê ë à ù ç ï", "é è ê ë à ù ç ï", 0);
    EXPECT("iso-8859-1", "é è ê ë à ù ç", "Ã© Ã¨ Ãª Ã« Ã\xC2\xA0 Ã¹ Ã§",
           0); /* seven may be chance */
    EXPECT("iso-8859-1", "ééééééééééééé", "ééééééééééééé", 0);
    EXPECT("euc-kr", "한국어 문장 하나 더", "한국어 문장 하나 더", 0);
    EXPECT_HTML("", "<meta charset=big5>一二三四五六七八", "<meta charset=big5>一二三四五六七八",
                0);
    EXPECT("utf-8", "\xE9t\xE9 \xE0 l'\xE9t\xE9 \x93\xE7\xE0\x94", "été à l'été “çà”", 0);
    EXPECT("utf-8", "\xE9t\xE9 \xE0 l'\xE9t\xE9 \x93\xE7\xE0\x94 é é", "�t� � l'�t� ���� é é", 9);
    EXPECT_HTML(NULL,
                "\xEF\xBB\xBF"
                "caf\xE9",
                "caf�", 1); /* nobody doubts a mark */
    /* when what came with the page is a lie, the page itself is asked before anyone guesses */
    EXPECT_HTML("utf-8", "<meta charset=koi8-r>\xF0\xF0\xF0\xF0\xF0\xF0\xF0\xF0",
                "<meta charset=koi8-r>ПППППППП", 0);
    EXPECT_HTML("utf-8", "<meta charset=utf-8>\xE9t\xE9 \xE0 l'\xE9t\xE9 \x93\xE7\xE0\x94",
                "<meta charset=utf-8>été à l'été “çà”", 0);
    EXPECT_HTML("big5", "<meta charset=gbk>一二三四五六七八", "<meta charset=gbk>一二三四五六七八",
                0);
    EXPECT("utf-8", "<meta charset=koi8-r>\xE9t\xE9 \xE0 l'\xE9t\xE9 \x93\xE7\xE0\x94",
           "<meta charset=koi8-r>été à l'été “çà”", 0); /* no page */
}

static void test_double_declarations(void)
{
    EXPECT_HTML("gbk", "\xEF\xBB\xBF<meta charset=big5>é", "<meta charset=big5>é", 0);
    EXPECT_HTML("koi8-r", "<meta charset=gbk><meta charset=big5>\xF0",
                "<meta charset=gbk><meta charset=big5>П", 0);
    EXPECT_HTML("", "<meta charset=koi8-r><meta charset=gbk>\xF0",
                "<meta charset=koi8-r><meta charset=gbk>П", 0);
    EXPECT_HTML("", "<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>\xF0",
                "<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>П", 0);
    EXPECT_HTML("",
                "<meta http-equiv=content-type content='text/html; charset=koi8-r'>"
                "<meta charset=gbk>\xF0",
                "<meta http-equiv=content-type content='text/html; charset=koi8-r'>"
                "<meta charset=gbk>П",
                0);
}

/* Pieces are decoded one after the other: a character may lie on the border. */
static void test_long(void)
{
    enum { CHARACTERS = 100001 };
    static char body[2 * CHARACTERS + 1];
    body[0] = 'x';
    for (size_t k = 0; k < CHARACTERS; k++)
        memcpy(body + 1 + 2 * k, "\xD6\xD0", 2);
    convert("gbk", PD_MEDIA_TEXT, body, sizeof body);
    CU_ASSERT_EQUAL(text_n, 1 + 3 * CHARACTERS);
    for (size_t k = 1; k < text_n; k += 3)
        if (memcmp(text + k, "中", 3) != 0)
            CU_FAIL("another character");
    CU_ASSERT_EQUAL(replaced, 0);
}

/* Cyrillic that no label names, far behind a lot of ASCII: only the sample can tell. */
static void test_guess(void)
{
    static const char russian[] =
        "\xD1\xE5\xE3\xEE\xE4\xED\xFF \xF5\xEE\xF0\xEE\xF8\xE0\xFF \xEF\xEE\xE3\xEE\xE4\xE0, "
        "\xE8 \xEC\xFB \xE8\xE4\xE5\xEC \xE3\xF3\xEB\xFF\xF2\xFC \xE2 \xEF\xE0\xF0\xEA.";
    char body[10000 + 4 * sizeof russian];
    memset(body, '-', 10000);
    size_t n = 10000;
    for (int k = 0; k < 4; k++, n += sizeof russian - 1)
        memcpy(body + n, russian, sizeof russian - 1);
    convert(NULL, PD_MEDIA_TEXT, body, n);
    CU_ASSERT_PTR_NOT_NULL(memmem(text, text_n, "хорошая погода", strlen("хорошая погода")));
    CU_ASSERT_EQUAL(replaced, 0);
}

/* Signs that every windows set has tell nothing; what follows them, however late, does. */
static void test_guess_behind_punctuation(void)
{
    EXPECT("", "\x93Yes\x94 \x96 \xA9 2009", "“Yes” – © 2009", 0);
    static const char japanese[] = "\xA4\xB3\xA4\xEC\xA4\xCF\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE"
                                   "\xCA\xB8\xBE\xCF\xA4\xC7\xA4\xB9\xA1\xA3";
    char body[20000 + 8 * sizeof japanese];
    memset(body, ' ', sizeof body);
    for (size_t k = 0; k < 10000; k += 100)
        body[k] = '\xA9';
    size_t n = 20000;
    for (int k = 0; k < 8; k++, n += sizeof japanese - 1)
        memcpy(body + n, japanese, sizeof japanese - 1);
    convert(NULL, PD_MEDIA_TEXT, body, n);
    CU_ASSERT_PTR_NOT_NULL(memmem(text, text_n, "これは日本語の文章です。", 36));
}

/* Any bytes under any label give valid UTF-8. */
static void test_random_bytes(void)
{
    static const char *const labels[] = {"",          "utf-8",       "gb18030",   "big5",
                                         "shift_jis", "euc-jp",      "euc-kr",    "iso-2022-jp",
                                         "utf-16be",  "iso-2022-kr", "cp1255",    "cp1258",
                                         "latin1",    "macintosh",   "iso-8859-8"};
    uint64_t state = 99;
    for (int round = 0; round < 3000; round++) {
        unsigned char body[48];
        for (size_t k = 0; k < sizeof body; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            body[k] = (unsigned char)(state >> 40);
        }
        convert(labels[(size_t)round % (sizeof labels / sizeof *labels)], PD_MEDIA_TEXT, body,
                sizeof body);
        CU_ASSERT_EQUAL(pd_utf8_valid(text, text_n), text_n);
        CU_ASSERT(text_n >= sizeof body / 4);
    }
    pd_bytes_release(&buffer);
}

/* Escape sequences tell ISO-2022-JP, whatever the label says. */
static void test_iso_2022_jp_without_label(void)
{
#define JIS "\x1B$BF|K\\\x1B(B"
    static const char *const labels[] = {NULL, "us-ascii", "shift_jis", "euc-jp", "x"};
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
        EXPECT_N(labels[k], PD_MEDIA_TEXT, "a" JIS "b", strlen("a" JIS "b"),
                 "a\xE6\x97\xA5\xE6\x9C\xAC"
                 "b",
                 0);
        EXPECT_N(labels[k], PD_MEDIA_HTML, "<p>" JIS, strlen("<p>" JIS),
                 "<p>\xE6\x97\xA5\xE6\x9C\xAC", 0);
    }
    EXPECT_N(NULL, PD_MEDIA_TEXT, "a\x1B$B", 4, "a\x1B$B", 0); /* no characters */
    EXPECT_N(NULL, PD_MEDIA_TEXT, "a\x1B[31mred\x1B(B", 12, "a\x1B[31mred\x1B(B", 0);
    EXPECT_N("utf-8", PD_MEDIA_TEXT, "\xC3\xA9" JIS, 2 + strlen(JIS), "\xC3\xA9" JIS, 0);
}

/* So do those of ISO-2022-KR and HZ. */
static void test_other_escapes_without_label(void)
{
#define KR "\x1B$)C"
    EXPECT(NULL, KR "\x0EGQ19\x0F a", "한국 a", 0);
    EXPECT_HTML("us-ascii", "<p>" KR "\x0EGQ19\x0F</p>", "<p>한국</p>", 0);
    EXPECT(NULL, KR "a", KR "a", 0); /* no characters */
    EXPECT(NULL, "a ~{VPND~} b", "a 中文 b", 0);
    EXPECT_HTML("gb2312", "<p>~{VPND~}</p>", "<p>中文</p>", 0);
    EXPECT(NULL, "(format t \"~{~a~}\" x) ~{VP~} a~{VPND", "(format t \"~{~a~}\" x) ~{VP~} a~{VPND",
           0);
    EXPECT("utf-8", "\xC3\xA9 ~{VPND~}", "\xC3\xA9 ~{VPND~}", 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_utf8_valid_random),
                                        PD_TEST(test_utf8_valid_long),
                                        PD_TEST(test_utf8_valid_blocks),
                                        PD_TEST(test_utf8_stays),
                                        PD_TEST(test_utf8_is_mended),
                                        PD_TEST(test_windows_1252),
                                        PD_TEST(test_sets),
                                        PD_TEST(test_broken_sequences),
                                        PD_TEST(test_labels),
                                        PD_TEST(test_declarations),
                                        PD_TEST(test_late_declaration),
                                        PD_TEST(test_order_of_belief),
                                        PD_TEST(test_labels_that_lie),
                                        PD_TEST(test_double_declarations),
                                        PD_TEST(test_long),
                                        PD_TEST(test_guess),
                                        PD_TEST(test_guess_behind_punctuation),
                                        PD_TEST(test_random_bytes),
                                        PD_TEST(test_iso_2022_jp_without_label),
                                        PD_TEST(test_other_escapes_without_label),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "charset", tests);
}

/*
 * Words of texts in any script: which they are, their compared forms, lengths and terms, by examples
 * and against slow definitions on random text.
 */
#include "pd_cunit.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "document/chars.h"
#include "pardup/document/utf8.h"
#include "pardup/document/word.h"
#include "pd_random_text.h"

/* The forms of the words of text[0..n), a | behind each. */
static const char *forms_of(const char *text, size_t n)
{
    static char out[4096];
    struct pd_document d = {0};
    size_t used = 0;
    pd_words_scan((const unsigned char *)text, 0, (uint32_t)n, &d);
    for (size_t k = 0; k < d.words.n && used + d.words.v[k].norm_n + 2 < sizeof out; k++) {
        memcpy(out + used, d.norm.v + d.words.v[k].norm, d.words.v[k].norm_n);
        used += d.words.v[k].norm_n;
        out[used++] = '|';
    }
    out[used] = '\0';
    pd_document_release(&d);
    return out;
}

static void check(const char *text, const char *forms)
{
    const char *got = forms_of(text, strlen(text));
    CU_ASSERT_STRING_EQUAL(got, forms);
    if (strcmp(got, forms) != 0)
        fprintf(stderr, "  \"%s\": got \"%s\", not \"%s\"\n", text, got, forms);
}

static void test_ascii(void)
{
    check("", "");
    check(" .,;'!-- ", "");
    check("The Cat_2 sat-down.", "the|cat_2|sat|down|");
    check("rock 'n' roll, don't, dogs' 'tis", "rock|n|roll|don't|dogs|tis|");
    check("3.14 1,000.5 1. 2, .5 a.b 3.x x.3 1..2", "3.14|1,000.5|1|2|5|a|b|3|x|x|3|1|2|");
    check("it''s a'", "it|s|a|");
}

static void test_apostrophes(void)
{
    check("don\u2019t don\u02BCt d\u2019\u00E9t\u00E9 caf\u00E9's",
          "don't|don't|d'\u00E9t\u00E9|caf\u00E9's|");
    check("\u2019tis dogs\u2019 \u02BCn", "tis|dogs|n|");
}

static void test_compared_form(void)
{
    check("STRASSE Stra\u00DFe", "strasse|strasse|");
    check("E\u0301TE \u00C9te", "\u00E9te|\u00E9te|");
    check("\uFF21\uFF22\uFF43 \uFB01n \u212B", "abc|fin|\u00E5|");
    check("\u00BD \u2075 \u2167", "1\u20442|5|viii|");
    check("\uFDFB", "\u062C\u0644 \u062C\u0644\u0627\u0644\u0647|"); /* one sign, one word */
    check("\u039F\u0394\u039F\u03A3 \u041C\u0418\u0420",
          "\u03BF\u03B4\u03BF\u03C3|\u043C\u0438\u0440|");
}

/*
 * Points beside characters beyond ASCII, which may be digits; words of such one behind the other.
 */
static void test_points_beyond_ascii(void)
{
    check("\u00E9. \u00E9.5 5.\u00E9 \u00E9,x x,\u00E9 \u00E9.",
          "\u00E9|\u00E9|5|5|\u00E9|\u00E9|x|x|\u00E9|\u00E9|");
    check("\u0663.\u0664 \u0663.5 5,\u0664 \u0663.x \u0663. 5.\u2014",
          "\u0663.\u0664|\u0663.5|5,\u0664|\u0663|x|\u0663|5|");
    check("\u00E9 \u00E9  \u00E9 '\u00E9 a\u00E9 \u2014 \u00E9a b \u2019\u00E9 \u4E00 "
          "\u4E00\u00E9\u00A0\u00E9 ",
          "\u00E9|\u00E9|\u00E9|\u00E9|a\u00E9|\u00E9a|b|\u00E9|\u4E00|\u4E00|\u00E9|\u00E9|");
}

/*
 * Letters from À to ÿ are read a block of 64 bytes at a time, as ASCII is: wherever a block ends.
 */
static void test_latin(void)
{
    enum { MOST = 130 };
    char text[512];
    for (int at = 0; at <= MOST; at++) {
        snprintf(text, sizeof text, "%*s%s", at, "",
                 "\u00C9l\u00E8ve.\u00E9 \u00E9.5 5.\u00E9 \u00D7\u00F7 a\u00D7B\u00F7c STRA\u00DFE"
                 " d'\u00C9t\u00E9 \u00E9'a E\u0301\u00C0\u0301 \u00C0\u4E00 \u00DE\u00FF_9 "
                 "\u0663.5 \u00DE");
        check(text,
              "\u00E9l\u00E8ve|\u00E9|\u00E9|5|5|\u00E9|a|b|c|strasse|d'\u00E9t\u00E9|\u00E9'a|"
              "\u00E9\u00E0\u0301|\u00E0|\u4E00|\u00FE\u00FF_9|\u0663.5|\u00FE|");
    }
}

static void test_scripts(void)
{
    check("\u6211\u4EEC2\u5929", "\u6211|\u4EEC|2|\u5929|");
    check("\u3053\u308C\u30DA\u30F3\u3067\u30B9\u30FC\u30D7",
          "\u3053|\u308C|\u30DA\u30F3|\u3067|\u30B9\u30FC\u30D7|");
    check("\u304B\u3099\u4E00", "\u304C|\u4E00|");
    check("\uFF8A\uFF9F\uFF72abc", "\u30D1\u30A4|abc|");
    check("\uD55C\uAD6D\uC5B4 \uB9D0", "\uD55C\uAD6D\uC5B4|\uB9D0|");
    check("\u0E20\u0E32\u0E29\u0E32 2\u0E01a \u0627\u0644\u0644\u063A\u0629",
          "\u0E20\u0E32|\u0E29\u0E32|2|\u0E01|a|\u0627\u0644\u0644\u063A\u0629|");
    check("\u3007\u3005\U00020000\uF900", "\u3007|\u3005|\U00020000|\u8C48|");
    check("\u3002\u300C\u597D\u300D\uFF01\U0001F600", "\u597D|");
}

static void test_invisible(void)
{
    check("co\u00ADoper\u200Date x\u2060y a\uFEFFb", "cooperate|xy|ab|");
    check("one\u200Btwo \u200Ba \u200B b\u200B", "onetwo|a|b|");
    check("\u00AD\u200D\uFEFF \u263A\uFE0F", "");
    check("\u00ADword\u00AD", "word|");
    check("\u3164", ""); /* a letter by category, but nothing in the compared form */
}

/* Hebrew, Syriac, Arabic and Persian words compare equal with and without pointing. */
static void test_pointing(void)
{
    check("\u05E9\u05C1\u05B8\u05DC\u05D5\u05B9\u05DD \u05E9\u05DC\u05D5\u05DD "
          "\uFB2A\u05DC\u05D5\u05DD",
          "\u05E9\u05DC\u05D5\u05DD|\u05E9\u05DC\u05D5\u05DD|\u05E9\u05DC\u05D5\u05DD|");
    check("\u0640\u0627\u0644\u0652\u0643\u0640\u0640\u062A\u064E\u0627\u0628\u064F. \u064E "
          "\uFE8D\uFEDF\uFEDC\uFE98\uFE8E\uFE8F",
          "\u0627\u0644\u0643\u062A\u0627\u0628|\u0627\u0644\u0643\u062A\u0627\u0628|");
    check("\u0623\u0625\u0622\u0671 \u0627\u064E\u0654 \u0624\u0626 \u0621\u0629",
          "\u0627\u0627\u0627\u0627|\u0627|\u0648\u064A|\u0621\u0629|");
    check("\u0645\u06CC\u200C\u06A9\u0646\u062F \u0645\u064A\u0643\u0646\u062F "
          "\u062E\u0627\u0646\u06C0 \u062E\u0627\u0646\u0647\u0654 \u0639\u0644\u0649",
          "\u0645\u064A\u0643\u0646\u062F|\u0645\u064A\u0643\u0646\u062F|\u062E\u0627\u0646\u0647|"
          "\u062E\u0627\u0646\u0647|\u0639\u0644\u064A|");
    check("\u0721\u0730\u0720\u071F\u0733\u0710 \u0663.\u064E\u0664",
          "\u0721\u0720\u071F\u0710|\u0663|\u0664|");
}

/* Marks of other scripts tell words apart. */
static void test_marks_stay(void)
{
    check("\u0915\u093F \u0915\u0940 \u0915\u094D\u200D\u0937",
          "\u0915\u093F|\u0915\u0940|\u0915\u094D\u0937|");
    check("ma\u0301 m\u00E1 m\u1EA1 ma\u0323 ma", "m\u00E1|m\u00E1|m\u1EA1|m\u1EA1|ma|");
    check("\u0456\u0308 \u0457 \u03AC \u0785\u07A6 \u0785",
          "\u0457|\u0457|\u03AC|\u0785\u07A6|\u0785|");
}

/* Scripts of South-East Asia: a letter and the signs on it or behind it are a word. */
static void test_south_east_asian(void)
{
    check("\u0E19\u0E49\u0E33\u0E43\u0E08\u0E14\u0E35 \u0E19\u0E33 \u0E19\u0E4D\u0E32 "
          "\u0E25\u0E30\u0E46",
          "\u0E19\u0E49\u0E4D\u0E32|\u0E43|\u0E08|\u0E14\u0E35|\u0E19\u0E4D\u0E32|"
          "\u0E19\u0E4D\u0E32|\u0E25\u0E30|\u0E46|");
    check("\u0EAA\u0EB0\u200B\u0E9A\u0EB2\u0E8D", "\u0EAA\u0EB0|\u0E9A\u0EB2|\u0E8D|");
    check("\u1781\u17D2\u1798\u17C2\u179A\u17D4", "\u1781\u17D2|\u1798\u17C2|\u179A|");
    check("\u1019\u103C\u1014\u103A\u1019\u102C\u104B \u1041\u1042\u1043",
          "\u1019\u103C|\u1014\u103A|\u1019\u102C|\u1041\u1042\u1043|");
}

static void test_radicals(void)
{
    check("\u2F00\u2F64\u2F63\u2F24\u5B66 \u2E9F\u2EF3\u2E80",
          "\u4E00|\u7528|\u751F|\u5927|\u5B66|\u6BCD|\u9F9F|");
}

/* How many words are single characters of scripts without blanks. */
static void test_single_words(void)
{
    const char text[] =
        "one \u4E00\u304B\u30AB\u30BF \u0E20\u0E32\u0E29\u0E32 \uD55C\uAD6D\uC5B4 2";
    struct pd_document d = {0};
    pd_words_scan((const unsigned char *)text, 0, sizeof text - 1, &d);
    CU_ASSERT_EQUAL(d.words.n, 8);
    CU_ASSERT_EQUAL(d.single_words, 4);
    pd_document_release(&d);
}

/* Which words are single characters, by their forms. */
static void test_are_single(void)
{
    const char text[] = "a \u4E00 \u304B \u2F00 \u30AB \u30AB\u30BF \u0E01\u0E33 \u0E20\u0E34 "
                        "\uAC00 \u0301 \u0915\u093F 2";
    const char *const single = "011100110000";
    struct pd_document d = {0};
    pd_words_scan((const unsigned char *)text, 0, sizeof text - 1, &d);
    CU_ASSERT_EQUAL_FATAL(d.words.n, strlen(single));
    for (size_t k = 0; k < d.words.n; k++)
        CU_ASSERT_EQUAL(pd_word_is_single(&d, &d.words.v[k]), single[k] == '1');
    pd_document_release(&d);
}

/* Words as PD_SPELLING_EARLY_MODERN compares them. Offsets are those of the text. */
static void test_early_modern(void)
{
    struct pd_document d = {.spelling = PD_SPELLING_EARLY_MODERN};
    const char text[] = "Haue \u017Feene vpon IOVE thee be \u00C6s \u0153c goe re|ceiue\u00E9e e";
    static const char *const forms[] = {"hau", "seen", "upon", "iou",           "the", "be",
                                        "aes", "oec",  "go",   "receiue\u00E9", "e"};
    pd_words_scan((const unsigned char *)text, 0, sizeof text - 1, &d);
    CU_ASSERT_EQUAL_FATAL(d.words.n, sizeof forms / sizeof *forms);
    for (size_t k = 0; k < d.words.n; k++) {
        const struct pd_word *w = &d.words.v[k];
        CU_ASSERT(w->norm_n == strlen(forms[k]) &&
                  memcmp(d.norm.v + w->norm, forms[k], w->norm_n) == 0);
        CU_ASSERT_EQUAL(w->term, XXH3_64bits(forms[k], w->norm_n));
    }
    CU_ASSERT(d.words.v[0].begin == 0 && d.words.v[0].end == 4 && d.words.v[3].end == 21);
    pd_document_release(&d);
}

static void test_offsets(void)
{
    const char text[] = "\u00AB\u00C9t\u00E9\u00BB \u00ADx\u00AD 4,5.";
    struct pd_document d = {0};
    pd_words_scan((const unsigned char *)text, 0, sizeof text - 1, &d);
    CU_ASSERT_EQUAL_FATAL(d.words.n, 3);
    CU_ASSERT_EQUAL(d.words.v[0].begin, 2);
    CU_ASSERT_EQUAL(d.words.v[0].end, 7);
    CU_ASSERT_EQUAL(d.words.v[1].begin, 12);
    CU_ASSERT_EQUAL(d.words.v[1].end, 13);
    CU_ASSERT_EQUAL(d.words.v[2].begin, 16);
    CU_ASSERT_EQUAL(d.words.v[2].end, 19);
    CU_ASSERT(d.words.v[1].norm >= d.words.v[0].norm + d.words.v[0].norm_n);
    pd_document_release(&d);
}

/* Words that are printed in two parts are one word. */
static void test_seams(void)
{
    check("emi-\nnent emi-\r\n   nent emi- \rnent emi-\n> nent",
          "eminent|eminent|eminent|eminent|");
    check("a di-\nvi-\nded word, well-known", "a|divided|word|well|known|");
    check("the EMI-\nNENT Anglo-\nSaxon x-\nY A-\nBc X-\nY",
          "the|eminent|anglo|saxon|x|y|a|bc|x|y|");
    check("emi\u00AD\nnent emi\u00AD\nNent emi\u00ADnent emi\u2010\nnent emi\u00AC\n nent "
          "emi\u2E17\nnent",
          "eminent|eminent|eminent|eminent|eminent|eminent|");
    check("emi-\n\nnent emi--\nnent emi -\nnent emi- nent", "emi|nent|emi|nent|emi|nent|emi|nent|");
    check("12-\n13 1-\nst a-\n1 emi-\n", "12|13|1|st|a|1|emi|");
    check("emi\u2010nent emi\u00ACnent emi\u00AD nent", "emi|nent|emi|nent|emi|nent|");
    check("\u043F\u0435\u0440\u0435-\n\u043D\u043E\u0441 \u00FC\u00F6-\n\u00E4x "
          "e\u0301-\ne\u0301",
          "\u043F\u0435\u0440\u0435\u043D\u043E\u0441|\u00FC\u00F6\u00E4x|\u00E9\u00E9|");
    check("\u1E01\u1E03-\n\u1E01 \U00010428\U00010429-\n\U00010428",
          "\u1E01\u1E03\u1E01|\U00010428\U00010429\U00010428|");
    check("\u4E00-\n\u4E00 \u30AB-\n\u30AB", "\u4E00|\u4E00|\u30AB|\u30AB|");
    check("don't-\nworry O'-\nbrien it-\n's", "don'tworry|o|brien|it|s|");
}

/* A bar between two letters of a word, as in texts of EEBO-TCP. */
static void test_bars(void)
{
    check("re|ceiue LORD|SHIP re\u2223ceiue d\u00E9|\u00E7u",
          "receiue|lordship|receiue|d\u00E9\u00E7u|");
    check("a|b|c |d| e|f| Roman|Catholic x|Y 1|2 a||b emi|\nnent",
          "a|b|c|d|e|f|roman|catholic|x|y|1|2|a|b|emi|nent|");
    check("emi|nen-\nt", "eminent|");
}

/* A seam is found wherever blocks and the range end. Words keep their offsets. */
static void test_seams_anywhere(void)
{
    enum { MOST = 140 };
    static const char *const seams[] = {"-\n", "\u00AD\r\n ", "|", "\u2010\n", "\u00AC\n  > "};
    for (size_t k = 0; k < sizeof seams / sizeof *seams; k++)
        for (int at = 0; at <= MOST; at++) {
            char text[512];
            struct pd_document d = {0};
            const size_t seam_n = strlen(seams[k]), begin = (size_t)at;
            snprintf(text, sizeof text, "%*semi%snent e\u0301t\u00E9", at, "", seams[k]);
            check(text, "eminent|\u00E9t\u00E9|");
            pd_words_scan((const unsigned char *)text, 0, (uint32_t)(begin + 7 + seam_n), &d);
            CU_ASSERT_EQUAL_FATAL(d.words.n, 1);
            CU_ASSERT(d.words.v[0].begin == begin && d.words.v[0].end == begin + 7 + seam_n);
            CU_ASSERT_EQUAL(d.words.v[0].term, XXH3_64bits("eminent", 7));
            d.words.n = d.norm.n = 0;
            pd_words_scan((const unsigned char *)text, 0, (uint32_t)(begin + 3 + seam_n), &d);
            CU_ASSERT_EQUAL(d.words.n, 1);
            CU_ASSERT_EQUAL(d.words.v[0].end, begin + 3);
            pd_document_release(&d);
        }
}

/* A hyphen is found behind a long text of letters that are read one by one. */
static void test_seams_far(void)
{
    enum { WORDS = 1000, MOST = 140 };
    for (size_t at = 0; at <= MOST; at++) {
        const char *const last =
            at % 2 ? "\u043F\u0435-\n\u043D\u043E" : "\u043F\u0435\u2010\n\u043D\u043E";
        struct pd_bytes text = {0};
        struct pd_document d = {0};
        for (size_t k = 0; k < at / 2; k++)
            pd_bytes_append(&text, " ", 1);
        for (int k = 0; k < WORDS; k++)
            pd_bytes_append(&text, "\u043F\u0435 ", 5);
        pd_bytes_append(&text, last, strlen(last));
        pd_words_scan(text.v, 0, (uint32_t)text.n, &d);
        CU_ASSERT_EQUAL(d.words.n, WORDS + 1);
        CU_ASSERT_EQUAL(d.seams.n, 1);
        CU_ASSERT_EQUAL(d.words.v[WORDS].term, XXH3_64bits("\u043F\u0435\u043D\u043E", 8));
        CU_ASSERT_EQUAL(d.words.v[WORDS].begin, at / 2 + 5 * WORDS);
        pd_bytes_release(&text);
        pd_document_release(&d);
    }
}

/* The term is the hash of the form, so the way to the form does not matter. */
static void test_terms(void)
{
    const char text[] = "don't DON\u2019T don\u00AD't doNt";
    struct pd_document d = {0};
    pd_words_scan((const unsigned char *)text, 0, sizeof text - 1, &d);
    CU_ASSERT_EQUAL_FATAL(d.words.n, 4);
    CU_ASSERT_EQUAL(d.words.v[0].term, XXH3_64bits("don't", 5));
    CU_ASSERT_EQUAL(d.words.v[0].term, d.words.v[1].term);
    CU_ASSERT_EQUAL(d.words.v[0].term, d.words.v[2].term);
    CU_ASSERT_NOT_EQUAL(d.words.v[0].term, d.words.v[3].term);
    pd_document_release(&d);
}

/* The range is respected: what is outside is never part of a word. */
static void test_range(void)
{
    const char text[] = "ab'cd 1.5 \u00E9\u00E9";
    struct pd_document d = {0};
    pd_words_scan((const unsigned char *)text, 1, 3, &d);   /* b' */
    pd_words_scan((const unsigned char *)text, 6, 8, &d);   /* 1. */
    pd_words_scan((const unsigned char *)text, 10, 12, &d); /* first e */
    CU_ASSERT_EQUAL_FATAL(d.words.n, 3);
    CU_ASSERT_EQUAL(d.words.v[0].end, 2);
    CU_ASSERT_EQUAL(d.words.v[1].end, 7);
    CU_ASSERT_EQUAL(d.words.v[2].end, 12);
    pd_document_release(&d);
}

static void test_long_words(void)
{
    enum { REPEATS = 100000 };
    static const char *const units[] = {"a", "Q1", "\u00C9", "\uFDFA", "\u0301\u0323", "\u0915"};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        struct pd_bytes text = {0};
        struct pd_document d = {0};
        for (int k = 0; k < REPEATS; k++)
            pd_bytes_append(&text, units[u], strlen(units[u]));
        pd_words_scan(text.v, 0, (uint32_t)text.n, &d);
        CU_ASSERT_EQUAL_FATAL(d.words.n, 1);
        CU_ASSERT_EQUAL(d.words.v[0].end, text.n);
        CU_ASSERT(d.words.v[0].norm_n >= REPEATS);
        CU_ASSERT_EQUAL(pd_utf8_valid(d.norm.v + d.words.v[0].norm, d.words.v[0].norm_n),
                        d.words.v[0].norm_n);
        pd_bytes_release(&text);
        pd_document_release(&d);
    }
}

/* Words are ascending and disjoint, and each scanned alone is the same word again. */
static void check_words(const struct pd_bytes *text)
{
    struct pd_document d = {0};
    size_t end = 0;
    pd_words_scan(text->v, 0, (uint32_t)text->n, &d);
    for (size_t k = 0; k < d.words.n; k++) {
        const struct pd_word *w = &d.words.v[k];
        struct pd_document alone = {0};
        CU_ASSERT(w->begin >= end && w->end > w->begin && w->end <= text->n);
        CU_ASSERT(w->norm + w->norm_n <= d.norm.n && w->norm_n > 0);
        CU_ASSERT_EQUAL(pd_utf8_valid(d.norm.v + w->norm, w->norm_n), w->norm_n);
        CU_ASSERT_EQUAL(w->term, XXH3_64bits(d.norm.v + w->norm, w->norm_n));
        pd_words_scan(text->v, w->begin, w->end, &alone);
        CU_ASSERT_EQUAL(alone.words.n, 1);
        if (alone.words.n == 1) {
            CU_ASSERT_EQUAL(alone.words.v[0].begin, w->begin);
            CU_ASSERT_EQUAL(alone.words.v[0].end, w->end);
            CU_ASSERT_EQUAL(alone.words.v[0].term, w->term);
        }
        end = w->end;
        pd_document_release(&alone);
    }
    pd_document_release(&d);
}

static void test_random(void)
{
    enum { ROUNDS = 2000, MOST_CHARS = 60 };
    static const uint32_t traps[] = {'\'',   '.',    ',',    '_',    'a',    'B',    '1',    ' ',
                                     0x2019, 0x02BC, 0xAD,   0x200B, 0x200D, 0x301,  0x3099, 0xFE0F,
                                     0xFDFA, 0x3164, 0x30FC, 0x304B, 0x4E00, 0xFF76, 0xBD,   '-',
                                     '\n',   '|',    0x2010, 0xAC,   0};
    struct pd_random random = {20100719};
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_bytes text = {0};
        pd_random_text(&random, traps, pd_random_below(&random, MOST_CHARS), &text);
        check_words(&text);
        pd_bytes_release(&text);
    }
}

/*
 * The form that Unicode says, NFKC_Casefold, with the table of docs/methods.md applied to its
 * canonical decomposition. Allocated.
 */
static char *form_by_definition(const unsigned char *word, size_t n)
{
    static const struct {
        uint32_t from, to;
    } dropped[] = {{0x591, 0x5BD}, {0x5BF, 0x5BF}, {0x5C1, 0x5C2}, {0x5C4, 0x5C5},
                   {0x5C7, 0x5C7}, {0x610, 0x61A}, {0x640, 0x640}, {0x64B, 0x65F},
                   {0x670, 0x670}, {0x6D6, 0x6DC}, {0x6DF, 0x6E8}, {0x6EA, 0x6ED}},
      letters[] = {{0x671, 0x627}, {0x672, 0x627}, {0x673, 0x627}, {0x649, 0x64A}, {0x6CC, 0x64A},
                   {0x6A9, 0x643}, {0x6AA, 0x643}, {0x6C1, 0x647}, {0x6D5, 0x647}, {0x2BC, 0x27}};
    utf8proc_uint8_t *apart, *form;
    struct pd_bytes kept = {0};
    unsigned len;
    const utf8proc_ssize_t apart_n =
        utf8proc_map(word, (utf8proc_ssize_t)n, &apart,
                     UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD |
                         UTF8PROC_IGNORE);
    CU_ASSERT_FATAL(apart_n >= 0);
    for (size_t k = 0; k < (size_t)apart_n; k += len) {
        uint32_t c = char_at(apart + k, &len);
        bool drop = false;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            drop |= c >= dropped[i].from && c <= dropped[i].to;
        for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
            if (c == letters[i].from) {
                c = letters[i].to;
                break;
            }
        if (!drop)
            pd_push_utf8(&kept, c);
    }
    pd_bytes_append(&kept, "", 1);
    form = utf8proc_NFC(kept.v);
    free(apart);
    pd_bytes_release(&kept);
    return (char *)form;
}

/* The form of any word, short way or long, is that of the definition. */
static void test_forms_random(void)
{
    enum {
        ROUNDS = 6000,
        MOST_CHARS = 12,
        LOW = 0xAA,
        LOW_N = 0x650,
        HIGH = 0x1E00,
        HIGH_N = 0x200
    };
    struct pd_random random = {20170301};
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_bytes text = {0};
        struct pd_document d = {0};
        for (uint32_t k = pd_random_below(&random, MOST_CHARS) + 1; k > 0; k--)
            pd_push_utf8(
                &text, pd_random_below(&random, 4) == 0   ? 'A' + pd_random_below(&random, 26)
                       : pd_random_below(&random, 3) == 0 ? HIGH + pd_random_below(&random, HIGH_N)
                                                          : LOW + pd_random_below(&random, LOW_N));
        pd_words_scan(text.v, 0, (uint32_t)text.n, &d);
        for (size_t k = 0; k < d.words.n; k++) {
            const struct pd_word *w = &d.words.v[k];
            char *const form = form_by_definition(text.v + w->begin, w->end - w->begin);
            CU_ASSERT(strlen(form) == w->norm_n &&
                      memcmp(form, d.norm.v + w->norm, w->norm_n) == 0);
            free(form);
        }
        pd_bytes_release(&text);
        pd_document_release(&d);
    }
}

/* ASCII words of every length: across blocks of 64 bytes, and up to the end of what can be read. */
static void test_lengths(void)
{
    enum { MOST = 140 };
    for (size_t n = 1; n <= MOST; n++)
        for (size_t at = 0; at < 3; at++) {
            struct pd_bytes text = {0};
            struct pd_document d = {0};
            pd_bytes_reserve(&text, at + n);
            memset(text.v, ' ', at);
            for (size_t k = 0; k < n; k++)
                text.v[at + k] = (unsigned char)"aZb9_Q"[(n + k) % 6];
            pd_words_scan(text.v, 0, (uint32_t)(at + n), &d);
            CU_ASSERT_EQUAL_FATAL(d.words.n, 1);
            CU_ASSERT(d.words.v[0].begin == at && d.words.v[0].end == at + n);
            CU_ASSERT_EQUAL(d.words.v[0].norm_n, n);
            CU_ASSERT_EQUAL(d.words.v[0].term, XXH3_64bits(d.norm.v + d.words.v[0].norm, n));
            for (size_t k = 0; k < n; k++)
                CU_ASSERT_EQUAL(d.norm.v[d.words.v[0].norm + k], "azb9_q"[(n + k) % 6]);
            pd_bytes_release(&text);
            pd_document_release(&d);
        }
}

/* Cut a text anywhere: sentences[k] ends where the next begins. */
static void cut_anywhere(struct pd_random *random, const struct pd_bytes *text, bool coarse,
                         struct pd_sentences *out)
{
    uint32_t begin = 0;
    out->n = 0;
    while (begin < text->n) {
        uint32_t end = begin + 1 + (uint32_t)pd_random_below(random, coarse ? 3000 : 30);
        end = end < text->n ? end : (uint32_t)text->n;
        while (end < text->n && (text->v[end] & 0xC0) == 0x80)
            end++;
        pd_sentences_push(out, (struct pd_sentence){begin, end, 0, 0});
        begin = end;
    }
}

/* The words of sentences are those of each alone, wherever it ends. */
static void test_sentences(void)
{
    enum { ROUNDS = 600, MOST_CHARS = 3000 };
    static const uint32_t traps[] = {'\'',   '.',  ',',    'a',    'B',    '1',    ' ',    'q',
                                     ' ',    '\'', 'x',    ' ',    0x2019, 0xAD,   0x200B, 0xE9,
                                     0x2014, 0xA0, 0x4E00, 0x56FD, 0x30AB, 0x304B, 0xB7,   0x301,
                                     0xFF0C, '-',  '\n',   '|',    0};
    struct pd_random random = {1964};
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_bytes text = {0};
        struct pd_document d = {0}, each = {0};
        if (pd_words_have_icu() && round % 4 == 0)
            d.words_kind = each.words_kind = PD_WORDS_ICU;
        pd_random_text(&random, traps, 1 + pd_random_below(&random, MOST_CHARS), &text);
        d.text = text.v;
        d.text_n = text.n;
        cut_anywhere(&random, &text, round % 3 == 0, &d.sentences);
        pd_sentences_append(&each.sentences, d.sentences.v, d.sentences.n);
        CU_ASSERT_FATAL(pd_words_of_sentences(&d));
        size_t kept = 0;
        for (size_t k = 0; k < each.sentences.n; k++) {
            const struct pd_sentence u = each.sentences.v[k];
            const size_t first = each.words.n;
            pd_words_scan(text.v, u.begin, u.end, &each);
            if (each.words.n == first)
                continue;
            CU_ASSERT_FATAL(kept < d.sentences.n);
            const struct pd_sentence *v = &d.sentences.v[kept++];
            CU_ASSERT(v->begin == u.begin && v->end == u.end && v->word == first);
            CU_ASSERT_EQUAL_FATAL(v->nwords, each.words.n - first);
        }
        CU_ASSERT_EQUAL(kept, d.sentences.n);
        CU_ASSERT_EQUAL_FATAL(d.words.n, each.words.n);
        for (size_t k = 0; k < d.words.n; k++)
            CU_ASSERT(d.words.v[k].begin == each.words.v[k].begin &&
                      d.words.v[k].end == each.words.v[k].end &&
                      d.words.v[k].term == each.words.v[k].term);
        pd_bytes_release(&text);
        pd_document_release(&d);
        pd_document_release(&each);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_ascii),
                                        PD_TEST(test_apostrophes),
                                        PD_TEST(test_compared_form),
                                        PD_TEST(test_scripts),
                                        PD_TEST(test_invisible),
                                        PD_TEST(test_offsets),
                                        PD_TEST(test_terms),
                                        PD_TEST(test_range),
                                        PD_TEST(test_long_words),
                                        PD_TEST(test_random),
                                        PD_TEST(test_lengths),
                                        PD_TEST(test_forms_random),
                                        PD_TEST(test_sentences),
                                        PD_TEST(test_points_beyond_ascii),
                                        PD_TEST(test_latin),
                                        PD_TEST(test_seams),
                                        PD_TEST(test_bars),
                                        PD_TEST(test_seams_anywhere),
                                        PD_TEST(test_seams_far),
                                        PD_TEST(test_pointing),
                                        PD_TEST(test_marks_stay),
                                        PD_TEST(test_south_east_asian),
                                        PD_TEST(test_radicals),
                                        PD_TEST(test_single_words),
                                        PD_TEST(test_are_single),
                                        PD_TEST(test_early_modern),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/word", tests);
}

/*
 * Where sentences end: each rule and language by examples, then random text, which sentences must
 * tile.
 */
#include "pd_cunit.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "document/chars.h"
#include "document/sentence/sentence.h"
#include "document/sentence/terminal.h"
#include "pardup/document/word.h"
#include "pd_random_text.h"

/* In `marked` a | stands where a sentence ends; without them it is the text. */
static void check(const char *marked)
{
    struct pd_bytes text = {0}, got = {0};
    struct pd_sentences s = {0};
    pd_bytes_reserve(&text, 1); /* no arithmetic on NULL, even for an empty text */
    for (const char *p = marked; *p; p++)
        if (*p != '|')
            pd_bytes_push(&text, (unsigned char)*p);
    pd_sentences_split(text.v, text.n, &s);
    size_t done = 0;
    for (size_t k = 0; k < s.n; k++) {
        pd_bytes_append(&got, text.v + done, s.v[k].end - done);
        if (k + 1 < s.n)
            pd_bytes_push(&got, '|');
        done = s.v[k].end;
    }
    pd_bytes_append(&got, text.v + done, text.n - done);
    pd_bytes_push(&got, '\0');
    CU_ASSERT_STRING_EQUAL((const char *)got.v, marked);
    if (strcmp((const char *)got.v, marked) != 0)
        fprintf(stderr, "  got  \"%s\"\n  not  \"%s\"\n", (const char *)got.v, marked);
    pd_bytes_release(&text);
    pd_bytes_release(&got);
    pd_sentences_release(&s);
}

static void check_all(const char *const *marked)
{
    for (; *marked; marked++)
        check(*marked);
}

static void test_plain(void)
{
    static const char *const cases[] = {"",
                                        " \n\t ",
                                        "no end at all",
                                        "It rains.| We stay in.| Who cooks?| Not me!",
                                        "What?!| Never!!| Are you sure??| Yes.",
                                        "He ran. and ran. till dawn.| She slept.",
                                        "In 1990.| The next year it was 600.| We left.",
                                        "The list: apples; pears; plums.| Nothing else.",
                                        "iOS came late.| iPhone owners waited.",
                                        NULL};
    check_all(cases);
}

static void test_abbreviations(void)
{
    static const char *const cases[] = {
        "Mr. Brown met Prof. Green and Mt. Hood stood by.| They left.",
        "It fits, e.g. Friday, i.e. Soon.| Fine.",
        "See No. 7, Vol. II and pp. 3-9.| He said no.| Bob agreed.",
        "Acme Inc. President Doe resigned.| He works for Acme Inc.| They pay.",
        "Ann Lee Jr. Foundation.| We met Ann Lee Jr.| She smiled.",
        "He left the U.S. Navy.| She lives in the U.S.| They write.",
        "Ask J. R. Miller or M. Dupont.| We took vitamin C.| It helped.",
        "At 9 a.m. Monday we met.| It ended at 5 p.m.| Everybody left.",
        "Open at 9 p.m. (Berlin time) only.",
        "Bring cups, plates, etc.| Bob has forks, knives, etc. at home.",
        "Smith et al. Nature 7.| We saw Smith et al.| They waved.",
        "On Sun. June 3 it rained.| We saw the sun.| Then it set.",
        "Roe v. Wade and the Ph.D. Committee.",
        "Am 3. Oktober kam z. B. Frau Dr. Kurz.| Sie blieb bis Nr. 5.",
        "Le café, etc.| Mme. Roux est là.",
        NULL};
    check_all(cases);
}

/* What stands before an abbreviation and is no part of the word. */
static void test_before_abbreviation(void)
{
    static const char parts[] = "!\"'()*,-/;<=>?[]{}", joins[] = "#$%&+.:@\\^_`~";
    char text[] = "We go so ?e.g. Apples in time.", cut[] = "We go so ?e.g.| Apples in time.";
    char *const sign = strchr(text, '?'), *const sign_cut = strchr(cut, '?');
    for (const char *c = parts; *c; c++) {
        *sign = *c;
        check(text);
    }
    for (const char *c = joins; *c; c++) {
        *sign_cut = *c;
        check(cut);
    }
}

static void test_abbreviation_lists(void)
{
    static const char *const never_end[] = {"Mrs", "Gen",    "Capt", "Rev", "Sen",   "Gov",
                                            "vs",  "viz",    "cf",   "Sra", "Lt",    "Col",
                                            "Ft",  "Messrs", "bzw",  "ca",  "approx"};
    static const char *const end_before_starter[] = {"Corp",  "Ltd",  "Co",  "Esq", "Ave",
                                                     "Calif", "Mass", "Wed", "Dec", "Bros"};
    char text[100];
    for (size_t k = 0; k < sizeof never_end / sizeof *never_end; k++) {
        snprintf(text, sizeof text, "We saw %s. Miller there.| Fine.", never_end[k]);
        check(text);
    }
    for (size_t k = 0; k < sizeof end_before_starter / sizeof *end_before_starter; k++) {
        snprintf(text, sizeof text, "We saw %s.| They saw %s. Miller.", end_before_starter[k],
                 end_before_starter[k]);
        check(text);
    }
}

static void test_numbers_and_names(void)
{
    static const char *const cases[] = {
        "It is 3.14 or 1.000.000 or $.50 in section 1.2.3 of v2.0.1.| Good.",
        "Mail a.b@site.org or see http://www.site.org/a.b?c=D!.| Bye.",
        "Read notes.txt.| Open site.com now.| Yahoo! Mail is down.| We use Yahoo!| They do not.",
        "It was the end.|Then came rain.|He slept.",
        "It cost 1,000.|That is much.",
        "It was so.[3]| The other[4] was not.[5][6]| Good.",
        "The dose was small.12| The effect was not.",
        NULL};
    check_all(cases);
}

static void test_quotes_and_brackets(void)
{
    static const char *const cases[] = {
        "\"Oh!\" he said.| \"Why?\" she asked.",
        "\"Come in.\"| She did.| 'So there.'| He left.",
        "He saw it (or did he?) and ran.| (It was late.)| [So be it.]| Fine.",
        "He (Bob lived here.) was out.",
        "Really?, she asked.| Then [...] it (?) broke.",
        "\u201CYes.\u201D| He sat.| \u00ABNon.\u00BB| Il part.",
        "\u00AB Non. \u00BB| Il part.",
        "It ended.\uFFFD| The next began.",
        NULL};
    check_all(cases);
}

static void test_ellipses(void)
{
    static const char *const cases[] = {
        "Well ... you know... maybe.| Yes.",   "I never....| You did.",
        "He left . . . Then nothing moved.",   "He left. . . .| Then nothing moved.",
        "Wait\u2026 what?| Wait\u2026| What?", "He scored.| ...and then it began.",
        "Preface ..... 7 Index ..... 99",      NULL};
    check_all(cases);
}

static void test_lists(void)
{
    static const char *const cases[] = {"1. Wash| 2. Rinse| 3. Dry",
                                        "1) Wash| 2) Rinse",
                                        "(a) wash.| (b) rinse.",
                                        "Do this:| (i) wash| (ii) rinse| (iii) dry",
                                        "\u2022 wash| \u2022 7. rinse",
                                        "We took 2) or b) of them (see 4) there).",
                                        "To buy:|\n- Milk|\n- bread|\n* eggs",
                                        "Contents|\n1. one|\na) two|\nIntroduction",
                                        "4.2. Getting files|\n\nB.4.12. More of it.| Really.",
                                        "See part 4.2.| It tells more.| U.S. Army.| 4. Then.",
                                        NULL};
    check_all(cases);
}

static void test_asian(void)
{
    static const char *const cases[] = {
        "\u4ED6\u6765\u4E86\u3002|\u4F60\u5462\uFF1F|\u597D\uFF01|\u5176\u4E00\uFF1B\u5176\u4E8C",
        "\u201C\u597D\u3002\u201D|\u4ED6\u8BF4\u3002",
        "\u6211\u770B\u300A\u8DD1\u5427\uFF01\u5144\u5F1F\u300B\u3002|\u597D",
        "\u4ED6\u8D70\u4E86\uFF08\u89C1\u56FE\u3002\uFF09\u5417\uFF1F|\u5BF9",
        "\u300C\u306F\u3044\u3002\u300D\u3068\u8A00\u3063\u305F\u3002|\u305D\u3046",
        "\u5024\u306F\uFF13\uFF0E\uFF12\u3067\u3059\uFF0E|\u6B21",
        "\u597D\u4E86.|\u7136\u540E\u8D70",
        "\u092F\u0939 \u0939\u0948\u0964| \u0935\u0939 \u0939\u0948",
        NULL};
    check_all(cases);
}

static void test_german(void)
{
    static const char *const cases[] = {
        "Wir sahen Hrn. Kurz und Dr. med. Lang.| Sie gingen.",
        "Er kam am 3. Mai, vgl. Abb. 4 und Bd. II, um ca. 8 Uhr.| Dann schlief er.",
        "Die evang. Kirche kostet 3 Mio. Euro inkl. Turm.| Das ist viel.",
        "Obst, Gemüse usw.| Alles ist frisch.| Obst usw. liegt bereit.",
        "Im 19. Jahrhundert lebte Ludwig II. in München, z. B. im Mai.",
        "„Komm!“, rief sie.| „Warum?“| »Darum.«| Gut.",
        NULL};
    check_all(cases);
}

static void test_french(void)
{
    static const char *const cases[] = {
        "Mme. Roux et M. Petit, cf. p. 7, sont là.| Ils mangent.",
        "« Tu viens ? » demanda-t-il.| « Non. »| Il part.",
        "Elle vit av. J.-C. selon lui, c.-à-d. avant.| Voilà !| C'est tout.",
        "Pourquoi ?| Parce que.| À demain.| Étienne dort.", NULL};
    check_all(cases);
}

static void test_spanish(void)
{
    static const char *const cases[] = {
        "El Sr. López y la Dra. Ruiz viven en EE.UU. desde ayer.| Ella duerme.",
        "¿Quién es?| ¡Nadie!| Él se fue.", "Vaya a la Avda. 5, pág. 7, nº. 3, aprox. Eso es.",
        "Fue el Lun. 15 de Mar. por la tarde.| Ud. Mismo lo vio, etc.| Nadie más.", NULL};
    check_all(cases);
}

static void test_italian(void)
{
    static const char *const cases[] = {
        "Il sig. Rossi e la Dott.ssa Neri vedono l'Avv. Verdi.| Piove.",
        "Pane, vino ecc.| Tutto bene.| Pane ecc. non manca, cfr. Dante.",
        "La Fiat S.p.A. Torino vende.| Perché?| È così.", NULL};
    check_all(cases);
}

static void test_other_scripts(void)
{
    static const char *const cases[] = {"Проф. Иванов жил на "
                                        "ул. 5, и т.д.| Он спит.",
                                        "Л.Н. Толстой жил.| Да.",
                                        "Դա է:| Դա է:", /* Armenian */
                                        "Ποιος;| Εγώ.", /* Greek */
                                        "a: B; C: d",
                                        "قال د. ريدي.| نعم", /* d. is Dr. */
                                        NULL};
    check_all(cases);
}

/* What nobody sees does not hide the end of a sentence. */
static void test_invisible(void)
{
    static const char *const cases[] = {"It ended.​| The next began.",
                                        "It ended.| ‎The next began.",
                                        "It ended­.| The next began.",
                                        "He said⁠.⁠)⁠| ⁠Then he left.",
                                        "好​.​|然后",
                                        "\"Oh!\" \u200Ehe said.",
                                        "The end.|然后走。",
                                        "Plates etc.|然后走。",
                                        NULL};
    check_all(cases);
}

static void test_time_alone(void)
{
    static const char *const cases[] = {"At 5 a.m. Bob rose.| He slept at 6 P.M.| Bob dreamt.",
                                        "9 a.m. Breakfast and 10 a.m.| Lunch follows.", NULL};
    check_all(cases);
}

/* Short lines in small letters are a list, longer ones and those with a full stop a text. */
static void test_small_lists(void)
{
    static const char *const cases[] = {"milk|\nbrown bread|\neggs, butter",
                                        "milk|\nEggs\nbutter",
                                        "They took milk\nand bread",
                                        "milk\nand bread.",
                                        "bread\nand milk and whatever else there may be for us",
                                        "- use the\nforce",
                                        "apples   1.20  kg|\npears    2.30  kg|\nfoo.txt  1 kg",
                                        NULL};
    check_all(cases);
}

static void test_japanese_lines(void)
{
    static const char *const cases[] = {"これは父の\n家です。", /* "of my father" */
                                        "目次|\n序文", "父の|\n\n家", NULL};
    check_all(cases);
}

static void test_closing_marks(void)
{
    static const char *const cases[] = {"他说：“好！”|我走。", "好？』|好。】|好。〗|好！！|好",
                                        "「はい！？」|そう。」|あ", NULL};
    check_all(cases);
}

static void test_lines(void)
{
    static const char *const cases[] = {
        "Title|\n\nText here",         "Title|\r\n \t\r\nText here",
        "Home|\nNews|\nContact",       "Home|\rNews",
        "cut off\nin the middle.| So", "It ended.|\nit began.",
        "Above|\n-----|\nbelow",       "Hello there,|\n> quoted one|\n>> quoted two|\nmine",
        "> first|\n>|\n> second",      NULL};
    check_all(cases);
}

static void test_wrapped_lines(void)
{
    static const char *const cases[] = {
        "The committee met in the old town hall of the city of\n"
        "Springfield and heard Alderman Jones and his friends of\n"
        "Little Rock on the matter.| Nobody of the public came to\n"
        "Town.",
        "> The committee met in the old town hall of the city of\n"
        "> Springfield and heard Alderman Jones and his friends of\n"
        "> Little Rock.|\n"
        "Nobody came.",
        "The committee met in the old town hall of the city|\n"
        "Agenda|\n"
        "Minutes|\n"
        "Members of the public and of the press and all others",
        "The committee met in the old town hall of the city of\n"
        "Springfield and heard Alderman Jones and his friends of|\n"
        "=======================================================|\n"
        "Springfield",
        "- the committee met in the old town hall of the city of\n"
        "Springfield and heard Alderman Jones and his friends of|\n"
        "- the public met elsewhere and heard nobody it knew of\n"
        "Little Rock",
        "\u59D4\u5458\u4F1A\u5728\u65E7\u5E02\u653F\u5385\u5F00\u4F1A\u5E76\u542C\u53D6\u4E86\u5E02"
        "\u957F\u5173\u4E8E\u57CE\u5E02\u81EA\u6765\u6C34\u5382\u7684\u62A5\u544A\u4F1A\u540E\u5728"
        "\n"
        "\u573A\u6CA1\u6709\u4EBA\u63D0\u51FA\u4EFB\u4F55\u95EE\u9898\u6216\u8005\u610F\u89C1\u4E8E"
        "\u662F\u5927\u5BB6\u5728\u665A\u4E0A\u4E5D\u70B9\u4EE5\u524D\u90FD\u5404\u81EA\u56DE\u5BB6"
        "\n"
        "\u53BB\u4E86\u3002",
        NULL};
    check_all(cases);
}

static const unsigned seeds[] = {1, 2, 3, 4, 5, 6, 7, 8};

/* A paragraph of random sentences; line ends instead of spaces where `width` is full, if not 0. */
static void write_paragraph(struct pd_bytes *out, unsigned seed, size_t width)
{
    static const char *const words[] = {"the",   "Mayor", "of",    "Springfield",
                                        "a",     "water", "I",     "works",
                                        "heard", "Dr.",   "1,500", "question"};
    enum { SENTENCES = 12, LEAST_WORDS = 4, MORE_WORDS = 14 };
    struct pd_random random = {seed};
    size_t line = 0;
    for (int k = 0; k < SENTENCES; k++)
        for (uint32_t n = LEAST_WORDS + pd_random_below(&random, MORE_WORDS), w = 0; w < n; w++) {
            char word[32];
            const uint32_t pick = pd_random_below(&random, sizeof words / sizeof *words);
            snprintf(word, sizeof word, "%s%s", w == 0 ? "Then" : words[pick],
                     w + 1 == n ? " done." : "");
            const size_t bytes = strlen(word);
            if (out->n > 0) {
                const bool full = width != 0 && out->n - line + 1 + bytes > width;
                pd_bytes_push(out, full ? '\n' : ' ');
                line = full ? out->n : line;
            }
            pd_bytes_append(out, word, bytes);
        }
}

/* The same text wrapped at another width has the same sentences. */
static void test_rewrapped(void)
{
    static const size_t widths[] = {60, 72, 80};
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        struct pd_bytes flat = {0};
        struct pd_sentences want = {0};
        write_paragraph(&flat, seeds[k], 0);
        pd_sentences_split(flat.v, flat.n, &want);
        CU_ASSERT(want.n > 4);
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            struct pd_bytes text = {0};
            struct pd_sentences got = {0};
            write_paragraph(&text, seeds[k], widths[w]);
            pd_sentences_split(text.v, text.n, &got);
            CU_ASSERT_EQUAL(got.n, want.n);
            CU_ASSERT(got.n != want.n || memcmp(got.v, want.v, want.n * sizeof *want.v) == 0);
            pd_bytes_release(&text);
            pd_sentences_release(&got);
        }
        pd_bytes_release(&flat);
        pd_sentences_release(&want);
    }
}

static void test_long_runs(void)
{
    enum { BYTES = 300000, LONGEST = 4000 };
    static const char *const units[] = {"word ", "a", "\u4E00", "1) ", ". ", ">", "\n", "(", ".)"};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        struct pd_bytes text = {0};
        struct pd_sentences s = {0};
        while (text.n < BYTES)
            pd_bytes_append(&text, units[u], strlen(units[u]));
        pd_sentences_split(text.v, text.n, &s);
        for (size_t k = 0; k < s.n; k++) {
            CU_ASSERT(s.v[k].end - s.v[k].begin <= LONGEST);
            CU_ASSERT((text.v[s.v[k].begin] & 0xC0) != 0x80);
        }
        pd_bytes_release(&text);
        pd_sentences_release(&s);
    }
}

/* What a long run is made of: words, encoded data, Chinese. */
enum matter { WORDS, DATA, CHINESE };

/* Append about `n` words of random matter. */
static void push_matter(struct pd_random *random, enum matter matter, int n, struct pd_bytes *text)
{
    for (int k = 0; k < n; k++) {
        char word[16];
        const unsigned x = pd_random_below(random, 3000);
        if (matter == WORDS)
            snprintf(word, sizeof word, "w%u%s", x, x % 11 ? " " : "-\n");
        else if (matter == DATA)
            snprintf(word, sizeof word, "%06x", x * 7919 & 0xFFFFFF);
        else
            snprintf(word, sizeof word, "%c%c%c", 0xE4 + (int)(x % 5), 0x80 + (int)(x % 61),
                     0x80 + (int)(x / 61 % 61));
        pd_bytes_append(text, word, strlen(word));
    }
}

/* A long run of Thai without blanks is cut, but never between a letter and the mark on it. */
static void test_long_runs_of_marks(void)
{
    enum { LETTERS = 20000, LEAST = 100 };
    struct pd_random random = {0x0E01};
    struct pd_bytes text = {0};
    struct pd_sentences s = {0};
    for (int k = 0; k < LETTERS; k++) {
        pd_push_utf8(&text, 0x0E01 + pd_random_below(&random, 0x2E));
        if (k % 2)
            pd_push_utf8(&text, 0x0E34 + pd_random_below(&random, 6));
    }
    pd_sentences_split(text.v, text.n, &s);
    CU_ASSERT(s.n > LEAST);
    for (size_t k = 0; k < s.n; k++) {
        unsigned len;
        const uint32_t c = char_at(text.v + s.v[k].begin, &len);
        CU_ASSERT(c < 0x0E34 || c > 0x0E39);
    }
    pd_bytes_release(&text);
    pd_sentences_release(&s);
}

/* Text that two long runs share is cut equally in both, but for its ends. */
static void test_shared_runs(void)
{
    enum { ROUNDS = 60, AROUND = 1500, SHARED = 400, MOST = 1100 };
    struct pd_random random = {400};
    for (int round = 0; round < ROUNDS; round++) {
        const enum matter matter = (enum matter)(round % 3);
        const int times = matter == CHINESE ? 3 : 1;
        struct pd_bytes text[2] = {{0}, {0}}, shared = {0};
        struct pd_sentences cut[2] = {{0}, {0}};
        size_t from[2], inside = 0, equal = 0;
        push_matter(&random, matter, SHARED * times, &shared);
        for (int t = 0; t < 2; t++) {
            push_matter(&random, matter, 300 + (int)pd_random_below(&random, AROUND) * times,
                        &text[t]);
            from[t] = text[t].n;
            pd_bytes_append(&text[t], shared.v, shared.n);
            push_matter(&random, matter, 300 + (int)pd_random_below(&random, AROUND) * times,
                        &text[t]);
            pd_sentences_split(text[t].v, text[t].n, &cut[t]);
        }
        for (size_t k = 0, j = 0; k < cut[0].n; k++) {
            const struct pd_sentence *a = &cut[0].v[k];
            CU_ASSERT(a->end - a->begin <= MOST);
            if (a->begin + 1 < from[0] || a->end > from[0] + shared.n)
                continue;
            inside++;
            while (j < cut[1].n && cut[1].v[j].begin + from[0] < a->begin + from[1])
                j++;
            equal += j < cut[1].n && cut[1].v[j].begin + from[0] == a->begin + from[1] &&
                     cut[1].v[j].end + from[0] == a->end + from[1];
        }
        CU_ASSERT(inside >= 6 && equal * 10 >= inside * 8);
        if (inside < 6 || equal * 10 < inside * 8)
            fprintf(stderr, "  matter %d: of %zu units %zu are equal\n", matter, inside, equal);
        for (int t = 0; t < 2; t++) {
            pd_bytes_release(&text[t]);
            pd_sentences_release(&cut[t]);
        }
        pd_bytes_release(&shared);
    }
}

/* A sentence of up to 330 words is not cut. */
static void test_long_sentence(void)
{
    struct pd_bytes text = {0};
    struct pd_sentences s = {0};
    struct pd_random random = {7};
    push_matter(&random, WORDS, 300, &text);
    pd_bytes_append(&text, "\u0444 ", 3);
    for (int k = 0; k < 200; k++)
        pd_bytes_append(&text, "\u0444", 2);
    pd_sentences_split(text.v, text.n, &s);
    CU_ASSERT_EQUAL(s.n, 1);
    pd_bytes_release(&text);
    pd_sentences_release(&s);
}

/* Text without capitals, and text of which some of it has capitals. */
static void test_no_capitals(void)
{
    static const char *const cases[] = {
        "it rains.| we stay in.| who cooks?| not me!| oh",
        "i met Bob.| Bob told me. he left. then i left.| it rained.| so",
        "on the 3. oktober z. b. and so on, e.g. apples.| \"oh!\" he said.| \"no.\"| she left.",
        "foo inc. said so at 5 p.m. sharp.| wait... what?| yes",
        "see example.com or 3.14.| mr. miller knows.|\n\n- it is.| (it was.)| (so it was.)",
        "\u0434\u043E\u0436\u0434\u044C.| \u043C\u044B \u0434\u043E\u043C\u0430.| "
        "\u043A\u0442\u043E?",
        "He ran. and ran. till dawn.| The approx. value of the unkn. word. and so",
        "\u10D3\u10D6\u10D4 \u10D0.\u10D1. \u10D2\u10D0.| \u10D4\u10E0\u10D7\u10D8!| "
        "\u10DD\u10E0\u10D8",
        NULL};
    check_all(cases);
}

/* Every mark of Unicode that ends sentences does so, wherever it stands in a block. */
static void test_terminals(void)
{
    enum { MOST = 70 };
    size_t n;
    const struct pd_range *const ranges = pd_terminals(&n);
    for (size_t k = 0; k < n; k++)
        for (uint32_t c = ranges[k].first; c <= ranges[k].last; c++)
            for (int at = 1; at < MOST; at += c % 7 + 1) {
                struct pd_bytes text = {0};
                struct pd_sentences s = {0};
                for (int i = 0; i < at; i++)
                    pd_bytes_push(&text, 'a');
                pd_push_utf8(&text, c);
                pd_bytes_append(&text, " The end of all that we know", 28);
                pd_sentences_split(text.v, text.n, &s);
                CU_ASSERT_EQUAL(s.n, 2);
                if (s.n != 2)
                    fprintf(stderr, "  U+%04X ends no sentence\n", c);
                pd_bytes_release(&text);
                pd_sentences_release(&s);
            }
}

/* Two spaces of Ethiopic are its full stop; one stands between words. */
static void test_ethiopic(void)
{
    static const char *const cases[] = {
        "\u1230\u120B\u121D\u1361\u1208\u12A0\u120D\u121D\u1361\u1361",
        "\u1208\u12A0\u120D\u121D\u1361\u1361\u1362", "\u1230\u120B\u121D", NULL};
    struct pd_bytes text = {0};
    struct pd_sentences s = {0};
    for (size_t k = 0; cases[k]; k++) {
        pd_bytes_append(&text, cases[k], strlen(cases[k]));
        pd_bytes_push(&text, ' ');
    }
    pd_sentences_split(text.v, text.n, &s);
    CU_ASSERT_EQUAL_FATAL(s.n, 3);
    CU_ASSERT_EQUAL(s.v[0].end, strlen(cases[0]));
    CU_ASSERT_EQUAL(s.v[1].end, strlen(cases[0]) + 1 + strlen(cases[1]));
    pd_bytes_release(&text);
    pd_sentences_release(&s);
}

/* A sentence does not end inside a word that is printed in two parts. */
static void test_seams(void)
{
    static const char *const cases[] = {"green to-\nmatoes\nmilk", "EX-\nAMPLE|\nONE",
                                        "an emi- \r\n  nent man", "x-|\n- y", NULL};
    check_all(cases);
}

static bool is_white_at(const unsigned char *s, size_t *n)
{
    static const char *const white[] = {
        " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u00A0", "\xC2\x85", "\u1680",
        "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007",   "\u2008",
        "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};
    for (size_t k = 0; k < sizeof white / sizeof *white; k++) {
        *n = strlen(white[k]);
        if (memcmp(s, white[k], *n) == 0)
            return true;
    }
    return false;
}

/* Ascending, disjoint, trimmed; what is outside is white space; words do not cross an end. */
static void check_cover(const struct pd_bytes *text)
{
    struct pd_sentences s = {0};
    struct pd_document parts = {0};
    struct pd_bytes padded = {0}; /* is_white_at() looks three bytes ahead */
    size_t done = 0, n;
    pd_bytes_append(&padded, text->v, text->n);
    pd_bytes_append(&padded, "xxx", 3);
    pd_sentences_split(text->v, text->n, &s);
    for (size_t k = 0; k <= s.n; k++) {
        const size_t begin = k < s.n ? s.v[k].begin : text->n;
        CU_ASSERT_FATAL(begin >= done && begin <= text->n);
        while (done < begin && is_white_at(padded.v + done, &n))
            done += n;
        CU_ASSERT_EQUAL(done, begin);
        if (k == s.n)
            break;
        CU_ASSERT_FATAL(s.v[k].end > begin && s.v[k].end <= text->n);
        CU_ASSERT(!is_white_at(padded.v + begin, &n));
        done = s.v[k].end;
        size_t last = done - 1;
        while ((text->v[last] & 0xC0) == 0x80)
            last--;
        CU_ASSERT(!is_white_at(padded.v + last, &n));
        const size_t first = parts.words.n;
        pd_words_scan(text->v, s.v[k].begin, s.v[k].end, &parts);
        CU_ASSERT(parts.words.n == first || (parts.words.v[first].begin >= begin &&
                                             parts.words.v[parts.words.n - 1].end <= done));
    }
    pd_sentences_release(&s);
    pd_bytes_release(&padded);
    pd_document_release(&parts);
}

static void test_random(void)
{
    enum { ROUNDS = 4000, MOST_CHARS = 150 };
    static const uint32_t traps[] = {'.',    '.',    '!',    '?',    '\n', '\n',   '\r',   ' ',
                                     ' ',    '>',    '|',    '(',    ')',  '"',    '\'',   '-',
                                     '[',    ']',    '1',    '2',    'a',  'b',    'i',    'A',
                                     'I',    'T',    ':',    ',',    0xA0, 0x2028, 0x3000, 0x3002,
                                     0xFF01, 0xFF0E, 0x2026, 0x201D, 0xBB, 0x2022, 0x4E00, 0x3068,
                                     0x300A, 0x300B, 0xFF08, 0xFFFD, 0};
    struct pd_random random = {20100719};
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_bytes text = {0};
        pd_random_text(&random, traps, pd_random_below(&random, MOST_CHARS), &text);
        check_cover(&text);
        pd_bytes_release(&text);
    }
}

/* Sentences of a text, without the signs that nobody sees and with a | behind each. */
static void list_sentences(const struct pd_bytes *text, struct pd_bytes *out)
{
    static const char unseen[] = "\u200B";
    const size_t n = sizeof unseen - 1;
    struct pd_sentences s = {0};
    pd_sentences_split(text->v, text->n, &s);
    out->n = 0;
    for (size_t k = 0; k < s.n; k++) {
        for (size_t i = s.v[k].begin; i < s.v[k].end; i++) {
            if (s.v[k].end - i >= n && memcmp(text->v + i, unseen, n) == 0)
                i += n - 1;
            else
                pd_bytes_push(out, text->v[i]);
        }
        pd_bytes_push(out, '|');
    }
    pd_sentences_release(&s);
}

/*
 * What is common is decided without the rules: a paragraph's last mark, a full stop between a plain
 * word and a capital, an empty line. Spelt so that the rules are asked, it must come out the same.
 */
static void test_short_ways(void)
{
    enum { ROUNDS = 60000, MOST_WORDS = 3 }; /* too short to be wrapped text, where columns count */
    static const char *const words[] = {"end",   "a",    "Mr",  "e.g",  "etc",  "U.S", "No",
                                        "7",     "Inc",  "p.m", "f(x)", "1",    "b",   "Yahoo",
                                        "x-ray", "café", "IV",  "好",   "[...]"};
    static const char *const marks[] = {".",  ". ",  ".",   "?", "!", ")",
                                        ".)", ".\"", "...", ",", "。"};
    static const char *const capitals[] = {"Then", "The", "Smith", "Monday", "Army", "Mail"};
    static const char same_line[] = " ", next_line[] = "\n> ";
    static const char *const gaps[] = {" ", "\n\n", "\n\n> ", same_line, next_line};
    static const char *const long_gaps[] = {" \u200B", "\n \n", "\n \n> ", same_line, next_line};
    struct pd_random random = {1997};
    struct pd_bytes plain = {0}, spelt = {0}, got = {0}, want = {0};
    for (int round = 0; round < ROUNDS; round++) {
        plain.n = spelt.n = 0;
        for (uint32_t k = 1 + pd_random_below(&random, MOST_WORDS); k > 0; k--) {
            const char *word = words[pd_random_below(&random, sizeof words / sizeof *words)];
            const char *mark = marks[pd_random_below(&random, sizeof marks / sizeof *marks)];
            const char *next =
                capitals[pd_random_below(&random, sizeof capitals / sizeof *capitals)];
            const uint32_t gap = pd_random_below(&random, sizeof gaps / sizeof *gaps);
            if (gaps[gap] == long_gaps[gap])
                next = "and";
            pd_bytes_append(&plain, word, strlen(word));
            pd_bytes_append(&plain, mark, strlen(mark));
            pd_bytes_append(&plain, gaps[gap], strlen(gaps[gap]));
            pd_bytes_append(&plain, next, strlen(next));
            pd_bytes_push(&plain, ' ');
            pd_bytes_append(&spelt, word, strlen(word));
            pd_bytes_append(&spelt, mark, strlen(mark));
            pd_bytes_append(&spelt, long_gaps[gap], strlen(long_gaps[gap]));
            pd_bytes_append(&spelt, next, strlen(next));
            pd_bytes_push(&spelt, ' ');
        }
        list_sentences(&plain, &got);
        list_sentences(&spelt, &want);
        const bool same = got.n == want.n && (got.n == 0 || memcmp(got.v, want.v, got.n) == 0);
        CU_ASSERT(same);
        if (!same)
            fprintf(stderr, "  %.*s\n  %.*s\n", (int)got.n, (const char *)got.v, (int)want.n,
                    (const char *)want.v);
    }
    pd_bytes_release(&plain);
    pd_bytes_release(&spelt);
    pd_bytes_release(&got);
    pd_bytes_release(&want);
}

/*
 * Paragraphs are the same whether nothing or a blank is in the line between them: the short way and
 * the long.
 */
static void test_empty_lines(void)
{
    enum { ROUNDS = 4000, MOST_PARAGRAPHS = 12, MOST_PARTS = 8 };
    static const char *const parts[] = {"a. ", "b.", "i. ", "ii.", "iv", "x",   "1) ", "2)",   "2.",
                                        "Ab",  "b",  ". ",  "!",   "?",  "...", ": ",  " ",    " ",
                                        "(",   "\"", "- ",  "* ",  "> ", "|",   "\n",  " and "};
    struct pd_random random = {1933};
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_bytes text[2] = {{0}, {0}};
        struct pd_sentences cut[2] = {{0}, {0}};
        for (uint32_t k = 1 + pd_random_below(&random, MOST_PARAGRAPHS); k > 0; k--) {
            for (uint32_t n = pd_random_below(&random, MOST_PARTS); n > 0; n--) {
                const char *part = parts[pd_random_below(&random, sizeof parts / sizeof *parts)];
                pd_bytes_append(&text[0], part, strlen(part));
                pd_bytes_append(&text[1], part, strlen(part));
            }
            pd_bytes_append(&text[0], "\n\n", 2);
            pd_bytes_append(&text[1], "\n \n", 3);
        }
        for (int t = 0; t < 2; t++)
            pd_sentences_split(text[t].v, text[t].n, &cut[t]);
        CU_ASSERT_EQUAL_FATAL(cut[0].n, cut[1].n);
        for (size_t k = 0; k < cut[0].n; k++) {
            const struct pd_sentence *a = &cut[0].v[k], *b = &cut[1].v[k];
            CU_ASSERT(a->end - a->begin == b->end - b->begin &&
                      memcmp(text[0].v + a->begin, text[1].v + b->begin, a->end - a->begin) == 0);
        }
        for (int t = 0; t < 2; t++) {
            pd_bytes_release(&text[t]);
            pd_sentences_release(&cut[t]);
        }
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_plain),
                                        PD_TEST(test_abbreviations),
                                        PD_TEST(test_before_abbreviation),
                                        PD_TEST(test_abbreviation_lists),
                                        PD_TEST(test_numbers_and_names),
                                        PD_TEST(test_quotes_and_brackets),
                                        PD_TEST(test_ellipses),
                                        PD_TEST(test_lists),
                                        PD_TEST(test_asian),
                                        PD_TEST(test_german),
                                        PD_TEST(test_french),
                                        PD_TEST(test_spanish),
                                        PD_TEST(test_italian),
                                        PD_TEST(test_other_scripts),
                                        PD_TEST(test_invisible),
                                        PD_TEST(test_time_alone),
                                        PD_TEST(test_small_lists),
                                        PD_TEST(test_japanese_lines),
                                        PD_TEST(test_closing_marks),
                                        PD_TEST(test_lines),
                                        PD_TEST(test_wrapped_lines),
                                        PD_TEST(test_rewrapped),
                                        PD_TEST(test_long_runs),
                                        PD_TEST(test_long_runs_of_marks),
                                        PD_TEST(test_shared_runs),
                                        PD_TEST(test_long_sentence),
                                        PD_TEST(test_no_capitals),
                                        PD_TEST(test_terminals),
                                        PD_TEST(test_ethiopic),
                                        PD_TEST(test_seams),
                                        PD_TEST(test_short_ways),
                                        PD_TEST(test_empty_lines),
                                        PD_TEST(test_random),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/sentence", tests);
}

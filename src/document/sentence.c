#include "pardup/document/sentence.h"

#include <assert.h>
#include <pthread.h>

#include "block.h"
#include "chars.h"
#include "site.h"

/* A run without a sentence end is cut: at white space behind so many bytes, or else anywhere. */
#define LONG_SENTENCE    ((size_t)10000)
#define LONGEST_SENTENCE ((size_t)1 << 16)

/* Marks of quotation looked through for a list marker at the start of a sentence. */
#define MOST_DEPTH 8

enum verdict { GO_ON, END };

/*
 * The rules. The first whose mark, word before and text behind fit decides; a 0 fits everything,
 * several bits mean "one of them". In the examples | is a sentence end and ~ is none.
 */
static const struct rule {
    unsigned mark, before, after;
    enum verdict verdict;
} rules[] = {
    /* lines and lists */
    {LINE, 0, FINISH, END},                 /* Title | (empty line) */
    {LINE, 0, BULLET, END},                 /* to buy: | - milk */
    {LINE, LISTED, SMALL, END},             /* milk | eggs | brown bread */
    {LINE, 0, SMALL, GO_ON},                /* cut off ~ in the middle */
    {LINE, HANGING, HAN, GO_ON},            /* これは父の ~ 家です */
    {LINE, 0, 0, END},                      /* Contents | Introduction */
    {ITEM, NEXT_ITEM, 0, END},              /* 1. Wash | 2. Rinse */
    {ITEM, COLON, 0, END},                  /* in this order: | (a) wash (b) rinse */
    {ITEM, 0, 0, GO_ON},                    /* as seen in b) ~ of the text */
    {ANY, MARKER, 0, GO_ON},                /* 1. ~ Wash */
    {ANY | SPACED, OPENED, 0, GO_ON},       /* he [...] ~ left (?) ~ early */
    {ANY | SPACED | WIDE, 0, COMMA, GO_ON}, /* Really?, ~ she said */

    /* Chinese, Japanese and other full stops that need no space */
    {WIDE | WIDE_DOT, TITLED, 0, GO_ON}, /* 《你好！~ 中国》 */
    {WIDE | WIDE_DOT, BRACED, 0, GO_ON}, /* （见附件。~ 下同。~ ） */
    {WIDE | WIDE_DOT, OPENED, 0, GO_ON}, /* 【！~ 】 */
    {WIDE, 0, PARTICLE, GO_ON},          /* 「はい。」~ と言った */
    {WIDE, 0, 0, END},                   /* 好。| 对！| 吗？| 其一；| */
    {WIDE_DOT, NUMBER, DIGIT, GO_ON},    /* ３．~ ２９ */
    {WIDE_DOT, 0, SMALL | COMMA, GO_ON}, /* ａ．~ ｂ */
    {WIDE_DOT, 0, 0, END},               /* です．| */
    {ANY, ASIAN, HAN, END},              /* 好.| 然后 */

    /* abbreviations */
    {PERIOD, NEVER, 0, GO_ON},                   /* fruit, e.g. ~ Apples */
    {PERIOD, TITLE, 0, GO_ON},                   /* Mr. ~ Miller */
    {PERIOD, NUMBERED, DIGIT, GO_ON},            /* No. ~ 5 */
    {PERIOD, NUMBERED, ROMAN, GO_ON},            /* Vol. ~ II */
    {PERIOD, CLOCK, DATE, GO_ON},                /* at 9 a.m. ~ Monday */
    {PERIOD, CLOCK, PAREN, GO_ON},               /* at 9 a.m. ~ (Eastern Time) */
    {PERIOD, TIMED, UPPER, GO_ON},               /* At 9 a.m. ~ Bob rose */
    {PERIOD, CLOCK, UPPER, END},                 /* at 9 p.m. | Bob slept */
    {PERIOD, ETC, UPPER | HAN, END},             /* plates, etc. | Bob paid */
    {PERIOD, DOTTED, STARTER, END},              /* in the U.S. | They */
    {PERIOD, INITIAL, STARTER, END},             /* vitamin C. | It */
    {PERIOD, ENDER, STARTER, END},               /* Foo Inc. | The */
    {PERIOD, ABBREVIATION, BREAK | FINISH, END}, /* at Foo Inc. | (end of line) */
    {PERIOD, ABBREVIATION, 0, GO_ON},            /* U.S. ~ Army, J. ~ Smith, Foo Inc. ~ said */
    {PERIOD, LETTER, SINGLE, GO_ON},             /* z. ~ B. */
    {PERIOD, SHORT, DATE, GO_ON},                /* am 3. ~ Oktober */

    /* nothing between the mark and the next word */
    {PERIOD | BANG, PLAIN, SENTENCE, END}, /* the end.| Then */
    {PERIOD, PLAIN, HAN, END},             /* the end.| 然后 */
    {PERIOD, NUMBER, STARTER, END},        /* 1,000.| That */
    {ANY, 0, GLUED, GO_ON},                /* 3.14, example.com, a?b=c, wait...what */

    /* ellipses */
    {SPACED, 0, FINISH | BREAK, END}, /* and so . . . | */
    {SPACED, 0, 0, GO_ON},            /* here . . . ~ There */
    {DOTS, 0, DIGIT, GO_ON},          /* Introduction ..... ~ 7 */

    /* exclamations */
    {BANG, EXCLAIM, STARTER | FINISH | BREAK, END}, /* found on Yahoo! | The */
    {BANG, EXCLAIM, 0, GO_ON},                      /* Yahoo! ~ Mail */

    /* and the plain ones */
    {ANY, 0, FINISH | BREAK, END}, /* The end. | */
    {ANY, 0, BULLET, END},         /* are two. | b) three */
    {ANY, 0, SMALL, GO_ON},        /* "Oh!" ~ he said. and ~ so on */
    {ANY, 0, 0, END},              /* It is. | Is it? | 7 of them */
};

enum { NRULES = sizeof rules / sizeof *rules, KINDS = 32 };
static_assert(NRULES <= 64, "a rule is a bit of a word");

/* The same table by column: the rules, as bits, that a mark, word before or text behind allows. */
static struct {
    uint64_t mark[KINDS], before[KINDS], after[KINDS];
    uint64_t any_before, any_after;
} allowed;
static pthread_once_t allowed_once = PTHREAD_ONCE_INIT;

static void allow(uint64_t columns[KINDS], unsigned bits, size_t rule)
{
    for (unsigned k = 0; k < KINDS; k++)
        columns[k] |= (uint64_t)(bits >> k & 1) << rule;
}

static void fill_allowed(void)
{
    for (size_t k = 0; k < NRULES; k++) {
        allow(allowed.mark, rules[k].mark, k);
        allow(allowed.before, rules[k].before, k);
        allow(allowed.after, rules[k].after, k);
        allowed.any_before |= (uint64_t)(rules[k].before == 0) << k;
        allowed.any_after |= (uint64_t)(rules[k].after == 0) << k;
    }
}

static uint64_t columns_of(const uint64_t columns[KINDS], unsigned bits)
{
    uint64_t all = 0;
    for (; bits != 0; bits &= bits - 1)
        all |= columns[__builtin_ctz(bits)];
    return all;
}

static enum verdict judge(const struct pd_site *s)
{
    const uint64_t fit = columns_of(allowed.mark, s->mark) &
                         (allowed.any_before | columns_of(allowed.before, s->before)) &
                         (allowed.any_after | columns_of(allowed.after, s->after));
    return rules[__builtin_ctzll(fit)].verdict; /* each mark has one that fits everything */
}

/*
 * A character that shares its first byte with marks and is none by its second: letters, mostly. Or
 * a quotation mark, which ends something behind a full stop only.
 */
static bool is_no_mark(const unsigned char *s)
{
    switch (s[0]) {
    case 0xCD:
        return s[1] != 0xBE; /* U+037E */
    case 0xD6:
        return s[1] != 0x89; /* U+0589 */
    case 0xD8:
        return s[1] != 0x9F; /* U+061F */
    case 0xDB:
        return s[1] != 0x94; /* U+06D4 */
    case 0xE0:
        return s[1] != 0xA5; /* U+0964, U+0965 */
    case 0xE2:               /* ‘ to ‟; beside marks, bullets are here */
        return s[1] == 0x80 && s[2] >= 0x98 && s[2] <= 0x9F;
    case 0xE1: /* U+104B, U+1362, U+1367, U+17D4 */
        return s[1] != 0x81 && s[1] != 0x8D && s[1] != 0x9F;
    case 0xE3:
        return s[1] != 0x80; /* U+3002 */
    default:
        return false;
    }
}

/*
 * A full stop or a closing parenthesis inside a word: 3.14, example.com, f(x)y. It ends nothing, by
 * the rules and by what a list marker is; most of them are of this kind.
 */
static bool is_inside(const unsigned char *text, size_t n, size_t i)
{
    if (n - i <= 2 || i == 0)
        return false;
    const unsigned char last = text[i - 1], next = text[i + 1];
    if (text[i] == ')')
        return (next < 0x80 && !is_white(next)) ||
               !(last == '.' || is_ascii_digit(last) || is_ascii_lower(last | 0x20));
    if (text[i] >= 0x80)
        return is_no_mark(text + i);
    return text[i] == '.' &&
           ((is_ascii_lower(next) && text[i + 2] < 0x80 && !is_ascii_upper(text[i + 2])) ||
            (is_ascii_digit(next) && is_ascii_digit(last)));
}

struct splitter {
    struct pd_lines lines;
    struct pd_begun begun;
    struct pd_sentences *out;
    size_t block;   /* first byte of the block of text that is classified */
    uint64_t stops; /* its bytes at which there is something to decide */
};

/* The first byte from i on at which there is something to decide; n when there is none. */
static size_t next_stop(struct splitter *s, size_t i)
{
    const struct pd_lines *l = &s->lines;
    while (i < l->n) {
        const size_t block = i & ~(size_t)(PD_BLOCK - 1);
        if (block != s->block) {
            unsigned char copy[PD_BLOCK];
            const bool beyond = block > 0 && l->text[block - 1] >= 0x80;
            s->stops = pd_block_stops(pd_block_at(l->text, l->n, block, copy), beyond);
            s->block = block;
        }
        const uint64_t stops = s->stops >> (i - block);
        if (stops != 0)
            return i + (size_t)__builtin_ctzll(stops);
        i = block + PD_BLOCK;
    }
    return l->n;
}

static size_t skip_white(const struct pd_lines *l, size_t i)
{
    unsigned len;
    for (; i < l->n && l->text[i] < 0x80; i++)
        if (!is_white(l->text[i]))
            return i;
    while (i < l->n && is_white(char_at(l->text + i, &len)))
        i += len;
    return i;
}

/* Where to cut the overlong run from `begin`. */
static size_t cut(const struct pd_lines *l, size_t begin, size_t end)
{
    unsigned len;
    size_t i = begin + LONG_SENTENCE;
    while ((l->text[i] & 0xC0) == 0x80)
        i--;
    for (; i < end; i += len)
        if (is_white(char_at(l->text + i, &len)) || i + len > begin + LONGEST_SENTENCE)
            break;
    return i;
}

static void push_trimmed(struct splitter *s, size_t begin, size_t end)
{
    unsigned len;
    const unsigned char *const text = s->lines.text;
    if (end == begin)
        return;
    if (is_black(text[begin]) && is_black(text[end - 1])) { /* nothing to trim, as mostly */
        pd_sentences_push(s->out, (struct pd_sentence){(uint32_t)begin, (uint32_t)end, 0, 0});
        return;
    }
    begin = skip_white(&s->lines, begin);
    while (end > begin && is_white(char_before(s->lines.text + end, &len)))
        end -= len;
    if (end > begin)
        pd_sentences_push(s->out, (struct pd_sentence){(uint32_t)begin, (uint32_t)end, 0, 0});
}

/* The sentence ends before `end`; the next begins there. */
static void finish(struct splitter *s, size_t end)
{
    const struct pd_lines *l = &s->lines;
    size_t begin = s->begun.begin;
    while (end > begin && end - begin > LONG_SENTENCE) {
        const size_t at = cut(l, begin, end);
        push_trimmed(s, begin, at);
        begin = at;
    }
    push_trimmed(s, begin, end);

    s->begun.begin = skip_white(l, end);
    size_t i = s->begun.begin; /* and its first word behind a quotation prefix */
    for (unsigned depth = 0; depth < MOST_DEPTH && i < l->n; depth++) {
        if (l->text[i] != '>' && l->text[i] != '|')
            break;
        i = skip_white(l, i + 1);
    }
    s->begun.marker = pd_marker_at(l->text, l->n, i);
    if (s->begun.marker.bullet) { /* "- 7. seven" */
        const struct pd_marker inner =
            pd_marker_at(l->text, l->n, skip_white(l, s->begun.marker.end));
        if (inner.style)
            s->begun.marker.end = inner.end;
    }
}

/* Does the line end, which is more than a space but not the paragraph's last, end the sentence? */
static bool ends_at_line(const struct splitter *s, size_t i, const struct pd_gap *gap)
{
    struct pd_site site = {.mark = LINE, .after = pd_site_after(&s->lines, gap, false)};
    if (site.after & (SMALL | HAN))
        site.before = pd_site_line(&s->lines, &s->begun, i, gap);
    return judge(&site) == END;
}

/*
 * Two line ends between plain text and a word that is no list marker, as between most paragraphs: what
 * pass_line() would do, without a look at anything else.
 */
static bool pass_paragraph(struct splitter *s, size_t i)
{
    const struct pd_lines *const l = &s->lines;
    const unsigned char *const at = l->text + i;
    const size_t begin = s->begun.begin;
    if (l->n - i < 4 || at[0] != '\n' || at[1] != '\n' || !pd_marker_is_word(at[2], at[3]))
        return false;
    if (i <= begin || i - begin > LONG_SENTENCE || !is_black(at[-1]))
        return false;
    push_trimmed(s, begin, i);
    s->begun = (struct pd_begun){.begin = i + 2};
    pd_lines_enter_letter(&s->lines, i + 2);
    return true;
}

/* White space with a line end in it, from i on; returns where to go on. */
static size_t pass_line(struct splitter *s, size_t i)
{
    if (pass_paragraph(s, i))
        return s->begun.begin;
    struct pd_lines *const l = &s->lines;
    struct pd_gap gap = pd_lines_gap(l, i);
    if (s->begun.marker.bullet && gap.kind == GAP_SPACE) {
        const struct pd_marker m = pd_marker_at(l->text, l->n, gap.to);
        if (pd_marker_follows(&s->begun.marker, &m))
            gap.kind = GAP_LINE; /* the next bullet of a list in wrapped text */
    }
    if (i > s->begun.begin && gap.kind != GAP_SPACE) {
        if (gap.kind == GAP_END || ends_at_line(s, i, &gap))
            finish(s, i);
    }
    pd_lines_enter(&s->lines, &gap);
    return gap.to;
}

/* Behind a full stop, as most sentences end: of the rules above none says otherwise. */
static bool is_plain_end(const struct splitter *s, const struct pd_site *site,
                         const struct pd_gap *gap)
{
    return site->mark == PERIOD && site->before == PLAIN && gap->kind == GAP_SPACE &&
           is_ascii_upper(s->lines.text[gap->to]);
}

/* A mark that two line ends follow, and that closes no list marker: the sentence ends there in any case. */
static bool is_before_paragraph(const unsigned char *text, size_t n, size_t i)
{
    if (n - i <= 2 || text[i + 1] != '\n' || text[i + 2] != '\n')
        return false;
    return text[i] == '!' || text[i] == '?' ||
           (text[i] == '.' && i >= 2 && pd_marker_is_word(text[i - 2], text[i - 1]));
}

static size_t pass_mark(struct splitter *s, size_t i)
{
    unsigned len;
    struct pd_site site;
    if (is_before_paragraph(s->lines.text, s->lines.n, i))
        return i + 1;
    if (is_inside(s->lines.text, s->lines.n, i))
        return i + 1;
    if (!pd_site_at(&s->lines, &s->begun, i, &site)) {
        char_at(s->lines.text + i, &len);
        return i + len;
    }
    if (site.mark != ITEM) {
        const size_t end = site.end;
        struct pd_gap gap = pd_lines_gap(&s->lines, end);
        if (gap.kind == GAP_END && end == site.next)
            return end; /* the sentence ends with the paragraph, whatever the rules say */
        pd_site_before(&s->lines, &s->begun, i, &site);
        if (site.end != end)
            gap = pd_lines_gap(&s->lines, site.end);
        if (is_plain_end(s, &site, &gap)) {
            finish(s, site.end);
            return site.end;
        }
        site.after = pd_site_after(&s->lines, &gap, site.end > site.next);
    }
    if (judge(&site) == GO_ON)
        return site.next;
    finish(s, site.end);
    return site.mark == ITEM ? site.next : site.end;
}

void pd_sentences_split(const unsigned char *text, size_t n, struct pd_sentences *out)
{
    if (n == 0)
        return;
    pthread_once(&allowed_once, fill_allowed);
    struct splitter s = {.out = out, .block = SIZE_MAX};
    pd_lines_open(&s.lines, text, n);
    finish(&s, 0);
    for (size_t i = next_stop(&s, 0); i < n; i = next_stop(&s, i))
        i = text[i] == '\n' || text[i] == '\r' ? pass_line(&s, i) : pass_mark(&s, i);
    finish(&s, n);
}

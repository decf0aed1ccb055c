/* ending_rules.c - see ending_rules.h */
#include "ending_rules.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum verdict { GO_ON, END };

/*
 * The rules. The first rule decides whose mark, word before and text after fit the ending
 * (ending.h). Several bits mean "one of them", and 0 fits everything. In the examples | is a
 * sentence end and ~ is none.
 */
static const struct rule {
    unsigned mark, before, after;
    enum verdict verdict;
} rules[] = {
    /* lines and lists */
    {PD_LINE, 0, PD_FINISH, END},                       /* Title | (empty line) */
    {PD_LINE, 0, PD_BULLET, END},                       /* to buy: | - milk */
    {PD_LINE, PD_LISTED, PD_SMALL, END},                /* milk | eggs | brown bread */
    {PD_LINE, 0, PD_SMALL, GO_ON},                      /* cut off ~ in the middle */
    {PD_LINE, PD_HANGING, PD_HAN, GO_ON},               /* これは父の ~ 家です */
    {PD_LINE, 0, 0, END},                               /* Contents | Introduction */
    {PD_ITEM, PD_NEXT_ITEM, 0, END},                    /* 1. Wash | 2. Rinse */
    {PD_ITEM, PD_COLON, 0, END},                        /* in this order: | (a) wash (b) rinse */
    {PD_ITEM, 0, 0, GO_ON},                             /* as seen in b) ~ of the text */
    {PD_ANY, PD_MARKER, 0, GO_ON},                      /* 1. ~ Wash */
    {PD_ANY | PD_SPACED, PD_OPENED, 0, GO_ON},          /* he [...] ~ left (?) ~ early */
    {PD_ANY | PD_SPACED | PD_WIDE, 0, PD_COMMA, GO_ON}, /* Really?, ~ she said */

    /* Chinese, Japanese and other full stops that need no space */
    {PD_WIDE | PD_WIDE_DOT, PD_TITLED, 0, GO_ON}, /* 《你好！~ 中国》 */
    {PD_WIDE | PD_WIDE_DOT, PD_BRACED, 0, GO_ON}, /* （见附件。~ 下同。~ ） */
    {PD_WIDE | PD_WIDE_DOT, PD_OPENED, 0, GO_ON}, /* 【！~ 】 */
    {PD_WIDE, 0, PD_PARTICLE, GO_ON},             /* 「はい。」~ と言った */
    {PD_WIDE, 0, 0, END},                         /* 好。| 对！| 吗？| */
    {PD_WIDE_DOT, PD_NUMBER, PD_DIGIT, GO_ON},    /* ３．~ ２９ */
    {PD_WIDE_DOT, 0, PD_SMALL | PD_COMMA, GO_ON}, /* ａ．~ ｂ */
    {PD_WIDE_DOT, 0, 0, END},                     /* です．| */
    {PD_ANY, PD_ASIAN, PD_HAN, END},              /* 好.| 然后 */

    /* abbreviations */
    {PD_PERIOD, PD_NEVER, 0, GO_ON},                         /* fruit, e.g. ~ Apples */
    {PD_PERIOD, PD_TITLE, 0, GO_ON},                         /* Mr. ~ Miller */
    {PD_PERIOD, PD_NUMBERED, PD_DIGIT, GO_ON},               /* No. ~ 5 */
    {PD_PERIOD, PD_NUMBERED, PD_ROMAN, GO_ON},               /* Vol. ~ II */
    {PD_PERIOD, PD_CLOCK, PD_DATE, GO_ON},                   /* at 9 a.m. ~ Monday */
    {PD_PERIOD, PD_CLOCK, PD_PAREN, GO_ON},                  /* at 9 a.m. ~ (Eastern Time) */
    {PD_PERIOD, PD_TIMED, PD_UPPER, GO_ON},                  /* At 9 a.m. ~ Bob rose */
    {PD_PERIOD, PD_CLOCK, PD_UPPER, END},                    /* at 9 p.m. | Bob slept */
    {PD_PERIOD, PD_ETC, PD_UPPER | PD_HAN, END},             /* plates, etc. | Bob paid */
    {PD_PERIOD, PD_DOTTED, PD_STARTER, END},                 /* in the U.S. | They */
    {PD_PERIOD, PD_INITIAL, PD_STARTER, END},                /* vitamin C. | It */
    {PD_PERIOD, PD_ENDER, PD_STARTER, END},                  /* Foo Inc. | The */
    {PD_PERIOD, PD_ABBREVIATION, PD_BREAK | PD_FINISH, END}, /* at Foo Inc. | (end of line) */
    {PD_PERIOD, PD_ABBREVIATION, 0, GO_ON},         /* U.S. ~ Army, J. ~ Smith, Foo Inc. ~ said */
    {PD_PERIOD, PD_SMALL_LETTER, PD_SINGLE, GO_ON}, /* z. ~ B. */
    {PD_PERIOD, PD_SHORT, PD_DATE, GO_ON},          /* am 3. ~ Oktober */

    /* nothing between the mark and the next word */
    {PD_PERIOD | PD_BANG, PD_PLAIN_WORD, PD_SENTENCE, END}, /* the end.| Then */
    {PD_PERIOD, PD_PLAIN_WORD, PD_HAN, END},                /* the end.| 然后 */
    {PD_PERIOD, PD_NUMBER, PD_STARTER, END},                /* 1,000.| That */
    {PD_ANY, 0, PD_GLUED, GO_ON}, /* 3.14, example.com, a?b=c, wait...what */

    /* ellipses */
    {PD_SPACED, 0, PD_FINISH | PD_BREAK, END}, /* and so . . . | */
    {PD_SPACED, 0, 0, GO_ON},                  /* here . . . ~ There */
    {PD_DOTS, 0, PD_DIGIT, GO_ON},             /* Introduction ..... ~ 7 */

    /* exclamations */
    {PD_BANG, PD_EXCLAIM, PD_STARTER | PD_FINISH | PD_BREAK, END}, /* found on Yahoo! | The */
    {PD_BANG, PD_EXCLAIM, 0, GO_ON},                               /* Yahoo! ~ Mail */

    /* all other marks */
    {PD_ANY, 0, PD_FINISH | PD_BREAK, END},                   /* The end. | */
    {PD_ANY, 0, PD_BULLET, END},                              /* are two. | b) three */
    {PD_PERIOD, PD_SMALL_LETTER | PD_SHORT, PD_SMALL, GO_ON}, /* am 3. ~ oktober */
    {PD_PERIOD | PD_BANG, PD_UNCAPPED, PD_SMALL, END},        /* it is. | is it? | so it is */
    {PD_ANY, 0, PD_SMALL, GO_ON},                             /* "Oh!" ~ he said. and ~ so on */
    {PD_ANY, 0, 0, END},                                      /* It is. | Is it? | 7 of them */
};

enum { NRULES = sizeof rules / sizeof *rules, KINDS = 32 };
static_assert(NRULES <= 64, "a rule is a bit of a u64");

/* The table of rules by column: bit k of a mask belongs to rules[k]. */
static struct {
    uint64_t mark[KINDS];   /* mark[b]: the rules with bit b of enum pd_mark */
    uint64_t before[KINDS]; /* before[b]: the rules with bit b of enum pd_before */
    uint64_t after[KINDS];  /* after[b]: the rules with bit b of enum pd_after */
    uint64_t any_before;    /* the rules that any word before fits */
    uint64_t any_after;     /* the rules that any text after fits */
} allowed;
static pthread_once_t allowed_once = PTHREAD_ONCE_INIT;

/* Enter a rule into the columns of its bits. */
static void enter_rule(uint64_t columns[KINDS], unsigned bits, size_t rule)
{
    for (unsigned k = 0; k < KINDS; k++)
        columns[k] |= (uint64_t)(bits >> k & 1) << rule;
}

static void fill_allowed(void)
{
    for (size_t k = 0; k < NRULES; k++) {
        enter_rule(allowed.mark, rules[k].mark, k);
        enter_rule(allowed.before, rules[k].before, k);
        enter_rule(allowed.after, rules[k].after, k);
        allowed.any_before |= (uint64_t)(rules[k].before == 0) << k;
        allowed.any_after |= (uint64_t)(rules[k].after == 0) << k;
    }
}

/* The rules that have one of the bits. */
static uint64_t rules_with(const uint64_t columns[KINDS], unsigned bits)
{
    uint64_t all = 0;
    for (; bits != 0; bits &= bits - 1)
        all |= columns[__builtin_ctz(bits)];
    return all;
}

void pd_ending_rules_load(void) { pthread_once(&allowed_once, fill_allowed); }

bool pd_ending_ends(const struct pd_ending *ending)
{
    const uint64_t fit = rules_with(allowed.mark, ending->mark) &
                         (allowed.any_before | rules_with(allowed.before, ending->before)) &
                         (allowed.any_after | rules_with(allowed.after, ending->after));
    return rules[__builtin_ctzll(fit)].verdict == END; /* each mark has a rule that fits all */
}

/*
 * base/date/date_words.c - see src/base/date/date_span.h
 *
 * A text becomes tokens. The letters of the tokens on each side of a range are looked up in the
 * table of forms, which says what the numbers are.
 */
#include "date_span.h"

#include <limits.h>
#include <string.h>

enum { ABSENT = INT_MIN };

/*
 * What the tokens of one side say: y year, m month, d day, s season, c century, e decade, h half,
 * q quarter, p part, # a number whose sense the other side decides.
 */
static const char *const forms[][2] = {
    {"Y", "y"},       {"YM", "ym"},     {"MY", "my"},     {"nMY", "dmy"}, {"MnY", "mdy"},
    {"YMn", "ymd"},   {"YnM", "ydm"},   {"nnY", "dmy"},   {"Ynn", "ymd"}, {"nY", "my"},
    {"SY", "sy"},     {"YS", "ys"},     {"D", "e"},       {"PD", "pe"},   {"PY", "py"},
    {"nC", "c."},     {"Cn", ".c"},     {"PnC", "pc."},   {"PCn", "p.c"}, {"nHnC", "h.c."},
    {"nHCn", "h..c"}, {"nQnC", "q.c."}, {"nQCn", "q..c"}, {"nHY", "h.y"}, {"nM", "dm"},
    {"Mn", "md"},     {"M", "m"},       {"S", "s"},       {"n", "#"},     {"O", "o"},
    {"", "o"}};

struct side {
    int at[128];          /* by the letter of what it is; ABSENT */
    int digits;           /* of the number # */
    int era;              /* 1: before Christ; 0: after; ABSENT */
    bool number_and_year; /* "7, 1920" */
};

/* ---- sides ---- */

/* Read the tokens v[0, n) of one side. False: no form fits. */
static bool read_side(const struct pd_date_token *v, size_t n, struct side *to)
{
    char kinds[PD_DATE_TOKENS + 1] = "";
    struct pd_date_token own[PD_DATE_TOKENS];
    size_t used = 0, k = 0;
    *to = (struct side){.era = ABSENT};
    for (size_t c = 0; c < sizeof to->at / sizeof *to->at; c++)
        to->at[c] = ABSENT;
    for (; k < n; k++) {
        if (v[k].kind == 'E')
            to->era = v[k].value;
        else
            own[used++] = v[k];
    }
    bool dated = false;
    for (k = 0; k < used; k++)
        dated |= own[k].kind == 'Y' || own[k].kind == 'C';
    if (to->era != ABSENT && !dated && used && own[used - 1].kind == 'n')
        own[used - 1].kind = 'Y'; /* 44 BC */
    for (k = 0; k < used; k++)
        kinds[k] = own[k].kind;
    for (k = 0; k < sizeof forms / sizeof *forms && strcmp(forms[k][0], kinds) != 0; k++)
        ;
    if (k == sizeof forms / sizeof *forms)
        return false;
    to->number_and_year = strcmp(kinds, "nY") == 0;
    for (size_t i = 0; i < used; i++) {
        to->at[(unsigned char)forms[k][1][i]] = own[i].value;
        to->digits = own[i].digits;
    }
    if (used == 0)
        to->at['o'] = 0;
    return true;
}

static bool has(const struct side *s, char what) { return s->at[(unsigned char)what] != ABSENT; }

/* What a side lacks it has from the other one. */
static void lend(struct side *to, const struct side *from, const char *what)
{
    for (; *what; what++)
        if (!has(to, *what))
            to->at[(unsigned char)*what] = from->at[(unsigned char)*what];
}

/* Say what the lone number of a side is. */
static void name_number(struct side *s, const struct side *other, bool right)
{
    const int value = s->at['#'];
    char what = has(other, 'd')             ? 'd'
                : has(other, 'c')           ? 'c'
                : has(other, 'm') && !right ? 'd'
                                            : 'y';
    if (!has(s, '#'))
        return;
    s->at['#'] = ABSENT;
    s->at[(unsigned char)what] = value;
    if (what == 'y' && right && has(other, 'y') && s->era == ABSENT && other->era == ABSENT) {
        const int by = s->digits == 1 ? 10 : PD_CENTURY; /* 1914-18, 1626-7 */
        s->at['y'] = other->at['y'] - other->at['y'] % by + value;
    }
}

/* Let the sides of a range lend each other what is written once. */
static void share(struct side *left, struct side *right)
{
    if (right->number_and_year && has(left, 'd') && !has(left, 'y')) { /* May 5-7, 1920 */
        right->at['d'] = right->at['m'];
        right->at['m'] = ABSENT;
    }
    if (left->era == ABSENT && !has(left, 'o'))
        left->era = right->era;
    name_number(left, right, false);
    name_number(right, left, true);
    if (has(left, 'o') || has(right, 'o'))
        return;
    if (has(left, 'd') && !has(left, 'm'))
        lend(left, right, "m");
    if (has(right, 'd') && !has(right, 'm'))
        lend(right, left, "m");
    if (!has(left, 'c') && !has(left, 'e'))
        lend(left, right, "y");
    if (!has(right, 'c') && !has(right, 'e'))
        lend(right, left, "y");
}

/* A part of `months` months: the k-th of n parts, in whole years if there are some. */
static void take_part(int64_t *from, int64_t *to, int k, int n)
{
    const int64_t unit = *to - *from > PD_MONTHS ? PD_MONTHS : 1, all = (*to - *from) / unit;
    const int64_t first = *from;
    *from = first + unit * (all * k / n);
    *to = first + unit * (all * (k + 1) / n);
}

/* The date of a side: from *first to before *end, days. False: there is no such day. */
static bool days_of(const struct side *s, int64_t *first, int64_t *end)
{
    const int year = !has(s, 'y') ? ABSENT : s->era == 1 ? 1 - s->at['y'] : s->at['y'];
    int64_t from, to; /* months since the year 0 */
    if (has(s, 'c')) {
        const int64_t c = s->at['c'],
                      begin = s->era == 1 ? 1 - PD_CENTURY * c : PD_CENTURY * (c - 1) + 1;
        if (c < 1 || c > PD_CENTURY)
            return false;
        from = PD_MONTHS * begin;
        to = from + PD_MONTHS * PD_CENTURY;
    } else if (has(s, 'e')) {
        from = PD_MONTHS * (int64_t)s->at['e'];
        to = from + PD_MONTHS * (int64_t)s->digits;
    } else if (year == ABSENT || (has(s, 'm') && (s->at['m'] < 1 || s->at['m'] > PD_MONTHS)) ||
               year < PD_FIRST_YEAR) {
        return false;
    } else {
        const int months = has(s, 's')   ? s->at['s']
                           : has(s, 'm') ? 33 * s->at['m']
                                         : PD_DATE_MONTHS(1, 12);
        from = PD_MONTHS * (int64_t)year + months / 32 - 1;
        to = PD_MONTHS * (int64_t)year + months % 32;
    }
    static const struct {
        char part;
        int of, before;
    } parts[] = {{'h', 2, 1}, {'q', 4, 1}, {'p', 3, 0}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (has(s, parts[k].part)) {
            const int part = s->at[(unsigned char)parts[k].part] - parts[k].before;
            if (part < 0 || part >= parts[k].of)
                return false;
            take_part(&from, &to, part, parts[k].of);
        }
    *first = pd_date_day(0, from + 1, 1);
    *end = pd_date_day(0, to + 1, 1);
    if (!has(s, 'd'))
        return true;
    *first += s->at['d'] - 1;
    const bool there = s->at['d'] >= 1 && *first < *end;
    *end = *first + 1;
    return there;
}

/* ---- dates ---- */

/* Do the tokens read so, with their separators? */
static bool are(const struct pd_date_text *t, const char *kinds)
{
    size_t k = 0;
    while (k < t->n && kinds[k] == t->tokens[k].kind)
        k++;
    return k == t->n && !kinds[k];
}

static bool is_month(struct pd_date_token t) { return t.value >= 1 && t.value <= PD_MONTHS; }

/* Take the separators out of tokens that are one day or month in numbers. */
static void join_numbers(struct pd_date_text *t)
{
    const struct pd_date_token *v = t->tokens;
    const bool three = are(t, "n/n/Y") || are(t, "n-n-Y") || are(t, "Y/n/n") || are(t, "Y-n-n");
    bool two = (are(t, "n/Y") || are(t, "n-Y")) && is_month(v[0]);
    if (are(t, "Y/n")) /* 1903/04 and 1691/2 are years, 1914/08 is a month */
        two = is_month(v[2]) && v[2].value <= v[0].value % (v[2].digits == 1 ? 10 : PD_CENTURY);
    size_t n = 0;
    if (two && v[0].kind == 'Y') {
        const struct pd_date_token month = {'M', v[2].value, 0, false};
        t->tokens[2] = month;
    }
    for (size_t k = 0; k < t->n && (two || three); k++)
        if (k % 2 == 0)
            t->tokens[n++] = v[k];
    t->n = n ? n : t->n;
}

/* Drop what "i. e." corrects, and read a minus before a year as its era. */
static void tidy(struct pd_date_text *t)
{
    for (size_t k = t->n; k-- > 0;)
        if (t->tokens[k].kind == '=') {
            memmove(t->tokens, t->tokens + k + 1, (t->n - k - 1) * sizeof *t->tokens);
            t->n -= k + 1;
            break;
        }
    for (size_t k = 0; k + 1 < t->n; k++) /* the year -0043 of ISO 8601 */
        if (t->tokens[k].kind == '-' && (k == 0 || strchr("-/", t->tokens[k - 1].kind)) &&
            t->tokens[k + 1].kind == 'Y' && t->tokens[k + 1].digits == 4) {
            memmove(t->tokens + k, t->tokens + k + 1, (t->n - k - 1) * sizeof *t->tokens);
            t->n--;
            t->tokens[k].value = -t->tokens[k].value;
        }
}

/* Read two numbers whose order is not known, such as 03/04/2009: from one day to the other. */
static struct pd_date of_either(const struct side *s, int64_t first, int64_t end)
{
    struct side other = *s;
    int64_t other_first, other_end;
    other.at['d'] = s->at['m'];
    other.at['m'] = s->at['d'];
    if (!days_of(&other, &other_first, &other_end))
        return pd_date_of_days(first, end);
    return pd_date_of_days(first < other_first ? first : other_first,
                           end > other_end ? end : other_end);
}

/* A side with what its words before and after say: B, A, and X for "not". */
static struct pd_date of_one(const struct pd_date_text *t, bool slashes)
{
    const struct pd_date_token *v = t->tokens;
    const bool not = v[0].kind == 'X',
               bound = t->n > 1u + not &&(v[not ].kind == 'A' || v[not ].kind == 'B');
    const bool before = bound && (v[not ].kind == 'B') != not,
               within = bound && (v[not ].value || not );
    struct side s;
    int64_t first, end;
    if (!read_side(v + bound + not, t->n - bound - not, &s) || has(&s, 'o'))
        return PD_NO_DATE;
    const bool days = days_of(&s, &first, &end);
    if (slashes && !bound && has(&s, 'd')) { /* 1/13/2009 */
        struct side turned = s;
        turned.at['d'] = s.at['m'];
        turned.at['m'] = s.at['d'];
        if (days)
            return of_either(&s, first, end);
        return days_of(&turned, &first, &end) ? pd_date_of_days(first, end) : PD_NO_DATE;
    }
    struct pd_date date = days ? pd_date_of_days(first, end) : PD_NO_DATE;
    if (!bound || !pd_date_is_known(date))
        return date;
    if (before)
        return (struct pd_date){0, within ? date.last : date.first - 1};
    return (struct pd_date){within ? date.first : date.last + 1, PD_DATE_OPEN};
}

/* A range, whose separator is the token `at`. An end may be open. */
static struct pd_date of_range(const struct pd_date_text *t, size_t at)
{
    struct side sides[2];
    int64_t first[2], end[2];
    if (!read_side(t->tokens, at, &sides[0]) ||
        !read_side(t->tokens + at + 1, t->n - at - 1, &sides[1]))
        return PD_NO_DATE;
    share(&sides[0], &sides[1]);
    struct pd_date dates[2];
    for (int k = 0; k < 2; k++) {
        const bool open = has(&sides[k], 'o');
        dates[k] = !open && days_of(&sides[k], &first[k], &end[k])
                       ? pd_date_of_days(first[k], end[k])
                       : PD_NO_DATE;
        if (!open && !pd_date_is_known(dates[k]))
            return PD_NO_DATE;
    }
    const bool open = has(&sides[0], 'o'), endless = has(&sides[1], 'o');
    if ((open && endless) || (!open && !endless && dates[1].last < dates[0].first))
        return PD_NO_DATE;
    return (struct pd_date){open ? 0 : dates[0].first, endless ? PD_DATE_OPEN : dates[1].last};
}

struct pd_date pd_date_of_words(const char *s, size_t n)
{
    struct pd_date_text t = {.n = 0};
    size_t at = 0;
    if (!pd_date_tokens_read(&t, s, n))
        return PD_NO_DATE;
    tidy(&t);
    const bool slashes = are(&t, "n/n/Y");
    join_numbers(&t);
    while (at < t.n && t.tokens[at].kind != '-' && t.tokens[at].kind != '/')
        at++;
    struct pd_date date = t.n == 0 ? PD_NO_DATE : at < t.n ? of_range(&t, at) : of_one(&t, slashes);
    if (pd_date_is_known(date) && t.unsure)
        date.last |= PD_DATE_UNSURE;
    return date;
}

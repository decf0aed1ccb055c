/* base/date/date.c - see include/pardup/base/date.h */
#include "pardup/base/date.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "date_span.h"

enum { MINUTE = 60, HOUR = 3600, YEAR_DIGITS = 4 };

/* Which parts of a date were read. */
enum precision { YEAR, MONTH, DAY, SECOND };

/* What has been read of a date. */
struct reading {
    const char *s;
    size_t n, at;
    int year, month, day;
    int64_t seconds; /* of the day */
    enum precision precision;
};

/* The year, month and day at a second. */
struct moment {
    int year, month, day;
};

static struct moment moment_of(uint64_t second)
{
    const int64_t day = (int64_t)(second / PD_DAY_SECONDS);
    int64_t year =
        PD_FIRST_YEAR + day * 400 / (400 * 365 + 97) - 1; /* it, or one of the next two */
    while (pd_date_day(year + 1, 1, 1) <= day)
        year++;
    int month = 1 + (int)(day - pd_date_day(year, 1, 1)) / 32; /* it, or the next one */
    while (pd_date_day(year, month + 1, 1) <= day)
        month++;
    return (struct moment){(int)year, month, (int)(day - pd_date_day(year, month, 1)) + 1};
}

static bool take(struct reading *r, char c)
{
    const bool there = r->at < r->n && r->s[r->at] == c;
    r->at += there;
    return there;
}

/* Read exactly `digits` digits; -1: there are fewer. */
static int number(struct reading *r, int digits)
{
    int value = 0;
    if (r->n - r->at < (size_t)digits)
        return -1;
    for (int k = 0; k < digits; k++) {
        const char c = r->s[r->at + (size_t)k];
        if (c < '0' || c > '9')
            return -1;
        value = 10 * value + (c - '0');
    }
    r->at += (size_t)digits;
    return value;
}

static void blanks(struct reading *r)
{
    while (take(r, ' '))
        ;
}

/* Read hours and minutes, and seconds if they follow; with `colons` between them. */
static bool read_time(struct reading *r, bool colons)
{
    const int hours = number(r, 2);
    const int minutes = hours >= 0 && (!colons || take(r, ':')) ? number(r, 2) : -1;
    int seconds = 0;
    if (minutes < 0 || hours > 24 || minutes > 59)
        return false;
    if (colons ? take(r, ':') : r->at < r->n && r->s[r->at] >= '0' && r->s[r->at] <= '9')
        seconds = number(r, 2);
    if (seconds < 0 || seconds > 60)
        return false;
    if (take(r, '.') || take(r, ','))
        while (r->at < r->n && r->s[r->at] >= '0' && r->s[r->at] <= '9')
            r->at++;
    r->seconds = hours * HOUR + minutes * MINUTE + seconds;
    r->precision = SECOND;
    return true;
}

/* Read a zone, if there is one. A name stands for UTC. */
static bool read_zone(struct reading *r)
{
    blanks(r);
    const bool minus = r->at < r->n && r->s[r->at] == '-';
    if (minus || (r->at < r->n && r->s[r->at] == '+')) {
        r->at++;
        const int hours = number(r, 2);
        const bool colon = take(r, ':');
        const int minutes = r->at < r->n && r->s[r->at] != ' ' ? number(r, 2) : 0;
        if (hours < 0 || minutes < 0 || minutes > 59 || (colon && minutes < 0))
            return false;
        r->seconds += (minus ? 1 : -1) * (hours * HOUR + minutes * MINUTE);
        blanks(r);
        return r->at == r->n || r->s[r->at] == '('; /* RFC 2822: a comment */
    }
    const size_t left = r->n - r->at;
    return left == 0 || (left == 1 && (r->s[r->at] | 0x20) == 'z') ||
           (left == 3 &&
            (strncasecmp(r->s + r->at, "GMT", 3) == 0 || strncasecmp(r->s + r->at, "UTC", 3) == 0));
}

static bool read_iso(struct reading *r)
{
    r->year = number(r, YEAR_DIGITS);
    r->precision = YEAR;
    if (r->year < 0 || r->at == r->n)
        return r->year >= 0;
    const bool dashes = take(r, '-');
    r->month = number(r, 2);
    r->precision = MONTH;
    if (r->month < 1 || r->month > 12 || (dashes && r->at == r->n))
        return r->month >= 1 && r->month <= 12;
    if (dashes && !take(r, '-'))
        return false;
    r->day = number(r, 2);
    r->precision = DAY;
    if (r->day < 1 || r->day > pd_date_month_days(r->year, r->month) || r->at == r->n)
        return r->day >= 1 && r->day <= pd_date_month_days(r->year, r->month);
    const bool letter = take(r, 'T') || take(r, 't');
    if (!letter && dashes)
        blanks(r);
    return read_time(r, dashes || (letter && r->at + 2 < r->n && r->s[r->at + 2] == ':')) &&
           read_zone(r);
}

static bool read_mail(struct reading *r)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *comma = memchr(r->s, ',', r->n);
    r->at = comma ? (size_t)(comma - r->s) + 1 : 0;
    blanks(r);
    r->day = number(r, 2);
    if (r->day < 0)
        r->day = number(r, 1);
    blanks(r);
    for (int k = 0; k < 12 && r->n - r->at >= 3; k++)
        if (strncasecmp(r->s + r->at, months + 3 * k, 3) == 0)
            r->month = k + 1;
    r->at += r->month ? 3 : 0;
    blanks(r);
    r->year = r->month ? number(r, YEAR_DIGITS) : -1;
    r->precision = DAY;
    if (r->year < 0 || r->day < 1 || r->day > pd_date_month_days(r->year, r->month))
        return false;
    if (r->at == r->n)
        return true;
    blanks(r);
    return read_time(r, true) && read_zone(r);
}

/* The date that was read, from its first second to its last one. */
static struct pd_date date_of(const struct reading *r)
{
    const int month = r->precision >= MONTH ? r->month : 1, day = r->precision >= DAY ? r->day : 1;
    const int64_t first = pd_date_day(r->year, month, day);
    if (r->precision < SECOND)
        return pd_date_of_days(first, r->precision == DAY     ? first + 1
                                      : r->precision == MONTH ? pd_date_day(r->year, month + 1, 1)
                                                              : pd_date_day(r->year + 1, 1, 1));
    const int64_t second = first * PD_DAY_SECONDS + r->seconds;
    const bool before = second < pd_date_day(0, 1, 1) * PD_DAY_SECONDS; /* by its zone */
    return before ? PD_NO_DATE : (struct pd_date){(uint64_t)second, (uint64_t)second};
}

static uint64_t last_of(struct pd_date d) { return d.last & ~PD_DATE_UNSURE; }

/* Does s[0, n) begin with a year of four digits, or is it an open end? */
static bool is_end(const char *s, size_t n)
{
    size_t digits = 0;
    const size_t minus = n > 0 && *s == '-';
    while (minus + digits < n && s[minus + digits] >= '0' && s[minus + digits] <= '9')
        digits++;
    return digits == YEAR_DIGITS || (n == 2 && memcmp(s, "..", 2) == 0);
}

/* Two dates of ISO 8601 with a '/' between them. PD_NO_DATE: s[0, n) is something else. */
static struct pd_date span_of(const char *s, size_t n)
{
    const char *slash = memchr(s, '/', n);
    const size_t n1 = slash ? (size_t)(slash - s) : 0, n2 = n - n1 - 1;
    if (!slash || !is_end(s, n1) || !is_end(slash + 1, n2))
        return PD_NO_DATE;
    const bool begins = *s != '.', ends = slash[1] != '.';
    const struct pd_date open = {0, PD_DATE_OPEN}, from = begins ? pd_date_parse(s, n1) : open,
                         to = ends ? pd_date_parse(slash + 1, n2) : open;
    if ((!begins && !ends) || !pd_date_is_known(from) || !pd_date_is_known(to) ||
        last_of(to) < from.first)
        return PD_NO_DATE;
    return (struct pd_date){from.first, last_of(to) | ((from.last | to.last) & PD_DATE_UNSURE)};
}

struct pd_date pd_date_parse(const char *s, size_t n)
{
    while (n > 0 && *s == ' ') {
        s++;
        n--;
    }
    while (n > 0 && s[n - 1] == ' ')
        n--;
    struct reading iso = {.s = s, .n = n, .month = 0}, mail = iso;
    if (read_iso(&iso))
        return date_of(&iso);
    if (read_mail(&mail))
        return date_of(&mail);
    const struct pd_date span = span_of(s, n);
    return pd_date_is_known(span) ? span : pd_date_of_words(s, n);
}

/* Both are known, and their being sure does not count. */
static int compare_times(struct pd_date a, struct pd_date b)
{
    const bool open_a = last_of(a) == PD_DATE_OPEN, open_b = last_of(b) == PD_DATE_OPEN;
    if (open_a != open_b)
        return open_a - open_b;
    const int by = open_a ? 0 : moment_of(last_of(a)).year - moment_of(last_of(b)).year;
    if (by)
        return by;
    return a.first != b.first ? (a.first > b.first) - (a.first < b.first)
                              : (last_of(a) < last_of(b)) - (last_of(a) > last_of(b));
}

int pd_date_compare(struct pd_date a, struct pd_date b)
{
    if (!pd_date_is_known(a) || !pd_date_is_known(b))
        return pd_date_is_known(b) - pd_date_is_known(a);
    const int sure = pd_date_is_sure(b) - pd_date_is_sure(a);
    return sure ? sure : compare_times(a, b);
}

int pd_date_compare_times(struct pd_date a, struct pd_date b)
{
    if (!pd_date_is_known(a) || !pd_date_is_known(b))
        return pd_date_is_known(b) - pd_date_is_known(a);
    const int order = compare_times(a, b);
    return order ? order : pd_date_is_sure(b) - pd_date_is_sure(a);
}

double pd_date_middle(struct pd_date d)
{
    if (!pd_date_is_known(d) || d.first == 0 || last_of(d) == PD_DATE_OPEN)
        return NAN;
    const uint64_t middle = d.first + (last_of(d) - d.first) / 2;
    const int year = moment_of(middle).year;
    const double begin = (double)pd_date_day(year, 1, 1) * PD_DAY_SECONDS,
                 end = (double)pd_date_day(year + 1, 1, 1) * PD_DAY_SECONDS;
    return year + ((double)middle - begin) / (end - begin);
}

/* Print one end of a date. */
static int print_end(char *to, size_t room, uint64_t second, enum precision precision)
{
    const struct moment m = moment_of(second);
    const unsigned seconds = (unsigned)(second % PD_DAY_SECONDS);
    int used = snprintf(to, room, "%s%04d", m.year < 0 ? "-" : "", m.year < 0 ? -m.year : m.year);
    if (precision >= MONTH)
        used += snprintf(to + used, room - (size_t)used, "-%02d", m.month);
    if (precision >= DAY)
        used += snprintf(to + used, room - (size_t)used, "-%02d", m.day);
    if (precision >= SECOND)
        used += snprintf(to + used, room - (size_t)used, "T%02u:%02u:%02uZ", seconds / HOUR,
                         seconds / MINUTE % 60, seconds % 60);
    return used;
}

/* How precise must both ends be printed so that nothing is lost? An end may be missing. */
static enum precision precision_of(uint64_t first, uint64_t last)
{
    const struct moment from = moment_of(first),
                        to = moment_of(last == PD_DATE_OPEN ? 0 : last + 1);
    const bool begins = first == 0, ends = last == PD_DATE_OPEN;
    if (first % PD_DAY_SECONDS || (!ends && (last + 1) % PD_DAY_SECONDS) || first == last)
        return SECOND;
    if ((!begins && from.day > 1) || (!ends && to.day > 1))
        return DAY;
    return (!begins && from.month > 1) || (!ends && to.month > 1) ? MONTH : YEAR;
}

void pd_date_print(struct pd_date date, char to[PD_DATE_ROOM])
{
    const uint64_t last = last_of(date);
    const char *unsure = pd_date_is_sure(date) ? "" : "?";
    char ends[2][PD_DATE_ROOM] = {"..", ".."};
    memset(to, 0, PD_DATE_ROOM);
    if (!pd_date_is_known(date) || (last != PD_DATE_OPEN && last < date.first))
        return;
    const enum precision precision = precision_of(date.first, last);
    if (date.first > 0)
        print_end(ends[0], sizeof ends[0], date.first, precision);
    if (last != PD_DATE_OPEN)
        print_end(ends[1], sizeof ends[1], last, precision);
    const bool one = strcmp(ends[0], ends[1]) == 0;
    snprintf(to, PD_DATE_ROOM, "%.21s%s%s%.21s%s", ends[0], date.first ? unsure : "",
             one ? "" : "/", one ? "" : ends[1], one || last == PD_DATE_OPEN ? "" : unsure);
}

size_t pd_date_length(struct pd_date date)
{
    char text[PD_DATE_ROOM];
    pd_date_print(date, text);
    return strlen(text);
}

/* base/date.c - see include/pardup/base/date.h */
#include "pardup/base/date.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* How precise a date is. A date is its first second since the year 0, times 4, plus this. */
enum { YEAR, MONTH, DAY, SECOND };

enum { MINUTE = 60, HOUR = 3600, DAY_SECONDS = 86400, YEAR_DIGITS = 4 };

enum { LAST_YEAR = 10000 }; /* into which a zone can move the end of the year 9999 */

/* What has been read of a date. */
struct reading {
    const char *s;
    size_t n, at;
    int year, month, day;
    int64_t seconds; /* of the day */
    int precision;
};

/* Days before the year of the Gregorian calendar, from year 0. */
static int64_t days_before(int64_t year)
{
    return year == 0 ? 0 : 365 * year + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1;
}

static bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
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
    if (r->day < 1 || r->day > days_of(r->year, r->month) || r->at == r->n)
        return r->day >= 1 && r->day <= days_of(r->year, r->month);
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
    if (r->year < 0 || r->day < 1 || r->day > days_of(r->year, r->month))
        return false;
    if (r->at == r->n)
        return true;
    blanks(r);
    return read_time(r, true) && read_zone(r);
}

uint64_t pd_date_parse(const char *s, size_t n)
{
    while (n > 0 && *s == ' ') {
        s++;
        n--;
    }
    while (n > 0 && s[n - 1] == ' ')
        n--;
    struct reading iso = {.s = s, .n = n, .month = 0}, mail = iso, *r = &iso;
    if (!read_iso(r) && !read_mail(r = &mail))
        return PD_NO_DATE;
    int64_t days = days_before(r->year);
    for (int month = 1; month < r->month; month++)
        days += days_of(r->year, month);
    const int64_t seconds = (days + (r->day ? r->day - 1 : 0)) * DAY_SECONDS + r->seconds;
    return seconds < 0 ? PD_NO_DATE : (uint64_t)seconds * 4 + (uint64_t)r->precision;
}

void pd_date_print(uint64_t date, char to[PD_DATE_ROOM])
{
    const int precision = (int)(date & 3);
    int64_t days = (int64_t)(date / 4 / DAY_SECONDS);
    const int seconds = (int)(date / 4 % DAY_SECONDS);
    int year = (int)(days / 366), month = 1;
    memset(to, 0, PD_DATE_ROOM);
    if (date == PD_NO_DATE || days >= days_before(LAST_YEAR + 1))
        return;
    while (days_before(year + 1) <= days)
        year++;
    for (days -= days_before(year); days >= days_of(year, month); month++)
        days -= days_of(year, month);
    int used = snprintf(to, PD_DATE_ROOM, "%04u", (unsigned)year % 10001u);
    if (precision >= MONTH)
        used += snprintf(to + used, PD_DATE_ROOM - (size_t)used, "-%02u", (unsigned)month % 100u);
    if (precision >= DAY)
        used +=
            snprintf(to + used, PD_DATE_ROOM - (size_t)used, "-%02u", (unsigned)(days + 1) % 100u);
    if (precision >= SECOND)
        snprintf(to + used, PD_DATE_ROOM - (size_t)used, "T%02u:%02u:%02uZ",
                 (unsigned)(seconds / HOUR) % 100u, (unsigned)(seconds / MINUTE) % 60u,
                 (unsigned)seconds % 60u);
}

/* base/date/date_span.h - dates from tokens, from words and from days of a calendar. */
#ifndef PARDUP_BASE_DATE_SPAN_H
#define PARDUP_BASE_DATE_SPAN_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/date.h"

/* ---- a date that a person wrote as tokens, a letter each ---- */

enum { PD_DATE_TEXT = 160, PD_DATE_TOKENS = 16, PD_CENTURY = 100 };

/*
 * Kinds of tokens: n a number of one or two digits, Y a year, D a decade or more (1620s, 16XX), M a
 * month, S a season, C "century", H "half", Q "quarter", P early, middle or late, B before, A
 * after, X "not", E the era, O an open end, - and / between two of them, = "i. e.", ~ about, .
 * noise.
 */
struct pd_date_token {
    char kind;
    int value, digits;
    bool roman;
};

/* The value of a season: its first and last month. */
#define PD_DATE_MONTHS(from, to) (32 * (from) + (to))

struct pd_date_text {
    char s[PD_DATE_TEXT + 1];
    struct pd_date_token tokens[PD_DATE_TOKENS];
    size_t n;
    bool unsure;
};

/* Read the tokens of s[0, n). False: it is too long, or something is in it that no date has. */
bool pd_date_tokens_read(struct pd_date_text *t, const char *s, size_t n);

enum { PD_FIRST_YEAR = -9999, PD_LAST_YEAR = 10000, PD_MONTHS = 12, PD_DAY_SECONDS = 86400 };

/* Days from the first day of PD_FIRST_YEAR to a day. A month below 1 or over 12 counts on. */
int64_t pd_date_day(int64_t year, int64_t month, int day);

int pd_date_month_days(int year, int month);

/* The date from a first day to before the day `end`. PD_NO_DATE if it leaves the years above. */
struct pd_date pd_date_of_days(int64_t first, int64_t end);

/* Read a date as people write it. s[0, n) has no blanks around it. PD_NO_DATE: it is none. */
struct pd_date pd_date_of_words(const char *s, size_t n);

#endif

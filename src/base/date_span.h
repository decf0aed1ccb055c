/* base/date_span.h - from days of a calendar, and from words, to a date. */
#ifndef PARDUP_BASE_DATE_SPAN_H
#define PARDUP_BASE_DATE_SPAN_H

#include "pardup/base/date.h"

enum { PD_FIRST_YEAR = -9999, PD_LAST_YEAR = 10000, PD_MONTHS = 12, PD_DAY_SECONDS = 86400 };

/* Days from the first day of PD_FIRST_YEAR to a day. A month below 1 or over 12 counts on. */
int64_t pd_date_day(int64_t year, int64_t month, int day);

int pd_date_month_days(int year, int month);

/* The date from a first day to before the day `end`. PD_NO_DATE if it leaves the years above. */
struct pd_date pd_date_of_days(int64_t first, int64_t end);

/* Read a date as people write it. s[0, n) has no blanks around it. PD_NO_DATE: it is none. */
struct pd_date pd_date_of_words(const char *s, size_t n);

#endif

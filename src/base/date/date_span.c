/* base/date/date_span.c - see src/base/date/date_span.h */
#include "date_span.h"

static int64_t floor_of(int64_t a, int64_t by) { return a / by - (a % by < 0); }

/* Days from the first of March of the year 0 to the first day of a month. */
static int64_t days_to(int64_t year, int64_t month)
{
    const int64_t from_march = month - 3, y = year + floor_of(from_march, PD_MONTHS),
                  m = from_march - PD_MONTHS * floor_of(from_march, PD_MONTHS);
    return 365 * y + floor_of(y, 4) - floor_of(y, 100) + floor_of(y, 400) + (153 * m + 2) / 5;
}

int64_t pd_date_day(int64_t year, int64_t month, int day)
{
    return days_to(year, month) - days_to(PD_FIRST_YEAR, 1) + day - 1;
}

int pd_date_month_days(int year, int month)
{
    return (int)(days_to(year, month + 1) - days_to(year, month));
}

struct pd_date pd_date_of_days(int64_t first, int64_t end)
{
    if (first < 0 || end <= first || end > pd_date_day(PD_LAST_YEAR + 1, 1, 1))
        return PD_NO_DATE;
    return (struct pd_date){(uint64_t)first * PD_DAY_SECONDS, (uint64_t)end * PD_DAY_SECONDS - 1};
}

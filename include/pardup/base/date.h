/*
 * base/date.h - dates of documents, as people and machines write them.
 *
 * A date is the span of time in which a text came to be: the year 1626 lasts from its first second
 * to its last one, and the 17th century lasts a hundred years. A date is unsure if its writer
 * says so ("c. 1633", "1608?", "[1599]"). Years are Gregorian.
 */
#ifndef PARDUP_BASE_DATE_H
#define PARDUP_BASE_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two numbers, so that a date travels in records. Only functions of this header look into them. */
struct pd_date {
    uint64_t first; /* its first second since the year -9999; 0: it has no beginning */
    uint64_t last;  /* its last second; PD_DATE_OPEN: it has no end; and the bit PD_DATE_UNSURE */
};

#define PD_DATE_UNSURE ((uint64_t)1 << 63)
#define PD_DATE_OPEN   (PD_DATE_UNSURE - 1)
#define PD_NO_DATE     ((struct pd_date){UINT64_MAX, UINT64_MAX})

enum { PD_DATE_ROOM = 48 }; /* bytes of a printed date, with NUL */

/*
 * The date in s[0, n). Machines write ISO 8601 (2009, 2009-01, 2009-01-13, with a time "T10:15:30"
 * or " 10:15", a fraction of a second, and Z or +01:00 behind it; also 20090113 and
 * 20090113101530), or RFC 2822 ("Tue, 13 Jan 2009 10:15:30 +0100"). A time without a zone is UTC.
 * People write what docs/formats.md lists. PD_NO_DATE: it is none.
 */
struct pd_date pd_date_parse(const char *s, size_t n);

/*
 * Print a date as ISO 8601, as precise as it is, in UTC if it has a time: 1626, 1626-05,
 * 1626-05-13. By part 2 of that standard a span is 1626/1627, without a beginning ../1699, without
 * an end 1701/.., and an unsure date 1633?. An empty text for PD_NO_DATE. pd_date_parse() reads it.
 */
void pd_date_print(struct pd_date date, char to[PD_DATE_ROOM]);

/* Bytes of the printed date, without NUL. */
size_t pd_date_length(struct pd_date date);

static inline bool pd_date_is_known(struct pd_date d) { return d.first != UINT64_MAX; }
static inline bool pd_date_is_sure(struct pd_date d) { return !(d.last & PD_DATE_UNSURE); }

/* Is it sure that `a` is older than `b`: does it end before `b` begins? */
static inline bool pd_date_is_before(struct pd_date a, struct pd_date b)
{
    return pd_date_is_known(a) && pd_date_is_known(b) && pd_date_is_sure(a) && pd_date_is_sure(b) &&
           a.last < b.first;
}

/* The middle of a date as a year, such as 1626.5; NaN if it is unknown or has an open end. */
double pd_date_middle(struct pd_date d);

/*
 * Which date comes first: < 0, 0, > 0. Sure dates come before unsure ones. Then counts the year at
 * whose end the text was there, then where the date begins, and the longer date before a shorter
 * date.
 */
int pd_date_compare(struct pd_date a, struct pd_date b);

/* The same, but an unsure date has its place in time; only of equal dates the sure one comes first. */
int pd_date_compare_times(struct pd_date a, struct pd_date b);

#endif

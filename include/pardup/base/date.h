/*
 * base/date.h - dates of documents, as texts have them.
 *
 * A date is a number: dates in order of time are numbers in order. It keeps how precise it is: the
 * year 2009 begins when 2009-01-01 does, and comes before it.
 */
#ifndef PARDUP_BASE_DATE_H
#define PARDUP_BASE_DATE_H

#include <stddef.h>
#include <stdint.h>

#define PD_NO_DATE UINT64_MAX /* greater than every date */

enum { PD_DATE_ROOM = 24 }; /* bytes of a printed date, with NUL */

/*
 * The date in s[0, n): ISO 8601 (2009, 2009-01, 2009-01-13, with a time "T10:15:30" or " 10:15", a
 * fraction of a second, and Z or +01:00 behind it; also 20090113 and 20090113101530), or RFC 2822
 * ("Tue, 13 Jan 2009 10:15:30 +0100"). A time without a zone is UTC. PD_NO_DATE: it is none.
 */
uint64_t pd_date_parse(const char *s, size_t n);

/* Print a date as ISO 8601, in UTC if it has a time; an empty text for PD_NO_DATE. */
void pd_date_print(uint64_t date, char to[PD_DATE_ROOM]);

#endif

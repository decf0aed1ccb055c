/* base/date_words.h - dates as people write them. */
#ifndef PARDUP_BASE_DATE_WORDS_H
#define PARDUP_BASE_DATE_WORDS_H

#include "pardup/base/date.h"

/* Read a date as people write it. s[0, n) has no blanks around it. PD_NO_DATE: it is none. */
struct pd_date pd_date_of_words(const char *s, size_t n);

#endif

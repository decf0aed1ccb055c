/* base/date_tokens.h - a date that a person wrote as tokens, a letter each. */
#ifndef PARDUP_BASE_DATE_TOKENS_H
#define PARDUP_BASE_DATE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum { PD_DATE_TEXT = 160, PD_DATE_TOKENS = 16, PD_CENTURY = 100 };

/*
 * Kinds of tokens: n a number of one or two digits, Y a year, D a decade or more (1620s, 16XX), M a
 * month, S a season, C "century", H "half", Q "quarter", P early, middle or late, B before, A after,
 * X "not", E the era, O an open end, - and / between two of them, = "i. e.", ~ about, . noise.
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

#endif

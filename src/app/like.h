/* app/like.h - what a person may have meant. */
#ifndef PARDUP_APP_LIKE_H
#define PARDUP_APP_LIKE_H

#include <stddef.h>

/* s[0, n) in small letters without their marks, ended by NUL, to be freed; NULL: it is no UTF-8. */
char *pd_like_fold(const char *s, size_t n);

/*
 * How many letters of a[0, n) are wrong, missing or too many beside b[0, m). SIZE_MAX: more than
 * two are, or half of a or more.
 */
size_t pd_like(const char *a, size_t n, const char *b, size_t m);

/*
 * The name of the command that is like name[0, n), as pd_like() says. NULL: there is none.
 */
const char *pd_like_command(const char *name, size_t n);

/* The same for the options of a command, without the two dashes. */
const char *pd_like_option(const char *command, const char *name, size_t n);

#endif

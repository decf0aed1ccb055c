/* app/like.h - what a person may have meant. */
#ifndef PARDUP_APP_LIKE_H
#define PARDUP_APP_LIKE_H

#include <stddef.h>

/*
 * The name of the command that is like name[0, n): at most two letters are wrong, missing or too
 * many, and fewer than half of them. NULL: there is none.
 */
const char *pd_like_command(const char *name, size_t n);

/* The same for the options of a command, without the two dashes. */
const char *pd_like_option(const char *command, const char *name, size_t n);

#endif

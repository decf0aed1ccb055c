/* base/real.c - see include/pardup/base/real.h */
#include "pardup/base/real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * FEWEST: two decimal numbers of at most this many digits never become one number of the type.
 * MOST: this many digits tell every number of the type from all others.
 */
enum { DOUBLE_FEWEST = 15, DOUBLE_MOST = 17, SINGLE_FEWEST = 6, SINGLE_MOST = 9 };

size_t pd_real_print(double x, char to[PD_REAL_ROOM])
{
    int n, digits = DOUBLE_FEWEST;
    do
        n = snprintf(to, PD_REAL_ROOM, "%.*g", digits, x);
    while (digits++ < DOUBLE_MOST && !isnan(x) && strtod(to, NULL) != x);
    return (size_t)n;
}

size_t pd_real_print_single(float x, char to[PD_REAL_ROOM])
{
    int n, digits = SINGLE_FEWEST;
    do
        n = snprintf(to, PD_REAL_ROOM, "%.*g", digits, (double)x);
    while (digits++ < SINGLE_MOST && !isnan(x) && strtof(to, NULL) != x);
    return (size_t)n;
}

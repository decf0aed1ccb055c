/*
 * base/real.h - a real number as texts have it: the fewest digits that give the same number again.
 */
#ifndef PARDUP_BASE_REAL_H
#define PARDUP_BASE_REAL_H

#include <stddef.h>

enum { PD_REAL_ROOM = 32 }; /* bytes of a printed number, with NUL */

/*
 * Print x. Returns the bytes before NUL. What is not a number is "nan" or "-nan"; infinity is "inf"
 * or "-inf".
 */
size_t pd_real_print(double x, char to[PD_REAL_ROOM]);

/* Print a number of single precision, as pd_real_print does with one of double precision. */
size_t pd_real_print_single(float x, char to[PD_REAL_ROOM]);

#endif

/* base/numbers.h - counts and shares as a person reads them. */
#ifndef PARDUP_BASE_NUMBERS_H
#define PARDUP_BASE_NUMBERS_H

#include <stdint.h>

enum { PD_COUNT_ROOM = 32 }; /* bytes for a number with commas, or for a share */

/* Print a number with commas into `text`, and return it. */
const char *pd_count(char text[PD_COUNT_ROOM], uint64_t n);

/* Print a share into `text`, and return it. Only all is 100 %, and only nothing is 0 %. */
const char *pd_percent(char text[PD_COUNT_ROOM], uint64_t part, uint64_t all);

/*
 * Counts, shares and sizes for a message with several numbers. Each call makes a text of its own.
 * The text is written over after PD_COUNTS_AT_ONCE more calls of these functions.
 */
enum { PD_COUNTS_AT_ONCE = 8 };
const char *pd_grouped(uint64_t n);
const char *pd_share_of(uint64_t part, uint64_t all);

/* A size in MB (1,000,000 bytes) with one decimal, below 0.1 MB in kB (1,000 bytes). */
const char *pd_size(uint64_t bytes);

#endif

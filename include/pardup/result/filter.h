/* result/filter.h - filters of HDF5 for this process: zstd (registered number 32015), faster deflate and shuffle. */
#ifndef PARDUP_RESULT_FILTER_H
#define PARDUP_RESULT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#define PD_FILTER_ZSTD 32015

int pd_filter_register(void); /* PD_OK or PD_EIO; may be called again */

/* zlib's function that HDF5 deflates with, here by ISA-L (filter.c); 0 or zlib's error. */
int compress2(unsigned char *to, unsigned long *cap, const unsigned char *from, unsigned long n,
              int level);

/*
 * HDF5's shuffle: first bytes of all values of `width` bytes, then all second ones ..., then what is left of `bytes`;
 * or back.
 */
void pd_shuffle(unsigned char *to, const unsigned char *from, size_t bytes, size_t width,
                bool back);

#endif

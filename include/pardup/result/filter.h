/* result/filter.h - filters of HDF5 for this process: zstd (registered number 32015), and a faster deflate. */
#ifndef PARDUP_RESULT_FILTER_H
#define PARDUP_RESULT_FILTER_H

#define PD_FILTER_ZSTD 32015

int pd_filter_register(void); /* PD_OK or PD_EIO; may be called again */

/* zlib's function that HDF5 deflates with, here by ISA-L (filter.c); 0 or zlib's error. */
int compress2(unsigned char *to, unsigned long *cap, const unsigned char *from, unsigned long n,
              int level);

#endif

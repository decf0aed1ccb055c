/* result/filter.h - register zstd as a filter of HDF5 in this process. */
#ifndef PARDUP_RESULT_FILTER_H
#define PARDUP_RESULT_FILTER_H

#define PD_FILTER_ZSTD 32015 /* the number of zstd in the HDF Group's registry of filters */

int pd_filter_register(void); /* returns PD_OK or PD_EIO; may be called again */

#endif

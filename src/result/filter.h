/* result/filter.h - zstd as a filter of HDF5 for this process (registered number 32015). */
#ifndef PARDUP_RESULT_FILTER_H
#define PARDUP_RESULT_FILTER_H

#define PD_FILTER_ZSTD 32015

int pd_filter_register(void); /* PD_OK or PD_EIO; may be called again */

#endif

/*
 * base/log.h - messages on standard error for the person who runs the job; never results.
 *
 * Rank 0 reports about the job (pd_log). A rank reports about its own data with pd_log_rank.
 */
#ifndef PARDUP_BASE_LOG_H
#define PARDUP_BASE_LOG_H

#include <stdint.h>

/* A number for %llu. */
static inline unsigned long long pd_ull(uint64_t n) { return n; }

enum pd_level { PD_LOG_ERROR, PD_LOG_WARN, PD_LOG_INFO, PD_LOG_DEBUG };

/*
 * Set the rank of this process of nranks, and the level beyond which messages are dropped. Until
 * this call the rank is 0 of several, and only errors and warnings are printed.
 */
void pd_log_open(int rank, int nranks, enum pd_level highest);

/* Print a message as one line, on rank 0 only: call it on all ranks or on some. */
void pd_log(enum pd_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print a message on any rank. It names the rank if there are several. */
void pd_log_rank(enum pd_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Draw a progress bar, `line`, in place of the last one; NULL removes the bar. A message removes
 * the bar before it is printed. For rank 0 only.
 */
void pd_log_bar(const char *line);

#endif

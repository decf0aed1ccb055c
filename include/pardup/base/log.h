/*
 * base/log.h - what a person reads while the job runs: standard error, never results.
 *
 * Rank 0 speaks for the job (pd_log); other ranks speak only of their own data (pd_log_rank).
 */
#ifndef PARDUP_BASE_LOG_H
#define PARDUP_BASE_LOG_H

enum pd_level { PD_LOG_ERROR, PD_LOG_WARN, PD_LOG_INFO, PD_LOG_DEBUG };

void pd_log_open(int rank, enum pd_level most); /* before it, only errors and warnings pass */
void pd_log(enum pd_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void pd_log_rank(enum pd_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Draw `line` over the last bar; log lines clear it first. NULL removes the bar. Rank 0 only. */
void pd_log_bar(const char *line);

#endif

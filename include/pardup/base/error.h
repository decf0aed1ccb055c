/*
 * base/error.h - status codes, the error record, and the two ways to fail.
 *
 *   recoverable   input, disk, usage   return pd_fail(...), agreed at the stage boundary
 *   fatal         bug, memory, MPI     pd_panic(...), which aborts the whole job
 *
 * The record keeps the FIRST failure since pd_error_clear(): that is the cause;
 * later ones are consequences. It is per process and safe to call from threads.
 */
#ifndef PARDUP_BASE_ERROR_H
#define PARDUP_BASE_ERROR_H

enum pd_status {
    PD_OK = 0,
    PD_END = 1,      /* no more records: a normal outcome, not an error */
    PD_EUSAGE = -1,  /* bad option or configuration */
    PD_EIO = -2,     /* open, read, write, close or rename failed */
    PD_EFORMAT = -3, /* a file is not what it claims to be */
    PD_EFULL = -4,   /* scratch space or --memory budget exhausted */
    PD_ESTALE = -5,  /* checkpoint belongs to other input or options */
    PD_ESTOP = -6,   /* asked to stop; what is done so far is kept for --resume */
};

/* Record the failure and return `status`, so that a failing line is one line:
 *     return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
 */
int pd_fail(int status, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));

#define PD_ERROR_TEXT 2048 /* bytes: room for a long path and its reason */

/* Text of the first failure ("" if none). Borrowed; valid until clear or adopt. */
const char *pd_error_text(void);
void pd_error_clear(void);
int pd_error_adopt(int status, const char *text); /* replace the record; returns status */

/* Print to stderr and end every rank (MPI_Abort once comm/ is up, abort() before). */
#define pd_panic(...) pd_panic_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void pd_panic_at(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* On in every build: invariants cost little next to a join, and a wrong answer costs a run. */
#define PD_CHECK(cond) ((cond) ? (void)0 : pd_panic("invariant broken: %s", #cond))

/* Pass a failure up from a function that owns nothing yet; otherwise `goto out`. */
#define PD_TRY(call)                                                                               \
    do {                                                                                           \
        int pd_try_status = (call);                                                                \
        if (pd_try_status < 0)                                                                     \
            return pd_try_status;                                                                  \
    } while (0)

/* comm/ registers MPI_Abort here, so that base/ need not know MPI. */
void pd_panic_hook(void (*hook)(int exit_code));

#endif

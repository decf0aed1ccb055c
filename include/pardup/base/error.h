/*
 * base/error.h - status codes, the error record, and the two ways to fail.
 *
 *   recoverable   input, disk, usage   return pd_fail(...); ranks agree at the end of the stage
 *   fatal         bug, memory, MPI     pd_panic(...), which aborts the whole job
 *
 * Each process has one error record. The record keeps the first failure since pd_error_clear():
 * the first failure is the cause, later ones are its consequences. Threads may call pd_fail() at
 * the same time.
 */
#ifndef PARDUP_BASE_ERROR_H
#define PARDUP_BASE_ERROR_H

enum pd_status {
    PD_OK = 0,
    PD_END = 1,      /* no more records: a normal outcome, not an error */
    PD_FOUND = 2,    /* done, and there is what the person wants to be told of: detect --gate */
    PD_EUSAGE = -1,  /* bad option or configuration */
    PD_EIO = -2,     /* open, read, write, close or rename failed */
    PD_EFORMAT = -3, /* a file is not what it claims to be */
    PD_EFULL = -4,   /* scratch space or --memory budget exhausted */
    PD_ESTALE = -5,  /* the checkpoint belongs to other input or options */
    PD_ESTOP = -6,   /* a signal asked the job to stop; the checkpoint is kept for --resume */
};

/*
 * Write the text to the error record, unless it already has one, and return `status`. A caller can
 * so report and return in one line:
 *     return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
 */
int pd_fail(int status, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));

#define PD_ERROR_TEXT 9216 /* bytes of the error record: room for two long paths and a reason */

/* The text of the first failure, "" if there is none. Valid until pd_error_clear or _adopt. */
const char *pd_error_text(void);

/* Empty the error record. Whoever handles a failure calls this. */
void pd_error_clear(void);

/* Replace the text in the error record and return `status`. */
int pd_error_adopt(int status, const char *text);

/*
 * Print the message with rank, file and line to standard error and end all ranks: with MPI_Abort
 * once pd_comm_start() has run, with abort() before.
 */
#define pd_panic(...) pd_panic_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void pd_panic_at(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Checked in every build: the checks cost little, a wrong result costs a whole job. */
#define PD_CHECK(cond) ((cond) ? (void)0 : pd_panic("invariant broken: %s", #cond))

/*
 * Return the status of `call` from the enclosing function if it is a failure (< 0). For functions
 * that own nothing to be freed at this line; the others keep the status and `goto out`.
 */
#define PD_TRY(call)                                                                               \
    do {                                                                                           \
        int pd_try_status = (call);                                                                \
        if (pd_try_status < 0)                                                                     \
            return pd_try_status;                                                                  \
    } while (0)

/* The same for all that is not PD_OK: an end (PD_END) is passed on, too. */
#define PD_PASS(call)                                                                              \
    do {                                                                                           \
        int pd_pass_status = (call);                                                               \
        if (pd_pass_status != PD_OK)                                                               \
            return pd_pass_status;                                                                 \
    } while (0)

/*
 * Take the next step if all steps before it went well: `status` becomes what `call` returns, unless
 * it is a failure. For functions that free something at their end, or go on to a collective call.
 */
#define PD_THEN(status, call)                                                                      \
    do {                                                                                           \
        if ((status) >= 0)                                                                         \
            (status) = (call);                                                                     \
    } while (0)

/*
 * Let a process say in a line of error that a signal of a defect ends it, or that a library has
 * called exit(). Libraries that get no memory end so. A handler that was there before comes next.
 * pd_end_is_told: the process ends by itself and has said why, if there is anything to say.
 */
void pd_tell_ends(void);
void pd_end_is_told(void);

/* Register the function that ends all ranks. comm/ registers MPI_Abort, as base/ knows no MPI. */
void pd_panic_hook(void (*hook)(int exit_code));

#endif

/* base/error.c - see include/pardup/base/error.h */
#include "pardup/base/error.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/log.h"

enum { PANIC_STATUS = 70 }; /* exit status of a job that panics: EX_SOFTWARE of sysexits.h */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char first[PD_ERROR_TEXT];
static void (*panic_hook)(int);

int pd_fail(int status, const char *fmt, ...)
{
    pthread_mutex_lock(&lock);
    if (first[0] == '\0') {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(first, sizeof first, fmt, ap);
        va_end(ap);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

const char *pd_error_text(void) { return first; }

void pd_error_clear(void) { first[0] = '\0'; }

int pd_error_adopt(int status, const char *text)
{
    snprintf(first, sizeof first, "%s", text);
    return status;
}

void pd_panic_hook(void (*hook)(int exit_code)) { panic_hook = hook; }

/* ---- the end of a process that does not end itself ---- */

static const char why[] =
    "a library got no memory, or a defect; with memory to spare, please report "
    "it\n";

/* Is it said, or known to be no failure, why the process ends? */
static bool told;

void pd_end_is_told(void) { told = true; }

static const int crashes[] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL};
enum { CRASHES = sizeof crashes / sizeof *crashes };
static struct sigaction before[CRASHES]; /* what a sanitizer or a library of MPI does */

/* Handler of signals that a defect raises, as a library does when it gets no memory. */
static void tell_signal(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    char line[sizeof why + 64] = "pardup: error: ended by signal 00: ";
    char *digits = strstr(line, "00");
    digits[0] = (char)('0' + signal_number / 10);
    digits[1] = (char)('0' + signal_number % 10);
    strcat(line, why);
    if (!told)
        (void)!write(STDERR_FILENO, line, strlen(line));
    for (size_t k = 0; k < CRASHES; k++)
        if (crashes[k] == signal_number)
            sigaction(signal_number, &before[k], NULL);
    if (info->si_code <= 0) /* somebody has sent it; else the instruction fails once more */
        raise(signal_number);
}

/* Called by exit(). HDF5 calls exit() in the middle of a job when it gets no memory. */
static void tell_exit(void)
{
    if (told)
        return;
    pd_panic("ended by a library: %.*s", (int)sizeof why - 2, why);
}

void pd_tell_ends(void)
{
    static char room[1 << 16]; /* the stack of the handler: the other one may be used up */
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    const struct sigaction action = {.sa_sigaction = tell_signal,
                                     .sa_flags = SA_ONSTACK | SA_SIGINFO};
    (void)atexit(tell_exit);
    if (sigaltstack(&stack, NULL) != 0)
        return;
    for (size_t k = 0; k < CRASHES; k++)
        sigaction(crashes[k], &action, &before[k]);
}

_Noreturn void pd_panic_at(const char *file, int line, const char *fmt, ...)
{
    char text[PD_ERROR_TEXT];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    pd_log_rank(PD_LOG_ERROR, "%s (%s:%d)", text, file, line);
    told = true;
    if (panic_hook)
        panic_hook(PANIC_STATUS);
    abort();
}

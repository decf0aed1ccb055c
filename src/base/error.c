/* base/error.c - see include/pardup/base/error.h */
#include "pardup/base/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

_Noreturn void pd_panic_at(const char *file, int line, const char *fmt, ...)
{
    char text[PD_ERROR_TEXT];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    pd_log_rank(PD_LOG_ERROR, "%s (%s:%d)", text, file, line);
    if (panic_hook)
        panic_hook(PANIC_STATUS);
    abort();
}

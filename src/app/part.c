/* app/part.c - see src/app/part.h */
#include "part.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "pardup/base/bytes.h"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};
static char *volatile open_part; /* a signal handler gets no argument but the signal */

static void remove_part(int signal_number)
{
    if (open_part)
        unlink(open_part);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void set_handlers(void (*handler)(int))
{
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++)
        signal(ending[k], handler);
}

int pd_part_open(struct pd_new_file *n, FILE *stream, const char *path)
{
    open_part = pd_printed("%s.part", path);
    set_handlers(remove_part);
    return pd_new_file_open(n, stream, pd_printed("%s", path));
}

int pd_part_close(struct pd_new_file *n, int status)
{
    status = pd_new_file_close(n, status);
    set_handlers(SIG_DFL);
    free(open_part);
    open_part = NULL;
    return status;
}

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

char *pd_part_begin(const char *path)
{
    char *part = pd_printed("%s.part", path);
    unlink(part);
    open_part = part;
    set_handlers(remove_part);
    return part;
}

int pd_part_end(char *part, int status)
{
    set_handlers(SIG_DFL);
    open_part = NULL;
    if (status < 0)
        unlink(part);
    free(part);
    return status;
}

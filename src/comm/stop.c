/* comm/stop.c - stopping because of a signal: see include/pardup/comm/comm.h */
#include <signal.h>

#include "pardup/base/error.h"
#include "pardup/comm/comm.h"

static volatile sig_atomic_t stop_signal;

void pd_comm_ask_to_stop(int signal) { stop_signal = signal; }
int pd_comm_stopping(void) { return stop_signal; }

int pd_comm_check_stop(void)
{
    const int signal = stop_signal;
    return signal ? pd_fail(PD_ESTOP, "stopped by signal %d", signal) : PD_OK;
}

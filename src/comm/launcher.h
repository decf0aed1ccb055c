/* comm/launcher.h - what the launcher of this process says in the environment. For src/comm/ only. */
#ifndef PARDUP_COMM_LAUNCHER_H
#define PARDUP_COMM_LAUNCHER_H

#include <stdbool.h>

/* Not collective. Processes that the launcher has started together; 0: it does not say. */
int pd_launcher_size(void);

/* Not collective. All of them run on one node; false: not, or not known. */
bool pd_launcher_one_node(void);

#endif

/* app/commands.c - see src/app/commands.h */
#include "commands.h"

#include <string.h>

#define ADDRESS(name) &pd_command_##name,

const struct pd_command *const pd_commands[] = {PD_COMMANDS(ADDRESS) NULL};

const struct pd_command *pd_command_find(const char *name)
{
    for (int k = 0; pd_commands[k]; k++)
        if (strcmp(pd_commands[k]->name, name) == 0)
            return pd_commands[k];
    return NULL;
}

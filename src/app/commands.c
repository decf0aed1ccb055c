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

const struct pd_option *pd_option_next(const char *command, const struct pd_option *k)
{
    k = k ? k + 1 : pd_option_table;
    while (k && !(k->name && pd_option_belongs(k, command)))
        k = k->name ? k + 1 : k->commands ? pd_command_find(command)->options : NULL;
    return k;
}

const struct pd_option *pd_option_named(const char *command, const char *name, size_t n)
{
    const struct pd_option *k = NULL;
    while ((k = pd_option_next(command, k)) && (strlen(k->name) != n || memcmp(k->name, name, n)))
        ;
    return k;
}

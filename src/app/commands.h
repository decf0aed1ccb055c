/*
 * app/commands.h - the commands of pardup.
 *
 * A command is a struct pd_command, defined at the end of its cmd_*.c file, and a row of
 * PD_COMMANDS. Its options are the rows of the option table that name it, and its own rows.
 */
#ifndef PARDUP_APP_COMMANDS_H
#define PARDUP_APP_COMMANDS_H

#include "pardup/comm/comm.h"
#include "pardup/run/option_table.h"

/* The commands, in the order in which --help lists them. */
#define PD_COMMANDS(ROW)                                                                           \
    ROW(detect)                                                                                    \
    ROW(compare)                                                                                   \
    ROW(changes)                                                                                   \
    ROW(index)                                                                                     \
    ROW(check)                                                                                     \
    ROW(frequencies)                                                                               \
    ROW(text)                                                                                      \
    ROW(sentences)                                                                                 \
    ROW(show)                                                                                      \
    ROW(families)                                                                                  \
    ROW(explain)                                                                                   \
    ROW(decontaminate)                                                                             \
    ROW(dedup)                                                                                     \
    ROW(export)                                                                                    \
    ROW(report)                                                                                    \
    ROW(picture)                                                                                   \
    ROW(eval)                                                                                      \
    ROW(prevalence)                                                                                \
    ROW(synth)

enum pd_operands {
    PD_OPERANDS_NONE,
    PD_OPERANDS_INPUTS,   /* files and folders; none is needed when --files-from is given */
    PD_OPERANDS_RESULT,   /* one result file */
    PD_OPERANDS_COMPARED, /* one result file, or two that are compared */
    PD_OPERANDS_TWO_OF,   /* one result file, and two of its documents */
    PD_OPERANDS_RUNS      /* TREC runs, if any, then one result file */
};

struct pd_command {
    const char *name;
    const char *usage; /* options and operands, for --help */
    const char *help;  /* what the command does */

    /* Names of the options that --help lists, the most typed one first, separated by blanks: one
     * screen. --help all lists all. */
    const char *brief;
    const char *example; /* a command line that works, for --help */
    enum pd_operands operands;

    /* Options that this command alone has, as pd_option_table has others. NULL: none. The command gets
     * `bytes` of options, which begin with a struct pd_options; 0: there is nothing else. --help
     * has
     * a section for options of no other section. */
    const struct pd_option *options;
    size_t bytes;
    const char *section;

    /*
     * Say what to type next, when the command has written its output (src/app/next.h). NULL:
     * nothing.
     */
    void (*next)(const struct pd_options *o);

    /* Names of options, each followed by its value, then NULL: what the command changes in the
     * preset `texts`. NULL: nothing. */
    const char *const *texts;

    /* `--preset auto` may choose `edited`. An index has no room for its names. */
    bool edited;

    /*
     * Set *settings to options of command `settings_of`, each followed by its value, then NULL:
     * what comes before the command line. NULL: nothing. PD_OK, or a failure that main reports.
     */
    int (*settings)(const struct pd_options *o, const char *const **settings);
    const char *settings_of;
    bool settled; /* the settings come before every command line, not only before some */

    /* Refuse options that do not go together, and set members that follow from others. PD_OK or
     * PD_EUSAGE; before MPI starts. NULL: nothing to do. */
    int (*settle)(struct pd_options *o);

    /*
     * The command itself; one of the two is not NULL. Returns a status of base/error.h, from which
     * main makes the exit status and the message.
     *   alone     one process without MPI; under a launcher only the first rank calls it
     *   together  COLLECTIVE; signals ask it to stop (run/detect.h)
     */
    int (*alone)(const struct pd_options *o);
    int (*together)(const struct pd_comm *c, const struct pd_options *o);
};

#define PD_DECLARE_COMMAND(name) extern const struct pd_command pd_command_##name;
PD_COMMANDS(PD_DECLARE_COMMAND)

/* All commands; NULL behind the last. */
extern const struct pd_command *const pd_commands[];

/* NULL: there is no such command. */
const struct pd_command *pd_command_find(const char *name);

/* The option of a command behind another one, or its first one (NULL). NULL: there is no more. */
const struct pd_option *pd_option_next(const char *command, const struct pd_option *before);

/* The option that `command` takes and that is called name[0, n); NULL: there is none. */
const struct pd_option *pd_option_named(const char *command, const char *name, size_t n);

#endif

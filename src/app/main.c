/* app/main.c - the command line: which command, MPI up and down, exit status. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "print.h"

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_STOPPED = 75 };

/* Only one process speaks about usage, before ranks can agree: rank 0, or the process that no launcher has started. */
static int launcher_rank(void)
{
    const int rank = pd_comm_launcher_rank();
    return rank < 0 ? 0 : rank;
}

static void print_help(FILE *to)
{
    fputs("pardup " PARDUP_VERSION " - partial duplicates in large text collections\n\n"
          "usage: pardup COMMAND [options] ...      mpirun -np N pardup detect ...\n\n",
          to);
    for (int k = 0; pd_commands[k]; k++)
        fprintf(to, "  %-10s %s\n", pd_commands[k]->name, pd_commands[k]->help);
    fputs("\npardup COMMAND --help lists the options of a command; pardup --version prints the "
          "version.\n"
          "INPUT is a file, or a directory with all files below it.\n",
          to);
}

static void print_command_help(const struct pd_command *c)
{
    printf("usage: pardup %s %s\n%s\n\n", c->name, c->usage, c->help);
    pd_options_help(stdout, c);
}

static int asks_for_help(int argc, char **argv)
{
    for (int k = 0; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0)
            return 1;
    return 0;
}

/* The command line as one allocated string, for the record. */
static char *join_arguments(int argc, char **argv)
{
    struct pd_bytes all = {0};
    for (int k = 0; k < argc; k++) {
        pd_bytes_append(&all, argv[k], strlen(argv[k]));
        pd_bytes_append(&all, k + 1 < argc ? " " : "", 1);
    }
    return (char *)all.v;
}

/* Print why the command failed or stopped. Only rank 0 prints. Returns `status`. */
static int report(int status)
{
    if (status == PD_ESTOP)
        pd_log(PD_LOG_WARN, "%s: exit status %d", pd_error_text(), EXIT_STOPPED);
    else if (status < 0)
        pd_log(PD_LOG_ERROR, "%s", pd_error_text());
    return status;
}

static int run(const struct pd_command *c, struct pd_options *o, int argc, char **argv)
{
    int status;
    if (c->alone) {
        if (launcher_rank() != 0)
            return EXIT_DONE;
        pd_log_open(0, PD_LOG_INFO);
        status = report(c->alone(o));
    } else {
        struct pd_comm comm;
        if (c->prepare)
            c->prepare();
        pd_comm_start(&argc, &argv, &comm);
        pd_log_open(comm.rank, PD_LOG_INFO);
        status = report(c->together(&comm, o));
        /* Wait for all ranks: when one exits with an error, mpirun kills the others. */
        pd_comm_stop(&comm);
    }
    return status >= 0           ? EXIT_DONE
           : status == PD_EUSAGE ? EXIT_USAGE
           : status == PD_ESTOP  ? EXIT_STOPPED
                                 : EXIT_FAILED;
}

/* Print a usage error, on one rank only. */
static int usage(const char *text)
{
    pd_log_open(launcher_rank(), PD_LOG_ERROR);
    pd_log(PD_LOG_ERROR, "%s", text);
    return EXIT_USAGE;
}

/* The exit status when all has been printed. */
static int end_of_output(void)
{
    if (pd_stdout_done() >= 0)
        return EXIT_DONE;
    pd_log(PD_LOG_ERROR, "%s", pd_error_text());
    return EXIT_FAILED;
}

int main(int argc, char **argv)
{
    const int speaks = launcher_rank() == 0;
    struct pd_options options;
    if (argc < 2)
        return usage("no command given; pardup --help lists them");
    const struct pd_command *c = pd_command_find(argv[1]);
    if (strcmp(argv[1], "--version") == 0) {
        if (speaks)
            puts("pardup " PARDUP_VERSION);
        return end_of_output();
    }
    if (asks_for_help(argc - 1, argv + 1)) {
        if (speaks && c)
            print_command_help(c);
        else if (speaks)
            print_help(stdout);
        return end_of_output();
    }
    if (!c) {
        char text[256];
        snprintf(text, sizeof text, "%s: no such command; pardup --help lists them", argv[1]);
        return usage(text);
    }
    int status = pd_options_parse(&options, c, argc - 2, argv + 2);
    if (status < 0) {
        const int refused = usage(pd_error_text());
        status = status == PD_EUSAGE ? refused : EXIT_FAILED; /* the index cannot be read */
    } else {
        char *command = join_arguments(argc, argv);
        options.command = command;
        status = run(c, &options, argc, argv);
        free(command);
    }
    pd_options_release(&options);
    return status;
}

/* app/main.c - the command line: which command, MPI up and down, exit status. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "help.h"
#include "like.h"
#include "methods.h"
#include "options.h"
#include "pardup/base/dialect.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/comm/launch.h"
#include "pardup/corpus/convert.h"
#include "pardup/corpus/kept.h"
#include "pardup/run/detect.h"
#include "pardup/run/option_table.h"
#include "print.h"
#include "ranks.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_FOUND = 3,
    EXIT_STOPPED = 75
};

/*
 * Only one process speaks about usage, before ranks can agree: rank 0, or the process that no
 * launcher has started.
 */
static int launcher_rank(void)
{
    const int rank = pd_comm_launcher_rank();
    return rank < 0 ? 0 : rank;
}

/* Which argument before "--" is one of two names of an option; -1: none is. */
static int find(int argc, char **argv, const char *name, const char *letter)
{
    for (int k = 0; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (strcmp(argv[k], name) == 0 || strcmp(argv[k], letter) == 0)
            return k;
    return -1;
}

/* How many of the arguments v[0], v[step] and so on, n at most, fill half a text of the record. */
static int count_fitting(char **v, int n, int step)
{
    size_t bytes = 0;
    for (int k = 0; k < n; k++)
        if ((bytes += strlen(v[k * step]) + 1) > PD_OPTION_TEXT_MOST / 2)
            return k;
    return n;
}

/*
 * The command line as one allocated string, for the record. A long one has its first and its last
 * words: what lies between them is nearly always paths, which /files lists.
 */
static char *join_arguments(int argc, char **argv)
{
    struct pd_bytes all = {0};
    const int first = count_fitting(argv, argc, 1);
    const int last = argc - count_fitting(argv + argc - 1, argc - first, -1);
    for (int k = 0; k < first; k++)
        pd_bytes_print(&all, "%s%s", k ? " " : "", argv[k]);
    if (first < last)
        pd_bytes_print(&all, " [%s more words]", pd_grouped((uint64_t)(last - first)));
    for (int k = last; k < argc; k++)
        pd_bytes_print(&all, " %s", argv[k]);
    pd_bytes_append(&all, "", 1);
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

static void say_next(const struct pd_command *c, const struct pd_options *o)
{
    if (c->next && o->output && !o->job.dry_run && !o->quiet)
        c->next(o);
}

/*
 * A limit of file sizes fails the write, as a full disk does. What is said goes on when nobody
 * reads it any more, as long as the result goes to a file.
 */
static void ignore_signals(const struct pd_options *o)
{
    signal(SIGXFSZ, SIG_IGN);
    if (o->output && strcmp(o->output, "-") != 0)
        signal(SIGPIPE, SIG_IGN);
}

static int exit_status_of(int status)
{
    return status == PD_FOUND    ? EXIT_FOUND
           : status >= 0         ? EXIT_DONE
           : status == PD_EUSAGE ? EXIT_USAGE
           : status == PD_ESTOP  ? EXIT_STOPPED
                                 : EXIT_FAILED;
}

static int run(const struct pd_command *c, struct pd_options *o, int argc, char **argv)
{
    const enum pd_level level = o->quiet ? PD_LOG_ERROR : PD_LOG_INFO;
    int status;
    ignore_signals(o);
    if (o->quiet)
        o->job.progress = PD_PROGRESS_NONE;
    if (c->alone) {
        if (launcher_rank() != 0)
            return EXIT_DONE;
        pd_log_open(0, 1, level);
        status = report(c->alone(o));
    } else {
        struct pd_comm comm;
        int ended;
        pd_detect_stop_on_signals();
        if (pd_ranks_run(c, o, argv, &ended))
            return ended;
        pd_comm_start(&argc, &argv, &comm);
        pd_log_open(comm.rank, comm.size, level);
        status = report(c->together(&comm, o));
        if (status >= 0 && comm.rank == 0) {
            pd_ranks_say(&comm, o);
            say_next(c, o);
        }
        if (comm.rank == 0)
            pd_launch_tell(exit_status_of(status));
        pd_end_is_told(); /* the job is done: how MPI ends does not matter */
        /* Wait for all ranks: when one exits with an error, mpirun kills the others. */
        pd_comm_stop(&comm);
    }
    return exit_status_of(status);
}

/* Print a usage error, on one rank only. */
static int usage(const char *text)
{
    pd_log_open(launcher_rank(), 1, PD_LOG_ERROR);
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

static int no_command(const char *name)
{
    char text[256];
    const char *like = pd_like_command(name, strlen(name));
    if (!like && access(name, F_OK) == 0)
        snprintf(text, sizeof text,
                 "%.100s: no such command, but a file; pardup compare A B shows what two texts "
                 "share",
                 name);
    else
        snprintf(text, sizeof text, "%.200s: no such command; %s%s", name,
                 like ? "did you mean " : "pardup --help lists them", like ? like : "");
    return usage(text);
}

/* pardup help [COMMAND] [all], or --help anywhere; `argv` is what names the command and "all". */
static int help(int argc, char **argv)
{
    const struct pd_command *c = argc > 0 ? pd_command_find(argv[0]) : NULL;
    if (argc > 0 && strcmp(argv[0], "method") == 0) {
        const char *name = argc > 1 ? pd_method_name(argv[1]) : "";
        if (argc > 1 && !pd_method_settings(name))
            return usage("no such method; pardup help method lists them");
        if (launcher_rank() == 0)
            pd_help_method(name);
        return end_of_output();
    }
    if (argc > 0 && !c)
        return no_command(argv[0]);
    if (launcher_rank() == 0 && c)
        pd_help_command(c, argc > 1 && strcmp(argv[1], "all") == 0);
    else if (launcher_rank() == 0)
        pd_help_program();
    return end_of_output();
}

/* --help among the arguments of a command: "all" may follow it. */
static int help_of(const char *name, int argc, char **argv)
{
    char *words[] = {(char *)name, argc > 1 && strcmp(argv[1], "all") == 0 ? argv[1] : NULL};
    return help(words[1] ? 2 : 1, words);
}

static int run_command(const struct pd_command *c, int argc, char **argv)
{
    struct pd_options *o = pd_realloc(NULL, c->bytes ? c->bytes : sizeof *o, 1);
    int status = pd_options_parse(o, c, argc - 2, argv + 2);
    for (size_t k = 0; k < o->input.convert.n && status >= 0; k++)
        status = pd_converter_add(o->input.convert.v[k]);
    for (size_t k = 0; k < o->input.vocabulary.n && status >= 0; k++)
        status = pd_dialects_read(o->input.vocabulary.v[k]);
    if (status < 0) {
        const int refused = usage(pd_error_text());
        status = status == PD_EUSAGE ? refused : EXIT_FAILED; /* the index cannot be read */
    } else {
        char *command = join_arguments(argc, argv);
        o->command = command;
        status = run(c, o, argc, argv);
        free(command);
    }
    pd_options_release(o);
    free(o);
    return status;
}

/*
 * A file that is opened while standard output is closed gets its number, and what is printed would
 * go into the file. So a closed number is opened in the direction in which it is not used: its use
 * fails as before.
 */
static void occupy_closed(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static int start(int argc, char **argv)
{
    if (argc < 2) {
        help(0, NULL);
        return usage("no command given: one of the list above is expected");
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        if (launcher_rank() == 0)
            pd_help_version(find(argc - 2, argv + 2, "--verbose", "-v") >= 0);
        return end_of_output();
    }
    if (strcmp(argv[1], "help") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(0, NULL);
    const struct pd_command *c = pd_command_find(argv[1]);
    if (!c)
        return no_command(argv[1]);
    const int asked = find(argc - 2, argv + 2, "--help", "-h");
    return asked < 0 ? run_command(c, argc, argv)
                     : help_of(argv[1], argc - 2 - asked, argv + 2 + asked);
}

int main(int argc, char **argv)
{
    occupy_closed();
    pd_tell_ends();
    pd_panic_hook(_exit); /* until a job has another one */
    pd_kept_memory();
    const int status = start(argc, argv);
    pd_end_is_told();
    return status;
}

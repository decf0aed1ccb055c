/* comm/comm.c - see include/pardup/comm/comm.h */
#include "pardup/comm/comm.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handle.h"
#include "launcher.h"
#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/memory_limit.h"
#include "pardup/base/minmax.h"
#include "pardup/comm/launch.h"

static double waited; /* seconds in calls that wait for other ranks and move little data */

double pd_comm_waited(void) { return waited; }

static void abort_job(int exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

static void on_mpi_error(MPI_Comm *mpi, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int rank = -1, n = 0;
    MPI_Error_string(*code, text, &n);
    MPI_Comm_rank(*mpi, &rank);
    pd_panic("rank %d: MPI: %s", rank, text);
}

/*
 * Send small messages to the launcher at once. At the end a process sends its launcher two small
 * messages. Over TCP the second one waits until the launcher has acknowledged the first, which it
 * does after 40 ms, so that every job took 40 ms longer (measured with PMIx 4.2, Open MPI 4.1). The
 * descriptors are not known, so the option is tried on all: only TCP connections accept it.
 */
static void send_at_once(void)
{
    enum { OPEN = 64 }; /* the option is set on descriptors below this one */
    const int yes = 1;
    for (int fd = STDERR_FILENO + 1; fd < OPEN; fd++)
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/*
 * Keep MPI_Init from looking for devices, in a job on one node. MPI_Init lets every process read
 * the registers of the PCI bus to find the nearest network card. On a virtual machine that takes
 * 10 ms per process, one process after the other, and a job on one node needs no network card.
 */
static void leave_devices_alone(void)
{
    if (pd_launcher_one_node())
        (void)setenv("HWLOC_COMPONENTS", "-pci,-linuxio", 0); /* keep the setting of a user */
}

/* Add the file of a plugin of Open MPI to the names at `ctx`, each with its NUL. */
static int list_plugin(struct dl_phdr_info *object, size_t size, void *ctx)
{
    (void)size;
    if (strstr(object->dlpi_name, "/mca_"))
        pd_bytes_append(ctx, object->dlpi_name, strlen(object->dlpi_name) + 1);
    return 0; /* go on with the next one */
}

/*
 * Keep the plugins of Open MPI in memory until the process ends. MPI_Finalize unloads plugins while
 * a thread of theirs may still have an event to handle, and about 1 job in 500 then ended with
 * signal 11 after its result was written (in mca_pmix_ext3x of Open MPI 4.1.4, on a loaded
 * machine).
 */
static void keep_plugins(void)
{
    struct pd_bytes names = {0};
    dl_iterate_phdr(list_plugin, &names);
    for (size_t k = 0; k < names.n; k += strlen((const char *)names.v + k) + 1)
        (void)!dlopen((const char *)names.v + k, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    pd_bytes_release(&names);
}

/*
 * Refuse processes that the launcher has started together and that MPI does not join: each of them
 * would do the whole job, and all would write the same files.
 *   rank, started  of this process and of all, as the launcher says
 */
static void check_ranks(const struct pd_comm *c, int rank, int started)
{
    char library[PD_ERROR_TEXT / 2];
    if (started <= 1 || started == c->size)
        return;
    pd_comm_library(library, sizeof library);
    pd_log_open(rank, 1, PD_LOG_ERROR);
    if (pd_launched()) { /* the waiting process makes a sentence of it, and does the job alone */
        dprintf(STDERR_FILENO, "it belongs to another MPI than %s\n", library);
        _exit(EXIT_FAILURE);
    }
    if (PD_ALWAYS_ALONE)
        pd_log(
            PD_LOG_ERROR,
            "the launcher has started %d processes, but this pardup was built without MPI; start "
            "it without a launcher",
            started);
    else
        pd_log(
            PD_LOG_ERROR,
            "the launcher has started %d processes, but the MPI of this pardup (%s) joins only %d "
            "of them; start pardup with the mpirun of its own MPI, or with -j %d and no mpirun",
            started, library, c->size, started);
    _exit(EXIT_FAILURE);
}

void pd_comm_start(int *argc, char ***argv, struct pd_comm *c)
{
    MPI_Errhandler handler;
    /* MPI_Init changes these variables where it starts a job of one process */
    const int rank = pd_comm_launcher_rank(), started = pd_launcher_size();
    if (rank < 0 || PD_ALWAYS_ALONE) {
        pd_comm_alone(c);
        pd_panic_hook(_exit);
        check_ranks(c, rank, started);
        pd_launch_join();
        return;
    }
    leave_devices_alone();
    MPI_Init(argc, argv);
    send_at_once();
    c->handle = pd_realloc(NULL, 1, sizeof *c->handle);
    MPI_Comm_dup(MPI_COMM_WORLD, &c->handle->mpi);
    MPI_Comm_create_errhandler(on_mpi_error, &handler);
    MPI_Comm_set_errhandler(c->handle->mpi, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_rank(c->handle->mpi, &c->rank);
    MPI_Comm_size(c->handle->mpi, &c->size);
    pd_panic_hook(abort_job);
    check_ranks(c, rank, started);
    pd_launch_join();
}

void pd_comm_alone(struct pd_comm *c) { *c = (struct pd_comm){.handle = NULL, .size = 1}; }

void pd_comm_stop(struct pd_comm *c)
{
    if (!c->handle)
        return;
    MPI_Comm_free(&c->handle->mpi);
    free(c->handle);
    c->handle = NULL;
    keep_plugins();
    MPI_Finalize();
}

_Noreturn void pd_comm_abort(const struct pd_comm *c, int exit_status)
{
    pd_end_is_told();
    if (c->handle)
        MPI_Abort(c->handle->mpi, exit_status);
    _exit(exit_status);
}

static void reduce(const struct pd_comm *c, void *v, int n, MPI_Datatype type, MPI_Op op)
{
    if (!c->handle) /* pd_comm_alone */
        return;
    const double began = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, v, n, type, op, c->handle->mpi);
    waited += MPI_Wtime() - began;
}

int pd_comm_agree(const struct pd_comm *c, int status)
{
    /* Their minima are the lowest failed rank and the largest status. */
    int all[2] = {status < 0 ? c->rank : c->size, -status};
    reduce(c, all, 2, MPI_INT, MPI_MIN);
    const int culprit = all[0];
    if (culprit == c->size) /* nobody failed */
        return -all[1];

    struct {
        int status;
        char text[PD_ERROR_TEXT];
    } cause = {status, ""};
    char who[32] = "";
    if (c->size > 1 &&
        strncmp(pd_error_text(), "rank ", 5) != 0) /* the text of an earlier agreement has a rank */
        snprintf(who, sizeof who, "rank %d: ", c->rank);
    snprintf(cause.text, sizeof cause.text, "%s%.*s", who, (int)(sizeof cause.text - sizeof who),
             pd_error_text());
    if (c->handle)
        MPI_Bcast(&cause, sizeof cause, MPI_BYTE, culprit, c->handle->mpi);
    return pd_error_adopt(cause.status, cause.text);
}

void pd_comm_sum(const struct pd_comm *c, uint64_t *v, int n)
{
    reduce(c, v, n, MPI_UINT64_T, MPI_SUM);
}

/*
 * MPICH 4.0 compares MPI_UINT64_T as numbers with a sign. With the highest bit turned over they
 * have the same order as numbers with a sign as without one.
 */
void pd_comm_max(const struct pd_comm *c, uint64_t *v, int n)
{
    const uint64_t highest = (uint64_t)1 << 63;
    for (int k = 0; k < n; k++)
        v[k] ^= highest;
    reduce(c, v, n, MPI_INT64_T, MPI_MAX);
    for (int k = 0; k < n; k++)
        v[k] ^= highest;
}

void pd_comm_max_double(const struct pd_comm *c, double *v, int n)
{
    reduce(c, v, n, MPI_DOUBLE, MPI_MAX);
}

void pd_comm_wait_all(int n, MPI_Request *begun)
{
    if (n == 0)
        return;
    const double began = MPI_Wtime();
    MPI_Waitall(n, begun, MPI_STATUSES_IGNORE);
    waited += MPI_Wtime() - began;
}

size_t pd_comm_await(const struct pd_comm *c, int tag, int *from)
{
    const double began = MPI_Wtime();
    MPI_Status next;
    int bytes;
    MPI_Probe(MPI_ANY_SOURCE, tag, c->handle->mpi, &next);
    MPI_Get_count(&next, MPI_BYTE, &bytes);
    *from = next.MPI_SOURCE;
    waited += MPI_Wtime() - began;
    return (size_t)bytes;
}

uint64_t pd_comm_before(const struct pd_comm *c, uint64_t mine)
{
    uint64_t sum = 0;
    if (!c->handle)
        return 0;
    MPI_Exscan(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, c->handle->mpi);
    return c->rank == 0 ? 0 : sum; /* rank 0's result is undefined by the standard */
}

uint64_t pd_comm_memory_share(const struct pd_comm *c)
{
    MPI_Comm node;
    int ranks = 1;
    const uint64_t all = pd_memory_limit("");
    if (!c->handle)
        return all;
    MPI_Comm_split_type(c->handle->mpi, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    uint64_t share = all / (uint64_t)ranks;
    MPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_UINT64_T, MPI_MIN, c->handle->mpi);
    return share;
}

void pd_comm_share(const struct pd_comm *c, struct pd_bytes *bytes)
{
    uint64_t n = bytes->n;
    if (!c->handle)
        return;
    MPI_Bcast(&n, 1, MPI_UINT64_T, 0, c->handle->mpi);
    pd_bytes_reserve(bytes, n);
    bytes->n = n;
    for (uint64_t done = 0, bite; done < n; done += bite) {
        bite = pd_min_u64(n - done, INT_MAX);
        MPI_Bcast(bytes->v + done, (int)bite, MPI_BYTE, 0, c->handle->mpi);
    }
}

void pd_comm_send(const struct pd_comm *c, int to, const struct pd_bytes *bytes)
{
    const double began = MPI_Wtime();
    const uint64_t n = bytes->n;
    MPI_Send(&n, 1, MPI_UINT64_T, to, TAG_BYTES, c->handle->mpi);
    for (uint64_t done = 0, bite; done < n; done += bite) {
        bite = pd_min_u64(n - done, INT_MAX);
        MPI_Send(bytes->v + done, (int)bite, MPI_BYTE, to, TAG_BYTES, c->handle->mpi);
    }
    waited += MPI_Wtime() - began;
}

void pd_comm_receive(const struct pd_comm *c, int from, struct pd_bytes *bytes)
{
    const double began = MPI_Wtime();
    uint64_t n;
    MPI_Recv(&n, 1, MPI_UINT64_T, from, TAG_BYTES, c->handle->mpi, MPI_STATUS_IGNORE);
    waited += MPI_Wtime() - began;
    pd_bytes_reserve(bytes, bytes->n + n);
    for (uint64_t bite; n > 0; n -= bite, bytes->n += bite) {
        bite = pd_min_u64(n, INT_MAX);
        MPI_Recv(bytes->v + bytes->n, (int)bite, MPI_BYTE, from, TAG_BYTES, c->handle->mpi,
                 MPI_STATUS_IGNORE);
    }
}

/* Bytes of the largest message: MPI counts in int. */
static const size_t message_most = (size_t)1 << 30;

static void push_request(struct pd_transfers *begun, MPI_Request request)
{
    pd_bytes_append(&begun->requests, &request, sizeof request);
}

void pd_comm_begin_send(const struct pd_comm *c, int to, const void *bytes, size_t n,
                        struct pd_transfers *begun)
{
    for (size_t done = 0, part; done < n; done += part) {
        MPI_Request request;
        part = pd_min_size(n - done, message_most);
        MPI_Isend((const unsigned char *)bytes + done, (int)part, MPI_BYTE, to, TAG_TRANSFER,
                  c->handle->mpi, &request);
        push_request(begun, request);
    }
}

void pd_comm_begin_receive(const struct pd_comm *c, int from, void *bytes, size_t n,
                           struct pd_transfers *begun)
{
    for (size_t done = 0, part; done < n; done += part) {
        MPI_Request request;
        part = pd_min_size(n - done, message_most);
        MPI_Irecv((unsigned char *)bytes + done, (int)part, MPI_BYTE, from, TAG_TRANSFER,
                  c->handle->mpi, &request);
        push_request(begun, request);
    }
}

void pd_comm_end(struct pd_transfers *begun)
{
    pd_comm_wait_all((int)(begun->requests.n / sizeof(MPI_Request)), (void *)begun->requests.v);
    begun->requests.n = 0;
}

void pd_transfers_release(struct pd_transfers *begun) { pd_bytes_release(&begun->requests); }

void pd_comm_gather(const struct pd_comm *c, const void *mine, size_t n, struct pd_bytes *all)
{
    uint64_t total = n;
    if (!c->handle) {
        pd_bytes_append(all, mine, n);
        return;
    }
    pd_comm_sum(c, &total, 1);
    PD_CHECK(total <= INT_MAX);
    int *counts = pd_realloc(NULL, 2 * (size_t)c->size, sizeof *counts);
    int *starts = counts + c->size, sum = 0, mine_n = (int)n;
    MPI_Allgather(&mine_n, 1, MPI_INT, counts, 1, MPI_INT, c->handle->mpi);
    for (int p = 0; p < c->size; p++) {
        starts[p] = sum;
        sum += counts[p];
    }
    pd_bytes_reserve(all, all->n + total + 1); /* never NULL, also when there is nothing */
    MPI_Allgatherv(mine, mine_n, MPI_BYTE, all->v + all->n, counts, starts, MPI_BYTE,
                   c->handle->mpi);
    all->n += total;
    free(counts);
}

void pd_comm_library(char *text, size_t room)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int n;
    if (PD_ALWAYS_ALONE) {
        snprintf(text, room, "none");
        return;
    }
    MPI_Get_library_version(version, &n);
    version[strcspn(version, ",\n")] = '\0'; /* what follows is about the package */
    snprintf(text, room, "%.*s", (int)room - 1, version);
}

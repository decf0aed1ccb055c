/*
 * faults/schedule.c - a library for LD_PRELOAD that draws another schedule of the ranks from a seed.
 *
 * It stands between the program and MPI. Before each call that sends, receives or waits, a rank may wait
 * a little, or for a while. Where a message of any rank is taken, the ranks are asked in an order that is
 * drawn, so that another message comes first; and MPI_Iprobe may say that there is none yet. All this
 * comes from SCHEDULE_SEED, the rank and the number of the call, so a seed plays the same game again.
 *
 *   SCHEDULE_SEED    the seed
 *   SCHEDULE_RANK, SCHEDULE_AT, SCHEDULE_SIGNAL    a rank gets this signal at its call with this number
 *   SCHEDULE_CALLS   a folder: each rank writes the number of its calls to a file with its number
 */
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;
static long calls, at = -1;
static int rank, size, number;

static long variable(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

/* The next number that is drawn, below n. */
static uint64_t draw(uint64_t n)
{
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x ^ x >> 31) % n;
}

/* A call: the signal, or mostly nothing, often a little time, at times a while. */
static void step(void)
{
    enum { OFTEN = 4, AT_TIMES = 60, LITTLE = 100000, WHILE = 3000000 }; /* nanoseconds */
    if (++calls == at)
        raise(number);
    const uint64_t luck = draw(AT_TIMES);
    const struct timespec wait = {0, (long)draw(luck ? LITTLE : WHILE)};
    if (luck < AT_TIMES / OFTEN)
        nanosleep(&wait, NULL);
}

/* Any rank: a rank that has sent a message, the first one in an order that is drawn. */
static int choose(int tag, MPI_Comm c)
{
    for (;;) {
        const int first = (int)draw((uint64_t)size);
        for (int k = 0; k < size; k++) {
            int there = 0;
            PMPI_Iprobe((first + k) % size, tag, c, &there, MPI_STATUS_IGNORE);
            if (there)
                return (first + k) % size;
        }
    }
}

int MPI_Init(int *argc, char ***argv)
{
    const int status = PMPI_Init(argc, argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    state = (uint64_t)variable("SCHEDULE_SEED", 0) * 1000 + (uint64_t)rank;
    number = (int)variable("SCHEDULE_SIGNAL", 0);
    at = rank == variable("SCHEDULE_RANK", -1) ? variable("SCHEDULE_AT", -1) : -1;
    return status;
}

int MPI_Finalize(void)
{
    const char *folder = getenv("SCHEDULE_CALLS");
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", folder ? folder : "", rank);
    FILE *f = folder ? fopen(path, "w") : NULL;
    if (f) {
        fprintf(f, "%ld\n", calls);
        fclose(f);
    }
    return PMPI_Finalize();
}

int MPI_Probe(int from, int tag, MPI_Comm c, MPI_Status *status)
{
    step();
    return PMPI_Probe(from == MPI_ANY_SOURCE ? choose(tag, c) : from, tag, c, status);
}

int MPI_Iprobe(int from, int tag, MPI_Comm c, int *there, MPI_Status *status)
{
    enum { NOT_YET = 3 };
    step();
    *there = 0;
    return draw(NOT_YET) ? PMPI_Iprobe(from, tag, c, there, status) : MPI_SUCCESS;
}

int MPI_Recv(void *v, int n, MPI_Datatype type, int from, int tag, MPI_Comm c, MPI_Status *status)
{
    step();
    return PMPI_Recv(v, n, type, from == MPI_ANY_SOURCE ? choose(tag, c) : from, tag, c, status);
}

int MPI_Send(const void *v, int n, MPI_Datatype type, int to, int tag, MPI_Comm c)
{
    step();
    return PMPI_Send(v, n, type, to, tag, c);
}

int MPI_Isend(const void *v, int n, MPI_Datatype type, int to, int tag, MPI_Comm c, MPI_Request *r)
{
    step();
    return PMPI_Isend(v, n, type, to, tag, c, r);
}

int MPI_Irecv(void *v, int n, MPI_Datatype type, int from, int tag, MPI_Comm c, MPI_Request *r)
{
    step();
    return PMPI_Irecv(v, n, type, from, tag, c, r);
}

int MPI_Wait(MPI_Request *r, MPI_Status *status)
{
    step();
    return PMPI_Wait(r, status);
}

int MPI_Waitall(int n, MPI_Request v[], MPI_Status statuses[])
{
    step();
    return PMPI_Waitall(n, v, statuses);
}

int MPI_Allreduce(const void *v, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm c)
{
    step();
    return PMPI_Allreduce(v, to, n, type, op, c);
}

int MPI_Bcast(void *v, int n, MPI_Datatype type, int root, MPI_Comm c)
{
    step();
    return PMPI_Bcast(v, n, type, root, c);
}

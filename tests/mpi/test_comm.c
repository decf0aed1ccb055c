/* Agreement, small agreed numbers, and the shared work counter. */
#include "pardup/comm/comm.h"

#include <link.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/comm/queue.h"
#include "pd_cunit.h"

static void test_agree(void)
{
    const int bad = test_comm.rank >= test_comm.size / 2;
    const int local = bad ? pd_fail(PD_EIO, "disk %d", test_comm.rank) : PD_END;
    char expected[64] = "disk 0";
    CU_ASSERT_EQUAL(pd_comm_agree(&test_comm, local), PD_EIO);
    if (test_comm.size > 1)
        snprintf(expected, sizeof expected, "rank %d: disk %d", test_comm.size / 2,
                 test_comm.size / 2);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), expected);
    pd_error_clear();
    CU_ASSERT_EQUAL(pd_comm_agree(&test_comm, test_comm.rank == 0 ? PD_END : PD_OK), PD_END);
}

static void test_numbers(void)
{
    const uint64_t rank = (uint64_t)test_comm.rank, size = (uint64_t)test_comm.size;
    uint64_t v[2] = {1, rank};
    pd_comm_sum(&test_comm, v, 2);
    CU_ASSERT_EQUAL(v[0], size);
    CU_ASSERT_EQUAL(v[1], size * (size - 1) / 2);
    CU_ASSERT_EQUAL(pd_comm_before(&test_comm, 10), 10 * rank);
}

/* Numbers of 64 bits are compared without a sign: not so by MPI_UINT64_T in MPICH 4.0. */
static void test_greatest(void)
{
    const uint64_t rank = (uint64_t)test_comm.rank;
    uint64_t v[3] = {rank, rank == 0 ? UINT64_MAX - 1 : 0, rank == 0 ? 5 : UINT64_MAX};
    double x = -(double)rank;
    pd_comm_max(&test_comm, v, 3);
    CU_ASSERT_EQUAL(v[0], (uint64_t)test_comm.size - 1);
    CU_ASSERT_EQUAL(v[1], UINT64_MAX - 1);
    CU_ASSERT_EQUAL(v[2], test_comm.size > 1 ? UINT64_MAX : 5);
    pd_comm_max_double(&test_comm, &x, 1);
    CU_ASSERT(x == 0);
}

/* All ranks of this test are on one node, so each has an equal share of its memory. */
static void test_memory_share(void)
{
    const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    CU_ASSERT_EQUAL(pd_comm_memory_share(&test_comm), all / (uint64_t)test_comm.size);
}

static void test_share_and_gather(void)
{
    struct pd_bytes shared = {0}, all = {0};
    char mine[16];
    if (test_comm.rank == 0)
        pd_bytes_append(&shared, "agreed", 6);
    pd_comm_share(&test_comm, &shared);
    CU_ASSERT_EQUAL(shared.n, 6);
    CU_ASSERT_EQUAL(memcmp(shared.v, "agreed", 6), 0);

    memset(mine, 'a' + test_comm.rank, sizeof mine);
    pd_comm_gather(&test_comm, mine, (size_t)test_comm.rank, &all); /* rank r gives r bytes */
    CU_ASSERT_EQUAL(all.n, (size_t)(test_comm.size * (test_comm.size - 1) / 2));
    if (test_comm.size > 2)
        CU_ASSERT_EQUAL(memcmp(all.v, "bcc", 3), 0);
    pd_bytes_release(&shared);
    pd_bytes_release(&all);
}

/* Every other rank sends its bytes to rank 0: as many as a thousand times its number, or none. */
static void test_send(void)
{
    struct pd_bytes bytes = {0};
    const int n = 1000 * (test_comm.rank - 1);
    for (int k = 0; k < n; k++)
        pd_bytes_push(&bytes, (unsigned char)(k + test_comm.rank));
    if (test_comm.rank > 0)
        pd_comm_send(&test_comm, 0, &bytes);
    size_t at = 0, wrong = 0;
    for (int from = 1; test_comm.rank == 0 && from < test_comm.size; from++) {
        pd_comm_receive(&test_comm, from, &bytes);
        CU_ASSERT_EQUAL(bytes.n - at, 1000 * ((size_t)from - 1));
        for (unsigned k = 0; at < bytes.n; k++)
            wrong += bytes.v[at++] != (unsigned char)(k + (unsigned)from);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    pd_bytes_release(&bytes);
}

/* Each rank sends some arrays to each rank above it, and receives them from each rank below it. */
static void test_transfers(void)
{
    enum { ARRAYS = 3 };
    static const size_t sizes[ARRAYS] = {100000, 0, 7};
    struct pd_transfers begun = {0};
    struct pd_bytes sent = {0}, received = {0};
    const size_t room = sizes[0] + sizes[1] + sizes[2], nranks = (size_t)test_comm.size;
    pd_bytes_reserve(&sent, room);
    pd_bytes_reserve(&received, room * nranks);
    for (size_t k = 0; k < room; k++)
        sent.v[k] = (unsigned char)(k * 7 + (size_t)test_comm.rank);
    for (int p = 0; p < test_comm.size; p++)
        for (size_t a = 0, at = 0; a < ARRAYS; at += sizes[a++])
            if (p > test_comm.rank)
                pd_comm_begin_send(&test_comm, p, sent.v + at, sizes[a], &begun);
            else if (p < test_comm.rank)
                pd_comm_begin_receive(&test_comm, p, received.v + room * (size_t)p + at, sizes[a],
                                      &begun);
    pd_comm_end(&begun);
    size_t wrong = 0;
    for (size_t p = 0; p < (size_t)test_comm.rank; p++)
        for (size_t k = 0; k < room; k++)
            wrong += received.v[room * p + k] != (unsigned char)(k * 7 + p);
    CU_ASSERT_EQUAL(wrong, 0);
    pd_comm_end(&begun); /* none are left */
    pd_transfers_release(&begun);
    pd_bytes_release(&sent);
    pd_bytes_release(&received);
}

/* Every task is taken once, by whoever comes; rank 0 serves the others to the end. */
static void test_queue(void)
{
    enum { TASKS = 1000 };
    struct pd_queue q;
    uint64_t taken = 0, task;
    pd_queue_open(&test_comm, &q, TASKS);
    while ((task = pd_queue_take(&q)) != PD_NO_TASK) {
        taken += task + 1;
        if (task % 3 == 0)
            pd_queue_expect(&q);
        pd_queue_add(&q, 2, 3);
        CU_ASSERT_FALSE(pd_queue_poll(&q));
    }
    pd_queue_close(&q);
    pd_comm_sum(&test_comm, &taken, 1);
    CU_ASSERT_EQUAL(taken, TASKS * (TASKS + 1) / 2);
    if (test_comm.rank == 0) {
        CU_ASSERT_EQUAL(q.documents, 2 * TASKS);
        CU_ASSERT_EQUAL(q.bytes, 3 * TASKS);
    }
}

/* The last rank fails with its first task: the endless rest of the work ends for all. */
static void test_queue_stop(void)
{
    struct pd_queue q;
    pd_queue_open(&test_comm, &q, UINT64_MAX - 1);
    while (pd_queue_take(&q) != PD_NO_TASK) {
        if (test_comm.rank == test_comm.size - 1)
            pd_queue_stop(&q);
        pd_queue_expect(&q);
    }
    pd_queue_expect(&q); /* nobody takes what comes */
    CU_ASSERT(q.stopped);
    pd_queue_close(&q);
}

/* No connection over TCP, as that to Open MPI's launcher is, holds a message back. */
static void test_sends_at_once(void)
{
    enum { OPEN = 256 };
    for (int fd = STDERR_FILENO + 1; fd < OPEN; fd++) {
        int at_once = 0;
        socklen_t n = sizeof at_once;
        if (getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &at_once, &n) == 0)
            CU_ASSERT(at_once);
    }
}

static int count_plugin(struct dl_phdr_info *object, size_t size, void *count)
{
    (void)size;
    *(int *)count += strstr(object->dlpi_name, "/mca_pmix") != NULL;
    return 0;
}

/* Plugins that speak with the launcher in a thread of their own; none without a launcher. */
static int count_plugins(void)
{
    int count = 0;
    dl_iterate_phdr(count_plugin, &count);
    return count;
}

static int plugins_before; /* MPI ended */
static void test_plugins(void) { plugins_before = count_plugins(); }

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_agree),
                                        PD_TEST(test_numbers),
                                        PD_TEST(test_greatest),
                                        PD_TEST(test_memory_share),
                                        PD_TEST(test_share_and_gather),
                                        PD_TEST(test_send),
                                        PD_TEST(test_transfers),
                                        PD_TEST(test_queue),
                                        PD_TEST(test_queue_stop),
                                        PD_TEST(test_sends_at_once),
                                        PD_TEST(test_plugins),
                                        CU_TEST_INFO_NULL};
    const int failed = pd_run_tests(argc, argv, "comm/comm", tests);
    const int plugins = count_plugins(); /* MPI has ended, and a thread may still run in them */
    if (plugins < plugins_before)
        fprintf(stderr, "%d of %d plugins are left\n", plugins, plugins_before);
    return failed || plugins < plugins_before;
}

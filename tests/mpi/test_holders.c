/* Holders are found as the collection finds them, and places sort by volume, then by number. */
#include "run/stage/align/holders.h"

#include "pd_cunit.h"

enum { BATCHES = 37, VOLUMES = 3 }; /* volume 0 stays in memory */

/* Segment k: k % 5 * 11 documents of rank k / 2 % size, which lie in volume k % VOLUMES. */
struct made {
    struct pd_collection col;
    struct pd_batch batches[BATCHES];
    struct pd_numbered_docs numbered[BATCHES];
    struct pd_shelved shelved[VOLUMES];
};

static bool in_order; /* volumes ascend with the batches */

static uint64_t volume_of(size_t batch)
{
    return in_order ? batch * VOLUMES / BATCHES : batch % VOLUMES;
}

static void make(struct made *m)
{
    uint64_t base = 0;
    *m = (struct made){.col = {.comm = &test_comm}};
    struct pd_collection *col = &m->col;
    col->batches = (struct pd_batches){m->batches, BATCHES, BATCHES};
    col->numbered = (struct pd_numbereds){m->numbered, 0, BATCHES};
    col->library.shelf = (struct pd_shelf){m->shelved, VOLUMES, VOLUMES};
    m->shelved[0].kept = true;
    for (size_t k = 0; k < BATCHES; k++) {
        const uint64_t n = k % 5 * 11, rank = k / 2 % (uint64_t)test_comm.size;
        m->batches[k] = (struct pd_batch){.documents = n, .base = base, .rank = rank};
        if (rank == (uint64_t)test_comm.rank && n)
            m->numbered[col->numbered.n++] =
                (struct pd_numbered_docs){.first = base, .n = n, .volume = volume_of(k)};
        base += n;
    }
    col->totals.documents = base;
}

static void test_ranks_and_volumes(void)
{
    struct made m;
    struct pd_holders h;
    make(&m);
    pd_holders_init(&h, &m.col);
    size_t wrong = 0;
    for (pd_doc doc = 0; doc < m.col.totals.documents; doc++) {
        const struct pd_batch *batch = pd_collection_batch(&m.col, doc);
        const uint64_t volume = volume_of((size_t)(batch - m.batches));
        const uint64_t place = pd_holders_locate(&h, doc);
        wrong += pd_holders_rank(&h, place) != (int)batch->rank;
        wrong += pd_locator_doc(place) != doc;
        wrong += place >> PD_LOCATOR_BITS != (volume ? volume + 1 : 0);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    pd_holders_release(&h);
}

/* Are the volumes of this rank read once each, if documents are read by number? Slow lines say so, too. */
static void test_order_of_volumes(void)
{
    uint64_t ascending = 0;
    for (int k = 0; k < 2; k++) {
        struct made m;
        struct pd_holders h;
        in_order = k == 1;
        make(&m);
        pd_holders_init(&h, &m.col);
        bool ascends = true;
        uint64_t most = 0;
        for (pd_doc doc = 0; doc < m.col.totals.documents; doc++) {
            const struct pd_batch *batch = pd_collection_batch(&m.col, doc);
            const uint64_t volume = volume_of((size_t)(batch - m.batches));
            if (batch->rank != (uint64_t)test_comm.rank || volume == 0)
                continue;
            ascends &= volume >= most;
            most = volume > most ? volume : most;
        }
        CU_ASSERT_EQUAL(h.ascending, ascends);
        CU_ASSERT_EQUAL(h.nvolumes, most ? most + 2 : 1);
        ascending += h.ascending;
        pd_holders_release(&h);
    }
    pd_comm_sum(&test_comm, &ascending, 1);
    CU_ASSERT(ascending > 0 && ascending < 2 * (uint64_t)test_comm.size);
    in_order = false;
}

/* Parts of this rank's places ascend with them, and are below npartitions. */
static void parts(struct made *m)
{
    struct pd_holders h;
    pd_holders_init(&h, &m->col);
    const pd_doc ndocs = m->col.totals.documents;
    size_t wrong = 0;
    for (uint32_t npartitions = 1; npartitions < 40; npartitions++) {
        uint32_t before = 0;
        for (uint64_t volume = 0; volume < h.nvolumes; volume++)
            for (pd_doc doc = 5; doc < ndocs; doc++) {
                const uint64_t place = volume << PD_LOCATOR_BITS | doc;
                const uint32_t part = pd_holders_partition(&h, place, 5, ndocs - 5, npartitions);
                wrong += part < before || part >= npartitions;
                before = part;
            }
        wrong += before + 1 < npartitions / h.nvolumes; /* all are used */
    }
    CU_ASSERT_EQUAL(wrong, 0);
    pd_holders_release(&h);
}

static void test_parts(void)
{
    struct made m;
    make(&m);
    parts(&m);
    for (size_t v = 0; v < VOLUMES; v++) /* all stay */
        m.shelved[v].kept = true;
    parts(&m);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_ranks_and_volumes),
                                        PD_TEST(test_order_of_volumes), PD_TEST(test_parts),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/holders", tests);
}

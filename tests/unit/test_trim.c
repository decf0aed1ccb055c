/* Edges of passages are shortened: by hand, then what must hold of random rows. */
#include "pardup/passage/trim.h"

#include "pd_cunit.h"
#include "pd_random.h"

static struct pd_trim_row row(uint32_t begin_a, uint32_t end_a, uint32_t begin_b, uint32_t end_b)
{
    return (struct pd_trim_row){
        .row = {
            .a = 0, .b = 1, .bytes_a = pd_ij(begin_a, end_a), .bytes_b = pd_ij(begin_b, end_b)}};
}

/* Give a row edges: one step each time the bytes in both documents grow by one. */
static void add_edges(struct pd_trim_row *r, uint32_t nback, uint32_t nahead, struct pd_u64s *steps)
{
    r->nback = nback;
    r->nahead = nahead;
    r->back = steps->n;
    for (uint32_t k = 1; k <= nback; k++)
        pd_u64s_push(steps, pd_ij((uint32_t)(r->row.bytes_a >> 32) - k,
                                  (uint32_t)(r->row.bytes_b >> 32) - k));
    r->ahead = steps->n;
    for (uint32_t k = 1; k <= nahead; k++)
        pd_u64s_push(steps, pd_ij((uint32_t)r->row.bytes_a + k, (uint32_t)r->row.bytes_b + k));
}

static void test_by_hand(void)
{
    struct pd_u64s steps = {0}, order = {0};
    struct pd_trim_row rows[] = {row(10, 20, 30, 40), row(50, 60, 10, 20)};
    add_edges(&rows[1], 35, 15, &steps); /* a: reaches into the units of the other; b: no room */
    add_edges(&rows[0], 5, 12, &steps);
    rows[1].nback = 10; /* at most to the begin of document b */
    CU_ASSERT_EQUAL(pd_trim(rows, 2, steps.v, &order), 2);
    CU_ASSERT_EQUAL(rows[1].nback, 10);  /* a: to byte 40, and the other goes to 32 */
    CU_ASSERT_EQUAL(rows[1].nahead, 10); /* b: to byte 30, where the other's units begin */
    CU_ASSERT_EQUAL(rows[0].nback, 0);   /* b: the other row is there already */
    CU_ASSERT_EQUAL(rows[0].nahead, 12);
    CU_ASSERT_EQUAL(rows[1].row.bytes_a, pd_ij(40, 70));
    CU_ASSERT_EQUAL(rows[1].row.bytes_b, pd_ij(0, 30));
    CU_ASSERT_EQUAL(rows[0].row.bytes_a, pd_ij(10, 32));
    CU_ASSERT_EQUAL(rows[0].row.bytes_b, pd_ij(30, 52));
    pd_u64s_release(&steps);
    pd_u64s_release(&order);
}

/* All words between the rows agree: five bytes, one word each. */
static void test_join(void)
{
    struct pd_u64s steps = {0}, order = {0};
    struct pd_trim_row rows[] = {row(25, 40, 65, 80), row(10, 20, 50, 60)};
    rows[0].row.starts = pd_ij(9, 3);
    rows[0].row.lengths = pd_ij(4, 5);
    rows[0].row.matched = 3;
    rows[0].row.similarity = 1;
    rows[0].words = (struct pd_agreed){.in_a = 15, .in_b = 15, .in_both = 15};
    rows[1].row.starts = pd_ij(2, 1);
    rows[1].row.lengths = pd_ij(1, 1);
    rows[1].row.matched = 1;
    rows[1].row.similarity = 0.5;
    rows[1].words = (struct pd_agreed){.in_a = 10, .in_b = 11, .in_both = 9};
    add_edges(&rows[0], 2, 3, &steps);
    add_edges(&rows[1], 1, 5, &steps);
    CU_ASSERT_EQUAL(pd_trim(rows, 2, steps.v, &order), 1);
    CU_ASSERT_EQUAL(rows[0].row.bytes_a, pd_ij(9, 43));
    CU_ASSERT_EQUAL(rows[0].row.bytes_b, pd_ij(49, 83));
    CU_ASSERT_EQUAL(rows[0].row.starts, pd_ij(2, 1));
    CU_ASSERT_EQUAL(rows[0].row.lengths, pd_ij(11, 7));
    CU_ASSERT_EQUAL(rows[0].row.matched, 4);
    CU_ASSERT_EQUAL(rows[0].row.similarity, 3.5 / 4);
    CU_ASSERT_EQUAL(rows[0].words.in_a, 30);
    CU_ASSERT_EQUAL(rows[0].words.in_b, 31);
    CU_ASSERT_EQUAL(rows[0].words.in_both, 29);
    pd_u64s_release(&steps);
    pd_u64s_release(&order);
}

/*
 * The word before the second row is another one, the rows are apart in the second document, or a
 * third row is between them there.
 */
static void test_no_join(void)
{
    struct pd_u64s steps = {0}, order = {0};
    struct pd_trim_row rows[] = {row(10, 20, 50, 60), row(25, 40, 65, 80)};
    add_edges(&rows[0], 0, 4, &steps);
    add_edges(&rows[1], 0, 0, &steps);
    CU_ASSERT_EQUAL(pd_trim(rows, 2, steps.v, &order), 2);
    struct pd_trim_row apart[] = {row(10, 20, 50, 60), row(25, 40, 66, 80)};
    add_edges(&apart[0], 0, 9, &steps);
    add_edges(&apart[1], 0, 0, &steps);
    CU_ASSERT_EQUAL(pd_trim(apart, 2, steps.v, &order), 2);
    CU_ASSERT_EQUAL(apart[0].nahead, 5);
    /* all words between the first two agree, but the third stands between them in b */
    struct pd_trim_row between[] = {row(10, 20, 50, 60), row(25, 40, 65, 80),
                                    row(100, 102, 61, 63)};
    add_edges(&between[0], 0, 6, &steps);
    add_edges(&between[1], 0, 0, &steps);
    add_edges(&between[2], 0, 0, &steps);
    CU_ASSERT_EQUAL(pd_trim(between, 3, steps.v, &order), 3);
    CU_ASSERT_EQUAL(between[0].nahead, 1);
    pd_u64s_release(&steps);
    pd_u64s_release(&order);
}

static bool overlap(uint64_t x, uint64_t y)
{
    return x >> 32 < (uint32_t)y && y >> 32 < (uint32_t)x;
}

/* Rows do not overlap, and an edge is shortened only where it meets another row. */
static void test_random_rows(void)
{
    enum { ROWS = 8, ROOM = 20 };
    struct pd_u64s steps = {0}, order = {0};
    uint64_t seed = 3;
    for (int round = 0; round < 2000; round++) {
        struct pd_trim_row rows[ROWS], before[ROWS];
        uint32_t place[ROWS];
        steps.n = 0;
        for (uint32_t k = 0; k < ROWS; k++) { /* rows stand in another order in b */
            const uint32_t to = pd_random_below(&seed, k + 1);
            place[k] = place[to];
            place[to] = k;
        }
        for (uint32_t k = 0; k < ROWS; k++) {
            const uint32_t n = 1 + pd_random_below(&seed, ROOM);
            const uint32_t a = 100 + k * ROOM, b = 100 + place[k] * ROOM;
            rows[k] = row(a, a + n, b, b + n);
            add_edges(&rows[k], pd_random_below(&seed, 2 * ROOM), pd_random_below(&seed, 2 * ROOM),
                      &steps);
            rows[k].row.starts = k;
            rows[k].row.matched = 1;
            before[k] = rows[k];
        }
        const size_t n = pd_trim(rows, ROWS, steps.v, &order);
        for (size_t x = 0; x < n; x++)
            for (size_t y = 0; y < n; y++)
                CU_ASSERT(x == y || (!overlap(rows[x].row.bytes_a, rows[y].row.bytes_a) &&
                                     !overlap(rows[x].row.bytes_b, rows[y].row.bytes_b)));
        for (size_t x = 0; x < n; x++) {
            bool meets = rows[x].nback == before[rows[x].row.starts].nback;
            const uint64_t a = rows[x].row.bytes_a - pd_ij(1, 0);
            const uint64_t b = rows[x].row.bytes_b - pd_ij(1, 0);
            for (size_t y = 0; y < n; y++)
                meets |=
                    y != x && (overlap(a, rows[y].row.bytes_a) || overlap(b, rows[y].row.bytes_b));
            CU_ASSERT(meets);
        }
    }
    pd_u64s_release(&steps);
    pd_u64s_release(&order);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_by_hand), PD_TEST(test_join),
                                        PD_TEST(test_no_join), PD_TEST(test_random_rows),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/trim", tests);
}

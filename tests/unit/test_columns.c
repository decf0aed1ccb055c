/*
 * Rows taken apart to columns, a few at a time: the values, their places, and what is left when
 * some are gone.
 */
#include "pardup/result/columns.h"

#include <stdbool.h>

#include "pd_cunit.h"
#include "pd_random.h"

struct record {
    uint64_t word, halves;
    double real;
    char text[5];
};

static const struct pd_column columns[] = {
    {"word", PD_TYPE_U64, offsetof(struct record, word), 0, NULL, ""},
    {"high", PD_TYPE_HIGH, offsetof(struct record, halves), 0, NULL, ""},
    {"low", PD_TYPE_LOW, offsetof(struct record, halves), 0, NULL, ""},
    {"real", PD_TYPE_F64, offsetof(struct record, real), 0, NULL, ""},
    {"text", PD_TYPE_TEXT, offsetof(struct record, text), 5, NULL, ""},
    {"open", PD_TYPE_TEXT, offsetof(struct record, text), 0, NULL, ""},
    {NULL, PD_TYPE_U64, 0, 0, NULL, NULL},
};
static const struct pd_table_schema table = {"table", "", columns};
enum { COLUMNS = sizeof columns / sizeof *columns - 1, RECORDS = 1000, PART = 37, OPEN = 3 };
static const size_t open_width = OPEN;

/* The record of row k is made of k alone. */
static struct record record_of(uint64_t k)
{
    struct record r = {.word = pd_random(&k)};
    r.halves = pd_random(&k);
    r.real = (double)k / 3;
    for (size_t c = 0; c < sizeof r.text; c++)
        r.text[c] = (char)('a' + pd_random_below(&k, 26));
    return r;
}

static void add(struct pd_columns *cols, uint64_t from, uint64_t to)
{
    struct record rows[PART];
    for (uint64_t n; from < to; from += n) {
        for (n = 0; n < PART && from + n < to; n++)
            rows[n] = record_of(from + n);
        pd_columns_add(cols, from, rows, sizeof *rows, n);
    }
}

static void check_value(const struct pd_columns *cols, size_t at, uint64_t row)
{
    const struct record r = record_of(row);
    const uint32_t high = (uint32_t)(r.halves >> 32), low = (uint32_t)r.halves;
    const void *const want[COLUMNS] = {&r.word, &high, &low, &r.real, r.text, r.text};
    static const size_t widths[COLUMNS] = {8, 4, 4, 8, 5, OPEN};
    for (size_t k = 0; k < COLUMNS; k++) {
        const size_t width = widths[k];
        CU_ASSERT_EQUAL(cols->widths[k], width);
        CU_ASSERT(memcmp(cols->values[k].v + at * width, want[k], width) == 0);
    }
}

/* The columns hold the values of the rows of all runs, and no others. */
static void check_rows(const struct pd_columns *cols, uint64_t rows)
{
    size_t at = 0;
    for (size_t k = 0; k < cols->runs.n; k++)
        for (uint64_t row = 0; row < cols->runs.v[k].n; row++)
            check_value(cols, at++, cols->runs.v[k].at + row);
    CU_ASSERT_EQUAL(at, rows);
    CU_ASSERT_EQUAL(cols->values[0].n, rows * sizeof(uint64_t));
}

static void test_columns_hold_the_values(void)
{
    struct pd_columns cols;
    pd_columns_init(&cols, &table, &open_width);
    CU_ASSERT_EQUAL(pd_columns_below(&cols, UINT64_MAX), 0);
    add(&cols, 5, RECORDS);
    CU_ASSERT_EQUAL(cols.runs.n, 1);
    check_rows(&cols, RECORDS - 5);
    pd_columns_release(&cols);
}

static void test_rows_go(void)
{
    struct pd_columns cols;
    pd_columns_init(&cols, &table, &open_width);
    add(&cols, 100, 200);
    add(&cols, 300, 400);
    add(&cols, 1000, 1001);
    CU_ASSERT_EQUAL(cols.runs.n, 3);
    CU_ASSERT_EQUAL(pd_columns_below(&cols, 100), 0);
    CU_ASSERT_EQUAL(pd_columns_below(&cols, 150), 50);
    CU_ASSERT_EQUAL(pd_columns_below(&cols, 300), 100);
    CU_ASSERT_EQUAL(pd_columns_below(&cols, 2000), 201);
    pd_columns_cut(&cols, 0, 100);
    check_rows(&cols, 201);
    pd_columns_cut(&cols, 0, 250);
    check_rows(&cols, 101);
    pd_columns_cut(&cols, 0, 350);
    check_rows(&cols, 51);
    CU_ASSERT_EQUAL(cols.runs.v[0].at, 350);
    add(&cols, 1001, 1100);
    CU_ASSERT_EQUAL(cols.runs.n, 2);
    check_rows(&cols, 150);
    pd_columns_cut(&cols, 390, 1002);
    CU_ASSERT_EQUAL(cols.runs.n, 2);
    check_rows(&cols, 138);
    pd_columns_cut(&cols, 1010, 1020);
    CU_ASSERT_EQUAL(cols.runs.n, 3);
    check_rows(&cols, 128);
    pd_columns_cut(&cols, 500, 1000);
    check_rows(&cols, 128);
    pd_columns_cut(&cols, 351, 352);
    CU_ASSERT_EQUAL(cols.runs.n, 4);
    check_rows(&cols, 127);
    pd_columns_cut(&cols, 0, UINT64_MAX);
    check_rows(&cols, 0);
    pd_columns_release(&cols);
}

/* Rows that were expected come to stay where they are: no column moves. */
static void test_expected_rows_stay(void)
{
    struct pd_columns cols;
    const unsigned char *at[COLUMNS];
    pd_columns_init(&cols, &table, &open_width);
    add(&cols, 0, PART);
    pd_columns_expect(&cols, RECORDS);
    check_rows(&cols, PART);
    for (size_t k = 0; k < COLUMNS; k++)
        at[k] = cols.values[k].v;
    add(&cols, PART, PART + RECORDS);
    for (size_t k = 0; k < COLUMNS; k++)
        CU_ASSERT_PTR_EQUAL(cols.values[k].v, at[k]);
    check_rows(&cols, PART + RECORDS);
    pd_columns_release(&cols);
}

/* Copies of any rows stand where they belong; the places of others are left alone. */
static void test_copies(void)
{
    enum { TO = 420 };
    static uint64_t words[TO];
    struct pd_columns cols;
    pd_columns_init(&cols, &table, &open_width);
    add(&cols, 100, 200);
    add(&cols, 300, 400);
    for (uint64_t from = 50; from < TO; from += 7)
        for (uint64_t to = from; to < TO; to += 13) {
            uint64_t n = 0, wrong = 0;
            memset(words, 0, sizeof words);
            const uint64_t copied = pd_columns_copy(&cols, 0, from, to, (unsigned char *)words);
            for (uint64_t row = from; row < TO; row++) {
                const bool there = row < to && (row / 100 == 1 || row / 100 == 3);
                n += there;
                wrong += words[row - from] != (there ? record_of(row).word : 0);
            }
            CU_ASSERT_EQUAL(copied, n);
            CU_ASSERT_EQUAL(wrong, 0);
        }
    pd_columns_release(&cols);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {PD_TEST(test_columns_hold_the_values), PD_TEST(test_rows_go),
                                  PD_TEST(test_expected_rows_stay), PD_TEST(test_copies),
                                  CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "result/columns", tests);
}

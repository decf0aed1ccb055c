/* tests/unit/test_table.c - rows of a result file one by one, against whole columns. */
#include "pardup/result/table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pardup/result/writer.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { ROWS = 2 * PD_CHUNK_ROWS + 777, WIDTH = 300, LOOKS = 40 };

struct record {
    uint64_t number, sorted;
    int64_t negative;
    double real;
    char text[WIDTH];
};

static const struct pd_column columns[] = {
    {"number", PD_TYPE_U64, offsetof(struct record, number), 0, NULL, ""},
    {"sorted", PD_TYPE_LOW, offsetof(struct record, sorted), 0, NULL, ""},
    {"doc", PD_TYPE_I64, offsetof(struct record, negative), 0, NULL, ""},
    {"real", PD_TYPE_F64, offsetof(struct record, real), 0, NULL, ""},
    {"text", PD_TYPE_TEXT, offsetof(struct record, text), WIDTH, NULL, ""},
    {NULL, PD_TYPE_U64, 0, 0, NULL, NULL},
};
static const struct pd_table_schema schema = {"members", "", columns};

/* The columns that are read, by number. /members/doc is known to be signed; -1 is no row. */
enum { TEXT, NUMBER, LACKING, NEGATIVE, REAL };
static const char *const names[] = {"text", "number", "?lacking", "?doc", "real", NULL};

static struct record record_of(uint64_t row)
{
    struct record r = {row * row, row / 4, -1, (double)row / 8, ""};
    snprintf(r.text, sizeof r.text, "%*s%llu", (int)(row % 200), "", (unsigned long long)row);
    return r;
}

static void add_rows(struct pd_writer *w, uint64_t rows)
{
    struct pd_columns cols;
    pd_columns_init(&cols, &schema, NULL);
    for (uint64_t row = 0; row < rows; row++) {
        const struct record r = record_of(row);
        pd_columns_add(&cols, row, &r, sizeof r, 1);
    }
    pd_writer_put(w, &cols, rows, rows);
    pd_columns_release(&cols);
}

/* A result with a table of so many rows. To be closed, and `path` to be removed. */
static struct pd_result *make(const char *path, uint64_t rows)
{
    struct pd_writer *w;
    struct pd_result *r;
    CU_ASSERT_EQUAL_FATAL(pd_writer_open(&test_comm, path, PD_COMPRESS_ZSTD, &w), PD_OK);
    add_rows(w, rows);
    CU_ASSERT_EQUAL_FATAL(pd_writer_commit(w), PD_OK);
    CU_ASSERT_EQUAL_FATAL(pd_result_open(path, &r), PD_OK);
    return r;
}

/* Is the row at hand the row of this number? */
static bool is_row(const struct pd_table_reader *t, uint64_t row)
{
    const struct record want = record_of(row);
    size_t n, lacking;
    const char *text = pd_table_text(t, TEXT, &n);
    (void)pd_table_text(t, LACKING, &lacking);
    return t->row == row && pd_table_count(t, NUMBER) == want.number &&
           pd_table_signed(t, NEGATIVE) == want.negative && pd_table_real(t, REAL) == want.real &&
           n == strlen(want.text) && memcmp(text, want.text, n) == 0 && lacking == 0 &&
           pd_table_count(t, LACKING) == 0 && pd_table_signed(t, LACKING) == 0 &&
           pd_table_real(t, LACKING) == 0;
}

static void test_rows(void)
{
    struct pd_result *r = make("test_table.h5", ROWS);
    struct pd_table_reader t;
    uint64_t row = 0, seed = 1, wrong = 0;
    CU_ASSERT_EQUAL(pd_table_open(&t, r, "members", names), PD_OK);
    CU_ASSERT_EQUAL(t.rows, ROWS);
    for (; pd_table_next(&t) == PD_OK; row++)
        wrong += !is_row(&t, row);
    CU_ASSERT_EQUAL(row, ROWS);
    CU_ASSERT_EQUAL(pd_table_next(&t), PD_END);
    CU_ASSERT(!pd_table_has(&t, LACKING) && pd_table_has(&t, NEGATIVE) && pd_table_has(&t, TEXT));
    for (int k = 0; k < LOOKS; k++) { /* somewhere, and some rows from there on */
        row = pd_random_below(&seed, ROWS);
        wrong += pd_table_at(&t, row) != PD_OK || !is_row(&t, row);
        while (k % 3 && pd_table_next(&t) == PD_OK && t.row < row + 40)
            wrong += !is_row(&t, t.row);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(t.most < PD_CHUNK_ROWS && t.most * WIDTH > 4 << 20);
    CU_ASSERT_EQUAL(pd_table_at(&t, ROWS), PD_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "/members has no row"));
    pd_error_clear();
    CU_ASSERT(pd_table_at(&t, ROWS - 1) == PD_OK && is_row(&t, ROWS - 1));
    pd_table_close(&t);
    pd_result_close(r);
    unlink("test_table.h5");
}

/* Does a search find the first row whose number, a quarter of the row, is at least `least`? */
static bool finds(struct pd_table_reader *t, uint64_t least)
{
    const int status = pd_table_find(t, 0, least);
    return 4 * least < t->rows ? status == PD_OK && t->row == 4 * least : status == PD_END;
}

static void test_find(void)
{
    static const char *const sorted[] = {"sorted", NULL};
    struct pd_result *r = make("test_table.h5", ROWS);
    struct pd_table_reader t;
    uint64_t wrong = 0, seed = 2;
    CU_ASSERT_EQUAL(pd_table_open(&t, r, "members", sorted), PD_OK);
    wrong += !finds(&t, 0) || !finds(&t, ROWS) || !finds(&t, 0);
    for (uint64_t least = 0; least < ROWS / 4 + 5; least += 1 + least % 7)
        wrong += !finds(&t, least);
    for (int k = 0; k < LOOKS; k++)
        wrong += !finds(&t, pd_random_below(&seed, ROWS / 4 + 5));
    for (uint64_t row = PD_CHUNK_ROWS - 5; row < PD_CHUNK_ROWS + 5; row++)
        for (uint64_t least = row / 4 - 3; least < row / 4 + 3; least++)
            wrong += pd_table_at(&t, row) != PD_OK || !finds(&t, least);
    CU_ASSERT_EQUAL(wrong, 0);
    pd_table_close(&t);
    pd_result_close(r);
    unlink("test_table.h5");
}

/* A table without rows, one that is not there, and a column that must be there. */
static void test_missing(void)
{
    static const char *const needed[] = {"number", "lacking", NULL};
    struct pd_result *r = make("test_table.h5", 0);
    struct pd_table_reader t = {.rows = 0};
    pd_table_close(&t);
    CU_ASSERT_EQUAL(pd_table_open(&t, r, "members", needed), PD_OK);
    CU_ASSERT_EQUAL(pd_table_next(&t), PD_END);
    pd_table_close(&t);
    CU_ASSERT_EQUAL(pd_table_open(&t, r, "table", needed), PD_EFORMAT);
    pd_error_clear();
    pd_table_close(&t);
    pd_result_close(r);
    r = make("test_table.h5", 5);
    CU_ASSERT_EQUAL(pd_table_open(&t, r, "members", needed), PD_OK);
    CU_ASSERT_EQUAL(pd_table_next(&t), PD_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "/members/lacking"));
    pd_error_clear();
    pd_table_close(&t);
    pd_result_close(r);
    unlink("test_table.h5");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_rows), PD_TEST(test_find),
                                        PD_TEST(test_missing), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "table", tests);
}

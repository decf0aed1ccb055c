/* A table that ranks fill in turns and write in parts: all values are where they belong. */
#include "pardup/result/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/result/reader.h"
#include "pd_cunit.h"
#include "pd_synced.h"

enum { ROWS = 6 * PD_CHUNK_ROWS + 5000 };

struct record {
    uint64_t number, square;
};

static const struct pd_column columns[] = {
    {"number", PD_TYPE_U64, offsetof(struct record, number), 0, NULL, ""},
    {"square", PD_TYPE_LOW, offsetof(struct record, square), 0, NULL, ""},
    {NULL, PD_TYPE_U64, 0, 0, NULL, NULL},
};
static const struct pd_table_schema table = {"table", "", columns};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* This rank's stripes that begin in [from, to). */
static void add_stripes(struct pd_columns *cols, uint64_t stripe, uint64_t from, uint64_t to)
{
    static struct record rows[ROWS];
    const uint64_t size = (uint64_t)test_comm.size;
    for (uint64_t k = (from + stripe - 1) / stripe; k * stripe < to; k++) {
        const uint64_t at = k * stripe, n = least(stripe, ROWS - at);
        if (k % size != (uint64_t)test_comm.rank)
            continue;
        for (uint64_t row = 0; row < n; row++)
            rows[row] = (struct record){at + row, (at + row) * (at + row)};
        pd_columns_add(cols, at, rows, sizeof *rows, n);
    }
}

static void check_file(const char *path)
{
    struct pd_result *r;
    struct pd_cells number = {0}, square = {0};
    uint64_t rows = 0, wrong = 0;
    CU_ASSERT_EQUAL_FATAL(pd_result_open(path, &r), PD_OK);
    CU_ASSERT_EQUAL(pd_result_rows(r, "table", &rows), PD_OK);
    CU_ASSERT_EQUAL_FATAL(rows, ROWS);
    CU_ASSERT_EQUAL(pd_result_read(r, "table", "number", 0, rows, &number), PD_OK);
    CU_ASSERT_EQUAL(pd_result_read(r, "table", "square", 0, rows, &square), PD_OK);
    for (uint64_t k = 0; k < rows; k++)
        wrong += pd_cells_count(&number, k) != k || pd_cells_count(&square, k) != (uint32_t)(k * k);
    CU_ASSERT_EQUAL(wrong, 0);
    pd_bytes_release(&number.values);
    pd_bytes_release(&square.values);
    pd_result_close(r);
}

/* After packing, the last run has no whole chunk. */
static void pack(struct pd_writer *w, struct pd_columns *cols)
{
    pd_writer_compress(w, cols);
    if (cols->runs.n == 0)
        return;
    const struct pd_run_of_rows *run = &cols->runs.v[cols->runs.n - 1];
    CU_ASSERT(run->at % PD_CHUNK_ROWS + run->n < (run->at % PD_CHUNK_ROWS ? 2 : 1) * PD_CHUNK_ROWS);
}

static void write_in_parts(const char *path, enum pd_compress compress, uint64_t stripe,
                           uint64_t step)
{
    struct pd_writer *w;
    struct pd_columns cols;
    CU_ASSERT_EQUAL(pd_writer_open(&test_comm, path, compress, &w), PD_OK);
    pd_columns_init(&cols, &table, NULL);
    for (uint64_t from = 0; from < ROWS; from += step) {
        const uint64_t to = least(from + step, ROWS);
        add_stripes(&cols, stripe, from, to);
        if (stripe > PD_CHUNK_ROWS)
            pack(w, &cols);
        pd_writer_put(w, &cols, to, ROWS);
        CU_ASSERT_EQUAL(pd_columns_below(&cols, to / PD_CHUNK_ROWS * PD_CHUNK_ROWS), 0);
    }
    CU_ASSERT_EQUAL(cols.runs.n, 0);
    pd_columns_release(&cols);
    CU_ASSERT_EQUAL(pd_writer_commit(w), PD_OK);
    if (test_comm.rank == 0) {
        check_file(path);
        unlink(path);
    }
}

static void test_parts(void)
{
    static const uint64_t stripes[] = {20000, PD_CHUNK_ROWS, 150000};
    char path[64];
    snprintf(path, sizeof path, "test_writer-%d.h5", test_comm.size);
    for (unsigned k = 0; k < sizeof stripes / sizeof *stripes; k++) {
        write_in_parts(path, PD_COMPRESS_DEFLATE, stripes[k], PD_CHUNK_ROWS);
        write_in_parts(path, PD_COMPRESS_DEFLATE, stripes[k], 2 * PD_CHUNK_ROWS);
        write_in_parts(path, PD_COMPRESS_ZSTD, stripes[k], PD_CHUNK_ROWS / 2);
        write_in_parts(path, PD_COMPRESS_NONE, stripes[k], ROWS);
    }
}

/* COLLECTIVE. Begin a result with a table without rows, which is not committed. */
static struct pd_writer *begin(const char *path)
{
    struct pd_writer *w;
    struct pd_columns cols;
    CU_ASSERT_EQUAL_FATAL(pd_writer_open(&test_comm, path, PD_COMPRESS_NONE, &w), PD_OK);
    pd_columns_init(&cols, &table, NULL);
    pd_writer_put(w, &cols, 0, 0);
    pd_columns_release(&cols);
    return w;
}

/* COLLECTIVE. Commit fails on all ranks, and the temporary file is gone. */
static void commit_fails(struct pd_writer *w, const char *path, const char *temporary)
{
    CU_ASSERT_EQUAL(pd_writer_commit(w), PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    pd_error_clear();
    if (test_comm.rank == 0)
        CU_ASSERT_NOT_EQUAL(access(temporary, F_OK), 0);
}

/* A result that cannot be synced, or cannot get its name, leaves no temporary file. */
static void test_commit_fails(void)
{
    char path[64], temporary[80];
    snprintf(path, sizeof path, "test_writer-fails-%d.h5", test_comm.size);
    snprintf(temporary, sizeof temporary, "%s.part", path);
    struct pd_writer *w = begin(path);
    synced.fails = test_comm.rank == 0;
    commit_fails(w, path, temporary);
    if (test_comm.rank == 0)
        CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    w = begin(path);
    if (test_comm.rank == 0)
        CU_ASSERT_EQUAL(mkdir(path, 0700), 0); /* a file cannot get the name of a folder */
    commit_fails(w, path, temporary);
    if (test_comm.rank == 0)
        rmdir(path);
}

/* The file is synced before it gets its name, and its folder afterwards. */
static void test_commit_syncs(void)
{
    char path[64];
    snprintf(path, sizeof path, "test_writer-syncs-%d.h5", test_comm.size);
    struct pd_writer *w = begin(path);
    synced.files = synced.folders = 0;
    CU_ASSERT_EQUAL(pd_writer_commit(w), PD_OK);
    CU_ASSERT_EQUAL(synced.files > 0, test_comm.rank == 0);
    CU_ASSERT_EQUAL(synced.folders, test_comm.rank == 0);
    if (test_comm.rank == 0)
        unlink(path);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_parts), PD_TEST(test_commit_fails),
                                        PD_TEST(test_commit_syncs), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "result/writer", tests);
}

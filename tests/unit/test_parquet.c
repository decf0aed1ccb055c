/*
 * tests/unit/test_parquet.c - the parts of Parquet files: good ones, cut ones, and ones that lie.
 */
#include <stdio.h>

#include "app/export/parquet_writer.h"
#include "corpus/parquet/parquet_footer.h"
#include "corpus/parquet/parquet_number.h"
#include "corpus/parquet/parquet_page.h"
#include "corpus/parquet/parquet_pages.h"
#include "corpus/parquet/parquet_thrift.h"
#include "corpus/parquet/parquet_values.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_records.h"

enum { ROWS = 30, GROUP_ROWS = 11 };

/* ---- Thrift ---- */

static struct pd_thrift thrift_of(const char *s, size_t n)
{
    return (struct pd_thrift){(const unsigned char *)s, (const unsigned char *)s + n, false};
}
#define THRIFT(s) thrift_of(s, sizeof(s) - 1)

/* A struct with a field of every type, and after it the number -3 as field 20. */
#define ALL                                                                                        \
    "\x11\x12\x13\x05\x14\x0a\x15\x0b\x16\x0c\x17"                                                 \
    "12345678\x18\x02hi\x19\x25\x02\x04\x1a\x31\x01\x01\x02\x1b\x02\x58\x06\x01x\x08\x01y"         \
    "\x1c\x15\x02\x00\x85\x05"

static void test_thrift_passes_all_types(void)
{
    struct pd_thrift t = THRIFT(ALL "\x00");
    struct pd_thrift_field f = {0};
    int n = 0;
    while (pd_thrift_next(&t, &f) && f.id < 20) {
        CU_ASSERT_EQUAL(f.id, ++n);
        pd_thrift_skip(&t, &f);
    }
    CU_ASSERT_EQUAL(n, 12);
    CU_ASSERT_EQUAL(f.id, 20);
    CU_ASSERT_EQUAL(pd_thrift_int(&t, &f), -3);
    CU_ASSERT(!pd_thrift_next(&t, &f));
    CU_ASSERT(!t.bad);
}

static void test_thrift_stands_cuts(void)
{
    const char all[] = ALL;
    for (size_t n = 0; n < sizeof all - 1; n++) {
        struct pd_thrift t = thrift_of(all, n);
        for (struct pd_thrift_field f = {0}; pd_thrift_next(&t, &f);)
            pd_thrift_skip(&t, &f);
        CU_ASSERT(t.bad);
    }
}

/* What is written is read: steps between numbers of fields of all sizes, negative numbers, long lists. */
static void test_thrift_is_written(void)
{
    static const int64_t numbers[] = {0, -1, 63, -64, 64, INT32_MAX, INT64_MIN, INT64_MAX};
    struct pd_bytes bytes = {0};
    struct pd_put put = {&bytes, 0};
    int id = 0;
    enum { NUMBERS = sizeof numbers / sizeof *numbers, ITEMS = 40 };
    for (int k = 0; k < NUMBERS; k++)
        pd_put_int(&put, id += k * k + 1, PD_THRIFT_I64, numbers[k]);
    for (size_t n = 0; n < ITEMS; n++) {
        pd_put_list(&put, ++id, PD_THRIFT_BINARY, n);
        for (size_t k = 0; k < n; k++)
            pd_put_item(&bytes, "item");
    }
    pd_put_text(&put, ++id, "text");
    pd_put_stop(&put);

    struct pd_thrift t = {bytes.v, bytes.v + bytes.n, false};
    struct pd_thrift_field f = {0};
    int want = 0;
    size_t n;
    for (int k = 0; k < NUMBERS; k++) {
        CU_ASSERT_TRUE(pd_thrift_next(&t, &f) && f.id == (want += k * k + 1));
        CU_ASSERT_EQUAL(pd_thrift_int(&t, &f), numbers[k]);
    }
    for (size_t items = 0; items < ITEMS; items++) {
        const struct pd_thrift_field item = {.type = PD_THRIFT_BINARY};
        CU_ASSERT_TRUE(pd_thrift_next(&t, &f) && f.id == ++want);
        CU_ASSERT_EQUAL(pd_thrift_list(&t, &f, PD_THRIFT_BINARY), items);
        for (size_t k = 0; k < items; k++) {
            const unsigned char *s = pd_thrift_bytes(&t, &item, &n);
            CU_ASSERT_TRUE(n == 4 && memcmp(s, "item", n) == 0);
        }
    }
    CU_ASSERT_TRUE(pd_thrift_next(&t, &f) && f.id == ++want);
    CU_ASSERT_TRUE(pd_thrift_bytes(&t, &f, &n) && n == 4);
    CU_ASSERT_TRUE(!pd_thrift_next(&t, &f) && !t.bad && t.p == t.end);
    pd_bytes_release(&bytes);
}

static void test_thrift_refuses_lies(void)
{
    static const struct {
        const char *s;
        size_t n;
    } lies[] = {
#define LIE(s) {s, sizeof(s) - 1}
        LIE("\x19\xf8\xff\xff\xff\xff\x0f"), /* a list longer than its bytes */
        LIE("\x18\xff\xff\xff\xff\x7f"),     /* a string, too */
        LIE("\x1b\xff\xff\x7f\x55\x00"),     /* a map, too */
        LIE("\x1e\x00"),                     /* a type that does not exist */
        LIE("\x15\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"), /* a number of 11 bytes */
        LIE("\x05\x01\x02\x00"),                                     /* a field with number -1 */
#undef LIE
    };
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        struct pd_thrift t = thrift_of(lies[k].s, lies[k].n);
        for (struct pd_thrift_field f = {0}; pd_thrift_next(&t, &f);)
            pd_thrift_skip(&t, &f);
        CU_ASSERT(t.bad);
    }
    char deep[4000];
    memset(deep, 0x1c, sizeof deep); /* structs in structs */
    struct pd_thrift t = thrift_of(deep, sizeof deep);
    struct pd_thrift_field f = {0};
    CU_ASSERT(pd_thrift_next(&t, &f));
    pd_thrift_skip(&t, &f);
    CU_ASSERT(t.bad);
}

static void test_thrift_knows_types(void)
{
    struct pd_thrift t = THRIFT("\x18\x01x\x00");
    struct pd_thrift_field f = {0};
    CU_ASSERT(pd_thrift_next(&t, &f));
    CU_ASSERT_EQUAL(pd_thrift_int(&t, &f), 0);
    CU_ASSERT(t.bad);
}

/* ---- Snappy ---- */

#define SNAPPY(s, want) snappy(s, sizeof(s) - 1, want, sizeof(want) - 1)
static bool snappy(const char *s, size_t n, const char *want, size_t room)
{
    unsigned char out[200];
    struct pd_parquet_decoders none = {0};
    return pd_parquet_unpack(&none, PD_PARQUET_SNAPPY, (const unsigned char *)s, n, out, room) &&
           memcmp(out, want, room) == 0;
}

static void test_snappy(void)
{
    CU_ASSERT(SNAPPY("\x00", ""));
    CU_ASSERT(SNAPPY("\x03\x08"
                     "abc",
                     "abc"));
    CU_ASSERT(SNAPPY("\x03\xf0\x02"
                     "abc",
                     "abc")); /* the length in a byte of its own */
    CU_ASSERT(SNAPPY("\x09\x08"
                     "abc\x09\x03",
                     "abcabcabc")); /* a copy that overlaps: 6 bytes from 3 before */
    CU_ASSERT(SNAPPY("\x0d\x20"
                     "012345678\x0e\x09\x00",
                     "0123456780123"));
    CU_ASSERT(SNAPPY("\x16\x20"
                     "012345678\x33\x09\x00\x00\x00",
                     "0123456780123456780123"));
    /* cut, too long, too short, a copy of nothing, from before the beginning, beyond the end */
    CU_ASSERT(!SNAPPY("\x03\x08"
                      "ab",
                      "abc"));
    CU_ASSERT(!SNAPPY("\x04\x08"
                      "abc",
                      "abc"));
    CU_ASSERT(!SNAPPY("\x04\x08"
                      "abc",
                      "abcd"));
    CU_ASSERT(!SNAPPY("\x07\x08"
                      "abc\x01\x00",
                      "abcabca"));
    CU_ASSERT(!SNAPPY("\x07\x08"
                      "abc\x01\x04",
                      "abcabca"));
    CU_ASSERT(!SNAPPY("\x04\x08"
                      "abc\x01\x03",
                      "abca"));
    CU_ASSERT(!SNAPPY("\x03\xfc\xff\xff\xff\xff", "abc"));
    CU_ASSERT(!SNAPPY("", ""));
}

/* ---- numbers ---- */

static void test_runs(void)
{
    /* 3 times 5; then 0 to 7 in three bits each, as the specification shows them */
    const unsigned char s[] = {3 << 1, 5, 1 << 1 | 1, 0x88, 0xc6, 0xfa};
    struct pd_hybrid h = pd_hybrid_open(s, sizeof s, 3);
    uint32_t x;
    for (int k = 0; k < 3; k++)
        CU_ASSERT(pd_hybrid_next(&h, &x) && x == 5);
    for (uint32_t k = 0; k < 8; k++)
        CU_ASSERT(pd_hybrid_next(&h, &x) && x == k);
    CU_ASSERT(!pd_hybrid_next(&h, &x));
    h = pd_hybrid_open(s, 1, 3); /* the value of the run is missing */
    CU_ASSERT(!pd_hybrid_next(&h, &x));
    h = pd_hybrid_open(s + 2, 2, 3); /* two numbers fit into the byte that is left of eight */
    CU_ASSERT(pd_hybrid_next(&h, &x) && x == 0);
    CU_ASSERT(pd_hybrid_next(&h, &x) && x == 1);
    CU_ASSERT(!pd_hybrid_next(&h, &x));
    h = pd_hybrid_open((const unsigned char *)"\0", 1, 3); /* a run of nothing */
    CU_ASSERT(!pd_hybrid_next(&h, &x));
    h = pd_hybrid_open((const unsigned char *)"\xc8\1", 2, 0); /* numbers of no bits */
    CU_ASSERT(pd_hybrid_next(&h, &x) && x == 0);
}

static void test_differences(void)
{
    /* 7, 5, 3, 1, 2, 3, 4, 5: the example of the specification, in a block of 128 */
    unsigned char s[16] = {0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f};
    static const int64_t want[] = {7, 5, 3, 1, 2, 3, 4, 5};
    const size_t n = 10 + 8; /* a miniblock of 32 numbers of two bits */
    unsigned char all[18] = {0};
    memcpy(all, s, sizeof s);
    struct pd_delta d;
    int64_t x;
    CU_ASSERT(pd_delta_open(&d, all, n));
    CU_ASSERT(pd_delta_end(d, 8) == all + n);
    CU_ASSERT(pd_delta_end(d, 7) == NULL);
    for (size_t k = 0; k < 8; k++)
        CU_ASSERT(pd_delta_next(&d, &x) && x == want[k]);
    CU_ASSERT(!pd_delta_next(&d, &x));
    CU_ASSERT(pd_delta_open(&d, all, n - 1));
    CU_ASSERT(pd_delta_end(d, 8) == NULL); /* cut */
    all[6] = 65;                           /* more bits than a number has */
    CU_ASSERT(pd_delta_open(&d, all, n));
    CU_ASSERT(pd_delta_end(d, 8) == NULL);
    CU_ASSERT(!pd_delta_open(&d, (const unsigned char *)"\x80\1\0\0\0", 5)); /* no miniblocks */
    CU_ASSERT(!pd_delta_open(&d, (const unsigned char *)"\x81\1\4\0\0", 5)); /* odd ones */
    CU_ASSERT(!pd_delta_open(&d, (const unsigned char *)"\x80", 1));
}

static void test_numbers(void)
{
    char to[PD_PARQUET_PRINTED];
    const double x = 0.1, large = 1e300;
    const float half = 0.3f;
    const int64_t least = INT64_MIN;
    struct pd_parquet_leaf leaf;
#define IS(want, kind, meaning, v)                                                                 \
    leaf = (struct pd_parquet_leaf){.type = (kind), .means = (meaning)};                           \
    CU_ASSERT_EQUAL(pd_parquet_print(to, &leaf, v, (kind) == PD_PARQUET_FLOAT ? 4 : 8),            \
                    strlen(want));                                                                 \
    CU_ASSERT_STRING_EQUAL(to, want)
    IS("0.1", PD_PARQUET_DOUBLE, PD_MEANS_ITSELF, &x);
    IS("1e+300", PD_PARQUET_DOUBLE, PD_MEANS_ITSELF, &large);
    IS("0.3", PD_PARQUET_FLOAT, PD_MEANS_ITSELF, &half);
    IS("-9223372036854775808", PD_PARQUET_INT64, PD_MEANS_ITSELF, &least);
    IS("9223372036854775808", PD_PARQUET_INT64, PD_MEANS_UNSIGNED, &least);
    IS("true", PD_PARQUET_BOOLEAN, PD_MEANS_ITSELF, "\1");
#undef IS
}

static void test_page_sizes(void)
{
    CU_ASSERT(pd_parquet_may_become(PD_PARQUET_SNAPPY, 100, 2000));
    CU_ASSERT(!pd_parquet_may_become(PD_PARQUET_SNAPPY, 100, 2400));
    CU_ASSERT(!pd_parquet_may_become(PD_PARQUET_GZIP, 100, 200000));
    CU_ASSERT(pd_parquet_may_become(PD_PARQUET_ZSTD, 100, 1 << 20));
    CU_ASSERT(!pd_parquet_may_become(PD_PARQUET_ZSTD, 100, 1 << 30));
    CU_ASSERT_PTR_NULL(pd_parquet_foreign_codec(PD_PARQUET_ZSTD));
    CU_ASSERT_PTR_NOT_NULL(pd_parquet_foreign_codec(PD_PARQUET_LZO));
    CU_ASSERT_PTR_NOT_NULL(pd_parquet_foreign_codec(-1));
    CU_ASSERT_PTR_NOT_NULL(pd_parquet_foreign_codec(99));
}

/* ---- files ---- */

static void put_row_text(struct pd_parquet_writer *w, int row)
{
    char text[400];
    const int n = snprintf(text, sizeof text, "Row %d says: %0*d.", row, 10 * row % 300, row);
    CU_ASSERT_EQUAL(pd_parquet_put_text(w, text, (size_t)n), PD_OK);
}

/* A file of ROWS rows in three row groups; its bytes are to be released. */
static struct pd_bytes make_file(void)
{
    static const struct pd_written_column columns[] = {{"id", PD_WRITTEN_INT32, false},
                                                       {"url", PD_WRITTEN_TEXT, true},
                                                       {"text", PD_WRITTEN_TEXT, false}};
    struct pd_bytes bytes = {0};
    struct pd_parquet_writer w;
    char *v;
    size_t n;
    FILE *f = open_memstream(&v, &n);
    CU_ASSERT_EQUAL(pd_parquet_begin(&w, f, "memory", columns, 3), PD_OK);
    for (int from = 0; from < ROWS; from += GROUP_ROWS) {
        const int to = from + GROUP_ROWS < ROWS ? from + GROUP_ROWS : ROWS;
        pd_parquet_group(&w, (uint64_t)(to - from));
        for (int k = from; k < to; k++)
            CU_ASSERT_EQUAL(pd_parquet_put(&w, &k, sizeof k), PD_OK);
        CU_ASSERT_EQUAL(pd_parquet_column_end(&w), PD_OK);
        for (int k = from; k < to; k++)
            CU_ASSERT_EQUAL(
                k % 3 ? pd_parquet_put_text(&w, "http://h/", 9) : pd_parquet_put_null(&w), PD_OK);
        CU_ASSERT_EQUAL(pd_parquet_column_end(&w), PD_OK);
        for (int k = from; k < to; k++)
            put_row_text(&w, k);
        CU_ASSERT_EQUAL(pd_parquet_column_end(&w), PD_OK);
        pd_parquet_group_end(&w);
    }
    CU_ASSERT_EQUAL(pd_parquet_end(&w), PD_OK);
    pd_parquet_writer_release(&w);
    fclose(f);
    pd_bytes_append(&bytes, v, n);
    free(v);
    return bytes;
}

static void test_written_rows_are_read(void)
{
    struct pd_bytes file = make_file();
    struct seen seen = see_bytes(file.v, file.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.status, PD_OK);
    CU_ASSERT_EQUAL(seen.docs.n, ROWS);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL(seen.counts.stored_bytes, file.n);
    for (size_t k = 0; k < seen.docs.n; k++) {
        CU_ASSERT_EQUAL(atoi(seen.docs.v[k].id), (int)k);
        CU_ASSERT_EQUAL(seen.docs.v[k].skip, k % GROUP_ROWS);
    }
    seen_release(&seen);
    CU_ASSERT_EQUAL(cuts_that_matter(file.v, file.n, PD_FORMAT_PARQUET, 1), 0);
    pd_bytes_release(&file);
}

/* Rows are found again forwards, backwards and out of turn. */
static void test_rows_are_fetched(void)
{
    struct pd_bytes file = make_file();
    const char *path = scratch_write("file", file.v, file.n);
    struct seen seen = see(path, PD_FORMAT_PARQUET);
    const struct pd_reader_options options = {.format = PD_FORMAT_AUTO};
    struct pd_reader *r = pd_reader_new(&options);
    const struct pd_file where = file_of(path);
    struct pd_raw raw;
    for (size_t k = 0; k < 4 * seen.docs.n; k++) {
        const struct seen_doc *d = &seen.docs.v[k < ROWS ? k : k * 7 % ROWS];
        CU_ASSERT_EQUAL(pd_reader_fetch(r, &where, d->offset, d->skip, &raw), PD_OK);
        CU_ASSERT_EQUAL(see_document(&raw).hash, d->hash);
    }
    CU_ASSERT_EQUAL(pd_reader_fetch(r, &where, seen.docs.v[0].offset, GROUP_ROWS, &raw), PD_END);
    CU_ASSERT_EQUAL(pd_reader_fetch(r, &where, seen.docs.v[0].offset + 1, 0, &raw), PD_END);
    pd_reader_free(r);
    seen_release(&seen);
    pd_bytes_release(&file);
}

/*
 * Damage never makes two readings differ. It makes reading fail only when the name of the text's
 * column is hit.
 */
/* ---- lists ---- */

enum { LISTS = 4000, LONG_LIST = 1000, LONG_ITEMS = 60000, ITEM = 40 };

/* The next value of a column of lists of lists; list LONG_LIST fills more than a page. */
struct lists {
    uint64_t seed;
    int list;      /* lists that have begun */
    uint32_t left; /* values left of the list */
    unsigned char item[ITEM];
};

static bool next_cell(struct lists *l, const struct pd_parquet_leaf *leaf,
                      struct pd_parquet_cell *cell)
{
    const bool begins = l->left == 0;
    if (begins && l->list++ == LISTS)
        return false;
    if (begins)
        l->left = l->list == LONG_LIST ? LONG_ITEMS : 1 + pd_random_below(&l->seed, 9);
    l->left--;
    *cell = (struct pd_parquet_cell){
        .repeat = begins ? 0 : 1 + pd_random_below(&l->seed, leaf->repeats),
        .level = pd_random_below(&l->seed, 4) ? leaf->levels
                                              : pd_random_below(&l->seed, leaf->levels + 1)};
    if (cell->level == leaf->levels) {
        memset(l->item, (int)pd_random(&l->seed), sizeof l->item);
        cell->v = l->item;
        cell->n = pd_random_below(&l->seed, ITEM + 1);
    }
    return true;
}

/* Lists are read as they were written, and each page begins with one. */
static void test_lists(void)
{
    const struct pd_parquet_leaf leaf = {
        .there = true, .levels = 5, .repeats = 2, .type = PD_PARQUET_BYTE_ARRAY};
    struct pd_parquet_pages pages = {.to = tmpfile(), .path = "lists"};
    struct lists lists = {.seed = 5}, again = lists;
    struct pd_parquet_cell cell, want;
    pd_parquet_pages_begin(&pages, &leaf, PD_PARQUET_ZSTD);
    while (next_cell(&lists, &leaf, &cell))
        CU_ASSERT_EQUAL(pd_parquet_pages_put(&pages, &cell), PD_OK);
    CU_ASSERT_EQUAL(pd_parquet_pages_end(&pages), PD_OK);
    fflush(pages.to);

    struct pd_parquet_decoders decoders = {0};
    struct pd_parquet_column column = {
        .fd = fileno(pages.to), .path = "lists", .decoders = &decoders, .most = 64 << 20};
    const struct pd_parquet_chunk chunk = {
        .end = pages.made.stored, .values = pages.made.values, .codec = pages.made.codec};
    int npages = 0;
    pd_parquet_column_begin(&column, &leaf, &chunk, chunk.values);
    while (next_cell(&again, &leaf, &want)) {
        const bool begins = column.left == 0;
        const int status = pd_parquet_column_stored(&column, &cell);
        npages += begins;
        CU_ASSERT_FALSE(begins && cell.repeat > 0);
        CU_ASSERT_EQUAL(status, want.level < leaf.levels ? PD_END : PD_OK);
        CU_ASSERT_TRUE(cell.repeat == want.repeat && cell.level == want.level && cell.n == want.n &&
                       (want.n == 0 || memcmp(cell.v, want.v, want.n) == 0));
    }
    CU_ASSERT_EQUAL(pd_parquet_column_stored(&column, &cell), PD_EFORMAT);
    CU_ASSERT_TRUE(npages > 1);
    pd_parquet_column_release(&column);
    pd_parquet_decoders_free(&decoders);
    fclose(pages.to);
    pd_parquet_pages_release(&pages);
}

static void test_damage(void)
{
    static const unsigned char values[] = {0x01, 0x7f, 0xff, 0x15, 0x19, 0x1c, 0x80, 0x28};
    struct pd_bytes file = make_file(), damaged = {0};
    uint64_t seed = 5;
    size_t read = 0;
    for (int k = 0; k < 400; k++) {
        damaged.n = 0;
        pd_bytes_append(&damaged, file.v, file.n);
        for (uint32_t i = noise(&seed) % 4; i < 4; i++)
            damaged.v[noise(&seed) % file.n] = values[noise(&seed) % sizeof values];
        if (k % 5 == 4)
            damaged.n = noise(&seed) % file.n;
        struct seen seen = see_bytes(damaged.v, damaged.n, PD_FORMAT_PARQUET);
        if (seen.status == PD_OK)
            CU_ASSERT_EQUAL(
                cuts_that_matter(damaged.v, damaged.n, PD_FORMAT_PARQUET, 1 + damaged.n / 7), 0);
        read += seen.status == PD_OK;
        pd_error_clear();
        seen_release(&seen);
    }
    CU_ASSERT(read > 350);
    pd_bytes_release(&damaged);
    pd_bytes_release(&file);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_thrift_passes_all_types),
                                        PD_TEST(test_thrift_stands_cuts),
                                        PD_TEST(test_thrift_refuses_lies),
                                        PD_TEST(test_thrift_is_written),
                                        PD_TEST(test_thrift_knows_types),
                                        PD_TEST(test_snappy),
                                        PD_TEST(test_runs),
                                        PD_TEST(test_differences),
                                        PD_TEST(test_numbers),
                                        PD_TEST(test_page_sizes),
                                        PD_TEST(test_written_rows_are_read),
                                        PD_TEST(test_rows_are_fetched),
                                        PD_TEST(test_lists),
                                        PD_TEST(test_damage),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "parquet", tests);
}

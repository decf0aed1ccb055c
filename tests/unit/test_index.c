/*
 * tests/unit/test_index.c - opening an index while a writer commits; open() is defined here to
 * choose the moment.
 */
#include "pardup/index/index.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/memory_limit.h"
#include "pd_cunit.h"
#include "pd_scratch.h"

static char dir[PATH_MAX - 64], tables[PATH_MAX];
static const char *moment;   /* part of a path: before it is opened, a writer commits */
static unsigned commits;     /* that are still to come */
static uint64_t last_number; /* of the segment that was committed last */

/*
 * Commit a new state: words and a segment without documents, which take the place of the old ones.
 */
static void commit(void)
{
    struct pd_index_writer w = {.lock = -1};
    struct pd_segment_counts counts;
    struct pd_index_part part = {.documents = 0};
    bool exists;
    CU_ASSERT_EQUAL(pd_index_begin(&w, dir, false, &exists), PD_OK);
    struct pd_index_writer second = {.lock = -1};
    CU_ASSERT_EQUAL(pd_index_begin(&second, dir, false, &exists), PD_EIO); /* w has the lock */
    pd_index_end(&second);
    pd_error_clear();
    struct pd_sections_writer *words =
        pd_sections_create(pd_index_new_file(&w, PD_INDEX_WORDS, &w.manifest.head.words));
    CU_ASSERT_EQUAL(pd_sections_begin(words, "terms"), PD_OK);
    CU_ASSERT_EQUAL(pd_sections_begin(words, "flags"), PD_OK);
    CU_ASSERT_EQUAL(pd_sections_finish(words, &w.manifest.head.words_sum), PD_OK);
    const struct pd_segment_making how = {
        .memory = 1 << 20, .scratch = tables, .name_bits = PD_SEGMENT_NAME};
    struct pd_segment_writer *segment =
        pd_segment_create(pd_index_new_file(&w, PD_INDEX_SEGMENT, &part.number), false, &how);
    CU_ASSERT_EQUAL(pd_segment_names(segment, 0), PD_OK);
    CU_ASSERT_EQUAL(pd_segment_finish(segment, &counts, &part.checksum), PD_OK);
    w.manifest.parts.n = 0;
    pd_index_parts_push(&w.manifest.parts, part);
    w.manifest.options.n = w.manifest.directory.n = 0;
    pd_bytes_append(&w.manifest.options, "", 1);
    pd_bytes_append(&w.manifest.directory, "", 1);
    CU_ASSERT_EQUAL(pd_index_commit(&w), PD_OK);
    last_number = part.number;
    pd_index_end(&w);
}

/* In place of the C library's: the commit comes between the look at a file and its opening. */
int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (moment && commits > 0 && strstr(path, moment) && !(flags & O_CREAT)) {
        const char *const kept = moment;
        moment = NULL;
        commits--;
        commit();
        moment = kept;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* Open the index while `n` commits come, each when such a file is opened. */
static void try_open(const char *what, unsigned n)
{
    struct pd_index x = {.nsegments = 0};
    moment = what;
    commits = n;
    CU_ASSERT_EQUAL(pd_index_open(&x, dir), PD_OK);
    moment = NULL;
    CU_ASSERT_EQUAL(commits, 0);
    CU_ASSERT_EQUAL(x.manifest.parts.n, 1);
    CU_ASSERT_EQUAL(x.manifest.parts.v[0].number, last_number);
    CU_ASSERT_EQUAL(x.nsegments, 1);
    pd_index_close(&x);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), "");
}

static void test_commits_while_it_opens(void)
{
    commit();
    try_open("none", 0);
    try_open("." PD_INDEX_SEGMENT, 1);
    try_open("." PD_INDEX_WORDS, 1);
    try_open("." PD_INDEX_SEGMENT, 5);
    try_open("." PD_INDEX_WORDS, 5);
    try_open("/manifest", 1);
}

static void test_file_that_is_missing(void)
{
    struct pd_index x = {.nsegments = 0};
    char path[PATH_MAX];
    commit();
    snprintf(path, sizeof path, "%s/%llu." PD_INDEX_SEGMENT, dir, (unsigned long long)last_number);
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(pd_index_open(&x, dir), PD_EIO);
    CU_ASSERT(strstr(pd_error_text(), path) != NULL);
    pd_error_clear();
    pd_index_close(&x);
    commit();
    CU_ASSERT_EQUAL(pd_index_open(&x, dir), PD_OK);
    pd_index_close(&x);
}

/* Mapped pages stay below a limit, however often they are read; the bytes stay what they are. */
static void test_pages_that_are_given_up(void)
{
    enum { BYTES = 16 << 20, LIMIT = 2 << 20, ROUNDS = 3 };
    char path[PATH_MAX];
    struct pd_sections s = {.path = NULL};
    struct pd_section section;
    snprintf(path, sizeof path, "%s", scratch_path("long"));
    struct pd_sections_writer *w = pd_sections_create(path);
    CU_ASSERT_EQUAL(pd_sections_begin(w, "numbers"), PD_OK);
    for (uint64_t k = 0; k < BYTES / sizeof k; k++)
        CU_ASSERT_EQUAL_FATAL(pd_sections_append(w, &k, sizeof k), PD_OK);
    CU_ASSERT_EQUAL(pd_sections_finish(w, NULL), PD_OK);
    CU_ASSERT_EQUAL(pd_sections_open(&s, path), PD_OK);
    CU_ASSERT_EQUAL(pd_sections_find(&s, "numbers", &section), PD_OK);
    pd_map_limit(LIMIT);
    const uint64_t before = pd_mapped_memory();
    uint64_t most = before, wrong = 0, step = PD_SECTIONS_BLOCK / 2;
    for (uint64_t k = 0; k < ROUNDS * BYTES / step; k++) {
        const uint64_t at = k * 7 * step % BYTES;
        uint64_t number;
        CU_ASSERT_EQUAL_FATAL(pd_section_check(&section, at, sizeof number), PD_OK);
        memcpy(&number, section.v + at, sizeof number);
        wrong += number != at / sizeof number;
        if (k % 16 == 0 && pd_mapped_memory() > most)
            most = pd_mapped_memory();
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(most - before <= LIMIT + LIMIT / 2);
    pd_map_limit(UINT64_MAX);
    pd_sections_close(&s);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_commits_while_it_opens),
                                        PD_TEST(test_file_that_is_missing),
                                        PD_TEST(test_pages_that_are_given_up), CU_TEST_INFO_NULL};
    scratch_open();
    snprintf(dir, sizeof dir, "%s", scratch_path("index"));
    snprintf(tables, sizeof tables, "%s", scratch_path("tables"));
    return pd_run_tests(argc, argv, "index/index", tests);
}

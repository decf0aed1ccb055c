/*
 * tests/unit/test_packed.c - packed files: what goes in comes out, and any damage is an error.
 *
 * An error names the file. Where the file was opened, it also names the byte (status_of()).
 */
#include "pardup/store/packed.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "pardup/base/error.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_scratch.h"

PD_VEC(places, struct pd_packed_at);

enum { LONGEST = 3 * PD_PACKED_BLOCK };

/* Record k: mostly short, some longer than a block; half of them cannot be compressed. */
static size_t make_record(uint64_t k, unsigned char *to)
{
    uint64_t seed = k * 1000;
    const uint32_t below[] = {1, 10, 300, 40000, LONGEST - 1, PD_PACKED_BLOCK - 1};
    const uint32_t which = pd_random_below(&seed, 100);
    const size_t n = 1 + pd_random_below(&seed, below[which < 6 ? which : which % 4]);
    const bool noisy = pd_random_below(&seed, 2);
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)(noisy ? pd_random(&seed) : k);
    return k % 50 == 49 ? PD_PACKED_BLOCK : n;
}

/* Is record k, as make_record() makes it, at `at`? */
static bool same_record(struct pd_packed *f, uint64_t k, struct pd_packed_at at)
{
    static unsigned char want[LONGEST];
    struct pd_bytes block = {0};
    memset(want, 0, sizeof want);
    const size_t n = make_record(k, want);
    const bool same = pd_packed_load(f, at.block, &block) == PD_OK && at.offset + n <= block.n &&
                      !memcmp(block.v + at.offset, want, n);
    pd_bytes_release(&block);
    return same;
}

/*
 * Records come back as they were written: while the file is written, when it is finished, and when
 * it is opened again. Blocks can be ended early. The file is smaller than the records.
 */
static void test_roundtrip(void)
{
    enum { RECORDS = 1000 };
    static unsigned char rec[LONGEST];
    const char *path = scratch_path("round");
    struct places at = {0};
    struct pd_packed_at here;
    struct pd_packed *f = pd_packed_create(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    uint64_t wrong = 0, total = 0;
    for (uint64_t k = 0; k < RECORDS; k++) {
        memset(rec, 0, sizeof rec);
        const size_t n = make_record(k, rec);
        wrong += pd_packed_append(f, rec, n, &here) != PD_OK;
        places_push(&at, here);
        total += n;
        if (k % 7 == 6) /* a block that has ended can be read between two writes */
            wrong += at.v[k / 2].block < pd_packed_blocks(f) && !same_record(f, k / 2, at.v[k / 2]);
        if (k % 100 == 42)
            wrong += pd_packed_end_block(f) != PD_OK || pd_packed_end_block(f) != PD_OK ||
                     pd_packed_blocks(f) != here.block + 1;
    }
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    for (uint64_t k = 0; k < RECORDS; k++)
        wrong += !same_record(f, k, at.v[k]);
    const uint64_t stored = pd_packed_stored(f);
    pd_packed_close(f);
    f = pd_packed_open(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(pd_packed_verify(f), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_stored(f), stored);
    CU_ASSERT(stored < total * 3 / 4);
    for (uint64_t k = RECORDS; k-- > 0;)
        wrong += !same_record(f, k, at.v[k]);
    CU_ASSERT_EQUAL(wrong, 0);
    pd_packed_close(f);
    places_release(&at);
}

/* Blocks that are held in memory read like blocks on disk, and take no room on disk. */
static void test_held(void)
{
    enum { RECORDS = 1000 };
    static unsigned char rec[LONGEST];
    uint64_t before = UINT64_MAX;
    for (size_t hold = 0; hold <= 16 << 20; hold = hold ? hold * 16 : 1 << 20) {
        struct places at = {0};
        struct pd_packed_at here;
        struct pd_packed *f = pd_packed_create(scratch_path("held"));
        uint64_t wrong = 0;
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        CU_ASSERT_EQUAL(pd_packed_forget(f), PD_OK);
        pd_packed_hold(f, hold);
        for (uint64_t k = 0; k < RECORDS; k++) {
            memset(rec, 0, sizeof rec);
            const size_t n = make_record(k, rec);
            wrong += pd_packed_append(f, rec, n, &here) != PD_OK;
            places_push(&at, here);
            wrong += k % 7 == 6 && at.v[k / 2].block < pd_packed_blocks(f) &&
                     !same_record(f, k / 2, at.v[k / 2]);
        }
        CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
        for (uint64_t k = 0; k < RECORDS; k++)
            wrong += !same_record(f, k, at.v[k]);
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_EQUAL(pd_packed_verify(f), PD_OK);
        CU_ASSERT(pd_packed_stored(f) < before);
        before = pd_packed_stored(f);
        pd_packed_close(f);
        places_release(&at);
    }
    CU_ASSERT(before < (1 << 16)); /* the index alone */
}

/* Records packed by their differences are known as such when the file is opened again. */
static void test_deltas(void)
{
    enum { RECORDS = 100000, KEPT = 2 };
    const char *path = scratch_path("words");
    struct pd_bytes block = {0};
    struct pd_packed *f = pd_packed_create(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    pd_packed_as_u64s(f, KEPT * sizeof(uint64_t));
    for (uint64_t k = 0; k < RECORDS; k++)
        CU_ASSERT_EQUAL(
            pd_packed_append(f, (const uint64_t[KEPT]){k / 7, k * k}, KEPT * sizeof k, NULL),
            PD_OK);
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    CU_ASSERT(pd_packed_stored(f) < RECORDS * KEPT * sizeof(uint64_t) / 2);
    pd_packed_close(f);
    f = pd_packed_open(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(pd_packed_verify(f), PD_OK);
    uint64_t next = 0, wrong = 0;
    for (uint32_t b = 0; b < pd_packed_blocks(f); b++) {
        wrong += pd_packed_load(f, b, &block) != PD_OK;
        for (size_t at = 0; at < block.n; at += KEPT * sizeof next, next++) {
            const uint64_t want[KEPT] = {next / 7, next * next};
            wrong += memcmp(block.v + at, want, sizeof want) != 0;
        }
    }
    CU_ASSERT_EQUAL(next, RECORDS);
    CU_ASSERT_EQUAL(wrong, 0);
    pd_packed_close(f);
    pd_bytes_release(&block);
}

/* A record is never divided: two of a third of a block fit into one, a third does not. */
static void test_blocks_are_whole(void)
{
    static const unsigned char rec[PD_PACKED_BLOCK / 3 + 1];
    struct pd_bytes block = {0};
    struct pd_packed *f = pd_packed_create(scratch_path("whole"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    for (int k = 0; k < 5; k++)
        CU_ASSERT_EQUAL(pd_packed_append(f, rec, sizeof rec, NULL), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_blocks(f), 3);
    CU_ASSERT_EQUAL(pd_packed_load(f, 0, &block), PD_OK);
    CU_ASSERT_EQUAL(block.n, 2 * sizeof rec);
    CU_ASSERT_EQUAL(pd_packed_load(f, 2, &block), PD_OK);
    CU_ASSERT_EQUAL(block.n, sizeof rec);
    pd_packed_close(f);
    pd_bytes_release(&block);
}

/* Compression can be switched off and on between blocks, and all blocks come out the same. */
static void test_plain_blocks(void)
{
    static const unsigned char rec[1000];
    struct pd_bytes block = {0};
    struct pd_packed *f = pd_packed_create(scratch_path("plain"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    uint64_t stored = 0;
    for (int k = 0; k < 4; k++) { /* compressed, plain, compressed, plain */
        const uint64_t before = pd_packed_stored(f);
        pd_packed_store_plain(f, k % 2);
        CU_ASSERT_EQUAL(pd_packed_append(f, rec, sizeof rec, NULL), PD_OK);
        CU_ASSERT_EQUAL(pd_packed_end_block(f), PD_OK);
        stored = pd_packed_stored(f) - before;
        CU_ASSERT_EQUAL(stored > sizeof rec, k % 2);
    }
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_verify(f), PD_OK);
    for (uint32_t k = 0; k < 4; k++) {
        CU_ASSERT_EQUAL(pd_packed_load(f, k, &block), PD_OK);
        CU_ASSERT(block.n == sizeof rec && !memcmp(block.v, rec, sizeof rec));
    }
    pd_packed_close(f);
    pd_bytes_release(&block);
}

/* A file without records is a good file. */
static void test_no_records(void)
{
    const char *path = scratch_path("none");
    struct pd_packed *f = pd_packed_create(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    pd_packed_close(f);
    f = pd_packed_open(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(pd_packed_blocks(f), 0);
    CU_ASSERT_EQUAL(pd_packed_verify(f), PD_OK);
    pd_packed_close(f);
}

/*
 * Some blocks as the bytes of a file.
 *   plain  no block is compressed; else some are
 */
static void make_blocks(struct pd_bytes *to, bool plain)
{
    unsigned char rec[100] = {0};
    uint64_t seed = 3;
    const char *path = scratch_path("tried");
    struct pd_packed *f = pd_packed_create(path);
    pd_packed_store_plain(f, plain);
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < sizeof rec; i++)
            rec[i] = (unsigned char)(k % 2 ? pd_random(&seed) : i / 20);
        PD_CHECK(!pd_packed_append(f, rec, sizeof rec - k, NULL) && !pd_packed_end_block(f));
    }
    PD_CHECK(pd_packed_finish(f) == PD_OK);
    pd_bytes_reserve(to, pd_packed_stored(f));
    to->n = pd_packed_stored(f);
    pd_packed_close(f);
    FILE *in = fopen(path, "rb");
    PD_CHECK(in && fread(to->v, 1, to->n, in) == to->n && fgetc(in) == EOF && !fclose(in));
}

static void make_small(struct pd_bytes *to) { make_blocks(to, false); }

/*
 * What opening and verifying a file of these bytes returns. PD_EUSAGE, which neither returns, if
 * the message does not name the file and the byte.
 */
static int status_of(const struct pd_bytes *bytes)
{
    const char *path = scratch_write("tried", bytes->v, bytes->n);
    int status = PD_EFORMAT;
    pd_error_clear();
    struct pd_packed *f = pd_packed_open(path);
    if (f)
        status = pd_packed_verify(f);
    pd_packed_close(f);
    if (status < 0 && (!strstr(pd_error_text(), path) || !strstr(pd_error_text(), ": byte ")))
        return PD_EUSAGE;
    return status;
}

/* A file that ends early, or has lost one byte anywhere, is refused. */
static void test_cut_anywhere(void)
{
    struct pd_bytes b = {0};
    make_small(&b);
    CU_ASSERT_EQUAL(status_of(&b), PD_OK);
    const size_t n = b.n;
    for (b.n = 0; b.n < n; b.n++)
        CU_ASSERT_EQUAL(status_of(&b), PD_EFORMAT);
    for (size_t at = 0; at < n; at++) { /* and a byte lost in the middle */
        pd_bytes_release(&b);
        make_small(&b);
        memmove(b.v + at, b.v + at + 1, --b.n - at);
        CU_ASSERT_EQUAL(status_of(&b), PD_EFORMAT);
    }
    pd_bytes_release(&b);
    pd_error_clear();
}

/* A file with one changed byte anywhere is refused, whether blocks are compressed or not. */
static void test_flipped_anywhere(void)
{
    static const unsigned char flips[] = {0xFF, 1, 0x10, 0x80};
    for (int plain = 0; plain <= 1; plain++) {
        struct pd_bytes b = {0};
        make_blocks(&b, plain);
        for (size_t at = 0; at < b.n; at++)
            for (size_t k = 0; k < sizeof flips; k++) {
                b.v[at] ^= flips[k];
                CU_ASSERT_EQUAL(status_of(&b), PD_EFORMAT);
                b.v[at] ^= flips[k];
            }
        pd_bytes_release(&b);
    }
    pd_error_clear();
}

/* A file in which two blocks of the same length have changed places is refused. */
static void test_exchanged(void)
{
    unsigned char rec[64];
    uint64_t seed = 6;
    const char *path = scratch_path("tried");
    struct pd_packed *f = pd_packed_create(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    const uint64_t from = pd_packed_stored(f);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof rec; i++)
            rec[i] = (unsigned char)pd_random(&seed);
        PD_CHECK(!pd_packed_append(f, rec, sizeof rec, NULL) && !pd_packed_end_block(f));
    }
    const size_t size = (pd_packed_stored(f) - from) / 2;
    struct pd_bytes b = {0};
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    pd_bytes_reserve(&b, pd_packed_stored(f) + size);
    b.n = pd_packed_stored(f);
    pd_packed_close(f);
    FILE *in = fopen(path, "rb");
    PD_CHECK(in && fread(b.v, 1, b.n, in) == b.n && !fclose(in));
    CU_ASSERT_EQUAL(status_of(&b), PD_OK);
    memcpy(b.v + b.n, b.v + from, size);
    memmove(b.v + from, b.v + from + size, size);
    memcpy(b.v + from + size, b.v + b.n, size);
    CU_ASSERT_EQUAL(status_of(&b), PD_EFORMAT);
    pd_bytes_release(&b);
    pd_error_clear();
}

/* A whole file under the name of another one: an error, wherever its folder is. */
static void test_other_name(void)
{
    struct pd_bytes b = {0};
    make_small(&b);
    CU_ASSERT_EQUAL(mkdir(scratch_path("moved"), 0700), 0);
    struct pd_packed *f = pd_packed_open(scratch_write("moved/tried", b.v, b.n));
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(pd_packed_verify(f), PD_OK);
    pd_packed_close(f);
    CU_ASSERT_PTR_NULL(pd_packed_open(scratch_write("tries", b.v, b.n)));
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "a file of another name"));
    pd_error_clear();
    CU_ASSERT_EQUAL(symlink("tried", scratch_path("linked")), 0);
    CU_ASSERT_PTR_NULL(pd_packed_open(scratch_path("linked")));
    CU_ASSERT_EQUAL(mkfifo(scratch_path("pipe"), 0600), 0);
    CU_ASSERT_PTR_NULL(pd_packed_open(scratch_path("pipe")));
    pd_bytes_release(&b);
    pd_error_clear();
}

/* A file that shrinks while it is open: an error, not a crash. */
static void test_shrinks(void)
{
    struct pd_bytes b = {0};
    make_small(&b);
    const char *path = scratch_write("tried", b.v, b.n);
    struct pd_packed *f = pd_packed_open(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(truncate(path, 30), 0);
    CU_ASSERT_EQUAL(pd_packed_verify(f), PD_EFORMAT);
    pd_packed_close(f);
    pd_bytes_release(&b);
    pd_error_clear();
}

/* A missing file, a missing folder, and a folder in place of a file are errors. */
static void test_no_such_file(void)
{
    const char *missing = scratch_path("missing"), *inside = scratch_path("no/such/folder");
    pd_error_clear();
    CU_ASSERT_PTR_NULL(pd_packed_open(missing));
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), missing));
    pd_error_clear();
    CU_ASSERT_PTR_NULL(pd_packed_create(inside));
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), inside));
    CU_ASSERT_PTR_NULL(pd_packed_open(scratch_dir));
    CU_ASSERT_PTR_NULL(pd_packed_create(scratch_dir));
    pd_error_clear();
}

/* The disk is full: told at once, and nothing stays behind; with room again writing goes on. */
static void test_disk_full(void)
{
    enum { ROOM = 300000 };
    static unsigned char rec[50000];
    uint64_t seed = 4;
    struct rlimit before;
    const char *path = scratch_path("full");
    struct pd_packed *f = pd_packed_create(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    for (size_t i = 0; i < sizeof rec; i++)
        rec[i] = (unsigned char)pd_random(&seed);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ROOM, before.rlim_max});
    int status = PD_OK;
    uint32_t n = 0;
    for (; n < 100 && (status = pd_packed_append(f, rec, sizeof rec, NULL)) == PD_OK; n++)
        continue;
    CU_ASSERT_EQUAL(status, PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_EIO);
    setrlimit(RLIMIT_FSIZE, &before);
    pd_error_clear();
    CU_ASSERT_EQUAL(pd_packed_append(f, rec, sizeof rec, NULL), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_verify(f), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_blocks(f), (n + 1 + 1) / 2);
    pd_packed_close(f);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
}

/*
 * A file that is closed before it is finished is removed. A file that is forgotten has no name any
 * more but can be used, and another file of that name is left alone.
 */
static void test_removed(void)
{
    const char *path = scratch_path("removed");
    struct pd_bytes block = {0};
    struct pd_packed *f = pd_packed_create(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    pd_packed_close(f); /* not finished */
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);

    f = pd_packed_create(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(pd_packed_forget(f), PD_OK);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    scratch_write("removed", "x", 1); /* another file of that name is not ours */
    CU_ASSERT_EQUAL(pd_packed_append(f, "abc", 3, NULL), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_end_block(f), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_load(f, 0, &block), PD_OK);
    CU_ASSERT(block.n == 3 && !memcmp(block.v, "abc", 3));
    pd_packed_close(f);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    pd_packed_close(NULL);
    pd_bytes_release(&block);
}

static _Noreturn void leave(int status) { _exit(status); }

/*
 * Start a process that maps the file, cuts it to `left` bytes, and reads its last byte. `said` is
 * what it prints on standard error.
 */
static void read_cut(const char *path, off_t left, char *said, size_t cap, int *status)
{
    int ends[2];
    PD_CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        struct pd_map map;
        struct pd_packed *f = pd_packed_open(path);
        dup2(ends[1], STDERR_FILENO);
        pd_panic_hook(leave);
        PD_CHECK(f && pd_packed_map(f, pd_packed_blocks(f), &map) == PD_OK && !map.copied);
        PD_CHECK(truncate(path, left) == 0);
        const volatile unsigned char *v = map.v;
        _exit(v[map.n - 1] == 0);
    }
    close(ends[1]);
    size_t at = 0;
    for (ssize_t n; at + 1 < cap && (n = read(ends[0], said + at, cap - 1 - at)) > 0;)
        at += (size_t)n;
    said[at] = 0;
    close(ends[0]);
    waitpid(child, status, 0);
}

#ifndef __SANITIZE_ADDRESS__ /* which maps memory itself */
/* If the file cannot be mapped for lack of address space, it is copied into memory. */
static void test_copied(void)
{
    enum { BYTES = 20000 };
    static unsigned char rec[BYTES];
    const char *path = scratch_path("copied");
    struct pd_packed *f = pd_packed_create(path);
    int status = 0;
    pd_packed_store_plain(f, true);
    memset(rec, 'x', sizeof rec);
    CU_ASSERT_EQUAL(pd_packed_append(f, rec, BYTES, NULL), PD_OK);
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    const pid_t child = fork();
    if (child == 0) {
        struct pd_map map;
        free(pd_realloc(NULL, 2, BYTES)); /* the heap has room for it */
        setrlimit(RLIMIT_AS, &(struct rlimit){1 << 20, 1 << 20});
        bool right = pd_packed_map(f, 1, &map) == PD_OK && map.copied &&
                     !memcmp(map.v + pd_packed_offset(f, 0), rec, BYTES);
        pd_map_release(&map);
        _exit(!right || map.v);
    }
    waitpid(child, &status, 0);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pd_packed_close(f);
    unlink(path);
}
#else
static void test_copied(void) {}
#endif

/*
 * Plain blocks lie in a mapped file as they were given, and the map outlives the file. If the file
 * becomes shorter, reading the map ends the process with a line that names file and rank.
 */
static void test_mapped(void)
{
    enum { BLOCKS = 5 };
    static unsigned char rec[LONGEST];
    const char *path = scratch_path("mapped");
    struct pd_map map;
    char said[1000];
    int status;
    struct pd_packed *f = pd_packed_create(path);
    pd_packed_store_plain(f, true);
    for (unsigned char k = 0; k < BLOCKS; k++) {
        memset(rec, 'a' + k, sizeof rec);
        CU_ASSERT_EQUAL(pd_packed_append(f, rec, 10000 * (k + 1u), NULL), PD_OK);
        CU_ASSERT_EQUAL(pd_packed_end_block(f), PD_OK);
    }
    CU_ASSERT_EQUAL(pd_packed_finish(f), PD_OK);
    CU_ASSERT_EQUAL_FATAL(pd_packed_map(f, 2, &map), PD_OK);
    CU_ASSERT_EQUAL(map.n, pd_packed_offset(f, 1) + 20000);
    pd_map_release(&map);
    CU_ASSERT_EQUAL_FATAL(pd_packed_map(f, BLOCKS, &map), PD_OK);
    uint64_t places[BLOCKS];
    for (uint32_t k = 0; k < BLOCKS; k++)
        places[k] = pd_packed_offset(f, k);
    pd_packed_close(f);
    for (unsigned char k = 0; k < BLOCKS; k++) {
        memset(rec, 'a' + k, sizeof rec);
        CU_ASSERT(memcmp(map.v + places[k], rec, 10000 * (k + 1u)) == 0);
    }
    pd_map_release(&map);
    CU_ASSERT_PTR_NULL(map.v);
    read_cut(path, 5000, said, sizeof said, &status);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 70);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, path));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "cannot be read any more"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "rank 0: ")); /* where, in a job of many */
    unlink(path);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_roundtrip),
                                        PD_TEST(test_held),
                                        PD_TEST(test_plain_blocks),
                                        PD_TEST(test_deltas),
                                        PD_TEST(test_blocks_are_whole),
                                        PD_TEST(test_no_records),
                                        PD_TEST(test_cut_anywhere),
                                        PD_TEST(test_flipped_anywhere),
                                        PD_TEST(test_exchanged),
                                        PD_TEST(test_other_name),
                                        PD_TEST(test_shrinks),
                                        PD_TEST(test_no_such_file),
                                        PD_TEST(test_disk_full),
                                        PD_TEST(test_removed),
                                        PD_TEST(test_mapped),
                                        PD_TEST(test_copied),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "store/packed", tests);
}

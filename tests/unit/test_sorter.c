/* Sorting with little memory against qsort: any shape of records, any number of runs and passes. */
#include "pardup/store/sorter.h"

#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/store/packed.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_scratch.h"

PD_VEC(recs, const unsigned char *);

enum { WORD = 8, LONGEST = 256 << 10, TINY = 64 << 10 };

/* A case: what is pushed. Records are words; those of different sizes begin with their size. */
struct trial {
    unsigned words; /* of a record; 0: of different sizes */
    unsigned key_at, keys;
    bool parted;
    size_t memory, n;
    uint64_t mask;    /* of the first word of a key: how many values there are; 0: all ones */
    size_t most_long; /* words of the longest of different sizes */
    bool one_by_one;  /* read them so */
    bool lone_useless;
    struct pd_spare *spare;
};

static struct trial compared;

static uint64_t word_of(const void *rec, unsigned k)
{
    uint64_t word;
    memcpy(&word, (const char *)rec + k * sizeof word, sizeof word);
    return word;
}

static size_t size_of(const struct trial *t, const void *rec)
{
    return t->words ? t->words * WORD : (uint32_t)word_of(rec, 0);
}

static int by_key(const unsigned char *a, const unsigned char *b)
{
    for (unsigned k = compared.key_at; k < compared.key_at + compared.keys; k++)
        if (word_of(a, k) != word_of(b, k))
            return word_of(a, k) < word_of(b, k) ? -1 : 1;
    return 0;
}

/* By key, and those of equal keys, which come in any order, by all they hold. */
static int by_all(const void *pa, const void *pb)
{
    const unsigned char *const a = *(const unsigned char *const *)pa;
    const unsigned char *const b = *(const unsigned char *const *)pb;
    const size_t na = size_of(&compared, a), nb = size_of(&compared, b);
    if (by_key(a, b))
        return by_key(a, b);
    const int order = memcmp(a, b, na < nb ? na : nb);
    return order ? order : (na > nb) - (na < nb);
}

static void list(const struct trial *t, const struct pd_bytes *b, struct recs *to)
{
    for (size_t at = 0; at < b->n; at += size_of(t, b->v + at))
        recs_push(to, b->v + at);
}

static uint32_t by_high_bits(const void *rec, uint32_t npartitions, void *ctx)
{
    const struct trial *t = ctx;
    return (uint32_t)((unsigned __int128)word_of(rec, t->key_at) * npartitions >> 64);
}

static void make(const struct trial *t, struct pd_bytes *to)
{
    uint64_t seed = t->words * 100 + t->keys * 10 + t->key_at;
    for (size_t k = 0; k < t->n; k++) {
        const uint32_t least = t->key_at + t->keys, most = (uint32_t)t->most_long;
        const bool is_long = !t->words && pd_random_below(&seed, 20) == 0;
        uint64_t words = t->words;
        if (!words)
            words = least + pd_random_below(&seed, 1 + (is_long ? most - least : 20));
        if (!t->words && k == t->n / 2)
            words = most;
        for (uint64_t w = 0; w < words; w++) {
            uint64_t word = pd_random(&seed);
            if (!t->words && w == 0)
                word = word << 32 | words * WORD;
            else if (w == t->key_at)
                word = t->mask ? word & t->mask : UINT64_MAX;
            else if (w > t->key_at && w < least)
                word &= 1;
            pd_bytes_append(to, &word, sizeof word);
        }
    }
}

static struct pd_sorter *sorter_of(struct trial *t, const char *path)
{
    const struct pd_sorting how = {.size = t->words * WORD,
                                   .key_at = t->key_at,
                                   .keys = t->keys,
                                   .memory = t->memory,
                                   .path = path,
                                   .partition = t->parted ? by_high_bits : NULL,
                                   .ctx = t,
                                   .lone_useless = t->lone_useless,
                                   .spare = t->spare};
    return pd_sorter_new(&how);
}

/* Push all of `in`, some records at a time. */
static int push_all(struct pd_sorter *s, const struct trial *t, const struct pd_bytes *in)
{
    uint64_t seed = 8;
    int status = PD_OK;
    for (size_t from = 0, to = 0; status == PD_OK && from < in->n; from = to) {
        for (uint32_t k = pd_random_below(&seed, 100); to < in->n && (k > 0 || to == from);
             k -= !!k)
            to += size_of(t, in->v + to);
        status = pd_sorter_push(s, in->v + from, to - from);
    }
    return status;
}

/* The share of all records that had been passed when the last ones came. */
static double passed_at_last;

/* All that comes back; are they whole records, never none? */
static bool read_all(struct pd_sorter *s, const struct trial *t, struct pd_bytes *out)
{
    const unsigned char *v;
    size_t n, at;
    int status;
    bool right = true;
    const uint64_t all = pd_sorter_bytes(s);
    uint64_t passed = 0, got = 0;
    while ((status = pd_sorter_next(s, &v, &n)) == PD_OK) {
        for (at = 0; at < n; at += size_of(t, v + at))
            continue;
        right = right && at == n && n > 0;
        const uint64_t before = passed;
        passed = pd_sorter_passed(s, got += n);
        right = right && passed >= before && passed <= all;
        pd_bytes_append(out, v, n);
    }
    passed_at_last = all ? (double)passed / (double)all : 1;
    return right && status == PD_END && n == 0 && pd_sorter_next(s, &v, &n) == PD_END && n == 0;
}

/* The same, a record at a time; each can be looked at again. */
static bool read_each(struct pd_sorter *s, const struct trial *t, struct pd_bytes *out)
{
    struct pd_ordered o = {.from = s};
    const void *rec, *again;
    int status;
    bool right = true;
    while ((status = pd_ordered_look(&o, &rec)) == PD_OK) {
        const size_t size = size_of(t, rec);
        right = right && pd_ordered_look(&o, &again) == PD_OK && again == rec;
        pd_bytes_append(out, rec, size);
        o.at += size;
    }
    return right && status == PD_END && !rec && pd_ordered_look(&o, &rec) == PD_END && !rec;
}

static bool same_records(const struct pd_bytes *in, const struct pd_bytes *out)
{
    struct recs want = {0}, got = {0};
    list(&compared, in, &want);
    list(&compared, out, &got);
    bool same = want.n == got.n;
    for (size_t k = 1; k < got.n; k++)
        same = same && by_key(got.v[k - 1], got.v[k]) <= 0;
    if (want.n)
        qsort(want.v, want.n, sizeof *want.v, by_all);
    if (got.n)
        qsort(got.v, got.n, sizeof *got.v, by_all);
    for (size_t k = 0; same && k < got.n; k++)
        same = !by_all(&want.v[k], &got.v[k]);
    recs_release(&want);
    recs_release(&got);
    return same;
}

/* Bytes written to disk, for the caller to see that what it wants to try did happen. */
static uint64_t try_sorting(struct trial t)
{
    struct pd_bytes in = {0}, out = {0};
    const char *path = scratch_path("sorter");
    compared = t;
    make(&t, &in);
    struct pd_sorter *s = sorter_of(&t, path);
    CU_ASSERT_EQUAL(push_all(s, &t, &in), PD_OK);
    CU_ASSERT_EQUAL(pd_sorter_bytes(s), in.n);
    CU_ASSERT_EQUAL(pd_sorter_finish(s), PD_OK);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    CU_ASSERT(t.one_by_one ? read_each(s, &t, &out) : read_all(s, &t, &out));
    CU_ASSERT(same_records(&in, &out));
    const uint64_t spilled = pd_sorter_spilled(s);
    pd_sorter_free(s);
    pd_bytes_release(&in);
    pd_bytes_release(&out);
    return spilled;
}

static const uint64_t masks[] = {UINT64_MAX, 0xFF, UINT64_C(3) << 62, 0, UINT64_C(0xFFFF) << 20};
enum { MASKS = sizeof masks / sizeof *masks };

/* Every shape, in memory and with some runs. */
static void test_fixed_shapes(void)
{
    unsigned round = 0;
    for (unsigned words = 1; words <= 9; words++)
        for (unsigned keys = 1; keys <= words; keys++)
            for (unsigned key_at = 0; key_at + keys <= words; key_at++, round++)
                for (int spills = 0; spills < 2; spills++) {
                    const struct trial t = {.words = words,
                                            .keys = keys,
                                            .key_at = key_at,
                                            .parted = round % 2,
                                            .memory = spills ? TINY : 8 << 20,
                                            .n = (spills ? 150000 : 20000) / WORD / words,
                                            .mask = masks[round / 2 % MASKS]};
                    CU_ASSERT_EQUAL(try_sorting(t) > 0, spills);
                }
}

/* 64 KiB hold 32 KiB of records and merge two runs at once: 2 to the power of `passes` runs. */
static void test_numbers_of_runs(void)
{
    static const size_t sizes[] = {0, 1, 2, 1000, 2000, 4000, 10000, 40000, 150000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int parted = 0; parted < 2; parted++) {
            const struct trial t = {.words = 3,
                                    .keys = 2,
                                    .parted = parted,
                                    .memory = TINY,
                                    .n = sizes[k],
                                    .mask = UINT64_MAX};
            CU_ASSERT_EQUAL(try_sorting(t) > 0, sizes[k] > 1000);
        }
}

/* More memory, and so more parts; evenly spread, all in one part, all keys alike. */
static void test_skew(void)
{
    for (size_t k = 0; k < MASKS; k++) {
        struct trial t = {.words = 4,
                          .keys = 4,
                          .parted = true,
                          .memory = PD_SORTER_LEAST,
                          .n = 100000,
                          .mask = masks[k]};
        CU_ASSERT(try_sorting(t) > 0);
        t.memory = 16 << 20;
        CU_ASSERT_EQUAL(try_sorting(t), 0);
    }
}

static void test_sizes_differ(void)
{
    for (unsigned keys = 1; keys <= 3; keys++)
        for (size_t k = 0; k < MASKS; k++)
            for (int spills = 0; spills < 2; spills++) {
                const struct trial t = {.key_at = (unsigned)k,
                                        .keys = keys,
                                        .parted = k % 2 == 0,
                                        .memory = spills ? TINY : 64 << 20,
                                        .n = 4000,
                                        .mask = masks[k],
                                        .most_long = k + keys + 500};
                CU_ASSERT_EQUAL(try_sorting(t) > 0, spills);
            }
}

/* Longer than a block of the file, and than all there is to hold records in. */
static void test_long_records(void)
{
    static const size_t memories[] = {TINY, PD_SORTER_LEAST, 16 * LONGEST, 256 << 20};
    for (size_t k = 0; k < sizeof memories / sizeof *memories; k++) {
        struct trial t = {.key_at = 1,
                          .keys = 2,
                          .parted = k % 2,
                          .memory = memories[k],
                          .n = 1000,
                          .mask = 0xFFFF,
                          .most_long = LONGEST / WORD};
        CU_ASSERT_EQUAL(try_sorting(t) > 0, k < 3);
        t.n = 1;
        (void)try_sorting(t);
    }
}

/* Of one size, but too long to be moved about. */
static void test_wide_records(void)
{
    for (int spills = 0; spills < 2; spills++) {
        const struct trial t = {.words = 40,
                                .key_at = 7,
                                .keys = 8,
                                .parted = spills,
                                .memory = spills ? TINY : 8 << 20,
                                .n = 3000,
                                .mask = 0xF};
        CU_ASSERT_EQUAL(try_sorting(t) > 0, spills);
    }
}

static const struct trial plain = {
    .words = 4, .keys = 2, .parted = true, .memory = TINY, .n = 100000, .mask = UINT64_MAX};

static void test_one_by_one(void)
{
    struct trial t = plain;
    t.one_by_one = true;
    CU_ASSERT(try_sorting(t) > 0);
    t.memory = 16 << 20;
    CU_ASSERT_EQUAL(try_sorting(t), 0);
    t.n = 0;
    CU_ASSERT_EQUAL(try_sorting(t), 0);
    for (int spills = 0; spills < 2; spills++) {
        t = (struct trial){.key_at = 1,
                           .keys = 1,
                           .memory = spills ? TINY : 64 << 20,
                           .n = 4000,
                           .mask = 0xFF,
                           .most_long = 500,
                           .one_by_one = true};
        CU_ASSERT_EQUAL(try_sorting(t) > 0, spills);
    }
}

static void test_no_folder(void)
{
    struct trial t = plain;
    struct pd_bytes in = {0};
    const char *path = scratch_path("no/such/folder");
    make(&t, &in);
    struct pd_sorter *s = sorter_of(&t, path);
    pd_error_clear();
    CU_ASSERT_EQUAL(push_all(s, &t, &in), PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    pd_sorter_free(s);
    pd_bytes_release(&in);
    pd_error_clear();
}

/* The disk is full after `room` bytes: told wherever that happens. Returns whether it did. */
static bool fails_with_room(size_t room)
{
    struct trial t = plain;
    struct pd_bytes in = {0}, out = {0};
    struct rlimit before;
    const char *path = scratch_path("full");
    compared = t;
    make(&t, &in);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, before.rlim_max});
    struct pd_sorter *s = sorter_of(&t, path);
    int status = push_all(s, &t, &in);
    if (status == PD_OK)
        status = pd_sorter_finish(s);
    setrlimit(RLIMIT_FSIZE, &before);
    if (status == PD_OK)
        CU_ASSERT(read_all(s, &t, &out) && same_records(&in, &out));
    CU_ASSERT(status == PD_OK || status == PD_EIO);
    CU_ASSERT_EQUAL(!!strstr(pd_error_text(), path), status == PD_EIO);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    pd_sorter_free(s);
    pd_bytes_release(&in);
    pd_bytes_release(&out);
    pd_error_clear();
    return status < 0;
}

static void test_disk_full(void)
{
    CU_ASSERT(fails_with_room(4));
    CU_ASSERT(fails_with_room(100000));
    size_t room = 1 << 20;
    while (fails_with_room(room))
        room += 1 << 16;
    CU_ASSERT(room > 1 << 20 && room < 5 << 20);
    for (size_t less = 1 << 15; less >= 1 << 10; less /= 2)
        (void)fails_with_room(room - less);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
enum { WATCHED = true }; /* by a sanitizer, which needs memory of its own */
#else
enum { WATCHED = false };
#endif

/* KiB that a process of its own needs more than before, to sort n records of t and read them. */
static long peak_of(struct trial t)
{
    int ends[2];
    long peak = 0;
    PD_CHECK(pipe(ends) == 0);
    malloc_trim(0); /* what is free but resident would not count */
    const pid_t child = fork();
    if (child == 0) {
        struct pd_bytes some = {0};
        struct rusage before, after;
        const unsigned char *v;
        const size_t n = t.n;
        t.n = 1000;
        make(&t, &some);
        getrusage(RUSAGE_SELF, &before);
        struct pd_sorter *s = sorter_of(&t, scratch_path("peak"));
        for (size_t k = 0; k < n; k += t.n)
            PD_CHECK(pd_sorter_push(s, some.v, some.n) == PD_OK);
        PD_CHECK(pd_sorter_finish(s) == PD_OK);
        for (size_t got; pd_sorter_next(s, &v, &got) == PD_OK;)
            continue;
        getrusage(RUSAGE_SELF, &after);
        peak = after.ru_maxrss - before.ru_maxrss;
        _exit(write(ends[1], &peak, sizeof peak) != sizeof peak);
    }
    PD_CHECK(read(ends[0], &peak, sizeof peak) == sizeof peak);
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return peak;
}

static void test_memory(void)
{
    enum {
        CODE =
            2048, /* KiB: pages of program and libraries used for the first time; up to 1,100 seen */
        SHAPES = 3
    };
    static const size_t memories[] = {PD_SORTER_LEAST, 4 << 20, 16 << 20};
    static const size_t n[SHAPES] = {1000000, 200000, 5000};
    struct trial little = plain;
    little.memory = (size_t)1 << 30;
    little.n = 1;
    CU_ASSERT(WATCHED || peak_of(little) <= CODE);
    for (size_t k = 0; k < sizeof memories / sizeof *memories && !WATCHED; k++)
        for (size_t m = 0; m < MASKS; m++)
            for (int shape = 0; shape < SHAPES; shape++) {
                const struct trial t = {.words = shape == 0 ? 4 : 0,
                                        .key_at = shape != 0,
                                        .keys = 1,
                                        .parted = true,
                                        .memory = memories[k],
                                        .n = n[shape],
                                        .mask = masks[m],
                                        .most_long = shape == 1 ? 10 : memories[k] / 16 / WORD};
                CU_ASSERT(peak_of(t) <= (long)(memories[k] >> 10) + CODE);
            }
}

/*
 * Sorters in turn use the same memory, a larger one more; what long records took is not handed on.
 */
static void test_spare(void)
{
    static const size_t sizes[] = {300000, 300000, 100000, 300000, 400000};
    struct pd_spare spare = {0};
    size_t held = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct trial t = plain;
        t.memory = 256 << 20;
        t.n = sizes[k];
        t.spare = &spare;
        CU_ASSERT_EQUAL(try_sorting(t), 0);
        if (k == 0 || sizes[k] > sizes[0])
            CU_ASSERT(spare.held > held)
        else
            CU_ASSERT_EQUAL(spare.held, held)
        held = spare.held;
    }
    const struct trial t = {.key_at = 1,
                            .keys = 1,
                            .memory = 256 << 20,
                            .n = 40,
                            .mask = UINT64_MAX,
                            .most_long = (PD_HUGE_PAGE + 100 * WORD) / WORD,
                            .spare = &spare};
    CU_ASSERT_EQUAL(try_sorting(t), 0);
    pd_spare_release(&spare);
    CU_ASSERT_PTR_NULL(spare.slabs);
}

/*
 * What a sorter has given out leaves its memory to the one that takes it, whether sizes differ or
 * not.
 */
static void test_handed_on(void)
{
    enum { N = 400000 };
    for (unsigned words = 0; words <= 5; words += 5) {
        struct pd_spare spare = {0};
        struct trial t = {.words = words,
                          .key_at = 1,
                          .keys = 1,
                          .parted = true,
                          .memory = 256 << 20,
                          .n = N,
                          .mask = UINT64_MAX,
                          .most_long = 9,
                          .spare = &spare};
        struct pd_bytes in = {0}, out = {0};
        const unsigned char *recs;
        size_t n, held;
        int status;
        compared = t;
        make(&t, &in);
        struct pd_sorter *from = sorter_of(&t, scratch_path("from"));
        struct pd_sorter *to = sorter_of(&t, scratch_path("to"));
        CU_ASSERT_EQUAL(push_all(from, &t, &in), PD_OK);
        CU_ASSERT_EQUAL(pd_sorter_finish(from), PD_OK);
        held = spare.held;
        CU_ASSERT(held > in.n);
        while ((status = pd_sorter_next(from, &recs, &n)) == PD_OK)
            CU_ASSERT_EQUAL(pd_sorter_push(to, recs, n), PD_OK);
        CU_ASSERT_EQUAL(status, PD_END);
        CU_ASSERT(
            spare.held <=
            held +
                held /
                    4); /* keys ascend: a part of `to` has long pages while its neighbours are empty */
        CU_ASSERT_EQUAL(pd_sorter_finish(to), PD_OK);
        CU_ASSERT(read_all(to, &t, &out));
        CU_ASSERT(same_records(&in, &out));
        pd_sorter_free(from);
        pd_sorter_free(to);
        pd_spare_release(&spare);
        pd_bytes_release(&in);
        pd_bytes_release(&out);
    }
}

/* Is record k of the sorted list the only one with the first word of its key? */
static bool is_lone(const struct trial *t, const struct recs *all, size_t k)
{
    const uint64_t word = word_of(all->v[k], t->key_at);
    return (k == 0 || word_of(all->v[k - 1], t->key_at) != word) &&
           (k + 1 == all->n || word_of(all->v[k + 1], t->key_at) != word);
}

/*
 * Whoever shares the first word of a key comes back; *lone: how many others there are, *kept: of
 * whom so many do.
 */
static bool shared_come_back(const struct trial *t, const struct pd_bytes *in,
                             const struct pd_bytes *out, size_t *lone, size_t *kept)
{
    struct recs all = {0}, back = {0};
    size_t next = 0;
    bool right = true;
    list(t, in, &all);
    list(t, out, &back);
    compared = *t;
    for (size_t k = 1; k < back.n; k++)
        right = right && by_key(back.v[k - 1], back.v[k]) <= 0;
    qsort(all.v, all.n, sizeof *all.v, by_all);
    if (back.n)
        qsort(back.v, back.n, sizeof *back.v, by_all);
    *lone = *kept = 0;
    for (size_t k = 0; k < all.n; k++) {
        const bool here = next < back.n && by_all(&all.v[k], &back.v[next]) == 0;
        const bool alone = is_lone(t, &all, k);
        right = right && (here || alone);
        *lone += alone;
        *kept += alone && here;
        next += here;
    }
    right = right && next == back.n;
    recs_release(&all);
    recs_release(&back);
    return right;
}

/*
 * Four records in ten are alone with their hash, in parts of few records and of many, on disk as
 * well.
 */
static void test_lone(void)
{
    for (unsigned words = 3; words <= 4; words++)
        for (size_t memory = 1 << 20; memory <= 64 << 20; memory *= 8)
            for (size_t n = 1; n <= 100000; n *= 10) {
                struct trial t = {.words = words, .key_at = words - 3, .keys = 3, .parted = true};
                struct pd_bytes in = {0}, out = {0};
                uint64_t seed = n;
                size_t lone, kept;
                t.memory = memory;
                for (size_t k = 0; k < n * words; k++) {
                    uint64_t word = pd_random(&seed);
                    if (k % words == t.key_at)
                        word = pd_mix(pd_random_below(&seed, (uint32_t)n));
                    pd_bytes_append(&in, &word, sizeof word);
                }
                t.lone_useless = true;
                struct pd_sorter *s = sorter_of(&t, scratch_path("lone"));
                CU_ASSERT_EQUAL(push_all(s, &t, &in), PD_OK);
                CU_ASSERT_EQUAL(pd_sorter_finish(s), PD_OK);
                CU_ASSERT(read_all(s, &t, &out));
                CU_ASSERT(n < 10000 || passed_at_last > 0.95);
                CU_ASSERT(shared_come_back(&t, &in, &out, &lone, &kept));
                CU_ASSERT(pd_sorter_spilled(s) ? kept == lone : kept <= lone / 2);
                pd_sorter_free(s);
                pd_bytes_release(&in);
                pd_bytes_release(&out);
            }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_fixed_shapes), PD_TEST(test_numbers_of_runs),
                                        PD_TEST(test_skew),         PD_TEST(test_lone),
                                        PD_TEST(test_sizes_differ), PD_TEST(test_long_records),
                                        PD_TEST(test_wide_records), PD_TEST(test_one_by_one),
                                        PD_TEST(test_no_folder),    PD_TEST(test_disk_full),
                                        PD_TEST(test_memory),       PD_TEST(test_spare),
                                        PD_TEST(test_handed_on),    CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "store/sorter", tests);
}

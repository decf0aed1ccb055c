/* tests/unit/test_lzw.c - files of compress(1), made by an encoder of the test's own. */
#include <stdbool.h>

#include "pd_cunit.h"
#include "pd_records.h"

enum { LEAST = 9, CLEAR = 256, CODES = 65536 };

struct encoder {
    struct pd_bytes *out;
    unsigned char group[16];
    unsigned bit; /* of the group */
    int width, most;
    bool resets;
    unsigned next;
    uint32_t *keys; /* hash table of (code before, byte) ... */
    uint16_t *codes;
};

enum { SLOTS = 1 << 18 };

static uint16_t *slot(struct encoder *e, unsigned before, unsigned char byte)
{
    const uint32_t key = (before << 8 | byte) + 1;
    uint32_t k = key * 2654435761u >> 14;
    while (e->keys[k] != 0 && e->keys[k] != key)
        k = (k + 1) % SLOTS;
    if (e->keys[k] == 0)
        e->codes[k] = 0;
    e->keys[k] = key;
    return &e->codes[k];
}

static void end_group(struct encoder *e, bool whole)
{
    if (e->bit > 0)
        pd_bytes_append(e->out, e->group, whole ? (size_t)e->width : (e->bit + 7) / 8);
    memset(e->group, 0, sizeof e->group);
    e->bit = 0;
}

static void put_code(struct encoder *e, unsigned code)
{
    for (int k = 0; k < e->width; k++, e->bit++)
        e->group[e->bit / 8] |= (unsigned char)((code >> k & 1) << e->bit % 8);
    if (e->bit == 8u * (unsigned)e->width)
        end_group(e, true);
    if (e->next >= 1u << e->width && e->width < e->most) {
        end_group(e, true);
        e->width++;
    }
}

static void clear(struct encoder *e)
{
    put_code(e, CLEAR);
    end_group(e, true);
    e->width = LEAST;
    e->next = CLEAR + 1;
    memset(e->keys, 0, SLOTS * sizeof *e->keys);
}

/* `reset`: bytes after which the table is emptied; 0: never. */
static void put_lzw(struct pd_bytes *out, const unsigned char *v, size_t n, int most, bool resets,
                    size_t reset)
{
    const unsigned char head[] = {0x1f, 0x9d, (unsigned char)(most | (resets ? 0x80 : 0))};
    struct encoder e = {.out = out, .width = LEAST, .most = most, .resets = resets};
    e.next = CLEAR + resets;
    e.keys = calloc(SLOTS, sizeof *e.keys);
    e.codes = calloc(SLOTS, sizeof *e.codes);
    PD_CHECK(e.keys && e.codes);
    pd_bytes_append(out, head, sizeof head);
    for (size_t k = 0, since = 0; k < n;) {
        unsigned code = v[k++];
        uint16_t *longer = NULL;
        since++;
        while (k < n && *(longer = slot(&e, code, v[k])) != 0) {
            code = *longer;
            k++;
            since++;
        }
        put_code(&e, code);
        if (k < n && e.next < 1u << most)
            *longer = (uint16_t)e.next++;
        if (resets && reset > 0 && since > reset) {
            clear(&e);
            since = 0;
        }
    }
    end_group(&e, false);
    free(e.keys);
    free(e.codes);
}

static void fill(struct pd_bytes *b, size_t n, uint32_t letters)
{
    uint64_t seed = letters;
    b->n = 0;
    while (b->n < n) {
        const uint32_t x = noise(&seed);
        if (x % 50 == 0)
            put(b, "a word that comes again and again ");
        else
            put(b, "%c", (int)(' ' + x % letters));
    }
    b->n = n;
}

static void check(const struct pd_bytes *packed, const struct pd_bytes *want)
{
    struct seen seen = see_bytes(packed->v, packed->n, PD_FORMAT_TEXT);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL_FATAL(seen.last.n, want->n + 1);
    CU_ASSERT(want->n == 0 || memcmp(seen.last.v, want->v, want->n) == 0);
    CU_ASSERT_EQUAL(seen.counts.stored_bytes, packed->n);
    seen_release(&seen);
}

static void test_every_width_and_size(void)
{
    static const size_t sizes[] = {0, 1, 2, 500, 70000, 300000};
    struct pd_bytes v = {0}, z = {0};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int most = 9; most <= 16; most++)
            for (uint32_t letters = 1; letters < 100; letters += 47) {
                fill(&v, sizes[k], letters);
                for (int resets = 0; resets < 2; resets++) {
                    z.n = 0;
                    put_lzw(&z, v.v, v.n, most, resets, 30000);
                    check(&z, &v);
                }
            }
    pd_bytes_release(&v);
    pd_bytes_release(&z);
}

/* A string that is used by the very next code. */
static void test_runs(void)
{
    struct pd_bytes v = {0}, z = {0};
    pd_bytes_reserve(&v, 3000000);
    memset(v.v, 'a', 3000000);
    for (v.n = 1; v.n < 3000000; v.n *= 3) {
        z.n = 0;
        put_lzw(&z, v.v, v.n, 16, true, 0);
        check(&z, &v);
    }
    pd_bytes_release(&v);
    pd_bytes_release(&z);
}

static void test_documents_in_compress(void)
{
    struct pd_bytes v = {0}, z = {0};
    for (int k = 0; k < 40; k++)
        put(&v, "<DOC>\n<DOCNO>%d</DOCNO>\n<p>text %0*d\n</DOC>\n", k, k * 10, k);
    put_lzw(&z, v.v, v.n, 16, true, 2000);
    struct seen want = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(want.docs.n, 40);
    const char *path = scratch_write("file", z.v, z.n);
    for (uint64_t step = 0; step < z.n; step += 101) {
        struct seen got = see_cut(path, PD_FORMAT_AUTO, step, 1 + (uint32_t)(step % 3));
        CU_ASSERT(same_documents(&got, &want));
        CU_ASSERT_EQUAL(got.skips.n, 0);
        CU_ASSERT_EQUAL(got.counts.stored_bytes, z.n);
        seen_release(&got);
    }
    seen_release(&want);
    pd_bytes_release(&v);
    pd_bytes_release(&z);
}

static void test_damage(void)
{
    struct pd_bytes v = {0}, z = {0};
    uint64_t seed = 7;
    size_t lost = 0;
    fill(&v, 20000, 60);
    put_lzw(&z, v.v, v.n, 16, true, 6000);
    for (int k = 0; k < 500; k++) {
        const size_t at = noise(&seed) % z.n;
        const unsigned char was = z.v[at];
        z.v[at] ^= (unsigned char)(1u << noise(&seed) % 8);
        struct seen seen = see_bytes(z.v, z.n, PD_FORMAT_TEXT);
        CU_ASSERT_EQUAL(seen.docs.n + seen.skips.n, 1);
        CU_ASSERT_EQUAL(seen.counts.stored_bytes, z.n);
        lost += seen.counts.skipped[PD_SKIP_CORRUPT];
        seen_release(&seen);
        z.v[at] = was;
    }
    CU_ASSERT(lost > 10); /* a code that does not exist yet */
    for (size_t n = 2; n < 400; n++) {
        struct seen seen = see_bytes(z.v, n, PD_FORMAT_TEXT);
        CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_TRUNCATED], n < 3);
        CU_ASSERT(seen.docs.n == 0 || memcmp(seen.last.v, v.v, seen.last.n - 1) == 0);
        seen_release(&seen);
    }
    pd_bytes_release(&v);
    pd_bytes_release(&z);
}

static void test_headers_that_are_none(void)
{
    static const unsigned char widths[] = {0, 8, 17, 31};
    for (size_t k = 0; k < sizeof widths; k++) {
        const unsigned char v[] = {0x1f, 0x9d, widths[k], 'a', 'b', 'c'};
        struct seen seen = see_bytes(v, sizeof v, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.docs.n, 0);
        CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_CORRUPT], 1);
        seen_release(&seen);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_every_width_and_size),  PD_TEST(test_runs),
                                        PD_TEST(test_documents_in_compress), PD_TEST(test_damage),
                                        PD_TEST(test_headers_that_are_none), CU_TEST_INFO_NULL};
    scratch_open();
    if (argc > 2) { /* for comparing with other decoders by hand */
        struct pd_bytes z = {0}, v = {0};
        fill(&v, (size_t)atol(argv[1]), 60);
        put_lzw(&z, v.v, v.n, atoi(argv[2]), true, 30000);
        fwrite(z.v, 1, z.n, stdout);
        fwrite(v.v, 1, v.n, stderr);
        return 0;
    }
    return pd_run_tests(argc, argv, "lzw", tests);
}

/* tests/unit/test_copier.c - files copied with records replaced, against the decoded bytes. */
#include "pardup/corpus/copier.h"

#include "corpus/packed/stream.h"
#include "pd_cunit.h"
#include "pd_scratch.h"

enum { RECORDS = 30, ROUNDS = 60, LARGE = 200000 };

/* A file of records, and what is to become of it. */
struct made {
    struct pd_bytes stored, wanted; /* the file; the decoded bytes of its copy */
    struct pd_bytes records[RECORDS];
    struct pd_bytes replaced[RECORDS];
    struct pd_raw raws[RECORDS];
    bool changes[RECORDS];
};

typedef void packer(struct pd_bytes *out, const void *v, size_t n);
static uint64_t seed = 11;

/* Half of the records are letters; the others are mostly the byte that UTF-8 never has. */
static void fill(struct pd_bytes *b, uint32_t most)
{
    const uint32_t n = noise(&seed) % most;
    const bool letters = noise(&seed) % 2;
    b->n = 0;
    for (uint32_t k = 0; k < n; k++) {
        const char c = (char)(letters || noise(&seed) % 9 == 0 ? 'a' + noise(&seed) % 20 : 0xff);
        pd_bytes_append(b, &c, 1);
    }
}

/*
 * Make a file with `each` records in a member. Records are never empty. Every `share`-th record
 * changes, on the mean; 0: none.
 */
static void make(struct made *m, packer *pack, uint32_t each, uint32_t share)
{
    struct pd_bytes member = {0};
    m->stored.n = m->wanted.n = 0;
    for (uint32_t k = 0; k < RECORDS; k++) {
        fill(&m->records[k], noise(&seed) % 8 ? 300 : LARGE);
        pd_bytes_append(&m->records[k], "\n", 1);
        fill(&m->replaced[k], 200);
        m->changes[k] = share && noise(&seed) % share == 0;
        m->raws[k] =
            (struct pd_raw){.offset = m->stored.n + (pack == pd_bytes_append ? member.n : 0),
                            .skip = pack == pd_bytes_append ? 0 : member.n,
                            .record_n = m->records[k].n};
        const struct pd_bytes *left = m->changes[k] ? &m->replaced[k] : &m->records[k];
        pd_bytes_append(&m->wanted, left->v, left->n);
        pd_bytes_append(&member, m->records[k].v, m->records[k].n);
        if (k % each == each - 1 || k + 1 == RECORDS) {
            const size_t before = m->stored.n;
            pack(&m->stored, member.v, member.n);
            if (each == 1 && pack != pd_bytes_append && noise(&seed) % 2)
                m->raws[k].stored = m->stored.n - before;
            member.n = 0;
        }
    }
    pd_bytes_release(&member);
}

/* Copy the file into `path`. */
static int copy(const struct made *m, const char *path)
{
    FILE *to = fopen(path, "wb");
    struct pd_copier *c;
    int status = pd_copier_open(&c, scratch_write("in", m->stored.v, m->stored.n), to);
    for (size_t k = 0; k < RECORDS && status >= 0; k++)
        if (m->changes[k])
            status = pd_copier_replace(c, &m->raws[k], m->replaced[k].v, m->replaced[k].n);
    if (status >= 0)
        status = pd_copier_finish(c);
    pd_copier_close(c);
    fclose(to);
    return status;
}

/* Read a file, decoded or as it is stored. */
static void read_file(const char *path, bool decoded, struct pd_bytes *to)
{
    const unsigned char *s;
    size_t have;
    to->n = 0;
    if (!decoded) {
        FILE *f = fopen(path, "rb");
        pd_bytes_reserve(to, 64u << 20);
        to->n = fread(to->v, 1, to->cap, f);
        fclose(f);
        return;
    }
    struct pd_stream *stream = pd_stream_new();
    CU_ASSERT_EQUAL(pd_stream_open(stream, path, 0), PD_OK);
    while (pd_stream_peek(stream, 4096, &s, &have) == PD_OK && have) {
        pd_bytes_append(to, s, have);
        pd_stream_advance(stream, have);
    }
    pd_stream_free(stream);
}

static bool same(const struct pd_bytes *a, const struct pd_bytes *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->v, b->v, a->n) == 0);
}

static void release(struct made *m)
{
    pd_bytes_release(&m->stored);
    pd_bytes_release(&m->wanted);
    for (size_t k = 0; k < RECORDS; k++) {
        pd_bytes_release(&m->records[k]);
        pd_bytes_release(&m->replaced[k]);
    }
}

static packer *const packers[] = {pd_bytes_append, put_gzip, put_zstd};

static void test_replaced(void)
{
    static const uint32_t eaches[] = {1, 1, 3, 7, RECORDS};
    static struct made m;
    struct pd_bytes got = {0};
    for (int round = 0; round < ROUNDS; round++) {
        make(&m, packers[round % 3], eaches[noise(&seed) % 5], 1 + noise(&seed) % 6);
        const char *path = scratch_path("out");
        CU_ASSERT_EQUAL(copy(&m, path), PD_OK);
        read_file(path, true, &got);
        CU_ASSERT_TRUE(same(&got, &m.wanted));
    }
    pd_bytes_release(&got);
    release(&m);
}

/* A file in which nothing changes is the same byte for byte, damaged or not. */
static void test_unchanged(void)
{
    static struct made m;
    struct pd_bytes got = {0};
    for (int round = 0; round < 12; round++) {
        make(&m, packers[round % 3], 1 + noise(&seed) % 4, 0);
        if (round >= 6)
            m.stored.v[m.stored.n / 2] ^= 1;
        const char *path = scratch_path("out");
        CU_ASSERT_EQUAL(copy(&m, path), PD_OK);
        read_file(path, false, &got);
        CU_ASSERT_TRUE(same(&got, &m.stored));
    }
    pd_bytes_release(&got);
    release(&m);
}

/* A member in which nothing changes keeps its bytes, and one that cannot be decoded is told. */
static void test_members(void)
{
    static struct made m;
    struct pd_bytes got = {0};
    make(&m, put_gzip, 1, 0);
    m.changes[10] = true;
    const uint64_t begin = m.raws[10].offset, end = m.raws[11].offset;
    const char *path = scratch_path("out");
    CU_ASSERT_EQUAL(copy(&m, path), PD_OK);
    read_file(path, false, &got);
    CU_ASSERT_TRUE(memcmp(got.v, m.stored.v, begin) == 0);
    const size_t behind = m.stored.n - end;
    CU_ASSERT_TRUE(memcmp(got.v + got.n - behind, m.stored.v + end, behind) == 0);
    m.raws[10].stored = 0;
    m.stored.v[begin + (end - begin) / 2] ^= 0x55;
    m.stored.v[end - 6] ^= 0x55; /* its checksum */
    CU_ASSERT_EQUAL(copy(&m, path), PD_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "damaged in the member"));
    pd_error_clear();
    pd_bytes_release(&got);
    release(&m);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_replaced), PD_TEST(test_unchanged),
                                        PD_TEST(test_members), CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "corpus/copier", tests);
}

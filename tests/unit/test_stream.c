/* tests/unit/test_stream.c - decoded bytes of plain, gzip and zstd files, whole and damaged. */
#include "corpus/packed/stream.h"

#include "pd_cunit.h"
#include "pd_scratch.h"

enum { SMALL = 3000, LARGE = 900000 /* decoded bytes: more than a decoder's step, or two */ };

typedef void packer(struct pd_bytes *out, const void *v, size_t n);

static struct pd_stream *stream;

static void fill(struct pd_bytes *b, size_t n, uint64_t seed)
{
    static const char *const words[] = {"one ", "two ", "three\n", "WARC/1.0", "\xff\xfe", "{}"};
    while (b->n < n) {
        const uint32_t x = noise(&seed);
        if (x % 7 == 0) {
            pd_bytes_append(b, &x, sizeof x);
        } else {
            const char *word = words[x % 6];
            pd_bytes_append(b, word, strlen(word));
        }
    }
    b->n = n;
}

/* A member with every optional header field. */
static void put_gzip_fields(struct pd_bytes *out, const void *v, size_t n)
{
    static const unsigned char fields[] = "\x05\0sl\1\0xa name\0a comment";
    struct pd_bytes plain = {0};
    put_gzip(&plain, v, n);
    const size_t from = out->n;
    pd_bytes_append(out, plain.v, 10);
    out->v[from + 3] = 2 | 4 | 8 | 16; /* header CRC, extra field, name, comment */
    pd_bytes_append(out, fields, sizeof fields);
    const uint32_t crc = libdeflate_crc32(0, out->v + from, out->n - from);
    const unsigned char low[2] = {(unsigned char)crc, (unsigned char)(crc >> 8)};
    pd_bytes_append(out, low, sizeof low);
    pd_bytes_append(out, plain.v + 10, plain.n - 10);
    pd_bytes_release(&plain);
}

static void put_zstd_unsized(struct pd_bytes *out, const void *v, size_t n)
{
    put_zstd_frame(out, v, n, 0);
}

/* Cut v into members of `each` decoded bytes. */
static void put_members(struct pd_bytes *out, const struct pd_bytes *v, size_t each, packer *pack)
{
    for (size_t k = 0; k < v->n; k += each)
        pack(out, v->v + k, v->n - k < each ? v->n - k : each);
}

/* Read on, asking for `want` (0: changing amounts), and count the bytes that equal `v`. */
static size_t read_on(const struct pd_bytes *v, size_t want, int *status)
{
    uint64_t seed = want;
    size_t equal = 0;
    for (;;) {
        const unsigned char *s;
        size_t have, ask = want ? want : 1 + noise(&seed) % 70000;
        *status = pd_stream_peek(stream, ask, &s, &have);
        if (*status == PD_EIO || (*status == PD_EFORMAT && have >= ask))
            return 0;
        const size_t take = have < ask ? have : 1 + noise(&seed) % ask;
        if (take == 0)
            return equal;
        if (equal + take > v->n || memcmp(s, v->v + equal, take) != 0)
            return 0;
        unsigned behind = 0; /* the bytes behind must be readable: a sanitizer watches */
        for (size_t k = 0; k < 64; k++)
            behind += s[have + k];
        (void)behind;
        equal += take;
        pd_stream_advance(stream, take);
    }
}

static void check_reads(const struct pd_bytes *packed, const struct pd_bytes *v,
                        enum pd_compression packing)
{
    static const size_t wants[] = {1, 17, 4096, 300000, 0, 5000000};
    const char *path = scratch_write("file", packed->v, packed->n);
    for (size_t k = 0; k < sizeof wants / sizeof *wants; k++) {
        int status = pd_stream_open(stream, path, 0);
        CU_ASSERT_EQUAL(status, PD_OK);
        CU_ASSERT_EQUAL(pd_stream_compression(stream), packing);
        if (wants[k] == 1 && v->n > SMALL)
            continue;
        CU_ASSERT_EQUAL(read_on(v, wants[k], &status), v->n);
        CU_ASSERT_EQUAL(status, PD_OK);
        CU_ASSERT_EQUAL(pd_stream_decoded(stream), v->n);
        uint64_t offset, skip;
        pd_stream_where(stream, &offset, &skip);
        CU_ASSERT_EQUAL(offset, packed->n);
        CU_ASSERT_EQUAL(skip, 0);
        pd_stream_close(stream);
    }
}

static void test_every_packing(void)
{
    static const struct {
        packer *pack;
        enum pd_compression packing;
    } packers[] = {{pd_bytes_append, PD_PLAIN},
                   {put_gzip, PD_GZIP},
                   {put_gzip_fields, PD_GZIP},
                   {put_zstd, PD_ZSTD},
                   {put_zstd_unsized, PD_ZSTD}};
    static const size_t sizes[] = {0, 1, SMALL, LARGE}, members[] = {10000000, 400000, 1000, 37};
    for (size_t p = 0; p < sizeof packers / sizeof *packers; p++)
        for (size_t i = 0; i < 4; i++)
            for (size_t m = 0; m < 4; m++) {
                struct pd_bytes v = {0}, packed = {0};
                if (sizes[i] / members[m] > 1000)
                    continue;
                fill(&v, sizes[i], i);
                put_members(&packed, &v, members[m], packers[p].pack);
                if (packed.n == 0) /* an empty file is plain, an empty member is not */
                    packers[p].pack(&packed, "", 0);
                check_reads(&packed, &v, packed.n ? packers[p].packing : PD_PLAIN);
                pd_bytes_release(&v);
                pd_bytes_release(&packed);
            }
}

static void test_filling_between_members(void)
{
    static const unsigned char zeros[600], skippable[] = "\x5f\x2a\x4d\x18\3\0\0\0xyz";
    struct pd_bytes v = {0}, gz = {0}, zst = {0};
    fill(&v, SMALL, 1);
    for (size_t half = 0; half < 2; half++) {
        put_gzip(&gz, v.v + half * SMALL / 2, SMALL / 2);
        pd_bytes_append(&gz, zeros, sizeof zeros);
        put_gzip(&gz, "", 0);
        pd_bytes_append(&zst, skippable, sizeof skippable - 1);
        put_zstd(&zst, v.v + half * SMALL / 2, SMALL / 2);
        put_zstd(&zst, "", 0);
    }
    pd_bytes_append(&gz, zeros, sizeof zeros);
    pd_bytes_append(&zst, skippable, sizeof skippable - 1);
    check_reads(&gz, &v, PD_GZIP);
    check_reads(&zst, &v, PD_ZSTD);
    pd_bytes_release(&v);
    pd_bytes_release(&gz);
    pd_bytes_release(&zst);
}

/* Every place that where() names leads back to the same bytes. */
static void check_places(const char *path, const struct pd_bytes *v)
{
    struct pd_stream *other = pd_stream_new();
    uint64_t seed = 5;
    CU_ASSERT_EQUAL(pd_stream_open(stream, path, 0), PD_OK);
    for (size_t at = 0;;) {
        const unsigned char *s, *t;
        size_t have, again;
        uint64_t offset, skip;
        CU_ASSERT_EQUAL(pd_stream_peek(stream, 10, &s, &have), PD_OK);
        if (have == 0)
            break;
        pd_stream_where(stream, &offset, &skip);
        CU_ASSERT_EQUAL(pd_stream_open(other, path, offset), PD_OK);
        CU_ASSERT_EQUAL(pd_stream_peek(other, (size_t)skip + 1, &t, &again), PD_OK);
        CU_ASSERT_FATAL(again > skip);
        CU_ASSERT_EQUAL(memcmp(t + skip, v->v + at, again - skip < 9 ? again - skip : 9), 0);
        const size_t take = 1 + noise(&seed) % 400;
        at += take < have ? take : have;
        pd_stream_advance(stream, take < have ? take : have);
    }
    pd_stream_free(other);
}

static void test_where(void)
{
    static packer *const packers[] = {pd_bytes_append, put_gzip, put_zstd};
    for (size_t p = 0; p < 3; p++)
        for (size_t each = 61; each < SMALL; each *= 7) {
            struct pd_bytes v = {0}, packed = {0};
            fill(&v, SMALL, p);
            put_members(&packed, &v, each, packers[p]);
            check_places(scratch_write("file", packed.v, packed.n), &v);
            pd_bytes_release(&v);
            pd_bytes_release(&packed);
        }
}

static void test_boundary(void)
{
    struct pd_bytes gz = {0};
    const unsigned char *s;
    size_t have;
    put_gzip(&gz, "abc", 3);
    put_gzip(&gz, "defgh", 5);
    CU_ASSERT_EQUAL(pd_stream_open(stream, scratch_write("file", gz.v, gz.n), 0), PD_OK);
    CU_ASSERT_EQUAL(pd_stream_peek(stream, 100, &s, &have), PD_OK);
    CU_ASSERT_EQUAL(have, 8);
    for (size_t k = 0; k <= have; k++)
        CU_ASSERT_EQUAL(pd_stream_boundary(stream, k), k == 0 || k == 3 || k == 8);
    pd_stream_advance(stream, 2);
    CU_ASSERT(pd_stream_boundary(stream, 1));
    CU_ASSERT(!pd_stream_boundary(stream, 0));
    pd_bytes_release(&gz);
}

/* Cut the file after every byte: a good start, then the truth about the break. */
static void check_cuts(packer *pack)
{
    struct pd_bytes v = {0}, packed = {0};
    fill(&v, 400, 3);
    pack(&packed, v.v, 200);
    const size_t first = packed.n;
    pack(&packed, v.v + 200, 200);
    for (size_t cut = 1; cut <= packed.n; cut++) {
        int status;
        const char *text;
        const char *path = scratch_write("file", packed.v, cut);
        CU_ASSERT_EQUAL(pd_stream_open(stream, path, 0), PD_OK);
        if (pd_stream_compression(stream) == PD_PLAIN) /* not even the magic number is left */
            continue;
        const size_t got = read_on(&v, 64, &status);
        CU_ASSERT(cut < first || got >= 200);
        CU_ASSERT(cut < packed.n || got == 400);
        CU_ASSERT_EQUAL(status, cut == first || cut == packed.n ? PD_OK : PD_EFORMAT);
        if (status == PD_EFORMAT) {
            CU_ASSERT_EQUAL(pd_stream_broken(stream, &text), PD_SKIP_TRUNCATED);
            CU_ASSERT_EQUAL(pd_stream_recover(stream), PD_END);
            CU_ASSERT_STRING_EQUAL(pd_error_text(), "");
        }
    }
    pd_bytes_release(&v);
    pd_bytes_release(&packed);
}

static void test_cut_anywhere(void)
{
    check_cuts(put_gzip);
    check_cuts(put_zstd);
}

/* Damage the middle one of three members: all or nothing of it comes, and the third comes. */
static void check_damage(packer *pack)
{
    struct pd_bytes v = {0}, packed = {0};
    fill(&v, 900, 4);
    pack(&packed, v.v, 300);
    const size_t from = packed.n;
    pack(&packed, v.v + 300, 300);
    const size_t to = packed.n;
    pack(&packed, v.v + 600, 300);
    const struct pd_bytes last = {v.v + 600, 300, 0};
    unsigned undetected = 0;
    for (size_t k = from; k < to; k++) {
        int status;
        packed.v[k] ^= 0x24;
        CU_ASSERT_EQUAL(pd_stream_open(stream, scratch_write("file", packed.v, packed.n), 0),
                        PD_OK);
        const size_t got = read_on(&v, 64, &status);
        packed.v[k] ^= 0x24;
        if (status == PD_OK) { /* a byte of the header that means nothing */
            undetected++;
            CU_ASSERT_EQUAL(got, 900);
            continue;
        }
        CU_ASSERT_EQUAL(got, 300);
        CU_ASSERT_EQUAL(pd_stream_recover(stream), PD_OK);
        CU_ASSERT_EQUAL(read_on(&last, 64, &status), 300);
        CU_ASSERT_EQUAL(status, PD_OK);
    }
    CU_ASSERT(undetected <= 6); /* time, system and such of a gzip header */
    pd_bytes_release(&v);
    pd_bytes_release(&packed);
}

static void test_damage_anywhere(void)
{
    check_damage(put_gzip);
    check_damage(put_zstd);
}

static void test_large_member_with_wrong_checksum(void)
{
    struct pd_bytes v = {0}, gz = {0};
    int status;
    const char *text;
    fill(&v, LARGE, 6);
    put_gzip(&gz, v.v, v.n);
    gz.v[gz.n - 8] ^= 1;
    CU_ASSERT_EQUAL(pd_stream_open(stream, scratch_write("file", gz.v, gz.n), 0), PD_OK);
    const size_t got = read_on(&v, 1000, &status);
    CU_ASSERT(got >= LARGE / 2 && got < LARGE);
    CU_ASSERT_EQUAL(status, PD_EFORMAT);
    CU_ASSERT_EQUAL(pd_stream_broken(stream, &text), PD_SKIP_CORRUPT);
    CU_ASSERT_STRING_EQUAL(text, "gzip checksum is wrong");
    pd_bytes_release(&v);
    pd_bytes_release(&gz);
}

/* Some of the frame decodes before more must be read and its checksum turns out wrong. */
static void test_member_of_a_step_comes_whole_or_not_at_all(void)
{
    enum { FIRST = 900000, SECOND = 200000 }; /* stored as they are; 1 MiB is read at once */
    struct pd_bytes v = {0}, zst = {0};
    uint64_t seed = 10;
    int status;
    for (uint32_t x; v.n < FIRST + SECOND; pd_bytes_append(&v, &x, sizeof x))
        x = noise(&seed);
    put_zstd(&zst, v.v, FIRST);
    put_zstd_unsized(&zst, v.v + FIRST, SECOND);
    zst.v[zst.n - 1] ^= 1;
    CU_ASSERT_EQUAL(pd_stream_open(stream, scratch_write("file", zst.v, zst.n), 0), PD_OK);
    CU_ASSERT_EQUAL(read_on(&v, 1000, &status), FIRST);
    CU_ASSERT_EQUAL(status, PD_EFORMAT);
    pd_bytes_release(&v);
    pd_bytes_release(&zst);
}

static void test_garbage(void)
{
    struct pd_bytes gz = {0}, v = {0};
    int status;
    const char *text;
    uint64_t offset, skip;
    fill(&v, 200, 7);
    const struct pd_bytes rest = {v.v + 100, 100, 0};
    put_gzip(&gz, v.v, 100);
    const size_t at = gz.n;
    put(&gz, "this is no member");
    const size_t second = gz.n;
    put_gzip(&gz, v.v + 100, 100);
    put(&gz, "x");
    CU_ASSERT_EQUAL(pd_stream_open(stream, scratch_write("file", gz.v, gz.n), 0), PD_OK);
    CU_ASSERT_EQUAL(read_on(&v, 10, &status), 100);
    CU_ASSERT_EQUAL(status, PD_EFORMAT);
    CU_ASSERT_EQUAL(pd_stream_broken(stream, &text), PD_SKIP_GARBAGE);
    pd_stream_where(stream, &offset, &skip);
    CU_ASSERT_EQUAL(offset, at);
    CU_ASSERT(!pd_stream_broken_begins(stream, "one ", 4));
    CU_ASSERT_EQUAL(pd_stream_recover(stream), PD_OK);
    pd_stream_where(stream, &offset, &skip);
    CU_ASSERT_EQUAL(offset, second);
    CU_ASSERT_EQUAL(read_on(&rest, 10, &status), 100);
    CU_ASSERT_EQUAL(status, PD_EFORMAT);
    CU_ASSERT_EQUAL(pd_stream_recover(stream), PD_END);
    pd_stream_where(stream, &offset, &skip);
    CU_ASSERT_EQUAL(offset, gz.n);
    pd_bytes_release(&gz);
    pd_bytes_release(&v);
}

/* Members "KEEP" and "pass" in turn: from every stored byte, the next KEEP is found. */
static void check_seek(packer *pack)
{
    struct pd_bytes packed = {0}, text = {0};
    uint64_t keep[8], seed = 8, offset, skip;
    for (int k = 0; k < 16; k++) {
        text.n = 0;
        put(&text, k % 2 ? "KEEP %u" : "pass %u", noise(&seed));
        fill(&text, 100, seed);
        if (k % 2)
            keep[k / 2] = packed.n;
        pack(&packed, text.v, text.n);
    }
    const char *path = scratch_write("file", packed.v, packed.n);
    CU_ASSERT_EQUAL(pd_stream_open(stream, path, 0), PD_OK);
    int next = 0;
    for (uint64_t from = 0; from <= packed.n; from++) {
        if (next < 8 && from > keep[next])
            next++;
        const int status = pd_stream_seek_member(stream, from, packed.n, "KEEP", 4);
        CU_ASSERT_EQUAL(status, next < 8 ? PD_OK : PD_END);
        pd_stream_where(stream, &offset, &skip);
        CU_ASSERT(next == 8 || offset == keep[next]);
        if (next < 8) {
            const unsigned char *s;
            size_t have;
            CU_ASSERT_EQUAL(pd_stream_peek(stream, 4, &s, &have), PD_OK);
            CU_ASSERT(have >= 4 && memcmp(s, "KEEP", 4) == 0);
            CU_ASSERT_EQUAL(pd_stream_seek_member(stream, from, keep[next], "KEEP", 4), PD_END);
        }
    }
    pd_bytes_release(&packed);
    pd_bytes_release(&text);
}

static void test_seek_member(void)
{
    check_seek(put_gzip);
    check_seek(put_zstd);
}

/* Whoever comes from the member before and whoever looks for members find the same ones. */
static void test_member_with_reserved_flags(void)
{
    struct pd_bytes packed = {0};
    const unsigned char *s;
    size_t have;
    uint64_t offset, skip;
    put_gzip(&packed, (const unsigned char *)"ONE.", 4);
    const size_t second = packed.n;
    put_gzip(&packed, (const unsigned char *)"TWO.", 4);
    packed.v[second + 3] = 0x40;
    CU_ASSERT_EQUAL(pd_stream_open(stream, scratch_write("file", packed.v, packed.n), 0), PD_OK);
    CU_ASSERT_EQUAL(pd_stream_peek(stream, 8, &s, &have), PD_OK);
    CU_ASSERT(have == 8 && memcmp(s, "ONE.TWO.", 8) == 0);
    CU_ASSERT_EQUAL(pd_stream_seek_member(stream, 1, packed.n, "TWO.", 4), PD_OK);
    pd_stream_where(stream, &offset, &skip);
    CU_ASSERT_EQUAL(offset, second);
    pd_bytes_release(&packed);
}

static void test_memory_is_that_of_what_is_asked_for(void)
{
    enum { ASKED = 20 << 20 };
    struct pd_bytes v = {0}, gz = {0};
    const unsigned char *s;
    size_t have;
    fill(&v, ASKED + SMALL, 9);
    put_gzip(&gz, v.v, v.n);
    CU_ASSERT_EQUAL(pd_stream_open(stream, scratch_write("file", gz.v, gz.n), 0), PD_OK);
    CU_ASSERT_EQUAL(pd_stream_peek(stream, ASKED, &s, &have), PD_OK);
    CU_ASSERT(have >= ASKED && have < ASKED + (2 << 20));
    CU_ASSERT_EQUAL(memcmp(s, v.v, ASKED), 0);
    pd_bytes_release(&v);
    pd_bytes_release(&gz);
}

/* A zstd frame of `nblocks` blocks of 128 KB of one byte, four stored bytes each. */
static void put_bomb(struct pd_bytes *out, size_t nblocks)
{
    static const unsigned char head[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0x38};
    const uint32_t size = 128 << 10;
    pd_bytes_append(out, head, sizeof head);
    for (size_t k = 0; k < nblocks; k++) {
        const uint32_t block = (k + 1 == nblocks) | 1 << 1 | size << 3;
        const unsigned char v[] = {(unsigned char)block, (unsigned char)(block >> 8),
                                   (unsigned char)(block >> 16), 'a'};
        pd_bytes_append(out, v, sizeof v);
    }
}

/* Decoded bytes before the stream ends or breaks. */
static uint64_t drain(int *status)
{
    const unsigned char *s;
    size_t have;
    uint64_t total = 0;
    do {
        *status = pd_stream_peek(stream, 1 << 20, &s, &have);
        pd_stream_advance(stream, have);
        total += have;
    } while (*status == PD_OK && have > 0);
    return total;
}

/* Bad data is no failure, wherever it is. (igzip miscounts its input for some of these.) */
static void test_any_bit_may_be_wrong(void)
{
    struct pd_bytes text = {0}, v = {0};
    for (int k = 0; k < 4; k++)
        put(&text, "The rain %d has stopped. %050d Nobody knows why.\n", k, 0);
    put_gzip(&v, text.v, text.n);
    for (size_t k = 0; k < 8 * v.n; k++) {
        int status;
        v.v[k / 8] ^= (unsigned char)(1 << k % 8);
        const char *path = scratch_write("file", v.v, v.n);
        v.v[k / 8] ^= (unsigned char)(1 << k % 8);
        CU_ASSERT_EQUAL(pd_stream_open(stream, path, 0), PD_OK);
        drain(&status);
        CU_ASSERT(status == PD_OK || status == PD_EFORMAT);
        if (status == PD_EFORMAT)
            CU_ASSERT_NOT_EQUAL(pd_stream_recover(stream), PD_EIO);
    }
    pd_stream_close(stream);
    pd_bytes_release(&text);
    pd_bytes_release(&v);
}

static void test_bombs_are_left(void)
{
    const uint64_t most = (uint64_t)1 << 30;
    struct pd_bytes v = {0};
    const char *text;
    int status;
    put_bomb(&v, 8192); /* 1 GB: just not too much */
    put_bomb(&v, 9000);
    put_zstd(&v, "far", 3);
    CU_ASSERT_EQUAL_FATAL(pd_stream_open(stream, scratch_write("file", v.v, v.n), 0), PD_OK);
    const uint64_t total = drain(&status);
    CU_ASSERT_EQUAL_FATAL(status, PD_EFORMAT);
    CU_ASSERT(total >= 2 * most && total < 2 * most + LARGE);
    CU_ASSERT_EQUAL(pd_stream_broken(stream, &text), PD_SKIP_TOO_LARGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "1000 times"));
    CU_ASSERT_EQUAL(pd_stream_recover(stream), PD_END); /* too short to be told from chance */
    pd_stream_close(stream);
    pd_bytes_release(&v);
}

static void test_errors_name_the_file(void)
{
    const unsigned char *s;
    size_t have;
    const char *missing = scratch_path("missing");
    CU_ASSERT_EQUAL(pd_stream_open(stream, missing, 0), PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), missing));
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "No such file"));
    pd_error_clear();
    int status = pd_stream_open(stream, scratch_dir, 0);
    if (status == PD_OK)
        status = pd_stream_peek(stream, 1, &s, &have);
    CU_ASSERT_EQUAL(status, PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "Is a directory"));
    pd_error_clear();
}

/* Append a skippable frame with the magic of dictionaries. */
static void put_dictionary(struct pd_bytes *out, const void *v, size_t n)
{
    const unsigned char head[8] = {
        0x5d, 0x2a, 0x4d, 0x18, (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)(n >> 16),
        0};
    pd_bytes_append(out, head, sizeof head);
    pd_bytes_append(out, v, n);
}

static void test_dictionary(void)
{
    struct pd_bytes dictionary = {0}, packed_dictionary = {0}, v = {0}, plain = {0};
    fill(&dictionary, 5000, 3);
    fill(&v, LARGE, 4);
    put_zstd(&packed_dictionary, dictionary.v, dictionary.n);
    put_members(&plain, &v, SMALL, put_zstd);
    ZSTD_CCtx *c = ZSTD_createCCtx();
    for (int packed = 0; packed < 2; packed++) {
        const struct pd_bytes *d = packed ? &packed_dictionary : &dictionary;
        struct pd_bytes out = {0};
        uint64_t second = 0;
        int status;
        put_dictionary(&out, d->v, d->n);
        for (size_t k = 0; k < v.n; k += SMALL) {
            const size_t n = v.n - k < SMALL ? v.n - k : SMALL, most = ZSTD_compressBound(n);
            second = k == SMALL ? out.n : second;
            pd_bytes_reserve(&out, out.n + most);
            out.n += ZSTD_compress_usingDict(c, out.v + out.n, most, v.v + k, n, dictionary.v,
                                             dictionary.n, 3);
        }
        const char *path = scratch_write("dictionary", out.v, out.n);
        CU_ASSERT_EQUAL(pd_stream_open(stream, path, 0), PD_OK);
        CU_ASSERT_EQUAL(read_on(&v, 0, &status), v.n);
        CU_ASSERT_EQUAL(pd_stream_open(stream, path, second), PD_OK);
        const struct pd_bytes rest = {v.v + SMALL, v.n - SMALL, 0};
        CU_ASSERT_EQUAL(read_on(&rest, 1000, &status), rest.n);
        CU_ASSERT_EQUAL(pd_stream_open(stream, scratch_write("file", plain.v, plain.n), 0), PD_OK);
        CU_ASSERT_EQUAL(read_on(&v, 0, &status), v.n); /* the next file has none */
        pd_bytes_release(&out);
    }
    ZSTD_freeCCtx(c);
    pd_bytes_release(&dictionary);
    pd_bytes_release(&packed_dictionary);
    pd_bytes_release(&plain);
    pd_bytes_release(&v);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_every_packing),
                                        PD_TEST(test_filling_between_members),
                                        PD_TEST(test_where),
                                        PD_TEST(test_boundary),
                                        PD_TEST(test_cut_anywhere),
                                        PD_TEST(test_damage_anywhere),
                                        PD_TEST(test_large_member_with_wrong_checksum),
                                        PD_TEST(test_member_of_a_step_comes_whole_or_not_at_all),
                                        PD_TEST(test_garbage),
                                        PD_TEST(test_seek_member),
                                        PD_TEST(test_member_with_reserved_flags),
                                        PD_TEST(test_memory_is_that_of_what_is_asked_for),
                                        PD_TEST(test_any_bit_may_be_wrong),
                                        PD_TEST(test_bombs_are_left),
                                        PD_TEST(test_errors_name_the_file),
                                        PD_TEST(test_dictionary),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    stream = pd_stream_new();
    const int failed = pd_run_tests(argc, argv, "stream", tests);
    pd_stream_free(stream);
    return failed;
}

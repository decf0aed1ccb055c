/*
 * tests/fuzz/fuzz_checkpoint.c - a packed file with changed bytes, or any bytes as a manifest. What
 * is read is what was written; everything else is told.
 */
#include "fuzz.h"
#include "pardup/base/bytes.h"
#include "pardup/base/open.h"
#include "pardup/store/packed.h"
#include "run/scratch/manifest.h"

enum { RECORD = 24, RECORDS = 9000 }; /* two blocks of records */
enum { MADE, PLAIN, U64S, KINDS };

/* The same record for the same number: its bytes hardly differ from those of the record before. */
static void make_record(uint64_t record[RECORD / sizeof(uint64_t)], uint64_t k)
{
    for (uint64_t i = 0; i < RECORD / sizeof(uint64_t); i++)
        record[i] = k * (i + 1) / 3;
}

static void append_records(struct pd_packed *f, int kind)
{
    uint64_t record[RECORD / sizeof(uint64_t)];
    if (kind == U64S)
        pd_packed_as_u64s(f, RECORD);
    if (kind == PLAIN)
        pd_packed_store_plain(f, true);
    for (uint64_t k = 0; k < RECORDS; k++) {
        make_record(record, k);
        PD_CHECK(pd_packed_append(f, record, RECORD, NULL) == PD_OK);
    }
    PD_CHECK(pd_packed_finish(f) == PD_OK);
}

/* Where the file under test lies: a checksum covers its name. */
static const char *file_path(void)
{
    static char path[64];
    if (!path[0])
        snprintf(path, sizeof path, "/tmp/fuzz-checkpoint-%d", (int)getpid());
    return path;
}

/* The bytes of a real packed file, made once. */
static const struct pd_bytes *real_file(int kind)
{
    static struct pd_bytes made[KINDS];
    struct pd_bytes *b = &made[kind];
    if (b->n)
        return b;
    struct pd_packed *f = pd_packed_create(file_path());
    PD_CHECK(f);
    append_records(f, kind);
    pd_packed_close(f);
    PD_CHECK(pd_read_regular(file_path(), b) == PD_OK);
    unlink(file_path());
    return b;
}

/* Blocks that are read have the records that were written, in order from record *k on. */
static void check_block(const struct pd_bytes *block, uint64_t *k)
{
    uint64_t record[RECORD / sizeof(uint64_t)];
    PD_CHECK(block->n % RECORD == 0);
    for (size_t at = 0; at < block->n; at += RECORD, ++*k) {
        make_record(record, *k);
        PD_CHECK(memcmp(block->v + at, record, RECORD) == 0);
    }
}

static void try_packed(const unsigned char *data, size_t n, int kind, size_t cut)
{
    struct pd_bytes bytes = {0}, block = {0};
    const struct pd_bytes *real = real_file(kind);
    pd_bytes_append(&bytes, real->v, real->n);
    fuzz_change(bytes.v, bytes.n, data, n);
    bytes.n -= cut < bytes.n ? cut : 0;
    FILE *f = fopen(file_path(), "wb");
    PD_CHECK(f && fwrite(bytes.v, 1, bytes.n, f) == bytes.n && fclose(f) == 0);
    const bool changed = bytes.n != real->n || memcmp(bytes.v, real->v, real->n) != 0;
    pd_error_clear();
    struct pd_packed *packed = pd_packed_open(file_path());
    PD_CHECK(packed || strlen(pd_error_text()) > 0);
    uint64_t k = 0;
    bool good = packed != NULL;
    for (uint32_t b = 0; good && b < pd_packed_blocks(packed); b++) {
        good = pd_packed_load(packed, b, &block) == PD_OK;
        if (good)
            check_block(&block, &k);
    }
    PD_CHECK(!good || k == RECORDS);
    PD_CHECK(!packed || (pd_packed_verify(packed) == PD_OK) == !changed);
    pd_packed_close(packed);
    pd_bytes_release(&bytes);
    pd_bytes_release(&block);
    unlink(file_path());
    pd_error_clear();
}

static void try_manifest(const unsigned char *data, size_t n)
{
    char dir[] = "/tmp", path[4096], name[64];
    struct pd_comm alone;
    struct pd_bytes text = {0};
    pd_comm_alone(&alone);
    struct pd_scratch s = {.comm = &alone, .dir = dir, .path = path, .lock = -1, .claim = -1};
    snprintf(name, sizeof name, "fuzz-checkpoint-%d.list", (int)getpid());
    FILE *f = fopen(pd_scratch_file(&s, name), "wb");
    PD_CHECK(f && fwrite(data, 1, n, f) == n && fclose(f) == 0);
    if (pd_manifest_read(&s, name, &text)) {
        size_t at = 0;
        while (pd_manifest_line(&text, &at))
            PD_CHECK(at <= text.n + 1);
    }
    unlink(pd_scratch_file(&s, name));
    pd_bytes_release(&text);
    pd_error_clear();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    unsigned char how[2];
    fuzz_settings(data, &n, how, sizeof how);
    if (how[0] % (KINDS + 1) == KINDS)
        try_manifest(data, n);
    else
        try_packed(data, n, how[0] % (KINDS + 1), how[1]);
    return 0;
}

/*
 * tests/unit/test_resume.c - manifests in scratch, and who takes up which file of an earlier try.
 */
#include "pardup/base/log.h"
#include "pd_cunit.h"
#include "pd_scratch.h"
#include "run/scratch/manifest.h"
#include "run/scratch/scratch.h"
#include "run/stage/resume/checkpoint.h"
#include "run/stage/resume/taken.h"

static struct pd_comm alone;
static struct pd_scratch scratch;

/* Does a manifest of this name read back as `text`? */
static bool reads_back(const char *name, const char *text)
{
    struct pd_bytes got = {0};
    const bool there = pd_manifest_read(&scratch, name, &got);
    const bool same = there && strcmp((char *)got.v, text) == 0;
    CU_ASSERT(there || got.n == 0);
    pd_bytes_release(&got);
    return same;
}

static void write_text(const char *name, const char *text)
{
    struct pd_bytes bytes = {0};
    pd_bytes_print(&bytes, "%s", text);
    CU_ASSERT_EQUAL(pd_manifest_write(&scratch, name, &bytes), PD_OK);
    pd_bytes_release(&bytes);
}

/* Copy the file `from` in scratch to `to`, with byte `at` changed if it is less than SIZE_MAX. */
static void copy_file(const char *from, const char *to, size_t at)
{
    char v[256];
    FILE *f = fopen(pd_scratch_file(&scratch, from), "rb");
    const size_t n = f ? fread(v, 1, sizeof v, f) : 0;
    CU_ASSERT(f && n > 0 && n < sizeof v && fclose(f) == 0);
    if (at < n)
        v[at] ^= 1;
    f = fopen(pd_scratch_file(&scratch, to), "wb");
    CU_ASSERT(f && fwrite(v, 1, n, f) == n && fclose(f) == 0);
}

static void test_manifest(void)
{
    static const char text[] = "ranks 3\none line\nanother\n";
    pd_scratch_bind(&scratch, 7);
    CU_ASSERT_FALSE(reads_back("job", text)); /* there is none */
    write_text("job", text);
    CU_ASSERT(reads_back("job", text));
    for (size_t at = 0; at < sizeof text - 1 + 21; at++) { /* the checksum takes 21 bytes */
        copy_file("job", "copy", SIZE_MAX);
        copy_file("job", "changed", at);
        copy_file("changed", "job", SIZE_MAX);
        CU_ASSERT_FALSE(reads_back("job", text));
        copy_file("copy", "job", SIZE_MAX);
    }
    CU_ASSERT(reads_back("job", text));
    CU_ASSERT_FALSE(reads_back("copy", text)); /* whole, but under another name */
    pd_scratch_bind(&scratch, 8);
    CU_ASSERT_FALSE(reads_back("job", text)); /* whole, but of another job */
    pd_scratch_bind(&scratch, 7);
    write_text("job", "short\n");
    CU_ASSERT(reads_back("job", "short\n"));
}

static void test_lines(void)
{
    struct pd_bytes text = {0};
    size_t at = 0;
    pd_bytes_print(&text, "%d\n\n", 12);
    pd_bytes_print(&text, "%s", "end");
    pd_bytes_reserve(&text, text.n + 1);
    text.v[text.n] = '\0';
    CU_ASSERT_STRING_EQUAL(pd_manifest_line(&text, &at), "12");
    CU_ASSERT_STRING_EQUAL(pd_manifest_line(&text, &at), "");
    CU_ASSERT_STRING_EQUAL(pd_manifest_line(&text, &at), "end");
    CU_ASSERT_PTR_NULL(pd_manifest_line(&text, &at));
    pd_bytes_release(&text);
}

/* Each file has one taker, takers ascend with the files, and ranks take equally many. */
static void test_takers(void)
{
    for (int size = 1; size <= 9; size++)
        for (uint64_t n = 1; n <= 20; n++) {
            uint64_t files[9] = {0};
            int before = 0;
            for (uint64_t k = 0; k < n; k++) {
                int takers = 0, taker = -1;
                for (int rank = 0; rank < size; rank++) {
                    const struct pd_comm c = {.rank = rank, .size = size};
                    if (pd_taken_here(&c, k, n)) {
                        takers++;
                        taker = rank;
                    }
                }
                CU_ASSERT_EQUAL_FATAL(takers, 1);
                CU_ASSERT(taker >= before);
                files[before = taker]++;
            }
            for (int rank = 0; rank < size; rank++)
                CU_ASSERT(files[rank] <= (n + (uint64_t)size - 1) / (uint64_t)size);
        }
}

/* A volume with fragments of pieces: "01. 10" is all of piece 0 and the beginning of piece 1. */
static void write_volume(const char *fragments)
{
    struct pd_volume v = {0};
    CU_ASSERT_EQUAL(pd_volume_begin(&v, pd_scratch_path(&scratch, PD_VOLUME_FILES)), PD_OK);
    for (const char *p = fragments; *p; p += strspn(p, ". ")) {
        const struct pd_fragment f = {(uint64_t)p[0] - '0', (uint32_t)p[1] - '0', p[2] == '.'};
        pd_fragments_push(&v.fragments, f);
        p += 2;
    }
    CU_ASSERT_EQUAL(pd_volume_end(&v), PD_OK);
    pd_packed_close(v.file);
    v.file = NULL;
    pd_volume_release(&v);
}

/* A piece counts as read if all its fragments are there, and its volumes have whole pieces only. */
static void test_fragments(void)
{
    static const struct {
        const char *volumes[3];
        const char *done;                              /* for pieces 0, 1, 2 */
        size_t kept;                                   /* volumes */
    } cases[] = {{{"00. 10", "11. 20."}, "111", 2},    /* all is there */
                 {{"00.", "10", "11. 20."}, "111", 3}, /* in three volumes */
                 {{"00.", "11. 20."}, "100", 1},       /* the beginning of piece 1 is lost */
                 {{"00.", "10"}, "100", 1},            /* its end is lost */
                 {{"00.", "10", "11"}, "100", 1},      /* there were more than these two */
                 {{"00.", "10", "12."}, "100", 1},     /* its middle is lost */
                 {{"00. 10", "11. 20"}, "000", 0},  /* what is lost of piece 2 makes all useless */
                 {{"20.", "10 00.", ""}, "001", 1}, /* no piece, no volume */
                 {{"00. 10", "11 20.", "12."}, "111", 3}}; /* three fragments */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct pd_collection col = {.comm = &alone, .scratch = &scratch};
        unsigned char done[3];
        for (int p = 0; p < 3; p++)
            pd_pieces_push(&col.pieces, (struct pd_piece){.file = 0});
        for (int v = 0; v < 3 && cases[k].volumes[v]; v++)
            write_volume(cases[k].volumes[v]);
        CU_ASSERT_EQUAL(pd_checkpoint_take_volumes(&col, done), PD_OK);
        for (int p = 0; p < 3; p++)
            CU_ASSERT_EQUAL(done[p], cases[k].done[p] - '0');
        CU_ASSERT_EQUAL(col.library.shelf.n, cases[k].kept);
        pd_library_release(&col.library);
        pd_pieces_release(&col.pieces);
        pd_scratch_empty(&scratch);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_manifest), PD_TEST(test_lines),
                                        PD_TEST(test_takers), PD_TEST(test_fragments),
                                        CU_TEST_INFO_NULL};
    pd_comm_alone(&alone);
    scratch_open();
    const struct pd_options o = {.output = "x.h5", .job = {.scratch = scratch_dir}};
    PD_CHECK(pd_scratch_open(&scratch, &alone, &o) == PD_OK);
    pd_log_open(0, 1, PD_LOG_ERROR); /* damage is warned of */
    const int failed = pd_run_tests(argc, argv, "run/stage/resume", tests);
    pd_scratch_close(&scratch);
    return failed;
}

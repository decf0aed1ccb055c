/*
 * Volumes come back as they were written, whether they stay in memory, pass through it or are
 * opened again.
 */
#include "pardup/store/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_scratch.h"

enum { VOLUMES = 9, DOCUMENTS = 200, SENTENCES = 300 }; /* some blocks of blobs a volume */

/*
 * Document k of volume v: some sentences of one word, whose places follow from v, k and the
 * sentence.
 */
static size_t make_sentences(size_t v, size_t k, struct pd_sentence *s, struct pd_token *t)
{
    const size_t n = (v * 7 + k * 13) % SENTENCES;
    for (uint32_t i = 0; i < n; i++) {
        s[i] = (struct pd_sentence){10 * i, 10 * i + 5, i, 1};
        t[i] = (struct pd_token){10 * i + 1, 10 * i + 4, (uint32_t)(v * 1000 + k + i)};
    }
    return n;
}

static void make_volume(size_t v, struct pd_volume *to, const char *path)
{
    uint64_t bytes = 0;
    static struct pd_sentence sentences[SENTENCES];
    static struct pd_token tokens[SENTENCES];
    static struct pd_fringe fringes[SENTENCES];
    CU_ASSERT_EQUAL_FATAL(pd_volume_begin(to, path), PD_OK);
    to->counts.ignored = v;
    pd_fragments_push(&to->fragments, (struct pd_fragment){v, 0, 1});
    for (size_t k = 0; k < v; k++) /* none in the first */
        pd_skiprecs_push(&to->skips, (struct pd_skiprec){v, k, 0, 1});
    for (size_t k = 0; k < DOCUMENTS; k++) {
        const size_t n = make_sentences(v, k, sentences, tokens);
        pd_docrecs_push(&to->docs, (struct pd_docrec){.offset = 100 * v + k,
                                                      .sentences = (uint32_t)n,
                                                      .id_at = to->ids.n,
                                                      .id_n = 1});
        pd_bytes_push(&to->ids, (unsigned char)('a' + v));
        CU_ASSERT_EQUAL(pd_volume_push(to, sentences, fringes, n, tokens, &bytes), PD_OK);
    }
    for (size_t k = 0; k < 1000 * (v + 1); k++) {
        pd_terms_push(&to->terms, pd_mix(v << 32 | k));
        pd_counts_push(&to->df, (uint32_t)(v + k));
    }
}

static void check_document(struct pd_library *lib, size_t v, size_t k)
{
    static struct pd_sentence sentences[SENTENCES];
    static struct pd_token tokens[SENTENCES];
    struct pd_volume *volume;
    struct pd_stored stored = {0};
    const unsigned char *blob = NULL;
    CU_ASSERT_EQUAL(pd_library_volume(lib, v, &volume), PD_OK);
    CU_ASSERT_EQUAL(volume->docs.n, DOCUMENTS);
    CU_ASSERT_EQUAL(volume->docs.v[k].offset, 100 * v + k);
    CU_ASSERT_EQUAL(volume->ids.v[volume->docs.v[k].id_at], 'a' + v);
    CU_ASSERT_EQUAL(pd_library_blob(lib, v, &volume->docs.v[k], &blob), PD_OK);
    const size_t n = make_sentences(v, k, sentences, tokens);
    pd_blob_decode(blob, PD_BLOB_ALL, &stored);
    CU_ASSERT_EQUAL(stored.sentences.n, n);
    CU_ASSERT(n == 0 || memcmp(stored.tokens.v, tokens, n * sizeof *tokens) == 0);
    pd_stored_release(&stored);
}

static void check_volume(struct pd_library *lib, size_t v)
{
    struct pd_volume *volume;
    CU_ASSERT_EQUAL(pd_library_volume(lib, v, &volume), PD_OK);
    CU_ASSERT_EQUAL(volume->counts.ignored, v);
    CU_ASSERT_EQUAL(volume->skips.n, v);
    CU_ASSERT(volume->fragments.n == 1 && volume->fragments.v[0].piece == v &&
              volume->fragments.v[0].last);
    CU_ASSERT_EQUAL(volume->terms.n, 1000 * (v + 1));
    CU_ASSERT_EQUAL(volume->terms.v[v], pd_mix(v << 32 | v));
    CU_ASSERT_EQUAL(volume->df.v[999], v + 999);
}

static void check_all(struct pd_library *lib)
{
    uint64_t seed = 5;
    for (size_t v = 0; v < VOLUMES; v++)
        check_volume(lib, v);
    for (int k = 0; k < 300; k++)
        check_document(lib, pd_random_below(&seed, VOLUMES), pd_random_below(&seed, DOCUMENTS));
}

/* Flags are those of the volume, also of ones that pass through memory, also when marked again. */
static void check_flags(struct pd_library *lib)
{
    for (unsigned char round = 1; round <= 2; round++)
        for (size_t v = 0; v < VOLUMES; v++) {
            struct pd_volume *volume;
            CU_ASSERT_EQUAL(pd_library_volume(lib, v, &volume), PD_OK);
            CU_ASSERT_EQUAL(volume->flags != NULL, round == 2);
            unsigned char *flags = pd_realloc(NULL, volume->terms.n + 1, 1);
            memset(flags, (int)(round * 10 + v), volume->terms.n + 1);
            CU_ASSERT_EQUAL(pd_library_mark(lib, v, flags, scratch_path("flags")), PD_OK);
        }
    for (size_t v = VOLUMES; v-- > 0;) {
        struct pd_volume *volume;
        CU_ASSERT_EQUAL(pd_library_volume(lib, v, &volume), PD_OK);
        for (size_t k = 0; k < volume->terms.n; k++)
            CU_ASSERT_EQUAL(volume->flags[k], 20 + v);
    }
}

/* What stays has no room for more. */
static void check_trimmed(const struct pd_volume *v)
{
    CU_ASSERT(v->docs.cap == v->docs.n && v->ids.cap == v->ids.n && v->terms.cap == v->terms.n);
    CU_ASSERT_EQUAL(v->block.cap, 0);
}

static const char *path_of(size_t v)
{
    char name[16];
    snprintf(name, sizeof name, "volume%zu", v);
    return scratch_path(name);
}

static void check_with(uint64_t keep, size_t stay)
{
    struct pd_library lib = {.keep = keep}, again = {.keep = keep};
    size_t kept = 0;
    for (size_t v = 0; v < VOLUMES; v++) {
        struct pd_volume volume = {0};
        make_volume(v, &volume, path_of(v));
        CU_ASSERT_EQUAL(pd_library_add(&lib, &volume), PD_OK);
        CU_ASSERT_EQUAL(volume.docs.n, 0);
        kept += lib.shelf.v[v].kept;
        if (lib.shelf.v[v].kept)
            check_trimmed(&lib.shelf.v[v].volume);
    }
    CU_ASSERT_EQUAL(kept, stay);
    check_all(&lib);
    check_flags(&lib);
    pd_library_release(&lib);
    for (size_t v = 0; v < VOLUMES; v++)
        CU_ASSERT_EQUAL(pd_library_open(&again, path_of(v)), PD_OK);
    check_all(&again);
    check_flags(&again);
    pd_library_release(&again);
    for (size_t v = 0; v < VOLUMES; v++)
        unlink(path_of(v));
}

static void test_all_stay(void) { check_with(1 << 30, VOLUMES); }
static void test_none_stays(void) { check_with(0, 0); }

static void test_some_stay(void)
{
    struct pd_library lib = {.keep = UINT64_MAX};
    struct pd_volume first = {0};
    make_volume(0, &first, path_of(0));
    CU_ASSERT_EQUAL(pd_library_add(&lib, &first), PD_OK);
    const uint64_t bytes = lib.kept, taken = pd_volume_bytes(&lib.shelf.v[0].volume);
    CU_ASSERT(taken <= bytes && bytes <= taken + 100); /* its blobs, its arrays, and no more */
    pd_library_release(&lib);
    check_with(bytes, 1);
    check_with(bytes - 1, 0);
}

/* One that has not ended leaves no file. */
static void test_given_up(void)
{
    struct pd_volume volume = {0};
    make_volume(1, &volume, path_of(0));
    CU_ASSERT_EQUAL(access(path_of(0), F_OK), 0);
    pd_volume_release(&volume);
    CU_ASSERT_NOT_EQUAL(access(path_of(0), F_OK), 0);
    CU_ASSERT(pd_volume_begin(&volume, scratch_path("none/volume")) < 0);
    pd_error_clear();
}

static void test_damage_is_told(void)
{
    struct pd_library lib = {0};
    struct pd_volume volume = {0};
    make_volume(1, &volume, path_of(0));
    CU_ASSERT_EQUAL(pd_library_add(&lib, &volume), PD_OK);
    pd_library_release(&lib);
    CU_ASSERT_EQUAL(truncate(path_of(0), 5000), 0);
    CU_ASSERT(pd_library_open(&lib, path_of(0)) < 0);
    CU_ASSERT_EQUAL(lib.shelf.n, 0);
    pd_error_clear();
    unlink(path_of(0));
    CU_ASSERT(pd_library_open(&lib, path_of(0)) < 0);
    pd_error_clear();
    pd_library_release(&lib);
}

/* A volume whose last block, the head, says another number of its format. */
static void test_other_format_is_refused(void)
{
    struct pd_library lib = {0};
    struct pd_volume volume = {0};
    struct pd_bytes block = {0};
    make_volume(1, &volume, path_of(0));
    CU_ASSERT_EQUAL(pd_library_add(&lib, &volume), PD_OK);
    pd_library_release(&lib);
    for (uint64_t change = 0; change < 2;
         change++) { /* without a change it is as good as the first */
        struct pd_packed *from = pd_packed_open(path_of(0)), *to = pd_packed_create(path_of(1));
        CU_ASSERT_FATAL(from && to);
        for (uint32_t k = 0; k < pd_packed_blocks(from); k++) {
            CU_ASSERT_EQUAL(pd_packed_load(from, k, &block), PD_OK);
            if (k + 1 == pd_packed_blocks(from))
                block.v[0] = (unsigned char)(block.v[0] + change);
            CU_ASSERT_EQUAL(pd_packed_append(to, block.v, block.n, NULL), PD_OK);
            CU_ASSERT_EQUAL(pd_packed_end_block(to), PD_OK);
        }
        CU_ASSERT_EQUAL(pd_packed_finish(to), PD_OK);
        pd_packed_close(from);
        pd_packed_close(to);
        CU_ASSERT_EQUAL(pd_library_open(&lib, path_of(1)), change ? PD_EFORMAT : PD_OK);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "another version of pardup"));
    pd_error_clear();
    pd_library_release(&lib);
    pd_bytes_release(&block);
    unlink(path_of(0));
    unlink(path_of(1));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_all_stay), PD_TEST(test_none_stays),     PD_TEST(test_some_stay),
        PD_TEST(test_given_up), PD_TEST(test_damage_is_told), PD_TEST(test_other_format_is_refused),
        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "store/library", tests);
}

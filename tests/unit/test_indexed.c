/* tests/unit/test_indexed.c - documents of a segment, with their bounds, against what was added. */
#include "index/indexed.h"

#include "pardup/base/error.h"
#include "pardup/index/merge.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_scratch.h"

static const struct pd_segment_making how = {
    .memory = 1 << 16, .scratch = "tables", .name_bits = PD_SEGMENT_NAME};

/* ---- documents ---- */

enum { FILES = 40, PATH = 64 }; /* files of a segment; room for a path */

/* The path of file number k: neighbours begin alike. */
static const char *path_of(uint64_t k, char path[PATH])
{
    snprintf(path, PATH, k % 9 ? "a/folder/file-%03u" : "%u", (unsigned)k);
    return path;
}

/* Document number k: neighbours have much in common. `id` has its id. */
static struct pd_indexed make_document(uint64_t k, char id[64])
{
    uint64_t seed = k / 3 + 1;
    const uint64_t bytes = 300 + pd_random(&seed) % 4700; /* a byte for each word, at least */
    snprintf(id, 64, k % 5 ? "a/b/document-%05u" : "%u", (unsigned)(k * 7));
    return (struct pd_indexed){.id = id,
                               .id_n = k % 17 == 3 ? 0 : strlen(id),
                               .file = k / 5 % FILES,
                               .offset = k % 29 ? 1000 * k : bytes << 28,
                               .skip = k % 11 == 0,
                               .length = k % 13 ? bytes + k % 100 : k,
                               .host = k % 4 ? k % 4 == 1 ? k << 40 : k % 9 + 1 : 0,
                               .text_hash = seed,
                               .sentences = k % 40,
                               .words = k % 40 * 7,
                               .text_bytes = bytes,
                               .aside_words = k % 40 * (k % 5),
                               .frame = {(const unsigned char *)"\3\1\4", k % 6 == 0 ? 3 : 0},
                               .asides = {(const unsigned char *)"\2\2\4", k % 8 == 0 ? 3 : 0}};
}

static bool are_flags(const struct pd_indexed_flags *x, const struct pd_indexed_flags *y)
{
    return x->n == y->n && (x->n == 0 || memcmp(x->v, y->v, x->n) == 0);
}

/* Is this document number k, with its id or the path of its file? `files` files come before it. */
static bool is_document(const struct pd_indexed *doc, uint64_t k, uint64_t files)
{
    char id[64], path[PATH];
    const struct pd_indexed was = make_document(k, id);
    struct pd_bytes got = {0};
    const char *const want = was.id_n ? id : path_of(was.file, path);
    pd_indexed_id(doc, &got);
    const bool same = got.n == strlen(want) && memcmp(got.v, want, got.n) == 0;
    pd_bytes_release(&got);
    return same && doc->file == was.file + files && doc->offset == was.offset &&
           doc->skip == was.skip && doc->length == was.length && doc->host == was.host &&
           doc->text_hash == was.text_hash && doc->sentences == was.sentences &&
           doc->words == was.words && doc->text_bytes == was.text_bytes && doc->nunits == k % 7 &&
           doc->aside_words == was.aside_words && are_flags(&doc->frame, &was.frame) &&
           are_flags(&doc->asides, &was.asides);
}

/* Write documents [from, to) to the file `name`. Some have more hosts than the table has room for. */
static void write_documents(const char *name, uint64_t from, uint64_t to, bool with_text)
{
    struct pd_segment_writer *w = pd_segment_create(scratch_path(name), with_text, &how);
    struct pd_sentences bounds = {0};
    struct pd_bytes packed = {0};
    struct pd_segment_counts counts;
    static unsigned char text[5000];
    char id[64], path[PATH];
    for (uint64_t k = from; k < to; k++) {
        struct pd_indexed doc = make_document(k, id);
        packed.n = bounds.n = 0;
        for (uint32_t i = 0; i < k % 7; i++)
            pd_sentences_push(&bounds, (struct pd_sentence){.begin = 9 * i, .end = 9 * i + 5});
        memset(text, 'a' + (int)(k % 26), sizeof text);
        pd_indexed_pack(&doc, &bounds, with_text ? text : NULL, &packed);
        pd_indexed_unpack(packed.v, packed.n, with_text, &doc);
        CU_ASSERT_EQUAL(pd_segment_add_document(w, &doc), PD_OK);
    }
    for (int k = 0; k < FILES; k++)
        CU_ASSERT_EQUAL(pd_segment_add_file(w, path_of((uint64_t)k, path), 1000 * k), PD_OK);
    CU_ASSERT_EQUAL(pd_segment_names(w, 0), PD_OK);
    CU_ASSERT_EQUAL(pd_segment_finish(w, &counts, NULL), PD_OK);
    pd_sentences_release(&bounds);
    pd_bytes_release(&packed);
}

/* How many of documents [from, to) are wrong, or their units or texts? The ones from `cut` on are of a second segment. */
static size_t wrong_documents(const char *name, uint64_t from, uint64_t to, bool with_text,
                              uint64_t cut)
{
    struct pd_segment s = {.base = from};
    struct pd_sentences bounds = {0};
    struct pd_unpacker unpacker = {NULL};
    struct pd_bytes text = {0};
    struct pd_indexed doc;
    size_t wrong = 0;
    const int status = pd_segment_open(&s, scratch_path(name));
    CU_ASSERT_EQUAL(status, PD_OK);
    for (uint64_t k = to; status == PD_OK && k-- > from;) {
        wrong +=
            pd_segment_document(&s, k, &doc) != PD_OK || !is_document(&doc, k, k < cut ? 0 : FILES);
        wrong += !pd_indexed_bounds(&doc, &bounds) || bounds.n != k % 7;
        if (with_text)
            wrong += !pd_indexed_text(&doc, &unpacker, &text) ||
                     (text.n && text.v[text.n - 1] != 'a' + (int)(k % 26));
    }
    pd_segment_close(&s);
    pd_sentences_release(&bounds);
    pd_bytes_release(&text);
    pd_unpacker_release(&unpacker);
    return wrong;
}

/* How many of the files of a segment that was written `times` times over are wrong? */
static size_t wrong_files(const char *name, unsigned times)
{
    struct pd_segment s = {.base = 0};
    struct pd_bytes path = {0};
    char want[PATH];
    uint64_t bytes = 0;
    size_t wrong = 0;
    CU_ASSERT_EQUAL(pd_segment_open(&s, scratch_path(name)), PD_OK);
    CU_ASSERT_EQUAL(s.counts.files, times * FILES);
    for (uint64_t k = s.counts.files; k-- > 0;)
        wrong += pd_segment_file(&s, k, &path, &bytes) != PD_OK || bytes != k % FILES * 1000 ||
                 strcmp((const char *)path.v, path_of(k % FILES, want)) != 0;
    pd_segment_close(&s);
    pd_bytes_release(&path);
    return wrong;
}

/* Make one segment of "some" and "others". */
static void merge(const char *name, uint64_t cut)
{
    struct pd_segment parts[] = {{.base = 0}, {.base = cut}};
    const struct pd_merging merging = {.segments = parts, .n = 2, .tables = how};
    struct pd_segment_counts counts;
    uint64_t checksum;
    CU_ASSERT_EQUAL(pd_segment_open(&parts[0], scratch_path("some")), PD_OK);
    CU_ASSERT_EQUAL(pd_segment_open(&parts[1], scratch_path("others")), PD_OK);
    CU_ASSERT_EQUAL(pd_segments_merge(&merging, scratch_path(name), &counts, &checksum), PD_OK);
    pd_segment_close(&parts[0]);
    pd_segment_close(&parts[1]);
}

static void test_documents(void)
{
    enum { MANY = 4 * PD_HOSTS_MOST + 500, SOME = 500, END = 777 };
    write_documents("many", 0, MANY, false);
    CU_ASSERT_EQUAL(wrong_documents("many", 0, MANY, false, UINT64_MAX), 0);
    for (int with_text = 0; with_text < 2; with_text++) {
        write_documents("some", 0, SOME, with_text);
        write_documents("others", SOME, END, with_text);
        CU_ASSERT_EQUAL(wrong_documents("some", 0, SOME, with_text, UINT64_MAX), 0);
        CU_ASSERT_EQUAL(wrong_documents("others", SOME, END, with_text, UINT64_MAX), 0);
        CU_ASSERT_EQUAL(wrong_files("some", 1), 0);
        merge("both", SOME);
        CU_ASSERT_EQUAL(wrong_files("both", 2), 0);
        CU_ASSERT_EQUAL(wrong_documents("both", 0, END, with_text, SOME), 0);
        unlink(scratch_path("both"));
        unlink(scratch_path("some"));
        unlink(scratch_path("others"));
    }
}

/* ---- bounds ---- */

/* Pack bounds and read them back, whole and cut short. */
static void come_back(const struct pd_sentences *units, size_t most)
{
    struct pd_bytes packed = {0};
    struct pd_indexed doc = {.id = "x", .id_n = 1};
    struct pd_sentences got = {0};
    pd_indexed_pack(&doc, units, NULL, &packed);
    pd_indexed_unpack(packed.v, packed.n, false, &doc);
    CU_ASSERT(pd_indexed_bounds(&doc, &got));
    CU_ASSERT_EQUAL(got.n, units->n);
    size_t wrong = 0;
    for (size_t k = 0; k < units->n; k++)
        wrong += got.v[k].begin != units->v[k].begin || got.v[k].end != units->v[k].end;
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(doc.bounds_n <= most);
    if (units->n > 1) {
        doc.bounds_n /= 2;
        CU_ASSERT(!pd_indexed_bounds(&doc, &got));
    }
    pd_bytes_release(&packed);
    pd_sentences_release(&got);
}

/* Units of `size` base units, one from each, whose lengths vary below `length`. */
static void make_units(uint64_t seed, size_t n, size_t size, uint32_t length,
                       struct pd_sentences *units)
{
    struct pd_sentences base = {0};
    uint32_t at = (uint32_t)(pd_random(&seed) % 9);
    for (size_t k = 0; k < n + size; k++) {
        const uint32_t end = at + 1 + (uint32_t)(pd_random(&seed) % length);
        pd_sentences_push(&base, (struct pd_sentence){.begin = at, .end = end});
        at = end + (pd_random(&seed) % 20 ? 1 : (uint32_t)(pd_random(&seed) % 1000));
    }
    units->n = 0;
    for (size_t k = 0; k < n; k++)
        pd_sentences_push(
            units, (struct pd_sentence){.begin = base.v[k].begin, .end = base.v[k + size - 1].end});
    pd_sentences_release(&base);
}

static void test_bounds(void)
{
    struct pd_sentences units = {0};
    come_back(&units, 0);
    for (uint64_t seed = 1; seed < 40; seed++)
        for (size_t size = 1; size < 30;
             size += 3) { /* at most two bytes a unit, however much they overlap */
            const size_t n = 1 + seed * 11 % 300;
            make_units(seed, n, size, 64, &units);
            come_back(&units, 12 + 4 * size + 2 * n);
        }
    make_units(7, 2000, 1500, 64, &units); /* more overlap than a lag can say */
    come_back(&units, SIZE_MAX);
    make_units(8, 50, 2, 1 << 20, &units);
    come_back(&units, SIZE_MAX);
    for (size_t k = 0; k < units.n; k += 2) { /* in no order */
        const struct pd_sentence x = units.v[k];
        units.v[k] = units.v[units.n - 1 - k];
        units.v[units.n - 1 - k] = x;
    }
    come_back(&units, SIZE_MAX);
    units.n = 0;
    for (uint32_t k = 1; k < 200; k++) /* gaps on both sides of the common one, which is 2 */
        pd_sentences_push(&units, (struct pd_sentence){.begin = 100 * k + (k % 3 ? 0 : k % 7),
                                                       .end = 100 * k + 98 + (k % 5 ? 0 : k % 8)});
    come_back(&units, SIZE_MAX);
    pd_sentences_release(&units);
}

/* Bounds of any bytes are refused, or lie in order within each unit. */
static void test_broken_bounds(void)
{
    struct pd_sentences got = {0};
    uint64_t seed = 5;
    size_t good = 0;
    for (size_t k = 0; k < 20000; k++) {
        unsigned char bytes[48];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)(pd_random(&seed) & (k % 2 ? 0xFF : pd_random(&seed)));
        const struct pd_indexed doc = {.bounds = bytes,
                                       .bounds_n = pd_random(&seed) % (sizeof bytes + 1),
                                       .nunits = pd_random(&seed) % 40};
        if (!pd_indexed_bounds(&doc, &got))
            continue;
        good++;
        CU_ASSERT_EQUAL(got.n, doc.nunits);
        for (size_t i = 0; i < got.n; i++)
            CU_ASSERT(got.v[i].begin <= got.v[i].end);
    }
    CU_ASSERT(good > 100 && good < 19000);
    pd_sentences_release(&got);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_documents), PD_TEST(test_bounds),
                                        PD_TEST(test_broken_bounds), CU_TEST_INFO_NULL};
    scratch_open();
    if (chdir(scratch_path(".")) != 0)
        return 1;
    return pd_run_tests(argc, argv, "index/indexed", tests);
}

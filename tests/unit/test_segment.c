/* tests/unit/test_segment.c - names and places of a segment against lists of them. */
#include "pardup/index/segment.h"

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/vec.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_scratch.h"

/* An entry as it was added. */
struct entry {
    pd_sig name;
    pd_doc doc;
    uint32_t unit;
    uint64_t df; /* of a common class; 0: it is none */
};
PD_VEC(entries, struct entry);

enum { FILES = 20, UNITS = 7 }; /* files of a segment; units of a document */

static struct pd_segment_making how = {
    .memory = 1 << 16, .scratch = "tables", .name_bits = PD_SEGMENT_NAME};

/* Add documents of `units` units each; one in five has a hundred times as many. */
static void add_documents(struct pd_segment_writer *w, size_t documents, uint32_t units)
{
    struct pd_sentences bounds = {0};
    struct pd_bytes packed = {0};
    for (uint32_t k = 0; k < 100 * units; k++)
        pd_sentences_push(&bounds, (struct pd_sentence){.begin = 10 * k, .end = 10 * k + 9});
    for (size_t k = 0; k < documents; k++) {
        struct pd_indexed doc = {.id = "id", .id_n = 2, .file = 0, .sentences = 100 * units};
        bounds.n = k % 5 ? units : 100 * units;
        packed.n = 0;
        pd_indexed_pack(&doc, &bounds, NULL, &packed);
        pd_indexed_unpack(packed.v, packed.n, false, &doc);
        CU_ASSERT_EQUAL(pd_segment_add_document(w, &doc), PD_OK);
    }
    for (int k = 0; k < FILES; k++)
        CU_ASSERT_EQUAL(pd_segment_add_file(w, k % 2 ? "folder/file" : "folder/other", 1), PD_OK);
    pd_sentences_release(&bounds);
    pd_bytes_release(&packed);
}

/* Make names in order, each of up to `most` units; some names stand close together. */
static void make_entries(uint64_t seed, size_t names, size_t documents, uint32_t units, size_t most,
                         struct entries *all)
{
    pd_sig name = 0;
    for (size_t k = 0; k < names; k++) {
        const uint64_t step = pd_random(&seed) % 3 ? UINT64_MAX / (names + 1) : 1 << 12;
        name = pd_segment_name_of(
            name + (pd_random(&seed) % step | UINT64_C(1) << (64 - how.name_bits)), how.name_bits);
        const size_t n = 1 + pd_random(&seed) % (pd_random(&seed) % 4 ? 2 : most);
        for (size_t i = 0; i < n; i++)
            entries_push(all, (struct entry){name, i * documents / n,
                                             (uint32_t)(pd_random(&seed) % units), 0});
        if (pd_random(&seed) % 16 == 0)
            entries_push(all, (struct entry){name, 0, 0, n + 5});
    }
}

static bool is_at(const struct entry *e, const struct pd_place *p)
{
    return e->df ? p->kind == PD_PLACE_COMMON && p->df == e->df
                 : p->kind == PD_PLACE_UNIT && p->doc == e->doc && p->unit == e->unit;
}

/* Do both look-ups give the same answer? */
static bool same_answer(const struct pd_segment *s, pd_sig name, struct pd_name_hint *hint)
{
    struct pd_places x = {.name = 0}, y = {.name = 0};
    const int status = pd_segment_find(s, name, &x);
    return status == pd_segment_find_near(s, name, hint, &y) &&
           (status != PD_OK || (x.name == y.name && x.slot == y.slot && x.end == y.end));
}

/* Look up the name of entries [k, end). Returns how many answers are wrong. */
static size_t look_up(const struct pd_segment *s, const struct entries *all, size_t k, size_t end)
{
    struct pd_places found;
    struct pd_place place;
    const pd_sig wanted = all->v[k].name;
    pd_sig name;
    if (pd_segment_find(s, wanted, &found) != PD_OK)
        return 1;
    size_t wrong = pd_segment_name(s, found.name, &name) != PD_OK || name != wanted;
    for (; k < end; k++)
        wrong += pd_places_next(&found, &place) != PD_OK || !is_at(&all->v[k], &place);
    return wrong + (pd_places_next(&found, &place) != PD_END);
}

/*
 * Look up each name, and one beside it that is not there, also near the last one and near one that is
 * elsewhere, in the tables and in the list of all names; then read all of them in order.
 */
static void compare(struct pd_segment *s, const struct entries *all)
{
    struct pd_names_cursor cursor = {.segment = s};
    struct pd_name_hint ascending[2] = {{.bucket = 0}}, jumping[2] = {{.bucket = 0}};
    uint64_t seed = all->n;
    struct pd_places found;
    struct pd_place place;
    pd_sig name;
    size_t wrong =
        pd_segment_list(s, &ascending[1]) != PD_OK || pd_segment_list(s, &jumping[1]) != PD_OK;
    for (size_t k = 0, end; k < all->n; k = end) {
        for (end = k; end < all->n && all->v[end].name == all->v[k].name; end++)
            ;
        wrong += look_up(s, all, k, end);
        const pd_sig beside = all->v[k].name + (UINT64_C(1) << (64 - how.name_bits));
        if (end == all->n || all->v[end].name != beside)
            wrong += pd_segment_find(s, beside, &found) != PD_END;
        const pd_sig other = all->v[pd_random(&seed) % all->n].name;
        for (int listed = 0; listed < 2; listed++)
            wrong += !same_answer(s, all->v[k].name, &ascending[listed]) +
                     !same_answer(s, beside, &ascending[listed]) +
                     !same_answer(s, other, &jumping[listed]);
    }
    PD_FREE(ascending[1].listed, jumping[1].listed);
    for (size_t k = 0; k < all->n; k++)
        wrong += pd_segment_next(&cursor, &name, &place) != PD_OK || name != all->v[k].name ||
                 !is_at(&all->v[k], &place);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(pd_segment_next(&cursor, &name, &place), PD_END);
}

/* Write the file "segment", of documents of UNITS units. */
static void write_segment(const struct entries *all, size_t documents)
{
    struct pd_segment_counts counts;
    uint64_t checksum;
    unlink(scratch_path("segment"));
    struct pd_segment_writer *w = pd_segment_create(scratch_path("segment"), false, &how);
    add_documents(w, documents, UNITS);
    CU_ASSERT_EQUAL(pd_segment_names(w, all->n), PD_OK);
    for (size_t k = 0; k < all->n; k++) {
        const struct entry *e = &all->v[k];
        CU_ASSERT_EQUAL(e->df ? pd_segment_add_common(w, e->name, e->df)
                              : pd_segment_add_name(w, e->name, e->doc, e->unit),
                        PD_OK);
    }
    CU_ASSERT_EQUAL(pd_segment_finish(w, &counts, &checksum), PD_OK);
    CU_ASSERT_EQUAL(counts.entries, all->n);
}

/* Write it with names that were made. */
static void make_segment(size_t names, size_t most, struct entries *all)
{
    enum { DOCUMENTS = 50 };
    make_entries(names + most, names, DOCUMENTS, UNITS, most, all);
    write_segment(all, DOCUMENTS);
}

/* Open it and compare it with the entries. */
static void read_segment(const struct entries *all)
{
    struct pd_segment s = {.base = 0};
    CU_ASSERT_EQUAL(pd_segment_open(&s, scratch_path("segment")), PD_OK);
    compare(&s, all);
    pd_segment_close(&s);
}

static void try_segment(size_t names, size_t most)
{
    struct entries all = {0};
    make_segment(names, most, &all);
    read_segment(&all);
    entries_release(&all);
}

static void test_names(void)
{
    how.name_bits = PD_SEGMENT_NAME_GRAM;
    try_segment(3000, 8);
    how.name_bits = PD_SEGMENT_NAME;
    for (size_t most = 1; most <= 2000; most = most * 5 + 3)
        for (size_t names = 0; names <= 3000; names = names * 4 + 1)
            try_segment(names, most);
    try_segment(1, 64);
    try_segment(512, 1); /* all entries are heads, and fill blocks */
}

/* Names with many places, some of which are near and some far away, or a unit next to a unit. */
static void test_lists(void)
{
    enum { DOCUMENTS = 5000 };
    struct entries all = {0};
    for (uint64_t name = 1; name < 60; name++) {
        const pd_sig sig = pd_segment_name_of(name << 50, how.name_bits);
        for (uint32_t k = 0; k < name; k++)
            entries_push(&all, name % 3 ? (struct entry){sig, k, 3, 0}
                                        : (struct entry){sig, k / UNITS, k % UNITS, 0});
        entries_push(&all, (struct entry){sig, DOCUMENTS - 1 - name % 2, 5, 0});
        entries_push(&all, (struct entry){sig, DOCUMENTS - 1, 6, 0});
    }
    write_segment(&all, DOCUMENTS);
    read_segment(&all);
    entries_release(&all);
}

/* ---- damaged segments ---- */

enum { TAIL = 4, SECTION = 4 }; /* u64s: nblocks, nsections, checksum, magic; of a section */

/* The end of a file of sections, and where its checksums begin. */
static size_t end_of(const unsigned char *v, size_t n, uint64_t tail[TAIL])
{
    memcpy(tail, v + n - TAIL * sizeof *tail, TAIL * sizeof *tail);
    return n - (tail[0] + SECTION * tail[1] + TAIL) * sizeof *tail;
}

/* Change a byte of one of the sections. */
static void change(unsigned char *v, size_t n, uint64_t *seed)
{
    uint64_t tail[TAIL], section[SECTION];
    const unsigned char *table = v + end_of(v, n, tail) + tail[0] * sizeof *tail;
    memcpy(section, table + pd_random(seed) % tail[1] * sizeof section, sizeof section);
    if (section[3] > 0)
        v[section[2] + pd_random(seed) % section[3]] = (unsigned char)pd_random(seed);
}

/* Put right checksums behind changed bytes, so that only the readers of tables can see the change. */
static void seal(unsigned char *v, size_t n)
{
    uint64_t tail[TAIL], sum;
    const size_t body = end_of(v, n, tail);
    unsigned char *const table = v + body + tail[0] * sizeof sum;
    for (size_t k = 0; k < tail[0]; k++) {
        const size_t at = k * PD_SECTIONS_BLOCK, left = body - at;
        sum = pd_hash_bytes(v + at, left < PD_SECTIONS_BLOCK ? left : PD_SECTIONS_BLOCK);
        memcpy(v + body + k * sizeof sum, &sum, sizeof sum);
    }
    const uint64_t parts[] = {pd_hash_bytes(v + body, tail[0] * sizeof sum),
                              pd_hash_bytes(table, SECTION * tail[1] * sizeof sum), tail[0],
                              tail[1]};
    tail[2] = pd_hash_bytes(parts, sizeof parts);
    memcpy(v + n - sizeof tail, tail, sizeof tail);
}

static bool is_inside(const struct pd_section *section, const unsigned char *v, size_t n)
{
    return v >= section->v && n <= (size_t)(section->v + section->n - v);
}

/* Ask a segment that may be damaged for all that it has. Returns how many answers there were. */
static size_t ask_all(struct pd_segment *s, const struct entries *all)
{
    struct pd_names_cursor cursor = {.segment = s};
    struct pd_sentences bounds = {0};
    struct pd_bytes id = {0};
    uint64_t bytes = 0;
    struct pd_places found;
    struct pd_place place;
    struct pd_indexed doc;
    pd_sig name;
    size_t good = 0;
    for (size_t k = 0; k < all->n; k++) {
        if (pd_segment_find(s, all->v[k].name, &found) == PD_OK)
            while (pd_places_next(&found, &place) == PD_OK)
                good++;
        good += k < s->counts.names && pd_segment_name(s, k, &name) == PD_OK;
    }
    for (uint64_t k = 0; k < s->counts.files && k < 1000; k++)
        good += pd_segment_file(s, k, &id, &bytes) == PD_OK;
    while (pd_segment_next(&cursor, &name, &place) == PD_OK)
        good++;
    for (uint64_t k = 0; k < s->counts.documents && k < 1000; k++)
        if (pd_segment_document(s, k, &doc) == PD_OK) {
            id.n = 0;
            pd_indexed_id(&doc, &id);
            good += pd_indexed_bounds(&doc, &bounds);
            CU_ASSERT(is_inside(&s->documents, (const unsigned char *)doc.id, doc.id_n) ||
                      is_inside(&s->files, (const unsigned char *)doc.id, doc.id_n));
            CU_ASSERT(is_inside(&s->documents, doc.bounds, doc.bounds_n));
        }
    pd_bytes_release(&id);
    pd_sentences_release(&bounds);
    return good;
}

static void read_file(const char *path, struct pd_bytes *to)
{
    FILE *f = fopen(path, "rb");
    PD_CHECK(f != NULL);
    for (int c; (c = getc(f)) != EOF;)
        pd_bytes_push(to, (unsigned char)c);
    fclose(f);
}

static void test_damaged(void)
{
    enum { NAMES = 300, TIMES = 1500 };
    struct entries all = {0};
    struct pd_bytes whole = {0}, changed = {0};
    uint64_t seed = 11;
    size_t good = 0, refused = 0;
    make_segment(NAMES, 40, &all);
    read_file(scratch_path("segment"), &whole);
    for (size_t k = 0; k < TIMES; k++) {
        struct pd_segment s = {.base = 0};
        changed.n = 0;
        pd_bytes_append(&changed, whole.v, whole.n);
        for (size_t n = 1 + pd_random(&seed) % 4; n > 0; n--)
            change(changed.v, changed.n, &seed);
        seal(changed.v, changed.n);
        scratch_write("damaged", changed.v, changed.n);
        if (pd_segment_open(&s, scratch_path("damaged")) == PD_OK)
            good += ask_all(&s, &all);
        else
            refused++;
        pd_segment_close(&s);
        pd_error_clear();
    }
    CU_ASSERT(good > TIMES);
    CU_ASSERT(refused > 0 && refused < TIMES / 2);
    pd_bytes_release(&whole);
    pd_bytes_release(&changed);
    entries_release(&all);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_names), PD_TEST(test_lists),
                                        PD_TEST(test_damaged), CU_TEST_INFO_NULL};
    scratch_open();
    if (chdir(scratch_path(".")) != 0)
        return 1;
    return pd_run_tests(argc, argv, "index/segment", tests);
}

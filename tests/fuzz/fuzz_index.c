/*
 * tests/fuzz/fuzz_index.c - a real segment with changed bytes whose checksums are made anew: names are
 * looked up, documents are read, and it is merged.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "pardup/base/hash.h"
#include "pardup/base/open.h"
#include "pardup/index/merge.h"
#include "pardup/index/sets.h"
#include "pardup/join/similarity.h"

enum { DOCUMENTS = 6, UNITS = 5, NAMES = 40, LOOKS = 60, PLACES = 50, MADE_WITH_SETS = 1 };

struct tail {
    uint64_t nblocks, nsections, checksum;
    char magic[8];
};

struct entry {
    char name[16];
    uint64_t at, n;
};

static const char *scratch_path(const char *name)
{
    static char paths[4][64];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "/tmp/fuzz-index-%d-%s", (int)getpid(), name);
    return path;
}

/* ---- the segment ---- */

static void add_documents(struct pd_segment_writer *w)
{
    static const unsigned char text[] =
        "Rain fell. It fell for days. Nobody knew why. It did. Yes.";
    struct pd_sentences bounds = {0};
    struct pd_bytes packed = {0};
    for (uint32_t k = 0; k < UNITS; k++)
        pd_sentences_push(&bounds, (struct pd_sentence){.begin = 11 * k, .end = 11 * k + 9});
    for (uint64_t k = 0; k < DOCUMENTS; k++) {
        struct pd_indexed doc = {.id = "document",
                                 .id_n = 8,
                                 .file = k % 2,
                                 .sentences = UNITS,
                                 .words = UNITS,
                                 .text_bytes = sizeof text - 1,
                                 .host = k / 2};
        packed.n = 0;
        pd_indexed_pack(&doc, &bounds, text, &packed);
        pd_indexed_unpack(packed.v, packed.n, true, &doc);
        PD_CHECK(pd_segment_add_document(w, &doc) == PD_OK);
    }
    for (int k = 0; k < 2; k++)
        PD_CHECK(pd_segment_add_file(w, k ? "folder/file" : "folder/other", 9) == PD_OK);
    pd_sentences_release(&bounds);
    pd_bytes_release(&packed);
}

static void add_names(struct pd_segment_writer *w, bool sets)
{
    PD_CHECK(pd_segment_names(w, NAMES * UNITS) == PD_OK);
    for (uint64_t k = 1; k <= NAMES; k++) {
        const pd_sig name = pd_segment_name_of(k * (UINT64_MAX / (NAMES + 1)), PD_SEGMENT_NAME);
        const pd_sig set[] = {k, k + 1, k + 100};
        for (uint64_t i = 0; i < (k % 8 ? 1 + k % 3 : DOCUMENTS * UNITS); i++)
            PD_CHECK(pd_segment_add_name(w, name, i / UNITS, (uint32_t)(i % UNITS)) == PD_OK);
        if (sets)
            PD_CHECK(pd_segment_add_set(w, 1 + k % 3, set, sizeof set / sizeof *set) == PD_OK);
        else if (k % 10 == 0)
            PD_CHECK(pd_segment_add_common(w, name, 9) == PD_OK);
    }
    PD_CHECK(pd_segment_add_aside(w, 77) == PD_OK);
}

static struct pd_sets_making sets_how(const char *path)
{
    return (struct pd_sets_making){
        .tau = 0.5, .smallest = pd_similarity_smallest, .memory = 1 << 16, .scratch = path};
}

/* The bytes of a real segment, made once. */
static const struct pd_bytes *real_segment(bool sets)
{
    static struct pd_bytes made[2];
    struct pd_bytes *b = &made[sets];
    struct pd_segment_counts counts;
    uint64_t checksum;
    if (b->n)
        return b;
    const char *path = scratch_path("real");
    const struct pd_segment_making how = {
        .memory = 1 << 16, .scratch = scratch_path("tables"), .name_bits = PD_SEGMENT_NAME};
    const struct pd_sets_making with = sets_how(scratch_path("sets"));
    struct pd_segment_writer *w = pd_segment_create(path, true, &how);
    PD_CHECK(w);
    if (sets)
        pd_segment_keep_sets(w, &with);
    add_documents(w);
    add_names(w, sets);
    PD_CHECK(pd_segment_finish(w, &counts, &checksum) == PD_OK);
    PD_CHECK(pd_read_regular(path, b) == PD_OK);
    unlink(path);
    return b;
}

/* ---- the changes ---- */

/* Make the checksums anew, so that the changes are what a stranger has written. */
static void mend(unsigned char *v, size_t n, size_t body)
{
    struct tail tail;
    memcpy(&tail, v + n - sizeof tail, sizeof tail);
    uint64_t *sums = (uint64_t *)(void *)(v + body);
    for (uint64_t k = 0; k < tail.nblocks; k++) {
        const size_t at = k * PD_SECTIONS_BLOCK, left = body - at;
        sums[k] = pd_hash_bytes(v + at, left < PD_SECTIONS_BLOCK ? left : PD_SECTIONS_BLOCK);
    }
    const uint64_t parts[] = {
        pd_hash_bytes(sums, tail.nblocks * sizeof *sums),
        pd_hash_bytes(sums + tail.nblocks, tail.nsections * sizeof(struct entry)), tail.nblocks,
        tail.nsections};
    tail.checksum = pd_hash_bytes(parts, sizeof parts);
    memcpy(v + n - sizeof tail, &tail, sizeof tail);
}

/* Change the numbers, the table of sections, or anything. */
static void change(struct pd_bytes *b, unsigned where, const unsigned char *data, size_t n)
{
    struct tail tail;
    memcpy(&tail, b->v + b->n - sizeof tail, sizeof tail);
    const size_t table = tail.nsections * sizeof(struct entry), sums = tail.nblocks * 8;
    const size_t body = b->n - sizeof tail - table - sums;
    const struct entry *e = (const struct entry *)(const void *)(b->v + body + sums);
    for (uint64_t k = 0; k < tail.nsections && where == 1; k++)
        if (strcmp(e[k].name, "numbers") == 0)
            fuzz_change(b->v + e[k].at, e[k].n, data, n);
    if (where == 2)
        fuzz_change(b->v + body + sums, table, data, n);
    else if (where != 1)
        fuzz_change(b->v + 16, body - 16, data, n);
    mend(b->v, b->n, body);
}

/* ---- reading ---- */

static void look_up(const struct pd_segment *s, pd_sig sig)
{
    struct pd_places found;
    struct pd_place place;
    struct pd_indexed doc;
    pd_sig name;
    pd_segment_expect(s, sig);
    int status = pd_segment_find(s, sig, &found);
    if (status == PD_OK)
        (void)pd_segment_name(s, found.name, &name);
    for (int k = 0; k < PLACES && status == PD_OK; k++) {
        status = pd_places_next(&found, &place);
        if (status == PD_OK && place.kind != PD_PLACE_COMMON)
            PD_CHECK(place.doc - s->base < s->counts.documents);
        if (status == PD_OK && place.kind == PD_PLACE_UNIT &&
            pd_segment_document(s, place.doc, &doc) >= 0)
            PD_CHECK(place.unit < doc.nunits);
    }
    pd_error_clear();
}

static void read_names(struct pd_segment *s)
{
    struct pd_names_cursor c = {.segment = s};
    struct pd_place place;
    pd_sig sig = 0, last = 0;
    uint64_t name;
    for (int k = 0; k < 4 * LOOKS && pd_segment_next(&c, &sig, &place) == PD_OK; k++) {
        PD_CHECK(sig >= last);
        last = sig;
        look_up(s, sig);
    }
    for (uint64_t k = 1; k < LOOKS; k++) {
        look_up(s, pd_mix(k));
        (void)pd_segment_name(s, k, &sig);
        if (k < pd_segment_asides(s))
            (void)pd_segment_aside(s, k, &name);
        pd_error_clear();
    }
}

static void read_document(const struct pd_segment *s, uint64_t k, struct pd_unpacker *u)
{
    struct pd_indexed doc;
    struct pd_bytes id = {0}, text = {0};
    struct pd_sentences units = {0};
    if (pd_segment_document(s, s->base + k, &doc) >= 0) {
        pd_indexed_id(&doc, &id);
        PD_CHECK(id.n <= s->counts.longest_id && doc.sentences <= doc.text_bytes);
        if (pd_indexed_bounds(&doc, &units))
            PD_CHECK(units.n == doc.nunits);
        for (size_t j = 0; j < units.n; j++)
            PD_CHECK(units.v[j].begin <= units.v[j].end);
        if (pd_indexed_text(&doc, u, &text))
            PD_CHECK(text.n == doc.text_bytes);
        bool *flags = pd_zeroed(doc.sentences + 1, sizeof *flags);
        (void)pd_indexed_unpack_flags(&doc.frame, flags, doc.sentences);
        (void)pd_indexed_unpack_flags(&doc.asides, flags, doc.sentences);
        free(flags);
    }
    pd_error_clear();
    pd_bytes_release(&id);
    pd_bytes_release(&text);
    pd_sentences_release(&units);
}

static void read_sets(const struct pd_segment *s)
{
    struct pd_u64s out = {0};
    for (uint64_t k = 0; k < s->counts.keys && k < LOOKS; k++) {
        struct pd_set_list list;
        uint64_t documents, key;
        (void)pd_sets_documents(s, k, &documents);
        if (pd_sets_list(s, k, &list) == PD_OK)
            for (int n = 0; n < PLACES && pd_set_list_next(&list); n++) {
                const uint64_t keys[] = {0, 1, 2, 3, k};
                struct pd_kept_set set, same;
                uint32_t common;
                out.n = 0;
                if (pd_sets_at(s, list.set, &set) < 0)
                    continue;
                (void)pd_kept_set_common(&set, keys, 5, &common);
                (void)pd_sets_of(s, set.name, &same);
                if (pd_sets_signatures(s, &set, &out) >= 0 && out.n)
                    (void)pd_sets_key(s, out.v[0], &key);
            }
        pd_error_clear();
    }
    pd_u64s_release(&out);
}

static void merge(const struct pd_segment *s)
{
    struct pd_segment_counts counts;
    uint64_t sum;
    const struct pd_sets_making with = sets_how(scratch_path("sets"));
    const struct pd_merging how = {
        .segments = s,
        .n = 1,
        .max_df = 3,
        .keep_first = true,
        .sets = s->counts.with_sets ? &with : NULL,
        .tables = {.memory = 1 << 16, .scratch = scratch_path("tables")}};
    const char *path = scratch_path("merged");
    if (pd_segments_merge(&how, path, &counts, &sum) >= 0)
        PD_CHECK(counts.documents == s->counts.documents);
    unlink(path);
    pd_error_clear();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    unsigned char how;
    struct pd_bytes b = {0}, path = {0};
    struct pd_segment s = {.base = 0};
    struct pd_unpacker u = {0};
    fuzz_settings(data, &n, &how, sizeof how);
    const struct pd_bytes *real = real_segment(how & MADE_WITH_SETS);
    pd_bytes_append(&b, real->v, real->n);
    change(&b, how >> 1 & 3, data, n);
    pd_error_clear();
    if (pd_segment_open(&s, fuzz_file(b.v, b.n)) >= 0) {
        read_names(&s);
        for (uint64_t k = 0; k < s.counts.documents && k < LOOKS; k++)
            read_document(&s, k, &u);
        for (uint64_t k = 0, bytes; k < s.counts.files && k < LOOKS; k++)
            if (pd_segment_file(&s, k, &path, &bytes) >= 0)
                PD_CHECK(strlen((char *)path.v) + 1 == path.n);
        if (s.counts.with_sets)
            read_sets(&s);
        merge(&s);
    }
    pd_error_clear();
    pd_segment_close(&s);
    pd_unpacker_release(&u);
    pd_bytes_release(&b);
    pd_bytes_release(&path);
    return 0;
}

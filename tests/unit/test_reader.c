/*
 * tests/unit/test_reader.c - any packing, any cut, any damage: each document once, in order.
 *
 * A "cut" reads the file in pieces of some bytes, as several ranks would (see_cut() in
 * pd_records.h). The same documents must come, in the same order, with the same counts, as from the
 * whole file (see_bytes()).
 */
#include "pardup/corpus/reader.h"

#include "pd_cunit.h"
#include "pd_records.h"

enum { NRECORDS = 40, LARGE_BODY = 300000 };

typedef void packer(struct pd_bytes *out, const void *v, size_t n);

/* A small collection as WARC and as JSON lines. Every fifth record of the WARC is no document. */
static struct pd_bytes warc, jsonl;
static size_t starts[NRECORDS + 1]; /* where the records of warc start, and its end */
static size_t contents[NRECORDS];   /* where their contents end, before the line ends behind */
static size_t lines[NRECORDS + 1];  /* where the lines of jsonl start, and its end */

/* n bytes that look like HTML, and now and then like the start of a WARC record. */
static void make_body(struct pd_bytes *body, size_t n, uint64_t *seed)
{
    static const char *const words[] = {"<p>", "copy ", "of\n", "a ", "page\r\n\r\n", "WARC/ "};
    body->n = 0;
    while (body->n < n)
        put(body, "%s%x", words[noise(seed) % 6], noise(seed));
    body->n = n;
}

static void make_collection(void)
{
    struct pd_bytes body = {0};
    uint64_t seed = 1;
    for (int k = 0; k < NRECORDS; k++) {
        char id[24];
        snprintf(id, sizeof id, "doc-%d", k);
        starts[k] = warc.n;
        lines[k] = jsonl.n;
        make_body(&body, k == 20 ? 9000 : noise(&seed) % 700, &seed);
        if (k % 5 == 4)
            put_record(&warc, "request", id, "Content-Type: application/http\r\n", body.v, body.n);
        else
            put_page(&warc, id, HTML, body.v, body.n);
        contents[k] = warc.n - 4;
        put(&jsonl, "{\"id\": \"%s\", \"text\": \"%0*d\"}\n", id, (int)(noise(&seed) % 300), k);
    }
    starts[NRECORDS] = warc.n;
    lines[NRECORDS] = jsonl.n;
    pd_bytes_release(&body);
}

/* Pack `each` records into each member; `at`: where records start. */
static void pack_records(struct pd_bytes *out, const struct pd_bytes *v, const size_t *at, int each,
                         packer *pack)
{
    out->n = 0;
    for (int k = 0; k < NRECORDS; k += each)
        pack(out, v->v + at[k], at[k + each] - at[k]);
}

/* Pack each `each` bytes into a member, so that records cross members. */
static void pack_anywhere(struct pd_bytes *out, const struct pd_bytes *v, size_t each, packer *pack)
{
    out->n = 0;
    for (size_t k = 0; k < v->n; k += each)
        pack(out, v->v + k, v->n - k < each ? v->n - k : each);
}

/* Every cut of the file yields the documents of `want`, and counts as much. */
static void check_cuts(const struct pd_bytes *packed, const struct seen *want)
{
    static const uint64_t steps[] = {0, 50, 97, 333, 1024, 4000, 20000};
    const char *path = scratch_write("file", packed->v, packed->n);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        struct seen got = see_cut(path, PD_FORMAT_AUTO, steps[k], 1);
        CU_ASSERT_EQUAL(got.status, PD_OK);
        CU_ASSERT(same_documents(&got, want));
        CU_ASSERT_EQUAL(got.skips.n, want->skips.n);
        CU_ASSERT_EQUAL(got.counts.documents, want->counts.documents);
        CU_ASSERT_EQUAL(got.counts.ignored, want->counts.ignored);
        CU_ASSERT_EQUAL(got.counts.decoded_bytes, want->counts.decoded_bytes);
        CU_ASSERT_EQUAL(got.counts.stored_bytes, packed->n);
        seen_release(&got);
    }
}

/* The file as it is, in members of whole records, and in members that cut records. */
static void check_packings(const struct pd_bytes *v, const size_t *at)
{
    static packer *const packers[] = {put_gzip, put_zstd};
    struct pd_bytes packed = {0};
    struct seen want = see_bytes(v->v, v->n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(want.counts.documents + want.counts.ignored, NRECORDS);
    CU_ASSERT_EQUAL(want.skips.n, 0);
    CU_ASSERT_EQUAL(want.counts.decoded_bytes, v->n);
    check_cuts(v, &want);
    for (int p = 0; p < 2; p++) {
        static const int each[] = {1, 4, NRECORDS};
        static const size_t anywhere[] = {777, 5000};
        for (size_t k = 0; k < 3; k++) {
            pack_records(&packed, v, at, each[k], packers[p]);
            check_cuts(&packed, &want);
        }
        for (size_t k = 0; k < 2; k++) {
            pack_anywhere(&packed, v, anywhere[k], packers[p]);
            check_cuts(&packed, &want);
        }
    }
    seen_release(&want);
    pd_bytes_release(&packed);
}

static void test_warc_in_any_packing_and_cut(void) { check_packings(&warc, starts); }

/* WARC records that lack the two line ends between them are read all the same. */
static void test_records_without_line_ends_between(void)
{
    struct pd_bytes v = {0};
    for (int k = 0; k < NRECORDS; k++)
        pd_bytes_append(&v, warc.v + starts[k], contents[k] - starts[k]);
    struct seen want = see_bytes(warc.v, warc.n, PD_FORMAT_AUTO);
    const char *path = scratch_write("file", v.v, v.n);
    for (uint64_t step = 40; step < 1000; step += 29) {
        struct seen got = see_cut(path, PD_FORMAT_AUTO, step, 1);
        CU_ASSERT(same_documents(&got, &want));
        CU_ASSERT_EQUAL(got.skips.n, 0);
        seen_release(&got);
    }
    seen_release(&want);
    pd_bytes_release(&v);
}

static void test_jsonl_in_any_packing_and_cut(void) { check_packings(&jsonl, lines); }

/* A byte order mark belongs to the first line, which is read without it. */
static void test_byte_order_mark_is_the_first_line_s(void)
{
    const char *marked = "\xef\xbb\xbf{\"text\": \"one\"}\n{\"text\": \"two\"}\n";
    struct seen seen = see_bytes(marked, strlen(marked), PD_FORMAT_JSONL);
    CU_ASSERT_EQUAL(seen.docs.n, 2);
    seen_release(&seen);
    CU_ASSERT_EQUAL(cuts_that_matter(marked, strlen(marked), PD_FORMAT_JSONL, 1), 0);
}

/* A line belongs to the piece in which it starts, even if the piece is a few bytes long. */
static void test_line_starts_decide(void)
{
    struct seen want = see_bytes(jsonl.v, jsonl.n, PD_FORMAT_AUTO);
    const char *path = scratch_write("file", jsonl.v, jsonl.n);
    for (uint64_t step = 1; step < 400; step += 13) {
        struct seen got = see_cut(path, PD_FORMAT_JSONL, step, 1);
        CU_ASSERT(same_documents(&got, &want));
        for (size_t k = 0; k < got.docs.n; k++) {
            const struct seen_doc *d = &got.docs.v[k];
            CU_ASSERT(d->offset >= d->piece_key && d->offset < d->piece_key + step);
        }
        seen_release(&got);
    }
    seen_release(&want);
}

/* ---- stripes ---- */

static int by_band(const void *pa, const void *pb)
{
    const struct seen_doc *a = pa, *b = pb;
    if (a->piece_key != b->piece_key)
        return a->piece_key < b->piece_key ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n); /* bodies grow within a file */
}

/*
 * A file of one member is shared out in bands of PD_STRIPE decoded bytes. Any number of stripes
 * reads each document once, and the piece key of a document is the number of its band. Garbage
 * behind the member is told once.
 */
static void test_stripes(void)
{
    enum { NPAGES = 60 };
    struct pd_bytes v = {0}, gz = {0}, body = {0};
    uint64_t seed = 3;
    for (int k = 0; k < NPAGES; k++) { /* 18 MB: five bands */
        char id[24];
        snprintf(id, sizeof id, "page-%d", k);
        make_body(&body, LARGE_BODY + (size_t)k, &seed);
        put_page(&v, id, HTML, body.v, body.n);
    }
    struct seen want = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    put_gzip(&gz, v.v, v.n);
    put(&gz, "garbage");
    const char *path = scratch_write("file", gz.v, gz.n);
    for (uint32_t nstripes = 1; nstripes <= 6; nstripes++) {
        struct seen got = see_cut(path, PD_FORMAT_AUTO, 0, nstripes);
        if (nstripes > 1) {
            for (size_t k = 1; k < got.docs.n && k < 5; k++)
                CU_ASSERT(got.docs.v[k].piece_key >= got.docs.v[k - 1].piece_key);
            qsort(got.docs.v, got.docs.n, sizeof *got.docs.v, by_band);
        }
        CU_ASSERT(same_documents(&got, &want));
        CU_ASSERT_EQUAL(got.counts.stored_bytes, gz.n);
        CU_ASSERT_EQUAL(got.counts.decoded_bytes, v.n);
        CU_ASSERT_EQUAL(got.skips.n, 1);
        CU_ASSERT_EQUAL(got.counts.skipped[PD_SKIP_GARBAGE], 1);
        for (size_t k = 0; nstripes > 1 && k < got.docs.n; k++)
            CU_ASSERT_EQUAL(got.docs.v[k].piece_key, got.docs.v[k].skip / PD_STRIPE);
        seen_release(&got);
    }
    seen_release(&want);
    pd_bytes_release(&v);
    pd_bytes_release(&gz);
    pd_bytes_release(&body);
}

/* ---- places ---- */

/*
 * Every document is found again by its place, last one first; a place one byte on has none.
 *   whole_members  each document begins a member, or the file is plain: skip is 0
 */
static void check_fetch(const struct pd_bytes *packed, int whole_members)
{
    const char *path = scratch_write("file", packed->v, packed->n);
    const struct pd_file file = file_of(path);
    struct seen want = see(path, PD_FORMAT_AUTO);
    const struct pd_reader_options options = {0};
    struct pd_reader *r = pd_reader_new(&options);
    uint64_t end = 0;
    CU_ASSERT(want.docs.n > 20);
    for (size_t k = want.docs.n; k-- > 0;) {
        const struct seen_doc *d = &want.docs.v[k];
        struct pd_raw raw;
        CU_ASSERT_EQUAL(pd_reader_fetch(r, &file, d->offset, d->skip, &raw), PD_OK);
        CU_ASSERT_EQUAL(see_document(&raw).hash, d->hash);
        CU_ASSERT_EQUAL(raw.length, d->length);
        if (whole_members) { /* length is in stored bytes */
            CU_ASSERT_EQUAL(d->skip, 0);
            CU_ASSERT(end == 0 || d->offset + d->length <= end);
            end = d->offset;
        }
        CU_ASSERT_NOT_EQUAL(pd_reader_fetch(r, &file, d->offset, d->skip + 1, &raw), PD_OK);
    }
    CU_ASSERT_EQUAL(pd_reader_counts(r)->documents, 0);
    pd_reader_free(r);
    seen_release(&want);
}

static void test_fetch(void)
{
    struct pd_bytes packed = {0};
    check_fetch(&warc, 1);
    check_fetch(&jsonl, 1);
    pack_records(&packed, &warc, starts, 1, put_gzip);
    check_fetch(&packed, 1);
    pack_records(&packed, &warc, starts, NRECORDS, put_gzip);
    check_fetch(&packed, 0);
    pack_records(&packed, &warc, starts, 4, put_zstd);
    check_fetch(&packed, 0);
    pack_anywhere(&packed, &jsonl, 1000, put_gzip);
    check_fetch(&packed, 0);
    pd_bytes_release(&packed);
}

/* Files of two formats by turns, more than a reader keeps the formats of, and each of them twice. */
static void test_fetch_from_many_files(void)
{
    enum { FILES = 300 };
    const struct pd_reader_options options = {0};
    struct pd_reader *r = pd_reader_new(&options);
    for (int k = 0; k < 2 * FILES; k++) {
        char name[32], text[32], body[64];
        struct pd_raw raw;
        snprintf(name, sizeof name, "file-%d", k % FILES);
        snprintf(text, sizeof text, "the text %d", k % FILES);
        snprintf(body, sizeof body, k % 2 ? "%s" : "{\"text\": \"%s\"}\n", text);
        const struct pd_file file = file_of(scratch_write(name, body, strlen(body)));
        CU_ASSERT_EQUAL_FATAL(pd_reader_fetch(r, &file, 0, 0, &raw), PD_OK);
        CU_ASSERT(raw.n == strlen(text) && memcmp(raw.body, text, raw.n) == 0);
    }
    pd_reader_free(r);
}

/* Can the file be entered in the middle (split), or only shared out in stripes? */
static void check_probe(const struct pd_bytes *v, int want_split, int want_striped)
{
    const struct pd_file file = file_of(scratch_write("file", v->v, v->n));
    const struct pd_reader_options options = {0};
    struct pd_reader *r = pd_reader_new(&options);
    int split = -1, striped = -1;
    CU_ASSERT_EQUAL(pd_reader_probe(r, &file, &split, &striped), PD_OK);
    CU_ASSERT_EQUAL(split, want_split);
    CU_ASSERT_EQUAL(striped, want_striped);
    pd_reader_free(r);
}

static void test_probe(void)
{
    struct pd_bytes packed = {0}, page = {0};
    check_probe(&warc, 1, 0);
    check_probe(&jsonl, 1, 0);
    pack_records(&packed, &warc, starts, 1, put_gzip);
    check_probe(&packed, 1, 0);
    pack_records(&packed, &warc, starts, 4, put_zstd);
    check_probe(&packed, 1, 0);
    pack_records(&packed, &warc, starts, NRECORDS, put_gzip);
    check_probe(&packed, 0, 1);
    pack_records(&packed, &jsonl, lines, 1, put_gzip);
    check_probe(&packed, 0, 1);
    put(&page, "<html>");
    check_probe(&page, 0, 0);
    page.n = 0;
    check_probe(&page, 0, 0);
    pd_bytes_release(&packed);
    pd_bytes_release(&page);
}

/* ---- damage ---- */

/* Documents among the first records of warc. */
static size_t documents_before(size_t nrecords)
{
    size_t n = 0;
    for (size_t k = 0; k < nrecords; k++)
        n += k % 5 != 4;
    return n;
}

/* `got` is the first documents of `want`. */
static void check_prefix(const struct seen *got, const struct seen *want)
{
    CU_ASSERT(got->docs.n <= want->docs.n);
    for (size_t k = 0; k < got->docs.n && k < want->docs.n; k++)
        CU_ASSERT_EQUAL(got->docs.v[k].hash, want->docs.v[k].hash);
}

/* A plain WARC that ends early: whole records are documents, and the cut record is told. */
static void test_plain_warc_cut_short_anywhere(void)
{
    struct seen want = see_bytes(warc.v, warc.n, PD_FORMAT_WARC);
    size_t begun = 0, whole = 0;
    for (size_t cut = 1; cut < starts[7]; cut++) {
        struct seen got = see_bytes(warc.v, cut, PD_FORMAT_WARC);
        while (starts[begun] < cut)
            begun++;
        while (contents[whole] <= cut)
            whole++;
        check_prefix(&got, &want);
        CU_ASSERT_EQUAL(got.docs.n, documents_before(whole));
        CU_ASSERT_EQUAL(got.skips.n, begun - whole);
        CU_ASSERT_EQUAL(got.counts.skipped[PD_SKIP_TRUNCATED], begun - whole);
        if (got.skips.n == 1)
            CU_ASSERT_EQUAL(got.skips.v[0].offset, starts[whole]);
        seen_release(&got);
    }
    seen_release(&want);
}

/*
 * A packed WARC that ends early has a prefix of the documents, and one skip unless a member ends
 * there.
 *   ends  where the members end; nends 0: the file is one member
 */
static void check_packed_cuts(const struct pd_bytes *packed, const uint64_t *ends, size_t nends)
{
    struct seen want = see_bytes(warc.v, warc.n, PD_FORMAT_WARC);
    size_t whole = 0;
    for (size_t cut = 4; cut < packed->n && cut < 1200; cut++) {
        struct seen got = see_bytes(packed->v, cut, PD_FORMAT_WARC);
        while (whole < nends && ends[whole] <= cut)
            whole++;
        const int clean = whole > 0 && ends[whole - 1] == cut;
        check_prefix(&got, &want);
        CU_ASSERT_EQUAL(got.skips.n, !clean);
        CU_ASSERT_EQUAL(got.counts.skipped[PD_SKIP_TRUNCATED], !clean);
        CU_ASSERT(nends == 0 || got.docs.n >= documents_before(whole));
        seen_release(&got);
    }
    seen_release(&want);
}

static void test_packed_warc_cut_short_anywhere(void)
{
    static packer *const packers[] = {put_gzip, put_zstd};
    struct pd_bytes packed = {0};
    uint64_t ends[NRECORDS];
    for (int p = 0; p < 2; p++) {
        packed.n = 0;
        for (int k = 0; k < NRECORDS; k++) {
            packers[p](&packed, warc.v + starts[k], starts[k + 1] - starts[k]);
            ends[k] = packed.n;
        }
        check_packed_cuts(&packed, ends, NRECORDS);
        pack_records(&packed, &warc, starts, NRECORDS, packers[p]);
        check_packed_cuts(&packed, NULL, 0);
    }
    pd_bytes_release(&packed);
}

/* One damaged byte costs at most its record, and costs it whatever the cut. */
static void test_damaged_member(void)
{
    struct pd_bytes gz = {0};
    struct seen want = see_bytes(warc.v, warc.n, PD_FORMAT_WARC);
    uint64_t seed = 11;
    pack_records(&gz, &warc, starts, 1, put_gzip);
    for (int k = 0; k < 150; k++) {
        const size_t at = noise(&seed) % gz.n;
        const unsigned char was = gz.v[at];
        gz.v[at] ^= (unsigned char)(1u << noise(&seed) % 8);
        const char *path = scratch_write("file", gz.v, gz.n);
        struct seen got = see(path, PD_FORMAT_WARC);
        struct seen cut = see_cut(path, PD_FORMAT_WARC, 600, 1);
        gz.v[at] = was;
        CU_ASSERT(got.docs.n + 1 >= want.docs.n);
        CU_ASSERT(got.counts.documents + got.counts.ignored + got.skips.n >= NRECORDS);
        CU_ASSERT(got.skips.n <= 1);
        CU_ASSERT(same_documents(&cut, &got));
        CU_ASSERT_EQUAL(cut.skips.n, got.skips.n);
        CU_ASSERT_EQUAL(cut.counts.stored_bytes, gz.n);
        seen_release(&got);
        seen_release(&cut);
    }
    seen_release(&want);
    pd_bytes_release(&gz);
}

/* Neighbours that are damaged both: who begins behind the first tells the same of the second. */
static void test_damaged_neighbours(void)
{
    struct pd_bytes gz = {0};
    size_t ends[6] = {0};
    for (int k = 0; k < 5; k++) {
        put_gzip(&gz, warc.v + starts[k], starts[k + 1] - starts[k]);
        ends[k + 1] = gz.n;
    }
    for (size_t back = 1; back < 40; back += 9) {
        for (size_t k = 2; k < 4; k++)
            gz.v[ends[k] - back] ^= 1;
        CU_ASSERT_EQUAL(cuts_that_matter(gz.v, gz.n, PD_FORMAT_WARC, 1), 0);
        CU_ASSERT_EQUAL(cuts_that_matter(gz.v, ends[4] - back, PD_FORMAT_WARC, 1), 0);
        for (size_t k = 2; k < 4; k++)
            gz.v[ends[k] - back] ^= 1;
    }
    pd_bytes_release(&gz);
}

/* Overwrite v[from, from + n): with zeros, with noise, or with text. */
static void overwrite(struct pd_bytes *v, size_t from, size_t n, int how, uint64_t *seed)
{
    static const char text[] = "something else that was written here by mistake\n";
    for (size_t k = 0; k < n; k++)
        v->v[from + k] = how == 0   ? 0
                         : how == 1 ? (unsigned char)noise(seed)
                                    : (unsigned char)text[k % (sizeof text - 1)];
}

/* Damage that covers the beginnings of records is no repair: it is told, with its bytes. */
static void test_damage_over_many_records(void)
{
    enum { NPAGES = 40, BODY = 20000, DAMAGE = 200000 };
    struct pd_bytes body = {0};
    uint64_t seed = 9;
    for (int how = 0; how < 3; how++)
        for (size_t into = 0; into < 3; into++) { /* header, middle, end of the content */
            struct pd_bytes v = {0};
            size_t hit = 0;
            for (int k = 0; k < NPAGES; k++) {
                make_body(&body, BODY + noise(&seed) % 5000, &seed);
                hit = k == 10 ? v.n : hit;
                if (k == 10 && into == 2)
                    put_record(&v, "request", "x", "Content-Type: application/http\r\n", body.v,
                               body.n);
                else
                    put_page(&v, "page", HTML, body.v, body.n);
            }
            overwrite(&v, hit + 300 + into * 9000, DAMAGE, how, &seed);
            struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
            CU_ASSERT_EQUAL(seen.counts.repaired, 0);
            CU_ASSERT(seen.docs.n + seen.counts.ignored >= NPAGES - 12);
            CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
            CU_ASSERT_EQUAL(seen.skips.v[0].offset, hit);
            CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_LENGTH], 1);
            CU_ASSERT(strtoul(seen.skips.v[0].detail, NULL, 10) > DAMAGE);
            CU_ASSERT_EQUAL(cuts_that_matter(v.v, v.n, PD_FORMAT_WARC, 30011), 0);
            seen_release(&seen);
            pd_bytes_release(&v);
        }
    pd_bytes_release(&body);
}

/* A file that is cut, grows, or is written again while it is read is no longer what was planned. */
static void test_file_that_changes(void)
{
    const struct pd_reader_options options = {0};
    for (int how = 0; how < 5; how++) {
        const char *path = scratch_write("file", warc.v, warc.n);
        struct pd_files files = {0};
        CU_ASSERT_EQUAL_FATAL(pd_files_add(&files, path, NULL), PD_OK);
        const struct pd_piece piece = {.nstripes = 1, .to = files.v[0].bytes};
        struct pd_reader *r = pd_reader_new(&options);
        struct pd_raw raw;
        CU_ASSERT_EQUAL(pd_reader_open(r, &files.v[0], &piece), PD_OK);
        CU_ASSERT_EQUAL(pd_reader_next(r, &raw), PD_OK);
        CU_ASSERT_EQUAL(pd_reader_check(r), PD_OK);
        if (how < 3) /* shorter, as long, or longer */
            PD_CHECK(truncate(path, (off_t)(warc.n - 1 + (size_t)how)) == 0);
        if (how == 1)
            files.v[0].changed -= 2;
        if (how == 3)
            files.v[0].changed = 0; /* the time is not known, and the size is the same */
        while (pd_reader_next(r, &raw) == PD_OK)
            continue;
        CU_ASSERT_EQUAL(pd_reader_check(r), how < 3 ? PD_EIO : PD_OK);
        if (how < 3)
            CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "file: has changed while it was read"));
        pd_error_clear();
        pd_reader_free(r);
        pd_files_free(&files);
    }
}

/* Files that are set aside, or end early, count as read. */
static void test_stored_bytes_of_lost_files(void)
{
    static const char *const foreign[] = {"BZh91AY&SY", "PK\x03\x04 and so on"};
    for (size_t k = 0; k < 2; k++) {
        struct seen seen = see_bytes(foreign[k], strlen(foreign[k]), PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.skips.n, 1);
        CU_ASSERT_EQUAL(seen.counts.stored_bytes, strlen(foreign[k]));
        seen_release(&seen);
    }
    struct pd_bytes gz = {0};
    put_gzip(&gz, "one text", 8);
    gz.v[gz.n - 6] ^= 1;
    put_gzip(&gz, "another", 7);
    struct seen seen = see_bytes(gz.v, gz.n, PD_FORMAT_TEXT);
    CU_ASSERT_EQUAL(seen.docs.n, 0);
    CU_ASSERT_EQUAL(seen.counts.stored_bytes, gz.n);
    seen_release(&seen);
    pd_bytes_release(&gz);
}

/* What comes before the first record of a file is the first piece's: here a member of no bytes. */
static void test_stored_bytes_of_empty_member(void)
{
    static const char reuters[] = "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n"
                                  "<REUTERS NEWID=\"1\"><TEXT>A text.</TEXT></REUTERS>\n";
    struct pd_bytes gz = {0};
    put_gzip(&gz, "", 0);
    put_gzip(&gz, reuters, strlen(reuters));
    struct seen seen = see_bytes(gz.v, gz.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.counts.stored_bytes, gz.n);
    seen_release(&seen);
    pd_bytes_release(&gz);
}

/* A damaged header costs at most its record and the next one, whatever the cut. */
static void test_damaged_plain_file(void)
{
    struct pd_bytes v = {0};
    struct seen want = see_bytes(warc.v, warc.n, PD_FORMAT_WARC);
    uint64_t seed = 12;
    for (int k = 0; k < 150; k++) {
        v.n = 0;
        pd_bytes_append(&v, warc.v, warc.n);
        const size_t record = noise(&seed) % NRECORDS;
        v.v[starts[record] + noise(&seed) % 200] = "X9\n\r: W"[noise(&seed) % 7];
        const char *path = scratch_write("file", v.v, v.n);
        struct seen got = see(path, PD_FORMAT_WARC), cut = see_cut(path, PD_FORMAT_WARC, 700, 1);
        CU_ASSERT(got.docs.n + 2 >= want.docs.n);
        CU_ASSERT(same_documents(&cut, &got));
        CU_ASSERT_EQUAL(cut.skips.n, got.skips.n);
        CU_ASSERT_EQUAL(cut.counts.repaired, got.counts.repaired);
        CU_ASSERT_EQUAL(cut.counts.stored_bytes, v.n);
        seen_release(&got);
        seen_release(&cut);
    }
    seen_release(&want);
    pd_bytes_release(&v);
}

/* Bytes that are no record, packed or not, are told once each; the records around them are read. */
static void test_garbage_member_in_the_middle(void)
{
    struct pd_bytes gz = {0};
    put_gzip(&gz, warc.v, starts[3]);
    put_gzip(&gz, "no line end and no record", 25);
    put_gzip(&gz, warc.v + starts[3], starts[6] - starts[3]);
    put(&gz, "not even packed");
    put_gzip(&gz, warc.v + starts[6], warc.n - starts[6]);
    struct seen want = see_bytes(warc.v, warc.n, PD_FORMAT_WARC);
    const char *path = scratch_write("file", gz.v, gz.n);
    for (uint64_t step = 0; step < gz.n; step += 211) {
        struct seen got = see_cut(path, PD_FORMAT_WARC, step, 1);
        CU_ASSERT(same_documents(&got, &want));
        CU_ASSERT_EQUAL(got.counts.skipped[PD_SKIP_GARBAGE], 2);
        CU_ASSERT_EQUAL(got.skips.n, 2);
        seen_release(&got);
    }
    seen_release(&want);
    pd_bytes_release(&gz);
}

/* ---- large records, errors ---- */

/* A record that is larger than all buffers is read whole, plain and packed. */
static void test_large_record(void)
{
    enum { LARGE = 20 << 20 };
    struct pd_bytes v = {0}, gz = {0}, body = {0};
    uint64_t seed = 9;
    make_body(&body, LARGE, &seed);
    put_page(&v, "before", HTML, "x", 1);
    put_page(&v, "large", HTML, body.v, body.n);
    put_page(&v, "after", HTML, "y", 1);
    struct seen plain = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(plain.docs.n, 3);
    CU_ASSERT_EQUAL(plain.docs.v[1].n, LARGE);
    put_gzip(&gz, v.v, v.n);
    struct seen packed = see_bytes(gz.v, gz.n, PD_FORMAT_AUTO);
    CU_ASSERT(same_documents(&plain, &packed));
    seen_release(&plain);
    seen_release(&packed);
    pd_bytes_release(&v);
    pd_bytes_release(&gz);
    pd_bytes_release(&body);
}

/* Opening, reading and probing the file fail, with its name and the reason. */
static void check_error(const char *path, uint64_t bytes, const char *why)
{
    const struct pd_file file = {(char *)(uintptr_t)path, bytes, 0};
    const struct pd_piece piece = {.to = bytes};
    const struct pd_reader_options options = {0};
    struct pd_reader *r = pd_reader_new(&options);
    struct pd_raw raw;
    int status = pd_reader_open(r, &file, &piece), split, striped;
    if (status == PD_OK)
        status = pd_reader_next(r, &raw);
    CU_ASSERT_EQUAL(status, PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), why));
    CU_ASSERT_EQUAL(pd_reader_probe(r, &file, &split, &striped), PD_EIO);
    pd_error_clear();
    pd_reader_free(r);
}

static void test_errors_name_the_file(void)
{
    check_error(scratch_path("missing"), 10, "No such file");
    check_error(scratch_dir, 10, "Is a directory");
    if (geteuid() != 0) { /* root may read everything */
        const char *closed = scratch_write("closed", "x", 1);
        PD_CHECK(chmod(closed, 0) == 0);
        check_error(closed, 1, "Permission denied");
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_warc_in_any_packing_and_cut),
                                        PD_TEST(test_records_without_line_ends_between),
                                        PD_TEST(test_jsonl_in_any_packing_and_cut),
                                        PD_TEST(test_byte_order_mark_is_the_first_line_s),
                                        PD_TEST(test_line_starts_decide),
                                        PD_TEST(test_stripes),
                                        PD_TEST(test_fetch),
                                        PD_TEST(test_fetch_from_many_files),
                                        PD_TEST(test_probe),
                                        PD_TEST(test_plain_warc_cut_short_anywhere),
                                        PD_TEST(test_packed_warc_cut_short_anywhere),
                                        PD_TEST(test_damaged_member),
                                        PD_TEST(test_damaged_neighbours),
                                        PD_TEST(test_stored_bytes_of_lost_files),
                                        PD_TEST(test_damage_over_many_records),
                                        PD_TEST(test_file_that_changes),
                                        PD_TEST(test_stored_bytes_of_empty_member),
                                        PD_TEST(test_damaged_plain_file),
                                        PD_TEST(test_garbage_member_in_the_middle),
                                        PD_TEST(test_large_record),
                                        PD_TEST(test_errors_name_the_file),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    make_collection();
    const int failed = pd_run_tests(argc, argv, "reader", tests);
    pd_bytes_release(&warc);
    pd_bytes_release(&jsonl);
    return failed;
}

/*
 * tests/fuzz/fuzz_reader.c - a reader and a file of any bytes; FORMAT is an enum pd_format.
 *
 * Every document lies inside the file, in ascending order, and is found again at its place. Cut
 * into pieces, or striped, the file gives the same documents, skips and counts. All its bytes are
 * counted. JSON is the same to the parser alone. A copy of a Parquet file without a document has the
 * others.
 */
#include <inttypes.h>
#include <stdbool.h>

#include "corpus/inside.h"
#include "corpus/json/json_scan.h"
#include "fuzz.h"
#include "pardup/corpus/parquet_copier.h"
#include "pd_records.h"

enum {
    STRETCH = 1,             /* this byte and k: the byte before, k * STRETCH_BYTES times */
    MEMBER = 2,              /* this byte: a member or frame ends */
    STRETCH_BYTES = 256,     /* takes a few to get beyond the windows of the readers */
    FILE_MOST = 600 << 10,   /* bytes */
    DECODED_MOST = 16 << 20, /* bytes: what inflates to more is read once, or it takes too long */
    MEMBERS_MOST = 50,       /* they take long to pack */
    COPY_MOST = 4 << 20,     /* bytes of a copy that is looked at */
    LZW_BITS = 9
};

/* How the input becomes a file, and where it is cut. */
struct settings {
    unsigned char how;    /* HOW_ flags; the lowest bits: enum pd_compression, PD_PLAIN: as it is */
    unsigned char cut[2]; /* 256ths of the file */
    unsigned char place[2]; /* of the damage, likewise, in 65536ths */
};
enum {
    HOW_PACKED = 3,
    HOW_STRETCHED = 1 << 2, /* takes much time: when the highest bits are zero, and not for .Z */
    HOW_SELDOM = HOW_STRETCHED | 7 << 5,
    HOW_CHANGED = 1 << 3, /* a bit is another after packing */
    HOW_SHORT = 1 << 4    /* it ends early */
};

/* ---- files ---- */

static void stretch(const unsigned char *v, size_t n, struct pd_bytes *out)
{
    for (size_t k = 0; k < n && out->n < FILE_MOST; k++) {
        if (v[k] != STRETCH || k == 0 || k + 1 == n) {
            pd_bytes_push(out, v[k]);
            continue;
        }
        const size_t more = (size_t)v[++k] * STRETCH_BYTES;
        pd_bytes_reserve(out, out->n + more);
        memset(out->v + out->n, v[k - 2], more);
        out->n += more;
    }
}

/* As compress -b 9 might have done it, had it found no strings. */
static void put_lzw(struct pd_bytes *out, const unsigned char *v, size_t n)
{
    pd_bytes_append(out, "\x1f\x9d\x89", 3);
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t k = 0; k < n; k++) {
        bits |= (uint32_t)v[k] << held;
        for (held += LZW_BITS; held >= 8; held -= 8, bits >>= 8)
            pd_bytes_push(out, (unsigned char)bits);
    }
    if (held > 0)
        pd_bytes_push(out, (unsigned char)bits);
}

static void pack(const unsigned char *v, size_t n, enum pd_compression packing,
                 struct pd_bytes *out)
{
    size_t members = 0;
    for (size_t k = 0; k < n; members++) {
        const bool last = packing == PD_LZW || members == MEMBERS_MOST;
        const unsigned char *border = last ? NULL : memchr(v + k, MEMBER, n - k);
        const size_t end = border ? (size_t)(border - v) : n;
        if (packing == PD_GZIP)
            put_gzip(out, v + k, end - k);
        else if (packing == PD_ZSTD)
            put_zstd(out, v + k, end - k);
        else
            put_lzw(out, v + k, end - k);
        k = end + 1;
    }
}

static void make_file(const unsigned char *v, size_t n, const struct settings *how,
                      struct pd_bytes *file)
{
    struct pd_bytes plain = {0};
    if ((how->how & HOW_SELDOM) == HOW_STRETCHED && (how->how & HOW_PACKED) != PD_LZW)
        stretch(v, n, &plain);
    else
        pd_bytes_append(&plain, v, n);
    if (how->how & HOW_PACKED)
        pack(plain.v, plain.n, how->how & HOW_PACKED, file);
    else
        pd_bytes_append(file, plain.v, plain.n);
    pd_bytes_release(&plain);
    const size_t place = file->n * (how->place[0] | (size_t)how->place[1] << 8) >> 16;
    if (how->how & HOW_CHANGED && file->n > 0)
        file->v[place] ^= (unsigned char)(1 << how->place[0] % 8);
    if (how->how & HOW_SHORT)
        file->n = place;
}

/* ---- what must hold ---- */

PD_VEC(places, uint64_t);
static struct places marks; /* decoded bytes before each place where a record was looked for, */
static size_t nmarks;       /* and how many of them are the whole file's */

void __real_pd_reader_mark(struct pd_reader *r); /* the linker's names */
void __wrap_pd_reader_mark(struct pd_reader *r);
void __wrap_pd_reader_mark(struct pd_reader *r)
{
    __real_pd_reader_mark(r);
    places_push(&marks, r->begun);
}

static bool parser_only; /* JSON lines: the pass of corpus/json/json_scan.h leaves every line */

bool __real_pd_json_scan(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                         size_t commas, struct pd_json_value *values); /* the linker's names */
bool __wrap_pd_json_scan(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                         size_t commas, struct pd_json_value *values);
bool __wrap_pd_json_scan(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                         size_t commas, struct pd_json_value *values)
{
    return !parser_only && __real_pd_json_scan(s, n, names, nnames, commas, values);
}

static bool is_marked(uint64_t decoded)
{
    size_t k = 0;
    while (k < nmarks && marks.v[k] != decoded)
        k++;
    return k < nmarks;
}

/*
 * Does a record of the whole file hold what looks like the start of one? A piece that begins in
 * between cannot know better: the known limit of formats that tell lengths.
 */
static bool hides_records(const struct pd_reader *r, const struct pd_file *file)
{
    const struct pd_layout *l = r->layout;
    if (l != &pd_layout_warc && l != &pd_layout_arc)
        return false;
    struct pd_stream *stream = pd_stream_new();
    bool hidden = false;
    int status = pd_stream_open(stream, file->path, 0);
    do {
        const unsigned char *s;
        size_t n;
        status = pd_stream_peek(stream, DECODED_MOST, &s, &n);
        const uint64_t at = pd_stream_decoded(stream);
        for (size_t k = 0; k < n && !hidden; k++) {
            const enum pd_start start = l->starts(s + k, n - k);
            hidden = (k == 0 || s[k - 1] == '\n' || pd_stream_boundary(stream, k)) &&
                     (start == PD_START_YES || (start == PD_START_CUT && status == PD_EFORMAT)) &&
                     !is_marked(at + k);
        }
    } while (status == PD_EFORMAT && pd_stream_recover(stream) == PD_OK);
    pd_stream_free(stream);
    return hidden;
}

static void print_reading(const char *title, const struct seen *seen)
{
    fprintf(stderr, "%s: %" PRIu64 " ignored, %" PRIu64 " repaired, %" PRIu64 " stored bytes\n",
            title, seen->counts.ignored, seen->counts.repaired, seen->counts.stored_bytes);
    for (size_t k = 0; k < seen->docs.n; k++)
        fprintf(stderr,
                "  document at %" PRIu64 "+%" PRIu64 ", %" PRIu64 " bytes, hash %" PRIx64 "\n",
                seen->docs.v[k].offset, seen->docs.v[k].skip, seen->docs.v[k].length,
                seen->docs.v[k].hash);
    for (size_t k = 0; k < seen->skips.n; k++)
        fprintf(stderr, "  skip at %" PRIu64 "+%" PRIu64 ": %s, %s\n", seen->skips.v[k].offset,
                seen->skips.v[k].skip, pd_skip_name(seen->skips.v[k].why), seen->skips.v[k].detail);
}

static void check_documents(const struct seen *seen, const struct pd_file *file)
{
    PD_CHECK(seen->status == PD_OK);
    PD_CHECK(seen->counts.documents == seen->docs.n);
    if (seen->counts.stored_bytes != file->bytes)
        print_reading("stored bytes", seen);
    PD_CHECK(seen->counts.stored_bytes == file->bytes);
    for (size_t k = 0; k < seen->docs.n; k++) {
        const struct seen_doc *d = &seen->docs.v[k], *before = d - 1;
        PD_CHECK(d->offset < file->bytes || d->n == 0);
        PD_CHECK(k == 0 || d->offset > before->offset ||
                 (d->offset == before->offset && d->skip > before->skip));
    }
}

static void check_fetch(struct pd_reader *r, const struct seen *seen, const struct pd_file *file)
{
    struct pd_raw raw;
    for (size_t k = 0; k < seen->docs.n; k++) {
        const struct seen_doc *d = &seen->docs.v[k];
        PD_CHECK(pd_reader_fetch(r, file, d->offset, d->skip, &raw) == PD_OK);
        PD_CHECK(see_document(&raw).hash == d->hash);
    }
}

static struct seen *seeing; /* what the reader tells is for this */

static void see_next_skip(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip,
                          const char *detail)
{
    (void)ctx;
    see_skip(seeing, why, offset, skip, detail);
}

/* Read the file in up to three pieces that meet at a and b, a <= b, each in so many stripes. */
static struct seen read_pieces(struct pd_reader *r, const struct pd_file *file, uint64_t a,
                               uint64_t b, uint32_t nstripes)
{
    struct seen seen = {0};
    const uint64_t border[] = {0, a, b, file->bytes};
    const struct pd_reader_counts before = *pd_reader_counts(r);
    seeing = &seen;
    for (size_t k = 0; k < 3; k++)
        for (uint32_t s = 0; s < nstripes; s++)
            if (border[k] < border[k + 1] || (k == 0 && file->bytes == 0))
                see_piece(
                    &seen, r, file,
                    &(struct pd_piece){
                        .stripe = s, .nstripes = nstripes, .from = border[k], .to = border[k + 1]},
                    (k + s) % 2);
    seen.counts = *pd_reader_counts(r);
    seen.counts.documents -= before.documents;
    seen.counts.ignored -= before.ignored;
    seen.counts.repaired -= before.repaired;
    seen.counts.stored_bytes -= before.stored_bytes;
    seen.counts.decoded_bytes -= before.decoded_bytes;
    return seen;
}

static void check_pieces(struct pd_reader *r, const struct seen *want, const struct pd_file *file,
                         const struct settings *how)
{
    int splittable, striped;
    PD_CHECK(pd_reader_probe(r, file, &splittable, &striped) == PD_OK);
    PD_CHECK(!(splittable && striped));
    uint64_t a = file->bytes * how->cut[0] >> 8, b = file->bytes * how->cut[1] >> 8;
    if (!splittable || a > b)
        a = b = file->bytes;
    struct seen got = read_pieces(r, file, a, b, striped ? 2 : 1);
    if (!same_reading(&got, want) && !hides_records(r, file)) {
        fprintf(stderr, "cut at %" PRIu64 " and %" PRIu64 " of %" PRIu64 "\n", a, b, file->bytes);
        print_reading("whole", want);
        print_reading("pieces", &got);
        pd_panic("what a file holds depends on how it is cut");
    }
    seen_release(&got);
}

/* JSON holds the same documents when the parser reads all of it. */
static void check_parser(struct pd_reader *r, const struct seen *want, const struct pd_file *file)
{
    if (r->layout != &pd_layout_jsonl && r->layout != &pd_layout_json)
        return;
    parser_only = true;
    struct seen got = read_pieces(r, file, file->bytes, file->bytes, 1);
    parser_only = false;
    if (!same_reading(&got, want)) {
        print_reading("with the pass", want);
        print_reading("parser alone", &got);
        pd_panic("an object depends on who reads it");
    }
    seen_release(&got);
}

/* The text stays as it is. */
static int same_text(void *context, const struct pd_row_change *change, const unsigned char *text,
                     size_t n, struct pd_bytes *to)
{
    (void)context, (void)change;
    pd_bytes_append(to, text, n);
    return PD_OK;
}

/* Copy a Parquet file without its last document. Returns bytes of the copy; 0: it is refused. */
static size_t copy_rows(const struct pd_reader *r, const struct seen *seen,
                        const struct pd_file *file, char *copy, size_t room)
{
    const struct seen_doc *last = &seen->docs.v[seen->docs.n - 1];
    struct pd_row_change changes[2] = {{.row = last->skip, .gone = true}};
    size_t n = 1;
    if (seen->docs.n > 1 && last[-1].offset == last->offset) {
        changes[1] = changes[0];
        changes[n++ - 1] = (struct pd_row_change){.row = last[-1].skip};
    }
    const struct pd_parquet_plan plan = {UINT64_MAX, 1};
    struct pd_parquet_copier *c;
    FILE *to = fmemopen(copy, room, "w");
    PD_CHECK(to);
    int status = pd_parquet_copier_open(&c, r, file->path, to, plan);
    if (status >= 0)
        status = pd_parquet_copier_change(c, last->offset, changes, n, same_text, NULL);
    if (status >= 0)
        status = pd_parquet_copier_finish(c);
    const long made = ftell(to);
    pd_parquet_copier_close(c);
    pd_error_clear();
    return fclose(to) == 0 && status >= 0 && made > 0 ? (size_t)made : 0;
}

/* The copy of a Parquet file has its other documents. */
static void check_copy(const struct pd_reader *r, const struct seen *want,
                       const struct pd_file *file)
{
    static char copy[COPY_MOST];
    if (r->layout != &pd_layout_parquet || want->docs.n == 0)
        return;
    const size_t n = copy_rows(r, want, file, copy, sizeof copy);
    if (n == 0)
        return;
    const struct pd_reader_options options = {.format = FORMAT, .skipped = see_next_skip};
    const struct pd_file again = file_of(fuzz_file(copy, n));
    struct pd_reader *reader = pd_reader_new(&options);
    struct seen got = read_pieces(reader, &again, again.bytes, again.bytes, 1);
    PD_CHECK(got.docs.n == want->docs.n - 1);
    for (size_t k = 0; k < got.docs.n; k++)
        PD_CHECK(got.docs.v[k].body == want->docs.v[k].body);
    seen_release(&got);
    pd_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    const struct pd_reader_options options = {.format = FORMAT, .skipped = see_next_skip};
    struct settings how;
    struct pd_bytes bytes = {0};
    fuzz_settings(data, &n, &how, sizeof how);
    make_file(data, n, &how, &bytes);
    const struct pd_file file = file_of(fuzz_file(bytes.v, bytes.n));
    pd_bytes_release(&bytes);
    struct pd_reader *r = pd_reader_new(&options);
    marks.n = 0;
    struct seen seen = read_pieces(r, &file, file.bytes, file.bytes, 1);
    nmarks = marks.n;
    /* a Parquet file or a table without the column that is asked for ends a job */
    const bool columns = r->layout == &pd_layout_parquet || r->layout == &pd_layout_csv;
    const bool refused = columns && seen.status == PD_EIO;
    if (refused)
        pd_error_clear();
    else
        check_documents(&seen, &file);
    if (!refused && seen.counts.decoded_bytes <= DECODED_MOST) {
        check_parser(r, &seen, &file);
        check_fetch(r, &seen, &file);
        check_pieces(r, &seen, &file, &how);
        check_copy(r, &seen, &file);
    }
    seen_release(&seen);
    pd_reader_free(r);
    return 0;
}

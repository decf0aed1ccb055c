/* index/segment.c - see include/pardup/index/segment.h */
#include "pardup/index/segment.h"

#include <string.h>

#include "indexed.h"
#include "pardup/base/error.h"
#include "pardup/index/sets.h"

enum { READ_BITS = 57 }; /* most bits that can begin anywhere in 8 bytes */

/*
 * The file must have been opened, and the numbers read. How wide the numbers in the table of names
 * are: the bits of a name that the directory leaves, a place, an index of an entry.
 */
static void set_widths(struct pd_segment *s)
{
    const struct pd_segment_counts *c = &s->counts;
    s->rest_bits = (unsigned)(PD_SEGMENT_NAME - c->bits);
    s->place_bits = (unsigned)c->place_bits;
    s->document_bytes = pd_bytes_below(s->documents.n + 1);
    s->unit_bytes = pd_bytes_below(c->units + 1);
    s->start_bytes = pd_bytes_below(c->entries + 1);
}

static uint64_t buckets_of(const struct pd_segment *s) { return (uint64_t)1 << s->counts.bits; }

static unsigned entry_bits(const struct pd_segment *s) { return s->rest_bits + s->place_bits; }

static int broken(const struct pd_segment *s)
{
    return pd_fail(PD_EFORMAT, "%s: its tables contradict each other; make the index again",
                   s->file.path);
}

/* Is the section as long as the numbers say? */
static bool has_bytes(const struct pd_section *section, uint64_t n, uint64_t size)
{
    return n <= UINT64_MAX / 64 && section->n == n * size;
}

static int find_sections(struct pd_segment *s)
{
    const struct {
        const char *name;
        struct pd_section *section;
    } wanted[] = {{"names", &s->names},
                  {"directory", &s->directory},
                  {"documents", &s->documents},
                  {"starts", &s->starts},
                  {"units", &s->units},
                  {"files", &s->files},
                  {"file_starts", &s->file_starts},
                  {"common", &s->common}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        PD_TRY(pd_sections_find(&s->file, wanted[k].name, wanted[k].section));
    return PD_OK;
}

int pd_segment_open(struct pd_segment *s, const char *path)
{
    enum { BITS_MOST = 40 };
    struct pd_section numbers;
    PD_TRY(pd_sections_open(&s->file, path));
    PD_TRY(pd_sections_find(&s->file, "numbers", &numbers));
    if (numbers.n != sizeof s->counts)
        return broken(s);
    PD_TRY(pd_section_check(&numbers, 0, numbers.n));
    memcpy(&s->counts, numbers.v, sizeof s->counts);
    PD_TRY(find_sections(s));
    const struct pd_segment_counts *c = &s->counts;
    if (c->bits == 0 || c->bits > BITS_MOST || c->place_bits == 0 || c->place_bits > READ_BITS ||
        c->entries > UINT64_MAX >> 8)
        return broken(s);
    set_widths(s);
    if (c->with_sets)
        PD_TRY(pd_sets_open(s));
    return has_bytes(&s->names, (c->entries * entry_bits(s) + 7) / 8, 1) &&
                   has_bytes(&s->directory, buckets_of(s) + 1, s->start_bytes) &&
                   has_bytes(&s->starts, c->documents + 1, s->document_bytes) &&
                   has_bytes(&s->units, c->documents + 1, s->unit_bytes) &&
                   has_bytes(&s->file_starts, c->files + 1, sizeof(uint64_t)) &&
                   has_bytes(&s->common, c->common, sizeof(uint64_t))
               ? PD_OK
               : broken(s);
}

void pd_segment_close(struct pd_segment *s)
{
    pd_sections_close(&s->file);
    *s = (struct pd_segment){.base = 0};
}

/* ---- names ---- */

/* The first entry of a bucket; the caller has checked the directory there. */
static uint64_t start_of(const struct pd_segment *s, uint64_t bucket)
{
    return pd_packed_number(s->directory.v + bucket * s->start_bytes, s->start_bytes);
}

/* n <= READ_BITS bits from a bit of the section on, whose bytes are checked. */
static uint64_t bits_at(const struct pd_section *section, uint64_t bit, unsigned n)
{
    return pd_packed_number(section->v + bit / 8, sizeof(uint64_t)) >> bit % 8 &
           ((UINT64_C(1) << n) - 1);
}

/* The rest of the name of an entry, behind the bits of the directory. */
static uint64_t rest_at(const struct pd_segment *s, uint64_t entry)
{
    return bits_at(&s->names, entry * entry_bits(s), s->rest_bits);
}

/* The entries of a bucket, whose bytes are checked. */
static int bucket_at(const struct pd_segment *s, uint64_t bucket, struct pd_entries *range)
{
    PD_TRY(pd_section_check(&s->directory, bucket * s->start_bytes, 2 * s->start_bytes));
    *range = (struct pd_entries){start_of(s, bucket), start_of(s, bucket + 1)};
    if (range->from > range->to || range->to > s->counts.entries)
        return broken(s);
    const uint64_t from = range->from * entry_bits(s) / 8;
    return pd_section_check(&s->names, from, (range->to * entry_bits(s) + 7) / 8 - from);
}

static uint64_t rest_of(const struct pd_segment *s, pd_sig sig)
{
    return (sig & (UINT64_MAX >> s->counts.bits)) >> (64 - PD_SEGMENT_NAME);
}

int pd_segment_find(const struct pd_segment *s, pd_sig sig, struct pd_entries *found)
{
    const uint64_t rest = rest_of(s, sig);
    PD_TRY(bucket_at(s, sig >> (64 - s->counts.bits), found));
    uint64_t k = found->from;
    while (k < found->to && rest_at(s, k) < rest)
        k++;
    const uint64_t end = found->to;
    found->from = found->to = k;
    while (found->to < end && rest_at(s, found->to) == rest)
        found->to++;
    return PD_OK;
}

/* The name of an entry of a bucket. */
static pd_sig name_of(const struct pd_segment *s, uint64_t bucket, uint64_t entry)
{
    return bucket << (64 - s->counts.bits) | rest_at(s, entry) << (64 - PD_SEGMENT_NAME);
}

int pd_segment_name(const struct pd_segment *s, uint64_t entry, pd_sig *sig)
{
    uint64_t lo = 0, hi = buckets_of(s);
    struct pd_entries range;
    while (hi - lo > 1) { /* buckets [lo, hi) have the entry */
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(pd_section_check(&s->directory, mid * s->start_bytes, s->start_bytes));
        if (start_of(s, mid) <= entry)
            lo = mid;
        else
            hi = mid;
    }
    PD_TRY(bucket_at(s, lo, &range));
    if (entry < range.from || entry >= range.to)
        return broken(s);
    *sig = name_of(s, lo, entry);
    return PD_OK;
}

void pd_segment_expect(const struct pd_segment *s, pd_sig sig)
{
    const uint64_t bucket = sig >> (64 - s->counts.bits);
    __builtin_prefetch(s->directory.v + bucket * s->start_bytes);
    const uint64_t entry = (uint64_t)((unsigned __int128)sig * s->counts.entries >> 64);
    __builtin_prefetch(s->names.v + entry * entry_bits(s) / 8);
}

static uint64_t first_unit(const struct pd_segment *s, uint64_t doc)
{
    return pd_packed_number(s->units.v + doc * s->unit_bytes, s->unit_bytes);
}

/*
 * The document of unit number `unit` of the segment. Documents have about the same number of units,
 * so each step guesses how many documents lie between; after some steps the range is halved.
 */
static int document_of(const struct pd_segment *s, uint64_t unit, uint64_t *doc)
{
    enum { GUESSES = 8 };
    const uint64_t documents = s->counts.documents;
    const double each = (double)documents / (double)(s->counts.units + 1); /* documents a unit */
    uint64_t lo = 0, hi = documents, guess = (uint64_t)((double)unit * each);
    for (int step = 0; hi - lo > 1; step++) { /* units [first_unit(lo), first_unit(hi)) have it */
        const uint64_t mid = step >= GUESSES ? lo + (hi - lo) / 2
                             : guess <= lo   ? lo + 1
                             : guess >= hi   ? hi - 1
                                             : guess;
        PD_TRY(pd_section_check(&s->units, mid * s->unit_bytes, s->unit_bytes));
        const uint64_t first = first_unit(s, mid);
        if (first <= unit)
            lo = mid;
        else
            hi = mid;
        const uint64_t units = first <= unit ? unit - first : first - unit;
        const uint64_t between = (uint64_t)((double)units * each);
        guess = first <= unit ? mid + between + 1 : between < mid ? mid - between : 0;
    }
    PD_TRY(pd_section_check(&s->units, lo * s->unit_bytes, 2 * s->unit_bytes));
    *doc = lo;
    return first_unit(s, lo) <= unit && unit < first_unit(s, lo + 1) ? PD_OK : broken(s);
}

int pd_segment_place(const struct pd_segment *s, uint64_t entry, struct pd_place *place)
{
    const struct pd_segment_counts *c = &s->counts;
    uint64_t at = bits_at(&s->names, entry * entry_bits(s) + s->rest_bits, s->place_bits);
    uint64_t doc;
    if (at < c->units) {
        PD_TRY(document_of(s, at, &doc));
        *place =
            (struct pd_place){PD_PLACE_UNIT, s->base + doc, (uint32_t)(at - first_unit(s, doc)), 0};
        return PD_OK;
    }
    at -= c->units;
    if (at < c->documents) {
        PD_TRY(pd_section_check(&s->units, at * s->unit_bytes, 2 * s->unit_bytes));
        *place = (struct pd_place){PD_PLACE_WHOLE, s->base + at,
                                   (uint32_t)(first_unit(s, at + 1) - first_unit(s, at)), 0};
        return PD_OK;
    }
    at -= c->documents;
    if (at >= c->common)
        return broken(s);
    PD_TRY(pd_section_check(&s->common, at * sizeof(uint64_t), sizeof(uint64_t)));
    *place =
        (struct pd_place){PD_PLACE_COMMON, 0, 0,
                          pd_packed_number(s->common.v + at * sizeof(uint64_t), sizeof(uint64_t))};
    return PD_OK;
}

int pd_segment_next(struct pd_names_cursor *c, pd_sig *sig, struct pd_place *place)
{
    const struct pd_segment *s = c->segment;
    struct pd_entries range;
    if (c->entry == s->counts.entries)
        return PD_END;
    for (;; c->bucket++) {
        PD_TRY(bucket_at(s, c->bucket, &range));
        if (c->entry < range.to)
            break;
    }
    *sig = name_of(s, c->bucket, c->entry);
    return pd_segment_place(s, c->entry++, place);
}

/* ---- documents and files ---- */

int pd_segment_packed(const struct pd_segment *s, pd_doc doc, const unsigned char **v, size_t *n)
{
    const unsigned bytes = s->document_bytes;
    const uint64_t at = (doc - s->base) * bytes;
    PD_TRY(pd_section_check(&s->starts, at, 2 * bytes));
    const uint64_t from = pd_packed_number(s->starts.v + at, bytes);
    const uint64_t to = pd_packed_number(s->starts.v + at + bytes, bytes);
    if (from > to)
        return broken(s);
    PD_TRY(pd_section_check(&s->documents, from, to - from));
    *v = s->documents.v + from;
    *n = to - from;
    return PD_OK;
}

int pd_segment_document(const struct pd_segment *s, pd_doc doc, struct pd_indexed *out)
{
    const unsigned char *v = NULL;
    size_t n = 0;
    PD_TRY(pd_segment_packed(s, doc, &v, &n));
    if (!pd_indexed_unpack(v, n, s->counts.with_text, out) || out->file >= s->counts.files)
        return broken(s);
    if (out->id_n == 0) {
        uint64_t bytes;
        PD_TRY(pd_segment_file(s, out->file, &out->id, &bytes));
        out->id_n = strlen(out->id);
    }
    return PD_OK;
}

int pd_segment_file(const struct pd_segment *s, uint64_t file, const char **path, uint64_t *bytes)
{
    const uint64_t at = file * sizeof(uint64_t);
    PD_TRY(pd_section_check(&s->file_starts, at, 2 * sizeof(uint64_t)));
    const uint64_t from = pd_packed_number(s->file_starts.v + at, sizeof(uint64_t));
    const uint64_t to =
        pd_packed_number(s->file_starts.v + at + sizeof(uint64_t), sizeof(uint64_t));
    if (from > to || to - from <= sizeof *bytes)
        return broken(s);
    PD_TRY(pd_section_check(&s->files, from, to - from));
    memcpy(bytes, s->files.v + from, sizeof *bytes);
    *path = (const char *)s->files.v + from + sizeof *bytes;
    return s->files.v[to - 1] == '\0' ? PD_OK : broken(s);
}

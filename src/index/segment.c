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
    } wanted[] = {{"names", &s->names},   {"directory", &s->directory},
                  {"heads", &s->heads},   {"ranks", &s->ranks},
                  {"places", &s->places}, {"documents", &s->documents},
                  {"starts", &s->starts}, {"units", &s->units},
                  {"files", &s->files},   {"file_starts", &s->file_starts},
                  {"common", &s->common}, {"asides", &s->asides}};
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
        c->entries > UINT64_MAX >> 8 || c->names > c->entries)
        return broken(s);
    set_widths(s);
    if (c->with_sets)
        PD_TRY(pd_sets_open(s));
    return has_bytes(&s->names, (c->names * s->rest_bits + 7) / 8, 1) &&
                   has_bytes(&s->heads, (c->entries + PD_HEADS_WORD - 1) / PD_HEADS_WORD,
                             sizeof(uint64_t)) &&
                   has_bytes(&s->ranks, c->entries / PD_HEADS_BLOCK + 1, s->start_bytes) &&
                   has_bytes(&s->places, (c->entries * s->place_bits + 7) / 8, 1) &&
                   has_bytes(&s->directory, buckets_of(s) + 1, s->start_bytes) &&
                   has_bytes(&s->starts, c->documents + 1, s->document_bytes) &&
                   has_bytes(&s->units, c->documents + 1, s->unit_bytes) &&
                   has_bytes(&s->file_starts, c->files + 1, sizeof(uint64_t)) &&
                   has_bytes(&s->common, c->common, sizeof(uint64_t)) &&
                   s->asides.n % sizeof(uint64_t) == 0
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

/* Check the bits of items [from, to) of a section, `bits` each. from < to. */
static int check_bits(const struct pd_section *section, uint64_t from, uint64_t to, unsigned bits)
{
    const uint64_t first = from * bits / 8;
    return pd_section_check(section, first, (to * bits + 7) / 8 - first);
}

/* The rest of a name, behind the bits of the directory. */
static uint64_t rest_at(const struct pd_segment *s, uint64_t name)
{
    return bits_at(&s->names, name * s->rest_bits, s->rest_bits);
}

/* 64 bits of heads, whose bytes are checked. */
static uint64_t heads_at(const struct pd_segment *s, uint64_t word)
{
    return pd_packed_number(s->heads.v + word * sizeof(uint64_t), sizeof(uint64_t));
}

/* *n: how many of the entries before `entry` are heads. Their last block is checked. */
static int count_heads(const struct pd_segment *s, uint64_t entry, uint64_t *n)
{
    const uint64_t block = entry / PD_HEADS_BLOCK, end = entry / PD_HEADS_WORD;
    const unsigned left = entry % PD_HEADS_WORD;
    uint64_t word = block * (PD_HEADS_BLOCK / PD_HEADS_WORD);
    PD_TRY(pd_section_check(&s->ranks, block * s->start_bytes, s->start_bytes));
    *n = pd_packed_number(s->ranks.v + block * s->start_bytes, s->start_bytes);
    if (word == end && left == 0)
        return PD_OK;
    PD_TRY(
        pd_section_check(&s->heads, word * sizeof word, (end - word + (left > 0)) * sizeof word));
    for (; word < end; word++)
        *n += (unsigned)__builtin_popcountll(heads_at(s, word));
    if (left)
        *n += (unsigned)__builtin_popcountll(heads_at(s, end) & ((UINT64_C(1) << left) - 1));
    return PD_OK;
}

/*
 * The first head among entries [from, to) that has `n` heads before it there; `to`: there is none.
 */
static int find_head(const struct pd_segment *s, uint64_t from, uint64_t to, uint64_t n,
                     uint64_t *head)
{
    const uint64_t end = (to + PD_HEADS_WORD - 1) / PD_HEADS_WORD;
    uint64_t word = from / PD_HEADS_WORD;
    *head = to;
    if (from >= to)
        return PD_OK;
    PD_TRY(pd_section_check(&s->heads, word * sizeof word, (end - word) * sizeof word));
    for (uint64_t mask = UINT64_MAX << from % PD_HEADS_WORD; word < end; word++) {
        uint64_t heads = heads_at(s, word) & mask;
        const unsigned count = (unsigned)__builtin_popcountll(heads);
        mask = UINT64_MAX;
        if (n >= count) {
            n -= count;
            continue;
        }
        for (; n > 0; n--)
            heads &= heads - 1;
        const uint64_t found = word * PD_HEADS_WORD + (unsigned)__builtin_ctzll(heads);
        *head = found < to ? found : to;
        return PD_OK;
    }
    return PD_OK;
}

/* Entries that agree in the bits of the directory, and the numbers of their names. */
struct bucket {
    uint64_t from, to;
    uint64_t name, name_end;
};

/* A bucket, whose names are checked. */
static int bucket_at(const struct pd_segment *s, uint64_t number, struct bucket *b)
{
    PD_TRY(pd_section_check(&s->directory, number * s->start_bytes, 2 * s->start_bytes));
    *b = (struct bucket){.from = start_of(s, number), .to = start_of(s, number + 1)};
    if (b->from > b->to || b->to > s->counts.entries)
        return broken(s);
    PD_TRY(count_heads(s, b->from, &b->name));
    PD_TRY(count_heads(s, b->to, &b->name_end));
    if (b->name > b->name_end || b->name_end > s->counts.names)
        return broken(s);
    return b->name < b->name_end ? check_bits(&s->names, b->name, b->name_end, s->rest_bits)
                                 : PD_OK;
}

static uint64_t rest_of(const struct pd_segment *s, pd_sig sig)
{
    return (sig & (UINT64_MAX >> s->counts.bits)) >> (64 - PD_SEGMENT_NAME);
}

int pd_segment_find(const struct pd_segment *s, pd_sig sig, struct pd_entries *found)
{
    const uint64_t rest = rest_of(s, sig);
    struct bucket b;
    PD_TRY(bucket_at(s, sig >> (64 - s->counts.bits), &b));
    uint64_t k = b.name;
    while (k < b.name_end && rest_at(s, k) < rest)
        k++;
    *found = (struct pd_entries){b.from, b.from};
    if (k == b.name_end || rest_at(s, k) != rest)
        return PD_OK;
    PD_TRY(find_head(s, b.from, b.to, k - b.name, &found->from));
    return find_head(s, found->from + 1, b.to, 0, &found->to);
}

/* The name of an entry of a bucket. */
static int name_of(const struct pd_segment *s, uint64_t number, const struct bucket *b,
                   uint64_t entry, pd_sig *sig)
{
    uint64_t name;
    PD_TRY(count_heads(s, entry + 1, &name));
    if (name <= b->name || name > b->name_end)
        return broken(s);
    *sig = number << (64 - s->counts.bits) | rest_at(s, name - 1) << (64 - PD_SEGMENT_NAME);
    return PD_OK;
}

int pd_segment_name(const struct pd_segment *s, uint64_t entry, pd_sig *sig)
{
    uint64_t lo = 0, hi = buckets_of(s);
    struct bucket b;
    while (hi - lo > 1) { /* buckets [lo, hi) have the entry */
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(pd_section_check(&s->directory, mid * s->start_bytes, s->start_bytes));
        if (start_of(s, mid) <= entry)
            lo = mid;
        else
            hi = mid;
    }
    PD_TRY(bucket_at(s, lo, &b));
    return entry < b.from || entry >= b.to ? broken(s) : name_of(s, lo, &b, entry, sig);
}

void pd_segment_expect(const struct pd_segment *s, pd_sig sig)
{
    const uint64_t bucket = sig >> (64 - s->counts.bits);
    __builtin_prefetch(s->directory.v + bucket * s->start_bytes);
    const uint64_t name = (uint64_t)((unsigned __int128)sig * s->counts.names >> 64);
    __builtin_prefetch(s->names.v + name * s->rest_bits / 8);
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
        PD_TRY(pd_section_check(&s->units, mid * s->unit_bytes, 2 * s->unit_bytes));
        const uint64_t first = first_unit(s, mid);
        if (first > unit) {
            hi = mid;
        } else if (unit < first_unit(s, mid + 1)) {
            *doc = mid;
            return PD_OK;
        } else {
            lo = mid;
        }
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
    uint64_t doc;
    PD_TRY(check_bits(&s->places, entry, entry + 1, s->place_bits));
    uint64_t at = bits_at(&s->places, entry * s->place_bits, s->place_bits);
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

int pd_segment_df(const struct pd_segment *s, pd_sig sig, uint64_t *df)
{
    struct pd_entries found = {0, 0};
    struct pd_place place = {.doc = 0};
    pd_doc last = UINT64_MAX;
    PD_TRY(pd_segment_find(s, sig, &found));
    *df = 0;
    for (uint64_t k = found.from; k < found.to; k++) {
        PD_TRY(pd_segment_place(s, k, &place));
        if (place.kind == PD_PLACE_COMMON) { /* the last entry of its name */
            *df = place.df;
            return PD_OK;
        }
        *df += place.doc != last;
        last = place.doc;
    }
    return PD_OK;
}

int pd_segment_next(struct pd_names_cursor *c, pd_sig *sig, struct pd_place *place)
{
    const struct pd_segment *s = c->segment;
    struct bucket b;
    if (c->entry == s->counts.entries)
        return PD_END;
    for (;; c->bucket++) {
        PD_TRY(bucket_at(s, c->bucket, &b));
        if (c->entry < b.to)
            break;
    }
    PD_TRY(name_of(s, c->bucket, &b, c->entry, sig));
    return pd_segment_place(s, c->entry++, place);
}

int pd_segment_aside(const struct pd_segment *s, uint64_t k, uint64_t *name)
{
    PD_TRY(pd_section_check(&s->asides, k * sizeof *name, sizeof *name));
    *name = pd_packed_number(s->asides.v + k * sizeof *name, sizeof *name);
    return PD_OK;
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

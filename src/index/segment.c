/* index/segment.c - see include/pardup/index/segment.h */
#include "pardup/index/segment.h"

#include <stdlib.h>
#include <string.h>

#include "indexed.h"
#include "name_list.h"
#include "pardup/base/error.h"
#include "pardup/index/sets.h"
#include "place_list.h"
#include "segment_rules.h"

enum { LAST_MOST = 1 << 16 }; /* parts of the units whose last document is remembered */

/*
 * The file must have been opened, and the numbers read. How wide the numbers in the table of names
 * are: the bits of a name that the directory leaves, a place, an index of an entry.
 */
static void set_widths(struct pd_segment *s)
{
    const struct pd_segment_counts *c = &s->counts;
    s->rest_bits = (unsigned)(c->name_bits - c->bits);
    s->place_bits = (unsigned)c->place_bits;
    s->document_bytes = pd_bytes_below(s->documents.n + 1);
    s->unit_bytes = pd_bytes_below(c->units + 1);
    s->file_bytes = pd_bytes_below(s->files.n + 1);
    s->start_bytes = pd_bytes_below(c->slots + 1);
    s->list_bytes = pd_bytes_below(8 * s->many.n + 1);
    s->span_bytes = pd_bytes_below(c->names + (UINT64_C(1) << c->bits) + 1);
}

static int find_sections(struct pd_segment *s)
{
    const struct {
        const char *name;
        struct pd_section *section;
    } wanted[] = {{"names", &s->names},         {"buckets", &s->buckets},
                  {"spans", &s->spans},         {"heads", &s->heads},
                  {"firsts", &s->firsts},       {"places", &s->places},
                  {"many", &s->many},           {"many_starts", &s->many_starts},
                  {"documents", &s->documents}, {"starts", &s->starts},
                  {"units", &s->units},         {"hosts", &s->hosts},
                  {"files", &s->files},         {"file_starts", &s->file_starts},
                  {"common", &s->common},       {"asides", &s->asides}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        PD_TRY(pd_sections_find(&s->file, wanted[k].name, wanted[k].section));
    return PD_OK;
}

static int judge_counts(const struct pd_segment *s)
{
    const struct pd_segment_counts *c = &s->counts;
    PD_SEGMENT_COUNT_RULES(PD_SEGMENT_JUDGE)
    return PD_OK;
}

static int judge_sections(const struct pd_segment *s)
{
    const struct pd_segment_counts *c = &s->counts;
    PD_SEGMENT_SECTION_RULES(PD_SEGMENT_JUDGE)
    return PD_OK;
}

int pd_segment_open(struct pd_segment *s, const char *path)
{
    struct pd_section numbers;
    PD_TRY(pd_sections_open(&s->file, path));
    PD_TRY(pd_sections_find(&s->file, "numbers", &numbers));
    if (numbers.n != sizeof s->counts)
        return pd_segment_broken(s);
    PD_TRY(pd_section_check(&numbers, 0, numbers.n));
    memcpy(&s->counts, numbers.v, sizeof s->counts);
    PD_TRY(find_sections(s));
    PD_TRY(judge_counts(s));
    set_widths(s);
    if (s->counts.with_sets)
        PD_TRY(pd_sets_open(s));
    PD_TRY(judge_sections(s));
    while (s->counts.units >> s->last_shift > LAST_MOST)
        s->last_shift++;
    s->last = pd_zeroed((s->counts.units >> s->last_shift) + 1, sizeof *s->last);
    return PD_OK;
}

void pd_segment_close(struct pd_segment *s)
{
    pd_sections_close(&s->file);
    free(s->last);
    *s = (struct pd_segment){.base = 0};
}

/* ---- places ---- */

static uint64_t first_unit(const struct pd_segment *s, uint64_t doc)
{
    return pd_packed_number(s->units.v + doc * s->unit_bytes, s->unit_bytes);
}

/*
 * The document of unit number `unit` of the segment. The first guess is the last answer for a unit
 * nearby. Documents beside each other have about the same number of units, so each step guesses by
 * the units of the range; after some steps it is halved.
 */
static int document_of(const struct pd_segment *s, uint64_t unit, uint64_t *doc)
{
    enum { GUESSES = 8 };
    uint64_t lo = 0, hi = s->counts.documents;         /* documents [lo, hi) have it, */
    uint64_t first_lo = 0, first_hi = s->counts.units; /* which have units [first_lo, first_hi) */
    uint64_t *last = &s->last[unit >> s->last_shift];
    for (int step = 0; hi - lo > 1; step++) {
        const double share = (double)(unit - first_lo) / (double)(first_hi - first_lo);
        const uint64_t mid = step == 0 && *last ? *last - 1
                             : step < GUESSES   ? lo + (uint64_t)((double)(hi - lo) * share)
                                                : lo + (hi - lo) / 2;
        PD_TRY(pd_section_check(&s->units, mid * s->unit_bytes, 2 * s->unit_bytes));
        const uint64_t first = first_unit(s, mid), next = first_unit(s, mid + 1);
        if (first > unit) {
            hi = mid;
            first_hi = first;
        } else if (unit < next) {
            *doc = mid;
            *last = mid + 1;
            return PD_OK;
        } else {
            lo = mid + 1;
            first_lo = next;
        }
    }
    PD_TRY(pd_section_check(&s->units, lo * s->unit_bytes, 2 * s->unit_bytes));
    *doc = lo;
    return first_unit(s, lo) <= unit && unit < first_unit(s, lo + 1) ? PD_OK : pd_segment_broken(s);
}

/* What stands at a place. */
static int look_at(const struct pd_segment *s, uint64_t at, struct pd_place *place)
{
    const struct pd_segment_counts *c = &s->counts;
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
        if (first_unit(s, at + 1) < first_unit(s, at))
            return pd_segment_broken(s);
        *place = (struct pd_place){PD_PLACE_WHOLE, s->base + at,
                                   (uint32_t)(first_unit(s, at + 1) - first_unit(s, at)), 0};
        return PD_OK;
    }
    at -= c->documents;
    if (at >= c->common)
        return pd_segment_broken(s);
    PD_TRY(pd_section_check(&s->common, at * sizeof(uint64_t), sizeof(uint64_t)));
    *place =
        (struct pd_place){PD_PLACE_COMMON, 0, 0,
                          pd_packed_number(s->common.v + at * sizeof(uint64_t), sizeof(uint64_t))};
    return PD_OK;
}

int pd_places_next(struct pd_places *p, struct pd_place *place)
{
    const struct pd_segment *s = p->segment;
    const uint64_t places = s->counts.units + s->counts.documents + s->counts.common;
    uint64_t at;
    if (p->left == 0) {
        if (p->slot == p->end)
            return PD_END;
        PD_TRY(pd_bits_check(&s->places, p->slot * s->place_bits, s->place_bits));
        at = pd_bits_at(&s->places, p->slot++ * s->place_bits, s->place_bits);
        if (at < places)
            return look_at(s, at, place);
        PD_TRY(pd_place_list_begin(p, at - places));
    }
    PD_TRY(pd_place_list_next(p, &at));
    return look_at(s, at, place);
}

int pd_segment_list(const struct pd_segment *s, struct pd_name_hint *hint)
{
    struct pd_names_cursor c = {.segment = s};
    hint->listed = pd_realloc(NULL, s->counts.names + 1, sizeof *hint->listed);
    hint->next = 0;
    for (uint64_t k = 0; k < s->counts.names; k++) {
        const int status = pd_name_list_next(&c);
        if (status != PD_OK)
            return status < 0 ? status : pd_segment_broken(s);
        hint->listed[k] = c.sig;
    }
    return PD_OK;
}

/* The number of a name in the list of all names. PD_OK, or PD_END: there is no such name. */
static int find_listed(const struct pd_segment *s, pd_sig sig, struct pd_name_hint *hint,
                       uint64_t *name)
{
    const uint64_t *v = hint->listed, n = s->counts.names;
    uint64_t k = hint->next;
    if (k > 0 && v[k - 1] >= sig)
        k = 0;
    while (k < n && v[k] < sig)
        k++;
    *name = hint->next = k;
    return k < n && v[k] == sig ? PD_OK : PD_END;
}

int pd_segment_find_near(const struct pd_segment *s, pd_sig sig, struct pd_name_hint *hint,
                         struct pd_places *found)
{
    uint64_t name, slot;
    const int status =
        hint->listed ? find_listed(s, pd_segment_name_of(sig, s->counts.name_bits), hint, &name)
                     : pd_name_list_find(s, sig, hint, &name);
    if (status != PD_OK)
        return status;
    PD_TRY(pd_name_list_first(s, name, hint, &slot));
    return pd_name_list_places(s, name, slot, found);
}

int pd_segment_find(const struct pd_segment *s, pd_sig sig, struct pd_places *found)
{
    struct pd_name_hint none = {.bucket = 0};
    return pd_segment_find_near(s, sig, &none, found);
}

int pd_segment_next(struct pd_names_cursor *c, pd_sig *sig, struct pd_place *place)
{
    int status = c->names ? pd_places_next(&c->places, place) : PD_END;
    if (status == PD_END && (status = pd_name_list_next(c)) == PD_OK &&
        (status = pd_places_next(&c->places, place)) == PD_END)
        status = pd_segment_broken(c->segment); /* a name has a place at least */
    *sig = c->sig;
    return status;
}

int pd_segment_aside(const struct pd_segment *s, uint64_t k, uint64_t *name)
{
    PD_TRY(pd_section_check(&s->asides, k * sizeof *name, sizeof *name));
    *name = pd_packed_number(s->asides.v + k * sizeof *name, sizeof *name);
    return PD_OK;
}

/* ---- documents and files ---- */

/* The host that has a code. */
static int host_of(const struct pd_segment *s, uint64_t code, uint64_t *host)
{
    if (code < PD_HOST_FIRST)
        return PD_OK;
    const uint64_t at = (code - PD_HOST_FIRST) * sizeof *host;
    if (code > s->hosts.n)
        return pd_segment_broken(s);
    PD_TRY(pd_section_check(&s->hosts, at, sizeof *host));
    *host = pd_packed_number(s->hosts.v + at, sizeof *host);
    return PD_OK;
}

/* A part of a section: a document or a file. */
struct entry {
    const unsigned char *v;
    uint64_t n;
};

/* Entry k of a section of entries: the bytes between two numbers of its table, `bytes` each. */
static int entry_at(const struct pd_segment *s, const struct pd_section *entries,
                    const struct pd_section *starts, unsigned bytes, uint64_t k,
                    struct entry *entry)
{
    PD_TRY(pd_section_check(starts, k * bytes, 2 * bytes));
    const uint64_t from = pd_packed_number(starts->v + k * bytes, bytes);
    const uint64_t to = pd_packed_number(starts->v + (k + 1) * bytes, bytes);
    if (from > to)
        return pd_segment_broken(s);
    PD_TRY(pd_section_check(entries, from, to - from));
    *entry = (struct entry){entries->v + from, to - from};
    return PD_OK;
}

/* Document number k of the segment, which is kept as a difference to `first`, or NULL. */
static int document_at(const struct pd_segment *s, uint64_t k, const struct pd_indexed *first,
                       struct pd_indexed *out)
{
    struct pd_indexed_context context = {.first = first, .with_text = s->counts.with_text};
    struct entry entry = {NULL, 0};
    PD_TRY(entry_at(s, &s->documents, &s->starts, s->document_bytes, k, &entry));
    if (!pd_indexed_take(entry.v, entry.n, &context, out) || out->file >= s->counts.files)
        return pd_segment_broken(s);
    return host_of(s, context.host, &out->host);
}

static int judge_document(const struct pd_segment *s, const struct pd_indexed *d, uint64_t from,
                          uint64_t to)
{
    const struct pd_segment_counts *c = &s->counts;
    PD_SEGMENT_DOCUMENT_RULES(PD_SEGMENT_JUDGE)
    return PD_OK;
}

int pd_segment_kept(const struct pd_segment *s, pd_doc doc, struct pd_indexed *out)
{
    struct pd_indexed first;
    const uint64_t k = doc - s->base, before = k % PD_INDEXED_GROUP;
    if (before > 0)
        PD_TRY(document_at(s, k - before, NULL, &first));
    PD_TRY(document_at(s, k, before > 0 ? &first : NULL, out));
    PD_TRY(pd_section_check(&s->units, k * s->unit_bytes, 2 * s->unit_bytes));
    out->nunits = first_unit(s, k + 1) - first_unit(s, k);
    return judge_document(s, out, first_unit(s, k), first_unit(s, k + 1));
}

/* File number k of the segment. `first`: the first file of its group; NULL: it is the first. */
static int file_at(const struct pd_segment *s, uint64_t k, const struct pd_kept_file *first,
                   struct pd_kept_file *out)
{
    struct entry entry = {NULL, 0};
    PD_TRY(entry_at(s, &s->files, &s->file_starts, s->file_bytes, k, &entry));
    return pd_file_take(entry.v, entry.n, first, out) ? PD_OK : pd_segment_broken(s);
}

static int find_file(const struct pd_segment *s, uint64_t k, struct pd_kept_file *out)
{
    struct pd_kept_file first;
    const uint64_t before = k % PD_INDEXED_GROUP;
    if (before > 0)
        PD_TRY(file_at(s, k - before, NULL, &first));
    return file_at(s, k, before > 0 ? &first : NULL, out);
}

int pd_segment_file(const struct pd_segment *s, uint64_t file, struct pd_bytes *path,
                    uint64_t *bytes)
{
    struct pd_kept_file kept;
    PD_TRY(find_file(s, file, &kept));
    *bytes = kept.bytes;
    path->n = 0;
    pd_bytes_append(path, kept.before, kept.before_n);
    pd_bytes_append(path, kept.rest, kept.rest_n);
    pd_bytes_push(path, '\0');
    return PD_OK;
}

int pd_segment_document(const struct pd_segment *s, pd_doc doc, struct pd_indexed *out)
{
    struct pd_kept_file file;
    PD_TRY(pd_segment_kept(s, doc, out));
    if (out->before_n + out->id_n == 0) {
        PD_TRY(find_file(s, out->file, &file));
        out->before = file.before;
        out->before_n = file.before_n;
        out->id = file.rest;
        out->id_n = file.rest_n;
    }
    return out->before_n + out->id_n <= s->counts.longest_id ? PD_OK : pd_segment_broken(s);
}

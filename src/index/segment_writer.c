/*
 * index/segment_writer.c - write a segment: see include/pardup/index/segment.h
 *
 * Tables of numbers grow while another section is written. They wait in spools, which spill. The
 * table of first units is asked for each name, so it is read from the file itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "indexed.h"
#include "name_list.h"
#include "pardup/base/error.h"
#include "pardup/index/sets.h"
#include "pardup/store/spool.h"
#include "place_list.h"
#include "segment_rules.h"

/* Tables of numbers that are kept until their section is written. */
enum table {
    STARTS,
    UNITS,
    HOSTS,
    FILE_STARTS,
    COMMON,
    BUCKETS,
    SPANS,
    HEADS,
    FIRSTS,
    PLACES,
    MANY,
    MANY_STARTS,
    ASIDES,
    TABLES
};
static const char *const table_names[TABLES] = {
    [STARTS] = "starts",           /* where documents begin in their section */
    [UNITS] = "units",             /* their first units */
    [HOSTS] = "hosts",             /* of documents, each once */
    [FILE_STARTS] = "file_starts", /* where files begin in their section */
    [COMMON] = "common",           /* documents of each common class */
    [BUCKETS] = "buckets",         /* bits: a one for each name of a bucket, then a zero */
    [SPANS] = "spans",             /* where some buckets begin */
    [HEADS] = "heads",             /* bits: is the slot the first of its name? */
    [FIRSTS] = "firsts",           /* the first slots of some names */
    [PLACES] = "places",           /* of all slots */
    [MANY] = "many",               /* bits: lists of places */
    [MANY_STARTS] = "many_starts", /* where they begin */
    [ASIDES] = "asides"            /* names that were set aside */
};

#define LIST (UINT64_C(1) << 63) /* in PLACES: the number of a list, not a place */

/* The end of a table of bits. */
struct bits {
    uint64_t word; /* bits that were not pushed yet; the lowest one came first */
    uint64_t n;    /* bits of the whole table */
};

struct pd_segment_writer {
    struct pd_sections_writer *file;
    struct pd_segment_counts counts;
    struct pd_spare spare; /* memory of the spools */
    struct pd_spool tables[TABLES];
    struct pd_map map;          /* the file so far, once `units` are written */
    const unsigned char *units; /* first units of documents, in the map, unit_bytes each */
    unsigned unit_bytes;
    uint64_t file_bytes;         /* of the section of files */
    struct pd_sets_writer *sets; /* NULL: none are kept */
    pd_sig sig;                  /* the name of the class at hand */
    uint64_t bucket;             /* the bucket of the last name */
    struct bits ends[TABLES];    /* of BUCKETS, HEADS and MANY */
    struct pd_u64s class;        /* places of the class at hand */
    unsigned __int128 bits;      /* of names or places, not written yet; the lowest first */
    unsigned nbits;
    uint64_t document_bytes;
    struct pd_indexed first;                      /* of the group of documents at hand */
    struct pd_bytes first_id, first_path, packed; /* first_path: of the group of files */
    struct pd_hash_table hosts;                   /* number of each in the table, plus 1 */
};

/* ---- tables ---- */

static int push(struct pd_segment_writer *w, enum table table, uint64_t x)
{
    return pd_spool_push(&w->tables[table], &x);
}

/* Append n bits, at most 64, to a table of bits. Bits of x above them are 0. */
static int push_bits(struct pd_segment_writer *w, enum table table, uint64_t x, unsigned n)
{
    struct bits *b = &w->ends[table];
    const unsigned used = b->n % PD_BITS_WORD;
    b->word |= x << used;
    b->n += n;
    if (used + n < PD_BITS_WORD)
        return PD_OK;
    const uint64_t word = b->word;
    b->word = used ? x >> (PD_BITS_WORD - used) : 0;
    return push(w, table, word);
}

static int push_bit(struct pd_segment_writer *w, enum table table, bool one)
{
    return push_bits(w, table, one, 1);
}

static int end_table_of_bits(struct pd_segment_writer *w, enum table table)
{
    const struct bits *b = &w->ends[table];
    return b->n % PD_BITS_WORD ? push(w, table, b->word) : PD_OK;
}

/* Write a table of numbers, `bytes` each. */
static int put_table(struct pd_segment_writer *w, enum table table, unsigned bytes)
{
    struct pd_spool *from = &w->tables[table];
    const void *rec;
    int status;
    PD_TRY(pd_sections_begin(w->file, table_names[table]));
    PD_TRY(pd_spool_finish(from));
    while ((status = pd_spool_next(from, &rec)) == PD_OK)
        PD_TRY(pd_sections_append(w->file, rec, bytes));
    return status < 0 ? status : PD_OK;
}

struct pd_segment_writer *pd_segment_create(const char *path, bool with_text,
                                            const struct pd_segment_making *how)
{
    enum { PATH_ROOM = 4096 };
    char scratch[PATH_ROOM];
    struct pd_sections_writer *file = pd_sections_create(path);
    if (!file)
        return NULL;
    pd_sections_stop_when(file, how->stop);
    struct pd_segment_writer *w = pd_realloc(NULL, 1, sizeof *w);
    *w = (struct pd_segment_writer){
        .file = file, .counts = {.with_text = with_text, .name_bits = how->name_bits}};
    for (int k = 0; k < TABLES; k++) {
        snprintf(scratch, sizeof scratch, "%s.%s", how->scratch, table_names[k]);
        pd_spool_init(&w->tables[k], &(struct pd_spooling){.size = sizeof(uint64_t),
                                                           .memory = how->memory / TABLES,
                                                           .path = scratch,
                                                           .spare = &w->spare});
    }
    if (push(w, STARTS, 0) >= 0 && push(w, UNITS, 0) >= 0 && push(w, FILE_STARTS, 0) >= 0 &&
        pd_sections_begin(file, "documents") >= 0)
        return w;
    pd_segment_abandon(w);
    return NULL;
}

/* ---- documents and files ---- */

/* The code of a host, which gets a place in the table if there is room. */
static int code_host(struct pd_segment_writer *w, uint64_t host, uint64_t *code)
{
    *code = PD_HOST_NONE;
    if (host == 0)
        return PD_OK;
    const uint64_t known = pd_hash_table_get(&w->hosts, host);
    *code = known ? known - 1 + PD_HOST_FIRST : PD_HOST_RAW;
    if (known || w->hosts.n == PD_HOSTS_MOST)
        return PD_OK;
    const uint64_t number = w->hosts.n;
    *code = number + PD_HOST_FIRST;
    *pd_hash_table_at(&w->hosts, host) = number + 1;
    return push(w, HOSTS, host);
}

/* Keep the document as the first one of its group, with its id. */
static void begin_group(struct pd_segment_writer *w, const struct pd_indexed *doc)
{
    w->first = *doc;
    w->first_id.n = 0;
    pd_bytes_append(&w->first_id, doc->id, doc->id_n);
    w->first.id = (const char *)w->first_id.v;
}

int pd_segment_add_document(struct pd_segment_writer *w, const struct pd_indexed *doc)
{
    struct pd_segment_counts *c = &w->counts;
    const bool first = c->documents++ % PD_INDEXED_GROUP == 0;
    struct pd_indexed_context context = {.first = first ? NULL : &w->first,
                                         .with_text = c->with_text};
    PD_TRY(code_host(w, doc->host, &context.host));
    w->packed.n = 0;
    pd_indexed_put(doc, &context, &w->packed);
    if (first)
        begin_group(w, doc);
    w->document_bytes += w->packed.n;
    c->units += doc->nunits;
    c->sentences += doc->sentences;
    c->words += doc->words;
    c->text_bytes += doc->text_bytes;
    if (doc->id_n > c->longest_id)
        c->longest_id = doc->id_n;
    PD_TRY(push(w, STARTS, w->document_bytes));
    PD_TRY(push(w, UNITS, c->units));
    return pd_sections_append(w->file, w->packed.v, w->packed.n);
}

int pd_segment_add_file(struct pd_segment_writer *w, const char *path, uint64_t bytes)
{
    const size_t n = strlen(path);
    if (n > w->counts.longest_id) /* the id of a document may be the path of its file */
        w->counts.longest_id = n;
    if (w->counts.files % PD_INDEXED_GROUP == 0)
        w->first_path.n = 0;
    if (w->counts.files++ == 0)
        PD_TRY(pd_sections_begin(w->file, "files"));
    w->packed.n = 0;
    pd_file_put(path, bytes, &w->first_path, &w->packed);
    if (w->first_path.n == 0)
        pd_bytes_append(&w->first_path, path, n);
    w->file_bytes += w->packed.n;
    PD_TRY(pd_sections_append(w->file, w->packed.v, w->packed.n));
    return push(w, FILE_STARTS, w->file_bytes);
}

/* ---- names and their places ---- */

int pd_segment_names(struct pd_segment_writer *w, uint64_t most)
{
    struct pd_segment_counts *c = &w->counts;
    if (c->files == 0)
        PD_TRY(pd_sections_begin(w->file, "files"));
    w->unit_bytes = pd_bytes_below(c->units + 1);
    PD_TRY(put_table(w, STARTS, pd_bytes_below(w->document_bytes + 1)));
    PD_TRY(put_table(w, UNITS, w->unit_bytes));
    PD_TRY(put_table(w, HOSTS, sizeof(uint64_t)));
    PD_TRY(put_table(w, FILE_STARTS, pd_bytes_below(w->file_bytes + 1)));
    for (c->bits = PD_BITS_LEAST; c->bits < PD_BITS_MOST && most >> (c->bits + 1) > 0;)
        c->bits++;
    PD_TRY(push(w, SPANS, 0));
    PD_TRY(pd_sections_begin(w->file, "names"));
    return pd_sections_look_back(w->file, table_names[UNITS], &w->map, &w->units);
}

/* Append n bits, at most 64, to the section. */
static int put_bits(struct pd_segment_writer *w, uint64_t x, unsigned n)
{
    w->bits |= (unsigned __int128)x << w->nbits;
    w->nbits += n;
    PD_TRY(pd_sections_append(w->file, &w->bits, w->nbits / 8));
    w->bits >>= w->nbits / 8 * 8;
    w->nbits %= 8;
    return PD_OK;
}

/* Go on to a bucket. The buckets before it get no more names. */
static int go_to_bucket(struct pd_segment_writer *w, uint64_t bucket)
{
    PD_CHECK(bucket >= w->bucket);
    while (w->bucket < bucket) {
        PD_TRY(push_bit(w, BUCKETS, false));
        if (++w->bucket % PD_NAMES_SPAN == 0 && w->bucket >> w->counts.bits == 0)
            PD_TRY(push(w, SPANS, w->ends[BUCKETS].n));
    }
    return PD_OK;
}

/* Begin the next name. */
static int add_head(struct pd_segment_writer *w, pd_sig sig)
{
    struct pd_segment_counts *c = &w->counts;
    PD_TRY(go_to_bucket(w, sig >> (64 - c->bits)));
    PD_TRY(push_bit(w, BUCKETS, true));
    if (c->names % PD_FIRSTS_SPAN == 0)
        PD_TRY(push(w, FIRSTS, c->slots));
    w->sig = sig;
    c->names++;
    return put_bits(w, (sig & (UINT64_MAX >> c->bits)) >> (64 - c->name_bits),
                    (unsigned)(c->name_bits - c->bits));
}

static int put_to_list(void *ctx, uint64_t x, unsigned n)
{
    struct pd_segment_writer *w = ctx;
    return push_bits(w, MANY, x, n);
}

/* Write the places of the class at hand: a slot for each, or one that has the number of their list. */
static int end_class(struct pd_segment_writer *w)
{
    struct pd_segment_counts *c = &w->counts;
    const bool many = pd_place_list_fits(w->class.v, w->class.n);
    const size_t n = many ? 1 : w->class.n;
    const uint64_t list = LIST | c->lists;
    for (size_t k = 0; k < n; k++) {
        PD_TRY(push_bit(w, HEADS, k == 0));
        PD_TRY(push(w, PLACES, many ? list : w->class.v[k]));
    }
    c->slots += n;
    if (many) {
        c->lists++;
        PD_TRY(push(w, MANY_STARTS, w->ends[MANY].n));
        PD_TRY(pd_place_list_write(w->class.v, w->class.n, put_to_list, w));
    }
    w->class.n = 0;
    return PD_OK;
}

static int add_entry(struct pd_segment_writer *w, pd_sig sig, uint64_t place)
{
    if (sig != w->sig || w->counts.entries == 0) {
        PD_TRY(end_class(w));
        PD_TRY(add_head(w, sig));
    }
    w->counts.entries++;
    pd_u64s_push(&w->class, place);
    return PD_OK;
}

int pd_segment_add_name(struct pd_segment_writer *w, pd_sig sig, pd_doc doc, uint32_t unit)
{
    if (unit == PD_SEGMENT_WHOLE)
        return add_entry(w, sig, w->counts.units + doc);
    return add_entry(w, sig,
                     pd_packed_number(w->units + doc * w->unit_bytes, w->unit_bytes) + unit);
}

int pd_segment_add_common(struct pd_segment_writer *w, pd_sig sig, uint64_t df)
{
    PD_TRY(push(w, COMMON, df));
    return add_entry(w, sig, w->counts.units + w->counts.documents + w->counts.common++);
}

int pd_segment_add_aside(struct pd_segment_writer *w, uint64_t name)
{
    return push(w, ASIDES, name);
}

void pd_segment_keep_sets(struct pd_segment_writer *w, const struct pd_sets_making *how)
{
    w->sets = pd_sets_new(how);
}

int pd_segment_add_set(struct pd_segment_writer *w, uint64_t documents, const pd_sig *set, size_t n)
{
    return pd_sets_add(w->sets, w->counts.names - 1, documents, set, n);
}

/* ---- the end ---- */

/* End a section of numbers that end at any bit with a byte. */
static int end_bits(struct pd_segment_writer *w) { return put_bits(w, 0, (8 - w->nbits) % 8); }

static int write_places(struct pd_segment_writer *w)
{
    struct pd_segment_counts *c = &w->counts;
    struct pd_spool *from = &w->tables[PLACES];
    const void *rec;
    int status;
    const uint64_t places = c->units + c->documents + c->common;
    for (c->place_bits = 1; (places + c->lists) >> c->place_bits;)
        c->place_bits++;
    PD_TRY(pd_sections_begin(w->file, table_names[PLACES]));
    PD_TRY(pd_spool_finish(from));
    while ((status = pd_spool_next(from, &rec)) == PD_OK) {
        const uint64_t place = *(const uint64_t *)rec;
        PD_TRY(
            put_bits(w, place & LIST ? places + (place ^ LIST) : place, (unsigned)c->place_bits));
    }
    return status < 0 ? status : end_bits(w);
}

static int write_rest(struct pd_segment_writer *w)
{
    struct pd_segment_counts *c = &w->counts;
    PD_TRY(end_class(w));
    PD_TRY(end_bits(w));
    PD_TRY(go_to_bucket(w, UINT64_C(1) << c->bits));
    PD_TRY(end_table_of_bits(w, BUCKETS));
    PD_TRY(end_table_of_bits(w, HEADS));
    PD_TRY(end_table_of_bits(w, MANY));
    PD_TRY(put_table(w, BUCKETS, sizeof(uint64_t)));
    PD_TRY(put_table(w, SPANS, pd_bytes_below(w->ends[BUCKETS].n + 1)));
    PD_TRY(put_table(w, HEADS, sizeof(uint64_t)));
    PD_TRY(put_table(w, FIRSTS, pd_bytes_below(c->slots + 1)));
    PD_TRY(write_places(w));
    PD_TRY(put_table(w, MANY, sizeof(uint64_t)));
    PD_TRY(put_table(w, MANY_STARTS, pd_bytes_below(w->tables[MANY].n * PD_BITS_WORD + 1)));
    PD_TRY(put_table(w, COMMON, sizeof(uint64_t)));
    PD_TRY(put_table(w, ASIDES, sizeof(uint64_t)));
    if (w->sets)
        PD_TRY(pd_sets_write(w->sets, w->file, c));
    PD_TRY(pd_sections_begin(w->file, "numbers"));
    return pd_sections_append(w->file, c, sizeof *c);
}

static void release(struct pd_segment_writer *w)
{
    for (int k = 0; k < TABLES; k++)
        pd_spool_release(&w->tables[k]);
    pd_spare_release(&w->spare);
    pd_map_release(&w->map);
    pd_sets_free(w->sets);
    pd_u64s_release(&w->class);
    PD_RELEASE(pd_bytes, &w->first_id, &w->first_path, &w->packed);
    pd_hash_table_release(&w->hosts);
    free(w);
}

int pd_segment_finish(struct pd_segment_writer *w, struct pd_segment_counts *counts,
                      uint64_t *checksum)
{
    int status = write_rest(w);
    *counts = w->counts;
    if (status >= 0)
        status = pd_sections_finish(w->file, checksum);
    else
        pd_sections_abandon(w->file);
    release(w);
    return status;
}

void pd_segment_abandon(struct pd_segment_writer *w)
{
    if (!w)
        return;
    pd_sections_abandon(w->file);
    release(w);
}

/* index/segment_writer.c - write a segment: see include/pardup/index/segment.h */
#include <stdlib.h>
#include <string.h>

#include "indexed.h"
#include "pardup/base/error.h"
#include "pardup/base/vec.h"
#include "pardup/index/sets.h"

PD_VEC(numbers, uint64_t);

enum {
    BUCKET_NAMES = 16, /* names of a bucket of the directory, at least; at most twice as many */
    BITS_LEAST = 8,
    BITS_MOST = 32
};

struct pd_segment_writer {
    struct pd_sections_writer *file;
    struct pd_segment_counts counts;
    struct numbers starts, units; /* where documents begin in their section; their first units */
    struct numbers file_starts;
    struct pd_bytes files;
    struct numbers df;           /* documents of each common class */
    struct numbers directory;    /* the first entry of each bucket that has begun */
    struct pd_sets_writer *sets; /* NULL: none are kept */
    uint64_t class_entry;        /* the first entry of the class at hand */
    pd_sig sig;                  /* its name */
    unsigned __int128 bits;      /* of names, not written yet; the lowest first */
    unsigned nbits;
    uint64_t document_bytes;
};

struct pd_segment_writer *pd_segment_create(const char *path, bool with_text)
{
    struct pd_sections_writer *file = pd_sections_create(path);
    if (!file)
        return NULL;
    struct pd_segment_writer *w = pd_realloc(NULL, 1, sizeof *w);
    *w = (struct pd_segment_writer){.file = file, .counts = {.with_text = with_text}};
    numbers_push(&w->starts, 0);
    numbers_push(&w->units, 0);
    numbers_push(&w->file_starts, 0);
    if (pd_sections_begin(file, "documents") >= 0)
        return w;
    pd_segment_abandon(w);
    return NULL;
}

int pd_segment_add_document(struct pd_segment_writer *w, const void *packed, size_t n)
{
    struct pd_indexed doc;
    PD_CHECK(pd_indexed_unpack(packed, n, w->counts.with_text, &doc));
    w->document_bytes += n;
    w->counts.documents++;
    w->counts.units += doc.nunits;
    w->counts.sentences += doc.sentences;
    w->counts.words += doc.words;
    w->counts.text_bytes += doc.text_bytes;
    if (doc.id_n > w->counts.longest_id)
        w->counts.longest_id = doc.id_n;
    numbers_push(&w->starts, w->document_bytes);
    numbers_push(&w->units, w->counts.units);
    return pd_sections_append(w->file, packed, n);
}

int pd_segment_add_file(struct pd_segment_writer *w, const char *path, uint64_t bytes)
{
    if (strlen(path) > w->counts.longest_id) /* the id of a document may be the path of its file */
        w->counts.longest_id = strlen(path);
    pd_bytes_append(&w->files, &bytes, sizeof bytes);
    pd_bytes_append(&w->files, path, strlen(path) + 1);
    numbers_push(&w->file_starts, w->files.n);
    w->counts.files++;
    return PD_OK;
}

/* Write a table of numbers, `bytes` each. */
static int put_numbers(struct pd_segment_writer *w, const char *name, const struct numbers *v,
                       unsigned bytes)
{
    PD_TRY(pd_sections_begin(w->file, name));
    for (size_t k = 0; k < v->n; k++)
        PD_TRY(pd_sections_append(w->file, &v->v[k], bytes));
    return PD_OK;
}

int pd_segment_names(struct pd_segment_writer *w, uint64_t most)
{
    struct pd_segment_counts *c = &w->counts;
    PD_TRY(put_numbers(w, "starts", &w->starts, pd_bytes_below(w->document_bytes + 1)));
    PD_TRY(put_numbers(w, "units", &w->units, pd_bytes_below(c->units + 1)));
    PD_TRY(put_numbers(w, "file_starts", &w->file_starts, sizeof(uint64_t)));
    PD_TRY(pd_sections_begin(w->file, "files"));
    PD_TRY(pd_sections_append(w->file, w->files.v, w->files.n));
    for (c->bits = BITS_LEAST; c->bits < BITS_MOST && most >> (c->bits + 1) >= BUCKET_NAMES;)
        c->bits++;
    /* each common class has two units at least, so `most` bounds their number */
    for (c->place_bits = 1; (c->units + c->documents + most) >> c->place_bits;)
        c->place_bits++;
    return pd_sections_begin(w->file, "names");
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

static int add_entry(struct pd_segment_writer *w, pd_sig sig, uint64_t place)
{
    const uint64_t bucket = sig >> (64 - w->counts.bits);
    const uint64_t rest = (sig & (UINT64_MAX >> w->counts.bits)) >> (64 - PD_SEGMENT_NAME);
    PD_CHECK(bucket + 1 >= w->directory.n);
    while (w->directory.n <= bucket)
        numbers_push(&w->directory, w->counts.entries);
    if (sig != w->sig || w->counts.entries == 0)
        w->class_entry = w->counts.entries;
    w->sig = sig;
    w->counts.entries++;
    PD_TRY(put_bits(w, rest, PD_SEGMENT_NAME - (unsigned)w->counts.bits));
    return put_bits(w, place, (unsigned)w->counts.place_bits);
}

int pd_segment_add_name(struct pd_segment_writer *w, pd_sig sig, pd_doc doc, uint32_t unit)
{
    return add_entry(w, sig,
                     unit == PD_SEGMENT_WHOLE ? w->counts.units + doc : w->units.v[doc] + unit);
}

int pd_segment_add_common(struct pd_segment_writer *w, pd_sig sig, uint64_t df)
{
    numbers_push(&w->df, df);
    return add_entry(w, sig, w->counts.units + w->counts.documents + w->counts.common++);
}

void pd_segment_keep_sets(struct pd_segment_writer *w, const struct pd_sets_making *how)
{
    w->sets = pd_sets_new(how);
}

int pd_segment_add_set(struct pd_segment_writer *w, const pd_sig *set, size_t n)
{
    return pd_sets_add(w->sets, w->class_entry, set, n);
}

static int write_directory(struct pd_segment_writer *w)
{
    const unsigned bytes = pd_bytes_below(w->counts.entries + 1);
    PD_TRY(put_bits(w, 0, (8 - w->nbits) % 8)); /* the last names end with a byte */
    PD_TRY(pd_sections_begin(w->file, "directory"));
    while (w->directory.n <= (uint64_t)1 << w->counts.bits)
        numbers_push(&w->directory, w->counts.entries);
    for (size_t k = 0; k < w->directory.n; k++)
        PD_TRY(pd_sections_append(w->file, &w->directory.v[k], bytes));
    return PD_OK;
}

static int write_rest(struct pd_segment_writer *w)
{
    struct pd_segment_counts *c = &w->counts;
    PD_TRY(write_directory(w));
    PD_TRY(put_numbers(w, "common", &w->df, sizeof(uint64_t)));
    if (w->sets)
        PD_TRY(pd_sets_write(w->sets, w->file, c));
    PD_TRY(pd_sections_begin(w->file, "numbers"));
    return pd_sections_append(w->file, c, sizeof *c);
}

static void release(struct pd_segment_writer *w)
{
    numbers_release(&w->starts);
    numbers_release(&w->units);
    numbers_release(&w->file_starts);
    numbers_release(&w->df);
    numbers_release(&w->directory);
    pd_bytes_release(&w->files);
    pd_sets_free(w->sets);
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

/*
 * store/sorter.c - see include/pardup/store/sorter.h
 *
 * Records are dealt to partitions as they arrive, and later sorted partition by partition. Copies
 * of the records are sorted, or, if records differ in size or are long for their key, references: a
 * reference is the key of a record and a pointer to it. Keys ascend from partition to partition, so
 * the sorted partitions one after another are a run.
 */
#include "pardup/store/sorter.h"

#include <string.h>

#include "dealt.h"
#include "merge.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"

enum {
    U64 = 8,                 /* bytes of a u64 */
    APPEND_BYTES = 8 << 10,  /* bytes appended to the file at once: few, so that blocks get full */
    OUTPUT_BYTES = 64 << 10, /* bytes of records that pd_sorter_next() returns, about */
    LEAST_USABLE = 96 << 10, /* fewest bytes to hold and sort records in */
    /* Bytes of buffers: blocks of two files, one read and one written, and the output. */
    OVERHEAD = 5 * (int)PD_PACKED_BLOCK,
    LONG_BUFFERS = 5, /* buffers that grow to the longest record, beyond OVERHEAD */
    LONG_FOR_KEY = 3  /* references are sorted if records are at least 3 times as long */
};

struct pd_sorter {
    struct pd_sorting how;
    struct pd_shape shape;
    char *path;                 /* the copy of how.path, allocated */
    bool references;            /* references are sorted, not records */
    size_t width;               /* bytes of a reference, or of a record, whichever is sorted */
    size_t usable;              /* bytes of memory for merging */
    size_t longest;             /* bytes of the longest record */
    uint64_t pushed;            /* bytes of all records */
    uint64_t removed;           /* bytes on disk of files that have been deleted */
    bool finished;              /* pd_sorter_finish() has succeeded */
    struct pd_dealt dealt;      /* the records in memory, by partition */
    uint32_t partition;         /* the next partition to be sorted */
    struct pd_bytes sorted;     /* the sorted records or references of the partition before it */
    struct pd_seen seen;        /* memory of pd_dealt_gather_shared() */
    size_t at;                  /* bytes of `sorted` that have been read */
    struct pd_bytes output;     /* records to return or write, copied from references or runs */
    struct pd_packed *file;     /* the sorted runs; NULL: all records are in memory */
    struct pd_sorted_runs runs; /* the sorted runs of the file */
    struct pd_merge *merge;     /* merges the last runs; NULL: all records are in memory */
};

/*
 * Bytes that hold records, of the usable bytes. A partition is copied to be sorted, and one
 * partition may have all records, so half of the bytes are for copies; references are not longer
 * than records. pd_sort_records() uses as much of its scratch as it sorts, and PD_SORT_SCRATCH at
 * most.
 */
static size_t room_in(size_t usable)
{
    return usable > 3 * PD_SORT_SCRATCH ? (usable - PD_SORT_SCRATCH) / 2 : usable / 3;
}

struct pd_sorter *pd_sorter_new(const struct pd_sorting *how)
{
    struct pd_sorter *s = pd_realloc(NULL, 1, sizeof *s);
    PD_CHECK(how->size % U64 == 0 && how->keys > 0);
    *s = (struct pd_sorter){.how = *how, .shape = {how->size, how->key_at, how->keys}};
    s->path = pd_printed("%s", how->path);
    s->width = (how->keys + 1) * U64;
    s->references = how->size == 0 || how->size > PD_SORT_MOST_U64S * U64 ||
                    how->size >= LONG_FOR_KEY * s->width;
    PD_CHECK(!s->references || how->keys < PD_SORT_MOST_U64S);
    PD_CHECK(!s->references || !how->lone_useless);
    const size_t usable =
        how->memory > LEAST_USABLE + OVERHEAD ? how->memory - OVERHEAD : LEAST_USABLE;
    const size_t room = room_in(usable);
    s->usable = usable - pd_min_size(room, PD_SORT_SCRATCH);
    if (!s->references)
        s->width = how->size;
    pd_dealt_init(&s->dealt, how->size, room, how->partition || how->spread, how->spare);
    return s;
}

/* Move the key to the front of each record, or back to where it belongs. */
static void rotate_keys(const struct pd_shape *shape, struct pd_bytes *recs, bool to_front)
{
    const size_t before = shape->key_at * U64, key = shape->keys * U64;
    const size_t left = to_front ? before : key, right = to_front ? key : before;
    unsigned char hold[PD_SORT_MOST_U64S * U64];
    for (size_t at = 0; before && at < recs->n; at += shape->size) {
        memcpy(hold, recs->v + at, left);
        memmove(recs->v + at, recs->v + at + left, right);
        memcpy(recs->v + at + right, hold, left);
    }
}

/*
 * Prefetch the records of a page. A record that has its own size is only found when the record
 * before it has been read, so that each would be waited for.
 */
static void prefetch(const unsigned char *v, size_t n)
{
    enum { LINE = 64 }; /* bytes of the cache, fetched at once */
    for (size_t at = 0; at < n; at += LINE)
        __builtin_prefetch(v + at);
}

/* Copy a key. Most keys have one or two u64s: with a constant length no function is called. */
static inline void copy_key(unsigned char *to, const unsigned char *from, size_t key)
{
    if (key == U64)
        memcpy(to, from, U64);
    else if (key == 2 * U64)
        memcpy(to, from, 2 * U64);
    else
        memcpy(to, from, key);
}

/* Put the references of all records of a partition into s->sorted. */
static void gather_references(struct pd_sorter *s, uint32_t partition)
{
    const size_t key_at = s->shape.key_at * U64, key = s->shape.keys * U64;
    const size_t n = pd_dealt_items(&s->dealt, partition) * s->width;
    if (n > s->sorted.cap)
        pd_bytes_release(&s->sorted);
    pd_bytes_reserve(&s->sorted, n);
    unsigned char *to = s->sorted.v;
    for (const struct pd_dealt_page *p = pd_dealt_first(&s->dealt, partition); p; p = p->next) {
        const size_t used = pd_dealt_used(&s->dealt, partition, p);
        const unsigned char *rec = p->items, *const end = rec + used;
        __builtin_prefetch(p->next);
        prefetch(rec, used);
        for (; rec < end; rec += pd_shape_size(&s->shape, rec), to += s->width) {
            copy_key(to, rec + key_at, key);
            memcpy(to + key, &rec, sizeof rec);
        }
    }
    s->sorted.n = (size_t)(to - s->sorted.v);
}

/* Sort a partition into s->sorted. */
static void sort_partition(struct pd_sorter *s, uint32_t partition)
{
    const struct pd_shape *shape = &s->shape;
    const size_t width = s->width;
    if (s->references)
        gather_references(s, partition);
    else if (s->how.lone_useless && !s->file)
        pd_dealt_gather_shared(&s->dealt, partition, shape->key_at * U64, &s->sorted, &s->seen);
    else
        pd_dealt_gather(&s->dealt, partition, &s->sorted);
    s->at = 0;
    if (!s->references)
        rotate_keys(shape, &s->sorted, true);
    pd_sort_records(s->sorted.v, s->sorted.n / width, (unsigned)(width / U64), shape->keys);
    if (!s->references)
        rotate_keys(shape, &s->sorted, false);
}

/*
 * The next whole records of the sorted partition: `most` bytes at most, or one longer record. *n is
 * their bytes; 0: there are no more.
 */
static const unsigned char *sorted_records(struct pd_sorter *s, size_t most, size_t *n)
{
    const size_t width = s->width;
    *n = 0;
    if (s->at == s->sorted.n)
        return NULL;
    if (!s->references) {
        const size_t left = s->sorted.n - s->at;
        *n = left < most ? left : most / width * width;
        s->at += *n;
        return s->sorted.v + s->at - *n;
    }
    s->output.n = 0;
    for (; s->at < s->sorted.n; s->at += width) {
        const unsigned char *rec;
        memcpy(&rec, s->sorted.v + s->at + width - U64, sizeof rec);
        const size_t size = pd_shape_size(&s->shape, rec);
        if (s->output.n && s->output.n + size > most)
            break;
        pd_bytes_reserve(&s->output, s->output.n + size);
        pd_dealt_copy(s->output.v + s->output.n, rec, size);
        s->output.n += size;
    }
    *n = s->output.n;
    return s->output.v;
}

static int open_file(const struct pd_sorter *s, struct pd_packed **file)
{
    struct pd_packed *f = pd_packed_create(s->path);
    if (!f)
        return PD_EIO;
    if (pd_packed_forget(f) < 0) { /* so that a killed process leaves no file */
        pd_packed_close(f);
        return PD_EIO;
    }
    pd_packed_as_u64s(f, s->how.size);
    *file = f;
    return PD_OK;
}

static void close_file(struct pd_sorter *s)
{
    if (s->file)
        s->removed += pd_packed_stored(s->file);
    pd_packed_close(s->file);
    s->file = NULL;
}

/* Write the records in memory as a run. After a failure they are still in memory, in no run. */
static int spill(struct pd_sorter *s)
{
    if (!s->file)
        PD_TRY(open_file(s, &s->file));
    PD_TRY(pd_packed_end_block(s->file));
    struct pd_sorted_run run = {.from = pd_packed_blocks(s->file)};
    for (uint32_t partition = 0; partition < s->dealt.npartitions; partition++) {
        sort_partition(s, partition);
        for (size_t n;;) {
            const unsigned char *recs = sorted_records(s, APPEND_BYTES, &n);
            if (!n)
                break;
            PD_TRY(pd_packed_append(s->file, recs, n, NULL));
        }
    }
    PD_TRY(pd_packed_end_block(s->file));
    run.to = pd_packed_blocks(s->file);
    if (run.to > run.from)
        pd_sorted_runs_push(&s->runs, run);
    pd_dealt_reset(&s->dealt);
    return PD_OK;
}

static uint32_t partition_of(const struct pd_sorter *s, const unsigned char *rec)
{
    const uint32_t npartitions = s->dealt.npartitions;
    uint64_t number;
    if (!s->how.spread)
        return s->how.partition ? s->how.partition(rec, npartitions, s->how.ctx) : 0;
    memcpy(&number, rec + s->how.key_at * U64, sizeof number);
    return (uint32_t)pd_hash_range(number * s->how.spread, (int)npartitions);
}

/* Deal a record to its partition. False: the arena is full. */
static bool deal(struct pd_sorter *s, const unsigned char *rec, size_t size)
{
    const uint32_t npartitions = s->dealt.npartitions, partition = partition_of(s, rec);
    PD_CHECK(partition < npartitions);
    return s->how.size ? pd_dealt_push(&s->dealt, partition, rec)
                       : pd_dealt_push_any(&s->dealt, partition, rec, size);
}

int pd_sorter_push(struct pd_sorter *s, const void *recs, size_t bytes)
{
    const unsigned char *rec = recs;
    PD_CHECK(!s->finished);
    for (size_t left = bytes, size; left > 0; left -= size, rec += size) {
        size = pd_shape_size(&s->shape, rec);
        PD_CHECK(size <= left && size % U64 == 0 &&
                 size >= (s->shape.key_at + s->shape.keys) * U64);
        if (!deal(s, rec, size)) {
            PD_TRY(spill(s));
            if (!deal(s, rec, size)) {
                pd_dealt_reset(&s->dealt);
                pd_dealt_fit(&s->dealt, size);
                PD_CHECK(deal(s, rec, size));
            }
        }
        if (size > s->longest)
            s->longest = size;
        s->pushed += size;
    }
    return PD_OK;
}

static size_t longest_block(const struct pd_sorter *s)
{
    return pd_max_size(s->longest, PD_PACKED_BLOCK);
}

/* Merge runs [from, from + n) to one at the end of `to`. */
static int merge_runs(struct pd_sorter *s, size_t from, size_t n, struct pd_packed *to,
                      struct pd_sorted_run *made)
{
    struct pd_merge *m = pd_merge_new(s->file, s->runs.v + from, n, &s->shape, longest_block(s));
    int status = m ? PD_OK : PD_EIO;
    made->from = pd_packed_blocks(to);
    while (status == PD_OK && (status = pd_merge_next(m, APPEND_BYTES, &s->output)) == PD_OK)
        status = pd_packed_append(to, s->output.v, s->output.n, NULL);
    pd_merge_free(m);
    PD_TRY(status);
    PD_TRY(pd_packed_end_block(to));
    made->to = pd_packed_blocks(to);
    return PD_OK;
}

/* Merge `at_once` runs at a time into longer runs of a new file, which replaces the old one. */
static int merge_pass(struct pd_sorter *s, size_t at_once)
{
    struct pd_packed *to;
    struct pd_sorted_runs made = {0};
    int status = open_file(s, &to);
    if (status < 0)
        return status;
    for (size_t from = 0; status == PD_OK && from < s->runs.n; from += at_once) {
        const size_t left = s->runs.n - from;
        struct pd_sorted_run run = {0};
        status = merge_runs(s, from, pd_min_size(left, at_once), to, &run);
        pd_sorted_runs_push(&made, run);
    }
    if (status == PD_OK)
        status = pd_packed_finish(to);
    if (status < 0) {
        pd_sorted_runs_release(&made);
        pd_packed_close(to);
        return status;
    }
    close_file(s);
    s->file = to;
    pd_sorted_runs_release(&s->runs);
    s->runs = made;
    return PD_OK;
}

/* How many runs can be merged at once: a block of each run is in memory. */
static size_t runs_at_once(const struct pd_sorter *s)
{
    size_t n = s->usable / longest_block(s);
    if (s->longest > OUTPUT_BYTES) /* the buffers take more than OVERHEAD */
        n = n > LONG_BUFFERS ? n - LONG_BUFFERS : 0;
    return pd_max_size(n, 2);
}

int pd_sorter_finish(struct pd_sorter *s)
{
    PD_CHECK(!s->finished);
    if (s->file) {
        PD_TRY(spill(s));
        pd_dealt_release(&s->dealt);
        pd_bytes_release(&s->sorted);
        PD_TRY(pd_packed_finish(s->file));
        const size_t at_once = runs_at_once(s);
        while (s->runs.n > at_once)
            PD_TRY(merge_pass(s, at_once));
        s->merge = pd_merge_new(s->file, s->runs.v, s->runs.n, &s->shape, longest_block(s));
        if (!s->merge)
            return PD_EIO;
    }
    s->finished = true;
    return PD_OK;
}

static int next_merged(struct pd_sorter *s, const unsigned char **recs, size_t *n)
{
    const int status = pd_merge_next(s->merge, OUTPUT_BYTES, &s->output);
    if (status == PD_OK) {
        *recs = s->output.v;
        *n = s->output.n;
    }
    return status;
}

static int next_in_memory(struct pd_sorter *s, const unsigned char **recs, size_t *n)
{
    for (;;) {
        *recs = sorted_records(s, s->references ? OUTPUT_BYTES : SIZE_MAX, n);
        if (*n)
            return PD_OK;
        if (s->partition)
            pd_dealt_leave(&s->dealt, s->partition - 1);
        if (s->partition == s->dealt.npartitions)
            return PD_END;
        sort_partition(s, s->partition++);
    }
}

/* Free the memory and the file: all records have been read. */
static void free_read(struct pd_sorter *s)
{
    pd_merge_free(s->merge);
    s->merge = NULL;
    close_file(s);
    s->partition = 0;
    pd_dealt_release(&s->dealt);
    pd_bytes_release(&s->sorted);
    pd_seen_release(&s->seen);
    pd_bytes_release(&s->output);
    pd_sorted_runs_release(&s->runs);
    s->at = 0;
}

int pd_sorter_next(struct pd_sorter *s, const unsigned char **recs, size_t *n)
{
    PD_CHECK(s->finished);
    *n = 0;
    const int status = s->merge ? next_merged(s, recs, n) : next_in_memory(s, recs, n);
    if (status == PD_END)
        free_read(s);
    return status;
}

uint64_t pd_sorter_bytes(const struct pd_sorter *s) { return s->pushed; }

uint64_t pd_sorter_passed(const struct pd_sorter *s, uint64_t got)
{
    if (s->file || s->partition == 0)
        return got;
    const double share = s->sorted.n ? (double)s->at / (double)s->sorted.n : 1;
    const double part = s->partition - 1 + share;
    return (uint64_t)((double)s->pushed * part / s->dealt.npartitions);
}

uint64_t pd_sorter_spilled(const struct pd_sorter *s)
{
    return s->removed + (s->file ? pd_packed_stored(s->file) : 0);
}

void pd_sorter_free(struct pd_sorter *s)
{
    if (!s)
        return;
    free_read(s);
    PD_FREE(s->path, s);
}

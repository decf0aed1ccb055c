/*
 * index/sets_writer.c - see include/pardup/index/sets.h
 *
 * Three sorters that spill. By signature: how many sets have it, which gives the keys. By set: its
 * keys in order of frequency. By key: the sets that are listed under it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/fan.h"
#include "pardup/base/sort.h"
#include "pardup/index/sets.h"
#include "pardup/store/sorter.h"

enum { SORTERS = 5, PATH_ROOM = 4096 };

/* Codes behind those of all frequencies. */
static const uint64_t name_code = UINT64_C(0xFF) << PD_SETS_CODE_SHIFT; /* not a key, a name */
static const uint64_t too_common = 0xFE;                                /* a key over `sct` */

struct member {
    uint64_t sig, set;
    uint64_t documents; /* that have the class of the set */
};
struct item {
    uint64_t set, key; /* a key; or the name of the set, with name_code */
};
struct listed {
    uint64_t number, set, n;
};

struct pd_sets_writer {
    struct pd_sets_making how;
    struct pd_sorter *members, *items, *lists; /* of the three structs above */
    uint64_t nsets, nkeys;
    struct pd_u64s group; /* sets of the key at hand, or keys of the set at hand */
    uint64_t documents;   /* that have the key at hand */
    struct pd_bytes packed;
    struct pd_sorter *set_starts, *list_starts; /* u64s, which ascend */
    uint64_t written;                           /* bytes of the section at hand */
};

static struct pd_sorter *sorter(const struct pd_sets_making *how, const char *name, size_t size)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s.%s", how->scratch, name);
    return pd_sorter_new(&(struct pd_sorting){.size = size,
                                              .keys = (unsigned)(size / sizeof(uint64_t)),
                                              .memory = how->memory / SORTERS,
                                              .path = path});
}

struct pd_sets_writer *pd_sets_new(const struct pd_sets_making *how)
{
    struct pd_sets_writer *w = pd_realloc(NULL, 1, sizeof *w);
    *w = (struct pd_sets_writer){.how = *how};
    w->members = sorter(how, "members", sizeof(struct member));
    w->items = sorter(how, "items", sizeof(struct item));
    w->lists = sorter(how, "lists", sizeof(struct listed));
    w->set_starts = sorter(how, "set_starts", sizeof(uint64_t));
    w->list_starts = sorter(how, "list_starts", sizeof(uint64_t));
    return w;
}

void pd_sets_free(struct pd_sets_writer *w)
{
    if (!w)
        return;
    pd_sorter_free(w->members);
    pd_sorter_free(w->items);
    pd_sorter_free(w->lists);
    pd_u64s_release(&w->group);
    pd_bytes_release(&w->packed);
    pd_sorter_free(w->set_starts);
    pd_sorter_free(w->list_starts);
    free(w);
}

int pd_sets_add(struct pd_sets_writer *w, uint64_t name, uint64_t documents, const pd_sig *set,
                size_t n)
{
    const uint64_t number = w->nsets++;
    const struct item first = {number, name_code | name};
    for (size_t k = 0; k < n; k++) {
        const struct member member = {set[k], number, documents};
        PD_TRY(pd_sorter_push(w->members, &member, sizeof member));
    }
    return pd_sorter_push(w->items, &first, sizeof first);
}

/* The code of a frequency: it grows by four as the frequency doubles. */
static uint64_t code_of(uint64_t df)
{
    const unsigned top = 63 - (unsigned)__builtin_clzll(df);
    return 4 * top + (unsigned)((top >= 2 ? df >> (top - 2) : df << (2 - top)) & 3);
}

static void put(struct pd_bytes *to, uint64_t x)
{
    unsigned char varint[PD_VARINT_MOST];
    pd_bytes_append(to, varint, (size_t)(pd_varint_put(varint, x) - varint));
}

/* Write what is packed, and remember where it begins. */
static int flush(struct pd_sets_writer *w, struct pd_sections_writer *file,
                 struct pd_sorter *starts)
{
    PD_TRY(pd_sorter_push(starts, &w->written, sizeof w->written));
    w->written += w->packed.n;
    PD_TRY(pd_sections_append(file, w->packed.v, w->packed.n));
    w->packed.n = 0;
    return PD_OK;
}

/* ---- keys ---- */

/* The sets of the signature at hand are all there. */
static int end_key(struct pd_sets_writer *w, struct pd_sections_writer *file, pd_sig sig)
{
    if (w->group.n == 0)
        return PD_OK;
    const uint64_t sct = w->how.sct;
    const bool over = sct && w->documents > sct;
    const uint64_t code = over ? too_common : code_of(w->group.n);
    const uint64_t documents = over ? sct + 1 : w->documents;
    PD_TRY(pd_sections_append(file, &sig, sizeof sig));
    PD_TRY(pd_sections_append(file, &code, 1));
    PD_TRY(pd_sections_append(file, &documents, sct ? pd_bytes_below(sct + 2) : 0));
    for (size_t k = 0; k < w->group.n; k++) {
        const struct item item = {w->group.v[k], code << PD_SETS_CODE_SHIFT | w->nkeys};
        PD_TRY(pd_sorter_push(w->items, &item, sizeof item));
    }
    w->nkeys++;
    w->group.n = w->documents = 0;
    return PD_OK;
}

static int write_keys(struct pd_sets_writer *w, struct pd_sections_writer *file)
{
    struct pd_ordered in = {.from = w->members};
    const void *rec;
    pd_sig sig = 0;
    int status;
    PD_TRY(pd_sections_begin(file, "keys"));
    PD_TRY(pd_sorter_finish(w->members));
    for (; (status = pd_ordered_look(&in, &rec)) == PD_OK; in.at += sizeof(struct member)) {
        const struct member *member = rec;
        if (member->sig != sig)
            PD_TRY(end_key(w, file, sig));
        sig = member->sig;
        pd_u64s_push(&w->group, member->set);
        w->documents += member->documents;
    }
    PD_TRY(status);
    PD_TRY(end_key(w, file, sig));
    pd_sorter_free(w->members);
    w->members = NULL;
    return PD_OK;
}

/* ---- sets ---- */

/* How many of n keys, rarest first, are not over `sct`. */
static uint32_t counted_of(const uint64_t *keys, uint32_t n)
{
    while (n > 0 && keys[n - 1] >> PD_SETS_CODE_SHIFT == too_common)
        n--;
    return n;
}

/* The keys of the set are all there, in order; the last item is its name. */
static int end_set(struct pd_sets_writer *w, struct pd_sections_writer *file, uint64_t set)
{
    struct pd_u64s *keys = &w->group;
    if (keys->n == 0)
        return PD_OK;
    const uint32_t n = (uint32_t)keys->n - 1;
    const uint64_t mask = (UINT64_C(1) << PD_SETS_CODE_SHIFT) - 1;
    const uint32_t counted = counted_of(keys->v, n);
    put(&w->packed, keys->v[n] & mask);
    put(&w->packed, n);
    for (uint32_t k = 0; k < n; k++)
        keys->v[k] &= mask;
    const uint32_t smallest = w->how.sct ? 1 : w->how.smallest(w->how.tau, n);
    for (uint32_t k = 0; k + smallest < n + 1 && k < counted; k++) {
        const struct listed listed = {keys->v[k], set, counted};
        PD_TRY(pd_sorter_push(w->lists, &listed, sizeof listed));
    }
    pd_sort_records(keys->v, n, 1, 1);
    for (uint32_t k = 0; k < n; k++)
        put(&w->packed, keys->v[k] - (k ? keys->v[k - 1] : 0));
    keys->n = 0;
    return flush(w, file, w->set_starts);
}

static int write_sets(struct pd_sets_writer *w, struct pd_sections_writer *file)
{
    struct pd_ordered in = {.from = w->items};
    const void *rec;
    uint64_t set = 0;
    int status;
    PD_TRY(pd_sections_begin(file, "sets"));
    PD_TRY(pd_sorter_finish(w->items));
    w->written = 0;
    for (; (status = pd_ordered_look(&in, &rec)) == PD_OK; in.at += sizeof(struct item)) {
        const struct item *item = rec;
        if (item->set != set)
            PD_TRY(end_set(w, file, set));
        set = item->set;
        pd_u64s_push(&w->group, item->key);
    }
    PD_TRY(status);
    PD_TRY(end_set(w, file, set));
    pd_sorter_free(w->items);
    w->items = NULL;
    return PD_OK;
}

/* ---- lists ---- */

static int write_lists(struct pd_sets_writer *w, struct pd_sections_writer *file)
{
    struct pd_ordered in = {.from = w->lists};
    const void *rec = NULL;
    int status = PD_OK;
    PD_TRY(pd_sections_begin(file, "lists"));
    PD_TRY(pd_sorter_finish(w->lists));
    w->written = 0;
    for (uint64_t number = 0; number < w->nkeys; number++) {
        uint64_t before = 0;
        for (; (status = pd_ordered_look(&in, &rec)) == PD_OK; in.at += sizeof(struct listed)) {
            const struct listed *listed = rec;
            if (listed->number != number)
                break;
            put(&w->packed, listed->set - before);
            put(&w->packed, listed->n);
            before = listed->set;
        }
        PD_TRY(status);
        PD_TRY(flush(w, file, w->list_starts));
    }
    return PD_OK;
}

/* Write where the parts of a section of `end` bytes begin, and where the last one ends. */
static int write_starts(struct pd_sections_writer *file, const char *name, struct pd_sorter *starts,
                        uint64_t end)
{
    struct pd_ordered in = {.from = starts};
    const unsigned bytes = pd_bytes_below(end + 1);
    const void *rec;
    int status;
    PD_TRY(pd_sections_begin(file, name));
    PD_TRY(pd_sorter_finish(starts));
    for (; (status = pd_ordered_look(&in, &rec)) == PD_OK; in.at += sizeof(uint64_t))
        PD_TRY(pd_sections_append(file, rec, bytes));
    return status < 0 ? status : pd_sections_append(file, &end, bytes);
}

int pd_sets_write(struct pd_sets_writer *w, struct pd_sections_writer *file,
                  struct pd_segment_counts *counts)
{
    PD_TRY(write_keys(w, file));
    PD_TRY(write_sets(w, file));
    const uint64_t set_bytes = w->written;
    PD_TRY(write_lists(w, file));
    counts->sets = w->nsets;
    counts->keys = w->nkeys;
    counts->with_sets = 1;
    PD_TRY(write_starts(file, "set_starts", w->set_starts, set_bytes));
    return write_starts(file, "list_starts", w->list_starts, w->written);
}

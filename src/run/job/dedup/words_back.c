/* run/job/dedup/words_back.c - the words of documents, read back from what worded.c writes. */
#include <string.h>

#include "pardup/base/cut.h"
#include "pardup/base/error.h"
#include "run/job/dedup/owners.h"
#include "run/job/dedup/word_bits.h"
#include "run/job/dedup/worded.h"

int pd_dedup_worded(struct pd_dedup *d, uint64_t place, struct pd_worded *w)
{
    const int owner = pd_place_owner(d, place);
    if (d->own && owner == d->comm->rank) {
        *w = d->own[place - d->firsts[owner]];
        return PD_OK;
    }
    return pd_shared_part(&d->shared, PD_SHARED_WORDED, (uint64_t)owner,
                          (place - d->firsts[owner]) * sizeof *w, sizeof *w, w);
}

static size_t padded(size_t n) { return (n + 7) / 8 * 8; }

static int read_back(struct pd_dedup *d, uint64_t rank, uint64_t from, size_t n,
                     struct pd_bytes *to)
{
    pd_bytes_reserve(to, n + 1);
    to->n = n;
    return pd_shared_read(&d->shared, rank, from, n, to->v);
}

/* Room for n bytes that are read for a place, if they can be held; otherwise in `own`. */
static unsigned char *room_for(uint64_t place, size_t n, struct pd_ring *held, struct pd_bytes *own)
{
    unsigned char *room = held ? pd_ring_put(held, place, n) : NULL;
    if (!room) {
        pd_bytes_reserve(own, n);
        room = own->v;
    }
    return room;
}

/* Bytes of a document in the file before its id. */
static size_t before_id(const struct pd_worded *w)
{
    return sizeof(struct pd_dedup_record) + padded(w->head_n);
}

/* Bytes of a document in the file from its id to its text. */
static size_t before_text(const struct pd_worded *w)
{
    return padded(w->id_n) + padded(w->units * sizeof(struct pd_sentence)) +
           w->nwords * sizeof(struct pd_located);
}

int pd_dedup_asides(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *asides)
{
    const size_t bits = (size_t)1 << pd_word_bits_log(w->nwords, PD_DEDUP_WORD_BITS) >> 3;
    return read_back(d, w->rank,
                     w->at + before_id(w) + before_text(w) + padded(w->text_bytes) + bits,
                     w->asides * sizeof(struct pd_cut), asides);
}

int pd_dedup_located(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *words)
{
    const size_t n = w->nwords * sizeof(struct pd_located);
    return read_back(d, w->rank, w->at + before_id(w) + before_text(w) - n, n, words);
}

int pd_dedup_id(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *id)
{
    return read_back(d, w->rank, w->at + before_id(w), w->id_n, id);
}

int pd_dedup_record(struct pd_dedup *d, const struct pd_worded *w, struct pd_dedup_record *record,
                    struct pd_bytes *head)
{
    PD_TRY(read_back(d, w->rank, w->at, before_id(w), head));
    memcpy(record, head->v, sizeof *record);
    return PD_OK;
}

int pd_dedup_text_part(struct pd_dedup *d, const struct pd_worded *w, uint32_t begin, uint32_t end,
                       struct pd_bytes *text)
{
    return read_back(d, w->rank, w->at + before_id(w) + before_text(w) + begin, end - begin, text);
}

int pd_dedup_text(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *text)
{
    return pd_dedup_text_part(d, w, 0, (uint32_t)w->text_bytes, text);
}

/* A set that is held begins with the log of its bits; words begin with their two counts. */
int pd_dedup_word_set(struct pd_dedup *d, uint64_t place, struct pd_ring *held,
                      struct pd_bytes *own, struct pd_word_set *set)
{
    const unsigned char *v = pd_ring_find(held, place);
    uint64_t log;
    if (!v) {
        struct pd_worded w;
        PD_TRY(pd_dedup_worded(d, place, &w));
        log = pd_word_bits_log(w.nwords, PD_DEDUP_WORD_BITS);
        const size_t n = (size_t)1 << log >> 3;
        unsigned char *room = room_for(place, sizeof log + n, held, own);
        memcpy(room, &log, sizeof log);
        PD_TRY(pd_shared_read(&d->shared, w.rank,
                              w.at + before_id(&w) + before_text(&w) + padded(w.text_bytes), n,
                              room + sizeof log));
        v = room;
    }
    memcpy(&log, v, sizeof log);
    *set = (struct pd_word_set){v + sizeof log, (unsigned)log};
    return PD_OK;
}

int pd_dedup_words(struct pd_dedup *d, uint64_t place, struct pd_dedup_words *w)
{
    uint64_t counts[2]; /* units, words */
    if (w->place == place)
        return PD_OK;
    w->place = UINT64_MAX;
    const unsigned char *v = w->held ? pd_ring_find(w->held, place) : NULL;
    if (!v) {
        struct pd_worded at;
        PD_TRY(pd_dedup_worded(d, place, &at));
        const size_t n = before_text(&at) - padded(at.id_n);
        unsigned char *room = room_for(place, sizeof counts + n, w->held, &w->bytes);
        counts[0] = at.units;
        counts[1] = at.nwords;
        memcpy(room, counts, sizeof counts);
        PD_TRY(pd_shared_read(&d->shared, at.rank, at.at + before_id(&at) + padded(at.id_n), n,
                              room + sizeof counts));
        v = room;
    }
    memcpy(counts, v, sizeof counts);
    v += sizeof counts;
    w->place = place;
    w->units = (const struct pd_sentence *)(const void *)v;
    w->words = (const struct pd_located *)(const void *)(v + padded(counts[0] * sizeof *w->units));
    w->nunits = counts[0];
    w->nwords = counts[1];
    return PD_OK;
}

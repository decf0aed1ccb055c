/* run/dedup/words_back.c - the words of documents, read back from the files that words.c writes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/open.h"
#include "run/dedup/dedup.h"
#include "run/dedup/word_bits.h"

struct pd_worded *pd_dedup_worded(const struct pd_dedup *d, uint64_t doc)
{
    const uint64_t k = d->docs[doc].worded;
    return k ? &d->worded.v[k - 1] : NULL;
}

static int open_word_file(struct pd_dedup *d, uint64_t rank)
{
    if (d->word_files[rank] >= 0)
        return PD_OK;
    char *path = pd_dedup_work_path(d, "words", rank);
    d->word_files[rank] = pd_open_regular(path);
    free(path);
    return d->word_files[rank] < 0 ? PD_EIO : PD_OK;
}

static size_t padded(size_t n) { return (n + 7) / 8 * 8; }

/* Read n bytes of a rank's file of words. */
static int read_bytes(struct pd_dedup *d, uint64_t rank, uint64_t from, size_t n, unsigned char *to)
{
    PD_TRY(open_word_file(d, rank));
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(d->word_files[rank], to + done, n - done, (off_t)(from + done));
        if (got <= 0)
            return pd_fail(PD_EIO, "%s: words of documents cannot be read back: %s", d->work,
                           got ? strerror(errno) : "the file is too short");
        done += (size_t)got;
    }
    return PD_OK;
}

static int read_back(struct pd_dedup *d, uint64_t rank, uint64_t from, size_t n,
                     struct pd_bytes *to)
{
    pd_bytes_reserve(to, n + 1);
    to->n = n;
    return read_bytes(d, rank, from, n, to->v);
}

/*
 * Read n bytes of document w at *v, if they are not held.
 *   from   where they begin in the file
 *   held   NULL: nothing is held
 *   own    takes what cannot be held
 */
static int read_held(struct pd_dedup *d, const struct pd_worded *w, uint64_t from, size_t n,
                     struct pd_held *held, struct pd_bytes *own, const unsigned char **v)
{
    const size_t thing = (size_t)(w - d->worded.v);
    *v = held ? pd_held_find(held, thing) : NULL;
    if (*v)
        return PD_OK;
    unsigned char *place = held ? pd_held_put(held, thing, n) : NULL;
    if (!place)
        pd_bytes_reserve(own, n + 1);
    *v = place ? place : own->v;
    return read_bytes(d, w->rank, from, n, place ? place : own->v);
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

int pd_dedup_id(struct pd_dedup *d, uint64_t doc, struct pd_bytes *id)
{
    const struct pd_worded *w = pd_dedup_worded(d, doc);
    PD_CHECK(w);
    return read_back(d, w->rank, w->at + before_id(w), w->id_n, id);
}

int pd_dedup_record(struct pd_dedup *d, const struct pd_worded *w, struct pd_dedup_record *record,
                    struct pd_bytes *head)
{
    PD_TRY(read_back(d, w->rank, w->at, before_id(w), head));
    memcpy(record, head->v, sizeof *record);
    return PD_OK;
}

int pd_dedup_text(struct pd_dedup *d, const struct pd_worded *w, struct pd_bytes *text)
{
    return read_back(d, w->rank, w->at + before_id(w) + before_text(w), d->docs[w->doc].text_bytes,
                     text);
}

int pd_dedup_word_set(struct pd_dedup *d, uint64_t doc, struct pd_held *held, struct pd_bytes *own,
                      struct pd_word_set *set)
{
    const struct pd_worded *w = pd_dedup_worded(d, doc);
    PD_CHECK(w);
    set->log = pd_word_bits_log(w->nwords, PD_DEDUP_WORD_BITS);
    return read_held(d, w, w->at + before_id(w) + before_text(w) + padded(d->docs[doc].text_bytes),
                     (size_t)1 << set->log >> 3, held, own, &set->v);
}

int pd_dedup_words(struct pd_dedup *d, uint64_t doc, struct pd_dedup_words *w)
{
    const struct pd_worded *at = pd_dedup_worded(d, doc);
    const unsigned char *v;
    if (w->doc == doc)
        return PD_OK;
    w->doc = UINT64_MAX;
    PD_CHECK(at);
    const size_t id = padded(at->id_n), units = padded(at->units * sizeof *w->units);
    PD_TRY(read_held(d, at, at->at + before_id(at) + id, before_text(at) - id, w->held, &w->bytes,
                     &v));
    w->doc = doc;
    w->units = (const struct pd_sentence *)(const void *)v;
    w->words = (const struct pd_located *)(const void *)(v + units);
    w->nunits = at->units;
    w->nwords = at->nwords;
    return PD_OK;
}

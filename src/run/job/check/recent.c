/* run/job/check/recent.c - see src/run/job/check/recent.h */
#include "recent.h"

#include <stdlib.h>

void pd_recent_free(struct pd_recent_source *source)
{
    if (!source)
        return;
    pd_bytes_release(&source->text);
    pd_sentences_release(&source->units);
    pd_aside_runs_release(&source->asides);
    pd_word_numbers_release(&source->words);
    pd_tokens_release(&source->tokens);
    PD_RELEASE(pd_u64s, &source->terms, &source->spellings);
    free(source);
}

static void empty(struct pd_recent_half *half)
{
    for (size_t k = 0; k < half->list.n; k++)
        pd_recent_free(half->list.v[k]);
    pd_recent_list_release(&half->list);
    pd_hash_table_release(&half->places);
    half->bytes = 0;
}

static uint64_t bytes_of(const struct pd_recent_source *s)
{
    return sizeof *s + s->text.cap + s->units.cap * sizeof *s->units.v +
           s->asides.cap * sizeof *s->asides.v + s->words.cap * sizeof *s->words.v +
           s->tokens.cap * sizeof *s->tokens.v + s->terms.cap * sizeof *s->terms.v +
           s->spellings.cap * sizeof *s->spellings.v + PD_HASH_TABLE_BYTES(1);
}

void pd_recent_add(struct pd_recent_sources *k, struct pd_recent_source *source)
{
    if (k->newer.bytes > k->most / 2) {
        empty(&k->older);
        k->older = k->newer;
        k->newer = (struct pd_recent_half){.bytes = 0};
    }
    pd_recent_list_push(&k->newer.list, source);
    *pd_hash_table_at(&k->newer.places, source->number) = k->newer.list.n;
    source->bytes = 0;
    pd_recent_count(k, source);
}

void pd_recent_count(struct pd_recent_sources *k, struct pd_recent_source *source)
{
    const uint64_t bytes = bytes_of(source);
    k->newer.bytes += bytes - source->bytes;
    source->bytes = bytes;
}

/* The place of a source in a half; NULL: it is not there. */
static struct pd_recent_source **place_of(const struct pd_recent_half *half, pd_doc number)
{
    const uint64_t place = half->list.n ? pd_hash_table_get(&half->places, number) : 0;
    return place ? &half->list.v[place - 1] : NULL;
}

const struct pd_recent_source *pd_recent_look(const struct pd_recent_sources *k, pd_doc number)
{
    struct pd_recent_source **newer = place_of(&k->newer, number);
    struct pd_recent_source **older = newer ? newer : place_of(&k->older, number);
    return older ? *older : NULL;
}

struct pd_recent_source *pd_recent_find(struct pd_recent_sources *k, pd_doc number)
{
    struct pd_recent_source **newer = place_of(&k->newer, number);
    if (newer)
        return *newer;
    struct pd_recent_source **older = place_of(&k->older, number);
    struct pd_recent_source *source = older ? *older : NULL;
    if (source) {
        *older = NULL;
        k->older.bytes -= source->bytes;
        pd_recent_add(k, source);
    }
    return source;
}

void pd_recent_release(struct pd_recent_sources *k)
{
    empty(&k->newer);
    empty(&k->older);
}

/*
 * run/job/check/recent.h - sources that were read, kept for the next passages that they share.
 *
 * What many targets share stands in few sources. A kept source has its units, and its text or its
 * words. Sources are in two halves, newer and older ones. When the newer half has its share of the
 * memory, the older half is freed, and the newer half becomes the older one.
 */
#ifndef PARDUP_RUN_RECENT_H
#define PARDUP_RUN_RECENT_H

#include "pardup/base/bytes.h"
#include "pardup/base/hash_table.h"
#include "pardup/base/unit.h"
#include "pardup/base/vec.h"
#include "pardup/index/index.h"
#include "pardup/passage/ends.h"
#include "pardup/store/blob.h"

/* A source. The caller fills it in. */
struct pd_recent_source {
    pd_doc number;
    struct pd_indexed indexed;
    struct pd_bytes text; /* empty if no words are to be read from it */
    struct pd_sentences units;
    struct pd_aside_runs asides;  /* as in struct pd_spelled, of the words that are read */
    struct pd_word_numbers words; /* as in struct pd_spelled */
    struct pd_tokens tokens;      /* the words of units [from, to), each with its own term */
    struct pd_u64s terms;         /* by tokens[].term */
    struct pd_u64s spellings;     /* the same, if the method has --refine */
    uint32_t from, to;
    uint32_t places; /* how often words were read, each time at another place of the text */
    uint64_t bytes;  /* private: memory that was counted for it */
};
PD_VEC(pd_recent_list, struct pd_recent_source *);

struct pd_recent_half {
    struct pd_recent_list list;  /* NULL: the source has moved to the newer half */
    struct pd_hash_table places; /* number of a source to its place in the list, plus 1 */
    uint64_t bytes;
};

/* Zeroed but for `most`. */
struct pd_recent_sources {
    uint64_t most; /* bytes that both halves may have, beside the source that came last */
    struct pd_recent_half newer, older;
};

/* The source with this number, or NULL. It stays until the next pd_recent_add. */
struct pd_recent_source *pd_recent_find(struct pd_recent_sources *k, pd_doc number);

/* The same without a trace: the source is not kept longer for it. */
const struct pd_recent_source *pd_recent_look(const struct pd_recent_sources *k, pd_doc number);

/* Keep a source, whose number has none yet; it is then owned. Other ones may be freed. */
void pd_recent_add(struct pd_recent_sources *k, struct pd_recent_source *source);

/* Count the memory of a kept source again, which has grown. */
void pd_recent_count(struct pd_recent_sources *k, struct pd_recent_source *source);

/* Free a source that is not kept. */
void pd_recent_free(struct pd_recent_source *source);

void pd_recent_release(struct pd_recent_sources *k);

#endif

/* run/stage/classes/sign.h - sign the units of this rank's documents, one document after the other. */
#ifndef PARDUP_RUN_SIGN_H
#define PARDUP_RUN_SIGN_H

#include "asides.h"
#include "pardup/feature/signer.h"
#include "pardup/run/why.h"

struct pd_signing {
    struct pd_job *job;
    struct pd_signer signer;          /* signer.set is the signature set of the unit signed last */
    struct pd_stored stored;          /* the document that was loaded last */
    struct pd_sentences derived;      /* units of the document, where they are no base units */
    struct pd_word_numbers own;       /* brief.h: words outside templates */
    struct pd_word_numbers own_units; /* brief.h: base units outside templates that have words */
    const uint64_t *spellings;        /* of the signer's words; NULL: not kept (store/volume.h) */
    const struct pd_sentences *units; /* units of the document: `derived` or its base units */
    pd_doc number;                    /* number of the document */
    uint64_t page;                    /* brief.h: the name in its address; 0: it has none */
    uint64_t volume;                  /* the volume whose words the signer knows */
    uint32_t base_at;                 /* the base unit in which the gram signed last begins */
    struct pd_bytes taken;            /* --winnow: why each gram takes no part, or PD_WHY_MATCHED */
    struct pd_u64s hashes;            /* scratch: the hashes of grams */
    uint32_t next;                    /* the unit behind the unit signed last; 0: none was signed */
    enum pd_why why; /* why the unit signed last takes no part; PD_WHY_MATCHED: it does */
};

enum { PD_POSTINGS_MOST = PD_LEXICONS_MOST }; /* most postings of a unit */

/*
 * Make ready to sign. The words of all volumes have their flags (run/stage/classes/count.c). `job`
 * is borrowed until the release.
 */
void pd_signing_init(struct pd_signing *s, struct pd_job *job);
void pd_signing_release(struct pd_signing *s);

/*
 * Load a document: document k of this rank in order of number, or the document with a number, which
 * this rank holds. While its units are signed, the collection must not be asked for another
 * document. PD_OK, PD_EIO or PD_EFORMAT (scratch cannot be read back).
 */
int pd_signing_load(struct pd_signing *s, uint64_t k);
int pd_signing_load_number(struct pd_signing *s, pd_doc number);

/*
 * Make the units of a document that the caller has put into s->stored: its words have numbers of
 * the signer's vocabulary. pd_signing_load() calls it.
 */
void pd_signing_begin(struct pd_signing *s);

/*
 * Sign unit `unit` of the loaded document, and set s->why. Returns the size of its set; 0: the unit
 * takes no part.
 */
size_t pd_signing_sign(struct pd_signing *s, uint32_t unit);

/*
 * Make the postings of unit `unit` of the loaded document: one, or one for each signature if
 * signatures are names. Sets s->why, also where base units are set aside that make the unit. Units
 * are asked for in order.
 *   asides  what is set aside of the loaded document; NULL: nothing is
 *   out     room for PD_POSTINGS_MOST
 * Returns how many; 0: the unit takes no part.
 */
size_t pd_signing_postings(struct pd_signing *s, struct pd_asides *asides, uint32_t unit,
                           struct pd_posting *out);

/* How many of n units with one name in one document count: the first units (--max-repeats). */
static inline size_t pd_signing_counts(const struct pd_method_options *o, size_t n)
{
    return pd_repeats_count(n, (uint64_t)o->max_repeats, o->repeats == PD_REPEATS_FIRST);
}

/* Is each signature of a unit a name of its own (pd_signer_name)? */
bool pd_signing_makes_names(const struct pd_method_options *o);

/*
 * Make the posting of the loaded document as a whole (PD_WHOLE), from all its words in order.
 * False: it has no unit or no word, so it is not compared as a whole.
 */
bool pd_signing_whole(const struct pd_signing *s, struct pd_posting *out);

#endif

/* run/classes/sign.h - the units of this rank's documents, one after the other, with their signatures. */
#ifndef PARDUP_RUN_SIGN_H
#define PARDUP_RUN_SIGN_H

#include "pardup/feature/signer.h"
#include "pardup/feature/units.h"
#include "run/job.h"

/* The units of a document: its base units, or the units that are derived from them into `derived`. */
const struct pd_sentences *pd_units_of(const struct pd_job *job, const struct pd_stored *stored,
                                       struct pd_sentences *derived);

struct pd_signing {
    struct pd_job *job;
    struct pd_signer signer;          /* its set is of the unit that was signed last */
    struct pd_stored stored;          /* the document at hand */
    struct pd_sentences derived;      /* room for its units, where they are no base units */
    const struct pd_sentences *units; /* its units */
    pd_doc number;                    /* its number */
    uint64_t volume;                  /* the volume whose words the signer knows */
};

/* The flags of words must be known (run/classes/count.c). Release in any case. */
void pd_signing_init(struct pd_signing *s, struct pd_job *job);
void pd_signing_release(struct pd_signing *s);

/*
 * Decode a document: this rank's k-th, or one with a number that this rank holds. As long as its units are signed, the
 * collection must not be asked for another document. PD_OK, PD_EIO, PD_EFORMAT.
 */
int pd_signing_load(struct pd_signing *s, uint64_t k);
int pd_signing_load_number(struct pd_signing *s, pd_doc number);

/* Sign unit `unit` of the document at hand. Returns the size of its set; 0: the unit takes no part. */
size_t pd_signing_sign(struct pd_signing *s, uint32_t unit);

#endif

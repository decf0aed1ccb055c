/* run/classes/sign.h - the units of this rank's documents, one after the other, with their signatures. */
#ifndef PARDUP_RUN_SIGN_H
#define PARDUP_RUN_SIGN_H

#include "pardup/feature/signer.h"
#include "pardup/feature/units.h"
#include "run/job.h"

/* A document's units: its base units themselves, or what is derived from them into `derived`. */
const struct pd_sentences *pd_units_of(const struct pd_job *job, const struct pd_stored *stored,
                                       struct pd_sentences *derived);

struct pd_signing {
    struct pd_job *job;
    struct pd_signer signer; /* its set: of the unit last signed */
    struct pd_stored stored; /* the document at hand ... */
    struct pd_sentences derived;
    const struct pd_sentences *units; /* ... and its units */
    pd_doc number;
    uint64_t volume; /* whose words the signer knows */
};

/* Ready once the words' flags are known (run/classes/count.c). Release in any case. */
void pd_signing_init(struct pd_signing *s, struct pd_job *job);
void pd_signing_release(struct pd_signing *s);

/*
 * Decode this rank's k-th document, or the one of a number, which it holds. Whoever signs asks the
 * collection for no other document in between. PD_OK, PD_EIO, PD_EFORMAT.
 */
int pd_signing_load(struct pd_signing *s, uint64_t k);
int pd_signing_load_number(struct pd_signing *s, pd_doc number);

/* Sign unit `unit` of the document at hand; returns the size of the set, 0: takes no part. */
size_t pd_signing_sign(struct pd_signing *s, uint32_t unit);

#endif

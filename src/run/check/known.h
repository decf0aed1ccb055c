/*
 * run/check/known.h - detect --known: documents are compared with each other, and with a store.
 *
 * A store is an index. The job is `detect` of its collection, with words, methods and options of the
 * store. In the align stage each document is also looked up in the store, as `check` does it. Rows of
 * both travel together. In the result the documents of the store follow those of the collection, as
 * sources do after --against.
 */
#ifndef PARDUP_RUN_CHECK_KNOWN_H
#define PARDUP_RUN_CHECK_KNOWN_H

#include "asking.h"

struct pd_known_store {
    struct pd_job *job;
    struct pd_index index;
    struct pd_asking asking;
};

/*
 * COLLECTIVE. Open the store that the options of the job name, and make it the job's. Agreed: PD_OK,
 * PD_EIO or PD_EFORMAT; to be closed in any case.
 */
int pd_known_store_open(struct pd_known_store *k, struct pd_job *job);
void pd_known_store_close(struct pd_known_store *k); /* zeroed: nothing was opened */

/*
 * COLLECTIVE. Make ready to look documents up, behind gather and join. From then on the job has more
 * rows. Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP.
 */
int pd_known_store_prepare(struct pd_known_store *k);

#endif

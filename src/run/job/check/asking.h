/*
 * run/job/check/asking.h - the targets of this rank, looked up in an index one after the other.
 *
 * All are signed first, to know which units many targets have (names.h). Then they are matched,
 * without a message, and their rows travel to the ranks that write them.
 */
#ifndef PARDUP_RUN_CHECK_ASKING_H
#define PARDUP_RUN_CHECK_ASKING_H

#include "names.h"
#include "run/stage/align/rows.h"

struct pd_asking {
    struct pd_job *job;
    struct pd_index *index;
    struct pd_query query;
    struct pd_signing signing;
    struct pd_target_names names;
    struct pd_gathering_rows *rows; /* where rows go, while they are sent */
    uint64_t shift;                 /* is added to the numbers of sources */

    /* Keep what the query says of a target. PD_OK or a failure. NULL: only its rows are kept. */
    int (*keep)(void *ctx, const struct pd_query *q, pd_doc doc);
    void *ctx;

    /* private */
    uint64_t doc; /* the next target of this rank */
    size_t next;  /* the next row of the query that has not been added */
    pd_doc to;    /* targets below it are looked up */
};

/* Not collective. Job and index are borrowed until the release; other members may be set behind it. */
void pd_asking_init(struct pd_asking *a, struct pd_job *job, struct pd_index *index);
void pd_asking_release(struct pd_asking *a);

/*
 * COLLECTIVE. Open the index, in one state of it on all ranks: another job may add to it meanwhile.
 * *index is zeroed. Agreed: PD_OK, PD_EIO or PD_EFORMAT; to be closed in any case.
 */
int pd_asking_open_index(const struct pd_comm *c, struct pd_index *index, const char *dir);

/* COLLECTIVE. Sign all targets. Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP. */
int pd_asking_prepare(struct pd_asking *a);

/*
 * COLLECTIVE. Look up the targets of the slice that `rows` gathers, and send their rows there.
 * Targets before the slice are passed over. Slices come in order. Agreed, as above.
 */
int pd_asking_send(struct pd_asking *a, struct pd_gathering_rows *rows);

/*
 * ---- detect --known: documents are compared with each other, and with a store ----
 *
 * A store is an index. The job is `detect` of its collection, with words, methods and options of
 * the store. In the align stage each document is also looked up in the store, as `check` does it.
 * Rows of both travel together. In the result the documents of the store follow the documents of
 * the collection, as sources do after --against.
 */
struct pd_known_store {
    struct pd_job *job;
    struct pd_index index;
    struct pd_asking asking;
};

/*
 * COLLECTIVE. Open the store that the options of the job name, and make it the job's. Agreed:
 * PD_OK, PD_EIO or PD_EFORMAT; to be closed in any case.
 */
int pd_known_store_open(struct pd_known_store *k, struct pd_job *job);
void pd_known_store_close(struct pd_known_store *k); /* zeroed: nothing was opened */

/*
 * COLLECTIVE. Make ready to look documents up, behind gather and join. From then on the job has
 * more rows. Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP.
 */
int pd_known_store_prepare(struct pd_known_store *k);

#endif

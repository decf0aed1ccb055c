/*
 * run/index/sets.h - signature sets of units on their way to rank 0, for joins that compare sets.
 */
#ifndef PARDUP_RUN_INDEX_SETS_H
#define PARDUP_RUN_INDEX_SETS_H

#include "run/classes/sign.h"

/*
 * The sets of the units of all ranks, at rank 0, in order of their names. Zeroed but for signing.
 */
struct pd_set_stream {
    struct pd_signing *signing; /* borrowed */
    uint64_t doc;               /* the next document of this rank */
    uint32_t unit;              /* its next unit */
    struct pd_u64s set;         /* the set at hand; `sent` signatures of it were sent */
    size_t sent;
    uint64_t part;
    pd_sig name;
    struct pd_shuffle parts;
};

/* COLLECTIVE. Send the sets of all units. Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP. */
int pd_set_stream_send(struct pd_set_stream *s);

/* Rank 0: replace the contents of `set` by the set with this name. Names come in order. */
int pd_set_stream_take(struct pd_set_stream *s, pd_sig name, struct pd_u64s *set);

void pd_set_stream_close(struct pd_set_stream *s);

#endif

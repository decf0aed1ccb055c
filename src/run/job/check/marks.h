/*
 * run/job/check/marks.h - the names that targets of a batch make common: a bit for each name of the
 * index.
 */
#ifndef PARDUP_RUN_MARKS_H
#define PARDUP_RUN_MARKS_H

#include "pardup/index/index.h"

struct pd_marks {
    const struct pd_index *index; /* set by the caller, borrowed */

    /* private */
    unsigned char **bits;   /* for each segment and each number of a name there; NULL: none */
    struct pd_u64s strange; /* names that the index does not have, sorted by pd_marks_end */
};

/* Mark a name. After the last one comes pd_marks_end(). PD_OK or PD_EFORMAT. */
int pd_marks_add(struct pd_marks *m, pd_sig name);
void pd_marks_end(struct pd_marks *m);

/* Is the name with this number in a segment marked? */
static inline bool pd_marks_at(const struct pd_marks *m, size_t segment, uint64_t number)
{
    return m->bits && m->bits[segment][number / 8] >> number % 8 & 1;
}

/* Is a name marked that the index does not have? */
bool pd_marks_strange(const struct pd_marks *m, pd_sig name);

/* Is a name marked that the index has? PD_OK or PD_EFORMAT. */
int pd_marks_known(const struct pd_marks *m, pd_sig name, bool *marked);

void pd_marks_release(struct pd_marks *m);

#endif

/* base/cut.h - stretches that are cut out of a text or of its source. */
#ifndef PARDUP_BASE_CUT_H
#define PARDUP_BASE_CUT_H

#include <stdint.h>

#include "pardup/base/vec.h"

/* Bytes [begin, end). */
struct pd_cut {
    uint32_t begin, end;
};
PD_VEC(pd_cuts, struct pd_cut);

#endif

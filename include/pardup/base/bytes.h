/* base/bytes.h - a growable array of bytes, for texts and for records of several sizes. */
#ifndef PARDUP_BASE_BYTES_H
#define PARDUP_BASE_BYTES_H

#include "pardup/base/vec.h"

PD_VEC(pd_bytes, unsigned char);

#endif

/* base/bytes.h - a growable run of bytes: texts, records on their way to another rank. */
#ifndef PARDUP_BASE_BYTES_H
#define PARDUP_BASE_BYTES_H

#include "pardup/base/vec.h"

PD_VEC(pd_bytes, unsigned char);

#endif

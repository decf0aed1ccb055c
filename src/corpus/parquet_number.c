/* corpus/parquet_number.c - see parquet_number.h */
#include "parquet_number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/real.h"
#include "parquet_footer.h"

size_t pd_parquet_number(char *to, size_t room, int type, bool is_unsigned, const void *v)
{
    int64_t whole = 0;
    int32_t half = 0;
    double x = 0;
    float single = 0;
    int n;
    switch (type) {
    case PD_PARQUET_BOOLEAN:
        n = snprintf(to, room, "%s", *(const unsigned char *)v ? "true" : "false");
        break;
    case PD_PARQUET_INT32:
        memcpy(&half, v, sizeof half);
        n = is_unsigned ? snprintf(to, room, "%" PRIu32, (uint32_t)half)
                        : snprintf(to, room, "%" PRId32, half);
        break;
    case PD_PARQUET_INT64:
        memcpy(&whole, v, sizeof whole);
        n = is_unsigned ? snprintf(to, room, "%" PRIu64, (uint64_t)whole)
                        : snprintf(to, room, "%" PRId64, whole);
        break;
    case PD_PARQUET_FLOAT:
        memcpy(&single, v, sizeof single);
        PD_CHECK(room >= PD_REAL_ROOM);
        n = (int)pd_real_print_single(single, to);
        break;
    default:
        memcpy(&x, v, sizeof x);
        PD_CHECK(room >= PD_REAL_ROOM);
        n = (int)pd_real_print(x, to);
    }
    return (size_t)n;
}

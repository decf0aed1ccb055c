/* corpus/parquet_number.c - see parquet_number.h */
#include "parquet_number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parquet_footer.h"

enum { FLOAT_FIRST = 6, DOUBLE_FIRST = 15, DIGITS_MOST = 17 };

static int real(char *to, size_t room, double x, bool single)
{
    int n = 0;
    for (int digits = single ? FLOAT_FIRST : DOUBLE_FIRST; digits <= DIGITS_MOST; digits++) {
        n = snprintf(to, room, "%.*g", digits, x);
        if (single ? strtof(to, NULL) == (float)x : strtod(to, NULL) == x)
            break;
    }
    return n;
}

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
        n = real(to, room, (double)single, true);
        break;
    default:
        memcpy(&x, v, sizeof x);
        n = real(to, room, x, false);
    }
    return (size_t)n;
}

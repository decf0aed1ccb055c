/* corpus/parquet/parquet_number.c - see parquet_number.h */
#include "parquet_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/real.h"
#include "pardup/base/scan.h"

enum {
    DAY = 86400,      /* seconds */
    JULIAN = 2440588, /* number of the day 1970-01-01 in INT96 */
    WIDE = 32,        /* bytes of the largest decimal */
    NANOS = 1000000000
};

bool pd_parquet_is_printed(const struct pd_parquet_leaf *leaf)
{
    return leaf->means != PD_MEANS_ITSELF ||
           (leaf->type != PD_PARQUET_BYTE_ARRAY && leaf->type != PD_PARQUET_FIXED);
}

bool pd_parquet_is_number(const struct pd_parquet_leaf *leaf)
{
    return pd_parquet_is_printed(leaf) && leaf->type != PD_PARQUET_INT96 &&
           (leaf->means <= PD_MEANS_UNSIGNED || leaf->means == PD_MEANS_DECIMAL ||
            leaf->means == PD_MEANS_HALF);
}

/* ---- dates and times ---- */

/* Print the day that is `days` behind 1970-01-01. */
static int put_date(char *to, size_t room, int64_t days)
{
    enum { ERA = 146097, TO_MARCH = 719468 }; /* days of 400 years; from 0000-03-01 to 1970 */
    const int64_t z = days + TO_MARCH, era = (z >= 0 ? z : z - ERA + 1) / ERA,
                  of_era = z - era * ERA;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / (ERA - 1)) / 365;
    const int64_t day = of_era - (365 * year + year / 4 - year / 100), month = (5 * day + 2) / 153;
    const int64_t m = month < 10 ? month + 3 : month - 9;
    return snprintf(to, room, "%04" PRId64 "-%02" PRId64 "-%02" PRId64, year + era * 400 + (m <= 2),
                    m, day - (153 * month + 2) / 5 + 1);
}

/* Print the time of a day. */
static int put_time(char *to, size_t room, int64_t second, int64_t nanos)
{
    const int n = snprintf(to, room, "%02d:%02d:%02d", (int)(second / 3600),
                           (int)(second / 60 % 60), (int)(second % 60));
    if (nanos == 0)
        return n;
    return n + (nanos % 1000 ? snprintf(to + n, room - (size_t)n, ".%09d", (int)nanos)
                             : snprintf(to + n, room - (size_t)n, ".%06d", (int)(nanos / 1000)));
}

/* Print the time that is x units behind 1970, or behind midnight; a second has 10^digits units. */
static int put_units(char *to, const struct pd_parquet_leaf *leaf, int64_t x)
{
    int64_t units = 1, nano = NANOS;
    for (int k = 0; k < leaf->digits; k++) {
        units *= 10;
        nano /= 10;
    }
    int64_t second = x / units - (x % units < 0);
    const int64_t nanos = (x - second * units) * nano, day = second / DAY - (second % DAY < 0);
    int n = 0;
    second -= day * DAY;
    if (leaf->means == PD_MEANS_TIMESTAMP) {
        n = put_date(to, PD_PARQUET_PRINTED, day);
        to[n++] = ' ';
    }
    n += put_time(to + n, PD_PARQUET_PRINTED - (size_t)n, second, nanos);
    if (leaf->utc && leaf->means == PD_MEANS_TIMESTAMP)
        n += snprintf(to + n, PD_PARQUET_PRINTED - (size_t)n, "+00:00");
    return n;
}

/* ---- decimals ---- */

/* Write the digits of the number s[0, n), its highest byte first. Returns how many. */
static size_t list_digits(unsigned char *s, size_t n, char digits[PD_PARQUET_PRINTED])
{
    size_t count = 0;
    char back[PD_PARQUET_PRINTED];
    for (bool more = true; more && count < sizeof back;) {
        unsigned rest = 0;
        more = false;
        for (size_t k = 0; k < n; k++) {
            const unsigned x = rest << 8 | s[k];
            s[k] = (unsigned char)(x / 10);
            rest = x % 10;
            more |= s[k] > 0;
        }
        back[count++] = (char)('0' + rest);
    }
    for (size_t k = 0; k < count; k++)
        digits[k] = back[count - 1 - k];
    return count;
}

/* Print a decimal s[0, n), of two's complement with its highest byte first. */
static int put_decimal(char *to, int scale, unsigned char *s, size_t n)
{
    char digits[PD_PARQUET_PRINTED];
    const bool minus = n > 0 && s[0] >= 0x80;
    for (size_t k = n, carry = 1; minus && k-- > 0;) {
        const unsigned x = (unsigned char)~s[k] + (unsigned)carry;
        s[k] = (unsigned char)x;
        carry = x >> 8;
    }
    const int count = (int)list_digits(s, n, digits), above = count - scale;
    const char *sign = minus ? "-" : "";
    const size_t room = PD_PARQUET_PRINTED;
    if (scale == 0)
        return snprintf(to, room, "%s%.*s", sign, count, digits);
    if (above - 1 < -6)
        return snprintf(to, room, "%s%c%s%.*sE%d", sign, digits[0], count > 1 ? "." : "", count - 1,
                        digits + 1, above - 1);
    if (above > 0)
        return snprintf(to, room, "%s%.*s.%.*s", sign, above, digits, scale, digits + above);
    return snprintf(to, room, "%s0.%.*s%.*s", sign, -above, "000000", count, digits);
}

/* ---- values ---- */

static double half_of(unsigned bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double x = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                     : exponent == 0 ? ldexp(fraction, -24)
                                     : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -x : x;
}

/* Print a value that is more than its type. */
static int put_meaning(char *to, const struct pd_parquet_leaf *leaf, const unsigned char *v,
                       size_t n)
{
    unsigned char s[WIDE];
    const bool whole = leaf->type == PD_PARQUET_INT32 || leaf->type == PD_PARQUET_INT64;
    const uint64_t x = n <= 8 ? pd_scan_number(v, n) : 0;
    const int64_t number = n == 4 ? (int32_t)x : (int64_t)x;
    if (n > WIDE)
        return 0;
    for (size_t k = 0; k < n; k++)
        s[k] = whole ? v[n - 1 - k] : v[k]; /* integers have their lowest byte first */
    switch (leaf->means) {
    case PD_MEANS_UNSIGNED:
        return snprintf(to, PD_PARQUET_PRINTED, "%" PRIu64, x);
    case PD_MEANS_DATE:
        return put_date(to, PD_PARQUET_PRINTED, number);
    case PD_MEANS_DECIMAL:
        return put_decimal(to, leaf->digits, s, n);
    case PD_MEANS_HALF:
        return (int)pd_real_print(half_of((unsigned)x), to);
    case PD_MEANS_UUID:
        return snprintf(to, PD_PARQUET_PRINTED,
                        "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                        s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11],
                        s[12], s[13], s[14], s[15]);
    case PD_MEANS_INTERVAL: {
        const unsigned ms = (unsigned)pd_scan_number(s + 8, 4);
        return snprintf(to, PD_PARQUET_PRINTED, "P%uM%uDT%u.%03uS", (unsigned)pd_scan_number(s, 4),
                        (unsigned)pd_scan_number(s + 4, 4), ms / 1000, ms % 1000);
    }
    default:
        return put_units(to, leaf, number);
    }
}

size_t pd_parquet_print(char to[PD_PARQUET_PRINTED], const struct pd_parquet_leaf *leaf,
                        const void *v, size_t n)
{
    const unsigned char *s = v;
    double x = 0;
    float single = 0;
    if (leaf->means != PD_MEANS_ITSELF)
        return (size_t)put_meaning(to, leaf, s, n);
    switch (leaf->type) {
    case PD_PARQUET_BOOLEAN:
        return (size_t)snprintf(to, PD_PARQUET_PRINTED, "%s", *s ? "true" : "false");
    case PD_PARQUET_INT32:
        return (size_t)snprintf(to, PD_PARQUET_PRINTED, "%" PRId32, (int32_t)pd_scan_number(s, 4));
    case PD_PARQUET_INT64:
        return (size_t)snprintf(to, PD_PARQUET_PRINTED, "%" PRId64, (int64_t)pd_scan_number(s, 8));
    case PD_PARQUET_INT96: {
        const int64_t nanos = (int64_t)pd_scan_number(s, 8);
        int k =
            put_date(to, PD_PARQUET_PRINTED, (int64_t)(int32_t)pd_scan_number(s + 8, 4) - JULIAN);
        to[k++] = ' ';
        k += put_time(to + k, PD_PARQUET_PRINTED - (size_t)k, nanos / NANOS % DAY, nanos % NANOS);
        return (size_t)k;
    }
    case PD_PARQUET_FLOAT:
        memcpy(&single, v, sizeof single);
        return pd_real_print_single(single, to);
    default:
        memcpy(&x, v, sizeof x);
        return pd_real_print(x, to);
    }
}

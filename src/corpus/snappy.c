/* corpus/snappy.c - see snappy.h */
#include "snappy.h"

#include <stdint.h>
#include <string.h>

#include "pardup/base/scan.h"

enum {
    LENGTH_SHIFT = 28,  /* of the last byte of the length in front: it has 32 bits */
    LITERAL_LONG = 60,  /* a literal of this length or more has its length in further bytes */
    STEP = 8,           /* bytes that are copied at once */
    SHORT_LITERAL = 16, /* bytes: a literal of this length or less is copied with a fixed size */
    TAG_BYTES = 4       /* most bytes behind a tag that belong to it */
};

/* Copy n bytes that lie `offset` bytes before `out`; behind them are `room` bytes in all. */
static void copy_back(unsigned char *out, size_t offset, size_t n, size_t room)
{
    const unsigned char *from = out - offset;
    if (offset >= STEP && n + STEP <= room) {
        for (size_t k = 0; k < n; k += STEP)
            memcpy(out + k, from + k, STEP);
    } else {
        for (size_t k = 0; k < n; k++)
            out[k] = from[k];
    }
}

/* Pass the length in front. Returns its bytes; 0 when it is not `room`. */
static size_t pass_length(const unsigned char *s, size_t n, size_t room)
{
    uint64_t x = 0;
    size_t k = 0;
    for (unsigned shift = 0; shift <= LENGTH_SHIFT && k < n; shift += 7) {
        x |= (uint64_t)(s[k] & 0x7F) << shift;
        if (s[k++] < 0x80)
            return x == room ? k : 0;
    }
    return 0;
}

bool pd_unsnap(const unsigned char *s, size_t n, unsigned char *out, size_t room)
{
    size_t k = pass_length(s, n, room), made = 0;
    if (k == 0)
        return false;
    while (k < n) {
        const unsigned tag = s[k++], kind = tag & 3;
        size_t length = (tag >> 2) + 1, offset, more;
        if (kind == 0) {
            more = length > LITERAL_LONG ? length - LITERAL_LONG : 0;
            if (more > n - k)
                return false;
            if (more > 0)
                length = pd_scan_number(s + k, more) + 1;
            k += more;
            if (length > n - k || length > room - made)
                return false;
            if (length <= SHORT_LITERAL && n - k >= SHORT_LITERAL && room - made >= SHORT_LITERAL)
                memcpy(out + made, s + k, SHORT_LITERAL);
            else
                memcpy(out + made, s + k, length);
            k += length;
        } else {
            more = kind == 3 ? TAG_BYTES : kind;
            if (more > n - k)
                return false;
            offset = pd_scan_number(s + k, more);
            if (kind == 1) {
                offset |= (size_t)(tag >> 5) << 8;
                length = (tag >> 2 & 7) + 4;
            }
            k += more;
            if (offset == 0 || offset > made || length > room - made)
                return false;
            copy_back(out + made, offset, length, room - made);
        }
        made += length;
    }
    return made == room;
}

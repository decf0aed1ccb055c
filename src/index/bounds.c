/*
 * index/bounds.c - begin and end of the units of a document, in about a byte for each unit.
 *
 * A unit is two numbers. The first one is the gap between the unit and the last one that ended
 * before it: the bytes from the end of the unit that is `lag` units before. The lag is 1 if units
 * follow one another. Where they overlap, as windows and grams do, the lag is the number of units
 * that begin before the first one ends. Most gaps of a document are equal, so the common gap is the
 * number 0. The second number is the length, or where units overlap, how far the end is from that
 * of the unit before.
 *
 * Numbers are Rice codes (Rice, "Some practical universal noiseless coding techniques", 1979): x >>
 * k ones, a zero, then k bits. Numbers that may be negative are zigzag: 0, -1, 1 are 0, 1, 2.
 * The document says lag, common gap, and k for each of the two numbers.
 *
 * For example sentences [0, 40), [41, 90), [91, 121) have lag 1. Their gaps are 0, 1, 1, in zigzag
 * 0, 2, 2. The common gap is 2, so the first numbers are 1, 0, 0: a gap below the common one moves
 * up by 1 to make room for the 0. The second numbers are the lengths 40, 49, 30. With k = 4 the
 * length 40 is 110 and then the low four bits of 40, the lowest bit first: 0001.
 */
#include "indexed.h"

#include <string.h>

enum {
    LAG_BITS = 10,  /* of a lag */
    GAP_BITS = 8,   /* of the common gap, zigzag */
    RICE_MOST = 15, /* greatest k */
    RICE_BITS = 4,  /* bits of a k */
    ONES_MOST = 24, /* a code of this many ones has RAW_BITS bits behind it */
    RAW_BITS = 34,  /* of a zigzag difference of two 32-bit numbers */
    BYTE_BITS = 8
};

/* ---- bits ---- */

/* Writes bits, the lowest bit of a byte first. */
struct bits {
    struct pd_bytes *to;
    unsigned room; /* bits of the last byte that are free */
};

static void put(struct bits *b, uint64_t x, unsigned n)
{
    for (; n > 0; n--, x >>= 1) {
        if (b->room == 0) {
            pd_bytes_push(b->to, 0);
            b->room = BYTE_BITS;
        }
        b->to->v[b->to->n - 1] |= (unsigned char)((x & 1) << (BYTE_BITS - b->room));
        b->room--;
    }
}

/* Reads bits. */
struct taken {
    const unsigned char *v;
    uint64_t at, end; /* bits */
    bool cut;         /* more bits were asked for than there are */
};

/* The next bits, 57 at least; bits behind the end are 0. */
static uint64_t look(const struct taken *b)
{
    const uint64_t byte = b->at / BYTE_BITS, n = b->end / BYTE_BITS;
    uint64_t x = 0;
    if (byte + sizeof x <= n)
        memcpy(&x, b->v + byte, sizeof x);
    else if (byte < n)
        memcpy(&x, b->v + byte, n - byte);
    return x >> b->at % BYTE_BITS;
}

/* Take n bits, 57 at most. */
static uint64_t take(struct taken *b, unsigned n)
{
    const uint64_t x = look(b) & ((UINT64_C(1) << n) - 1);
    b->cut |= n > b->end - b->at;
    b->at = b->cut ? b->end : b->at + n;
    return x;
}

/* ---- Rice codes ---- */

static unsigned rice_bits(uint64_t x, unsigned k)
{
    return x >> k < ONES_MOST ? (unsigned)(x >> k) + 1 + k : ONES_MOST + RAW_BITS;
}

static void put_rice(struct bits *b, uint64_t x, unsigned k)
{
    const uint64_t ones = x >> k;
    if (ones < ONES_MOST) {
        put(b, (UINT64_C(1) << ones) - 1, (unsigned)ones + 1);
        put(b, x, k);
    } else {
        put(b, (UINT64_C(1) << ONES_MOST) - 1, ONES_MOST);
        put(b, x, RAW_BITS);
    }
}

static uint64_t take_rice(struct taken *b, unsigned k)
{
    const unsigned ones = (unsigned)__builtin_ctzll(~look(b) | UINT64_C(1) << ONES_MOST);
    (void)take(b, ones == ONES_MOST ? ONES_MOST : ones + 1);
    return ones == ONES_MOST ? take(b, RAW_BITS) : (uint64_t)ones << k | take(b, k);
}

/* ---- bounds ---- */

static uint64_t zigzag(int64_t x) { return (uint64_t)x << 1 ^ (uint64_t)(x >> 63); }

static int64_t unzigzag(uint64_t x) { return (int64_t)(x >> 1) ^ -(int64_t)(x & 1); }

/* How the bounds of a document are numbers. */
struct coding {
    uint32_t lag;
    uint64_t gap;  /* zigzag; the common one */
    unsigned k[2]; /* of the two numbers */
};

/* From where the begin of unit i is measured: `units` has the ones before it. */
static uint32_t base_of(const struct coding *c, const struct pd_sentence *units, size_t i)
{
    if (i < c->lag)
        return i ? units[i - 1].begin : 0;
    return units[i - c->lag].end;
}

static uint64_t gap_of(const struct coding *c, const struct pd_sentence *units, size_t i)
{
    return zigzag((int64_t)units[i].begin - base_of(c, units, i));
}

/* The two numbers of unit i. */
static void numbers_of(const struct coding *c, const struct pd_sentence *units, size_t i,
                       uint64_t x[2])
{
    const uint64_t gap = gap_of(c, units, i);
    const uint32_t from = c->lag == 1 ? units[i].begin : i ? units[i - 1].end : 0;
    x[0] = gap == c->gap ? 0 : gap + (gap < c->gap);
    x[1] = units[i].end - from;
}

/*
 * How many units begin before the first one ends; 1 where an end lies before the end of the unit
 * before.
 */
static uint32_t lag_of(const struct pd_sentences *units)
{
    uint32_t lag = 1;
    while (lag < units->n && units->v[lag].begin < units->v[0].end)
        lag++;
    for (size_t i = 1; i < units->n; i++)
        if (units->v[i].end < units->v[i - 1].end)
            return 1;
    return lag < 1 << LAG_BITS ? lag : 1;
}

/* The gap that most units have. */
static uint64_t common_gap(const struct coding *c, const struct pd_sentences *units)
{
    uint32_t counts[1 << GAP_BITS] = {0};
    uint64_t best = 0;
    for (size_t i = 0; i < units->n; i++) {
        const uint64_t gap = gap_of(c, units->v, i);
        if (gap < 1 << GAP_BITS)
            best = ++counts[gap] > counts[best] ? gap : best;
    }
    return best;
}

/* The k with which number `which` of all units takes the fewest bits. */
static unsigned best_rice(const struct coding *c, const struct pd_sentences *units, int which)
{
    unsigned best = 0;
    uint64_t least = UINT64_MAX, x[2];
    for (unsigned k = 0; k <= RICE_MOST; k++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < units->n; i++) {
            numbers_of(c, units->v, i, x);
            sum += rice_bits(x[which], k);
        }
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    return best;
}

void pd_bounds_pack(const struct pd_sentences *units, struct pd_bytes *to)
{
    struct bits b = {.to = to};
    uint64_t x[2];
    if (units->n == 0)
        return;
    struct coding c = {.lag = lag_of(units)};
    c.gap = common_gap(&c, units);
    for (int which = 0; which < 2; which++)
        c.k[which] = best_rice(&c, units, which);
    put(&b, c.lag, LAG_BITS);
    put(&b, c.gap, GAP_BITS);
    put(&b, c.k[0], RICE_BITS);
    put(&b, c.k[1], RICE_BITS);
    for (size_t i = 0; i < units->n; i++) {
        numbers_of(&c, units->v, i, x);
        put_rice(&b, x[0], c.k[0]);
        put_rice(&b, x[1], c.k[1]);
    }
}

/* Set the bounds of unit i from its numbers. False: they are none. */
static bool set_bounds(const struct coding *c, struct pd_sentence *units, size_t i,
                       const uint64_t x[2])
{
    const uint64_t gap = x[0] == 0 ? c->gap : x[0] - (x[0] <= c->gap);
    const int64_t begin = (int64_t)base_of(c, units, i) + unzigzag(gap);
    const int64_t from = c->lag == 1 ? begin : i ? units[i - 1].end : 0;
    const int64_t end = from + (int64_t)x[1];
    units[i] = (struct pd_sentence){.begin = (uint32_t)begin, .end = (uint32_t)end};
    return begin >= 0 && begin <= end && end <= UINT32_MAX;
}

bool pd_indexed_bounds(const struct pd_indexed *doc, struct pd_sentences *units)
{
    struct taken b = {.v = doc->bounds, .end = doc->bounds_n * BYTE_BITS};
    struct coding c;
    units->n = 0;
    if (doc->nunits > b.end / 2) /* a unit takes two bits at least */
        return false;
    pd_sentences_reserve(units, doc->nunits);
    c.lag = (uint32_t)take(&b, LAG_BITS);
    c.gap = take(&b, GAP_BITS);
    c.k[0] = (unsigned)take(&b, RICE_BITS);
    c.k[1] = (unsigned)take(&b, RICE_BITS);
    for (size_t i = 0; i < doc->nunits; i++) {
        uint64_t x[2];
        x[0] = take_rice(&b, c.k[0]);
        x[1] = take_rice(&b, c.k[1]);
        if (b.cut || c.lag == 0 || !set_bounds(&c, units->v, i, x))
            return false;
        units->n++;
    }
    return true;
}

/*
 * index/bounds.c - begin and end of the units of a document, in about a byte for each unit.
 *
 * A unit is a gap and a length. The gap is the bytes from the end of the unit that is `lag` units
 * before to the begin of the unit. The lag is 1 if units follow one another. Windows and grams
 * overlap, and the lag is the number of units that begin before the first unit ends. They have no
 * lengths, but bytes from the end of the unit before to the end of the unit. While no unit has
 * ended, they have no gaps, but bytes from the begin of the unit before, coded as lengths are.
 *
 * Most gaps of a document are equal, the common gap, and most other gaps are equal, too. So a
 * number says how many units with the common gap come next. Then comes a unit with another gap. Its
 * gap is 0 if it is the most frequent gap but one, else the gap plus 1. A number of units with the
 * common gap follows again, and so on.
 *
 * Numbers are Rice codes (rice.h). Numbers that may be negative are zigzag: 0, -1, 1 are 0, 1, 2.
 * The document says lag, both gaps, and k for each kind of number.
 *
 * For example sentences [0, 40), [41, 90), [92, 121) have lag 1. Their gaps are 1, 1, 2, in zigzag
 * 2, 2, 4, as the first one is measured from the common gap before the text. The common gap is 2,
 * the other one 4. The numbers are 2 (units with the common gap), the lengths 40 and 49, then 0
 * (the other gap), 0 (units with the common gap behind it), and the length 29. With k = 4 the
 * length 40 is 110 and then the low four bits of 40, the lowest bit first: 0001.
 */
#include "indexed.h"

#include <string.h>

#include "pardup/base/record.h"
#include "rice.h"

enum {
    LAG_BITS = 10,  /* of a lag */
    GAP_BITS = 8,   /* of the common gap and of the other one, zigzag */
    RICE_MOST = 15, /* greatest k */
    RICE_BITS = 4,  /* bits of a k */
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
    const struct pd_rice_code code = pd_rice_code(x, k, RAW_BITS);
    return code.head_bits + code.tail_bits;
}

static void put_rice(struct bits *b, uint64_t x, unsigned k)
{
    const struct pd_rice_code code = pd_rice_code(x, k, RAW_BITS);
    put(b, code.head, code.head_bits);
    put(b, code.tail, code.tail_bits);
}

static uint64_t take_rice(struct taken *b, unsigned k)
{
    const struct pd_rice_head head = pd_rice_head(look(b), k, RAW_BITS);
    (void)take(b, head.head_bits);
    return head.high | take(b, head.tail_bits);
}

/* ---- bounds ---- */

static uint64_t zigzag(int64_t x) { return (uint64_t)x << 1 ^ (uint64_t)(x >> 63); }

static int64_t unzigzag(uint64_t x) { return (int64_t)(x >> 1) ^ -(int64_t)(x & 1); }

/* Kinds of numbers: units with the common gap, other gaps, lengths. */
enum kind { RUN, GAP, LENGTH, KINDS };

/* How the bounds of a document are numbers. */
struct coding {
    uint32_t lag;
    uint64_t gap, other; /* zigzag; the common gap, and the most common one of the others */
    unsigned k[KINDS];
};

/* Does unit i have a begin, not a gap? */
static bool has_begin(const struct coding *c, size_t i) { return i > 0 && i < c->lag; }

/* From where the gap of unit i is measured: `units` has all units before it. */
static int64_t base_of(const struct coding *c, const struct pd_sentence *units, size_t i)
{
    return i == 0 ? -unzigzag(c->gap) : units[i - c->lag].end;
}

static uint64_t gap_of(const struct coding *c, const struct pd_sentence *units, size_t i)
{
    return zigzag(units[i].begin - base_of(c, units, i));
}

/* From where the end of unit i is measured. */
static int64_t length_from(const struct coding *c, const struct pd_sentence *units, size_t i,
                           int64_t begin)
{
    return c->lag == 1 ? begin : i ? units[i - 1].end : 0;
}

/*
 * How many units begin before the first unit ends; 1 where begins or ends do not ascend.
 */
static uint32_t lag_of(const struct pd_sentences *units)
{
    uint32_t lag = 1;
    while (lag < units->n && units->v[lag].begin < units->v[0].end)
        lag++;
    for (size_t i = 1; i < units->n; i++)
        if (units->v[i].end < units->v[i - 1].end || units->v[i].begin < units->v[i - 1].begin)
            return 1;
    return lag < 1 << LAG_BITS ? lag : 1;
}

/* Set the two gaps that most units have. */
static void common_gaps(struct coding *c, const struct pd_sentences *units)
{
    uint32_t counts[1 << GAP_BITS] = {0};
    for (size_t i = c->lag; i < units->n; i++) {
        const uint64_t gap = gap_of(c, units->v, i);
        if (gap < 1 << GAP_BITS)
            counts[gap]++;
    }
    for (uint64_t gap = 0; gap < 1 << GAP_BITS; gap++)
        if (counts[gap] > counts[c->gap])
            c->gap = gap;
    counts[c->gap] = 0;
    for (uint64_t gap = 0; gap < 1 << GAP_BITS; gap++)
        if (counts[gap] > counts[c->other])
            c->other = gap;
}

/* The numbers of each kind, in order. */
static void make_numbers(const struct coding *c, const struct pd_sentences *units,
                         struct pd_u64s numbers[KINDS])
{
    uint64_t run = 0, gap;
    for (size_t i = 0; i < units->n; i++) {
        const struct pd_sentence *u = &units->v[i];
        if (has_begin(c, i)) {
            pd_u64s_push(&numbers[LENGTH], u->begin - u[-1].begin);
        } else if ((gap = gap_of(c, units->v, i)) == c->gap) {
            run++;
        } else {
            pd_u64s_push(&numbers[RUN], run);
            pd_u64s_push(&numbers[GAP], gap == c->other ? 0 : gap + 1);
            run = 0;
        }
        pd_u64s_push(&numbers[LENGTH], u->end - length_from(c, units->v, i, u->begin));
    }
    pd_u64s_push(&numbers[RUN], run);
}

/* The k with which the numbers take the fewest bits. */
static unsigned best_rice(const struct pd_u64s *numbers)
{
    unsigned best = 0;
    uint64_t least = UINT64_MAX;
    for (unsigned k = 0; k <= RICE_MOST; k++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < numbers->n; i++)
            sum += rice_bits(numbers->v[i], k);
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    return best;
}

static void put_coding(struct bits *b, const struct coding *c)
{
    put(b, c->lag > 1, 1);
    if (c->lag > 1)
        put(b, c->lag, LAG_BITS);
    put(b, c->gap, GAP_BITS);
    put(b, c->other, GAP_BITS);
    for (int kind = 0; kind < KINDS; kind++)
        put(b, c->k[kind], RICE_BITS);
}

static void put_numbers(struct bits *b, const struct coding *c, const struct pd_u64s numbers[KINDS],
                        size_t nunits)
{
    const uint64_t *run = numbers[RUN].v, *gap = numbers[GAP].v, *length = numbers[LENGTH].v;
    uint64_t left = *run++;
    put_rice(b, left, c->k[RUN]);
    for (size_t i = 0; i < nunits; i++) {
        if (has_begin(c, i)) {
            put_rice(b, *length++, c->k[LENGTH]);
        } else if (left > 0) {
            left--;
        } else {
            put_rice(b, *gap++, c->k[GAP]);
            put_rice(b, left = *run++, c->k[RUN]);
        }
        put_rice(b, *length++, c->k[LENGTH]);
    }
}

void pd_bounds_pack(const struct pd_sentences *units, struct pd_bytes *to)
{
    struct bits b = {.to = to};
    struct pd_u64s numbers[KINDS] = {{0}};
    if (units->n == 0)
        return;
    struct coding c = {.lag = lag_of(units)};
    common_gaps(&c, units);
    make_numbers(&c, units, numbers);
    for (int kind = 0; kind < KINDS; kind++)
        c.k[kind] = best_rice(&numbers[kind]);
    put_coding(&b, &c);
    put_numbers(&b, &c, numbers, units->n);
    for (int kind = 0; kind < KINDS; kind++)
        pd_u64s_release(&numbers[kind]);
}

static struct coding take_coding(struct taken *b)
{
    struct coding c = {.lag = 1};
    if (take(b, 1))
        c.lag = (uint32_t)take(b, LAG_BITS);
    c.gap = take(b, GAP_BITS);
    c.other = take(b, GAP_BITS);
    for (int kind = 0; kind < KINDS; kind++)
        c.k[kind] = (unsigned)take(b, RICE_BITS);
    return c;
}

/* Set the bounds of unit i. False: they are none. */
static bool set_bounds(const struct coding *c, struct pd_sentence *units, size_t i, int64_t begin,
                       uint64_t length)
{
    const int64_t end = length_from(c, units, i, begin) + (int64_t)length;
    units[i] = (struct pd_sentence){.begin = (uint32_t)begin, .end = (uint32_t)end};
    return begin >= 0 && begin <= end && end <= UINT32_MAX;
}

/* Take the begin of unit i. *run: units with the common gap that come next. */
static int64_t take_begin(struct taken *b, const struct coding *c, uint64_t *run,
                          const struct pd_sentence *units, size_t i)
{
    uint64_t gap = c->gap;
    if (has_begin(c, i))
        return units[i - 1].begin + (int64_t)take_rice(b, c->k[LENGTH]);
    if (*run > 0) {
        --*run;
    } else {
        gap = take_rice(b, c->k[GAP]);
        gap = gap == 0 ? c->other : gap - 1;
        *run = take_rice(b, c->k[RUN]);
    }
    return base_of(c, units, i) + unzigzag(gap);
}

bool pd_indexed_bounds(const struct pd_indexed *doc, struct pd_sentences *units)
{
    struct taken b = {.v = doc->bounds, .end = doc->bounds_n * BYTE_BITS};
    units->n = 0;
    if (doc->nunits > b.end) /* a unit takes a bit at least */
        return false;
    if (doc->nunits == 0)
        return true;
    pd_sentences_reserve(units, doc->nunits);
    const struct coding c = take_coding(&b);
    uint64_t run = take_rice(&b, c.k[RUN]);
    for (size_t i = 0; c.lag > 0 && i < doc->nunits; i++) {
        const int64_t begin = take_begin(&b, &c, &run, units->v, i);
        const uint64_t length = take_rice(&b, c.k[LENGTH]);
        if (b.cut || !set_bounds(&c, units->v, i, begin, length))
            return false;
        units->n++;
    }
    return c.lag > 0;
}

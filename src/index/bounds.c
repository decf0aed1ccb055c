/*
 * index/bounds.c - begin and end of the units of a document, in about a byte for each unit.
 *
 * A unit is two numbers. Units that follow one another: the bytes since the end of the unit before,
 * and the length. Units that overlap (windows, grams): how far begin and end are from those of the
 * unit before. Which of both, the document says; it takes what is shorter. Numbers are Rice codes (Rice,
 * "Some practical universal noiseless coding techniques", 1979): x >> k ones, a zero, then k bits. The
 * document says k for each of the two. Numbers that may be negative are zigzag.
 */
#include "indexed.h"

#include <string.h>

enum {
    FORMS = 2,      /* as above */
    RICE_MOST = 15, /* greatest k */
    RICE_BITS = 4,  /* bits of a k */
    ONES_MOST = 24, /* so many ones say that RAW_BITS bits follow */
    RAW_BITS = 34,  /* of a zigzag difference of two 32-bit numbers */
    BYTE_BITS = 8
};

/* ---- bits ---- */

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

/* The two numbers of a unit behind `before`. */
static void numbers_of(const struct pd_sentence *before, const struct pd_sentence *u, int form,
                       uint64_t x[2])
{
    const int64_t begin = u->begin, end = u->end;
    x[0] = zigzag(begin - (form ? before->begin : before->end));
    x[1] = form ? zigzag(end - before->end) : (uint64_t)(end - begin);
}

/* The k with which number `which` of all units takes the fewest bits, and these bits. */
static unsigned best_rice(const struct pd_sentences *units, int form, int which, uint64_t *bits)
{
    unsigned best = 0;
    *bits = UINT64_MAX;
    for (unsigned k = 0; k <= RICE_MOST; k++) {
        struct pd_sentence before = {.begin = 0};
        uint64_t sum = 0, x[2];
        for (size_t i = 0; i < units->n; before = units->v[i++]) {
            numbers_of(&before, &units->v[i], form, x);
            sum += rice_bits(x[which], k);
        }
        if (sum < *bits) {
            *bits = sum;
            best = k;
        }
    }
    return best;
}

void pd_bounds_pack(const struct pd_sentences *units, struct pd_bytes *to)
{
    struct bits b = {.to = to};
    unsigned k[FORMS][2];
    uint64_t bits[FORMS] = {0, 0}, x[2];
    struct pd_sentence before = {.begin = 0};
    if (units->n == 0)
        return;
    for (int form = 0; form < FORMS; form++)
        for (int which = 0; which < 2; which++) {
            uint64_t of_number;
            k[form][which] = best_rice(units, form, which, &of_number);
            bits[form] += of_number;
        }
    const int form = bits[1] < bits[0];
    put(&b, (uint64_t)form, 1);
    put(&b, k[form][0], RICE_BITS);
    put(&b, k[form][1], RICE_BITS);
    for (size_t i = 0; i < units->n; before = units->v[i++]) {
        numbers_of(&before, &units->v[i], form, x);
        put_rice(&b, x[0], k[form][0]);
        put_rice(&b, x[1], k[form][1]);
    }
}

/* Set the bounds of a unit from its numbers. False: they are none. */
static bool set_bounds(const struct pd_sentence *before, struct pd_sentence *u, int form,
                       const uint64_t x[2])
{
    const int64_t begin = (form ? before->begin : before->end) + unzigzag(x[0]);
    const int64_t end = form ? before->end + unzigzag(x[1]) : begin + (int64_t)x[1];
    *u = (struct pd_sentence){.begin = (uint32_t)begin, .end = (uint32_t)end};
    return begin >= 0 && begin <= end && end <= UINT32_MAX;
}

bool pd_indexed_bounds(const struct pd_indexed *doc, struct pd_sentences *units)
{
    struct taken b = {.v = doc->bounds, .end = doc->bounds_n * BYTE_BITS};
    struct pd_sentence before = {.begin = 0};
    units->n = 0;
    if (doc->nunits > b.end / 2) /* a unit takes two bits at least */
        return false;
    pd_sentences_reserve(units, doc->nunits);
    const int form = (int)take(&b, 1);
    const unsigned first = (unsigned)take(&b, RICE_BITS), second = (unsigned)take(&b, RICE_BITS);
    for (uint64_t i = 0; i < doc->nunits; before = units->v[i++]) {
        uint64_t x[2];
        x[0] = take_rice(&b, first);
        x[1] = take_rice(&b, second);
        if (b.cut || !set_bounds(&before, &units->v[i], form, x))
            return false;
        units->n++;
    }
    return true;
}

/* index/name_list.c - see src/index/name_list.h */
#include "name_list.h"

#include "pardup/base/error.h"

int pd_segment_broken(const struct pd_segment *s)
{
    return pd_fail(PD_EFORMAT, "%s: its tables contradict each other; make the index again",
                   s->file.path);
}

int pd_segment_contradicts(const struct pd_segment *s, const char *name)
{
    return pd_fail(PD_EFORMAT, "%s: its tables contradict its number of %s; make the index again",
                   s->file.path, name);
}

static uint64_t buckets_of(const struct pd_segment *s) { return UINT64_C(1) << s->counts.bits; }

static bool has_bits(const struct pd_section *section, uint64_t n)
{
    return section->n == (n + PD_BITS_WORD - 1) / PD_BITS_WORD * sizeof(uint64_t);
}

bool pd_name_list_fit(const struct pd_segment *s)
{
    const struct pd_segment_counts *c = &s->counts;
    return s->names.n == (c->names * s->rest_bits + 7) / 8 &&
           has_bits(&s->buckets, c->names + buckets_of(s)) &&
           s->spans.n == buckets_of(s) / PD_NAMES_SPAN * s->span_bytes &&
           has_bits(&s->heads, c->slots) &&
           s->firsts.n == (c->names + PD_FIRSTS_SPAN - 1) / PD_FIRSTS_SPAN * s->start_bytes;
}

/* ---- bits ---- */

/* Byte i of the sum has the ones of bytes 0 to i of x, so the last byte has all of them. */
static uint64_t sum_ones(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return ((x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * UINT64_C(0x0101010101010101);
}

/*
 * The place of one number k, counted from 0, among the ones of x, which has more than k. `sums`: of
 * x.
 */
static unsigned select_one(uint64_t x, uint64_t sums, uint64_t k)
{
    unsigned at = 0;
    while ((sums >> at & 0xFF) <= k)
        at += 8;
    x >>= at;
    for (k -= at ? sums >> (at - 8) & 0xFF : 0; k > 0; k--)
        x &= x - 1;
    return at + (unsigned)__builtin_ctzll(x);
}

/*
 * The place of bit number k, counted from 0, among the bits of a section, from bit `at` on, that
 * are ones, or zeros if `flip` is UINT64_MAX. PD_OK, PD_END (there are no more) or PD_EFORMAT.
 */
static int find_bit(const struct pd_section *section, uint64_t at, uint64_t flip, uint64_t k,
                    uint64_t *found)
{
    const uint64_t end = section->n / sizeof(uint64_t);
    uint64_t word = at / PD_BITS_WORD, mask = UINT64_MAX << at % PD_BITS_WORD;
    for (; word < end; word++, mask = UINT64_MAX) {
        PD_TRY(pd_section_check(section, word * sizeof word, sizeof word));
        const uint64_t bits =
            (pd_packed_number(section->v + word * sizeof word, sizeof word) ^ flip) & mask;
        const uint64_t sums = sum_ones(bits), n = sums >> 56;
        if (k < n) {
            *found = word * PD_BITS_WORD + select_one(bits, sums, k);
            return PD_OK;
        }
        k -= n;
    }
    return PD_END;
}

/* ---- from a name to its number and back ---- */

static uint64_t span_at(const struct pd_segment *s, uint64_t span)
{
    return pd_packed_number(s->spans.v + span * s->span_bytes, s->span_bytes);
}

/* Where the ones of a bucket begin in `buckets`. */
static int bucket_at(const struct pd_segment *s, uint64_t bucket, const struct pd_name_hint *hint,
                     uint64_t *at)
{
    const uint64_t span = bucket / PD_NAMES_SPAN;
    uint64_t before = bucket % PD_NAMES_SPAN;
    if (hint->bucket <= bucket && bucket - hint->bucket <= before) {
        before = bucket - hint->bucket;
        *at = hint->at;
    } else {
        PD_TRY(pd_section_check(&s->spans, span * s->span_bytes, s->span_bytes));
        *at = span_at(s, span);
    }
    if (before > 0) {
        const int status = find_bit(&s->buckets, *at, UINT64_MAX, before - 1, at);
        if (status != PD_OK)
            return status == PD_END ? pd_segment_broken(s) : status;
        ++*at;
    }
    return *at >= bucket && *at - bucket <= s->counts.names ? PD_OK : pd_segment_broken(s);
}

/* The rest of a name, behind its bucket. */
static int rest_at(const struct pd_segment *s, uint64_t name, uint64_t *rest)
{
    PD_TRY(pd_bits_check(&s->names, name * s->rest_bits, s->rest_bits));
    *rest = pd_bits_at(&s->names, name * s->rest_bits, s->rest_bits);
    return PD_OK;
}

static bool is_one(const struct pd_section *section, uint64_t at)
{
    return section->v[at / 8] >> at % 8 & 1;
}

int pd_name_list_find(const struct pd_segment *s, pd_sig sig, struct pd_name_hint *hint,
                      uint64_t *name)
{
    const uint64_t bucket = sig >> (64 - s->counts.bits);
    const uint64_t rest = (sig & (UINT64_MAX >> s->counts.bits)) >> (64 - s->counts.name_bits);
    uint64_t at, found;
    PD_TRY(bucket_at(s, bucket, hint, &at));
    hint->bucket = bucket;
    hint->at = at;
    for (*name = at - bucket; *name < s->counts.names; ++*name, at++) {
        PD_TRY(pd_bits_check(&s->buckets, at, 1));
        if (!is_one(&s->buckets, at))
            return PD_END;
        PD_TRY(rest_at(s, *name, &found));
        if (found >= rest)
            return found == rest ? PD_OK : PD_END;
    }
    return PD_END;
}

int pd_segment_name(const struct pd_segment *s, uint64_t name, pd_sig *sig)
{
    const struct pd_name_hint none = {.bucket = 0};
    uint64_t lo = 0, hi = buckets_of(s) / PD_NAMES_SPAN, at, rest;
    while (hi - lo > 1) { /* spans [lo, hi) have the name */
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(pd_section_check(&s->spans, mid * s->span_bytes, s->span_bytes));
        if (span_at(s, mid) - mid * PD_NAMES_SPAN <= name)
            lo = mid;
        else
            hi = mid;
    }
    PD_TRY(bucket_at(s, lo * PD_NAMES_SPAN, &none, &at));
    const uint64_t before = at - lo * PD_NAMES_SPAN;
    const int status = name < before ? PD_END : find_bit(&s->buckets, at, 0, name - before, &at);
    if (status != PD_OK || at < name || at - name >= buckets_of(s))
        return status < 0 ? status : pd_segment_broken(s);
    PD_TRY(rest_at(s, name, &rest));
    *sig = (at - name) << (64 - s->counts.bits) | rest << (64 - s->counts.name_bits);
    return PD_OK;
}

void pd_segment_expect(const struct pd_segment *s, pd_sig sig)
{
    const uint64_t bucket = sig >> (64 - s->counts.bits), span = bucket / PD_NAMES_SPAN;
    const uint64_t before = bucket % PD_NAMES_SPAN, first = span_at(s, span);
    const uint64_t names = (before * s->counts.names) >> s->counts.bits; /* about */
    const uint64_t at = first + before + names, name = at - bucket;
    if (at / 8 < s->buckets.n)
        __builtin_prefetch(s->buckets.v + at / 8);
    if (name < s->counts.names)
        __builtin_prefetch(s->names.v + name * s->rest_bits / 8);
}

/* ---- slots ---- */

int pd_name_list_first(const struct pd_segment *s, uint64_t name, struct pd_name_hint *hint,
                       uint64_t *slot)
{
    const uint64_t k = name / PD_FIRSTS_SPAN;
    uint64_t from = hint->slot, before = name - hint->name;
    if (name >= s->counts.names)
        return pd_segment_broken(s);
    if (name < hint->name || before > name % PD_FIRSTS_SPAN) {
        PD_TRY(pd_section_check(&s->firsts, k * s->start_bytes, s->start_bytes));
        from = pd_packed_number(s->firsts.v + k * s->start_bytes, s->start_bytes);
        before = name % PD_FIRSTS_SPAN;
    }
    const int status = find_bit(&s->heads, from, 0, before, slot);
    if (status == PD_END || (status == PD_OK && *slot >= s->counts.slots))
        return pd_segment_broken(s);
    hint->name = name;
    hint->slot = *slot;
    return status;
}

/* Where the slots of the name that has this first slot end. */
static int end_of(const struct pd_segment *s, uint64_t first, uint64_t *end)
{
    const int status = find_bit(&s->heads, first + 1, 0, 0, end);
    if (status == PD_END || (status == PD_OK && *end > s->counts.slots))
        *end = s->counts.slots;
    return status < 0 ? status : PD_OK;
}

int pd_name_list_places(const struct pd_segment *s, uint64_t name, uint64_t slot,
                        struct pd_places *places)
{
    *places = (struct pd_places){.segment = s, .name = name, .slot = slot};
    return end_of(s, slot, &places->end);
}

/* ---- all names ---- */

int pd_name_list_next(struct pd_names_cursor *c)
{
    const struct pd_segment *s = c->segment;
    uint64_t rest;
    if (c->names == s->counts.names)
        return PD_END;
    const int status = find_bit(&s->buckets, c->at, 0, 0, &c->at);
    if (status != PD_OK || c->at - c->names >= buckets_of(s))
        return status < 0 ? status : pd_segment_broken(s);
    PD_TRY(rest_at(s, c->names, &rest));
    const pd_sig sig =
        (c->at - c->names) << (64 - s->counts.bits) | rest << (64 - s->counts.name_bits);
    if (c->names > 0 && sig <= c->sig)
        return pd_segment_broken(s);
    c->sig = sig;
    c->at++;
    PD_TRY(pd_name_list_places(s, c->names, c->places.end, &c->places));
    c->names++;
    return PD_OK;
}

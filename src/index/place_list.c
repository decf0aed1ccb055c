/* index/place_list.c - see src/index/place_list.h */
#include "place_list.h"

#include "name_list.h"
#include "pardup/base/error.h"
#include "rice.h"

bool pd_place_list_fits(const uint64_t *places, size_t n)
{
    if (n < PD_LIST_LEAST)
        return false;
    for (size_t k = 1; k < n; k++)
        if (places[k] <= places[k - 1])
            return false;
    return true;
}

/* ---- writing ---- */

static int put_rice(uint64_t x, unsigned k, pd_place_list_put *put, void *ctx)
{
    const struct pd_rice_code code = pd_rice_code(x, k, PD_READ_BITS);
    PD_TRY(put(ctx, code.head, code.head_bits));
    return put(ctx, code.tail, code.tail_bits);
}

/* The k for n differences whose sum is `sum`: 2^k is about 0.7 of their mean. */
static unsigned rice_of(uint64_t sum, size_t n)
{
    const uint64_t wanted = sum / n * 7 / 10;
    return wanted ? 63 - (unsigned)__builtin_clzll(wanted) : 0;
}

int pd_place_list_write(const uint64_t *places, size_t n, pd_place_list_put *put, void *ctx)
{
    const unsigned k = rice_of(places[n - 1], n);
    PD_TRY(put_rice(n - PD_LIST_LEAST, PD_LIST_K_BITS, put, ctx));
    PD_TRY(put(ctx, k, PD_LIST_K_BITS));
    PD_TRY(put_rice(places[0], k, put, ctx));
    for (size_t i = 1; i < n; i++)
        PD_TRY(put_rice(places[i] - places[i - 1] - 1, k, put, ctx));
    return PD_OK;
}

/* ---- reading ---- */

/* Take n bits at p->at, at most PD_READ_BITS. */
static int take(struct pd_places *p, unsigned n, uint64_t *x)
{
    *x = 0;
    if (n == 0) /* p->at may be behind the last byte */
        return PD_OK;
    PD_TRY(pd_bits_check(&p->segment->many, p->at, n));
    *x = pd_bits_at(&p->segment->many, p->at, n);
    p->at += n;
    return PD_OK;
}

static int take_rice(struct pd_places *p, unsigned k, uint64_t *x)
{
    const struct pd_section *many = &p->segment->many;
    PD_TRY(pd_bits_check(many, p->at, 1));
    const struct pd_rice_head head =
        pd_rice_head(pd_bits_at(many, p->at, PD_READ_BITS), k, PD_READ_BITS);
    p->at += head.head_bits;
    PD_TRY(take(p, head.tail_bits, x));
    *x |= head.high;
    return PD_OK;
}

int pd_place_list_begin(struct pd_places *p, uint64_t list)
{
    const struct pd_segment *s = p->segment;
    const unsigned bytes = s->list_bytes;
    uint64_t k = 0;
    PD_TRY(pd_section_check(&s->many_starts, list * bytes, bytes));
    p->at = pd_packed_number(s->many_starts.v + list * bytes, bytes);
    PD_TRY(take_rice(p, PD_LIST_K_BITS, &p->left));
    PD_TRY(take(p, PD_LIST_K_BITS, &k));
    p->left += PD_LIST_LEAST;
    p->k = (unsigned)k;
    p->next = 0;
    return p->k < PD_READ_BITS - 1 ? PD_OK : pd_segment_broken(s);
}

int pd_place_list_next(struct pd_places *p, uint64_t *place)
{
    uint64_t x;
    PD_TRY(take_rice(p, p->k, &x));
    *place = p->next + x;
    p->next = *place + 1;
    p->left--;
    return PD_OK;
}

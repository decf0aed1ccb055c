/* run/stage/align/opened.c - see src/run/stage/align/opened.h */
#include "opened.h"

#include "pardup/base/error.h"

/* Which base units are in a frame that is set aside? NULL: none is. */
static const bool *frame_of(struct pd_opened *d)
{
    return d->job->options->method.frame == PD_TEMPLATES_ASIDE && d->held.rec->frame_sentences
               ? pd_view_frame(&d->stored, &d->in_frame)
               : NULL;
}

/* Make the view of the document at hand. */
static int view(struct pd_opened *d, pd_doc number)
{
    struct pd_aside_units asides;
    PD_TRY(pd_aside_file_find(&d->job->asides, number, &asides));
    const struct pd_view_asides all = {frame_of(d), asides.v, asides.n};
    pd_view_make(&d->view, &d->job->form, &d->stored.sentences, &d->stored.tokens, &all);
    return PD_OK;
}

int pd_opened_go(struct pd_opened *d, const struct pd_side *side, pd_doc number, bool in_turn)
{
    struct pd_collection *col = side->collection;
    if (d->held.rec && d->held.number == number)
        return PD_OK;
    PD_TRY(pd_collection_doc(col, number, &d->held));
    PD_CHECK(d->held.rec != NULL);
    d->prefixes.n = d->hashed = 0;
    PD_TRY(pd_collection_open_whole(col, &d->held, &d->stored));
    if (d->job->form.kind != PD_FORM_BASE)
        pd_stored_words(&d->stored, 0, (uint32_t)d->stored.tokens.n);
    if (in_turn)
        pd_collection_expect_next(col, &d->held);
    const struct pd_volume *volume = pd_collection_volume(col, &d->held);
    d->terms = volume->terms.v;
    d->singles = volume->singles.v;
    return view(d, number);
}

void pd_opened_singles(const struct pd_opened *d, struct pd_single_counts *counts)
{
    pd_own_singles(&d->view.asides, d->stored.tokens.v, (uint32_t)d->stored.tokens.n, d->singles,
                   counts);
}

uint32_t pd_opened_own(const struct pd_opened *d)
{
    return pd_own_words(&d->view.asides, (uint32_t)d->stored.tokens.n);
}

struct pd_ends pd_opened_ends(const struct pd_opened *d, uint32_t start, uint32_t length)
{
    return pd_ends_of(d->view.units, (uint32_t)d->stored.tokens.n, &d->view.asides, start, length,
                      d->job->options->method.edges == PD_EDGES_FAR);
}

void pd_opened_decode(struct pd_opened *d, const struct pd_edge_side *side,
                      enum pd_direction direction, uint32_t n)
{
    const uint32_t at = side->nearest;
    pd_stored_words(&d->stored, direction == PD_BACK ? at + 1 - n : at,
                    direction == PD_BACK ? at + 1 : at + n);
}

const struct pd_token *pd_opened_word(const struct pd_opened *d, const struct pd_edge_side *side,
                                      enum pd_direction direction, uint32_t k)
{
    return &d->stored.tokens.v[pd_edge_word(side, direction, k)];
}

/*
 * One byte of the nearest word of a side, which has words. `unit` is the unit next to the passage
 * on that side.
 */
static uint8_t fringe_byte(const struct pd_opened *d, const struct pd_edge_side *side,
                           enum pd_direction direction, uint32_t unit)
{
    if (d->job->form.kind != PD_FORM_BASE) /* all words have been decoded */
        return pd_fringe_of(pd_opened_term(d, pd_opened_word(d, side, direction, 0)));
    const struct pd_fringe fringe = pd_stored_fringe(&d->stored, pd_view_row(&d->view, unit));
    return direction == PD_BACK ? fringe.last : fringe.first;
}

uint8_t pd_opened_byte_back(const struct pd_opened *d, const struct pd_edge_side *back,
                            uint32_t start)
{
    return back->n ? fringe_byte(d, back, PD_BACK, start - 1) : 0;
}

uint8_t pd_opened_byte_ahead(const struct pd_opened *d, const struct pd_edge_side *ahead,
                             uint32_t end)
{
    return ahead->n ? fringe_byte(d, ahead, PD_AHEAD, end) : 0;
}

void pd_opened_bytes(const struct pd_opened *d, const struct pd_edge_side *side,
                     enum pd_direction direction, uint32_t n, uint8_t *bytes)
{
    for (uint32_t k = 0; k < n; k++)
        bytes[k] = k < side->n
                       ? pd_fringe_of(pd_opened_term(d, pd_opened_word(d, side, direction, k)))
                       : 0;
}

/* ---- hashes of words ---- */

/*
 * Hashes are polynomials over the integers modulo this prime number, 2^61 - 1, so that the hash of
 * a range follows from two prefixes. The coefficients are the items of a document: the hash of the
 * words of each base unit, or the term of each word if units have another form.
 * Source: Karp, Rabin, "Efficient randomized pattern-matching algorithms", IBM J. Res. Dev. 1987.
 */
#define PRIME (((uint64_t)1 << 61) - 1)
#define BASE  UINT64_C(0x0BF58476D1CE4E5B) /* a random number below PRIME */

/* x * y + z modulo PRIME, for x <= PRIME, y < PRIME and any z. */
static uint64_t multiply_add(uint64_t x, uint64_t y, uint64_t z)
{
    const unsigned __int128 sum = (unsigned __int128)x * y + (z & PRIME) + (z >> 61);
    const uint64_t folded = ((uint64_t)sum & PRIME) + (uint64_t)(sum >> 61);
    return folded >= PRIME ? folded - PRIME : folded;
}

static uint64_t item(const struct pd_opened *d, size_t k)
{
    return d->job->form.kind == PD_FORM_BASE ? pd_stored_fringe(&d->stored, k).words
                                             : pd_opened_term(d, &d->stored.tokens.v[k]);
}

/* Make the hashes of the first 0 to n items, and n powers. */
static void make_prefixes(struct pd_opened *d, size_t n)
{
    pd_u64s_reserve(&d->prefixes, n + 1);
    pd_u64s_reserve(&d->powers, n + 1);
    if (d->prefixes.n == 0)
        d->prefixes.v[d->prefixes.n++] = 0;
    if (d->powers.n == 0)
        d->powers.v[d->powers.n++] = 1;
    for (size_t k = d->prefixes.n; k <= n; k++)
        d->prefixes.v[k] = multiply_add(d->prefixes.v[k - 1], BASE, item(d, k - 1));
    for (size_t k = d->powers.n; k <= n; k++)
        d->powers.v[k] = multiply_add(d->powers.v[k - 1], BASE, 0);
    d->prefixes.n = n + 1 > d->prefixes.n ? n + 1 : d->prefixes.n;
    d->powers.n = n + 1 > d->powers.n ? n + 1 : d->powers.n;
}

static uint64_t hash_items(const struct pd_opened *d, size_t from, size_t to)
{
    uint64_t hash = 0;
    for (size_t k = from; k < to; k++)
        hash = multiply_add(hash, BASE, item(d, k));
    return hash;
}

uint64_t pd_opened_hash(struct pd_opened *d, uint32_t start, uint32_t length)
{
    const struct pd_sentence *const v = d->view.units->v, *const last = &v[start + length - 1];
    const bool base = d->job->form.kind == PD_FORM_BASE;
    const size_t from = base ? pd_view_row(&d->view, start) : v[start].word;
    const size_t to = base ? (size_t)pd_view_row(&d->view, start + length - 1) + 1
                           : (size_t)last->word + last->nwords;
    if (to == from + 1)
        return multiply_add(0, 0, item(d, from)); /* the item modulo PRIME */
    d->hashed += to - from;
    if (d->hashed < to) /* few passages: prefixes would take longer */
        return hash_items(d, from, to);
    if (to >= d->prefixes.n)
        make_prefixes(d, to);
    /* hash of the first `to` items, less what the first `from` ones contribute to it */
    return multiply_add(PRIME - d->prefixes.v[from], d->powers.v[to - from], d->prefixes.v[to]);
}

void pd_opened_terms(struct pd_opened *d, uint32_t from, uint32_t to, uint64_t *terms)
{
    pd_stored_words(&d->stored, from, to);
    for (uint32_t k = from; k < to; k++)
        terms[k - from] = pd_opened_term(d, &d->stored.tokens.v[k]);
}

void pd_opened_forget(struct pd_opened *d) { d->held.rec = NULL; }

void pd_opened_release(struct pd_opened *d)
{
    pd_stored_release(&d->stored);
    pd_bytes_release(&d->in_frame);
    pd_view_release(&d->view);
    PD_RELEASE(pd_u64s, &d->prefixes, &d->powers);
}

/*
 * feature/bytes.c - a shingle of bytes at the beginning of every word.
 *
 * Nikkhoo, "The Impact of Near-Duplicate Documents on Information Retrieval Evaluation", thesis,
 * University of Waterloo 2010, section 3.1: the text without markup, punctuation, capitals and, if
 * s->blanks is not set, blanks is cut into shingles of 64 bytes, one at the beginning of each word.
 * A shingle is kept if its fingerprint is a multiple of a number (section 3.3.1).
 */
#include <ctype.h>

#include "pardup/base/error.h"
#include "sign.h"

void pd_sign_bytes_begin(struct pd_signer *s) { PD_CHECK(s->shingle_bytes >= 1 && s->sample >= 1); }

void pd_signer_keep_form(const unsigned char *norm, size_t n, struct pd_bytes *forms)
{
    pd_bytes_reserve(forms, forms->n + n);
    for (size_t k = 0; k < n; k++)
        if (!ispunct(norm[k]))
            forms->v[forms->n++] = norm[k];
    PD_CHECK(forms->n <= UINT32_MAX);
}

/* Join the forms of the unit's words in s->text, and list in s->room where each of them begins. */
static void join_forms(struct pd_signer *s, const struct pd_unit *unit)
{
    s->text.n = s->room.n = 0;
    pd_sigs_reserve(&s->room, unit->nwords);
    for (uint32_t k = 0; k < unit->nwords; k++) {
        const uint32_t word = unit->words[k];
        const uint32_t from = word ? s->form_ends[word - 1] : 0, n = s->form_ends[word] - from;
        if (n == 0)
            continue;
        if (s->blanks && s->text.n)
            pd_bytes_append(&s->text, " ", 1);
        s->room.v[s->room.n++] = s->text.n;
        pd_bytes_append(&s->text, s->forms + from, n);
    }
}

/* Add the shingle text[at, at + n), if it is sampled. */
static void add_shingle(struct pd_signer *s, size_t at, size_t n)
{
    const uint64_t hash = pd_hash_bytes(s->text.v + at, n);
    if (hash % s->sample == 0)
        s->set.v[s->set.n++] = pd_mix(hash); /* its bits are even where bits of `hash` are not */
}

void pd_sign_bytes(struct pd_signer *s, const struct pd_unit *unit)
{
    join_forms(s, unit);
    if (s->room.n == 0)
        return;
    pd_sigs_reserve(&s->set, s->room.n);
    if (s->text.n < s->shingle_bytes)
        add_shingle(s, 0, s->text.n);
    for (size_t k = 0; k < s->room.n && s->room.v[k] + s->shingle_bytes <= s->text.n; k++)
        add_shingle(s, s->room.v[k], s->shingle_bytes);
    pd_sign_distinct(s);
}

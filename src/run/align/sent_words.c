/* run/align/sent_words.c - see src/run/align/sent_words.h */
#include "sent_words.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

_Static_assert(PD_WORDS_PART_MOST <= PD_EXCHANGE_RECORD, "a record must fit");

size_t pd_words_send(struct pd_words_left *left, struct pd_opened *d, struct pd_words_part *to)
{
    const uint32_t n = pd_min_u32(left->end - left->next, PD_WORDS_IN_PART);
    *to = (struct pd_words_part){.size = (uint32_t)(sizeof *to + n * sizeof *to->terms),
                                 .waits_at = left->waits_at,
                                 .part = left->part++};
    pd_opened_terms(d, left->next, left->next + n, to->terms);
    left->next += n;
    return to->size;
}

int pd_words_receive(struct pd_shuffle *from, uint64_t waits_at, uint32_t n, struct pd_u64s *terms)
{
    const void *rec;
    terms->n = 0;
    for (uint64_t part = PD_FIRST_PART; terms->n < n; part++) {
        PD_TRY(pd_shuffle_look(from, &rec));
        const struct pd_words_part *words = rec;
        PD_CHECK(words && words->waits_at == waits_at && words->part == part);
        pd_u64s_append(terms, words->terms, (words->size - sizeof *words) / sizeof *words->terms);
        pd_shuffle_pass(from, words->size);
    }
    return PD_OK;
}

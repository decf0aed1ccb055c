/* app/report/marks.c - see src/app/report/marks.h */
#include "marks.h"

#include <stdlib.h>

#include "pardup/document/word.h"

enum {
    HELD_MOST = 1 << 23,
    MARKS_MOST = 400000
}; /* words (128 MB); numbers on the page (1.3 MB) */

/* A word of a side; its bytes count from the begin of the passage. */
struct spelled {
    uint64_t term;
    uint32_t begin, end;
};
PD_VEC(spelleds, struct spelled);

struct pd_marking_side {
    struct spelleds words;
    uint64_t shown; /* bytes on the page */
    bool taken;
};

void pd_marking_init(struct pd_marking *m, struct pd_report_page *page)
{
    const size_t sides = 2 * page->passages.n;
    *m = (struct pd_marking){.page = page, .alignment = PD_ALIGNMENT};
    m->sides = pd_zeroed(sides + 1, sizeof *m->sides);
}

/* Keep the words of a side. */
static void hold(struct pd_marking *m, const struct pd_report_passage *p, int side,
                 struct spelleds *to)
{
    const struct pd_words *words = &m->page->fetched->document.words;
    uint32_t from;
    const uint32_t n = pd_words_between(words, p->begin[side], p->end[side], &from);
    spelleds_reserve(to, n);
    for (uint32_t k = from; k < from + n; k++)
        spelleds_push(to, (struct spelled){words->v[k].term,
                                           (uint32_t)(words->v[k].begin - p->begin[side]),
                                           (uint32_t)(words->v[k].end - p->begin[side])});
    m->held += n;
}

static struct pd_spoken spoken(struct pd_u64s *terms, const struct spelleds *words)
{
    pd_u64s_reserve(terms, words->n);
    for (size_t k = 0; k < words->n; k++)
        terms->v[k] = words->v[k].term;
    return (struct pd_spoken){terms->v, (uint32_t)words->n};
}

/* Push the marks of one side that are on the page. */
static void push_marks(struct pd_marking *m, struct pd_report_passage *p, int side,
                       const struct pd_marking_side *s)
{
    struct pd_report_numbers *marks = &m->page->marks;
    uint32_t at = 0;
    p->marks[side] = (struct pd_report_text){.at = marks->n};
    for (size_t k = 0; k < m->alignment.runs.n; k++) {
        const struct pd_aligned_run *run = &m->alignment.runs.v[k];
        const uint32_t first = side ? run->b : run->a, n = side ? run->nb : run->na;
        if (run->equal || n == 0)
            continue;
        const uint32_t begin = s->words.v[first].begin, end = s->words.v[first + n - 1].end;
        if (begin >= s->shown)
            break;
        pd_report_numbers_push(marks, begin - at);
        pd_report_numbers_push(marks, (end < s->shown ? end : (uint32_t)s->shown) - begin);
        at = end;
    }
    p->marks[side].n = marks->n - p->marks[side].at;
}

/* Set the marks of a passage. */
static void align(struct pd_marking *m, struct pd_report_passage *p,
                  const struct pd_marking_side sides[2])
{
    const size_t before = m->page->marks.n;
    pd_align(&m->alignment, spoken(&m->terms[0], &sides[0].words),
             spoken(&m->terms[1], &sides[1].words));
    for (int side = 0; side < 2; side++)
        push_marks(m, p, side, &sides[side]);
    p->marked = m->page->marks.n <= MARKS_MOST;
    if (!p->marked)
        m->page->marks.n = before;
}

void pd_marking_take(struct pd_marking *m, size_t passage, int side, uint64_t shown)
{
    struct pd_report_passage *p = &m->page->passages.v[passage];
    struct pd_marking_side *sides = m->sides + 2 * passage, *s = &sides[side];
    if (p->begin[side] >= p->end[side] || p->words[side] > HELD_MOST - m->held)
        return;
    hold(m, p, side, &s->words);
    s->shown = shown;
    s->taken = true;
    if (!sides[1 - side].taken)
        return;
    align(m, p, sides);
    for (int k = 0; k < 2; k++) {
        m->held -= sides[k].words.n;
        spelleds_release(&sides[k].words);
    }
}

void pd_marking_release(struct pd_marking *m)
{
    for (size_t k = 0; k < 2 * m->page->passages.n; k++)
        spelleds_release(&m->sides[k].words);
    free(m->sides);
    pd_alignment_release(&m->alignment);
    for (int side = 0; side < 2; side++)
        pd_u64s_release(&m->terms[side]);
}

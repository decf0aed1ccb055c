/* app/explain/refined.c - where words meet, and the spans that were tried: see printing.h */
#include <stdio.h>

#include "app/show/terminal.h"
#include "pardup/feature/signer.h"
#include "printing.h"

void pd_explain_meeting(struct pd_printing *p)
{
    const struct pd_method_options *o = &p->o->method;
    if (o->feature == PD_FEATURE_PAIRS)
        pd_bytes_print(
            &p->buffer,
            "Words meet where both documents have a rare word (--rare %g) and one of the "
            "next %lld rare ones (--reach), in any order, or %d words in a row. ",
            o->rare, (long long)o->reach, PD_RUN_WORDS);
    if (o->max_repeats)
        pd_bytes_print(
            &p->buffer, "What stands in a document more than %s %s (--max-repeats, --repeats). ",
            o->max_repeats == 1 ? "once" : "--max-repeats times",
            o->repeats == PD_REPEATS_FIRST ? "counts where it stands first" : "does not count");
}

/* How many words of a side are rare? */
static size_t count_rare(const struct pd_explain_side *s)
{
    size_t n = 0;
    for (size_t k = 0; k < s->words.n; k++)
        n += s->words.v[k].use == PD_WORD_USED;
    return n;
}

/* Print how many words meet, and how many would if an option did not leave them out. */
static void print_met(struct pd_printing *p)
{
    static const struct {
        enum pd_why why;
        const char *said;
    } rows[] = {{PD_WHY_REPEATED, "that recur in a document (--max-repeats)"},
                {PD_WHY_COMMON, "that too many documents have (--max-df)"},
                {PD_WHY_ANCHORED, "that too many documents have, both not the first (--max-df)"},
                {PD_WHY_TIER, "of repeats, which meet sixteen by sixteen"},
                {PD_WHY_TEMPLATE, "that are set aside (--aside)"},
                {PD_WHY_IGNORED, "of ignored text (--ignore)"}};
    const struct pd_explain_side *sides = p->e->sides;
    char n[3][PD_COUNT_ROOM];
    bool any = false;
    pd_bytes_print(&p->buffer, "%s words of A and %s of B are rare; words meet in %s places",
                   pd_count(n[0], count_rare(&sides[0])), pd_count(n[1], count_rare(&sides[1])),
                   pd_count(n[2], p->e->dots.n));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const uint64_t refused = p->e->refused[rows[k].why];
        if (!refused)
            continue;
        pd_bytes_print(&p->buffer, "%s %s %s", any ? "," : "; left out are",
                       pd_count(n[0], refused), rows[k].said);
        any = true;
    }
    pd_bytes_print(&p->buffer, ".");
    pd_print_paragraph(p, PD_PRINT_MARGIN);
}

/* Append words [from, from + n) of a side; words that meet stand in brackets. */
static void mark_words(const struct pd_explain_side *s, const bool *meets, uint32_t from,
                       uint32_t n, struct pd_bytes *to)
{
    const unsigned char *text = s->text.document.text;
    to->n = 0;
    for (uint32_t k = from; k < from + n; k++) {
        const struct pd_used_word *w = &s->words.v[k];
        const bool opens = meets[k] && (k == from || !meets[k - 1]);
        const bool closes = meets[k] && (k + 1 == from + n || !meets[k + 1]);
        if (k > from)
            pd_bytes_append(to, text + w[-1].end, w->begin - w[-1].end);
        if (opens)
            pd_bytes_append(to, "[", 1);
        pd_bytes_append(to, text + w->begin, w->end - w->begin);
        if (closes)
            pd_bytes_append(to, "]", 1);
    }
}

/* Print the texts of a region side by side. */
static void print_region_texts(struct pd_printing *p, const struct pd_passage *region)
{
    const struct pd_explanation *e = p->e;
    bool *meets[2];
    for (int k = 0; k < 2; k++)
        meets[k] = pd_zeroed(e->sides[k].words.n + 1, sizeof *meets[k]);
    for (size_t k = 0; k < e->dots.n; k++) {
        const uint32_t i = (uint32_t)(e->dots.v[k] >> 32), j = (uint32_t)e->dots.v[k];
        if (i - region->start_a < region->length_a && j - region->start_b < region->length_b)
            meets[0][i] = meets[1][j] = true;
    }
    mark_words(&e->sides[0], meets[0], region->start_a, region->length_a, &p->texts[0]);
    mark_words(&e->sides[1], meets[1], region->start_b, region->length_b, &p->texts[1]);
    pd_print_both(p);
    PD_FREE(meets[0], meets[1]);
}

static bool overlap(uint32_t x, uint32_t nx, uint32_t y, uint32_t ny)
{
    return x < y + ny && y < x + nx;
}

/* What became of a span that missed no floor: spans of a pair may not overlap. */
static const char *outcome_of(const struct pd_explanation *e, const struct pd_span *s)
{
    const char *outcome = "left out, as a better span overlaps it";
    for (size_t k = 0; k < e->found.n; k++) {
        const struct pd_passage *p = &e->found.v[k];
        if (!overlap(p->start_a, p->length_a, s->start_a, s->length_a) ||
            !overlap(p->start_b, p->length_b, s->start_b, s->length_b))
            continue;
        if (p->start_a <= s->start_a && p->start_b <= s->start_b &&
            p->start_a + p->length_a >= s->start_a + s->length_a &&
            p->start_b + p->length_b >= s->start_b + s->length_b)
            return "found";
        outcome = "found in part, as a better span overlaps it";
    }
    return outcome;
}

static void print_tried(struct pd_printing *p, const struct pd_tried *t)
{
    static const char *const kinds[] = {[PD_SPAN_EVEN] = "Words in any order",
                                        [PD_SPAN_UNEVEN] = "Words that are few on one side",
                                        [PD_SPAN_LITERAL] = "Words in the same order"};
    const struct pd_span *s = &t->span;
    pd_bytes_print(&p->buffer, "%s, A %u to %u, B %u to %u: ",
                   t->fate == PD_SPAN_STILL ? "Misread words" : kinds[s->kind], s->start_a,
                   s->start_a + s->length_a - 1, s->start_b, s->start_b + s->length_b - 1);
    if (t->fate == PD_SPAN_KEPT)
        pd_bytes_print(&p->buffer, "%s", outcome_of(p->e, s));
    else
        pd_explain_floor(t, &p->buffer);
    if (t->fate == PD_SPAN_KEPT && s->back.a + s->ahead.a)
        pd_bytes_print(&p->buffer, "; letters go on alike for %u words of A before it, %u behind",
                       s->back.a, s->ahead.a);
    pd_bytes_print(&p->buffer, ".");
    pd_print_paragraph(p, 2 * PD_PRINT_MARGIN);
}

void pd_explain_regions(struct pd_printing *p)
{
    const struct pd_explanation *e = p->e;
    const size_t limit = p->o->print.limit ? (size_t)p->o->print.limit : SIZE_MAX;
    char n[PD_COUNT_ROOM];
    print_met(p);
    for (size_t k = 0; k < e->regions.n && k < limit; k++) {
        const struct pd_passage *region = &e->regions.v[k];
        putchar('\n');
        pd_bytes_print(&p->buffer,
                       "Region %zu: A %u to %u, B %u to %u; %s words of A meet (in brackets), each "
                       "no more than %lld words from the next (--gap).",
                       k + 1, region->start_a, region->start_a + region->length_a - 1,
                       region->start_b, region->start_b + region->length_b - 1,
                       pd_count(n, region->matched), (long long)p->o->method.gap);
        pd_print_paragraph(p, PD_PRINT_MARGIN);
        print_region_texts(p, region);
        for (uint64_t t = k ? e->tried_to.v[k - 1] : 0; t < e->tried_to.v[k]; t++)
            print_tried(p, &e->tried.v[t]);
    }
    if (e->regions.n > limit) {
        putchar('\n');
        pd_bytes_print(&p->buffer, "%s more regions; --limit 0 shows all.",
                       pd_count(n, e->regions.n - limit));
        pd_print_paragraph(p, 0);
    }
}

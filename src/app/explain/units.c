/*
 * app/explain/units.c - the units of both documents side by side. See printing.h.
 *
 * A sentence stands alone. Grams are runs of words, and each shares all words but one with the
 * next: grams in a row with one reason, whose partners are in a row too, are one series.
 */
#include <stdio.h>
#include <string.h>

#include "app/show/terminal.h"
#include "printing.h"

enum { ROOM = 4096 }; /* bytes of a line that is put together */

/* Units in a row of A, and their partners in a row of B. */
struct series {
    uint32_t first[2]; /* PD_EXPLAIN_NONE: this side has none */
    uint32_t n;        /* units on each side that has some */
    uint32_t chosen;   /* the first of them that is no winnowed gram; 0: all are */
};

/* ---- which units are one series ---- */

/* May units be series at all? */
static bool are_grams(const struct pd_options *o)
{
    return o->method.units == PD_UNIT_GRAM && o->method.join == PD_JOIN_EQUAL;
}

/* Does the unit behind `was` continue its series? A winnowed gram continues any. */
static bool continues(const struct pd_explained *was, const struct pd_explained *u, uint32_t steps)
{
    if (u->own != was->own || u->why != was->why || u->df != was->df)
        return false;
    return was->best == PD_EXPLAIN_NONE ? u->best == was->best : u->best == was->best + steps;
}

/*
 * The series of the units from v[k] on; its partners begin at .first[!side]. Winnowed grams are
 * passed over, and end a series only where the next gram that was chosen ends it.
 */
static struct series series_of(const struct pd_printing *p, int side, uint32_t k)
{
    const struct pd_explaineds *v = &p->e->sides[side].units;
    const size_t others = p->e->sides[!side].units.n;
    struct series t = {.n = 1};
    t.first[side] = k;
    for (; are_grams(p->o) && k + t.n < v->n; t.n++) {
        const struct pd_explained *u = &v->v[k + t.n], *was = &v->v[k + t.chosen];
        if (was->own == PD_WHY_WINNOWED)
            t.chosen = t.n;
        else if (u->own != PD_WHY_WINNOWED && !continues(was, u, t.n - t.chosen))
            break;
    }
    const uint32_t best = v->v[k + t.chosen].best;
    if (v->v[k + t.chosen].own == PD_WHY_WINNOWED)
        t.chosen = 0;
    t.first[!side] = best == PD_EXPLAIN_NONE || best < t.chosen ? PD_EXPLAIN_NONE : best - t.chosen;
    if (t.first[!side] != PD_EXPLAIN_NONE && others - t.first[!side] < t.n)
        t.n = (uint32_t)(others - t.first[!side]);
    return t;
}

/* ---- printing one ---- */

/* The text of n units from u on, with words that do not count in braces. */
static void mark_text(const struct pd_explain_side *s, const struct pd_explained *u, uint32_t n,
                      struct pd_bytes *to)
{
    const struct pd_sentence *last = &u[n - 1].at;
    const unsigned char *text = s->text.document.text;
    uint32_t at = u->at.begin;
    to->n = 0;
    for (uint32_t k = u->at.word; k < last->word + last->nwords; k++) {
        const struct pd_used_word *w = &s->words.v[k];
        const bool out = w->use == PD_WORD_FREQUENT || w->use == PD_WORD_STOPPED;
        if (w->begin > at)
            pd_bytes_append(to, text + at, w->begin - at);
        if (out)
            pd_bytes_append(to, "{", 1);
        pd_bytes_append(to, text + w->begin, w->end - w->begin);
        if (out)
            pd_bytes_append(to, "}", 1);
        at = w->end;
    }
    if (last->end > at)
        pd_bytes_append(to, text + at, last->end - at);
}

/* Print the line below two units. */
static void print_verdict(struct pd_printing *p, const struct pd_explained *a,
                          const struct pd_explained *b)
{
    pd_explain_verdict(p->o, a, b, &p->buffer);
    pd_print_wrapped((const char *)p->buffer.v, p->buffer.n, p->width, PD_PRINT_MARGIN,
                     2 * PD_PRINT_MARGIN);
    p->buffer.n = 0;
}

/* Put together the head of a side: number, words, set name; of several units their numbers. */
static int put_head(char head[ROOM], int side, const struct pd_explained *u, const struct series *t)
{
    const uint32_t first = t->first[side];
    if (t->n > 1)
        return snprintf(head, ROOM, "%c %u to %u", "AB"[side], first, first + t->n - 1);
    int n = snprintf(head, ROOM, "%c %u: %u of %u count", "AB"[side], first, u -> counted,
                     u -> at.nwords);
    if (u->sig)
        n += snprintf(head + n, ROOM - (size_t)n, ", %016llx", (unsigned long long)u->sig);
    return n;
}

static void print_heads(const struct pd_printing *p, const struct pd_explained *const units[2],
                        const struct series *t)
{
    for (int k = 0; k < 2; k++) {
        char head[ROOM] = "";
        const int n = units[k] ? put_head(head, k, units[k], t) : 0;
        if (k && units[k])
            fputs(" | ", stdout);
        const size_t columns = pd_print_clipped(head, (size_t)n, p->room);
        if (k == 0 && units[1])
            printf("%*s", (int)(p->room - columns), "");
    }
    putchar('\n');
}

static void print_series(struct pd_printing *p, const struct series *t)
{
    const struct pd_explained *units[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        p->texts[k].n = 0;
        if (t->first[k] == PD_EXPLAIN_NONE)
            continue;
        const struct pd_explained *first = &p->e->sides[k].units.v[t->first[k]];
        units[k] = first + t->chosen;
        mark_text(&p->e->sides[k], first, t->n, &p->texts[k]);
    }
    putchar('\n');
    print_heads(p, units, t);
    pd_print_both(p);
    print_verdict(p, units[0], units[1]);
}

/* ---- all of them ---- */

/* Print how many units --limit leaves out. */
static void print_rest(struct pd_printing *p, size_t n, int side)
{
    char count[PD_COUNT_ROOM];
    pd_bytes_print(&p->buffer, "%s more %s of %c; --limit 0 shows all.", pd_count(count, n),
                   pd_explain_unit(p->o, n != 1), "AB"[side]);
    putchar('\n');
    pd_print_paragraph(p, 0);
}

/* Print the units of A with their partners. Sets `seen` of each partner. */
static void print_first(struct pd_printing *p, size_t limit, bool *seen)
{
    size_t shown = 0, left = 0;
    for (uint32_t i = 0; i < p->e->sides[0].units.n;) {
        const struct series t = series_of(p, 0, i);
        if (t.first[1] != PD_EXPLAIN_NONE)
            memset(seen + t.first[1], true, t.n);
        if (shown++ < limit)
            print_series(p, &t);
        else
            left += t.n;
        i += t.n;
    }
    if (left)
        print_rest(p, left, 0);
}

/* Print the units of B that no unit of A has for a partner. */
static void print_others(struct pd_printing *p, size_t limit, const bool *seen)
{
    size_t shown = 0, left = 0;
    for (uint32_t j = 0; j < p->e->sides[1].units.n;) {
        struct series t = series_of(p, 1, j);
        uint32_t n = 0;
        while (n < t.n && !seen[j + n])
            n++;
        j += n ? n : 1;
        if (n == 0)
            continue;
        if (n <= t.chosen)
            t.chosen = 0;
        t.n = n;
        if (p->e->sides[1].units.v[t.first[1] + t.chosen].why != PD_WHY_MATCHED)
            t.first[0] = PD_EXPLAIN_NONE;
        if (shown++ < limit)
            print_series(p, &t);
        else
            left += t.n;
    }
    if (left)
        print_rest(p, left, 1);
}

void pd_explain_units(struct pd_printing *p)
{
    const size_t limit = p->o->print.limit ? (size_t)p->o->print.limit : SIZE_MAX;
    bool *seen = pd_zeroed(p->e->sides[1].units.n + 1, sizeof *seen);
    print_first(p, limit, seen);
    print_others(p, limit, seen);
    free(seen);
}

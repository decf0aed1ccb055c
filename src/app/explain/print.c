/* app/explain/print.c - see src/app/explain/explain.h */
#include "printing.h"

#include <stdio.h>
#include <string.h>

#include "app/show/terminal.h"
#include "pardup/base/plain.h"
#include "pardup/run/option_table.h"

enum {
    ROOM = 4096,             /* bytes of a line that is put together */
    PICTURE_ROWS = 20,       /* lines of the picture at most */
    BETWEEN = 3,             /* columns between the two texts */
    MARGIN = PD_PRINT_MARGIN /* blanks before a text */
};

/* ---- who is compared, and how ---- */

static void print_side(struct pd_printing *p, int k)
{
    const struct pd_explain_side *s = &p->e->sides[k];
    char id[ROOM / 2], n[2][PD_COUNT_ROOM];
    pd_plain_line(id, sizeof id, s->text.id, strlen(s->text.id));
    pd_bytes_print(&p->buffer, "%c: %s (row %llu of /documents", "AB"[k], id,
                   (unsigned long long)s -> doc);
    if (strcmp(pd_explain_unit(p->o, true), "words") != 0)
        pd_bytes_print(&p->buffer, ", %s %s", pd_count(n[0], s->units.n),
                       pd_explain_unit(p->o, s->units.n != 1));
    pd_bytes_print(&p->buffer, ", %s words)", pd_count(n[1], s->words.n));
    pd_print_paragraph(p, 3);
}

/* Print the options in force that say what matches and what is kept. */
static void print_options(struct pd_printing *p)
{
    static const char *const names[] = {"units", "feature",   "join",        "tau",        "gamma",
                                        "gap",   "passages",  "refine",      "max-df",     "common",
                                        "frame", "templates", "max-repeats", "min-counted"};
    struct pd_setting s;
    pd_bytes_print(&p->buffer, "Method %s:", p->o->method.name);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const struct pd_option *option = pd_option_find("detect", names[k], strlen(names[k]));
        pd_option_setting(option, p->o, &s);
        if (s.type == PD_SETTING_REAL)
            pd_bytes_print(&p->buffer, " --%s %g", names[k], s.real);
        else
            pd_bytes_print(&p->buffer, " --%s %s", names[k], s.text);
    }
    pd_print_paragraph(p, MARGIN);
}

/* Say which words count, and what was read to know it. */
static void print_words(struct pd_printing *p)
{
    const struct pd_explanation *e = p->e;
    char n[3][PD_COUNT_ROOM];
    if (e->most)
        pd_bytes_print(&p->buffer,
                       "A word counts if it is in %s to %s of the %s documents with sentences "
                       "(--idf, --always-df, --max-word-df). Others stand in {braces}. ",
                       pd_count(n[0], e->least), pd_count(n[1], e->most),
                       pd_count(n[2], e->documents));
    else if (p->o->method.refine != PD_REFINE_NONE)
        pd_explain_meeting(p);
    else if (e->scanned)
        pd_bytes_print(&p->buffer, "Words that do not count stand in {braces}. ");
    else
        pd_bytes_print(&p->buffer, "All words count. ");
    if (e->scanned)
        pd_bytes_print(&p->buffer, "The whole collection was read again to count words.");
    else
        pd_bytes_print(&p->buffer, "Only the files of the two documents were read again.");
    pd_bytes_print(&p->buffer, " Common units are those of the result.");
    if (p->o->method.frame == PD_TEMPLATES_ASIDE)
        pd_bytes_print(&p->buffer, " Frames of pages, such as menus, are left out of both.");
    if (p->o->method.sct)
        pd_bytes_print(&p->buffer, " What --sct leaves out is not known here, and counts.");
    pd_print_paragraph(p, 0);
}

/* ---- the picture ---- */

/* Is the dot in a passage? */
static bool in_passage(const struct pd_explanation *e, uint32_t i, uint32_t j)
{
    const struct pd_passages *v = e->listed.n ? &e->listed : &e->found;
    for (size_t k = 0; k < v->n; k++)
        if (i - v->v[k].start_a < v->v[k].length_a && j - v->v[k].start_b < v->v[k].length_b)
            return true;
    return false;
}

/* Draw the dots: A goes down, B to the right. */
static void print_picture(struct pd_printing *p)
{
    const struct pd_explanation *e = p->e;
    const size_t na = e->sides[0].units.n, nb = e->sides[1].units.n;
    const size_t most = p->width - 2 * MARGIN;
    const size_t rows = na < PICTURE_ROWS ? na : PICTURE_ROWS, columns = nb < most ? nb : most;
    char *cells = pd_realloc(NULL, rows * columns + 1, 1);
    memset(cells, ' ', rows * columns);
    for (size_t k = 0; k < e->dots.n; k++) {
        const uint32_t i = (uint32_t)(e->dots.v[k] >> 32), j = (uint32_t)e->dots.v[k];
        char *cell = &cells[(size_t)i * rows / na * columns + (size_t)j * columns / nb];
        *cell = in_passage(e, i, j) || *cell == '#' ? '#' : '.';
    }
    pd_bytes_print(&p->buffer,
                   "Matches, A from top to bottom and B from left to right (# in a passage, . in "
                   "none):");
    pd_print_paragraph(p, 0);
    for (size_t row = 0; row < rows; row++)
        printf(" |%.*s|\n", (int)columns, cells + row * columns);
    free(cells);
}

/* Print the passages, and how to see them. */
static void print_passages(struct pd_printing *p)
{
    const struct pd_passages *v = p->e->listed.n ? &p->e->listed : &p->e->found;
    putchar('\n');
    if (p->e->missing)
        pd_bytes_print(&p->buffer,
                       "%llu of the passages are not found in the matches above: the result was "
                       "made in another way.",
                       (unsigned long long)p->e->missing);
    pd_print_paragraph(p, MARGIN);
    if (p->e->dropped)
        pd_bytes_print(&p->buffer,
                       "%llu more found, but left out of the result: inside another passage, too "
                       "short (--min-passage-words), or unlike (--min-agreement).",
                       (unsigned long long)p->e->dropped);
    pd_print_paragraph(p, MARGIN);
    for (size_t k = 0; k < v->n; k++) {
        const struct pd_passage *q = &v->v[k];
        if (p->e->listed.n)
            pd_bytes_print(&p->buffer, "Passage %llu: ", (unsigned long long)q->a);
        else
            pd_bytes_print(&p->buffer, "%s: ", p->e->regions.n ? "Found" : "Run");
        pd_bytes_print(&p->buffer, "A %u to %u, B %u to %u, %u matched.", q->start_a,
                       q->start_a + q->length_a - 1, q->start_b, q->start_b + q->length_b - 1,
                       q->matched);
        pd_print_paragraph(p, MARGIN);
    }
}

void pd_explain_print(const struct pd_options *o, const struct pd_explanation *e)
{
    struct pd_printing p = {.o = o, .e = e, .width = pd_terminal_of(&o->print).width};
    p.room = (p.width - BETWEEN) / 2;
    for (int k = 0; k < 2; k++)
        print_side(&p, k);
    print_options(&p);
    print_words(&p);
    putchar('\n');
    if (e->sides[0].units.n && e->sides[1].units.n)
        print_picture(&p);
    if (o->method.refine != PD_REFINE_NONE)
        pd_explain_regions(&p);
    else
        pd_explain_units(&p);
    print_passages(&p);
    pd_explain_answer(o, e, &p.buffer);
    pd_print_paragraph(&p, 0);
    pd_bytes_release(&p.buffer);
    for (int k = 0; k < 2; k++)
        pd_bytes_release(&p.texts[k]);
}

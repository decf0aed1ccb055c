/* app/show/columns.c - see src/app/show/columns.h */
#include "columns.h"

#include <stdio.h>
#include <string.h>

#define SEPARATOR " | "
enum {
    MARGIN = 2, /* columns before the left text */
    SEPARATOR_COLUMNS = sizeof SEPARATOR - 1,
    MARK_COLUMNS = 2, /* of "[-" and of each other mark */
    LEAST_FOLDED = 8  /* a fold hides at least this many equal words */
};

/* What stands before and behind words that differ, on the left and on the right. */
static const char *const plain_marks[2][2] = {{"[-", "-]"}, {"{+", "+}"}};
static const char *const colour_marks[2][2] = {{"\033[31m", "\033[m"}, {"\033[32m", "\033[m"}};

/* One column of a line. */
struct half {
    struct pd_snippets snippets;
    size_t columns; /* without the closing mark, if one is to come */
    bool marked;    /* the last word differs */
};

/* A passage while it is drawn, or while its lines are only counted. */
struct canvas {
    const struct pd_drawing *how;
    const struct pd_passage_text *sides;
    size_t room;                 /* columns of a half */
    size_t mark;                 /* columns of a mark: 0 in colour */
    size_t most;                 /* lines at most; 0: no limit */
    size_t lines;                /* lines printed */
    bool silent;                 /* lines are counted, and not printed */
    uint32_t shown[2];           /* words printed or counted, from the beginning of the passage */
    struct half halves[2];       /* the line at hand */
    struct pd_snippets fresh[2]; /* snippets that are about to be put on a line */
};

/* ---- lines ---- */

/* Put a snippet on the line, if there is room for it. */
static bool put(const struct canvas *c, struct half *half, const struct pd_snippet *p)
{
    const bool marked = pd_snippet_has_word(p) ? p->differs : half->marked;
    const size_t columns = half->columns + (half->snippets.n && p->space) + p->columns +
                           (marked != half->marked ? c->mark : 0);
    if (columns + (marked ? c->mark : 0) > c->room)
        return false;
    pd_snippets_push(&half->snippets, *p);
    half->columns = columns;
    half->marked = marked;
    return true;
}

/* Does the next word of the half behind snippet k differ? */
static bool goes_on(const struct half *half, size_t k)
{
    while (++k < half->snippets.n)
        if (pd_snippet_has_word(&half->snippets.v[k]))
            return half->snippets.v[k].differs;
    return false;
}

/* Print bytes without characters that must not reach the terminal. */
static void print_bytes(const char *text, size_t begin, size_t end)
{
    while (begin < end) {
        const struct pd_glyph g = pd_glyph_at(text, end, begin);
        if (!g.dropped)
            fwrite(text + begin, 1, g.bytes, stdout);
        begin += g.bytes;
    }
}

/* Print a half. Marks enclose all words that differ and follow each other. */
static void print_half(const struct canvas *c, int side)
{
    const struct half *half = &c->halves[side];
    const char *text = c->sides[side].text;
    const char *const *marks = (c->mark ? plain_marks : colour_marks)[side];
    bool open = false;
    for (size_t k = 0; k < half->snippets.n; k++) {
        const struct pd_snippet *p = &half->snippets.v[k];
        if (k && p->space)
            putchar(' ');
        print_bytes(text, p->begin, p->word_begin);
        if (pd_snippet_has_word(p) && p->differs && !open)
            fputs(marks[0], stdout);
        open |= pd_snippet_has_word(p) && p->differs;
        print_bytes(text, p->word_begin, p->word_end);
        if (open && pd_snippet_has_word(p) && !goes_on(half, k)) {
            fputs(marks[1], stdout);
            open = false;
        }
        print_bytes(text, p->word_end, p->end);
    }
}

static bool is_full(const struct canvas *c) { return c->most && c->lines >= c->most; }

static void print_line(const struct canvas *c)
{
    printf("%*s", MARGIN, "");
    print_half(c, 0);
    const size_t columns = c->halves[0].columns + (c->halves[0].marked ? c->mark : 0);
    printf("%*s%s", (int)(c->room - columns), "", c->halves[1].snippets.n ? SEPARATOR : " |");
    print_half(c, 1);
    putchar('\n');
}

/* Print the line at hand, if there is one, and begin a new one. */
static void end_line(struct canvas *c)
{
    if (c->halves[0].snippets.n + c->halves[1].snippets.n == 0)
        return;
    if (!c->silent)
        print_line(c);
    c->lines++;
    for (int side = 0; side < 2; side++) {
        struct half *half = &c->halves[side];
        if (half->snippets.n)
            c->shown[side] = half->snippets.v[half->snippets.n - 1].word + 1;
        half->snippets.n = half->columns = 0;
        half->marked = false;
    }
}

/* Put the fresh snippets of both sides on lines, each column as far as it has room. */
static void pour(struct canvas *c)
{
    size_t at[2] = {0, 0};
    for (;;) {
        for (int side = 0; side < 2; side++)
            while (at[side] < c->fresh[side].n &&
                   put(c, &c->halves[side], &c->fresh[side].v[at[side]]))
                at[side]++;
        if (at[0] == c->fresh[0].n && at[1] == c->fresh[1].n)
            return;
        end_line(c);
        if (is_full(c))
            return;
    }
}

/* Put all fresh snippets on the line at hand; if there is no room for all, put none. */
static bool put_all(struct canvas *c)
{
    const struct half before[2] = {c->halves[0], c->halves[1]};
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < c->fresh[side].n; k++)
            if (!put(c, &c->halves[side], &c->fresh[side].v[k])) {
                for (int s = 0; s < 2; s++) {
                    c->halves[s].snippets.n = before[s].snippets.n;
                    c->halves[s].columns = before[s].columns;
                    c->halves[s].marked = before[s].marked;
                }
                return false;
            }
    return true;
}

/* ---- runs ---- */

/* Append word w of a side to the fresh snippets. */
static void cut(struct canvas *c, int side, uint32_t w, bool differs)
{
    pd_passage_cut(&c->sides[side], w, c->room - 2 * c->mark, differs, &c->fresh[side]);
}

/* Draw n equal words, the k-th of each side of the run and the following ones. */
static void draw_equal(struct canvas *c, const struct pd_aligned_run *run, uint32_t k, uint32_t n)
{
    for (; n > 0 && !is_full(c); n--, k++) {
        c->fresh[0].n = c->fresh[1].n = 0;
        cut(c, 0, run->a + k, false);
        cut(c, 1, run->b + k, false);
        if (put_all(c))
            continue;
        end_line(c);
        if (!is_full(c))
            pour(c);
    }
}

static void draw_different(struct canvas *c, const struct pd_aligned_run *run)
{
    c->fresh[0].n = c->fresh[1].n = 0;
    for (uint32_t k = 0; k < run->na; k++)
        cut(c, 0, run->a + k, true);
    for (uint32_t k = 0; k < run->nb; k++)
        cut(c, 1, run->b + k, true);
    pour(c);
}

static void draw_fold(struct canvas *c, const struct pd_aligned_run *run, uint32_t k, uint32_t n)
{
    char text[64], count[PD_COUNT_ROOM];
    end_line(c);
    if (is_full(c))
        return;
    const int bytes = snprintf(text, sizeof text, "... %s words alike ...", pd_count(count, n));
    if (!c->silent) {
        printf("%*s", MARGIN, "");
        pd_print_clipped(text, (size_t)bytes, c->how->terminal.width - MARGIN);
        putchar('\n');
    }
    c->lines++;
    c->shown[0] = run->a + k + n;
    c->shown[1] = run->b + k + n;
}

static void draw_run(struct canvas *c, const struct pd_aligned_run *run)
{
    const size_t context = c->how->context;
    if (!run->equal) {
        draw_different(c, run);
    } else if (!context || run->na < 2 * context + LEAST_FOLDED) {
        draw_equal(c, run, 0, run->na);
    } else {
        const uint32_t ends = (uint32_t)context, folded = run->na - 2 * ends;
        draw_equal(c, run, 0, ends);
        draw_fold(c, run, ends, folded);
        draw_equal(c, run, ends + folded, ends);
    }
}

/* Say how many words were left out. */
static void draw_rest(const struct canvas *c)
{
    char text[2][64] = {"", ""}, count[PD_COUNT_ROOM];
    for (int side = 0; side < 2; side++)
        if (c->shown[side] < c->sides[side].nwords)
            snprintf(text[side], sizeof *text, "... words left: %s",
                     pd_count(count, c->sides[side].nwords - c->shown[side]));
    if (text[0][0] || text[1][0])
        pd_draw_heads(&c->how->terminal, text[0], text[1]);
}

size_t pd_draw_room(const struct pd_terminal *t)
{
    return (t->width - MARGIN - SEPARATOR_COLUMNS) / 2;
}

void pd_draw_heads(const struct pd_terminal *t, const char *left, const char *right)
{
    const size_t room = pd_draw_room(t);
    printf("%*s", MARGIN, "");
    const size_t columns = pd_print_clipped(left, strlen(left), room);
    printf("%*s%s", (int)(room - columns), "", *right ? SEPARATOR : " |");
    pd_print_clipped(right, strlen(right), room);
    putchar('\n');
}

/* Draw the passage, or count its lines. Returns true if all of it had room. */
static bool draw(struct canvas *c, const struct pd_aligned_runs *runs)
{
    for (size_t k = 0; k < runs->n && !is_full(c); k++)
        draw_run(c, &runs->v[k]);
    if (!is_full(c))
        end_line(c);
    if (!c->silent)
        draw_rest(c);
    for (int side = 0; side < 2; side++) {
        PD_RELEASE(pd_snippets, &c->halves[side].snippets, &c->fresh[side]);
    }
    return c->shown[0] == c->sides[0].nwords && c->shown[1] == c->sides[1].nwords;
}

void pd_draw_passage(const struct pd_drawing *how, const struct pd_passage_text sides[2],
                     const struct pd_aligned_runs *runs)
{
    struct canvas c = {.how = how,
                       .sides = sides,
                       .room = pd_draw_room(&how->terminal),
                       .mark = how->terminal.colour ? 0 : MARK_COLUMNS,
                       .most = how->lines};
    /* If one more line ends the passage, draw it in place of the line that says what is left. */
    struct canvas trial = c;
    trial.silent = true;
    trial.most = how->lines + 1;
    if (how->lines && draw(&trial, runs))
        c.most = how->lines + 1;
    (void)draw(&c, runs);
}

/* app/columns.c - see src/app/columns.h */
#include "columns.h"

#include <stdio.h>
#include <string.h>

#define SEPARATOR " | "
enum {
    MARGIN = 2,
    SEPARATOR_COLUMNS = sizeof SEPARATOR - 1,
    MARK_COLUMNS = 2, /* of "[-" and of each other mark */
    LEAST_FOLDED = 8  /* a fold hides at least this many equal words */
};

static const char *const plain_marks[2][2] = {{"[-", "-]"}, {"{+", "+}"}};
static const char *const colour_marks[2][2] = {{"\033[31m", "\033[m"}, {"\033[32m", "\033[m"}};

/* Text without white space that is printed as it is. A word with blanks in it is several pieces. */
struct piece {
    size_t begin, end;           /* bytes of the document's text */
    size_t word_begin, word_end; /* the part of a word in it; equal: no word */
    uint32_t word;               /* the word of the passage to which the piece belongs */
    size_t columns;
    bool space;   /* white space stands before it */
    bool differs; /* the word has no partner */
};
PD_VEC(pieces, struct piece);

/* One column of a line. */
struct cell {
    struct pieces pieces;
    size_t columns; /* without the closing mark, if one is to come */
    bool marked;    /* the last word differs */
};

struct canvas {
    const struct pd_drawing *how;
    const struct pd_passage_text *sides;
    size_t room;            /* columns of a cell */
    size_t mark;            /* columns of a mark: 0 in colour */
    size_t lines;           /* lines printed */
    uint32_t shown[2];      /* words printed or counted, from the beginning of the passage */
    struct cell cells[2];   /* the line at hand */
    struct pieces fresh[2]; /* pieces that are about to be put on a line */
};

struct pd_passage_text pd_passage_text_of(const struct pd_document *d, uint64_t begin, uint64_t end)
{
    const struct pd_words *w = &d->words;
    if (begin > end || end > d->text_n)
        return (struct pd_passage_text){.text = ""};
    size_t from = 0, to = w->n;
    while (from < to) { /* the first word that begins in the passage */
        const size_t mid = from + (to - from) / 2;
        if (w->v[mid].begin < begin)
            from = mid + 1;
        else
            to = mid;
    }
    while (to < w->n && w->v[to].end <= end)
        to++;
    return (struct pd_passage_text){(const char *)d->text, begin, end, w->v + from,
                                    (uint32_t)(to - from)};
}

/* ---- pieces ---- */

/* Where the pieces of word w begin: behind the last white space before it, if there is any. */
static size_t start_of(const struct pd_passage_text *s, uint32_t w, bool *space)
{
    const size_t from = w ? s->words[w - 1].end : s->begin;
    const size_t to = w < s->nwords ? s->words[w].begin : s->end;
    size_t start = w && w < s->nwords ? to : w ? s->end : from;
    *space = false;
    for (size_t at = from; at < to;) {
        const struct pd_glyph g = pd_glyph_at(s->text, to, at);
        at += g.bytes;
        if (g.space && w && w < s->nwords) {
            start = at;
            *space = true;
        }
    }
    return start;
}

/* Append a piece, unless it is empty. It gets the part of its word that lies in it. */
static void push_piece(struct pieces *out, struct piece p, const struct pd_word *word)
{
    if (p.begin == p.end)
        return;
    p.word_begin = word->begin > p.begin ? word->begin : p.begin;
    p.word_end = word->end < p.end ? word->end : p.end;
    if (p.word_begin >= p.word_end)
        p.word_begin = p.word_end = p.end;
    pieces_push(out, p);
}

/* Append the pieces of word w, and of what stands between it and the next word. */
static void cut(const struct canvas *c, int side, uint32_t w, bool differs, struct pieces *out)
{
    const struct pd_passage_text *s = &c->sides[side];
    const size_t most = c->room - 2 * c->mark;
    bool space, ignored;
    size_t at = start_of(s, w, &space);
    const size_t end = start_of(s, w + 1, &ignored);
    struct piece p = {.begin = at, .end = at, .word = w, .space = space, .differs = differs};
    while (at < end) {
        const struct pd_glyph g = pd_glyph_at(s->text, end, at);
        if (g.space || p.columns + (size_t)g.columns > most) {
            push_piece(out, p, &s->words[w]);
            p.space = g.space || (p.space && p.begin == p.end);
            p.columns = 0;
            p.begin = g.space ? at + g.bytes : at;
        }
        at += g.bytes;
        p.end = g.space ? p.begin : at;
        p.columns += g.space ? 0 : (size_t)g.columns;
    }
    push_piece(out, p, &s->words[w]);
}

/* ---- lines ---- */

static bool has_word(const struct piece *p) { return p->word_begin < p->word_end; }

/* Put a piece on the line, if there is room for it. */
static bool put(const struct canvas *c, struct cell *cell, const struct piece *p)
{
    const bool marked = has_word(p) ? p->differs : cell->marked;
    const size_t columns = cell->columns + (cell->pieces.n && p->space) + p->columns +
                           (marked != cell->marked ? c->mark : 0);
    if (columns + (marked ? c->mark : 0) > c->room)
        return false;
    pieces_push(&cell->pieces, *p);
    cell->columns = columns;
    cell->marked = marked;
    return true;
}

/* Does the next word of the cell behind piece k differ? */
static bool goes_on(const struct cell *cell, size_t k)
{
    while (++k < cell->pieces.n)
        if (has_word(&cell->pieces.v[k]))
            return cell->pieces.v[k].differs;
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

/* Print a cell. Marks enclose all words that differ and follow each other. */
static void print_cell(const struct canvas *c, int side)
{
    const struct cell *cell = &c->cells[side];
    const char *text = c->sides[side].text;
    const char *const *marks = (c->mark ? plain_marks : colour_marks)[side];
    bool open = false;
    for (size_t k = 0; k < cell->pieces.n; k++) {
        const struct piece *p = &cell->pieces.v[k];
        if (k && p->space)
            putchar(' ');
        print_bytes(text, p->begin, p->word_begin);
        if (has_word(p) && p->differs && !open)
            fputs(marks[0], stdout);
        open |= has_word(p) && p->differs;
        print_bytes(text, p->word_begin, p->word_end);
        if (open && has_word(p) && !goes_on(cell, k)) {
            fputs(marks[1], stdout);
            open = false;
        }
        print_bytes(text, p->word_end, p->end);
    }
}

static bool is_full(const struct canvas *c) { return c->how->lines && c->lines >= c->how->lines; }

/* Print the line at hand, if there is one, and begin a new one. */
static void end_line(struct canvas *c)
{
    if (c->cells[0].pieces.n + c->cells[1].pieces.n == 0)
        return;
    printf("%*s", MARGIN, "");
    print_cell(c, 0);
    const size_t columns = c->cells[0].columns + (c->cells[0].marked ? c->mark : 0);
    printf("%*s%s", (int)(c->room - columns), "", c->cells[1].pieces.n ? SEPARATOR : " |");
    print_cell(c, 1);
    putchar('\n');
    c->lines++;
    for (int side = 0; side < 2; side++) {
        struct cell *cell = &c->cells[side];
        if (cell->pieces.n)
            c->shown[side] = cell->pieces.v[cell->pieces.n - 1].word + 1;
        cell->pieces.n = cell->columns = 0;
        cell->marked = false;
    }
}

/* Put the fresh pieces of both sides on lines, each column as far as it has room. */
static void pour(struct canvas *c)
{
    size_t at[2] = {0, 0};
    for (;;) {
        for (int side = 0; side < 2; side++)
            while (at[side] < c->fresh[side].n &&
                   put(c, &c->cells[side], &c->fresh[side].v[at[side]]))
                at[side]++;
        if (at[0] == c->fresh[0].n && at[1] == c->fresh[1].n)
            return;
        end_line(c);
        if (is_full(c))
            return;
    }
}

/* Put all fresh pieces on the line at hand; if there is no room for all, put none. */
static bool put_all(struct canvas *c)
{
    const struct cell before[2] = {c->cells[0], c->cells[1]};
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < c->fresh[side].n; k++)
            if (!put(c, &c->cells[side], &c->fresh[side].v[k])) {
                for (int s = 0; s < 2; s++) {
                    c->cells[s].pieces.n = before[s].pieces.n;
                    c->cells[s].columns = before[s].columns;
                    c->cells[s].marked = before[s].marked;
                }
                return false;
            }
    return true;
}

/* ---- runs ---- */

/* Draw n equal words, the k-th of each side of the run and the following ones. */
static void draw_equal(struct canvas *c, const struct pd_run *run, uint32_t k, uint32_t n)
{
    for (; n > 0 && !is_full(c); n--, k++) {
        c->fresh[0].n = c->fresh[1].n = 0;
        cut(c, 0, run->a + k, false, &c->fresh[0]);
        cut(c, 1, run->b + k, false, &c->fresh[1]);
        if (put_all(c))
            continue;
        end_line(c);
        if (!is_full(c))
            pour(c);
    }
}

static void draw_different(struct canvas *c, const struct pd_run *run)
{
    c->fresh[0].n = c->fresh[1].n = 0;
    for (uint32_t k = 0; k < run->na; k++)
        cut(c, 0, run->a + k, true, &c->fresh[0]);
    for (uint32_t k = 0; k < run->nb; k++)
        cut(c, 1, run->b + k, true, &c->fresh[1]);
    pour(c);
}

static void draw_fold(struct canvas *c, const struct pd_run *run, uint32_t k, uint32_t n)
{
    char text[64], count[PD_COUNT_ROOM];
    end_line(c);
    if (is_full(c))
        return;
    const int bytes = snprintf(text, sizeof text, "... %s words alike ...", pd_count(count, n));
    printf("%*s", MARGIN, "");
    pd_print_clipped(text, (size_t)bytes, c->how->terminal.width - MARGIN);
    putchar('\n');
    c->lines++;
    c->shown[0] = run->a + k + n;
    c->shown[1] = run->b + k + n;
}

static void draw_run(struct canvas *c, const struct pd_run *run)
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

static size_t room_of(const struct pd_terminal *t)
{
    return (t->width - MARGIN - SEPARATOR_COLUMNS) / 2;
}

void pd_draw_heads(const struct pd_terminal *t, const char *left, const char *right)
{
    const size_t room = room_of(t);
    printf("%*s", MARGIN, "");
    const size_t columns = pd_print_clipped(left, strlen(left), room);
    printf("%*s%s", (int)(room - columns), "", *right ? SEPARATOR : " |");
    pd_print_clipped(right, strlen(right), room);
    putchar('\n');
}

void pd_draw_passage(const struct pd_drawing *how, const struct pd_passage_text sides[2],
                     const struct pd_runs *runs)
{
    struct canvas c = {.how = how,
                       .sides = sides,
                       .room = room_of(&how->terminal),
                       .mark = how->terminal.colour ? 0 : MARK_COLUMNS};
    for (size_t k = 0; k < runs->n && !is_full(&c); k++)
        draw_run(&c, &runs->v[k]);
    if (!is_full(&c))
        end_line(&c);
    draw_rest(&c);
    for (int side = 0; side < 2; side++) {
        pieces_release(&c.cells[side].pieces);
        pieces_release(&c.fresh[side]);
    }
}

/* app/show/viewer.c - see src/app/show/viewer.h */
#include "viewer.h"

#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/base/plain.h"

/* Passages touch if this many bytes, such as a full stop and blanks, lie between them. */
enum { TOUCHING = 3, JOINED_WITH = 16 }; /* bytes; rows that a row may be joined with */
enum { ROOM_OF_LINE = 4096 };            /* bytes */

/* Columns of /passages. */
enum { DOC, BEGIN = DOC + 2, END = BEGIN + 2, MATCHED = END + 2, SIMILARITY, AGREEMENT };
static const char *const passage_columns[] = {"doc_a",     "doc_b", "begin_a", "begin_b",
                                              "end_a",     "end_b", "matched", "similarity",
                                              "agreement", NULL};

int pd_viewer_open(struct pd_viewer *p, const char *path, const struct pd_print_options *o)
{
    *p = (struct pd_viewer){.how = {pd_terminal_of(o), (size_t)o->lines, (size_t)o->context},
                            .alignment = PD_ALIGNMENT};
    PD_TRY(pd_result_open(path, &p->result));
    int status = PD_OK;
    for (int side = 0; side < 2; side++) { /* each needs to be made, so that it can be released */
        const int ready = side == 0 ? pd_fetch_init(&p->sides[side], p->result)
                                    : pd_fetch_init_second(&p->sides[side], p->result);
        status = status < 0 ? status : ready;
    }
    PD_TRY(status);
    PD_TRY(pd_label_open(&p->label, p->result, o->label));
    return pd_table_open(&p->passages, p->result, "passages", passage_columns);
}

void pd_viewer_close(struct pd_viewer *p)
{
    if (p->result)
        for (int side = 0; side < 2; side++)
            pd_fetch_release(&p->sides[side]);
    for (int side = 0; side < 2; side++)
        pd_u64s_release(&p->terms[side]);
    pd_table_close(&p->passages);
    pd_label_close(&p->label);
    pd_alignment_release(&p->alignment);
    pd_result_close(p->result);
    p->result = NULL;
}

int pd_viewer_next(struct pd_viewer *p, struct pd_passage_row *row)
{
    const struct pd_table_reader *t = &p->passages;
    PD_PASS(pd_table_next(&p->passages));
    row->number = t->row;
    for (int side = 0; side < 2; side++) {
        row->doc[side] = pd_table_count(t, DOC + side);
        row->begin[side] = pd_table_count(t, BEGIN + side);
        row->end[side] = pd_table_count(t, END + side);
    }
    row->matched = pd_table_count(t, MATCHED);
    row->similarity = pd_table_real(t, SIMILARITY);
    row->agreement = pd_table_real(t, AGREEMENT);
    return PD_OK;
}

/* Extend `row` over `next` if they overlap or touch in both documents. Returns true if they do. */
static bool join(struct pd_passage_row *row, const struct pd_passage_row *next)
{
    for (int k = 0; k < 2; k++)
        if (row->doc[k] != next->doc[k] || next->begin[k] < row->begin[k] ||
            next->begin[k] > row->end[k] + TOUCHING)
            return false;
    for (int k = 0; k < 2; k++)
        row->end[k] = next->end[k] > row->end[k] ? next->end[k] : row->end[k];
    const double sum =
        row->similarity * (double)row->matched + next->similarity * (double)next->matched;
    row->matched += next->matched;
    row->similarity = sum / (double)row->matched;
    row->agreement = 0;
    return true;
}

int pd_viewer_list(struct pd_viewer *p, struct pd_passage_rows *rows)
{
    struct pd_passage_row row;
    int status;
    p->passages.next = 0;
    while ((status = pd_viewer_next(p, &row)) == PD_OK) {
        bool joined = false;
        for (size_t k = 1; k <= rows->n && k <= JOINED_WITH && !joined; k++)
            joined = join(&rows->v[rows->n - k], &row);
        if (!joined)
            pd_passage_rows_push(rows, row);
    }
    return status < 0 ? status : PD_OK;
}

/* Check that a row is a passage of its documents: a damaged result may hold any numbers. */
static int check_row(const struct pd_viewer *p, const struct pd_passage_row *row, int side)
{
    const char *wrong = row->begin[side] > row->end[side] ? "ends before it begins"
                        : row->end[side] > p->sides[side].document.text_n
                            ? "ends behind the text of its document"
                            : NULL;
    return wrong ? pd_fail(PD_EFORMAT, "%s: row %llu of /passages %s", pd_result_path(p->result),
                           (unsigned long long)row->number, wrong)
                 : PD_OK;
}

int pd_viewer_fetch(struct pd_viewer *p, const struct pd_passage_row *row)
{
    for (int side = 0; side < 2; side++) {
        PD_TRY(pd_fetch_row(&p->sides[side], row->doc[side]));
        PD_TRY(check_row(p, row, side));
    }
    return PD_OK;
}

uint64_t pd_viewer_align(struct pd_viewer *p, const struct pd_passage_row *row,
                         struct pd_passage_text sides[2])
{
    struct pd_spoken spoken[2];
    for (int k = 0; k < 2; k++) {
        sides[k] = pd_passage_text_of(&p->sides[k].document, row->begin[k], row->end[k]);
        pd_u64s_reserve(&p->terms[k], sides[k].nwords);
        for (uint32_t w = 0; w < sides[k].nwords; w++)
            p->terms[k].v[w] = sides[k].words[w].term;
        spoken[k] = (struct pd_spoken){p->terms[k].v, sides[k].nwords};
    }
    return pd_align(&p->alignment, spoken[0], spoken[1]);
}

/* Print where a side of a passage is; without the word "bytes" where the column is narrow. */
static void print_head(const struct pd_viewer *p, const struct pd_passage_row *row, int side,
                       const char *name, uint32_t words, char head[ROOM_OF_LINE])
{
    char count[PD_COUNT_ROOM];
    for (int attempt = 0; attempt < 2; attempt++) {
        const int n =
            snprintf(head, ROOM_OF_LINE, "%s%s%llu-%llu, %s word%s", name, attempt ? "" : "bytes ",
                     (unsigned long long)row->begin[side], (unsigned long long)row->end[side],
                     pd_count(count, words), pd_plural(words));
        if ((size_t)n <= pd_draw_room(&p->how.terminal))
            return;
    }
}

void pd_viewer_draw(struct pd_viewer *p, const struct pd_passage_row *row, const char *title,
                    const char *const names[2])
{
    struct pd_passage_text sides[2];
    char line[ROOM_OF_LINE], heads[2][ROOM_OF_LINE], count[PD_COUNT_ROOM];
    const uint64_t alike = pd_viewer_align(p, row, sides);
    const int n = snprintf(line, sizeof line, "%s: %s word%s alike", title, pd_count(count, alike),
                           pd_plural(alike));
    fputs(p->how.terminal.colour ? "\033[1m" : "", stdout);
    pd_print_wrapped(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1,
                     p->how.terminal.width, 0, 2);
    fputs(p->how.terminal.colour ? "\033[m" : "", stdout);
    for (int k = 0; k < 2; k++)
        print_head(p, row, k, names[k], sides[k].nwords, heads[k]);
    pd_draw_heads(&p->how.terminal, heads[0], heads[1]);
    pd_draw_passage(&p->how, sides, &p->alignment.runs);
}

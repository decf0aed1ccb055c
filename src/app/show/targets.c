/* app/show/targets.c - see src/app/show/show.h */
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/print.h"
#include "app/share.h"
#include "app/temporary.h"
#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/index/index.h"
#include "viewer.h"

enum { LINE_ROOM = 4096, INDENT = 2 }; /* bytes; columns */

/* A source that the target at hand shares something with. */
struct share {
    uint64_t source;
    uint64_t words; /* of the target, in passages of this source */
    double score;   /* in the ranking; 0: it is not there */
};
PD_VEC(shares, struct share);

/* Columns of the tables of the result. */
enum { COLLISIONS, DUPLICATE };
static const char *const decision_columns[] = {"collisions", "duplicate", NULL};
enum { ID, WORDS };
static const char *const document_columns[] = {"id", "words", NULL};
enum { TARGET, SOURCE, SCORE };
static const char *const ranking_columns[] = {"doc", "source", "score", NULL};

struct showing {
    const struct pd_options *options;
    struct pd_viewer viewer;
    struct pd_index index;
    struct pd_table_reader documents, decisions, ranking;
    struct pd_passage_row ahead; /* the next passage, if there is one */
    bool has_ahead;
    const char *why;     /* no text of a source is read; NULL: they are */
    bool told;           /* it was told that a text of a source cannot be read */
    uint64_t doc;        /* the target at hand */
    uint64_t duplicates; /* targets before it that are duplicates */
    uint64_t sharing;    /* targets before it that have passages */
    struct pd_passage_rows rows;
    struct shares shares;
    struct pd_aside_text aside; /* of the target at hand */
    struct pd_parts parts;      /* buffer */
};

/* ---- what the result says of a target ---- */

static int read_ahead(struct showing *s)
{
    const int status = pd_viewer_next(&s->viewer, &s->ahead);
    s->has_ahead = status == PD_OK;
    return status < 0 ? status : PD_OK;
}

/* Take the passages of the target at hand. */
static int take_rows(struct showing *s)
{
    s->rows.n = 0;
    while (s->has_ahead && s->ahead.doc[0] == s->doc) {
        pd_passage_rows_push(&s->rows, s->ahead);
        PD_TRY(read_ahead(s));
    }
    return PD_OK;
}

/* Take the ranking of the target at hand. */
static int take_ranking(struct showing *s)
{
    struct pd_table_reader *t = &s->ranking;
    int status;
    while ((status = pd_table_next(t)) == PD_OK && pd_table_count(t, TARGET) == s->doc)
        shares_push(&s->shares,
                    (struct share){pd_table_count(t, SOURCE), 0, pd_table_real(t, SCORE)});
    if (status == PD_OK)
        t->next = t->row; /* it is of the next target */
    return status < 0 ? status : PD_OK;
}

static int by_begin(const void *pa, const void *pb)
{
    const struct pd_passage_row *a = pa, *b = pb;
    if (a->begin[0] != b->begin[0])
        return a->begin[0] < b->begin[0] ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int by_source(const void *pa, const void *pb)
{
    const struct pd_passage_row *a = pa, *b = pb;
    if (a->doc[1] != b->doc[1])
        return a->doc[1] < b->doc[1] ? -1 : 1;
    return by_begin(pa, pb);
}

static int by_number(const void *pa, const void *pb)
{
    const struct share *a = pa, *b = pb;
    return (a->source > b->source) - (a->source < b->source);
}

static int by_words(const void *pa, const void *pb)
{
    const struct share *a = pa, *b = pb;
    if (a->words != b->words)
        return a->words > b->words ? -1 : 1;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return (a->source > b->source) - (a->source < b->source);
}

/* The share of the target that is in rows [from, to). */
static struct pd_share share_in(struct showing *s, size_t from, size_t to)
{
    s->parts.n = 0;
    for (size_t k = from; k < to; k++)
        pd_parts_push(&s->parts, (struct pd_part){s->rows.v[k].begin[0], s->rows.v[k].end[0]});
    return pd_share_of_document(&s->aside, &s->viewer.sides[0].document, &s->parts);
}

/* Count the words that come from each source, and set *all to the share that any source has. */
static int count_shares(struct showing *s, struct pd_share *all)
{
    struct pd_passage_rows *rows = &s->rows;
    PD_TRY(pd_fetch_row(&s->viewer.sides[0], s->doc));
    PD_TRY(pd_aside_read(&s->aside, s->doc));
    *all = share_in(s, 0, rows->n);
    if (rows->n == 0)
        return PD_OK;
    qsort(rows->v, rows->n, sizeof *rows->v, by_source);
    for (size_t k = 0, from; k < rows->n;) {
        for (from = k; k < rows->n && rows->v[k].doc[1] == rows->v[from].doc[1];)
            k++;
        shares_push(&s->shares,
                    (struct share){rows->v[from].doc[1], share_in(s, from, k).covered, 0});
    }
    qsort(rows->v, rows->n, sizeof *rows->v, by_begin);
    return PD_OK;
}

/*
 * Make one share of the two that a source may have, by passages and by the ranking. Best sources
 * come first.
 */
static void unite_shares(struct shares *shares)
{
    size_t n = 0;
    if (shares->n == 0)
        return;
    qsort(shares->v, shares->n, sizeof *shares->v, by_number);
    for (size_t k = 1; k < shares->n; k++)
        if (shares->v[k].source == shares->v[n].source) {
            shares->v[n].words += shares->v[k].words;
            shares->v[n].score += shares->v[k].score;
        } else {
            shares->v[++n] = shares->v[k];
        }
    shares->n = n + 1;
    qsort(shares->v, shares->n, sizeof *shares->v, by_words);
}

/* ---- what is printed ---- */

static void print_line(const struct showing *s, const char *line, size_t indent)
{
    pd_print_wrapped(line, strlen(line), s->viewer.how.terminal.width, indent, indent + INDENT);
}

/* Print whether the target is a duplicate. */
static int print_decision(struct showing *s)
{
    char line[LINE_ROOM], plain[LINE_ROOM / 2], n[2][PD_COUNT_ROOM];
    size_t id_n;
    PD_TRY(pd_table_at(&s->decisions, s->doc));
    const uint64_t collisions = pd_table_count(&s->decisions, COLLISIONS);
    const uint64_t duplicate = pd_table_count(&s->decisions, DUPLICATE);
    const char *id = pd_table_text(&s->documents, ID, &id_n);
    s->duplicates += duplicate;
    pd_plain_line(plain, sizeof plain, id, id_n);
    const uint64_t delta = (uint64_t)s->options->method.delta;
    const bool is_more = collisions > delta;
    snprintf(line, sizeof line, "%s: %s: %s of its units %s in the index, %s %s (--delta)%s", plain,
             duplicate ? "a duplicate" : "no duplicate", pd_count(n[0], collisions),
             collisions == 1 ? "is" : "are", is_more ? "more than" : "not more than",
             pd_count(n[1], delta),
             !duplicate && is_more   ? ", but there is no passage"
             : duplicate && !is_more ? ", but a source has the same words"
                                     : "");
    fputs(s->viewer.how.terminal.colour ? "\033[1m" : "", stdout);
    print_line(s, line, 0);
    fputs(s->viewer.how.terminal.colour ? "\033[m" : "", stdout);
    return PD_OK;
}

/* The id of a source, as far as it has room. */
static int id_of(const struct showing *s, uint64_t source, char id[LINE_ROOM])
{
    struct pd_indexed doc;
    if (source >= s->index.manifest.head.documents)
        return pd_fail(PD_EFORMAT, "%s: names source %llu, which the index does not have",
                       pd_result_path(s->viewer.result), (unsigned long long)source);
    PD_TRY(pd_segment_document(pd_index_segment(&s->index, source), source, &doc));
    struct pd_bytes whole = {0};
    pd_indexed_id(&doc, &whole);
    pd_plain_line(id, LINE_ROOM, (const char *)whole.v, whole.n);
    pd_bytes_release(&whole);
    return PD_OK;
}

/* Print the best sources. */
static int print_shares(struct showing *s, uint64_t words)
{
    char line[2 * LINE_ROOM], id[LINE_ROOM], n[PD_COUNT_ROOM], share[PD_COUNT_ROOM];
    const size_t top = (size_t)s->options->check.top;
    for (size_t k = 0; k < s->shares.n && k < top; k++) {
        const struct share *at = &s->shares.v[k];
        PD_TRY(id_of(s, at->source, id));
        if (at->words > 0)
            snprintf(line, sizeof line, "%s: share %s, %s word%s", id,
                     pd_percent(share, at->words, words), pd_count(n, at->words),
                     pd_plural(at->words));
        else
            snprintf(line, sizeof line, "%s: in no passage", id);
        if (at->score > 0)
            snprintf(line + strlen(line), sizeof line - strlen(line), ", score %.2f", at->score);
        print_line(s, line, INDENT);
    }
    if (s->shares.n > top) {
        snprintf(line, sizeof line, "%s more source%s; --top says how many are listed",
                 pd_count(n, s->shares.n - top), pd_plural(s->shares.n - top));
        print_line(s, line, INDENT);
    }
    return PD_OK;
}

/* Print where a passage is, when the text of its source cannot be read. */
static void print_offsets(struct showing *s, const struct pd_passage_row *row, const char *title)
{
    char line[3 * LINE_ROOM];
    if (!s->told) {
        snprintf(line, sizeof line, "Only offsets of passages are shown: %s",
                 s->why ? s->why : pd_error_text());
        print_line(s, line, 0);
    }
    s->told = true;
    pd_error_clear();
    snprintf(line, sizeof line, "%s: bytes %llu-%llu of the target, %llu-%llu of the source", title,
             (unsigned long long)row->begin[0], (unsigned long long)row->end[0],
             (unsigned long long)row->begin[1], (unsigned long long)row->end[1]);
    print_line(s, line, 0);
}

static int print_passage(struct showing *s, size_t k)
{
    static const char *const names[2] = {"target: ", "source: "};
    const struct pd_passage_row *row = &s->rows.v[k];
    char title[2 * LINE_ROOM], id[LINE_ROOM], n[2][PD_COUNT_ROOM];
    PD_TRY(id_of(s, row->doc[1], id));
    snprintf(title, sizeof title, "%s of %s, %s", pd_count(n[0], k + 1), pd_count(n[1], s->rows.n),
             id);
    putchar('\n');
    if (s->why || pd_viewer_fetch(&s->viewer, row) < 0)
        print_offsets(s, row, title);
    else
        pd_viewer_draw(&s->viewer, row, title, names);
    return PD_OK;
}

static int print_passages(struct showing *s)
{
    const uint64_t limit = (uint64_t)s->options->print.limit;
    const size_t shown = limit && limit < s->rows.n ? limit : s->rows.n;
    char line[LINE_ROOM], n[PD_COUNT_ROOM];
    for (size_t k = 0; k < shown; k++)
        PD_TRY(print_passage(s, k));
    if (shown < s->rows.n) {
        snprintf(line, sizeof line, "%s more passage%s; --limit 0 shows all",
                 pd_count(n, s->rows.n - shown), pd_plural(s->rows.n - shown));
        putchar('\n');
        print_line(s, line, 0);
    }
    return PD_OK;
}

static int print_target(struct showing *s)
{
    char line[LINE_ROOM], n[4][PD_COUNT_ROOM], share[PD_COUNT_ROOM];
    struct pd_share all = {0, 0};
    size_t from = 0;
    s->shares.n = 0;
    PD_TRY(pd_table_at(&s->documents, s->doc));
    PD_TRY(take_rows(s));
    PD_TRY(take_ranking(s));
    fputs(s->doc ? "\n" : "", stdout);
    PD_TRY(print_decision(s));
    s->sharing += s->rows.n > 0;
    if (s->rows.n || s->aside.table.rows)
        PD_TRY(count_shares(s, &all));
    else
        all.all = pd_table_count(&s->documents, WORDS);
    unite_shares(&s->shares);
    for (size_t k = 0; k < s->shares.n; k++)
        from += s->shares.v[k].words > 0;
    snprintf(line, sizeof line, "share %s: %s of %s words in %s passage%s, from %s source%s",
             pd_percent(share, all.covered, all.all), pd_count(n[0], all.covered),
             pd_count(n[1], all.all), pd_count(n[2], s->rows.n), pd_plural(s->rows.n),
             pd_count(n[3], from), pd_plural(from));
    print_line(s, line, INDENT);
    PD_TRY(print_shares(s, all.all));
    if (s->rows.n == 0 && s->shares.n > 0) {
        const uint64_t gamma = (uint64_t)s->options->method.gamma;
        snprintf(line, sizeof line, "a passage needs %s matched unit%s of one source (--gamma %s)",
                 pd_count(n[0], gamma + 1), pd_plural(gamma + 1), pd_count(n[1], gamma));
        print_line(s, line, INDENT);
    }
    return print_passages(s);
}

/* ---- the whole ---- */

/* Print below several targets how many of them are duplicates, and how many have passages. */
static void print_sum(const struct showing *s)
{
    char line[LINE_ROOM];
    if (s->documents.rows < 2)
        return;
    snprintf(line, sizeof line, "%s of %s targets %s, %s %s passages", pd_grouped(s->duplicates),
             pd_grouped(s->documents.rows),
             s->duplicates == 1 ? "is a duplicate" : "are duplicates", pd_grouped(s->sharing),
             s->sharing == 1 ? "has" : "have");
    putchar('\n');
    print_line(s, line, 0);
}

static int print_all(struct showing *s)
{
    struct pd_result *result = s->viewer.result;
    PD_TRY(pd_index_open(&s->index, s->options->check.index));
    if (s->index.nsegments && s->index.segments[0].counts.with_text)
        pd_fetch_use_index(&s->viewer.sides[1], &s->index);
    PD_TRY(pd_table_open(&s->documents, result, "documents", document_columns));
    PD_TRY(pd_table_open(&s->decisions, result, "decisions", decision_columns));
    PD_TRY(pd_table_open(&s->ranking, result, "ranking", ranking_columns));
    PD_TRY(read_ahead(s));
    for (; s->doc < s->documents.rows && !ferror(stdout); s->doc++)
        PD_TRY(print_target(s));
    print_sum(s);
    return pd_stdout_done();
}

int pd_check_show(const struct pd_options *o, const char *path, const char *temporary,
                  const char *why)
{
    struct showing s = {.options = o, .why = why};
    int status = pd_viewer_open(&s.viewer, path, &o->print);
    if (temporary)
        pd_temporary_remove(temporary); /* a reader of the answer may end before all is printed */
    PD_THEN(status, pd_aside_open(&s.aside, s.viewer.result));
    PD_THEN(status, print_all(&s));
    pd_aside_close(&s.aside);
    pd_parts_release(&s.parts);
    pd_viewer_close(&s.viewer);
    pd_index_close(&s.index);
    pd_table_close(&s.documents);
    pd_table_close(&s.decisions);
    pd_table_close(&s.ranking);
    pd_passage_rows_release(&s.rows);
    shares_release(&s.shares);
    return status;
}

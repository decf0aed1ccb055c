/*
 * app/show/viewer.h - the passages of a result file, row by row, drawn with their text.
 */
#ifndef PARDUP_APP_SHOW_VIEWER_H
#define PARDUP_APP_SHOW_VIEWER_H

#include "app/label.h"
#include "columns.h"
#include "pardup/result/table.h"
#include "pardup/run/fetch.h"

/* One row of /passages. Index 0 is the first document, index 1 the second one. */
struct pd_passage_row {
    uint64_t number;           /* the row, from 0 */
    uint64_t doc[2];           /* rows of /documents */
    uint64_t begin[2], end[2]; /* bytes of the text of the document */
    uint64_t matched;          /* matched pairs of units */
    double similarity;         /* mean similarity of the matched units */
    double agreement;          /* words in both, of the words of the longer side */
};

PD_VEC(pd_passage_rows, struct pd_passage_row);

struct pd_viewer {
    struct pd_result *result;
    struct pd_doc_label label; /* what documents are called */
    struct pd_fetch sides[2];  /* readers of the first and the second document */
    struct pd_drawing how;     /* how passages are drawn */
    struct pd_table_reader passages;
    struct pd_alignment alignment; /* made last */
    struct pd_u64s terms[2];       /* the terms that were aligned last */
};

/*
 * Open a result file, to draw its passages as the options say. PD_OK, PD_EIO or PD_EFORMAT; to be
 * closed in any case.
 */
int pd_viewer_open(struct pd_viewer *p, const char *path, const struct pd_print_options *o);
void pd_viewer_close(struct pd_viewer *p);

/* The next row. PD_OK, PD_END or PD_EFORMAT. To go to another row, set p->passages.next. */
int pd_viewer_next(struct pd_viewer *p, struct pd_passage_row *row);

/*
 * Append all rows of the result, in order. Rows of one document pair that overlap or touch in both
 * documents become one, which has the number of the first of them, and 0 as its agreement. PD_OK or
 * PD_EFORMAT.
 */
int pd_viewer_list(struct pd_viewer *p, struct pd_passage_rows *rows);

/*
 * Read both documents of a row: p->sides[k].id and p->sides[k].document.
 * PD_OK, PD_EIO or PD_EFORMAT (a document has changed or is no longer there, or has no such bytes).
 */
int pd_viewer_fetch(struct pd_viewer *p, const struct pd_passage_row *row);

/*
 * Align the words of a row whose documents have been fetched: p->alignment is that of both sides,
 * which belong to the documents. Returns how many words match.
 */
uint64_t pd_viewer_align(struct pd_viewer *p, const struct pd_passage_row *row,
                         struct pd_passage_text sides[2]);

/*
 * Draw a row whose documents have been fetched.
 *   title  what is printed above the texts; how many words are alike follows it
 *   names  what the two columns begin with
 */
void pd_viewer_draw(struct pd_viewer *p, const struct pd_passage_row *row, const char *title,
                    const char *const names[2]);

#endif

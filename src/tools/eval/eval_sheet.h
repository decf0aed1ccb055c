/*
 * tools/eval/eval_sheet.h - pardup eval --sheet and --labels: rows of a result that people judge.
 *
 * A sheet is a table of comma-separated values with a row for each drawn row of /matches, /passages
 * or /pairs: its number, both documents and places, both texts, and an empty column `label`.
 */
#ifndef PARDUP_TOOLS_EVAL_SHEET_H
#define PARDUP_TOOLS_EVAL_SHEET_H

#include "options.h"
#include "pardup/result/reader.h"

/* A kind of sheet, by enum pd_sheet. */
struct pd_sheet_kind {
    const char *table;            /* table of the result that is drawn from */
    const char *row;              /* name of the first column: the number of the row */
    const char *const columns[7]; /* of the table: documents, then places; NULL behind the last */
};
extern const struct pd_sheet_kind pd_sheet_kinds[];

/*
 * Draw options->count rows and write the sheet to options->all.output, or to standard output. Each
 * row is drawn once at most, each with the same odds. PD_OK or a failure.
 */
int pd_eval_sheet(const struct pd_eval_options *o, struct pd_result *r);

/* Read the sheets options->labels, and print what they say. PD_OK or a failure. */
int pd_eval_labels(const struct pd_eval_options *o, struct pd_result *r);

/*
 * Call write(ctx) with standard output as the file options->all.output, which gets its name when it
 * is whole; without that option, as it is. PD_OK, PD_EIO, or what `write` returns.
 */
int pd_eval_write(const struct pd_eval_options *o, int (*write)(void *ctx), void *ctx);

#endif

/*
 * app/export/export.h - a table of a result on its way to other tools.
 *
 * rows.c reads rows, many at a time, and text.c the texts of passages. sort.c sorts rows for
 * --sort. called.c reads what documents are called. lines.c and parquet.c write what they read.
 * sarif.c reads passages by itself, with their texts.
 * quotations.c makes a table of passages, older and younger. network.c writes a graph of documents.
 */
#ifndef PARDUP_APP_EXPORT_EXPORT_H
#define PARDUP_APP_EXPORT_EXPORT_H

#include <stdio.h>

#include "app/label.h"
#include "pardup/base/hash_table.h"
#include "pardup/corpus/kept.h"
#include "pardup/result/reader.h"
#include "pardup/result/schema.h"
#include "pardup/run/fetch.h"
#include "pardup/run/options.h"
#include "pardup/run/progress.h"

#define PD_EXPORT_ROWS ((uint64_t)1 << 16) /* rows that are read at once */

/*
 * What documents are called: their ids, their labels if there is a --label, their addresses where
 * ids are numbers of records, and the fields that the job has kept.
 */
enum { PD_CALLED_MOST = 3 + PD_KEPT_FIELDS };
struct pd_called {
    char *name;               /* "id", "label", "url", or that of the field; allocated */
    struct pd_cells cells[2]; /* of all documents, and of all sources; an empty text: it has none */
};

/* What a document is called that the rows of a table name. */
enum { PD_NAMED_MOST = 2 * PD_CALLED_MOST + 2, PD_NO_COLUMN = 99, PD_ROW_ITSELF = 98 };
struct pd_named {
    char *name;    /* as a column of its own; allocated */
    size_t column; /* of the table: the row of /documents, or of /sources; or PD_ROW_ITSELF */
    bool of_sources;
    size_t source; /* of the table: a row of /sources where `column` has none; or PD_NO_COLUMN */
    size_t called; /* index into pd_exporting.called */
};

/* Texts of documents that were read, so that each is read once while they have room. */
struct pd_read_text {
    size_t at, n; /* in pd_read_texts.bytes */
};
PD_VEC(pd_read_text_list, struct pd_read_text);
struct pd_read_texts {
    struct pd_hash_table by_row; /* row, with PD_SOURCE_ROW for sources: index plus 1 in `list` */
    struct pd_read_text_list list;
    struct pd_bytes bytes; /* some 64 MB at most, or one document */
};

struct pd_exporting {
    struct pd_result *result;
    enum pd_rows_format format;
    FILE *out;         /* lines.c: where lines go; csv and jsonl: standard output */
    bool lined_up;     /* for a person: tsv whose columns will be lined up */
    const char *sort;  /* --sort; NULL: rows come as the table has them */
    uint64_t memory;   /* --memory, bytes; 0: not said */
    const char *label; /* --label; NULL: none */
    const struct pd_table_schema *table;
    size_t ncolumns;                      /* columns of the table */
    struct pd_cells *cells;               /* rows at hand of each column of the table */
    struct pd_named named[PD_NAMED_MOST]; /* what rows have beside their columns */
    size_t nnamed;
    struct pd_called called[PD_CALLED_MOST]; /* the id is the first; none if no row names one */
    size_t ncalled;
    uint64_t text; /* --text: bytes of a text at most; 0: no texts */
    enum pd_row_offsets offsets;
    bool reads;               /* are texts read again? */
    struct pd_fetch sides[2]; /* their readers */
    struct pd_read_texts texts;
    struct pd_cells begins[2], ends[2]; /* bytes of the texts of the rows at hand */
    struct pd_sorted_rows *sorted;      /* --sort: rows in its order; NULL: as the table has them */
    uint64_t *numbers;                  /* --sort: the numbers of the rows at hand; or NULL */
    bool whole;                         /* all rows are at hand, as --table quotations has them */
    uint64_t from;                      /* the first of the rows that are written now */
    struct pd_progress progress;
};

/* ---- rows.c ---- */

/*
 * Read what the documents are called that rows of the table name.
 *   rows       receives how many rows the table has
 *   documents  receives how many rows /documents and /sources have
 */
int pd_export_begin(struct pd_exporting *x, uint64_t *rows, uint64_t documents[2]);

/* Read rows [from, from + n) of all columns. */
int pd_export_rows(struct pd_exporting *x, uint64_t from, uint64_t n);

/* Where the cells of the k-th row are that is ready to be written. */
static inline uint64_t pd_export_at(const struct pd_exporting *x, uint64_t k)
{
    return x->whole ? x->from + k : k;
}

/* Do rows have numbers of their own, which show takes? They stand in `row`, behind the columns. */
bool pd_export_has_numbers(const struct pd_exporting *x);

/* The number of the row whose cells are at k. */
uint64_t pd_export_number(const struct pd_exporting *x, uint64_t k);

/* Does a number say that there is none? A result of check has no families. */
bool pd_export_missing(const struct pd_exporting *x, size_t column, uint64_t k);

/* Where the text is of a name of the row at k: *cells and *at. False: it has none. */
bool pd_export_id(const struct pd_exporting *x, const struct pd_named *named, uint64_t k,
                  const struct pd_cells **cells, uint64_t *at);

/* ---- sarif.c ---- */

/* Write all passages to standard output. PD_OK, PD_EFORMAT or PD_EIO: their texts are read again. */
int pd_export_sarif(struct pd_exporting *x);

/* ---- cdxj.c ---- */

/* Write a line for each document that has an address, a date and a place. PD_OK or PD_EFORMAT. */
int pd_export_cdxj(struct pd_exporting *x);

/* ---- called.c ---- */

/* Read what all documents, or all sources, are called. PD_OK or PD_EFORMAT. */
int pd_export_called(struct pd_exporting *x, const char *table, bool of_sources, uint64_t n);
void pd_export_called_release(struct pd_exporting *x);

/* ---- text.c ---- */

/* Make ready to read texts, for --text and --offsets chars. To be released in any case. */
int pd_export_text_begin(struct pd_exporting *x);
void pd_export_text_release(struct pd_exporting *x);

/*
 * Part of pd_export_rows: read where the texts stand, and count characters if they are asked for.
 */
int pd_export_text_rows(struct pd_exporting *x, uint64_t from, uint64_t n);

/*
 * Read both texts of a passage, the row at hand. They stay until another row is read. PD_OK, PD_EIO
 * or PD_EFORMAT (see pd_fetch_row).
 */
int pd_export_texts(struct pd_exporting *x, uint64_t row, const char *texts[2], size_t n[2]);

/* How the column with the text of a side is called. */
const char *pd_export_text_name(const struct pd_exporting *x, int side);

/* ---- quotations.c ---- */

/* Does it make the table? Rows are passages, by date. */
static inline bool pd_export_quotes(const struct pd_exporting *x)
{
    return x->table == &pd_schema[PD_VIEW_QUOTATIONS];
}

/*
 * Part of pd_export_begin: make all rows, which then are at hand. PD_OK, PD_EFORMAT or PD_EFULL.
 * Memory: all rows.
 *   rows, documents  as in pd_export_begin
 */
int pd_export_quotations(struct pd_exporting *x, uint64_t *rows, const uint64_t documents[2]);

/* ---- network.c ---- */

/* Print documents and what they share as GraphML or GEXF to standard output. */
int pd_export_network(struct pd_exporting *x);

/* ---- sort.c ---- */

/*
 * If --sort, COLUMN or COLUMN:desc, is asked for: read all rows and sort them, with files in
 * $TMPDIR if they are more than x->memory. To be released in any case. PD_OK, PD_EUSAGE, PD_EIO or
 * PD_EFORMAT.
 */
int pd_export_sort(struct pd_exporting *x, uint64_t rows);
void pd_export_sort_release(struct pd_exporting *x);

/*
 * Make the next n rows ready to be written, in the order of --sort if there is one: pd_export_at
 * tells where their cells are. PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_export_next(struct pd_exporting *x, uint64_t from, uint64_t n);

/* ---- lines.c and parquet.c ---- */

/* Print the table to standard output, a line for each row, below the names of the columns. */
int pd_export_lines(struct pd_exporting *x);

/*
 * Write the table as Parquet. `path`: the name of `f` for messages.
 * Memory: PD_EXPORT_ROWS rows, which are a row group, and what a page takes.
 */
int pd_export_parquet(struct pd_exporting *x, FILE *f, const char *path);

#endif

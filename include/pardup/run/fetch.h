/* run/fetch.h - documents of a result, read again from the collection the way detect read them. */
#ifndef PARDUP_RUN_FETCH_H
#define PARDUP_RUN_FETCH_H

#include "pardup/corpus/reader.h"
#include "pardup/document/document.h"
#include "pardup/result/reader.h"

/* Columns that lead back to the collection. */
enum pd_fetch_column {
    PD_FETCH_ID,
    PD_FETCH_FILE,
    PD_FETCH_OFFSET,
    PD_FETCH_SKIP,
    PD_FETCH_TEXT_BYTES,
    PD_FETCH_PATH,
    PD_FETCH_BYTES,
    PD_FETCH_COLUMNS
};

struct pd_fetch {
    uint64_t doc; /* row of /documents; UINT64_MAX: none yet */
    struct pd_document document;
    char *id;

    struct pd_result *result;
    struct pd_reader *reader;
    struct pd_fetch_window { /* rows of a column kept at hand: documents are asked for in order */
        struct pd_cells slice;
        uint64_t from, n;
    } windows[PD_FETCH_COLUMNS];
};

/* Ready to fetch from `result`, borrowed until release. PD_OK or PD_EFORMAT; release in any case. */
int pd_fetch_init(struct pd_fetch *f, struct pd_result *result);
void pd_fetch_release(struct pd_fetch *f);

/*
 * Read row `doc` of /documents into f->document and f->id; they stay until the next call. PD_OK,
 * PD_EIO, or PD_EFORMAT (it is not there any more, or its text has another length now).
 */
int pd_fetch_row(struct pd_fetch *f, uint64_t doc);

#endif

/* app/changes.h - which pages of captures changed from one capture to the next. */
#ifndef PARDUP_APP_CHANGES_H
#define PARDUP_APP_CHANGES_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/run/options.h"

enum pd_change_status {
    PD_CHANGE_EQUAL,
    PD_CHANGE_CHANGED,
    PD_CHANGE_NEW,
    PD_CHANGE_GONE,
    PD_CHANGE_STATUSES
};

/* A page of a capture, against the last capture that has it. Texts are borrowed, without NUL. */
struct pd_change {
    enum pd_change_status status;
    const char *date, *page; /* when it was captured; its address, path or id */
    size_t date_n, page_n;   /* bytes; no date: 0 */
    uint64_t words;          /* of a changed page: words of the new version */
    uint64_t gone, more;     /* of a changed page: words without a match in the other version */
};

/* What a capture has. */
struct pd_capture {
    size_t number;    /* 0 is the first one */
    const char *name; /* the latest date of its records, or what the operand says */
    uint64_t counts[PD_CHANGE_STATUSES]; /* pages; all of the first capture are new */
    uint64_t revisits, unknown;          /* records; of pages that no capture before has */
};

/* Who is told. */
struct pd_changes_told {
    void *ctx;
    int (*page)(void *ctx,
                const struct pd_change *change); /* not of the first capture; PD_END ends */
    void (*capture)(void *ctx, const struct pd_capture *capture); /* behind its pages */
};

/*
 * Go through the captures, which are the operands of `o`, the oldest first. PD_OK, or PD_EIO or
 * PD_EFORMAT. Memory: some 100 bytes a page. Texts lie in a file in scratch, one version of each
 * page at a time.
 */
int pd_changes_walk(const struct pd_options *o, const struct pd_changes_told *told);

#endif

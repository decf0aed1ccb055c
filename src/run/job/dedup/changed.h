/*
 * run/job/dedup/changed.h - the documents that lose text, in the order of /documents.
 *
 * What travels:
 *     standing  {place}                           owner of the document that stands for one that goes
 *     changed   {row, where its words lie, ...}   owner of the row, who publishes it
 *     removals  {row, bytes, place, ...}          the same
 */
#ifndef PARDUP_RUN_DEDUP_CHANGED_H
#define PARDUP_RUN_DEDUP_CHANGED_H

#include "pardup/base/cut.h"
#include "run/job/dedup/choose/choose.h"

/* A document that loses text. */
struct pd_changed {
    uint64_t doc; /* row of /documents */
    struct pd_worded w;
    uint64_t gone;   /* 1: it goes whole */
    uint64_t copies; /* with --count-field: documents that go whole and for which it stands */
    uint64_t first, removed; /* its removals in the part of its owner: the first, how many */
};

/*
 * Move removals of a document so that its lines and paragraphs stay apart. White space stays in one
 * place of a run that goes: before it, unless more line ends are behind it, or in it. A removal
 * around white space that stays is divided.
 */
void pd_keep_lines(struct pd_choice *choice, struct pd_fate *f, const struct pd_bytes *text);

/*
 * COLLECTIVE. Publish PD_SHARED_CHANGED and PD_SHARED_REMOVALS. Agreed: PD_OK or a failure.
 *   c   the choice of this rank; its tables are released
 */
int pd_publish_changes(struct pd_dedup *d, struct pd_choice *c);

/* A walk through the documents that lose text. */
enum { PD_CHANGES_AT_ONCE = 64 };
struct pd_changes {
    struct pd_dedup *d;
    bool all;                /* also documents that lose no text, but stand for others */
    uint64_t rank, next;     /* the next one: the owner of its row, its number there */
    uint64_t floor;          /* the walk has passed no document from this row on */
    uint64_t at_rank, at, n; /* what is at hand: whose, the number of the first, how many */
    struct pd_changed v[PD_CHANGES_AT_ONCE];
    struct pd_removals removals; /* of a document: see pd_changes_removals() */
};

/* Go to the first one that is not before the row. PD_OK or PD_EIO. */
int pd_changes_seek(struct pd_changes *c, uint64_t doc);

/* The next one, if its row is before `end`. PD_OK; PD_END (*w is NULL: it is not); or PD_EIO. */
int pd_changes_next(struct pd_changes *c, uint64_t end, const struct pd_changed **w);

/* What becomes of a document; *w is NULL: it stays as it is. Ask in ascending order. */
int pd_changes_of(struct pd_changes *c, uint64_t doc, const struct pd_changed **w);

/* Bring the removals of a document into c->removals. PD_OK or PD_EIO. */
int pd_changes_removals(struct pd_changes *c, const struct pd_changed *w);

static inline void pd_changes_release(struct pd_changes *c) { pd_removals_release(&c->removals); }

/* What goes of a text, as cuts. */
void pd_cuts_of(const struct pd_removals *removals, struct pd_cuts *cuts);

#endif

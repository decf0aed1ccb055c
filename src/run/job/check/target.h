/*
 * run/job/check/target.h - a target that is a JSON line, ready to be looked up.
 *
 * A line is read as a line of a file is: with its site, its inner text, and what is mended in it.
 */
#ifndef PARDUP_RUN_CHECK_TARGET_H
#define PARDUP_RUN_CHECK_TARGET_H

#include "pardup/corpus/reader.h"
#include "pardup/document/document.h"
#include "pardup/feature/vocabulary.h"
#include "pardup/index/index.h"
#include "run/stage/classes/sign.h"

enum { PD_TARGET_REASON = 256 }; /* bytes of a reason */

struct pd_target {
    /* the line that was read last; for callers */
    struct pd_raw raw;             /* what the line has: id, address, site */
    bool mended;                   /* something in the line had to be mended */
    char reason[PD_TARGET_REASON]; /* why it is skipped */
    struct pd_signing signing;     /* the document */
    struct pd_docrec rec;          /* its site, inner text and words; all else is zero */

    /* private */
    struct pd_job *job;           /* options and form only; borrowed */
    const struct pd_index *index; /* borrowed */
    struct pd_reader *reader;
    struct pd_document document;
    struct pd_vocabulary vocabulary; /* the words of the document */
    struct pd_terms terms;
    struct pd_bytes singles;   /* is each term a single character? */
    struct pd_terms spellings; /* of each term, if the method has --refine */
    struct pd_bytes flags;     /* frozen, a byte for each term */
    bool keeps_forms;          /* the feature reads the forms of words */
    struct pd_bytes forms;
    struct pd_counts form_ends;
    struct pd_bytes site;      /* the name of the site */
    struct pd_fringes fringes; /* of the base units, if they may be templates */
};

/* Make ready. `job` and the open index are borrowed until the release. */
void pd_target_init(struct pd_target *t, struct pd_job *job, const struct pd_index *index);
void pd_target_release(struct pd_target *t);

/*
 * Read the line s[0, n), which must last as long as the target. PD_OK, PD_END (it is skipped:
 * t->reason says why, and t->raw has its id if it has one) or PD_ESTOP.
 */
int pd_target_read(struct pd_target *t, const char *s, size_t n);

#endif

/*
 * run/stage/ignore.h - text that is nobody's copy, as the files of --ignore have it: an assignment,
 * a licence.
 *
 * A base unit of a document is ignored if it equals a base unit of an ignored file, word for word,
 * or if at least two thirds of its words stand in runs of PD_IGNORE_RUN words that an ignored file
 * has, too. Runs go on over the ends of units, so a copy that is cut into other sentences is found.
 * The numbers were judged on an encyclopaedia's article among 76 short answers, a licence among 100
 * letters, and a book among 16 others: where 3 % of the ignored words are replaced, 99 % are found;
 * where 8 %, 91 %; and no other words than numbers that stand alone, such as those of verses.
 * Ignored units are set aside like templates (run/stage/classes/asides.h).
 */
#ifndef PARDUP_RUN_IGNORE_H
#define PARDUP_RUN_IGNORE_H

#include "pardup/base/record.h"
#include "pardup/comm/comm.h"
#include "pardup/run/options.h"
#include "pardup/store/blob.h"

enum { PD_IGNORE_RUN = 5 }; /* words */

/* The names of ignored units and runs, ascending; every rank has them all. Zeroed: none. */
struct pd_ignore {
    struct pd_u64s units; /* pd_words_hash() of their words, as in a fringe */
    struct pd_u64s runs;  /* pd_words_hash() of PD_IGNORE_RUN words in a row */
};

/*
 * COLLECTIVE. Read the files of --ignore on rank 0, in all formats of inputs. PD_OK, PD_EIO or
 * PD_EFORMAT.
 */
int pd_ignore_read(struct pd_ignore *g, const struct pd_comm *c, const struct pd_options *o);
void pd_ignore_release(struct pd_ignore *g);

/*
 * List the ignored base units of a document, whose word numbers are decoded, into `units`, which is
 * emptied.
 *   terms  by word number
 */
void pd_ignore_find(const struct pd_ignore *g, const struct pd_stored *stored,
                    const uint64_t *terms, struct pd_word_numbers *units);

#endif

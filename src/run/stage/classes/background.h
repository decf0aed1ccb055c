/*
 * run/stage/classes/background.h - the background of a job: the documents by which a word is
 * frequent or rare. It is the collection, or what the table of --frequencies was made of.
 */
#ifndef PARDUP_RUN_CLASSES_BACKGROUND_H
#define PARDUP_RUN_CLASSES_BACKGROUND_H

#include "run/stage/job.h"

/*
 * COLLECTIVE. Read all of the table of --frequencies, if there is one, and keep its hash: it is
 * needed after the documents have been read, which may be hours later, so a mistake is told at
 * once. Agreed: PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_job_check_table(struct pd_job *job);

/*
 * COLLECTIVE. Find out how large the background of a collection that was read is, and which
 * document frequencies count in it. Agreed: PD_OK, PD_EIO or PD_EFORMAT (only a table can fail).
 */
int pd_job_find_background(struct pd_job *job);

/*
 * Not collective. The flags that its frequency in the background gives a word: its commonness, and
 * whether it is left out or an antecedent.
 *   n  documents or occurrences, as the feature counts; 1: also a word that the background lacks
 */
unsigned char pd_word_flags(const struct pd_job *job, uint64_t n);

#endif

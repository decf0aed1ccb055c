/*
 * segmenter.h - Chinese and Japanese words, by ICU's dictionary.
 *
 * Where a word ends depends on the run of characters it stands in, up to the next punctuation mark
 * or other script, and on nothing else; so copies of a sentence have the same words.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_SEGMENTER_H
#define PARDUP_DOCUMENT_SEGMENTER_H

#include <stddef.h>

struct pd_segmenter;

/* NULL when the program was built without ICU. Panics when ICU lacks its data. */
struct pd_segmenter *pd_segmenter_new(void);
void pd_segmenter_free(struct pd_segmenter *s); /* NULL: nothing */

/* Start a run of n > 0 bytes of UTF-8, borrowed until the last word is read. */
void pd_segmenter_start(struct pd_segmenter *s, const unsigned char *run, size_t n);

/* Byte offset at which the next word of the run ends; n at the last. Linear time in all. */
size_t pd_segmenter_next(struct pd_segmenter *s);

#endif

/*
 * segmenter.h - Chinese and Japanese words, by ICU's dictionary.
 *
 * A run of Chinese and Japanese characters reaches to the next punctuation mark or other script.
 * The words of a run depend on the run alone, so copies of a sentence have the same words.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_SEGMENTER_H
#define PARDUP_DOCUMENT_SEGMENTER_H

#include <stddef.h>

struct pd_segmenter;

/*
 * A new segmenter, which the caller frees; NULL when the program was built without ICU. Panics when
 * ICU lacks its data.
 */
struct pd_segmenter *pd_segmenter_new(void);

/* Free a segmenter; NULL is allowed. */
void pd_segmenter_free(struct pd_segmenter *s);

/* Start on a run of n > 0 bytes of UTF-8, which stays borrowed until its last word is read. */
void pd_segmenter_start(struct pd_segmenter *s, const unsigned char *run, size_t n);

/* Byte offset in the run at which its next word ends; n for the last word. Linear time per run. */
size_t pd_segmenter_next(struct pd_segmenter *s);

#endif

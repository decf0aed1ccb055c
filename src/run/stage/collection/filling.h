/*
 * run/stage/collection/filling.h - the volume that this rank fills while it reads pieces.
 *
 * Documents are added one by one. A volume that is full is sealed: it goes to the library, and the
 * piece goes on in a new volume, as a further fragment. No function here is collective.
 */
#ifndef PARDUP_RUN_FILLING_H
#define PARDUP_RUN_FILLING_H

#include "collection.h"
#include "pardup/document/document.h"
#include "pardup/feature/vocabulary.h"

struct pd_filling {
    struct pd_collection *col;       /* borrowed */
    const struct pd_reader *reader;  /* borrowed: what reads the pieces, and counts as it does */
    struct pd_reader_counts counted; /* the reader's counts when the last volume was sealed */
    struct pd_volume volume;         /* the volume that is being filled; no file: none was begun */
    struct pd_vocabulary vocabulary; /* the words of `volume` */
    struct pd_tokens tokens;         /* words of the document that was added last */
    struct pd_fringes fringes;       /* fringes of its sentences */
    uint64_t bytes;                  /* memory that `volume` takes, without its vocabulary */
    uint64_t limit;                  /* bytes at which a volume is full */
    bool forms;                      /* the feature reads the forms of words */
    bool spellings;                  /* the method may read the spellings of words */
    bool singles;                    /* it may ask which words are single characters */
};

/* Make ready, without a volume. `col` and `reader` are borrowed until the release. */
void pd_filling_init(struct pd_filling *f, struct pd_collection *col,
                     const struct pd_reader *reader);

/* Free the memory. A volume that was not sealed is lost. */
void pd_filling_release(struct pd_filling *f);

/*
 * Begin a fragment of a piece, in the volume that is being filled or in a new one. PD_OK or PD_EIO.
 */
int pd_filling_begin(struct pd_filling *f, struct pd_fragment fragment);

/*
 * Add a document to the fragment at hand.
 *   file  number of the file that the document is in
 *   raw   the document as it was read
 *   d     what pd_document_read has made of it
 * PD_OK or PD_EIO.
 */
int pd_filling_keep(struct pd_filling *f, uint32_t file, const struct pd_raw *raw,
                    const struct pd_document *d);

/* Add a record that was skipped. */
void pd_filling_skip(struct pd_filling *f, const struct pd_skiprec *skip);

/* Has the volume at least this share, (0, 1], of the bytes at which it is full? */
bool pd_filling_is_full(const struct pd_filling *f, double share);

/* The piece of the fragment at hand has been read to its end. */
void pd_filling_end_piece(struct pd_filling *f);

/* End the volume in the middle of a piece, which goes on in the next volume. PD_OK or PD_EIO. */
int pd_filling_turn_over(struct pd_filling *f);

/* End the volume and add it to the library. PD_OK or PD_EIO. */
int pd_filling_seal(struct pd_filling *f);

#endif

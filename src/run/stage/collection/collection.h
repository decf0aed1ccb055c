/*
 * run/stage/collection/collection.h - the collection as one rank holds it: what every stage starts
 * from.
 *
 * All ranks know all files, pieces and batches. A document lies on the rank that read it, its
 * holder. Documents get their numbers when all have been read, in collection order, so that numbers
 * do not depend on which rank read what. Functions are COLLECTIVE unless they say otherwise.
 */
#ifndef PARDUP_RUN_COLLECTION_H
#define PARDUP_RUN_COLLECTION_H

#include "excerpts.h"
#include "metadata.h"
#include "pardup/base/record.h"
#include "pardup/comm/comm.h"
#include "pardup/corpus/reader.h"
#include "pardup/run/options.h"
#include "pardup/run/stages.h"
#include "pardup/store/library.h"
#include "run/scratch/scratch.h"
#include "run/shuffle.h"
#include "wanted.h"

/* A batch: consecutive documents of one file in one volume. Order: file, piece_key, fragment. */
struct pd_batch {
    uint64_t file;      /* number of the file */
    uint64_t piece_key; /* as in struct pd_raw */
    uint64_t fragment;  /* the index of the fragment, in its piece, that the documents are in */
    uint64_t documents; /* how many documents */
    uint64_t base;      /* number of the first document */
    uint64_t rank;      /* the holder */
};
PD_VEC(pd_batches, struct pd_batch);

/*
 * A numbered batch of this rank: documents with numbers [first, first + n) are documents [at, at +
 * n) of volume `volume` in the library.
 */
struct pd_numbered_docs {
    pd_doc first;
    uint64_t n;
    uint64_t before; /* how many documents of this rank have smaller numbers */
    uint64_t volume, at;
};
PD_VEC(pd_numbereds, struct pd_numbered_docs);

struct pd_totals {
    uint64_t documents, with_sentences, sentences, words;
    uint64_t single_words; /* words that are single characters, as in Chinese or Thai */
    uint64_t frame_sentences, frame_words; /* what is in the frames of pages, where looked for */
    uint64_t pages;      /* documents that are HTML, or have the address of a page */
    uint64_t letters;    /* documents that are letters with a sender */
    uint64_t text_bytes; /* bytes of the text of documents */
    uint64_t bytes;      /* bytes of the bodies of documents, decoded */
    uint64_t skipped;    /* records that could not be read, or hold no text */
    uint64_t doubtful;   /* of them: files that were read, though their text hardly is one */
    uint64_t ignored;    /* records of a kind that holds no document */
    uint64_t unlisted;   /* documents that --docs-from does not name */
    uint64_t replaced;   /* byte sequences that are no text in their character set: now U+FFFD */
    uint64_t repaired;   /* records that were read although something in them is wrong */
    uint64_t same_id;    /* documents whose id an earlier document has */
    uint64_t cut;        /* kept values that were cut or left out, as they are too long */
    uint64_t undated;    /* documents with a date that cannot be read */
    uint64_t dated;      /* documents with a date */
    struct pd_field_counts fields; /* fields of JSON lines and tables */
};

struct pd_collection {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_scratch *scratch;
    const struct pd_transport *transport; /* the job's; borrowed */
    struct pd_excerpts excerpts;          /* in a dry run: the excerpts that are read */
    int cut_for; /* the number of ranks that stripes are cut for: that of the job's first try */
    struct pd_wanted wanted;     /* the documents that --docs-from names */
    struct pd_metadata metadata; /* the fields to keep */
    struct pd_files files;
    size_t target_files; /* how many files hold targets; the files behind them hold sources */
    struct pd_pieces pieces;
    bool
        whole_forms; /* volumes keep the forms of words as they are compared, whatever the feature */
    struct pd_packed *texts;      /* a file to keep all texts in, of the caller; NULL: none */
    struct pd_library library;    /* volumes of this rank's documents */
    struct pd_numbereds numbered; /* batches of this rank's documents, ascending */

    /*
     * batches of this rank's documents beyond --limit-docs, which have no number and do not count
     */
    struct pd_numbereds beyond;
    uint64_t ndocs;            /* documents of this rank that have a number */
    uint64_t id_width;         /* bytes of the longest id of the collection */
    uint64_t url_width;        /* bytes of the longest address that is kept */
    uint64_t site_width;       /* bytes of the longest name of a site */
    uint64_t meta_width;       /* bytes of the longest kept fields of a document */
    uint64_t date_width;       /* bytes of the longest printed date of a document */
    struct pd_batches batches; /* all batches of all ranks, in collection order */
    struct pd_terms skips;     /* for each volume: skipped records in it */
    struct pd_skiprecs unread; /* files of unknown formats that this rank met: one record each */

    /* a skipped record counts if it lies before this place in the collection */
    struct pd_skiprec skips_end;
    struct pd_totals totals; /* totals of the collection, once documents have numbers */
};

/*
 * Not collective. List the files of the operands and of --files-from, then the files of --against.
 * This order gives files their numbers. *targets becomes the number of files before the files of
 * --against. PD_OK, PD_EIO, or PD_EFORMAT (no file at all, or --against names none).
 */
int pd_collection_list(struct pd_files *files, const struct pd_options *o, size_t *targets);

/*
 * List the files, and read --docs-from, on rank 0 and tell all ranks. The caller has set the
 * members before `wanted`. PD_OK, PD_EIO, or PD_EFORMAT (no file at all, or --against names none).
 */
int pd_collection_list_files(struct pd_collection *col);

/* Cut the files into pieces. PD_OK or PD_EIO. */
int pd_collection_cut(struct pd_collection *col);

/*
 * The read stage. Read the pieces, each by whichever rank is free, into volumes; then number the
 * documents. `done`: a byte for each piece, nonzero when volumes in the libraries of the ranks hold
 * it already; NULL: none is held. PD_OK, PD_EIO, PD_ESTOP, or PD_EFORMAT (no document found; bad
 * data under --strict).
 */
int pd_collection_read(struct pd_collection *col, const unsigned char *done,
                       struct pd_stages *stages);

/*
 * Not collective. The batch that document `number` is in, and the rank that holds it. O(log
 * batches).
 */
const struct pd_batch *pd_collection_batch(const struct pd_collection *col, pd_doc number);
int pd_collection_holder(const struct pd_collection *col, pd_doc number);

/* An owner of records that begin with a document's number: its holder. `col`: the collection. */
int pd_to_holder(const void *rec, int nranks, void *col);

/*
 * Not collective. The next skipped record of this rank that counts, and lies in volume *volume at
 * place *at or later. Both are 0 at first, and move behind the record. PD_OK; PD_END (no more
 * records); PD_EIO or PD_EFORMAT (scratch cannot be read back).
 */
int pd_collection_next_skip(struct pd_collection *col, size_t *volume, size_t *at,
                            struct pd_skiprec *skip);

/*
 * Not collective. The number of the first source: the documents before it are targets. Without
 * --against, the number of documents.
 */
pd_doc pd_collection_first_source(const struct pd_collection *col);

/* A document that this rank holds. */
struct pd_held {
    pd_doc number;
    uint64_t volume, at;         /* it is document `at` of volume `volume` in the library */
    const struct pd_docrec *rec; /* the library's, borrowed until another document is asked for */
};

/*
 * Not collective. This rank's document k in order of number, 0 <= k < ndocs. PD_OK, PD_EIO or
 * PD_EFORMAT (scratch cannot be read back).
 */
int pd_collection_nth(struct pd_collection *col, uint64_t k, struct pd_held *held);

/*
 * Not collective. The document with this number. PD_OK; PD_END (this rank does not hold it:
 * held->rec is NULL); PD_EIO or PD_EFORMAT (scratch cannot be read back).
 */
int pd_collection_doc(struct pd_collection *col, pd_doc number, struct pd_held *held);

/*
 * Not collective. Decode the sentences of a document. Its words are decoded when they are asked for
 * (pd_stored_words), which is possible until another document is asked for. PD_OK, PD_EIO or
 * PD_EFORMAT (scratch cannot be read back).
 */
int pd_collection_open(struct pd_collection *col, const struct pd_held *held,
                       struct pd_stored *stored);

/* Like pd_collection_open(), but with all sentences, also the sentences that --frame sets aside. */
int pd_collection_open_whole(struct pd_collection *col, const struct pd_held *held,
                             struct pd_stored *stored);

/* The documents that are letters, or begin with the header of a letter. */
uint64_t pd_letters_in(const struct pd_totals *totals);

/*
 * Not collective. Log how much of the collection is in frames, if --frame sets some of it aside;
 * else warn of headers of letters that are compared.
 */
void pd_collection_tell_frame(const struct pd_collection *col);

/* Not collective. Prefetch the beginning of the document that was read after this one. */
void pd_collection_expect_next(const struct pd_collection *col, const struct pd_held *held);

/* Not collective. The volume of a document: the terms and flags that its word numbers stand for. */
static inline const struct pd_volume *pd_collection_volume(const struct pd_collection *col,
                                                           const struct pd_held *held)
{
    return &col->library.shelf.v[held->volume].volume;
}

/*
 * Not collective. The id of a document, held->rec->id_n bytes; borrowed as held->rec is. Behind it
 * stand its address, the name of its site and its kept fields, url_n, site_n and meta_n bytes.
 */
static inline const char *pd_collection_id(const struct pd_collection *col,
                                           const struct pd_held *held)
{
    return (const char *)pd_collection_volume(col, held)->ids.v + held->rec->id_at;
}

/* Not collective. Free memory and close files. Files in scratch stay. */
void pd_collection_release(struct pd_collection *col);

#endif

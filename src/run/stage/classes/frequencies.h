/*
 * run/stage/classes/frequencies.h - a table of frequencies: how many documents of a background have
 * each word, and how often they have it.
 *
 * A table is a text file, which may be compressed. Columns are separated by tabs. The first line
 * has PD_FREQUENCIES_MAGIC, the documents and the words of the background, and what words are
 * (--words, --spelling). Each other line has a word in its normalised form (document/word.h), the
 * documents that have it, and its occurrences. Lines are in the order of their bytes, so no word
 * comes twice. A word that the table lacks counts as a word that occurs once.
 */
#ifndef PARDUP_RUN_CLASSES_FREQUENCIES_H
#define PARDUP_RUN_CLASSES_FREQUENCIES_H

#include <stdbool.h>

#include "pardup/base/bytes.h"
#include "pardup/corpus/list.h"
#include "pardup/run/frequencies.h"

enum { PD_FREQUENCIES_WORD_MOST = 64 }; /* bytes of a word; longer words are not in a table */

/* A line of a table. */
struct pd_frequency {
    uint64_t term;
    uint64_t documents, occurrences; /* documents that have the word; at least 1 */
};

/* A table that is read. A zeroed struct is closed. */
struct pd_frequencies {
    uint64_t documents, words; /* of the background */
    uint64_t hash;             /* of the lines that have been read */

    /* private */
    const char *path;
    struct pd_list *list;
    struct pd_bytes before; /* the word of the line before, with NUL; empty: there is none */
    uint64_t expected;      /* the hash of all lines; 0: any */
    uint64_t left;          /* words of the background that no line has accounted for */
    bool forms;             /* words are checked to be normalised: they are not program text */
};

/*
 * Open the table of --frequencies, and read its first line. `o` is borrowed until the table is
 * closed. `expected`: the hash of its lines, which is compared at its end; 0: any. PD_OK, PD_EIO,
 * or PD_EFORMAT: it is no table, or one of other words.
 */
int pd_frequencies_open(struct pd_frequencies *t, const struct pd_options *o, uint64_t expected);

/*
 * Read the next line. PD_OK, PD_END, PD_EIO (also: the table is not the expected one), or
 * PD_EFORMAT with the line and what is wrong.
 */
int pd_frequencies_next(struct pd_frequencies *t, struct pd_frequency *row);

void pd_frequencies_close(struct pd_frequencies *t);

/* Can a table have this word? */
bool pd_frequencies_takes(const unsigned char *word, size_t n, enum pd_words_kind kind);

/* Append the first line of a table. */
void pd_frequencies_begin(const struct pd_options *o, uint64_t documents, uint64_t words,
                          struct pd_bytes *line);

/* Read all of a table. *hash: the hash of its lines. PD_OK, PD_EIO or PD_EFORMAT. */
int pd_frequencies_check(const struct pd_options *o, uint64_t *hash);

#endif

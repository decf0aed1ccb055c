/* tools/synth/truth.h - the passages that pages of a block share, and counts of what was made. */
#ifndef PARDUP_TOOLS_SYNTH_TRUTH_H
#define PARDUP_TOOLS_SYNTH_TRUTH_H

#include "record.h"

enum {
    PD_SYNTH_PAGE_BINS = 4096, /* bins for pages by sentences */
    PD_SYNTH_WORD_BINS = 512,  /* bins for sentences by words */
    PD_SYNTH_SIZES = 6,        /* bins for groups by documents */
    PD_SYNTH_RUNS = 5          /* bins for partial copies by sentences */
};

PD_VEC(pd_synth_hashes, uint64_t);

/* How two pages came to share a passage. */
enum pd_synth_class {
    PD_SYNTH_NEAR,       /* both are in the same group of near duplicates */
    PD_SYNTH_NEAR_SHORT, /* the same, with a passage of fewer than 4 sentences */
    PD_SYNTH_RUN_1, /* one copied from the other: the first of PD_SYNTH_RUNS classes by length */
    PD_SYNTH_INDIRECT = PD_SYNTH_RUN_1 + PD_SYNTH_RUNS, /* copied, but not one from the other */
    PD_SYNTH_CLASSES
};
extern const char *const pd_synth_class_names[]; /* by enum pd_synth_class */

/* What was made. All members are counts, so the structs of several ranks can be added up. */
struct pd_synth_stats {
    uint64_t documents, html_bytes, text_bytes, sentences, words;
    uint64_t near_documents;                /* documents in groups of near duplicates */
    uint64_t groups;                        /* groups of near duplicates */
    uint64_t sizes[PD_SYNTH_SIZES];         /* groups of 2, 3, 4, 5, 6 and more documents */
    uint64_t partial;                       /* documents with a partial copy */
    uint64_t runs[PD_SYNTH_RUNS];           /* partial copies of 1, 2, 3-4, 5-9, 10-49 sentences */
    uint64_t copies;                        /* documents that copy, all or a part, from another */
    uint64_t same_host;                     /* copies whose parent has the same host */
    uint64_t of_copies;                     /* sentences of parents of near duplicates */
    uint64_t ops[PD_SYNTH_OPS];             /* what happened to the sentences of near duplicates */
    uint64_t passages[PD_SYNTH_CLASSES];    /* rows of the truth, by class */
    uint64_t cut;                           /* rows of the truth that have half a sentence */
    uint64_t chance;                        /* pairs of sentences that are the same by chance */
    uint64_t common[PD_SYNTH_COMMONS];      /* pages that have each common sentence */
    uint64_t page_bins[PD_SYNTH_PAGE_BINS]; /* pages of k sentences; the last: or more */
    uint64_t word_bins[PD_SYNTH_WORD_BINS]; /* sentences of k words; the last: or more */
};

/* Append the rows of truth.tsv for a block to `rows`, and count its copies and passages. */
void pd_synth_truth(struct pd_synth_maker *m, uint64_t block, struct pd_bytes *rows,
                    struct pd_synth_stats *stats);

/*
 * Count a page that was written.
 *   near_copy  the page is a copy of another page of its group
 */
void pd_synth_count(const struct pd_synth_content *c, bool near_copy,
                    const struct pd_synth_page *page, struct pd_synth_stats *stats);

extern const char *const pd_synth_truth_columns; /* the header line of truth.tsv */

/*
 * Short sentences that were not copied, as hashes of their word sets. Sentences with equal hashes
 * are the same by chance; they are counted when the hashes of all ranks are together. In large
 * collections only some hashes are kept.
 */
struct pd_synth_chance {
    struct pd_synth_hashes own;
    uint64_t every; /* one hash in `every` is kept */
};
void pd_synth_chance_init(struct pd_synth_chance *c, uint64_t documents);

/* Add the short sentences of a page. */
void pd_synth_chance_add(struct pd_synth_chance *c, const struct pd_synth_content *content);

/*
 * How many pairs of sentences are equal by chance: an estimate from n kept hashes. Sorts the
 * hashes.
 */
uint64_t pd_synth_chance_pairs(uint64_t *hashes, size_t n, uint64_t every);

#endif

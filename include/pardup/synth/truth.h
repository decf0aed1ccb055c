/* synth/truth.h - every passage that pages of a block share, with offsets into their texts. */
#ifndef PARDUP_SYNTH_TRUTH_H
#define PARDUP_SYNTH_TRUTH_H

#include "pardup/synth/record.h"

enum { PD_SYNTH_PAGE_BINS = 4096, PD_SYNTH_WORD_BINS = 512, PD_SYNTH_SIZES = 6, PD_SYNTH_RUNS = 5 };

PD_VEC(pd_synth_hashes, uint64_t);

/* How two pages came to share a passage. */
enum pd_synth_class {
    PD_SYNTH_NEAR,
    PD_SYNTH_NEAR_SHORT,                                /* fewer than 4 sentences */
    PD_SYNTH_RUN_1,                                     /* copied from page to page: five lengths */
    PD_SYNTH_INDIRECT = PD_SYNTH_RUN_1 + PD_SYNTH_RUNS, /* both have it from a third page */
    PD_SYNTH_CLASSES
};
extern const char *const pd_synth_class_names[];

/* Counts only, so that ranks add theirs up. */
struct pd_synth_stats {
    uint64_t documents, html_bytes, text_bytes, sentences, words;
    uint64_t near_documents;
    uint64_t groups;
    uint64_t sizes[PD_SYNTH_SIZES]; /* sizes 2, 3, 4, 5, 6, more */
    uint64_t partial;
    uint64_t runs[PD_SYNTH_RUNS]; /* 1, 2, 3-4, 5-9, 10-49 */
    uint64_t copies;
    uint64_t same_host;
    uint64_t of_copies;
    uint64_t ops[PD_SYNTH_OPS];
    uint64_t passages[PD_SYNTH_CLASSES];
    uint64_t cut;
    uint64_t chance; /* pairs of sentences that are the same by chance */
    uint64_t common[PD_SYNTH_COMMONS];
    uint64_t page_bins[PD_SYNTH_PAGE_BINS];
    uint64_t word_bins[PD_SYNTH_WORD_BINS]; /* last: and above */
};

/* Append the rows of truth.tsv for a block, and count what it has planted. */
void pd_synth_truth(struct pd_synth_maker *m, uint64_t block, struct pd_bytes *rows,
                    struct pd_synth_stats *stats);

/* Count a page that was written; near_copy: made from another one of its group. */
void pd_synth_count(const struct pd_synth_content *c, bool near_copy,
                    const struct pd_synth_page *page, struct pd_synth_stats *stats);

extern const char *const pd_synth_truth_columns;

/*
 * Short sentences that pages have of their own, as hashes of their word sets: which of them are the
 * same by chance is seen when those of all ranks are together. Of large collections a sample.
 */
struct pd_synth_chance {
    struct pd_synth_hashes own;
    uint64_t every; /* one hash in so many is kept */
};
void pd_synth_chance_init(struct pd_synth_chance *c, uint64_t documents);
void pd_synth_chance_add(struct pd_synth_chance *c, const struct pd_synth_content *content);

/* Pairs of equal sentences among n kept hashes, which are sorted; scaled to the whole. */
uint64_t pd_synth_chance_pairs(uint64_t *hashes, size_t n, uint64_t every);

#endif

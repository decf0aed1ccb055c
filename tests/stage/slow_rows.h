/*
 * tests/stage/slow_rows.h - the rows of all pairs of documents by their definition: dots, links
 * over gaps, edges, words, agreement (passage/diagonal.h, passage/edges.h, passage/agreement.h).
 */
#ifndef PD_SLOW_ROWS_H
#define PD_SLOW_ROWS_H

#include "pardup/base/row.h"
#include "stage.h"

enum { SLOW_WORDS = 64 }; /* different words at most, if max_word_df is given */
enum slow_edges { NO_EDGES, NEAR_EDGES };

/* What matches, and what is kept. */
struct slow_rule {
    uint32_t gamma, gap;
    enum slow_edges edges;
    bool any_order; /* units match if they have the same words in any order */
    uint32_t min_words, delta;
    uint32_t frozen;    /* the last file whose documents decide which words count; 0: all do */
    double max_word_df; /* words in a larger share of the sources do not count; 0: all count */
    uint32_t max_df;    /* units in more documents match nothing; 0: none */
    bool alone;         /* other targets than the one at hand do not count for max_df */
    bool common_first;  /* they match in the first document that has them (join/anchors.h) */
    bool skip_same_host, skip_same_date;
};

struct slow_rows {
    const struct stage_docs *d; /* set by the caller, like `rule` */
    struct slow_rule rule;
    bool counted[SLOW_WORDS]; /* which words count */
    struct pd_rows rows;      /* in order */
    struct pd_left_out left_out;
    uint64_t dots;
};

/* The sources that have the words of a unit: documents behind --against, if there are any. */
uint32_t slow_sources_with(const struct slow_rows *s, size_t doc, uint32_t unit);

/* Do more than max_df documents have a unit? */
bool slow_common(const struct slow_rows *s, size_t doc, uint32_t unit);

/* Do units i of document a and j of document b match? */
bool slow_match(const struct slow_rows *s, size_t a, uint32_t i, size_t b, uint32_t j);

/*
 * Fill in rows, left_out and dots. If some documents are of files behind --against, a pair has one
 * of each side.
 */
void slow_rows_find(struct slow_rows *s);
void slow_rows_release(struct slow_rows *s);

/* Is a row the same? With a gap, agreement is not looked at. */
bool slow_rows_same(const struct slow_rows *s, size_t k, const struct pd_row *row);

#endif

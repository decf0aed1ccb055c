/* index/merge.h - make one segment of several. */
#ifndef PARDUP_INDEX_MERGE_H
#define PARDUP_INDEX_MERGE_H

#include "pardup/index/sets.h"

/* What pd_segments_merge() takes. All pointers are borrowed for the call. */
struct pd_merging {
    const struct pd_segment *segments; /* they follow one another; all have texts, or none has */
    size_t n;                          /* segments, > 0 */
    uint64_t max_df;                   /* classes in more documents are common; 0: none is */
    bool count_times;                  /* max_df is a limit for the places of a class */
    const struct pd_sets_making *sets; /* segments have sets; NULL: they have none */
    bool keep_first; /* keep the occurrences of a common class in its first document */
    struct pd_segment_making tables; /* but for name_bits: the least of the segments */
};

/*
 * Write the segment that the documents of all the segments make. It answers as they do together.
 * Cost: O(bytes of the segments). PD_OK, PD_EIO or PD_EFORMAT (a segment is damaged).
 */
int pd_segments_merge(const struct pd_merging *m, const char *path,
                      struct pd_segment_counts *counts, uint64_t *checksum);

/*
 * How many of the last segments are to be merged, given the documents of all n segments: 1 means
 * none. A segment is merged with its predecessor if the predecessor has at most twice its
 * documents, and so on. So there are O(log documents) segments, and a document is copied O(log
 * documents) times.
 */
size_t pd_segments_to_merge(const uint64_t *documents, size_t n);

#endif

/*
 * tests/stage/slow_families.h - families by their definition: run/stage/families/families.h,
 * run/stage/families/representatives.h, run/stage/families/documents.h. Everything is compared with everything.
 */
#ifndef PD_SLOW_FAMILIES_H
#define PD_SLOW_FAMILIES_H

#include "pardup/base/date.h"
#include "pardup/base/row.h"
#include "pardup/result/reader.h"

/* Passages, and what is known of documents. All is borrowed. */
struct slow_input {
    const struct pd_row *rows; /* in the order of /passages; only ends and words matter */
    size_t nrows;
    const struct pd_pair *pairs;
    size_t npairs;
    const uint64_t *lengths;     /* by document */
    const struct pd_date *dates; /* by document */
    size_t ndocs;
    size_t sources_from; /* documents from here on are sources of an index; ndocs: none is */
    bool whole;          /* pairs are judged by their resemblance, else by their coverage */
    double least;        /* of resemblance, or of both coverages */
};

struct slow_member {
    uint64_t doc, begin, end, words;
    size_t family; /* while families are sought: index of its representative; then its number */
    bool verified, representative;
};

struct slow_families {
    struct slow_member *members; /* in order of family, document, begin */
    size_t nmembers, nfamilies;
    size_t *row_family;       /* by row */
    int64_t *document_family; /* by document; -1: none */
    size_t ndocument_families;
};

void slow_families_find(const struct slow_input *in, struct slow_families *out);
void slow_families_release(struct slow_families *f);

/* Are the tables of a result what the slow definition says? Fails assertions of CUnit if not. */
void slow_families_expect(const struct slow_input *in, const struct slow_families *f,
                          struct pd_result *r);

#endif

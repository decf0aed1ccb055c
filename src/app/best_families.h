/*
 * app/best_families.h - families in the order in which a person may read them, best first.
 *
 * First comes a family that holds much text in few, different places. Its value is
 *
 *     words (documents + sites) / places^2
 *
 * words      of the representative
 * documents  that have a place
 * sites      of these documents: the column `host` of /documents has hosts, or else folders
 *
 * A family of one place, with which nothing else agrees, has the value 0.
 *
 * So two places of a long text come before a signature in many documents, and places in one
 * document or of one site count less than places elsewhere. A document tells its story once: the
 * k-th family that it is in, best first, has its value over k, for the document with the greatest
 * k.
 *
 * Memory does not grow with the result: the PD_BEST_MOST families with the greatest words *
 * documents / places^2 are put in order, and of a family the documents of the first PD_BEST_PLACES
 * places have sites and stories.
 */
#ifndef PARDUP_APP_BEST_FAMILIES_H
#define PARDUP_APP_BEST_FAMILIES_H

#include "pardup/base/vec.h"
#include "pardup/result/reader.h"

enum { PD_BEST_MOST = 4096, PD_BEST_PLACES = 256 };

struct pd_best_family {
    uint64_t row;            /* of /families */
    uint64_t first;          /* row of /members of its first place */
    uint64_t representative; /* row of /members */
    uint64_t places, documents, words;
    uint64_t sites;
    uint64_t told; /* the greatest k of its documents, see above */
    double value;
};
PD_VEC(pd_best_families, struct pd_best_family);

/*
 * List the families of a result, best first; families of one value by row. The result has the table
 * /families. PD_OK or PD_EFORMAT.
 *   most  families that are listed at most; PD_BEST_MOST if it is greater
 *   all   receives how many families the result has
 */
int pd_best_families_find(struct pd_result *result, size_t most, struct pd_best_families *best,
                          uint64_t *all);

#endif

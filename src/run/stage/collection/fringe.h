/* run/stage/collection/fringe.h - the fringes of the base units of a document that was read. */
#ifndef PARDUP_RUN_FRINGE_H
#define PARDUP_RUN_FRINGE_H

#include "pardup/document/document.h"
#include "pardup/store/blob.h"
#include "pardup/store/volume.h"

/*
 * Set fringes->v[k] for each base unit k of the document; fringes->n stays. Tell in `rec` what is
 * in the frame of the page, and the hash of what is not (inner_hash); these members were zero.
 */
void pd_fringes_list(const struct pd_document *d, struct pd_fringes *fringes,
                     struct pd_docrec *rec);

#endif

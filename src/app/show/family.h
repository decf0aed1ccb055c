/* app/show/family.h - what pardup show prints of families. */
#ifndef PARDUP_APP_SHOW_FAMILY_H
#define PARDUP_APP_SHOW_FAMILY_H

#include "app/ids.h"
#include "viewer.h"

/*
 * Print the members of the family in a row of /families, and who had its text first. PD_OK or
 * PD_EFORMAT.
 *   all   print all members; false: the first ones
 */
int pd_show_family(struct pd_viewer *p, uint64_t family, bool all);

/*
 * Print the best families (app/best_families.h), one example each. PD_OK, PD_EIO or PD_EFORMAT.
 *   limit  families at most; 0: all that have an order
 */
int pd_show_best(struct pd_viewer *p, uint64_t limit);

/*
 * Print the documents of the family in a row of /document_families, and list them in `documents`.
 */
int pd_show_document_family(struct pd_viewer *p, uint64_t family, bool all,
                            struct pd_doc_rows *documents);

#endif

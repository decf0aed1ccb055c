/* run/collection/unread.h - what a job must not pass over without a word. */
#ifndef PARDUP_RUN_UNREAD_H
#define PARDUP_RUN_UNREAD_H

#include "collection.h"

/* Files that were not read at all, by number; a file may stand in it more than once. */
PD_VEC(pd_unread, uint64_t);

/*
 * Not collective. Sort the numbers, and fail because of the files, or with --skip-unknown warn;
 * `tell`: this rank warns. Returns PD_OK or PD_EFORMAT.
 */
int pd_unread_files(const struct pd_files *files, struct pd_unread *unread,
                    const struct pd_input_options *o, bool tell);

/*
 * Not collective. Fail when a field that the user has named is in none of the objects that were
 * read from JSON lines. Returns PD_OK or PD_EFORMAT.
 */
int pd_unread_fields(const struct pd_field_counts *counts, const struct pd_input_options *o);

/* COLLECTIVE. Both of the above for a collection that has been read. PD_OK or PD_EFORMAT. */
int pd_unread_check(const struct pd_collection *col);

/*
 * Is a file named as a text or a page? If it is binary all the same, it is a bad record and no file
 * of an unknown format.
 */
bool pd_unread_is_text(const char *path);

#endif

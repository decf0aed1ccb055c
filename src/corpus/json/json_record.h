/*
 * corpus/json/json_record.h - a document from a JSON object: its text, id, address and fields to keep.
 */
#ifndef PARDUP_CORPUS_JSON_RECORD_H
#define PARDUP_CORPUS_JSON_RECORD_H

#include "corpus/inside.h"

/*
 * Set *raw from the object s[0, n), which has the fields that r->options names. Blanks around it do
 * not matter. Its place and its record are the caller's. Counts the fields.
 * Returns PD_OK, or PD_END when the object is skipped, which is reported; then *raw may have its id.
 */
int pd_json_record(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw);

#endif

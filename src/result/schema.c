/* result/schema.c - see include/pardup/result/schema.h */
#include "pardup/result/schema.h"

#include <stddef.h>

const struct pd_table_schema pd_schema[PD_TABLES] = {
    {"passages",
     {"doc_a", "doc_b", "start_a", "start_b", "length_a", "length_b", "begin_a", "end_a", "begin_b",
      "end_b", "matched", "similarity", NULL}},
    {"pairs",
     {"doc_a", "doc_b", "passages", "matched", "score", "coverage_a", "coverage_b", "resemblance",
      NULL}},
    {"documents", {"id", "file", "offset", "skip", "length", "sentences", "text_bytes", NULL}},
    {"files", {"path", "bytes", "documents", "skipped", NULL}},
    {"common", {"hash", "df", "doc", "sentence", NULL}},
    {"skipped", {"file", "offset", "skip", "reason", NULL}},
};

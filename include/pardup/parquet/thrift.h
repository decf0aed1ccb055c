/*
 * parquet/thrift.h - structs in Thrift's compact protocol that are written, as metadata of Parquet
 * files.
 *
 * Source: Apache Thrift, "Thrift Compact protocol encoding". A struct is a list of fields with
 * numbers that ascend.
 */
#ifndef PARDUP_PARQUET_THRIFT_H
#define PARDUP_PARQUET_THRIFT_H

#include <stdint.h>

#include "pardup/base/bytes.h"

/* The type of a field, as the protocol numbers them. */
enum pd_thrift_type {
    PD_THRIFT_STOP,
    PD_THRIFT_TRUE,
    PD_THRIFT_FALSE,
    PD_THRIFT_I8,
    PD_THRIFT_I16,
    PD_THRIFT_I32,
    PD_THRIFT_I64,
    PD_THRIFT_DOUBLE,
    PD_THRIFT_BINARY,
    PD_THRIFT_LIST,
    PD_THRIFT_SET,
    PD_THRIFT_MAP,
    PD_THRIFT_STRUCT
};

/* A struct that is being written. A struct inside it has a struct pd_put of its own. */
struct pd_put {
    struct pd_bytes *to;
    int last; /* number of the field that was put last; 0: none */
};

void pd_put_varint(struct pd_bytes *to, uint64_t x);

/* Begin a field, whose value is to follow. */
void pd_put_head(struct pd_put *p, int id, int type);

/* A field with a number; `type` is one of PD_THRIFT_I16 to PD_THRIFT_I64. */
void pd_put_int(struct pd_put *p, int id, int type, int64_t x);

/* A field with a text. */
void pd_put_text(struct pd_put *p, int id, const char *s);

/* A field with a list of n items, which are to follow. */
void pd_put_list(struct pd_put *p, int id, int item, size_t n);

/* A text that is an item of a list. */
void pd_put_item(struct pd_bytes *to, const char *s);

/* End the struct. */
void pd_put_stop(struct pd_put *p);

#endif

/*
 * corpus/parquet_put.h - structs in Thrift's compact protocol that are written: the other side of
 * parquet_thrift.h.
 */
#ifndef PARDUP_CORPUS_PARQUET_PUT_H
#define PARDUP_CORPUS_PARQUET_PUT_H

#include "pardup/base/bytes.h"
#include "parquet_thrift.h"

/* A struct that is being written. */
struct pd_put {
    struct pd_bytes *to;
    int last; /* number of the field that was put last; 0: none */
};

void pd_put_varint(struct pd_bytes *to, uint64_t x);

/* Begin a field, whose value is to follow. */
void pd_put_head(struct pd_put *p, int id, int type);

/* A field with a number; `type` is one of PD_THRIFT_I16 to PD_THRIFT_I64. */
void pd_put_int(struct pd_put *p, int id, int type, int64_t x);

/* A field with a list of n items, which are to follow. */
void pd_put_list(struct pd_put *p, int id, int item, size_t n);

/* The field at hand of the struct that is being read, as it is. */
void pd_put_same(struct pd_put *p, struct pd_thrift *t, const struct pd_thrift_field *f);

/* End the struct. */
void pd_put_stop(struct pd_put *p);

#endif

/*
 * corpus/parquet/parquet_thrift.h - structs in Thrift's compact protocol, as Parquet's metadata has
 * them.
 *
 * Source: Apache Thrift, "Thrift Compact protocol encoding". A struct is a list of fields with
 * numbers. The reader takes the fields that it knows, and passes the others.
 *
 * Nothing is allocated. No count is believed beyond the bytes that are there, so the time is linear
 * in the bytes.
 */
#ifndef PARDUP_CORPUS_PARQUET_THRIFT_H
#define PARDUP_CORPUS_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/parquet/thrift.h"

/* Bytes that are being read. */
struct pd_thrift {
    const unsigned char *p;   /* the next byte */
    const unsigned char *end; /* behind the last byte */
    bool bad;                 /* the bytes end early, or break a rule; then all values are 0 */
};

/* The head of a field. */
struct pd_thrift_field {
    int id;   /* number of the field in its struct; 0 before the first */
    int type; /* enum pd_thrift_type */
};

/* The next varint: seven bits a byte, the lowest first. 0 if t->bad. */
uint64_t pd_thrift_varint(struct pd_thrift *t);

/* The next signed number: 0, -1, 1, -2 and so on are varints 0, 1, 2, 3. */
int64_t pd_thrift_zigzag(struct pd_thrift *t);

/*
 * Go to the next field of the struct that is being read. *f is zero before the first call, and kept
 * between the calls. Returns false behind the last field, or when t->bad. The caller reads or skips
 * the field's value before the next call.
 */
bool pd_thrift_next(struct pd_thrift *t, struct pd_thrift_field *f);

/* The value of an integer field. A field of another type makes t->bad. */
int64_t pd_thrift_int(struct pd_thrift *t, const struct pd_thrift_field *f);

/* The value of a field that is true or false. A field of another type makes t->bad. */
bool pd_thrift_bool(struct pd_thrift *t, const struct pd_thrift_field *f);

/* The bytes of a string field, which stay where they are. A field of another type makes t->bad. */
const unsigned char *pd_thrift_bytes(struct pd_thrift *t, const struct pd_thrift_field *f,
                                     size_t *n);

/*
 * How many items the list of type `item` has. They follow, and each takes a byte or more, so there
 * are never more items than bytes. A field that is no such list makes t->bad.
 */
size_t pd_thrift_list(struct pd_thrift *t, const struct pd_thrift_field *f, int item);

/* Does the field hold a struct, whose fields follow? Another type makes t->bad. */
bool pd_thrift_struct(struct pd_thrift *t, const struct pd_thrift_field *f);

/* Pass the value of a field. */
void pd_thrift_skip(struct pd_thrift *t, const struct pd_thrift_field *f);

#endif

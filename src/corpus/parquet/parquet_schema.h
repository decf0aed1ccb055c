/*
 * corpus/parquet/parquet_schema.h - the columns of a Parquet file, and which of them are wanted.
 *
 * Source: Apache Parquet, parquet.thrift of parquet-format 2.11. The schema is a tree, stored from
 * the root down: groups, and columns as their leaves.
 */
#ifndef PARDUP_CORPUS_PARQUET_SCHEMA_H
#define PARDUP_CORPUS_PARQUET_SCHEMA_H

#include "parquet_footer.h"
#include "parquet_thrift.h"

/*
 * Read the schema, a list that `field` begins: set f->leaves, f->nleaves and, if it is wanted,
 * f->every. Names and `usual` are those of pd_parquet_footer_read(). PD_OK, or PD_EFORMAT with
 * f->why.
 */
int pd_parquet_schema_read(struct pd_parquet_footer *f, struct pd_thrift *t,
                           const struct pd_thrift_field *field, const char *const *names,
                           const bool *usual);

/* Set f->why. Returns PD_EFORMAT. */
int pd_parquet_footer_say(struct pd_parquet_footer *f, const char *why);

#endif

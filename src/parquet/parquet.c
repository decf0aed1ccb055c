/* parquet/parquet.c - see include/pardup/parquet/parquet.h */
#include "pardup/parquet/parquet.h"

#include "pardup/parquet/thrift.h"

enum { LENGTH_BYTES = 4 };

void pd_parquet_put_length(struct pd_bytes *to, size_t n)
{
    for (unsigned shift = 0; shift < 8 * LENGTH_BYTES; shift += 8)
        pd_bytes_push(to, (unsigned char)(n >> shift));
}

/* End the last run: twice its number of values, then the level. */
static void end_run(struct pd_parquet_runs *r)
{
    if (r->n == 0)
        return;
    pd_put_varint(&r->v, r->n << 1);
    pd_bytes_push(&r->v, (unsigned char)r->level);
    r->n = 0;
}

void pd_parquet_runs_add(struct pd_parquet_runs *r, uint32_t level)
{
    if (r->level != level)
        end_run(r);
    r->level = level;
    r->n++;
}

void pd_parquet_runs_put(struct pd_parquet_runs *r, struct pd_bytes *to)
{
    end_run(r);
    pd_parquet_put_length(to, r->v.n);
    pd_bytes_append(to, r->v.v, r->v.n);
    r->v.n = 0;
}

void pd_parquet_put_header(struct pd_bytes *to, uint64_t values, size_t bytes, size_t stored)
{
    struct pd_put page = {to, 0}, data = {to, 0}; /* structs PageHeader, DataPageHeader */
    pd_put_int(&page, PD_IN_PAGE_KIND, PD_THRIFT_I32, PD_PARQUET_DATA);
    pd_put_int(&page, PD_IN_PAGE_BYTES, PD_THRIFT_I32, (int64_t)bytes);
    pd_put_int(&page, PD_IN_PAGE_STORED, PD_THRIFT_I32, (int64_t)stored);
    pd_put_head(&page, PD_IN_PAGE_DATA, PD_THRIFT_STRUCT);
    pd_put_int(&data, PD_IN_DATA_VALUES, PD_THRIFT_I32, (int64_t)values);
    pd_put_int(&data, PD_IN_DATA_ENCODING, PD_THRIFT_I32, PD_PARQUET_PLAIN);
    pd_put_int(&data, PD_IN_DATA_LEVELS, PD_THRIFT_I32, PD_PARQUET_RLE);
    pd_put_int(&data, PD_IN_DATA_REPEATS, PD_THRIFT_I32, PD_PARQUET_RLE);
    pd_put_stop(&data);
    pd_put_stop(&page);
}

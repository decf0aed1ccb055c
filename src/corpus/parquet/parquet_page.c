/* corpus/parquet/parquet_page.c - see parquet_page.h */
#include "parquet_page.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <limits.h>
#include <lz4.h>
#include <snappy-c.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "parquet_footer.h"
#include "parquet_thrift.h"

#define HARMLESS ((uint64_t)64 << 20) /* bytes of a page that no ratio makes a bomb */

/* Most bytes that a stored byte makes. Three bytes of Snappy make 64. */
static const uint64_t ratios[PD_PARQUET_CODECS] = {[PD_PARQUET_SNAPPY] = 22,
                                                   [PD_PARQUET_GZIP] = 1032,
                                                   [PD_PARQUET_LZ4] = 255,
                                                   [PD_PARQUET_LZ4_RAW] = 255};

/* Numbers of the fields of the three kinds of headers, in this order. */
enum { VALUES, ENCODING, LEVEL_ENCODING, REPEAT_ENCODING, LEVELS, REPEATS, PACKED, FIELDS };
static const int data_fields[FIELDS] = {1, 2, 3, 4, 0, 0, 0};
static const int dictionary_fields[FIELDS] = {1, 2, 0, 0, 0, 0, 0};
static const int data_2_fields[FIELDS] = {1, 4, 0, 0, 5, 6, 7};

static void read_kind(struct pd_thrift *t, const int ids[FIELDS], struct pd_parquet_page *page)
{
    int64_t *const to[FIELDS] = {&page->values,
                                 &page->encoding,
                                 &page->level_encoding,
                                 &page->repeat_encoding,
                                 &page->levels,
                                 &page->repeats,
                                 NULL};
    for (struct pd_thrift_field f = {0}; pd_thrift_next(t, &f);) {
        int k = 0;
        while (k < FIELDS && ids[k] != f.id)
            k++;
        if (k == FIELDS)
            pd_thrift_skip(t, &f);
        else if (k == PACKED)
            page->packed = pd_thrift_bool(t, &f);
        else
            *to[k] = pd_thrift_int(t, &f);
    }
}

size_t pd_parquet_page_read(const unsigned char *s, size_t n, struct pd_parquet_page *page)
{
    struct pd_thrift t = {s, s + n, false};
    *page = (struct pd_parquet_page){.kind = -1,
                                     .stored = -1,
                                     .bytes = -1,
                                     .values = -1,
                                     .encoding = -1,
                                     .level_encoding = -1,
                                     .repeat_encoding = -1,
                                     .packed = true};
    for (struct pd_thrift_field f = {0}; pd_thrift_next(&t, &f);) {
        switch (f.id) {
        case PD_IN_PAGE_KIND:
            page->kind = pd_thrift_int(&t, &f);
            break;
        case PD_IN_PAGE_BYTES:
            page->bytes = pd_thrift_int(&t, &f);
            break;
        case PD_IN_PAGE_STORED:
            page->stored = pd_thrift_int(&t, &f);
            break;
        case PD_IN_PAGE_CRC:
            page->crc = (uint32_t)pd_thrift_int(&t, &f);
            page->checked = true;
            break;
        case PD_IN_PAGE_DATA:
        case PD_IN_PAGE_DICTIONARY:
        case PD_IN_PAGE_DATA_2:
            if (pd_thrift_struct(&t, &f))
                read_kind(&t,
                          f.id == PD_IN_PAGE_DATA         ? data_fields
                          : f.id == PD_IN_PAGE_DICTIONARY ? dictionary_fields
                                                          : data_2_fields,
                          page);
            break;
        default:
            pd_thrift_skip(&t, &f);
        }
    }
    return t.bad ? 0 : (size_t)(t.p - s);
}

void pd_parquet_decoders_free(struct pd_parquet_decoders *d)
{
    ZSTD_freeDCtx(d->zstd);
    if (d->gzip)
        libdeflate_free_decompressor(d->gzip);
    *d = (struct pd_parquet_decoders){0};
}

const char *pd_parquet_foreign_codec(int codec)
{
    if (codec < 0 || codec >= PD_PARQUET_CODECS)
        return "an unknown method";
    return codec == PD_PARQUET_LZO ? "LZO" : NULL;
}

bool pd_parquet_may_become(int codec, size_t n, uint64_t bytes)
{
    if (ratios[codec] > 0 && bytes / ratios[codec] > n)
        return false;
    return bytes <= HARMLESS || bytes / PD_PARQUET_EXPANDS <= n;
}

/* Several gzip members are one text. */
static bool gunzip(struct pd_parquet_decoders *d, const unsigned char *s, size_t n,
                   unsigned char *out, size_t bytes)
{
    if (!d->gzip)
        d->gzip = libdeflate_alloc_decompressor();
    PD_CHECK(d->gzip);
    while (n > 0) {
        size_t used, made;
        if (libdeflate_gzip_decompress_ex(d->gzip, s, n, out, bytes, &used, &made) !=
            LIBDEFLATE_SUCCESS)
            return false;
        s += used;
        n -= used;
        out += made;
        bytes -= made;
    }
    return bytes == 0;
}

static bool unsnap(const unsigned char *s, size_t n, unsigned char *out, size_t bytes)
{
    size_t room = 0;
    return snappy_uncompressed_length((const char *)s, n, &room) == SNAPPY_OK && room == bytes &&
           snappy_uncompress((const char *)s, n, (char *)out, &room) == SNAPPY_OK && room == bytes;
}

static bool unlz4(const unsigned char *s, size_t n, unsigned char *out, size_t bytes)
{
    return n <= INT_MAX && bytes <= INT_MAX &&
           LZ4_decompress_safe((const char *)s, (char *)out, (int)n, (int)bytes) == (int)bytes;
}

static size_t big_endian(const unsigned char *s)
{
    return (size_t)s[0] << 24 | (size_t)s[1] << 16 | (size_t)s[2] << 8 | s[3];
}

/* Blocks of LZ4 as Hadoop writes them: two numbers before each, its decoded and its stored bytes. */
static bool unlz4_blocks(const unsigned char *s, size_t n, unsigned char *out, size_t bytes)
{
    enum { HEAD = 8 };
    while (n >= HEAD) {
        const size_t made = big_endian(s), stored = big_endian(s + HEAD / 2);
        if (made > bytes || stored > n - HEAD || !unlz4(s + HEAD, stored, out, made))
            return false;
        s += HEAD + stored;
        n -= HEAD + stored;
        out += made;
        bytes -= made;
    }
    return n == 0 && bytes == 0;
}

bool pd_parquet_unpack(struct pd_parquet_decoders *d, int codec, const unsigned char *s, size_t n,
                       unsigned char *out, size_t bytes)
{
    if (codec == PD_PARQUET_SNAPPY)
        return unsnap(s, n, out, bytes);
    if (codec == PD_PARQUET_LZ4 && unlz4_blocks(s, n, out, bytes))
        return true;
    if (codec == PD_PARQUET_LZ4 || codec == PD_PARQUET_LZ4_RAW) /* early files have no blocks */
        return unlz4(s, n, out, bytes);
    if (codec == PD_PARQUET_GZIP)
        return gunzip(d, s, n, out, bytes);
    if (codec == PD_PARQUET_BROTLI) {
        size_t made = bytes;
        return BrotliDecoderDecompress(n, s, &made, out) == BROTLI_DECODER_RESULT_SUCCESS &&
               made == bytes;
    }
    if (!d->zstd)
        d->zstd = ZSTD_createDCtx();
    PD_CHECK(d->zstd && codec == PD_PARQUET_ZSTD);
    return ZSTD_decompressDCtx(d->zstd, out, bytes, s, n) == bytes;
}

bool pd_parquet_crc_fits(uint32_t crc, const unsigned char *s, size_t n)
{
    return libdeflate_crc32(0, s, n) == crc;
}

/* corpus/packed/zip.c - see zip.h; the layout of archives is that of PKWARE's APPNOTE.TXT 6.3.10 */
#include "zip.h"

#include <libdeflate.h>
#include <string.h>

#include "pardup/base/error.h"

enum {
    END_BYTES = 22, /* of the end record without its comment */
    COMMENT_MOST = 65535 /* bytes of that comment */,
    ENTRY_BYTES = 46, /* of an entry of the central directory without name, extra field, comment */
    LOCAL_BYTES = 30, /* of a local header without name and extra field */
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1
};

static uint16_t get16(const unsigned char *s) { return (uint16_t)(s[0] | s[1] << 8); }

static uint32_t get32(const unsigned char *s) { return get16(s) | (uint32_t)get16(s + 2) << 16; }

/* The end record, which is the last one of its kind; NULL: there is none. */
static const unsigned char *find_end(const unsigned char *s, size_t n)
{
    const size_t least = n > END_BYTES + COMMENT_MOST ? n - END_BYTES - COMMENT_MOST : 0;
    for (size_t at = n < END_BYTES ? 0 : n - END_BYTES + 1; at-- > least;)
        if (memcmp(s + at, "PK\5\6", 4) == 0)
            return s + at;
    return NULL;
}

int pd_zip_open(struct pd_zip *zip, const unsigned char *s, size_t n)
{
    zip->s = s;
    zip->n = n;
    zip->entries.n = 0;
    const unsigned char *end = n < END_BYTES ? NULL : find_end(s, n);
    if (!end || get32(end + 16) > (size_t)(end - s))
        return PD_EFORMAT;
    const unsigned char *at = s + get32(end + 16);
    for (unsigned left = get16(end + 10); left > 0; left--) {
        if (end - at < ENTRY_BYTES || memcmp(at, "PK\1\2", 4) != 0)
            return PD_EFORMAT;
        const size_t name_n = get16(at + 28);
        const size_t rest = name_n + get16(at + 30) + get16(at + 32);
        if ((size_t)(end - at) < ENTRY_BYTES + rest)
            return PD_EFORMAT;
        pd_zip_entries_push(&zip->entries,
                            (struct pd_zip_entry){.name = (const char *)at + ENTRY_BYTES,
                                                  .name_n = name_n,
                                                  .at = get32(at + 42),
                                                  .stored = get32(at + 20),
                                                  .bytes = get32(at + 24),
                                                  .method = get16(at + 10),
                                                  .flags = get16(at + 8)});
        at += ENTRY_BYTES + rest;
    }
    return PD_OK;
}

void pd_zip_close(struct pd_zip *zip) { pd_zip_entries_release(&zip->entries); }

const struct pd_zip_entry *pd_zip_find(const struct pd_zip *zip, const char *name)
{
    const size_t n = strlen(name);
    for (size_t k = zip->entries.n; k-- > 0;) {
        const struct pd_zip_entry *e = &zip->entries.v[k];
        if (e->name_n == n && memcmp(e->name, name, n) == 0)
            return e;
    }
    return NULL;
}

int pd_zip_read(const struct pd_zip *zip, const struct pd_zip_entry *e, size_t most,
                struct pd_bytes *to)
{
    const unsigned char *head = zip->s + e->at;
    size_t got = 0;
    if (e->flags & ENCRYPTED || (e->method != STORED && e->method != DEFLATED))
        return PD_EFORMAT;
    if (zip->n < LOCAL_BYTES || e->at > zip->n - LOCAL_BYTES || memcmp(head, "PK\3\4", 4) != 0)
        return PD_EFORMAT;
    const size_t from = (size_t)e->at + LOCAL_BYTES + get16(head + 26) + get16(head + 28);
    if (from > zip->n || e->stored > zip->n - from ||
        (e->method == STORED && e->stored != e->bytes))
        return PD_EFORMAT;
    if (to->n > most || e->bytes > most - to->n)
        return PD_EFULL;
    pd_bytes_reserve(to, to->n + e->bytes);
    if (e->method == STORED) {
        pd_bytes_append(to, zip->s + from, e->bytes);
        return PD_OK;
    }
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d)
        pd_panic("no memory for a decompressor");
    const enum libdeflate_result result =
        libdeflate_deflate_decompress(d, zip->s + from, e->stored, to->v + to->n, e->bytes, &got);
    libdeflate_free_decompressor(d);
    if (result != LIBDEFLATE_SUCCESS || got != e->bytes)
        return PD_EFORMAT;
    to->n += got;
    return PD_OK;
}

/* tools/synth/record.c - see src/tools/synth/record.h */
#include "record.h"

#include <libdeflate.h>
#include <stdio.h>

#include "pardup/base/error.h"

#define LEVEL       1    /* of compression, as of gzip -1 */
#define FILES       1000 /* documents in a folder */
#define HEADER_MOST 512  /* bytes of the longest header, or more */

void pd_synth_packer_init(struct pd_synth_packer *packer)
{
    *packer = (struct pd_synth_packer){.deflate = libdeflate_alloc_compressor(LEVEL)};
    if (packer->deflate == NULL)
        pd_panic("out of memory");
}

void pd_synth_packer_release(struct pd_synth_packer *packer)
{
    libdeflate_free_compressor(packer->deflate);
    PD_RELEASE(pd_bytes, &packer->plain, &packer->packed, &packer->url);
}

void pd_synth_id(const struct pd_synth_maker *m, uint64_t document, char id[PD_SYNTH_ID])
{
    const unsigned long long n = document;
    if (m->options.container == PD_SYNTH_TEXT)
        snprintf(id, PD_SYNTH_ID, "%06llu/%012llu.txt%s", n / FILES, n,
                 m->options.pack == PD_SYNTH_GZIP ? ".gz" : "");
    else
        snprintf(id, PD_SYNTH_ID, "synth-%012llu", n);
}

void pd_synth_warc(const char *id, const struct pd_bytes *url, const char *type, const void *body,
                   size_t n, struct pd_bytes *out)
{
    char http[HEADER_MOST], warc[HEADER_MOST];
    const int http_n =
        snprintf(http, sizeof http,
                 "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", type, n);
    const int warc_n =
        snprintf(warc, sizeof warc,
                 "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %.*s\r\n"
                 "WARC-TREC-ID: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
                 "Content-Type: application/http; msgtype=response\r\nContent-Length: %zu\r\n\r\n",
                 (int)url->n, (const char *)url->v, id, (size_t)http_n + n);
    pd_bytes_append(out, warc, (size_t)warc_n);
    pd_bytes_append(out, http, (size_t)http_n);
    pd_bytes_append(out, body, n);
    pd_bytes_append(out, "\r\n\r\n", 4);
}

static void put(struct pd_bytes *out, const char *s) { pd_bytes_append(out, s, strlen(s)); }

/* Append a document as a line of JSON. The only characters of a page to escape are line ends. */
static void json(const char *id, const struct pd_bytes *url, const struct pd_bytes *text,
                 struct pd_bytes *out)
{
    put(out, "{\"id\":\"");
    put(out, id);
    put(out, "\",\"url\":\"");
    pd_bytes_append(out, url->v, url->n);
    put(out, "\",\"text\":\"");
    for (size_t i = 0, from = 0; i <= text->n; i++) {
        if (i < text->n && text->v[i] != '\n')
            continue;
        pd_bytes_append(out, text->v + from, i - from);
        if (i < text->n)
            put(out, "\\n");
        from = i + 1;
    }
    put(out, "\"}\n");
}

void pd_synth_gzip(struct pd_synth_packer *packer, const struct pd_bytes *in, struct pd_bytes *out)
{
    const size_t room = libdeflate_gzip_compress_bound(packer->deflate, in->n);
    pd_bytes_reserve(out, out->n + room);
    out->n += libdeflate_gzip_compress(packer->deflate, in->v, in->n, out->v + out->n, room);
}

const struct pd_bytes *pd_synth_record(const struct pd_synth_maker *m, uint64_t document,
                                       const struct pd_synth_page *page,
                                       struct pd_synth_packer *packer)
{
    char id[PD_SYNTH_ID];
    pd_synth_id(m, document, id);
    pd_synth_url(m, document, page->host, &packer->url);
    packer->plain.n = packer->packed.n = 0;
    if (m->options.container == PD_SYNTH_WARC)
        pd_synth_warc(id, &packer->url, "text/html; charset=utf-8", page->html.v, page->html.n,
                      &packer->plain);
    else if (m->options.container == PD_SYNTH_JSONL)
        json(id, &packer->url, &page->text, &packer->plain);
    else
        pd_bytes_append(&packer->plain, page->text.v, page->text.n);
    if (m->options.pack == PD_SYNTH_PLAIN)
        return &packer->plain;
    pd_synth_gzip(packer, &packer->plain, &packer->packed);
    return &packer->packed;
}

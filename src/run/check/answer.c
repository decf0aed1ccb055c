/* run/check/answer.c - see src/run/check/answer.h */
#include "answer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/document/utf8.h"

static void put(struct pd_bytes *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct pd_bytes *to, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    PD_CHECK(n >= 0 && (size_t)n < sizeof text);
    pd_bytes_append(to, text, (size_t)n);
}

void pd_answer_text(struct pd_bytes *to, const char *s, size_t n)
{
    uint32_t character;
    size_t bytes;
    put(to, "\"");
    for (size_t k = 0; k < n; k += bytes) {
        const enum pd_plain_kind kind = pd_plain_at(s + k, n - k, &bytes, &character);
        if (s[k] == '"' || s[k] == '\\')
            put(to, "\\%c", s[k]);
        else if (kind == PD_PLAIN_SHOWN)
            pd_bytes_append(to, s + k, bytes);
        else
            put(to, "\\u%04x", kind == PD_PLAIN_BROKEN ? 0xFFFDu : (unsigned)character);
    }
    put(to, "\"");
}

/* Append the id of a source, as the member "source". */
static int put_source(struct pd_bytes *to, const struct pd_query *q, pd_doc source)
{
    struct pd_indexed doc;
    PD_TRY(pd_segment_document(pd_index_segment(q->index, source), source, &doc));
    put(to, "{\"source\":");
    pd_answer_text(to, doc.id, doc.id_n);
    return PD_OK;
}

static int put_passage(struct pd_bytes *to, const struct pd_query *q, const struct pd_row *row)
{
    PD_TRY(put_source(to, q, row->b));
    put(to, ",\"begin_a\":%u,\"end_a\":%u,\"begin_b\":%u,\"end_b\":%u,\"matched\":%llu",
        (unsigned)(row->bytes_a >> 32), (unsigned)row->bytes_a, (unsigned)(row->bytes_b >> 32),
        (unsigned)row->bytes_b, (unsigned long long)row->matched);
    put(to, ",\"similarity\":%.6g", row->similarity);
    if (isnan(row->agreement))
        put(to, ",\"agreement\":null}");
    else
        put(to, ",\"agreement\":%.6g}", row->agreement);
    return PD_OK;
}

int pd_answer_query(struct pd_bytes *to, const struct pd_query *q, size_t units)
{
    put(to, ",\"duplicate\":%s,\"collisions\":%llu,\"units\":%zu,\"passages\":[",
        q->duplicate ? "true" : "false", (unsigned long long)q->collisions, units);
    for (size_t k = 0; k < q->rows.n; k++) {
        put(to, "%s", k ? "," : "");
        PD_TRY(put_passage(to, q, &q->rows.v[k]));
    }
    put(to, "],\"ranking\":[");
    for (size_t k = 0; k < q->ranking.n; k++) {
        put(to, "%s", k ? "," : "");
        PD_TRY(put_source(to, q, q->ranking.v[k].source));
        put(to, ",\"score\":%.6g}", q->ranking.v[k].score);
    }
    put(to, "]}\n");
    return PD_OK;
}

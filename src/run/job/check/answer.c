/* run/job/check/answer.c - see src/run/job/check/answer.h */
#include "answer.h"

#include <math.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/plain.h"

static void put_text(struct pd_bytes *to, const char *text)
{
    pd_bytes_append(to, text, strlen(text));
}

/* Append a name and a number. */
static void put_number(struct pd_bytes *to, const char *name, uint64_t x)
{
    enum { DIGITS = 20 };
    char digits[DIGITS];
    size_t at = DIGITS;
    do
        digits[--at] = (char)('0' + x % 10);
    while ((x /= 10) > 0);
    put_text(to, name);
    pd_bytes_append(to, digits + at, DIGITS - at);
}

/* Append a name and a share, which is mostly 1; NaN is null. */
static void put_share(struct pd_bytes *to, const char *name, double x)
{
    put_text(to, name);
    if (x == 1)
        put_text(to, "1");
    else if (isnan(x))
        put_text(to, "null");
    else
        pd_bytes_print(to, "%.6g", x);
}

/*
 * How many bytes from s on need no escape: ASCII that is shown, but for the quote and the
 * backslash.
 */
static size_t plain_span(const char *s, size_t n)
{
    size_t k = 0;
    while (k < n && s[k] >= ' ' && s[k] < 0x7F && s[k] != '"' && s[k] != '\\')
        k++;
    return k;
}

void pd_answer_text(struct pd_bytes *to, const char *s, size_t n)
{
    uint32_t character;
    size_t bytes;
    put_text(to, "\"");
    for (size_t k = 0; k < n; k += bytes) {
        bytes = plain_span(s + k, n - k);
        if (bytes) {
            pd_bytes_append(to, s + k, bytes);
            continue;
        }
        const enum pd_plain_kind kind = pd_plain_at(s + k, n - k, &bytes, &character);
        if (s[k] == '"' || s[k] == '\\')
            pd_bytes_print(to, "\\%c", s[k]);
        else if (kind == PD_PLAIN_SHOWN)
            pd_bytes_append(to, s + k, bytes);
        else
            pd_bytes_print(to, "\\u%04x", kind == PD_PLAIN_BROKEN ? 0xFFFDu : (unsigned)character);
    }
    put_text(to, "\"");
}

/* Append the id of a source, as the member "source". */
static int put_source(struct pd_bytes *to, const struct pd_query *q, pd_doc source)
{
    struct pd_indexed doc;
    struct pd_bytes id = {0};
    PD_TRY(pd_source_indexed(&q->source, source, &doc));
    put_text(to, "{\"source\":");
    pd_indexed_id(&doc, &id);
    pd_answer_text(to, (const char *)id.v, id.n);
    pd_bytes_release(&id);
    return PD_OK;
}

static int put_passage(struct pd_bytes *to, const struct pd_query *q, const struct pd_row *row)
{
    PD_TRY(put_source(to, q, row->b));
    put_number(to, ",\"begin_a\":", row->bytes_a >> 32);
    put_number(to, ",\"end_a\":", (uint32_t)row->bytes_a);
    put_number(to, ",\"begin_b\":", row->bytes_b >> 32);
    put_number(to, ",\"end_b\":", (uint32_t)row->bytes_b);
    put_number(to, ",\"matched\":", row->matched);
    put_share(to, ",\"similarity\":", row->similarity);
    put_share(to, ",\"agreement\":", row->agreement);
    put_text(to, "}");
    return PD_OK;
}

int pd_answer_query(struct pd_bytes *to, const struct pd_query *q, size_t units)
{
    put_text(to, q->duplicate ? ",\"duplicate\":true" : ",\"duplicate\":false");
    put_number(to, ",\"collisions\":", q->collisions);
    put_number(to, ",\"units\":", units);
    put_text(to, ",\"passages\":[");
    for (size_t k = 0; k < q->rows.n; k++) {
        put_text(to, k ? "," : "");
        PD_TRY(put_passage(to, q, &q->rows.v[k]));
    }
    put_text(to, "],\"ranking\":[");
    for (size_t k = 0; k < q->ranking.n; k++) {
        put_text(to, k ? "," : "");
        PD_TRY(put_source(to, q, q->ranking.v[k].source));
        put_share(to, ",\"score\":", q->ranking.v[k].score);
        put_text(to, "}");
    }
    put_text(to, "]}\n");
    return PD_OK;
}

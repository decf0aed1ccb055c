/* corpus/table/csv_row.c - see csv_row.h */
#include "csv_row.h"

#include <string.h>

#include "pardup/base/error.h"

/* Does the value end at s[k], in front of a separator, a line end or the end of the table? */
static bool ends_value(const struct pd_csv_part *p, size_t k)
{
    if (k == p->n)
        return p->whole;
    if (p->s[k] == '\r')
        return k + 1 == p->n ? p->whole : p->s[k + 1] == '\n';
    return p->s[k] == p->separator || p->s[k] == '\n';
}

/*
 * Find the end of the value in quotes at s[k]. Returns PD_OK, PD_EFULL when the bytes at hand do
 * not tell, or PD_EFORMAT.
 */
static int find_closing(const struct pd_csv_part *p, size_t k, size_t *end, const char **why)
{
    for (k++; k < p->n; k++) {
        const unsigned char *quote = memchr(p->s + k, '"', p->n - k);
        if (!quote)
            break;
        k = (size_t)(quote - p->s) + 1;
        if (k < p->n && p->s[k] == '"')
            continue;
        *end = k;
        if (ends_value(p, k))
            return PD_OK;
        if (!p->whole && (k == p->n || (p->s[k] == '\r' && k + 1 == p->n)))
            return PD_EFULL;
        *why = "text behind the closing quote of a value";
        return PD_EFORMAT;
    }
    *why = "a quote without its end";
    return p->whole ? PD_EFORMAT : PD_EFULL;
}

/* Where the value at s[k] ends that is taken as it is; n when the bytes at hand do not tell. */
static size_t find_end(const struct pd_csv_part *p, size_t k)
{
    while (k < p->n && p->s[k] != p->separator && p->s[k] != '\n')
        k++;
    return k;
}

/* Read the value at s[k] and set *end. Returns as pd_csv_row(). */
static int read_value(const struct pd_csv_part *p, size_t k, size_t *end,
                      struct pd_csv_value *value, const char **why)
{
    *value = (struct pd_csv_value){.s = p->s + k};
    if (k < p->n && p->s[k] == '"') {
        const int status = find_closing(p, k, end, why);
        if (status == PD_OK) {
            value->quoted = true;
            value->n = *end - k;
        }
        if (status != PD_EFORMAT || p->separator != '\t')
            return status;
    }
    *end = find_end(p, k);
    if (*end == p->n && !p->whole)
        return PD_EFULL;
    const bool last = *end == p->n || p->s[*end] == '\n';
    if (last && *end > k && p->s[*end - 1] == '\r')
        --*end;
    value->n = *end - k;
    return PD_OK;
}

int pd_csv_row(const struct pd_csv_part *p, struct pd_csv_values *values, size_t *bytes,
               const char **why)
{
    size_t k = 0;
    values->n = 0;
    for (;; k++) {
        struct pd_csv_value value;
        PD_TRY(read_value(p, k, &k, &value, why));
        pd_csv_values_push(values, value);
        if (k == p->n || p->s[k] != p->separator)
            break;
    }
    k += k < p->n && p->s[k] == '\r';
    k += k < p->n && p->s[k] == '\n';
    *bytes = k;
    return PD_OK;
}

size_t pd_csv_decode(const struct pd_csv_value *value, unsigned char *to)
{
    const unsigned char *s = value->s;
    if (!value->quoted) {
        memcpy(to, s, value->n);
        return value->n;
    }
    size_t n = 0;
    for (size_t k = 1; k + 1 < value->n; k++) {
        to[n++] = s[k];
        k += s[k] == '"'; /* the second one of two */
    }
    return n;
}

void pd_csv_quote(const unsigned char *text, size_t n, struct pd_bytes *to)
{
    pd_bytes_push(to, '"');
    for (size_t k = 0; k < n; k++) {
        if (text[k] == '"')
            pd_bytes_push(to, '"');
        pd_bytes_push(to, text[k]);
    }
    pd_bytes_push(to, '"');
}

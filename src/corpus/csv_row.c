/* corpus/csv_row.c - see csv_row.h */
#include "csv_row.h"

#include <string.h>

#include "pardup/base/error.h"

/* A row that is being read. */
struct row {
    const unsigned char *s;
    size_t n;
    bool whole;
    unsigned char separator;
};

/* Does the value end at s[k], in front of a separator, a line end or the end of the table? */
static bool ends_value(const struct row *r, size_t k)
{
    if (k == r->n)
        return r->whole;
    if (r->s[k] == '\r')
        return k + 1 == r->n ? r->whole : r->s[k + 1] == '\n';
    return r->s[k] == r->separator || r->s[k] == '\n';
}

/*
 * Find the end of the value in quotes at s[k]. Returns PD_OK, PD_EFULL when the bytes at hand do
 * not tell, or PD_EFORMAT.
 */
static int find_closing(const struct row *r, size_t k, size_t *end, const char **why)
{
    for (k++; k < r->n; k++) {
        const unsigned char *quote = memchr(r->s + k, '"', r->n - k);
        if (!quote)
            break;
        k = (size_t)(quote - r->s) + 1;
        if (k < r->n && r->s[k] == '"')
            continue;
        *end = k;
        if (ends_value(r, k))
            return PD_OK;
        if (!r->whole && (k == r->n || (r->s[k] == '\r' && k + 1 == r->n)))
            return PD_EFULL;
        *why = "text behind the closing quote of a value";
        return PD_EFORMAT;
    }
    *why = "a quote without its end";
    return r->whole ? PD_EFORMAT : PD_EFULL;
}

/* Where the value at s[k] ends that is taken as it is; n when the bytes at hand do not tell. */
static size_t find_end(const struct row *r, size_t k)
{
    while (k < r->n && r->s[k] != r->separator && r->s[k] != '\n')
        k++;
    return k;
}

/* Read the value at s[k] and set *end. Returns as pd_csv_row(). */
static int read_value(const struct row *r, size_t k, size_t *end, struct pd_csv_value *value,
                      const char **why)
{
    *value = (struct pd_csv_value){.s = r->s + k};
    if (k < r->n && r->s[k] == '"') {
        const int status = find_closing(r, k, end, why);
        if (status == PD_OK) {
            value->quoted = true;
            value->n = *end - k;
        }
        if (status != PD_EFORMAT || r->separator != '\t')
            return status;
    }
    *end = find_end(r, k);
    if (*end == r->n && !r->whole)
        return PD_EFULL;
    const bool last = *end == r->n || r->s[*end] == '\n';
    if (last && *end > k && r->s[*end - 1] == '\r')
        --*end;
    value->n = *end - k;
    return PD_OK;
}

int pd_csv_row(const unsigned char *s, size_t n, bool whole, unsigned char separator,
               struct pd_csv_values *values, size_t *bytes, const char **why)
{
    const struct row r = {s, n, whole, separator};
    size_t k = 0;
    values->n = 0;
    for (;; k++) {
        struct pd_csv_value value;
        PD_TRY(read_value(&r, k, &k, &value, why));
        pd_csv_values_push(values, value);
        if (k == n || s[k] != separator)
            break;
    }
    k += k < n && s[k] == '\r';
    k += k < n && s[k] == '\n';
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

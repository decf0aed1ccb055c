/* corpus/copy/splice_text.c - what stays of a text: see pardup/corpus/splice.h and splice_inside.h */
#include <string.h>

#include "splice_inside.h"

void pd_cut_text(const struct pd_trimmed *t, struct pd_bytes *to)
{
    size_t at = 0;
    if (t->n == 0) /* no byte may be added to NULL, not even none */
        return;
    for (size_t k = 0; k < t->cuts->n; k++) {
        pd_bytes_append(to, t->text + at, t->cuts->v[k].begin - at);
        at = t->cuts->v[k].end;
    }
    pd_bytes_append(to, t->text + at, t->n - at);
}

bool pd_splice_is_body(const struct pd_raw *raw, const unsigned char *text, size_t n)
{
    return raw->n == n && (n == 0 || memcmp(raw->body, text, n) == 0);
}

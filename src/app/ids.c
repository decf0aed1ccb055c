/* app/ids.c - see src/app/ids.h */
#include "ids.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/run/fetch.h"

enum { ROWS_AT_ONCE = 4096 };

/* Fail: no document has the id `wanted`. `like`: an id that contains it; empty: there is none. */
static int none_found(struct pd_result *result, const char *wanted, const struct pd_bytes *like)
{
    if (like->n)
        return pd_fail(PD_EFORMAT, "%s: no document with this id; did you mean %.*s?", wanted,
                       (int)like->n, (const char *)like->v);
    return pd_fail(PD_EFORMAT,
                   "%s: no document with this id; pardup export --table documents %s lists them",
                   wanted, pd_result_path(result));
}

/*
 * Look for the id in a table, whose rows get the bits of `mark`. `like` receives the first id that
 * contains it.
 */
static int find_in(struct pd_result *result, const char *table, uint64_t mark, const char *wanted,
                   struct pd_doc_rows *found, struct pd_bytes *like)
{
    const size_t wanted_n = strlen(wanted);
    struct pd_cells ids = {0};
    uint64_t rows;
    int status = pd_result_rows(result, table, &rows);
    for (uint64_t from = 0, take; status >= 0 && from < rows; from += take) {
        take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        status = pd_result_read(result, table, "id", from, take, &ids);
        for (uint64_t k = 0; k < take && status >= 0; k++) {
            size_t n;
            const char *id = pd_cells_text(&ids, k, &n);
            if (pd_plain_is(wanted, id, n))
                pd_doc_rows_push(found, (from + k) | mark);
            else if (like->n == 0 && wanted_n && memmem(id, n, wanted, wanted_n))
                pd_bytes_append(like, (const unsigned char *)id, n);
        }
    }
    pd_bytes_release(&ids.values);
    return status;
}

int pd_ids_find(struct pd_result *result, const char *wanted, struct pd_doc_rows *found)
{
    struct pd_bytes like = {0};
    int status = find_in(result, "documents", 0, wanted, found, &like);
    if (status >= 0 && pd_result_has(result, "sources", "id"))
        status = find_in(result, "sources", PD_SOURCE_ROW, wanted, found, &like);
    if (status >= 0 && found->n == 0)
        status = none_found(result, wanted, &like);
    pd_bytes_release(&like);
    return status;
}

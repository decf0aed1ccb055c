/* app/ids.c - see src/app/ids.h */
#include "ids.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/result/table.h"
#include "pardup/run/fetch.h"

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
    static const char *const columns[] = {"id", NULL};
    const size_t wanted_n = strlen(wanted);
    struct pd_table_reader t;
    int status = pd_table_open(&t, result, table, columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        size_t n;
        const char *id = pd_table_text(&t, 0, &n);
        if (pd_plain_is(wanted, id, n))
            pd_doc_rows_push(found, t.row | mark);
        else if (like->n == 0 && wanted_n && memmem(id, n, wanted, wanted_n))
            pd_bytes_append(like, (const unsigned char *)id, n);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
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

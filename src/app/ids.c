/* app/ids.c - see src/app/ids.h */
#include "ids.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/result/given.h"
#include "pardup/result/table.h"
#include "pardup/run/fetch.h"

/*
 * Fail: no document has the id `wanted`. The message names an id that contains it, or says where all
 * are listed.
 */
static int none_found(struct pd_result *result, const char *wanted)
{
    static const char *const tables[] = {"documents", "sources"}, *const columns[] = {"id", NULL};
    struct pd_table_reader t;
    int status = PD_OK;
    for (int k = 0; k < 2 && status >= 0 && *wanted; k++) {
        if (!pd_result_has(result, tables[k], "id"))
            continue;
        status = pd_table_open(&t, result, tables[k], columns);
        while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
            size_t n;
            const char *id = pd_table_text(&t, 0, &n);
            if (memmem(id, n, wanted, strlen(wanted)))
                status = pd_fail(PD_EFORMAT, "%s: no document with this id; did you mean %.*s?",
                                 wanted, (int)n, id);
        }
        pd_table_close(&t);
    }
    return status < 0 ? status
                      : pd_fail(PD_EFORMAT,
                                "%s: no document with this id; pardup export --table documents %s "
                                "lists them",
                                wanted, pd_result_path(result));
}

/* List the rows of a table that the name means; they get the bits of `mark`. */
static int list(struct pd_result *result, const char *table, uint64_t mark,
                const struct pd_given *given, struct pd_doc_rows *found)
{
    static const char *const columns[] = {"id", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, result, table, columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        size_t n;
        const char *id = pd_table_text(&t, 0, &n);
        if (pd_given_find(given, id, n, UINT64_MAX) != UINT64_MAX)
            pd_doc_rows_push(found, t.row | mark);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

int pd_ids_find(struct pd_result *result, const char *wanted, struct pd_doc_rows *found)
{
    struct pd_names names = {0};
    struct pd_given given;
    const bool sources = pd_result_has(result, "sources", "id");
    pd_names_put(&names, wanted, strlen(wanted), 0);
    pd_given_open(&given, &names);
    int status = pd_given_see_table(&given, result, "documents");
    if (status >= 0 && sources)
        status = pd_given_see_table(&given, result, "sources");
    pd_given_settle(&given);
    PD_THEN(status, list(result, "documents", 0, &given, found));
    if (status >= 0 && sources)
        status = list(result, "sources", PD_SOURCE_ROW, &given, found);
    if (status >= 0 && found->n == 0)
        status = pd_given_check(&given, pd_result_path(result), NULL);
    if (status >= 0 && found->n == 0)
        status = none_found(result, wanted);
    pd_given_release(&given);
    pd_names_release(&names);
    return status;
}

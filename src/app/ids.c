/* app/ids.c - see src/app/ids.h */
#include "ids.h"

#include <stdlib.h>
#include <string.h>

#include "like.h"
#include "pardup/base/error.h"
#include "pardup/base/plain.h"
#include "pardup/result/given.h"
#include "pardup/result/table.h"
#include "pardup/run/fetch.h"

enum { NEAR_MOST = 3, NEAR_BYTES = 200 }; /* ids in a message, and bytes of each */

/* Ids that are like a name, the most alike first. */
struct near_ids {
    char *wanted; /* the name, folded */
    char ids[NEAR_MOST + 1][NEAR_BYTES];
    size_t wrong[NEAR_MOST + 1]; /* letters, as pd_like() counts them; a part of an id has none */
    size_t n;
};

/* The fewest letters by which the name differs from a part of an id between marks such as / _ . */
static size_t wrong_letters(const char *wanted, const char *id)
{
    static const char between[] = "/\\_-.,:; ";
    const size_t n = strlen(wanted);
    size_t least = strstr(id, wanted) ? 0 : SIZE_MAX;
    for (const char *part = id; *part && least; part += strspn(part, between)) {
        const size_t m = strcspn(part, between), wrong = pd_like(wanted, n, part, m);
        least = wrong < least ? wrong : least;
        part += m;
    }
    const char *slash = strrchr(id, '/'), *name = slash ? slash + 1 : id;
    const size_t whole = pd_like(wanted, strcspn(wanted, "."), name, strcspn(name, "."));
    return whole < least ? whole : least;
}

/* Keep an id if it is among the ids that are most like the name. */
static void see(struct near_ids *near, const char *id, size_t n)
{
    char *folded = pd_like_fold(id, n);
    const size_t wrong = folded ? wrong_letters(near->wanted, folded) : SIZE_MAX;
    size_t k = near->n;
    free(folded);
    if (wrong == SIZE_MAX)
        return;
    for (; k > 0 && near->wrong[k - 1] > wrong; k--) {
        near->wrong[k] = near->wrong[k - 1];
        memcpy(near->ids[k], near->ids[k - 1], NEAR_BYTES);
    }
    near->wrong[k] = wrong;
    pd_plain_line(near->ids[k], NEAR_BYTES, id, n);
    near->n += near->n < NEAR_MOST;
}

/* Find ids in a table that are like the name. */
static int see_table(struct pd_result *result, const char *table, struct near_ids *near)
{
    static const char *const columns[] = {"id", NULL};
    struct pd_table_reader t;
    size_t n;
    int status = pd_table_open(&t, result, table, columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        const char *id = pd_table_text(&t, 0, &n);
        see(near, id, n);
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* Fail: no document has the id `wanted`. The message names ids that are like it. */
static int none_found(struct pd_result *result, const char *wanted)
{
    struct near_ids near = {.wanted = pd_like_fold(wanted, strlen(wanted))};
    const char *const *id = (const char *const[]){near.ids[0], near.ids[1], near.ids[2]};
    int status = PD_OK;
    if (near.wanted && *near.wanted) {
        status = see_table(result, "documents", &near);
        if (status >= 0 && pd_result_has(result, "sources", "id"))
            status = see_table(result, "sources", &near);
    }
    free(near.wanted);
    if (status < 0)
        return status;
    if (near.n == 0)
        return pd_fail(PD_EFORMAT,
                       "%s: no document with this id; pardup export --table documents %s lists "
                       "them",
                       wanted, pd_result_path(result));
    return pd_fail(PD_EFORMAT, "%s: no document with this id; did you mean %s%s%s%s%s?", wanted,
                   id[0],
                   near.n > 2   ? ", "
                   : near.n > 1 ? " or "
                                : "",
                   near.n > 1 ? id[1] : "", near.n > 2 ? " or " : "", near.n > 2 ? id[2] : "");
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

int pd_next_passage(struct pd_table_reader *t, uint64_t documents, uint64_t others)
{
    const int status = pd_table_next(t);
    if (status != PD_OK || (pd_table_count(t, 0) < documents && pd_table_count(t, 1) < others))
        return status;
    return pd_fail(PD_EFORMAT, "%s: row %llu of /passages names no document",
                   pd_result_path(t->result), (unsigned long long)t->row);
}

/* run/collection/wanted.c - see src/run/collection/wanted.h */
#include "wanted.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/corpus/list.h"

enum { NAMES_SHOWN = 5 };

int pd_wanted_read(struct pd_wanted *wanted, const char *path)
{
    struct pd_list *list;
    char *line;
    size_t n;
    int status;
    wanted->path = path;
    if (!path)
        return PD_OK;
    PD_TRY(pd_list_open(path, &list));
    while ((status = pd_list_next(list, &line, &n)) == PD_OK)
        if (n > 0)
            pd_names_put(&wanted->ids, line, strlen(line), wanted->ids.names.n);
    pd_list_close(list);
    if (status >= 0 && wanted->ids.names.n == 0)
        return pd_fail(PD_EFORMAT, "--docs-from %s: no id in it", path);
    return status < 0 ? status : PD_OK;
}

int pd_wanted_share(const struct pd_comm *c, struct pd_wanted *wanted, const char *path)
{
    struct pd_bytes texts = {0};
    PD_TRY(pd_comm_agree(c, c->rank == 0 ? pd_wanted_read(wanted, path) : PD_OK));
    wanted->path = path;
    if (c->rank == 0)
        pd_bytes_append(&texts, wanted->ids.text.v, wanted->ids.text.n);
    pd_comm_share(c, &texts);
    for (size_t at = 1; c->rank != 0 && at < texts.n;) { /* the first byte is unused */
        const char *id = (const char *)texts.v + at;
        const size_t n = strlen(id);
        pd_names_put(&wanted->ids, id, n, wanted->ids.names.n);
        at += n + 1;
    }
    pd_bytes_release(&texts);
    return PD_OK;
}

bool pd_wanted_has(const struct pd_wanted *wanted, const char *id, size_t n)
{
    return !wanted->path || pd_names_find_plain(&wanted->ids, id, n, UINT64_MAX) != UINT64_MAX;
}

uint64_t pd_wanted_hash(const struct pd_wanted *wanted)
{
    return pd_hash_bytes(wanted->ids.text.v, wanted->ids.text.n);
}

void pd_wanted_tell(const struct pd_wanted *wanted, const uint64_t *found, uint64_t documents)
{
    const struct pd_name_list *names = &wanted->ids.names;
    struct pd_bytes shown = {0};
    unsigned long long missing = 0;
    for (size_t k = 0; k < names->n; k++)
        if (!found[k] && missing++ < NAMES_SHOWN) {
            pd_bytes_append(&shown, " ", 1);
            pd_bytes_append(&shown, wanted->ids.text.v + names->v[k].at, names->v[k].n);
        }
    if (missing > NAMES_SHOWN)
        pd_bytes_append(&shown, " ...", strlen(" ..."));
    pd_bytes_push(&shown, '\0');
    pd_log(PD_LOG_INFO, "--docs-from %s: %llu documents of the collection were left out",
           wanted->path, (unsigned long long)documents);
    if (missing)
        pd_log(PD_LOG_WARN, "%llu of the %zu ids of --docs-from %s were not found:%s", missing,
               names->n, wanted->path, (char *)shown.v);
    pd_bytes_release(&shown);
}

int pd_wanted_none(const struct pd_wanted *wanted, uint64_t documents)
{
    return pd_fail(PD_EFORMAT,
                   "--docs-from %s: none of its %zu ids is that of one of the %llu "
                   "documents",
                   wanted->path, wanted->ids.names.n, (unsigned long long)documents);
}

void pd_wanted_release(struct pd_wanted *wanted) { pd_names_release(&wanted->ids); }

/* run/stage/collection/wanted.c - see src/run/stage/collection/wanted.h */
#include "wanted.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/plain.h"
#include "pardup/corpus/list.h"

enum { NAMES_SHOWN = 5 };

void pd_given_files(struct pd_given *given, const struct pd_names *ids,
                    const struct pd_files *files)
{
    pd_given_open(given, ids);
    for (size_t k = 0; k < files->n && ids->names.n > 0; k++)
        pd_given_see(given, files->v[k].path, strlen(files->v[k].path), NULL, 0);
    pd_given_settle(given);
    given->example.n = 0; /* documents of one file have ids of their own */
}

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

void pd_wanted_see(struct pd_wanted *wanted, const struct pd_files *files)
{
    if (!wanted->path)
        return;
    wanted->whose = pd_printed("--docs-from %s", wanted->path);
    pd_given_files(&wanted->given, &wanted->ids, files);
}

uint64_t pd_wanted_find(const struct pd_wanted *wanted, const char *id, size_t n, const char *url,
                        size_t url_n)
{
    return pd_given_find_page(&wanted->given, id, n, url, url_n, UINT64_MAX);
}

bool pd_wanted_has(struct pd_wanted *wanted, const struct pd_raw *raw)
{
    if (!wanted->path ||
        pd_wanted_find(wanted, raw->id, raw->id_n, raw->url, raw->url_n) != UINT64_MAX)
        return true;
    pd_given_show(&wanted->given, raw->id, raw->id_n);
    return false;
}

uint64_t pd_wanted_hash(const struct pd_wanted *wanted)
{
    return pd_hash_bytes(wanted->ids.text.v, wanted->ids.text.n);
}

int pd_wanted_tell(const struct pd_wanted *wanted, const uint64_t *found, uint64_t documents)
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
    pd_log(PD_LOG_INFO, "--docs-from %s: %llu document%s of the collection %s left out",
           wanted->path, (unsigned long long)documents, pd_plural(documents),
           documents == 1 ? "was" : "were");
    if (missing)
        pd_log(PD_LOG_WARN, "%llu of the %zu ids of --docs-from %s were not found:%s", missing,
               names->n, wanted->path, (char *)shown.v);
    pd_bytes_release(&shown);
    pd_given_tell(&wanted->given, wanted->whose);
    return pd_given_check(&wanted->given, wanted->whose, found);
}

int pd_wanted_none(const struct pd_comm *c, struct pd_wanted *wanted, uint64_t documents)
{
    uint64_t *none = pd_zeroed(wanted->ids.names.n, sizeof *none);
    const int status = pd_given_check(&wanted->given, wanted->whose, none);
    free(none);
    return status < 0 ? status : pd_given_none(c, &wanted->given, wanted->whose, documents);
}

void pd_wanted_release(struct pd_wanted *wanted)
{
    pd_given_release(&wanted->given);
    pd_names_release(&wanted->ids);
    free(wanted->whose);
}

/* run/dedup/hosts.c - what became of the documents of each host, for summary.json. */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/base/log.h"
#include "pardup/result/names.h"
#include "run/dedup/write.h"

struct host {
    const char *name;
    uint64_t documents, whole, changed, words, words_gone;
};
PD_VEC(hosts, struct host);

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct host *)x)->name, ((const struct host *)y)->name);
}

static int count_document(struct pd_changes *c, uint64_t doc, struct host *h)
{
    const struct pd_changed *w;
    uint64_t words;
    PD_TRY(pd_dedup_doc(c->d, PD_DOC_WORDS, doc, &words));
    PD_TRY(pd_changes_of(c, doc, &w));
    h->documents++;
    h->words += words;
    if (!w)
        return PD_OK;
    h->whole += w->gone;
    h->changed += !w->gone;
    PD_TRY(pd_changes_removals(c, w));
    for (size_t k = 0; k < c->removals.n && !w->gone; k++)
        h->words_gone += c->removals.v[k].words;
    h->words_gone += w->gone ? w->w.nwords : 0;
    return PD_OK;
}

/* Count the documents that may lose text by their hosts, whose names go to `names`. */
static int count_hosts(struct pd_dedup *d, struct pd_names *names, struct hosts *hosts)
{
    static const char *const columns[] = {"host", NULL};
    struct pd_table_reader t;
    struct pd_changes changes = {.d = d};
    int status = pd_table_open(&t, d->result, "documents", columns);
    while (status >= 0 && t.next < d->targets && (status = pd_table_next(&t)) == PD_OK) {
        size_t bytes;
        const char *host = pd_table_text(&t, 0, &bytes);
        if (bytes == 0)
            continue;
        const uint64_t at = pd_names_put(names, host, bytes, hosts->n);
        if (at == hosts->n)
            hosts_push(hosts, (struct host){.documents = 0});
        status = count_document(&changes, t.row, &hosts->v[at]);
    }
    pd_table_close(&t);
    pd_changes_release(&changes);
    return status;
}

static void print_host(const struct pd_dedup *d, const struct host *h, struct pd_bytes *to)
{
    pd_bytes_print(to, "{\"host\":");
    pd_json_quote(to, h->name, strlen(h->name));
    pd_bytes_print(to, ",\"documents\":{\"before\":%llu,\"after\":%llu,\"changed\":%llu}",
                   pd_ull(h->documents), pd_ull(h->documents - h->whole), pd_ull(h->changed));
    if (d->has_words)
        pd_bytes_print(to, ",\"words\":{\"before\":%llu,\"after\":%llu}", pd_ull(h->words),
                       pd_ull(h->words - h->words_gone));
    pd_bytes_print(to, "}");
}

int pd_dedup_print_hosts(struct pd_dedup *d, struct pd_bytes *to)
{
    struct pd_names names = {0};
    struct hosts hosts = {0};
    uint64_t shown = 0;
    if (!pd_result_has(d->result, "documents", "host"))
        return PD_OK;
    const int status = count_hosts(d, &names, &hosts);
    for (size_t k = 0; k < hosts.n; k++) /* names are numbered as they were put */
        hosts.v[k].name = (const char *)names.text.v + names.names.v[k].at;
    if (hosts.n)
        qsort(hosts.v, hosts.n, sizeof *hosts.v, by_name);
    pd_bytes_print(to, ",\"hosts\":[");
    for (size_t k = 0; k < hosts.n; k++)
        if (hosts.v[k].whole || hosts.v[k].changed) {
            pd_bytes_print(to, "%s\n", shown++ ? "," : "");
            print_host(d, &hosts.v[k], to);
        }
    pd_bytes_print(to, "]");
    pd_names_release(&names);
    hosts_release(&hosts);
    return status;
}

/*
 * run/job/dedup/write/aside_text.c - aside.txt.zst: text that the result sets aside, for --ignore
 * of a second job.
 */
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "run/job/dedup/write/part_files.h"
#include "run/job/dedup/write/write.h"

enum { SEEN_LOG = 18 }; /* texts that are known, by hash: what is forgotten is written again */

static const char title[] = "Text that pardup detect has set aside: for --ignore.\n";

struct aside_text {
    struct pd_dedup *d;
    struct pd_packer packer;
    struct pd_output to; /* its path is NULL: there was no text yet */
    uint64_t *seen;
    struct pd_bytes spans, text;
};

/* Write a text with an empty line before it, unless it was written already. */
static int write_text(struct aside_text *a, const unsigned char *text, size_t n)
{
    const uint64_t hash = pd_hash_bytes(text, n);
    uint64_t *seen = &a->seen[hash >> (64 - SEEN_LOG)];
    if (*seen == hash)
        return PD_OK;
    *seen = hash;
    if (!a->to.path) {
        PD_TRY(pd_output_open_proof(a->d, &a->to, PD_DEDUP_ASIDE));
        PD_TRY(pd_packer_add(&a->packer, title, sizeof title - 1, a->to.file));
    }
    PD_TRY(pd_packer_add(&a->packer, "\n", 1, a->to.file));
    PD_TRY(pd_packer_add(&a->packer, text, n, a->to.file));
    return pd_packer_add(&a->packer, "\n", 1, a->to.file);
}

static int write_asides(struct aside_text *a)
{
    const uint64_t places = a->d->firsts[a->d->comm->size];
    struct pd_worded w;
    for (uint64_t place = 0; place < places; place++) {
        PD_TRY(pd_dedup_worded(a->d, place, &w));
        if (w.asides == 0)
            continue;
        PD_TRY(pd_dedup_asides(a->d, &w, &a->spans));
        PD_TRY(pd_dedup_text(a->d, &w, &a->text));
        const struct pd_cut *spans = (const struct pd_cut *)(const void *)a->spans.v;
        for (uint64_t k = 0; k < w.asides; k++) {
            if (spans[k].begin > spans[k].end || spans[k].end > a->text.n)
                return pd_fail(PD_EFORMAT, "%s: /aside_spans do not lie in their documents",
                               pd_result_path(a->d->result));
            PD_TRY(write_text(a, a->text.v + spans[k].begin, spans[k].end - spans[k].begin));
        }
    }
    return a->to.path ? pd_packer_finish(&a->packer, a->to.file) : PD_OK;
}

int pd_dedup_write_asides(struct pd_dedup *d)
{
    struct aside_text a = {.d = d, .packer = {.packing = PD_PACK_ZSTD}};
    a.seen = pd_zeroed((size_t)1 << SEEN_LOG, sizeof *a.seen);
    const int status = write_asides(&a);
    free(a.seen);
    pd_packer_release(&a.packer);
    PD_RELEASE(pd_bytes, &a.spans, &a.text);
    return a.to.path ? pd_output_close(&a.to, status) : status;
}

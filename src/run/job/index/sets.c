/* run/job/index/sets.c - see src/run/job/index/sources.h */
#include "sources.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "pardup/index/segment.h"

enum { PART_SIGNATURES = 8192 }; /* most signatures of a set in one record */

/* A part of a set. Equal sets of several units come several times. Order: name, part. */
struct part {
    uint32_t size; /* bytes of the record */
    uint32_t n;    /* signatures in `v` */
    pd_sig name;
    uint64_t part; /* of the set, from 0 */
    pd_sig v[];
};

/* Sign the next unit that has a set. PD_OK, PD_END, PD_EIO or PD_EFORMAT. */
static int next_set(struct pd_set_stream *s)
{
    struct pd_signing *signing = s->signing;
    uint64_t more;
    for (; s->doc < signing->job->collection.ndocs; s->doc++, s->unit = 0) {
        if (s->unit == 0)
            PD_TRY(pd_signing_load(signing, s->doc));
        while (s->unit < signing->units->n) {
            const size_t n = pd_signing_sign(signing, s->unit++);
            if (n == 0)
                continue;
            s->name =
                pd_segment_name_of(pd_signer_identity(&signing->signer, &more), PD_SEGMENT_NAME);
            s->set.n = s->sent = s->part = 0;
            pd_u64s_append(&s->set, signing->signer.set.v, n);
            pd_sort_records(s->set.v, n, 1, 1);
            return PD_OK;
        }
    }
    return PD_END;
}

static int fill_parts(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_set_stream *s = ctx;
    for (*n = 0;;) {
        if (s->sent == s->set.n)
            PD_PASS(next_set(s));
        struct part *part = (struct part *)(void *)(to + *n);
        const size_t take = pd_min_size(s->set.n - s->sent, PART_SIGNATURES);
        const size_t size = sizeof *part + take * sizeof *part->v;
        if (size > cap - *n)
            return PD_OK;
        *part = (struct part){(uint32_t)size, (uint32_t)take, s->name, s->part++};
        memcpy(part->v, s->set.v + s->sent, take * sizeof *part->v);
        s->sent += take;
        *n += size;
    }
}

static const struct pd_flow parts_flow = {
    .name = "sets", .budget = PD_BUDGET_INDEX_SETS, .key_at = 1, .keys = 2, .goes = PD_TO_FIRST};

int pd_set_stream_send(struct pd_set_stream *s)
{
    pd_shuffle_open(&s->parts, &s->signing->job->transport, &parts_flow, s, NULL);
    return pd_shuffle_gather(&s->parts, fill_parts, s);
}

int pd_set_stream_take(struct pd_set_stream *s, pd_sig name, struct pd_u64s *set)
{
    uint64_t parts = 0;
    const void *rec = NULL;
    int status;
    set->n = 0;
    while ((status = pd_shuffle_look(&s->parts, &rec)) == PD_OK) {
        const struct part *part = rec;
        if (part->name > name)
            break;
        if (part->name == name && part->part == parts) {
            pd_u64s_append(set, part->v, part->n);
            parts++;
        }
        pd_shuffle_pass(&s->parts, part->size);
    }
    return status < 0 ? status : PD_OK;
}

void pd_set_stream_close(struct pd_set_stream *s)
{
    pd_u64s_release(&s->set);
    pd_shuffle_close(&s->parts);
}

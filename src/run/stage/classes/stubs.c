/*
 * run/stage/classes/stubs.c - see src/run/stage/classes/stubs.h
 *
 * Two shuffles. Documents with an address and a short inner text go to the owners of the texts,
 * which judge, and tell the holders which documents are stubs.
 */
#include "stubs.h"

#include "asides.h"
#include "pardup/base/error.h"
#include "pardup/join/stubs.h"
#include "run/stage/collection/site.h"

struct seeking {
    struct pd_job *job;
    uint64_t doc;                /* this rank's next document */
    struct pd_shuffle sightings; /* struct pd_sighting, at the owners of the inner texts */
    struct pd_bytes group;       /* sightings of one inner text, if they are stubs */
    size_t sent;                 /* sightings of `group` whose documents have been told */
    struct pd_u64s *names;       /* receives the names of stubs; NULL: not wanted */
};

/* Make the sighting of a document. False: it cannot be a stub. */
static bool sight(const struct pd_collection *col, const struct pd_held *held,
                  struct pd_sighting *out)
{
    const struct pd_docrec *d = held->rec;
    const char *id = pd_collection_id(col, held);
    const uint64_t words = d->words - d->frame_words;
    struct pd_address address;
    if (!pd_stub_fits(words) || d->host == PD_SITE_NONE || !pd_site_is_host(d->host) ||
        !pd_address_of(id, d->id_n, id + d->id_n, d->url_n, &address))
        return false;
    *out = (struct pd_sighting){pd_stub_text(d->host, d->inner_hash), address.name, address.all,
                                held->number, words};
    return true;
}

static int next_sighting(void *ctx, void *rec)
{
    struct seeking *s = ctx;
    struct pd_collection *col = &s->job->collection;
    struct pd_held held;
    do {
        if (s->doc == col->ndocs)
            return PD_END;
        PD_TRY(pd_collection_nth(col, s->doc++, &held));
    } while (!sight(col, &held, rec));
    return PD_OK;
}

static int next_stub(void *ctx, void *rec)
{
    struct seeking *s = ctx;
    const struct pd_sighting *v;
    while (s->sent == s->group.n / sizeof *v) {
        s->sent = 0;
        PD_PASS(pd_shuffle_group(&s->sightings, 1, &s->group));
        v = (const struct pd_sighting *)(const void *)s->group.v;
        if (!pd_stub_judge(v, s->group.n / sizeof *v))
            s->group.n = 0;
        else if (s->names)
            pd_u64s_push(s->names, pd_aside_stub(v->text));
    }
    v = (const struct pd_sighting *)(const void *)s->group.v;
    *(pd_doc *)rec = v[s->sent++].doc;
    return PD_OK;
}

static const struct pd_flow sightings_flow = {.name = "sightings",
                                              .budget = PD_BUDGET_SIGHTINGS,
                                              .size = sizeof(struct pd_sighting),
                                              .keys = PD_SIGHTING_U64S,
                                              .goes = PD_BY_HASH,
                                              .lone_useless = true};
static const struct pd_flow stubs_flow = {.name = "stubs",
                                          .budget = PD_BUDGET_STUBS,
                                          .size = sizeof(pd_doc),
                                          .keys = 1,
                                          .owner = pd_to_holder};

int pd_stubs_find(struct pd_job *job, struct pd_shuffle *stubs, struct pd_u64s *names)
{
    struct seeking s = {.job = job, .names = names};
    pd_shuffle_open(&s.sightings, &job->transport, &sightings_flow, NULL, NULL);
    pd_shuffle_open(stubs, &job->transport, &stubs_flow, &job->collection, NULL);
    const int status = pd_ask(&s.sightings, next_sighting, &s, stubs, next_stub, &s);
    pd_bytes_release(&s.group);
    return status;
}

int pd_stubs_have(struct pd_shuffle *stubs, pd_doc doc, bool *found)
{
    const void *rec;
    const int status = pd_shuffle_seek(stubs, doc, &rec);
    *found = rec && *(const pd_doc *)rec == doc;
    return status;
}

/*
 * run/stage/align/expand.c - see src/run/stage/align/expand.h
 *
 * A class is expanded with itself, then with each of its partners in both directions, as either may
 * have the document with the smaller number. A class with anchors (join/anchors.h) has its other
 * occurrences as partners, and is not expanded with itself. First documents are targets, second
 * documents are sources. If units may be off the index side (feature/units.h), the unit of the
 * first document has to be on it. With --within, a document also matches itself.
 */
#include "expand.h"

#include "pardup/base/error.h"
#include "pardup/base/search.h"

/* Begin to read the files of element e->joined. */
static void begin_files(struct pd_expanding *e)
{
    const struct pd_joined *j = &e->job->matches.joined.v[e->joined];
    pd_cursor_begin(&e->classes, j->classes, 0, pd_packed_blocks(j->classes));
    pd_cursor_begin(&e->partners, j->partners, 0, j->partners ? pd_packed_blocks(j->partners) : 0);
    e->partner = NULL;
}

void pd_expanding_begin(struct pd_expanding *e, struct pd_job *job, pd_doc from)
{
    *e = (struct pd_expanding){.job = job, .from = from};
    e->expansion.within = job->options->method.within;
    for (size_t k = 0; k < job->matches.joined.n; k++)
        e->all += pd_packed_blocks(job->matches.joined.v[k].classes);
    if (job->matches.joined.n)
        begin_files(e);
}

/* The index of the first occurrence in a document numbered `doc` or more; n: there is none. */
static size_t first_from(const struct pd_occurrence *v, size_t n, pd_doc doc)
{
    return pd_search_first_u32(v, n, sizeof *v, offsetof(struct pd_occurrence, doc), doc);
}

/* The occurrences in documents of a side: a range of v, which is in order of document. */
static const struct pd_occurrence *on_side(const struct pd_side *side,
                                           const struct pd_occurrence *v, size_t *n)
{
    if (pd_side_is_all(side))
        return v;
    const size_t from = first_from(v, *n, side->from), to = first_from(v, *n, side->to);
    *n = to - from;
    return v + from;
}

/*
 * The occurrences that may be in the first document of a pair: all, or a copy without units off the
 * index side. `which`: the list for the copy, 0 for units of the class, 1 for units of the partner.
 */
static const struct pd_occurrence *indexed(struct pd_expanding *e, int which,
                                           const struct pd_occurrence *v, size_t *n)
{
    struct pd_occurrences *copy = &e->indexed[which];
    if (!pd_units_sided(&e->job->form))
        return v;
    copy->n = 0;
    for (size_t k = 0; k < *n; k++)
        if (!(v[k].flags & PD_QUERY_ONLY))
            pd_occurrences_push(copy, v[k]);
    *n = copy->n;
    return copy->v;
}

/* Begin to expand units a of first documents with units b of second documents. */
static void expand(struct pd_expanding *e, int which, struct pd_matching of)
{
    of.a = indexed(e, which, on_side(&e->job->targets, of.a, &of.na), &of.na);
    of.b = on_side(&e->job->sources, of.b, &of.nb);
    pd_expansion_begin(&e->expansion, &of, e->from);
}

/* The index of the first of n occurrences in order of tier that is in `tier` or a later one. */
static size_t first_of_tier(const struct pd_occurrence *v, size_t n, uint32_t tier)
{
    return pd_search_first_u32(v, n, sizeof *v, offsetof(struct pd_occurrence, flags),
                               (uint64_t)tier << PD_FLAG_BITS);
}

/* The occurrences of the class that match the partner: of a class with anchors, one tier. */
static const struct pd_occurrence *matching(const struct pd_expanding *e, size_t *n)
{
    const struct pd_class *c = e->class;
    *n = c->n;
    if (!(c->flags & PD_ANCHORS))
        return c->at;
    const uint32_t tier = pd_tier_of(e->partner->at);
    const size_t from = first_of_tier(c->at, c->n, tier);
    *n = first_of_tier(c->at, c->n, tier + 1) - from;
    return c->at + from;
}

/* Read the next class, from this file or the next file. PD_END: there is no more class. */
static int next_class(struct pd_expanding *e)
{
    const unsigned char *rec;
    size_t n;
    while (e->joined < e->job->matches.joined.n) {
        const int status = pd_cursor_look(&e->classes, &rec, &n);
        if (status == PD_OK) {
            e->class = (const struct pd_class *)(const void *)rec;
            e->classes.at += pd_class_bytes(e->class);
        }
        if (status != PD_END)
            return status;
        e->done += e->classes.end;
        e->classes.next = 0;
        if (++e->joined < e->job->matches.joined.n)
            begin_files(e);
    }
    return PD_END;
}

/* Read the next partner, unless it has been read. PD_END: it is not a partner of this class. */
static int next_partner(struct pd_expanding *e)
{
    const unsigned char *rec;
    size_t n;
    if (!e->partner) {
        const int status = pd_cursor_look(&e->partners, &rec, &n);
        if (status != PD_OK)
            return status;
        e->partner = (const struct pd_partner *)(const void *)rec;
    }
    return e->partner->number == e->class->number ? PD_OK : PD_END;
}

static void pass_partner(struct pd_expanding *e)
{
    e->partners.at += sizeof *e->partner + e->partner->n * sizeof *e->partner->at;
    e->partner = NULL;
}

/* Begin the next expansion. PD_END: there is no more class. */
static int next_expansion(struct pd_expanding *e)
{
    const struct pd_class *c;
    const struct pd_occurrence *at;
    size_t n;
    int status;
    switch (e->step) {
    case PD_EXPAND_NEXT:
        status = next_class(e);
        if (status != PD_OK)
            return status;
        c = e->class;
        n = c->flags & PD_ANCHORS ? 0 : c->n; /* the others are its partners */
        expand(e, 0, (struct pd_matching){c->at, c->at, n, n, 1});
        e->step = PD_EXPAND_SELF;
        return PD_OK;
    case PD_EXPAND_THERE:
        at = matching(e, &n);
        expand(e, 1,
               (struct pd_matching){e->partner->at, at, e->partner->n, n, e->partner->similarity});
        e->step = PD_EXPAND_BACK;
        return PD_OK;
    case PD_EXPAND_BACK:
        pass_partner(e);
        /* fall through */
    case PD_EXPAND_SELF:
        status = next_partner(e);
        if (status < 0)
            return status;
        if (status == PD_END) {
            e->step = PD_EXPAND_NEXT;
            return next_expansion(e);
        }
        at = matching(e, &n);
        expand(e, 0,
               (struct pd_matching){at, e->partner->at, n, e->partner->n, e->partner->similarity});
        e->step = PD_EXPAND_THERE;
        return PD_OK;
    }
    return PD_END;
}

int pd_expanding_fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_expanding *e = ctx;
    size_t more;
    *n = 0;
    for (;;) {
        const int done = pd_expansion_write(&e->expansion, to + *n, cap - *n, &more);
        *n += more;
        if (!done)
            break;
        const int status = next_expansion(e);
        if (status != PD_OK)
            return status;
    }
    pd_stages_progress(&e->job->stages, e->done + e->classes.next, e->all, 0, 0);
    return PD_OK;
}

void pd_expanding_release(struct pd_expanding *e)
{
    PD_RELEASE(pd_cursor, &e->classes, &e->partners);
    pd_expansion_release(&e->expansion);
    PD_RELEASE(pd_occurrences, &e->indexed[0], &e->indexed[1]);
}

/* store/merge.c - see merge.h */
#include "merge.h"

#include "pardup/base/error.h"

/* A run while it is read. */
struct source {
    uint32_t next, end;       /* blocks [next, end) are still to be read */
    struct pd_bytes block;    /* the current block */
    const unsigned char *rec; /* the current record, in `block`; NULL: no record is left */
    size_t size;              /* bytes of the current record */
    uint64_t first;           /* first u64 of its key; UINT64_MAX if no record is left */
};

struct pd_merge {
    struct pd_packed *file; /* borrowed */
    struct pd_shape shape;
    size_t longest; /* bytes of the longest block */
    uint32_t n;     /* sources */
    struct source *sources;
    /*
     * The tree of losers. Node k, 0 < k < n, has the children 2k and 2k + 1; node n + s is source
     * s. tree[k] is the number of the source that lost at node k; tree[0] is the winner of all.
     */
    uint32_t *tree;
};

/* u64 k of the key of a record. */
static uint64_t key_u64(const struct pd_merge *m, const unsigned char *rec, unsigned k)
{
    uint64_t value;
    memcpy(&value, rec + (m->shape.key_at + k) * sizeof value, sizeof value);
    return value;
}

/* precedes() for two sources with equal `first`. */
static bool precedes_by_rest(const struct pd_merge *m, const struct source *a,
                             const struct source *b)
{
    if (!a->rec || !b->rec)
        return a->rec;
    for (unsigned k = 1; k < m->shape.keys; k++) {
        const uint64_t x = key_u64(m, a->rec, k), y = key_u64(m, b->rec, k);
        if (x != y)
            return x < y;
    }
    return a < b;
}

/* The record of source x comes before the record of source y. */
static inline bool precedes(const struct pd_merge *m, uint32_t x, uint32_t y)
{
    const struct source *a = &m->sources[x], *b = &m->sources[y];
    return a->first != b->first ? a->first < b->first : precedes_by_rest(m, a, b);
}

/* Make `rec` the current record of a source. */
static inline void set_current(const struct pd_merge *m, struct source *s, const unsigned char *rec)
{
    s->rec = rec;
    s->size = pd_shape_size(&m->shape, rec);
    s->first = key_u64(m, rec, 0);
}

/* Load the next block of a source and make its first record the current one. */
static int next_block(const struct pd_merge *m, struct source *s)
{
    if (s->next == s->end) {
        pd_bytes_release(&s->block);
        s->rec = NULL;
        s->first = UINT64_MAX;
        return PD_OK;
    }
    pd_bytes_reserve(&s->block, m->longest); /* in one step: growing would take more memory */
    PD_TRY(pd_packed_load(m->file, s->next, &s->block));
    s->next++;
    set_current(m, s, s->block.v);
    return PD_OK;
}

/* Play the matches of a subtree. Returns the number of the source that wins it. */
static uint32_t play(struct pd_merge *m, uint32_t node)
{
    if (node >= m->n)
        return node - m->n;
    const uint32_t a = play(m, 2 * node), b = play(m, 2 * node + 1);
    const bool a_wins = precedes(m, a, b);
    m->tree[node] = a_wins ? b : a;
    return a_wins ? a : b;
}

/* Play the matches of source `who` again, as it has a new record. */
static inline void replay(struct pd_merge *m, uint32_t who)
{
    for (uint32_t node = (m->n + who) / 2; node > 0; node /= 2) {
        const uint32_t other = m->tree[node];
        if (precedes(m, other, who)) {
            m->tree[node] = who;
            who = other;
        }
    }
    m->tree[0] = who;
}

struct pd_merge *pd_merge_new(struct pd_packed *f, const struct pd_sorted_run *runs, size_t n,
                              const struct pd_shape *shape, size_t longest)
{
    PD_CHECK(n > 0 && n < UINT32_MAX / 2);
    struct pd_merge *m = pd_realloc(NULL, 1, sizeof *m);
    *m = (struct pd_merge){.file = f, .shape = *shape, .longest = longest, .n = (uint32_t)n};
    m->sources = pd_realloc(NULL, n, sizeof *m->sources);
    m->tree = pd_realloc(NULL, n, sizeof *m->tree);
    for (size_t k = 0; k < n; k++)
        m->sources[k] = (struct source){.next = runs[k].from, .end = runs[k].to};
    for (size_t k = 0; k < n; k++)
        if (next_block(m, &m->sources[k]) < 0) {
            pd_merge_free(m);
            return NULL;
        }
    m->tree[0] = play(m, 1);
    return m;
}

int pd_merge_next(struct pd_merge *m, size_t most, struct pd_bytes *to)
{
    to->n = 0;
    pd_bytes_reserve(to, most);
    for (;;) {
        const uint32_t who = m->tree[0];
        struct source *s = &m->sources[who];
        if (!s->rec)
            return to->n ? PD_OK : PD_END;
        if (to->n && to->n + s->size > most)
            return PD_OK;
        pd_bytes_append(to, s->rec, s->size);
        const unsigned char *rec = s->rec + s->size;
        if (rec < s->block.v + s->block.n)
            set_current(m, s, rec);
        else
            PD_TRY(next_block(m, s));
        replay(m, who);
    }
}

void pd_merge_free(struct pd_merge *m)
{
    if (!m)
        return;
    for (uint32_t k = 0; k < m->n; k++)
        pd_bytes_release(&m->sources[k].block);
    PD_FREE(m->sources, m->tree, m);
}

/*
 * passage/best/best_classes.c - see src/passage/best_inside.h
 *
 * Each unit has one class, so a document is a sequence of classes, and a run is a stretch of
 * classes that stands in both. The units of both documents that have a class are held one after the
 * other. A run of at least L dots begins where L classes are equal and the classes before are not.
 * So units are grouped by the name of the L classes from there on, and by the class before.
 * Names of 2 L classes are made from pairs of names of L classes, as in the construction of suffix
 * arrays: Manber, Myers, "Suffix Arrays", SIAM J. Comput. 1993. How far a run reaches is told by
 * hashes of stretches, as in Karp, Rabin, IBM J. Res. Dev. 1987.
 */
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "passage/best_inside.h"

#define NO_CLASS UINT32_MAX /* the class of a unit without a dot */

PD_VEC(numbers, uint32_t);

struct group_entry { /* a unit in its group. Order: name, class before, index */
    uint64_t name_before, at;
};
PD_VEC(group_entries, struct group_entry);

struct part { /* units of b in a group, with the same class before: entries[begin, end) */
    uint32_t before;
    size_t begin, end;
};
PD_VEC(parts, struct part);

struct sequences {
    size_t na, n;          /* units of a, of both; the units of a come first */
    struct numbers unit;   /* for each: the unit */
    struct numbers class;  /* its class */
    struct numbers ahead;  /* consecutive units from it on, with it */
    struct numbers back;   /* consecutive units up to it, with it */
    struct numbers name;   /* the name of `length` classes from it on, where `ahead` allows it */
    struct pd_u64s hashes; /* hash of all classes before it; one more in the end */
    struct pd_u64s powers; /* powers of the base of hashes */
    uint32_t length;       /* of the stretches that have names */
    struct group_entries entries;
    struct parts parts;
    const struct pd_run_choice *choice;
    struct pd_dot_runs *out;
};

/* ---- classes of a pair ---- */

static uint32_t root_of(uint32_t *parent, uint32_t k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]]; /* path halving */
        k = parent[k];
    }
    return k;
}

/* Sort the entries pd_ij(unit, block), and unite blocks that share a unit. */
static void unite_blocks(struct pd_u64s *entries, uint32_t *parent)
{
    pd_sort_records(entries->v, entries->n, 1, 1);
    for (size_t k = 1; k < entries->n; k++)
        if (entries->v[k] >> 32 == entries->v[k - 1] >> 32) {
            const uint32_t x = root_of(parent, (uint32_t)entries->v[k]);
            const uint32_t y = root_of(parent, (uint32_t)entries->v[k - 1]);
            parent[pd_max_u32(x, y)] = pd_min_u32(x, y);
        }
}

/* Append the units of one document, given its sorted entries. */
static void append_units(struct sequences *s, const struct pd_u64s *entries, uint32_t *parent)
{
    const size_t first = s->n;
    for (size_t k = 0; k < entries->n; k++) {
        const uint32_t unit = (uint32_t)(entries->v[k] >> 32);
        if (k > 0 && entries->v[k - 1] >> 32 == unit)
            continue;
        const bool follows = s->n > first && s->unit.v[s->n - 1] + 1 == unit;
        numbers_push(&s->unit, unit);
        numbers_push(&s->class, root_of(parent, (uint32_t)entries->v[k]));
        uint32_t back = 1;
        if (follows) /* no conditional expression: scripts/check/guarded_loads.py says why */
            back += s->back.v[s->n - 1];
        numbers_push(&s->back, back);
        s->n++;
    }
    numbers_reserve(&s->ahead, s->n);
    for (size_t k = s->n; k-- > first;) {
        s->ahead.v[k] = 1;
        if (k + 1 < s->n && s->back.v[k + 1] > 1)
            s->ahead.v[k] += s->ahead.v[k + 1];
    }
}

/* True if the blocks have exactly the dots of equal classes. */
static bool is_product(const struct sequences *s, const struct pd_block *const *blocks, size_t n)
{
    struct pd_u64s sizes = {0}; /* pd_ij(units of a, units of b) of each class */
    uint64_t dots = 0, product = 0;
    pd_u64s_reserve(&sizes, n);
    memset(sizes.v, 0, n * sizeof *sizes.v);
    for (size_t k = 0; k < s->n; k++)
        sizes.v[s->class.v[k]] += k < s->na ? pd_ij(1, 0) : 1;
    for (size_t k = 0; k < n; k++) {
        dots += (uint64_t)blocks[k]->ni * blocks[k]->nj;
        product += (sizes.v[k] >> 32) * (uint32_t)sizes.v[k];
    }
    pd_u64s_release(&sizes);
    return dots == product;
}

/* Read the sequences of a pair. False: units do not have one class each. */
static bool read_classes(struct sequences *s, const struct pd_block *const *blocks, size_t n)
{
    struct pd_u64s a = {0}, b = {0};
    uint32_t *parent = pd_realloc(NULL, n, sizeof *parent);
    bool similar = false;
    for (uint32_t k = 0; k < n; k++) {
        parent[k] = k;
        similar |= pd_block_similarity(blocks[k]) < 1;
        for (uint32_t u = 0; u < blocks[k]->ni; u++)
            pd_u64s_push(&a, pd_ij(blocks[k]->units[u], k));
        for (uint32_t u = 0; u < blocks[k]->nj; u++)
            pd_u64s_push(&b, pd_ij(blocks[k]->units[blocks[k]->ni + u], k));
    }
    if (!similar) {
        unite_blocks(&a, parent);
        unite_blocks(&b, parent);
        append_units(s, &a, parent);
        s->na = s->n;
        append_units(s, &b, parent);
    }
    PD_RELEASE(pd_u64s, &a, &b);
    free(parent);
    return !similar && is_product(s, blocks, n);
}

/* ---- how far two stretches are equal ---- */

#define PRIME (((uint64_t)1 << 61) - 1)
#define BASE  0x0123456789ABCDEFu /* any number below PRIME */

/* x * y modulo PRIME. */
static uint64_t times(uint64_t x, uint64_t y)
{
    const unsigned __int128 z = (unsigned __int128)x * y;
    const uint64_t sum = (uint64_t)(z & PRIME) + (uint64_t)(z >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t plus(uint64_t x, uint64_t y) { return x + y >= PRIME ? x + y - PRIME : x + y; }

static void make_hashes(struct sequences *s)
{
    pd_u64s_push(&s->hashes, 0);
    pd_u64s_push(&s->powers, 1);
    for (size_t k = 0; k < s->n; k++) {
        pd_u64s_push(&s->hashes, plus(times(s->hashes.v[k], BASE), (uint64_t)s->class.v[k] + 1));
        pd_u64s_push(&s->powers, times(s->powers.v[k], BASE));
    }
}

/* The hash of n classes from index k on. */
static uint64_t hash_of(const struct sequences *s, size_t k, uint32_t n)
{
    return plus(s->hashes.v[k + n], PRIME - times(s->hashes.v[k], s->powers.v[n]));
}

/* The number of equal classes from indices k and m on. */
static uint32_t equal_ahead(const struct sequences *s, size_t k, size_t m)
{
    const uint32_t most = pd_min_u32(s->ahead.v[k], s->ahead.v[m]);
    uint32_t n = 0, step = 1;
    while (step <= most - n && hash_of(s, k + n, step) == hash_of(s, m + n, step)) {
        n += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (step <= most - n && hash_of(s, k + n, step) == hash_of(s, m + n, step))
            n += step;
    return n;
}

/* The number of equal classes before indices k and m. */
static uint32_t equal_back(const struct sequences *s, size_t k, size_t m)
{
    const uint32_t most = pd_min_u32(s->back.v[k], s->back.v[m]) - 1;
    uint32_t n = 0, step = 1;
    while (step <= most - n && hash_of(s, k - n - step, step) == hash_of(s, m - n - step, step)) {
        n += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (step <= most - n && hash_of(s, k - n - step, step) == hash_of(s, m - n - step, step))
            n += step;
    return n;
}

/* ---- runs ---- */

/* Take up a run of n dots from indices k of a and m of b on. */
static void add_run(struct sequences *s, size_t k, size_t m, uint32_t n)
{
    if (n >= s->choice->least)
        pd_runs_add(s->out, s->unit.v[k], s->unit.v[m], n, (uint64_t)n * PD_DOT_WEIGHT);
}

/* Sort the units that begin a stretch of s->length units by name and class before. */
static void sort_entries(struct sequences *s)
{
    s->entries.n = 0;
    for (size_t k = 0; k < s->n; k++)
        if (s->ahead.v[k] >= s->length) {
            const uint32_t before = s->back.v[k] > 1 ? s->class.v[k - 1] : NO_CLASS;
            group_entries_push(&s->entries, (struct group_entry){pd_ij(s->name.v[k], before), k});
        }
    pd_sort_records(s->entries.v, s->entries.n, 2, 2);
}

/* The end of the group (same = 32) or subgroup (same = 0: same class before, too) at `begin`. */
static size_t group_end(const struct sequences *s, size_t begin, unsigned same)
{
    const struct group_entry *v = s->entries.v;
    size_t end = begin + 1;
    while (end < s->entries.n && v[end].name_before >> same == v[begin].name_before >> same)
        end++;
    return end;
}

/* The first unit of b in entries[begin, end), which have the same name and class before. */
static size_t first_of_b(const struct sequences *s, size_t begin, size_t end)
{
    while (begin < end && s->entries.v[begin].at < s->na)
        begin++;
    return begin;
}

/* The number of runs of at least s->length dots. */
static uint64_t count_runs(const struct sequences *s)
{
    uint64_t runs = 0;
    for (size_t begin = 0, end; begin < s->entries.n; begin = end) {
        uint64_t na = 0, nb = 0;
        end = group_end(s, begin, 32);
        for (size_t from = begin, to; from < end; from = to) {
            to = group_end(s, from, 0);
            const uint64_t x = first_of_b(s, from, to) - from, y = to - from - x;
            na += x;
            nb += y;
            if ((uint32_t)s->entries.v[from].name_before != NO_CLASS)
                runs -= x * y; /* dots with the same class before continue a run */
        }
        runs += na * nb;
    }
    return runs;
}

/* Take up the runs that begin at unit k of a, which has this class before. */
static void add_starts(struct sequences *s, size_t k, uint32_t before)
{
    for (size_t p = 0; p < s->parts.n; p++) {
        const struct part *part = &s->parts.v[p];
        if (part->before == before && before != NO_CLASS)
            continue;
        for (size_t e = part->begin; e < part->end; e++) {
            const size_t m = (size_t)s->entries.v[e].at;
            add_run(s, k, m, equal_ahead(s, k, m));
        }
    }
}

/* Take up all runs of at least s->length dots. */
static void add_long(struct sequences *s)
{
    for (size_t begin = 0, end; begin < s->entries.n; begin = end) {
        end = group_end(s, begin, 32);
        s->parts.n = 0;
        for (size_t from = begin, to; from < end; from = to) {
            to = group_end(s, from, 0);
            const size_t b = first_of_b(s, from, to);
            if (b < to)
                parts_push(&s->parts,
                           (struct part){(uint32_t)s->entries.v[from].name_before, b, to});
        }
        for (size_t e = begin; s->parts.n && e < end; e++)
            if (s->entries.v[e].at < s->na)
                add_starts(s, (size_t)s->entries.v[e].at, (uint32_t)s->entries.v[e].name_before);
        if (s->choice->stopping && s->choice->stopping())
            return;
    }
}

/* Make the names of stretches of twice the length. */
static void double_names(struct sequences *s)
{
    uint32_t name = 0;
    s->entries.n = 0;
    for (size_t k = 0; k < s->n; k++)
        if (s->ahead.v[k] / 2 >= s->length)
            group_entries_push(&s->entries, (struct group_entry){
                                                pd_ij(s->name.v[k], s->name.v[k + s->length]), k});
    pd_sort_records(s->entries.v, s->entries.n, 2, 2);
    for (size_t e = 0; e < s->entries.n; e++) {
        name += e > 0 && s->entries.v[e].name_before != s->entries.v[e - 1].name_before;
        s->name.v[s->entries.v[e].at] = name;
    }
    s->length *= 2;
}

/* Take up the run of a dot that makes its run count, unless the run counts for its length. */
static void add_short(struct sequences *s, size_t k, size_t m)
{
    const uint32_t back = equal_back(s, k, m), n = back + equal_ahead(s, k, m);
    if (n < s->length)
        add_run(s, k - back, m - back, n);
}

/* Take up the runs of one class that count for a single dot: ni units of a, then nj of b. */
static void add_short_of_class(struct sequences *s, const struct group_entry *v, size_t ni,
                               size_t nj)
{
    const bool rare = ni * nj <= s->choice->limits.rare;
    for (size_t x = 0; x < ni && rare; x++)
        for (size_t y = 0; y < nj; y++)
            add_short(s, v[x].at, v[ni + y].at);
    if (rare || nj == 0)
        return;
    for (size_t x = 0; x < ni; x++) {
        if (x < nj)
            add_short(s, v[x].at, v[ni + x].at);
        add_short(s, v[x].at, v[ni + x * nj / ni].at);
    }
    for (size_t y = 0; y < nj; y++)
        add_short(s, v[y * ni / nj].at, v[ni + y].at);
}

/* Take up all runs of fewer than s->length dots that count for a single dot. */
static void add_all_short(struct sequences *s)
{
    s->entries.n = 0;
    for (size_t k = 0; k < s->n; k++)
        group_entries_push(&s->entries, (struct group_entry){pd_ij(s->class.v[k], 0), k});
    pd_sort_records(s->entries.v, s->entries.n, 2, 2);
    for (size_t begin = 0, end; begin < s->entries.n; begin = end) {
        end = group_end(s, begin, 32);
        const size_t ni = first_of_b(s, begin, end) - begin;
        add_short_of_class(s, s->entries.v + begin, ni, end - begin - ni);
        if (s->choice->stopping && s->choice->stopping())
            return;
    }
}

static void find_runs(struct sequences *s)
{
    make_hashes(s);
    numbers_append(&s->name, s->class.v, s->n);
    s->length = 1;
    sort_entries(s);
    while (count_runs(s) > s->n * s->choice->limits.runs) {
        double_names(s);
        sort_entries(s);
    }
    add_long(s);
    if (s->length > 1)
        add_all_short(s);
    pd_runs_sort(s->out);
}

static void release(struct sequences *s)
{
    PD_RELEASE(numbers, &s->unit, &s->class, &s->ahead, &s->back, &s->name);
    PD_RELEASE(pd_u64s, &s->hashes, &s->powers);
    group_entries_release(&s->entries);
    parts_release(&s->parts);
}

bool pd_runs_of_classes(const struct pd_block *const *blocks, size_t n,
                        const struct pd_run_choice *choice, struct pd_dot_runs *out)
{
    struct sequences s = {.choice = choice, .out = out};
    out->n = 0;
    const bool fits = read_classes(&s, blocks, n);
    if (fits)
        find_runs(&s);
    release(&s);
    return fits;
}

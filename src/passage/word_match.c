/* passage/word_match.c - see include/pardup/passage/word_match.h */
#include "pardup/passage/word_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/sort.h"
#include "pardup/base/vec.h"

enum {
    CELLS_FIRST = 1 << 12, /* pairs of words that are compared without a look for anchors */
    CELLS_MOST = 1 << 22,  /* pairs of words that are compared when there is no anchor */
    DEPTH_MOST = 64,       /* anchors inside anchors inside anchors */
    AGREE_AGAIN = 12,      /* words that agree behind an edit */
    EDIT_MOST = 128,       /* words of an edit, of both sequences together */
    WIDTH = 64,            /* words that are compared as bits of a number */
    MASKS_LOG = 7,
    MASKS = 1 << MASKS_LOG /* places of a table for WIDTH words */
};

struct stretch {
    const uint64_t *a, *b; /* words */
    size_t na, nb;
    size_t begin; /* where a begins in the whole sequence */
    uint32_t *at; /* of the words of b */
};

/* Words that stand once in both. */
struct anchor {
    uint64_t a, b; /* indices */
};
PD_VEC(anchors, struct anchor);

/* A word and where it stands: sorted by both. */
struct place {
    uint64_t word, index;
};

static void match(struct stretch s, int depth);

/* ---- word by word ---- */

/* Which words of b are equal: a mask for each word, whose bit 0 is for the last one. */
struct masks {
    uint64_t word[MASKS], mask[MASKS]; /* open addressing; mask 0: a free place */
};

static size_t place_of(const struct masks *m, uint64_t word)
{
    size_t k = (size_t)(word * 0x9e3779b97f4a7c15u >> (64 - MASKS_LOG));
    while (m->mask[k] != 0 && m->word[k] != word)
        k = (k + 1) % MASKS;
    return k;
}

/* Length of the sequence for the last n words of b, by a row of compare_narrow(). */
static int length_of(uint64_t row, size_t n)
{
    return n == 0 ? 0 : __builtin_popcountll(~row << (WIDTH - n));
}

/*
 * The same as compare_wide() for at most WIDTH words of b: a row of its table is a number, in which
 * bit k is 0 if the sequence for the last k + 1 words of b is longer than that for the last k.
 * Source: Hyyro, "Bit-parallel LCS-length computation revisited", AWOCA 2004, from the end.
 */
static void compare_narrow(const struct stretch *s)
{
    struct masks masks;
    uint64_t *rows = pd_realloc(NULL, s->na + 1, sizeof *rows);
    memset(masks.mask, 0, sizeof masks.mask);
    for (size_t j = 0; j < s->nb; j++) {
        const size_t k = place_of(&masks, s->b[j]);
        masks.word[k] = s->b[j];
        masks.mask[k] |= (uint64_t)1 << (s->nb - 1 - j);
    }
    rows[s->na] = UINT64_MAX;
    for (size_t i = s->na; i-- > 0;) {
        const uint64_t below = rows[i + 1];
        const uint64_t both = below & masks.mask[place_of(&masks, s->a[i])];
        rows[i] = (below + both) | (below - both);
    }
    for (size_t i = 0, j = 0; i < s->na && j < s->nb;) {
        const bool equal = s->a[i] == s->b[j];
        const bool down =
            equal || length_of(rows[i + 1], s->nb - j) >= length_of(rows[i], s->nb - j - 1);
        if (equal)
            s->at[j] = (uint32_t)(s->begin + i + 1);
        i += down;
        j += equal || !down;
    }
    free(rows);
}

/* The longest common subsequence of s, with all pairs of words. */
static void compare_wide(const struct stretch *s)
{
    const size_t width = s->nb + 1;
    uint32_t *lengths = pd_realloc(NULL, 2 * width, sizeof *lengths);
    unsigned char *steps = pd_realloc(NULL, s->na * s->nb, 1); /* 0: both, 1: in a, 2: in b */
    uint32_t *below = lengths, *row = lengths + width;
    memset(lengths, 0, 2 * width * sizeof *lengths);
    for (size_t i = s->na; i-- > 0;) {
        for (size_t j = s->nb; j-- > 0;) {
            const bool equal = s->a[i] == s->b[j], down = below[j] >= row[j + 1];
            row[j] = equal ? below[j + 1] + 1 : down ? below[j] : row[j + 1];
            steps[i * s->nb + j] = equal ? 0 : down ? 1 : 2;
        }
        uint32_t *const swap = below;
        below = row;
        row = swap;
        row[s->nb] = 0;
    }
    for (size_t i = 0, j = 0; i < s->na && j < s->nb;) {
        const unsigned char step = steps[i * s->nb + j];
        if (step == 0)
            s->at[j] = (uint32_t)(s->begin + i + 1);
        i += step != 2;
        j += step != 1;
    }
    free(lengths);
    free(steps);
}

static void compare_all(const struct stretch *s)
{
    if (s->nb <= WIDTH)
        compare_narrow(s);
    else
        compare_wide(s);
}

/* ---- anchors ---- */

static struct place *places_of(const uint64_t *words, size_t n)
{
    struct place *places = pd_realloc(NULL, n, sizeof *places);
    for (size_t k = 0; k < n; k++)
        places[k] = (struct place){words[k], k};
    pd_sort_records(places, n, 2, 2);
    return places;
}

/* Does places[k] have a word that no other one has? */
static bool is_once(const struct place *places, size_t n, size_t k)
{
    return (k == 0 || places[k - 1].word != places[k].word) &&
           (k + 1 == n || places[k + 1].word != places[k].word);
}

/* List the words that stand once in both, in order of b. */
static void find_anchors(const struct stretch *s, struct anchors *found)
{
    struct place *a = places_of(s->a, s->na), *b = places_of(s->b, s->nb);
    for (size_t i = 0, j = 0; i < s->na && j < s->nb;) {
        if (a[i].word == b[j].word && is_once(a, s->na, i) && is_once(b, s->nb, j))
            anchors_push(found, (struct anchor){b[j].index, a[i].index}); /* b first, to sort */
        const bool in_a = a[i].word <= b[j].word, in_b = b[j].word <= a[i].word;
        i += in_a;
        j += in_b;
    }
    free(a);
    free(b);
    pd_sort_records(found->v, found->n, 2, 2);
    for (size_t k = 0; k < found->n; k++)
        found->v[k] = (struct anchor){found->v[k].b, found->v[k].a};
}

/* Keep a longest chain of anchors that ascends in a; they ascend in b. */
static void keep_chain(struct anchors *anchors)
{
    const size_t n = anchors->n;
    size_t *ends = pd_realloc(NULL, 2 * n + 1, sizeof *ends), *before = ends + n, length = 0;
    for (size_t k = 0; k < n; k++) {
        size_t lo = 0,
               hi = length; /* the first chain whose last anchor does not precede this one */
        while (lo < hi) {
            const size_t mid = lo + (hi - lo) / 2;
            if (anchors->v[ends[mid]].a < anchors->v[k].a)
                lo = mid + 1;
            else
                hi = mid;
        }
        before[k] = lo > 0 ? ends[lo - 1] : n;
        ends[lo] = k;
        length = lo == length ? length + 1 : length;
    }
    struct anchor *chain = pd_realloc(NULL, length, sizeof *chain);
    for (size_t k = ends[length - 1], left = length; left > 0; k = before[k])
        chain[--left] = anchors->v[k];
    memcpy(anchors->v, chain, length * sizeof *chain);
    anchors->n = length;
    free(chain);
    free(ends);
}

/* The part of s from its words i, j up to its words to_i, to_j. */
static struct stretch part(const struct stretch *s, size_t i, size_t to_i, size_t j, size_t to_j)
{
    return (struct stretch){s->a + i, s->b + j, to_i - i, to_j - j, s->begin + i, s->at + j};
}

/* Match the words between anchors. False: there is no anchor. */
static bool match_between(const struct stretch *s, int depth)
{
    struct anchors anchors = {0};
    size_t i = 0, j = 0;
    find_anchors(s, &anchors);
    const bool any = anchors.n > 0;
    if (any)
        keep_chain(&anchors);
    for (size_t k = 0; k < anchors.n; k++) {
        const struct anchor at = anchors.v[k];
        match(part(s, i, at.a, j, at.b), depth + 1);
        s->at[at.b] = (uint32_t)(s->begin + at.a + 1);
        i = at.a + 1;
        j = at.b + 1;
    }
    if (any)
        match(part(s, i, s->na, j, s->nb), depth + 1);
    anchors_release(&anchors);
    return any;
}

/* ---- small edits ---- */

/* Do AGREE_AGAIN words agree from a[i] and b[j] on? */
static bool agree(const struct stretch *s, size_t i, size_t j)
{
    return i + AGREE_AGAIN <= s->na && j + AGREE_AGAIN <= s->nb && s->a[i] == s->b[j] &&
           memcmp(s->a + i, s->b + j, AGREE_AGAIN * sizeof *s->a) == 0;
}

/*
 * Match up to where the words agree again, if s begins with a small edit. Most copies have few
 * edits, so that few words need a look for anchors.
 */
static bool pass_edit(struct stretch *s)
{
    for (size_t edit = 1; edit <= EDIT_MOST; edit++)
        for (size_t i = 0; i <= edit; i++) {
            const size_t j = edit - i;
            if (!agree(s, i, j))
                continue;
            const struct stretch before = part(s, 0, i, 0, j);
            if (i > 0 && j > 0)
                compare_all(&before);
            *s = part(s, i, s->na, j, s->nb);
            return true;
        }
    return false;
}

static void match(struct stretch s, int depth)
{
    do {
        while (s.na > 0 && s.nb > 0 && s.a[0] == s.b[0]) {
            s.at[0] = (uint32_t)(s.begin + 1);
            s = part(&s, 1, s.na, 1, s.nb);
        }
        while (s.na > 0 && s.nb > 0 && s.a[s.na - 1] == s.b[s.nb - 1]) {
            s.at[s.nb - 1] = (uint32_t)(s.begin + s.na);
            s.na--;
            s.nb--;
        }
        if (s.na == 0 || s.nb == 0)
            return;
    } while (s.na > CELLS_FIRST / s.nb && pass_edit(&s));
    const bool few = s.na <= CELLS_FIRST / s.nb;
    if (few || depth == DEPTH_MOST || !match_between(&s, depth))
        if (s.na <= CELLS_MOST / s.nb)
            compare_all(&s);
}

void pd_word_match(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint32_t *at)
{
    if (nb > 0) /* memset may not be given NULL */
        memset(at, 0, nb * sizeof *at);
    match((struct stretch){a, b, na, nb, 0, at}, 0);
}

/* tests/stage/slow_rows.c - see tests/stage/slow_rows.h */
#include "slow_rows.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

struct dot {
    uint32_t i, j;
    uint32_t component, chain; /* chain: dots of the longest chain that ends here */
};
enum { DOTS_MOST = 4096 };

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The words of a unit that count, in order. Returns how many. */
static uint32_t counted_of(const struct slow_rows *s, size_t doc, uint32_t unit, uint32_t *out)
{
    const uint32_t *v = stage_words_of(s->d, doc, unit);
    uint32_t n = 0;
    for (uint32_t k = 0; k < stage_unit_of(s->d, doc, unit)->nwords; k++)
        if (s->rule.max_word_df <= 0 || s->counted[v[k]])
            out[n++] = v[k];
    return n;
}

static bool match(const struct slow_rows *s, size_t a, uint32_t i, size_t b, uint32_t j)
{
    uint32_t v[2][64];
    if (!s->rule.any_order)
        return stage_same_words(s->d, a, i, b, j);
    const uint32_t n = counted_of(s, a, i, v[0]), m = counted_of(s, b, j, v[1]);
    qsort(v[0], n, sizeof **v, by_number);
    qsort(v[1], m, sizeof **v, by_number);
    return n > 0 && n == m && memcmp(v[0], v[1], n * sizeof **v) == 0;
}

/* A word counts by how many sources have it; a word that none has counts as if one had it. */
static void count_words(struct slow_rows *s)
{
    const uint32_t last = s->rule.frozen ? s->rule.frozen : UINT32_MAX;
    uint32_t sources = 0;
    for (size_t k = 0; k < s->d->docs.n; k++)
        sources += s->d->docs.v[k].file > 0 && s->d->docs.v[k].file <= last;
    for (uint32_t w = 0; w < SLOW_WORDS && s->rule.max_word_df > 0; w++) {
        uint32_t df = 0;
        for (size_t doc = 0; doc < s->d->docs.n; doc++) {
            const struct stage_doc *at = &s->d->docs.v[doc];
            const uint32_t *v = stage_words_of(s->d, doc, 0);
            uint32_t k = 0;
            while (k < at->nwords && v[k] != w)
                k++;
            df += at->file > 0 && at->file <= last && k < at->nwords;
        }
        s->counted[w] = df <= s->rule.max_word_df * sources;
    }
}

static bool has_sides(const struct slow_rows *s) { return s->d->docs.v[s->d->docs.n - 1].file > 0; }

static bool has_match(const struct slow_rows *s, size_t doc, uint32_t unit, size_t b)
{
    uint32_t j = 0;
    while (j < s->d->docs.v[b].nunits && !match(s, doc, unit, b, j))
        j++;
    return j < s->d->docs.v[b].nunits;
}

/* How many documents have a unit? Targets are left out, or all but its own document. */
static uint32_t documents_with(const struct slow_rows *s, size_t doc, uint32_t unit, bool targets,
                               bool own)
{
    uint32_t found = 0;
    for (size_t b = 0; b < s->d->docs.n; b++)
        found += (targets || s->d->docs.v[b].file > 0 || (own && b == doc)) &&
                 has_match(s, doc, unit, b);
    return found;
}

uint32_t slow_sources_with(const struct slow_rows *s, size_t doc, uint32_t unit)
{
    return documents_with(s, doc, unit, !has_sides(s), false);
}

bool slow_common(const struct slow_rows *s, size_t doc, uint32_t unit)
{
    const bool targets = !has_sides(s) || !s->rule.alone;
    return s->rule.max_df && documents_with(s, doc, unit, targets, true) > s->rule.max_df;
}

/* How many units of its document before a unit match it. */
static uint32_t place_of(const struct slow_rows *s, size_t doc, uint32_t unit)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < unit; k++)
        n += match(s, doc, k, doc, unit);
    return n;
}

/*
 * Do units of a common class match? In its first document, or in its first source of an index, and
 * sixteen by sixteen.
 */
static bool match_first(const struct slow_rows *s, size_t a, uint32_t i, size_t b, uint32_t j)
{
    const bool sides = has_sides(s);
    size_t first = 0;
    while ((sides && s->d->docs.v[first].file == 0) || !has_match(s, a, i, first))
        first++;
    return first == (sides ? b : a) && place_of(s, a, i) / 16 == place_of(s, b, j) / 16;
}

bool slow_match(const struct slow_rows *s, size_t a, uint32_t i, size_t b, uint32_t j)
{
    if (!match(s, a, i, b, j))
        return false;
    if (!slow_common(s, a, i))
        return true;
    return s->rule.common_first && match_first(s, a, i, b, j);
}

static bool linked(const struct dot *from, const struct dot *to, uint32_t gap)
{
    return to->i > from->i && to->i - from->i <= gap + 1 && to->j > from->j &&
           to->j - from->j <= gap + 1;
}

/* Give the dots of each connected component the same number, and each dot its longest chain. */
static void link_dots(struct dot *v, size_t n, uint32_t gap)
{
    for (size_t k = 0; k < n; k++) {
        v[k].component = (uint32_t)k;
        v[k].chain = 1;
        for (size_t m = 0; m < k; m++)
            if (linked(&v[m], &v[k], gap) && v[m].chain + 1 > v[k].chain)
                v[k].chain = v[m].chain + 1;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < n; k++)
            for (size_t m = 0; m < k; m++)
                if (linked(&v[m], &v[k], gap) && v[m].component != v[k].component) {
                    const uint32_t least =
                        v[m].component < v[k].component ? v[m].component : v[k].component;
                    v[m].component = v[k].component = least;
                    changed = true;
                }
    }
}

/* The words of a document, and where each is in its text. */
struct spoken {
    const uint32_t *words;
    uint32_t n;
    struct pd_tokens tokens;
    struct pd_sentences units;
};

static void speak(const struct slow_rows *s, size_t doc, struct spoken *out)
{
    struct pd_bytes text = {0};
    *out = (struct spoken){stage_words_of(s->d, doc, 0), s->d->docs.v[doc].nwords, {0}, {0}};
    stage_tokens(s->d, doc, &out->tokens);
    stage_text(s->d, doc, &text, &out->units);
    pd_bytes_release(&text);
}

static void fall_silent(struct spoken *s)
{
    pd_tokens_release(&s->tokens);
    pd_sentences_release(&s->units);
}

/* Words [begin, end) of a document, and their bytes. */
struct span {
    uint32_t begin, end, from, to;
};

static struct span span_of(const struct spoken *s, uint32_t first, uint32_t last)
{
    const struct pd_sentence *a = &s->units.v[first], *b = &s->units.v[last];
    return (struct span){a->word, b->word + b->nwords, a->begin, b->end};
}

/* Words of the unit before or behind the passage. */
static uint32_t near(const struct spoken *s, uint32_t first, uint32_t last, bool back)
{
    if (back)
        return first ? s->units.v[first - 1].nwords : 0;
    return last + 1 < s->units.n ? s->units.v[last + 1].nwords : 0;
}

static void extend(const struct spoken *a, const struct spoken *b, struct span *x, struct span *y,
                   const uint32_t near_back, const uint32_t near_ahead)
{
    for (uint32_t k = 0;
         k < near_back && x->begin && y->begin && a->words[x->begin - 1] == b->words[y->begin - 1];
         k++) {
        x->from = a->tokens.v[--x->begin].begin;
        y->from = b->tokens.v[--y->begin].begin;
    }
    for (uint32_t k = 0;
         k < near_ahead && x->end < a->n && y->end < b->n && a->words[x->end] == b->words[y->end];
         k++) {
        x->to = a->tokens.v[x->end++].end;
        y->to = b->tokens.v[y->end++].end;
    }
}

/* Words of the longest common subsequence of two spans. */
static uint32_t common_words(const struct spoken *a, const struct spoken *b, struct span x,
                             struct span y)
{
    const size_t width = y.end - y.begin + 1;
    uint32_t *best = calloc((x.end - x.begin + 1) * width, sizeof *best);
    for (uint32_t i = 1; i <= x.end - x.begin; i++)
        for (uint32_t j = 1; j < width; j++) {
            const uint32_t up = best[(i - 1) * width + j], left = best[i * width + j - 1];
            best[i * width + j] = a->words[x.begin + i - 1] == b->words[y.begin + j - 1]
                                      ? best[(i - 1) * width + j - 1] + 1
                                  : up > left ? up
                                              : left;
        }
    const uint32_t found = best[(x.end - x.begin + 1) * width - 1];
    free(best);
    return found;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Make the row of a passage of documents a and b: its first and last units. */
static void add_row(struct slow_rows *s, struct pd_row row, const struct spoken *a,
                    const struct spoken *b, uint32_t last_a, uint32_t last_b)
{
    const uint32_t i = (uint32_t)(row.starts >> 32), j = (uint32_t)row.starts;
    struct span x = span_of(a, i, last_a), y = span_of(b, j, last_b);
    if (s->rule.edges == NEAR_EDGES)
        extend(a, b, &x, &y, larger(near(a, i, last_a, true), near(b, j, last_b, true)),
               larger(near(a, i, last_a, false), near(b, j, last_b, false)));
    const uint32_t words = larger(x.end - x.begin, y.end - y.begin);
    row.lengths = pd_ij(last_a - i + 1, last_b - j + 1);
    row.bytes_a = pd_ij(x.from, x.to);
    row.bytes_b = pd_ij(y.from, y.to);
    row.own = pd_ij(a->n, b->n);
    row.own_a = pd_ij(x.begin, x.end);
    row.own_b = pd_ij(y.begin, y.end);
    row.words = pd_ij(x.end - x.begin, y.end - y.begin);
    row.similarity = 1;
    row.agreement = (double)common_words(a, b, x, y) / (double)words;
    if (x.end - x.begin < s->rule.min_words)
        s->left_out.too_short++;
    else
        pd_rows_push(&s->rows, row);
}

static bool same_host(const struct slow_rows *s, size_t a, size_t b)
{
    return *s->d->docs.v[a].url && strcmp(s->d->docs.v[a].url, s->d->docs.v[b].url) == 0;
}

static bool same_date(const struct slow_rows *s, size_t a, size_t b)
{
    return *s->d->docs.v[a].date && strcmp(s->d->docs.v[a].date, s->d->docs.v[b].date) == 0;
}

/* Make a row of the component that begins with dot k, if it is long enough. */
static uint32_t end_component(const struct slow_rows *s, const struct dot *v, size_t n, size_t k,
                              struct pd_row *row, uint32_t *last_a, uint32_t *last_b)
{
    uint32_t i = UINT32_MAX, j = UINT32_MAX, matched = 0;
    *last_a = *last_b = 0;
    for (size_t m = 0; m < n; m++) {
        if (v[m].component != v[k].component)
            continue;
        i = v[m].i < i ? v[m].i : i;
        j = v[m].j < j ? v[m].j : j;
        *last_a = larger(*last_a, v[m].i);
        *last_b = larger(*last_b, v[m].j);
        matched = larger(matched, v[m].chain);
    }
    row->starts = pd_ij(i, j);
    row->matched = matched;
    return matched > s->rule.gamma ? matched : 0;
}

static void add_pair(struct slow_rows *s, size_t a, size_t b)
{
    static struct dot v[DOTS_MOST];
    struct spoken x, y;
    size_t n = 0;
    for (uint32_t i = 0; i < s->d->docs.v[a].nunits; i++)
        for (uint32_t j = 0; j < s->d->docs.v[b].nunits; j++)
            if (slow_match(s, a, i, b, j)) {
                PD_CHECK(n < DOTS_MOST);
                v[n++] = (struct dot){i, j, 0, 0};
            }
    s->dots += n;
    link_dots(v, n, s->rule.gap);
    uint32_t last_a, last_b, matched = 0;
    for (size_t k = 0; k < n; k++) {
        struct pd_row row = {.a = a, .b = b};
        if (v[k].component == k)
            matched += end_component(s, v, n, k, &row, &last_a, &last_b);
    }
    if (matched <= s->rule.delta) {
        s->left_out.below += matched > 0;
        return;
    }
    speak(s, a, &x);
    speak(s, b, &y);
    for (size_t k = 0; k < n; k++) {
        struct pd_row row = {.a = a, .b = b};
        if (v[k].component != k || !end_component(s, v, n, k, &row, &last_a, &last_b))
            continue;
        if (s->rule.skip_same_host && same_host(s, a, b))
            s->left_out.same_host++;
        else if (s->rule.skip_same_date && same_date(s, a, b))
            s->left_out.same++;
        else
            add_row(s, row, &x, &y, last_a, last_b);
    }
    fall_silent(&x);
    fall_silent(&y);
}

static int by_row(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    for (int k = 0; k < PD_ROW_U64S; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

void slow_rows_find(struct slow_rows *s)
{
    const struct stage_doc *v = s->d->docs.v;
    const bool sides = has_sides(s);
    count_words(s);
    s->rows.n = s->dots = 0;
    s->left_out = (struct pd_left_out){0};
    for (size_t a = 0; a < s->d->docs.n; a++)
        for (size_t b = a + 1; b < s->d->docs.n; b++)
            if (!sides || (v[a].file > 0) != (v[b].file > 0))
                add_pair(s, a, b);
    if (s->rows.n)
        qsort(s->rows.v, s->rows.n, sizeof *s->rows.v, by_row);
}

void slow_rows_release(struct slow_rows *s) { pd_rows_release(&s->rows); }

bool slow_rows_same(const struct slow_rows *s, size_t k, const struct pd_row *row)
{
    struct pd_row x = s->rows.v[k];
    if (s->rule.gap > 0)
        x.agreement = row->agreement;
    return memcmp(&x, row, sizeof x) == 0;
}

/* tools/eval/mosaic.c - see src/tools/eval/mosaic.h */
#include "mosaic.h"

#include "pardup/base/sort.h"

#define BILLION 1e9

double pd_mosaic_weight(double agreement)
{
    static const struct {
        double agreement, weight;
    } facts[] = {{0, 0}, {0.5, 0.17}, {0.9, 0.62}, {1, 1}};
    int k = 1;
    while (k < 3 && agreement > facts[k].agreement)
        k++;
    const double part =
        (agreement - facts[k - 1].agreement) / (facts[k].agreement - facts[k - 1].agreement);
    return facts[k - 1].weight + part * (facts[k].weight - facts[k - 1].weight);
}

/* Places at which texts of a document begin or end, ascending, and what is counted between them. */
struct places {
    uint64_t *at;
    size_t n;
    size_t *next; /* the first stretch from here on that has not been counted, or a way to it */
};

static size_t find(const struct places *p, size_t k)
{
    while (p->next[k] != k)
        k = p->next[k] = p->next[p->next[k]];
    return k;
}

static size_t place_of(const struct places *p, uint64_t at)
{
    size_t low = 0, high = p->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (p->at[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void set_places(struct places *p, const struct pd_copied_text *texts, size_t n)
{
    p->n = 0;
    for (size_t k = 0; k < n; k++) {
        p->at[p->n++] = texts[k].begin;
        p->at[p->n++] = texts[k].end;
    }
    pd_sort_records(p->at, p->n, 1, 1);
    for (size_t k = 0; k < p->n; k++)
        p->next[k] = k;
}

/* Add up the copies of one document, heaviest first: text counts for the first of them. */
static void add_document(struct pd_mosaic *m, struct places *p, const struct pd_copied_text *texts,
                         size_t n)
{
    set_places(p, texts, n);
    for (size_t k = 0; k < n; k++) {
        uint64_t length = 0;
        for (size_t at = find(p, place_of(p, texts[k].begin)); p->at[at] < texts[k].end;
             at = find(p, at)) {
            length += p->at[at + 1] - p->at[at];
            p->next[at] = at + 1;
        }
        m->copied += length;
        m->mass += (double)length * (1 - (double)texts[k].lightness / BILLION);
    }
}

void pd_mosaic_add(struct pd_mosaic *m, struct pd_copied_texts *texts)
{
    struct places p = {pd_realloc(NULL, 2 * texts->n + 1, sizeof *p.at), 0,
                       pd_realloc(NULL, 2 * texts->n + 1, sizeof *p.next)};
    pd_sort_records(texts->v, texts->n, PD_COPIED_TEXT_U64S, PD_COPIED_TEXT_U64S);
    for (size_t k = 0, end; k < texts->n; k = end) {
        for (end = k + 1; end < texts->n && texts->v[end].doc == texts->v[k].doc;)
            end++;
        add_document(m, &p, texts->v + k, end - k);
    }
    PD_FREE(p.at, p.next);
}

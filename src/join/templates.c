/* join/templates.c - see include/pardup/join/templates.h */
#include "pardup/join/templates.h"

#include "pardup/base/sort.h"

enum {
    TRAITS = 3,
    TRAIT_BITS = 21,
    LOOKED_AT = 64,  /* documents of a text whose traits are compared */
    LONG_WORDS = 32, /* words of a text that ask for one more document */
    SITE_GROWTH = 16 /* p documents are enough in a site of SITE_GROWTH p p documents */
};

/* Is a unit of n words behind c words in the middle three fifths of a document of `all` words? */
static bool is_inner(uint64_t c, uint64_t n, uint64_t all)
{
    const uint64_t middle = 5 * (2 * c + n);
    return 2 * all <= middle && middle <= 8 * all;
}

/* Put a unit among the traits, which are in order of falling numbers of words. */
static void offer(const struct pd_stand *traits[TRAITS], const struct pd_stand *s)
{
    int k = TRAITS;
    for (; k > 0 && (!traits[k - 1] || s->nwords > traits[k - 1]->nwords); k--)
        if (k < TRAITS)
            traits[k] = traits[k - 1];
    if (k < TRAITS)
        traits[k] = s;
}

uint64_t pd_traits_of(const struct pd_stand *v, size_t n)
{
    const struct pd_stand *traits[TRAITS] = {NULL};
    uint64_t all = 0, before = 0, packed = 0;
    for (size_t k = 0; k < n; k++)
        all += v[k].nwords;
    for (size_t k = 0; k < n; before += v[k].nwords, k++)
        if (is_inner(before, v[k].nwords, all))
            offer(traits, &v[k]);
    for (int k = 0; k < TRAITS; k++)
        packed =
            packed << TRAIT_BITS | (traits[k] ? pd_mix(traits[k]->words) >> (64 - TRAIT_BITS) : 0);
    return packed;
}

/* How many different values n numbers have in the bits of `mask`, above the lowest `shift`. */
static unsigned different(const uint64_t *numbers, size_t n, int shift, uint64_t mask)
{
    uint64_t v[LOOKED_AT];
    unsigned found = 0;
    for (size_t i = 0; i < n; i++)
        v[i] = numbers[i] >> shift & mask;
    pd_sort_records(v, n, 1, 1);
    for (size_t i = 0; i < n; i++)
        found += i == 0 || v[i] != v[i - 1];
    return found;
}

static unsigned median(unsigned a, unsigned b, unsigned c)
{
    const unsigned low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* The first documents that have a text and are no stubs. */
struct having {
    uint64_t traits[LOOKED_AT], sites[LOOKED_AT], looked_at;
    uint64_t have; /* all of them */
};

static void look_at(const struct pd_standing *v, size_t n, struct having *h)
{
    *h = (struct having){.have = 0};
    for (size_t k = 0; k < n; k++) {
        if (v[k].traits & PD_STANDING_STUB ||
            (k > 0 && pd_standing_doc(&v[k]) == pd_standing_doc(&v[k - 1])))
            continue;
        h->have++;
        if (h->looked_at == LOOKED_AT)
            continue;
        h->sites[h->looked_at] = v[k].unit_pages & PD_STANDING_PAGES;
        h->traits[h->looked_at++] = v[k].traits;
    }
}

/* Do enough of `pages` documents have a text of so many words? `least`: if it is short */
static bool are_enough(uint64_t have, uint64_t least, uint64_t pages, uint64_t words)
{
    return have >= least + words / LONG_WORDS &&
           have * have >= (pages + SITE_GROWTH - 1) / SITE_GROWTH;
}

/* Is the text, which is at ends of documents, an imprint? d: as in the header */
static bool is_imprint(const struct having *h, uint64_t d, uint64_t documents, uint64_t words)
{
    const uint64_t sites = different(h->sites, h->looked_at, 0, PD_STANDING_PAGES);
    return are_enough(h->have, PD_IMPRINT_DOCUMENTS, documents, words) && d >= PD_TEMPLATE_PAGES &&
           5 * d >= 3 * h->looked_at && sites >= PD_IMPRINT_SITES && 4 * sites >= h->looked_at;
}

/* Do enough different documents that are no stubs have this text to make it a template? */
static bool is_template(const struct pd_standing *v, size_t n, uint64_t documents, uint64_t words)
{
    const uint64_t pages = v->unit_pages & PD_STANDING_PAGES;
    struct having h;
    unsigned d[TRAITS];
    look_at(v, n, &h);
    if (h.have < PD_TEMPLATE_PAGES)
        return false;
    for (int k = 0; k < TRAITS; k++)
        d[k] = different(h.traits, h.looked_at, k * TRAIT_BITS, ((uint64_t)1 << TRAIT_BITS) - 1);
    const unsigned differ = median(d[0], d[1], d[2]);
    if (differ < PD_TEMPLATE_PAGES)
        return false;
    if (v->unit_pages & PD_STANDING_IMPRINT)
        return is_imprint(&h, differ, documents, words);
    return (4 * h.have >= 3 * pages && 4 * differ >= h.looked_at) ||
           (4 * h.have >= pages && 2 * differ >= h.looked_at) ||
           (are_enough(h.have, PD_TEMPLATE_PAGES, pages, words) && 10 * differ >= 9 * h.looked_at);
}

/* Is a text that is stray in these documents a frame? */
static bool is_frame(const struct pd_standing *v, size_t n)
{
    uint64_t sites[PD_STRAY_DOCUMENTS];
    size_t documents = 0;
    for (size_t k = 0; k < n && documents < PD_STRAY_DOCUMENTS; k++)
        if (k == 0 || pd_standing_doc(&v[k]) != pd_standing_doc(&v[k - 1]))
            sites[documents++] = v[k].unit_pages & PD_STANDING_PAGES;
    return documents == PD_STRAY_DOCUMENTS || (documents == 2 && sites[0] == sites[1]);
}

/* Describe a text by the standings that go, out of its n. */
static void describe(const struct pd_standing *v, size_t n, enum pd_judgement said,
                     struct pd_template *t)
{
    const uint64_t most = ((uint64_t)1 << PD_STANDING_WORDS) - 1;
    const uint64_t why = v->unit_pages & PD_STANDING_IMPRINT ? PD_ASIDE_IMPRINT
                         : said == PD_TEXT_GOES              ? PD_ASIDE_TEMPLATE
                                                             : PD_ASIDE_STUB;
    pd_doc last = 0;
    t->pages = 0;
    for (size_t k = 0; k < n; k++) {
        const pd_doc doc = pd_standing_doc(&v[k]);
        if (!pd_standing_goes(said, &v[k]) || (t->pages && doc == last))
            continue;
        if (t->pages++ == 0)
            *t = (struct pd_template){doc, pd_standing_unit(&v[k]), v[k].text,
                                      1,   v[k].doc_words & most,   why};
        last = doc;
    }
}

enum pd_judgement pd_template_judge(const struct pd_standing *v, size_t n, uint64_t documents,
                                    struct pd_template *found)
{
    if (v->unit_pages & PD_STANDING_STRAY)
        return is_frame(v, n) ? PD_TEXT_GOES : PD_TEXT_STAYS;
    describe(v, n, PD_TEXT_GOES, found);
    if (is_template(v, n, documents, found->words))
        return PD_TEXT_GOES;
    describe(v, n, PD_TEXT_LEAVES_STUBS, found);
    return found->pages ? PD_TEXT_LEAVES_STUBS : PD_TEXT_STAYS;
}

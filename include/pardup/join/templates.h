/*
 * join/templates.h - tell what a site says on many of its pages from what two of them share.
 *
 * A site is a host or a folder (run/stage/collection/site.h). Two base units are the same *text* if
 * they have the same words in the same order. A text counts in the documents of one site only.
 *
 * The *traits* of a document stand for what it says itself. Let W be the words of the document, and
 * c the words before a unit of n words. The unit is inner if 2 W <= 5 (2 c + n) <= 8 W: its middle
 * lies in the middle three fifths of the words. The traits are the three inner units with the most
 * words, and of units with equally many words the earlier ones. The first trait has the most words.
 * A trait that is missing equals every trait that is missing.
 *
 * A text of n words is a template if the following holds. N is the number of documents of the site
 * that are no stubs (join/stubs.h), and p of them have the text. The first q = min(p, 64) of the p
 * documents have d1 different first traits, d2 different second traits and d3 different third
 * traits; d is the median of d1, d2 and d3.
 *   - d >= 3, and
 *   - either 4 p >= 3 N and 4 d >= q: nearly all of the site has the text;
 *   - or 4 p >= N and 2 d >= q:
 *     a quarter of the site has the text, and the documents that have it differ;
 *   - or p >= 3 + floor(n / 32), 16 p p >= N and 10 d >= 9 q:
 *     fewer documents have it, but nearly all of them differ. A long text and a large site ask for
 *     more documents.
 * Documents that are copies of each other share their traits, so their texts are no templates.
 *
 * An *imprint* is what documents of many sites say at an end: the footer of a mailing list, a
 * licence. A base unit is at an end if it is among the first or last PD_IMPRINT_UNITS base units of
 * a document that have words and are not set aside by --frame. A text of n words, n <=
 * PD_IMPRINT_WORDS, is an imprint if it is at an end of p of the N documents of the collection,
 * whose first q are of s sites:
 *   - p >= PD_IMPRINT_DOCUMENTS + floor(n / 32) and 16 p p >= N,
 *   - d >= 3 and 5 d >= 3 q: most of the documents differ. Letters that answer each other share
 *     traits, as they quote, so fewer of them need to differ than documents of a site;
 *   - s >= 3 and 4 s >= q. A document without a site counts as one.
 * An imprint is set aside at ends only. Stubs have no part in it.
 *
 * *Stray text* is running text in the frame of a page (document/page/content.h). A stray base unit
 * is set aside if its text is stray in two documents of one site, or in three documents of the
 * collection: then it is a frame. It is no part of an end.
 *
 * A *site of articles* has at least three documents that are no stubs, and three fifths of them
 * surely are articles (document/page/content.h). The doubtful blocks of its pages are set aside,
 * too. The linked blocks of all pages are: they say what other pages are called.
 *
 * Source: none of the papers. In fact traits are compared by 21 bits of the hashes of their words.
 *
 * Memory: the occurrences of one text in one site at a time.
 */
#ifndef PARDUP_JOIN_TEMPLATES_H
#define PARDUP_JOIN_TEMPLATES_H

#include <stdbool.h>

#include "pardup/base/hash.h"
#include "pardup/base/record.h"

enum {
    PD_TEMPLATE_PAGES = 3,    /* documents that the smallest site with a template has */
    PD_IMPRINT_UNITS = 5,     /* base units of an end */
    PD_IMPRINT_WORDS = 100,   /* words of the longest imprint */
    PD_IMPRINT_DOCUMENTS = 8, /* documents that have the shortest imprint at an end */
    PD_IMPRINT_SITES = 3,     /* sites whose documents have it */
    PD_STRAY_DOCUMENTS = 3,   /* documents whose stray text is a frame */
    PD_SITE_ALL = 1,          /* in place of the number of a site: the whole collection */
    PD_SITE_STRAY = 2         /* the whole collection, as far as text is stray */
};

/* A judgement: the text stays, it leaves stubs only (join/stubs.h), or it is a template. */
enum pd_judgement { PD_TEXT_STAYS, PD_TEXT_LEAVES_STUBS, PD_TEXT_GOES };

/* Is a site with this many documents that are no stubs, and articles among them, one of articles? */
static inline bool pd_site_is_of_articles(uint64_t pages, uint64_t articles)
{
    return pages >= PD_TEMPLATE_PAGES && 5 * articles >= 3 * pages;
}

/* A text in a document. Travels to the owner of `text`. Order: text, doc, unit. */
struct pd_standing {
    uint64_t text;       /* hash of the site and of the words in order */
    uint64_t doc_words;  /* number of the document, then PD_STANDING_WORDS bits of words */
    uint64_t unit_pages; /* 32 bits: the base unit; PD_STANDING_IMPRINT; PD_STANDING_STRAY; 30 bits:
                            documents of the site, no stubs; of an end or stray text: hash of the
                            site */
    uint64_t traits;     /* pd_traits_of() the document, and PD_STANDING_STUB */
};
#define PD_STANDING_U64S    3 /* u64s of the key */
#define PD_STANDING_WORDS   25 /* bits of words in doc_words; more words count as the most that fit */
#define PD_STANDING_STUB    ((uint64_t)1 << 63) /* the document is a stub (join/stubs.h) */
#define PD_STANDING_IMPRINT ((uint64_t)1 << 31) /* the site is PD_SITE_ALL */
#define PD_STANDING_STRAY   ((uint64_t)1 << 30) /* the site is PD_SITE_STRAY */
#define PD_STANDING_PAGES   (PD_STANDING_STRAY - 1)

_Static_assert(PD_STANDING_WORDS + PD_DOC_BITS == 64, "a standing has full words");

/* A template, or a text that leaves stubs. Order: doc, unit. */
struct pd_template {
    pd_doc doc;     /* document of its first occurrence that goes */
    uint64_t unit;  /* base unit of its first occurrence that goes */
    uint64_t text;  /* as in struct pd_standing */
    uint64_t pages; /* documents of the site that have it; if it leaves stubs only: stubs */
    uint64_t words; /* of the text */
    uint64_t why;   /* enum pd_aside_why, from PD_ASIDE_IMPRINT on */
};
PD_VEC(pd_templates, struct pd_template);

/* A base unit of a document with at least one word. */
struct pd_stand {
    uint64_t words; /* hash of its words in order */
    uint32_t unit, nwords;
    bool stray;
};
PD_VEC(pd_stands, struct pd_stand);

/* The traits of a document, from its n base units in order: 63 bits. */
uint64_t pd_traits_of(const struct pd_stand *v, size_t n);

/*
 * The standing of a base unit.
 *   site    number of the site
 *   pages   documents of the site that are no stubs
 *   traits  pd_traits_of() the document, and PD_STANDING_STUB
 */
static inline struct pd_standing pd_standing_of(const struct pd_stand *s, uint64_t site,
                                                uint64_t pages, pd_doc doc, uint64_t traits)
{
    const uint64_t most = ((uint64_t)1 << PD_STANDING_WORDS) - 1;
    const uint64_t counted = pages < PD_STANDING_PAGES ? pages : PD_STANDING_PAGES;
    return (struct pd_standing){pd_mix(s->words ^ pd_mix(site)),
                                doc << PD_STANDING_WORDS | (s->nwords < most ? s->nwords : most),
                                (uint64_t)s->unit << 32 | counted, traits};
}

/*
 * The standing of a base unit at an end, in the whole collection.
 *   site    number of its site; if it has none, any number that no other document has
 */
static inline struct pd_standing pd_standing_at_end(const struct pd_stand *s, uint64_t site,
                                                    pd_doc doc, uint64_t traits)
{
    struct pd_standing at = pd_standing_of(s, PD_SITE_ALL, pd_mix(site) >> 34, doc, traits);
    at.unit_pages |= PD_STANDING_IMPRINT;
    return at;
}

/* The standing of a stray base unit, in the whole collection. `site`: as above */
static inline struct pd_standing pd_standing_astray(const struct pd_stand *s, uint64_t site,
                                                    pd_doc doc, uint64_t traits)
{
    struct pd_standing at = pd_standing_of(s, PD_SITE_STRAY, pd_mix(site) >> 34, doc, traits);
    at.unit_pages |= PD_STANDING_STRAY;
    return at;
}

static inline pd_doc pd_standing_doc(const struct pd_standing *s)
{
    return s->doc_words >> PD_STANDING_WORDS;
}

static inline uint32_t pd_standing_unit(const struct pd_standing *s)
{
    return (uint32_t)(s->unit_pages >> 32);
}

/* Does the k-th of n base units with words stand at an end, and may it be an imprint? */
static inline bool pd_imprint_fits(size_t k, size_t n, uint32_t words)
{
    return (k < PD_IMPRINT_UNITS || k + PD_IMPRINT_UNITS >= n) && words <= PD_IMPRINT_WORDS;
}

/*
 * Does a document keep its templates? It does if more than nine tenths of its words stand in them:
 * it says little else, as a table of contents does.
 *   words, aside  words of the document; its words in templates
 */
static inline bool pd_template_keeps(uint64_t words, uint64_t aside)
{
    return 10 * aside > 9 * words;
}

/* Is a standing of a text set aside, by the judgement of its text? */
static inline bool pd_standing_goes(enum pd_judgement said, const struct pd_standing *s)
{
    return said == PD_TEXT_GOES || (said == PD_TEXT_LEAVES_STUBS && s->traits & PD_STANDING_STUB);
}

/*
 * Judge all n standings of one text, in their order. Unless it stays or is stray, *found describes
 * it.
 *   documents  of the collection
 * Cost: O(n).
 */
enum pd_judgement pd_template_judge(const struct pd_standing *v, size_t n, uint64_t documents,
                                    struct pd_template *found);

#endif

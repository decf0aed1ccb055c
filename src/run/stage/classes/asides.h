/*
 * run/stage/classes/asides.h - what a holder asks of the base units of its documents that are set
 * aside.
 *
 * pd_asides_find() finds them (templates.h). In `check` they are those whose names the index has.
 */
#ifndef PARDUP_RUN_ASIDES_H
#define PARDUP_RUN_ASIDES_H

#include "pardup/store/blob.h"
#include "run/stage/job.h"

/* A base unit that is set aside, as it travels to the holder. Order: doc, unit. */
struct pd_aside {
    pd_doc doc;
    uint64_t unit; /* pd_aside_unit() */
};
#define PD_OF_STUB ((uint64_t)1 << 63) /* with a number: the document is a stub */

/*
 * Name a base unit that is set aside.
 *   of_stub  PD_OF_STUB, if the document is a stub; else 0
 *   why      a unit may come for several reasons, of which the first counts
 */
enum pd_goes_as { PD_GOES_STRAY, PD_GOES_TEMPLATE, PD_GOES_LINK, PD_GOES_BITS = 2 };
static inline uint64_t pd_aside_unit(uint32_t unit, uint64_t of_stub, enum pd_goes_as why)
{
    return of_stub | (uint64_t)unit << PD_GOES_BITS | why;
}

/* Is a base unit of a page set aside as a link? of_articles: its site is a site of articles */
static inline bool pd_aside_is_link(const struct pd_fringe *fringe, bool of_articles)
{
    return fringe->linked || (of_articles && fringe->doubtful);
}

/* The base units that are set aside, at the holders of their documents. Zeroed: none are. */
struct pd_asides {
    struct pd_shuffle units;        /* in order of (document, base unit); closed: none */
    struct pd_word_numbers of_doc;  /* base units of the document that was asked for last */
    struct pd_word_numbers stray;   /* stray text among them */
    struct pd_word_numbers links;   /* links among the others that are no templates */
    struct pd_word_numbers ignored; /* text of --ignore among them */
    struct pd_word_numbers joined;  /* scratch */
    bool is_stub;                   /* the document is a stub: it takes no part as a whole either */
    size_t at;                      /* of_doc.v[at] is not below the unit that was asked for last */
    struct pd_aside_counts found;   /* what was set aside in documents so far */
    struct pd_job *job;             /* keeps what was loaded in job->asides; NULL: it is not kept */
    bool keeps_names;               /* set by the caller: pd_asides_find fills in `names` */
    struct pd_u64s names; /* of what this rank has judged: templates, stubs, sites of articles */
};

/*
 * The name of a template: the text of a struct pd_standing. The name of a stub, by its inner text.
 * The name of a site of articles.
 */
static inline uint64_t pd_aside_name(uint64_t text) { return text; }
static inline uint64_t pd_aside_stub(uint64_t text) { return ~text; }
static inline uint64_t pd_aside_site(uint64_t site) { return pd_mix(~site); }

/*
 * Load the base units of the next document that are set aside. Documents come in order of number.
 * They are kept for later stages. If all documents were loaded once, they are loaded again from
 * there.
 *   stored  the document, opened, with its word numbers; NULL: it is passed over
 *   terms   by word number
 * PD_OK, PD_EIO or PD_EFORMAT (scratch cannot be read back).
 */
int pd_asides_load(struct pd_asides *a, pd_doc doc, const struct pd_stored *stored,
                   const uint64_t *terms);

/*
 * The same for a document of `check`: the index knows which names were set aside before.
 *   rec     site and inner text of the document
 *   has     sets *found: was this name set aside? A failure is returned
 */
int pd_asides_recall(struct pd_asides *a, const struct pd_stored *stored,
                     const struct pd_docrec *rec, int (*has)(void *ctx, uint64_t name, bool *found),
                     void *ctx);

/* Go on to a document that sets nothing aside. */
void pd_asides_forget(struct pd_asides *a);

/*
 * Set aside text of --ignore in the document that was recalled. pd_asides_load() does it itself.
 * A document with nothing else is no whole copy of others: it counts as a stub.
 */
void pd_asides_ignore(struct pd_asides *a, const struct pd_ignore *g,
                      const struct pd_stored *stored, const uint64_t *terms);

/*
 * Are all base units set aside that have words of unit `unit` of the loaded document? Units are
 * asked for in order.
 *   base, n  the base units of the document
 *   u        the unit: of these, or made of them
 */
bool pd_asides_have(struct pd_asides *a, const struct pd_sentence *base, size_t n,
                    const struct pd_sentence *u);

/* Is the unit text of --ignore? Asked for a unit that pd_asides_have(). */
bool pd_asides_is_ignored(const struct pd_asides *a, const struct pd_sentence *base, size_t n,
                          const struct pd_sentence *u);

/*
 * Keep the base units that were loaded for the document that was asked for last, for later stages.
 * pd_asides_load() does it itself. PD_OK or PD_EIO.
 */
int pd_asides_keep(const struct pd_asides *a, struct pd_job *job, pd_doc doc);

/* COLLECTIVE. Set job->gathered.asides to what all ranks have set aside. */
void pd_asides_add_up(const struct pd_asides *a, struct pd_job *job);

/* All documents of this rank were loaded once. PD_OK or PD_EIO. */
int pd_asides_end(struct pd_asides *a);

void pd_asides_close(struct pd_asides *a);

#endif

/*
 * run/job/dedup/choose/choose.h - what goes: units whose text stays in a document that comes
 * before.
 *
 * Documents are decided in the order of their places. A rank owns a range of places, so the ranks
 * decide one after the other: each asks the ranks before it whether text of theirs stays.
 */
#ifndef PARDUP_RUN_DEDUP_CHOOSE_H
#define PARDUP_RUN_DEDUP_CHOOSE_H

#include "pardup/base/search.h"
#include "run/job/dedup/claims.h"

/* A unit whose words stand in a document that keeps them. */
struct pd_copied {
    uint64_t place;                /* of the document that may lose the unit */
    uint64_t begin;                /* first byte of the unit */
    uint64_t kept;                 /* place of the document that keeps the text */
    uint64_t row, family;          /* the passage */
    uint32_t end, next;            /* end of the unit; begin of the next one, or the same */
    uint32_t unit, words;          /* its number; its words */
    uint32_t matched, kept_words;  /* words that stand in both; words of the kept text */
    uint32_t kept_from, kept_to;   /* the kept text in words of its document */
    uint32_t kept_begin, kept_end; /* the kept text in bytes */
    uint32_t box, box_end;         /* units of its box (compare.h); none: its own number twice */
};
PD_VEC(pd_copieds, struct pd_copied);
enum { PD_COPIED_U64S = 11 };
_Static_assert(sizeof(struct pd_copied) == 8 * PD_COPIED_U64S, "copied unit has padding");

/* A record without text: a unit has been looked for in all documents. */
#define PD_DEDUP_NOWHERE UINT64_MAX /* in `kept` */

#define PD_NO_PASSAGE (UINT64_MAX - 1) /* in `row`: no passage has led to the text (seek.c) */

/* A run of units that go, and the text that proves it. */
struct pd_removal {
    uint64_t doc;        /* place of the document; in PD_SHARED_REMOVALS its row */
    uint32_t begin, end; /* of what goes, with the white space behind it */
    uint64_t kept;       /* place of the document that keeps the text */
    uint64_t row, family;
    uint32_t kept_begin, kept_end; /* of the text that stays */
    uint32_t words, matched, kept_words;
    uint32_t last_unit, kept_to; /* while the run grows */
    uint32_t lost;               /* bytes that go, before white space was moved (changed.h) */
};
PD_VEC(pd_removals, struct pd_removal);
_Static_assert(sizeof(struct pd_removal) == 72, "removal has padding");

/* The fate of a document that is in a passage. */
struct pd_fate {
    uint64_t first, removed;  /* its removals: which is the first one, how many there are */
    uint64_t copied, ncopied; /* its copied units: the first, how many */
    uint64_t seen;            /* what had gone when they were looked for last, as a hash */
    uint64_t sought;          /* where text that stays was looked for last (seek.c), as a hash */
    uint32_t gone;            /* 1: it goes whole */
    uint32_t blocked;         /* 1: a unit stays, as no text found so far that has its words does */
};
_Static_assert(sizeof(struct pd_worded) + sizeof(struct pd_fate) == PD_PLACE_BYTES,
               "bytes of a document");

/* A unit of the document at hand that may go. */
struct pd_going {
    const struct pd_copied *copies; /* its records */
    size_t n;                       /* how many */
    bool goes;
};
PD_VEC(pd_going_list, struct pd_going);

/* The owner of a range of places decides with this, and decides this. */
struct pd_choice {
    uint64_t first, n;              /* its places */
    const struct pd_worded *worded; /* n of them */
    struct pd_fate *fates;          /* n of them */
    struct pd_copieds copied;       /* in order */
    struct pd_removals removals;
    bool seeded;                /* text that stays has been looked for (seek.h) */
    uint64_t seeds, nseeds;     /* then: where its seeds begin in the file of this rank, how many */
    struct pd_bytes lost;       /* for each copied unit 1: its text on another rank does not stay */
    double min_left;            /* share of the words of a document that stays */
    uint64_t min_run;           /* words in a row that go, unless all of a document does */
    bool whole;                 /* only whole documents go */
    struct pd_going_list going; /* buffer */
};

/* The first removal of a document, counted from its own first, that ends behind byte `begin`. */
static inline uint64_t pd_removal_behind(const struct pd_choice *c, const struct pd_fate *f,
                                         uint32_t begin)
{
    if (f->removed == 0)
        return 0;
    return pd_search_first_u32(c->removals.v + f->first, f->removed, sizeof *c->removals.v,
                               offsetof(struct pd_removal, end), (uint64_t)begin + 1);
}

/* Does all of the text of a document of this rank stay? */
static inline bool pd_choice_stays(const struct pd_choice *c, uint64_t place, uint32_t begin,
                                   uint32_t end)
{
    const struct pd_fate *f = &c->fates[place - c->first];
    const uint64_t next = pd_removal_behind(c, f, begin);
    return !f->gone && (next == f->removed || c->removals.v[f->first + next].begin >= end);
}

/* Does the text of a copied unit stay, as far as it is known? */
static inline bool pd_copied_stays(const struct pd_choice *c, const struct pd_copied *unit)
{
    if (unit->kept < c->first)
        return !c->lost.v[unit - c->copied.v];
    return unit->kept != PD_DEDUP_NOWHERE &&
           pd_choice_stays(c, unit->kept, unit->kept_begin, unit->kept_end);
}

/*
 * COLLECTIVE. Decide about all documents. *blocked: how many are blocked on all ranks. Agreed:
 * PD_OK or a failure.
 */
int pd_choose(struct pd_dedup *d, struct pd_choice *c, uint64_t *blocked);

static inline double pd_removal_agreement(const struct pd_removal *r)
{
    const uint32_t longer = r->words > r->kept_words ? r->words : r->kept_words;
    return longer ? (double)r->matched / longer : 0;
}

#endif

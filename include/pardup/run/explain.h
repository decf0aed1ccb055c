/*
 * run/explain.h - why two documents of a result share passages, or do not.
 *
 * The units of both documents are signed as `detect` signs them, by the same code and with the
 * options that the result has. If words count by their frequency, or templates are set aside, the
 * whole collection is read once more; else only the files of the two documents are read. Common
 * units and passages come from the result.
 */
#ifndef PARDUP_RUN_EXPLAIN_H
#define PARDUP_RUN_EXPLAIN_H

#include "pardup/base/record.h"
#include "pardup/passage/refine.h"
#include "pardup/run/fetch.h"
#include "pardup/run/options.h"
#include "pardup/run/why.h"

#define PD_EXPLAIN_NONE UINT32_MAX /* in place of a unit */

/* A unit of one of the documents. */
struct pd_explained {
    struct pd_sentence at; /* its bytes and words */
    uint32_t counted;      /* its words that count */
    pd_sig sig;            /* the first half of its set name; 0: it has none */
    uint32_t nsigs;        /* signatures in its set */
    uint64_t df;           /* documents that its class is in, if the class is common; else 0 */
    enum pd_why own;       /* why it takes no part; PD_WHY_MATCHED: it takes part */

    uint32_t best;     /* the unit of the other document that is nearest; PD_EXPLAIN_NONE: none */
    double similarity; /* of the two */
    enum pd_why why;   /* of the two */
};
PD_VEC(pd_explaineds, struct pd_explained);

/* What a word is for the signature of its unit. */
enum pd_word_use { PD_WORD_USED, PD_WORD_FREQUENT, PD_WORD_STOPPED, PD_WORD_IN_CHAIN };

/* A word of a unit. */
struct pd_used_word {
    uint32_t begin, end; /* bytes of the text */
    uint64_t term;
    uint64_t spelling;   /* as in struct pd_window */
    unsigned commonness; /* of pd_refine_word() */
    enum pd_word_use use;
    bool aside; /* in a base unit that is set aside */
};
PD_VEC(pd_used_words, struct pd_used_word);

/* One of the two documents. */
struct pd_explain_side {
    uint64_t doc;               /* row of /documents */
    struct pd_fetch text;       /* the document and its id */
    struct pd_explaineds units; /* its units, in order */
    struct pd_used_words words; /* the words of all units, in order */
};

/* Why a run of more than --gamma matched units is no passage of the result. */
enum pd_left {
    PD_LEFT_NOTHING, /* nothing was left out */
    PD_LEFT_SIDES,   /* with --against, both documents are targets, or both are sources */
    PD_LEFT_HOST,    /* --skip-same-host */
    PD_LEFT_SAME,    /* --skip-same */
    PD_LEFT_SCORE,   /* --theta-d or --delta */
    PD_LEFT_LENGTH   /* --min-passage-words or --min-agreement */
};

/*
 * What pd_explain() finds out. Counts are exact. With --refine, regions stand in place of runs, and
 * the passages that are found in them are `found`.
 */
struct pd_explanation {
    struct pd_explain_side sides[2]; /* in the order of the collection */
    struct pd_u64s dots;             /* pd_ij of matched units, ascending */
    uint64_t refused[PD_WHYS];  /* pairs of units with a name in common, by why they do not match */
    struct pd_passages found;   /* runs of more than --gamma matched units */
    struct pd_passages listed;  /* rows of /passages; a and b are the number of the row */
    struct pd_passages regions; /* --refine: regions of more than --gamma matched units */
    struct pd_trieds tried;     /* --refine: the spans that were tried, region by region */
    struct pd_u64s tried_to;    /* for each region, the first index in `tried` behind its spans */
    bool equal;                 /* the documents share text as copies do (--copies report) */
    uint64_t longest;           /* matched units of the longest run, however short */
    uint64_t gap;     /* a wider gap, with which a run would be long enough; 0: none would */
    uint64_t bridged; /* matched units of that run */
    enum pd_left left;
    uint64_t missing; /* rows of /passages that are not among `found` */
    uint64_t dropped; /* passages of `found` that are not among the rows, if there are rows */

    bool scanned;         /* the whole collection was read */
    uint64_t documents;   /* documents of the collection with sentences, if it was */
    uint64_t least, most; /* a word counts if it is in least to most of them; 0, 0: no matter */
};

/*
 * Not collective. Explain two documents of a result of detect or compare. The options come from the
 * result. `e` is zeroed, and to be released in any case. PD_OK, PD_EIO, PD_EFORMAT (the collection
 * has changed) or PD_ESTOP.
 *   docs     two rows of /documents, which differ
 *   scratch  a folder that exists, for records that spill
 */
int pd_explain(const struct pd_options *o, struct pd_result *result, const uint64_t docs[2],
               const char *scratch, struct pd_explanation *e);
void pd_explain_release(struct pd_explanation *e);

#endif

/*
 * run/job/check/query.h - one target against an index: what it shares with the sources.
 *
 * A class is common if it is in more than --max-df documents, sources and targets counted together.
 * Common classes make no dots, or with --common first only dots with the first source that has
 * them. A target that is asked alone is the only target; all targets of a batch count if the caller
 * marks the names that they make common (q->marks). Frequencies of words are frozen: which words
 * count depends on the sources alone. All else is as in `detect --against`: the same dots make the
 * same passages, edges and agreement.
 *
 * Joins that compare sets also match similar classes (look_up.h); a feature of the target is then
 * in a source that has a similar one. Frozen are, too: a signature does not count if it is in more
 * than --sct sources, and a class of targets or sources is set aside if more than --max-near
 * classes of sources are similar to it.
 *
 * Templates are frozen as well: with --templates aside, a target leaves out what was set aside of
 * the sources of its site, by the same rules (join/templates.h). Other targets do not count.
 *
 * Decision: Yoon, Jang, Kim, Park, IEICE 2012, section 2: a target is a duplicate if more than
 * delta of its units are in the index.
 * Deviation from Yoon: a target whose units are grams, which are runs of few words that texts share
 * by chance, must have a passage, too.
 * Deviation from Yoon: with `--copies report`, a target with all the words of a source is a
 * duplicate, however few they are.
 *
 * Ranking: Wang, Chang, AIRS 2009, section 3.2: the score of a source is the sum of the idf of the
 * target's features that it has, over the sum of the idf of all features of the target;
 * idf = log(N / df).
 * Deviation from Wang and Chang: a feature that no source has counts as if one source had it, and
 * features of common classes count in neither sum. The paper speaks of neither.
 */
#ifndef PARDUP_RUN_QUERY_H
#define PARDUP_RUN_QUERY_H

#include "look_up.h"
#include "marks.h"
#include "pardup/join/classes.h"
#include "pardup/passage/inner.h"
#include "pardup/passage/pairing.h"
#include "pardup/passage/refine.h"
#include "run/stage/classes/asides.h"
#include "run/stage/classes/sign.h"
#include "run/stage/finding.h"
#include "run/stage/finishing.h"
#include "source.h"

/* A source in the ranking of a target. */
struct pd_ranked {
    pd_doc source;
    double score; /* (0, 1] */
};
PD_VEC(pd_rankeds, struct pd_ranked);

/* What a class of the target adds to the score of a source that has it. Order: source, turn. */
struct pd_weight {
    pd_doc source;
    uint64_t turn; /* ascends, so that sums do not depend on the sort */
    double idf;
};
PD_VEC(pd_weights, struct pd_weight);

PD_VEC(pd_edge_words, struct pd_edge_word);

struct pd_query {
    struct pd_job *job;
    struct pd_index *index;
    const struct pd_options *options;

    /* what the last target shares; read by callers */
    struct pd_rows rows;         /* passages, in order; `b` is the number of the source */
    struct pd_rankeds ranking;   /* the best sources first */
    uint64_t collisions;         /* units that are in the index */
    bool duplicate;              /* the decision */
    struct pd_left_out left_out; /* in all targets so far */

    /* private */
    struct pd_asides asides;             /* base units of the target that are templates of a site */
    struct pd_postings names;            /* of the units of the target, sorted */
    struct pd_u64s known;                /* pd_query_keep_known: names and their df, in turn */
    struct pd_known_classes classes;     /* of q->names, in turn; empty: they are looked up */
    struct pd_occurrences places;        /* that are kept of all classes */
    size_t next_class, next_place;       /* that are matched next */
    uint64_t unknown;                    /* features of the target that no source has */
    struct pd_marks marks;               /* names that targets make common */
    bool made_common;                    /* by targets: the class at hand */
    bool equal;                          /* a source has the same words (--copies report) */
    struct pd_u64s collided;             /* units that are in the index, once for each name */
    bool many_names;                     /* a unit may have several names */
    struct pd_occurrences mine, theirs;  /* of the class at hand, in the target and in sources */
    struct pd_occurrences all;           /* the same, of all classes of sources that it matches */
    struct pd_similar_search similar;    /* joins that compare sets */
    struct pd_crowding crowding;         /* the same with --max-near */
    struct pd_expansion expansion;       /* makes fans of the occurrences */
    struct pd_bytes fans;                /* the fans that are made at once */
    struct pd_pairing *pairing;          /* deals the dots of the target to its sources */
    struct pd_finder finder;             /* finds the passages or regions of a pair */
    struct pd_passages passages;         /* of the pair at hand */
    struct pd_refining refining;         /* makes passages of regions */
    struct pd_u64s window_a, window_b;   /* the words around a region in both documents */
    struct pd_u64s spelled_a, spelled_b; /* and their spellings */
    struct pd_weights weights;           /* of each class in each source */
    double all_weight;                   /* sum of the idf of all features of the target */
    struct pd_source_text source;        /* the source at hand */
    struct pd_stored whole;              /* the target with the frame of its page */
    struct pd_bytes in_frame;            /* scratch: which of its base units are in the frame */
    struct pd_view view;                 /* its units, and what is set aside */
    struct pd_spelled target;            /* units and words of the target */
    uint64_t host;                       /* of the target, as in struct pd_docrec */
    struct pd_u64s terms_a, terms_b;     /* scratch: terms that are compared */
    struct pd_edge_words edge_a, edge_b; /* scratch: words beyond an end */
    struct pd_finishing finish;          /* makes rows of the pair at hand */
    struct pd_inner_keys inner;          /* scratch of pd_inner_drop() */
};

/* Make ready. `job` (options and form) and `index` are borrowed until the release. */
void pd_query_init(struct pd_query *q, struct pd_job *job, struct pd_index *index);
void pd_query_release(struct pd_query *q);

/*
 * Look up the document that is loaded in `s`, whose number is s->number. Its words have their
 * frozen flags. `rec`: its site and inner text; zeroed: not known. PD_OK, PD_EIO, PD_EFORMAT or
 * PD_ESTOP.
 */
int pd_query_ask(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec);

/*
 * The same in steps, for a batch, whose targets are all signed before the first one is matched:
 *
 * pd_query_sign() makes the names of the loaded document, and what is set aside of it.
 * pd_query_ask_names() asks for all classes of q->names. pd_query_keep_known() takes the answers
 * from question *k on, which is moved ahead. It drops the names that no source has from q->names,
 * and lists the others in q->known, q->classes and q->places. With a join that compares sets it
 * keeps and lists all, as similar classes may match them. Names that are common are then marked in
 * q->marks. pd_query_match() matches q->names, q->unknown, q->classes and q->places. If there are
 * names, the document is loaded.
 */
int pd_query_sign(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec);
void pd_query_ask_names(struct pd_query *q, struct pd_look_ups *look_ups);
void pd_query_keep_known(struct pd_query *q, const struct pd_look_ups *look_ups, size_t *k);
int pd_query_match(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec);

#endif

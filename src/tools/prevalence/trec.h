/*
 * tools/prevalence/trec.h - TREC runs and judgements: which documents were found for which topic.
 *
 * A line of a run is "topic Q0 document rank score tag", a line of judgements (qrels) is "topic
 * iteration document relevance", with blanks or tabs between the columns. Further columns are
 * ignored. A run is the lines of one file that have the same tag.
 */
#ifndef PARDUP_TOOLS_PREVALENCE_TREC_H
#define PARDUP_TOOLS_PREVALENCE_TREC_H

#include "pardup/result/names.h"

/* A document that a run found for a topic. Sorted, the lines of a run and topic stand together. */
struct pd_found {
    uint64_t run, topic;
    uint64_t order[2]; /* ascends from the first document to the last one of a run and topic */
    uint64_t line;     /* the line in the run's file, from 1 */
    uint64_t doc;      /* index into pd_trec.docs */
};
PD_VEC(pd_founds, struct pd_found);

/* A judgement, in the order of the files. */
struct pd_judged {
    uint64_t topic;
    uint64_t file, line; /* number of the judgements' file; the line in it, from 1 */
    uint64_t doc;        /* index into pd_trec.docs */
    uint64_t relevant;   /* 1 or 0 */
};
PD_VEC(pd_judgeds, struct pd_judged);

/* A run: the lines with one tag in one file. */
struct pd_trec_run {
    uint64_t file; /* the caller's number of the file */
    uint64_t tag;  /* index into pd_trec.tags */
};
PD_VEC(pd_trec_runs, struct pd_trec_run);

/* Which documents of a run come first. */
enum pd_trec_order {
    PD_TREC_RANK, /* least rank; among equals greatest score, then the first line */
    PD_TREC_SCORE /* greatest score; among equals the greatest id, as trec_eval has it */
};

/* All runs and judgements. A zeroed struct is empty. Names are numbered from 0 as they come. */
struct pd_trec {
    struct pd_names docs, topics, tags; /* ids of documents, names of topics and of runs */
    struct pd_trec_runs runs;           /* in the order of their first lines */
    struct pd_founds found;             /* the lines of all runs */
    struct pd_judgeds judged;           /* the lines of all judgements */
    uint64_t repeated;   /* lines that named a document again for the same run and topic */
    uint64_t contradict; /* PD_TREC_RANK: runs and topics whose scores give another order */
    uint64_t disputed;   /* judgements that disagree with an earlier one of the same document */
};

/*
 * Take a line of a run or of judgements, which is changed. Empty lines do nothing.
 *   file    the caller's number of the file; lines of a file follow each other
 *   number  the line's number
 * Returns PD_OK, or PD_EFORMAT with a message without file and line.
 */
int pd_trec_take(struct pd_trec *r, char *line, uint64_t file, uint64_t number);
int pd_trec_judge(struct pd_trec *r, char *line, uint64_t file, uint64_t number);

/*
 * When all lines are taken: number the topics so that 9 comes before 10, sort `found` and `judged`
 * by topic, and leave out lines that name a document again.
 */
void pd_trec_sort(struct pd_trec *r, enum pd_trec_order order);

/* The end of the stretch of `found` with the run and topic of entry `from`. */
size_t pd_trec_end(const struct pd_trec *r, size_t from);

/* A name, ended by NUL. Borrowed until the next line is taken. */
const char *pd_trec_name(const struct pd_names *names, uint64_t number);

void pd_trec_release(struct pd_trec *r);

#endif

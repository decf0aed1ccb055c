/*
 * run/job/dedup/leaks.h - which passages are leaks of a benchmark.
 *
 * The sources of the result are the items of a benchmark, the targets are documents of a corpus.
 * The passages of a pair are its runs of equal words, see app/command/cmd_decontaminate.c. What
 * many documents share is not matched, so a run is counted twice: by its words, and by the grams in
 * it that match. A leak is
 *   - a run of --run words, if it is not nearly all common: at least four grams match;
 *   - an item of fewer words as a whole;
 *   - an edited copy: runs that follow each other in both documents, little apart. Six grams of them
 *     match at least, the runs are 35 % of the text from the first to the last one, and this text is
 *     about as long in both: where words were replaced, it is, and where two texts share phrases, not.
 * The numbers were chosen with scripts/measure/leaks.py on newsgroups and judged on other texts.
 */
#ifndef PARDUP_RUN_DEDUP_LEAKS_H
#define PARDUP_RUN_DEDUP_LEAKS_H

#include "run/job/dedup/job.h"

enum pd_leak_kind { PD_LEAK_RUN, PD_LEAK_SHORT, PD_LEAK_EDITED };

/* A stretch of a document with text of an item. */
struct pd_leak {
    uint64_t doc, item;            /* rows of /documents */
    uint64_t row, family;          /* its first passage */
    uint64_t begin, end;           /* bytes of the document */
    uint64_t item_begin, item_end; /* bytes of the item */
    uint64_t words;                /* words in its runs */
    enum pd_leak_kind kind;
};
PD_VEC(pd_leaks, struct pd_leak);

/* A run of equal words: a row of /passages. */
struct pd_leak_run {
    uint64_t begin, end, item_begin, item_end, words, matched, row, family;
};
PD_VEC(pd_leak_runs, struct pd_leak_run);

/* A walk through the leaks of the pairs whose first passage is in a range of rows. */
struct pd_leak_reader {
    struct pd_dedup *d;
    struct pd_table_reader t;
    uint64_t end;             /* of the range */
    struct pd_leak_runs runs; /* of the pair at hand */
    struct pd_leaks leaks;    /* the same */
    size_t next;              /* in `leaks` */
};

/* Begin with the passages [from, to). To be closed in any case. PD_OK or PD_EFORMAT. */
int pd_leak_reader_open(struct pd_leak_reader *r, struct pd_dedup *d, uint64_t from, uint64_t to);
void pd_leak_reader_close(struct pd_leak_reader *r);

/* The next leak, in order of documents and items. PD_OK, PD_END or PD_EFORMAT. */
int pd_leak_next(struct pd_leak_reader *r, struct pd_leak *leak);

/* Read the words of the items, if this job is about leaks. PD_OK or a failure to read the result. */
int pd_leaks_load(struct pd_dedup *d);

/* ---- found.c ---- */

/*
 * For rank 0. Write items.jsonl and suites.jsonl to the folder of the proof, and say what they say.
 * PD_OK or a failure.
 */
int pd_leaks_report(struct pd_dedup *d);

#endif

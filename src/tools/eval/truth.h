/*
 * tools/eval/truth.h - which texts are known to be duplicates: truth files (README.md, "Judging a
 * result") and the PAN text alignment format.
 */
#ifndef PARDUP_TOOLS_EVAL_TRUTH_H
#define PARDUP_TOOLS_EVAL_TRUTH_H

#include <stdbool.h>

#include "ignored.h"
#include "match.h"
#include "pardup/result/names.h"

/*
 * Everything read from truth files. A zeroed struct is empty. Documents have the numbers of the
 * result; ids of the truth that are not in the result get the numbers from `documents` on.
 */
struct pd_truth {
    struct pd_matches cases;
    struct pd_labels labels;
    struct pd_ignored_texts ignored;
    bool only_listed;        /* detections in document pairs without a label are not judged */
    bool units;              /* cases are pairs of units: unit k is the text [k, k + 1) */
    struct pd_names classes; /* the names of classes, numbered from 1 */
    /* class k has the name that begins at class_names.v[k - 1] of classes.text */
    struct pd_indices class_names;
    struct pd_names ids;       /* document ids, of the result and of the truth */
    uint64_t documents;        /* documents of the result */
    struct pd_indices unknown; /* where ids that are not in the result begin in ids.text */
};

/*
 * Take the ids of the result's documents. Call this before reading truth files. If documents share
 * an id, the id means the first of them.
 *   ids             n ids in order of document number, `width` bytes each, padded with NUL
 *   last_component  an id is only what follows its last slash
 */
void pd_truth_documents(struct pd_truth *t, const char *ids, size_t width, uint64_t n,
                        bool last_component);

/*
 * Append a truth file, with offsets in bytes. A line of six or more columns is a case; the seventh
 * column is its class. A line of four or five columns is a pair of units, which no file of cases in
 * bytes may have. A line of two or three columns labels two documents as duplicates; the last
 * column is the class. Returns PD_OK, PD_EIO, or PD_EFORMAT (the message names the line).
 */
int pd_truth_read(struct pd_truth *t, const char *path);

/*
 * Append texts to be ignored: lines "doc begin end" with tabs between the columns, offsets in
 * bytes. Further columns are skipped. Returns PD_OK, PD_EIO, or PD_EFORMAT (the message names the
 * line).
 */
int pd_truth_read_ignored(struct pd_truth *t, const char *path);

/*
 * Append PAN's truth, with offsets in characters, and set only_listed.
 *   path  one of: a folder that holds the file `pairs` (lines "suspicious source") and an XML file
 *         for each pair; a folder of such folders; one XML file
 * The class of a case is the name of its folder; cases of a single XML file have no class.
 * Returns PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_truth_read_pan(struct pd_truth *t, const char *path);
bool pd_truth_is_pan(const char *path); /* `path` is a folder, or its name ends in .xml */

/*
 * Ids of the truth that are unknown may be other names of documents. Call this before sorting.
 *   docs  per unknown id: the document that it means, or UINT64_MAX: it stays unknown
 */
void pd_truth_meet(struct pd_truth *t, const uint64_t *docs);

/* Sort cases and labels by document pair, then by their other members. */
void pd_truth_sort(struct pd_truth *t);

/*
 * If only_listed is set, drop detections in document pairs that have no label.
 *   t      sorted
 *   found  detections, sorted
 * Returns how many detections were dropped.
 */
uint64_t pd_truth_judge(const struct pd_truth *t, struct pd_matches *found);

/* The name of a class, class >= 1. Borrowed until the next class is read. */
const char *pd_truth_class(const struct pd_truth *t, uint64_t class);

/* The k-th id that is not in the result, k < unknown.n. Borrowed until the next id is read. */
const char *pd_truth_unknown(const struct pd_truth *t, size_t k);
void pd_truth_release(struct pd_truth *t);

/* For the readers: the number of the document with this id, which may be unknown to the result. */
uint64_t pd_truth_doc(struct pd_truth *t, const char *id, size_t n);

/*
 * For the readers: set *class to the number of the class with this name; n = 0 means no class.
 * Returns PD_OK, or PD_EFORMAT if there are implausibly many classes.
 */
int pd_truth_class_of(struct pd_truth *t, const char *name, size_t n, uint64_t *class);

#endif

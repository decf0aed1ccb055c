/*
 * result/truth.h - what is known to be duplicate: truth files (README.md, "Judging a result") and
 * the PAN text alignment format.
 */
#ifndef PARDUP_RESULT_TRUTH_H
#define PARDUP_RESULT_TRUTH_H

#include <stdbool.h>

#include "pardup/result/ignored.h"
#include "pardup/result/match.h"
#include "pardup/result/names.h"

struct pd_truth {
    struct pd_matches cases;
    struct pd_labels labels;
    struct pd_ignored_texts ignored;
    bool only_listed; /* detections between documents without a label are outside of the task */
    struct pd_names classes;
    struct pd_offsets class_names; /* class k is the text at class_names.v[k - 1] of classes.text */
    struct pd_names ids;
    uint64_t documents;        /* of the result; numbers from here on are unknown documents */
    struct pd_offsets unknown; /* their ids: places in ids.text */
};

/*
 * Before reading: the ids of all documents in order, `width` bytes each, NUL-padded. Of documents
 * with the same id the first is meant. With `last_component` an id is what follows its last slash.
 */
void pd_truth_documents(struct pd_truth *t, const char *ids, size_t width, uint64_t n,
                        bool last_component);

/*
 * Append a truth file: offsets in bytes. Lines have six columns or more (a seventh is the class),
 * or two or three (labels of whole documents, class). PD_OK, PD_EIO, or PD_EFORMAT (names the line).
 */
int pd_truth_read(struct pd_truth *t, const char *path);

/*
 * Append texts to be ignored: lines "doc begin end" with tabs, offsets in bytes; more columns are
 * not looked at. PD_OK, PD_EIO, or PD_EFORMAT (names the line).
 */
int pd_truth_read_ignored(struct pd_truth *t, const char *path);

/*
 * Append PAN's truth: offsets in characters. `path` is a folder with a file `pairs` ("suspicious
 * source" a line) and an XML file a pair; or a folder of such folders; or one XML file. The class
 * is the name of the folder. PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_truth_read_pan(struct pd_truth *t, const char *path);
bool pd_truth_is_pan(const char *path); /* a folder, or named *.xml */

/* Bring cases and labels into the order of document pairs. */
void pd_truth_sort(struct pd_truth *t);

/* Drop what is outside of the task from `found`, sorted; returns how many. */
uint64_t pd_truth_judge(const struct pd_truth *t, struct pd_matches *found);

const char *pd_truth_class(const struct pd_truth *t, uint64_t class); /* class >= 1 */
const char *pd_truth_unknown(const struct pd_truth *t, size_t k);
void pd_truth_release(struct pd_truth *t);

/* For the readers: the number of a document, known or not, and of a class (n = 0: none). */
uint64_t pd_truth_doc(struct pd_truth *t, const char *id, size_t n);
int pd_truth_class_of(struct pd_truth *t, const char *name, size_t n, uint64_t *class);

#endif

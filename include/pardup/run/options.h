/*
 * run/options.h - what the user asked for, as plain values. app/options.c fills it in.
 */
#ifndef PARDUP_RUN_OPTIONS_H
#define PARDUP_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/corpus/reader.h"
#include "pardup/document/document.h"
#include "pardup/feature/signer.h"
#include "pardup/join/similarity.h"
#include "pardup/result/writer.h"
#include "pardup/synth/options.h"

enum pd_edges { PD_EDGES_WORD, PD_EDGES_SENTENCE, PD_EDGES_FAR };
enum pd_progress_kind { PD_PROGRESS_AUTO, PD_PROGRESS_BAR, PD_PROGRESS_LOG, PD_PROGRESS_NONE };
enum pd_rows_format { PD_ROWS_TSV, PD_ROWS_JSONL };
enum pd_unit_kind {
    PD_UNIT_SENTENCE,
    PD_UNIT_CLAUSE,
    PD_UNIT_STOP,
    PD_UNIT_GRAM,
    PD_UNIT_DOCUMENT
};
enum pd_sketch { PD_SKETCH_BITS, PD_SKETCH_MINHASH };
enum pd_truth_format { PD_TRUTH_AUTO, PD_TRUTH_TSV, PD_TRUTH_PAN };
enum pd_report { PD_REPORT_TABLE, PD_REPORT_TSV, PD_REPORT_JSON, PD_REPORT_PAN };
enum pd_offset_kind { PD_OFFSETS_AUTO, PD_OFFSETS_CHAR, PD_OFFSETS_BYTE };

struct pd_texts {
    const char **v; /* allocated; the texts are argv's */
    size_t n;
};

struct pd_options {
    const char *command; /* the whole command line, for the record */
    const char **inputs; /* operands: inputs, or the result file(s) */
    size_t ninputs;
    const char *files_from; /* list of inputs, "-" standard input; NULL: none */
    enum pd_format format;
    const char *id_field, *text_field, *url_field;
    int64_t limit_docs; /* 0: all */
    bool strict;
    enum pd_base_kind base;
    enum pd_content content;
    enum pd_words_kind words;

    const char *method;          /* the preset; all it stands for is in the members below */
    enum pd_unit_kind unit_kind; /* says what `units` and the units derived of them are */
    int64_t window[2]; /* base units in a window, and by how many it moves; side by side */
    bool jump;
    int64_t ngram, sample;
    enum pd_feature_kind feature;
    const char *antecedents, *stop_words; /* a number or a file; english, none or a file */
    int64_t spot_distance, spot_chain;
    enum pd_join_kind join;
    double tau;
    enum pd_sketch sketch; /* of LSH: what its tables hash, with their parameters */
    int64_t bits, word_bits, diffbit, rows, tables;
    int64_t gamma, gap, max_df, min_words; /* gap -1: what the sample asks for */
    int64_t max_near;                      /* similar classes a class may have; 0: any number */
    double theta_d;
    int64_t delta;
    double max_word_df;
    enum pd_edges edges;
    int64_t min_passage_words; /* passages with fewer words, edges included, are left out */
    bool skip_same_host;
    double idf_lo, idf_hi; /* side by side: one option sets both */

    int64_t memory;      /* bytes a rank may use for records in flight; 0: a share of the node's */
    const char *scratch; /* folder for what spills and for checkpoints; NULL: $TMPDIR */
    bool resume;
    bool dry_run; /* say what it would take, and stop */
    enum pd_compress compress;
    enum pd_progress_kind progress;
    const char *output;

    const char *doc;             /* one document's id; NULL: all */
    int64_t limit, lines, width; /* show: passages, lines a passage (0: all), columns (0: ask) */
    bool offsets;                /* sentences: also print where the words are */
    enum pd_rows_format rows_format;
    int table; /* number of a table of result/schema.h */

    struct pd_texts truth; /* eval: files and folders */
    enum pd_truth_format truth_format;
    const char *ignore;       /* eval: file of text that is not judged */
    enum pd_report report;    /* PD_REPORT_PAN: a table, and truth_format is PD_TRUTH_PAN */
    enum pd_offset_kind unit; /* of offsets when lengths are compared */
    int64_t bootstrap, seed;

    struct pd_synth_options synth;
};

/* A document that is read as these options say. */
static inline struct pd_document pd_document_as(const struct pd_options *o)
{
    return (struct pd_document){.content = o->content, .base = o->base, .words_kind = o->words};
}

#endif

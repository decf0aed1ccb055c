/*
 * run/options.h - what the user asked for, as plain values.
 *
 * app/options.c reads the command line into struct pd_options. A command uses the groups that its
 * options belong to; members of other groups are zero.
 */
#ifndef PARDUP_RUN_OPTIONS_H
#define PARDUP_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/corpus/formats.h"
#include "pardup/document/document.h"
#include "pardup/feature/feature.h"
#include "pardup/join/similarity.h"
#include "pardup/result/compress.h"
#include "pardup/result/schema.h"

/* Do templates (join/templates.h) and frames of pages (document/document.h) take part? */
enum pd_templates_kind { PD_TEMPLATES_MATCH, PD_TEMPLATES_ASIDE };

/* What common classes match: nothing, or their anchors (join/anchors.h). */
enum pd_common_kind { PD_COMMON_ASIDE, PD_COMMON_FIRST };

/* How passages are found: as runs of matched units, or by the words around regions of them. */
enum pd_refine_kind { PD_REFINE_NONE, PD_REFINE_WORDS };
/* Are documents found that are equal word for word, whatever their units are? */
enum pd_copies { PD_COPIES_IGNORE, PD_COPIES_REPORT };

/* Kinds of collections, each with options that suit it (app/methods.c). */
enum pd_preset {
    PD_PRESET_AUTO, /* the job chooses one of the others, when it has read the collection */
    PD_PRESET_WEB,
    PD_PRESET_TEXTS,
    PD_PRESET_CODE,
    PD_PRESET_CHARACTERS,
    PD_PRESET_EDITED,
    PD_PRESET_PAPER,
    PD_PRESETS
};
enum pd_repeats { PD_REPEATS_NONE, PD_REPEATS_FIRST };
enum pd_edges { PD_EDGES_WORD, PD_EDGES_SENTENCE, PD_EDGES_FAR };
enum pd_passages_kind { PD_PASSAGES_ALL, PD_PASSAGES_BEST };
enum pd_progress_kind { PD_PROGRESS_AUTO, PD_PROGRESS_BAR, PD_PROGRESS_LOG, PD_PROGRESS_NONE };
enum pd_color { PD_COLOR_AUTO, PD_COLOR_ALWAYS, PD_COLOR_NEVER };
enum pd_rows_format {
    PD_ROWS_AUTO, /* by the name of the output */
    PD_ROWS_TSV,
    PD_ROWS_CSV,
    PD_ROWS_JSONL,
    PD_ROWS_PARQUET,
    PD_ROWS_SARIF, /* passages as findings of a build */
    PD_ROWS_CDXJ,  /* documents as an index of web archives */
    PD_ROWS_GRAPHML,
    PD_ROWS_GEXF
};
enum pd_by { PD_BY_URL, PD_BY_ID };
enum pd_row_offsets { PD_ROW_BYTES, PD_ROW_CHARS };
enum pd_unit_kind {
    PD_UNIT_SENTENCE,
    PD_UNIT_CLAUSE,
    PD_UNIT_STOP,
    PD_UNIT_GRAM,
    PD_UNIT_DOCUMENT
};
enum pd_df_of { PD_DF_DOCUMENTS, PD_DF_TIMES };
enum pd_blanks { PD_BLANKS_DROP, PD_BLANKS_KEEP };
enum pd_sketch { PD_SKETCH_BITS, PD_SKETCH_MINHASH };

/* Texts of the command line. The array is allocated; the texts belong to argv. */
struct pd_texts {
    const char **v;
    size_t n;
};

/* Which documents are read, and how. Commands detect, text and sentences. */
struct pd_input_options {
    struct pd_texts against; /* detect: sources; empty: every document is target and source */
    struct pd_texts with;    /* detect: sources beside the targets, which are sources, too */
    const char *files_from;  /* file that lists more inputs; "-": standard input; NULL: none */
    struct pd_texts include; /* patterns of the files of folders that are read; none: all */
    struct pd_texts exclude; /* patterns of the files of folders that are not */
    struct pd_texts
        ignore; /* files whose text is set aside wherever it stands (run/stage/ignore.h) */
    struct pd_texts convert;    /* rows 'ENDING=COMMAND {}' for pd_converter_add() */
    struct pd_texts vocabulary; /* files for pd_dialects_read() */
    const char *docs_from;      /* file that lists the ids of the documents to read; NULL: all */
    bool null;                  /* names in `files_from` end with NUL */
    enum pd_format format;
    const char *id_field;      /* JSON lines: name of the field with the document's id */
    const char *text_field;    /* JSON lines: name of the field with the text */
    const char *url_field;     /* JSON lines: name of the field with the address */
    const char *site_field;    /* JSON lines: name of the field with the site; NULL: none */
    const char *keep_fields;   /* fields to keep, with commas; NULL: none */
    const char *metadata;      /* CSV file with further fields, by the documents' ids; NULL: none */
    const char *date_field;    /* name of the kept field with the date */
    int64_t max_document;      /* bytes of the largest document that is read */
    int64_t limit_docs;        /* documents to read at most; 0: all */
    bool revisits;             /* changes: records of type revisit are visited, too */
    bool strict;               /* a bad record ends the job */
    bool skip_unknown;         /* files of unknown formats do not end the job */
    enum pd_base_kind base;    /* into which base units a document is cut */
    enum pd_content content;   /* which text of an HTML page counts */
    enum pd_words_kind words;  /* what words are */
    enum pd_spelling spelling; /* across which spellings words are compared */
};

/* How units are made and compared, and which passages are kept. Command detect. */
struct pd_method_options {
    const char *name;        /* the preset; everything it stands for is in the other members */
    enum pd_unit_kind units; /* input.base and the form of units follow from it */
    int64_t window[2];       /* base units in a window; its step in the first document of a pair */
    bool jump;               /* leave out windows whose word counts repeat the window before */
    int64_t ngram;           /* words in a gram or shingle */
    int64_t char_ngram;      /* gram: single characters that say as much as `ngram` other words,
                                more than `ngram`; 0: a character is a word like others */
    int64_t sample;          /* gram: in the first document of a pair, one in `sample` is compared;
                                bytes: one fingerprint in `sample` is kept */
    int64_t winnow;          /* gram: of `winnow` in a row one is compared at least; 1: all are */
    int64_t shingle_bytes;   /* bytes: length of a shingle */
    enum pd_blanks blanks;   /* bytes: whether shingles hold blanks between words */
    int64_t sct;             /* signatures in more documents do not count; 0: any number */
    enum pd_feature_kind feature;
    const char *antecedents; /* SpotSigs: a number of words, or a file of words */
    const char *stop_words;  /* SpotSigs: "english", "none", or a file of words */
    int64_t spot_distance;   /* SpotSigs: every spot_distance-th word is in the chain */
    int64_t spot_chain;      /* SpotSigs: words in a chain */
    int64_t reach;           /* pairs: following words that a word is paired with */
    double rare; /* pairs: a word counts if at most this share of all words is this word */
    const char
        *frequencies; /* table of a background, by which words are rare; NULL: the collection */
    enum pd_join_kind join;
    double tau;            /* least similarity of two units; 0: they share a signature */
    enum pd_sketch sketch; /* LSH: what is hashed into buckets */
    int64_t bits;          /* LSH by bits: length of a unit's superimposed signature, in bits */
    int64_t word_bits;     /* LSH by bits: bits that a word sets */
    int64_t diffbit;       /* LSH by bits: differing bits at which two units are found, p = .95 */
    int64_t rows;          /* LSH by min-wise hashing: least members that make a bucket */
    int64_t tables;        /* LSH: hash tables */
    int64_t gamma;         /* a passage has more than gamma matched units */
    int64_t gap;           /* unmatched units over which a passage continues, on either side */
    enum pd_refine_kind refine;       /* how passages are found in the dots of a pair */
    int64_t max_df;                   /* documents above which a class is common; 0: any number */
    enum pd_df_of max_df_of;          /* what max_df counts: documents, or units in all of them */
    enum pd_common_kind common;       /* what common classes match */
    bool within;                      /* units of one document match each other, too */
    enum pd_templates_kind templates; /* commands text and sentences too */
    enum pd_templates_kind frame;     /* command sentences too */
    enum pd_copies copies;
    int64_t min_copy_words;    /* words of the shortest document that has copies */
    double min_copy_agreement; /* least agreement of brief documents (run/stage/classes/brief.h) */
    int64_t max_near;          /* classes that a class may be similar to; 0: any number */
    int64_t min_words;         /* units with fewer words are not compared */
    enum pd_templates_kind empty; /* words: whether units without a counted word match */
    int64_t min_counted;          /* units with fewer counted words are not compared */
    int64_t max_repeats;          /* times that a unit may occur in one document; 0: any number */
    enum pd_repeats repeats;      /* whether the first of the units that occur more often count */
    double theta_d;               /* least score of a pair of documents */
    int64_t delta;                /* a pair of documents has more than delta matched units */
    double max_word_df;           /* words in a larger share of the documents do not count */
    int64_t lexicons;             /* words: parts of the vocabulary; one of them must agree */
    double idf[2];                /* words count whose normalised idf is in [idf[0], idf[1]] */

    /* words in at most always_df documents count even if their idf is below idf[0] */
    int64_t always_df;
    enum pd_passages_kind passages;
    enum pd_edges edges;
    int64_t min_passage_words; /* passages with fewer words, edges included, are left out */
    int64_t min_run;           /* words in a row that may go; -1: by the result */
    double min_agreement;      /* passages with less agreement are left out */
    double family_coverage;    /* coverage of both documents that makes them one family */
    bool skip_same_host;       /* leave out pairs of documents from one host */
    const char *skip_same;     /* leave out pairs with one value of this kept field; NULL: none */
};

/* What a class is in more than max_df of, for messages. */
static inline const char *pd_max_df_of(const struct pd_method_options *o)
{
    return o->max_df_of == PD_DF_TIMES ? "places" : "documents";
}

enum { PD_RANKS_MOST = 4096 }; /* ranks that a person may ask for on one machine */

/* How the job is run; what is found does not depend on it. Command detect. */
struct pd_job_options {
    int64_t memory;      /* bytes a rank may use for records; 0: a share of the node's memory */
    const char *scratch; /* folder for spilled records and checkpoints; NULL: $TMPDIR */
    int64_t ranks;       /* ranks on this machine, without a launcher; 0: by cores and input */
    bool resume;         /* go on from the checkpoint in scratch */
    bool gate;           /* passages in the result make another exit status */
    bool dry_run;        /* print what the job would take, and stop */
    double price;        /* dry_run: of an hour of a core; 0: not known */
    bool reproducible;   /* leave out attributes that tell the clock, the machine, the command */
    bool only_sources;   /* --against: common units that no source has are not listed */
    bool spans_of_all;   /* list what is set aside in all documents, also without passages */
    enum pd_compress compress;
    enum pd_progress_kind progress;
};

/* Options of printing. Commands compare, check, text, sentences, show and export. */
struct pd_print_options {
    bool each;                  /* report: a page for each document */
    bool hide_names;            /* report: the names of other documents are not on a page */
    const char *doc;            /* id of the only document to print; NULL: all documents */
    bool offsets;               /* sentences: also print the byte offsets of words */
    enum pd_by by;              /* changes: which documents of two captures are one page */
    const char *pair[2];        /* show, picture: ids of two documents; NULL: all pairs */
    bool network;               /* picture: documents over time */
    bool by_passage;            /* show: passages, not families */
    int64_t passage;            /* show: row of the only passage; -1: all */
    int64_t family;             /* show: row of the only family; -1: all */
    int64_t document_family;    /* show: row of the only family of documents; -1: all */
    int64_t limit;              /* show, compare: passages at most; 0: all */
    int64_t lines;              /* show, compare: lines of text for a passage at most; 0: all */
    int64_t context;            /* show, compare: equal words at either end of a run; 0: all */
    int64_t width;              /* show, compare: columns of the terminal; 0: ask the terminal */
    enum pd_color color;        /* show, compare */
    enum pd_rows_format format; /* export */
    bool any_format;            /* export: nobody has asked for the format */
    enum pd_table table;        /* export */
    int64_t text;               /* export: bytes of the text of a passage; 0: none */
    enum pd_row_offsets unit;   /* export: what begin and end of passages and members count */
    const char *label;          /* show, report: what documents are called; NULL: app/label.h */
    const char *sort;           /* export: COLUMN or COLUMN:desc; NULL: as the table has them */
};

/* Whether the texts of sources are read. */
enum pd_texts_use { PD_TEXTS_YES, PD_TEXTS_NO };

/* What an index keeps, and how it is asked. Commands index and check, and detect --known. */
struct pd_check_options {
    bool add;                /* index: add a segment to an index that is there */
    bool refresh;            /* index: read its sources again, and count their words anew */
    bool with_text;          /* index: keep the texts of the sources */
    const char *index;       /* check, detect --known: the folder of the index; NULL: none */
    bool lines;              /* check: targets are JSON lines of standard input */
    const char *socket;      /* check: the same of the clients of this Unix socket; NULL: none */
    bool show;               /* check: print the result for a person */
    int64_t top;             /* check: sources in the ranking of a target at most */
    enum pd_texts_use texts; /* check */
};

/* What a document may lose: sentences, or nothing less than all of it. */
enum pd_removing { PD_REMOVE_PASSAGES, PD_REMOVE_DOCUMENTS };

/* What files of the new collection are: as they were, or JSON lines. */
enum pd_written_as { PD_WRITTEN_SAME, PD_WRITTEN_JSONL, PD_WRITTEN_ATTRIBUTES, PD_WRITTEN_LISTS };

/* What leaves a collection, and how this is written. Command dedup. */
struct pd_dedup_options {
    enum pd_removing remove;
    enum pd_written_as as;
    const char *count_field; /* gets the number of copies that a document stands for; NULL: none */
    bool revisit;            /* copies in web archives become records of type revisit */
    const char *keep;     /* which copy stays: first, longest, field:NAME, list:FILE or best:KEYS */
    double min_left;      /* a document with a smaller share of its words left goes whole */
    int64_t min_run;      /* words in a row that may go; -1: by the result */
    double min_agreement; /* a unit goes if this share of its words stands in the kept text */
    double max_loss;      /* no group of documents may lose a larger share of its text */
    const char *by;       /* how they are grouped: file, host or field:NAME; NULL: file */
    const char *proof;    /* folder of what proves the removals; NULL: beside the output */
    int64_t
        run; /* decontaminate: words in a row that make a leak; 0: copies go (run/job/dedup/leaks.h) */
    bool annotate;    /* an older name of PD_WRITTEN_ATTRIBUTES */
    bool list;        /* an older name of PD_WRITTEN_LISTS */
    bool resume;      /* keep the files that an earlier try has finished */
    bool check;       /* run a second job over the output, and say what it finds */
    bool certificate; /* write digests of all that was read and written */
};

/* Is a collection written, not only what could go of it? */
static inline bool pd_writes_collection(const struct pd_dedup_options *o)
{
    return o->as == PD_WRITTEN_SAME || o->as == PD_WRITTEN_JSONL;
}

/* The options that commands share. The command line fills it from pd_option_table. */
struct pd_options {
    const char *name;         /* of the command */
    const char *command;      /* the whole command line, for the record */
    bool force;               /* -o replaces any file */
    bool quiet;               /* no messages but errors */
    bool verbose;             /* more messages */
    struct pd_texts operands; /* inputs; show, export, eval: the result file */
    struct pd_texts values;   /* of the parameters in --method; allocated */
    const char *output; /* detect, compare: the result file; others: the folder; synth also "-" */
    struct pd_input_options input;
    enum pd_preset preset; /* detect: which preset the user asked for */
    struct pd_method_options method;

    bool method_given; /* the command line has --method */
    bool decided;      /* the command line says what is compared (pd_method_decides) */
    struct {
        bool gamma, delta, theta_d, frequencies, preset;
    } given; /* limits on matched units, the table, and the preset, that the command line has */

    /* detect, PD_PRESET_AUTO: what `method` becomes when a preset is chosen; others are zero. A
     * preset that cannot be chosen has no name. */
    struct pd_method_options presets[PD_PRESETS];
    struct pd_method_options letters; /* a preset for texts, if most of them are letters */
    bool matches;                     /* detect: also write /matches */
    struct pd_job_options job;
    struct pd_print_options print;
    struct pd_dedup_options dedup;
    struct pd_check_options check;
};

/* A document, still empty, that is to be read as the options say. */
static inline struct pd_document pd_document_as(const struct pd_input_options *o)
{
    return (struct pd_document){.content = o->content,
                                .base = o->base,
                                .words_kind = o->words,
                                .spelling = o->spelling,
                                .max_bytes = (size_t)o->max_document};
}

#endif

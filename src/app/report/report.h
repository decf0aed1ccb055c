/*
 * app/report/report.h - what a report page says about a result, gathered.
 *
 * The page holds the longest passages when there are many, all documents that they are in, and
 * the texts of the first documents, until the page is full. Histograms count every passage of the
 * result.
 */
#ifndef PARDUP_APP_REPORT_REPORT_H
#define PARDUP_APP_REPORT_REPORT_H

#include <stdio.h>

#include "app/label.h"
#include "app/share.h"
#include "pardup/base/bytes.h"
#include "pardup/base/hash_table.h"
#include "pardup/base/search.h"
#include "pardup/corpus/kept.h"
#include "pardup/result/table.h"
#include "pardup/run/fetch.h"
#include "pardup/run/options.h"
#include "pardup/run/progress.h"

enum { PD_REPORT_LENGTHS = 16, PD_REPORT_TENTHS = 10 };

PD_VEC(pd_report_numbers, uint32_t);

/* A text on the page: texts.v[at, at + n). */
struct pd_report_text {
    size_t at, n;
};

/* A passage on the page. */
struct pd_report_passage {
    uint64_t row;              /* row of /passages */
    bool longest;              /* of its pair */
    uint64_t doc[2];           /* rows of /documents, or of /sources with PD_SOURCE_ROW */
    uint64_t begin[2], end[2]; /* bytes of the texts */
    uint64_t words[2];
    struct pd_report_text
        excerpt[2];                 /* the beginning of a side whose document is not on the page */
    struct pd_report_text marks[2]; /* words without a match: marks.v[at, at + n) of the page */
    bool marked;                    /* the marks are there; they are none if all words agree */
    double agreement, similarity;
    uint64_t family; /* row of /families; UINT64_MAX: none */
};
PD_VEC(pd_report_passages, struct pd_report_passage);

/* Two documents with a passage on the page. */
struct pd_report_pair {
    size_t document[2];  /* their numbers on the page */
    uint64_t covered[2]; /* words outside set-aside text that the other document has */
};
PD_VEC(pd_report_pairs, struct pd_report_pair);

/* A document on the page. */
struct pd_report_document {
    uint64_t row;      /* row of /documents, or of /sources with PD_SOURCE_ROW */
    uint64_t bytes;    /* bytes of its text */
    uint64_t passages; /* passages of the sample in which it is */
    bool whole;        /* its text is on the page */
    struct pd_report_text text;
    struct pd_report_text aside; /* what of the text is set aside: as marks are */
    struct pd_share share;       /* in all passages; all 0: it cannot be read any more */
};
PD_VEC(pd_report_documents, struct pd_report_document);

struct pd_report_page {
    struct pd_result *result;
    struct pd_fetch sides[2];       /* rows of /documents; rows of /sources */
    const struct pd_fetch *fetched; /* where pd_report_fetch() has read last */
    const struct pd_options *options;
    struct pd_doc_label label;        /* what documents are called */
    struct pd_table_reader listed[2]; /* of /documents and /sources, see pd_report_look() */
    uint64_t only;   /* --doc: row of /documents whose passages are wanted; UINT64_MAX: all */
    uint64_t family; /* --family: row of /families whose passages are wanted; UINT64_MAX: all */
    uint64_t rows;   /* passages that were wanted; the sample is of them */
    uint64_t lengths[PD_REPORT_LENGTHS];    /* wanted passages of 2^k to 2^(k+1) - 1 words */
    uint64_t tenths[PD_REPORT_TENTHS];      /* wanted passages by agreement; 1.0 is in the last */
    uint64_t coverage[PD_REPORT_TENTHS];    /* document pairs by the larger coverage */
    uint64_t resemblance[PD_REPORT_TENTHS]; /* document pairs, where whole documents are compared */
    bool resembling;                        /* some pair has a resemblance */
    uint64_t family_sizes[PD_REPORT_LENGTHS]; /* families of 2^k to 2^(k+1) - 1 members */
    struct pd_report_passages passages;       /* the sample, by row */
    struct pd_report_documents documents;     /* by row */
    struct pd_report_pairs pairs;             /* in order of their documents */
    struct pd_bytes texts;                    /* of documents and passages */
    struct pd_report_numbers
        marks;                  /* pairs: bytes before a mark, from the last one on; its bytes */
    uint64_t missing;           /* documents whose text cannot be read any more */
    struct pd_hash_table names; /* --hide-names: parts of names, by hide.c */
    struct pd_bytes wide_names; /* the same of scripts without blanks, each ended by NUL */
    struct pd_progress progress;
};

/*
 * Gather what the options ask for: --doc, --family, --limit, --hide-names. A document is read once
 * at most.
 *   only  a row of /documents, as --doc names one; UINT64_MAX: the options say it
 * PD_OK, PD_EIO or PD_EFORMAT; to be released in any case.
 */
int pd_report_open(struct pd_report_page *r, const struct pd_options *o, uint64_t only);
void pd_report_release(struct pd_report_page *r);

/* How many rows of /documents are targets: the first ones. */
uint64_t pd_report_targets(struct pd_result *result);

/*
 * Read all passages and pairs: fill the sample and the histograms of the passages that are wanted.
 * PD_OK or PD_EFORMAT.
 */
int pd_report_sample(struct pd_report_page *r);

/* Bytes of a document on the page that a passage covers, on the page or not. */
struct pd_report_covered {
    uint64_t document;   /* its number on the page */
    uint64_t pair;       /* of the pairs on the page; PD_REPORT_NO_PAIR: it is none of them */
    uint64_t begin, end; /* the bytes */
};
PD_VEC(pd_report_covereds, struct pd_report_covered);
#define PD_REPORT_NO_PAIR UINT64_MAX

/*
 * List what all passages of the result cover of the documents on the page, in order. Equal bytes of
 * a document, and bytes within others of the same pair, are listed once. PD_OK or PD_EFORMAT.
 */
int pd_report_covered(struct pd_report_page *r, struct pd_report_covereds *all);

/*
 * List the documents of the sample, and read the texts that the page has room for. PD_OK or
 * PD_EFORMAT.
 */
int pd_report_texts(struct pd_report_page *r);

/*
 * A row of /documents, or of /sources with PD_SOURCE_ROW, as the page has it: -1 is the first
 * source.
 */
static inline int64_t pd_report_printed(uint64_t row)
{
    return row & PD_SOURCE_ROW ? -1 - (int64_t)(row & ~PD_SOURCE_ROW) : (int64_t)row;
}

/*
 * The number on the page of the document in this row of /documents; of the next one if it is not on
 * the page.
 */
static inline size_t pd_report_number(const struct pd_report_page *r, uint64_t row)
{
    return pd_search_first(r->documents.v, r->documents.n, sizeof *r->documents.v,
                           offsetof(struct pd_report_document, row), row);
}

/*
 * Bring a row of /documents, or of /sources with PD_SOURCE_ROW, to hand in *t, with the columns
 * below. PD_OK or PD_EFORMAT.
 */
int pd_report_look(struct pd_report_page *r, uint64_t row, const struct pd_table_reader **t);
enum { PD_LISTED_BYTES, PD_LISTED_DATE };

/*
 * Read the document of a row into *r->fetched. False: it cannot be read any more, or has changed;
 * this is counted in r->missing, and the error is cleared.
 */
bool pd_report_fetch(struct pd_report_page *r, uint64_t row);

/* --hide-names: learn what the others are called. PD_OK or PD_EFORMAT. */
int pd_report_learn_names(struct pd_report_page *r);

/*
 * Write stars over names of others in the text s[0, n), which is part of the document in `row`. Its
 * length stays. Nothing happens without --hide-names, and in texts of sources.
 *
 * In texts of others, a part of a name is enough that begins with a capital letter, and lines that
 * begin with "Name:" are hidden. In the document of the page two parts must stand beside each
 * other.
 */
void pd_report_hide(const struct pd_report_page *r, uint64_t row, unsigned char *s, size_t n);

/* The largest n' <= n at which text[0, text_n) can be cut between two characters. */
size_t pd_report_cut(const unsigned char *text, size_t n, size_t text_n);

/* Write text as a JSON string that may stand in a script element. */
void pd_report_put(FILE *out, const char *s, size_t n);

/*
 * Write the beginning of text[0, n) as such a string: up to `most` bytes, cut between two words if
 * blanks part them, and an ellipsis behind it.
 */
void pd_report_put_beginning(FILE *out, const unsigned char *text, size_t most, size_t n);

/* Count all families by their members. PD_OK or PD_EFORMAT. */
int pd_report_count_families(struct pd_report_page *r);

/*
 * Write the family asked for, or the best ones (app/best_families.h), as a member of the data.
 * PD_OK or PD_EFORMAT.
 */
int pd_report_families(struct pd_report_page *r, FILE *out);

/* Write the largest families of documents as a member of the data. PD_OK or PD_EFORMAT. */
int pd_report_kin(struct pd_report_page *r, FILE *out);

/* Write the common units and the templates that most documents have. PD_OK or PD_EFORMAT. */
int pd_report_aside(struct pd_report_page *r, FILE *out);

/* The number of the bin of a histogram whose k-th bin counts sizes from 2^k to 2^(k+1) - 1. */
size_t pd_report_bin(uint64_t size);

/* Write the page to `out`; errors of writing are found with ferror(). PD_OK or PD_EFORMAT. */
int pd_report_write(struct pd_report_page *r, FILE *out);

#endif

/*
 * result/rows.h - rows of tables that are made only for the result file.
 *
 * The rows of the other tables are records that travel: struct pd_row and struct pd_pair
 * (base/row.h), struct pd_common (base/record.h).
 */
#ifndef PARDUP_RESULT_ROWS_H
#define PARDUP_RESULT_ROWS_H

#include <stdint.h>

#include "pardup/base/date.h"
#include "pardup/base/row.h"
#include "pardup/base/vec.h"

/* A row of /passages as it is written. */
struct pd_written_row {
    struct pd_row row;
    uint64_t family; /* row of /families */
};
PD_VEC(pd_written_rows, struct pd_written_row);

/* A row of /families. */
struct pd_family_row {
    uint64_t members;              /* spans that are copies of one text */
    uint64_t documents;            /* documents that have a member */
    uint64_t words;                /* of the representative, as far as one passage has them */
    uint64_t representative;       /* row of /members */
    char first_date[PD_DATE_ROOM]; /* of its documents; empty: none has a date */
    int64_t first_doc;             /* the first document with this date; -1: none */
    uint64_t first_sure;           /* 1: no other document may be older; else 0 */
};

/* A row of /members. */
struct pd_member_row {
    uint64_t family;     /* row of /families */
    int64_t doc;         /* row of /documents; -1: the member is in a source of an index */
    int64_t source;      /* row of /sources; -1: it is in a document */
    uint64_t begin, end; /* bytes of the text of the document */
    /* 1: the member is the representative, or agrees with it (run/stage/families/representatives.h) */
    uint64_t verified;
};
PD_VEC(pd_member_rows, struct pd_member_row);

/* A row of /document_families. */
struct pd_document_family_row {
    uint64_t documents;     /* near duplicates */
    int64_t representative; /* row of /documents; -1: it is a source of an index */
    int64_t source;         /* row of /sources; -1: it is a document */
};

/* A row of /documents. It begins with its size to travel to its writer (comm/exchange.h). */
struct pd_document_row {
    uint32_t size;         /* bytes of the struct and its texts, a multiple of 8 */
    uint32_t id_n;         /* bytes of the id */
    uint32_t url_n;        /* bytes of the address */
    uint32_t site_n;       /* bytes of the name of the site */
    uint64_t number;       /* number of the document, which is the row in the table */
    uint64_t file;         /* number of the input file */
    uint64_t offset, skip; /* as in struct pd_raw: where the record begins in the file */
    uint64_t length;       /* as in struct pd_raw: bytes of the record */
    uint64_t sentences;    /* base units */
    uint64_t words;        /* words of all base units */
    uint64_t text_bytes;   /* bytes of the text */
    uint64_t text_hash;    /* pd_hash_bytes() of the text */
    int64_t family;        /* row of /document_families; -1: none */
    uint64_t meta_n;       /* bytes of the kept fields */
    uint64_t date_n;       /* bytes of the date */
    /* id, address, site, kept fields, date; when written, each is padded with NUL to the longest */
    char id[];
};

/* A row of /aside, and of /templates. It travels to its writer. Order: that of the numbers. */
struct pd_aside_row {
    uint64_t doc;  /* document of the first occurrence */
    uint64_t unit; /* of the first occurrence: a base unit, but a unit if it is a common class */
    uint64_t why;  /* enum pd_aside_why */
    uint64_t hash; /* of a class: its set name; else as in struct pd_template */
    uint64_t documents; /* documents that have it */
    uint64_t words;     /* of the first occurrence */
    char reason[16];    /* name of the reason, padded with NUL */
    char site[];        /* padded with NUL to the longest; empty: it is of no single site */
};
enum { PD_ASIDE_ROW_U64S = 6 }; /* numbers of a struct pd_aside_row */

/* A row of /matches. Order: a, b, unit_a, unit_b. */
struct pd_match_row {
    uint64_t a, unit_a, b, unit_b; /* documents, and a unit of each */
    double similarity;             /* (0, 1] */
};

/* A row of /aside_spans. */
struct pd_aside_span_row {
    uint64_t doc, begin, end; /* row of /documents; bytes of its text */
    char reason[16];          /* why they are set aside, padded with NUL */
};

/* A row of /files. */
struct pd_file_row {
    uint64_t bytes;     /* bytes of the file as stored */
    uint64_t documents; /* documents in it */
    uint64_t skipped;   /* records in it that did not become documents */
    char path[];        /* padded with NUL to the longest path */
};

/* A row of /decisions. It travels to its writer. Order: doc. */
struct pd_decision_row {
    uint64_t doc;        /* the target */
    uint64_t collisions; /* its units that are in the index */
    uint64_t duplicate;  /* 1: more than --delta of them; else 0 */
};

/* A row of /ranking. It travels to its writer. Order: doc, rank. */
struct pd_ranking_row {
    uint64_t doc;    /* the target */
    uint64_t rank;   /* 1: the best source */
    uint64_t source; /* row of /sources */
    double score;    /* (0, 1] */
};

/* A row of /skipped. */
struct pd_skipped_row {
    uint64_t file;         /* number of the input file */
    uint64_t offset, skip; /* as in struct pd_raw: where the record begins in the file */
    char reason[16];       /* name of an enum pd_skip, padded with NUL */
};

#endif

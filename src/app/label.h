/*
 * app/label.h - what a person sees as the name of a document: --label, or its address, or its id.
 *
 * Without --label a document whose id is the number of a record (urn:...) is called by its address
 * and its date. A file is called by the shortest end of its path that no other document has, all
 * others by their ids. In results of more than 100,000 documents a file is called by its whole
 * path.
 */
#ifndef PARDUP_APP_LABEL_H
#define PARDUP_APP_LABEL_H

#include "pardup/base/hash_table.h"
#include "pardup/result/table.h"

/* Is the id the number of a record, which says nothing to a person? */
bool pd_label_is_number(const char *id, size_t n);

/* Set up with pd_label_open(). */
struct pd_doc_label {
    struct pd_result *result; /* borrowed */
    const char *pattern;      /* --label; NULL: see above. Borrowed */
    uint64_t hidden; /* rows of /documents below this one are "student N", as N - 1 is the row */
    uint64_t shown;  /* but this one has its name; the caller sets both */
    struct pd_table_reader tables[2]; /* /documents and /sources; open if one was asked for */
    struct pd_table_reader files[2];  /* /files and /source_files, open as well */
    struct pd_hash_table ends;        /* how many ids end so, by hash of what follows a slash */
    bool counted;                     /* `ends` was made */
    struct pd_bytes text, value;      /* the label made last, and the value of a field */
};

/*
 * PD_OK; PD_EUSAGE: the pattern has no field or an open brace; PD_EFORMAT: no document has the
 * field. To be closed in any case.
 *   pattern  text with fields in braces: "{author}, {title}"; id, url, host, date, name (of the file)
 *            or a kept field. Where a document lacks one, "?" stands; where it lacks all, its id.
 */
int pd_label_open(struct pd_doc_label *l, struct pd_result *result, const char *pattern);
void pd_label_close(struct pd_doc_label *l);

/*
 * The label of a row of /documents, or of /sources with PD_SOURCE_ROW. *text stays until the next
 * call, n bytes, with a NUL behind them. PD_OK or PD_EFORMAT.
 */
int pd_label_of(struct pd_doc_label *l, uint64_t row, const char **text, size_t *n);

/* The kept fields of the row in one line, in the same way; n is 0 if it has none, or is hidden. */
int pd_label_fields(struct pd_doc_label *l, uint64_t row, const char **text, size_t *n);

#endif

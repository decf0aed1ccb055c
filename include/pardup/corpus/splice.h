/*
 * corpus/splice.h - a record written again with parts of its text cut out.
 *
 * Everything else of the record stays byte for byte when the text stands in it as it is: in a JSON
 * string, in a value of a table, in a WARC record of plain text, in a file of plain text. When it
 * does not, because the record is a page or its bytes had to be mended, the caller may know which
 * bytes of the body the text was made of, and cuts these (pd_splice_body). Otherwise the cleaned
 * text takes the place of the body (pd_splice):
 *   JSON line   the field gets the cleaned text
 *   CSV row     the value of the column gets the cleaned text, in quotes if it needs them
 *   WARC        the record becomes a `conversion` of type text/plain, with the same id; headers
 *               that no longer hold (length, type, digests) are mended or dropped
 *   file        the file is the cleaned text; a message keeps its header if it can
 */
#ifndef PARDUP_CORPUS_SPLICE_H
#define PARDUP_CORPUS_SPLICE_H

#include <stdbool.h>

#include "pardup/base/bytes.h"
#include "pardup/base/cut.h"
#include "pardup/base/raw.h"

struct pd_reader;

/* A cleaned text, and the parts that go. */
struct pd_trimmed {
    const unsigned char *text; /* n bytes of UTF-8; may be NULL if n is 0 */
    size_t n;
    const struct pd_cuts *cuts; /* what goes; ascending and disjoint */
};

/* Append the text of *t without the parts that go. */
void pd_cut_text(const struct pd_trimmed *t, struct pd_bytes *to);

/*
 * Write the record of `raw` to `to`, whose content is replaced.
 *   text_field   JSON lines: name of the field with the text
 *   *exact       false: the cleaned text took the place of the text
 * PD_OK, or PD_EFORMAT when records of this kind cannot be changed, with a message that names raw's
 * id.
 */
int pd_splice(const struct pd_raw *raw, const char *text_field, const struct pd_trimmed *t,
              struct pd_bytes *to, bool *exact);

/*
 * Bytes of the head of a record of a web archive, which with the cleaned text[0, n) is enough to
 * write the record again; 0: all of the record is needed.
 *   *exact   the content is the cleaned text as it is
 */
size_t pd_splice_head(const struct pd_raw *raw, const unsigned char *text, size_t n, bool *exact);

/* Write such a record to `to`, whose content is replaced, as pd_splice() does. */
void pd_splice_behind(const unsigned char *head, size_t head_n, bool exact,
                      const struct pd_trimmed *t, struct pd_bytes *to);

/* A record that was written without parts of its body. A zeroed struct is ready for use. */
struct pd_spliced {
    struct pd_bytes record;
    struct pd_bytes body; /* buffer */
    struct pd_raw again;  /* the document that a reader finds in the record; valid until the next
                             call, and as long as the document that was given */
};

/*
 * Write the record of `raw`, which r has read last, without some bytes of its body. All others stay
 * as they are, but the codings of a body in a web archive are undone.
 *   cuts   bytes of the body, ascending and disjoint
 * PD_OK; PD_END when the body does not stand in the record, or no document would be found in the
 * new one; or PD_EFORMAT as pd_splice().
 */
int pd_splice_body(struct pd_reader *r, const struct pd_raw *raw, const char *text_field,
                   const struct pd_cuts *cuts, struct pd_spliced *to);
void pd_spliced_release(struct pd_spliced *s);

/*
 * Add a field with a number behind the others of a JSON line, which has been written to *record.
 *   raw   the line as it was; PD_EFORMAT if it has the field already, or is no JSON line
 */
int pd_splice_number(const struct pd_raw *raw, const char *name, uint64_t number,
                     struct pd_bytes *record);

/*
 * Append to *to a record of type revisit (WARC 1.1, section 6.7) that takes the place of the record
 * `gone`, and refers to `kept`. False, and nothing is written: their payloads are not the same,
 * neither record has a WARC-Payload-Digest, or `kept` has no id.
 */
bool pd_splice_revisit(const struct pd_raw *gone, const struct pd_raw *kept, struct pd_bytes *to);

#endif

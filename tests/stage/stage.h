/*
 * tests/stage/stage.h - a small collection made in memory, and a job over it, for tests of stages.
 *
 * A stage of src/run is called as a job on one rank calls it: a shuffle of one rank hands records
 * over in memory. Documents are arrays of words, and a word is a small number.
 *
 *     stage_docs_random(&docs, &seed, &how);
 *     stage_open(&s, "--method pdc-imatch --gamma 1", &docs);
 *     CU_ASSERT_EQUAL(pd_job_count(&s.job), PD_OK);
 *     stage_close(&s);
 *
 * Failures to make the collection panic: without it a test says nothing.
 */
#ifndef PD_STAGE_H
#define PD_STAGE_H

#include "pardup/base/log.h"
#include "pardup/base/row.h"
#include "pardup/result/reader.h"
#include "pd_cunit.h"
#include "run/stage/job.h"

/* ---- documents ---- */

struct stage_unit {
    size_t word; /* index of its first word in the words of all documents */
    uint32_t nwords;
    bool frame;    /* it is in the frame of its page */
    bool doubtful; /* it is in a doubtful block */
    bool linked;   /* it is in a linked block */
    bool stray;    /* it is in running text of the frame */
};
PD_VEC(stage_units, struct stage_unit);

struct stage_doc {
    size_t unit; /* index of its first unit in the units of all documents */
    uint32_t nunits;
    uint32_t nwords;
    uint32_t file; /* 0, or 1: it is behind --against */
    char url[64];  /* empty: none */
    char date[12]; /* empty: none; only in a file of JSON lines */
    bool article;  /* its page surely is an article */
};
PD_VEC(stage_doc_list, struct stage_doc);
PD_VEC(stage_words, uint32_t);

/* Documents in the order of their numbers. Zeroed: none. */
struct stage_docs {
    struct stage_doc_list docs;
    struct stage_units units;
    struct stage_words words;
    struct pd_skiprecs skips; /* records that did not become documents */
};

/* Begin a document, a unit of it, and append a word to that unit. */
struct stage_doc *stage_add_doc(struct stage_docs *d);
struct stage_unit *stage_add_unit(struct stage_docs *d);
void stage_add_word(struct stage_docs *d, uint32_t word);
void stage_docs_release(struct stage_docs *d);

/* How random documents are made. */
struct stage_random {
    uint32_t docs;      /* documents */
    uint32_t units;     /* most units of a document; the fewest is 1 */
    uint32_t words;     /* most words of a unit; the fewest is 1 */
    uint32_t different; /* different words; small numbers are more frequent */
    uint32_t copied;    /* of 100 runs of units: how many are copied from an earlier document */
    uint32_t changed;   /* of 100 copied words: how many are replaced */
};
void stage_docs_random(struct stage_docs *d, uint64_t *seed, const struct stage_random *how);

/* Unit `unit` of document `doc`, and its words. */
const struct stage_unit *stage_unit_of(const struct stage_docs *d, size_t doc, uint32_t unit);
const uint32_t *stage_words_of(const struct stage_docs *d, size_t doc, uint32_t unit);

/* Have two units the same words in the same order? */
bool stage_same_words(const struct stage_docs *d, size_t a, uint32_t i, size_t b, uint32_t j);

/* The different words of a unit, ascending. Returns how many; `out` has room for its words. */
size_t stage_set_of(const struct stage_docs *d, size_t doc, uint32_t unit, uint32_t *out);

/* The documents that have a word, and how often it stands in all of them. */
uint32_t stage_documents_with(const struct stage_docs *d, uint32_t word);

/* Append a word as texts have it; and its term (struct pd_word). */
void stage_spell(uint32_t word, struct pd_bytes *text);
uint64_t stage_term(uint32_t word);

/* The text of a document: its units are sentences. `bounds`: bytes of each unit, or NULL. */
void stage_text(const struct stage_docs *d, size_t doc, struct pd_bytes *text,
                struct pd_sentences *bounds);

/* The words of a document in that text. */
void stage_tokens(const struct stage_docs *d, size_t doc, struct pd_tokens *tokens);

/* Write the documents of one file as JSON lines. Returns the path; four are valid at a time. */
const char *stage_write_lines(const struct stage_docs *d, uint32_t file, const char *name);

/* ---- a job ---- */

struct stage {
    struct pd_options options;
    struct pd_job job;
    char *line; /* the options, which are borrowed */
    const char *argv[64];
};

/* The folder of the test program; "/x" behind it is a file in it. It goes away at the end. */
const char *stage_folder(void);

/* Parse options as the command line of a command, into s->options. */
void stage_parse(struct stage *s, const char *command, const char *options);

/*
 * Open a job of `detect` whose read stage is done: the documents are in volumes, and have numbers.
 * A volume has a few documents, and volumes were read from the last one to the first one.
 */
void stage_open(struct stage *s, const char *options, const struct stage_docs *d);
void stage_close(struct stage *s);

/* The same, but the documents of both files are written as JSON lines, and the read stage runs. */
void stage_open_lines(struct stage *s, const char *options, const struct stage_docs *d);

/*
 * The steps of it. Write the files: returns the operands that name them, valid until the next call.
 * List and cut them, and take up the checkpoint. Read them: returns what the read stage does.
 */
const char *stage_write_operands(const struct stage_docs *d);
void stage_list(struct stage *s, const char *options, const char *operands);
int stage_read(struct stage *s);

/* Parse the options of a whole job over operands, for pd_detect. */
void stage_parse_job(struct stage *s, const char *options, const char *operands);

/* Run `index` with these options. */
void stage_run_index(const char *options);

/* Make an index, "index" in the folder, of files 1 and 2 of documents: at once, or the second one is added. */
void stage_make_index(const struct stage_docs *d, const char *method, bool added);

/*
 * Hear what is logged from a level on, in place of standard error; return it. Between the two no option
 * is parsed, which sets the level. The text is valid until the next one.
 */
void stage_listen(enum pd_level level);
const char *stage_heard(void);

/* Close a job as if it had been killed: its scratch stays as it is. */
void stage_abandon(struct stage *s);

/* ---- what stages hand over ---- */

/* All occurrences in the classes of one file, and where each class begins. */
struct stage_classes {
    struct pd_u64s records; /* struct pd_class, one behind the other */
    struct pd_u64s at;      /* index in `records` of each class */
};
void stage_read_classes(struct pd_packed *file, struct stage_classes *classes);
const struct pd_class *stage_class(const struct stage_classes *classes, size_t k);
void stage_classes_release(struct stage_classes *classes);

/* All rows of passages of a job, in the order of /passages. */
void stage_read_rows(struct pd_job *job, struct pd_rows *rows);

/* Open a result file, and close it. One is open at a time, as its columns are kept. */
struct pd_result *stage_result_open(const char *path);
void stage_result_close(struct pd_result *r);

/* A number in the result file, and a text, which stays valid until the next call. */
int64_t stage_cell(struct pd_result *r, const char *table, const char *column, uint64_t row);
double stage_real(struct pd_result *r, const char *table, const char *column, uint64_t row);
const char *stage_text_cell(struct pd_result *r, const char *table, const char *column,
                            uint64_t row);
uint64_t stage_rows(struct pd_result *r, const char *table);

#endif

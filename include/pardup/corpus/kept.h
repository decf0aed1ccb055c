/*
 * corpus/kept.h - the fields of documents that are kept for the result: --keep-fields, and the
 * columns of --metadata.
 */
#ifndef PARDUP_CORPUS_KEPT_H
#define PARDUP_CORPUS_KEPT_H

#include <stdbool.h>

#include "pardup/base/bytes.h"
#include "pardup/base/vec.h"

enum {
    PD_KEPT_FIELDS = 24, /* fields at most */
    PD_KEPT_VALUE = 512, /* bytes of a value at most */
    PD_KEPT_MOST = 4096  /* bytes of all fields of a document at most */
};

/* The names of the fields, in order. A zeroed struct has none. */
struct pd_keeping {
    char *names[PD_KEPT_FIELDS]; /* allocated */
    size_t n;
};

/* Add a name, unless it is there. PD_OK, or PD_EUSAGE (it is empty, or one too many). */
int pd_keeping_add(struct pd_keeping *k, const char *name, size_t n);

/* Add the names in a list with commas; NULL: none. PD_OK or PD_EUSAGE. */
int pd_keeping_list(struct pd_keeping *k, const char *list);

void pd_keeping_release(struct pd_keeping *k);

/* The value of a field. */
struct pd_kept {
    const char *v; /* UTF-8; NULL: the document has no such field */
    size_t n;      /* bytes of v */
    bool json;     /* v is a number, truth value, list or object as JSON writes it */
    bool lost;     /* the document has the field, but its value cannot be kept */
};

/*
 * Append the fields that a document has as a JSON object, in the order of their names; nothing if
 * it has none. A text that is too long is cut between characters; any other value that is too long,
 * and a field that has no room, are left out. Returns how many values are cut or left out.
 */
size_t pd_kept_write(const struct pd_keeping *k, const struct pd_kept *values, struct pd_bytes *to);

/*
 * Find a field in an object that pd_kept_write() made. *value receives the text without escapes,
 * the number, or nothing if it is of another kind. False: there is no such field.
 */
bool pd_kept_find(const char *object, size_t n, const char *name, struct pd_bytes *value);

/*
 * Call `take` for each field of an object that pd_kept_write() made, in its order. The value is
 * text without escapes, or JSON of another kind; it stays until `take` returns.
 */
void pd_kept_each(const char *object, size_t n,
                  void (*take)(void *ctx, const char *name, const char *value, size_t value_n),
                  void *ctx);

/*
 * Append the fields of such an object, byte for byte, each with a comma before it. Names in
 * `except`, which NULL ends, are passed over.
 */
void pd_kept_append(const char *object, size_t n, const char *const *except, struct pd_bytes *to);

/*
 * Let a process panic when there is no memory for JSON. Else kept fields would be empty, and
 * records of JSON would be skipped as damaged.
 */
void pd_kept_memory(void);

#endif

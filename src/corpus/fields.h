/* corpus/fields.h - "Name: value" lines, as WARC and HTTP headers have them. */
#ifndef PARDUP_CORPUS_FIELDS_H
#define PARDUP_CORPUS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/arena.h"

struct pd_field {
    const char *name; /* wanted; compared without regard to case */
    const char *v;    /* first value found, trimmed, copied to the arena; NULL: none */
    size_t n;
};

/*
 * Bytes of the header at s up to and including its empty line; 0 when that does not come. Lines
 * end in LF behind any number of CR; a line that begins with a blank continues the one before.
 */
size_t pd_fields_end(const unsigned char *s, size_t n);

/* Fill in the wanted fields from header lines s[0, n); the start line is one without effect. */
void pd_fields_read(const unsigned char *s, size_t n, struct pd_field *wanted, size_t nwanted,
                    struct pd_arena *arena);

bool pd_field_is(const struct pd_field *f, const char *value); /* without regard to case */

/* f's value up to the first ';', trimmed. */
struct pd_field pd_field_main(const struct pd_field *f);

/* Parameter `name` of f's value ("text/html; charset=..."), quotes stripped; v is NULL: none. */
struct pd_field pd_field_parameter(const struct pd_field *f, const char *name);

/* Does the comma-separated value hold `token`, without regard to case? */
bool pd_field_lists(const struct pd_field *f, const char *token);

#endif

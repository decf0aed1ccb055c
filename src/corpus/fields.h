/* corpus/fields.h - header lines "Name: value", as in WARC, HTTP and mail. */
#ifndef PARDUP_CORPUS_FIELDS_H
#define PARDUP_CORPUS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/arena.h"

struct pd_field {
    const char *name; /* name of the wanted field; upper and lower case are the same */
    const char *v;    /* its first value, trimmed and copied to the arena; NULL: none */
    size_t n;         /* bytes of v */
};

/*
 * Bytes of the header at s[0, n), with the empty line that ends it; 0 when there is no such line.
 * A line ends in LF behind any number of CR. A line that begins with a blank continues the line
 * before it.
 */
size_t pd_fields_end(const unsigned char *s, size_t n);

/*
 * Set v and n of the wanted fields that occur in the header lines s[0, n). A start line, such as
 * "HTTP/1.1 200 OK", has no effect.
 */
void pd_fields_read(const unsigned char *s, size_t n, struct pd_field *wanted, size_t nwanted,
                    struct pd_arena *arena);

/* Is the value of f equal to `value`? Upper and lower case are the same. */
bool pd_field_is(const struct pd_field *f, const char *value);

/*
 * The first word of the value of f, as in "text/html; charset=utf-8", without quotes. Comments in
 * brackets before it are passed. It points into the value of f.
 */
struct pd_field pd_field_main(const struct pd_field *f);

/*
 * The parameter `name` in the value of f, such as charset in "text/html; charset=utf-8", without
 * quotes. It points into the value of f; its v is NULL when there is none.
 */
struct pd_field pd_field_parameter(const struct pd_field *f, const char *name);

/* Is `token` in the comma-separated list that is the value of f? Case does not matter. */
bool pd_field_lists(const struct pd_field *f, const char *token);

/*
 * Does s[0, n) begin with the header of a mail or news message? White space before a header is not
 * allowed.
 */
bool pd_fields_begin_message(const unsigned char *s, size_t n);

#endif

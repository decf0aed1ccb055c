/*
 * corpus/json/json_fields.h - the fields of a JSON line that a reader asks for.
 *
 * Most lines are read in one pass (json_scan.h). A line that the pass leaves is parsed by jansson,
 * and mended before (json_line.h) if it does not parse. A field has the same value
 * either way.
 */
#ifndef PARDUP_CORPUS_JSON_FIELDS_H
#define PARDUP_CORPUS_JSON_FIELDS_H

#include "corpus/inside.h"
#include "json_scan.h"

enum { PD_JSON_ERROR = 160 }; /* bytes of the parser's message */

/* A line. */
struct pd_json_line {
    /*
     * One value for each name that was asked for. It points into the line, the reader's arena or
     * the tree. PD_JSON_NULL counts as a number without characters. A list or object of a line that
     * had to be mended has no characters.
     */
    struct pd_json_value values[PD_JSON_NAMES_MOST];
    bool object;               /* the line is an object */
    bool parsed;               /* the line is JSON, or was mended to be JSON */
    bool repaired;             /* the line had to be mended */
    char error[PD_JSON_ERROR]; /* what is wrong with a line that is not JSON */
    void *tree;                /* of the parser; NULL: the pass was enough */
};

/* Is the value a number, or null? Then s[0, n) are its characters. */
static inline bool pd_json_has_number(const struct pd_json_value *v)
{
    return v->kind == PD_JSON_INTEGER || v->kind == PD_JSON_REAL || v->kind == PD_JSON_NULL;
}

/*
 * Find the fields `names` of the line s[0, n), as pd_json_scan() does. The line's bytes must last
 * as long as *line, which the caller releases. Uses r->text and r->arena.
 * Returns PD_OK, also when the line is no JSON, or PD_EFULL when it has too many values to be
 * parsed.
 */
int pd_json_line_read(struct pd_reader *r, const unsigned char *s, size_t n,
                      const char *const *names, size_t nnames, struct pd_json_line *line);
void pd_json_line_release(struct pd_json_line *line);

#endif

/*
 * corpus/web/http_head.h - where the header of a stored HTTP response ends, and what it says.
 *
 * Archives hold headers without a status line, with the status line of a proxy in front, with lines
 * that are no fields, and without the empty line at their end.
 */
#ifndef PARDUP_CORPUS_HTTP_HEAD_H
#define PARDUP_CORPUS_HTTP_HEAD_H

#include "corpus/fields.h"

/* The fields that are read. */
enum { PD_HTTP_TYPE, PD_HTTP_TRANSFER, PD_HTTP_CODING, PD_HTTP_FIELDS };

struct pd_http_head {
    struct pd_field field[PD_HTTP_FIELDS];
    size_t body; /* offset of the body */
    bool mended; /* the header had to be mended to find its end */
    bool error;  /* the status is 4xx or 5xx: the page says what went wrong */
};

/*
 * Read the header of the response s[0, n). The values are copied to `arena`. Headers in front of
 * the last one are passed: interim responses (1xx), redirections, and responses of a proxy.
 * Returns NULL, or what is wrong, a constant string.
 */
const char *pd_http_head_read(const unsigned char *s, size_t n, struct pd_arena *arena,
                              struct pd_http_head *head);

#endif

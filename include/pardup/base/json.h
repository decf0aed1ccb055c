/* base/json.h - write JSON. */
#ifndef PARDUP_BASE_JSON_H
#define PARDUP_BASE_JSON_H

#include "pardup/base/bytes.h"

/* Append s[0, n), which is UTF-8, without quotes: quotes, backslashes and controls are escaped. */
void pd_json_escape(struct pd_bytes *to, const void *s, size_t n);

/* Append the string s[0, n) with its quotes. */
void pd_json_quote(struct pd_bytes *to, const void *s, size_t n);

#endif

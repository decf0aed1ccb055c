/* document/html_raw.h - where elements end whose content holds no tags. */
#ifndef PARDUP_DOCUMENT_HTML_RAW_H
#define PARDUP_DOCUMENT_HTML_RAW_H

#include <stdbool.h>
#include <stddef.h>

/* s[0, end) starts with `name` in any case, and what follows ends a tag's name. */
bool pd_html_named(const unsigned char *s, const unsigned char *end, const char *name);

/* The '<' of the first "</name" tag, `end` when there is none (WHATWG RCDATA and RAWTEXT). */
const unsigned char *pd_html_raw_end(const unsigned char *s, const unsigned char *end,
                                     const char *name);

/* The same for a script, where <!-- <script> </script> --> hides an end tag. One pass. */
const unsigned char *pd_html_script_end(const unsigned char *s, const unsigned char *end);

#endif

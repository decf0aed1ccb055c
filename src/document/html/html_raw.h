/* document/html/html_raw.h - the ends of comments, and of elements whose content holds no tags. */
#ifndef PARDUP_DOCUMENT_HTML_RAW_H
#define PARDUP_DOCUMENT_HTML_RAW_H

#include <stdbool.h>

/*
 * Whether [s, end) starts with `name`, in upper or lower case, and a byte that ends the name of a
 * tag.
 */
bool pd_html_named(const unsigned char *s, const unsigned char *end, const char *name);

/*
 * The '<' of the first end tag "</name" in [s, end); `end` when there is none (WHATWG RCDATA and
 * RAWTEXT states).
 */
const unsigned char *pd_html_raw_end(const unsigned char *s, const unsigned char *end,
                                     const char *name);

/*
 * The '<' of the end tag of a script in [s, end); `end` when there is none. The end tag inside
 * "<!-- <script> </script> -->" does not count. Linear time.
 */
const unsigned char *pd_html_script_end(const unsigned char *s, const unsigned char *end);

/*
 * The position behind a comment; s is behind its "<!--". A comment ends with "-->" or "--!>", to
 * which the opening dashes may belong. Returns `end` when the comment has no end.
 */
const unsigned char *pd_html_comment_end(const unsigned char *s, const unsigned char *end);

#endif

/*
 * corpus/trec/sgml.h - the part of SGML that collections of documents use.
 *
 * There is no DTD. An end tag may be missing only where a function says so. Within a file a name is
 * mostly written in the same case.
 */
#ifndef PARDUP_CORPUS_SGML_H
#define PARDUP_CORPUS_SGML_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

/* Borrowed bytes. */
struct pd_borrowed {
    const unsigned char *v; /* NULL: there is nothing */
    size_t n;               /* bytes of v */
};

/* The span without white space at both ends. */
struct pd_borrowed pd_view_trim(struct pd_borrowed s);

/*
 * The value of the attribute `name` of the tag at s[0, n), without quotes; case is ignored in the
 * name. v is NULL when there is no such attribute.
 */
struct pd_borrowed pd_sgml_attribute(const unsigned char *s, size_t n, const char *name);

/* Bytes of the tag at s, with its '>'; 0 when s does not begin with a tag. */
size_t pd_sgml_tag(const unsigned char *s, size_t n);

/* The first `tag`, such as </DOC>, in s[0, n), in any case of its letters; NULL: there is none. */
const unsigned char *pd_sgml_find(const unsigned char *s, size_t n, const char *tag);

/* Does s begin with the start tag of `name`? Case is ignored. */
bool pd_sgml_is(const unsigned char *s, size_t n, const char *name);

/*
 * Does s begin with an element `name`? NULL: any element.
 *   *content   what is between its tags; without an end tag, up to the line end
 *   *total     bytes of the element with its tags; 0 when there is none
 */
bool pd_sgml_element(const unsigned char *s, size_t n, const char *name,
                     struct pd_borrowed *content, size_t *total);

/*
 * Append the text of every element of s[0, n) whose name is among `names`; here case matters. An
 * element without an end tag reaches to the end of s. Returns whether there was any.
 * In a text, a tag ends the paragraph, except tags such as <I> that mark words inside a sentence,
 * which vanish. Comments and control characters vanish. The references &lt; &gt; &amp; &quot; and
 * numbers of ASCII characters are replaced by their characters. Other references stay, since each
 * collection has its own set of them.
 */
bool pd_sgml_texts(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                   struct pd_bytes *out);

#endif

/*
 * document/feed.h - files for programs that come among pages: feeds, robots.txt and the indexes of
 * web archives. xml.h tells feeds.
 */
#ifndef PARDUP_DOCUMENT_FEED_H
#define PARDUP_DOCUMENT_FEED_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

/*
 * Append the text of the feed s[0, n), which is UTF-8, to `out`: titles, descriptions, summaries
 * and contents, with an empty line between them. What they hold is read as HTML, whether it is
 * escaped, a CDATA section or a part of the feed. Cannot fail. Linear time.
 */
void pd_feed_text(const unsigned char *s, size_t n, struct pd_bytes *out);

/*
 * Is s[0, n) an index of web archives, CDX or CDXJ? Its first line names columns by letters or
 * gives a version, or has a key with a bracket, fourteen digits, and an address or an object.
 */
bool pd_cdx_sniff(const unsigned char *s, size_t n);

/* Is s[0, n) a robots.txt (RFC 9309)? Every line is empty, a comment or a rule. */
bool pd_robots_sniff(const unsigned char *s, size_t n);

#endif

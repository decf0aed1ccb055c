/*
 * document/charset/charset.h - text in any character set to UTF-8.
 *
 * The character set is taken from the first source that gives one (WHATWG Encoding and HTML
 * standards, "sniffing"):
 * - the byte order mark;
 * - the label from outside the text (HTTP);
 * - the label inside an HTML page (meta), in its first 1024 bytes;
 * - UTF-8, when the bytes are valid UTF-8;
 * - the label inside an HTML page, in its first 64 KiB;
 * - a guess by uchardet on 4096 bytes;
 * - windows-1252.
 * A label means what browsers take it to mean: latin1 is windows-1252, gb2312 and gbk are gb18030,
 * and so on.
 * Deviation: a label that the text contradicts is ignored, and the next source is asked.
 * - "UTF-8" is ignored when the text has more broken sequences than characters beyond ASCII, by
 *   eight or more.
 * - Another label is ignored when the text is valid UTF-8 with eight or more characters beyond
 *   ASCII, which is no accident. UTF-16 and the 7-bit sets are never ignored.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_H
#define PARDUP_DOCUMENT_CHARSET_H

#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"
#include "pardup/document/origin.h"

/*
 * Set *text and *n to the body of `raw` in UTF-8. Cannot fail.
 *   buffer     overwritten with the result, unless the body is UTF-8 already
 *   text, n    the body itself when it is UTF-8 already, otherwise the contents of `buffer`
 *   replaced   increased by the number of broken sequences, which become U+FFFD
 *   trace      clear, or NULL: receives the byte order mark and the first step
 * An HTML body loses its byte order mark. A plain text in UTF-8 keeps its byte order mark, because
 * offsets count the bytes of the file. An unknown label counts as no label.
 */
void pd_charset_to_utf8(const struct pd_raw *raw, struct pd_bytes *buffer,
                        const unsigned char **text, size_t *n, uint64_t *replaced,
                        struct pd_trace *trace);

#endif

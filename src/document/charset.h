/*
 * document/charset.h - any character set to UTF-8.
 *
 * Order of belief (WHATWG Encoding and HTML standards, "sniffing"): byte order mark, label from
 * outside (HTTP), label inside (HTML meta, within the first 1024 bytes), UTF-8 when the bytes are
 * valid UTF-8, a label inside further on, a guess by uchardet on the first kilobytes, windows-1252.
 * Labels mean what browsers mean: latin1 is windows-1252, gb2312 and gbk are gb18030 and so on.
 * Deviation: labels that lie are not believed, and the next in this order is asked. "UTF-8" counts
 * as none when eight characters more are broken than sound; another label but UTF-16 and the 7-bit
 * sets gives way when the text is UTF-8 throughout with eight characters or more beyond ASCII, which
 * is no accident.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_H
#define PARDUP_DOCUMENT_CHARSET_H

#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"
#include "pardup/document/utf8.h" /* pd_utf8_valid */

/*
 * `raw`'s body in UTF-8: *text, *n point at the body itself when it is valid UTF-8 already, else
 * into `buffer`, which is overwritten. An HTML body loses its byte order mark; a plain text that is
 * UTF-8 keeps it (offsets count the file's own bytes). Broken sequences become U+FFFD and are
 * added to *replaced. An unknown label is as good as none. Cannot fail.
 */
void pd_charset_to_utf8(const struct pd_raw *raw, struct pd_bytes *buffer,
                        const unsigned char **text, size_t *n, uint64_t *replaced);

#endif

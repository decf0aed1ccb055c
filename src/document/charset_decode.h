/*
 * document/charset_decode.h - text in a known character set to UTF-8.
 *
 * The decoders of the WHATWG Encoding standard, sections 8 to 14. They treat broken sequences as
 * the standard does: an ASCII byte behind a lead byte is never swallowed, so no markup is lost.
 * Deviation: ISO-2022-KR and ISO-2022-CN, which the standard refuses to decode, are left to
 * iconv(), and HZ (RFC 1843) and UTF-32 are decoded. x-user-defined is windows-1252, as in HTML's
 * <meta>.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_DECODE_H
#define PARDUP_DOCUMENT_CHARSET_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "charset_label.h"
#include "pardup/base/bytes.h"

/*
 * Append s[0, n) to `out` in UTF-8. Broken sequences become U+FFFD; *replaced increases by their
 * number. False, with nothing appended, when iconv() on this machine does not know the set. Linear
 * time.
 */
bool pd_charset_decode(const struct pd_charset *charset, const unsigned char *s, size_t n,
                       struct pd_bytes *out, uint64_t *replaced);

#endif

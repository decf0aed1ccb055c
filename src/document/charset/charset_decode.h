/*
 * document/charset/charset_decode.h - text in a known character set to UTF-8.
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
#include "pardup/document/origin.h"

/* What a text becomes. */
struct pd_converted {
    struct pd_bytes *out;       /* the text in UTF-8 is appended */
    uint64_t replaced;          /* increased by the number of broken sequences, now U+FFFD */
    struct pd_origins *origins; /* of the text, if `out` was empty; NULL: not wanted */
};

/*
 * Decode s[0, n). Origins are known of UTF-8 and of sets in which a byte below 0x80 is ASCII where
 * it begins a character. False, with nothing appended, when iconv() on this machine does not know
 * the set. Linear time.
 */
bool pd_charset_decode(const struct pd_charset *charset, const unsigned char *s, size_t n,
                       struct pd_converted *to);

#endif

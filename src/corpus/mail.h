/*
 * corpus/mail.h - the text of a mail or news message (RFC 5322, 5536) with MIME (RFC 2045, 2046).
 *
 * The document is the first part of plain text, or else the first text/html part. Plain text is
 * text/plain, another text type but HTML, a type that is missing, or a type that no list knows.
 * Attachments are ignored. base64 and quoted-printable are decoded. Bytes that are no base64 are
 * dropped; broken quoted-printable is kept as it is. Control characters are dropped from plain
 * text.
 */
#ifndef PARDUP_CORPUS_MAIL_H
#define PARDUP_CORPUS_MAIL_H

#include "fields.h"
#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"

/*
 * Set body, n, media and charset of *raw from the message s[0, n). They point into s, `arena` or
 * `decoded`, whose content is replaced. Returns false when the message has no text.
 */
bool pd_mail_read(const unsigned char *s, size_t n, struct pd_arena *arena,
                  struct pd_bytes *decoded, struct pd_raw *raw);

#endif

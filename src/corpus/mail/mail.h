/*
 * corpus/mail/mail.h - the text of a mail or news message (RFC 5322, 5536) with MIME (RFC 2045,
 * 2046).
 *
 * The document is all texts of the message (corpus/mail/mail_parts.h), with an empty line between
 * them. Plain text is text/plain, another text type but HTML, a type that is missing, or a type
 * that no list knows. If one of several texts is HTML, the document is HTML, in which the others
 * stand as preformatted text. Attachments are ignored. base64 and quoted-printable are decoded.
 * Bytes that are no base64 are dropped; broken quoted-printable is kept as it is. Control
 * characters are dropped from plain text.
 */
#ifndef PARDUP_CORPUS_MAIL_H
#define PARDUP_CORPUS_MAIL_H

#include "corpus/inside.h"

/*
 * Set body, n, media, charset and sender of *raw from the message s[0, n). They point into s or
 * into memory of the reader, valid until its next document. Texts that are left out because they
 * are in another character set are reported. Returns false when the message has no text.
 */
bool pd_mail_extract(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw);

#endif

/*
 * corpus/mail.h - the text of a message: mail and news (RFC 5322, 5536), with MIME (RFC 2045, 2046).
 *
 * The first text/plain part, else the first text/html part, is the document; attachments are not.
 * base64 and quoted-printable are undone; what is broken in them is left out (base64) or kept.
 * Control characters are left out of plain text.
 */
#ifndef PARDUP_CORPUS_MAIL_H
#define PARDUP_CORPUS_MAIL_H

#include "fields.h"
#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"

/* Does a file that begins with s[0, n) begin with the header of a message? */
bool pd_mail_starts(const unsigned char *s, size_t n);

/*
 * Set raw->body, n, media and charset from the message s[0, n); they point into s, `decoded` or
 * `arena`. False: there is no text in it.
 */
bool pd_mail_read(const unsigned char *s, size_t n, struct pd_arena *arena,
                  struct pd_bytes *decoded, struct pd_raw *raw);

#endif

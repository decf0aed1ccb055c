/* corpus/mail/mail_parts.h - the texts in a message: its parts that are text (RFC 2045, 2046). */
#ifndef PARDUP_CORPUS_MAIL_PARTS_H
#define PARDUP_CORPUS_MAIL_PARTS_H

#include "corpus/fields.h"
#include "pardup/base/raw.h"
#include "pardup/base/vec.h"

/* A message, or a part of one, that is text. */
struct pd_mail_part {
    const unsigned char *s;   /* its body, still encoded; points into the message */
    size_t n;                 /* bytes of s */
    struct pd_field type;     /* Content-Type */
    struct pd_field encoding; /* Content-Transfer-Encoding */
    enum pd_media media;      /* PD_MEDIA_TEXT or PD_MEDIA_HTML */
};
PD_VEC(pd_mail_parts, struct pd_mail_part);

/*
 * Append the texts of the message s[0, n) to `parts`, in their order. Of alternatives the first one
 * with plain text is taken, or else the first one with HTML. Attachments are left out. Values of
 * fields are copied to `arena`. Returns the messages and parts that are not looked into, as they
 * are too many or lie too deep in each other.
 */
size_t pd_mail_find_parts(const unsigned char *s, size_t n, struct pd_arena *arena,
                          struct pd_mail_parts *parts);

#endif

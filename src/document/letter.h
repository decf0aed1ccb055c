/*
 * letter.h - what a letter says itself: its text without header, signature and quoted heads.
 *
 * A line is empty if it has only white space. The depth of a line is the number of marks '>', '|',
 * ':', '#' that it begins with, with or without white space between them. The *frame* of a plain
 * text has three parts.
 *   - Header: the lines before the first empty line, if they are all fields of a mail header, and
 *     one of them is the field From or Date. A field is a name of letters, digits and '-', then ':'.
 *     A line that begins with a space or tab goes on with the field before it. The lines up to the
 *     next empty line are header for the same reason, and so on: a patch or a feed that is sent by
 *     mail has fields of its own.
 *   - Signature: a mark and all lines after it, if 1 to 10 lines after it are not empty, and none
 *     of these has more than 100 bytes. A mark is a line "--", or of at least 40 underscores, with
 *     or without white space at its end. It stands behind a line of the body that is not empty. The
 *     first mark counts after which so little follows.
 *   - Quoted heads: a line of the body that ends with ':', if the next line that is not empty is
 *     deeper. It has an '@', or the line right before it has one and the same depth; then that line
 *     is in the frame, too. "In article <5@a.b> A. Bee writes:" is such a head.
 *
 * Source: RFC 3676, section 4.3, for "-- "; RFC 5322 for the header. Mailman writes the
 * underscores.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_LETTER_H
#define PARDUP_DOCUMENT_LETTER_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/document/document.h"

/*
 * List what is not in the frame of a plain text.
 *   blocks  receives it, ascending; nothing if the result is false
 * Returns whether there is a frame. Linear time, no memory besides `blocks`.
 */
bool pd_letter_body(const unsigned char *text, size_t n, struct pd_extents *blocks);

#endif

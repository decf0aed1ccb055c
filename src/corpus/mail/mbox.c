/*
 * corpus/mail/mbox.c - files of messages, each behind a line "From sender date" (RFC 4155).
 *
 * The variants mboxo and mboxrd are read. A message starts with a line that begins with "From " and
 * contains a time and a year, or the number of a message as in archives of Usenet, when the next
 * line begins like a header field. A line in the body of a message seldom looks like that. A
 * cross-posted message occurs twice with the same Message-ID, so a document's id is its offset.
 */
#include <string.h>

#include "corpus/records.h"
#include "mail.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/scan.h"

#define MAGIC        "From "
#define LOOK         ((size_t)512) /* bytes that decide whether a message starts */
#define NAME_MOST    ((size_t)80)  /* bytes of a header field's name */
#define NUMBER_LEAST 8             /* digits of the number of a message that is not below zero */

/* Does s[0, n) hold "hh:mm" and a year, which is a number from 1900 to 2099? */
static bool has_date(const unsigned char *s, size_t n)
{
    bool time = false, year = false;
    for (size_t k = 1; k + 4 <= n; k++) {
        if (pd_scan_is_digit(s[k - 1]))
            continue;
        const bool four = pd_scan_is_digit(s[k]) && pd_scan_is_digit(s[k + 1]) &&
                          pd_scan_is_digit(s[k + 2]) && pd_scan_is_digit(s[k + 3]) &&
                          (k + 4 == n || !pd_scan_is_digit(s[k + 4]));
        year |= four && ((s[k] == '1' && s[k + 1] == '9') || (s[k] == '2' && s[k + 1] == '0'));
        size_t hours = 0;
        while (hours < 2 && pd_scan_is_digit(s[k + hours]))
            hours++;
        time |= hours > 0 && k + hours + 2 < n && s[k + hours] == ':' &&
                pd_scan_is_digit(s[k + hours + 1]) && pd_scan_is_digit(s[k + hours + 2]);
    }
    return time && year;
}

/* Is s[0, n) a number and a line end: below zero, or so long that it is no year or amount? */
static bool is_number(const unsigned char *s, size_t n)
{
    const size_t from = n > 0 && s[0] == '-';
    size_t k = from;
    while (k < n && pd_scan_is_digit(s[k]))
        k++;
    const bool digits = from ? k > from : k >= NUMBER_LEAST;
    while (k < n && (s[k] == '\r' || s[k] == '\n'))
        k++;
    return digits && k == n;
}

static enum pd_start starts_message(const unsigned char *s, size_t n)
{
    const size_t m = sizeof MAGIC - 1, most = pd_min_size(n, LOOK);
    if (memcmp(s, MAGIC, pd_min_size(n, m)) != 0)
        return PD_START_NO;
    const unsigned char *lf = memchr(s, '\n', most);
    if (!lf)
        return n < LOOK ? PD_START_CUT : PD_START_NO;
    size_t k = (size_t)(lf - s) + 1;
    if (!has_date(s + m, k - 1 - m) && !is_number(s + m, k - m))
        return PD_START_NO;
    k += k < most && s[k] == '>'; /* ">From " counts as a header field here */
    const size_t from = k;
    while (k < most && k - from < NAME_MOST && s[k] > ' ' && s[k] < 0x7f && s[k] != ':')
        k++;
    if (k == n && n < LOOK)
        return PD_START_CUT;
    return k < most && k > from && (s[k] == ':' || s[from - 1] == '>') ? PD_START_YES : PD_START_NO;
}

static int read_message(struct pd_reader *r, struct pd_raw *raw)
{
    struct pd_unsized rec;
    const int status = pd_records_take(r, NULL, &rec);
    if (status != PD_OK || !r->owned)
        return status == PD_OK ? PD_END : status;
    const unsigned char *lf = memchr(rec.s, '\n', rec.content);
    const size_t from = lf ? (size_t)(lf - rec.s) + 1 : rec.content;
    size_t end =
        rec.content; /* the empty line before the next message does not belong to this one */
    if (end > from + 1 && rec.s[end - 1] == '\n' && rec.s[end - 2] == '\n')
        end--;
    if (!pd_mail_extract(r, rec.s + from, end - from, raw)) {
        pd_reader_ignore(r);
        return PD_END;
    }
    return pd_reader_deliver(r, raw);
}

/* Does the date in s[0, n) name its month, as the dates of mail programs do? */
static bool has_month(const unsigned char *s, size_t n)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    for (size_t m = 0; m < sizeof months / sizeof *months; m++)
        if (memmem(s, n, months[m], 3))
            return true;
    return false;
}

/*
 * Does the file begin with a message? A text may begin with "From ", a time and a year, too, so one
 * field of the header must be one that mail has, or the line must have a mail's date.
 */
static bool recognises(const struct pd_beginning *file)
{
    const unsigned char *s = file->s + file->content;
    const size_t n = file->n - file->content;
    struct pd_field mail[] = {
        {.name = "From"},     {.name = "Date"},         {.name = "Subject"},
        {.name = "To"},       {.name = "Message-ID"},   {.name = "Received"},
        {.name = "Reply-To"}, {.name = "Return-Path"},  {.name = "Sender"},
        {.name = "Status"},   {.name = "Content-Type"}, {.name = "Newsgroups"}};
    if (!pd_layout_starts(&pd_layout_mbox, file))
        return false;
    const unsigned char *lf = memchr(s, '\n', n);
    const size_t line = lf ? (size_t)(lf - s) + 1 : n, header = pd_fields_end(s, n);
    struct pd_arena arena = {0};
    if (!has_month(s, line) && !is_number(s + sizeof MAGIC - 1, line - (sizeof MAGIC - 1)))
        return false;
    pd_fields_read(s + line, (header > line ? header : n) - line, mail, sizeof mail / sizeof *mail,
                   &arena);
    bool any = false;
    for (size_t k = 0; k < sizeof mail / sizeof *mail; k++)
        any |= mail[k].v != NULL;
    pd_arena_release(&arena);
    return any;
}

const struct pd_layout pd_layout_mbox = {.recognises = recognises,
                                         .endings = {".mbox"},
                                         .next = pd_records_next,
                                         .many = true,
                                         .fixed = true,
                                         .starts = starts_message,
                                         .look = LOOK,
                                         .magic = MAGIC,
                                         .read = read_message};

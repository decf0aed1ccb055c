/*
 * corpus/trec/reuters.c - Reuters-21578, distribution 1.0.
 *
 * A file has 1,000 stories, which begin like <REUTERS ... NEWID="1">. The document is the TEXT
 * element of a story: title, author, dateline and body, a paragraph each.
 */
#include <string.h>

#include "corpus/records.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "sgml.h"

#define MAGIC    "<REUTERS "
#define TAG_MOST ((size_t)512) /* bytes of the tag REUTERS */

static enum pd_start starts_story(const unsigned char *s, size_t n)
{
    const size_t m = sizeof MAGIC - 1;
    if (memcmp(s, MAGIC, pd_min_size(n, m)) != 0)
        return PD_START_NO;
    if (pd_sgml_tag(s, pd_min_size(n, TAG_MOST)) > 0)
        return PD_START_YES;
    return n < TAG_MOST && !memchr(s, '>', n) ? PD_START_CUT : PD_START_NO;
}

static int read_story(struct pd_reader *r, struct pd_raw *raw)
{
    static const char *const names[] = {"TEXT"};
    struct pd_unsized rec;
    const int status = pd_records_take(r, "</REUTERS>", &rec);
    if (status != PD_OK || !r->owned)
        return status == PD_OK ? PD_END : status;
    const struct pd_borrowed id = pd_sgml_attribute(rec.s, rec.content, "NEWID");
    raw->id = (const char *)id.v;
    raw->id_n = id.n;
    r->text.n = 0;
    pd_sgml_texts(rec.s, rec.content, names, 1, &r->text);
    pd_reader_give_body(r, raw);
    raw->media = PD_MEDIA_TEXT;
    r->counts.repaired += !rec.closed && !r->quiet;
    return pd_reader_deliver(r, raw);
}

const struct pd_layout pd_layout_reuters = {.next = pd_records_next,
                                            .many = true,
                                            .fixed = true,
                                            .starts = starts_story,
                                            .look = TAG_MOST,
                                            .magic = MAGIC,
                                            .read = read_story};

/*
 * corpus/trec/trec.c - files of many documents, each between <DOC> and </DOC>.
 *
 * They are TREC's web collections (WT10g, .GOV, GOV2, Blogs06), its newswire, Gigaword, SogouT
 * (with tags in small letters), and texts of Wikipedia.
 *
 * A document starts with the tag <DOC> and, behind white space, <DOCNO>, <DOCID>, <TEXT>,
 * <HEADLINE> or (Sogou's news) <URL>. A document also starts with a tag <DOC id=...>, <DOC
 * docid=...> or <DOC docno=...>. It ends with the first </DOC> that begins a line, behind blanks,
 * or else where the next document starts. An element may stand around all documents of a file. The
 * elements at the front of a document give id and address. The rest is the body:
 *   with DOCHDR in front   a page; DOCHDR has its address in the first line, then the HTTP header
 *   with TEXT              newswire; headlines and TEXT elements are the text
 *   with content           Sogou's news; contenttitle and content are the text
 *   else                   the body is the document as it is
 */
#include <string.h>
#include <strings.h>

#include "corpus/fields.h"
#include "corpus/media.h"
#include "corpus/records.h"
#include "corpus/rune.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/scan.h"
#include "sgml.h"

#define START_MOST ((size_t)512)      /* bytes that decide whether a document starts */
#define HEAD_MOST  ((size_t)64 << 10) /* bytes of one element at the front */
#define HEADS_MOST 32                 /* elements at the front that are read */
#define META_LOOK  ((size_t)1 << 10)  /* bytes in which a page declares its character set */

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Does s[0, n) begin with `word`? Case is ignored, and so is the end of a `word` longer than n. */
static bool may_begin(const unsigned char *s, size_t n, const char *word)
{
    const size_t m = strlen(word);
    return strncasecmp((const char *)s, word, pd_min_size(n, m)) == 0;
}

/* The id that the start tag s[0, n) of a document gives. */
static struct pd_borrowed id_of_tag(const unsigned char *s, size_t n)
{
    static const char *const names[] = {"id", "docid", "docno"};
    struct pd_borrowed id = {NULL, 0};
    for (size_t k = 0; k < COUNT(names) && id.n == 0; k++)
        id = pd_sgml_attribute(s, n, names[k]);
    return id;
}

static enum pd_start starts_document(const unsigned char *s, size_t n)
{
    const size_t most = pd_min_size(n, START_MOST);
    if (!may_begin(s, most, "<DOC") || (n > 4 && s[4] != '>' && !pd_scan_is_space(s[4])))
        return PD_START_NO;
    if (most < 5)
        return PD_START_CUT;
    size_t k = pd_sgml_tag(s, most);
    if (k == 0)
        return most < START_MOST && !memchr(s, '>', most) ? PD_START_CUT : PD_START_NO;
    if (s[4] != '>')
        return id_of_tag(s, k).n > 0 ? PD_START_YES : PD_START_NO;
    while (k < most && pd_scan_is_space(s[k]))
        k++;
    static const char *const firsts[] = {"<DOCNO>", "<DOCID>", "<URL>", "<TEXT>", "<HEADLINE>"};
    size_t first = 0;
    while (first < COUNT(firsts) && !may_begin(s + k, most - k, firsts[first]))
        first++;
    if (k == START_MOST || first == COUNT(firsts))
        return PD_START_NO;
    return most - k < strlen(firsts[first]) ? PD_START_CUT : PD_START_YES;
}

/* What a document says about itself at its front. */
struct head {
    struct pd_borrowed docno;  /* its id */
    struct pd_borrowed url;    /* its address */
    struct pd_borrowed dochdr; /* the content of DOCHDR; v is NULL: there is none */
    struct pd_borrowed body;   /* what follows */
};

/* Read the elements at the front of the document s[0, n). */
static void read_head(const unsigned char *s, size_t n, struct head *h)
{
    static const char *const names[] = {"DOCNO",     "DOCID",   "DOCOLDNO", "DATE_XML",
                                        "FEEDNO",    "FEEDURL", "BLOGHPNO", "BLOGHPURL",
                                        "PERMALINK", "URL",     "DOCHDR"};
    size_t at = pd_sgml_tag(s, n);
    h->docno = id_of_tag(s, at);
    h->url = pd_sgml_attribute(s, at, "url");
    for (int heads = 0; heads < HEADS_MOST; heads++) {
        size_t from = at, total = 0, k = 0;
        struct pd_borrowed v = {NULL, 0};
        while (from < n && pd_scan_is_space(s[from]))
            from++;
        const size_t look = n - from < HEAD_MOST ? n - from : HEAD_MOST;
        while (k < COUNT(names) && !pd_sgml_element(s + from, look, names[k], &v, &total))
            k++;
        if (k == COUNT(names))
            break;
        v = pd_view_trim(v);
        if (k <= 1 && h->docno.n == 0)
            h->docno = v;
        if (strcmp(names[k], "PERMALINK") == 0 || strcmp(names[k], "URL") == 0)
            h->url = v;
        if (strcmp(names[k], "DOCHDR") == 0)
            h->dochdr = v;
        at = from + total;
    }
    if (at < n && s[at] == '\r')
        at++;
    at += at < n && s[at] == '\n';
    h->body = (struct pd_borrowed){s + at, n - at};
}

/* Set address and type from DOCHDR: the address, and the header of the server's response. */
static void read_dochdr(struct pd_reader *r, const struct head *h, struct pd_raw *raw)
{
    struct pd_field type = {.name = "Content-Type"};
    const struct pd_borrowed d = h->dochdr;
    size_t n = 0;
    while (n < d.n && !pd_scan_is_space(d.v[n]))
        n++;
    if (n > 3 && memmem(d.v, n, "://", 3)) {
        raw->url = (const char *)d.v;
        raw->url_n = n;
    }
    pd_fields_read(d.v, d.n, &type, 1, &r->arena);
    const struct pd_field charset = pd_media_charset(&type);
    raw->charset = charset.v;
    raw->charset_n = charset.n;
    pd_media_of(&type, &raw->media); /* PDF and others are stored as text, so the body decides */
}

/*
 * Is this text of SogouT or Sogou's news GBK? It is unless it is valid UTF-8 or the page declares a
 * character set. A short text is not enough for the detection in document/.
 */
static bool is_gbk(const unsigned char *s, size_t n)
{
    size_t bad = n;
    for (size_t k = 0, c; k < n && bad == n; k += c)
        if ((c = pd_rune_bytes(s + k, n - k)) == 0)
            bad = k;
    return bad < n && !memmem(s, pd_min_size(n, META_LOOK), "charset", 7);
}

/*
 * The first tag `name` of the body, in any case, at the start of a line or behind another tag;
 * NULL: there is none.
 */
static const unsigned char *find_element(struct pd_borrowed body, const char *name)
{
    for (size_t k = 0; k < body.n; k++) {
        const unsigned char *hit = memchr(body.v + k, '<', body.n - k);
        if (!hit)
            break;
        k = (size_t)(hit - body.v);
        if (!pd_sgml_is(hit, body.n - k, name))
            continue;
        size_t before = k;
        while (before > 0 && (body.v[before - 1] == ' ' || body.v[before - 1] == '\t'))
            before--;
        if (before == 0 || memchr("\r\n>", body.v[before - 1], 3))
            return hit;
    }
    return NULL;
}

/* Set the body of *raw. Newswire and Sogou's news are replaced by their text. */
static void read_body(struct pd_reader *r, const struct head *h, bool sogou, struct pd_raw *raw)
{
    static const char *const newswire[3][7] = {
        {"HEADLINE", "HEAD", "HL", "TITLE", "TTL", "TI", "TEXT"},
        {"headline", "head", "hl", "title", "ttl", "ti", "text"},
        {"Headline", "Head", "Hl", "Title", "Ttl", "Ti", "Text"}};
    static const char *const news[] = {"contenttitle", "content"};
    raw->body = h->body.v;
    raw->n = h->body.n;
    const bool is_news =
        sogou && (find_element(h->body, news[0]) || find_element(h->body, news[1]));
    const unsigned char *text = sogou ? NULL : find_element(h->body, "TEXT");
    if (h->dochdr.v || !(is_news || text))
        return;
    const unsigned written = is_news || text[1] == 'T' ? text && text[2] == 'e' ? 2 : 0 : 1;
    r->text.n = 0;
    if (!pd_sgml_texts(h->body.v, h->body.n, is_news ? news : newswire[written],
                       is_news ? COUNT(news) : COUNT(*newswire), &r->text))
        return; /* a tag written in no usual way: the body as it is */
    pd_reader_give_body(r, raw);
    raw->media = PD_MEDIA_TEXT;
}

static int read_document(struct pd_reader *r, struct pd_raw *raw)
{
    const unsigned char *s;
    size_t n;
    char close[] = "</DOC>";
    if (pd_stream_peek(r->stream, sizeof close, &s, &n) == PD_EIO)
        return PD_EIO;
    memcpy(close + 2, s + 1, 3); /* in the case of the start tag */
    const bool small = s[1] == 'd';
    struct pd_unsized rec;
    const int status = pd_records_take(r, close, &rec);
    if (status != PD_OK || !r->owned)
        return status == PD_OK ? PD_END : status;
    struct head h = {0};
    read_head(rec.s, rec.content, &h);
    raw->id = (const char *)h.docno.v;
    raw->id_n = h.docno.n;
    raw->url = (const char *)h.url.v;
    raw->url_n = h.url.n;
    if (h.dochdr.v)
        read_dochdr(r, &h, raw);
    const bool sogou = small && h.url.v && !id_of_tag(rec.s, pd_sgml_tag(rec.s, rec.content)).v;
    read_body(r, &h, sogou, raw);
    if (sogou && is_gbk(raw->body, raw->n)) {
        raw->charset = "gbk";
        raw->charset_n = 3;
    }
    r->counts.repaired += !rec.closed && !r->quiet;
    return pd_reader_deliver(r, raw);
}

/*
 * Does the file begin with a document? The tag of an element around all documents may stand before
 * it, in a line of its own.
 */
static bool recognises(const struct pd_beginning *file)
{
    if (pd_layout_starts(&pd_layout_trec, file))
        return true;
    const size_t tag = pd_sgml_tag(file->s + file->content, file->n - file->content);
    size_t k = file->content + tag;
    while (k < file->n && pd_scan_is_space(file->s[k]))
        k++;
    return tag > 0 && memchr(file->s + file->content + tag, '\n', k - file->content - tag) &&
           starts_document(file->s + k, file->n - k) == PD_START_YES;
}

const struct pd_layout pd_layout_trec = {.recognises = recognises,
                                         .next = pd_records_next,
                                         .many = true,
                                         .fixed = true,
                                         .starts = starts_document,
                                         .look = START_MOST,
                                         .magic = "<DOC",
                                         .read = read_document};

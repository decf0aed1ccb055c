/*
 * corpus/trec/bulk.c - XML files of many documents: PubMed, patents, dumps of MediaWiki and of
 * Stack Exchange, teiCorpus.
 *
 * A document is an element that begins a line, or stands directly behind another one. The root
 * element and what else stands around the documents is passed over. A document is read as an XML
 * file would be. Files whose head it needs, for a character set or entities, are not read so.
 * The second layout is that of files whose documents a dialect of --vocabulary names.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "corpus/records.h"
#include "pardup/base/dialect.h"
#include "pardup/base/error.h"
#include "pardup/base/scan.h"
#include "sgml.h"

enum {
    LOOK = 256,         /* bytes that tell a document */
    TAG_MOST = 4 << 10, /* bytes of a tag */
    STEP = 64 << 10     /* bytes that are searched first for the end of a document */
};

/* An element that is a document, or stands around documents. */
static const struct element {
    const char *begins, *then; /* its tag, and what follows behind blanks; NULL: anything */
    const char *close;         /* how it ends; NULL: only its start tag is passed over */
    enum { DOCUMENT, ROOT_DOCUMENT, AROUND, ROOT } place; /* with ROOT: it begins such a file */
    const char *id; /* the element or, with @, the attribute with its id; NULL: it has none */
} elements[] = {
    {"<PubmedArticle>", NULL, "</PubmedArticle>", ROOT_DOCUMENT, "PMID"},
    {"<PubmedBookArticle>", NULL, "</PubmedBookArticle>", ROOT_DOCUMENT, "PMID"},
    {"<us-patent-grant ", NULL, "</us-patent-grant>", ROOT_DOCUMENT, "@file"},
    {"<us-patent-application ", NULL, "</us-patent-application>", ROOT_DOCUMENT, "@file"},
    {"<page>", "<title>", "</page>", DOCUMENT, NULL},
    {"<row ", "Id=", "/>", DOCUMENT, NULL},
    {"<TEI ", NULL, "</TEI>", DOCUMENT, NULL},
    {"<TEI>", NULL, "</TEI>", DOCUMENT, NULL},
    {"<TEI.2", NULL, "</TEI.2>", DOCUMENT, NULL},
    {"<PubmedArticleSet", NULL, NULL, ROOT, NULL},
    {"<mediawiki ", NULL, NULL, ROOT, NULL},
    {"<posts>", "<row", NULL, ROOT, NULL},
    {"<comments>", "<row", NULL, ROOT, NULL},
    {"<posthistory>", "<row", NULL, ROOT, NULL},
    {"<teiCorpus", NULL, "</teiHeader>", ROOT, NULL},
    {"<DeleteCitation>", NULL, "</DeleteCitation>", AROUND, NULL},
    {"<siteinfo>", NULL, "</siteinfo>", AROUND, NULL},
    {"<siteinfo/>", NULL, NULL, AROUND, NULL},
    {"<?xml", NULL, "?>", AROUND, NULL},
    {"<!DOCTYPE ", NULL, ">", AROUND, NULL}};
enum { ELEMENTS = sizeof elements / sizeof *elements };

/*
 * Does s[0, n) begin with `word` behind blanks, or with `lines` behind line ends? *behind: the
 * bytes up to its end.
 */
static enum pd_start begins(const unsigned char *s, size_t n, const char *word, bool lines,
                            size_t *behind)
{
    const size_t m = strlen(word);
    size_t k = 0;
    while (k < n && (s[k] == ' ' || s[k] == '\t' || (lines && pd_scan_is_space(s[k]))))
        k++;
    *behind = k + m;
    if (memcmp(s + k, word, n - k < m ? n - k : m) != 0)
        return PD_START_NO;
    return n - k < m ? n < LOOK ? PD_START_CUT : PD_START_NO : PD_START_YES;
}

/* The element that begins at s[0, n); NULL: none. *start says whether this is decided. */
static const struct element *find(const unsigned char *s, size_t n, enum pd_start *start)
{
    size_t behind, more;
    *start = PD_START_NO;
    n = n < LOOK ? n : LOOK;
    for (int k = 0; k < ELEMENTS; k++) {
        enum pd_start here = begins(s, n, elements[k].begins, false, &behind);
        if (here == PD_START_YES && elements[k].then)
            here = begins(s + behind, n - behind, elements[k].then, true, &more);
        if (here == PD_START_NO)
            continue;
        *start = here;
        return &elements[k];
    }
    return NULL;
}

static enum pd_start starts(const unsigned char *s, size_t n)
{
    enum pd_start start;
    find(s, n, &start);
    return start;
}

/*
 * Pass the element at the mark; *n: its bytes at *s. Returns PD_OK; PD_END when it is lost, which
 * has been reported; or PD_EIO.
 */
static int take(struct pd_reader *r, const char *close, const unsigned char **s, size_t *n)
{
    const size_t m = strlen(close), most = (size_t)r->options.max_document + STEP;
    size_t from = 0;
    for (size_t want = STEP;; want = 2 * *n < most ? 2 * *n : most) {
        const int status = pd_stream_peek(r->stream, want, s, n);
        if (status == PD_EIO)
            return status;
        const unsigned char *end = memmem(*s + from, *n - from, close, m);
        if (end) {
            *n = (size_t)(end - *s) + m;
            pd_records_advance(r, *s, *n);
            return PD_OK;
        }
        if (status == PD_EFORMAT || *n < want)
            return pd_records_lose(r, *s, *n, status);
        if (*n > r->options.max_document) {
            pd_reader_tell(r, PD_SKIP_TOO_LARGE, "record is too large (--max-document)");
            return pd_records_leave(r, *s, *n - LOOK);
        }
        from = *n - m;
    }
}

static struct pd_borrowed id_of(const char *name, const unsigned char *s, size_t n)
{
    struct pd_borrowed id = {NULL, 0};
    size_t total;
    if (name && *name == '@') {
        const unsigned char *tag = memchr(s, '<', n); /* behind the blanks of its line */
        return pd_sgml_attribute(tag, n - (size_t)(tag - s), name + 1);
    }
    for (size_t k = 0; name && k < n && !id.v; k++) {
        const unsigned char *tag = memchr(s + k, '<', n - k);
        k = tag ? (size_t)(tag - s) : n;
        if (tag && !pd_sgml_element(tag, n - k, name, &id, &total))
            id.v = NULL;
    }
    return id;
}

static int deliver(struct pd_reader *r, struct pd_raw *raw, const char *id_name,
                   const unsigned char *s, size_t n)
{
    const struct pd_borrowed id = id_of(id_name, s, n);
    raw->id = (const char *)id.v;
    raw->id_n = id.n;
    raw->body = s;
    raw->n = n;
    return pd_reader_deliver(r, raw);
}

/*
 * Bytes of the start tag at s[0, n) of the root element. *whole: no header follows that has an end
 * tag.
 */
static size_t pass_root(const unsigned char *s, size_t n, bool *whole)
{
    size_t tag = pd_sgml_tag(s, n), behind;
    *whole = begins(s + tag, n - tag, "<teiHeader", true, &behind) != PD_START_YES;
    if (!*whole && behind + 1 < n - tag && s[tag + behind] == '/') { /* <teiHeader/> */
        tag += behind + 2;
        *whole = true;
    }
    return tag;
}

static int read_document(struct pd_reader *r, struct pd_raw *raw)
{
    const unsigned char *s;
    size_t n;
    enum pd_start start;
    if (pd_stream_peek(r->stream, TAG_MOST, &s, &n) == PD_EIO)
        return PD_EIO;
    const struct element *e = find(s, n, &start);
    bool whole = !e->close;
    const size_t tag = e->place == ROOT ? pass_root(s, n, &whole) : pd_sgml_tag(s, n);
    if (whole) {
        pd_records_advance(r, s, tag > 0 ? tag : strlen(e->begins));
        return PD_END;
    }
    const int status = take(r, e->close, &s, &n);
    if (status != PD_OK || !r->owned || e->place >= AROUND)
        return status == PD_OK ? PD_END : status;
    return deliver(r, raw, e->id, s, n);
}

/* Does the head of the file, before its first element, say something that all documents need? */
static bool has_head(const unsigned char *s, size_t n)
{
    const unsigned char *encoding = memmem(s, n, "encoding=", 9);
    const size_t left = encoding ? n - (size_t)(encoding - s) : 0;
    return memmem(s, n, "<!ENTITY", 8) ||
           (encoding &&
            (left < 16 || (strncasecmp((const char *)encoding + 10, "utf-8", 5) != 0 &&
                           strncasecmp((const char *)encoding + 10, "us-asc", 6) != 0)));
}

static bool recognises(const struct pd_beginning *file)
{
    enum pd_start start;
    const unsigned char *s = file->s + file->content;
    const struct element *e = find(s, file->n - file->content, &start);
    return start == PD_START_YES && (e->place == ROOT || e->place == ROOT_DOCUMENT) &&
           !has_head(file->s, file->content);
}

const struct pd_layout pd_layout_bulk = {.recognises = recognises,
                                         .next = pd_records_next,
                                         .many = true,
                                         .fixed = true,
                                         .starts = starts,
                                         .look = LOOK,
                                         .indented = true,
                                         .read = read_document};

/* ---- files of added dialects ---- */

/* The added dialect that names documents; NULL: none does. */
static const struct pd_dialect *dialect(void)
{
    const struct pd_dialect *d;
    for (size_t k = 0; (d = pd_dialect_added(k)) != NULL && !d->documents; k++)
        ;
    return d;
}

/* The name in `names` of the tag that begins at s[0, n), of *bytes; NULL: none. *start as in find(). */
static const char *find_added(const char *names, const unsigned char *s, size_t n, size_t *bytes,
                              enum pd_start *start)
{
    char tag[LOOK];
    size_t behind;
    *start = PD_START_NO;
    n = n < LOOK ? n : LOOK;
    for (const char *name = names; (name = pd_dialect_name(name, bytes)) != NULL; name += *bytes) {
        snprintf(tag, sizeof tag, "<%.*s", (int)(*bytes - (name[*bytes - 1] == '/')), name);
        *start = begins(s, n, tag, false, &behind);
        if (*start == PD_START_YES && behind == n)
            *start = n < LOOK ? PD_START_CUT : PD_START_NO;
        if (*start == PD_START_YES && !pd_scan_is_space(s[behind]) && s[behind] != '>' &&
            s[behind] != '/')
            *start = PD_START_NO;
        if (*start != PD_START_NO)
            return name;
    }
    return NULL;
}

static const char *documents(void) { return dialect() ? dialect()->documents : NULL; }

/*
 * How the declaration ends that begins at s[0, n); NULL: none does. It stands in front of the root
 * element.
 */
static const char *declared(const unsigned char *s, size_t n)
{
    if (n >= 6 && memcmp(s, "<?xml ", 6) == 0)
        return "?>";
    return n >= 10 && memcmp(s, "<!DOCTYPE ", 10) == 0 ? ">" : NULL;
}

/* Does a declaration or the tag of the root element begin at s[0, n), behind blanks? */
static enum pd_start is_root(const unsigned char *s, size_t n)
{
    const struct pd_dialect *d = dialect();
    size_t k = 0;
    if (declared(s, n))
        return PD_START_YES;
    n = n < LOOK ? n : LOOK;
    while (k < n && (s[k] == ' ' || s[k] == '\t'))
        k++;
    const size_t from = k < n && s[k] == '<' ? ++k : n;
    const struct pd_dialect root = {.roots = d && *d->roots != '*' ? d->roots : ""};
    size_t name = from;
    for (; k < n && !pd_scan_is_space(s[k]) && s[k] != '>' && s[k] != '/'; k++)
        if (s[k] == ':')
            name = k + 1;
    if (k == n)
        return from < n && n < LOOK ? PD_START_CUT : PD_START_NO;
    return pd_dialect_fits(&root, s + name, k - name, s, s) ? PD_START_YES : PD_START_NO;
}

static enum pd_start starts_added(const unsigned char *s, size_t n)
{
    size_t bytes;
    enum pd_start start;
    find_added(documents(), s, n, &bytes, &start);
    return start == PD_START_NO ? is_root(s, n) : start;
}

static int read_added(struct pd_reader *r, struct pd_raw *raw)
{
    const unsigned char *s;
    char close[LOOK] = "/>";
    size_t n, bytes;
    enum pd_start start;
    if (pd_stream_peek(r->stream, TAG_MOST, &s, &n) == PD_EIO)
        return PD_EIO;
    const char *name = find_added(documents(), s, n, &bytes, &start);
    if (!name && declared(s, n))
        return take(r, declared(s, n), &s, &n) == PD_EIO ? PD_EIO : PD_END;
    if (!name) { /* the root element, whose tag is passed over */
        n = pd_sgml_tag(s, n);
        pd_records_advance(r, s, n > 0 ? n : 1);
        return PD_END;
    }
    if (name[bytes - 1] != '/')
        snprintf(close, sizeof close, "</%.*s>", (int)bytes, name);
    const int status = take(r, close, &s, &n);
    if (status != PD_OK || !r->owned)
        return status == PD_OK ? PD_END : status;
    return deliver(r, raw, dialect()->id, s, n);
}

static bool recognises_added(const struct pd_beginning *file)
{
    const struct pd_dialect *d = dialect();
    const unsigned char *s = file->s + file->content, *end = file->s + file->n;
    if (!d || end - s < 2 || *s != '<' || has_head(file->s, file->content))
        return false;
    const unsigned char *name = ++s;
    for (; s < end && !pd_scan_is_space(*s) && *s != '>' && *s != '/'; s++)
        if (*s == ':')
            name = s + 1;
    const struct pd_dialect root = {.roots = d->roots, .signs = d->signs};
    return pd_dialect_fits(&root, name, (size_t)(s - name), file->s + file->text, end);
}

const struct pd_layout pd_layout_added = {.recognises = recognises_added,
                                          .next = pd_records_next,
                                          .many = true,
                                          .fixed = true,
                                          .starts = starts_added,
                                          .look = LOOK,
                                          .indented = true,
                                          .read = read_added};

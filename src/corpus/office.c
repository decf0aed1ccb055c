/*
 * corpus/office.c - files that are a zip archive of XML: docx, pptx, odt and its kin, epub.
 *
 * The body of the document is the XML of the parts that hold text, in reading order, inside an
 * element that names their kind (document/xml/dialect.h). Parts are found as the formats say: in
 * Office Open XML (ECMA-376) by relationships, in EPUB 3.3 by the package's spine; OpenDocument has
 * one part. Nothing else of the archive is decoded, and all parts together may have as many bytes
 * as a document.
 */
#include <stdlib.h>
#include <string.h>

#include "corpus/packed/zip.h"
#include "foreign.h"
#include "inside.h"
#include "pardup/base/error.h"
#include "pardup/base/scan.h"
#include "pardup/base/search.h"
#include "pardup/base/xml_tag.h"

enum {
    LINKED_MOST = 10000, /* slides, chapters */
    LIST_MOST = 16 << 20 /* bytes of a part that lists other parts */
};

/* An item of a list of parts. Both point into `names` of struct office, by offsets. */
struct link {
    size_t id, target;
};
PD_VEC(pd_links, struct link);

/* A document that is being read. */
struct office {
    struct pd_reader *r;
    struct pd_zip zip;
    size_t most;           /* bytes that the body may have */
    struct pd_bytes list;  /* the part that lists others */
    struct pd_bytes names; /* texts of `links`, each ended by NUL */
    struct pd_links links;
    struct pd_bytes name; /* buffer: a name in the archive */
    struct pd_bytes path; /* buffer: the path of a part, ended by NUL */
};

/* ---- names of parts ---- */

static const char *text_of(struct pd_bytes *b)
{
    pd_bytes_push(b, '\0');
    b->n--;
    return (const char *)b->v;
}

/* Replace %20 and the like in a reference to a part. */
static void unescape(struct pd_bytes *name)
{
    size_t n = 0;
    for (size_t k = 0; k < name->n; k++) {
        const char hex[3] = {k + 2 < name->n ? (char)name->v[k + 1] : 0,
                             k + 2 < name->n ? (char)name->v[k + 2] : 0, 0};
        char *end;
        const long c = strtol(hex, &end, 16);
        const bool escaped = name->v[k] == '%' && end == hex + 2 && c > 0;
        name->v[n++] = escaped ? (unsigned char)c : name->v[k];
        k += escaped ? 2 : 0;
    }
    name->n = n;
}

/* Set o->path to the part that `target` names in the part `from`. */
static const char *resolve(struct office *o, const char *from, const char *target)
{
    const char *slash = strrchr(from, '/');
    o->path.n = 0;
    if (*target != '/' && slash)
        pd_bytes_append(&o->path, from, (size_t)(slash - from) + 1);
    target += *target == '/';
    while (strncmp(target, "../", 3) == 0) {
        target += 3;
        o->path.n -= o->path.n > 0;
        while (o->path.n > 0 && o->path.v[o->path.n - 1] != '/')
            o->path.n--;
    }
    const size_t n = strcspn(target, "#");
    pd_bytes_append(&o->path, target, n);
    return text_of(&o->path);
}

/* ---- lists of parts ---- */

static int read_list(struct office *o, const char *part)
{
    const struct pd_zip_entry *e = pd_zip_find(&o->zip, part);
    o->list.n = 0;
    return e ? pd_zip_read(&o->zip, e, LIST_MOST, &o->list) : PD_EFORMAT;
}

/* A place in a part: the element at hand, and what has not been looked at. */
struct markup {
    const unsigned char *at, *end;
    struct pd_xml_tag tag;
};

static struct markup markup_of(const struct pd_bytes *part)
{
    return (struct markup){.at = part->v, .end = pd_bytes_behind(part)};
}

/* Go to the next start tag of an element with this name, without its prefix. False: there is none. */
static bool next_element(struct markup *m, const char *name)
{
    while (m->at < m->end && (m->at = memchr(m->at, '<', (size_t)(m->end - m->at))) != NULL) {
        m->tag = pd_xml_tag_read(m->at, m->end);
        m->at = m->tag.end;
        if (!m->tag.closing && pd_xml_is_named(&m->tag, name))
            return true;
    }
    m->at = m->end;
    return false;
}

/* Bring the value of an attribute of the element at hand into o->name. False: there is none. */
static bool read_attribute(struct office *o, const struct markup *m, const char *name)
{
    const unsigned char *from, *to;
    o->name.n = 0;
    if (!pd_xml_attribute(&m->tag, name, &from, &to))
        return false;
    pd_xml_unescape(from, to, &o->name);
    return true;
}

/* Append the text of the element at hand to o->name, without white space around it. */
static void read_text(struct office *o, const struct markup *m)
{
    const unsigned char *end = m->at < m->end ? memchr(m->at, '<', (size_t)(m->end - m->at)) : NULL;
    const unsigned char *s = end ? pd_scan_skip_spaces(m->at, end) : NULL;
    while (s < end && pd_scan_is_space(end[-1]))
        end--;
    if (s < end)
        pd_xml_unescape(s, end, &o->name);
}

static size_t put_name(struct office *o)
{
    const size_t at = o->names.n;
    pd_bytes_append(&o->names, text_of(&o->name), o->name.n + 1);
    return at;
}

static int by_id(const void *a, const void *b, void *names)
{
    const struct link *x = a, *y = b;
    const char *text = names;
    return strcmp(text + x->id, text + y->id);
}

/*
 * Read the links of the part in o->list: elements with an attribute for the name, and one for the
 * part.
 */
static void read_links(struct office *o, const char *element, const char *id, const char *target)
{
    struct markup m = markup_of(&o->list);
    o->links.n = o->names.n = 0;
    while (next_element(&m, element)) {
        struct link link;
        if (!read_attribute(o, &m, id))
            continue;
        link.id = put_name(o);
        if (!read_attribute(o, &m, target))
            continue;
        unescape(&o->name);
        link.target = put_name(o);
        pd_links_push(&o->links, link);
    }
    if (o->links.n > 0)
        qsort_r(o->links.v, o->links.n, sizeof *o->links.v, by_id, o->names.v);
}

/* The part that the link with the id o->name leads to; NULL: there is no such link. */
static const char *target_of(struct office *o)
{
    const size_t n = o->names.n; /* the id stands there while it is looked for */
    const struct link key = {put_name(o), 0};
    size_t low = 0, high = o->links.n;
    PD_BISECT(low, high, mid, by_id(&o->links.v[mid], &key, o->names.v) < 0);
    const bool found = low < o->links.n && by_id(&o->links.v[low], &key, o->names.v) == 0;
    o->names.n = n;
    return found ? (const char *)o->names.v + o->links.v[low].target : NULL;
}

/* ---- the body ---- */

static void put(struct office *o, const char *s) { pd_bytes_append(&o->r->text, s, strlen(s)); }

/* Append a part to the body. A part that is not there is no failure. */
static int put_part(struct office *o, const char *part)
{
    const struct pd_zip_entry *e = pd_zip_find(&o->zip, part);
    return e ? pd_zip_read(&o->zip, e, o->most, &o->r->text) : PD_OK;
}

/* Append the parts that elements of the list o->list name in this order, by links of the part `from`. */
static int put_linked(struct office *o, const struct pd_bytes *list, const char *element,
                      const char *id, const char *from)
{
    struct markup m = markup_of(list);
    int status = PD_OK;
    for (int n = 0; status == PD_OK && next_element(&m, element); n++) {
        const char *target = read_attribute(o, &m, id) ? target_of(o) : NULL;
        if (n == LINKED_MOST)
            return PD_EFULL;
        if (target)
            status = put_part(o, resolve(o, from, target));
    }
    return status;
}

/* Keep title, author and date, as a part names them. */
static void keep_properties(struct office *o, const char *part, struct pd_raw *raw)
{
    static const char *const names[][4] = {{"title", "title"},
                                           {"author", "initial-creator", "creator"},
                                           {"date", "created", "creation-date", "date"}};
    if (read_list(o, part) != PD_OK)
        return;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        o->name.n = 0;
        for (size_t i = 1; i < 4 && names[k][i] && o->name.n == 0; i++) {
            struct markup m = markup_of(&o->list);
            if (next_element(&m, names[k][i]))
                read_text(o, &m);
        }
        if (o->name.n > 0)
            pd_reader_keep(o->r, raw, names[k][0], (const char *)o->name.v, o->name.n);
    }
}

/* ---- the kinds ---- */

/* A presentation: the slides in the order in which `main` lists them. */
static int read_slides(struct office *o, const char *main)
{
    struct pd_bytes list = {0};
    const char *name = strrchr(main, '/') + 1;
    const struct pd_zip_entry *e = pd_zip_find(&o->zip, main);
    int status = e ? pd_zip_read(&o->zip, e, LIST_MOST, &list) : PD_EFORMAT;
    char *relations = pd_printed("_rels/%s.rels", name);
    if (status == PD_OK)
        status = read_list(o, resolve(o, main, relations));
    if (status == PD_OK) {
        read_links(o, "Relationship", "Id", "Target");
        status = put_linked(o, &list, "sldId", ":id", main);
    }
    free(relations);
    pd_bytes_release(&list);
    return status;
}

/* A text: its main part, footnotes and endnotes. */
static int read_word(struct office *o, const char *main)
{
    int status = pd_zip_find(&o->zip, main) ? put_part(o, main) : PD_EFORMAT;
    if (status == PD_OK)
        status = put_part(o, resolve(o, main, "footnotes.xml"));
    if (status == PD_OK)
        status = put_part(o, resolve(o, main, "endnotes.xml"));
    return status;
}

/* The main part that the archive names; NULL: it names none. The caller frees it. */
static char *named_main(struct office *o)
{
    static const char type[] = "/officeDocument";
    struct markup m;
    if (read_list(o, "_rels/.rels") != PD_OK)
        return NULL;
    for (m = markup_of(&o->list); next_element(&m, "Relationship");) {
        const bool typed = read_attribute(o, &m, "Type");
        const size_t n = sizeof type - 1;
        if (typed && o->name.n > n && memcmp(o->name.v + o->name.n - n, type, n) == 0 &&
            read_attribute(o, &m, "Target"))
            return pd_printed("%s", resolve(o, "", text_of(&o->name)));
    }
    return NULL;
}

/*
 * The main part of a document in Office Open XML; NULL: it is none. The caller frees it. Programs
 * that write such files by hand leave the relationship out, so the usual part will do.
 */
static char *find_main(struct office *o)
{
    static const char *const usual[] = {"word/document.xml", "ppt/presentation.xml"};
    char *main = named_main(o);
    for (size_t k = 0; !main && k < sizeof usual / sizeof *usual; k++)
        if (pd_zip_find(&o->zip, usual[k]))
            main = pd_printed("%s", usual[k]);
    return main;
}

/* OpenDocument: one part has the text, and another one says what the archive is. */
static bool is_open_document(struct office *o)
{
    return pd_zip_find(&o->zip, "content.xml") &&
           (pd_zip_find(&o->zip, "mimetype") || pd_zip_find(&o->zip, "META-INF/manifest.xml"));
}

/* An e-book: the chapters in the order of the spine. */
static int read_book(struct office *o, struct pd_raw *raw)
{
    struct markup m = markup_of(&o->list);
    if (!next_element(&m, "rootfile") || !read_attribute(o, &m, "full-path"))
        return PD_EFORMAT;
    char *package = pd_printed("%s", text_of(&o->name));
    struct pd_bytes list = {0};
    keep_properties(o, package, raw);
    int status = read_list(o, package);
    if (status == PD_OK) {
        read_links(o, "item", "id", "href");
        pd_bytes_append(&list, o->list.v, o->list.n);
        status = put_linked(o, &list, "itemref", "idref", package);
    }
    pd_bytes_release(&list);
    free(package);
    return status;
}

/* Write the body. PD_OK with *kind; PD_END: the archive is no document; PD_EFULL; PD_EFORMAT. */
static int read_parts(struct office *o, struct pd_raw *raw, enum pd_kind *kind)
{
    char *main = find_main(o);
    int status = PD_END;
    if (main && strncmp(main, "word/", strlen("word/")) == 0) {
        put(o, "<pardup-docx>");
        *kind = PD_KIND_DOCX;
        status = read_word(o, main);
    } else if (main && strncmp(main, "ppt/", strlen("ppt/")) == 0) {
        put(o, "<pardup-docx>");
        *kind = PD_KIND_PPTX;
        status = read_slides(o, main);
    } else if (!main && is_open_document(o)) {
        put(o, "<pardup-odt>");
        *kind = PD_KIND_ODT;
        status = put_part(o, "content.xml");
    } else if (!main && read_list(o, "META-INF/container.xml") == PD_OK) {
        put(o, "<pardup-epub>");
        *kind = PD_KIND_EPUB;
        status = read_book(o, raw);
    }
    if (status == PD_OK && *kind != PD_KIND_EPUB)
        keep_properties(o, *kind == PD_KIND_ODT ? "meta.xml" : "docProps/core.xml", raw);
    free(main);
    return status;
}

static int extract(struct pd_reader *r, struct pd_raw *raw)
{
    struct office o = {.r = r, .most = (size_t)r->options.max_document};
    enum pd_kind kind = PD_KIND_DOCX;
    const int opened = pd_zip_open(&o.zip, raw->body, raw->n);
    r->text.n = 0;
    const int status = opened == PD_OK ? read_parts(&o, raw, &kind) : opened;
    if (status == PD_END)
        pd_reader_tell(r, PD_SKIP_UNKNOWN, "%s", pd_foreign_format(raw->body, raw->n));
    else if (status == PD_EFULL)
        pd_reader_tell(r, PD_SKIP_TOO_LARGE,
                       "the parts of the document are too large (--max-document)");
    else if (status != PD_OK)
        pd_reader_tell(r, PD_SKIP_CORRUPT,
                       "a zip archive or office document that is damaged or encrypted");
    pd_reader_give_text(r, raw);
    if (status == PD_OK && !r->quiet)
        r->counts.fields.kinds[kind]++;
    pd_zip_close(&o.zip);
    PD_RELEASE(pd_bytes, &o.list, &o.names, &o.name, &o.path);
    pd_links_release(&o.links);
    return status == PD_OK ? PD_OK : PD_EFORMAT;
}

static bool recognises(const struct pd_beginning *file)
{
    return file->n >= 4 && (memcmp(file->s, "PK\3\4", 4) == 0 || memcmp(file->s, "PK\5\6", 4) == 0);
}

const struct pd_layout pd_layout_office = {
    .recognises = recognises, .next = pd_whole_next, .extract = extract, .fixed = true};

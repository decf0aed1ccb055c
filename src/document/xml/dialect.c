/* document/xml/dialect.c - see dialect.h */
#include "dialect.h"

#include <string.h>
#include <strings.h>

/* Office documents. */
#define OFFICE                                                                                     \
    [PD_XML_BLOCK] = "p h h1 h2 h3 h4 h5 h6 div ul ol dl li dt dd table tr td th tc hr pre "       \
                     "section article aside blockquote caption figcaption",                        \
    [PD_XML_BREAK] = "br cr line-break", [PD_XML_BLANK] = "tab ptab s",                            \
    [PD_XML_HYPHEN] = "noBreakHyphen",                                                             \
    [PD_XML_OUT] = "moveFrom Fallback annotation binary-data binaryData binData tracked-changes "  \
                   "note-citation script style styles"

/* Names that all dialects share which are not closed. */
static const struct pd_dialect common = {
    .of = {
        [PD_XML_BLOCK] =
            "p para head div ab lg sp speaker stage list item table row cell sec section "
            "note fn footnote figure fig listitem list-item caption",
        [PD_XML_INLINE] =
            /* TEI */
        "hi emph foreign term gloss name persName placeName orgName geogName rs date time num "
        "measure abbr expan ex am sic orig corr reg choice add del unclear supplied subst app lem "
        "rdg rdgGrp seg c pc g s phr cl m ref ptr anchor gap q said "
        /* JATS, DocBook and others */
        "xref ext-link link italic bold sc sub sup subscript superscript underline emphasis "
        "citetitle literal named-content i b u em strong a span small code "
        /* MathML */
        "math mrow mi mn mo mtext mfrac msqrt mroot mstyle msub msup msubsup munder mover "
        "munderover mfenced mspace mpadded mphantom semantics",
        [PD_XML_LINE] = "l",
        [PD_XML_WORD] = "w",
        [PD_XML_BREAK] = "br sbr eol hr",
        [PD_XML_BLANK] = "lb pb cb gb milestone break space tab eop",
        [PD_XML_OUT] =
            "teiHeader idg temphead fw script tex-math indexterm index-term annotation-xml "
            "binary binary-data binaryData binData binaryObject base64Binary",
        [PD_XML_CHOICE] = "choice app subst",
        [PD_XML_GROUP] = "rdgGrp",
        [PD_XML_PREFERRED] = "orig sic abbr am lem add"}};

static const struct pd_dialect dialects[] = {
    /* ---- documents of corpus/office.c, and their XML as files ---- */
    {"pardup-docx", NULL, .closed = true, .of = {OFFICE, [PD_XML_COUNTS] = "t"}},
    {"document package wordDocument", "wordprocessingml /wordml", .closed = true,
     .of = {OFFICE, [PD_XML_COUNTS] = "t"}},
    {"pardup-odt", NULL, .closed = true,
     .of = {OFFICE, [PD_XML_COUNTS] = "p h", [PD_XML_LATER] = "note"}},
    {"document document-content", "opendocument", .closed = true,
     .of = {OFFICE, [PD_XML_COUNTS] = "p h", [PD_XML_LATER] = "note"}},
    {"pardup-epub", NULL, .closed = true, .of = {OFFICE, [PD_XML_COUNTS] = "body"}},
    /* ---- texts ---- */
    {"TEI TEI.2 teiCorpus", NULL,
     .of = {[PD_XML_BLOCK] =
                "docTitle titlePart byline docAuthor docImprint opener closer salute "
                "signed dateline trailer epigraph argument castItem bibl quote body text",
            [PD_XML_WORD] = "w title author editor publisher pubPlace biblScope surname forename",
            [PD_XML_FORMULA] = "formula",
            [PD_XML_INLINE] = "formula",
            [PD_XML_CHOICE] = "choice app subst",
            [PD_XML_OUT] = "index wit witDetail facsimile standOff annotation"}},
    {"article book", "article-type JATS //NLM// dtd-version journal-meta book-meta",
     .of = {[PD_XML_BLOCK] =
                "title ref abstract kwd article-title subtitle disp-quote disp-formula td th "
                "tr def-item statement app boxed-text",
            [PD_XML_INLINE] = "inline-formula monospace strike roman styled-content uri email "
                              "alternatives etal",
            [PD_XML_LINE] = "verse-line",
            [PD_XML_LINES] = "preformat",
            [PD_XML_WORD] =
                "name string-name person-group surname given-names year volume issue fpage lpage "
                "source publisher-name "
                "publisher-loc collab label element-citation mixed-citation pub-id suffix "
                "month day comment edition chapter-title",
            [PD_XML_CHOICE] =
                "alternatives name-alternatives collab-alternatives citation-alternatives",
            [PD_XML_OUT] = "journal-meta contrib-group aff permissions history pub-date article-id "
                           "self-uri author-notes custom-meta-group pub-history annotation"}},
    {"book article chapter part section set reference refentry appendix preface",
     "docbook DocBook xmlns",
     .of =
         {[PD_XML_BLOCK] = "title subtitle programlisting screen term varlistentry entry glossterm",
          [PD_XML_INLINE] =
              "application command filename function option parameter replaceable userinput "
              "varname systemitem phrase quote guibutton guilabel guimenu guimenuitem keycap "
              "keycombo "
              "acronym abbrev classname methodname productname trademark ulink uri firstterm email "
              "citation envar constant type symbol tag sgmltag markup prompt computeroutput "
              "wordasword "
              "footnoteref inlinemediaobject foreignphrase interfacename structname structfield "
              "returnvalue errorcode optional arg property token",
          [PD_XML_WORD] = "surname firstname othername personname",
          [PD_XML_LINES] = "programlisting screen literallayout",
          [PD_XML_OUT] = "annotation alt"}},
    {"FictionBook", NULL,
     .of = {[PD_XML_BLOCK] =
                "title subtitle cite epigraph poem stanza text-author empty-line th td",
            [PD_XML_INLINE] = "style strikethrough",
            [PD_XML_LINE] = "v",
            [PD_XML_OUT] = "description stylesheet"}},
    {"akomaNtoso", NULL,
     .of = {[PD_XML_BLOCK] = "heading subheading block content intro wrap",
            [PD_XML_INLINE] = "rref mref def docTitle docNumber docDate docType entity person "
                              "organization concept object event location ins authorialNote",
            [PD_XML_OUT] = "meta"}},
    {"nitf", NULL,
     .of = {[PD_XML_BLOCK] =
                "hl1 hl2 hedline byline dateline distributor abstract block bq dt dd li td "
                "th tr media-caption",
            [PD_XML_INLINE] = "person org location chron money event function object.title virtloc",
            [PD_XML_OUT] = "head"}},
    {"dtbook", NULL, .of = {[PD_XML_OUT] = "head pagenum", [PD_XML_INLINE] = "sent"}},
    {"tt", "ttml", .of = {[PD_XML_LINE] = "p", [PD_XML_OUT] = "head metadata image"}},
    {"us-patent-grant us-patent-application", NULL,
     .of = {[PD_XML_BLOCK] = "heading claim claim-text invention-title entry",
            [PD_XML_INLINE] = "figref claim-ref crossref o sub2 sup2"}},
    {"mediawiki page", "mediawiki <revision", .closed = true,
     .of = {[PD_XML_BLOCK] = "page title text",
            [PD_XML_LINES] = "text",
            [PD_XML_COUNTS] = "title text",
            [PD_XML_OUT] = "siteinfo"}},
    {"PubmedArticleSet PubmedArticle MedlineCitationSet MedlineCitation", NULL, .closed = true,
     .of = {[PD_XML_BLOCK] = "ArticleTitle AbstractText VernacularTitle BookTitle",
            [PD_XML_COUNTS] = "ArticleTitle AbstractText VernacularTitle BookTitle"}},
    {"svg", NULL,
     .of = {[PD_XML_OUT] = "style script metadata defs",
            [PD_XML_BLOCK] = "text",
            [PD_XML_INLINE] = "tspan"}},
    /* ---- pages of optical character recognition ---- */
    {"alto", NULL, .closed = true,
     .of = {[PD_XML_BLOCK] = "TextBlock",
            [PD_XML_LINE] = "TextLine",
            [PD_XML_WORD] = "String",
            [PD_XML_VALUE] = "String@CONTENT HYP@CONTENT",
            [PD_XML_COUNTS] = ""}},
    {"PcGts", NULL, .closed = true,
     .of = {[PD_XML_BLOCK] = "TextRegion",
            [PD_XML_LINE] = "TextLine",
            [PD_XML_WORD] = "Word",
            [PD_XML_LEVEL] = "TextEquiv",
            [PD_XML_COUNTS] = "Unicode"}},
    {"document", "abbyy", .closed = true, .tight = true,
     .of = {[PD_XML_BLOCK] = "block par",
            [PD_XML_LINE] = "line",
            [PD_XML_COUNTS] = "formatting charParams",
            [PD_XML_OUT] = "wordRecVariants charRecVariants"}},
    {"DjVuXML", NULL, .closed = true,
     .of = {[PD_XML_BLOCK] = "OBJECT PAGECOLUMN REGION PARAGRAPH",
            [PD_XML_LINE] = "LINE",
            [PD_XML_WORD] = "WORD",
            [PD_XML_COUNTS] = "WORD"}},
    {"pages", "bbox=", .closed = true, .tight = true,
     .of = {[PD_XML_BLOCK] = "page textbox",
            [PD_XML_LINE] = "textline",
            [PD_XML_COUNTS] = "text",
            [PD_XML_OUT] = "layout"}},
    {"FoLiA", NULL, .closed = true,
     .of = {[PD_XML_BLOCK] = "p head event item entry",
            [PD_XML_LINE] = "s utt",
            [PD_XML_WORD] = "w",
            [PD_XML_LEVEL] = "t",
            [PD_XML_COUNTS] = "t",
            [PD_XML_OUT] = "original suggestion alt altlayers"}},
    {"NAF KAF", "<wf", .closed = true, .of = {[PD_XML_WORD] = "wf", [PD_XML_COUNTS] = "wf"}},
    {"D-Spin", NULL, .closed = true, .of = {[PD_XML_BLOCK] = "text", [PD_XML_COUNTS] = "text"}},
    {"pdf2xml", "<text",
     .of = {[PD_XML_BLOCK] = "page", [PD_XML_LINE] = "text", [PD_XML_OUT] = "fontspec"}},
    /* ---- text in attributes ---- */
    {"opml", NULL, .closed = true,
     .of = {[PD_XML_BLOCK] = "outline",
            [PD_XML_VALUE] = "outline@text outline@_note",
            [PD_XML_COUNTS] = "title"}},
    {"map", "<node", .closed = true,
     .of = {[PD_XML_BLOCK] = "node p",
            [PD_XML_VALUE] = "node@TEXT",
            [PD_XML_COUNTS] = "richcontent",
            [PD_XML_OUT] = "head"}},
    {"smses", NULL, .closed = true,
     .of = {[PD_XML_BLOCK] = "sms part",
            [PD_XML_VALUE] = "sms@body part@text",
            [PD_XML_COUNTS] = ""}},
    {"posts comments posthistory row", "Body= Text=", .closed = true,
     .of = {[PD_XML_BLOCK] = "row",
            [PD_XML_VALUE] = "row@Title row@!Body row@Text",
            [PD_XML_COUNTS] = ""}},
    {"corpus subcorpus", "feature terminals corpusname", .closed = true,
     .of = {[PD_XML_BLOCK] = "s",
            [PD_XML_WORD] = "t",
            [PD_XML_VALUE] = "t@word",
            [PD_XML_COUNTS] = ""}},
    {"treebank proiel", "<sentence", .closed = true,
     .of = {[PD_XML_BLOCK] = "sentence",
            [PD_XML_WORD] = "word token",
            [PD_XML_VALUE] = "word@form token@form",
            [PD_XML_COUNTS] = ""}}};

/* ---- names ---- */

static uint32_t hash_of(const unsigned char *name, size_t n)
{
    uint32_t h = 2166136261U;
    for (size_t k = 0; k < n; k++)
        h = (h ^ (name[k] | 0x20U)) * 16777619U;
    return h ^ h >> 15;
}

uint32_t pd_xml_name_hash(const struct pd_xml_tag *tag) { return hash_of(tag->name, tag->n); }

static struct pd_xml_name *slot_of(const struct pd_xml_names *names, const char *name, size_t n,
                                   uint32_t hash)
{
    uint32_t k = hash % PD_XML_SLOTS;
    while (names->slots[k].name &&
           (names->slots[k].n != n || strncasecmp(names->slots[k].name, name, n) != 0))
        k = (k + 1) % PD_XML_SLOTS;
    return (struct pd_xml_name *)&names->slots[k];
}

const struct pd_xml_name *pd_xml_names_find(const struct pd_xml_names *names,
                                            const struct pd_xml_tag *tag, uint32_t hash)
{
    const struct pd_xml_name *slot = slot_of(names, (const char *)tag->name, tag->n, hash);
    return slot->name ? slot : NULL;
}

/* Add the names of a dialect, which take the place of the names that are there. */
static void add(struct pd_xml_names *names, const struct pd_dialect *v)
{
    size_t n;
    for (int pass = 0; pass < 2; pass++) /* names that are there are emptied first */
        for (unsigned act = 0; act < PD_XML_ACTS; act++)
            for (const char *name = v->of[act]; (name = pd_dialect_name(name, &n)) != NULL;
                 name += n) {
                const char *at = memchr(name, '@', n);
                const size_t bytes = at ? (size_t)(at - name) : n;
                struct pd_xml_name *slot =
                    slot_of(names, name, bytes, hash_of((const unsigned char *)name, bytes));
                slot->name = name;
                slot->n = (uint16_t)bytes;
                slot->does = pass == 0 ? 0 : slot->does | PD_XML_DOES(act);
                if (pass == 0)
                    memset(slot->attribute, 0, sizeof slot->attribute);
                else if (at)
                    slot->attribute[!!slot->attribute[0] + !!slot->attribute[1]] = at + 1;
            }
}

void pd_xml_names_make(struct pd_xml_names *names, const struct pd_dialect *dialect,
                       const struct pd_dialect *added)
{
    memset(names, 0, sizeof *names);
    if (!(dialect && dialect->closed) && !(added && added->closed))
        add(names, &common);
    if (dialect)
        add(names, dialect);
    if (added)
        add(names, added);
}

/* ---- dialects ---- */

const struct pd_dialect *pd_dialect_find(const struct pd_xml_tag *root, const unsigned char *from,
                                         const unsigned char *end)
{
    for (size_t k = 0; k < sizeof dialects / sizeof *dialects; k++)
        if (pd_dialect_fits(&dialects[k], root->name, root->n, from, end))
            return &dialects[k];
    return NULL;
}

const struct pd_dialect *pd_dialect_find_added(const struct pd_xml_tag *root,
                                               const unsigned char *from, const unsigned char *end)
{
    const struct pd_dialect *d;
    for (size_t k = 0; (d = pd_dialect_added(k)) != NULL; k++)
        if (pd_dialect_fits(d, root->name, root->n, from, end))
            break;
    return d;
}

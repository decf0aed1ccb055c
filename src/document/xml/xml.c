/*
 * document/xml/xml.c - see xml.h.
 *
 * The tags of the file are replaced by the few tags of HTML that say the same, and the result is
 * read as HTML. The table of dialect.c says what an element does. What is left out is written
 * first, and taken back at its end tag. So an element without an end is kept.
 */
#include "xml.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "pardup/base/scan.h"
#include "pardup/base/xml_tag.h"
#include "pardup/document/html.h"
#include "xml_begin.h"
#include "xml_entities.h"

enum {
    DEPTH_MOST = 256, /* elements that are deeper leave no trace */
    BLANKS_MOST = 64, /* blanks between a hyphen and the end of its line */
    ENDS_MOST = 64    /* open elements in which the one is sought that an end tag ends */
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- text ---- */

/* An element that is open. */
struct open {
    uint32_t name;  /* pd_xml_name_hash() */
    uint32_t does;  /* PD_XML_DOES() */
    uint8_t read;   /* of a choice: the rank of the child that is read; 0: none */
    bool in_text;   /* of struct xml, as it was before the element */
    size_t inlines; /* of struct xml, as it was before the element */
    size_t at;      /* bytes of HTML before its content */
};
PD_VEC(pd_opens, struct open);

/* A file that is being read. */
struct xml {
    const unsigned char *end;
    bool closed, tight, chosen;  /* of the dialect; `chosen`: only text in elements that count */
    bool choices;                /* the dialect says what choices are: each child is a reading */
    bool unknown;                /* the file has no dialect */
    struct pd_bytes html, later; /* `later` goes to the end */
    struct pd_opens open;
    size_t deeper;    /* open elements beyond DEPTH_MOST */
    bool in_text;     /* text of the block stands before, outside its inline elements */
    bool unclosed[2]; /* a comment, an instruction has no end: no further end is looked for */
    bool divided;     /* the two halves of a word were read as one */
    size_t inlines;   /* open inline elements of the block */
    size_t counts;    /* open elements in which text counts */
    size_t word_end;  /* bytes of HTML behind the last word element */
    struct pd_xml_names names;
};

static bool is(uint32_t does, enum pd_xml_act act) { return does & PD_XML_DOES(act); }

static void put(struct xml *x, const char *html) { pd_bytes_append(&x->html, html, strlen(html)); }

static void put_block(struct xml *x)
{
    put(x, "<div>");
    x->in_text = false;
    x->inlines = 0;
}

static void put_line_end(struct xml *x)
{
    put(x, "<br>");
    x->in_text = false;
}

static bool is_blank(const unsigned char *s, const unsigned char *to)
{
    return pd_scan_skip_spaces(s, to) == to;
}

/* Append text that is no markup, as it is written, or with `raw` what has no references. */
static void put_text(struct xml *x, const unsigned char *s, const unsigned char *to, bool raw)
{
    if (!x->in_text && x->inlines == 0)
        x->in_text = !is_blank(s, to);
    if (!raw)
        pd_bytes_append(&x->html, s, (size_t)(to - s));
    for (; raw && s < to; s++)
        if (*s == '<' || *s == '&')
            put(x, *s == '<' ? "&lt;" : "&amp;");
        else
            pd_bytes_push(&x->html, *s);
}

/* Append text of an element, if text counts there. */
static void put_content(struct xml *x, const unsigned char *s, const unsigned char *to, bool raw)
{
    const bool counts = x->counts > 0 || !x->chosen;
    const bool layout = x->tight && s < to && is_blank(s, to) && memchr(s, '\n', (size_t)(to - s));
    if (counts && !layout && s < to && !pd_xml_is_base64(s, to))
        put_text(x, s, to, raw);
}

/* Append the text of a page. */
static void put_page(struct xml *x, const unsigned char *s, const unsigned char *to)
{
    struct pd_bytes text = {0};
    pd_html_text(s, (size_t)(to - s), &text);
    for (size_t k = 0, next; k < text.n; k = next + 1) {
        const unsigned char *lf = memchr(text.v + k, '\n', text.n - k);
        next = lf ? (size_t)(lf - text.v) : text.n;
        put_text(x, text.v + k, text.v + next, true);
        put(x, next == k ? "<div>" : "<br>");
    }
    pd_bytes_release(&text);
}

static void put_escaped_page(struct xml *x, const unsigned char *s, const unsigned char *to)
{
    struct pd_bytes page = {0};
    pd_xml_unescape(s, to, &page);
    put_page(x, page.v, pd_bytes_behind(&page));
    pd_bytes_release(&page);
}

/* Is the text [s, to) a page or a piece of one, from its first tag to its last? */
static bool is_page(const unsigned char *s, const unsigned char *to)
{
    s = pd_scan_skip_spaces(s, to);
    while (to > s && pd_scan_is_space(to[-1]))
        to--;
    return to - s > 2 && *s == '<' && to[-1] == '>';
}

/* Does the HTML end with a hyphen that may divide a word? */
static bool ends_in_hyphen(const struct xml *x)
{
    static const char *const hyphens[] = {
        "-",        "\u2010", "\u2E17", "\u00AC", "\u00AD", "&shy;",  "&#xAD;",   "&#xad;",
        "&#x00AD;", "&#173;", "&not;",  "&#xAC;", "&#xac;", "&#172;", "&#x2010;", "&#x2E17;"};
    size_t n = x->html.n;
    while (n > 0 && x->html.n - n < BLANKS_MOST && pd_scan_is_space(x->html.v[n - 1]))
        n--;
    for (size_t k = 0; k < COUNT(hyphens); k++) {
        const size_t m = strlen(hyphens[k]);
        if (n >= m && memcmp(x->html.v + n - m, hyphens[k], m) == 0)
            return true;
    }
    return false;
}

/* Is there text in the HTML from `at` up to `to`? */
static bool has_text(const struct xml *x, size_t at, size_t to)
{
    bool tag = false;
    for (; at < to; at++) {
        const unsigned char c = x->html.v[at];
        if (!tag && c != '<' && !pd_scan_is_space(c))
            return true;
        tag = c == '<' || (tag && c != '>');
    }
    return false;
}

/* ---- ends of elements ---- */

static void take_back(struct xml *x, const struct open *o)
{
    x->html.n = o->at;
    x->in_text = o->in_text;
    x->inlines = o->inlines;
}

/* Let the HTML of the element `o` take the place of what was read since `at`. */
static void replace(struct xml *x, size_t at, const struct open *o)
{
    memmove(x->html.v + at, x->html.v + o->at, x->html.n - o->at);
    x->html.n -= o->at - at;
}

/* The choice of which the element open.v[k] is a reading; NULL: it is none. */
static struct open *choice_of(struct xml *x, size_t k)
{
    while (k > 0 && is(x->open.v[k - 1].does, PD_XML_GROUP))
        k--;
    struct open *around = k > 0 ? &x->open.v[k - 1] : NULL;
    return around && is(around->does, PD_XML_CHOICE) ? around : NULL;
}

/* Is the reading `o` of the choice kept? The text that it takes the place of is gone. */
static bool is_chosen(struct xml *x, struct open *choice, const struct open *o)
{
    const bool preferred = is(o->does, PD_XML_PREFERRED); /* it may be empty */
    const uint8_t rank = preferred ? 2 : has_text(x, o->at, x->html.n);
    if (rank <= choice->read)
        return false;
    if (choice->read > 0)
        replace(x, choice->at, o);
    choice->read = rank;
    return true;
}

/* The same for the whole text `o` of an element. The lines of a block are read, and not its whole. */
static bool is_level(struct xml *x, struct open *around, const struct open *o)
{
    const bool block = is(around->does, PD_XML_BLOCK);
    if (around->read || !has_text(x, o->at, x->html.n) || (block && has_text(x, around->at, o->at)))
        return false;
    replace(x, around->at, o);
    around->read = 1;
    return true;
}

/* The element open.v[k] ends, with or without an end tag. */
static void settle(struct xml *x, size_t k, bool tagged)
{
    const struct open o = x->open.v[k];
    struct open *choice = choice_of(x, k);
    x->counts -= is(o.does, PD_XML_COUNTS);
    if (tagged) {
        bool kept = !is(o.does, PD_XML_OUT) && !is(o.does, PD_XML_LATER);
        if (is(o.does, PD_XML_LATER)) {
            pd_bytes_append(&x->later, "<div>", 5);
            pd_bytes_append(&x->later, x->html.v + o.at, x->html.n - o.at);
        } else if (kept && choice && !is(o.does, PD_XML_GROUP)) {
            kept = is_chosen(x, choice, &o);
        } else if (kept && k > 0 && !choice && x->open.v[k - 1].read) {
            kept = false; /* its text is in the whole text before it */
        } else if (kept && is(o.does, PD_XML_LEVEL) && k > 0) {
            kept = is_level(x, &x->open.v[k - 1], &o);
        }
        if (!kept) {
            take_back(x, &o);
            return;
        }
    }
    if (is(o.does, PD_XML_INLINE) || is(o.does, PD_XML_WORD))
        x->inlines -= x->inlines > 0;
    if (is(o.does, PD_XML_WORD))
        x->word_end = x->html.n;
    if (is(o.does, PD_XML_LINES))
        put(x, "</pre>");
    if (is(o.does, PD_XML_BLOCK))
        put_block(x);
    else if (is(o.does, PD_XML_LINE))
        put_line_end(x);
}

static void put_end(struct xml *x, uint32_t hash, uint32_t does)
{
    if (x->deeper > 0) {
        x->deeper--;
        return;
    }
    size_t k = x->open.n;
    const size_t least = k > ENDS_MOST ? k - ENDS_MOST : 0;
    while (k > least && x->open.v[k - 1].name != hash)
        k--;
    if (k > least) {
        while (x->open.n >= k) {
            settle(x, x->open.n - 1, x->open.n == k);
            x->open.n--;
        }
    } else if (is(does, PD_XML_BLOCK)) {
        put_block(x);
    }
}

/* ---- starts of elements ---- */

/* Append the text in the attributes of an element. */
static void put_values(struct xml *x, const struct pd_xml_tag *tag, const struct pd_xml_name *name)
{
    const unsigned char *s, *to, *whole, *whole_to;
    const bool half = pd_xml_attribute(tag, "SUBS_TYPE", &s, &to);
    const bool second = half && to[-1] == '2';
    if (x->divided && (second || !is(name->does, PD_XML_WORD))) {
        x->divided = !second;
        return;
    }
    x->divided = half && !second && pd_xml_attribute(tag, "SUBS_CONTENT", &whole, &whole_to);
    for (size_t k = 0; k < COUNT(name->attribute) && name->attribute[k]; k++) {
        const bool page = *name->attribute[k] == '!';
        if (!pd_xml_attribute(tag, name->attribute[k] + page, &s, &to) && (page || !x->divided))
            continue;
        if (k > 0)
            put_block(x);
        if (page)
            put_escaped_page(x, s, to);
        else
            put_text(x, x->divided ? whole : s, x->divided ? whole_to : to, false);
    }
}

/* What an element without content does. */
static void put_mark(struct xml *x, const struct pd_xml_tag *tag, uint32_t does)
{
    const unsigned char *s, *to;
    if (is(does, PD_XML_BREAK))
        put(x, "<br>");
    else if (is(does, PD_XML_HYPHEN))
        put(x, "-");
    else if (ends_in_hyphen(x) && !pd_xml_is_capital(tag->end, x->end))
        put(x, "<br>");
    else if (!pd_xml_attribute(tag, "break", &s, &to) || to - s != 2 || memcmp(s, "no", 2) != 0)
        put(x, " ");
}

/* A child of a choice that is no reading: it is another element of this name, such as an application. */
static void look_at_choice(struct xml *x, const struct pd_xml_tag *tag)
{
    static const char *const readings[] = {"sic",    "corr", "orig", "reg",    "abbr", "expan",
                                           "am",     "ex",   "lem",  "rdg",    "add",  "del",
                                           "rdgGrp", "wit",  "seg",  "unclear"};
    const size_t n = sizeof readings / sizeof *readings;
    struct open *choice = x->choices ? NULL : choice_of(x, x->open.n);
    if (choice && pd_xml_find_name(tag, readings, n) == n) {
        choice->does &= ~PD_XML_DOES(PD_XML_CHOICE);
        choice->read = 0;
    }
}

static void put_start(struct xml *x, const struct pd_xml_tag *tag, uint32_t hash,
                      const struct pd_xml_name *name)
{
    const unsigned char *s, *to;
    struct open o = {.name = hash, .does = name ? name->does : 0, .in_text = x->in_text};
    if (!name && x->unknown && x->in_text && tag->empty && !choice_of(x, x->open.n))
        o.does = PD_XML_DOES(PD_XML_BLANK);
    if (is(o.does, PD_XML_BREAK) || is(o.does, PD_XML_BLANK) || is(o.does, PD_XML_HYPHEN)) {
        put_mark(x, tag, o.does);
        return;
    }
    look_at_choice(x, tag);
    if (!name && !x->closed && !x->in_text && !choice_of(x, x->open.n))
        o.does = PD_XML_DOES(PD_XML_BLOCK);
    if (is(o.does, PD_XML_FORMULA) && pd_xml_attribute(tag, "notation", &s, &to) &&
        strncasecmp((const char *)to - 3, "tex", 3) == 0)
        o.does |= PD_XML_DOES(PD_XML_OUT);
    o.inlines = x->inlines;
    const size_t before = x->html.n;
    if (is(o.does, PD_XML_BLOCK))
        put_block(x);
    else if (is(o.does, PD_XML_LINE) && x->in_text)
        put_line_end(x);
    else if (is(o.does, PD_XML_WORD) && x->word_end == x->html.n &&
             !pd_xml_attribute(tag, "part", &s, &to))
        put(x, " ");
    if (is(o.does, PD_XML_LINES))
        put(x, "<pre>");
    o.at = choice_of(x, x->open.n) ? before : x->html.n; /* a reading goes with its block */
    if (is(o.does, PD_XML_VALUE))
        put_values(x, tag, name);
    if (!tag->empty && x->open.n == DEPTH_MOST) {
        x->deeper++;
        return;
    }
    x->inlines += is(o.does, PD_XML_INLINE) || is(o.does, PD_XML_WORD);
    x->counts += is(o.does, PD_XML_COUNTS);
    pd_opens_push(&x->open, o);
    if (tag->empty) {
        settle(x, x->open.n - 1, true);
        x->open.n--;
    }
}

/* ---- files ---- */

/* Read the tag at s. Returns where to go on. */
static const unsigned char *put_tag(struct xml *x, const unsigned char *s)
{
    const struct pd_xml_tag tag = pd_xml_tag_read(s, x->end);
    const uint32_t hash = pd_xml_name_hash(&tag);
    const struct pd_xml_name *name = pd_xml_names_find(&x->names, &tag, hash);
    if (tag.closing)
        put_end(x, hash, name ? name->does : 0);
    else
        put_start(x, &tag, hash, name);
    return tag.end;
}

/* The position behind the end of a comment or instruction, or behind its beginning if it never ends. */
static const unsigned char *behind(struct xml *x, const unsigned char *s, const char *begin,
                                   const char *end)
{
    bool *const unclosed = &x->unclosed[begin[1] == '?'];
    s += strlen(begin);
    const unsigned char *hit = *unclosed ? NULL : memmem(s, (size_t)(x->end - s), end, strlen(end));
    *unclosed |= !hit;
    return hit ? hit + strlen(end) : s;
}

/* Read what begins at s, which is a '<'. Returns where to go on. */
static const unsigned char *put_markup(struct xml *x, const unsigned char *s)
{
    if (pd_xml_tag_begins(s, x->end))
        return put_tag(x, s);
    if (pd_scan_begins(s, x->end, "<!--"))
        return behind(x, s, "<!--", "-->");
    if (pd_scan_begins(s, x->end, PD_CDATA)) {
        const unsigned char *text_end, *next = pd_xml_cdata(s, x->end, &text_end);
        s += strlen(PD_CDATA);
        if (x->unknown && is_page(s, text_end))
            put_page(x, s, text_end);
        else
            put_content(x, s, text_end, true);
        return next;
    }
    if (pd_scan_begins(s, x->end, "<?"))
        return behind(x, s, "<?", "?>");
    if (pd_scan_begins(s, x->end, "<!"))
        return pd_xml_behind_declaration(s, x->end);
    put_content(x, s, s + 1, true);
    return s + 1;
}

static void put_all(struct xml *x, const unsigned char *s)
{
    while (s < x->end) {
        const unsigned char *lt = memchr(s, '<', (size_t)(x->end - s));
        put_content(x, s, lt ? lt : x->end, false);
        s = lt ? put_markup(x, lt) : x->end;
    }
}

static void follow(struct xml *x, const struct pd_dialect *d)
{
    x->closed |= d && d->closed;
    x->tight |= d && d->tight;
    x->chosen |= d && d->of[PD_XML_COUNTS];
    x->choices |= d && d->of[PD_XML_CHOICE];
}

void pd_xml_text(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    struct pd_xml_entities entities = {0};
    struct pd_bytes expanded = {0};
    const unsigned char *type, *type_end;
    struct xml x = {.end = s + n, .word_end = SIZE_MAX};
    const struct pd_xml_beginning b = pd_xml_begin(s, x.end);
    follow(&x, b.dialect);
    follow(&x, b.added);
    x.unknown = !b.dialect && !b.added;
    pd_xml_names_make(&x.names, b.dialect, b.added);
    s = pd_xml_pass_prolog(s, x.end, &type, &type_end);
    if (type)
        pd_xml_entities_read(type, type_end, &entities);
    if (entities.n > 0) {
        pd_xml_entities_expand(&entities, s, x.end, &expanded);
        s = expanded.v;
        x.end = pd_bytes_behind(&expanded);
    }
    put_all(&x, s);
    pd_bytes_append(&x.html, x.later.v, x.later.n);
    pd_html_text(x.html.v, x.html.n, out);
    PD_RELEASE(pd_bytes, &x.html, &x.later);
    pd_opens_release(&x.open);
    pd_bytes_release(&expanded);
    pd_xml_entities_release(&entities);
}

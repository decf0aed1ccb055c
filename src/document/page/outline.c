/* outline.c - see outline.h */
#include "outline.h"

#include "document/chars.h"
#include "page_cues.h"
#include "pardup/base/hash.h"

enum { JSON_MOST = 1 << 18 }; /* bytes of JSON-LD that are looked at */

/* Counts how often each key occurs. */
struct tally {
    struct tally_slot {
        uint64_t key; /* 0: free */
        uint32_t n;
    } * slots;
    uint64_t mask;
};

static struct tally tally_make(size_t keys)
{
    size_t n = 16;
    while (n < 2 * keys)
        n *= 2;
    struct tally t = {pd_realloc(NULL, n, sizeof *t.slots), n - 1};
    memset(t.slots, 0, n * sizeof *t.slots);
    return t;
}

static uint32_t *tally_at(struct tally *t, uint64_t key)
{
    key |= 1;
    uint64_t k = key * UINT64_C(0x9E3779B97F4A7C15) >> 20 & t->mask;
    while (t->slots[k].key != 0 && t->slots[k].key != key)
        k = (k + 1) & t->mask;
    t->slots[k].key = key;
    return &t->slots[k].n;
}

/*
 * The class cues of values of attributes that were met before: by the lower bits of their hashes.
 */
enum { KNOWN = 512 };
struct known {
    uint64_t hash, cues; /* hash 0: free */
};

/* The reading of a page: its open elements. */
struct reading {
    struct pd_outline *outline;
    const unsigned char *html;
    size_t n;
    uint32_t open[PD_OUTLINE_DEEPEST + 1]; /* nodes; open[0] is the root */
    unsigned depth;                        /* index of the innermost one */
    struct tally twins;
    uint32_t images, inputs; /* since the last text */
    size_t json;             /* bytes of JSON-LD that may still be looked at */
    struct pd_told_pieces told;
    struct known known[KNOWN];
};

static unsigned char tag_of(const struct reading *r, unsigned depth)
{
    return r->outline->nodes.v[r->open[depth]].tag;
}

/* What an open element of tag `open` does when a start tag `tag` comes. */
enum { STAYS, ENDS, KEEPS };
static int effect(unsigned char open, unsigned char tag)
{
    switch (tag) {
    case PD_TAG_ITEM:
        return open == PD_TAG_ITEM ? ENDS : open == PD_TAG_LIST ? KEEPS : STAYS;
    case PD_TAG_TERM:
        return open == PD_TAG_TERM ? ENDS : open == PD_TAG_TERMS ? KEEPS : STAYS;
    case PD_TAG_ROW:
        return open == PD_TAG_ROW ? ENDS : open == PD_TAG_TABLE ? KEEPS : STAYS;
    case PD_TAG_CELL:
        return open == PD_TAG_CELL ? ENDS : open == PD_TAG_ROW ? KEEPS : STAYS;
    case PD_TAG_OPTION:
        return open == PD_TAG_OPTION ? ENDS : KEEPS;
    default:
        return KEEPS;
    }
}

/* Close what a start tag ends: a paragraph before a block, an item before the next one. */
static void close_implied(struct reading *r, unsigned char tag)
{
    if (r->depth > 0 && tag_of(r, r->depth) == PD_TAG_P && tag != PD_TAG_LABEL)
        r->depth--;
    for (unsigned depth = r->depth; depth > 0; depth--) {
        const int what = effect(tag_of(r, depth), tag);
        if (what == ENDS)
            r->depth = depth - 1;
        if (what != STAYS)
            return;
    }
}

static void close_tag(struct reading *r, unsigned char tag)
{
    for (unsigned depth = r->depth; depth > 0; depth--) {
        const unsigned char open = tag_of(r, depth);
        if (open == tag) {
            r->depth = depth - 1;
            return;
        }
        if (open == PD_TAG_CELL && tag != PD_TAG_ROW && tag != PD_TAG_TABLE)
            return;
    }
}

static bool has_name(const unsigned char *s, size_t n, const char *name)
{
    const size_t len = strlen(name);
    return n >= len && memcmp(s, name, len) == 0;
}

/* The class cues of a value, whose hash is given. The values of a page repeat. */
static uint64_t class_cues(struct known *known, const unsigned char *s, size_t n, uint64_t hash)
{
    struct known *k = &known[hash % KNOWN];
    if (k->hash != hash)
        *k = (struct known){hash, pd_page_cues(PD_CUES_CLASS, s, n)};
    return k->cues;
}

/*
 * The cues of a tag's attributes: class, id, role, itemprop, and whether it is hidden. *signature
 * becomes a hash of the class, *main true with role=main.
 */
static uint64_t read_attributes(struct known *known, const unsigned char *s, size_t n,
                                uint32_t *signature, bool *main)
{
    uint64_t cues = 0;
    const unsigned char *const end = s + n;
    while (s < end) {
        while (s < end && (is_white(*s) || *s == '/' || *s == '>'))
            s++;
        const unsigned char *name = s;
        while (s < end && *s != '=' && *s != '>' && !(*s < 0x80 && is_white(*s)))
            s++;
        const size_t name_n = (size_t)(s - name);
        if (name_n == 6 && has_name(name, name_n, "hidden"))
            cues |= PD_CUE_HIDDEN;
        if (s == end || *s != '=')
            continue;
        const unsigned char *value = ++s;
        size_t value_n;
        if (s < end && (*s == '"' || *s == '\'')) {
            const unsigned char *quote = memchr(s + 1, *s, (size_t)(end - s - 1));
            value++;
            s = quote ? quote + 1 : end;
            value_n = (size_t)((quote ? quote : end) - value);
        } else {
            while (s < end && *s != '>' && !(*s < 0x80 && is_white(*s)))
                s++;
            value_n = (size_t)(s - value);
        }
        const bool class = name_n == 5 && has_name(name, name_n, "class");
        if (class || (name_n == 2 && has_name(name, name_n, "id")) ||
            (name_n == 4 && has_name(name, name_n, "role")) ||
            (name_n == 8 && has_name(name, name_n, "itemprop"))) {
            const uint64_t hash = pd_hash_bytes(value, value_n);
            cues |= class_cues(known, value, value_n, hash);
            *signature ^= class ? (uint32_t)hash : 0;
            *main |= name_n == 4 && value_n == 4 && has_name(name, name_n, "role") &&
                     has_name(value, value_n, "main");
        }
        if (name_n == 5 && has_name(name, name_n, "style") &&
            (memmem(value, value_n, "display:none", 12) ||
             memmem(value, value_n, "display: none", 13)))
            cues |= PD_CUE_HIDDEN;
        if (name_n == 11 && has_name(name, name_n, "aria-hidden") &&
            has_name(value, value_n, "true"))
            cues |= PD_CUE_HIDDEN;
    }
    return cues;
}

static void open_tag(struct reading *r, const struct pd_html_tag *tag)
{
    close_implied(r, tag->tag);
    if (r->depth == PD_OUTLINE_DEEPEST)
        return;
    const uint32_t parent = r->open[r->depth];
    const struct pd_node *around = &r->outline->nodes.v[parent];
    struct pd_node node = {.parent = parent,
                           .signature = tag->tag * 0x9E3779B9u,
                           .tag = tag->tag,
                           .depth = (uint8_t)(around->depth + 1)};
    bool main = tag->tag == PD_TAG_MAIN;
    node.own = read_attributes(r->known, r->html + tag->attributes, tag->attributes_n,
                               &node.signature, &main);
    node.all = node.own | (tag->tag == PD_TAG_BODY ? 0 : around->all);
    node.around = around->around | UINT64_C(1) << tag->tag | (uint64_t)main << PD_AROUND_MAIN;
    uint32_t *n = tally_at(&r->twins, (uint64_t)parent << 33 ^ (uint64_t)node.signature << 1);
    node.order = (*n)++;
    r->open[++r->depth] = (uint32_t)r->outline->nodes.n;
    pd_nodes_push(&r->outline->nodes, node);
}

/* The kind cues of JSON-LD: the values of its "@type"s. s is behind the script tag. */
static uint64_t read_types(struct reading *r, const unsigned char *s)
{
    const unsigned char *end = r->html + r->n;
    uint64_t kinds = 0;
    if ((size_t)(end - s) > r->json)
        end = s + r->json;
    const unsigned char *close = memmem(s, (size_t)(end - s), "</script", 8);
    end = close ? close : end;
    r->json -= (size_t)(end - s);
    pd_told_json(&r->told, s, (size_t)(end - s));
    for (const unsigned char *t; (t = memmem(s, (size_t)(end - s), "\"@type\"", 7)) != NULL;) {
        s = t + 7;
        const unsigned char *value = s;
        while (s < end && *s != ',' && *s != '}' && *s != '\n')
            s++;
        kinds |= pd_page_cues(PD_CUES_KIND, value, (size_t)(s - value));
    }
    return kinds;
}

static void read_empty(struct reading *r, const struct pd_html_tag *tag)
{
    const unsigned char *s = r->html + tag->attributes;
    const size_t n = tag->attributes_n;
    if (tag->tag == PD_TAG_IMAGE) {
        r->outline->images++;
        r->images++;
    } else if (tag->tag == PD_TAG_INPUT) {
        r->outline->inputs++;
        r->inputs++;
    } else if (tag->tag == PD_TAG_TIME) {
        r->outline->times++;
    } else if (tag->tag == PD_TAG_META) {
        if (memmem(s, n, "og:type", 7) || memmem(s, n, "generator", 9))
            r->outline->kinds |= pd_page_cues(PD_CUES_KIND, s, n);
        pd_told_meta(&r->told, s, n);
    } else if (tag->tag == PD_TAG_SCRIPT && memmem(s, n, "ld+json", 7)) {
        r->outline->kinds |= read_types(r, s + n);
    }
}

static void apply_tag(struct reading *r, const struct pd_html_tag *tag)
{
    if (tag->closing)
        close_tag(r, tag->tag);
    else if (tag->empty)
        read_empty(r, tag);
    else
        open_tag(r, tag);
    r->outline->forms += tag->tag == PD_TAG_FORM && !tag->closing;
}

/*
 * Read the block that begins at `begin` and ends at the next empty line. *link is the index of the
 * first link that may end behind `begin`; it moves on with the reading.
 */
static struct pd_outline_block read_block(const struct pd_page_text *text, size_t begin,
                                          const struct pd_html_links *links, size_t *link)
{
    enum { SHORT = 400 }; /* bytes of a block whose words may be cues */
    struct pd_outline_block b = {.begin = begin, .end = pd_page_text_block_end(text, begin)};
    b.counts = pd_page_text_count(text, begin, b.end);
    size_t read = begin; /* up to here it is known what is linked */
    bool inside = false;
    for (; *link < links->n && links->v[*link].begin < b.end; ++*link) {
        const struct pd_html_link l = links->v[*link];
        const size_t from = l.begin > begin ? l.begin : begin, to = l.end < b.end ? l.end : b.end;
        inside &= from == read;
        if (from < to)
            b.linked += pd_page_text_halves(text, from, to, &inside);
        read = to;
        if (l.end > b.end)
            break;
    }
    unsigned len;
    const uint32_t c = char_before(text->s + b.end, &len);
    b.last = c == '.' || c == '!' || c == '?' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F ? 1
             : c == ':' || c == 0xFF1A                                                     ? 2
                                                                                           : 0;
    b.lower = is_ascii_lower(text->s[begin]);
    if (b.end - begin <= SHORT)
        b.cues = pd_text_cues(text, begin, b.end);
    return b;
}

static size_t skip_line_ends(const struct pd_page_text *text, size_t i)
{
    while (i < text->n && text->s[i] == '\n')
        i++;
    return i;
}

/* Add a block to the sums of its element. sum_up() adds its sums to the elements around. */
static void put_block(struct pd_outline *outline, const struct pd_outline_block *b)
{
    enum { PARAGRAPH = 20 }; /* half words of a paragraph, at least */
    struct pd_node *node = &outline->nodes.v[b->node];
    node->blocks++;
    node->halves += b->counts.halves;
    node->linked += b->linked;
    const uint32_t plain = b->counts.halves - b->linked;
    if (plain >= PARAGRAPH) {
        struct pd_node *parent = &outline->nodes.v[node->parent];
        parent->prose += plain;
        outline->nodes.v[parent->parent].prose += plain / 2;
    }
    pd_outline_blocks_push(&outline->blocks, *b);
}

static void sum_up(struct reading *r)
{
    struct pd_node *nodes = r->outline->nodes.v;
    for (size_t k = r->outline->nodes.n; k-- > 1;) {
        struct pd_node *node = &nodes[k], *parent = &nodes[node->parent];
        parent->blocks += node->blocks;
        parent->halves += node->halves;
        parent->linked += node->linked;
        node->twins =
            *tally_at(&r->twins, (uint64_t)node->parent << 33 ^ (uint64_t)node->signature << 1);
    }
}

static void count_copies(struct pd_outline *outline, const struct pd_page_text *text)
{
    struct tally copies = tally_make(outline->blocks.n);
    uint32_t **n = pd_realloc(NULL, outline->blocks.n + 1, sizeof *n);
    for (size_t k = 0; k < outline->blocks.n; k++) {
        const struct pd_outline_block *b = &outline->blocks.v[k];
        n[k] = tally_at(&copies, pd_hash_bytes(text->s + b->begin, b->end - b->begin));
        ++*n[k];
    }
    for (size_t k = 0; k < outline->blocks.n; k++)
        outline->blocks.v[k].copies = *n[k];
    PD_FREE(n, copies.slots);
}

/* Number the looks of blocks, from 0 on. */
static void number_looks(struct pd_outline *outline)
{
    struct tally looks = tally_make(outline->blocks.n);
    for (size_t k = 0; k < outline->blocks.n; k++) {
        struct pd_outline_block *b = &outline->blocks.v[k];
        const struct pd_node *node = &outline->nodes.v[b->node];
        const uint64_t around = outline->nodes.v[node->parent].signature;
        uint32_t *number = tally_at(&looks, pd_mix(around << 32 | node->signature));
        if (*number == 0)
            *number = ++outline->looks;
        b->look = *number - 1;
    }
    free(looks.slots);
}

/* Compare the blocks with what the page has told, and with the blocks before. */
static void compare_told(struct reading *r, const struct pd_page_text *text)
{
    struct pd_outline *outline = r->outline;
    struct pd_told_runs runs = pd_told_runs_make(&r->told, outline->nodes.v[0].halves);
    for (size_t k = 0; k < outline->blocks.n; k++) {
        struct pd_outline_block *b = &outline->blocks.v[k];
        pd_told_look_up(&runs, text, b->begin, b->end, b->told);
    }
    outline->told = runs.text_words;
    free(runs.slots);
}

bool pd_outline_read(struct pd_outline *outline, const unsigned char *html, size_t n,
                     const struct pd_bytes *bytes, const struct pd_html_outline *layout)
{
    struct pd_page_text text;
    pd_page_text_read(&text, bytes->v, bytes->n);
    struct reading r = {.outline = outline, .html = html, .n = n, .json = JSON_MOST};
    r.twins = tally_make(layout->tags.n);
    pd_nodes_push(&outline->nodes, (struct pd_node){.tag = PD_TAG_ROOT});
    size_t link = 0, tag = 0;
    for (size_t i = skip_line_ends(&text, 0); i < text.n; i = skip_line_ends(&text, i)) {
        for (; tag < layout->tags.n && layout->tags.v[tag].at <= i; tag++)
            apply_tag(&r, &layout->tags.v[tag]);
        struct pd_outline_block b = read_block(&text, i, &layout->links, &link);
        b.node = r.open[r.depth];
        b.images = r.images;
        b.inputs = r.inputs;
        r.images = r.inputs = 0;
        put_block(outline, &b);
        i = b.end;
        if (outline->blocks.n > PD_OUTLINE_BLOCKS)
            break;
    }
    for (; tag < layout->tags.n; tag++)
        apply_tag(&r, &layout->tags.v[tag]);
    sum_up(&r);
    compare_told(&r, &text);
    pd_told_pieces_release(&r.told);
    free(r.twins.slots);
    count_copies(outline, &text);
    number_looks(outline);
    pd_page_text_release(&text);
    return outline->blocks.n <= PD_OUTLINE_BLOCKS && layout->tags.n < PD_HTML_TAGS;
}

void pd_outline_release(struct pd_outline *outline)
{
    pd_nodes_release(&outline->nodes);
    pd_outline_blocks_release(&outline->blocks);
}

/* content.c - see src/document/content.h */
#include "content.h"

#include <stdint.h>

#include "chars.h"

/* The tree of the paper: words, and share of linked ones, of a block and its neighbours. */
#define MOST_LINKED        0.333333
#define MOST_LINKED_BEFORE 0.555556
#define WORDS              16 /* more of them are content behind a block with few links, */
#define WORDS_BEHIND_LINKS 40 /* and behind one with many */
#define NEXT_WORDS         15 /* fewer are content when the next block has more, */
#define NEXT_BEHIND_LINKS  17 /* or with many links before */
#define WORDS_BEFORE       4  /* or when the block before has more */

struct block {
    size_t begin, end;
    double words, linked;
};

/* Words begun in a piece of text, in halves: two Chinese or Japanese characters are a word. */
struct counter {
    bool inside; /* a word */
    unsigned halves;
};

static void count(struct counter *w, uint32_t c)
{
    if (c >= 0x80 && (is_han(c) || is_hiragana(c) || is_katakana(c))) {
        w->halves++;
        w->inside = false;
    } else if (is_white(c)) {
        w->inside = false;
    } else if (!w->inside && (c >= 0x80 || is_ascii_digit(c) || is_ascii_lower(c | 0x20))) {
        w->halves += 2;
        w->inside = true;
    }
}

/* The block that begins at `begin`; *link is the first link that may end behind it. */
static struct block read_block(const struct pd_bytes *text, size_t begin,
                               const struct pd_html_links *links, size_t *link)
{
    struct counter all = {false, 0}, linked = {false, 0};
    size_t i = begin;
    unsigned len;
    for (; i < text->n; i += len) {
        if (text->v[i] == '\n' && i + 1 < text->n && text->v[i + 1] == '\n')
            break;
        const uint32_t c = char_at(text->v + i, &len);
        while (*link < links->n && links->v[*link].end <= i)
            ++*link;
        count(&all, c);
        if (*link < links->n && links->v[*link].begin <= i)
            count(&linked, c);
        else
            linked.inside = false;
    }
    return (struct block){begin, i, all.halves / 2.0, linked.halves / 2.0};
}

static double link_density(const struct block *b)
{
    return b->words > 0 ? b->linked / b->words : 0;
}

static bool is_content(const struct block *before, const struct block *b, const struct block *next)
{
    if (b->words == 0 || link_density(b) > MOST_LINKED)
        return false;
    if (link_density(before) > MOST_LINKED_BEFORE)
        return b->words > WORDS_BEHIND_LINKS || next->words > NEXT_BEHIND_LINKS;
    return b->words > WORDS || next->words > NEXT_WORDS || before->words > WORDS_BEFORE;
}

/* The block's bytes move down to *n, behind an empty line. */
static void keep(struct pd_bytes *text, const struct block *b, size_t *n)
{
    if (*n > 0) {
        memcpy(text->v + *n, "\n\n", 2);
        *n += 2;
    }
    memmove(text->v + *n, text->v + b->begin, b->end - b->begin);
    *n += b->end - b->begin;
}

static size_t skip_line_ends(const struct pd_bytes *text, size_t i)
{
    while (i < text->n && text->v[i] == '\n')
        i++;
    return i;
}

void pd_content_keep_main(struct pd_bytes *text, const struct pd_html_links *links)
{
    size_t link = 0, n = 0;
    struct block before = {0}, b = read_block(text, 0, links, &link);
    while (b.begin < text->n) {
        const size_t begin = skip_line_ends(text, b.end);
        const struct block next = read_block(text, begin, links, &link);
        if (is_content(&before, &b, &next))
            keep(text, &b, &n);
        before = b;
        b = next;
    }
    text->n = n;
}

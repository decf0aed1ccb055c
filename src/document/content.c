/* content.c - see src/document/content.h */
#include "content.h"

#include <stdint.h>

#include "chars.h"

/*
 * The thresholds of the paper's decision tree. The link density of a block is the share of its
 * words that are linked. A block of low density is content when it, or the block before or behind
 * it, has enough words.
 */
#define MOST_LINKED        0.333333 /* link density above which a block is never content */
#define MOST_LINKED_BEFORE 0.555556 /* link density above which the block before counts as links */
#define WORDS              16       /* words that a content block exceeds */
#define WORDS_BEHIND_LINKS 40       /* words that a content block behind links exceeds */
#define NEXT_WORDS         15       /* words that the block behind a short content block exceeds */
#define NEXT_BEHIND_LINKS  17       /* the same limit where links are before the content */
#define WORDS_BEFORE       4        /* words that the block before a short content block exceeds */

struct block {
    size_t begin, end;    /* bytes of the text */
    double words, linked; /* all words; words inside links */
};

/* Counts the words that begin in a text. A Chinese or Japanese character counts as half a word. */
struct counter {
    bool inside;     /* a word has begun and not ended, so the next character begins none */
    unsigned halves; /* half words counted */
};

static void count(struct counter *counter, uint32_t c)
{
    if (c >= 0x80 && (is_han(c) || is_hiragana(c) || is_katakana(c))) {
        counter->halves++;
        counter->inside = false;
    } else if (is_white(c)) {
        counter->inside = false;
    } else if (!counter->inside && (c >= 0x80 || is_ascii_digit(c) || is_ascii_lower(c | 0x20))) {
        counter->halves += 2;
        counter->inside = true;
    }
}

/*
 * The block that begins at `begin` and ends at the next empty line. *link is the index of the first
 * link that may end behind `begin`; it moves on with the reading.
 */
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

/*
 * Move the block's bytes down to offset *n, with an empty line before them unless they come first.
 * *n becomes the offset behind them.
 */
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

/* app/show/passage_text.c - see src/app/show/columns.h */
#include "columns.h"

#include "pardup/document/word.h"
#include "terminal.h"

struct pd_passage_text pd_passage_text_of(const struct pd_document *d, uint64_t begin, uint64_t end)
{
    uint32_t from;
    if (begin > end || end > d->text_n)
        return (struct pd_passage_text){.text = ""};
    const uint32_t n = pd_words_between(&d->words, begin, end, &from);
    const struct pd_word *words = d->words.n ? d->words.v + from : NULL;
    return (struct pd_passage_text){(const char *)d->text, begin, end, words, n};
}

/* Where the snippets of word w begin: behind the last white space before it, if there is any. */
static size_t start_of(const struct pd_passage_text *s, uint32_t w, bool *space)
{
    *space = false;
    if (w == 0)
        return s->begin;
    if (w == s->nwords)
        return s->end;
    const size_t to = s->words[w].begin;
    size_t start = to;
    for (size_t at = s->words[w - 1].end; at < to;) {
        const struct pd_glyph g = pd_glyph_at(s->text, to, at);
        at += g.bytes;
        if (g.space)
            start = at;
        *space |= g.space;
    }
    return start;
}

/* Append a snippet, unless it is empty. It gets the part of its word that lies in it. */
static void push(struct pd_snippets *out, struct pd_snippet p, const struct pd_word *word)
{
    if (p.begin == p.end)
        return;
    p.word_begin = word->begin > p.begin ? word->begin : p.begin;
    p.word_end = word->end < p.end ? word->end : p.end;
    if (p.word_begin >= p.word_end)
        p.word_begin = p.word_end = p.end;
    pd_snippets_push(out, p);
}

void pd_passage_cut(const struct pd_passage_text *s, uint32_t w, size_t most, bool differs,
                    struct pd_snippets *out)
{
    bool space, ignored;
    size_t at = start_of(s, w, &space);
    const size_t end = start_of(s, w + 1, &ignored);
    struct pd_snippet p = {.begin = at, .end = at, .word = w, .space = space, .differs = differs};
    while (at < end) {
        const struct pd_glyph g = pd_glyph_at(s->text, end, at);
        if (g.space || p.columns + (size_t)g.columns > most) {
            push(out, p, &s->words[w]);
            p.space = g.space || (p.space && p.begin == p.end);
            p.columns = 0;
            p.begin = g.space ? at + g.bytes : at;
        }
        at += g.bytes;
        p.end = g.space ? p.begin : at;
        p.columns += g.space ? 0 : (size_t)g.columns;
    }
    push(out, p, &s->words[w]);
}

/* clause.c - see clause.h */
#include "clause.h"

#include <stdbool.h>

#include "document/chars.h"

/* PD_BASE_CLAUSE: is character c a mark that ends a unit when it stands between two words? */
static bool ends_clause(uint32_t c)
{
    if (c < 0x80)
        return c != 0 && strchr(".,;:!?()[]{}\"<>|", (int)c) != NULL;
    return (c >= 0x2018 && c <= 0x201F) || c == 0xAB || c == 0xBB || /* quotation marks */
           c == 0x2022 || c == 0x2026 ||                             /* bullet, ellipsis */
           (c >= 0x3001 && c <= 0x3002) || (c >= 0x3008 && c <= 0x3011) || c == 0xFF01 ||
           c == 0xFF08 || c == 0xFF09 || c == 0xFF0C || c == 0xFF0E || c == 0xFF1A || c == 0xFF1B ||
           c == 0xFF1F; /* Chinese and Japanese marks, wide forms of ASCII marks */
}

/* PD_BASE_STOP: is character c a mark that ends a unit when it stands between two words? */
static bool ends_stop(uint32_t c)
{
    return c == '.' || c == ';' || c == '!' || c == '?' || c == 0x3002 || c == 0xFF01 ||
           c == 0xFF0E || c == 0xFF1B || c == 0xFF1F;
}

/*
 * Does a unit end in text[from, to), which lies between two words? It does at a mark and at an
 * empty line, which is two line ends with only white space between.
 */
static bool separates(const unsigned char *text, uint32_t from, uint32_t to, bool (*ends)(uint32_t))
{
    unsigned len, line_ends = 0;
    for (uint32_t i = from; i < to; i += len) {
        const uint32_t c = char_at(text + i, &len);
        if (ends(c))
            return true;
        if (c == '\n' && ++line_ends == 2)
            return true;
        if (!is_white(c))
            line_ends = 0;
    }
    return false;
}

void pd_clauses_group(const unsigned char *text, struct pd_document *d)
{
    bool (*const ends)(uint32_t) = d->base == PD_BASE_STOP ? ends_stop : ends_clause;
    for (uint32_t k = 0; k < d->words.n; k++) {
        const struct pd_word *word = &d->words.v[k];
        if (k == 0 || separates(text, word[-1].end, word->begin, ends))
            pd_sentences_push(&d->sentences, (struct pd_sentence){word->begin, 0, k, 0});
        struct pd_sentence *unit = &d->sentences.v[d->sentences.n - 1];
        unit->nwords++;
        unit->end = word->end;
    }
}

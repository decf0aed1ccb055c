/* tools/synth/edit.c - see src/tools/synth/edit.h */
#include "edit.h"

#include <math.h>

#include "pardup/base/scan.h"

#define WORD_LEAST 5    /* bytes of a new word: a shorter last word may look like an abbreviation */
#define MARKS      0.03 /* share of the sentences with unchanged words whose marks change */

const struct pd_synth_rates pd_synth_rates[] = {
    [PD_SYNTH_VERSIONS] = {0.06, 0.08, 0, 0},
    [PD_SYNTH_LAW] = {0.46, 0.01, 0, 0},
    [PD_SYNTH_OCR] = {0, 0, 0.01, 0.05},
};
const char *const pd_synth_profile_names[] = {
    [PD_SYNTH_VERSIONS] = "versions", [PD_SYNTH_LAW] = "law", [PD_SYNTH_OCR] = "ocr", NULL};

enum pd_synth_op pd_synth_draw_op(enum pd_synth_profile profile, struct pd_synth_random *r)
{
    /* Replaced sentences: 25 % each just above and just below tau, 30 % reworded, 20 % new. */
    static const enum pd_synth_op replaced[20] = {
        PD_SYNTH_ABOVE,    PD_SYNTH_ABOVE,    PD_SYNTH_ABOVE,    PD_SYNTH_ABOVE,
        PD_SYNTH_ABOVE,    PD_SYNTH_BELOW,    PD_SYNTH_BELOW,    PD_SYNTH_BELOW,
        PD_SYNTH_BELOW,    PD_SYNTH_BELOW,    PD_SYNTH_REWORDED, PD_SYNTH_REWORDED,
        PD_SYNTH_REWORDED, PD_SYNTH_REWORDED, PD_SYNTH_REWORDED, PD_SYNTH_REWORDED,
        PD_SYNTH_NEW,      PD_SYNTH_NEW,      PD_SYNTH_NEW,      PD_SYNTH_NEW};
    const struct pd_synth_rates *rates = &pd_synth_rates[profile];
    double u = pd_synth_unit(r);
    const uint32_t which = pd_synth_below(r, 20);
    if (u < rates->replaced)
        return replaced[which];
    u -= rates->replaced;
    if (u < rates->moved)
        return u < rates->moved / 2 ? PD_SYNTH_INSERTED : PD_SYNTH_DELETED;
    return pd_synth_unit(r) < MARKS ? PD_SYNTH_MARKS : PD_SYNTH_SAME;
}

/*
 * Find the next word at or behind i, made of ASCII letters and é. Returns where it begins, and sets
 * *end to its end; both are n if there is none.
 */
static size_t next_word(const unsigned char *s, size_t n, size_t i, size_t *end)
{
    while (i < n && !pd_scan_is_letter(s[i]))
        i++;
    for (*end = i; *end < n && (pd_scan_is_letter(s[*end]) || s[*end] == 0xC3 || s[*end] == 0xA9);)
        ++*end;
    return i;
}

/* Words as next_word() finds them. */
static size_t count_words(const unsigned char *s, size_t n)
{
    size_t words = 0, end;
    for (size_t i = next_word(s, n, 0, &end); i < n; i = next_word(s, n, end, &end))
        words++;
    return words;
}

/* Append s[0, n) with k of its words replaced; each choice of k words is equally likely. */
static void substitute(const struct pd_synth_editor *e, size_t k, const unsigned char *s, size_t n,
                       struct pd_bytes *out)
{
    size_t left = count_words(s, n), done = 0, end;
    for (size_t i = next_word(s, n, 0, &end); i < n; i = next_word(s, n, end, &end), left--) {
        if (pd_synth_below(e->random, (uint32_t)left) >= k)
            continue;
        unsigned char word[PD_SYNTH_WORD];
        size_t len;
        do
            len = pd_synth_word(e->words, e->random, WORD_LEAST, word);
        while (len == end - i && memcmp(word + 1, s + i + 1, len - 1) == 0);
        if (s[i] < 'a')
            word[0] = (unsigned char)(word[0] & ~0x20);
        pd_bytes_append(out, s + done, i - done);
        pd_bytes_append(out, word, len);
        done = end;
        k--;
    }
    pd_bytes_append(out, s + done, n - done);
}

/* Change the mark at the end, or swap upper and lower case of a word that is not the first. */
static void change_marks(struct pd_synth_random *r, unsigned char *s, size_t n)
{
    const uint32_t words = (uint32_t)count_words(s, n);
    uint32_t pick = words > 1 ? pd_synth_below(r, words) : 0;
    if (pick == 0) {
        s[n - 1] = s[n - 1] == '.' ? '!' : '.';
        return;
    }
    size_t end, i = next_word(s, n, 0, &end);
    while (pick-- > 0)
        i = next_word(s, n, end, &end);
    for (; i < end; i++)
        if (pd_scan_is_letter(s[i]))
            s[i] ^= 0x20;
}

bool pd_synth_edit(const struct pd_synth_editor *e, enum pd_synth_op op, const unsigned char *s,
                   size_t n, struct pd_bytes *out)
{
    const size_t at = out->n, words = count_words(s, n);
    if (op == PD_SYNTH_SAME || op == PD_SYNTH_MARKS) {
        pd_bytes_append(out, s, n);
        if (op == PD_SYNTH_MARKS)
            change_marks(e->random, out->v + at, n);
        return false;
    }
    /* With k of n words replaced, the Jaccard index is (n - k) / (n + k), which must be >= tau. */
    size_t k = (size_t)((double)words * (1 - e->tau) / (1 + e->tau) + 1e-9);
    if (op == PD_SYNTH_BELOW)
        k++;
    else if (op == PD_SYNTH_REWORDED)
        k = (size_t)ceil((double)words * (0.1 + 0.3 * pd_synth_unit(e->random)));
    substitute(e, k < words ? k : words, s, n, out);
    return k > 0;
}

void pd_synth_misread(double rate, struct pd_synth_random *r, unsigned char *s, size_t n)
{
    const uint64_t limit = (uint64_t)(rate * 0x1p32);
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = pd_synth_next(r);
        if (!pd_scan_is_letter(s[i]) || (x & UINT32_MAX) >= limit)
            continue;
        const unsigned shift = 1 + (unsigned)((x >> 32) % 25);
        s[i] = (unsigned char)((s[i] & 0x20) + 'A' + ((s[i] | 0x20) - 'a' + shift) % 26);
    }
}

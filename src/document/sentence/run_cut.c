/* run_cut.c - see run_cut.h */
#include "run_cut.h"

#include "document/chars.h"
#include "document/word/word_form.h"

#define MOST_BYTES 1024 /* of a unit; a run that repeats itself has no minima */
#define LONG_WORD  48   /* bytes; a longer word, as of encoded data or Chinese, has gaps inside */
#define PART_BYTES                                                                                 \
    8 /* mean bytes between gaps of a long word; a gap depends on the PART_BYTES before it */
#define HASH_FACTOR 0x9E3779B97F4A7C15u /* 2^64 divided by the golden ratio */

bool pd_run_is_long(const unsigned char *text, size_t begin, size_t end)
{
    size_t characters = 0;
    if (end - begin <= PD_LONG_SENTENCE)
        return false;
    for (size_t i = begin; i < end; i++)
        characters += (text[i] & 0xC0) != 0x80;
    return characters > PD_LONG_SENTENCE;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * HASH_FACTOR;
    return hash ^ hash >> 29;
}

void pd_run_open(struct pd_long_run *run, const unsigned char *text, size_t begin, size_t end)
{
    *run = (struct pd_long_run){.text = text, .end = end, .next = begin, .cut = begin};
}

/* End the word before text[i], where there is a gap. */
static void add_gap(struct pd_long_run *run, size_t i)
{
    run->gaps[run->ngaps % PD_RUN_WINDOW] = i;
    run->keys[run->ngaps % PD_RUN_WINDOW] = mix(mix(run->last[0], run->last[1]), run->hash);
    run->ngaps++;
    run->last[0] = run->last[1];
    run->last[1] = run->hash;
    run->hash = 0;
}

/* The gap in the middle of the window when its key is the lowest, the first of equals; else 0. */
static size_t find_minimum(const struct pd_long_run *run)
{
    if (run->ngaps < PD_RUN_WINDOW)
        return 0;
    const size_t middle = run->ngaps - 1 - PD_RUN_REACH;
    const uint64_t key = run->keys[middle % PD_RUN_WINDOW];
    for (size_t k = run->ngaps - PD_RUN_WINDOW; k < run->ngaps; k++) {
        const uint64_t other = run->keys[k % PD_RUN_WINDOW];
        if (other < key || (other == key && k < middle))
            return 0;
    }
    return run->gaps[middle % PD_RUN_WINDOW];
}

/*
 * Is there a gap before the character of `len` bytes at text[i], which is inside a long word? There
 * is one in PART_BYTES bytes, where the bytes before it say so.
 */
static bool is_part_end(const struct pd_long_run *run, size_t i, unsigned len)
{
    uint64_t hash = 0;
    for (size_t k = i - PART_BYTES; k < i; k++)
        hash = mix(hash, run->text[k]);
    return hash < UINT64_MAX / PART_BYTES * len;
}

/* Is the sign before text[i] one that may divide a word at a line end (seam.h)? */
static bool is_hyphen(const struct pd_long_run *run, size_t i)
{
    unsigned len;
    const uint32_t c = char_before(run->text + i, &len);
    return c == '-' || c == 0xAC || c == 0xAD || c == 0x2010 || c == 0x2E17;
}

/* Is there a gap before text[i]? */
static bool is_gap(const struct pd_long_run *run, size_t i, unsigned len, bool white)
{
    if (white)
        return run->inside > 0 && !is_hyphen(run, i);
    return run->inside >= LONG_WORD && is_part_end(run, i, len) &&
           pd_kind_of(char_at(run->text + i, &len)) != PD_CHAR_MARK;
}

/* Must the unit that begins at the last cut end before text[i]? */
static bool is_full(const struct pd_long_run *run, size_t i, bool white)
{
    return i - run->cut >= MOST_BYTES && (white || i - run->cut >= 2 * MOST_BYTES);
}

size_t pd_run_next(struct pd_long_run *run)
{
    while (run->next < run->end) {
        unsigned len;
        const size_t i = run->next;
        const uint32_t c = char_at(run->text + i, &len);
        const bool white = is_white(c);
        size_t minimum = 0;
        if (is_gap(run, i, len, white)) {
            add_gap(run, i);
            minimum = find_minimum(run);
        }
        run->next += len;
        run->inside = white ? 0 : run->inside + len;
        if (!white)
            run->hash = mix(run->hash, c < 0x80 ? c | 0x20 : c);
        if (minimum > run->cut || is_full(run, i, white))
            return run->cut = minimum > run->cut ? minimum : i;
    }
    return run->end;
}

/* sentence.c - see sentence.h */
#include "sentence.h"

#include <pthread.h>

#include "document/block.h"
#include "document/chars.h"
#include "document/word/seam.h"
#include "ending.h"
#include "ending_rules.h"
#include "run_cut.h"
#include "stop.h"

/*
 * A full stop before a small letter ends a sentence in text without capitals. A sentence belongs to
 * such text when it begins with a small letter, or when it has passed MOST_PASSED full stops before
 * small letters. Text with capitals has one now and then, behind an abbreviation that is not known.
 */
#define MOST_PASSED 2

/* Signs of quotation, '>' or '|', skipped to find a list marker at the start of a sentence. */
#define MOST_DEPTH 8

#define STOP_STEP ((size_t)256 << 10) /* bytes of text between two looks whether to stop */

static pthread_once_t shapes_once = PTHREAD_ONCE_INIT;

/* The state of pd_sentences_split(). */
struct splitter {
    struct pd_lines lines;    /* the text and the current line */
    struct pd_begun begun;    /* the current sentence */
    unsigned passed;          /* plain words with a full stop before a small letter in it */
    struct pd_sentences *out; /* the sentences that have ended */
};

/* The first byte of text[i, end) that is not white space; `end` when there is none. */
static size_t skip_white_before(const unsigned char *text, size_t i, size_t end)
{
    unsigned len;
    for (; i < end && text[i] < 0x80; i++)
        if (!is_white(text[i]))
            return i;
    while (i < end && is_white(char_at(text + i, &len)))
        i += len;
    return i;
}

/* The first byte from text[i] on that is not white space, or the text's end. */
static size_t skip_white(const struct pd_lines *lines, size_t i)
{
    return skip_white_before(lines->text, i, lines->n);
}

/* Append text[begin, end) without white space around it as a sentence, unless it is empty. */
static void push_trimmed(struct splitter *splitter, size_t begin, size_t end)
{
    unsigned len;
    const unsigned char *const text = splitter->lines.text;
    if (end == begin)
        return;
    if (is_black(text[begin]) && is_black(text[end - 1])) { /* nothing to trim: the common case */
        pd_sentences_push(splitter->out,
                          (struct pd_sentence){(uint32_t)begin, (uint32_t)end, 0, 0});
        return;
    }
    /* not beyond `end`: a long run of white space is cut into many units, each trimmed by itself */
    begin = skip_white_before(text, begin, end);
    while (end > begin && is_white(char_before(splitter->lines.text + end, &len)))
        end -= len;
    if (end > begin)
        pd_sentences_push(splitter->out,
                          (struct pd_sentence){(uint32_t)begin, (uint32_t)end, 0, 0});
}

/* Append the units of the long run text[begin, end). Not inlined, because it is rare and large. */
__attribute__((noinline)) static void push_long(struct splitter *splitter, size_t begin, size_t end)
{
    struct pd_long_run run;
    pd_run_open(&run, splitter->lines.text, begin, end);
    while (begin < end) {
        const size_t cut = pd_run_next(&run);
        push_trimmed(splitter, begin, cut);
        begin = cut;
    }
}

/* End the current sentence before `end` and begin the next one there. */
static void end_sentence(struct splitter *splitter, size_t end)
{
    const struct pd_lines *lines = &splitter->lines;
    const size_t begin = splitter->begun.begin;
    splitter->passed = 0;
    if (end > begin && end - begin > PD_LONG_SENTENCE && pd_run_is_long(lines->text, begin, end))
        push_long(splitter, begin, end);
    else
        push_trimmed(splitter, begin, end);

    splitter->begun.begin = skip_white(lines, end);
    size_t i = splitter->begun.begin; /* becomes its first word, after a quotation prefix */
    for (unsigned depth = 0; depth < MOST_DEPTH && i < lines->n; depth++) {
        if (lines->text[i] != '>' && lines->text[i] != '|')
            break;
        i = skip_white(lines, i + 1);
    }
    splitter->begun.marker = pd_marker_opening(lines->text, lines->n, i);
    if (splitter->begun.marker.bullet) { /* "- 7. seven" */
        const struct pd_marker inner =
            pd_marker_at(lines->text, lines->n, skip_white(lines, splitter->begun.marker.end));
        if (inner.style)
            splitter->begun.marker.end = inner.end;
    }
}

/* Does a sentence end at text[i], where a gap of kind PD_GAP_LINE starts? */
static bool ends_at_line(const struct splitter *splitter, size_t i, const struct pd_gap *gap)
{
    const unsigned char next = splitter->lines.text[gap->to];
    /* no rule for PD_LINE goes on before an ASCII capital or a digit */
    if (is_ascii_upper(next) || is_ascii_digit(next))
        return true;
    struct pd_ending ending = {.mark = PD_LINE,
                               .after = pd_ending_after(&splitter->lines, gap, false)};
    if (ending.after & (PD_SMALL | PD_HAN))
        ending.before = pd_ending_line(&splitter->lines, &splitter->begun, i, gap);
    return pd_ending_ends(&ending);
}

/* Is the line end at text[i], behind which text goes on at text[to], a seam within a word? */
static bool is_seam(const struct splitter *splitter, size_t i, size_t to)
{
    unsigned len;
    const unsigned char *const text = splitter->lines.text;
    while (i > splitter->begun.begin && (text[i - 1] == ' ' || text[i - 1] == '\t'))
        i--;
    if (i <= splitter->begun.begin || (text[i - 1] != '-' && text[i - 1] < 0x80))
        return false;
    char_before(text + i, &len);
    return pd_seam_end(text, splitter->begun.begin, i - len, splitter->lines.n) == to;
}

/* Process the gap with a line end that starts at text[i]. Returns where to go on. */
static size_t process_line(struct splitter *splitter, size_t i)
{
    struct pd_lines *const lines = &splitter->lines;
    struct pd_gap gap = pd_lines_gap(lines, i);
    if (gap.kind == PD_GAP_LINE && is_seam(splitter, i, gap.to))
        gap.kind = PD_GAP_SPACE;
    else if (splitter->begun.marker.bullet && gap.kind == PD_GAP_SPACE) {
        const struct pd_marker next = pd_marker_at(lines->text, lines->n, gap.to);
        if (pd_marker_follows(&splitter->begun.marker, &next))
            gap.kind = PD_GAP_LINE; /* the next bullet of a list in wrapped text */
    }
    if (i > splitter->begun.begin && gap.kind != PD_GAP_SPACE) {
        if (gap.kind == PD_GAP_END || ends_at_line(splitter, i, &gap))
            end_sentence(splitter, i);
    }
    pd_lines_enter(&splitter->lines, &gap);
    return gap.to;
}

/* Bits of a word before a mark that is no abbreviation. */
enum { PLAINLY = PD_PLAIN_WORD | PD_NUMBER | PD_STARTER | PD_DATE | PD_CAPITAL | PD_EXCLAIM };

/*
 * Does the sentence end in the most common way: a word that is no abbreviation, a full stop, a
 * space and an ASCII capital? The first rule that fits then always says END, so none is looked up.
 */
static bool is_plain_end(const struct splitter *splitter, const struct pd_ending *ending,
                         const struct pd_gap *gap)
{
    return ending->mark == PD_PERIOD && (ending->before | PLAINLY) == PLAINLY &&
           gap->kind == PD_GAP_SPACE && is_ascii_upper(splitter->lines.text[gap->to]);
}

/*
 * Set PD_UNCAPPED for a mark before a small letter where it holds, and count the mark. A closing
 * quote or bracket before the letter is no end of a question, as in "Oh!" he said.
 */
static void judge_capitals(struct splitter *splitter, struct pd_ending *ending)
{
    const bool quoted = ending->mark == PD_BANG && ending->end > ending->next;
    if (ending->after & PD_GLUED || !(ending->mark & (PD_PERIOD | PD_BANG)) || quoted)
        return;
    if (splitter->passed >= MOST_PASSED ||
        pd_ending_begins_small(&splitter->lines, &splitter->begun))
        ending->before |= PD_UNCAPPED;
    if (((ending->before & ~PD_UNCAPPED) | PLAINLY) == PLAINLY)
        splitter->passed++;
}

/* Process the mark at text[i]. Returns where to go on. */
static size_t process_mark(struct splitter *splitter, size_t i)
{
    unsigned len;
    struct pd_ending ending;
    if (!pd_ending_at(&splitter->lines, &splitter->begun, i, &ending)) {
        char_at(splitter->lines.text + i, &len);
        return i + len;
    }
    if (ending.mark != PD_ITEM) {
        const size_t end = ending.end;
        struct pd_gap gap = pd_lines_gap(&splitter->lines, end);
        if (gap.kind == PD_GAP_END && end == ending.next)
            return end; /* the sentence ends with the paragraph, whatever the rules say */
        pd_ending_before(&splitter->lines, &splitter->begun, i, &ending);
        if (ending.end != end)
            gap = pd_lines_gap(&splitter->lines, ending.end);
        if (is_plain_end(splitter, &ending, &gap)) {
            end_sentence(splitter, ending.end);
            return ending.end;
        }
        ending.after = pd_ending_after(&splitter->lines, &gap, ending.end > ending.next);
        if (ending.after & PD_SMALL)
            judge_capitals(splitter, &ending);
    }
    if (!pd_ending_ends(&ending))
        return ending.next;
    end_sentence(splitter, ending.end);
    return ending.mark == PD_ITEM ? ending.next : ending.end;
}

/* Process the stop at text[i] by the rules. Returns where to go on. */
static size_t process_by_rules(struct splitter *splitter, size_t i)
{
    const unsigned char c = splitter->lines.text[i];
    return c == '\n' || c == '\r' ? process_line(splitter, i) : process_mark(splitter, i);
}

/* End the sentence at text[i] as PD_STOP_END says. Does nothing and returns false when overlong. */
static bool end_by_shape(struct splitter *splitter, size_t i)
{
    const unsigned char *const text = splitter->lines.text;
    const bool line = text[i] == '\n';
    const size_t begin = splitter->begun.begin, end = line ? i : i + 1, next = i + 2;
    if (end - begin - 1 >= PD_LONG_SENTENCE) /* wraps around if no byte of the sentence is before */
        return false;
    if (text[end - 1] < 0x80)
        pd_sentences_push(splitter->out,
                          (struct pd_sentence){(uint32_t)begin, (uint32_t)end, 0, 0});
    else
        push_trimmed(splitter, begin, end);
    splitter->passed = 0;
    splitter->begun.begin = next;
    splitter->begun.marker.style = 0;
    splitter->begun.marker.bullet = false;
    if (!pd_marker_is_word(text[next], text[next + 1]))
        splitter->begun.marker = pd_marker_opening(text, splitter->lines.n, next);
    if (line)
        pd_lines_enter_letter(&splitter->lines, next);
    return true;
}

/* Process the stop at text[i], by the shortcut of stop.h where possible. Returns where to go on. */
static size_t process_stop(struct splitter *splitter, size_t i)
{
    if (i < PD_STOP_BEFORE || splitter->lines.n - i < PD_STOP_BEHIND)
        return process_by_rules(splitter, i);
    switch (pd_stop_at(splitter->lines.text + i)) {
    case PD_STOP_NOTHING:
        return i + 1;
    case PD_STOP_END:
        if (end_by_shape(splitter, i))
            return i + 2;
        break;
    case PD_STOP_ASK:
        break;
    }
    return process_by_rules(splitter, i);
}

/* The mask without the stops among the first `bytes` bytes. */
static uint64_t without_first(uint64_t stops, size_t bytes)
{
    return bytes < PD_BLOCK ? stops >> bytes << bytes : 0;
}

/*
 * Split the text, with process_stop() or process_by_rules() called at the stops. Ends when there
 * are more than `most` sentences, or when stopping() is nonzero.
 */
static void split(const unsigned char *text, size_t n, size_t most, int (*stopping)(void),
                  struct pd_sentences *out, size_t (*process)(struct splitter *, size_t))
{
    if (n == 0)
        return;
    pd_ending_rules_load();
    pthread_once(&shapes_once, pd_stop_load);
    pd_lexicon_load();
    struct splitter splitter = {.out = out};
    pd_lines_open(&splitter.lines, text, n);
    end_sentence(&splitter, 0);
    size_t from = 0; /* the text before it has been processed */
    for (size_t block = 0; block < n && out->n <= most; block += PD_BLOCK) {
        if (block % STOP_STEP == 0 && stopping && stopping())
            return;
        unsigned char copy[PD_BLOCK];
        const bool beyond = block > 0 && text[block - 1] >= 0x80;
        uint64_t stops = pd_block_stops(pd_block_at(text, n, block, copy), beyond);
        if (from > block)
            stops = without_first(stops, from - block);
        while (stops != 0) {
            from = process(&splitter, block + (size_t)__builtin_ctzll(stops));
            stops = without_first(stops, from - block);
        }
    }
    end_sentence(&splitter, n);
}

void pd_sentences_split(const unsigned char *text, size_t n, struct pd_sentences *out)
{
    pd_sentences_split_some(text, n, SIZE_MAX, NULL, out);
}

void pd_sentences_split_some(const unsigned char *text, size_t n, size_t most,
                             int (*stopping)(void), struct pd_sentences *out)
{
    split(text, n, most, stopping, out, process_stop);
}

void pd_sentences_split_plain(const unsigned char *text, size_t n, struct pd_sentences *out)
{
    split(text, n, SIZE_MAX, NULL, out, process_by_rules);
}

/* word.c - see include/pardup/document/word.h */
#include "pardup/document/word.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "pardup/base/search.h"
#include "seam.h"
#include "word_any.h"
#include "word_hash.h"

bool pd_words_have_icu(void)
{
#ifdef PARDUP_ICU
    return true;
#else
    return false;
#endif
}

/* Set *word to text[from, to), whose form is at offset `lower` + `from` of d->norm. */
static inline void set_word(struct pd_word *word, size_t from, size_t to, size_t lower)
{
    word->begin = (uint32_t)from;
    word->end = (uint32_t)to;
    word->norm = (uint32_t)(lower + from);
    word->norm_n = (uint32_t)(to - from);
}

/* The index of the first set bit; any index when there is none. */
static inline size_t first_bit(uint64_t bits)
{
    return (size_t)__builtin_ctzll(bits | UINT64_C(1) << (PD_BLOCK - 1));
}

/* Is the document too large, or not wanted? Then scanning ends, and its words are not valid. */
static bool is_too_large(const struct pd_scan *scan, const struct pd_document *d)
{
    return scan->stopped || d->norm.n > UINT32_MAX || pd_document_is_dense(d) ||
           d->seams.n > scan->most;
}

#define STOP_STEP ((size_t)256 << 10) /* bytes of text between two looks whether to stop */

/*
 * Append the words of text[begin, end) up to the first that has, or may have, characters other than
 * ASCII and À to ÿ. Returns where that word begins, or `end`. No word reaches across text[begin].
 */
static size_t scan_ascii(struct pd_scan *scan, size_t begin, size_t end, struct pd_document *d)
{
    size_t word_begin = begin;
    bool under_way = false; /* the word at `word_begin` reaches into the next block */
    uint64_t readable = ~UINT64_C(0) << begin % PD_BLOCK, first_byte = readable & -readable;
    for (size_t block = begin - begin % PD_BLOCK; block < end; block += PD_BLOCK) {
        if (block % STOP_STEP == 0 && d->stopping && d->stopping())
            scan->stopped = true;
        if (block < scan->blocks_begin || block >= scan->blocks_end) {
            pd_masks_ahead(scan, block, d);
            if (is_too_large(scan, d))
                return end;
        }
        const struct pd_word_masks *const masks =
            &scan->blocks[(block - scan->blocks_begin) / PD_BLOCK];
        /* a quote or point at begin joins nothing, as the word before it has ended */
        const uint64_t inside = masks->in_word & readable & ~(first_byte & ~masks->letters),
                       plain = inside & ~masks->wide;
        uint64_t starts = inside & ~pd_bit_before(inside, under_way), sum;
        /*
         * The ends of the words by one addition: a carry runs from each start through the
         * plain bytes that follow and ends on the first byte that is not plain. For "ab c" plain is
         * 1011 and starts is 1001, bit 0 last; the sum 10100 has the ends 2 and 4.
         */
        const bool carried = __builtin_add_overflow(plain, starts | under_way, &sum);
        uint64_t ends = sum & ~plain;
        const uint64_t wide = ends & inside;
        ends &= (wide & -wide) - 1;
        if (!under_way)
            word_begin = block + first_bit(starts), starts &= starts - 1;
        pd_words_reserve(&d->words, d->words.n + PD_BLOCK / 2 + 1);
        struct pd_word *word = d->words.v + d->words.n;
        for (; ends != 0; ends &= ends - 1, starts &= starts - 1) {
            set_word(word++, word_begin, block + first_bit(ends), scan->lower);
            word_begin = block + first_bit(starts);
        }
        d->words.n = (size_t)(word - d->words.v);
        if (wide != 0)
            return word_begin;
        under_way = carried;
        readable = ~UINT64_C(0);
        first_byte = 0;
    }
    if (under_way) {
        pd_words_reserve(&d->words, d->words.n + 1);
        set_word(&d->words.v[d->words.n++], word_begin, end, scan->lower);
    }
    return end;
}

/* Kinds of word lengths, in bytes; each has a hash function (word_hash.h). */
enum { TINY, SMALL, MEDIUM, LARGE, KINDS, LONGEST = 17 };
enum { COUNT_BITS = 16, COUNT_MASK = (1 << COUNT_BITS) - 1 };
static const unsigned char kind_of_length[LONGEST + 1] = {
    [0 ... 3] = TINY, [4 ... 8] = SMALL, [9 ... 16] = MEDIUM, [LONGEST] = LARGE};

/*
 * Hash the normalised forms of words[0, n), n <= HASHED. The words are first sorted by kind of
 * length, since branches on the lengths of consecutive words could not be predicted. Each kind is
 * counted in a field of one register, because a counter in memory would wait for the last store to
 * it.
 */
enum { HASHED = 256 }; /* words hashed at a time */
static void hash_words(struct pd_word *words, size_t n, const unsigned char *forms)
{
    struct pd_word *sorted[KINDS][HASHED], **ends[KINDS], **word;
    uint64_t counts = 0;
    for (size_t k = 0; k < n; k++) {
        const uint32_t len = words[k].norm_n;
        const unsigned kind = kind_of_length[len < LONGEST ? len : LONGEST];
        sorted[kind][counts >> COUNT_BITS * kind & COUNT_MASK] = &words[k];
        counts += UINT64_C(1) << COUNT_BITS * kind;
    }
    for (unsigned kind = 0; kind < KINDS; kind++)
        ends[kind] = sorted[kind] + (counts >> COUNT_BITS * kind & COUNT_MASK);
    for (word = sorted[TINY]; word < ends[TINY]; word++)
        (*word)->term = pd_hash_1_3(forms + (*word)->norm, (*word)->norm_n);
    for (word = sorted[SMALL]; word < ends[SMALL]; word++)
        (*word)->term = pd_hash_4_8(forms + (*word)->norm, (*word)->norm_n);
    for (word = sorted[MEDIUM]; word < ends[MEDIUM]; word++)
        (*word)->term = pd_hash_9_16(forms + (*word)->norm, (*word)->norm_n);
    for (word = sorted[LARGE]; word < ends[LARGE]; word++)
        (*word)->term = XXH3_64bits(forms + (*word)->norm, (*word)->norm_n);
}

/* Hash words[first, n), and make one word of each two that have a seam between them. */
static void hash_and_close(struct pd_document *d, size_t first)
{
    struct pd_closing closing = {.from = first, .kept = first};
    for (size_t k = first; k < d->words.n; k += HASHED) {
        const size_t n = d->words.n - k < HASHED ? d->words.n - k : HASHED;
        hash_words(d->words.v + k, n, d->norm.v);
        if (d->seams.n > 0)
            pd_seams_close(d, &closing, k + n);
    }
    if (d->seams.n > 0) {
        pd_seams_end(d, &closing);
        d->words.n = closing.kept;
    }
}

/* Is the next character, after at most one space, beyond ASCII? If so, *next moves to it. */
static bool is_wide_next(const unsigned char *text, size_t *next, size_t end)
{
    const size_t candidate = *next + (*next + 1 < end && text[*next] == ' ');
    if (candidate >= end || text[candidate] < 0x80)
        return false;
    *next = candidate;
    return true;
}

/*
 * Append the form of the word as PD_SPELLING_EARLY_MODERN compares it to `norm`, and hash it:
 * v is u, j is i, æ is ae, œ is oe, and an e at the end of more than two letters is dropped.
 */
static void spell_early_modern(struct pd_word *word, struct pd_bytes *norm)
{
    enum { LIGATURE = 2 }; /* bytes of æ and œ */
    pd_bytes_reserve(norm, norm->n + word->norm_n);
    const unsigned char *const form = norm->v + word->norm;
    unsigned char *const to = norm->v + norm->n;
    uint32_t n = 0;
    for (uint32_t k = 0; k < word->norm_n; k++) {
        const bool ae = k + 1 < word->norm_n && memcmp(form + k, "æ", LIGATURE) == 0;
        const bool oe = k + 1 < word->norm_n && memcmp(form + k, "œ", LIGATURE) == 0;
        if (ae || oe) {
            to[n++] = ae ? 'a' : 'o';
            to[n++] = 'e';
            k++;
        } else {
            to[n++] = form[k] == 'v' ? 'u' : form[k] == 'j' ? 'i' : form[k];
        }
    }
    if (n > 2 && to[n - 1] == 'e')
        n--;
    word->norm = (uint32_t)norm->n;
    word->norm_n = n;
    norm->n += n;
    word->term = XXH3_64bits(to, n);
}

static void scan_init(struct pd_scan *scan, const unsigned char *text, const struct pd_document *d)
{
    scan->text = text;
    scan->simple = pd_simple_forms();
    scan->sentences = NULL;
    scan->stopped = false;
    scan->most = pd_document_most_units(d);
}

/*
 * Append the words of text[begin, end). Stops when the document is too large; the words are then
 * not valid.
 */
static void scan_range(struct pd_scan *scan, size_t begin, size_t end, struct pd_document *d)
{
    const size_t first_word = d->words.n, first_block = begin - begin % PD_BLOCK;
    scan->text_end = end;
    scan->blocks_begin = scan->blocks_end = 0;
    d->seams.n = 0;
    scan->lower = d->norm.n - first_block;
    d->norm.n += end - first_block + PD_BLOCK;
    pd_bytes_reserve(&d->norm, d->norm.n);
    for (size_t next = begin; next < end && !is_too_large(scan, d);) {
        next = scan_ascii(scan, next, end, d);
        for (bool wide = next < end; wide && !is_too_large(scan, d);
             wide = is_wide_next(scan->text, &next, end))
            next = (size_t)(pd_word_any(scan, scan->text + next, scan->text + end, d) - scan->text);
    }
    if (is_too_large(scan, d))
        return;
    if (d->seams.n > 0)
        pd_seams_check(scan->text, begin, end, scan->sentences, &d->seams);
    hash_and_close(d, first_word);
    if (d->spelling == PD_SPELLING_EARLY_MODERN)
        for (size_t k = first_word; k < d->words.n; k++)
            spell_early_modern(&d->words.v[k], &d->norm);
}

bool pd_words_scan(const unsigned char *text, uint32_t begin, uint32_t end, struct pd_document *d)
{
    struct pd_scan scan;
    scan_init(&scan, text, d);
    scan_range(&scan, begin, end, d);
    return !is_too_large(&scan, d);
}

/*
 * Set `word` and `nwords` of each sentence from the words of the whole text. False when a word
 * reaches beyond the sentence in which it begins.
 */
static bool assign_words(struct pd_document *d)
{
    size_t word = 0;
    for (size_t k = 0; k < d->sentences.n; k++) {
        struct pd_sentence *sentence = &d->sentences.v[k];
        sentence->word = (uint32_t)word;
        while (word < d->words.n && d->words.v[word].begin < sentence->end)
            word++;
        sentence->nwords = (uint32_t)word - sentence->word;
        if (word > 0 && d->words.v[word - 1].end > sentence->end)
            return false;
    }
    return true;
}

/*
 * May a sentence end inside a run of Chinese or Japanese characters? ICU's words depend on the
 * whole run, so sentences must then be scanned one by one.
 */
static bool is_run_cut(const struct pd_document *d)
{
    unsigned n;
    for (size_t k = 0; k + 1 < d->sentences.n; k++) {
        const uint32_t end = d->sentences.v[k].end;
        if (end == d->sentences.v[k + 1].begin &&
            pd_kind_of(char_before(d->text + end, &n)) != PD_CHAR_BREAK)
            return true;
    }
    return false;
}

/* Read the words of each sentence by itself, from the start. */
static void scan_each(struct pd_scan *scan, struct pd_document *d)
{
    d->words.n = d->norm.n = d->single_words = 0;
    for (size_t k = 0; k < d->sentences.n && !is_too_large(scan, d); k++) {
        struct pd_sentence *sentence = &d->sentences.v[k];
        sentence->word = (uint32_t)d->words.n;
        scan_range(scan, sentence->begin, sentence->end, d);
        sentence->nwords = (uint32_t)d->words.n - sentence->word;
    }
}

bool pd_words_of_sentences(struct pd_document *d)
{
    struct pd_scan scan;
    scan_init(&scan, d->text, d);
    const bool at_once = d->words_kind == PD_WORDS_CHAR || !is_run_cut(d);
    if (at_once && d->sentences.n > 0) {
        scan.sentences = &d->sentences;
        scan_range(&scan, d->sentences.v[0].begin, d->sentences.v[d->sentences.n - 1].end, d);
        scan.sentences = NULL;
        if (is_too_large(&scan, d))
            return false;
    }
    if (!at_once || !assign_words(d))
        scan_each(&scan, d);
    size_t n = 0;
    for (size_t k = 0; k < d->sentences.n; k++)
        if (d->sentences.v[k].nwords > 0)
            d->sentences.v[n++] = d->sentences.v[k];
    d->sentences.n = n;
    return !is_too_large(&scan, d);
}

/* How many words begin before a byte, or end at or before it. */
static uint32_t count_before(const struct pd_words *words, uint64_t byte, bool ends)
{
    size_t lo = 0, hi = words->n;
    PD_BISECT(lo, hi, mid, ends ? words->v[mid].end <= byte : words->v[mid].begin < byte);
    return (uint32_t)lo;
}

bool pd_word_is_single(const struct pd_document *d, const struct pd_word *word)
{
    const unsigned char *next = d->norm.v + word->norm, *const end = next + word->norm_n;
    enum pd_char_kind kind = PD_CHAR_SINGLE;
    unsigned len;
    for (; next < end && pd_kind_of(char_at(next, &len)) == kind; next += len)
        kind = PD_CHAR_MARK;
    return next == end;
}

uint32_t pd_words_between(const struct pd_words *words, uint64_t begin, uint64_t end,
                          uint32_t *from)
{
    *from = count_before(words, begin, false);
    const uint32_t to = count_before(words, end, true);
    return to > *from ? to - *from : 0;
}

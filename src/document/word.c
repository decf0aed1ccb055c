/* word.c - see include/pardup/document/word.h */
#include "pardup/document/word.h"

#include <utf8proc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "pardup/base/error.h"
#include "seam.h"
#include "segmenter.h"
#include "word_hash.h"
#include "word_masks.h"

static bool is_digit(uint32_t c)
{
    return c < 0x80 ? is_ascii_digit(c)
                    : utf8proc_category((utf8proc_int32_t)c) == UTF8PROC_CATEGORY_ND;
}

/* Does a character of kind `next` continue a word of kind `word`? */
static bool same_run(enum pd_char_kind word, enum pd_char_kind next)
{
    return next == PD_CHAR_MARK || (next == word && word != PD_CHAR_SINGLE);
}

/* May the apostrophe or point at `joint`, after the character `last`, stand inside the word? */
static bool joins(const unsigned char *joint, const unsigned char *end, enum pd_char_kind word,
                  uint32_t last)
{
    unsigned len;
    const bool point = *joint == '.' || *joint == ',';
    char_at(joint, &len);
    if (joint + len >= end || word == PD_CHAR_SINGLE)
        return false;
    const uint32_t next = char_at(joint + len, &len);
    return point ? is_digit(last) && is_digit(next) : pd_kind_of(next) == word;
}

/* End of the word that starts at `next` with a character of kind `word`. */
static const unsigned char *find_word_end(const unsigned char *next, const unsigned char *end,
                                          enum pd_char_kind word)
{
    unsigned len;
    uint32_t last = char_at(next, &len);
    const unsigned char *last_end = next + len; /* of the last character that is not ignorable */
    if (word == PD_CHAR_MARK)
        word = PD_CHAR_RUN;
    for (next = last_end; next < end; next += len) {
        const uint32_t c = char_at(next, &len);
        const enum pd_char_kind kind = pd_kind_of(c);
        if (kind == PD_CHAR_IGNORABLE)
            continue;
        const bool inside = kind == PD_CHAR_APOSTROPHE || kind == PD_CHAR_POINT
                                ? joins(next, end, word, last)
                                : same_run(word, kind);
        if (!inside)
            break;
        last = c;
        last_end = next + len;
    }
    return last_end;
}

/*
 * Is character c stable: Han, Hiragana, Katakana or Hangul that normalisation does not change? A
 * word of only stable characters is its own normalised form.
 */
static bool is_stable(uint32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x3041 && c <= 0x3096) || c == 0x3005 || (c >= 0x30A1 && c <= 0x30FA) ||
           (c >= 0x30FC && c <= 0x30FE) || (c >= 0xAC00 && c <= 0xD7A3);
}

static bool are_stable(const unsigned char *next, const unsigned char *end)
{
    unsigned len;
    for (; next < end; next += len)
        if (!is_stable(char_at(next, &len)))
            return false;
    return true;
}

/*
 * Append the word text[begin, end), whose normalised form is d->norm from `norm` to its end. Its
 * hash is set later. A word with an empty form is left out: the version of Unicode decides which
 * characters vanish altogether.
 */
static void push_word(struct pd_document *d, size_t begin, size_t end, size_t norm)
{
    const size_t n = d->norm.n - norm;
    if (n > 0)
        pd_words_push(&d->words, (struct pd_word){.begin = (uint32_t)begin,
                                                  .end = (uint32_t)end,
                                                  .norm = (uint32_t)norm,
                                                  .norm_n = (uint32_t)n});
}

bool pd_words_have_icu(void)
{
#ifdef PARDUP_ICU
    return true;
#else
    return false;
#endif
}

/* Append the word [begin, end), which may hold any characters. */
static void push_any(const unsigned char *text, const unsigned char *begin,
                     const unsigned char *end, struct pd_document *d)
{
    const size_t norm = d->norm.n;
    if (are_stable(begin, end))
        pd_bytes_append(&d->norm, begin, (size_t)(end - begin));
    else
        pd_word_form(begin, end, &d->norm);
    push_word(d, (size_t)(begin - text), (size_t)(end - text), norm);
}

/* The end of the run of Chinese and Japanese characters that starts at `next`. */
static const unsigned char *find_run_end(const unsigned char *next, const unsigned char *end)
{
    unsigned len;
    const unsigned char *run_end = next; /* end of the last character that is not ignorable */
    for (; next < end; next += len) {
        const enum pd_char_kind kind = pd_kind_of(char_at(next, &len));
        if (kind == PD_CHAR_IGNORABLE)
            continue;
        if (kind != PD_CHAR_SINGLE && kind != PD_CHAR_KANA && kind != PD_CHAR_MARK)
            break;
        run_end = next + len;
    }
    return run_end;
}

/* Append the words of the run that starts at `run`, by ICU's dictionary. Returns the run's end. */
static const unsigned char *scan_asian(const unsigned char *text, const unsigned char *run,
                                       const unsigned char *end, struct pd_document *d)
{
    const unsigned char *const run_end = find_run_end(run, end);
    if (d->segmenter == NULL)
        d->segmenter = pd_segmenter_new();
    PD_CHECK(d->segmenter != NULL);
    pd_segmenter_start(d->segmenter, run, (size_t)(run_end - run));
    for (const unsigned char *word = run; word < run_end;) {
        const unsigned char *next = run + pd_segmenter_next(d->segmenter);
        push_any(text, word, next, d);
        word = next;
    }
    return run_end;
}

/* What a joint does. A joint is a quote or point after a character of a word. */
enum step {
    TAKE, /* the joint belongs to the word, which goes on */
    END,  /* the word ends before the joint */
    ASK   /* find_word_end() decides */
};

/* Is c an ASCII digit, or the first or last byte of a character that may be a digit? */
static bool may_be_digit(unsigned char c) { return is_ascii_digit(c) || c >= 0x80; }

/* What the joint, which has `joint_n` bytes, does. */
static enum step step_at(const struct pd_scan *scan, const unsigned char *joint, size_t joint_n,
                         const unsigned char *end)
{
    const unsigned char *next = joint + joint_n;
    if (next >= end)
        return END;
    if (*joint == '.' || *joint == ',') {
        if (!may_be_digit(joint[-1]) || !may_be_digit(*next))
            return END;
        return joint[-1] >= 0x80 || *next >= 0x80 ? ASK : TAKE;
    }
    if (*next < 0x80)
        return pd_ascii_form[*next] ? TAKE : END;
    unsigned len;
    const uint32_t c = char_at(next, &len);
    return pd_scan_kind(scan, c) == PD_CHAR_RUN     ? TAKE
           : pd_scan_kind(scan, c) == PD_CHAR_BREAK ? END
                                                    : ASK;
}

/* Most bytes of a word that scan_simple() reads, and bytes of room for its normalised form. */
enum { SIMPLE_MOST = 512 };
#define SIMPLE_ROOM (SIMPLE_MOST * sizeof((struct pd_simple *)0)->form)

/*
 * Read the word at `next` when all its characters are ASCII or simple (word_form.h). Writes its
 * normalised form to out[0, *n); out has SIMPLE_ROOM bytes. Returns the end of the word, or NULL
 * when it is too long or has other characters.
 */
static const unsigned char *scan_simple(const struct pd_scan *scan, const unsigned char *next,
                                        const unsigned char *end, unsigned char *out, size_t *n)
{
    unsigned char *form_end = out;
    unsigned len;
    for (const unsigned char *begin = next; next < end; next += len) {
        if (next - begin >= SIMPLE_MOST)
            return NULL;
        const uint32_t c = char_at(next, &len);
        const struct pd_simple *simple = pd_simple_of(scan->simple, c);
        if (pd_ascii_form[*next]) {
            *form_end++ = pd_ascii_form[*next];
        } else if (simple && simple->n > 0) {
            memcpy(form_end, simple->form, sizeof simple->form);
            form_end += simple->n;
        } else if (c == '\'' || c == '.' || c == ',' || c == 0x2019) {
            const enum step step = step_at(scan, next, len, end);
            if (step == ASK)
                return NULL;
            if (step == END)
                break;
            *form_end++ = c == 0x2019 ? '\'' : (unsigned char)c;
        } else {
            const enum pd_char_kind kind = pd_scan_kind(scan, c);
            if (kind == PD_CHAR_BREAK || kind == PD_CHAR_SINGLE || kind == PD_CHAR_KANA)
                break;
            return NULL;
        }
    }
    *n = (size_t)(form_end - out);
    return next;
}

/*
 * Append the word at `word`, which begins with a character of kind PD_CHAR_RUN. Returns the word's
 * end.
 */
static const unsigned char *scan_run(const struct pd_scan *scan, const unsigned char *word,
                                     const unsigned char *end, struct pd_document *d)
{
    size_t n, norm = d->norm.n;
    pd_bytes_reserve(&d->norm, norm + SIMPLE_ROOM);
    const unsigned char *word_end = scan_simple(scan, word, end, d->norm.v + norm, &n);
    if (word_end == NULL) {
        word_end = find_word_end(word, end, PD_CHAR_RUN);
        push_any(scan->text, word, word_end, d);
        return word_end;
    }
    d->norm.n += n;
    push_word(d, (size_t)(word - scan->text), (size_t)(word_end - scan->text), norm);
    return word_end;
}

/*
 * Append the word at `word`, which may hold any characters, or all words of the Chinese or
 * Japanese run there (PD_WORDS_ICU). Returns the end of the word or run; where no word begins, the
 * end of the character. Not inlined, because the loop over ASCII words is tight.
 */
__attribute__((noinline)) static const unsigned char *scan_any(const struct pd_scan *scan,
                                                               const unsigned char *word,
                                                               const unsigned char *end,
                                                               struct pd_document *d)
{
    unsigned len;
    const uint32_t c = char_at(word, &len);
    const enum pd_char_kind kind = pd_scan_kind(scan, c);
    if (kind == PD_CHAR_BREAK || kind >= PD_CHAR_IGNORABLE) {
        const size_t i = (size_t)(word - scan->text);
        if ((*word == 0xC2 || *word == 0xE2) && i >= scan->blocks_end && pd_seam_may_begin(word))
            pd_scan_seam(d, i); /* the block has not been classified */
        return word + len;
    }
    if (kind == PD_CHAR_RUN)
        return scan_run(scan, word, end, d);
    if (d->words_kind == PD_WORDS_ICU && (kind == PD_CHAR_SINGLE || kind == PD_CHAR_KANA))
        return scan_asian(scan->text, word, end, d);
    const unsigned char *word_end = find_word_end(word, end, kind);
    push_any(scan->text, word, word_end, d);
    return word_end;
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
    return scan->stopped || d->norm.n > UINT32_MAX || d->words.n > scan->most ||
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

static void scan_init(struct pd_scan *scan, const unsigned char *text, size_t max_words)
{
    scan->text = text;
    scan->simple = pd_simple_forms();
    scan->sentences = NULL;
    scan->stopped = false;
    scan->most = max_words > 0 ? max_words : SIZE_MAX;
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
            next = (size_t)(scan_any(scan, scan->text + next, scan->text + end, d) - scan->text);
    }
    if (is_too_large(scan, d))
        return;
    if (d->seams.n > 0)
        pd_seams_check(scan->text, begin, end, scan->sentences, &d->seams);
    hash_and_close(d, first_word);
}

bool pd_words_scan(const unsigned char *text, uint32_t begin, uint32_t end, struct pd_document *d)
{
    struct pd_scan scan;
    scan_init(&scan, text, d->max_words);
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
    d->words.n = d->norm.n = 0;
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
    scan_init(&scan, d->text, d->max_words);
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

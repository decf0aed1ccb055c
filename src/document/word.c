#include "pardup/document/word.h"

#include <utf8proc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "block.h"
#include "chars.h"
#include "find.h"
#include "pardup/base/error.h"
#include "segmenter.h"
#include "word_form.h"
#include "word_hash.h"

static bool is_digit(uint32_t c)
{
    return c < 0x80 ? is_ascii_digit(c)
                    : utf8proc_category((utf8proc_int32_t)c) == UTF8PROC_CATEGORY_ND;
}

/* Does a character of kind `next` continue a word of kind `word`? */
static bool same_run(enum kind word, enum kind next)
{
    return next == MARK || (next == word && word != SINGLE);
}

/* May the apostrophe or point at p, after the character `last`, stand inside the word? */
static bool joins(const unsigned char *p, const unsigned char *end, enum kind word, uint32_t last)
{
    unsigned n;
    const bool point = *p == '.' || *p == ',';
    char_at(p, &n);
    if (p + n >= end || word == SINGLE)
        return false;
    const uint32_t next = char_at(p + n, &n);
    return point ? is_digit(last) && is_digit(next) : pd_kind_of(next) == word;
}

/* End of the word that starts at p with a character of kind `word`. */
static const unsigned char *word_end(const unsigned char *p, const unsigned char *end,
                                     enum kind word)
{
    unsigned n;
    uint32_t last = char_at(p, &n);
    const unsigned char *stop = p + n; /* end of the last character that is not ignorable */
    if (word == MARK)
        word = RUN;
    for (p = stop; p < end; p += n) {
        const uint32_t c = char_at(p, &n);
        const enum kind k = pd_kind_of(c);
        if (k == IGNORABLE)
            continue;
        const bool inside =
            k == APOSTROPHE || k == POINT ? joins(p, end, word, last) : same_run(word, k);
        if (!inside)
            break;
        last = c;
        stop = p + n;
    }
    return stop;
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

static bool are_stable(const unsigned char *p, const unsigned char *end)
{
    unsigned n;
    for (; p < end; p += n)
        if (!is_stable(char_at(p, &n)))
            return false;
    return true;
}

/*
 * Append the word text[begin, end), whose normalised form is d->norm from `norm` to its end. Its
 * hash is set later. A word with an empty form is left out: the version of Unicode decides which
 * characters vanish altogether.
 */
static void push(struct pd_document *d, size_t begin, size_t end, size_t norm)
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

/* Append the word [p, stop), which may hold any characters. */
static void push_any(const unsigned char *text, const unsigned char *p, const unsigned char *stop,
                     struct pd_document *d)
{
    const size_t norm = d->norm.n;
    if (are_stable(p, stop))
        pd_bytes_append(&d->norm, p, (size_t)(stop - p));
    else
        pd_word_form(p, stop, &d->norm);
    push(d, (size_t)(p - text), (size_t)(stop - text), norm);
}

/* The end of the run of Chinese and Japanese characters that starts at p. */
static const unsigned char *asian_end(const unsigned char *p, const unsigned char *end)
{
    unsigned n;
    const unsigned char *stop = p; /* end of the last character that is not ignorable */
    for (; p < end; p += n) {
        const enum kind k = pd_kind_of(char_at(p, &n));
        if (k == IGNORABLE)
            continue;
        if (k != SINGLE && k != KANA && k != MARK)
            break;
        stop = p + n;
    }
    return stop;
}

/* Append the words of the run that starts at p, by ICU's dictionary. Returns the run's end. */
static const unsigned char *scan_asian(const unsigned char *text, const unsigned char *p,
                                       const unsigned char *end, struct pd_document *d)
{
    const unsigned char *const stop = asian_end(p, end);
    if (d->segmenter == NULL)
        d->segmenter = pd_segmenter_new();
    PD_CHECK(d->segmenter != NULL);
    pd_segmenter_start(d->segmenter, p, (size_t)(stop - p));
    for (const unsigned char *word = p; word < stop;) {
        const unsigned char *next = p + pd_segmenter_next(d->segmenter);
        push_any(text, word, next, d);
        word = next;
    }
    return stop;
}

/* Masks of a text block: which bytes belong to words. */
struct part {
    uint64_t forms; /* ASCII letters, digits, _ and all bytes beyond ASCII except signs (is_sign) */
    uint64_t in;    /* forms, and the quotes and points that may stand between two bytes of forms */
    uint64_t wide;  /* bytes of `in` beyond ASCII and À to ÿ, and joints that need scan_any() */
};

/*
 * Blocks that are classified at a time. The number of words in a block is irregular, so the
 * processor mispredicts the loop over them. Blocks classified in advance need not wait for the
 * loop.
 */
enum { STRETCH = 32 };

/* The state of cutting a text into words. */
struct scan {
    const unsigned char *text;
    size_t n;     /* end of the text that is read */
    size_t forms; /* text[i] in lower case is d->norm.v[forms + i], for classified blocks */
    size_t begin; /* first byte of the classified blocks */
    size_t end;   /* first byte after the classified blocks; 0 when there are none */
    struct part parts[STRETCH];     /* the classified blocks */
    const struct pd_simple *simple; /* pd_simple_forms() */
};

/* pd_kind_of(), by a table where possible. */
static inline enum kind kind_of(const struct scan *s, uint32_t c)
{
    const struct pd_simple *e = pd_simple_of(s->simple, c);
    return e ? (enum kind)e->kind : pd_kind_of(c);
}

/*
 * Is the character at p a sign: Latin-1 or general punctuation of kind BREAK, such as the no-break
 * space, “ ” and –? Signs separate words as ASCII punctuation does. Sets *len to its bytes.
 */
static bool is_sign(const struct scan *s, const unsigned char *p, unsigned *len)
{
    const uint32_t c = char_at(p, len);
    return (*p == 0xC2 || *p == 0xE2) && kind_of(s, c) == BREAK;
}

/* The mask of `len` bytes of a block from byte `at` on. */
static uint64_t bytes_at(unsigned at, unsigned len) { return ((UINT64_C(1) << len) - 1) << at; }

/* The mask of the block's bytes that belong to signs. `lead`: bytes that may begin a sign. */
static uint64_t signs_of(const struct scan *s, size_t block, uint64_t lead)
{
    unsigned len;
    uint64_t signs = 0;
    const unsigned char *const at = s->text + block, *p = at;
    while ((*p & 0xC0) == 0x80 && p > s->text) /* the character began in the block before */
        p--;
    if (p < at && is_sign(s, p, &len) && p + len > at)
        signs = bytes_at(0, (unsigned)(p + len - at));
    for (; lead != 0; lead &= lead - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(lead);
        if (is_sign(s, at + k, &len))
            signs |= bytes_at(k, len);
    }
    return signs;
}

/*
 * Is `second` the second byte of a letter from À to ÿ that becomes its normalised form when bit
 * 0x20 of this byte is set? All of U+00C0 to U+00FF are, except ×, ÷ and ß.
 */
static bool is_latin_letter(unsigned char second)
{
    return second != 0x97 && second != 0xB7 && second != 0x9F;
}

/*
 * The mask of the block's bytes that belong to letters from À to ÿ. Puts the letters in lower case
 * in `lower`, where A to Z already are. `first`: bytes 0xC3, with which all of the letters begin.
 */
static uint64_t latin_of(const struct scan *s, size_t block, uint64_t first, unsigned char *lower)
{
    const unsigned char *const at = s->text + block;
    uint64_t letters = 0;
    if (block > 0 && at[-1] == 0xC3 && is_latin_letter(at[0])) {
        lower[0] |= 0x20;
        letters = 1;
    }
    for (; first != 0; first &= first - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(first);
        if (!is_latin_letter(at[k + 1]))
            continue;
        letters |= UINT64_C(3) << k;
        if (k + 1 < PD_BLOCK)
            lower[k + 1] |= 0x20;
    }
    return letters;
}

/* May the byte before the block, which is in `forms`, be the end of a digit? */
static bool ends_digit(const struct scan *s, size_t block)
{
    const unsigned char *const at = s->text + block;
    return is_ascii_digit(at[-1]) ||
           (at[-1] >= 0x80 && !(at[-2] == 0xC3 && is_latin_letter(at[-1])));
}

/* Masks that have, for each byte, the bit of the byte before it or after it. */
static uint64_t before(uint64_t bits, bool first) { return bits << 1 | first; }
static uint64_t behind(uint64_t bits, bool last) { return bits >> 1 | (uint64_t)last << 63; }

/*
 * Classify the block at text[block], and put it in lower case into d->norm. `inside`: the byte
 * before the block is in `forms`.
 */
static struct part classify(const struct scan *s, size_t block, bool inside, struct pd_document *d)
{
    unsigned char copy[PD_BLOCK];
    unsigned char *const lower = d->norm.v + (s->forms + block);
    struct pd_block_words w = pd_block_words(pd_block_at(s->text, s->n, block, copy), lower);
    uint64_t wide = 0;
    if (w.beyond != 0) {
        w.beyond &= ~signs_of(s, block, w.lead);
        wide = w.beyond & ~latin_of(s, block, w.latin, lower);
    }
    const unsigned char next = block + PD_BLOCK < s->n ? s->text[block + PD_BLOCK] : 0;
    const uint64_t forms = w.form | w.beyond;
    const uint64_t letter_before = before(forms, inside);
    const uint64_t digit_before = before(w.digit | wide, inside && ends_digit(s, block));
    const uint64_t quotes = w.quote & letter_before & behind(w.form, pd_ascii_form[next] != 0);
    const uint64_t points = w.point & digit_before & behind(w.digit, is_ascii_digit(next));
    const uint64_t open = (w.quote | w.point) & letter_before & behind(w.beyond, next >= 0x80);
    return (struct part){forms, forms | quotes | points | open, wide | open};
}

/*
 * Classify STRETCH blocks from text[block] on, or fewer at the text's end. A word may reach across
 * text[block] only when `block` is s->end.
 */
static void advance(struct scan *s, size_t block, struct pd_document *d)
{
    bool inside =
        s->end > 0 && block == s->end && s->parts[(s->end - s->begin) / PD_BLOCK - 1].forms >> 63;
    s->begin = s->end = block;
    for (size_t k = 0; k < STRETCH && s->end < s->n; k++, s->end += PD_BLOCK) {
        s->parts[k] = classify(s, s->end, inside, d);
        inside = s->parts[k].forms >> 63;
    }
}

/* What a joint does, which is a quote or point after a character of a word. */
enum step {
    TAKE, /* the joint belongs to the word, which goes on */
    STOP, /* the word ends before the joint */
    ASK   /* word_end() decides */
};

/* Is c an ASCII digit, or the first or last byte of a character that may be a digit? */
static bool may_be_digit(unsigned char c) { return is_ascii_digit(c) || c >= 0x80; }

/* What the joint at p, which has `n` bytes, does. */
static enum step joint(const struct scan *s, const unsigned char *p, size_t n,
                       const unsigned char *end)
{
    const unsigned char *next = p + n;
    if (next >= end)
        return STOP;
    if (*p == '.' || *p == ',') {
        if (!may_be_digit(p[-1]) || !may_be_digit(*next))
            return STOP;
        return p[-1] >= 0x80 || *next >= 0x80 ? ASK : TAKE;
    }
    if (*next < 0x80)
        return pd_ascii_form[*next] ? TAKE : STOP;
    unsigned len;
    const uint32_t c = char_at(next, &len);
    return kind_of(s, c) == RUN ? TAKE : kind_of(s, c) == BREAK ? STOP : ASK;
}

/* Most bytes of a word that scan_simple() reads, and bytes of room for its normalised form. */
enum { SIMPLE_MOST = 512 };
#define SIMPLE_ROOM (SIMPLE_MOST * sizeof((struct pd_simple *)0)->form)

/*
 * Read the word at p when all its characters are ASCII or simple (word_form.h). Writes its
 * normalised form to out[0, *n); out has SIMPLE_ROOM bytes. Returns the end of the word, or NULL
 * when it is too long or has other characters.
 */
static const unsigned char *scan_simple(const struct scan *s, const unsigned char *p,
                                        const unsigned char *end, unsigned char *out, size_t *n)
{
    unsigned char *to = out;
    unsigned len;
    for (const unsigned char *begin = p; p < end; p += len) {
        if (p - begin >= SIMPLE_MOST)
            return NULL;
        const uint32_t c = char_at(p, &len);
        const struct pd_simple *e = pd_simple_of(s->simple, c);
        if (pd_ascii_form[*p]) {
            *to++ = pd_ascii_form[*p];
        } else if (e && e->n > 0) {
            memcpy(to, e->form, sizeof e->form);
            to += e->n;
        } else if (c == '\'' || c == '.' || c == ',' || c == 0x2019) {
            const enum step step = joint(s, p, len, end);
            if (step == ASK)
                return NULL;
            if (step == STOP)
                break;
            *to++ = c == 0x2019 ? '\'' : (unsigned char)c;
        } else {
            const enum kind kind = kind_of(s, c);
            if (kind == BREAK || kind == SINGLE || kind == KANA)
                break;
            return NULL;
        }
    }
    *n = (size_t)(to - out);
    return p;
}

/* Append the word at p, which begins with a character of kind RUN. Returns the word's end. */
static const unsigned char *scan_run(const struct scan *s, const unsigned char *p,
                                     const unsigned char *end, struct pd_document *d)
{
    size_t n, norm = d->norm.n;
    pd_bytes_reserve(&d->norm, norm + SIMPLE_ROOM);
    const unsigned char *stop = scan_simple(s, p, end, d->norm.v + norm, &n);
    if (stop == NULL) {
        stop = word_end(p, end, RUN);
        push_any(s->text, p, stop, d);
        return stop;
    }
    d->norm.n += n;
    push(d, (size_t)(p - s->text), (size_t)(stop - s->text), norm);
    return stop;
}

/*
 * Append the word at p, which may hold any characters, or all words of the Chinese or Japanese run
 * at p (PD_WORDS_ICU). Returns the end of the word or run; where no word begins at p, the end of
 * the character. Not inlined, because the loop over ASCII words is tight.
 */
__attribute__((noinline)) static const unsigned char *scan_any(const struct scan *s,
                                                               const unsigned char *p,
                                                               const unsigned char *end,
                                                               struct pd_document *d)
{
    unsigned n;
    const uint32_t c = char_at(p, &n);
    const enum kind k = kind_of(s, c);
    if (k == BREAK || k >= IGNORABLE)
        return p + n;
    if (k == RUN)
        return scan_run(s, p, end, d);
    if (d->words_kind == PD_WORDS_ICU && (k == SINGLE || k == KANA))
        return scan_asian(s->text, p, end, d);
    const unsigned char *stop = word_end(p, end, k);
    push_any(s->text, p, stop, d);
    return stop;
}

/* Set *w to the word text[from, to), whose form is the same bytes in lower case. */
static inline void put(struct pd_word *w, size_t from, size_t to, size_t forms)
{
    w->begin = (uint32_t)from;
    w->end = (uint32_t)to;
    w->norm = (uint32_t)(forms + from);
    w->norm_n = (uint32_t)(to - from);
}

/* The index of the first set bit; any index when there is none. */
static inline size_t first_of(uint64_t bits)
{
    return (size_t)__builtin_ctzll(bits | UINT64_C(1) << (PD_BLOCK - 1));
}

/*
 * Append the words of text[i, end) up to the first that has, or may have, characters other than
 * ASCII and À to ÿ. Returns where that word begins, or `end`. No word reaches across text[i].
 */
static size_t scan_ascii(struct scan *s, size_t i, size_t end, struct pd_document *d)
{
    size_t from = i;
    bool under_way = false; /* the word at `from` reaches into the next block */
    uint64_t live = ~UINT64_C(0) << i % PD_BLOCK, edge = live & -live;
    for (size_t block = i - i % PD_BLOCK; block < end; block += PD_BLOCK) {
        if (block < s->begin || block >= s->end)
            advance(s, block, d);
        const struct part *const p = &s->parts[(block - s->begin) / PD_BLOCK];
        /* a quote or point at i joins nothing, as the word before it has ended */
        const uint64_t in = p->in & live & ~(edge & ~p->forms), plain = in & ~p->wide;
        uint64_t starts = in & ~before(in, under_way), sum;
        /*
         * The ends of the words by one addition: a carry runs from each start through the plain
         * bytes that follow and lands on the first byte that is not plain.
         */
        const bool over = __builtin_add_overflow(plain, starts | under_way, &sum);
        uint64_t lands = sum & ~plain;
        const uint64_t wide = lands & in;
        lands &= (wide & -wide) - 1;
        if (!under_way)
            from = block + first_of(starts), starts &= starts - 1;
        pd_words_reserve(&d->words, d->words.n + PD_BLOCK / 2 + 1);
        struct pd_word *word = d->words.v + d->words.n;
        for (; lands != 0; lands &= lands - 1, starts &= starts - 1) {
            put(word++, from, block + first_of(lands), s->forms);
            from = block + first_of(starts);
        }
        d->words.n = (size_t)(word - d->words.v);
        if (wide != 0)
            return from;
        under_way = over;
        live = ~UINT64_C(0);
        edge = 0;
    }
    if (under_way) {
        pd_words_reserve(&d->words, d->words.n + 1);
        put(&d->words.v[d->words.n++], from, end, s->forms);
    }
    return end;
}

/* Kinds of word lengths, in bytes; each has a hash function (word_hash.h). */
enum { TINY, SMALL, MEDIUM, LARGE, KINDS, LONGEST = 17 };
enum { COUNT_BITS = 16, COUNT = (1 << COUNT_BITS) - 1 };
static const unsigned char kind_of_length[LONGEST + 1] = {
    [0 ... 3] = TINY, [4 ... 8] = SMALL, [9 ... 16] = MEDIUM, [LONGEST] = LARGE};

/*
 * Hash the normalised forms of words[0, n), n <= BATCH. The words are first sorted by kind of
 * length, since branches on the lengths of consecutive words could not be predicted. Each kind is
 * counted in a field of one register, because a counter in memory would wait for the last store to
 * it.
 */
enum { BATCH = 256 };
static void hash_batch(struct pd_word *words, size_t n, const unsigned char *forms)
{
    struct pd_word *sorted[KINDS][BATCH], **behind[KINDS], **at;
    uint64_t counts = 0;
    for (size_t k = 0; k < n; k++) {
        const uint32_t len = words[k].norm_n;
        const unsigned kind = kind_of_length[len < LONGEST ? len : LONGEST];
        sorted[kind][counts >> COUNT_BITS * kind & COUNT] = &words[k];
        counts += UINT64_C(1) << COUNT_BITS * kind;
    }
    for (unsigned kind = 0; kind < KINDS; kind++)
        behind[kind] = sorted[kind] + (counts >> COUNT_BITS * kind & COUNT);
    for (at = sorted[TINY]; at < behind[TINY]; at++)
        (*at)->term = pd_hash_1_3(forms + (*at)->norm, (*at)->norm_n);
    for (at = sorted[SMALL]; at < behind[SMALL]; at++)
        (*at)->term = pd_hash_4_8(forms + (*at)->norm, (*at)->norm_n);
    for (at = sorted[MEDIUM]; at < behind[MEDIUM]; at++)
        (*at)->term = pd_hash_9_16(forms + (*at)->norm, (*at)->norm_n);
    for (at = sorted[LARGE]; at < behind[LARGE]; at++)
        (*at)->term = XXH3_64bits(forms + (*at)->norm, (*at)->norm_n);
}

/* Is the next character, after at most one space, beyond ASCII? If so, *i moves to it. */
static bool is_wide_next(const unsigned char *text, size_t *i, size_t end)
{
    const size_t at = *i + (*i + 1 < end && text[*i] == ' ');
    if (at >= end || text[at] < 0x80)
        return false;
    *i = at;
    return true;
}

/*
 * Append the words of text[begin, end). Stops when the normalised forms reach 4 GiB; the words are
 * then not valid.
 */
static void scan(struct scan *s, size_t begin, size_t end, struct pd_document *d)
{
    const size_t first = d->words.n, first_block = begin - begin % PD_BLOCK;
    s->n = end;
    s->begin = s->end = 0;
    s->forms = d->norm.n - first_block;
    d->norm.n += end - first_block + PD_BLOCK;
    pd_bytes_reserve(&d->norm, d->norm.n);
    for (size_t i = begin; i < end && d->norm.n <= UINT32_MAX;) {
        i = scan_ascii(s, i, end, d);
        for (bool wide = i < end; wide && d->norm.n <= UINT32_MAX;
             wide = is_wide_next(s->text, &i, end))
            i = (size_t)(scan_any(s, s->text + i, s->text + end, d) - s->text);
    }
    if (d->norm.n > UINT32_MAX)
        return;
    for (size_t k = first; k < d->words.n; k += BATCH)
        hash_batch(d->words.v + k, d->words.n - k < BATCH ? d->words.n - k : BATCH, d->norm.v);
}

static void scan_init(struct scan *s, const unsigned char *text)
{
    s->text = text;
    s->simple = pd_simple_forms();
}

void pd_words_scan(const unsigned char *text, uint32_t begin, uint32_t end, struct pd_document *d)
{
    struct scan s;
    scan_init(&s, text);
    scan(&s, begin, end, d);
}

/*
 * Set `word` and `nwords` of each sentence from the words of the whole text. False when a word
 * reaches beyond the sentence in which it begins.
 */
static bool deal(struct pd_document *d)
{
    size_t word = 0;
    for (size_t k = 0; k < d->sentences.n; k++) {
        struct pd_sentence *u = &d->sentences.v[k];
        u->word = (uint32_t)word;
        while (word < d->words.n && d->words.v[word].begin < u->end)
            word++;
        u->nwords = (uint32_t)word - u->word;
        if (word > 0 && d->words.v[word - 1].end > u->end)
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
            pd_kind_of(char_before(d->text + end, &n)) != BREAK)
            return true;
    }
    return false;
}

/* Read the words of each sentence by itself, from the start. */
static void scan_each(struct scan *s, struct pd_document *d)
{
    d->words.n = d->norm.n = 0;
    for (size_t k = 0; k < d->sentences.n; k++) {
        struct pd_sentence *u = &d->sentences.v[k];
        u->word = (uint32_t)d->words.n;
        scan(s, u->begin, u->end, d);
        u->nwords = (uint32_t)d->words.n - u->word;
    }
}

bool pd_words_of_sentences(struct pd_document *d)
{
    struct scan s;
    scan_init(&s, d->text);
    const bool at_once = d->words_kind == PD_WORDS_CHAR || !is_run_cut(d);
    if (at_once)
        scan(&s, 0, d->text_n, d);
    if (!at_once || !deal(d))
        scan_each(&s, d);
    size_t n = 0;
    for (size_t k = 0; k < d->sentences.n; k++)
        if (d->sentences.v[k].nwords > 0)
            d->sentences.v[n++] = d->sentences.v[k];
    d->sentences.n = n;
    return d->norm.n <= UINT32_MAX;
}

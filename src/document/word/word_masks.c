/* word_masks.c - see word_masks.h */
#include "word_masks.h"

#include "seam.h"

/*
 * Is the character at `sign` a sign: Latin-1 or general punctuation of kind PD_CHAR_BREAK, such as
 * the no-break space, “ ” and –? Signs separate words as ASCII punctuation does. Sets *len to its
 * bytes.
 */
static bool is_sign(const struct pd_scan *scan, const unsigned char *sign, unsigned *len)
{
    const uint32_t c = char_at(sign, len);
    return (*sign == 0xC2 || *sign == 0xE2) && pd_scan_kind(scan, c) == PD_CHAR_BREAK;
}

/* The mask of `len` bytes of a block from byte `first` on. */
static uint64_t byte_mask(unsigned first, unsigned len)
{
    return ((UINT64_C(1) << len) - 1) << first;
}

/* The mask of the block's bytes that belong to signs. `lead`: bytes that may begin a sign. */
static uint64_t signs_of(const struct pd_scan *scan, size_t block, uint64_t lead)
{
    unsigned len;
    uint64_t signs = 0;
    const unsigned char *const bytes = scan->text + block, *sign = bytes;
    /* a character may begin in the block before and reach into this one */
    while ((*sign & 0xC0) == 0x80 && sign > scan->text)
        sign--;
    if (sign < bytes && is_sign(scan, sign, &len) && sign + len > bytes)
        signs = byte_mask(0, (unsigned)(sign + len - bytes));
    for (; lead != 0; lead &= lead - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(lead);
        if (is_sign(scan, bytes + k, &len))
            signs |= byte_mask(k, len);
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
static uint64_t latin_of(const struct pd_scan *scan, size_t block, uint64_t first,
                         unsigned char *lower)
{
    const unsigned char *const bytes = scan->text + block;
    uint64_t letters = 0;
    if (block > 0 && bytes[-1] == 0xC3 && is_latin_letter(bytes[0])) {
        lower[0] |= 0x20;
        letters = 1;
    }
    for (; first != 0; first &= first - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(first);
        if (!is_latin_letter(bytes[k + 1]))
            continue;
        letters |= UINT64_C(3) << k;
        if (k + 1 < PD_BLOCK)
            lower[k + 1] |= 0x20;
    }
    return letters;
}

/* May the byte before the block, which is in `letters`, be the end of a digit? */
static bool ends_digit(const struct pd_scan *scan, size_t block)
{
    const unsigned char *const bytes = scan->text + block;
    return is_ascii_digit(bytes[-1]) ||
           (bytes[-1] >= 0x80 && !(bytes[-2] == 0xC3 && is_latin_letter(bytes[-1])));
}

/* The mask that has, for each byte, the bit of the byte after it. */
static uint64_t bit_after(uint64_t bits, bool last) { return bits >> 1 | (uint64_t)last << 63; }

/*
 * Add the places of the block at which a seam may begin: all of `ascii`, and each of `lead`
 * whose character may be a seam.
 */
static void add_seams(const struct pd_scan *scan, size_t block, uint64_t ascii, uint64_t lead,
                      struct pd_document *d)
{
    for (uint64_t places = ascii | lead; places != 0; places &= places - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(places);
        if (ascii >> k & 1 || pd_seam_may_begin(scan->text + block + k))
            pd_scan_seam(d, block + k);
    }
}

/*
 * Classify the block at text[block], and put it in lower case into d->norm. `after_letter`:
 * the byte before the block is in `letters`.
 */
static struct pd_word_masks classify_block(const struct pd_scan *scan, size_t block,
                                           bool after_letter, struct pd_document *d)
{
    unsigned char copy[PD_BLOCK];
    unsigned char *const lower = d->norm.v + (scan->lower + block);
    struct pd_block_words bytes =
        pd_block_words(pd_block_at(scan->text, scan->text_end, block, copy), lower);
    uint64_t wide = 0;
    if (bytes.beyond != 0) {
        bytes.beyond &= ~signs_of(scan, block, bytes.lead);
        wide = bytes.beyond & ~latin_of(scan, block, bytes.latin, lower);
    }
    const unsigned char next = block + PD_BLOCK < scan->text_end ? scan->text[block + PD_BLOCK] : 0;
    const uint64_t letters = bytes.form | bytes.beyond;
    const uint64_t letter_before = pd_bit_before(letters, after_letter);
    const uint64_t digit_before =
        pd_bit_before(bytes.digit | wide, after_letter && ends_digit(scan, block));
    const uint64_t quotes =
        bytes.quote & letter_before & bit_after(bytes.form, pd_ascii_form[next] != 0);
    const uint64_t points =
        bytes.point & digit_before & bit_after(bytes.digit, is_ascii_digit(next));
    const uint64_t open =
        (bytes.quote | bytes.point) & letter_before & bit_after(bytes.beyond, next >= 0x80);
    /* the word before the first byte may have been read by a word of any characters */
    const uint64_t hyphens = bytes.dash & (letter_before | 1) &
                             ~bit_after(bytes.form | bytes.dash, pd_ascii_form[next] != 0);
    if ((hyphens | bytes.bar | bytes.lead) != 0)
        add_seams(scan, block, hyphens | bytes.bar, bytes.lead, d);
    return (struct pd_word_masks){letters, letters | quotes | points | open, wide | open};
}

void pd_masks_ahead(struct pd_scan *scan, size_t block, struct pd_document *d)
{
    bool after_letter =
        scan->blocks_end > 0 && block == scan->blocks_end &&
        scan->blocks[(scan->blocks_end - scan->blocks_begin) / PD_BLOCK - 1].letters >> 63;
    scan->blocks_begin = scan->blocks_end = block;
    for (size_t k = 0; k < PD_BLOCKS_AHEAD && scan->blocks_end < scan->text_end;
         k++, scan->blocks_end += PD_BLOCK) {
        scan->blocks[k] = classify_block(scan, scan->blocks_end, after_letter, d);
        after_letter = scan->blocks[k].letters >> 63;
    }
}

/* block_masks.h - the masks of a text block by vectors of one width: block.c includes it for each. */
#include "lanes.h"

#define IS(c)           WIDE(equal)(x, c)
#define IS_IN(from, to) WIDE(in_range)(x, from, to)
#define OR(a, b)        WIDE(either)(a, b)
#define MASK(a)         WIDE(mask_of)(a)

TARGET uint64_t WIDE(pd_block_stops)(const unsigned char block[PD_BLOCK], bool beyond)
{
    const struct WIDE(lanes) x = WIDE(load)(block);
    /* ! and ) differ in one bit */
    const uint64_t stops =
        MASK(OR(OR(IS('\n'), IS('\r')),
                OR(OR(IS('.'), IS('?')), WIDE(equal)(WIDE(with)(x, '!' ^ ')'), ')'))));
    const uint64_t high = MASK(x);
    if (!beyond && high == 0)
        return stops;
    const uint64_t leads = MASK(
        OR(OR(OR(IS(0xCD), IS(0xD6)), OR(IS(0xDC), IS(0xDF))), OR(IS(0xEF), IS_IN(0xE0, 0xE2))));
    const uint64_t first = MASK(OR(OR(IS(0xD8), IS(0xDB)), IS(0xE3)));
    const uint64_t second = MASK(OR(OR(IS(0x80), IS(0x94)), IS_IN(0x9D, 0x9F)));
    const uint64_t rare = MASK(OR(IS(0xEA), IS(0xF0)));
    return stops | leads | (MASK(IS_IN(':', ';')) & (high << 1 | beyond)) |
           (first & (second >> 1 | LAST)) | (rare & (MASK(IS_IN(0x90, 0xAF)) >> 1 | LAST));
}

TARGET struct pd_block_words WIDE(pd_block_words)(const unsigned char block[PD_BLOCK],
                                                  unsigned char lower[PD_BLOCK])
{
    const struct WIDE(lanes) x = WIDE(load)(block);
    const struct WIDE(lanes) letters = WIDE(in_range)(WIDE(with)(x, 0x20), 'a', 'z');
    struct pd_block_words masks = {.digit = MASK(IS_IN('0', '9')),
                                   .quote = MASK(IS('\'')),
                                   .point = MASK(OR(IS('.'), IS(','))),
                                   .dash = MASK(IS('-')),
                                   .bar = MASK(IS('|')),
                                   .beyond = MASK(x)};
    masks.form = masks.digit | MASK(OR(letters, IS('_')));
    if (masks.beyond != 0) {
        masks.lead = MASK(OR(IS(0xC2), IS(0xE2)));
        masks.latin = MASK(IS(0xC3));
    }
    WIDE(put_lower)(lower, x, letters);
    return masks;
}

#undef IS
#undef IS_IN
#undef OR
#undef MASK
#undef WIDE
#undef TARGET
#undef VECTOR
#undef OP
#undef BITS

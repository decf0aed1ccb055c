/*
 * lanes.h - a text block in vectors of one width. Included once for each width, by a file that
 * defines
 *   WIDE(name)   the name with the width behind it
 *   TARGET       the attribute of functions that use the width
 *   VECTOR       the type of a vector
 *   OP(name)     the intrinsic for bytes, such as _mm_##name
 *   BITS(name)   the intrinsic for all bits, such as _mm_##name##_si128
 *   ALWAYS       static inline, always
 */
struct WIDE(lanes) {
    VECTOR v[PD_BLOCK / sizeof(VECTOR)];
};

#define LANES (PD_BLOCK / sizeof(VECTOR))

TARGET ALWAYS struct WIDE(lanes) WIDE(load)(const unsigned char *block)
{
    struct WIDE(lanes) x;
    for (unsigned k = 0; k < LANES; k++)
        x.v[k] = BITS(loadu)((const VECTOR *)(const void *)block + k);
    return x;
}

/* 0xFF in each of the bytes that equals c. */
TARGET ALWAYS struct WIDE(lanes) WIDE(equal)(struct WIDE(lanes) x, int c)
{
    for (unsigned k = 0; k < LANES; k++)
        x.v[k] = OP(cmpeq_epi8)(x.v[k], OP(set1_epi8)((char)c));
    return x;
}

/* 0xFF in each of the bytes whose value is `from` to `to`, inclusive. */
TARGET ALWAYS struct WIDE(lanes) WIDE(in_range)(struct WIDE(lanes) x, int from, int to)
{
    for (unsigned k = 0; k < LANES; k++) {
        const VECTOR above = OP(sub_epi8)(x.v[k], OP(set1_epi8)((char)from));
        x.v[k] = OP(cmpeq_epi8)(OP(min_epu8)(above, OP(set1_epi8)((char)(to - from))), above);
    }
    return x;
}

TARGET ALWAYS struct WIDE(lanes) WIDE(either)(struct WIDE(lanes) x, struct WIDE(lanes) y)
{
    for (unsigned k = 0; k < LANES; k++)
        x.v[k] = BITS(or)(x.v[k], y.v[k]);
    return x;
}

/* The bytes with these bits set. */
TARGET ALWAYS struct WIDE(lanes) WIDE(with)(struct WIDE(lanes) x, int bits)
{
    for (unsigned k = 0; k < LANES; k++)
        x.v[k] = BITS(or)(x.v[k], OP(set1_epi8)((char)bits));
    return x;
}

/* The top bits of the bytes, as a mask. */
TARGET ALWAYS uint64_t WIDE(mask_of)(struct WIDE(lanes) x)
{
    uint64_t mask = 0;
    for (unsigned k = 0; k < LANES; k++)
        mask |= (uint64_t)(uint32_t)OP(movemask_epi8)(x.v[k]) << (k * sizeof(VECTOR));
    return mask;
}

/* Write the bytes, those of `letters` as small letters. */
TARGET ALWAYS void WIDE(put_lower)(unsigned char *lower, struct WIDE(lanes) x,
                                   struct WIDE(lanes) letters)
{
    for (unsigned k = 0; k < LANES; k++) {
        const VECTOR small = BITS(and)(letters.v[k], OP(set1_epi8)(0x20));
        BITS(storeu)((VECTOR *)(void *)lower + k, BITS(or)(x.v[k], small));
    }
}

#undef LANES

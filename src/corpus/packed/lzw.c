/*
 * corpus/packed/lzw.c - files of compress(1), `.Z`; see unpack.h.
 *
 * Codes are 9 to 16 bits wide, at most as wide as the header says, and are written in groups of
 * eight. When the width changes, the rest of the group has no meaning. The format has neither a
 * length, nor a checksum, nor an end mark: a file that was cut short can only be recognised by its
 * content.
 */
#include <string.h>

#include "pardup/base/error.h"
#include "unpack.h"

#define HEADER_BYTES 3     /* bytes: two of magic number, one of flags */
#define BITS_MASK    0x1f  /* flags: width of the widest code, bits */
#define RESETS       0x80  /* flag: code 256 empties the table */
#define WIDTH_LEAST  9     /* width of the narrowest code, bits */
#define WIDTH_MOST   16    /* width of the widest code that may be declared, bits */
#define CODES        65536 /* most codes a table can have; also the longest string, bytes */
#define CLEAR        256   /* code that empties the table; a smaller code is a byte */

struct pd_unlzw {
    bool begun;                          /* the header of the file has been read */
    bool resets;                         /* code CLEAR empties the table */
    bool has_last;                       /* a code precedes the next one, so a code can be learnt */
    int widest;                          /* width of the widest code in this file, bits */
    int width;                           /* width of the next code, bits */
    unsigned next_code;                  /* next free code */
    unsigned last_code;                  /* the previous code */
    unsigned char first_byte;            /* first byte of the string that was made last */
    unsigned bits_read;                  /* bits of `group` that have been read */
    unsigned bits_held;                  /* bits in `group` */
    unsigned char group[WIDTH_MOST + 1]; /* stored bytes of eight codes */
    uint16_t prefix[CODES];              /* by code: the code whose string its own one extends */
    unsigned char suffix[CODES];         /* by code: last byte of its string */
    unsigned char string[CODES];         /* the string of a code, built from its end */
};

struct pd_unlzw *pd_unlzw_new(void)
{
    struct pd_unlzw *z = pd_zeroed(1, sizeof *z);
    return z;
}

void pd_unlzw_free(struct pd_unlzw *z) { free(z); }

void pd_unlzw_reset(struct pd_unlzw *z) { z->begun = false; }

static void set_width(struct pd_unlzw *z, int width)
{
    z->width = width;
    z->bits_read = z->bits_held = 0;
}

static int corrupt(struct pd_trouble *t, const char *text)
{
    *t = (struct pd_trouble){PD_SKIP_CORRUPT, text};
    return PD_EFORMAT;
}

static int read_header(struct pd_unlzw *z, struct pd_input *in, struct pd_trouble *trouble)
{
    PD_TRY(pd_input_fill(in, HEADER_BYTES));
    if (pd_input_left(in) < HEADER_BYTES) {
        *trouble = (struct pd_trouble){PD_SKIP_TRUNCATED, "compress data ends inside the header"};
        return PD_EFORMAT;
    }
    const unsigned char flags = in->v[in->pos + HEADER_BYTES - 1];
    z->widest = flags & BITS_MASK;
    z->resets = flags & RESETS;
    if (z->widest < WIDTH_LEAST || z->widest > WIDTH_MOST)
        return corrupt(trouble, "compress data has an unknown code width");
    pd_input_take(in, HEADER_BYTES);
    z->next_code = CLEAR + z->resets;
    z->has_last = false;
    set_width(z, WIDTH_LEAST);
    z->begun = true;
    return PD_OK;
}

/* Read the next code. Returns PD_OK, PD_END when no whole code is left, or PD_EIO. */
static int read_code(struct pd_unlzw *z, struct pd_input *in, unsigned *code)
{
    const unsigned width = (unsigned)z->width;
    if (z->bits_read + width > z->bits_held) {
        PD_TRY(pd_input_fill(in, WIDTH_MOST));
        const size_t left = pd_input_left(in), take = left < width ? left : width;
        memcpy(z->group, in->v + in->pos, take);
        pd_input_take(in, take);
        z->bits_read = 0;
        z->bits_held = 8 * (unsigned)take;
        if (z->bits_held < width)
            return PD_END;
    }
    const unsigned char *p = z->group + z->bits_read / 8; /* a code spans at most three bytes */
    const uint32_t bits = p[0] | (uint32_t)p[1] << 8 |
                          (z->bits_read / 8 + 2 <= WIDTH_MOST ? (uint32_t)p[2] << 16 : 0);
    *code = bits >> z->bits_read % 8 & ((1u << width) - 1);
    z->bits_read += width;
    return PD_OK;
}

/* Write the string of `code` to `out`. Returns its bytes, or 0 when there is no such code yet. */
static size_t expand(struct pd_unlzw *z, unsigned code, unsigned char *out)
{
    unsigned char *end = z->string + CODES, *s = end;
    unsigned c = code;
    if (c > z->next_code || (c == z->next_code && !z->has_last) || (z->resets && c == CLEAR))
        return 0;
    if (c == z->next_code) { /* the code being defined: the previous string and its first byte */
        *--s = z->first_byte;
        c = z->last_code;
    }
    while (c >= CLEAR) {
        *--s = z->suffix[c];
        c = z->prefix[c];
    }
    *--s = (unsigned char)c;
    z->first_byte = *s;
    memcpy(out, s, (size_t)(end - s));
    return (size_t)(end - s);
}

/*
 * Give the next free code to the previous string, extended by the first byte of this code's string.
 */
static void learn(struct pd_unlzw *z, unsigned code)
{
    if (z->has_last && z->next_code < 1u << z->widest) {
        z->prefix[z->next_code] = (uint16_t)z->last_code;
        z->suffix[z->next_code++] = z->first_byte;
    }
    z->has_last = true;
    z->last_code = code;
    if (z->next_code >= 1u << z->width && z->width < z->widest)
        set_width(z, z->width + 1);
}

int pd_unlzw_step(struct pd_unlzw *z, struct pd_input *in, unsigned char *out, size_t room,
                  size_t *made, struct pd_trouble *trouble)
{
    PD_CHECK(room >= PD_STEP + CODES);
    *made = 0;
    if (!z->begun)
        PD_TRY(read_header(z, in, trouble));
    while (*made < PD_STEP) {
        unsigned code;
        const int status = read_code(z, in, &code);
        if (status == PD_END)
            z->begun = false;
        if (status != PD_OK)
            return status;
        if (code == CLEAR && z->resets) {
            z->next_code = CLEAR + 1;
            z->has_last = false;
            set_width(z, WIDTH_LEAST);
            continue;
        }
        const size_t n = expand(z, code, out + *made);
        if (n == 0)
            return corrupt(trouble, "compress data is corrupt");
        *made += n;
        learn(z, code);
    }
    return PD_OK;
}

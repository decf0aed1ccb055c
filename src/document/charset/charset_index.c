/* charset_index.c - see src/document/charset/charset_index.h */
#include "charset_index.h"

#include <iconv.h>
#include <pthread.h>
#include <stdbool.h>

#include "charset_fixes.h"
#include "pardup/base/vec.h"

enum {
    CODE_MOST = 4,   /* bytes of a code, at most */
    SINGLES = 128,   /* pointers of a single-byte set: bytes 0x80 to 0xFF */
    SINGLE_SETS = 64 /* single-byte sets that can be kept, more than there are */
};

/* Writes the code with this pointer, in the set that iconv() reads. Returns the number of bytes. */
typedef unsigned code_writer(uint32_t pointer, unsigned char *code);

static unsigned two_bytes(unsigned char *code, uint32_t lead, uint32_t trail)
{
    code[0] = (unsigned char)lead;
    code[1] = (unsigned char)trail;
    return 2;
}

static unsigned gb18030_code(uint32_t pointer, unsigned char *code)
{
    const uint32_t trail = pointer % 190;
    return two_bytes(code, 0x81 + pointer / 190, trail + (trail < 0x3F ? 0x40 : 0x41));
}

static unsigned gb18030_range_code(uint32_t pointer, unsigned char *code)
{
    two_bytes(code, 0x81 + pointer / 12600, 0x30 + pointer / 1260 % 10);
    two_bytes(code + 2, 0x81 + pointer / 10 % 126, 0x30 + pointer % 10);
    return 4;
}

static unsigned big5_code(uint32_t pointer, unsigned char *code)
{
    const uint32_t trail = pointer % 157;
    return two_bytes(code, 0x81 + pointer / 157, trail + (trail < 0x3F ? 0x40 : 0x62));
}

static unsigned shift_jis_code(uint32_t pointer, unsigned char *code)
{
    const uint32_t lead = pointer / 188, trail = pointer % 188;
    return two_bytes(code, lead + (lead < 0x1F ? 0x81 : 0xC1),
                     trail + (trail < 0x3F ? 0x40 : 0x41));
}

static unsigned jis0212_code(uint32_t pointer, unsigned char *code)
{
    code[0] = 0x8F;
    return 1 + two_bytes(code + 1, 0xA1 + pointer / 94, 0xA1 + pointer % 94);
}

static unsigned euc_kr_code(uint32_t pointer, unsigned char *code)
{
    return two_bytes(code, 0x81 + pointer / 190, 0x41 + pointer % 190);
}

static unsigned single_code(uint32_t pointer, unsigned char *code)
{
    code[0] = (unsigned char)(0x80 + pointer);
    return 1;
}

/* How an index is read out of iconv(). */
static const struct source {
    const char *iconv;  /* name of the set */
    code_writer *write; /* code of a pointer in this set */
    uint32_t n;         /* pointers to read */
} sources[PD_CHARSET_INDEX_KINDS] = {
    [PD_CHARSET_INDEX_GB18030] = {"GB18030", gb18030_code, 126 * 190},
    [PD_CHARSET_INDEX_GB18030_RANGES] = {"GB18030", gb18030_range_code, 39420},
    [PD_CHARSET_INDEX_BIG5] = {"BIG5-HKSCS", big5_code, 126 * 157},
    [PD_CHARSET_INDEX_JIS0208] = {"CP932", shift_jis_code, 60 * 188},
    [PD_CHARSET_INDEX_JIS0212] = {"EUC-JP-MS", jis0212_code,
                                  82 * 94 + 82}, /* before the vendors' rows */
    [PD_CHARSET_INDEX_EUC_KR] = {"CP949", euc_kr_code, 126 * 190},
};

/* The only character that a code stands for; 0 when it stands for none or for two. */
static uint32_t ask_iconv(iconv_t cd, const unsigned char *code, unsigned n)
{
    uint32_t chars[2];
    char *in = (char *)code, *out = (char *)chars;
    size_t left = n, room = sizeof chars;
    iconv(cd, NULL, NULL, NULL, NULL);
    const size_t status = iconv(cd, &in, &left, &out, &room);
    if (status == (size_t)-1 || left > 0)
        return 0;
    iconv(cd, NULL, NULL, &out, &room); /* writes a letter held back for an accent */
    return room == sizeof *chars ? chars[0] : 0;
}

/* Read all characters of `source` into `index`. False when iconv() does not know the set. */
static bool read_index(struct pd_charset_index *index, const struct source *source)
{
    const union {
        uint16_t number;
        char bytes[2];
    } order = {1};
    iconv_t cd = iconv_open(order.bytes[0] ? "UCS-4LE" : "UCS-4BE", source->iconv);
    if (cd == (iconv_t)-1)
        return false;
    index->n = source->n;
    index->chars = pd_realloc(NULL, source->n, sizeof *index->chars);
    for (uint32_t k = 0; k < source->n; k++) {
        unsigned char code[CODE_MOST];
        index->chars[k] = ask_iconv(cd, code, source->write(k, code));
    }
    iconv_close(cd);
    return true;
}

/* Put the standard's characters in place of the C library's where the two differ. */
static void fix_index(struct pd_charset_index *index, enum pd_charset_index_kind kind)
{
    for (uint32_t k = 0; k < index->n; k++) {
        unsigned char bytes[CODE_MOST];
        const unsigned n = sources[kind].write(k, bytes);
        uint32_t code = 0;
        for (unsigned b = 0; b < n; b++)
            code = code << 8 | bytes[b];
        index->chars[k] = pd_fix_code(kind, code, index->chars[k]);
    }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const struct pd_charset_index *pd_charset_index(enum pd_charset_index_kind kind)
{
    static struct pd_charset_index indexes[PD_CHARSET_INDEX_KINDS];
    static bool tried[PD_CHARSET_INDEX_KINDS];
    pthread_mutex_lock(&lock);
    if (!tried[kind] && read_index(&indexes[kind], &sources[kind]))
        fix_index(&indexes[kind], kind);
    tried[kind] = true;
    pthread_mutex_unlock(&lock);
    return indexes[kind].chars ? &indexes[kind] : NULL;
}

/*
 * Read a single-byte set. A byte below 0xA0 for which iconv() has no character is the control
 * character of the same number, as in the windows sets of the standard.
 */
static void read_single(struct pd_charset_index *index, const char *name)
{
    enum { CONTROLS = 0x20 };
    if (!read_index(index, &(struct source){name, single_code, SINGLES}))
        return;
    for (uint32_t k = 0; k < SINGLES; k++) {
        if (k < CONTROLS && index->chars[k] == 0)
            index->chars[k] = 0x80 + k;
        index->chars[k] = pd_fix_single(name, (unsigned char)(0x80 + k), index->chars[k]);
    }
}

const struct pd_charset_index *pd_charset_single(const struct pd_charset *charset)
{
    static struct pd_charset_index indexes[SINGLE_SETS];
    static const struct pd_charset *sets[SINGLE_SETS];
    pthread_mutex_lock(&lock);
    size_t k = 0;
    while (sets[k] && sets[k] != charset)
        k++;
    if (sets[k] == NULL)
        read_single(&indexes[k], charset->name);
    sets[k] = charset;
    pthread_mutex_unlock(&lock);
    return indexes[k].chars ? &indexes[k] : NULL;
}

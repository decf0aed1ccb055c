/* lexicon.c - see lexicon.h */
#include "lexicon.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "document/chars.h"
#include "document/word/word_hash.h"
#include "pardup/base/error.h"

#define LONGEST 15         /* bytes: no word is longer; struct spelling holds one more */
#define SLOTS   (1u << 11) /* about three for each entry */

/*
 * Multiplicative hashing: odd numbers near 2^64 divided by the golden ratio and by its square. The
 * upper bits of the product are the hash: 16 for a slot, 12 for `maybe`.
 */
#define SPREAD_HEAD UINT64_C(0x9E3779B97F4A7C15)
#define SPREAD_TAIL UINT64_C(0x61C8864680B583EB)
#define SLOT_SHIFT  48
#define MAYBE_SHIFT (64 - 12)

/*
 * The words, English ones first, then German, French, Spanish and Italian ones, and some Dutch,
 * Danish and Russian ones. The final period of a word is left out, and a space follows each word.
 * ASCII letters are in lower case; a word that starts with another letter is there in each case
 * that occurs. A word may be in several lists: its kinds are combined.
 */
static const struct {
    unsigned kind;
    const char *words;
} lists[] = {
    {PD_NEVER, "e.g eg i.e vs viz cf ca resp incl approx f.e "
               "z.b d.h u.a s.o s.u i.d.r bzw sog ggf evtl bspw vgl p.ej p.ex t.e bijv d.w.z ad.es "
               "bzgl ggü inkl exkl zzgl zzt geb gest hrsg c.-à-d p.es aprox cfr т.е см "},
    {PD_TITLE, "mr mrs ms mx dr drs prof profs messrs mme mmes mlle mlles sra srta dra lic avv "},
    {PD_TITLE | PD_CAPITAL,
     "gen lt sgt cpl cmdr cdr maj brig adm capt col revd rev hon sen sens rep "
     "reps gov govs pres supt det insp pvt pfc msgr mgr fr dir mt ft ste asst "
     "assoc atty attys secy ald ing hr hrn frl dipl sta srs sres dña dott.ssa "
     "prof.ssa sig.ra egr gent spett ntra gral skt "},
    {PD_TITLE, "sig dott psicol geom проф Проф акад Акад пгт им "},
    {PD_NUMBERED,
     "no nos nr nrs num n° nº núm núms p pp pg pgs pág págs fig figs tab art arts sec "
     "secs sect ch chap chaps vol vols eq eqs eqn ref refs par para paras pt pts bd abs "
     "s ziff ext rm apt bldg ver app exh reg regs cl sch stat tit fol l ll op div bk "
     "rs tel telf cra cll av avda jg abt ausg ул Ул кв Кв стр рис Рис табл гл "
     "bks bl kap abb aufl cap cir dist ser ann ex ps ff tel párrf rev ed eds inc v c lib ste "},
    {PD_ENDER, "inc ltd co corp bros cos plc llc llp jr snr jnr esq al st ave blvd hwy pkwy dept "
               "med phil jur rer nat habil kath evang hl tsd mio mrd str std av boul ud uds vd vds "
               "ee.uu rr.hh cc.aa aa.vv depto dpto adm "
               "univ assn intl natl mfg repr govt ed eds v c lib cie jh jhdt v.chr n.chr "},
    {PD_ENDER | PD_CAPITAL,
     "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur "
     "thurs fri sat sun dez jän janv févr avr juil déc ene abr ago dic "
     "lun mié jue vie sáb gen mag giu lug ott "},
    {PD_ENDER | PD_CAPITAL,
     "ala ariz ark calif colo conn del fla ga ill ind kan kans ky la md mass "
     "mich minn miss mo mont neb nebr nev okla ore pa penn penna tenn tex va vt "
     "wash wis wisc wyo ont que alta sask "},
    {PD_ENDER | PD_CAPITAL, "sr ee rd sq ln ct pl tech sci eng inst acad soc mtg comm admin trans "
                            "supp str est ges okt "},
    {PD_ETC, "etc usw etcétera ibid ff ecc u.s.w u.v.m т.д т.п "},
    {PD_CLOCK, "a.m p.m "},
    {PD_STARTER,
     "the a an it he she we they you i this that these those there here what how when "
     "where why who whose which whom if in on at as but and or nor so yet for from with "
     "by to of after before while although though since because however then thus "
     "therefore hence meanwhile moreover furthermore nevertheless instead indeed also "
     "its his her hers their our my your not no yes some many most all any each every "
     "both either neither several such until once only even perhaps maybe let let's "
     "please did do does don't is isn't are was were has have had can can't could will "
     "would should might must now another other others one two three it's he's she's "
     "i'm i've i'll i'd we're we've they're that's there's you're what's during under "
     "between among according despite unlike like without within upon through given "
     "often sometimes finally first second next later earlier recently again still "
     "just well me us them see never nothing none everyone nobody someone "
     "today yesterday tomorrow "},
    {PD_STARTER, "der die das ein eine er sie es wir ich und aber wenn dann dies diese dieser "
                 "le les il elle nous vous ils mais en ce cette el los las ella pero una un esta "},
    {PD_DATE, "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur "
              "thurs fri sat sun january february march april may june july august september "
              "october november december jan feb mar apr jun jul aug sep sept oct nov dec "
              "est edt pst pdt cst cdt mst mdt et gmt utc cet cest bst "
              "eastern pacific "
              "jahrhundert januar februar märz mai juni juli oktober dezember "},
    {PD_EXCLAIM, "yahoo jeopardy yum mamma "},
};

/*
 * An abbreviation that is not all ASCII letters ends in no more ASCII letters than this: prof.ssa,
 * etcétera.
 */
#define JOINED_LETTERS 4

/* Kinds of a word that matter to the mark after it. */
#define ABBREVIATIONS                                                                              \
    (PD_NEVER | PD_TITLE | PD_NUMBERED | PD_ENDER | PD_ETC | PD_CLOCK | PD_EXCLAIM)

/* A word in lower case, filled up with NULs, as two integers. */
struct spelling {
    uint64_t head; /* first eight bytes */
    uint64_t tail; /* last eight bytes */
};
static_assert(sizeof(struct spelling) == LONGEST + 1, "a spelling holds the longest word");

/* A hash table with open addressing, filled once by pd_lexicon_load(). */
static struct slot {
    struct spelling word;
    unsigned kind; /* bits of enum pd_lexicon; 0: the slot is free */
} slots[SLOTS];

/*
 * Two filters, indexed by the first 12 bits of a hash. They exclude most words and stay in the
 * fastest cache.
 */
static bool maybe[1 << 12];              /* an entry may have this hash */
static bool maybe_abbreviation[1 << 12]; /* the last letters of an abbreviation may have it */
static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

enum { BYTE = 8, ALL = 64 };              /* bits */
#define EACH UINT64_C(0x0101010101010101) /* the lowest bit of each of eight bytes */

/* The top bit of each byte of x whose value is `first` to `last`, inclusive; both are ASCII. */
static uint64_t in8(uint64_t x, unsigned char first, unsigned char last)
{
    const uint64_t top = EACH << 7, low = x & ~top;
    const uint64_t from_first = low + EACH * (0x80u - first);
    const uint64_t after_last = low + EACH * (0x7Fu - last);
    return from_first & ~after_last & ~x & top;
}

/* The eight bytes of x with A to Z in lower case. */
static uint64_t lower8(uint64_t x) { return x | in8(x, 'A', 'Z') >> 2; }

/*
 * The spelling of a word of n <= LONGEST bytes; `left` bytes may be read. Sixteen bytes are loaded
 * and cut by a mask, because a branch on the length could not be predicted.
 */
static struct spelling spelling_of(const unsigned char *word, size_t n, size_t left)
{
    static const unsigned char ones[2 * sizeof(struct spelling)] = {[0 ... LONGEST] = 0xFF};
    const unsigned char *const mask = ones + sizeof(struct spelling) - n;
    unsigned char copy[sizeof(struct spelling)] = {0};
    if (left < sizeof copy) /* near the end of the text */
        word = memcpy(copy, word, n);
    return (struct spelling){lower8(pd_load8(word) & pd_load8(mask)),
                             lower8(pd_load8(word + 8) & pd_load8(mask + 8))};
}

static uint64_t hash_of(struct spelling word)
{
    return word.head * SPREAD_HEAD + word.tail * SPREAD_TAIL;
}

/* The slot that holds the word, or the free one where it belongs. */
static struct slot *find_slot(struct spelling word, uint64_t hash)
{
    for (uint64_t index = hash >> SLOT_SHIFT;; index++) {
        struct slot *slot = &slots[index % SLOTS];
        if (slot->kind == 0 || (slot->word.head == word.head && slot->word.tail == word.tail))
            return slot;
    }
}

/* The ASCII letters at the end of the eight bytes of x, in lower case; *bits is 8 per letter. */
static struct spelling last_letters(uint64_t x, unsigned *bits)
{
    const uint64_t lower = x | EACH * 0x20, others = ~in8(lower, 'a', 'z') & EACH << 7;
    *bits = others == 0 ? ALL : (unsigned)__builtin_clzll(others) & ~7u;
    return (struct spelling){.head = *bits == 0 ? 0 : lower >> (ALL - *bits)};
}

/* Add the ASCII letters at the end of an abbreviation, at most eight, to maybe_abbreviation. */
static void add_abbreviation(const char *word, size_t n)
{
    unsigned char last[sizeof(uint64_t)] = {0};
    unsigned bits;
    const size_t tail_n = n < sizeof last ? n : sizeof last;
    memcpy(last + sizeof last - tail_n, word + n - tail_n, tail_n);
    const struct spelling tail = last_letters(pd_load8(last), &bits);
    PD_CHECK(bits == BYTE * n || bits <= BYTE * JOINED_LETTERS);
    maybe_abbreviation[hash_of(tail) >> MAYBE_SHIFT] = true;
}

static void fill_slots(void)
{
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const char *word = lists[k].words;
        for (const char *end; (end = strchr(word, ' ')) != NULL; word = end + 1) {
            PD_CHECK(end - word <= LONGEST);
            const size_t n = (size_t)(end - word);
            const struct spelling spelling = spelling_of((const unsigned char *)word, n, n);
            const uint64_t hash = hash_of(spelling);
            struct slot *slot = find_slot(spelling, hash);
            maybe[hash >> MAYBE_SHIFT] = true;
            if (lists[k].kind & ABBREVIATIONS)
                add_abbreviation(word, n);
            slot->word = spelling;
            slot->kind |= lists[k].kind;
        }
    }
}

void pd_lexicon_load(void) { pthread_once(&slots_once, fill_slots); }

bool pd_lexicon_lacks(const unsigned char *end)
{
    unsigned bits;
    const uint64_t x = pd_load8(end - sizeof x);
    const struct spelling tail = last_letters(x, &bits);
    const bool whole =
        (x >> ((ALL - BYTE - bits) & (ALL - 1)) & 0xFF) <= ' '; /* the letters are a whole word */
    return (whole | (bits > BYTE * JOINED_LETTERS)) &
           !maybe_abbreviation[hash_of(tail) >> MAYBE_SHIFT];
}

unsigned pd_lexicon(const unsigned char *word, size_t n, size_t left)
{
    if (n == 0 || n > LONGEST)
        return 0;
    const struct spelling spelling = spelling_of(word, n, left);
    const uint64_t hash = hash_of(spelling);
    if (!maybe[hash >> MAYBE_SHIFT])
        return 0;
    const unsigned kind = find_slot(spelling, hash)->kind;
    if ((kind & PD_CAPITAL) && !is_ascii_upper(word[0]))
        return kind & (PD_STARTER | PD_DATE | PD_EXCLAIM | PD_NUMBERED | PD_ETC);
    return kind;
}

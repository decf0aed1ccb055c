#include "lexicon.h"

#include <assert.h>
#include <endian.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "chars.h"
#include "pardup/base/error.h"

#define LONGEST 15         /* bytes of the longest entry, and some */
#define SLOTS   (1u << 11) /* about four times the entries */

/* Multiplicative hashing: odd numbers near 2^64 over the golden ratio and its square; upper bits count. */
#define SPREAD_HEAD UINT64_C(0x9E3779B97F4A7C15)
#define SPREAD_TAIL UINT64_C(0x61C8864680B583EB)
#define HASH_SHIFT  48

/* English first, then what German, French, Spanish and Dutch texts need. A word may be in several
 * lists: its kinds add up. Lower case, without the final period, a space after each. */
static const struct {
    unsigned kind;
    const char *words;
} lists[] = {
    {NEVER, "e.g eg i.e vs viz cf ca resp incl approx f.e "
            "z.b d.h u.a s.o s.u i.d.r bzw sog ggf evtl bspw vgl p.ej p.ex t.e bijv d.w.z ad.es "
            "bzgl ggü inkl exkl zzgl zzt geb gest hrsg c.-à-d p.es aprox cfr т.е см "},
    {TITLE, "mr mrs ms mx dr drs prof profs messrs mme mmes mlle mlles sra srta dra lic avv "},
    {TITLE | CAPITAL, "gen lt sgt cpl cmdr cdr maj brig adm capt col revd rev hon sen sens rep "
                      "reps gov govs pres supt det insp pvt pfc msgr mgr fr dir mt ft ste asst "
                      "assoc atty attys secy ald ing hr hrn frl dipl sta srs sres dña dott.ssa "
                      "prof.ssa sig.ra egr gent spett ntra gral skt "},
    {TITLE, "sig dott psicol geom проф Проф акад Акад пгт им "},
    {NUMBERED,
     "no nos nr nrs num n° nº núm núms p pp pg pgs pág págs fig figs tab art arts sec "
     "secs sect ch chap chaps vol vols eq eqs eqn ref refs par para paras pt pts bd abs "
     "s ziff ext rm apt bldg ver app exh reg regs cl sch stat tit fol l ll op div bk "
     "rs tel telf cra cll av avda jg abt ausg ул Ул кв Кв стр рис Рис табл гл "
     "bks bl kap abb aufl cap cir dist ser ann ex ps ff tel párrf rev ed eds inc v c lib ste "},
    {ENDER, "inc ltd co corp bros cos plc llc llp jr snr jnr esq al st ave blvd hwy pkwy dept "
            "med phil jur rer nat habil kath evang hl tsd mio mrd str std av boul ud uds vd vds "
            "ee.uu rr.hh cc.aa aa.vv depto dpto adm "
            "univ assn intl natl mfg repr govt ed eds v c lib cie jh jhdt v.chr n.chr "},
    {ENDER | CAPITAL, "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur "
                      "thurs fri sat sun dez jän janv févr avr juil déc ene abr ago dic "
                      "lun mié jue vie sáb gen mag giu lug ott "},
    {ENDER | CAPITAL, "ala ariz ark calif colo conn del fla ga ill ind kan kans ky la md mass "
                      "mich minn miss mo mont neb nebr nev okla ore pa penn penna tenn tex va vt "
                      "wash wis wisc wyo ont que alta sask "},
    {ENDER | CAPITAL, "sr ee rd sq ln ct pl tech sci eng inst acad soc mtg comm admin trans "
                      "supp str est ges okt "},
    {ETC, "etc usw etcétera ibid ff ecc u.s.w u.v.m т.д т.п "},
    {CLOCK, "a.m p.m "},
    {STARTER, "the a an it he she we they you i this that these those there here what how when "
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
    {STARTER, "der die das ein eine er sie es wir ich und aber wenn dann dies diese dieser "
              "le les il elle nous vous ils mais en ce cette el los las ella pero una un esta "},
    {DATE, "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur "
           "thurs fri sat sun january february march april may june july august september "
           "october november december jan feb mar apr jun jul aug sep sept oct nov dec "
           "est edt pst pdt cst cdt mst mdt et gmt utc cet cest bst "
           "eastern pacific "
           "jahrhundert januar februar märz mai juni juli oktober dezember "},
    {EXCLAIM, "yahoo jeopardy yum mamma "},
};

/* A word in lower case, filled up with NULs, as two integers. */
struct key {
    uint64_t head, tail;
};
static_assert(sizeof(struct key) == LONGEST + 1, "a key holds the longest word");

static struct slot {
    struct key word;
    unsigned kind;
} slots[SLOTS]; /* open addressing; written once, before the first look-up returns */
static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

static uint64_t load8(const unsigned char *s)
{
    uint64_t x;
    memcpy(&x, s, sizeof x);
    return le64toh(x);
}

static uint64_t load4(const unsigned char *s)
{
    uint32_t x;
    memcpy(&x, s, sizeof x);
    return le32toh(x);
}

/* The n bytes at s, n <= 8, the first lowest: what overlaps is read twice rather than byte by byte. */
static uint64_t load_short(const unsigned char *s, size_t n)
{
    if (n == 8)
        return load8(s);
    if (n >= 4)
        return load4(s) | load4(s + n - 4) << 8 * (n - 4);
    if (n == 0)
        return 0;
    return s[0] | (uint64_t)s[n / 2] << 8 * (n / 2) | (uint64_t)s[n - 1] << 8 * (n - 1);
}

/* Eight bytes at once: ASCII capitals in lower case. The top bit of each byte tells what it is. */
static uint64_t lower8(uint64_t x)
{
    const uint64_t each = UINT64_C(0x0101010101010101), top = each << 7;
    const uint64_t low = x & ~top;
    const uint64_t from_a = low + each * (0x80 - 'A'), behind_z = low + each * (0x7F - 'Z');
    return x | ((from_a & ~behind_z & ~x & top) >> 2);
}

static struct key key_of(const unsigned char *word, size_t n)
{
    const size_t head = n < 8 ? n : 8;
    return (struct key){lower8(load_short(word, head)), lower8(load_short(word + head, n - head))};
}

/* The slot that holds the word, or the free one where it belongs. */
static struct slot *find(struct key word)
{
    const uint64_t hash = word.head * SPREAD_HEAD + word.tail * SPREAD_TAIL;
    for (uint64_t h = hash >> HASH_SHIFT;; h++) {
        struct slot *s = &slots[h % SLOTS];
        if (s->kind == 0 || (s->word.head == word.head && s->word.tail == word.tail))
            return s;
    }
}

static void fill_slots(void)
{
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const char *p = lists[k].words;
        for (const char *end; (end = strchr(p, ' ')) != NULL; p = end + 1) {
            PD_CHECK(end - p <= LONGEST);
            const struct key word = key_of((const unsigned char *)p, (size_t)(end - p));
            struct slot *s = find(word);
            s->word = word;
            s->kind |= lists[k].kind;
        }
    }
}

unsigned pd_lexicon(const unsigned char *word, size_t n)
{
    if (n == 0 || n > LONGEST)
        return 0;
    pthread_once(&slots_once, fill_slots);
    const unsigned kind = find(key_of(word, n))->kind;
    if ((kind & CAPITAL) && !is_ascii_upper(word[0]))
        return kind & (STARTER | DATE | EXCLAIM | NUMBERED | ETC);
    return kind;
}

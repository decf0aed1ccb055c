/* page_cues.c - see page_cues.h */
#include "page_cues.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "pardup/base/error.h"

/* The groups, in the order of their bits: words with spaces between them. */
static const char *const class_groups[PD_CLASS_GROUPS] = {
    "nav navbar navigation menu menus topnav subnav megamenu dropdown submenu offcanvas drawer",
    "footer foot copyright legal colophon bottom contentinfo imprint",
    "header masthead topbar banner top",
    "sidebar side aside rail secondary complementary sidenav",
    "content contents main maincontent primary",
    "article story entry post blog news articles",
    "body text richtext prose rte copy wysiwyg paragraph markdown",
    "comment comments disqus respond discussion",
    "reply replies thread threads topic forum message messages posts answer answers question quote "
    "signature conversation",
    "related recommended recommend recommendation recommendations more popular trending latest "
    "recent similar also upsell carousel suggested teaser",
    "share sharing social facebook twitter follow linkedin pinterest whatsapp",
    "ad ads advert advertisement promo sponsor sponsored promotion dfp adsense outbrain taboola",
    "cookie cookies consent gdpr onetrust cmp privacy",
    "breadcrumb breadcrumbs crumb crumbs pagination pager paging",
    "product products sku shop price prices cart buy woocommerce purchase variant variants basket",
    "review reviews rating ratings testimonial testimonials stars",
    "author byline bio avatar user profile member username",
    "date time meta published timestamp info",
    "tag tags category categories topics taxonomy",
    "form newsletter subscribe subscription signup contact email",
    "login signin register account",
    "search filter filters facet facets sort sorting refine",
    "modal popup overlay dialog tooltip lightbox alert notice notification toast alertdialog",
    "card cards grid tile tiles list lists listing listings item items results result",
    "faq faqs accordion tab tabs panel collapse toggle",
    "hidden sr visually screen hide invisible screenreader assistive none",
    "code highlight syntax snippet api docs documentation sphinx mdx docusaurus",
    "toc tableofcontents outline onthispage",
    "caption credit figure image img photo gallery slider media video picture slide swiper",
    "title heading headline subtitle",
    "desc description summary excerpt intro lead lede abstract details specs specification",
    "button btn cta action actions link links icon",
    "widget widgets tool tools toolbar plugin module",
    "hero jumbotron",
    "section feature features pricing service services plan benefits",
};
static const char *const kind_groups[PD_KIND_GROUPS] = {
    "article newsarticle blogposting reportagenewsarticle opinionnewsarticle",
    "product offer aggregateoffer productgroup",
    "discussionforumposting qapage question answer",
    "faqpage",
    "itemlist collectionpage offercatalog",
    "techarticle apireference softwaresourcecode",
    "localbusiness service professionalservice softwareapplication webapplication",
    "discourse vbulletin phpbb xenforo mybb smf invision flarum vanilla",
    "docusaurus sphinx mkdocs gitbook mediawiki hugo jekyll readthedocs doxygen vitepress",
    "shopify woocommerce magento prestashop bigcommerce",
    "website webpage",
    "recipe event jobposting course review person howto",
};
static const char *const text_groups[PD_TEXT_GROUPS] = {
    "\xC2\xA9 copyright rights reserved impressum imprint \xE7\x89\x88\xE6\x9D\x83",
    "cookie cookies datenschutz privacy datenschutzerkl\xC3\xA4rung",
    "facebook twitter instagram linkedin whatsapp pinterest share teilen youtube tweet telegram "
    "partager compartir \xE5\x88\x86\xE4\xBA\xAB",
    "newsletter subscribe abonnieren anmelden sign signup login register registrieren abonnez",
    "comment comments kommentar kommentare reply antworten antwort leave commentaires "
    "\xE8\xAF\x84\xE8\xAE\xBA",
    "read more weiterlesen mehr continue related auch lesen similar popular beliebt",
    "january february march april may june july august september october november december jan feb "
    "mar apr jun jul aug sep sept oct nov dec januar februar m\xC3\xA4rz mai juni juli oktober "
    "dezember janvier ago uhr minutes hours days",
    "by von par posted author written updated published autor redaktion",
    "cart add buy price shipping warenkorb versand stock quantity checkout",
    "home menu search suche next previous back skip zur\xC3\xBC"
    "ck weiter top nach oben",
    "advertisement anzeige werbung sponsored publicidad",
    "terms conditions policy agb contact kontakt about careers jobs",
    "posts joined member likes views replies thread messages reactions solved",
    "photo foto image bild getty source quelle credit",
    "tags schlagworte category filed tagged kategorie topics",
};

static const struct place {
    const char *const *groups;
    uint32_t n;
    bool parts; /* words may be glued: a beginning counts, and so does each part of camelCase */
} places[] = {
    [PD_CUES_CLASS] = {class_groups, PD_CLASS_GROUPS, true},
    [PD_CUES_KIND] = {kind_groups, PD_KIND_GROUPS, false},
};

/* All words of these places by their hashes, filled at the first call. */
enum { BITS = 11, SLOTS = 1 << BITS, PART = 5 /* letters of a beginning that counts, at least */ };
static struct slot {
    uint32_t hash; /* 0: free */
    uint8_t group;
} slots[SLOTS];
/*
 * The first letters of the words that have at least PART - 1: a bit for the upper bits of their
 * hash.
 */
enum { START_BITS = 12 };
static uint64_t starts[(1 << START_BITS) / 64];

/* The words of texts: the upper bits of their hashes, and the group in the lower ones. 0: free. */
enum { TEXT_SLOTS = 1 << 11, GROUP_BITS = 4 };
static uint64_t text_slots[TEXT_SLOTS];
_Static_assert(PD_TEXT_GROUPS <= 1 << GROUP_BITS, "a group fits in the bits");

static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

static uint32_t hash_start(enum pd_cue_place place) { return 2166136261u + (uint32_t)place * 977u; }

static uint32_t hash_more(uint32_t hash, unsigned char c) { return (hash ^ c) * 16777619u; }

/* The slot of the hash, or the free one where it would be. */
static struct slot *find(uint32_t hash)
{
    uint32_t k = hash * 2654435769u >> (32 - BITS);
    while (slots[k].hash != 0 && slots[k].hash != hash)
        k = (k + 1) % SLOTS;
    return &slots[k];
}

static bool is_start(uint32_t hash)
{
    return starts[hash >> (32 - START_BITS + 6)] >> (hash >> (32 - START_BITS) & 63) & 1;
}

/* The slot of a word of texts, or the free one where it would be. */
static inline uint64_t *find_text(uint64_t hash)
{
    uint64_t k = hash % TEXT_SLOTS;
    while (text_slots[k] != 0 && (text_slots[k] ^ hash) >> GROUP_BITS != 0)
        k = (k + 1) % TEXT_SLOTS;
    return &text_slots[k];
}

static void fill_text_slots(void)
{
    for (unsigned group = 0; group < PD_TEXT_GROUPS; group++) {
        const char *const s = text_groups[group];
        struct pd_page_text text;
        pd_page_text_read(&text, (const unsigned char *)s, strlen(s));
        struct pd_page_words w = pd_page_words_of(&text, 0, text.n, false);
        while (pd_page_words_next(&w)) {
            const uint64_t hash = pd_page_word_hash(text.lower + w.from, w.to - w.from);
            uint64_t *slot = find_text(hash);
            PD_CHECK(*slot == 0); /* the word is in two groups */
            *slot = (hash >> GROUP_BITS << GROUP_BITS) + group;
        }
        pd_page_text_release(&text);
    }
}

static void fill_slots(void)
{
    fill_text_slots();
    for (unsigned place = 0; place < sizeof places / sizeof *places; place++)
        for (uint32_t group = 0; group < places[place].n; group++) {
            uint32_t hash = hash_start(place);
            unsigned letters = 0;
            for (const char *s = places[place].groups[group];; s++) {
                if (*s != ' ' && *s != '\0') {
                    hash = hash_more(hash, (unsigned char)*s);
                    if (++letters == PART - 1)
                        starts[hash >> (32 - START_BITS + 6)] |=
                            UINT64_C(1) << (hash >> (32 - START_BITS) & 63);
                    continue;
                }
                letters = 0;
                struct slot *slot = find(hash);
                PD_CHECK(slot->hash == 0); /* the word is in two groups, or two hashes are equal */
                *slot = (struct slot){hash, (uint8_t)group};
                hash = hash_start(place);
                if (*s == '\0')
                    break;
            }
        }
}

static bool is_upper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
static bool is_part(unsigned char c)
{
    return c >= 0x80 || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

uint64_t pd_page_cues(enum pd_cue_place place, const unsigned char *s, size_t n)
{
    pthread_once(&slots_once, fill_slots);
    const bool parts = places[place].parts;
    uint64_t mask = 0;
    for (size_t i = 0; i < n;) {
        if (!is_part(s[i])) {
            i++;
            continue;
        }
        uint32_t hash = hash_start(place);
        uint64_t beginning = 0;
        const struct slot *slot = NULL;
        bool known = true; /* the letters so far begin a word of a group */
        for (size_t begin = i; i < n && is_part(s[i]); i++) {
            if (parts && i > begin && is_upper(s[i]) && !is_upper(s[i - 1]))
                break;
            hash = hash_more(hash, is_upper(s[i]) ? s[i] | 0x20 : s[i]);
            const size_t letters = i - begin + 1;
            if (letters == PART - 1)
                known = is_start(hash);
            const bool whole = i + 1 == n || !is_part(s[i + 1]);
            if (!known || (!whole && !(parts && letters >= PART - 1)))
                continue;
            slot = find(hash);
            if (slot->hash != 0)
                beginning = UINT64_C(1) << slot->group;
        }
        mask |= beginning;
    }
    return mask;
}

uint64_t pd_text_cues(const struct pd_page_text *text, size_t begin, size_t end)
{
    pthread_once(&slots_once, fill_slots);
    uint64_t mask = 0;
    struct pd_page_words w = pd_page_words_of(text, begin, end, false);
    while (pd_page_words_next(&w)) {
        const uint64_t slot = *find_text(pd_page_word_hash(text->lower + w.from, w.to - w.from));
        mask |= slot != 0 ? UINT64_C(1) << slot % (1 << GROUP_BITS) : 0;
    }
    return mask;
}

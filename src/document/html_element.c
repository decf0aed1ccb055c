/* html_element.c - see src/document/html_element.h */
#include "html_element.h"

#include <pthread.h>
#include <string.h>

#include "pardup/base/error.h"

enum {
    BLOCK = PD_EL_BLOCK,
    PRE = PD_EL_BLOCK | PD_EL_PRE,
    RAW_PRE = PRE | PD_EL_RAW,
    DROP = PD_EL_RAW | PD_EL_DROP,
    FURNITURE = PD_EL_BLOCK | PD_EL_FURNITURE,
};

/* clang-format off */
static const struct pd_element elements[] = {
    {"address", BLOCK}, {"article", BLOCK}, {"aside", FURNITURE}, {"br", PD_EL_LINE},
    {"blockquote", BLOCK}, {"body", BLOCK}, {"button", FURNITURE}, {"center", BLOCK},
    {"caption", BLOCK}, {"col", BLOCK}, {"colgroup", BLOCK}, {"div", BLOCK}, {"dd", BLOCK},
    {"dt", BLOCK}, {"dl", BLOCK}, {"details", BLOCK}, {"dialog", BLOCK}, {"dir", BLOCK},
    {"desc", PD_EL_DESC}, {"form", BLOCK}, {"fieldset", BLOCK}, {"figcaption", BLOCK},
    {"figure", BLOCK}, {"footer", FURNITURE}, {"frameset", BLOCK}, {"h1", BLOCK}, {"h2", BLOCK},
    {"h3", BLOCK}, {"h4", BLOCK}, {"h5", BLOCK}, {"h6", BLOCK}, {"hr", BLOCK}, {"head", BLOCK},
    {"header", BLOCK}, {"hgroup", BLOCK}, {"html", BLOCK}, {"iframe", DROP}, {"li", BLOCK},
    {"legend", BLOCK}, {"listing", PRE}, {"main", BLOCK}, {"menu", BLOCK}, {"math", PD_EL_FOREIGN},
    {"nav", FURNITURE}, {"noembed", DROP}, {"noframes", DROP}, {"noscript", DROP}, {"ol", BLOCK},
    {"option", BLOCK}, {"optgroup", BLOCK}, {"p", BLOCK}, {"pre", PRE},
    {"plaintext", RAW_PRE | PD_EL_ENDLESS}, {"script", DROP | PD_EL_SCRIPT}, {"section", BLOCK},
    {"select", FURNITURE}, {"style", DROP}, {"summary", BLOCK}, {"svg", PD_EL_FOREIGN},
    {"td", BLOCK}, {"tr", BLOCK}, {"th", BLOCK}, {"table", BLOCK}, {"tbody", BLOCK},
    {"thead", BLOCK}, {"tfoot", BLOCK}, {"title", DROP | PD_EL_REFERENCES},
    {"template", PD_EL_TEMPLATE}, {"textarea", RAW_PRE | PD_EL_REFERENCES}, {"ul", BLOCK},
    {"video", BLOCK}, {"xmp", RAW_PRE},
    {"rt", PD_EL_READING}, {"rp", PD_EL_READING}, {"rtc", PD_EL_READING}, {"rb", PD_EL_RUBY},
    {"ruby", PD_EL_RUBY},
};
/* clang-format on */

static struct pd_element_slot slots[PD_ELEMENT_SLOTS]; /* filled by fill_slots(), then constant */
static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

struct pd_tag_name pd_element_name(const char *name)
{
    unsigned char bytes[PD_TAG_NAME] = {0};
    struct pd_tag_name key;
    memcpy(bytes, name, strlen(name));
    memcpy(&key, bytes, sizeof key);
    return key;
}

static void fill_slots(void)
{
    for (size_t k = 0; k < sizeof elements / sizeof *elements; k++) {
        const struct pd_tag_name name = pd_element_name(elements[k].name);
        struct pd_element_slot *s = &slots[pd_element_slot(&name)];
        PD_CHECK(s->name.head == 0); /* a collision: find another PD_ELEMENT_SPREAD */
        *s = (struct pd_element_slot){name, elements[k]};
    }
}

const struct pd_element_slot *pd_element_slots(void)
{
    pthread_once(&slots_once, fill_slots);
    return slots;
}

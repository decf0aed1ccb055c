/* html_element.c - see src/document/html/html_element.h */
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
    {"a", PD_EL_NOTED, PD_TAG_NONE}, {"address", BLOCK, PD_TAG_BLOCK}, {"article", BLOCK, PD_TAG_ARTICLE},
    {"aside", FURNITURE, PD_TAG_ASIDE}, {"br", PD_EL_LINE, PD_TAG_NONE},
    {"blockquote", BLOCK, PD_TAG_QUOTE}, {"body", BLOCK, PD_TAG_BODY},
    {"button", FURNITURE, PD_TAG_BUTTON}, {"center", BLOCK, PD_TAG_BLOCK},
    {"caption", BLOCK, PD_TAG_CAPTION}, {"col", BLOCK, PD_TAG_NONE},
    {"colgroup", BLOCK, PD_TAG_NONE}, {"div", BLOCK, PD_TAG_DIV}, {"dd", BLOCK, PD_TAG_TERM},
    {"dt", BLOCK, PD_TAG_TERM}, {"dl", BLOCK, PD_TAG_TERMS}, {"details", BLOCK, PD_TAG_DETAILS},
    {"dialog", BLOCK, PD_TAG_DIALOG}, {"dir", BLOCK, PD_TAG_LIST},
    {"desc", PD_EL_DESC, PD_TAG_NONE}, {"annotation", PD_EL_DESC, PD_TAG_NONE}, {"form", BLOCK, PD_TAG_FORM},
    {"fieldset", BLOCK, PD_TAG_BLOCK}, {"figcaption", BLOCK, PD_TAG_CAPTION},
    {"figure", BLOCK, PD_TAG_FIGURE}, {"footer", FURNITURE, PD_TAG_FOOTER},
    {"frameset", BLOCK, PD_TAG_BLOCK}, {"h1", BLOCK, PD_TAG_H1}, {"h2", BLOCK, PD_TAG_H2},
    {"h3", BLOCK, PD_TAG_H3}, {"h4", BLOCK, PD_TAG_H4}, {"h5", BLOCK, PD_TAG_H5},
    {"h6", BLOCK, PD_TAG_H6}, {"hr", BLOCK, PD_TAG_NONE}, {"head", BLOCK, PD_TAG_HEAD},
    {"header", BLOCK, PD_TAG_HEADER}, {"hgroup", BLOCK, PD_TAG_BLOCK}, {"html", BLOCK, PD_TAG_ROOT},
    {"iframe", DROP, PD_TAG_NONE}, {"li", BLOCK, PD_TAG_ITEM}, {"legend", BLOCK, PD_TAG_LABEL},
    {"listing", PRE, PD_TAG_PRE}, {"main", BLOCK, PD_TAG_MAIN}, {"menu", BLOCK, PD_TAG_LIST},
    {"math", PD_EL_FOREIGN, PD_TAG_NONE}, {"nav", FURNITURE, PD_TAG_NAV},
    {"noembed", DROP, PD_TAG_NONE}, {"noframes", DROP | PD_EL_NOSCRIPT, PD_TAG_NONE},
    {"noscript", DROP | PD_EL_NOSCRIPT, PD_TAG_NONE}, {"ol", BLOCK, PD_TAG_LIST},
    {"option", BLOCK, PD_TAG_OPTION}, {"optgroup", BLOCK, PD_TAG_BLOCK}, {"p", BLOCK, PD_TAG_P},
    {"pre", PRE, PD_TAG_PRE}, {"plaintext", RAW_PRE | PD_EL_ENDLESS, PD_TAG_BLOCK},
    {"script", DROP | PD_EL_SCRIPT, PD_TAG_SCRIPT}, {"section", BLOCK, PD_TAG_SECTION},
    {"select", FURNITURE, PD_TAG_SELECT}, {"style", DROP, PD_TAG_NONE},
    {"summary", BLOCK, PD_TAG_SUMMARY}, {"svg", PD_EL_FOREIGN, PD_TAG_NONE},
    {"td", BLOCK, PD_TAG_CELL}, {"tr", BLOCK, PD_TAG_ROW}, {"th", BLOCK, PD_TAG_CELL},
    {"table", BLOCK, PD_TAG_TABLE}, {"tbody", BLOCK, PD_TAG_NONE}, {"thead", BLOCK, PD_TAG_NONE},
    {"tfoot", BLOCK, PD_TAG_NONE}, {"title", DROP | PD_EL_REFERENCES, PD_TAG_NONE},
    {"template", PD_EL_TEMPLATE, PD_TAG_NONE},
    {"textarea", RAW_PRE | PD_EL_REFERENCES, PD_TAG_BLOCK}, {"ul", BLOCK, PD_TAG_LIST},
    {"video", BLOCK, PD_TAG_NONE}, {"xmp", RAW_PRE, PD_TAG_PRE}, {"rt", PD_EL_READING, PD_TAG_NONE},
    {"rp", PD_EL_READING, PD_TAG_NONE}, {"rtc", PD_EL_READING, PD_TAG_NONE},
    {"rb", PD_EL_RUBY, PD_TAG_NONE}, {"ruby", PD_EL_RUBY, PD_TAG_NONE}, {"img", 0, PD_TAG_IMAGE},
    {"input", 0, PD_TAG_INPUT}, {"time", 0, PD_TAG_TIME}, {"meta", 0, PD_TAG_META},
    {"label", 0, PD_TAG_LABEL},
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
        s->element.flags |= elements[k].tag != PD_TAG_NONE ? PD_EL_NOTED : 0;
    }
}

const struct pd_element_slot *pd_element_slots(void)
{
    pthread_once(&slots_once, fill_slots);
    return slots;
}

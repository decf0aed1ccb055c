/* html_element.c - see include/pardup/document/html_element.h */
#include "pardup/document/html_element.h"

#include <string.h>

enum {
    BLOCK = PD_EL_BLOCK,
    PRE = PD_EL_BLOCK | PD_EL_PRE,
    RAW_PRE = PRE | PD_EL_RAW,
    DROP = PD_EL_RAW | PD_EL_DROP,
    FURNITURE = PD_EL_BLOCK | PD_EL_FURNITURE,
    LETTERS = 26
};

/* One row per first letter, so that a look-up compares a handful of names. */
/* clang-format off */
#define ROW(...) (const struct pd_element[]){__VA_ARGS__, {"", 0}}
static const struct pd_element *const rows[LETTERS] = {
    ['a' - 'a'] = ROW({"address", BLOCK}, {"article", BLOCK}, {"aside", FURNITURE}),
    ['b' - 'a'] = ROW({"br", PD_EL_LINE}, {"blockquote", BLOCK}, {"body", BLOCK},
                      {"button", FURNITURE}),
    ['c' - 'a'] = ROW({"center", BLOCK}, {"caption", BLOCK}, {"col", BLOCK}, {"colgroup", BLOCK}),
    ['d' - 'a'] = ROW({"div", BLOCK}, {"dd", BLOCK}, {"dt", BLOCK}, {"dl", BLOCK},
                      {"details", BLOCK}, {"dialog", BLOCK}, {"dir", BLOCK}, {"desc", PD_EL_DESC}),
    ['f' - 'a'] = ROW({"form", BLOCK}, {"fieldset", BLOCK}, {"figcaption", BLOCK},
                      {"figure", BLOCK}, {"footer", FURNITURE}, {"frameset", BLOCK}),
    ['h' - 'a'] = ROW({"h1", BLOCK}, {"h2", BLOCK}, {"h3", BLOCK}, {"h4", BLOCK}, {"h5", BLOCK},
                      {"h6", BLOCK}, {"hr", BLOCK}, {"head", BLOCK}, {"header", BLOCK},
                      {"hgroup", BLOCK}, {"html", BLOCK}),
    ['i' - 'a'] = ROW({"iframe", DROP}),
    ['l' - 'a'] = ROW({"li", BLOCK}, {"legend", BLOCK}, {"listing", PRE}),
    ['m' - 'a'] = ROW({"main", BLOCK}, {"menu", BLOCK}, {"math", PD_EL_FOREIGN}),
    ['n' - 'a'] = ROW({"nav", FURNITURE}, {"noembed", DROP}, {"noframes", DROP}, {"noscript", DROP}),
    ['o' - 'a'] = ROW({"ol", BLOCK}, {"option", BLOCK}, {"optgroup", BLOCK}),
    ['p' - 'a'] = ROW({"p", BLOCK}, {"pre", PRE}, {"plaintext", RAW_PRE | PD_EL_ENDLESS}),
    ['s' - 'a'] = ROW({"script", DROP | PD_EL_SCRIPT}, {"section", BLOCK}, {"select", FURNITURE},
                      {"style", DROP}, {"summary", BLOCK}, {"svg", PD_EL_FOREIGN}),
    ['t' - 'a'] = ROW({"td", BLOCK}, {"tr", BLOCK}, {"th", BLOCK}, {"table", BLOCK},
                      {"tbody", BLOCK}, {"thead", BLOCK}, {"tfoot", BLOCK},
                      {"title", DROP | PD_EL_REFERENCES}, {"template", PD_EL_TEMPLATE},
                      {"textarea", RAW_PRE | PD_EL_REFERENCES}),
    ['u' - 'a'] = ROW({"ul", BLOCK}),
    ['v' - 'a'] = ROW({"video", BLOCK}),
    ['x' - 'a'] = ROW({"xmp", RAW_PRE}),
};
#undef ROW
/* clang-format on */

const struct pd_element *pd_element_find(const char name[PD_ELEMENT_NAME])
{
    const unsigned letter = (unsigned char)name[0] - 'a';
    const struct pd_element *e = letter < LETTERS ? rows[letter] : NULL;
    for (; e && e->name[0]; e++) {
        if (memcmp(e->name, name, PD_ELEMENT_NAME) == 0)
            return e;
    }
    return NULL;
}

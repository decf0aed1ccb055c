/* run/preset.c - see src/run/preset.h */
#include "preset.h"

#include <stdio.h>

#include "pardup/base/numbers.h"

/*
 * Most pages that are compared like texts. Whoever gives two pages wants all that they share, and
 * does not mind their menus.
 */
static const double few_pages = 20;

/*
 * Words of the largest collection of texts that is compared gram by gram, which takes about five
 * times as long as sentence by sentence.
 */
static const double words_most = 1e9;

/*
 * Bytes of text for each word below which words are single characters: a Chinese character takes
 * three bytes, an English word about six with the blank behind it. A short word says less, so a
 * passage has to have more of them.
 */
static const double bytes_of_word = 4.5;

enum pd_preset pd_preset_for(const struct pd_totals *t, double share, char why[PD_PRESET_WHY])
{
    const double words = (double)t->words / share;
    const unsigned long long documents = t->documents, pages = t->pages;
    if (2 * pages > documents && (double)documents / share > few_pages) {
        snprintf(why, PD_PRESET_WHY, "%s of %s documents are web pages", pd_grouped(pages),
                 pd_grouped(documents));
        return PD_PRESET_WEB;
    }
    if (words > words_most) {
        snprintf(why, PD_PRESET_WHY, "%.0f million words are too many for the preset texts",
                 words / 1e6);
        return PD_PRESET_WEB;
    }
    const double bytes = (double)t->text_bytes / (double)(t->words ? t->words : 1);
    if (bytes < bytes_of_word) {
        snprintf(why, PD_PRESET_WHY, "texts with %.1f bytes a word, as in Chinese or Japanese",
                 bytes);
        return PD_PRESET_CHARACTERS;
    }
    if (2 * pages > documents)
        snprintf(why, PD_PRESET_WHY, "only %llu documents", documents);
    else
        snprintf(why, PD_PRESET_WHY, "%s of %s documents are texts, not web pages",
                 pd_grouped(documents - pages), pd_grouped(documents));
    return PD_PRESET_TEXTS;
}

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
 * Words of the largest collection of texts in which edited copies are looked for as well. That takes
 * 2.5 to 3.4 times as long as the preset texts, and more memory.
 */
static const double edited_most = 2e7;

/*
 * Share of the words above which a collection is compared as text whose words are single characters,
 * as in Chinese or Thai. Such a word says less, so a passage has to have more of them.
 */
static const double single_most = 0.5;

/* Share of such words, or of others, from which the reason names a mixed collection. */
static const double single_told = 0.1;

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
    const double single = t->words ? (double)t->single_words / (double)t->words : 0;
    const bool mixed = single >= single_told && single <= 1 - single_told;
    if (single > single_most) {
        snprintf(why, PD_PRESET_WHY,
                 "%s of the words are single characters, as in Chinese or Thai%s",
                 pd_share_of(t->single_words, t->words),
                 mixed ? "; the preset texts suits the others" : "");
        return PD_PRESET_CHARACTERS;
    }
    if (t->words == 0)
        snprintf(why, PD_PRESET_WHY, "no document has text");
    else if (mixed)
        snprintf(why, PD_PRESET_WHY,
                 "%s of the words are single characters, as in Chinese or Thai, which the preset "
                 "characters suits",
                 pd_share_of(t->single_words, t->words));
    else if (2 * pages > documents)
        snprintf(why, PD_PRESET_WHY, "only %llu documents", documents);
    else
        snprintf(why, PD_PRESET_WHY, "%s of %s documents are texts, not web pages",
                 pd_grouped(documents - pages), pd_grouped(documents));
    return words > edited_most ? PD_PRESET_TEXTS : PD_PRESET_EDITED;
}

/* run/stage/preset.c - see src/run/stage/preset.h */
#include "preset.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "pardup/base/numbers.h"

/*
 * Most pages or letters that are compared like other texts. Whoever gives two pages wants all that
 * they share, and does not mind their menus.
 */
static const double few = 20;

/*
 * Words of the largest collection of texts that is compared gram by gram, which takes about five
 * times as long as sentence by sentence.
 */
static const double words_most = 1e9;

/*
 * Words of the largest collection of texts in which edited copies are looked for as well. That
 * takes 1.9 to 3.1 times as long as the preset texts, and more memory.
 */
static const double edited_most = 2e7;

/*
 * Share of the words above which a collection is compared as text whose words are single
 * characters, as in Chinese or Thai. Such a word says less, so a passage has to have more of them;
 * other words count as what they say (--char-ngram).
 */
static const double single_most = 0.5;

/* Share of such words from which the reason names a mixed collection. */
static const double single_told = 0.1;

/* What the names of program text end in: languages whose comments document/code.h knows. */
static const char *const endings[] = {
    "c",   "h",   "cc",  "cpp", "cxx", "hh",  "hpp", "hxx", "cs",   "java",  "kt",   "scala",
    "go",  "rs",  "m",   "mm",  "js",  "ts",  "mjs", "jsx", "tsx",  "swift", "dart", "groovy",
    "py",  "rb",  "pl",  "pm",  "php", "r",   "jl",  "sh",  "bash", "awk",   "tcl",  "ex",
    "exs", "ps1", "lua", "hs",  "sql", "adb", "ads", "vhd", "cu",   "zig",   "v",    "nim"};

/* Does a file begin with "#!"? A pipe is not looked into: what is read of it is gone. */
static bool is_script(const char *path)
{
    struct stat st;
    char mark[2];
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    FILE *f = fopen(path, "re");
    const bool script = f && fread(mark, sizeof mark, 1, f) == 1 && memcmp(mark, "#!", 2) == 0;
    if (f)
        fclose(f);
    return script;
}

bool pd_preset_is_code(const struct pd_files *files)
{
    enum { SCRIPTS = 1000 }; /* files without an ending that are looked at */
    size_t code = 0, looks = 0;
    for (size_t k = 0; k < files->n; k++) {
        const char *path = files->v[k].path, *slash = strrchr(path, '/');
        const char *ending = strrchr(slash ? slash : path, '.');
        if (!ending && looks < SCRIPTS) {
            looks++;
            code += is_script(path);
        }
        for (size_t e = 0; ending && e < sizeof endings / sizeof *endings; e++)
            code += strcasecmp(ending + 1, endings[e]) == 0;
    }
    return 2 * code > files->n;
}

bool pd_preset_for_letters(const struct pd_totals *t, double share)
{
    return 2 * pd_letters_in(t) > t->documents && (double)t->documents / share > few;
}

enum pd_preset pd_preset_for(const struct pd_totals *t, double share, enum pd_words_kind kind,
                             char why[PD_PRESET_WHY])
{
    const double words = (double)t->words / share;
    const unsigned long long documents = t->documents, pages = t->pages;
    if (kind == PD_WORDS_CODE) {
        snprintf(why, PD_PRESET_WHY, "most files are program text");
        return PD_PRESET_CODE;
    }
    const double single = t->words ? (double)t->single_words / (double)t->words : 0;
    if (2 * pages > documents && (double)documents / share > few) {
        snprintf(why, PD_PRESET_WHY, "%s of %s documents are web pages or have a web address",
                 pd_grouped(pages), pd_grouped(documents));
        return PD_PRESET_WEB;
    }
    if (words > words_most) {
        snprintf(why, PD_PRESET_WHY, "%.0f million words are too many for the preset texts",
                 words / 1e6);
        return PD_PRESET_WEB;
    }
    if (single > single_most) {
        snprintf(why, PD_PRESET_WHY, "%s of the words are single characters, as in Chinese or Thai",
                 pd_share_of(t->single_words, t->words));
        return PD_PRESET_CHARACTERS;
    }
    if (t->words == 0)
        snprintf(why, PD_PRESET_WHY, "no document has text");
    else if (single >= single_told)
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

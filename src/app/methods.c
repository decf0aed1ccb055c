/* app/methods.c - see src/app/methods.h */
#include "methods.h"

#include <string.h>

enum { SETTINGS_MOST = 48 }; /* names and values in a row, with the NULL behind them */

/* A row sets only options whose value differs from the default of the option table. */
static const struct method {
    const char *name, *settings[SETTINGS_MOST];
} methods[] = {
    /* clang-format off */
    {"pdc-imatch",      {NULL}},
    {"pdc-shingle2",    {"feature", "shingle", "ngram", "2", "join", "jaccard", NULL}},
    {"pdc-shingle3",    {"feature", "shingle", "ngram", "3", "join", "jaccard", NULL}},
    {"pdc-shingle4",    {"feature", "shingle", "ngram", "4", "join", "jaccard", NULL}},
    {"pdc-spotsigs",    {"feature", "spot", "join", "jaccard", NULL}},
    {"yoon",            {"feature", "bag", "idf", "0,1", "max-word-df", "0.6", "gamma", "0",
                         "delta", "3", "max-df", "300", "max-df-of", "times", NULL}},
    {"qsign-exact",     {"join", "overlap", "idf", "0,1", "tau", "0.6", "gamma", "0",
                         "theta-d", "5", NULL}},
    {"qsign-index",     {"join", "index", "idf", "0,1", "tau", "0.6", "gamma", "0",
                         "theta-d", "5", NULL}},
    {"qsign-lsh",       {"join", "lsh", "sketch", "minhash", "idf", "0,1", "tau", "0.6",
                         "gamma", "0", "theta-d", "5", NULL}},
    {"sentence-fp",     {"units", "clause", "feature", "sequence", "gamma", "0", NULL}},
    {"sentence-fp-sd",  {"units", "stop", "feature", "sequence", "gamma", "0", NULL}},
    {"sentence-length", {"units", "clause", "window", "10,1", "feature", "lengths", "gamma", "0",
                         NULL}},
    {"full-fp",         {"units", "gram", "ngram", "6", "feature", "sequence", "gamma", "0", NULL}},
    {"imatch-doc",      {"units", "document", "gamma", "0", NULL}},
    {"spotsigs-doc",    {"units", "document", "feature", "spot", "antecedents", "5",
                         "join", "jaccard", "tau", "0.44", "gamma", "0", NULL}},
    {"nikkhoo",         {"units", "document", "feature", "bytes", "join", "jaccard", "tau", "0",
                         "gamma", "0", NULL}},
    {"edited",          {"units", "gram", "ngram", "1", "feature", "pairs", "gamma", "2",
                         "gap", "60", "max-repeats", "1", "repeats", "first",
                         "max-df", "50", "refine", "words",
                         "reach", "4", "rare", "0.0003",
                         "edges", "far", NULL}},
    /* clang-format on */
};

/* One passage for one copied place, and no copy lost. */
#define PRESET_PASSAGES "passages", "best", "common", "first", "copies", "report"

/* Runs of words that are equal, over gaps, with ends as far as words agree. */
#define PRESET_RUNS  PRESET_PASSAGES, "method", "full-fp", "edges", "far", "min-agreement", "0.6"
#define PRESET_GRAMS PRESET_RUNS, "max-repeats", "16", "repeats", "first"

static const char *const presets[PD_PRESETS][SETTINGS_MOST] = {
    /* clang-format off */
    /* What a page itself says, by winnowed runs of words. A run that stands in a page more than four
       times is a label, and a text that many pages have is told once a page, not once a pair. */
    [PD_PRESET_WEB] = {PRESET_RUNS, "ngram", "3", "char-ngram", "5", "winnow", "4", "gamma", "3",
                       "gap", "20", "delta", "6", "min-words", "8", "frame", "aside", "templates",
                       "aside", "max-df", "10", "max-repeats", "4", "min-copy-words", "10",
                       "min-copy-agreement", "0.6", "min-passage-words", "10", NULL},
    [PD_PRESET_TEXTS] = {PRESET_GRAMS, "ngram", "5", "gamma", "3", "gap", "20",
                         "min-passage-words", "10", NULL},
    [PD_PRESET_CHARACTERS] = {PRESET_GRAMS, "ngram", "5", "char-ngram", "8", "gamma", "8", "gap", "30",
                              "min-passage-words", "16", NULL},
    [PD_PRESET_CODE] = {PRESET_GRAMS, "words", "code", "ngram", "5", "gamma", "1", "gap", "10",
                        "common", "aside", "max-df", "60", "min-passage-words", "8", NULL},
    [PD_PRESET_EDITED] = {"method", "edited", "common", "first", "copies", "report", NULL},
    /* what `auto` changes in `edited`: a tenth of the rare words is enough for most copies, and texts
       that up to a hundred documents have are compared, such as variants of licences */
    [PD_PRESET_AUTO] = {"rare", "0.00003", "max-df", "100", NULL},
    [PD_PRESET_PAPER] = {"always-df", "0", "max-df", "0", "edges", "sentence", NULL},
    /* clang-format on */
};
enum { NMETHODS = sizeof methods / sizeof methods[0] };

/* The parameters of a method: of its units, its feature and its join, and of every method. */
static const struct owner {
    const char *part, *value; /* NULL: the parameters of every method */
    const char *parameters;   /* names of options, separated by blanks */
} owners[] = {
    {"units", "gram", "ngram char-ngram winnow sample"},
    {"feature", "words", "idf always-df max-word-df min-counted lexicons empty"},
    {"feature", "multiset", "idf always-df max-word-df min-counted"},
    {"feature", "bag", "idf always-df max-word-df min-counted"},
    {"feature", "sequence", "ngram char-ngram winnow"},
    {"feature", "shingle", "ngram"},
    {"feature", "bytes", "shingle-bytes shingle-blanks sample"},
    {"feature", "spot", "antecedents stop-words spot-distance spot-chain"},
    {"feature", "pairs", "reach rare"},
    {"join", "jaccard", "tau sct max-near"},
    {"join", "overlap", "tau sct max-near"},
    {"join", "index", "tau"},
    {"join", "lsh", "tau max-near tables sketch rows bits word-bits diffbit"},
    {NULL, NULL,
     "units feature join window jump theta-d delta refine min-words max-repeats repeats max-df-of "
     "within "
     "common copies min-copy-words min-copy-agreement"},
};
enum { NOWNERS = sizeof owners / sizeof owners[0] };

static const struct method *method_of(const char *called)
{
    const size_t n = strcspn(called, ":");
    for (int k = 0; k < NMETHODS; k++)
        if (strlen(methods[k].name) == n && strncmp(methods[k].name, called, n) == 0)
            return &methods[k];
    return NULL;
}

const char *const *pd_method_settings(const char *called)
{
    const struct method *m = method_of(called);
    return m ? m->settings : NULL;
}

const char *pd_method_name(const char *called)
{
    const struct method *m = method_of(called);
    return m ? m->name : called;
}

const char *pd_method_value(const char *called, const struct pd_option *option)
{
    const struct method *m = method_of(called);
    for (const char *const *s = m ? m->settings : NULL; s && *s; s += 2)
        if (strcmp(s[0], option->name) == 0)
            return s[1];
    return option->standard;
}

/* Has the method this value of --units, --feature or --join? */
static bool has_part(const char *called, const struct owner *o)
{
    const struct pd_option *option = pd_option_find("detect", o->part, strlen(o->part));
    return strcmp(pd_method_value(called, option), o->value) == 0;
}

bool pd_method_has(const char *called, const char *parameter, bool own)
{
    const struct method *m = method_of(called);
    for (int k = 0; k < NOWNERS; k++) {
        const struct owner *o = &owners[k];
        if (pd_listed(o->parameters, parameter) && (o->part ? !m || has_part(called, o) : !own))
            return true;
    }
    return false;
}

bool pd_method_decides(const struct pd_option *option)
{
    return strcmp(option->name, "method") == 0 ||
           (pd_method_has("", option->name, false) &&
            !pd_listed(
                "always-df min-counted max-near max-df-of within min-words max-repeats repeats "
                "common copies min-copy-words min-copy-agreement",
                option->name));
}

const char *const *pd_preset_settings(enum pd_preset preset) { return presets[preset]; }

const char *pd_method_names(void)
{
    static char names[NMETHODS * 24];
    names[0] = '\0';
    for (int k = 0; k < NMETHODS; k++) {
        strcat(names, k ? " " : "");
        strcat(names, methods[k].name);
    }
    return names;
}

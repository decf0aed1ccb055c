/* feature/stopwords.c - see include/pardup/feature/stopwords.h */
#include "pardup/feature/stopwords.h"

static const char *const english[] = {
    /* begin of the list: tests read the quoted words from here to the end of the list */
    "a",         "about",     "above",   "across",   "after",   "again",      "against",
    "all",       "along",     "also",    "although", "am",      "among",      "an",
    "and",       "another",   "any",     "are",      "aren't",  "around",     "as",
    "at",        "be",        "because", "been",     "before",  "behind",     "being",
    "below",     "beside",    "besides", "between",  "beyond",  "both",       "but",
    "by",        "can",       "can't",   "cannot",   "could",   "couldn't",   "despite",
    "did",       "didn't",    "do",      "does",     "doesn't", "doing",      "don't",
    "done",      "down",      "during",  "each",     "either",  "even",       "ever",
    "every",     "except",    "few",     "for",      "from",    "further",    "had",
    "hadn't",    "has",       "hasn't",  "have",     "haven't", "having",     "he",
    "he's",      "her",       "here",    "hers",     "herself", "him",        "himself",
    "his",       "how",       "i",       "i'd",      "i'll",    "i'm",        "i've",
    "if",        "in",        "inside",  "into",     "is",      "isn't",      "it",
    "it's",      "its",       "itself",  "just",     "less",    "like",       "many",
    "may",       "me",        "might",   "mine",     "more",    "most",       "much",
    "must",      "my",        "myself",  "near",     "neither", "never",      "no",
    "none",      "nor",       "not",     "of",       "off",     "on",         "once",
    "one",       "only",      "onto",    "or",       "other",   "ought",      "our",
    "ours",      "ourselves", "out",     "outside",  "over",    "own",        "past",
    "per",       "same",      "shall",   "she",      "she's",   "should",     "shouldn't",
    "since",     "so",        "some",    "still",    "such",    "than",       "that",
    "that's",    "the",       "their",   "theirs",   "them",    "themselves", "then",
    "there",     "there's",   "these",   "they",     "they're", "they've",    "this",
    "those",     "though",    "through", "till",     "to",      "too",        "toward",
    "towards",   "under",     "unless",  "until",    "up",      "upon",       "us",
    "very",      "via",       "was",     "wasn't",   "we",      "we're",      "we've",
    "were",      "weren't",   "what",    "when",     "where",   "whereas",    "whether",
    "which",     "while",     "who",     "whom",     "whose",   "why",        "will",
    "with",      "within",    "without", "won't",    "would",   "wouldn't",   "yet",
    "you",       "you'll",    "you're",  "you've",   "your",    "yours",      "yourself",
    "yourselves"
    /* end of the list */
};

const char *const *pd_stopwords_english(size_t *n)
{
    *n = sizeof english / sizeof *english;
    return english;
}

/*
 * tests/stage/test_run_classes.c - count and gather, beside slow code: which words count, which
 * flags they get, which units are one class, and which units are common or recur.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/sort.h"
#include "pardup/feature/signer.h"
#include "pardup/index/sections.h"
#include "pardup/join/classes.h"
#include "pd_random.h"
#include "run/job/index/sources.h"
#include "run/stage/classes/background.h"
#include "run/stage/collection/site.h"
#include "stage.h"

enum { WORDS_MOST = 64, UNITS_MOST = 4096 };

/* ---- a slow definition of the words that count ---- */

/* What the options of a case say about words. */
struct words_rule {
    double lo, hi, max_share;
    uint32_t always;
};

static bool counts(const struct stage_docs *d, uint32_t word, const struct words_rule *rule)
{
    const uint32_t df = stage_documents_with(d, word), n = (uint32_t)d->docs.n;
    const double idf = n < 2 ? 0 : log((double)n / df) / log(n);
    if (df > rule->max_share * n)
        return false;
    return idf <= rule->hi + 1e-12 && (idf >= rule->lo - 1e-12 || df <= rule->always);
}

/* The different words of a unit that count, ascending. */
static size_t counted_set(const struct stage_docs *d, size_t doc, uint32_t unit,
                          const bool *counted, uint32_t *out)
{
    const size_t n = stage_set_of(d, doc, unit, out);
    size_t kept = 0;
    for (size_t k = 0; k < n; k++)
        if (counted[out[k]])
            out[kept++] = out[k];
    return kept;
}

/* ---- a slow definition of classes ---- */

struct slow_unit {
    size_t doc;
    uint32_t unit;
    size_t n; /* of set */
    uint32_t set[WORDS_MOST];
    bool aside; /* it takes no part */
    bool taken; /* its class has been compared */
};

struct slow {
    const struct stage_docs *docs;
    struct slow_unit v[UNITS_MOST];
    size_t n;
    uint64_t nsigned; /* units that have a set */
};

/* What a case sets aside. */
struct aside_rule {
    uint64_t max_df, max_repeats, min_words, min_counted;
    bool first_repeats, first_common;
};

static void list_units(struct slow *s, const struct stage_docs *d, const bool *counted,
                       const struct aside_rule *rule)
{
    s->docs = d;
    s->n = s->nsigned = 0;
    for (size_t doc = 0; doc < d->docs.n; doc++)
        for (uint32_t unit = 0; unit < d->docs.v[doc].nunits; unit++) {
            struct slow_unit *u = &s->v[s->n++];
            *u = (struct slow_unit){.doc = doc, .unit = unit};
            u->n = counted_set(d, doc, unit, counted, u->set);
            u->aside = u->n == 0 || u->n < rule->min_counted ||
                       stage_unit_of(d, doc, unit)->nwords < rule->min_words;
            s->nsigned += !u->aside;
        }
}

static bool same_set(const struct slow_unit *a, const struct slow_unit *b)
{
    return a->n == b->n && memcmp(a->set, b->set, a->n * sizeof *a->set) == 0;
}

/* How many units of the document of `u` are equal to it; *before: those before it. */
static size_t repeats_of(const struct slow *s, const struct slow_unit *u, size_t *before)
{
    size_t found = 0;
    *before = 0;
    for (size_t k = 0; k < s->n; k++)
        if (!s->v[k].aside && s->v[k].doc == u->doc && same_set(&s->v[k], u)) {
            found++;
            *before += s->v[k].unit < u->unit;
        }
    return found;
}

/* Leave out units that recur. Returns how many. */
static uint64_t leave_out_repeats(struct slow *s, const struct aside_rule *rule)
{
    static bool out[UNITS_MOST];
    uint64_t found = 0;
    memset(out, 0, sizeof out);
    for (size_t k = 0; k < s->n && rule->max_repeats; k++) {
        size_t before;
        const size_t n = s->v[k].aside ? 0 : repeats_of(s, &s->v[k], &before);
        out[k] = n > rule->max_repeats && (!rule->first_repeats || before >= rule->max_repeats);
        found += out[k];
    }
    for (size_t k = 0; k < s->n; k++)
        s->v[k].aside |= out[k];
    return found;
}

/* The class that begins with unit `first`: its members, and the documents of it. */
static size_t class_of(struct slow *s, size_t first, size_t *members, uint64_t *df)
{
    size_t n = 0;
    *df = 0;
    for (size_t k = first; k < s->n; k++)
        if (!s->v[k].aside && !s->v[k].taken && same_set(&s->v[k], &s->v[first])) {
            *df += n == 0 || s->v[k].doc != s->v[members[n - 1]].doc;
            members[n++] = k;
            s->v[k].taken = true;
        }
    return n;
}

/* The class of the program whose first occurrence is this unit; NULL: none. */
static const struct pd_class *find_class(const struct stage_classes *got, const struct slow_unit *u)
{
    for (size_t k = 0; k < got->at.n; k++) {
        const struct pd_class *c = stage_class(got, k);
        if (c->at[0].doc == u->doc && c->at[0].unit == u->unit)
            return c;
    }
    return NULL;
}

static bool has_common(const struct pd_job *job, const struct slow_unit *u, uint64_t df)
{
    for (size_t k = 0; k < job->matches.common.n; k++) {
        const struct pd_common *c = &job->matches.common.v[k];
        if (c->doc == u->doc && c->unit == u->unit && c->df == df)
            return true;
    }
    return false;
}

static void expect_members(const struct slow *s, const struct pd_class *c, const size_t *members,
                           size_t n)
{
    CU_ASSERT_PTR_NOT_NULL(c);
    CU_ASSERT_EQUAL(c ? c->n : 0, n);
    for (size_t k = 0; c && k < n && c->n == n; k++)
        CU_ASSERT_TRUE(c->at[k].doc == s->v[members[k]].doc &&
                       c->at[k].unit == s->v[members[k]].unit && c->at[k].flags == 0);
}

/* Numbers follow the file, and signatures ascend. */
static void expect_order(const struct stage_classes *got)
{
    for (size_t k = 0; k < got->at.n; k++) {
        CU_ASSERT_EQUAL(stage_class(got, k)->number, k);
        CU_ASSERT_TRUE(k == 0 || stage_class(got, k - 1)->sig <= stage_class(got, k)->sig);
    }
}

static void expect_classes(struct pd_job *job, struct slow *s, const struct aside_rule *rule,
                           bool keep_single)
{
    struct stage_classes got;
    static size_t members[UNITS_MOST];
    size_t kept = 0, common = 0;
    stage_read_classes(job->matches.joined.v[0].classes, &got);
    for (size_t k = 0; k < s->n; k++) {
        uint64_t df;
        if (s->v[k].aside || s->v[k].taken)
            continue;
        const size_t n = class_of(s, k, members, &df);
        if (rule->max_df && df > rule->max_df) {
            CU_ASSERT_TRUE(has_common(job, &s->v[k], df));
            CU_ASSERT_PTR_NULL(find_class(&got, &s->v[k]));
            common++;
        } else if (df > 1 || keep_single) {
            expect_members(s, find_class(&got, &s->v[k]), members, n);
            kept++;
        }
    }
    expect_order(&got);
    CU_ASSERT_TRUE(kept == got.at.n && kept == job->gathered.nclasses);
    CU_ASSERT_EQUAL(common, job->matches.common.n);
    stage_classes_release(&got);
}

/* ---- random collections ---- */

static const struct stage_random usual = {
    .docs = 23, .units = 9, .words = 6, .different = 60, .copied = 40, .changed = 3};

struct words_case {
    const char *options;
    struct words_rule words;
    struct aside_rule aside;
    bool keep_single;
};

/* The terms of the collection that do not count. */
static uint64_t list_counted(const struct stage_docs *d, const struct words_rule *rule,
                             bool *counted)
{
    uint64_t left_out = 0;
    for (uint32_t w = 0; w < usual.different; w++) {
        counted[w] = stage_documents_with(d, w) > 0 && counts(d, w, rule);
        left_out += stage_documents_with(d, w) > 0 && !counted[w];
    }
    return left_out;
}

static void try_case(const struct words_case *c, uint64_t seed)
{
    static struct slow slow;
    static bool counted[64];
    struct stage_docs d = {0};
    struct stage s;
    stage_docs_random(&d, &seed, &usual);
    stage_open(&s, c->options, &d);
    CU_ASSERT_EQUAL(pd_job_count(&s.job), PD_OK);
    CU_ASSERT_EQUAL(pd_job_gather(&s.job), PD_OK);
    CU_ASSERT_EQUAL(s.job.counted.terms_left_out, list_counted(&d, &c->words, counted));
    list_units(&slow, &d, counted, &c->aside);
    CU_ASSERT_EQUAL(pd_gathered_units(&s.job.gathered), slow.n);
    CU_ASSERT_EQUAL(s.job.gathered.units[PD_WHY_MATCHED], slow.nsigned);
    const uint64_t repeated = leave_out_repeats(&slow, &c->aside);
    if (c->aside.max_df == 0) /* units of common classes are counted as common */
        CU_ASSERT_EQUAL(s.job.gathered.repeated, repeated);
    expect_classes(&s.job, &slow, &c->aside, c->keep_single);
    stage_close(&s);
    stage_docs_release(&d);
}

static void test_words_in_a_range(void)
{
    static const struct words_case cases[] = {
        {"--method pdc-imatch --always-df 0 --max-df 0", {0.1, 1, 1, 0}, {0}, false},
        {"--method pdc-imatch --idf 0.3,0.8 --always-df 0 --max-df 0",
         {0.3, 0.8, 1, 0},
         {0},
         false},
        {"--method pdc-imatch --idf 0.5,1 --always-df 3 --max-df 0", {0.5, 1, 1, 3}, {0}, false},
        {"--method pdc-imatch --idf 0,1 --max-word-df 0.25 --max-df 0",
         {0, 1, 0.25, 0},
         {0},
         false},
        {"--method pdc-imatch --idf 0.2,1 --always-df 0 --min-words 3 --min-counted 2 --max-df 0",
         {0.2, 1, 1, 0},
         {.min_words = 3, .min_counted = 2},
         false},
        {"--feature words --join jaccard --idf 0,0.9 --always-df 0 --max-df 0",
         {0, 0.9, 1, 0},
         {0},
         true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (uint64_t seed = 1; seed <= 4; seed++)
            try_case(&cases[k], seed);
}

static void test_common_and_repeated(void)
{
    static const struct words_rule all = {0, 1, 1, 0};
    const struct words_case cases[] = {
        {"--method pdc-imatch --idf 0,1 --max-df 2", all, {.max_df = 2}, false},
        {"--method pdc-imatch --idf 0,1 --max-df 3 --common first", all, {.max_df = 3}, false},
        {"--method pdc-imatch --idf 0,1 --max-df 0 --max-repeats 1",
         all,
         {.max_repeats = 1},
         false},
        {"--method pdc-imatch --idf 0,1 --max-df 0 --max-repeats 1 --repeats first",
         all,
         {.max_repeats = 1, .first_repeats = true},
         false},
        {"--method pdc-imatch --idf 0,1 --max-df 2 --max-repeats 2 --repeats first --memory 1M",
         all,
         {.max_df = 2, .max_repeats = 2, .first_repeats = true},
         false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (uint64_t seed = 11; seed <= 14; seed++)
            try_case(&cases[k], seed);
}

/* ---- flags of words ---- */

static uint64_t occurrences_of(const struct stage_docs *d, uint32_t word)
{
    uint64_t n = 0;
    for (size_t k = 0; k < d->words.n; k++)
        n += d->words.v[k] == word;
    return n;
}

/* The words below `listed` are in a file; the caller says what it is for. */
static const char *write_list(uint32_t listed)
{
    static char path[600];
    struct pd_bytes text = {0};
    snprintf(path, sizeof path, "%.500s/list", stage_folder());
    for (uint32_t w = 0; w < listed; w++) {
        stage_spell(w, &text);
        pd_bytes_append(&text, w % 3 ? "\n" : ", ", w % 3 ? 1 : 2);
    }
    FILE *f = fopen(path, "w");
    fwrite(text.v, 1, text.n, f);
    fclose(f);
    pd_bytes_release(&text);
    return path;
}

static int by_bytes(const void *a, const void *b) { return strcmp(a, b); }

/* The words of documents that occur twice or more are in a table of frequencies. */
static const char *write_table(const struct stage_docs *d)
{
    enum { LINE = 100 };
    static char path[600], lines[WORDS_MOST][LINE];
    size_t n = 0;
    for (uint32_t w = 0; w < usual.different; w++) {
        struct pd_bytes word = {0};
        stage_spell(w, &word);
        if (occurrences_of(d, w) > 1)
            snprintf(lines[n++], LINE, "%.*s\t%u\t%u\n", (int)word.n, (const char *)word.v,
                     stage_documents_with(d, w), (unsigned)occurrences_of(d, w));
        pd_bytes_release(&word);
    }
    qsort(lines, n, LINE, by_bytes);
    snprintf(path, sizeof path, "%.500s/table", stage_folder());
    FILE *f = fopen(path, "w");
    fprintf(f, "pardup-frequencies-1\t%zu\t%zu\tchar\texact\n", d->docs.n, d->words.n);
    for (size_t k = 0; k < n; k++)
        fputs(lines[k], f);
    fclose(f);
    return path;
}

/* What a case says about the flags of a word. */
struct flags_rule {
    const struct stage_docs *background; /* documents of a table; NULL: the collection */
    uint64_t antecedents;                /* the most frequent words; 0: words of the list */
    uint32_t listed;                     /* words of the list */
    uint32_t limit;                      /* documents that count; 0: all */
    bool stops;                          /* the list is of stop words, not of antecedents */
    double rare; /* pairs: the share above which words are left out; 0: spots */
};

/* How often a word is taken to occur: as in the background, but at least once. */
static uint64_t frequency_of(const struct stage_docs *d, uint32_t word, const struct flags_rule *r)
{
    const uint64_t n = occurrences_of(r->background ? r->background : d, word);
    return n ? n : 1;
}

/* How many words are more frequent than a word. */
static uint64_t more_frequent(const struct stage_docs *d, uint32_t word, const struct flags_rule *r)
{
    uint64_t found = 0;
    for (uint32_t w = 0; w < usual.different; w++)
        found += frequency_of(d, w, r) > frequency_of(d, word, r);
    return found;
}

static unsigned char flags_of(const struct stage_docs *d, uint32_t word, const struct flags_rule *r)
{
    const uint64_t n = frequency_of(d, word, r);
    const uint64_t all = r->background ? r->background->words.n : d->words.n;
    if (r->rare > 0) {
        unsigned bits = 2; /* of rarity: log2(all / n) in [2, 17] */
        while (bits < 17 && n << (bits + 1) <= all)
            bits++;
        return (
            unsigned char)((17 - bits) << 4 |
                           (n > 16 && (double)n > r->rare * (double)all ? PD_WORD_LEFT_OUT : 0));
    }
    unsigned char flags = r->stops && word < r->listed ? PD_WORD_STOP : 0;
    if (r->antecedents ? more_frequent(d, word, r) < r->antecedents : word < r->listed && !r->stops)
        flags |= PD_WORD_ANTECEDENT;
    return flags;
}

static uint32_t word_of(uint64_t term)
{
    uint32_t w = 0;
    while (w < usual.different && stage_term(w) != term)
        w++;
    return w;
}

/* An index has each word whose flags are not the default flags, once, with its flags. */
static void expect_words_file(struct pd_job *job, const struct stage_docs *d,
                              const struct flags_rule *r)
{
    const unsigned char usual_flags = pd_word_flags(job, 1);
    struct pd_sections file;
    struct pd_section terms, flags;
    char path[600];
    uint64_t checksum, n = 0, expected = 0;
    snprintf(path, sizeof path, "%.500s/words", stage_folder());
    CU_ASSERT_EQUAL_FATAL(pd_write_words(job, path, &checksum), PD_OK);
    CU_ASSERT_EQUAL_FATAL(pd_sections_open(&file, path), PD_OK);
    CU_ASSERT_EQUAL_FATAL(pd_sections_find(&file, "terms", &terms), PD_OK);
    CU_ASSERT_EQUAL_FATAL(pd_sections_find(&file, "flags", &flags), PD_OK);
    n = flags.n;
    CU_ASSERT_TRUE(checksum == file.checksum && terms.n == n * sizeof(uint64_t));
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t *term = (const uint64_t *)(const void *)terms.v + k;
        CU_ASSERT_TRUE(k == 0 || term[-1] < *term);
        CU_ASSERT_EQUAL(flags.v[k], flags_of(d, word_of(*term), r));
    }
    for (uint32_t w = 0; w < usual.different; w++)
        expected += flags_of(d, w, r) != usual_flags;
    CU_ASSERT_EQUAL(n, expected);
    pd_sections_close(&file);
    unlink(path);
}

/* The first documents alone. They borrow from all. */
static struct stage_docs first_of(const struct stage_docs *d, uint32_t limit)
{
    struct stage_docs first = *d;
    if (limit) {
        first.docs.n = limit;
        first.units.n = d->docs.v[limit].unit;
        first.words.n = d->units.v[first.units.n].word;
    }
    return first;
}

/* Has a volume documents that count? */
static bool has_numbers(const struct pd_collection *col, size_t volume)
{
    for (size_t k = 0; k < col->numbered.n; k++)
        if (col->numbered.v[k].volume == volume)
            return true;
    return false;
}

/* `list`: the option that takes the list of words; NULL: none does. */
static void try_flags(const char *options, const char *list, const struct flags_rule *r,
                      uint64_t seed)
{
    struct stage_docs d = {0};
    struct stage s;
    char all[2000];
    uint64_t flagged = 0;
    char limit[40] = "";
    stage_docs_random(&d, &seed, &usual);
    const struct stage_docs first = first_of(&d, r->limit), *counted = &first;
    if (r->limit)
        snprintf(limit, sizeof limit, "--limit-docs %u", r->limit);
    snprintf(all, sizeof all, "%s %s %s %s %s %s", limit, options, list ? list : "",
             list ? write_list(r->listed) : "", r->background ? "--frequencies" : "",
             r->background ? write_table(r->background) : "");
    stage_open(&s, all, &d);
    CU_ASSERT_EQUAL(pd_job_count(&s.job), PD_OK);
    struct pd_library *lib = &s.job.collection.library;
    CU_ASSERT_TRUE(lib->shelf.n > 2);
    for (size_t k = 0; k < lib->shelf.n; k++) {
        struct pd_volume *v;
        CU_ASSERT_EQUAL_FATAL(pd_library_volume(lib, k, &v), PD_OK);
        for (size_t i = 0; i < v->terms.n; i++) {
            const uint32_t word = word_of(v->terms.v[i]);
            if (has_numbers(&s.job.collection, k) && occurrences_of(counted, word) > 0)
                CU_ASSERT_EQUAL(v->flags[i], flags_of(counted, word, r));
        }
    }
    expect_words_file(&s.job, counted, r);
    for (uint32_t w = 0; w < usual.different; w++)
        flagged += occurrences_of(counted, w) > 0 &&
                   flags_of(counted, w, r) & (r->rare > 0 ? PD_WORD_LEFT_OUT : PD_WORD_ANTECEDENT);
    CU_ASSERT_EQUAL(s.job.counted.antecedents, r->antecedents ? flagged : 0);
    CU_ASSERT_EQUAL(s.job.counted.terms_left_out, r->rare > 0 ? flagged : 0);
    stage_close(&s);
    stage_docs_release(&d);
}

static void test_flags(void)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        try_flags("--method pdc-spotsigs --antecedents 5", "--stop-words",
                  &(struct flags_rule){.antecedents = 5, .listed = 4, .stops = true}, seed);
        try_flags("--method pdc-spotsigs --antecedents 1", "--stop-words",
                  &(struct flags_rule){.antecedents = 1, .listed = 30, .stops = true}, seed);
        try_flags("--method pdc-spotsigs --stop-words none", "--antecedents",
                  &(struct flags_rule){.listed = 17}, seed);
        try_flags("--method pdc-spotsigs --antecedents 5", "--stop-words",
                  &(struct flags_rule){.antecedents = 5, .listed = 4, .limit = 9, .stops = true},
                  seed);
        try_flags("--preset edited --max-df 0 --rare 0.03", NULL,
                  &(struct flags_rule){.rare = 0.03}, seed);
    }
}

/* The table has few documents, so that it lacks words of the collection. */
static void test_table(void)
{
    const struct stage_random how = {
        .docs = 6, .units = 9, .words = 6, .different = usual.different};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct stage_docs b = {0};
        uint64_t other = seed + 50, lacking = 0;
        stage_docs_random(&b, &other, &how);
        for (uint32_t w = 0; w < usual.different; w++)
            lacking += occurrences_of(&b, w) < 2;
        CU_ASSERT_TRUE(lacking > 0);
        try_flags("--method pdc-spotsigs --antecedents 5", "--stop-words",
                  &(struct flags_rule){&b, .antecedents = 5, .listed = 4, .stops = true}, seed);
        try_flags("--preset edited --max-df 0 --rare 0.03 --memory 1M", NULL,
                  &(struct flags_rule){&b, .rare = 0.03}, seed);
        stage_docs_release(&b);
    }
}

/* ---- grams, which are sampled in the first document of a pair, and named twice ---- */

static bool same_words_at(const struct stage_docs *d, size_t a, size_t b, uint32_t n)
{
    return memcmp(d->words.v + a, d->words.v + b, n * sizeof(uint32_t)) == 0;
}

static size_t first_word(const struct stage_docs *d, size_t doc)
{
    return d->units.v[d->docs.v[doc].unit].word;
}

static uint32_t grams_of(const struct stage_docs *d, size_t doc, uint32_t n)
{
    return d->docs.v[doc].nwords >= n ? d->docs.v[doc].nwords - n + 1 : 0;
}

/* Documents and occurrences of the gram that stands at word `at`. */
static uint64_t count_gram(const struct stage_docs *d, size_t at, uint32_t n, uint64_t *df)
{
    uint64_t found = 0;
    *df = 0;
    for (size_t doc = 0; doc < d->docs.n; doc++) {
        const uint64_t before = found;
        for (uint32_t k = 0; k < grams_of(d, doc, n); k++)
            found += same_words_at(d, first_word(d, doc) + k, at, n);
        *df += found > before;
    }
    return found;
}

/* Each gram in two documents or more is in a class as often as it stands anywhere. */
static void expect_grams(struct pd_job *job, const struct stage_docs *d, uint32_t n,
                         uint32_t one_in)
{
    struct stage_classes got;
    uint64_t occurrences = 0, expected = 0;
    stage_read_classes(job->matches.joined.v[0].classes, &got);
    for (size_t k = 0; k < got.at.n; k++) {
        const struct pd_class *c = stage_class(&got, k);
        const size_t at = first_word(d, c->at[0].doc) + c->at[0].unit;
        uint64_t df;
        CU_ASSERT_EQUAL(c->n, count_gram(d, at, n, &df));
        for (uint64_t i = 0; i < c->n; i++) {
            CU_ASSERT_TRUE(same_words_at(d, first_word(d, c->at[i].doc) + c->at[i].unit, at, n));
            CU_ASSERT_EQUAL(c->at[i].flags, c->at[i].unit % one_in ? PD_QUERY_ONLY : 0);
        }
        occurrences += c->n;
    }
    for (size_t doc = 0; doc < d->docs.n; doc++)
        for (uint32_t k = 0; k < grams_of(d, doc, n); k++) {
            uint64_t df;
            count_gram(d, first_word(d, doc) + k, n, &df);
            expected += df > 1;
        }
    CU_ASSERT_EQUAL(occurrences, expected);
    stage_classes_release(&got);
}

static void test_grams(void)
{
    for (uint64_t seed = 21; seed <= 24; seed++) {
        struct stage_docs d = {0};
        struct stage s;
        uint64_t state = seed;
        stage_docs_random(&d, &state, &usual);
        stage_open(&s,
                   seed & 1 ? "--method full-fp --ngram 3 --max-df 0 --sample 3"
                            : "--method full-fp --ngram 3 --max-df 0",
                   &d);
        CU_ASSERT_EQUAL(pd_job_count(&s.job), PD_OK);
        CU_ASSERT_EQUAL(pd_job_gather(&s.job), PD_OK);
        expect_grams(&s.job, &d, 3, seed & 1 ? 3 : 1);
        stage_close(&s);
        stage_docs_release(&d);
    }
}

/* The names of a large job are sent first, and postings of names that do not recur are dropped. */
static void test_names_that_recur(void)
{
    const struct stage_random many = {
        .docs = 60, .units = 60, .words = 60, .different = 4000, .copied = 10};
    struct stage_docs d = {0};
    struct stage s;
    struct stage_classes few, all;
    uint64_t seed = 31;
    stage_docs_random(&d, &seed, &many);
    stage_open(&s, "--method full-fp --ngram 3 --max-df 0 --memory 1M", &d);
    CU_ASSERT_TRUE(pd_job_count(&s.job) == PD_OK && pd_job_gather(&s.job) == PD_OK);
    stage_read_classes(s.job.matches.joined.v[0].classes, &few);
    stage_close(&s);
    stage_open(&s, "--method full-fp --ngram 3 --max-df 0", &d);
    CU_ASSERT_TRUE(pd_job_count(&s.job) == PD_OK && pd_job_gather(&s.job) == PD_OK);
    stage_read_classes(s.job.matches.joined.v[0].classes, &all);
    stage_close(&s);
    CU_ASSERT_TRUE(few.at.n > 100 && few.records.n == all.records.n);
    CU_ASSERT_EQUAL(memcmp(few.records.v, all.records.v, few.records.n * sizeof(uint64_t)), 0);
    stage_classes_release(&few);
    stage_classes_release(&all);
    stage_docs_release(&d);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_words_in_a_range),
                                        PD_TEST(test_common_and_repeated),
                                        PD_TEST(test_flags),
                                        PD_TEST(test_table),
                                        PD_TEST(test_grams),
                                        PD_TEST(test_names_that_recur),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/stage/classes", tests);
}

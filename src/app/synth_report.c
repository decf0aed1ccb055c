/* app/synth_report.c - see src/app/synth_report.h */
#include "synth_report.h"

#define NAMES (sizeof names / sizeof *names)

static double share(uint64_t part, uint64_t all) { return all ? (double)part / (double)all : 0; }

/* The smallest bin such that at least the share `at` of all is in it or in bins below it. */
static unsigned percentile(const uint64_t *bins, unsigned n, double at)
{
    uint64_t all = 0, sum = 0;
    for (unsigned k = 0; k < n; k++)
        all += bins[k];
    unsigned k = 0;
    for (sum = bins[0]; k + 1 < n && (double)sum < at * (double)all;)
        sum += bins[++k];
    return k;
}

static void pair(FILE *f, const char *name, double asked, double planted)
{
    fprintf(f, "  \"%s\": [%.6g, %.6g],\n", name, asked, planted);
}

static void sizes(FILE *f, const struct pd_synth_stats *s)
{
    static const char *const names[] = {"groups of 2", "groups of 3", "groups of 4",
                                        "groups of 5", "groups of 6", "groups of more"};
    static const double asked[] = {0.66, 0.14, 0.065, 0.036, 0.025, 0.074};
    for (size_t k = 0; k < NAMES; k++)
        pair(f, names[k], asked[k], share(s->sizes[k], s->groups));
}

static void runs(FILE *f, const struct pd_synth_stats *s)
{
    static const char *const names[] = {"runs of 1", "runs of 2", "runs of 3 to 4",
                                        "runs of 5 to 9", "runs of 10 to 49"};
    static const double asked[] = {0.60, 0.20, 0.12, 0.06, 0.02};
    for (size_t k = 0; k < NAMES; k++)
        pair(f, names[k], asked[k], share(s->runs[k], s->partial));
}

static void percentiles(FILE *f, const struct pd_synth_stats *s, int learned)
{
    static const struct {
        const char *sentences, *words;
        double at, page, sentence;
    } rows[] = {{"sentences per page, 10 %", "words per sentence, 10 %", 0.1, 2, 6},
                {"sentences per page, 50 %", "words per sentence, 50 %", 0.5, 19, 12},
                {"sentences per page, 90 %", "words per sentence, 90 %", 0.9, 105, 27}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        pair(f, rows[k].sentences, rows[k].page,
             percentile(s->page_bins, PD_SYNTH_PAGE_BINS, rows[k].at));
    for (size_t k = 0; k < sizeof rows / sizeof *rows && !learned; k++)
        pair(f, rows[k].words, rows[k].sentence,
             percentile(s->word_bins, PD_SYNTH_WORD_BINS, rows[k].at));
}

static void edits(FILE *f, const struct pd_synth_maker *m, const struct pd_synth_stats *s)
{
    const struct pd_synth_rates *rates = &pd_synth_rates[m->options.profile];
    const uint64_t *n = s->ops;
    const uint64_t replaced =
        n[PD_SYNTH_ABOVE] + n[PD_SYNTH_BELOW] + n[PD_SYNTH_REWORDED] + n[PD_SYNTH_NEW];
    const uint64_t moved = n[PD_SYNTH_INSERTED] + n[PD_SYNTH_DELETED];
    pair(f, "sentences replaced", rates->replaced, share(replaced, s->of_copies));
    pair(f, "sentences inserted or deleted", rates->moved, share(moved, s->of_copies));
}

static void counts(FILE *f, const struct pd_synth_stats *s, uint64_t shards)
{
    fprintf(f,
            "  \"documents\": %llu, \"files\": %llu, \"html_bytes\": %llu, \"text_bytes\": %llu,\n"
            "  \"sentences\": %llu, \"words\": %llu, \"groups\": %llu, \"near_documents\": %llu,\n"
            "  \"partial_copies\": %llu, \"passages_cut_in_a_sentence\": %llu,\n  "
            "\"pairs_of_sentences_same_by_chance\": %llu,\n  \"passages\": {",
            (unsigned long long)s->documents, (unsigned long long)shards,
            (unsigned long long)s->html_bytes, (unsigned long long)s->text_bytes,
            (unsigned long long)s->sentences, (unsigned long long)s->words,
            (unsigned long long)s->groups, (unsigned long long)s->near_documents,
            (unsigned long long)s->partial, (unsigned long long)s->cut,
            (unsigned long long)s->chance);
    for (int k = 0; k < PD_SYNTH_CLASSES; k++)
        fprintf(f, "%s\"%s\": %llu", k ? ", " : "", pd_synth_class_names[k],
                (unsigned long long)s->passages[k]);
    fputs("}\n}\n", f);
}

void pd_synth_report(const struct pd_synth_maker *m, const struct pd_synth_stats *s,
                     uint64_t shards, FILE *f)
{
    const struct pd_synth_options *o = &m->options;
    uint64_t rare = 0;
    for (int k = 1; k < PD_SYNTH_COMMONS; k++)
        rare += s->common[k];
    fprintf(f, "{\n  \"seed\": %lld, \"profile\": \"%s\", \"tau\": %g,\n", (long long)o->seed,
            pd_synth_profile_names[o->profile], o->tau);
    pair(f, "bytes per page", (double)o->page_bytes, (double)s->html_bytes / (double)s->documents);
    pair(f, "pages in groups", o->near, share(s->near_documents, s->documents));
    sizes(f, s);
    pair(f, "pages with a partial copy", o->partial, share(s->partial, s->documents));
    runs(f, s);
    pair(f, "copies inside a host", 0.8, share(s->same_host, s->copies));
    percentiles(f, s, o->learn != NULL);
    edits(f, m, s);
    pair(f, "pages with the most common sentence", 0.05, share(s->common[0], s->documents));
    pair(f, "pages with each of ten common sentences", 0.01,
         share(rare, (PD_SYNTH_COMMONS - 1) * s->documents));
    counts(f, s, shards);
}

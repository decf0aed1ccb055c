/* app/settle.c - see src/app/settle.h */
#include "settle.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/corpus/kept.h"

/* The features that make a set of signatures, as "a, b and c". Static storage. */
static const char *set_features(void)
{
    static char list[PD_NFEATURES * 24];
    int left = 0;
    for (int k = 0; k < PD_NFEATURES; k++)
        left += pd_features[k].result == PD_MAKES_SET;
    list[0] = '\0';
    for (int k = 0; left > 0; k++)
        if (pd_features[k].result == PD_MAKES_SET) {
            strcat(list, pd_features[k].name);
            left--;
            strcat(list, left > 1 ? ", " : left == 1 ? " and " : "");
        }
    return list;
}

/* Less memory than this holds no buffers. */
static const int64_t memory_least = 1 << 20; /* bytes */

/*
 * A pair of whole documents has one match, with a similarity of at most 1. So limits that ask for
 * more find nothing: they are refused if the command line has them, and else count as 0.
 */
static int settle_whole(struct pd_options *o)
{
    struct pd_method_options *m = &o->method;
    m->gamma = o->given.gamma ? m->gamma : 0;
    m->delta = o->given.delta ? m->delta : 0;
    m->theta_d = o->given.theta_d ? m->theta_d : 0;
    if (m->gamma > 0 || m->delta > 0)
        return pd_fail(PD_EUSAGE,
                       "--%s %lld finds nothing: whole documents have one match, and more than "
                       "that are asked for; leave the option out",
                       m->gamma > 0 ? "gamma" : "delta",
                       (long long)(m->gamma > 0 ? m->gamma : m->delta));
    if (m->theta_d > 1)
        return pd_fail(PD_EUSAGE,
                       "--theta-d %g finds nothing: the score of two whole documents is their "
                       "similarity, at most 1",
                       m->theta_d);
    return PD_OK;
}

/* Refuse options of the job itself, whatever the method. */
static int check_job(const struct pd_options *o)
{
    if (o->job.memory && o->job.memory < memory_least)
        return pd_fail(PD_EUSAGE,
                       "--memory %lld: at least 1M, or 0 for a share of the node's memory",
                       (long long)o->job.memory);
    struct pd_keeping keep = {.n = 0};
    const int keeping = pd_keeping_list(&keep, o->input.keep_fields);
    pd_keeping_release(&keep);
    PD_TRY(keeping);
    if (o->method.skip_same && !*o->method.skip_same)
        return pd_fail(PD_EUSAGE, "--skip-same: an empty name, name a field");
    if (o->job.price > 0 && !o->job.dry_run)
        return pd_fail(PD_EUSAGE,
                       "--price goes with --dry-run, which says what the job would cost");
    if (o->job.dry_run && o->input.docs_from)
        return pd_fail(PD_EUSAGE, "--dry-run does not go with --docs-from: its excerpts may hold "
                                  "none of the documents");
    return PD_OK;
}

/* Refuse a feature that does not go with the join, with --units or with --refine. */
static int check_feature(const struct pd_method_options *m)
{
    const struct pd_feature *feature = &pd_features[m->feature];
    const bool windows = m->window[0] > 1 || m->window[1] > 1;
    const bool grams = m->units == PD_UNIT_GRAM;
    const bool whole = m->units == PD_UNIT_DOCUMENT;
    if (m->join != PD_JOIN_EQUAL && feature->result != PD_MAKES_SET)
        return pd_fail(
            PD_EUSAGE,
            "--join jaccard, overlap, index and lsh go with --feature %s only: other features "
            "give a unit one signature",
            set_features());
    if ((grams || whole) && (windows || feature->input == PD_READS_BASE_UNITS))
        return pd_fail(PD_EUSAGE,
                       "--units %s goes neither with --window nor with --feature lengths",
                       grams ? "gram" : "document");
    if ((feature->result == PD_MAKES_NAMES || m->refine != PD_REFINE_NONE) &&
        !(grams && m->ngram == 1))
        return pd_fail(PD_EUSAGE, "--feature pairs and --refine words go with --units gram "
                                  "--ngram 1 only: they compare single words");
    if (m->refine != PD_REFINE_NONE && m->feature != PD_FEATURE_PAIRS)
        return pd_fail(PD_EUSAGE, "--refine words goes with --feature pairs only");
    if (!grams && feature->input != PD_READS_FORMS && m->sample > 1)
        return pd_fail(PD_EUSAGE, "--sample goes with --units gram and --feature bytes only; "
                                  "windows are thinned out by --window WS,SW");
    if (grams && feature->input == PD_READS_FORMS)
        return pd_fail(PD_EUSAGE, "--feature bytes does not go with --units gram");
    return PD_OK;
}

/* Refuse parameters that only some joins, units and features have. */
static int check_parameters(const struct pd_method_options *m)
{
    const bool windows = m->window[0] > 1 || m->window[1] > 1;
    const bool whole = m->units == PD_UNIT_DOCUMENT;
    if (m->lexicons > 1 && !(m->feature == PD_FEATURE_WORDS && m->join == PD_JOIN_EQUAL))
        return pd_fail(PD_EUSAGE, "--lexicons goes with --feature words and --join equal only");
    if (m->sct && !(whole && (m->join == PD_JOIN_JACCARD || m->join == PD_JOIN_OVERLAP)))
        return pd_fail(PD_EUSAGE,
                       "--sct goes with --units document and --join jaccard or overlap only");
    if (m->empty == PD_TEMPLATES_MATCH &&
        !(m->feature == PD_FEATURE_WORDS && m->join == PD_JOIN_EQUAL && m->lexicons == 1))
        return pd_fail(PD_EUSAGE,
                       "--empty match goes with --feature words and --join equal only, without "
                       "--lexicons");
    if (m->max_df_of == PD_DF_TIMES && m->join != PD_JOIN_EQUAL)
        return pd_fail(PD_EUSAGE, "--max-df-of times goes with --join equal only");
    if (m->jump && !windows)
        return pd_fail(PD_EUSAGE, "--jump goes with --window only");
    if (m->diffbit > m->bits || m->word_bits > m->bits)
        return pd_fail(PD_EUSAGE, "--diffbit and --word-bits must not exceed --bits");
    return PD_OK;
}

int pd_settle_method(struct pd_options *o)
{
    struct pd_method_options *m = &o->method;
    PD_TRY(check_job(o));
    PD_TRY(check_feature(m));
    PD_TRY(check_parameters(m));
    if (m->units == PD_UNIT_DOCUMENT)
        PD_TRY(settle_whole(o));
    o->input.base = m->units == PD_UNIT_CLAUSE ? PD_BASE_CLAUSE
                    : m->units == PD_UNIT_STOP ? PD_BASE_STOP
                                               : PD_BASE_SENTENCE;
    if (m->units != PD_UNIT_GRAM || m->feature != PD_FEATURE_SEQUENCE) {
        m->winnow = 1; /* of --preset web and characters */
        m->char_ngram = 0;
    }
    if (m->char_ngram <= m->ngram)
        m->char_ngram = 0;
    if (m->gap < 0)
        m->gap = m->units == PD_UNIT_GRAM ? m->sample - 1 : 0;
    return PD_OK;
}

/* app/explain/answer.c - the last sentence of pardup explain. See src/app/explain/explain.h. */
#include "app/show/terminal.h"
#include "explain.h"
#include "pardup/feature/signer.h"

const char *pd_explain_unit(const struct pd_options *o, bool several)
{
    static const char *const names[][2] = {[PD_UNIT_SENTENCE] = {"sentence", "sentences"},
                                           [PD_UNIT_CLAUSE] = {"clause", "clauses"},
                                           [PD_UNIT_STOP] = {"stop unit", "stop units"},
                                           [PD_UNIT_GRAM] = {"gram", "grams"},
                                           [PD_UNIT_DOCUMENT] = {"document", "documents"}};
    if (o->method.window[0] > 1)
        return several ? "windows" : "window";
    if (o->method.units == PD_UNIT_GRAM && o->method.ngram == 1)
        return several ? "words" : "word";
    return names[o->method.units][several];
}

/* How many matched units the longest run has. */
static void add_longest(const struct pd_options *o, const struct pd_explanation *e,
                        struct pd_bytes *to)
{
    char n[2][PD_COUNT_ROOM];
    const struct pd_method_options *m = &o->method;
    pd_bytes_print(to, "the longest run has %s matching %s", pd_count(n[0], e->longest),
                   pd_explain_unit(o, e->longest != 1));
    if (m->gap)
        pd_bytes_print(to, ", with gaps of up to %lld (--gap %lld)", (long long)m->gap,
                       (long long)m->gap);
    else if (e->longest > 1)
        pd_bytes_print(to, " in a row");
    pd_bytes_print(to, ", %s are needed (--gamma %lld)", pd_count(n[1], (uint64_t)m->gamma + 1),
                   (long long)m->gamma);
    if (e->gap)
        pd_bytes_print(to, "; with --gap %llu it would have %llu", (unsigned long long)e->gap,
                       (unsigned long long)e->bridged);
    if (e->equal)
        pd_bytes_print(to,
                       "; as copies they agree less than --min-copy-agreement %g, or another "
                       "option leaves them out",
                       m->min_copy_agreement);
}

/* Why runs that are long enough are no passages. */
static void add_left(const struct pd_options *o, const struct pd_explanation *e,
                     struct pd_bytes *to)
{
    const struct pd_method_options *m = &o->method;
    pd_bytes_print(to, "the longest run has %llu matching %s, but ", (unsigned long long)e->longest,
                   pd_explain_unit(o, e->longest != 1));
    if (e->left == PD_LEFT_HOST)
        pd_bytes_print(to, "both documents are of one site (--skip-same-host)");
    else if (e->left == PD_LEFT_SAME)
        pd_bytes_print(to, "both documents have the same value of a field (--skip-same)");
    else if (e->left == PD_LEFT_SCORE)
        pd_bytes_print(to, "the pair is below --theta-d %g, or not above --delta %lld", m->theta_d,
                       (long long)m->delta);
    else if (e->left == PD_LEFT_LENGTH)
        pd_bytes_print(to,
                       "it is shorter than --min-passage-words %lld, or its texts agree less than "
                       "--min-agreement %g",
                       (long long)m->min_passage_words, m->min_agreement);
    else
        pd_bytes_print(to, "the result does not have it, and no option here says why");
}

/* The span that comes nearest to a passage: it scores most. */
static const struct pd_tried *nearest_of(const struct pd_explanation *e)
{
    const struct pd_tried *nearest = NULL;
    for (size_t k = 0; k < e->tried.n; k++)
        if (e->tried.v[k].fate != PD_SPAN_STILL &&
            (!nearest || e->tried.v[k].span.score > nearest->span.score))
            nearest = &e->tried.v[k];
    return nearest;
}

/* Why words that meet make no passage. */
static void add_refined(const struct pd_options *o, const struct pd_explanation *e,
                        struct pd_bytes *to)
{
    char n[2][PD_COUNT_ROOM];
    const struct pd_method_options *m = &o->method;
    const struct pd_tried *t = nearest_of(e);
    if (e->dots.n == 0) {
        pd_bytes_print(to, "no pair of rare words and no %d words in a row stand in both",
                       PD_RUN_WORDS);
    } else if (t) {
        pd_bytes_print(to, "in what comes nearest, A %u to %u and B %u to %u, ", t->span.start_a,
                       t->span.start_a + t->span.length_a - 1, t->span.start_b,
                       t->span.start_b + t->span.length_b - 1);
        pd_explain_floor(t, to);
        pd_bytes_print(to, " (--refine words)");
    } else {
        pd_bytes_print(
            to,
            "at most %s word%s of A meet within %lld words of each other (--gap), %s are "
            "needed (--gamma %lld)",
            pd_count(n[0], e->longest), e->longest == 1 ? "" : "s", (long long)m->gap,
            pd_count(n[1], (uint64_t)m->gamma + 1), (long long)m->gamma);
        if (e->gap)
            pd_bytes_print(to, "; with --gap %llu it would be %llu", (unsigned long long)e->gap,
                           (unsigned long long)e->bridged);
    }
}

void pd_explain_answer(const struct pd_options *o, const struct pd_explanation *e,
                       struct pd_bytes *to)
{
    char n[PD_COUNT_ROOM];
    const size_t passages = e->listed.n;
    if (passages) {
        const bool copies = e->equal && e->longest <= (uint64_t)o->method.gamma;
        pd_bytes_print(to, "They share %s passage%s%s.", pd_count(n, passages),
                       passages == 1 ? "" : "s", copies ? ", as copies (--copies report)" : "");
        return;
    }
    pd_bytes_print(to, "No passage: ");
    if (e->left == PD_LEFT_SIDES)
        pd_bytes_print(to, "both are targets, or both are sources, of --against");
    else if (o->method.refine != PD_REFINE_NONE && e->left == PD_LEFT_NOTHING && !e->equal &&
             !e->found.n)
        add_refined(o, e, to);
    else if (e->dots.n == 0)
        pd_bytes_print(to, "no %s of one matches a %s of the other, %s are needed (--gamma %lld)",
                       pd_explain_unit(o, false), pd_explain_unit(o, false),
                       pd_count(n, (uint64_t)o->method.gamma + 1), (long long)o->method.gamma);
    else if (e->longest > (uint64_t)o->method.gamma)
        add_left(o, e, to);
    else
        add_longest(o, e, to);
    pd_bytes_print(to, ".");
}

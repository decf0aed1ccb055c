/* app/explain/why.c - why two units match or do not, in words. See src/app/explain/explain.h */
#include "app/show/terminal.h"
#include "explain.h"

/* Why a unit takes no part. */
static void add_own_reason(const struct pd_method_options *o, enum pd_why why, struct pd_bytes *to)
{
    switch (why) {
    case PD_WHY_TEMPLATE:
        pd_bytes_print(to, "template of the site (--aside templates)");
        break;
    case PD_WHY_IGNORED:
        pd_bytes_print(to, "text that is nobody's copy (--ignore)");
        break;
    case PD_WHY_SHORT:
        pd_bytes_print(to, "too few words (--min-words %lld)", (long long)o->min_words);
        break;
    case PD_WHY_WINNOWED:
        pd_bytes_print(to, "a gram near it is compared instead (--winnow %lld)",
                       (long long)o->winnow);
        break;
    case PD_WHY_FEW:
        pd_bytes_print(to, "too few counted words (--min-counted %lld)", (long long)o->min_counted);
        break;
    case PD_WHY_REPEATED:
        pd_bytes_print(to, "occurs in its document more than %lld times (--max-repeats)",
                       (long long)o->max_repeats);
        break;
    case PD_WHY_NOTHING:
        if (o->char_ngram)
            pd_bytes_print(to, "the document ends before it says enough (--char-ngram %lld)",
                           (long long)o->char_ngram);
        else
            pd_bytes_print(to, "it has no signature: no word of it counts");
        break;
    default:
        break;
    }
}

/* Why two units that take part do not match. */
static void add_pair_reason(const struct pd_method_options *o, const struct pd_explained *a,
                            struct pd_bytes *to)
{
    char n[PD_COUNT_ROOM];
    pd_count(n, a->df);
    switch (a->why) {
    case PD_WHY_BELOW:
        if (o->join == PD_JOIN_EQUAL)
            pd_bytes_print(to, "similarity %.2f, and equal signatures are needed (--join equal)",
                           a->similarity);
        else
            pd_bytes_print(to, "similarity %.2f, below --tau %g", a->similarity, o->tau);
        break;
    case PD_WHY_BUCKET:
        pd_bytes_print(to, "similarity %.2f, but no bucket in common (--join lsh)", a->similarity);
        break;
    case PD_WHY_COMMON:
        pd_bytes_print(to, "common: in %s documents, more than --max-df %lld; matched with nothing",
                       n, (long long)o->max_df);
        break;
    case PD_WHY_ANCHORED:
        pd_bytes_print(to,
                       "common: in %s documents, more than --max-df %lld; matched with the first "
                       "of them only",
                       n, (long long)o->max_df);
        break;
    case PD_WHY_TIER:
        pd_bytes_print(to, "common, and repeated: matched sixteen by sixteen");
        break;
    case PD_WHY_CROWDED:
        pd_bytes_print(to, "similar to more than --max-near %lld others; set aside",
                       (long long)o->max_near);
        break;
    case PD_WHY_SAMPLED:
        pd_bytes_print(to, "A's is left out by --sample, --window or --jump");
        break;
    default:
        break;
    }
}

void pd_explain_verdict(const struct pd_options *o, const struct pd_explained *a,
                        const struct pd_explained *b, struct pd_bytes *to)
{
    if (a && a->why == PD_WHY_MATCHED) {
        pd_bytes_print(to, "match%s", b && a->sig == b->sig ? ": equal signatures" : ": similar");
        if (b && a->sig != b->sig)
            pd_bytes_print(to, ", %.2f", a->similarity);
        return;
    }
    pd_bytes_print(to, "no match: ");
    if (a && a->own != PD_WHY_MATCHED) {
        pd_bytes_print(to, "A's takes no part, ");
        add_own_reason(&o->method, a->own, to);
    } else if (b && b->own != PD_WHY_MATCHED) {
        pd_bytes_print(to, "B's takes no part, ");
        add_own_reason(&o->method, b->own, to);
    } else if ((a ? a : b)->why == PD_WHY_ALONE) {
        pd_bytes_print(to, "%s has nothing like it", a ? "B" : "A");
    } else {
        add_pair_reason(&o->method, a ? a : b, to);
    }
}

void pd_explain_floor(const struct pd_tried *t, struct pd_bytes *to)
{
    enum { BIT = 16 }; /* scores count in sixteenths of a bit */
    const double has = (double)t->has / BIT, needs = (double)t->needs / BIT;
    switch (t->fate) {
    case PD_SPAN_SHORT:
        pd_bytes_print(to, "its shorter side has %lld word%s, %lld are needed", (long long)t->has,
                       t->has == 1 ? "" : "s", (long long)t->needs);
        break;
    case PD_SPAN_LOW:
        pd_bytes_print(to, "what both have scores %.1f bits, %.1f are needed", has, needs);
        break;
    case PD_SPAN_LOOSE:
        pd_bytes_print(to,
                       "for 100 words %lld words and pairs of neighbours stand in the other side, "
                       "%lld are needed",
                       (long long)t->has, (long long)t->needs);
        break;
    case PD_SPAN_UNLIKE:
        pd_bytes_print(to,
                       "fewer than 3 in 10 words agree in order, and it scores %.1f bits, %.1f are "
                       "needed then",
                       has, needs);
        break;
    case PD_SPAN_STILL:
        pd_bytes_print(to, "beyond its ends, letters go on alike for %lld word%s, %lld are needed",
                       (long long)t->has, t->has == 1 ? "" : "s", (long long)t->needs);
        break;
    case PD_SPAN_KEPT:
        break;
    }
}

/* run/job/estimate/extrapolate.c - see src/run/job/estimate/extrapolate.h */
#include "extrapolate.h"

#include <math.h>
#include <stdio.h>

#include "pardup/base/plain.h"

/*
 * A trial is large enough if it has read bytes_wanted and share_wanted of the stored bytes of the
 * collection, and has taken seconds_wanted. With fewer bytes, fixed costs are most of what is
 * measured; in less time, times are mostly noise. It is also large enough if it has taken
 * seconds_most, because share_wanted of a large crawl takes long. A trial of the whole collection
 * is always large enough.
 */
static const double bytes_wanted = 15 << 20;
static const double share_wanted = 0.05, seconds_wanted = 2, seconds_most = 30;

/*
 * The share of --memory that holds postings, or fans, as records: half of their budgets
 * (run/budget.h).
 */
static const double sorter_share = 0.25;

/*
 * The share of --memory that holds signature sets (run/budget.h); and bytes on disk, measured, for
 * each byte of sets beyond it, with the replies that name their codes.
 */
static const double sets_share = 1.0 / 16, sets_packed = 1.1;

/*
 * Bytes on disk for each byte of records, measured. Half of a posting is hashes, which do not
 * compress.
 */
static const double postings_packed = 0.65, fans_packed = 0.3;
static const double posting_bytes = 32;  /* bytes of memory for each posting */
static const double fan_in_memory = 1.1; /* bytes of memory for each byte of a fan */

/*
 * Bounds for what trials show, because small trials show mostly noise. In measurements no job
 * exceeded them.
 */
static const double most_a_unit = 2 * 32; /* bytes of memory for each unit, of all ranks */
static const double most_a_fan_byte = 8;  /* bytes of memory for each byte of fans, rows included */
static const double slowest_write = 20e6; /* bytes of the result that all ranks write in a second */

/* How a figure grows with the collection. A figure that is not listed is STEADY. */
enum growth {
    STEADY, /* in proportion */
    FADING, /* more slowly */
    SHARED  /* in part with the square of the collection */
};

static const enum growth growth_of[PD_FIGURES] = {
    [PD_FIGURE_VOLUMES] = FADING,  [PD_FIGURE_CLASSES] = SHARED, [PD_FIGURE_COMPARED] = SHARED,
    [PD_FIGURE_SETS] = FADING,     [PD_FIGURE_FANS] = SHARED,    [PD_FIGURE_ROWS] = SHARED,
    [PD_FIGURE_PASSAGES] = SHARED, [PD_FIGURE_PAIRS] = SHARED,   [PD_FIGURE_WRITTEN] = SHARED,
};

/* The figure that the time and memory of a stage follow. */
static const enum pd_figure work_of[PD_STAGES] = {
    [PD_STAGE_READ] = PD_FIGURE_STORED,  [PD_STAGE_COUNT] = PD_FIGURE_WORDS,
    [PD_STAGE_GATHER] = PD_FIGURE_UNITS, [PD_STAGE_JOIN] = PD_FIGURE_COMPARED,
    [PD_STAGE_ALIGN] = PD_FIGURE_FANS,   [PD_STAGE_WRITE] = PD_FIGURE_WRITTEN,
};

static double between(double x, double lo, double hi) { return fmin(fmax(x, lo), hi); }

/* What two trials show of a figure y: it is y1 at x1, and y2 at x2, which is larger. */
struct shown {
    double x1, y1, x2, y2;
};

/* Four functions that extrapolate y to x; the first one needs the larger trial only. */

/* In proportion to x. */
static double steady(double x2, double y2, double x) { return x2 > 0 ? y2 * x / x2 : y2; }

/* y2 (x / x2)^p with p from 0.7 to 1: a vocabulary grows more slowly the larger it is. */
static double fading(const struct shown *s, double x)
{
    static const double slowest = 0.7;
    const bool known = s->y1 > 0 && s->y2 > 0 && s->x1 > 0 && s->x2 > s->x1;
    const double p = known ? log(s->y2 / s->y1) / log(s->x2 / s->x1) : 1;
    return s->x2 > 0 ? s->y2 * pow(x / s->x2, between(p, slowest, 1)) : s->y2;
}

/*
 * a x + b x^2. Neighbouring documents are in the same excerpt, so what they share grows with x.
 * What distant documents share grows with x^2.
 */
static double shared(const struct shown *s, double x)
{
    const double x1 = s->x1, x2 = s->x2, y2 = s->y2;
    if (x2 <= 0)
        return y2;
    const double b = x1 > 0 && x2 > x1 ? (y2 / x2 - s->y1 / x1) / (x2 - x1) : 0;
    const double square = between(b, 0, y2 / (x2 * x2));
    return (y2 / x2 - square * x2) * x + square * x * x;
}

/*
 * A constant, and a part that grows in proportion to x. At x2 the growing part is at least the
 * share `least` of y2, and at most `most` for each unit of x.
 */
static double offset(const struct shown *s, double x, double least, double most)
{
    const double x1 = s->x1, x2 = s->x2, y2 = s->y2;
    if (x2 <= 0)
        return y2;
    const double slope = x1 > 0 && x2 > x1 ? (y2 - s->y1) / (x2 - x1) : y2 / x2;
    const double bounded = fmin(between(slope, least * y2 / x2, y2 / x2), most);
    return fmax(y2 + bounded * (x - x2), 0);
}

static void make_figures(struct pd_expected *x, const struct pd_trial *before,
                         const struct pd_trial *last)
{
    const double s1 = before->figure[PD_FIGURE_STORED], s2 = last->figure[PD_FIGURE_STORED];
    for (int k = 0; k < PD_FIGURES; k++) {
        const struct shown s = {s1, before->figure[k], s2, last->figure[k]};
        x->figure[k] = growth_of[k] == STEADY   ? steady(s2, s.y2, x->stored)
                       : growth_of[k] == FADING ? fading(&s, x->stored)
                                                : shared(&s, x->stored);
    }
}

/*
 * Seconds of the read stage. Ranks share the reading evenly unless a piece is too long. In the
 * trial they had too few pieces to share evenly, so the time that counts is the time in which they
 * were busy.
 */
static double reading(const struct pd_expected *x, const struct pd_trial *last)
{
    const double s2 = last->figure[PD_FIGURE_STORED];
    const struct pd_stage *stage = &last->stage[PD_STAGE_READ];
    if (s2 == x->stored)
        return stage->seconds;
    return steady(s2, stage->mean * x->ranks, x->stored) * fmax(1.0 / x->ranks, x->longest);
}

/*
 * Bytes of memory of the rank that takes most, in one stage. x->peak is the peak of the stages
 * before. Records of gather and align add at most sorter_share of --memory to it, because then they
 * spill.
 */
static double peak_of(const struct pd_expected *x, const struct pd_trial *before,
                      const struct pd_trial *last, int stage)
{
    const struct shown s = {before->figure[work_of[stage]], (double)before->stage[stage].peak,
                            last->figure[work_of[stage]], (double)last->stage[stage].peak};
    const double raised = s.y2 - (double)last->stage[PD_STAGE_ALIGN].peak;
    if (stage == PD_STAGE_WRITE) /* few rows at a time: as much as in the trial, for any table */
        return x->peak + fmax(raised, 0);
    const double most = stage == PD_STAGE_GATHER  ? most_a_unit / x->ranks
                        : stage == PD_STAGE_ALIGN ? most_a_fan_byte / x->ranks
                                                  : INFINITY;
    const double peak = offset(&s, x->figure[work_of[stage]], 0, most);
    if (stage != PD_STAGE_GATHER && stage != PD_STAGE_ALIGN)
        return peak;
    return fmin(peak, fmax(s.y2, x->peak + sorter_share * x->memory));
}

static void make_stages(struct pd_expected *x, const struct pd_trial *before,
                        const struct pd_trial *last)
{
    static const double least_slope = 0.5; /* share of a time that grows: short times are noise */
    x->peak = x->exchanged = 0;
    for (int k = 0; k < PD_STAGES; k++) {
        const struct pd_stage *a = &before->stage[k], *b = &last->stage[k];
        const struct shown s = {before->figure[work_of[k]], a->seconds, last->figure[work_of[k]],
                                b->seconds};
        const double w = x->figure[work_of[k]];
        x->seconds[k] =
            k == PD_STAGE_READ
                ? reading(x, last)
                : offset(&s, w, least_slope, k == PD_STAGE_WRITE ? 1 / slowest_write : INFINITY);
        x->exchanged += steady(s.x2, (double)b->exchanged, w);
        x->peak = fmax(x->peak, peak_of(x, before, last, k));
    }
    double seen = 0;
    for (int k = 0; k < PD_STAGES; k++)
        seen = fmax(seen, (double)last->stage[k].peak);
    x->peak = fmin(x->peak, fmax(x->base + x->memory, seen));
}

/* Bytes in scratch. Spilled records are there only while their stage lasts. */
static void make_scratch(struct pd_expected *x)
{
    const double room = sorter_share * x->memory * x->ranks;
    const double postings = x->figure[PD_FIGURE_UNITS] * posting_bytes;
    const double fans = x->figure[PD_FIGURE_FANS];
    const double gather = postings > room ? postings * postings_packed : 0;
    const double align = fans * fan_in_memory > room ? fans * fans_packed : 0;
    const double held = sets_share * x->memory * x->ranks;
    const double join = fmax(x->figure[PD_FIGURE_SETS] - held, 0) * sets_packed;
    const double last = fmax(join, align + x->figure[PD_FIGURE_ROWS]);
    x->scratch = x->figure[PD_FIGURE_VOLUMES] + fmax(gather, x->figure[PD_FIGURE_CLASSES] + last);
}

void pd_scale_idf(struct pd_method_options *o, double documents, double share)
{
    if (documents < 2 || o->frequencies)
        return;
    const double scale = log(documents / share) / log(documents);
    for (int k = 0; k < 2; k++)
        o->idf[k] = fmin(o->idf[k] * scale, 1);
    o->always_df = (int64_t)((double)o->always_df * share);
}

bool pd_trial_is_enough(const struct pd_trial *t, double stored)
{
    const double bytes = t->figure[PD_FIGURE_STORED];
    double seconds = 0;
    for (int k = 0; k < PD_STAGES; k++)
        seconds += t->stage[k].seconds;
    return bytes >= stored || seconds >= seconds_most ||
           (seconds >= seconds_wanted && bytes >= bytes_wanted && bytes >= share_wanted * stored);
}

void pd_expected_make(struct pd_expected *x, const struct pd_trial *before,
                      const struct pd_trial *last, double limit_docs)
{
    const double s2 = last->figure[PD_FIGURE_STORED];
    const double documents = steady(s2, last->figure[PD_FIGURE_DOCUMENTS], x->stored);
    if (limit_docs > 0 && documents > limit_docs)
        x->stored *= limit_docs / documents;
    make_figures(x, before, last);
    make_stages(x, before, last);
    make_scratch(x);
}

static void print_count(const char *name, double value)
{
    printf("expected %-10s %14.0f\n", name, value);
}

static void print_bytes(const char *name, double value, const char *of_what)
{
    static const double mb = 1e6;
    printf("expected %-10s %14.1f MB%s\n", name, value / mb, of_what);
}

void pd_expected_print(const struct pd_expected *x, double listed, double price)
{
    static const double hour = 3600; /* seconds */
    double all = listed;
    print_count("documents", x->figure[PD_FIGURE_DOCUMENTS]);
    print_count("sentences", x->figure[PD_FIGURE_SENTENCES]);
    print_count("words", x->figure[PD_FIGURE_WORDS]);
    print_count("passages", x->figure[PD_FIGURE_PASSAGES]);
    print_count("pairs", x->figure[PD_FIGURE_PAIRS]);
    print_bytes("memory", x->peak, " a rank, at most");
    print_bytes("scratch", x->scratch, " in all");
    print_bytes("exchanged", x->exchanged, " in all");
    for (int k = 0; k < PD_STAGES; k++) {
        printf("expected %-10s %14.2f seconds\n", pd_stage_names[k], x->seconds[k]);
        all += x->seconds[k];
    }
    printf("expected all        %14.2f seconds on %d rank%s\n", all, x->ranks,
           pd_plural((uint64_t)x->ranks));
    const double hours = all * x->ranks / hour;
    printf("expected core-hours %14.4f\n", hours);
    if (price > 0)
        printf("expected cost       %14.2f at %g a core-hour\n", hours * price, price);
}

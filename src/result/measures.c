/* result/measures.c - see include/pardup/result/measures.h */
#include "pardup/result/measures.h"

#include <math.h>

#include "overlap.h"
#include "pardup/base/sort.h"

const char *const pd_measure_names[PD_MEASURES] = {
    "precision",       "recall",          "f1",           "granularity",
    "plagdet",         "micro_precision", "micro_recall", "micro_f1",
    "pair_precision",  "pair_recall",     "pair_f1",      "document_precision",
    "document_recall", "document_f1"};

/* A document, and whether it is in a true pair, in a found pair, or in both. */
struct seen {
    uint64_t doc;
    uint64_t how; /* bits SEEN_TRUE, SEEN_FOUND */
};
enum { SEEN_TRUE = 1, SEEN_FOUND = 2, SEEN_BOTH = SEEN_TRUE | SEEN_FOUND };
PD_VEC(seens, struct seen);

/* A class, or all classes together: what the pairs so far add to its score. */
struct group {
    struct pd_units units;  /* the sums of each pair */
    struct seens documents; /* the documents of true and of found pairs */
    uint64_t judged;        /* as in struct pd_score */
    uint64_t labelled_only; /* as in struct pd_score */
};

/* A document pair with its cases, detections and labels. */
struct pair {
    uint64_t a, b;
    const struct pd_match *cases;
    const struct pd_match *found; /* detections */
    const struct pd_label *labels;
    size_t ncases, nfound, nlabels;
    bool duplicate; /* a case or a label says that the documents are duplicates */
    bool judged;    /* passages are judged; not if only a label says that they are duplicates */
};

/* The groups, and memory that is reused from pair to pair. */
struct judge {
    const struct pd_judging *in;
    struct group *groups;        /* all classes together, then each class */
    struct pd_overlaps by_case;  /* the overlaps of the pair, by case, then detection */
    struct pd_overlaps by_found; /* the same, by detection, then case */
    struct pd_cover cover;       /* the text that is being summed */
    struct pd_offsets classes;   /* the classes of the pair, ascending */
};

/* Add up the measures of the cases of `class`; 0: of all cases. */
static void sum_cases(struct judge *g, const struct pair *p, uint64_t class, struct pd_sums *s)
{
    const struct pd_overlap *o = g->by_case.v, *end = o + g->by_case.n;
    for (size_t k = 0; k < p->ncases; k++) {
        const struct pd_overlap *first = o;
        for (; o < end && o->one == k; o++)
            pd_cover_add_shared(&g->cover, &p->cases[k], &p->found[o->other]);
        const uint64_t shared = pd_cover_length(&g->cover);
        const struct pd_match *c = &p->cases[k];
        if (class && c->class != class)
            continue;
        s->v[PD_SUM_CASES]++;
        s->v[PD_SUM_RECALLED] +=
            (double)shared / (double)(c->end_a - c->begin_a + c->end_b - c->begin_b);
        s->v[PD_SUM_DETECTED] += o > first;
        s->v[PD_SUM_OVERLAPS] += (double)(o - first);
    }
}

/* The text of the cases of `class`, and how much of it is found; 0: of all cases. */
static void sum_case_text(struct judge *g, const struct pair *p, uint64_t class, struct pd_sums *s)
{
    for (size_t k = 0; k < p->ncases; k++)
        if (!class || p->cases[k].class == class)
            pd_cover_add(&g->cover, &p->cases[k]);
    s->v[PD_SUM_CASE_TEXT] = (double)pd_cover_length(&g->cover);
    for (size_t k = 0; k < g->by_case.n; k++) {
        const struct pd_overlap o = g->by_case.v[k];
        if (!class || p->cases[o.one].class == class)
            pd_cover_add_shared(&g->cover, &p->cases[o.one], &p->found[o.other]);
    }
    s->v[PD_SUM_CASE_TEXT_FOUND] = (double)pd_cover_length(&g->cover);
}

/* Add up the measures of the detections; they are the same for all classes of the pair. */
static void sum_found(struct judge *g, const struct pair *p, struct pd_sums *s)
{
    const struct pd_overlap *o = g->by_found.v, *end = o + g->by_found.n;
    for (size_t k = 0; k < p->nfound; k++) {
        const struct pd_match *f = &p->found[k];
        for (; o < end && o->one == k; o++)
            pd_cover_add_shared(&g->cover, f, &p->cases[o->other]);
        s->v[PD_SUM_PRECISE] += (double)pd_cover_length(&g->cover) /
                                (double)(f->end_a - f->begin_a + f->end_b - f->begin_b);
        s->v[PD_SUM_FOUND]++;
    }
    for (size_t k = 0; k < p->nfound; k++)
        pd_cover_add(&g->cover, &p->found[k]);
    s->v[PD_SUM_FOUND_TEXT] = (double)pd_cover_length(&g->cover);
    for (size_t k = 0; k < g->by_case.n; k++)
        pd_cover_add_shared(&g->cover, &p->cases[g->by_case.v[k].one],
                            &p->found[g->by_case.v[k].other]);
    s->v[PD_SUM_FOUND_TEXT_TRUE] = (double)pd_cover_length(&g->cover);
}

/* List the overlaps of the pair in both orders. */
static void find_overlaps(struct judge *g, const struct pair *p)
{
    g->by_case.n = g->by_found.n = 0;
    pd_overlaps_find(p->cases, p->ncases, p->found, p->nfound, &g->by_case);
    for (size_t k = 0; k < g->by_case.n; k++)
        pd_overlaps_push(&g->by_found,
                         (struct pd_overlap){g->by_case.v[k].other, g->by_case.v[k].one});
    pd_sort_records(g->by_found.v, g->by_found.n, PD_OVERLAP_U64S, PD_OVERLAP_U64S);
}

/* Add the pair to the group of `class`; `s` holds the sums that are the same for all classes. */
static void add_to_group(struct judge *g, const struct pair *p, uint64_t class, struct pd_sums s)
{
    struct group *group = &g->groups[class];
    const uint64_t how = (p->duplicate ? SEEN_TRUE : 0u) | (p->nfound ? SEEN_FOUND : 0u);
    if (p->judged) {
        group->judged++;
        sum_cases(g, p, class, &s);
        sum_case_text(g, p, class, &s);
    } else {
        group->labelled_only += p->nfound;
    }
    pd_units_push(&group->units, s);
    if (how) {
        seens_push(&group->documents, (struct seen){p->a, how});
        seens_push(&group->documents, (struct seen){p->b, how});
    }
}

/* List the classes of the pair's cases and labels, each once. */
static void list_classes(struct judge *g, const struct pair *p)
{
    size_t kept = 0;
    g->classes.n = 0;
    for (size_t k = 0; k < p->ncases; k++)
        pd_offsets_push(&g->classes, p->cases[k].class);
    for (size_t k = 0; k < p->nlabels; k++)
        pd_offsets_push(&g->classes, p->labels[k].class);
    pd_sort_records(g->classes.v, g->classes.n, 1, 1);
    for (size_t k = 0; k < g->classes.n; k++)
        if (g->classes.v[k] && (kept == 0 || g->classes.v[k] != g->classes.v[kept - 1]))
            g->classes.v[kept++] = g->classes.v[k];
    g->classes.n = kept;
}

static void judge_pair(struct judge *g, struct pair *p)
{
    struct pd_sums s = {{0}};
    p->duplicate = p->ncases > 0;
    for (size_t k = 0; k < p->nlabels; k++)
        p->duplicate |= p->labels[k].kind == PD_LABEL_DUPLICATE;
    p->judged = p->ncases > 0 || !p->duplicate;
    s.v[PD_SUM_TRUE_PAIRS] = p->duplicate;
    s.v[PD_SUM_FOUND_PAIRS] = p->nfound > 0;
    s.v[PD_SUM_BOTH_PAIRS] = p->duplicate && p->nfound > 0;
    if (p->judged) {
        find_overlaps(g, p);
        sum_found(g, p, &s);
    }
    list_classes(g, p);
    add_to_group(g, p, 0, s);
    for (size_t k = 0; k < g->classes.n; k++)
        add_to_group(g, p, g->classes.v[k], s);
}

static bool same(const struct pair *p, uint64_t a, uint64_t b) { return p->a == a && p->b == b; }

/* Set the pair to (a, b) if that comes before it. */
static void be_first(struct pair *p, uint64_t a, uint64_t b)
{
    if (pd_pair_order(a, b, p->a, p->b) < 0) {
        p->a = a;
        p->b = b;
    }
}

/* Walk cases, detections and labels side by side, document pair by document pair. */
static void judge_pairs(struct judge *g)
{
    const struct pd_match *c = g->in->cases->v, *c_end = c + g->in->cases->n;
    const struct pd_match *f = g->in->found->v, *f_end = f + g->in->found->n;
    const struct pd_label *l = g->in->labels->v, *l_end = l + g->in->labels->n;
    while (c < c_end || f < f_end || l < l_end) {
        struct pair p = {.a = UINT64_MAX, .b = UINT64_MAX, .cases = c, .found = f, .labels = l};
        if (c < c_end)
            be_first(&p, c->a, c->b);
        if (f < f_end)
            be_first(&p, f->a, f->b);
        if (l < l_end)
            be_first(&p, l->a, l->b);
        for (; c < c_end && same(&p, c->a, c->b); c++)
            p.ncases++;
        for (; f < f_end && same(&p, f->a, f->b); f++)
            p.nfound++;
        for (; l < l_end && same(&p, l->a, l->b); l++)
            p.nlabels++;
        judge_pair(g, &p);
    }
}

static struct pd_documents_judged count_documents(struct seens *s)
{
    struct pd_documents_judged d = {0, 0, 0};
    pd_sort_records(s->v, s->n, 2, 2);
    for (size_t k = 0; k < s->n;) {
        const uint64_t doc = s->v[k].doc;
        uint64_t how = 0;
        for (; k < s->n && s->v[k].doc == doc; k++)
            how |= s->v[k].how;
        d.both += how == SEEN_BOTH;
        d.only_true += how == SEEN_TRUE;
        d.only_found += how == SEEN_FOUND;
    }
    return d;
}

/*
 * part / whole. If `whole` is 0, then 1 if `other` is 0, too, else 0: `whole` and `other` are the
 * numbers of cases and of detections, and measures.h says what holds if there are none.
 */
static double share(double part, double whole, double other)
{
    return whole > 0 ? part / whole : other > 0 ? 0 : 1;
}

/* Write three values that follow one another in enum pd_measure. */
static void precision_recall_f1(double *value, double precision, double recall)
{
    value[0] = precision;
    value[1] = recall;
    value[2] = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

void pd_measures_of(const struct pd_sums *sums, double *value)
{
    const double *s = sums->v;
    precision_recall_f1(value + PD_PRECISION,
                        share(s[PD_SUM_PRECISE], s[PD_SUM_FOUND], s[PD_SUM_CASES]),
                        share(s[PD_SUM_RECALLED], s[PD_SUM_CASES], s[PD_SUM_FOUND]));
    value[PD_GRANULARITY] = s[PD_SUM_DETECTED] > 0 ? s[PD_SUM_OVERLAPS] / s[PD_SUM_DETECTED] : 1;
    value[PD_PLAGDET] = value[PD_F1] / log2(1 + value[PD_GRANULARITY]);
    precision_recall_f1(
        value + PD_MICRO_PRECISION,
        share(s[PD_SUM_FOUND_TEXT_TRUE], s[PD_SUM_FOUND_TEXT], s[PD_SUM_CASE_TEXT]),
        share(s[PD_SUM_CASE_TEXT_FOUND], s[PD_SUM_CASE_TEXT], s[PD_SUM_FOUND_TEXT]));
    precision_recall_f1(value + PD_PAIR_PRECISION,
                        share(s[PD_SUM_BOTH_PAIRS], s[PD_SUM_FOUND_PAIRS], s[PD_SUM_TRUE_PAIRS]),
                        share(s[PD_SUM_BOTH_PAIRS], s[PD_SUM_TRUE_PAIRS], s[PD_SUM_FOUND_PAIRS]));
}

void pd_measures_of_documents(const struct pd_documents_judged *d, double *value)
{
    const double both = (double)d->both;
    const double all_true = (double)(d->both + d->only_true);
    const double all_found = (double)(d->both + d->only_found);
    precision_recall_f1(value + PD_DOCUMENT_PRECISION, share(both, all_found, all_true),
                        share(both, all_true, all_found));
}

/* Make the score of a group, and release the group. */
static void finish(struct group *group, const struct pd_judging *in, struct pd_score *score)
{
    *score = (struct pd_score){
        .pairs = group->units.n, .judged = group->judged, .labelled_only = group->labelled_only};
    for (size_t k = 0; k < group->units.n; k++)
        for (int s = 0; s < PD_SUMS; s++)
            score->sums.v[s] += group->units.v[k].v[s];
    score->documents = count_documents(&group->documents);
    pd_measures_of(&score->sums, score->value);
    pd_measures_of_documents(&score->documents, score->value);
    for (int m = 0; m < PD_MEASURES; m++)
        score->low[m] = score->high[m] = score->value[m];
    if (in->bootstrap && group->units.n)
        pd_bootstrap(&group->units, in->bootstrap, in->seed, score);
    pd_units_release(&group->units);
    seens_release(&group->documents);
}

void pd_measures_judge(const struct pd_judging *in, struct pd_score *scores)
{
    struct judge g = {.in = in};
    g.groups = pd_realloc(NULL, in->nclasses + 1, sizeof *g.groups);
    for (uint64_t k = 0; k <= in->nclasses; k++)
        g.groups[k] = (struct group){.judged = 0};
    judge_pairs(&g);
    for (uint64_t k = 0; k <= in->nclasses; k++)
        finish(&g.groups[k], in, &scores[k]);
    free(g.groups);
    pd_overlaps_release(&g.by_case);
    pd_overlaps_release(&g.by_found);
    pd_cover_release(&g.cover);
    pd_offsets_release(&g.classes);
}

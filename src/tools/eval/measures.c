/* tools/eval/measures.c - see src/tools/eval/measures.h */
#include "measures.h"

#include "overlap.h"
#include "paired.h"
#include "pardup/base/sort.h"

const char *const pd_measure_names[PD_MEASURES] = {
    "precision",       "recall",          "f1",           "granularity",
    "plagdet",         "micro_precision", "micro_recall", "micro_f1",
    "pair_precision",  "pair_recall",     "pair_f1",      "document_precision",
    "document_recall", "document_f1"};

/* A document, and whether it is in a true pair, in a found pair, or in both. */
struct seen {
    uint64_t doc;
    uint64_t kinds; /* bits SEEN_TRUE, SEEN_FOUND */
};
enum { SEEN_TRUE = 1, SEEN_FOUND = 2, SEEN_BOTH = SEEN_TRUE | SEEN_FOUND };
PD_VEC(seens, struct seen);

/* A class, or all classes together: what the pairs so far add to its score. */
struct group {
    struct pd_pair_sums pairs; /* the sums of each pair */
    struct seens documents;    /* the documents of true and of found pairs */
    uint64_t judged;           /* as in struct pd_score */
    uint64_t labelled_only;    /* as in struct pd_score */
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
    struct group *groups;         /* all classes together, then each class */
    struct pd_judged_pairs *list; /* in place of groups: receives the pairs; NULL: not wanted */
    struct pd_overlaps by_case;   /* the overlaps of the pair, by case, then detection */
    struct pd_overlaps by_found;  /* the same, by detection, then case */
    struct pd_cover cover;        /* the text that is being summed */
    struct pd_indices classes;    /* the classes of the pair, ascending */
};

/* Add up the measures of the cases of `class`; 0: of all cases. */
static void sum_cases(struct judge *judge, const struct pair *p, uint64_t class,
                      struct pd_sums *sums)
{
    const struct pd_overlap *o = judge->by_case.v, *end = pd_overlaps_behind(&judge->by_case);
    for (size_t k = 0; k < p->ncases; k++) {
        const struct pd_overlap *first = o;
        for (; o < end && o->one == k; o++)
            pd_cover_add_shared(&judge->cover, &p->cases[k], &p->found[o->other]);
        const uint64_t shared = pd_cover_length(&judge->cover);
        const struct pd_match *c = &p->cases[k];
        if (class && c->class != class)
            continue;
        sums->v[PD_SUM_CASES]++;
        sums->v[PD_SUM_RECALLED] +=
            (double)shared / (double)(c->end_a - c->begin_a + c->end_b - c->begin_b);
        sums->v[PD_SUM_DETECTED] += o > first;
        sums->v[PD_SUM_OVERLAPS] += (double)(o - first);
    }
}

/* The text of the cases of `class`, and how much of it is found; 0: of all cases. */
static void sum_case_text(struct judge *judge, const struct pair *p, uint64_t class,
                          struct pd_sums *sums)
{
    for (size_t k = 0; k < p->ncases; k++)
        if (!class || p->cases[k].class == class)
            pd_cover_add(&judge->cover, &p->cases[k]);
    sums->v[PD_SUM_CASE_TEXT] = (double)pd_cover_length(&judge->cover);
    for (size_t k = 0; k < judge->by_case.n; k++) {
        const struct pd_overlap o = judge->by_case.v[k];
        if (!class || p->cases[o.one].class == class)
            pd_cover_add_shared(&judge->cover, &p->cases[o.one], &p->found[o.other]);
    }
    sums->v[PD_SUM_CASE_TEXT_FOUND] = (double)pd_cover_length(&judge->cover);
}

/* Add up the measures of the detections; they are the same for all classes of the pair. */
static void sum_found(struct judge *judge, const struct pair *p, struct pd_sums *sums)
{
    const struct pd_overlap *o = judge->by_found.v, *end = pd_overlaps_behind(&judge->by_found);
    for (size_t k = 0; k < p->nfound; k++) {
        const struct pd_match *f = &p->found[k];
        for (; o < end && o->one == k; o++)
            pd_cover_add_shared(&judge->cover, f, &p->cases[o->other]);
        sums->v[PD_SUM_PRECISE] += (double)pd_cover_length(&judge->cover) /
                                   (double)(f->end_a - f->begin_a + f->end_b - f->begin_b);
        sums->v[PD_SUM_FOUND]++;
    }
    for (size_t k = 0; k < p->nfound; k++)
        pd_cover_add(&judge->cover, &p->found[k]);
    sums->v[PD_SUM_FOUND_TEXT] = (double)pd_cover_length(&judge->cover);
    for (size_t k = 0; k < judge->by_case.n; k++)
        pd_cover_add_shared(&judge->cover, &p->cases[judge->by_case.v[k].one],
                            &p->found[judge->by_case.v[k].other]);
    sums->v[PD_SUM_FOUND_TEXT_TRUE] = (double)pd_cover_length(&judge->cover);
}

/* List the overlaps of the pair in both orders. */
static void find_overlaps(struct judge *judge, const struct pair *p)
{
    judge->by_case.n = judge->by_found.n = 0;
    pd_overlaps_find(p->cases, p->ncases, p->found, p->nfound, &judge->by_case);
    for (size_t k = 0; k < judge->by_case.n; k++)
        pd_overlaps_push(&judge->by_found,
                         (struct pd_overlap){judge->by_case.v[k].other, judge->by_case.v[k].one});
    pd_sort_records(judge->by_found.v, judge->by_found.n, PD_OVERLAP_U64S, PD_OVERLAP_U64S);
}

/* Add the pair to the group of `class`; `sums` holds the sums that are the same for all classes. */
static void add_to_group(struct judge *judge, const struct pair *p, uint64_t class,
                         struct pd_sums sums)
{
    struct group *group = &judge->groups[class];
    const uint64_t kinds = (p->duplicate ? SEEN_TRUE : 0u) | (p->nfound ? SEEN_FOUND : 0u);
    if (p->judged) {
        group->judged++;
        sum_cases(judge, p, class, &sums);
        sum_case_text(judge, p, class, &sums);
    } else {
        group->labelled_only += p->nfound;
    }
    pd_pair_sums_push(&group->pairs, sums);
    if (kinds) {
        seens_push(&group->documents, (struct seen){p->a, kinds});
        seens_push(&group->documents, (struct seen){p->b, kinds});
    }
}

static void add_to_list(struct judge *judge, const struct pair *p, struct pd_sums sums)
{
    if (p->judged) {
        sum_cases(judge, p, 0, &sums);
        sum_case_text(judge, p, 0, &sums);
    }
    pd_judged_pairs_push(judge->list, (struct pd_judged_pair){p->a, p->b, sums});
}

/* List the classes of the pair's cases and labels, each once. */
static void list_classes(struct judge *judge, const struct pair *p)
{
    size_t kept = 0;
    judge->classes.n = 0;
    for (size_t k = 0; k < p->ncases; k++)
        pd_indices_push(&judge->classes, p->cases[k].class);
    for (size_t k = 0; k < p->nlabels; k++)
        pd_indices_push(&judge->classes, p->labels[k].class);
    pd_sort_records(judge->classes.v, judge->classes.n, 1, 1);
    for (size_t k = 0; k < judge->classes.n; k++)
        if (judge->classes.v[k] && (kept == 0 || judge->classes.v[k] != judge->classes.v[kept - 1]))
            judge->classes.v[kept++] = judge->classes.v[k];
    judge->classes.n = kept;
}

static void judge_pair(struct judge *judge, struct pair *p)
{
    struct pd_sums sums = {{0}};
    p->duplicate = p->ncases > 0;
    for (size_t k = 0; k < p->nlabels; k++)
        p->duplicate |= p->labels[k].kind == PD_LABEL_DUPLICATE;
    p->judged = p->ncases > 0 || !p->duplicate;
    sums.v[PD_SUM_TRUE_PAIRS] = p->duplicate;
    sums.v[PD_SUM_FOUND_PAIRS] = p->nfound > 0;
    sums.v[PD_SUM_BOTH_PAIRS] = p->duplicate && p->nfound > 0;
    if (p->judged) {
        find_overlaps(judge, p);
        sum_found(judge, p, &sums);
    }
    if (judge->list) {
        add_to_list(judge, p, sums);
        return;
    }
    list_classes(judge, p);
    add_to_group(judge, p, 0, sums);
    for (size_t k = 0; k < judge->classes.n; k++)
        add_to_group(judge, p, judge->classes.v[k], sums);
}

static bool same(const struct pair *p, uint64_t a, uint64_t b) { return p->a == a && p->b == b; }

/* Set the pair to (a, b) if that comes before it. */
static void take_smaller(struct pair *p, uint64_t a, uint64_t b)
{
    if (pd_pair_order(a, b, p->a, p->b) < 0) {
        p->a = a;
        p->b = b;
    }
}

/* Walk cases, detections and labels side by side, document pair by document pair. */
static void judge_pairs(struct judge *judge)
{
    const struct pd_match *c = judge->in->cases->v, *c_end = pd_matches_behind(judge->in->cases);
    const struct pd_match *f = judge->in->found->v, *f_end = pd_matches_behind(judge->in->found);
    const struct pd_label *l = judge->in->labels->v, *l_end = pd_labels_behind(judge->in->labels);
    while (c < c_end || f < f_end || l < l_end) {
        struct pair p = {.a = UINT64_MAX, .b = UINT64_MAX, .cases = c, .found = f, .labels = l};
        if (c < c_end)
            take_smaller(&p, c->a, c->b);
        if (f < f_end)
            take_smaller(&p, f->a, f->b);
        if (l < l_end)
            take_smaller(&p, l->a, l->b);
        for (; c < c_end && same(&p, c->a, c->b); c++)
            p.ncases++;
        for (; f < f_end && same(&p, f->a, f->b); f++)
            p.nfound++;
        for (; l < l_end && same(&p, l->a, l->b); l++)
            p.nlabels++;
        judge_pair(judge, &p);
    }
}

static struct pd_documents_judged count_documents(struct seens *s)
{
    struct pd_documents_judged d = {0, 0, 0};
    pd_sort_records(s->v, s->n, 2, 2);
    for (size_t k = 0; k < s->n;) {
        const uint64_t doc = s->v[k].doc;
        uint64_t kinds = 0;
        for (; k < s->n && s->v[k].doc == doc; k++)
            kinds |= s->v[k].kinds;
        d.both += kinds == SEEN_BOTH;
        d.only_true += kinds == SEEN_TRUE;
        d.only_found += kinds == SEEN_FOUND;
    }
    return d;
}

/* Make the score of a group, and release the group. */
static void make_score(struct group *group, const struct pd_judging *in, struct pd_score *score)
{
    *score = (struct pd_score){
        .pairs = group->pairs.n, .judged = group->judged, .labelled_only = group->labelled_only};
    for (size_t k = 0; k < group->pairs.n; k++)
        for (int s = 0; s < PD_SUMS; s++)
            score->sums.v[s] += group->pairs.v[k].v[s];
    score->documents = count_documents(&group->documents);
    pd_measures_of(&score->sums, score->value);
    pd_measures_of_documents(&score->documents, score->value);
    for (int m = 0; m < PD_MEASURES; m++)
        score->low[m] = score->high[m] = score->value[m];
    if (in->bootstrap && group->pairs.n)
        pd_bootstrap(&group->pairs, in->bootstrap, in->seed, score);
    pd_pair_sums_release(&group->pairs);
    seens_release(&group->documents);
}

static void release(struct judge *judge)
{
    PD_RELEASE(pd_overlaps, &judge->by_case, &judge->by_found);
    pd_cover_release(&judge->cover);
    pd_indices_release(&judge->classes);
}

void pd_measures_judge(const struct pd_judging *in, struct pd_score *scores)
{
    struct judge judge = {.in = in};
    judge.groups = pd_realloc(NULL, in->nclasses + 1, sizeof *judge.groups);
    for (uint64_t k = 0; k <= in->nclasses; k++)
        judge.groups[k] = (struct group){.judged = 0};
    judge_pairs(&judge);
    for (uint64_t k = 0; k <= in->nclasses; k++)
        make_score(&judge.groups[k], in, &scores[k]);
    free(judge.groups);
    release(&judge);
}

void pd_measures_pairs(const struct pd_judging *in, struct pd_judged_pairs *pairs)
{
    struct judge judge = {.in = in, .list = pairs};
    judge_pairs(&judge);
    release(&judge);
}

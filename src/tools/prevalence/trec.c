/* tools/prevalence/trec.c - see src/tools/prevalence/trec.h */
#include "trec.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"

enum { RUN_COLUMNS = 6, JUDGED_COLUMNS = 4 };
enum { FOUND_U64S = sizeof(struct pd_found) / 8, FOUND_KEYS = 5 };
enum { JUDGED_U64S = sizeof(struct pd_judged) / 8, JUDGED_KEYS = 3 };

static const uint64_t sign = (uint64_t)1 << 63;

/* Split a line at blanks and tabs, in place, into at most `most` columns. Returns their number. */
static int split(char *line, char **column, int most)
{
    int n = 0;
    for (char *at = line; n < most; n++) {
        at += strspn(at, " \t");
        if (!*at)
            break;
        column[n] = at;
        at += strcspn(at, " \t");
        if (*at)
            *at++ = '\0';
    }
    return n;
}

static uint64_t number_of(struct pd_names *names, const char *name)
{
    return pd_names_put(names, name, strlen(name), names->names.n);
}

/* A key that ascends as the score falls. */
static uint64_t falling(double score)
{
    uint64_t bits;
    score += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &score, sizeof bits);
    return bits & sign ? bits : ~(bits | sign);
}

static int parse_whole(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end > text && !*end && !errno;
}

/* The number of the run with this tag in the file. Most lines have the tag of the line before. */
static uint64_t run_of(struct pd_trec *r, uint64_t file, const char *tag)
{
    const uint64_t name = number_of(&r->tags, tag);
    for (size_t k = r->runs.n; k > 0 && r->runs.v[k - 1].file == file; k--)
        if (r->runs.v[k - 1].tag == name)
            return k - 1;
    pd_trec_runs_push(&r->runs, (struct pd_trec_run){file, name});
    return r->runs.n - 1;
}

int pd_trec_take(struct pd_trec *r, char *line, uint64_t file, uint64_t number)
{
    char *column[RUN_COLUMNS], *end;
    int64_t rank;
    const int n = split(line, column, RUN_COLUMNS);
    if (n == 0)
        return PD_OK;
    if (n < RUN_COLUMNS)
        return pd_fail(PD_EFORMAT,
                       "expected 6 columns of a run (topic Q0 document rank score tag), "
                       "not %d",
                       n);
    if (!parse_whole(column[3], &rank))
        return pd_fail(PD_EFORMAT, "the rank %.40s is no whole number", column[3]);
    const double score = strtod(column[4], &end);
    if (end == column[4] || *end || isnan(score))
        return pd_fail(PD_EFORMAT, "the score %.40s is no number", column[4]);
    pd_founds_push(&r->found, (struct pd_found){.run = run_of(r, file, column[5]),
                                                .topic = number_of(&r->topics, column[0]),
                                                .order = {(uint64_t)rank ^ sign, falling(score)},
                                                .line = number,
                                                .doc = number_of(&r->docs, column[2])});
    return PD_OK;
}

int pd_trec_judge(struct pd_trec *r, char *line, uint64_t file, uint64_t number)
{
    char *column[RUN_COLUMNS];
    int64_t relevance;
    const int n = split(line, column, RUN_COLUMNS);
    if (n == 0)
        return PD_OK;
    if (n < JUDGED_COLUMNS)
        return pd_fail(PD_EFORMAT,
                       "expected 4 columns of judgements (topic iteration document "
                       "relevance), not %d",
                       n);
    if (n == RUN_COLUMNS)
        return pd_fail(PD_EFORMAT, "6 columns: this is a run, not judgements");
    if (!parse_whole(column[3], &relevance))
        return pd_fail(PD_EFORMAT, "the relevance %.40s is no whole number", column[3]);
    pd_judgeds_push(&r->judged, (struct pd_judged){.topic = number_of(&r->topics, column[0]),
                                                   .file = file,
                                                   .line = number,
                                                   .doc = number_of(&r->docs, column[2]),
                                                   .relevant = relevance > 0});
    return PD_OK;
}

const char *pd_trec_name(const struct pd_names *names, uint64_t number)
{
    return (const char *)names->text.v + names->names.v[number].at;
}

/* ---- order ---- */

static int by_topic(const void *a, const void *b, void *names)
{
    const char *x = pd_trec_name(names, *(const uint64_t *)a);
    const char *y = pd_trec_name(names, *(const uint64_t *)b);
    const int version = strverscmp(x, y);
    return version ? version : strcmp(x, y);
}

static int by_id(const void *a, const void *b, void *names)
{
    return strcmp(pd_trec_name(names, *(const uint64_t *)b),
                  pd_trec_name(names, *(const uint64_t *)a));
}

/* The place of each name when they are sorted; the caller frees it. */
static uint64_t *places_of(struct pd_names *names,
                           int (*compare)(const void *, const void *, void *))
{
    const size_t n = names->names.n;
    uint64_t *sorted = pd_realloc(NULL, n, sizeof *sorted);
    uint64_t *places = pd_realloc(NULL, n, sizeof *places);
    for (size_t k = 0; k < n; k++)
        sorted[k] = k;
    qsort_r(sorted, n, sizeof *sorted, compare, names);
    for (size_t k = 0; k < n; k++)
        places[sorted[k]] = k;
    free(sorted);
    return places;
}

/* Give the topics the numbers of their places. */
static void number_topics(struct pd_trec *r)
{
    struct pd_name_list sorted = {0};
    uint64_t *places = places_of(&r->topics, by_topic);
    pd_name_list_reserve(&sorted, r->topics.names.n);
    sorted.n = r->topics.names.n;
    for (size_t k = 0; k < sorted.n; k++)
        sorted.v[places[k]] = r->topics.names.v[k];
    for (size_t k = 0; k < r->found.n; k++)
        r->found.v[k].topic = places[r->found.v[k].topic];
    for (size_t k = 0; k < r->judged.n; k++)
        r->judged.v[k].topic = places[r->judged.v[k].topic];
    pd_name_list_release(&r->topics.names);
    r->topics.names = sorted;
    free(places);
}

/* Order by score, then by descending id. */
static void order_by_score(struct pd_trec *r)
{
    uint64_t *places = places_of(&r->docs, by_id);
    for (size_t k = 0; k < r->found.n; k++) {
        struct pd_found *f = &r->found.v[k];
        f->order[0] = f->order[1];
        f->order[1] = places[f->doc];
    }
    free(places);
}

size_t pd_trec_end(const struct pd_trec *r, size_t from)
{
    const struct pd_found *v = r->found.v;
    size_t end = from + 1;
    while (end < r->found.n && v[end].run == v[from].run && v[end].topic == v[from].topic)
        end++;
    return end;
}

/* Count the runs and topics in which a document with a greater rank has a greater score. */
static uint64_t count_contradictions(const struct pd_trec *r)
{
    uint64_t count = 0;
    for (size_t from = 0, end; from < r->found.n; from = end) {
        bool contradict = false;
        end = pd_trec_end(r, from);
        for (size_t k = from + 1; k < end; k++)
            contradict |= r->found.v[k].order[1] < r->found.v[k - 1].order[1];
        count += contradict;
    }
    return count;
}

/* Leave out lines that name a document again for the same run and topic. */
static void leave_out_repeats(struct pd_trec *r)
{
    size_t kept = 0;
    uint64_t *seen = pd_zeroed(r->docs.names.n, sizeof *seen);
    for (size_t from = 0, end; from < r->found.n; from = end) {
        end = pd_trec_end(r, from);
        for (size_t k = from; k < end; k++) {
            uint64_t *mark = &seen[r->found.v[k].doc];
            if (*mark != from + 1)
                r->found.v[kept++] = r->found.v[k];
            *mark = from + 1;
        }
    }
    r->repeated = r->found.n - kept;
    r->found.n = kept;
    free(seen);
}

/*
 * Count judgements that say the opposite of the judgement before of the same topic and document.
 * Judgements are in order of topics.
 */
static uint64_t count_disputed(const struct pd_trec *r)
{
    uint64_t count = 0;
    uint64_t *last = pd_zeroed(r->docs.names.n, sizeof *last);
    for (size_t k = 0; k < r->judged.n; k++) {
        const struct pd_judged *j = &r->judged.v[k];
        const uint64_t mark = (j->topic + 1) << 1 | j->relevant;
        count += (last[j->doc] ^ mark) == 1;
        last[j->doc] = mark;
    }
    free(last);
    return count;
}

void pd_trec_sort(struct pd_trec *r, enum pd_trec_order order)
{
    number_topics(r);
    if (order == PD_TREC_SCORE)
        order_by_score(r);
    pd_sort_records(r->found.v, r->found.n, FOUND_U64S, FOUND_KEYS);
    pd_sort_records(r->judged.v, r->judged.n, JUDGED_U64S, JUDGED_KEYS);
    r->contradict = order == PD_TREC_RANK ? count_contradictions(r) : 0;
    r->disputed = count_disputed(r);
    leave_out_repeats(r);
}

void pd_trec_release(struct pd_trec *r)
{
    PD_RELEASE(pd_names, &r->docs, &r->topics, &r->tags);
    pd_trec_runs_release(&r->runs);
    pd_founds_release(&r->found);
    pd_judgeds_release(&r->judged);
}

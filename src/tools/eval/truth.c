/* tools/eval/truth.c - see src/tools/eval/truth.h */
#include "truth.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/open.h"
#include "pardup/base/sort.h"

/* Columns of a line: the most that are used, and what each kind of line has without a class. */
enum { COLUMNS = 7, CASE_COLUMNS = 6, UNIT_COLUMNS = 4, LABEL_COLUMNS = 2, IGNORED_COLUMNS = 3 };
enum { MOST_CLASSES = 1000 }; /* with more classes, the column is not likely to be a class */

void pd_truth_documents(struct pd_truth *t, const char *ids, size_t width, uint64_t n,
                        bool last_component)
{
    for (uint64_t k = 0; k < n; k++) {
        const char *id = ids + k * width;
        size_t len = strnlen(id, width);
        const char *slash = last_component ? memrchr(id, '/', len) : NULL;
        if (slash) {
            len -= (size_t)(slash + 1 - id);
            id = slash + 1;
        }
        pd_names_put(&t->ids, id, len, k);
    }
    t->documents = n;
}

uint64_t pd_truth_doc(struct pd_truth *t, const char *id, size_t n)
{
    const uint64_t fresh = t->documents + t->unknown.n;
    const size_t text_end = t->ids.text.n;
    const uint64_t doc = pd_names_put(&t->ids, id, n, fresh);
    if (doc == fresh)
        pd_indices_push(&t->unknown, text_end ? text_end : 1);
    return doc;
}

int pd_truth_class_of(struct pd_truth *t, const char *name, size_t n, uint64_t *class)
{
    const uint64_t fresh = t->class_names.n + 1;
    const size_t text_end = t->classes.text.n;
    *class = n ? pd_names_put(&t->classes, name, n, fresh) : 0;
    if (*class == fresh)
        pd_indices_push(&t->class_names, text_end ? text_end : 1);
    if (*class > MOST_CLASSES)
        return pd_fail(PD_EFORMAT, "more than %d classes: is that column a class?", MOST_CLASSES);
    return PD_OK;
}

/* Split a line at its tabs, in place, into at most `most` columns; returns how many there are. */
static int split(char *line, char **column, int most)
{
    int n = 0;
    for (char *at = line; at && n < most; n++) {
        column[n] = strsep(&at, "\t");
    }
    return n;
}

/* Parse a decimal number; returns 0 if the text is anything else. */
static int parse_offset(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static int take_case(struct pd_truth *t, char **column, int n)
{
    struct pd_match m = {.class = 0};
    if (!parse_offset(column[1], &m.begin_a) || !parse_offset(column[2], &m.end_a) ||
        !parse_offset(column[4], &m.begin_b) || !parse_offset(column[5], &m.end_b))
        return pd_fail(PD_EFORMAT, "columns 2, 3, 5 and 6 must be byte offsets");
    if (m.begin_a >= m.end_a || m.begin_b >= m.end_b)
        return pd_fail(PD_EFORMAT, "a passage must end after it begins");
    if (n > CASE_COLUMNS)
        PD_TRY(pd_truth_class_of(t, column[6], strlen(column[6]), &m.class));
    m.a = pd_truth_doc(t, column[0], strlen(column[0]));
    m.b = pd_truth_doc(t, column[3], strlen(column[3]));
    pd_matches_push(&t->cases, pd_match_ordered(m));
    return PD_OK;
}

/* Take a pair of units, as a case that has the length of one unit on each side. */
static int take_units(struct pd_truth *t, char **column, int n)
{
    struct pd_match m = {.class = 0};
    if (!parse_offset(column[1], &m.begin_a) || !parse_offset(column[3], &m.begin_b))
        return pd_fail(PD_EFORMAT, "columns 2 and 4 must be units, as in /matches");
    m.end_a = m.begin_a + 1;
    m.end_b = m.begin_b + 1;
    if (n > UNIT_COLUMNS)
        PD_TRY(pd_truth_class_of(t, column[4], strlen(column[4]), &m.class));
    m.a = pd_truth_doc(t, column[0], strlen(column[0]));
    m.b = pd_truth_doc(t, column[2], strlen(column[2]));
    pd_matches_push(&t->cases, pd_match_ordered(m));
    return PD_OK;
}

static int take_label(struct pd_truth *t, char **column, int n)
{
    struct pd_label l = {.kind = PD_LABEL_DUPLICATE};
    if (n > LABEL_COLUMNS)
        PD_TRY(pd_truth_class_of(t, column[2], strlen(column[2]), &l.class));
    const uint64_t a = pd_truth_doc(t, column[0], strlen(column[0]));
    const uint64_t b = pd_truth_doc(t, column[1], strlen(column[1]));
    l.a = a < b ? a : b;
    l.b = a < b ? b : a;
    pd_labels_push(&t->labels, l);
    return PD_OK;
}

static int take_line(struct pd_truth *t, char *line)
{
    char *column[COLUMNS];
    if (!*line || *line == '#')
        return PD_OK;
    const int n = split(line, column, COLUMNS);
    const bool units = n == UNIT_COLUMNS || n == UNIT_COLUMNS + 1;
    if ((units || n >= CASE_COLUMNS) && t->cases.n && units != t->units)
        return pd_fail(PD_EFORMAT, "pairs of units and passages cannot be mixed");
    t->units |= units;
    if (units)
        return take_units(t, column, n);
    if (n >= CASE_COLUMNS)
        return take_case(t, column, n);
    if (n == LABEL_COLUMNS || n == LABEL_COLUMNS + 1)
        return take_label(t, column, n);
    return pd_fail(PD_EFORMAT, "expected 6 columns (a passage), 4 (units) or 2 (documents), not %d",
                   n);
}

static int take_ignored(struct pd_truth *t, char *line)
{
    char *column[COLUMNS];
    struct pd_ignored text;
    if (!*line || *line == '#')
        return PD_OK;
    if (split(line, column, COLUMNS) < IGNORED_COLUMNS)
        return pd_fail(PD_EFORMAT, "expected %d columns: document, begin, end", IGNORED_COLUMNS);
    if (!parse_offset(column[1], &text.begin) || !parse_offset(column[2], &text.end) ||
        text.begin > text.end)
        return pd_fail(PD_EFORMAT, "columns 2 and 3 must be byte offsets in ascending order");
    text.doc = pd_truth_doc(t, column[0], strlen(column[0]));
    pd_ignored_texts_push(&t->ignored, text);
    return PD_OK;
}

/* Call `take` for each line of a file, without its line end. Errors get path and line number. */
static int read_lines(struct pd_truth *t, const char *path, int (*take)(struct pd_truth *, char *))
{
    char *line = NULL, text[PD_ERROR_TEXT];
    size_t cap = 0, number = 0;
    int status = PD_OK;
    FILE *f = pd_open_list(path);
    if (!f)
        return PD_EIO;
    while (status >= 0 && getline(&line, &cap, f) >= 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        status = take(t, line);
    }
    if (status < 0) {
        snprintf(text, sizeof text, "%s:%zu: %.1000s", path, number, pd_error_text());
        status = pd_error_adopt(status, text);
    } else if (ferror(f)) {
        status = pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    }
    free(line);
    fclose(f);
    return status;
}

int pd_truth_read(struct pd_truth *t, const char *path) { return read_lines(t, path, take_line); }

int pd_truth_read_ignored(struct pd_truth *t, const char *path)
{
    return read_lines(t, path, take_ignored);
}

/* The document that a number means after all. */
static uint64_t met(const struct pd_truth *t, const uint64_t *docs, uint64_t doc)
{
    const bool other = doc >= t->documents && docs[doc - t->documents] != UINT64_MAX;
    return other ? docs[doc - t->documents] : doc;
}

void pd_truth_meet(struct pd_truth *t, const uint64_t *docs)
{
    size_t left = 0;
    for (size_t k = 0; k < t->cases.n; k++) {
        struct pd_match *m = &t->cases.v[k];
        m->a = met(t, docs, m->a);
        m->b = met(t, docs, m->b);
        *m = pd_match_ordered(*m);
    }
    for (size_t k = 0; k < t->labels.n; k++) {
        struct pd_label *l = &t->labels.v[k];
        const uint64_t a = met(t, docs, l->a), b = met(t, docs, l->b);
        l->a = a < b ? a : b;
        l->b = a < b ? b : a;
    }
    for (size_t k = 0; k < t->ignored.n; k++)
        t->ignored.v[k].doc = met(t, docs, t->ignored.v[k].doc);
    for (size_t k = 0; k < t->unknown.n; k++)
        if (docs[k] == UINT64_MAX)
            t->unknown.v[left++] = t->unknown.v[k];
    t->unknown.n = left;
}

void pd_truth_sort(struct pd_truth *t)
{
    pd_sort_records(t->cases.v, t->cases.n, PD_MATCH_U64S, PD_MATCH_U64S);
    pd_sort_records(t->labels.v, t->labels.n, PD_LABEL_U64S, PD_LABEL_U64S);
}

uint64_t pd_truth_judge(const struct pd_truth *t, struct pd_matches *found)
{
    size_t kept = 0, label = 0;
    const size_t all = found->n;
    if (!t->only_listed)
        return 0;
    for (size_t k = 0; k < all; k++) {
        const struct pd_match *m = &found->v[k];
        while (label < t->labels.n &&
               pd_pair_order(t->labels.v[label].a, t->labels.v[label].b, m->a, m->b) < 0)
            label++;
        if (label < t->labels.n && t->labels.v[label].a == m->a && t->labels.v[label].b == m->b)
            found->v[kept++] = *m;
    }
    found->n = kept;
    return all - kept;
}

const char *pd_truth_class(const struct pd_truth *t, uint64_t class)
{
    return (const char *)t->classes.text.v + t->class_names.v[class - 1];
}

const char *pd_truth_unknown(const struct pd_truth *t, size_t k)
{
    return (const char *)t->ids.text.v + t->unknown.v[k];
}

void pd_truth_release(struct pd_truth *t)
{
    pd_matches_release(&t->cases);
    pd_labels_release(&t->labels);
    pd_ignored_texts_release(&t->ignored);
    pd_names_release(&t->classes);
    pd_indices_release(&t->class_names);
    pd_names_release(&t->ids);
    pd_indices_release(&t->unknown);
}

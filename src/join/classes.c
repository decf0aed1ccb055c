/* join/classes.c - see include/pardup/join/classes.h */
#include "pardup/join/classes.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/search.h"

/* ---- collapsing ---- */

static struct pd_class *class_at_hand(struct pd_collapse *c)
{
    return (struct pd_class *)(void *)c->class.v;
}

static void begin_class(struct pd_collapse *c, const struct pd_posting *p)
{
    const struct pd_class head = {.sig = p->sig, .flags = pd_posting_flags(p) & PD_WHOLE};
    c->first = *p;
    c->begun = true;
    c->df = c->times = c->repeats = c->counted = 0;
    c->class.n = 0;
    pd_u64s_append(&c->class, &head, sizeof head / sizeof *c->class.v);
}

/* Is the class at hand common and set aside, so that only its df is still needed? */
static bool is_aside(const struct pd_collapse *c)
{
    return pd_collapse_is_common(c) && !c->anchoring;
}

/* Hand over the occurrences of a common class that are kept. */
static int hand_over(struct pd_collapse *c)
{
    struct pd_class *class = class_at_hand(c);
    const int status = pd_anchoring_add(c->anchoring, class->at, class->n);
    class->n = 0;
    c->class.n = sizeof *class / sizeof *c->class.v;
    return status;
}

/* Is the unit in its document too often? A whole document never is. */
static bool recurs(struct pd_collapse *c, uint64_t repeats)
{
    return pd_repeats_count(repeats, c->max_repeats, c->first_repeats) < repeats &&
           !(class_at_hand(c)->flags & PD_WHOLE);
}

/* All postings of a document have come. Drop them if there are too many. */
static int end_document(struct pd_collapse *c)
{
    const uint64_t repeats = c->repeats, counted = c->counted;
    c->repeats = c->counted = 0;
    if (!c->first_repeats && recurs(c, repeats)) {
        if (!is_aside(c)) {
            c->class.n -= counted * (sizeof(struct pd_occurrence) / sizeof *c->class.v);
            class_at_hand(c)->n -= counted;
        }
        c->df -= counted > 0;
        c->repeated += repeats;
        return 0;
    }
    c->times += counted;
    return pd_collapse_is_common(c) && c->anchoring ? hand_over(c) : 0;
}

static int add_occurrence(struct pd_collapse *c, const struct pd_posting *p)
{
    const struct pd_occurrence occurrence = {pd_posting_doc(p), pd_posting_unit(p),
                                             pd_posting_flags(p)};
    if (c->repeats && occurrence.doc != c->last) {
        const int status = end_document(c);
        if (status < 0)
            return status;
    }
    c->repeats++;
    c->last = occurrence.doc;
    if (c->for_index && occurrence.flags & PD_QUERY_ONLY)
        return 0;
    const bool again = c->first_repeats && recurs(c, c->repeats);
    if (!again && c->counted++ == 0 && c->df++ == 0)
        c->first = *p;
    if (is_aside(c))
        return 0;
    if (again) {
        c->repeated++;
        return 0;
    }
    pd_u64s_append(&c->class, &occurrence, sizeof occurrence / sizeof *c->class.v);
    class_at_hand(c)->n++;
    return 0;
}

int pd_collapse_end(struct pd_collapse *c)
{
    const struct pd_posting *first = &c->first;
    if (!c->begun)
        return 0;
    const int status = end_document(c);
    c->begun = false;
    if (status < 0)
        return status;
    struct pd_class *class = class_at_hand(c);
    const bool whole = class->flags & PD_WHOLE;
    if (c->for_index)
        return c->keep(c->ctx, class);
    if (pd_collapse_is_common(c)) {
        if (c->last >= c->listed_from)
            pd_commons_push(c->aside, (struct pd_common){first->sig, c->df, pd_posting_doc(first),
                                                         whole ? 0 : pd_posting_unit(first),
                                                         whole ? PD_ASIDE_WHOLE : PD_ASIDE_COMMON});
        c->whole_common += whole ? c->df : 0;
        return c->anchoring ? pd_anchoring_end(c->anchoring, first->sig) : 0;
    }
    const bool alone = whole || (!c->keep_single && !(c->within && class->n > 1));
    if (c->df == 0 || (c->df == 1 && alone))
        return 0;
    class->number = whole ? UINT64_MAX : c->number++;
    c->large += c->df > PD_LARGE_CLASS;
    return c->keep(c->ctx, class);
}

int pd_collapse_postings(struct pd_collapse *c, const struct pd_posting *v, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        int status = 0;
        if (!c->begun || !pd_same_class(&v[k], &c->first)) {
            status = pd_collapse_end(c);
            begin_class(c, &v[k]);
        }
        PD_THEN(status, add_occurrence(c, &v[k]));
        if (status < 0)
            return status;
    }
    return 0;
}

void pd_collapse_release(struct pd_collapse *c) { pd_u64s_release(&c->class); }

/* ---- expanding ---- */

/* The end of the occurrences in the document of v[x]; x if x == end. */
static size_t document_end(const struct pd_occurrence *v, size_t x, size_t end)
{
    const pd_doc doc = x < end ? v[x].doc : 0;
    while (x < end && v[x].doc == doc)
        x++;
    return x;
}

/* Does a unit match later units of its document? A whole document has none. */
static bool is_within(const struct pd_expansion *e) { return e->within && !e->whole; }

/* Does an occurrence of b come too early to match `a`? */
static bool is_before(const struct pd_expansion *e, const struct pd_occurrence *b,
                      const struct pd_occurrence *a)
{
    return b->doc < a->doc || (b->doc == a->doc && !(is_within(e) && b->unit > a->unit));
}

/* The first occurrence in document `doc` or a later one; n if there is none. */
static size_t first_from(const struct pd_occurrence *v, size_t n, pd_doc doc)
{
    return pd_search_first(v, n, sizeof *v, offsetof(struct pd_occurrence, doc), doc);
}

/* Make the document of a[x] the current first document; within: go on with a[x] alone. */
static void begin_first_document(struct pd_expansion *e, size_t x)
{
    e->x = x;
    e->x_end = is_within(e) ? x + (x < e->of.na) : document_end(e->of.a, x, e->of.na);
    e->x_done = 0;
    while (x < e->of.na && e->y_first < e->of.nb && is_before(e, &e->of.b[e->y_first], &e->of.a[x]))
        e->y_first++;
    e->y = e->y_first;
}

static bool is_last_of_document(const struct pd_expansion *e, size_t y)
{
    return y + 1 == e->of.nb || e->of.b[y + 1].doc != e->of.b[y].doc;
}

/* Write the unit of b[y] as fans have it: see pd_fan. `before` is the unit before it, or 0. */
static unsigned char *put_unit(const struct pd_expansion *e, unsigned char *p, size_t y,
                               uint32_t before)
{
    const uint64_t difference = e->of.b[y].unit - before;
    return pd_varint_put(p, difference << 1 | !is_last_of_document(e, y));
}

/*
 * Code b[y_first, nb) once for all fans. A document is coded as its difference from the document
 * before, so a fan can copy the rest of this code from any occurrence on. Only the first occurrence
 * in a fan is coded apart.
 */
static void make_code(struct pd_expansion *e)
{
    const struct pd_occurrence *b = e->of.b;
    pd_bytes_reserve(&e->code, (e->of.nb - e->y_first) * 2 * PD_VARINT_MOST);
    pd_code_ends_reserve(&e->ends, e->of.nb);
    unsigned char *p = e->code.v;
    for (size_t y = e->y_first; y < e->of.nb; y++) {
        const bool same = y > e->y_first && b[y - 1].doc == b[y].doc;
        if (!same) /* the document of b[y_first] is never copied, see write_fan */
            p = pd_varint_put(p, y > e->y_first ? b[y].doc - b[y - 1].doc : 0);
        p = put_unit(e, p, y, same ? b[y - 1].unit : 0);
        e->ends.v[y] = (size_t)(p - e->code.v);
    }
}

void pd_expansion_begin(struct pd_expansion *e, const struct pd_matching *of, pd_doc from)
{
    const struct pd_occurrence *a = of->a, *b = of->b;
    const size_t na = of->na, nb = of->nb;
    e->of = *of;
    e->whole = na && a->flags & PD_WHOLE;
    const size_t x = first_from(a, na, from);
    e->y_first = x < na ? first_from(b, nb, a[x].doc + !is_within(e)) : nb;
    begin_first_document(e, x);
    make_code(e);
}

/* Go to the next first document whose fans are incomplete, or stay. False: there is none. */
static bool advance(struct pd_expansion *e)
{
    while (e->x < e->of.na && e->y_first < e->of.nb) {
        if (e->x_done < e->x_end - e->x)
            return true;
        begin_first_document(e, e->x_end);
    }
    return false;
}

/* The most bytes that the parts of a fan take. */
enum {
    HEAD_MOST = sizeof(struct pd_fan) + sizeof(double), /* of the struct and the similarity */
    FIRST_MOST = 5,                                     /* of a unit of the first document */
    PADDING_MOST = 7                                    /* of the padding */
};

/*
 * The end of the occurrences of a fan that begins with b[y]: the code behind the code of b[y] takes
 * at most `room` bytes, and the occurrences are at most PD_FAN_UNITS.
 */
static size_t fitting(const struct pd_expansion *e, size_t y, size_t room)
{
    const size_t *ends = e->ends.v;
    const size_t end = pd_min_size(e->of.nb, y + PD_FAN_UNITS);
    if (ends[end - 1] - ends[y] <= room)
        return end;
    return y + 1 + pd_search_last(ends + y, end - y, sizeof *ends, 0, ends[y] + room);
}

/*
 * Write the next fan: ni occurrences of a with as much of b[y, nb) as fits. Once b is done, go on
 * with the next occurrences of a. Returns the bytes written.
 */
static size_t write_fan(struct pd_expansion *e, size_t ni, unsigned char *to)
{
    const struct pd_occurrence *x = e->of.a + e->x + e->x_done, *y = e->of.b + e->y;
    struct pd_fan *fan = (struct pd_fan *)(void *)to;
    unsigned char *p = fan->coded;
    *fan = (struct pd_fan){.ni = (uint16_t)ni,
                           .kind = x->flags & PD_BRIEF    ? PD_FAN_BRIEF
                                   : e->whole             ? PD_FAN_WHOLE
                                   : e->of.similarity < 1 ? PD_FAN_SIMILAR
                                                          : PD_FAN_EQUAL,
                           .a = x->doc};
    if (fan->kind == PD_FAN_SIMILAR) {
        memcpy(p, &e->of.similarity, sizeof e->of.similarity);
        p += sizeof e->of.similarity;
    }
    for (size_t k = 0; k < ni; k++)
        p = pd_varint_put(p, x[k].unit - (k ? x[k - 1].unit : 0));
    p = put_unit(e, pd_varint_put(p, y->doc - x->doc), e->y, 0);

    const size_t used = (size_t)(p - to) + PADDING_MOST;
    const size_t end = fitting(e, e->y, PD_FAN_MOST - used);
    const size_t bytes = e->ends.v[end - 1] - e->ends.v[e->y];
    memcpy(p, e->code.v + e->ends.v[e->y], bytes);
    p += bytes;
    for (; (p - to) % 8; fan->padding++)
        *p++ = 0;
    fan->size = (uint32_t)(p - to);
    e->dots += e->whole ? 0 : ni * (end - e->y);
    e->y = end;
    if (end == e->of.nb) {
        e->y = e->y_first;
        e->x_done += ni;
    }
    return fan->size;
}

int pd_expansion_write(struct pd_expansion *e, unsigned char *to, size_t cap, size_t *n)
{
    *n = 0;
    while (advance(e)) {
        const size_t ni = pd_min_size(e->x_end - e->x - e->x_done, PD_FAN_FIRSTS);
        const size_t rest = e->ends.v[e->of.nb - 1] - e->ends.v[e->y];
        const size_t bytes_most =
            HEAD_MOST + ni * FIRST_MOST + 2 * PD_VARINT_MOST + rest + PADDING_MOST;
        if (pd_min_size(bytes_most, PD_FAN_MOST) > cap - *n)
            return 0;
        *n += write_fan(e, ni, to + *n);
    }
    return 1;
}

void pd_expansion_release(struct pd_expansion *e)
{
    pd_bytes_release(&e->code);
    pd_code_ends_release(&e->ends);
}

/* run/job/dedup/gaps.c - which white space goes with the sentences that go. */
#include <string.h>

#include "run/job/dedup/changed.h"

/* White space that ends at byte `at` of a text. */
struct gap {
    uint32_t at, bytes, lines; /* `lines`: line ends in it */
};

static struct gap gap_before(const struct pd_bytes *text, uint32_t at)
{
    struct gap gap = {at, 0, 0};
    for (; gap.bytes < at; gap.bytes++) {
        const unsigned char c = text->v[at - gap.bytes - 1];
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            break;
        gap.lines += c == '\n';
    }
    return gap;
}

/* The copied units of the document that lie in [begin, end); *n of them. */
static const struct pd_copied *units_in(const struct pd_choice *choice, const struct pd_fate *f,
                                        uint32_t begin, uint32_t end, size_t *n)
{
    const struct pd_copied *c = choice->copied.v + f->copied, *behind = c + f->ncopied;
    while (c < behind && c->begin < begin)
        c++;
    *n = 0;
    while (c + *n < behind && c[*n].begin < end)
        ++*n;
    return c;
}

/* The gap with most line ends between the units of [begin, end). */
static struct gap widest_inside(const struct pd_choice *choice, const struct pd_fate *f,
                                const struct pd_bytes *text, uint32_t begin, uint32_t end)
{
    struct gap widest = {0, 0, 0};
    size_t n;
    const struct pd_copied *c = units_in(choice, f, begin, end, &n);
    for (size_t k = 0; k < n; k++) {
        const struct gap gap = gap_before(text, c[k].next);
        if (c[k].next < end && gap.lines > widest.lines)
            widest = gap;
    }
    return widest;
}

/* Divide a removal at the beginning of a unit inside it. False: its units are not known. */
static bool divide(const struct pd_choice *choice, const struct pd_fate *f,
                   const struct pd_removal *r, uint32_t at, struct pd_removal parts[2])
{
    const struct pd_copied *last = NULL;
    size_t n;
    const struct pd_copied *c = units_in(choice, f, r->begin, r->end, &n);
    parts[0] = parts[1] =
        (struct pd_removal){.doc = r->doc, .kept = r->kept, .row = r->row, .family = r->family};
    parts[0].lost = r->lost;
    for (size_t k = 0; k < n; k++) {
        const bool goes_on = last ? c[k].unit == last->unit + 1 && c[k].kept_from == last->kept_to
                                  : c[k].begin == r->begin && c[k].kept_begin == r->kept_begin;
        struct pd_removal *part = &parts[c[k].begin >= at];
        if (!goes_on || c[k].kept != r->kept || c[k].row != r->row)
            continue;
        if (part->end == 0) {
            part->begin = (uint32_t)c[k].begin;
            part->kept_begin = c[k].kept_begin;
        }
        part->end = c[k].next;
        part->kept_end = c[k].kept_end;
        part->words += c[k].words;
        part->matched += c[k].matched;
        part->kept_words += c[k].kept_words;
        last = &c[k];
    }
    return parts[0].end == at && parts[1].end == r->end &&
           parts[0].words + parts[1].words == r->words &&
           parts[0].matched + parts[1].matched == r->matched;
}

/*
 * Append the removals r[0, n), which are one run, so that white space stays as said in
 * pd_keep_lines().
 */
static void add_run(const struct pd_choice *choice, const struct pd_fate *f,
                    const struct pd_bytes *text, const struct pd_removal *r, size_t n,
                    struct pd_removals *out)
{
    const size_t first = out->n;
    const uint32_t end = r[n - 1].end;
    const struct gap before = gap_before(text, r[0].begin), behind = gap_before(text, end);
    const struct gap inside = widest_inside(choice, f, text, r[0].begin, end);
    const bool between = r[0].begin > before.bytes; /* text stands before the run */
    bool stays =
        between && end < text->n && inside.lines > before.lines && inside.lines > behind.lines;
    struct pd_removal parts[2];
    for (size_t k = 0; k < n; k++) {
        const bool here = stays && r[k].begin < inside.at && inside.at <= r[k].end;
        if (here && inside.at < r[k].end) {
            stays = divide(choice, f, &r[k], inside.at, parts);
            pd_removals_push(out, stays ? parts[0] : r[k]);
        } else {
            pd_removals_push(out, r[k]);
        }
        if (here && stays)
            out->v[out->n - 1].end -= inside.bytes;
        if (here && stays && inside.at < r[k].end)
            pd_removals_push(out, parts[1]);
    }
    if (between && (stays || behind.lines > before.lines))
        out->v[first].begin -= before.bytes;
    if (between && !stays && behind.lines > before.lines)
        out->v[out->n - 1].end -= behind.bytes;
}

void pd_keep_lines(struct pd_choice *choice, struct pd_fate *f, const struct pd_bytes *text)
{
    struct pd_removal *r = choice->removals.v + f->first;
    struct pd_removals kept = {0};
    for (uint64_t k = 0; k < f->removed; k++)
        r[k].lost = r[k].end - r[k].begin;
    for (uint64_t k = 0, n; k < f->removed; k += n) {
        for (n = 1; k + n < f->removed && r[k + n].begin == r[k + n - 1].end; n++)
            ;
        add_run(choice, f, text, r + k, n, &kept);
    }
    if (kept.n > f->removed) { /* the divided ones need more room */
        f->first = choice->removals.n;
        f->removed = kept.n;
        pd_removals_append(&choice->removals, kept.v, kept.n);
    } else if (kept.n > 0) {
        memcpy(r, kept.v, kept.n * sizeof *kept.v);
    }
    pd_removals_release(&kept);
}

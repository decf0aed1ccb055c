/* run/job/check/marks.c - see src/run/job/check/marks.h */
#include "marks.h"

#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"

static void make_bits(struct pd_marks *m)
{
    m->bits = pd_zeroed(m->index->nsegments, sizeof *m->bits);
    for (size_t x = 0; x < m->index->nsegments; x++)
        m->bits[x] = pd_zeroed(m->index->segments[x].counts.names / 8 + 1, 1);
}

int pd_marks_add(struct pd_marks *m, pd_sig name)
{
    bool strange = true;
    if (!m->bits)
        make_bits(m);
    for (size_t x = 0; x < m->index->nsegments; x++) {
        struct pd_places found;
        const int status = pd_segment_find(&m->index->segments[x], name, &found);
        PD_TRY(status);
        if (status == PD_OK)
            m->bits[x][found.name / 8] |= (unsigned char)(1u << found.name % 8);
        strange &= status != PD_OK;
    }
    if (strange)
        pd_u64s_push(&m->strange, name);
    return PD_OK;
}

void pd_marks_end(struct pd_marks *m) { pd_sort_records(m->strange.v, m->strange.n, 1, 1); }

bool pd_marks_strange(const struct pd_marks *m, pd_sig name)
{
    const struct pd_u64s *v = &m->strange;
    const size_t k = pd_search_first(v->v, v->n, sizeof *v->v, 0, name);
    return k < v->n && v->v[k] == name;
}

int pd_marks_known(const struct pd_marks *m, pd_sig name, bool *marked)
{
    *marked = false;
    for (size_t x = 0; m->bits && !*marked && x < m->index->nsegments; x++) {
        struct pd_places found;
        const int status = pd_segment_find(&m->index->segments[x], name, &found);
        PD_TRY(status);
        *marked = status == PD_OK && pd_marks_at(m, x, found.name);
    }
    return PD_OK;
}

void pd_marks_release(struct pd_marks *m)
{
    for (size_t x = 0; m->bits && x < m->index->nsegments; x++)
        free(m->bits[x]);
    free(m->bits);
    pd_u64s_release(&m->strange);
}

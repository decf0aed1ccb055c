/* run/stage/collection/excerpts.c - see src/run/stage/collection/excerpts.h */
#include "excerpts.h"

enum { FEW = 3 }; /* documents of a class that say nothing yet about the whole collection */

bool pd_excerpts_enough(struct pd_excerpts *e, const struct pd_piece *piece, uint64_t reached)
{
    const uint64_t bytes = piece->to - piece->from, read = reached - piece->from;
    if (!e->beginning || bytes <= e->beginning || read < e->beginning)
        return false;
    if (piece->stripe == 0 && read < bytes) /* all stripes decode the same bytes: count them once */
        e->unread += bytes - read;
    return true;
}

size_t pd_excerpts_find(const struct pd_excerpts *e, uint64_t file, uint64_t piece_key)
{
    size_t k = 0;
    while (k + 1 < e->n && (e->starts[k + 1].file < file ||
                            (e->starts[k + 1].file == file && e->starts[k + 1].from <= piece_key)))
        k++;
    return k;
}

bool pd_excerpts_common(const struct pd_excerpts *e, uint64_t df, size_t first, size_t last,
                        uint64_t max_df)
{
    const bool spread = e->n == 1 || first != last;
    return e->share > 0 && max_df && df > FEW && spread && (double)df > e->share * (double)max_df;
}

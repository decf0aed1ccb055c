/* run/frozen.c - see src/run/frozen.h */
#include "run/frozen.h"

#include "pardup/base/error.h"

int pd_job_freeze(struct pd_job *job, struct pd_index *index)
{
    struct pd_collection *col = &job->collection;
    for (size_t k = 0; k < col->library.shelf.n; k++) {
        struct pd_volume *v;
        PD_TRY(pd_library_volume(&col->library, k, &v));
        unsigned char *flags = pd_realloc(NULL, v->terms.n + 1, 1);
        for (size_t i = 0; i < v->terms.n; i++)
            flags[i] = pd_index_flags(index, v->terms.v[i]);
        flags[v->terms.n] = 0;
        PD_TRY(pd_library_mark(&col->library, k, flags, pd_scratch_path(col->scratch, "flags")));
    }
    return PD_OK;
}

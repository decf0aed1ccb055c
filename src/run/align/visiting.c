/* run/align/visiting.c - see visiting.h */
#include "visiting.h"

int pd_visiting_read(struct pd_visiting *v, struct pd_shuffle *shuffle)
{
    if (v->reading == shuffle)
        return PD_OK;
    v->reading = shuffle;
    pd_opened_forget(&v->opened);
    return pd_shuffle_sort_own(shuffle);
}

/* comm/mail.c - see mail.h */
#include "mail.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/statvfs.h>

/* Of each rank of the job its number on this node, or MPI_UNDEFINED. */
static int *numbers_here(const struct pd_comm *c, MPI_Comm node)
{
    int *job = pd_realloc(NULL, 2 * (size_t)c->size, sizeof *job), *here = job + c->size;
    MPI_Group all, some;
    for (int p = 0; p < c->size; p++)
        job[p] = p;
    MPI_Comm_group(c->mpi, &all);
    MPI_Comm_group(node, &some);
    MPI_Group_translate_ranks(all, c->size, job, some, here);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    return job;
}

/* Where the others' are. */
static void meet(const struct pd_comm *c, struct pd_mail *m)
{
    int *job = numbers_here(c, m->node), size;
    MPI_Comm_size(m->node, &size);
    m->all = size == c->size;
    m->from = pd_realloc(NULL, (size_t)c->size, sizeof *m->from);
    for (int p = 0; p < c->size; p++) {
        const int here = job[c->size + p];
        MPI_Aint bytes;
        int unit;
        m->from[p] = NULL;
        if (here != MPI_UNDEFINED)
            MPI_Win_shared_query(m->win, here, &bytes, &unit, &m->from[p]);
    }
    free(job);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, m->win);
}

/* Half of what is free: MPI needs some, and more than there is would end the program when it is touched. */
static bool fits(const struct pd_mail *m)
{
    struct statvfs fs;
    int ranks;
    MPI_Comm_size(m->node, &ranks);
    return statvfs("/dev/shm", &fs) == 0 &&
           2 * m->half * (size_t)ranks <= (size_t)fs.f_bavail * fs.f_frsize / 2;
}

static bool allocate(struct pd_mail *m)
{
    MPI_Comm_set_errhandler(m->node, MPI_ERRORS_RETURN);
    return MPI_Win_allocate_shared((MPI_Aint)(2 * m->half), 1, MPI_INFO_NULL, m->node, &m->mine,
                                   &m->win) == MPI_SUCCESS;
}

static bool all_of(const struct pd_comm *c, bool well)
{
    uint64_t failed = !well;
    pd_comm_max(c, &failed, 1);
    return !failed;
}

struct pd_mail *pd_mail_open(const struct pd_comm *c, size_t half)
{
    struct pd_mail *m = pd_realloc(NULL, 1, sizeof *m);
    *m = (struct pd_mail){.half = half, .win = MPI_WIN_NULL};
    MPI_Comm_split_type(c->mpi, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &m->node);
    if (!all_of(c, fits(m)) || !all_of(c, allocate(m))) {
        pd_mail_close(m);
        return NULL;
    }
    meet(c, m);
    return m;
}

void pd_mail_sync(const struct pd_mail *m) { MPI_Win_sync(m->win); }

void pd_mail_close(struct pd_mail *m)
{
    if (!m)
        return;
    if (m->from)
        MPI_Win_unlock_all(m->win);
    if (m->win != MPI_WIN_NULL)
        MPI_Win_free(&m->win);
    MPI_Comm_free(&m->node);
    free(m->from);
    free(m);
}

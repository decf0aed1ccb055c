/* comm/launcher.c - see src/comm/launcher.h */
#include "launcher.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/comm/comm.h"
#include "pardup/comm/launch.h"

/* The first variable of the environment that is set, of a list that ends with NULL. */
static const char *first_set(const char *const *names)
{
    for (; *names; names++)
        if (getenv(*names))
            return getenv(*names);
    return NULL;
}

/*
 * Slurm sets the variables of a step for the script of a batch job, too, whose only process it is.
 * Processes that srun has started have the number of a step.
 */
static const char *slurm(const char *name)
{
    const char *step = getenv("SLURM_STEP_ID");
    return step ? getenv(name) : NULL;
}

int pd_comm_launcher_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",   "PMI_RANK",
                                        "PALS_RANKID",          "ALPS_APP_PE", "FLUX_TASK_RANK",
                                        "MV2_COMM_WORLD_RANK",  NULL};
    const char *rank = first_set(names);
    if (!rank)
        rank = slurm("SLURM_PROCID");
    return rank ? atoi(rank) : -1;
}

int pd_launcher_size(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE",
                                        "MV2_COMM_WORLD_SIZE", NULL};
    const char *size = first_set(names);
    if (!size)
        size = slurm("SLURM_STEP_NUM_TASKS");
    return size ? atoi(size) : 0;
}

bool pd_launcher_one_node(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    const char *nodes = getenv("SLURM_STEP_NUM_NODES");
    if (all && here)
        return strcmp(all, here) == 0;
    return nodes && strcmp(nodes, "1") == 0;
}

bool pd_launch_in_batch(void)
{
    static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID",    "LSB_JOBID",  "PE_HOSTFILE",
                                        "FLUX_JOB_ID",  "COBALT_JOBID", "OAR_JOB_ID", NULL};
    return first_set(names) != NULL;
}

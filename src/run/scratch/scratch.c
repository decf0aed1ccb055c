/* run/scratch/scratch.c - see src/run/scratch/scratch.h */
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/hash.h"

enum {
    OWNER_ONLY = 0700, /* mode of the folder */
    NAME_ROOM = 96,    /* bytes for a slash and a file's name behind the name of the folder */
    NAME_SHOWN = 40    /* bytes of a path that is too long to be shown whole */
};

/* The part of a session's number that stands for the job, not for the try. */
static const uint64_t job_part = UINT32_MAX;

/* The folder in which the job's folder is made. */
static const char *parent_of(const struct pd_options *o)
{
    const char *tmp = getenv("TMPDIR");
    return o->job.scratch ? o->job.scratch : tmp && *tmp ? tmp : "/tmp";
}

/* A hash of where the result will be. It does not depend on how the path is spelt. */
static uint64_t hash_of_output(const char *output)
{
    char folder[PATH_MAX], whole[PATH_MAX];
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - output) + 1 : 1,
             slash ? output : ".");
    if (!realpath(folder, whole))
        snprintf(whole, sizeof whole, "%s", folder);
    return pd_mix(pd_hash_bytes(whole, strlen(whole)) ^ pd_hash_bytes(name, strlen(name)));
}

static int complain(const struct pd_scratch *s, const char *what)
{
    return pd_fail(PD_EIO, "%s: %s (scratch; another place: --scratch)", s->dir, what);
}

static int name_folder(struct pd_scratch *s, const struct pd_options *o)
{
    const char *parent = parent_of(o);
    const int n = snprintf(s->dir, PATH_MAX, "%s/pardup-%016llx", parent,
                           (unsigned long long)hash_of_output(o->output));
    return n < PATH_MAX - NAME_ROOM
               ? PD_OK
               : pd_fail(PD_EIO, "%.*s...: path too long for scratch (another place: --scratch)",
                         NAME_SHOWN, parent);
}

static int make_folder(const struct pd_scratch *s, const struct pd_options *o)
{
    struct stat st;
    if (o->job.scratch)
        PD_TRY(pd_folder_make(o->job.scratch));
    if (mkdir(s->dir, OWNER_ONLY) != 0 && errno != EEXIST)
        return complain(s, strerror(errno));
    if (lstat(s->dir, &st) != 0)
        return complain(s, strerror(errno));
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return complain(s, "is not a folder of this user");
    return access(s->dir, W_OK | X_OK) == 0 ? PD_OK : complain(s, strerror(errno));
}

/* Lock the folder, because two jobs for one result would remove each other's files. */
static int lock_folder(struct pd_scratch *s)
{
    snprintf(s->path, PATH_MAX, "%s/" PD_SCRATCH_LOCK, s->dir);
    s->lock = open(s->path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (s->lock < 0)
        return complain(s, strerror(errno));
    if (flock(s->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return complain(s, "in use by another job that writes the same result");
    return PD_OK;
}

/*
 * Claim the result on this machine. A job with another --scratch has another lock. The name of a
 * socket can be taken by one process only, leaves no file behind, and is free when the process
 * ends.
 */
static int claim_output(struct pd_scratch *s, const char *output)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    s->claim = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->claim < 0)
        return PD_OK; /* without sockets the lock must do */
    /* a name that begins with NUL is no file: unix(7), abstract */
    const int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "pardup-%016llx",
                           (unsigned long long)hash_of_output(output));
    const size_t size = offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n;
    if (bind(s->claim, (const struct sockaddr *)&name, (socklen_t)size) != 0 && errno == EADDRINUSE)
        return pd_fail(PD_EIO, "%s: in use by another job that writes the same result", output);
    return PD_OK;
}

static int lock_both(struct pd_scratch *s, const struct pd_options *o)
{
    const int status = lock_folder(s);
    return status < 0 ? status : claim_output(s, o->output);
}

/* Is the lock the only file in the folder? */
static bool is_empty(const struct pd_scratch *s)
{
    DIR *dir = opendir(s->dir);
    bool empty = true;
    if (!dir)
        return false;
    for (struct dirent *e; (e = readdir(dir));)
        empty &= e->d_name[0] == '.' || strcmp(e->d_name, PD_SCRATCH_LOCK) == 0;
    closedir(dir);
    return empty;
}

/*
 * Remove all files but the lock. All ranks of a node do this at once, so a file may be gone
 * already.
 */
static void empty_folder(struct pd_scratch *s)
{
    DIR *dir = opendir(s->dir);
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir));)
        if (e->d_name[0] != '.' && strcmp(e->d_name, PD_SCRATCH_LOCK) != 0) {
            snprintf(s->path, PATH_MAX, "%s/%s", s->dir, e->d_name);
            unlink(s->path);
        }
    closedir(dir);
}

uint64_t pd_scratch_bytes(struct pd_scratch *s)
{
    DIR *dir = opendir(s->dir);
    char mine[64];
    uint64_t bytes = 0;
    struct stat st;
    snprintf(mine, sizeof mine, "-%016llx-%d-", (unsigned long long)s->session, s->comm->rank);
    if (!dir)
        return 0;
    for (struct dirent *e; (e = readdir(dir));)
        if (strstr(e->d_name, mine) && stat(pd_scratch_file(s, e->d_name), &st) == 0)
            bytes += (uint64_t)st.st_size;
    closedir(dir);
    return bytes;
}

/* Free all that pd_scratch_open has made, but leave the folder. */
static void forget(struct pd_scratch *s)
{
    if (s->lock >= 0)
        close(s->lock);
    if (s->claim >= 0)
        close(s->claim);
    PD_FREE(s->dir, s->path);
    *s = (struct pd_scratch){.lock = -1, .claim = -1};
}

int pd_scratch_open(struct pd_scratch *s, const struct pd_comm *c, const struct pd_options *o)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *s = (struct pd_scratch){.comm = c, .lock = -1, .claim = -1};
    s->session = c->rank == 0 ? pd_mix((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) : 0;
    pd_comm_max(c, &s->session, 1);
    s->dir = pd_realloc(NULL, PATH_MAX, 1);
    s->path = pd_realloc(NULL, PATH_MAX, 1);
    int status = pd_comm_agree(c, name_folder(s, o));
    PD_THEN(status, pd_comm_agree(c, make_folder(s, o)));
    PD_THEN(status, pd_comm_agree(c, c->rank == 0 ? lock_both(s, o) : PD_OK));
    if (status < 0)
        forget(s); /* the folder may be another job's: leave it as it is */
    return status;
}

void pd_scratch_bind(struct pd_scratch *s, uint64_t job)
{
    s->job = job;
    s->session = (s->session & ~job_part) | (job & job_part);
}

bool pd_scratch_is_ours(const struct pd_scratch *s, const char *name)
{
    const char *dash = strchr(name, '-');
    return dash && (strtoull(dash + 1, NULL, 16) & job_part) == (s->job & job_part);
}

void pd_scratch_empty(struct pd_scratch *s)
{
    empty_folder(s);
    /* no rank may make a file before all ranks have emptied the folder */
    (void)pd_comm_agree(s->comm, PD_OK);
}

const char *pd_scratch_path_of(struct pd_scratch *s, const char *what, struct pd_scratch_id id)
{
    snprintf(s->path, PATH_MAX, "%s/%s-%016llx-%llu-%llu", s->dir, what,
             (unsigned long long)id.session, (unsigned long long)id.rank,
             (unsigned long long)id.number);
    return s->path;
}

struct pd_scratch_id pd_scratch_last(const struct pd_scratch *s)
{
    return (struct pd_scratch_id){s->session, (uint64_t)s->comm->rank, s->files};
}

const char *pd_scratch_path(struct pd_scratch *s, const char *what)
{
    s->files++;
    return pd_scratch_path_of(s, what, pd_scratch_last(s));
}

const char *pd_scratch_file(struct pd_scratch *s, const char *name)
{
    snprintf(s->path, PATH_MAX, "%s/%s", s->dir, name);
    return s->path;
}

void pd_scratch_close(struct pd_scratch *s)
{
    (void)pd_comm_agree(s->comm, PD_OK); /* wait until all ranks have closed their files */
    if (s->lock >= 0 && is_empty(s))
        unlink(pd_scratch_file(s, PD_SCRATCH_LOCK));
    (void)pd_comm_agree(s->comm, PD_OK); /* wait until the lock is gone */
    rmdir(s->dir);                       /* fails if there are files: then the folder stays */
    forget(s);
}

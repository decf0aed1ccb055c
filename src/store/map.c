/* store/map.c - see include/pardup/store/map.h */
#include "pardup/store/map.h"

#include <signal.h>
#include <sys/mman.h>

#include "pardup/base/bytes.h"
#include "pardup/base/error.h"

struct mapped {
    const unsigned char *v; /* the mapped bytes */
    size_t n;               /* how many bytes */
    char *path;             /* path of the file, allocated */
};
PD_VEC(list, struct mapped);

/* All mapped files. At file scope, because a signal handler is only given the address. */
static struct list mapped;

static uint64_t most = UINT64_MAX, used; /* bytes of pages that may be mapped, that are mapped */
unsigned char pd_map_round = 1;

/*
 * Handler of SIGBUS. It may call any function: the signal comes from an instruction that reads a
 * mapped byte, and no function that is called here is interrupted there.
 */
static void cannot_read(int signal_number, siginfo_t *info, void *context)
{
    const unsigned char *at = info->si_addr;
    (void)context;
    for (size_t k = 0; k < mapped.n; k++) {
        const struct mapped *m = &mapped.v[k];
        if (m->v <= at && at < m->v + m->n)
            pd_panic("%s: byte %zu: cannot be read any more: a disk error, or cut short since it "
                     "was written",
                     m->path, (size_t)(at - m->v));
    }
    signal(signal_number, SIG_DFL); /* not a mapped file: the next SIGBUS ends the process */
}

/* Add a file to the list of mapped files. */
static void list_file(const struct pd_map *map, const char *path)
{
    if (mapped.n == 0) {
        struct sigaction action = {.sa_sigaction = cannot_read, .sa_flags = SA_SIGINFO};
        sigaction(SIGBUS, &action, NULL);
    }
    list_push(&mapped, (struct mapped){map->v, map->n, pd_printed("%s", path)});
}

/* Remove a file from the list of mapped files. */
static void unlist_file(const struct pd_map *map)
{
    size_t k = 0;
    while (mapped.v[k].v != map->v)
        k++;
    free(mapped.v[k].path);
    mapped.v[k] = mapped.v[--mapped.n];
    if (mapped.n == 0)
        list_release(&mapped);
}

bool pd_map_file(struct pd_map *map, int fd, const char *path, size_t n)
{
    void *v = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, 0);
    if (v == MAP_FAILED)
        return false;
    *map = (struct pd_map){v, n, false};
    list_file(map, path);
    return true;
}

void pd_map_limit(uint64_t bytes) { most = bytes; }

void pd_map_used(size_t n)
{
    used += n;
    if (used <= most)
        return;
    for (size_t k = 0; k < mapped.n; k++)
        (void)madvise((void *)(uintptr_t)mapped.v[k].v, mapped.v[k].n, MADV_DONTNEED);
    used = n;
    pd_map_round = pd_map_round == UINT8_MAX ? 1 : pd_map_round + 1;
}

void pd_map_release(struct pd_map *map)
{
    if (map->copied) {
        free(map->v);
    } else if (map->v) {
        unlist_file(map);
        munmap(map->v, map->n);
    }
    *map = (struct pd_map){0};
}

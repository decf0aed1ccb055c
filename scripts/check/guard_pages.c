/*
 * scripts/check/guard_pages.c - an allocator for LD_PRELOAD that ends a program at the first access beside a block.
 *
 * Each block has pages of its own with an unmapped page on both sides. It begins where its first page begins
 * (GUARD_PAGES=before), or ends where its last page ends, up to alignment. Freed blocks are unmapped for good. Programs
 * other than pardup and its tests, aligned blocks, and blocks beyond MOST at a time are left to libc.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE  4096
#define SPACE ((size_t)1 << 43) /* bytes of addresses: none is used twice */
#define MOST  20000             /* each block takes two of the 65,530 mappings of a process */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static char *space;     /* SPACE bytes, of which only blocks can be accessed */
static size_t *sizes;   /* of the block whose first page it is */
static bool before, off;
static atomic_size_t used;
static atomic_long blocks;

static void start(void)
{
    const char *name = program_invocation_short_name, *mode = getenv("GUARD_PAGES");
    off = !mode || (strncmp(name, "pardup", 6) != 0 && strncmp(name, "test_", 5) != 0);
    before = mode && strcmp(mode, "before") == 0;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *p = off ? MAP_FAILED : mmap(NULL, SPACE, PROT_NONE, flags, -1, 0);
    if (p == MAP_FAILED) {
        off = true;
        return;
    }
    sizes = mmap(NULL, SPACE / PAGE * sizeof *sizes, PROT_READ | PROT_WRITE, flags, -1, 0);
    space = p;
}

static bool mine(const void *p) { return space && (const char *)p >= space && (const char *)p < space + SPACE; }
static size_t page_of(const void *p) { return (size_t)((const char *)p - space) / PAGE; }

/* A zeroed block of n bytes, or NULL: libc shall make it. */
static void *guarded(size_t n)
{
    if (!space && !off)
        start();
    if (off || atomic_load(&blocks) >= MOST)
        return NULL;
    const size_t rounded = (n + !n + 15) / 16 * 16, all = (rounded + PAGE - 1) / PAGE * PAGE;
    char *first = space + atomic_fetch_add(&used, all + PAGE) + PAGE;
    if (first + all + PAGE > space + SPACE || mprotect(first, all, PROT_READ | PROT_WRITE) < 0)
        return NULL;
    atomic_fetch_add(&blocks, 1);
    sizes[page_of(first)] = n;
    return before ? first : first + all - rounded;
}

void *malloc(size_t n)
{
    void *p = guarded(n);
    if (p && n)
        memset(p, 0xA5, n < PAGE ? n : PAGE); /* nobody counts on zeros */
    return p ? p : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    size_t all;
    void *p = __builtin_mul_overflow(n, size, &all) ? NULL : guarded(all);
    return p ? p : __libc_calloc(n, size);
}

void free(void *p)
{
    if (!p || !mine(p)) {
        __libc_free(p);
        return;
    }
    const int kept = errno;
    char *first = space + page_of(p) * PAGE;
    const size_t n = sizes[page_of(p)], all = ((n + !n + 15) / 16 * 16 + PAGE - 1) / PAGE * PAGE;
    mmap(first, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    atomic_fetch_sub(&blocks, 1);
    errno = kept;
}

void *realloc(void *p, size_t n)
{
    if (p && !mine(p))
        return __libc_realloc(p, n);
    void *q = malloc(n);
    if (p && q) {
        const size_t had = sizes[page_of(p)];
        memcpy(q, p, had < n ? had : n);
        free(p);
    }
    return q;
}

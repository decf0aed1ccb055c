/*
 * faults/fault.c - a library for LD_PRELOAD that lets one call of a program fail.
 *
 * System calls are caught by a seccomp filter, because many are made inside of libc, where no function
 * can be replaced. The filter raises SIGSYS at calls from the code of libc. The handler counts them,
 * lets one fail, and makes the others from its own code, which the filter does not look at. A program
 * that is started by this one has its libc elsewhere, so none of its calls is caught. malloc and its
 * like are replaced. Calls count from the beginning of main(), and not within MPI_Init and MPI_Finalize.
 *
 *   FAULT_STATE  file of sizeof(struct state) bytes; counts and the call that has failed are put there
 *   FAULT_KIND   index in `kinds` of the call that fails, or NKINDS: count all, none fails
 *   FAULT_AT     number of the call that fails, from 1; 0: none fails, and paths of malloc are put down
 *   FAULT_DO     errno of the failure; -1: half of the bytes are read or written
 *   FAULT_RANK   only in this rank; without it, in a process that no launcher has started
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    MALLOC,
    NKINDS = 24,
    NOT_CAUGHT = -1,
    SHORT = -1,
    FRAMES = 40,
    NEAR = 9,
    TEXT = 8192,
    PATHS = 1 << 17
};

/* The numbers of the system calls of each kind; sweep.py has the same kinds in the same order. */
static const int kinds[NKINDS][2] = {
    [MALLOC] = {NOT_CAUGHT, NOT_CAUGHT}, [1] = {SYS_openat, NOT_CAUGHT},
    [2] = {SYS_read, NOT_CAUGHT},        [3] = {SYS_pread64, NOT_CAUGHT},
    [4] = {SYS_write, NOT_CAUGHT},       [5] = {SYS_pwrite64, NOT_CAUGHT},
    [6] = {SYS_writev, NOT_CAUGHT},      [7] = {SYS_fsync, SYS_fdatasync},
    [8] = {SYS_renameat2, SYS_renameat}, [9] = {SYS_ftruncate, NOT_CAUGHT},
    [10] = {SYS_mmap, NOT_CAUGHT},       [11] = {SYS_close, NOT_CAUGHT},
    [12] = {SYS_mkdirat, NOT_CAUGHT},    [13] = {SYS_unlinkat, NOT_CAUGHT},
    [14] = {SYS_flock, NOT_CAUGHT},      [15] = {SYS_newfstatat, NOT_CAUGHT},
    [16] = {SYS_lseek, NOT_CAUGHT},      [17] = {SYS_getdents64, NOT_CAUGHT},
#ifdef SYS_rename /* older calls, which newer processors do not have */
    [18] = {SYS_rename, NOT_CAUGHT},     [19] = {SYS_mkdir, NOT_CAUGHT},
    [20] = {SYS_unlink, SYS_rmdir},      [21] = {SYS_open, NOT_CAUGHT},
#else
    [18] = {NOT_CAUGHT, NOT_CAUGHT},     [19] = {NOT_CAUGHT, NOT_CAUGHT},
    [20] = {NOT_CAUGHT, NOT_CAUGHT},     [21] = {NOT_CAUGHT, NOT_CAUGHT},
#endif
    [22] = {SYS_fchmod, SYS_fchmodat},   [23] = {SYS_statx, NOT_CAUGHT},
};

/* Shared with sweep.py, so that it is there also after a crash. */
struct state {
    _Atomic uint64_t counts[NKINDS];
    uint64_t failed;       /* number of calls that were let fail */
    char where[TEXT];      /* a line for each caller of that call: file, offset, name */
    uint64_t paths[PATHS]; /* when all are counted: hash of the callers of the first allocations */
};

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static struct state *state;
static int the_kind = NKINDS, the_failure;
static uint64_t the_number;
static atomic_int on; /* calls count while this is 1 */
static __thread int busy;
static uintptr_t code_begin, code_end; /* the code of libc */

#if defined __x86_64__
#define NATIVE AUDIT_ARCH_X86_64
static long make(long n, const long *a)
{
    long result;
    register long d __asm__("r10") = a[3], e __asm__("r8") = a[4], f __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(n), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
    return result;
}
static void arguments(const ucontext_t *u, long a[6])
{
    const greg_t *r = u->uc_mcontext.gregs;
    const long v[6] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
    memcpy(a, v, sizeof v);
}
static void answer(ucontext_t *u, long result) { u->uc_mcontext.gregs[REG_RAX] = result; }
#elif defined __aarch64__
#define NATIVE AUDIT_ARCH_AARCH64
static long make(long n, const long *a)
{
    register long number __asm__("x8") = n;
    register long x0 __asm__("x0") = a[0], x1 __asm__("x1") = a[1], x2 __asm__("x2") = a[2];
    register long x3 __asm__("x3") = a[3], x4 __asm__("x4") = a[4], x5 __asm__("x5") = a[5];
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(number), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}
static void arguments(const ucontext_t *u, long a[6])
{
    for (int k = 0; k < 6; k++)
        a[k] = (long)u->uc_mcontext.regs[k];
}
static void answer(ucontext_t *u, long result) { u->uc_mcontext.regs[0] = (unsigned long)result; }
#endif

/* Put down who has made the call that fails. */
static void tell(void)
{
    void *frames[FRAMES];
    size_t at = 0;
    const int n = backtrace(frames, FRAMES);
    for (int k = 0; k < n; k++) {
        Dl_info i;
        if (!dladdr(frames[k], &i) || !i.dli_fname)
            continue;
        const int m = snprintf(state->where + at, TEXT - at, "%s %lx %s\n", i.dli_fname,
                               (unsigned long)((uintptr_t)frames[k] - (uintptr_t)i.dli_fbase),
                               i.dli_sname ? i.dli_sname : "");
        if (m < 0 || (size_t)m >= TEXT - at)
            break;
        at += (size_t)m;
    }
}

/* A name for the nearest callers of a call: the same callers, the same name. */
static uint64_t path_of_call(void)
{
    void *frames[FRAMES];
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    busy = 1;
    const int n = backtrace(frames, NEAR);
    busy = 0;
    for (int k = 0; k < n; k++)
        hash = (hash ^ (uintptr_t)frames[k]) * 1099511628211u;
    return hash;
}

/* Count a call. Is it the one that fails? */
static int fails(int kind)
{
    if (!on || busy)
        return 0;
    const uint64_t number = ++state->counts[kind];
    if (kind == MALLOC && the_number == 0 && number <= PATHS)
        state->paths[number - 1] = path_of_call();
    if (kind != the_kind || number != the_number)
        return 0;
    busy = 1;
    state->failed++;
    tell();
    busy = 0;
    return 1;
}

static long fail(int n, long *a)
{
    if (n == SYS_close) /* the descriptor is gone, whatever close says */
        make(n, a);
    if (the_failure != SHORT)
        return -the_failure;
    if (a[2] > 1 && n != SYS_writev)
        a[2] /= 2;
    return make(n, a);
}

/* SIGSYS stays free in the mask that a call of sigprocmask would set. */
static long set_mask(ucontext_t *u, const long *a)
{
    sigset_t new, old = u->uc_sigmask;
    const int how = (int)a[0];
    if (a[1]) {
        memset(&new, 0, sizeof new);
        memcpy(&new, (const void *)a[1], (size_t)a[3]);
        sigdelset(&new, SIGSYS);
        unsigned char *mask = (void *)&u->uc_sigmask;
        const unsigned char *change = (const void *)&new;
        for (size_t k = 0; k < (size_t)a[3]; k++)
            mask[k] = (unsigned char)(how == SIG_BLOCK     ? mask[k] | change[k]
                                      : how == SIG_UNBLOCK ? mask[k] & ~change[k]
                                                           : change[k]);
    }
    if (a[2])
        memcpy((void *)a[2], &old, (size_t)a[3]);
    return 0;
}

static void on_call(int number, siginfo_t *info, void *context)
{
    (void)number;
    ucontext_t *u = context;
    const int n = info->si_syscall, kept = errno;
    long a[6], result;
    arguments(u, a);
    if (n == SYS_rt_sigprocmask)
        result = set_mask(u, a);
    else if (n == SYS_rt_sigaction && a[0] == SIGSYS)
        result = 0;
    else {
        int kind = 1;
        while (kind < NKINDS && kinds[kind][0] != n && kinds[kind][1] != n)
            kind++;
        result = kind < NKINDS && fails(kind) ? fail(n, a) : make(n, a);
    }
    errno = kept;
    answer(u, result);
}

static int find_libc(struct dl_phdr_info *object, size_t size, void *ctx)
{
    (void)size;
    if (!strstr(object->dlpi_name, (const char *)ctx))
        return 0;
    for (int k = 0; k < object->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &object->dlpi_phdr[k];
        if (h->p_type == PT_LOAD && (h->p_flags & PF_X)) {
            code_begin = object->dlpi_addr + h->p_vaddr;
            code_end = code_begin + h->p_memsz;
        }
    }
    return 1;
}

/* Catch the calls of the kind that fails, or of all kinds. */
static void catch_calls(void)
{
    enum { WORD = BPF_LD | BPF_W | BPF_ABS, EQUAL = BPF_JMP | BPF_JEQ | BPF_K };
    static struct sock_filter f[16 + 4 * NKINDS];
    const size_t ip = offsetof(struct seccomp_data, instruction_pointer);
    int n = 0, calls[2 * NKINDS + 2], ncalls = 0;
    for (int k = 1; k < NKINDS; k++)
        for (int i = 0; i < 2; i++)
            if ((the_kind == NKINDS || the_kind == k) && kinds[k][i] != NOT_CAUGHT)
                calls[ncalls++] = kinds[k][i];
    calls[ncalls++] = SYS_rt_sigprocmask;
    calls[ncalls++] = SYS_rt_sigaction;
#define ADD(code, value, yes, no)                                                                  \
    f[n++] = (struct sock_filter){(unsigned short)(code), (unsigned char)(yes),                    \
                                  (unsigned char)(no), (unsigned)(value)}
    ADD(WORD, offsetof(struct seccomp_data, arch), 0, 0);
    ADD(EQUAL, NATIVE, 1, 0);
    ADD(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    ADD(WORD, ip + 4, 0, 0);
    ADD(EQUAL, code_begin >> 32, 1, 0);
    ADD(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    ADD(WORD, ip, 0, 0);
    ADD(BPF_JMP | BPF_JGE | BPF_K, code_begin, 1, 0);
    ADD(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    ADD(BPF_JMP | BPF_JGE | BPF_K, code_end, 0, 1);
    ADD(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    ADD(WORD, offsetof(struct seccomp_data, nr), 0, 0);
    for (int k = 0; k < ncalls; k++)
        ADD(EQUAL, calls[k], ncalls - k, 0);
    ADD(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    ADD(BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
    struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    const struct sock_fprog program = {(unsigned short)n, f};
    sigaction(SIGSYS, &action, NULL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
        perror("fault: seccomp");
        _exit(99);
    }
}

static long number_of(const char *name, long otherwise)
{
    const char *value = getenv(name);
    return value ? atol(value) : otherwise;
}

__attribute__((constructor)) static void prepare(void)
{
    void *frames[4];
    Dl_info i;
    const char *path = getenv("FAULT_STATE");
    const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    unsetenv("LD_PRELOAD");
    if (fd < 0 ||
        number_of("OMPI_COMM_WORLD_RANK", number_of("PMI_RANK", -1)) != number_of("FAULT_RANK", -1))
        return;
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (state == MAP_FAILED)
        _exit(99);
    the_kind = (int)number_of("FAULT_KIND", NKINDS);
    the_number = (uint64_t)number_of("FAULT_AT", 0);
    the_failure = (int)number_of("FAULT_DO", EIO);
    backtrace(frames, 4); /* loads what it needs */
    dladdr((void *)prepare, &i);
    dl_iterate_phdr(find_libc, "/libc.so.");
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
    if (state) {
        if (the_kind != MALLOC)
            catch_calls();
        on = 1;
    }
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*end)(void), void *stack)
{
    int (*start)(void *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return start((void *)counted_main, argc, argv, init, fini, end, stack);
}

/* Calls of MPI that start or end a job: what they call does not count. */
int MPI_Init(int *argc, char ***argv)
{
    int (*next)(int *, char ***);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Init");
    const int was = atomic_exchange(&on, 0);
    const int result = next(argc, argv);
    on = was;
    return result;
}

int MPI_Finalize(void)
{
    int (*next)(void);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Finalize");
    const int was = atomic_exchange(&on, 0);
    const int result = next();
    on = was;
    return result;
}

/* ---- memory ---- */

static int no_memory(void)
{
    if (!fails(MALLOC))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n) { return no_memory() ? NULL : __libc_malloc(n); }

void *calloc(size_t n, size_t size) { return no_memory() ? NULL : __libc_calloc(n, size); }

void *realloc(void *p, size_t n) { return n && no_memory() ? NULL : __libc_realloc(p, n); }

void *aligned_alloc(size_t alignment, size_t n)
{
    return no_memory() ? NULL : __libc_memalign(alignment, n);
}

int posix_memalign(void **p, size_t alignment, size_t n)
{
    if (no_memory())
        return ENOMEM;
    *p = __libc_memalign(alignment, n);
    return *p ? 0 : ENOMEM;
}

/* run/stage/resume/taken.c - see src/run/stage/resume/taken.h */
#include "taken.h"

#include "pardup/base/error.h"
#include "pardup/base/log.h"

bool pd_taken_everywhere(const struct pd_comm *c, int status, const char *again)
{
    uint64_t bad = status < 0;
    if (bad) {
        pd_log_rank(PD_LOG_WARN, "%s; %s again", pd_error_text(), again);
        pd_error_clear();
    }
    pd_comm_max(c, &bad, 1);
    return !bad;
}

struct pd_packed *pd_taken_open(const char *path)
{
    struct pd_packed *f = pd_packed_open(path);
    if (f && pd_packed_verify(f) < 0) {
        pd_packed_close(f);
        f = NULL;
    }
    return f;
}

bool pd_taken_here(const struct pd_comm *c, uint64_t k, uint64_t n)
{
    return k * (uint64_t)c->size / n == (uint64_t)c->rank;
}

/* corpus/packed/input.c - see input.h */
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/open.h"
#include "pardup/base/vec.h"

static int fail(const struct pd_input *in)
{
    return pd_fail(PD_EIO, "%s: %s", in->path, strerror(errno));
}

int pd_input_open(struct pd_input *in, const char *path)
{
    *in = (struct pd_input){.path = path, .v = in->v, .ahead = PD_INPUT_FIRST};
    in->fd = pd_open_regular(path);
    return in->fd < 0 ? PD_EIO : PD_OK;
}

void pd_input_close(struct pd_input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    in->fd = -1;
}

void pd_input_release(struct pd_input *in)
{
    pd_input_close(in);
    free(in->v);
    in->v = NULL;
}

static int read_at(struct pd_input *in, void *to, size_t n, uint64_t offset, size_t *got)
{
    ssize_t k;
    if (n > in->ahead)
        n = in->ahead;
    if (in->ahead < PD_INPUT_MOST)
        in->ahead *= 2;
    do
        k = pread(in->fd, to, n, (off_t)offset);
    while (k < 0 && errno == EINTR);
    if (k < 0)
        return fail(in);
    *got = (size_t)k;
    return PD_OK;
}

int pd_input_fill(struct pd_input *in, size_t least)
{
    if (pd_input_left(in) >= least || in->end)
        return PD_OK;
    if (!in->v)
        in->v = pd_realloc(NULL, PD_INPUT_MOST, 1);
    memmove(in->v, in->v + in->pos, pd_input_left(in));
    in->n -= in->pos;
    in->pos = 0;
    while (in->n < least && !in->end) {
        size_t got = 0;
        PD_TRY(read_at(in, in->v + in->n, PD_INPUT_MOST - in->n, in->offset + in->n, &got));
        in->n += got;
        in->end = got == 0;
    }
    return PD_OK;
}

void pd_input_seek(struct pd_input *in, uint64_t offset)
{
    const uint64_t start = in->offset - in->pos;
    if (offset >= start && offset <= start + in->n) {
        in->pos = (size_t)(offset - start);
    } else {
        in->pos = in->n = 0;
        in->end = false;
    }
    in->offset = offset;
}

int pd_input_read(struct pd_input *in, void *to, size_t n, size_t *got)
{
    PD_TRY(read_at(in, to, n, in->offset, got));
    in->offset += *got;
    return PD_OK;
}

uint64_t pd_input_changed(const struct stat *st)
{
    const uint64_t second = 1000000000;
    return ((uint64_t)st->st_mtim.tv_sec * second + (uint64_t)st->st_mtim.tv_nsec) | 1;
}

int pd_input_check(const struct pd_input *in, uint64_t bytes, uint64_t changed)
{
    struct stat st;
    if (fstat(in->fd, &st) != 0)
        return fail(in);
    if ((uint64_t)st.st_size != bytes)
        return pd_fail(PD_EIO, "%s: has changed while it was read: %llu bytes are now %lld",
                       in->path, (unsigned long long)bytes, (long long)st.st_size);
    if (changed != 0 && pd_input_changed(&st) != changed)
        return pd_fail(PD_EIO, "%s: has changed while it was read", in->path);
    return PD_OK;
}

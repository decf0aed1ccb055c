/* run/job/dedup/write/part_files.c - see run/job/dedup/write/part_files.h */
#include "run/job/dedup/write/part_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/store/commit.h"

char *pd_dedup_work_path(const struct pd_dedup *d, const char *what, uint64_t number)
{
    return pd_printed("%s/%s.%llu", d->work, what, (unsigned long long)number);
}

static int open_file(struct pd_output *o)
{
    o->file = fopen(o->part, "wb");
    return o->file ? PD_OK
                   : pd_fail(PD_EIO, "%s: %s", o->lasts ? o->part : o->path, strerror(errno));
}

int pd_output_open(const struct pd_dedup *d, struct pd_output *o, char *path, uint64_t number)
{
    *o = (struct pd_output){.path = path, .part = pd_dedup_work_path(d, "part", number)};
    return open_file(o);
}

/* Open a file that lasts. The output owns its path. */
static int open_lasting(struct pd_output *o, char *path)
{
    *o = (struct pd_output){.path = path, .part = pd_printed("%s.part", path), .lasts = true};
    return open_file(o);
}

int pd_output_open_proof(const struct pd_dedup *d, struct pd_output *o, const char *name)
{
    return open_lasting(o, pd_printed("%s/%s", d->proof, name));
}

int pd_output_close(struct pd_output *o, int status)
{
    if (o->file && status >= 0 && o->lasts) {
        status = pd_file_commit(o->file, o->part, o->path);
    } else if (o->file && status >= 0) {
        if (fclose(o->file) || rename(o->part, o->path))
            status = pd_fail(PD_EIO, "%s: %s", o->path, strerror(errno));
    } else if (o->file) {
        fclose(o->file);
        if (!o->lasts)
            unlink(o->part);
    }
    PD_FREE(o->path, o->part);
    return status;
}

int pd_output_put(struct pd_output *o, int status, const void *bytes, size_t n)
{
    if (status >= 0 && fwrite(bytes, 1, n, o->file) != n)
        status = pd_fail(PD_EIO, "%s: %s", o->path, strerror(errno));
    return pd_output_close(o, status);
}

char *pd_output_path(const struct pd_dedup *d, const char *folder, const char *name)
{
    char *path = pd_printed("%s/%s%s", d->options->output, folder, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    const int status = pd_folder_make(path);
    *slash = '/';
    if (status >= 0)
        return path;
    free(path);
    return NULL;
}

/* Is this the text of an open file? The file is closed. */
static bool has_text(FILE *f, const struct pd_bytes *text)
{
    size_t k = 0;
    int c;
    while ((c = getc(f)) != EOF && k < text->n && c == text->v[k])
        k++;
    fclose(f);
    return c == EOF && k == text->n;
}

int pd_dedup_bind(const struct pd_dedup *d, const char *what, const struct pd_bytes *text)
{
    struct pd_output out;
    char *path = pd_dedup_work_path(d, what, 0);
    FILE *f = fopen(path, "rb");
    if (!f)
        return pd_output_put(&out, open_lasting(&out, path), text->v, text->n);
    free(path);
    return has_text(f, text)
               ? PD_OK
               : pd_fail(PD_ESTALE,
                         "%s: holds the files of a job with other options, another result or "
                         "inputs that have changed since: choose another folder, or remove it",
                         d->options->output);
}

/* run/dedup/part_files.c - see run/dedup/part_files.h */
#include "run/dedup/part_files.h"

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

int pd_output_open(const struct pd_dedup *d, struct pd_output *o, const char *path, uint64_t number)
{
    *o = (struct pd_output){pd_printed("%s", path), pd_dedup_work_path(d, "part", number), NULL};
    o->file = fopen(o->part, "wb");
    return o->file ? PD_OK : pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
}

int pd_output_close(struct pd_output *o, int status)
{
    if (o->file && status >= 0) {
        if (fclose(o->file) || rename(o->part, o->path))
            status = pd_fail(PD_EIO, "%s: %s", o->path, strerror(errno));
    } else if (o->file) {
        fclose(o->file);
        unlink(o->part);
    }
    PD_FREE(o->path, o->part);
    return status;
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
    char *path = pd_dedup_work_path(d, what, 0), *part = pd_printed("%s.part", path);
    int status = PD_OK;
    FILE *f = fopen(path, "rb");
    if (f && !has_text(f, text)) {
        status = pd_fail(PD_ESTALE,
                         "%s: holds the files of a job with other options, another result or "
                         "inputs that have changed since: choose another folder, or remove it",
                         d->options->output);
    } else if (!f) {
        f = fopen(part, "wb");
        if (!f || fwrite(text->v, 1, text->n, f) != text->n)
            status = pd_fail(PD_EIO, "%s: %s", part, strerror(errno));
        return pd_dedup_close_part(f, path, part, status);
    }
    PD_FREE(path, part);
    return status;
}

FILE *pd_dedup_open_part(const struct pd_dedup *d, const char *name, char **path, char **part)
{
    *path = pd_printed("%s/%s", d->proof, name);
    *part = pd_printed("%s.part", *path);
    FILE *f = fopen(*part, "wb");
    if (!f && pd_fail(PD_EIO, "%s: %s", *part, strerror(errno)) < 0)
        return NULL;
    return f;
}

int pd_dedup_close_part(FILE *f, char *path, char *part, int status)
{
    if (f && status >= 0)
        status = pd_file_commit(f, part, path);
    else if (f)
        fclose(f);
    PD_FREE(path, part);
    return status;
}

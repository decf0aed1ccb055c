/* corpus/files.c - see include/pardup/corpus/files.h */
#include "pardup/corpus/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/error.h"

PD_VEC(paths, char *);

static int unreadable(const char *path) { return pd_fail(PD_EIO, "%s: %s", path, strerror(errno)); }

static char *copy(const char *s, size_t n)
{
    char *c = pd_realloc(NULL, n + 1, 1);
    memcpy(c, s, n);
    c[n] = '\0';
    return c;
}

static char *join(const char *dir, const char *name)
{
    size_t d = strlen(dir), n = strlen(name);
    char *path = pd_realloc(NULL, d + n + 2, 1);
    memcpy(path, dir, d);
    if (d == 0 || dir[d - 1] != '/')
        path[d++] = '/';
    memcpy(path + d, name, n + 1);
    return path;
}

static void push_file(struct pd_files *files, char *path, const struct stat *st)
{
    pd_files_push(files, (struct pd_file){path, (uint64_t)st->st_size});
}

/*
 * Put `path` among the files or the folders yet to read, or free it. Links that lead nowhere,
 * special files and links to folders are left out. Returns PD_OK or PD_EIO.
 */
static int add_entry(struct pd_files *files, struct paths *dirs, char *path)
{
    struct stat st;
    int status = PD_OK;
    if (lstat(path, &st)) {
        status = unreadable(path);
    } else if (S_ISDIR(st.st_mode)) {
        paths_push(dirs, path);
        return PD_OK;
    } else {
        if (S_ISLNK(st.st_mode) && stat(path, &st)) {
            if (errno != ENOENT && errno != ELOOP)
                status = unreadable(path);
        } else if (S_ISREG(st.st_mode)) {
            push_file(files, path, &st);
            return PD_OK;
        }
    }
    free(path);
    return status;
}

static int read_dir(struct pd_files *files, struct paths *dirs, const char *dir)
{
    DIR *d = opendir(dir);
    if (!d)
        return unreadable(dir);
    int status = PD_OK;
    while (status == PD_OK) {
        errno = 0;
        const struct dirent *e = readdir(d);
        if (!e) {
            if (errno)
                status = unreadable(dir);
            break;
        }
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            status = add_entry(files, dirs, join(dir, e->d_name));
    }
    closedir(d);
    return status;
}

static int by_path(const void *pa, const void *pb)
{
    const struct pd_file *a = pa, *b = pb;
    return strcmp(a->path, b->path);
}

static int add_dir(struct pd_files *files, const char *path)
{
    const size_t first = files->n;
    struct paths dirs = {0};
    paths_push(&dirs, copy(path, strlen(path)));
    int status = PD_OK;
    while (dirs.n > 0) {
        char *dir = dirs.v[--dirs.n];
        if (status == PD_OK)
            status = read_dir(files, &dirs, dir);
        free(dir);
    }
    paths_release(&dirs);
    if (files->n > first)
        qsort(files->v + first, files->n - first, sizeof *files->v, by_path);
    return status;
}

int pd_files_add(struct pd_files *files, const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return unreadable(path);
    if (S_ISDIR(st.st_mode))
        return add_dir(files, path);
    if (!S_ISREG(st.st_mode))
        return pd_fail(PD_EIO, "%s: neither a regular file nor a directory", path);
    push_file(files, copy(path, strlen(path)), &st);
    return PD_OK;
}

int pd_files_add_list(struct pd_files *files, const char *list)
{
    const int from_stdin = strcmp(list, "-") == 0;
    FILE *f = from_stdin ? stdin : fopen(list, "r");
    if (!f)
        return unreadable(list);
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int status = PD_OK;
    while (status == PD_OK && (n = getline(&line, &cap, f)) >= 0) {
        if (n > 0 && line[n - 1] == '\n')
            line[--n] = '\0';
        if (n > 0)
            status = pd_files_add(files, line);
    }
    if (status == PD_OK && ferror(f))
        status = unreadable(list);
    free(line);
    if (!from_stdin)
        fclose(f);
    return status;
}

void pd_files_free(struct pd_files *files)
{
    for (size_t k = 0; k < files->n; k++)
        free(files->v[k].path);
    pd_files_release(files);
}

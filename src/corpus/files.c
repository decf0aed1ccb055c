/* corpus/files.c - see include/pardup/corpus/files.h */
#include "pardup/corpus/files.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "corpus/packed/input.h"
#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/open.h"

#define LIST_STEP ((size_t)64 << 10) /* bytes of a list that are read at a time */

PD_VEC(paths, char *);

static int unreadable(const char *path) { return pd_fail(PD_EIO, "%s: %s", path, strerror(errno)); }

static char *copy(const char *s, size_t n) { return pd_printed("%.*s", (int)n, s); }

static char *join(const char *dir, const char *name)
{
    const size_t n = strlen(dir);
    return pd_printed("%s%s%s", dir, n == 0 || dir[n - 1] != '/' ? "/" : "", name);
}

int pd_file_look(struct pd_file *file)
{
    struct stat st;
    if (stat(file->path, &st))
        return unreadable(file->path);
    file->bytes = (uint64_t)st.st_size;
    file->changed = pd_input_changed(&st);
    return PD_OK;
}

static void push_file(struct pd_files *files, char *path, const struct stat *st)
{
    pd_files_push(files, (struct pd_file){path, (uint64_t)st->st_size, pd_input_changed(st)});
}

/* What lies in a folder and is not read. */
enum left { LEFT_FOLDER, LEFT_NOWHERE, LEFT_SPECIAL, LEFT_KEPT, LEFTS };

/* Is `name` that of what programs keep beside texts: their histories, back-ups and thumbnails? */
static bool is_kept_beside(const char *name)
{
    static const char *const patterns[] = {
        ".git",          ".git[aim]*",     ".github",     ".hg",
        ".hgignore",     ".svn",           ".bzr",        "CVS",
        "node_modules",  "__MACOSX",       "__pycache__", ".ipynb_checkpoints",
        ".venv",         ".tox",           ".idea",       ".vscode",
        ".editorconfig", "@eaDir",         ".DS_Store",   ".Trash*",
        "Thumbs.db",     "[Dd]esktop.ini", ".directory",  "Icon\r",
        "._*",           ".*.sw[a-p]",     "?*~",         "#*#",
        ".#*",           ".~lock.*#",      "~$*"};
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
        if (fnmatch(patterns[k], name, 0) == 0)
            return true;
    return false;
}

/* One directory with everything below it. */
struct walk {
    struct pd_files *files;
    struct paths dirs; /* folders yet to read */
    struct {
        uint64_t n;
        char *first; /* the first of them that is met; NULL: none */
    } left[LEFTS];
};

/* Count `path`, which is not read, and take it. */
static void leave(struct walk *w, enum left why, char *path)
{
    if (w->left[why].n++ == 0)
        w->left[why].first = path;
    else
        free(path);
}

/* Tell what was not read, and free it. */
static void tell_left(struct walk *w)
{
    static const struct {
        enum pd_level level;
        const char *what;
    } texts[] = {[LEFT_FOLDER] = {PD_LOG_INFO, "links to folders (name a link to follow it)"},
                 [LEFT_NOWHERE] = {PD_LOG_WARN, "links that lead nowhere"},
                 [LEFT_SPECIAL] = {PD_LOG_WARN, "pipes, sockets or devices"},
                 [LEFT_KEPT] = {PD_LOG_INFO, "files that programs keep beside texts, such as .git "
                                             "(name one to read it)"}};
    for (enum left why = 0; why < LEFTS; why++) {
        if (w->left[why].n > 0)
            pd_log(texts[why].level, "%s: left out: %s: %llu", w->left[why].first, texts[why].what,
                   (unsigned long long)w->left[why].n);
        free(w->left[why].first);
    }
}

/*
 * Put `path` among the files, the folders yet to read, or what is left out: links that lead
 * nowhere, special files and links to folders. Returns PD_OK or PD_EIO.
 */
static int add_entry(struct walk *w, char *path)
{
    struct stat st;
    if (lstat(path, &st)) {
        const int status = unreadable(path);
        free(path);
        return status;
    }
    const bool link = S_ISLNK(st.st_mode);
    if (link && stat(path, &st)) {
        const int status = errno == ENOENT || errno == ELOOP ? PD_OK : unreadable(path);
        leave(w, LEFT_NOWHERE, path);
        return status;
    }
    if (S_ISREG(st.st_mode))
        push_file(w->files, path, &st);
    else if (S_ISDIR(st.st_mode) && !link)
        paths_push(&w->dirs, path);
    else
        leave(w, S_ISDIR(st.st_mode) ? LEFT_FOLDER : LEFT_SPECIAL, path);
    return PD_OK;
}

static int read_dir(struct walk *w, const char *dir)
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
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (is_kept_beside(e->d_name))
            leave(w, LEFT_KEPT, join(dir, e->d_name));
        else
            status = add_entry(w, join(dir, e->d_name));
    }
    closedir(d);
    return status;
}

static int by_path(const void *pa, const void *pb)
{
    const struct pd_file *a = pa, *b = pb;
    return strcmp(a->path, b->path);
}

static bool matches(const char *const *patterns, size_t n, const char *path)
{
    for (size_t k = 0; k < n; k++)
        if (fnmatch(patterns[k], path, 0) == 0)
            return true;
    return false;
}

/* Leave out files of the directory `dir`, from file `first` on, that the patterns do not take. */
static void choose(struct pd_files *files, size_t first, const char *dir, struct pd_patterns *p)
{
    size_t kept = first, below = strlen(dir);
    below += below > 0 && dir[below - 1] != '/';
    for (size_t k = first; k < files->n; k++) {
        const char *path = files->v[k].path + below;
        if ((p->nincludes == 0 || matches(p->include, p->nincludes, path)) &&
            !matches(p->exclude, p->nexcludes, path)) {
            files->v[kept++] = files->v[k];
        } else {
            free(files->v[k].path);
            p->left_out++;
        }
    }
    files->n = kept;
}

static int add_dir(struct pd_files *files, const char *path, struct pd_patterns *patterns)
{
    const size_t first = files->n;
    struct walk w = {.files = files};
    paths_push(&w.dirs, copy(path, strlen(path)));
    int status = PD_OK;
    while (w.dirs.n > 0) {
        char *dir = w.dirs.v[--w.dirs.n];
        if (status == PD_OK)
            status = read_dir(&w, dir);
        free(dir);
    }
    paths_release(&w.dirs);
    tell_left(&w);
    if (patterns)
        choose(files, first, path, patterns);
    if (files->n > first)
        qsort(files->v + first, files->n - first, sizeof *files->v, by_path);
    return status;
}

int pd_files_add(struct pd_files *files, const char *path, struct pd_patterns *patterns)
{
    struct stat st;
    if (stat(path, &st))
        return unreadable(path);
    if (S_ISDIR(st.st_mode))
        return add_dir(files, path, patterns);
    if (!S_ISREG(st.st_mode))
        return pd_fail(PD_EIO, "%s: neither a regular file nor a directory", path);
    push_file(files, copy(path, strlen(path)), &st);
    return PD_OK;
}

/* Read all of `list` into `text`. Returns PD_OK or PD_EIO. */
static int read_list(const char *list, struct pd_bytes *text)
{
    const bool from_stdin = strcmp(list, "-") == 0;
    FILE *f = from_stdin ? stdin : pd_open_list(list);
    int status = PD_OK;
    if (!f)
        return PD_EIO;
    for (size_t n = 1; n > 0; text->n += n) {
        pd_bytes_reserve(text, text->n + LIST_STEP);
        n = fread(text->v + text->n, 1, LIST_STEP, f);
    }
    if (ferror(f))
        status = unreadable(list);
    if (!from_stdin)
        fclose(f);
    return status;
}

/*
 * Add the path v[0, n), behind which a byte may be written. A CR at its end belongs to the line
 * end, unless only a file with the CR in its name is there. Returns PD_OK or PD_EIO.
 */
static int add_name(struct pd_files *files, char *v, size_t n, bool line,
                    struct pd_patterns *patterns)
{
    struct stat st;
    v[n] = '\0';
    if (line && n > 0 && v[n - 1] == '\r' && lstat(v, &st) != 0)
        v[--n] = '\0';
    return n > 0 ? pd_files_add(files, v, patterns) : PD_OK;
}

int pd_files_add_list(struct pd_files *files, const char *list, bool null,
                      struct pd_patterns *patterns)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct pd_bytes text = {0};
    int status = read_list(list, &text);
    const size_t n = text.n;
    pd_bytes_append(&text, "", 1);
    null |= memchr(text.v, '\0', n) != NULL;
    size_t from = n >= 3 && memcmp(text.v, mark, 3) == 0 ? 3 : 0;
    while (status == PD_OK && from < n) {
        char *name = (char *)text.v + from;
        const char *end = memchr(name, null ? '\0' : '\n', n - from);
        const size_t bytes = end ? (size_t)(end - name) : n - from;
        from += bytes + 1;
        /* a line end behind the last NUL is no name */
        if (!(null && !end && bytes <= 2 && name[bytes - 1] == '\n'))
            status = add_name(files, name, bytes, !null, patterns);
    }
    pd_bytes_release(&text);
    return status;
}

void pd_files_free(struct pd_files *files)
{
    for (size_t k = 0; k < files->n; k++)
        free(files->v[k].path);
    pd_files_release(files);
}

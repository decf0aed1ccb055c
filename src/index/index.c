/* index/index.c - see include/pardup/index/index.h */
#include "pardup/index/index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/rename.h"

#define MANIFEST "manifest"
#define PART     "manifest.part"
#define LOCK     "lock"
enum { PARTS_MOST = 1 << 16 };

void pd_index_manifest_release(struct pd_index_manifest *m)
{
    pd_index_parts_release(&m->parts);
    PD_RELEASE(pd_bytes, &m->options, &m->directory);
}

static void file_path(char *path, const char *dir, const char *name)
{
    snprintf(path, PATH_MAX, "%s/%s", dir, name);
}

static void name_file(char *path, const char *dir, const char *kind, uint64_t number)
{
    snprintf(path, PATH_MAX, "%s/%llu.%s", dir, (unsigned long long)number, kind);
}

/* ---- the manifest ---- */

/* Take a whole section into `to`. Bytes that are text end with NUL. */
static int take(struct pd_sections *s, const char *name, bool text, struct pd_bytes *to)
{
    struct pd_section section;
    PD_TRY(pd_sections_find(s, name, &section));
    PD_TRY(pd_section_check(&section, 0, section.n));
    to->n = 0;
    pd_bytes_append(to, section.v, section.n);
    if (text && (section.n == 0 || section.v[section.n - 1] != '\0'))
        return pd_fail(PD_EFORMAT, "%s: section %s is broken; make the index again", s->path, name);
    return PD_OK;
}

/* A new file gets the number `next`, so no file of the index may have it, or a higher one. */
static int judge_files(const struct pd_index_manifest *m, const char *path)
{
    bool sound = m->head.words < m->head.next && m->head.next < UINT64_MAX / 2;
    for (size_t k = 0; k < m->parts.n; k++)
        sound = sound && m->parts.v[k].number < m->head.next;
    return sound ? PD_OK
                 : pd_fail(PD_EFORMAT, "%s: its numbers are broken; make the index again", path);
}

static int read_manifest(struct pd_index_manifest *m, struct pd_sections *s)
{
    struct pd_bytes numbers = {0}, parts = {0};
    int status = take(s, "numbers", false, &numbers);
    PD_THEN(status, take(s, "segments", false, &parts));
    PD_THEN(status, take(s, "options", true, &m->options));
    PD_THEN(status, take(s, "directory", true, &m->directory));
    if (status >= 0 && (numbers.n != sizeof m->head || parts.n % sizeof *m->parts.v ||
                        parts.n / sizeof *m->parts.v > PARTS_MOST))
        status = pd_fail(PD_EFORMAT, "%s: its numbers are broken; make the index again", s->path);
    if (status >= 0) {
        memcpy(&m->head, numbers.v, sizeof m->head);
        m->parts.n = 0;
        pd_index_parts_append(&m->parts, parts.v, parts.n / sizeof *m->parts.v);
        m->checksum = s->checksum;
        status = judge_files(m, s->path);
    }
    PD_RELEASE(pd_bytes, &numbers, &parts);
    return status;
}

int pd_index_manifest_read(struct pd_index_manifest *m, const char *dir)
{
    char path[PATH_MAX];
    struct pd_sections s = {.path = NULL};
    struct stat st;
    file_path(path, dir, MANIFEST);
    if (stat(dir, &st) != 0)
        return pd_fail(PD_EIO, "%s: %s", dir, strerror(errno));
    if (!S_ISDIR(st.st_mode) || access(path, F_OK) != 0)
        return pd_fail(PD_EFORMAT, "%s: no index; pardup index makes one", dir);
    int status = pd_sections_open(&s, path);
    PD_THEN(status, read_manifest(m, &s));
    pd_sections_close(&s);
    return status;
}

const char *pd_index_manifest_option(const struct pd_index_manifest *m, const char *name)
{
    const char *at = (const char *)m->options.v, *const end = at + m->options.n;
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (value >= end)
            return NULL;
        if (strcmp(at, name) == 0)
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

/* ---- reading ---- */

static int take_words(struct pd_index *x, struct pd_sections *s)
{
    struct pd_section terms, flags;
    PD_TRY(pd_sections_find(s, "terms", &terms));
    PD_TRY(pd_sections_find(s, "flags", &flags));
    PD_TRY(pd_section_check(&terms, 0, terms.n));
    PD_TRY(pd_section_check(&flags, 0, flags.n));
    if (terms.n != flags.n * sizeof(uint64_t))
        return pd_fail(PD_EFORMAT, "%s: its tables contradict each other; make the index again",
                       s->path);
    for (uint64_t k = 0; k < flags.n; k++)
        *pd_hash_table_at(&x->flags, pd_packed_number(terms.v + k * sizeof k, sizeof k)) =
            (uint64_t)flags.v[k] + 1;
    return PD_OK;
}

/* Is this the file that the manifest means? */
static int compare(const struct pd_sections *s, uint64_t checksum)
{
    return s->checksum == checksum
               ? PD_OK
               : pd_fail(PD_EFORMAT, "%s: belongs to another index; make the index again", s->path);
}

static int open_words(struct pd_index *x, const char *dir)
{
    char path[PATH_MAX];
    struct pd_sections s = {.path = NULL};
    name_file(path, dir, PD_INDEX_WORDS, x->manifest.head.words);
    int status = pd_sections_open(&s, path);
    PD_THEN(status, compare(&s, x->manifest.head.words_sum));
    PD_THEN(status, take_words(x, &s));
    pd_sections_close(&s);
    return status;
}

static int open_segments(struct pd_index *x, const char *dir)
{
    const struct pd_index_parts *parts = &x->manifest.parts;
    char path[PATH_MAX];
    pd_doc base = 0;
    bool sound = true;
    x->segments = pd_realloc(NULL, parts->n + 1, sizeof *x->segments);
    for (size_t k = 0; k < parts->n; k++) {
        struct pd_segment *s = &x->segments[x->nsegments++];
        *s = (struct pd_segment){.base = base};
        name_file(path, dir, PD_INDEX_SEGMENT, parts->v[k].number);
        PD_TRY(pd_segment_open(s, path));
        PD_TRY(compare(&s->file, parts->v[k].checksum));
        base += s->counts.documents;
        sound = sound && parts->v[k].documents == s->counts.documents;
    }
    return sound && base == x->manifest.head.documents
               ? PD_OK
               : pd_fail(PD_EFORMAT,
                         "%s: its segments contradict its manifest; make the index again", dir);
}

static int open_files(struct pd_index *x, const char *dir)
{
    PD_TRY(pd_index_manifest_read(&x->manifest, dir));
    PD_TRY(open_words(x, dir));
    return open_segments(x, dir);
}

/* Has a writer committed since the manifest of `x` was read? */
static bool has_changed(const struct pd_index *x, const char *dir)
{
    struct pd_index_manifest now = {.checksum = 0};
    const bool read = pd_index_manifest_read(&now, dir) >= 0;
    const uint64_t checksum = now.checksum;
    pd_index_manifest_release(&now);
    return read && checksum != x->manifest.checksum;
}

int pd_index_open(struct pd_index *x, const char *dir)
{
    int status;
    /* a file that the manifest names may be gone because another job has made it useless */
    while ((status = open_files(x, dir)) < 0 && x->manifest.checksum && has_changed(x, dir)) {
        pd_error_clear();
        pd_index_close(x);
    }
    return status;
}

void pd_index_close(struct pd_index *x)
{
    for (size_t k = 0; k < x->nsegments; k++)
        pd_segment_close(&x->segments[k]);
    free(x->segments);
    pd_hash_table_release(&x->flags);
    pd_index_manifest_release(&x->manifest);
    *x = (struct pd_index){.nsegments = 0};
}

unsigned char pd_index_flags(const struct pd_index *x, uint64_t term)
{
    const uint64_t found = pd_hash_table_get(&x->flags, term);
    return (unsigned char)(found ? found - 1 : x->manifest.head.default_flags);
}

/* The place of the first name of a segment that is not below `name`. */
static int find_aside(const struct pd_segment *s, uint64_t name, uint64_t *place)
{
    uint64_t lo = 0, hi = pd_segment_asides(s), at;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(pd_segment_aside(s, mid, &at));
        if (at < name)
            lo = mid + 1;
        else
            hi = mid;
    }
    *place = lo;
    return PD_OK;
}

int pd_index_has_aside(const struct pd_index *x, uint64_t name, bool *found)
{
    *found = false;
    for (size_t k = 0; k < x->nsegments && !*found; k++) {
        uint64_t place = 0, at = 0;
        PD_TRY(find_aside(&x->segments[k], name, &place));
        if (place == pd_segment_asides(&x->segments[k]))
            continue;
        PD_TRY(pd_segment_aside(&x->segments[k], place, &at));
        *found = at == name;
    }
    return PD_OK;
}

const struct pd_segment *pd_index_segment(const struct pd_index *x, pd_doc doc)
{
    size_t k = x->nsegments - 1;
    while (x->segments[k].base > doc)
        k--;
    return &x->segments[k];
}

/* ---- writing ---- */

static int failed(const char *path) { return pd_fail(PD_EIO, "%s: %s", path, strerror(errno)); }

/* Is this the name of a file that a writer of an index makes? */
static bool is_ours(const char *name)
{
    const size_t digits = strspn(name, "0123456789");
    return strcmp(name, MANIFEST) == 0 || strcmp(name, PART) == 0 || strcmp(name, LOCK) == 0 ||
           (digits && (strcmp(name + digits, "." PD_INDEX_SEGMENT) == 0 ||
                       strcmp(name + digits, "." PD_INDEX_WORDS) == 0));
}

/* Call `each` with the names of all files in the folder; a negative result ends it. */
static int for_files(struct pd_index_writer *w, int (*each)(struct pd_index_writer *, const char *))
{
    DIR *d = opendir(w->dir);
    int status = PD_OK;
    if (!d)
        return failed(w->dir);
    for (const struct dirent *e; status >= 0 && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            status = each(w, e->d_name);
    closedir(d);
    return status;
}

static int refuse_foreign(struct pd_index_writer *w, const char *name)
{
    return is_ours(name)
               ? PD_OK
               : pd_fail(PD_EFORMAT, "%s: a folder that is no index: it has %s", w->dir, name);
}

static int remove_unused(struct pd_index_writer *w, const char *name)
{
    const struct pd_index_manifest *m = &w->manifest;
    const uint64_t number = strtoull(name, NULL, 10);
    bool used = !is_ours(name) || strcmp(name, MANIFEST) == 0 || strcmp(name, LOCK) == 0;
    if (strchr(name, '.') && strcmp(strchr(name, '.') + 1, PD_INDEX_WORDS) == 0)
        used |= number == m->head.words;
    for (size_t k = 0; k < m->parts.n; k++)
        used |= number == m->parts.v[k].number && strstr(name, "." PD_INDEX_SEGMENT);
    if (!used) {
        file_path(w->path, w->dir, name);
        unlink(w->path);
    }
    return PD_OK;
}

static int lock(struct pd_index_writer *w)
{
    file_path(w->path, w->dir, LOCK);
    w->lock = open(w->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (w->lock < 0)
        return failed(w->path);
    struct stat st;
    int status = PD_OK;
    if (flock(w->lock, LOCK_EX | LOCK_NB) != 0)
        status =
            errno == EWOULDBLOCK
                ? pd_fail(PD_EIO, "%s: another job writes to this index; wait for its end", w->dir)
                : failed(w->path);
    else if (fstat(w->lock, &st) != 0 || st.st_nlink == 0)
        status = pd_fail(PD_EIO, "%s: another job has just failed to make it; try again", w->dir);
    if (status < 0) { /* another job has made the files */
        close(w->lock);
        w->lock = -1;
    }
    return status;
}

/*
 * Remove the files that do not count. A folder without an index is left empty, or removed if this
 * job has made it.
 */
static void remove_rest(struct pd_index_writer *w)
{
    pd_index_manifest_release(&w->manifest);
    w->manifest = (struct pd_index_manifest){.head = {.words = UINT64_MAX}};
    file_path(w->path, w->dir, MANIFEST);
    const bool exists = access(w->path, F_OK) == 0;
    if (exists && pd_index_manifest_read(&w->manifest, w->dir) < 0)
        return; /* which files count cannot be told */
    for_files(w, remove_unused);
    if (exists)
        return;
    file_path(w->path, w->dir, LOCK);
    unlink(w->path);
    if (w->made)
        rmdir(w->dir);
}

/* Give new files numbers that no file of the folder has. */
static int pass_number(struct pd_index_writer *w, const char *name)
{
    const uint64_t number = strtoull(name, NULL, 10);
    if (number >= w->manifest.head.next && number < UINT64_MAX)
        w->manifest.head.next = number + 1;
    return PD_OK;
}

/* Begin beside the files of an index whose manifest, at w->path, cannot be read. */
static int begin_beside(struct pd_index_writer *w)
{
    pd_error_clear();
    pd_index_manifest_release(&w->manifest);
    w->manifest = (struct pd_index_manifest){.checksum = 0};
    return for_files(w, pass_number);
}

int pd_index_begin(struct pd_index_writer *w, const char *dir, bool anew, bool *exists)
{
    struct stat st;
    w->lock = -1;
    w->path = pd_realloc(NULL, PATH_MAX, 1);
    w->dir = pd_printed("%s", dir);
    w->made = mkdir(dir, 0777) == 0;
    if (!w->made && errno != EEXIST)
        return failed(dir);
    if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
        return pd_fail(PD_EFORMAT, "%s: a file, not the folder of an index", dir);
    PD_TRY(for_files(w, refuse_foreign));
    PD_TRY(lock(w));
    file_path(w->path, w->dir, MANIFEST);
    *exists = access(w->path, F_OK) == 0;
    if (!*exists)
        return PD_OK;
    const int status = pd_index_manifest_read(&w->manifest, dir);
    return status == PD_EFORMAT && anew && pd_sections_is(w->path) ? begin_beside(w) : status;
}

const char *pd_index_path(struct pd_index_writer *w, const char *kind, uint64_t number)
{
    name_file(w->path, w->dir, kind, number);
    return w->path;
}

const char *pd_index_new_file(struct pd_index_writer *w, const char *kind, uint64_t *number)
{
    *number = w->manifest.head.next++;
    pd_index_path(w, kind, *number);
    unlink(w->path); /* a job that was killed may have left it */
    return w->path;
}

static int write_section(struct pd_sections_writer *s, const char *name, const void *v, size_t n)
{
    PD_TRY(pd_sections_begin(s, name));
    return pd_sections_append(s, v, n);
}

static int write_manifest(const struct pd_index_manifest *m, struct pd_sections_writer *s)
{
    PD_TRY(write_section(s, "numbers", &m->head, sizeof m->head));
    PD_TRY(write_section(s, "segments", m->parts.v, m->parts.n * sizeof *m->parts.v));
    PD_TRY(write_section(s, "options", m->options.v, m->options.n));
    return write_section(s, "directory", m->directory.v, m->directory.n);
}

int pd_index_commit(struct pd_index_writer *w)
{
    char path[PATH_MAX];
    file_path(w->path, w->dir, PART);
    file_path(path, w->dir, MANIFEST);
    unlink(w->path);
    struct pd_sections_writer *s = pd_sections_create(w->path);
    if (!s)
        return PD_EIO;
    const int status = write_manifest(&w->manifest, s);
    if (status < 0) {
        pd_sections_abandon(s);
        return status;
    }
    PD_TRY(pd_sections_finish(s, NULL));
    if (pd_rename(w->path, path) != 0)
        return failed(path);
    if (for_files(w, remove_unused) < 0)
        pd_error_clear(); /* the index is whole: the next job removes them */
    return PD_OK;
}

void pd_index_end(struct pd_index_writer *w)
{
    if (w->lock >= 0) {
        remove_rest(w);
        close(w->lock);
    }
    PD_FREE(w->dir, w->path);
    pd_index_manifest_release(&w->manifest);
    *w = (struct pd_index_writer){.lock = -1};
}

/* tools/eval/truth_pan.c - the truth of PAN's text alignment corpora (truth.h) */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "pardup/base/open.h"
#include "truth.h"

#define SUFFIX_XML ".xml"

bool pd_truth_is_pan(const char *path)
{
    struct stat st;
    const size_t n = strlen(path), suffix = strlen(SUFFIX_XML);
    return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) ||
           (n > suffix && strcmp(path + n - suffix, SUFFIX_XML) == 0);
}

/* Read a whole file into `to`, and append a NUL, which to->n does not count. */
static int read_all(const char *path, struct pd_bytes *to)
{
    enum { BITE = 1 << 14 };
    size_t n;
    FILE *f = pd_open_list(path);
    to->n = 0;
    if (!f)
        return PD_EIO;
    do {
        pd_bytes_reserve(to, to->n + BITE + 1);
        n = fread(to->v + to->n, 1, BITE, f);
        to->n += n;
    } while (n > 0);
    to->v[to->n] = '\0';
    const int failed = ferror(f);
    fclose(f);
    return failed ? pd_fail(PD_EIO, "%s: cannot be read", path) : PD_OK;
}

/* The value of an attribute, borrowed from the file. */
struct value {
    const char *s;
    size_t n;
};

/* Find the attribute `name` in the tag [tag, end): name="value", in quotes of either kind. */
static bool attribute(const char *tag, const char *end, const char *name, struct value *value)
{
    const size_t n = strlen(name);
    for (const char *at = tag; at + n + 2 < end; at++) {
        if (!strchr(" \t\r\n", at[-1]) || memcmp(at, name, n) != 0 || at[n] != '=' ||
            !strchr("\"'", at[n + 1]))
            continue;
        value->s = at + n + 2;
        const char *close = memchr(value->s, at[n + 1], (size_t)(end - value->s));
        if (!close)
            return false;
        value->n = (size_t)(close - value->s);
        return true;
    }
    return false;
}

/* Find the attribute `name` in the tag [tag, end), and parse it as a number. */
static bool number_attribute(const char *tag, const char *end, const char *name, uint64_t *x)
{
    struct value value;
    char *behind;
    if (!attribute(tag, end, name, &value) || value.n == 0 || *value.s < '0' || *value.s > '9')
        return false;
    *x = strtoull(value.s, &behind, 10);
    return behind == value.s + value.n;
}

struct reading {
    struct pd_truth *truth;
    const char *path; /* the XML file */
    uint64_t class;   /* the class of the file's cases */
};

/* Add a label: the pair is to be judged. */
static void list_pair(struct reading *r, uint64_t a, uint64_t b)
{
    pd_labels_push(&r->truth->labels, (struct pd_label){.a = a < b ? a : b,
                                                        .b = a < b ? b : a,
                                                        .class = r->class,
                                                        .kind = PD_LABEL_LISTED});
}

/* Add the case of a <feature name="plagiarism"> tag; other features are skipped. */
static int take_feature(struct reading *r, uint64_t suspicious, const char *tag, const char *end)
{
    struct value name, source;
    struct pd_match m = {.a = suspicious, .class = r->class};
    uint64_t n_a, n_b;
    if (!attribute(tag, end, "name", &name) || name.n != strlen("plagiarism") ||
        memcmp(name.s, "plagiarism", name.n) != 0)
        return PD_OK;
    if (!attribute(tag, end, "source_reference", &source) ||
        !number_attribute(tag, end, "this_offset", &m.begin_a) ||
        !number_attribute(tag, end, "this_length", &n_a) ||
        !number_attribute(tag, end, "source_offset", &m.begin_b) ||
        !number_attribute(tag, end, "source_length", &n_b))
        return pd_fail(PD_EFORMAT, "%s: a plagiarism feature has no offsets or no source", r->path);
    if (n_a == 0 || n_b == 0)
        return pd_fail(PD_EFORMAT, "%s: a plagiarism feature has length 0", r->path);
    m.end_a = m.begin_a + n_a;
    m.end_b = m.begin_b + n_b;
    m.b = pd_truth_doc(r->truth, source.s, source.n);
    pd_matches_push(&r->truth->cases, pd_match_ordered(m));
    list_pair(r, m.a, m.b);
    return PD_OK;
}

/*
 * Read the tags of an XML file. PAN's files have no comments, CDATA sections or entities where the
 * tags lie that are read here, so a search for < and > finds them.
 *   bytes  memory for the file, reused from call to call
 */
static int read_xml(struct reading *r, struct pd_bytes *bytes)
{
    uint64_t suspicious = UINT64_MAX;
    struct value reference;
    PD_TRY(read_all(r->path, bytes));
    for (const char *at = (const char *)bytes->v; (at = strchr(at, '<')); at++) {
        const char *end = strchr(at, '>');
        if (!end)
            return pd_fail(PD_EFORMAT, "%s: a tag is not closed", r->path);
        if (strncmp(at, "<document", strlen("<document")) == 0 &&
            attribute(at + 1, end, "reference", &reference))
            suspicious = pd_truth_doc(r->truth, reference.s, reference.n);
        else if (strncmp(at, "<feature", strlen("<feature")) == 0 && suspicious != UINT64_MAX)
            PD_TRY(take_feature(r, suspicious, at + 1, end));
    }
    if (suspicious == UINT64_MAX)
        return pd_fail(PD_EFORMAT, "%s: has no <document reference=\"...\">", r->path);
    return PD_OK;
}

/* The length of a document's name up to its last dot. */
static int stem(const char *name, size_t n)
{
    const char *dot = memrchr(name, '.', n);
    return (int)(dot ? (size_t)(dot - name) : n);
}

/*
 * Take a line of `pairs`: two names. The XML file of the pair is named after both: A-B.xml for the
 * names A.txt and B.txt.
 */
static int read_pair(struct reading *r, const char *folder, const char *line, struct pd_bytes *xml)
{
    const char *blanks = " \t\r\n";
    const char *a = line + strspn(line, blanks);
    const size_t na = strcspn(a, blanks);
    const char *b = a + na + strspn(a + na, blanks);
    const size_t nb = strcspn(b, blanks);
    char *path = NULL;
    if (na == 0)
        return PD_OK;
    if (nb == 0)
        return pd_fail(PD_EFORMAT, "%s/pairs: \"%.*s\" has no second document", folder, (int)na, a);
    list_pair(r, pd_truth_doc(r->truth, a, na), pd_truth_doc(r->truth, b, nb));
    if (asprintf(&path, "%s/%.*s-%.*s" SUFFIX_XML, folder, stem(a, na), a, stem(b, nb), b) < 0)
        pd_panic("out of memory");
    r->path = path;
    const int status = read_xml(r, xml);
    free(path);
    return status;
}

/* Set *class to the class that is named like the last component of the path. */
static int class_of_folder(struct pd_truth *t, const char *folder, uint64_t *class)
{
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/')
        n--;
    const char *slash = memrchr(folder, '/', n);
    const char *name = slash && n > 1 ? slash + 1 : folder;
    return pd_truth_class_of(t, name, n - (size_t)(name - folder), class);
}

static int read_folder(struct pd_truth *t, const char *folder, const char *pairs)
{
    struct reading r = {.truth = t};
    struct pd_bytes all = {0}, xml = {0};
    int status = class_of_folder(t, folder, &r.class);
    PD_THEN(status, read_all(pairs, &all));
    for (char *at = (char *)all.v, *line; status >= 0 && (line = strsep(&at, "\n"));)
        status = read_pair(&r, folder, line, &xml);
    PD_RELEASE(pd_bytes, &all, &xml);
    return status;
}

/* Read a folder that has a file `pairs`; returns PD_END if it has none. */
static int try_folder(struct pd_truth *t, const char *folder)
{
    char *pairs = NULL;
    struct stat st;
    if (asprintf(&pairs, "%s/pairs", folder) < 0)
        pd_panic("out of memory");
    const int status = stat(pairs, &st) == 0 ? read_folder(t, folder, pairs) : PD_END;
    free(pairs);
    return status;
}

/* Read all folders in `path` that have a file `pairs`. */
static int read_folders(struct pd_truth *t, const char *path)
{
    struct dirent **entries;
    int status = PD_OK, folders = 0;
    const int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    for (int k = 0; k < n; k++) {
        char *folder = NULL;
        if (asprintf(&folder, "%s/%s", path, entries[k]->d_name) < 0)
            pd_panic("out of memory");
        if (status >= 0 && entries[k]->d_name[0] != '.') {
            status = try_folder(t, folder);
            folders += status == PD_OK;
        }
        PD_FREE(folder, entries[k]);
    }
    free(entries);
    if (status < 0)
        return status;
    return folders
               ? PD_OK
               : pd_fail(PD_EFORMAT,
                         "%s: neither this folder nor a folder in it has a file \"pairs\"", path);
}

int pd_truth_read_pan(struct pd_truth *t, const char *path)
{
    struct stat st;
    t->only_listed = true;
    if (stat(path, &st) != 0)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode)) {
        const int status = try_folder(t, path);
        return status == PD_END ? read_folders(t, path) : status;
    }
    struct reading r = {.truth = t, .path = path};
    struct pd_bytes xml = {0};
    const int status = read_xml(&r, &xml);
    pd_bytes_release(&xml);
    return status;
}

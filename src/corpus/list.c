/* corpus/list.c - see include/pardup/corpus/list.h */
#include "pardup/corpus/list.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "corpus/packed/stream.h"
#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "pardup/base/open.h"

enum { LINE_MOST = 1 << 20, AT_ONCE = 64 << 10 }; /* bytes */

struct pd_list {
    const char *path;
    struct pd_stream *stream; /* NULL: `pipe` has the lines */
    FILE *pipe;
    struct pd_bytes line;
    uint64_t number; /* lines returned */
};

static int open_pipe(struct pd_list *list, const char *path)
{
    list->pipe = strcmp(path, "-") == 0 ? stdin : pd_open_list(path);
    return list->pipe ? PD_OK : PD_EIO;
}

static int open_stream(struct pd_list *list, const char *path)
{
    list->stream = pd_stream_new();
    return pd_stream_open(list->stream, path, 0);
}

int pd_list_open(const char *path, struct pd_list **opened)
{
    struct stat st;
    struct pd_list *list = pd_realloc(NULL, 1, sizeof *list);
    *list = (struct pd_list){.path = path};
    const int pipe = strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode);
    const int status = pipe ? open_pipe(list, path) : open_stream(list, path);
    *opened = list;
    if (status < 0) {
        pd_list_close(list);
        *opened = NULL;
    }
    return status;
}

void pd_list_close(struct pd_list *list)
{
    if (!list)
        return;
    pd_stream_free(list->stream);
    if (list->pipe && list->pipe != stdin)
        fclose(list->pipe);
    pd_bytes_release(&list->line);
    free(list);
}

/* The next bytes of the file, at most AT_ONCE or one more line. PD_OK with *n == 0: its end. */
static int peek(struct pd_list *list, const unsigned char **bytes, size_t *n)
{
    const char *wrong;
    const int status = pd_stream_peek(list->stream, AT_ONCE, bytes, n);
    if (status != PD_EFORMAT || *n > 0) /* the good bytes come first */
        return status == PD_EFORMAT ? PD_OK : status;
    pd_stream_broken(list->stream, &wrong);
    return pd_fail(PD_EFORMAT, "%s: %s", list->path, wrong);
}

static int too_long(const struct pd_list *list)
{
    return pd_fail(PD_EFORMAT, "%s: line %llu: longer than %d bytes; is this a list?", list->path,
                   (unsigned long long)list->number + 1, LINE_MOST);
}

/* Append the next line with its LF to list->line. PD_OK with nothing appended: end of the file. */
static int read_stream(struct pd_list *list)
{
    for (;;) {
        const unsigned char *bytes;
        size_t n;
        PD_TRY(peek(list, &bytes, &n));
        const unsigned char *end = n ? memchr(bytes, '\n', n) : NULL;
        const size_t take = end ? (size_t)(end + 1 - bytes) : n;
        if (list->line.n + take > LINE_MOST)
            return too_long(list);
        pd_bytes_append(&list->line, bytes, take);
        pd_stream_advance(list->stream, take);
        if (end || n == 0)
            return PD_OK;
    }
}

static int read_pipe(struct pd_list *list)
{
    int c;
    while ((c = getc_unlocked(list->pipe)) != EOF) {
        if (list->line.n == LINE_MOST)
            return too_long(list);
        pd_bytes_push(&list->line, (unsigned char)c);
        if (c == '\n')
            return PD_OK;
    }
    return ferror(list->pipe) ? pd_fail(PD_EIO, "%s: %s", list->path, strerror(errno)) : PD_OK;
}

int pd_list_next(struct pd_list *list, char **line, size_t *n)
{
    struct pd_bytes *const read = &list->line;
    read->n = 0;
    PD_TRY(list->stream ? read_stream(list) : read_pipe(list));
    if (read->n == 0)
        return PD_END;
    list->number++;
    if (read->v[read->n - 1] == '\n')
        read->n--;
    if (read->n && read->v[read->n - 1] == '\r')
        read->n--;
    pd_bytes_push(read, '\0');
    const size_t mark =
        list->number == 1 && strncmp((char *)read->v, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    *line = (char *)read->v + mark;
    *n = read->n - 1 - mark;
    return PD_OK;
}

uint64_t pd_list_line(const struct pd_list *list) { return list->number; }

int pd_list_blame(const struct pd_list *list, int status)
{
    char text[PD_ERROR_TEXT];
    snprintf(text, sizeof text, "%s: line %llu: %.1000s", list->path,
             (unsigned long long)list->number, pd_error_text());
    return pd_error_adopt(status, text);
}

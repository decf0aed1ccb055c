/*
 * run/stage/collection/plan.c - the list of files, and the pieces into which they are cut.
 *
 * Pieces depend on the collection alone, so damaged data is cut the same way for any number of
 * ranks. The stripes of a file that can only be decoded from its start are the exception: their
 * number follows the number of ranks. Stripes decide which rank reads a document, not what is read.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collection.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/plain.h"
#include "pardup/run/own.h"

enum {
    /* pieces of a collection: enough to keep hundreds of ranks evenly busy */
    PIECES_WANTED = 512,

    /* bytes: in a smaller piece, the search for its first record takes a good share of the time */
    PIECE_LEAST = 256 << 10,

    /* bytes: a larger piece, read last, would leave the other ranks waiting */
    PIECE_MOST = 16 << 20,

    /* stripes of a file: each decodes the whole file again, so more of them do not pay */
    STRIPES_MOST = 4
};

static int no_files(const char *path, const char *what, const struct pd_patterns *patterns)
{
    return patterns->left_out > 0
               ? pd_fail(PD_EFORMAT,
                         "%s: no files in it%s: --include, --exclude leave out all %llu", path,
                         what, (unsigned long long)patterns->left_out)
               : pd_fail(PD_EFORMAT, "%s: no files in it%s", path, what);
}

/* Files that are passed over because pardup has written them. */
struct passed {
    uint64_t n;
    struct pd_bytes first; /* the path of the first */
};

/* Add an input; a folder without the files of pardup itself. */
static int add(struct pd_files *files, const char *path, struct pd_patterns *patterns,
               const char *output, struct passed *passed)
{
    const size_t from = files->n;
    struct stat st;
    PD_TRY(pd_files_add(files, path, patterns));
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        passed->n += pd_pass_own(files, from, output, &passed->first);
    return PD_OK;
}

/* Add the inputs of a list. */
static int add_all(struct pd_files *files, const struct pd_texts *paths,
                   struct pd_patterns *patterns, const char *output)
{
    struct passed passed = {0};
    int status = PD_OK;
    for (size_t k = 0; k < paths->n && status >= 0; k++)
        status = add(files, paths->v[k], patterns, output, &passed);
    if (passed.n > 0)
        pd_log(PD_LOG_INFO,
               "%llu file%s of pardup itself in folders of the input passed over: %s%s",
               pd_ull(passed.n), pd_plural(passed.n), (const char *)passed.first.v,
               passed.n > 1 ? " ..." : "");
    pd_bytes_release(&passed.first);
    return status;
}

int pd_collection_list(struct pd_files *files, const struct pd_options *o, size_t *targets)
{
    struct pd_patterns patterns = {.include = o->input.include.v,
                                   .exclude = o->input.exclude.v,
                                   .nincludes = o->input.include.n,
                                   .nexcludes = o->input.exclude.n};
    PD_TRY(add_all(files, &o->operands, &patterns, o->output));
    if (o->input.files_from)
        PD_TRY(pd_files_add_list(files, o->input.files_from, o->input.null, &patterns));
    if (files->n == 0)
        return no_files(o->operands.n ? o->operands.v[0] : o->input.files_from, "", &patterns);
    if (o->input.against.n && o->input.with.n)
        return pd_fail(PD_EUSAGE, "--against and --with: give one of them");
    const struct pd_texts *sources = o->input.with.n ? &o->input.with : &o->input.against;
    *targets = files->n;
    PD_TRY(add_all(files, sources, &patterns, o->output));
    if (sources->n && files->n == *targets)
        return no_files(sources->v[0], o->input.with.n ? " (--with)" : " (--against)", &patterns);
    if (patterns.nincludes + patterns.nexcludes > 0)
        pd_log(PD_LOG_INFO, "--include, --exclude: %llu file%s of folders %s left out",
               (unsigned long long)patterns.left_out, pd_plural(patterns.left_out),
               patterns.left_out == 1 ? "is" : "are");
    return PD_OK;
}

/* Fail if the result would replace an input, as when somebody forgot the name behind -o. */
static int keep_inputs(const struct pd_files *files, const char *output)
{
    struct stat out, in;
    if (!output || stat(output, &out) != 0)
        return PD_OK; /* the result replaces nothing */
    for (size_t k = 0; k < files->n; k++)
        if (stat(files->v[k].path, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return pd_fail(PD_EIO, "%s: is one of the inputs; the result must have its own name",
                           output);
    return PD_OK;
}

/*
 * COLLECTIVE. Give rank 0's list to all ranks: lists of their own could differ if a folder changes.
 */
static void share_files(const struct pd_comm *c, struct pd_files *files)
{
    struct pd_bytes bytes = {0};
    if (c->rank == 0)
        for (size_t k = 0; k < files->n; k++) {
            pd_bytes_append(&bytes, &files->v[k].bytes, sizeof files->v[k].bytes);
            pd_bytes_append(&bytes, &files->v[k].changed, sizeof files->v[k].changed);
            pd_bytes_append(&bytes, files->v[k].path, strlen(files->v[k].path) + 1);
        }
    pd_comm_share(c, &bytes);
    for (size_t at = 0; c->rank != 0 && at < bytes.n;) {
        struct pd_file file;
        memcpy(&file.bytes, bytes.v + at, sizeof file.bytes);
        at += sizeof file.bytes;
        memcpy(&file.changed, bytes.v + at, sizeof file.changed);
        at += sizeof file.changed;
        file.path = pd_printed("%s", (const char *)bytes.v + at);
        pd_files_push(files, file);
        at += strlen(file.path) + 1;
    }
    pd_bytes_release(&bytes);
}

/* How a file may be cut: not at all, at any byte, or into stripes. */
enum shape { WHOLE, SPLIT, STRIPED };

/*
 * COLLECTIVE. Find out how each file may be cut. Files of at most `piece` bytes stay whole. Each
 * rank looks at its share of the larger files.
 */
static int probe_files(struct pd_collection *col, uint64_t piece, unsigned char *shapes)
{
    const struct pd_comm *c = col->comm;
    const struct pd_options *o = col->options;
    const struct pd_reader_options ro = {.format = o->input.format};
    struct pd_reader *reader = pd_reader_new(&ro);
    struct pd_bytes mine = {0}, all = {0};
    uint64_t large = 0;
    int status = PD_OK;
    memset(shapes, WHOLE, col->files.n);
    for (uint64_t k = 0; k < col->files.n && status >= 0; k++) {
        int splittable = 0, striped = 0;
        if (col->files.v[k].bytes <= piece || large++ % (uint64_t)c->size != (uint64_t)c->rank)
            continue;
        status = pd_reader_probe(reader, &col->files.v[k], &splittable, &striped);
        const uint64_t found[2] = {k, splittable ? SPLIT : striped ? STRIPED : WHOLE};
        pd_bytes_append(&mine, found, sizeof found);
    }
    pd_reader_free(reader);
    status = pd_comm_agree(c, status);
    if (status >= 0) {
        pd_comm_gather(c, mine.v, mine.n, &all);
        for (size_t at = 0; at < all.n; at += 2 * sizeof(uint64_t)) {
            uint64_t found[2];
            memcpy(found, all.v + at, sizeof found);
            shapes[found[0]] = (unsigned char)found[1];
        }
    }
    PD_RELEASE(pd_bytes, &mine, &all);
    return status;
}

/* Bytes of a piece of a file that is cut. *total: bytes of all files. */
static uint64_t piece_bytes(const struct pd_files *files, uint64_t *total)
{
    *total = 0;
    for (size_t k = 0; k < files->n; k++)
        *total += files->v[k].bytes;
    const uint64_t want = *total / PIECES_WANTED;
    return want < PIECE_LEAST ? PIECE_LEAST : want > PIECE_MOST ? PIECE_MOST : want;
}

/*
 * Stripes of a file: the number of ranks that would read it if each read the same share of bytes.
 */
static uint32_t stripes_of(uint64_t bytes, uint64_t total, int nranks)
{
    const uint64_t fair = bytes * (uint64_t)nranks / (total ? total : 1);
    return fair < 1 ? 1 : fair > STRIPES_MOST ? STRIPES_MOST : (uint32_t)fair;
}

int pd_collection_cut(struct pd_collection *col)
{
    uint64_t total;
    const uint64_t piece = piece_bytes(&col->files, &total);
    unsigned char *shapes = pd_realloc(NULL, col->files.n, 1);
    const int status = probe_files(col, piece, shapes);
    for (uint32_t k = 0; status >= 0 && k < col->files.n; k++) {
        const uint64_t bytes = col->files.v[k].bytes;
        const uint32_t stripes = shapes[k] == STRIPED ? stripes_of(bytes, total, col->cut_for) : 1;
        const uint64_t step = shapes[k] == SPLIT ? piece : bytes ? bytes : 1;
        for (uint64_t from = 0; from < (bytes ? bytes : 1); from += step)
            for (uint32_t s = 0; s < stripes; s++)
                pd_pieces_push(&col->pieces,
                               (struct pd_piece){.file = k,
                                                 .stripe = s,
                                                 .nstripes = stripes,
                                                 .from = from,
                                                 .to = from + step < bytes ? from + step : bytes});
    }
    free(shapes);
    return status;
}

int pd_collection_list_files(struct pd_collection *col)
{
    const struct pd_comm *c = col->comm;
    size_t targets = 0;
    int status = c->rank == 0 ? pd_collection_list(&col->files, col->options, &targets) : PD_OK;
    if (status >= 0 && c->rank == 0)
        status = keep_inputs(&col->files, col->options->output);
    PD_TRY(pd_comm_agree(c, status));
    uint64_t ntargets = targets;
    pd_comm_max(c, &ntargets, 1);
    col->target_files = ntargets;
    share_files(c, &col->files);
    PD_TRY(pd_wanted_share(c, &col->wanted, col->options->input.docs_from));
    PD_TRY(pd_metadata_share(c, &col->metadata, col->options));
    pd_wanted_see(&col->wanted, &col->files);
    pd_metadata_see(&col->metadata, &col->files);
    return PD_OK;
}

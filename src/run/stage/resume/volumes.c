/*
 * run/stage/resume/volumes.c - volumes that an earlier try has left are added to the libraries of
 * ranks that can see them.
 *
 * A piece counts as read if all its fragments are in useful volumes. A volume is useful if all its
 * pieces count as read. Volumes that are not useful are removed, and their pieces are read again.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/sort.h"

enum { NAME_MOST = 64 }; /* bytes of the name of a volume's file, with the NUL, at most */

/* The file of a volume, as a rank sees it. */
struct seen {
    char name[NAME_MOST];
    uint64_t rank; /* a rank that sees the file; later the rank that takes it up */
};
PD_VEC(seens, struct seen);

/* A fragment of a piece. Order: piece, index. */
struct held_fragment {
    uint64_t piece, index, last; /* as in struct pd_fragment */
    uint64_t volume;             /* index of its file in struct taking */
};
PD_VEC(held_fragments, struct held_fragment);

struct taking {
    struct pd_collection *col;
    struct seens seen;               /* each file once, with the rank that takes it up */
    struct held_fragments fragments; /* fragments of all volumes that are not damaged */
    unsigned char *useful;           /* for each file, 1: the volume is useful */
};

/* Was a volume made by this job? A volume of another job is warned of. */
static bool is_ours(const struct pd_collection *col, const char *name)
{
    const bool ours = pd_scratch_is_ours(col->scratch, name);
    if (!ours)
        pd_log(PD_LOG_WARN, "%s: of another job; left out", pd_scratch_file(col->scratch, name));
    return ours;
}

/* List the files of volumes that this rank sees. */
static void list_volumes(const struct pd_collection *col, struct seens *mine)
{
    DIR *dir = opendir(col->scratch->dir);
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir));)
        if (strncmp(e->d_name, PD_VOLUME_FILES "-", sizeof PD_VOLUME_FILES) == 0 &&
            strlen(e->d_name) < NAME_MOST && is_ours(col, e->d_name)) {
            struct seen s = {.rank = (uint64_t)col->comm->rank};
            strcpy(s.name, e->d_name);
            seens_push(mine, s);
        }
    closedir(dir);
}

static int by_name(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* COLLECTIVE. List each file once. Ranks that see the same files share them evenly. */
static void agree_on_files(struct taking *t)
{
    struct seens mine = {0};
    struct pd_bytes all = {0};
    size_t kept = 0;
    list_volumes(t->col, &mine);
    pd_comm_gather(t->col->comm, mine.v, mine.n * sizeof *mine.v, &all);
    seens_append(&t->seen, all.v, all.n / sizeof *mine.v);
    PD_VEC_SORT(&t->seen, by_name);
    for (size_t begin = 0, end; begin < t->seen.n; begin = end) {
        for (end = begin;
             end < t->seen.n && strcmp(t->seen.v[end].name, t->seen.v[begin].name) == 0;)
            end++;
        t->seen.v[kept] = t->seen.v[begin + kept % (end - begin)];
        kept++;
    }
    t->seen.n = kept;
    seens_release(&mine);
    pd_bytes_release(&all);
}

/* List the fragments that volume k holds. A negative status: the volume is damaged. */
static int look_into(struct taking *t, size_t k, struct held_fragments *mine)
{
    struct pd_volume v = {0};
    struct pd_packed *f = pd_packed_open(pd_scratch_file(t->col->scratch, t->seen.v[k].name));
    int status = f ? pd_packed_verify(f) : PD_EFORMAT;
    PD_THEN(status, pd_volume_read(&v, f));
    for (size_t p = 0; status >= 0 && p < v.fragments.n; p++)
        held_fragments_push(mine,
                            (struct held_fragment){v.fragments.v[p].piece, v.fragments.v[p].index,
                                                   v.fragments.v[p].last, k});
    pd_packed_close(f);
    pd_volume_release(&v);
    return status;
}

/* COLLECTIVE. List the fragments of all volumes that are not damaged. */
static void agree_on_fragments(struct taking *t)
{
    struct held_fragments mine = {0};
    struct pd_bytes all = {0};
    for (size_t k = 0; k < t->seen.n; k++)
        if (t->seen.v[k].rank == (uint64_t)t->col->comm->rank && look_into(t, k, &mine) < 0) {
            pd_log_rank(PD_LOG_WARN, "%s; its documents are read again", pd_error_text());
            pd_error_clear();
        }
    pd_comm_gather(t->col->comm, mine.v, mine.n * sizeof *mine.v, &all);
    held_fragments_append(&t->fragments, all.v, all.n / sizeof *mine.v);
    pd_sort_records(t->fragments.v, t->fragments.n, sizeof *mine.v / sizeof(uint64_t), 2);
    held_fragments_release(&mine);
    pd_bytes_release(&all);
}

/*
 * The end of the fragments of one piece, which begin at index `begin`. *whole: the fragments are
 * the whole piece, and all their volumes are useful.
 */
static size_t piece_end(const struct taking *t, size_t begin, bool *whole)
{
    const struct held_fragment *v = t->fragments.v;
    size_t end = begin;
    *whole = true;
    for (; end < t->fragments.n && v[end].piece == v[begin].piece; end++) {
        const bool last = end + 1 == t->fragments.n || v[end + 1].piece != v[begin].piece;
        *whole &=
            v[end].index == end - begin && t->useful[v[end].volume] && (v[end].last != 0) == last;
    }
    return end;
}

/*
 * Find the volumes that are useful and the pieces that count as read. A volume with a piece that is
 * not whole is not useful. Its other pieces are then not whole either, which may make other volumes
 * useless in turn.
 */
static void find_useful(struct taking *t, unsigned char *done)
{
    memset(t->useful, 0, t->seen.n);
    for (size_t k = 0; k < t->fragments.n; k++)
        t->useful[t->fragments.v[k].volume] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t begin = 0, end; begin < t->fragments.n; begin = end) {
            bool whole;
            end = piece_end(t, begin, &whole);
            for (size_t k = begin; k < end && !whole; k++) {
                changed |= t->useful[t->fragments.v[k].volume];
                t->useful[t->fragments.v[k].volume] = 0;
            }
        }
    }
    for (size_t k = 0; k < t->fragments.n; k++)
        if (t->useful[t->fragments.v[k].volume] && t->fragments.v[k].piece < t->col->pieces.n)
            done[t->fragments.v[k].piece] = 1;
}

/* Add the useful volumes of this rank to its library, and delete the files of the others. */
static int take_up(struct taking *t)
{
    struct pd_collection *col = t->col;
    for (size_t k = 0; k < t->seen.n; k++) {
        if (t->seen.v[k].rank != (uint64_t)col->comm->rank)
            continue;
        const char *path = pd_scratch_file(col->scratch, t->seen.v[k].name);
        if (t->useful[k])
            PD_TRY(pd_library_open(&col->library, path));
        else
            unlink(path);
    }
    return PD_OK;
}

int pd_checkpoint_take_volumes(struct pd_collection *col, unsigned char *done)
{
    struct taking t = {.col = col};
    memset(done, 0, col->pieces.n);
    agree_on_files(&t);
    t.useful = pd_realloc(NULL, t.seen.n + 1, 1);
    agree_on_fragments(&t);
    find_useful(&t, done);
    const int status = pd_comm_agree(col->comm, take_up(&t));
    seens_release(&t.seen);
    held_fragments_release(&t.fragments);
    free(t.useful);
    return status;
}

/* store/library.c - see include/pardup/store/library.h */
#include "pardup/store/library.h"

#include <stdlib.h>

#include "pardup/base/error.h"

/* Release the loaded volume, if there is one. */
static void unload(struct pd_library *lib)
{
    if (!lib->file)
        return;
    pd_volume_release(&lib->shelf.v[lib->loaded].volume);
    pd_packed_close(lib->file);
    lib->file = NULL;
    lib->block.n = 0;
}

/*
 * Put a volume on the shelf. It is kept, with its blobs mapped, if there is room for it; otherwise
 * its arrays are freed. *v is empty afterwards, unless mapping fails.
 */
static int shelve(struct pd_library *lib, struct pd_volume *v, const struct pd_packed *file)
{
    const uint64_t bytes =
        pd_volume_bytes(v) + pd_packed_offset(file, v->nblocks); /* of all blobs */
    struct pd_shelved s = {.kept = lib->kept + bytes <= lib->keep};
    if (s.kept)
        PD_TRY(pd_volume_map(v, file));
    s.path = pd_printed("%s", pd_packed_path(file));
    if (s.kept) {
        s.volume = *v;
        lib->kept += bytes;
    } else {
        pd_volume_release(v);
    }
    pd_shelf_push(&lib->shelf, s);
    *v = (struct pd_volume){0};
    return PD_OK;
}

int pd_library_add(struct pd_library *lib, struct pd_volume *v)
{
    PD_TRY(pd_volume_end(v));
    struct pd_packed *f = v->file;
    v->file = NULL;
    const int status = shelve(lib, v, f);
    pd_packed_close(f);
    return status;
}

int pd_library_open(struct pd_library *lib, const char *path)
{
    struct pd_volume v = {0};
    struct pd_packed *f = pd_packed_open(path);
    if (!f)
        return PD_EFORMAT;
    int status = pd_packed_verify(f);
    PD_THEN(status, pd_volume_read(&v, f));
    PD_THEN(status, shelve(lib, &v, f));
    pd_packed_close(f);
    pd_volume_release(&v);
    return status;
}

int pd_library_volume(struct pd_library *lib, size_t k, struct pd_volume **v)
{
    struct pd_shelved *s = &lib->shelf.v[k];
    struct pd_bytes flags = {0};
    *v = &s->volume;
    if (s->kept || (lib->file && lib->loaded == k))
        return PD_OK;
    unload(lib);
    struct pd_packed *f = pd_packed_open(s->path);
    if (!f)
        return PD_EIO;
    lib->file = f;
    lib->loaded = k;
    PD_TRY(pd_volume_read(&s->volume, f));
    if (s->marked) {
        PD_TRY(pd_packed_load(lib->flags, s->flags.block, &flags));
        s->volume.flags = pd_realloc(NULL, s->volume.terms.n + 1, 1);
        memcpy(s->volume.flags, flags.v + s->flags.offset, s->volume.terms.n);
        pd_bytes_release(&flags);
    }
    return PD_OK;
}

void pd_library_expect(const struct pd_library *lib, size_t k, const struct pd_docrec *doc)
{
    enum { LINE = 64, FETCHED = 5 * LINE /* bytes: the rows of some 60 sentences */ };
    const struct pd_shelved *s = &lib->shelf.v[k];
    if (!s->kept || doc == s->volume.docs.v + s->volume.docs.n)
        return;
    const unsigned char *blob = s->volume.map.v + s->volume.offsets.v[doc->block] + doc->at;
    for (size_t at = 0; at < FETCHED; at += LINE)
        __builtin_prefetch(blob + at);
}

int pd_library_blob(struct pd_library *lib, size_t k, const struct pd_docrec *doc,
                    const unsigned char **blob)
{
    struct pd_volume *v;
    PD_TRY(pd_library_volume(lib, k, &v));
    if (lib->shelf.v[k].kept) {
        *blob = v->map.v + v->offsets.v[doc->block] + doc->at;
        return PD_OK;
    }
    if (!lib->block.n || lib->block_number != doc->block) {
        lib->block.n = 0;
        PD_TRY(pd_packed_load(lib->file, doc->block, &lib->block));
        lib->block_number = doc->block;
    }
    *blob = lib->block.v + doc->at;
    return PD_OK;
}

/* Append the flags of n words and a byte to the file of flags. */
static int store_flags(struct pd_library *lib, struct pd_shelved *s, const unsigned char *flags,
                       size_t n, const char *path)
{
    if (!lib->flags) {
        lib->flags = pd_packed_create(path);
        if (!lib->flags)
            return PD_EIO;
        PD_TRY(pd_packed_forget(lib->flags));
    }
    PD_TRY(pd_packed_append(lib->flags, flags, n + 1, &s->flags));
    s->marked = true;
    return pd_packed_end_block(lib->flags); /* only an ended block can be read */
}

int pd_library_mark(struct pd_library *lib, size_t k, unsigned char *flags, const char *path)
{
    struct pd_shelved *s = &lib->shelf.v[k];
    struct pd_volume *v;
    int status = pd_library_volume(lib, k, &v);
    if (status >= 0 && !s->kept)
        status = store_flags(lib, s, flags, v->terms.n, path);
    if (status < 0) {
        free(flags);
        return status;
    }
    free(v->flags);
    v->flags = flags;
    return PD_OK;
}

void pd_library_release(struct pd_library *lib)
{
    unload(lib);
    for (size_t k = 0; k < lib->shelf.n; k++) {
        pd_volume_release(&lib->shelf.v[k].volume);
        free(lib->shelf.v[k].path);
    }
    pd_shelf_release(&lib->shelf);
    pd_bytes_release(&lib->block);
    pd_packed_close(lib->flags);
    *lib = (struct pd_library){0};
}

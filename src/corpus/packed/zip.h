/*
 * corpus/packed/zip.h - the files inside a zip archive that is in memory, found by its central
 * directory.
 *
 * Stored and deflated files are read, as office documents and e-books have them. Archives of more
 * than 4 GB (zip64), encrypted files and other compressions are not. Nothing that the archive says
 * of sizes and places is believed.
 */
#ifndef PARDUP_CORPUS_ZIP_H
#define PARDUP_CORPUS_ZIP_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

/* A file of the archive. */
struct pd_zip_entry {
    const char *name; /* in the archive's bytes, not NUL-terminated */
    size_t name_n;
    uint32_t at;            /* offset of its local header */
    uint32_t stored, bytes; /* bytes as they are stored and as they are decoded */
    uint16_t method;        /* 0: stored; 8: deflated */
    uint16_t flags;         /* bit 0: encrypted */
};
PD_VEC(pd_zip_entries, struct pd_zip_entry);

/* A zeroed struct is ready for use. */
struct pd_zip {
    const unsigned char *s; /* the archive, borrowed */
    size_t n;
    struct pd_zip_entries entries;
};

/* List the files of the archive s[0, n). PD_OK, or PD_EFORMAT without a message: it is damaged. */
int pd_zip_open(struct pd_zip *zip, const unsigned char *s, size_t n);
void pd_zip_close(struct pd_zip *zip);

/* The file with this name; NULL: there is none. Of several, the last one. */
const struct pd_zip_entry *pd_zip_find(const struct pd_zip *zip, const char *name);

/*
 * Append the decoded bytes of a file to `to`, which may have `most` bytes then. PD_OK; PD_EFULL:
 * they are more; PD_EFORMAT: they do not decode. No message is left.
 */
int pd_zip_read(const struct pd_zip *zip, const struct pd_zip_entry *e, size_t most,
                struct pd_bytes *to);

#endif

/* corpus/packer.h - write bytes as members of a compressed file. */
#ifndef PARDUP_CORPUS_PACKER_H
#define PARDUP_CORPUS_PACKER_H

#include <stdio.h>

#include "pardup/base/bytes.h"

enum pd_packing { PD_PACK_NONE, PD_PACK_GZIP, PD_PACK_ZSTD };

#define PD_MEMBER_MOST ((size_t)16 << 20) /* decoded bytes of a member that is written */

/* A zeroed struct is ready for use. */
struct pd_packer {
    enum pd_packing packing;
    struct pd_bytes waiting;               /* bytes for the next member */
    struct pd_bytes packed;                /* buffer */
    struct libdeflate_compressor *deflate; /* NULL until needed; and so is the next one */
    struct pd_igzip *igzip;
};

/* Add bytes to the member at hand; a member of PD_MEMBER_MOST bytes is written. PD_OK or PD_EIO. */
int pd_packer_add(struct pd_packer *p, const void *bytes, size_t n, FILE *to);

/* Write the member at hand, unless it is empty. PD_OK or PD_EIO. */
int pd_packer_end(struct pd_packer *p, FILE *to);

/*
 * The same at the end of a file: if it is packed and has no member yet, it gets an empty one,
 * without which programs that unpack it see a damaged file. PD_OK or PD_EIO.
 */
int pd_packer_finish(struct pd_packer *p, FILE *to);

void pd_packer_release(struct pd_packer *p);

#endif

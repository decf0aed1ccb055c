/*
 * base/merkle.h - SHA-256, and the root of a Merkle tree over leaves that come one after the other.
 *
 * Source: B. Laurie, A. Langley, E. Kasper, RFC 6962, section 2.1: the digest of a leaf is that of
 * byte 0 and the leaf, the digest of a node that of byte 1 and both digests below it; of n leaves
 * the left node has the greatest power of two that is less than n. No leaves: the digest of
 * nothing.
 */
#ifndef PARDUP_BASE_MERKLE_H
#define PARDUP_BASE_MERKLE_H

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

struct pd_digest {
    uint8_t v[SHA256_DIGEST_SIZE];
};

/* The digest of what went into c, which can be used again. */
struct pd_digest pd_digest_end(struct sha256_ctx *c);

/* Append a digest in hexadecimal digits, 64 small letters and numbers. */
void pd_digest_print(struct pd_bytes *to, const struct pd_digest *d);

/* A zeroed struct is a tree without leaves, and owns nothing. */
struct pd_merkle {
    struct sha256_ctx leaf;        /* the leaf at hand, while it is open */
    bool open;                     /* there is one */
    uint64_t n;                    /* leaves that have ended */
    struct pd_digest complete[64]; /* at k, if bit k of n is set: the root over 2^k leaves */
};

/* Go on with the leaf at hand, or begin one, by n bytes. */
void pd_merkle_put(struct pd_merkle *m, const void *bytes, size_t n);

/* End the leaf at hand; if there is none, it is empty. */
void pd_merkle_end(struct pd_merkle *m);

/* Take each line of bytes[0, n), with its line end, for a leaf. The last one may have no end yet. */
void pd_merkle_lines(struct pd_merkle *m, const unsigned char *bytes, size_t n);

/* The root over all leaves that have ended. */
struct pd_digest pd_merkle_root(const struct pd_merkle *m);

#endif

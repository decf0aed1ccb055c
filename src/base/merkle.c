/* base/merkle.c - see include/pardup/base/merkle.h */
#include "pardup/base/merkle.h"

#include <nettle/version.h>
#include <string.h>

enum { LEAF = 0, NODE = 1 }; /* the byte before what is hashed */

struct pd_digest pd_digest_end(struct sha256_ctx *c)
{
    struct pd_digest d;
#if NETTLE_VERSION_MAJOR < 4
    sha256_digest(c, sizeof d.v, d.v);
#else
    sha256_digest(c, d.v);
#endif
    return d;
}

void pd_digest_print(struct pd_bytes *to, const struct pd_digest *d)
{
    for (size_t k = 0; k < sizeof d->v; k++)
        pd_bytes_print(to, "%02x", d->v[k]);
}

void pd_merkle_put(struct pd_merkle *m, const void *bytes, size_t n)
{
    static const uint8_t before = LEAF;
    if (!m->open) {
        sha256_init(&m->leaf);
        sha256_update(&m->leaf, 1, &before);
        m->open = true;
    }
    sha256_update(&m->leaf, n, bytes);
}

/* Put the digest of the node over both in place of the right one. */
static void join(const struct pd_digest *left, struct pd_digest *right)
{
    static const uint8_t before = NODE;
    struct sha256_ctx c;
    sha256_init(&c);
    sha256_update(&c, 1, &before);
    sha256_update(&c, sizeof left->v, left->v);
    sha256_update(&c, sizeof right->v, right->v);
    *right = pd_digest_end(&c);
}

void pd_merkle_end(struct pd_merkle *m)
{
    unsigned level = 0;
    pd_merkle_put(m, "", 0);
    struct pd_digest d = pd_digest_end(&m->leaf);
    for (; m->n >> level & 1; level++)
        join(&m->complete[level], &d);
    m->complete[level] = d;
    m->n++;
    m->open = false;
}

void pd_merkle_lines(struct pd_merkle *m, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        const unsigned char *end = memchr(bytes, '\n', n);
        const size_t line = end ? (size_t)(end - bytes) + 1 : n;
        pd_merkle_put(m, bytes, line);
        if (end)
            pd_merkle_end(m);
        bytes += line;
        n -= line;
    }
}

struct pd_digest pd_merkle_root(const struct pd_merkle *m)
{
    struct pd_digest root;
    bool any = false;
    for (unsigned level = 0; level < 64; level++) {
        if (!(m->n >> level & 1))
            continue;
        if (any)
            join(&m->complete[level], &root);
        else
            root = m->complete[level];
        any = true;
    }
    if (!any) {
        struct sha256_ctx nothing;
        sha256_init(&nothing);
        root = pd_digest_end(&nothing);
    }
    return root;
}

/*
 * run/stage/collection/site.h - the site that a document comes from.
 *
 * The site is the first that there is of the following: the field that --site-field names, the host
 * of the address, the sender of a letter, the host of the address that a saved page says it has,
 * the folder of the input file. The sender is the first mail address in the field From, in small
 * letters. The page says its address in the first <link rel=canonical> of its first 65,536 bytes.
 * Page and folder count for files that are a document each: the records of a large file, such as
 * JSON lines, are of no site. The host counts as it is
 * written in the address, in small letters: no list of public suffixes joins the hosts of one
 * owner.
 */
#ifndef PARDUP_RUN_SITE_H
#define PARDUP_RUN_SITE_H

#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"

enum {
    PD_SITE_MOST = 256, /* bytes of the longest name of a site; longer names are cut */
    PD_SITE_NONE = 0    /* in place of the number of a site: the document is of none */
};

/*
 * Append the name of the site of a document, which may be empty. Returns the number that stands for
 * the site: a hash of its name, which also tells whether it is a host; or PD_SITE_NONE.
 */
uint64_t pd_site_of(const struct pd_raw *raw, struct pd_bytes *to);

/* What tells the addresses of one site apart (join/stubs.h), and names the pages of two. */
struct pd_address {
    uint64_t name; /* hash of the last part of its path that is not empty, as in join/stubs.h;
                      0: there is none */
    uint64_t all;  /* hash of it without its fragment */
};

/*
 * Take the address of a document apart, or if it has none, its id: the first PD_URL_MOST bytes
 * count, as of addresses that are kept. False: it has no host; an id is a path then.
 *   id, id_n    its id
 *   url, url_n  its address; 0 bytes: it has none
 */
bool pd_address_of(const char *id, size_t id_n, const char *url, size_t url_n,
                   struct pd_address *address);

/* Is the site with this number a host, or named by a field? Else it is a sender or a folder. */
static inline bool pd_site_is_host(uint64_t number) { return number & 1; }

#endif

/* run/stage/collection/site.c - see src/run/stage/collection/site.h */
#include "site.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"

enum { HEAD_MOST = 65536 }; /* bytes in which a page says its address */

/* Append the host in an address, in small letters. Returns its bytes; 0: the address has none. */
static size_t put_host(const char *url, size_t n, struct pd_bytes *to)
{
    size_t k = 0;
    const char *at = n ? memmem(url, n, "://", 3) : NULL;
    if (!at)
        return 0;
    for (at += 3; at < url + n && k < PD_SITE_MOST && !strchr("/:?#", *at); at++, k++)
        pd_bytes_push(to, (unsigned char)tolower((unsigned char)*at));
    return k;
}

/*
 * The value of an attribute in a tag, which ends at `end`. Returns its bytes; 0: the tag lacks it.
 *   name  of the attribute, with "=" behind it
 */
static size_t find_value(const char *tag, const char *end, const char *name, const char **value)
{
    const char *at = memmem(tag, (size_t)(end - tag), name, strlen(name));
    if (!at)
        return 0;
    at += strlen(name);
    at += *at == '"' || *at == '\'';
    *value = at;
    while (at < end && !strchr(" \"'", *at))
        at++;
    return (size_t)(at - *value);
}

/* Append the host of the address that a page says it has, as in site.h. Returns its bytes. */
static size_t put_canonical(const struct pd_raw *raw, struct pd_bytes *to)
{
    static const char link[] = "<link", canonical[] = "canonical";
    const char *at = (const char *)raw->body;
    const char *const end = at + pd_min_size(raw->n, HEAD_MOST);
    for (; at < end && (at = memchr(at, '<', (size_t)(end - at))); at++) {
        const char *const close = memchr(at, '>', (size_t)(end - at));
        const char *value;
        if (!close)
            return 0;
        if (strncasecmp(at, link, sizeof link - 1) != 0)
            continue;
        if (find_value(at, close, "rel=", &value) != sizeof canonical - 1 ||
            strncasecmp(value, canonical, sizeof canonical - 1) != 0)
            continue;
        const size_t n = find_value(at, close, "href=", &value);
        return n ? put_host(value, n, to) : 0;
    }
    return 0;
}

/*
 * Append the name of the site. Returns true if it is a host, or what a field names; false if it is
 * a sender or the folder of the file.
 */
static bool put_name(const struct pd_raw *raw, struct pd_bytes *to)
{
    if (raw->site_n) {
        pd_bytes_append(to, raw->site, pd_min_size(raw->site_n, PD_SITE_MOST));
        return true;
    }
    if (put_host(raw->url_n ? raw->url : raw->id, raw->url_n ? raw->url_n : raw->id_n, to))
        return true;
    if (raw->sender_n) {
        for (size_t k = 0; k < raw->sender_n && k < PD_SITE_MOST; k++)
            pd_bytes_push(to, (unsigned char)tolower((unsigned char)raw->sender[k]));
        return false;
    }
    if (raw->file && put_canonical(raw, to))
        return true;
    const char *end = strrchr(raw->path, '/');
    pd_bytes_append(to, raw->path, end ? pd_min_size((size_t)(end - raw->path), PD_SITE_MOST) : 0);
    return false;
}

uint64_t pd_site_of(const struct pd_raw *raw, struct pd_bytes *to)
{
    const size_t from = to->n;
    const bool host = put_name(raw, to);
    const size_t n = to->n - from;
    if (!host && !raw->file && !raw->sender_n)
        return PD_SITE_NONE;
    return (pd_hash_bytes(n ? to->v + from : NULL, n) | 3) - !host;
}

bool pd_address_of(const char *id, size_t id_n, const char *url, size_t url_n,
                   struct pd_address *address)
{
    const char *const from = url_n ? url : id_n ? id : "";
    const size_t n = pd_min_size(url_n ? url_n : id_n, PD_URL_MOST);
    const char *const scheme = memmem(from, n, "://", 3);
    const char *const begin = scheme ? scheme + 3 : from;
    const char *end = begin, *path, *name;
    while (end < from + n && *end != '#')
        end++;
    address->all = pd_hash_bytes(begin, (size_t)(end - begin));
    for (path = begin; scheme && path < end && !strchr("/?", *path); path++)
        ;
    const char *const root = path;
    while (path < end && !strchr("?;", *path))
        path++;
    while (path > root && path[-1] == '/')
        path--;
    for (name = path; name > root && name[-1] != '/'; name--)
        ;
    address->name = name < path ? pd_hash_bytes(name, (size_t)(path - name)) : 0;
    return scheme != NULL;
}

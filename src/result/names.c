/* result/names.c - see include/pardup/result/names.h */
#include "pardup/result/names.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/hash.h"
#include "pardup/base/plain.h"

/*
 * The text s[0, n) in the list of texts with its hash, which begins with number `first` - 1. NULL:
 * there is none.
 */
static const struct pd_name *look(const struct pd_names *t, uint64_t first, const char *s, size_t n)
{
    for (uint64_t k = first; k; k = t->names.v[k - 1].next) {
        const struct pd_name *name = &t->names.v[k - 1];
        if (name->n == n && memcmp(t->text.v + name->at, s, n) == 0)
            return name;
    }
    return NULL;
}

uint64_t pd_names_find(const struct pd_names *t, const char *s, size_t n, uint64_t none)
{
    const uint64_t first = pd_hash_table_get(&t->by_hash, pd_hash_bytes(s, n));
    const struct pd_name *name = look(t, first, s, n);
    return name ? name->number : none;
}

uint64_t pd_names_find_plain(const struct pd_names *t, const char *s, size_t n, uint64_t none)
{
    uint64_t found = pd_names_find(t, s, n, none);
    if (found != none || !pd_plain_changes(s, n))
        return found;
    const size_t room = n * PD_PLAIN_ESCAPE + 1;
    char *line = pd_realloc(NULL, room, 1);
    found = pd_names_find(t, line, pd_plain_line(line, room, s, n), none);
    free(line);
    return found;
}

uint64_t pd_names_put(struct pd_names *t, const char *s, size_t n, uint64_t fresh)
{
    uint64_t *const first = pd_hash_table_at(&t->by_hash, pd_hash_bytes(s, n));
    const struct pd_name *name = look(t, *first, s, n);
    if (name)
        return name->number;
    if (t->text.n == 0)
        pd_bytes_append(&t->text, "", 1);
    pd_name_list_push(&t->names, (struct pd_name){fresh, t->text.n, n, *first});
    *first = t->names.n;
    pd_bytes_append(&t->text, s, n);
    pd_bytes_append(&t->text, "", 1);
    return fresh;
}

void pd_names_release(struct pd_names *t)
{
    pd_bytes_release(&t->text);
    pd_name_list_release(&t->names);
    pd_hash_table_release(&t->by_hash);
}

/* index/sets.c - see include/pardup/index/sets.h */
#include "pardup/index/sets.h"

#include "pardup/base/error.h"
#include "varint.h"

enum { KEY_BYTES = 9 }; /* of a key without `sct` */

static int broken(const struct pd_segment *s)
{
    return pd_fail(PD_EFORMAT, "%s: its sets contradict each other; make the index again",
                   s->file.path);
}

int pd_sets_open(struct pd_segment *s)
{
    const struct pd_segment_counts *c = &s->counts;
    PD_TRY(pd_sections_find(&s->file, "keys", &s->keys));
    PD_TRY(pd_sections_find(&s->file, "sets", &s->sets));
    PD_TRY(pd_sections_find(&s->file, "lists", &s->lists));
    PD_TRY(pd_sections_find(&s->file, "set_starts", &s->set_starts));
    PD_TRY(pd_sections_find(&s->file, "list_starts", &s->list_starts));
    s->key_bytes = c->keys ? (unsigned)(s->keys.n / c->keys) : KEY_BYTES;
    return c->keys <= UINT64_MAX / 64 && c->sets <= UINT64_MAX / 64 && s->key_bytes >= KEY_BYTES &&
                   s->key_bytes <= KEY_BYTES + sizeof(uint64_t) &&
                   s->keys.n == c->keys * s->key_bytes &&
                   s->set_starts.n == (c->sets + 1) * pd_bytes_below(s->sets.n + 1) &&
                   s->list_starts.n == (c->keys + 1) * pd_bytes_below(s->lists.n + 1)
               ? PD_OK
               : broken(s);
}

/* ---- keys ---- */

static int signature_at(const struct pd_segment *s, uint64_t number, pd_sig *sig)
{
    PD_TRY(pd_section_check(&s->keys, number * s->key_bytes, s->key_bytes));
    *sig = pd_packed_number(s->keys.v + number * s->key_bytes, sizeof *sig);
    return PD_OK;
}

int pd_sets_key(const struct pd_segment *s, pd_sig sig, uint64_t *key)
{
    uint64_t lo = 0, hi = s->counts.keys;
    pd_sig at;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(signature_at(s, mid, &at));
        if (at < sig)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == s->counts.keys)
        return PD_END;
    PD_TRY(signature_at(s, lo, &at));
    *key = (uint64_t)s->keys.v[lo * s->key_bytes + sizeof sig] << PD_SETS_CODE_SHIFT | lo;
    return at == sig ? PD_OK : PD_END;
}

int pd_sets_documents(const struct pd_segment *s, uint64_t number, uint64_t *documents)
{
    pd_sig sig;
    if (number >= s->counts.keys || s->key_bytes == KEY_BYTES)
        return broken(s);
    PD_TRY(signature_at(s, number, &sig)); /* checks the key */
    *documents =
        pd_packed_number(s->keys.v + number * s->key_bytes + KEY_BYTES, s->key_bytes - KEY_BYTES);
    return PD_OK;
}

/* ---- lists and sets ---- */

/* The bytes of a list or a set, which are checked. */
static int range_at(const struct pd_segment *s, const struct pd_section *starts,
                    const struct pd_section *section, uint64_t k, const unsigned char *range[2])
{
    const unsigned bytes = pd_bytes_below(section->n + 1);
    PD_TRY(pd_section_check(starts, k * bytes, 2 * bytes));
    const uint64_t from = pd_packed_number(starts->v + k * bytes, bytes);
    const uint64_t to = pd_packed_number(starts->v + (k + 1) * bytes, bytes);
    if (from > to)
        return broken(s);
    PD_TRY(pd_section_check(section, from, to - from));
    range[0] = section->v + from;
    range[1] = section->v + to;
    return PD_OK;
}

int pd_sets_list(const struct pd_segment *s, uint64_t number, struct pd_set_list *list)
{
    const unsigned char *range[2] = {NULL, NULL};
    if (number >= s->counts.keys)
        return broken(s);
    PD_TRY(range_at(s, &s->list_starts, &s->lists, number, range));
    *list = (struct pd_set_list){.at = range[0], .end = range[1]};
    return PD_OK;
}

bool pd_set_list_next(struct pd_set_list *list)
{
    uint64_t difference = 0;
    if (list->at == list->end)
        return false;
    list->at = pd_checked_varint(list->at, list->end, &difference);
    list->at = pd_checked_varint(list->at, list->end, &list->n);
    list->set += difference;
    return list->at != NULL;
}

int pd_sets_at(const struct pd_segment *s, uint64_t set, struct pd_kept_set *out)
{
    const unsigned char *range[2] = {NULL, NULL};
    if (set >= s->counts.sets)
        return broken(s);
    PD_TRY(range_at(s, &s->set_starts, &s->sets, set, range));
    out->end = range[1];
    out->at = pd_checked_varint(range[0], range[1], &out->name);
    out->at = pd_checked_varint(out->at, range[1], &out->n);
    return out->at && out->name < s->counts.names ? PD_OK : broken(s);
}

int pd_sets_of(const struct pd_segment *s, uint64_t name, struct pd_kept_set *out)
{
    uint64_t lo = 0, hi = s->counts.sets;
    while (lo < hi) { /* sets are in order of their names */
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(pd_sets_at(s, mid, out));
        if (out->name < name)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == s->counts.sets)
        return PD_END;
    PD_TRY(pd_sets_at(s, lo, out));
    return out->name == name ? PD_OK : PD_END;
}

bool pd_kept_set_common(const struct pd_kept_set *set, const uint64_t *v, size_t n,
                        uint32_t *common)
{
    const unsigned char *at = set->at;
    uint64_t number = 0, difference;
    size_t k = 0;
    *common = 0;
    while (at != set->end && k < n) {
        at = pd_checked_varint(at, set->end, &difference);
        if (!at)
            return false;
        number += difference;
        while (k < n && v[k] < number)
            k++;
        *common += k < n && v[k] == number;
    }
    return true;
}

int pd_sets_signatures(const struct pd_segment *s, const struct pd_kept_set *set,
                       struct pd_u64s *out)
{
    const unsigned char *at = set->at;
    uint64_t number = 0, difference;
    while (at != set->end) {
        pd_sig sig;
        at = pd_checked_varint(at, set->end, &difference);
        number += difference;
        if (!at || number >= s->counts.keys)
            return broken(s);
        PD_TRY(signature_at(s, number, &sig));
        pd_u64s_push(out, sig);
    }
    return PD_OK;
}

/* corpus/kept.c - see include/pardup/corpus/kept.h */
#include "pardup/corpus/kept.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"

int pd_keeping_add(struct pd_keeping *k, const char *name, size_t n)
{
    for (size_t i = 0; i < k->n; i++)
        if (strlen(k->names[i]) == n && memcmp(k->names[i], name, n) == 0)
            return PD_OK;
    if (n == 0)
        return pd_fail(PD_EUSAGE, "--keep-fields: an empty name");
    if (k->n == PD_KEPT_FIELDS)
        return pd_fail(PD_EUSAGE, "--keep-fields: more than %d fields", PD_KEPT_FIELDS);
    k->names[k->n++] = pd_printed("%.*s", (int)n, name);
    return PD_OK;
}

int pd_keeping_list(struct pd_keeping *k, const char *list)
{
    for (size_t n; list; list = list[n] ? list + n + 1 : NULL) {
        n = strcspn(list, ",");
        PD_TRY(pd_keeping_add(k, list, n));
    }
    return PD_OK;
}

void pd_keeping_release(struct pd_keeping *k)
{
    for (size_t i = 0; i < k->n; i++)
        free(k->names[i]);
    *k = (struct pd_keeping){.n = 0};
}

/* The longest beginning of v[0, n) that has room and ends between characters. */
static size_t room_for(const char *v, size_t n)
{
    if (n <= PD_KEPT_VALUE)
        return n;
    n = PD_KEPT_VALUE;
    while (n > 0 && ((unsigned char)v[n] & 0xc0) == 0x80)
        n--;
    return n;
}

size_t pd_kept_write(const struct pd_keeping *k, const struct pd_kept *values, struct pd_bytes *to)
{
    const size_t begin = to->n;
    size_t cut = 0;
    for (size_t i = 0; i < k->n; i++) {
        const struct pd_kept *value = &values[i];
        const size_t before = to->n;
        const size_t n = value->v ? room_for(value->v, value->n) : 0;
        const bool lost = value->lost || (value->json && value->v && (n < value->n || n == 0));
        cut += lost;
        if (!value->v || lost)
            continue;
        pd_bytes_append(to, before == begin ? "{" : ",", 1);
        pd_json_quote(to, k->names[i], strlen(k->names[i]));
        pd_bytes_append(to, ":", 1);
        if (value->json)
            pd_bytes_append(to, value->v, n);
        else
            pd_json_quote(to, value->v, n);
        const bool full = to->n - begin >= PD_KEPT_MOST;
        if (full)
            to->n = before;
        cut += full || n < value->n;
    }
    if (to->n > begin)
        pd_bytes_append(to, "}", 1);
    return cut;
}

bool pd_kept_find(const char *object, size_t n, const char *name, struct pd_bytes *value)
{
    json_t *root = n ? json_loadb(object, n, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL) : NULL;
    const json_t *found = json_object_get(root, name);
    value->n = 0;
    if (json_is_string(found))
        pd_bytes_append(value, json_string_value(found), json_string_length(found));
    else if (json_is_number(found))
        pd_bytes_print(value, "%.17g", json_number_value(found));
    json_decref(root);
    return found != NULL;
}

void pd_kept_each(const char *object, size_t n,
                  void (*take)(void *ctx, const char *name, const char *value, size_t value_n),
                  void *ctx)
{
    json_t *root = n ? json_loadb(object, n, JSON_ALLOW_NUL, NULL) : NULL, *value;
    const char *name;
    json_object_foreach(root, name, value)
    {
        char *json =
            json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        if (json)
            take(ctx, name, json, strlen(json));
        else if (json_is_string(value))
            take(ctx, name, json_string_value(value), json_string_length(value));
        free(json);
    }
    json_decref(root);
}

/* The end of the name or value that begins at s[at]: a comma, colon or brace that is in none. */
static size_t end_of(const char *s, size_t at, size_t n)
{
    size_t depth = 0;
    for (bool quoted = false; at < n; at++) {
        if (quoted && s[at] == '\\')
            at++;
        else if (s[at] == '"')
            quoted = !quoted;
        else if (!quoted && (s[at] == '{' || s[at] == '['))
            depth++;
        else if (!quoted && depth == 0 && strchr(",:}", s[at]))
            break;
        else if (!quoted && (s[at] == '}' || s[at] == ']'))
            depth--;
    }
    return at < n ? at : n;
}

void pd_kept_append(const char *object, size_t n, const char *const *except, struct pd_bytes *to)
{
    for (size_t begin = 1, end; begin + 1 < n; begin = end + 1) {
        const size_t colon = end_of(object, begin, n);
        bool passed = false;
        end = end_of(object, colon < n ? colon + 1 : n, n);
        for (const char *const *name = except; *name; name++)
            passed |= colon == begin + strlen(*name) + 2 &&
                      memcmp(object + begin + 1, *name, strlen(*name)) == 0;
        if (passed)
            continue;
        pd_bytes_append(to, ",", 1);
        pd_bytes_append(to, object + begin, end - begin);
    }
}

static void *take(size_t n) { return pd_realloc(NULL, n, 1); }

void pd_kept_memory(void) { json_set_alloc_funcs(take, free); }

/* run/job/dedup/keep.c - see run/job/dedup/keep.h */
#include "run/job/dedup/keep.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/corpus/kept.h"
#include "pardup/run/dedup.h"

/* ---- what --keep says ---- */

static bool is_word(const char *s, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(s, word, n) == 0;
}

/* Read a key of best:, s[0, n). */
static bool read_key(const char *s, size_t n, struct pd_keep_key *key)
{
    const bool down = n > 0 && *s == '-';
    s += down;
    n -= down;
    *key = (struct pd_keep_key){.numbers_down = down, .texts_down = down};
    if (n > 6 && memcmp(s, "field:", 6) == 0 && n - 6 < sizeof key->name)
        memcpy(key->name, s + 6, n - 6);
    else if (is_word(s, n, "words"))
        key->what = PD_KEEP_WORDS;
    else if (is_word(s, n, "date"))
        key->what = PD_KEEP_DATE;
    else if (is_word(s, n, "depth"))
        key->what = PD_KEEP_DEPTH;
    else
        return false;
    return true;
}

static bool read_keys(const char *s, struct pd_keep_keys *k)
{
    for (bool more = true; more;) {
        const size_t n = strcspn(s, ",");
        if (k->n == PD_KEEP_KEYS || !read_key(s, n, &k->v[k->n++]))
            return false;
        more = s[n] == ',';
        s += n + more;
    }
    return true;
}

int pd_keep_read(const char *keep, struct pd_keep_keys *k)
{
    const size_t n = strlen(keep);
    bool good = strcmp(keep, "first") == 0 || (n > 5 && memcmp(keep, "list:", 5) == 0);
    *k = (struct pd_keep_keys){.n = 0};
    if (strcmp(keep, "longest") == 0 || (n > 6 && memcmp(keep, "field:", 6) == 0)) {
        good = n - 6 < PD_KEEP_NAME || *keep == 'l';
        k->n = 1;
        k->v[0] = (struct pd_keep_key){.what = *keep == 'l' ? PD_KEEP_BYTES : PD_KEEP_FIELD,
                                       .numbers_down = true};
        if (good && *keep == 'f')
            memcpy(k->v[0].name, keep + 6, n - 6);
    } else if (n > 5 && memcmp(keep, "best:", 5) == 0) {
        good = read_keys(keep + 5, k);
    }
    return good ? PD_OK
                : pd_fail(PD_EUSAGE,
                          "--keep %s: expected first, longest, field:NAME, list:FILE, or best: and "
                          "words, date, depth or field:NAME, with commas between and - for the "
                          "greatest",
                          keep);
}

int pd_dedup_check_keep(const char *keep)
{
    struct pd_keep_keys k;
    return pd_keep_read(keep, &k);
}

void pd_keep_release(struct pd_keep_keys *k) { PD_RELEASE(pd_bytes, &k->values, &k->value); }

/* ---- values: a byte for its kind, 7 bytes of a size, and a number or a text ---- */

enum kind { NUMBER, TEXT, NONE }; /* in this order */

struct value {
    enum kind kind;
    double number;
    const char *text;
    size_t n;
};

static void append_value(struct pd_keep_keys *k, size_t key, const struct value *v)
{
    const uint64_t head = (uint64_t)v->kind << 56 | v->n;
    pd_bytes_append(&k->values, &head, sizeof head);
    if (v->kind == NUMBER)
        pd_bytes_append(&k->values, &v->number, sizeof v->number);
    if (v->kind == TEXT)
        pd_bytes_append(&k->values, v->text, v->n);
    k->seen[key] += v->kind != NONE;
}

/* The value that begins at byte *at, which moves behind it. */
static struct value next_value(const unsigned char *s, size_t *at)
{
    struct value v = {NONE, 0, NULL, 0};
    uint64_t head;
    memcpy(&head, s + *at, sizeof head);
    *at += sizeof head;
    v.kind = (enum kind)(head >> 56);
    v.n = (size_t)(head << 8 >> 8);
    v.text = (const char *)s + *at;
    if (v.kind == NUMBER)
        memcpy(&v.number, s + *at, sizeof v.number);
    *at += v.n;
    return v;
}

static struct value number_of(double number)
{
    return (struct value){NUMBER, number, NULL, sizeof number};
}

/* A text, or the number that all of it is; of no bytes: none. */
static struct value value_of(const char *text, size_t n, bool may_be_empty)
{
    char number[64], *end;
    if (!text || (n == 0 && !may_be_empty))
        return (struct value){NONE, 0, NULL, 0};
    if (n > 0 && n < sizeof number) {
        memcpy(number, text, n);
        number[n] = '\0';
        const double x = strtod(number, &end);
        if (*end == '\0' && x == x)
            return number_of(x);
    }
    return (struct value){TEXT, 0, text, n};
}

/* The parts of the path behind the host of an address, and of its query. */
static struct value depth_of(const char *url, size_t n)
{
    const char *end = url + n, *at = n ? memchr(url, ':', n) : NULL;
    double depth = 0;
    if (n == 0)
        return (struct value){NONE, 0, NULL, 0};
    at = at && end - at > 2 && memcmp(at, "://", 3) == 0 ? at + 3 : url;
    while (at < end && *at != '/' && *at != '?' && *at != '#')
        at++;
    for (bool query = false; at < end && *at != '#'; at++) {
        query = query || *at == '?';
        const bool begins = query ? *at == '?' || *at == '&' : *at == '/';
        depth += begins && at + 1 < end && !strchr("/?#&", at[1]);
    }
    return number_of(depth);
}

static struct value told_value(struct pd_keep_keys *k, const struct pd_keep_key *key,
                               const struct pd_table_reader *told)
{
    size_t n;
    if (key->what == PD_KEEP_DEPTH) {
        const char *url = pd_table_text(told, 0, &n);
        return depth_of(url, n);
    }
    if (key->what == PD_KEEP_DATE) {
        const char *date = pd_table_text(told, 2, &n);
        return n ? (struct value){TEXT, 0, date, n} : (struct value){NONE, 0, NULL, 0};
    }
    const char *meta = pd_table_text(told, 1, &n);
    if (!pd_kept_find(meta, n, key->name, &k->value))
        return (struct value){NONE, 0, NULL, 0};
    return value_of(k->value.n ? (const char *)k->value.v : "", k->value.n, true);
}

int pd_keep_append(struct pd_keep_keys *k, uint64_t doc, const struct pd_document *t,
                   const char *order, size_t order_n, struct pd_table_reader *told)
{
    static const char zeros[8];
    struct pd_keep_head head = {doc, 0};
    const size_t begin = k->values.n;
    pd_bytes_append(&k->values, &head, sizeof head);
    PD_TRY(told->rows ? pd_table_at(told, doc) : PD_OK);
    for (size_t i = 0; i < k->n; i++) {
        const struct pd_keep_key *key = &k->v[i];
        struct value v = {NONE, 0, NULL, 0};
        if (key->what == PD_KEEP_WORDS || key->what == PD_KEEP_BYTES)
            v = number_of((double)(key->what == PD_KEEP_WORDS ? t->words.n : t->text_n));
        else if (order)
            v = value_of(order, order_n, true);
        else if (told->rows)
            v = told_value(k, key, told);
        append_value(k, i, &v);
    }
    head.bytes = k->values.n - begin - sizeof head;
    memcpy(k->values.v + begin, &head, sizeof head);
    pd_bytes_append(&k->values, zeros, (8 - k->values.n % 8) % 8);
    return PD_OK;
}

/* ---- the order ---- */

struct ranked {
    const struct pd_keep_keys *k;
    const unsigned char *s; /* the values */
    uint64_t doc;
};

static int compare_value(const struct pd_keep_key *key, const struct value *a,
                         const struct value *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == NUMBER) {
        const int order = (a->number > b->number) - (a->number < b->number);
        return key->numbers_down ? -order : order;
    }
    int order = a->kind == NONE ? 0 : memcmp(a->text, b->text, a->n < b->n ? a->n : b->n);
    if (order == 0)
        order = (a->n > b->n) - (a->n < b->n);
    return key->texts_down ? -order : order;
}

static int compare_ranked(const void *x, const void *y)
{
    const struct ranked *p = x, *q = y;
    size_t at = 0, there = 0;
    for (size_t i = 0; i < p->k->n; i++) {
        const struct value a = next_value(p->s, &at), b = next_value(q->s, &there);
        const int order = compare_value(&p->k->v[i], &a, &b);
        if (order)
            return order;
    }
    return (p->doc > q->doc) - (p->doc < q->doc);
}

void pd_keep_sort(const struct pd_keep_keys *k, const struct pd_bytes *all,
                  struct pd_keep_rows *rows)
{
    struct pd_keep_head head;
    size_t n = 0;
    for (size_t at = 0; at < all->n; at += sizeof head + (head.bytes + 7) / 8 * 8, n++)
        memcpy(&head, all->v + at, sizeof head);
    struct ranked *v = pd_realloc(NULL, n + 1, sizeof *v);
    *rows = (struct pd_keep_rows){pd_realloc(NULL, n + 1, sizeof *rows->v), n};
    for (size_t at = 0, i = 0; i < n; at += sizeof head + (head.bytes + 7) / 8 * 8, i++) {
        memcpy(&head, all->v + at, sizeof head);
        v[i] = (struct ranked){k, all->v + at + sizeof head, head.doc};
    }
    qsort(v, n, sizeof *v, compare_ranked);
    for (size_t i = 0; i < n; i++)
        rows->v[i] = v[i].doc;
    free(v);
}

/* run/job/dedup/write/found.c - what was found of each item of a benchmark: see run/job/dedup/leaks.h */
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "run/job/dedup/leaks.h"
#include "run/job/dedup/write/part_files.h"

enum { SUITES_TOLD = 4 }; /* suites with a line of their own on the terminal */

/* Least share of the words of an item that a leak has, to be called whole. */
static const double whole_share = 0.9;

/* What was found of an item. */
struct found {
    uint64_t documents, leaks;
    uint64_t last;       /* 1 plus the last document; 0: none */
    struct pd_leak best; /* the leak with most words */
};

enum kind { WHOLE, PART, EDITED, KINDS };
static const char *const kind_names[KINDS] = {"whole", "part", "edited"};

struct suite {
    uint64_t items, found[KINDS], documents, short_items;
};

static enum kind kind_of(const struct found *f, uint64_t words)
{
    if ((double)f->best.words >= whole_share * (double)words)
        return WHOLE;
    return f->best.kind == PD_LEAK_EDITED ? EDITED : PART;
}

/* Read all leaks, which come in order of their documents. */
static int read_found(struct pd_dedup *d, struct found *items)
{
    struct pd_leak_reader r;
    struct pd_leak leak;
    int status = pd_leak_reader_open(&r, d, 0, d->passages);
    while (status >= 0 && (status = pd_leak_next(&r, &leak)) == PD_OK) {
        struct found *f = &items[leak.item - d->targets];
        f->documents += f->last != leak.doc + 1;
        f->last = leak.doc + 1;
        if (f->leaks++ == 0 || leak.words > f->best.words)
            f->best = leak;
    }
    pd_leak_reader_close(&r);
    return status < 0 ? status : PD_OK;
}

static int print_id(struct pd_dedup *d, struct pd_bytes *to, uint64_t doc)
{
    const char *id;
    size_t n;
    PD_TRY(pd_dedup_find_id(d, doc, &id, &n));
    pd_json_quote(to, id, n);
    return PD_OK;
}

/* Append the line of an item. */
static int print_item(struct pd_dedup *d, struct pd_bytes *to, const char *suite, uint64_t item,
                      const struct found *f)
{
    const uint64_t words = d->item_words[item - d->targets];
    pd_bytes_print(to, "{\"suite\":");
    pd_json_quote(to, suite, strlen(suite));
    pd_bytes_print(to, ",\"id\":");
    PD_TRY(print_id(d, to, item));
    pd_bytes_print(to, ",\"words\":%llu,\"documents\":%llu", pd_ull(words), pd_ull(f->documents));
    if (f->documents) {
        const struct pd_leak *best = &f->best;
        pd_bytes_print(to, ",\"leaks\":%llu,\"found\":\"%s\",\"words_found\":%llu,",
                       pd_ull(f->leaks), kind_names[kind_of(f, words)], pd_ull(best->words));
        pd_bytes_print(to, "\"share\":%.4f,\"item_begin\":%llu,\"item_end\":%llu,\"doc\":",
                       best->words < words ? (double)best->words / (double)words : 1,
                       pd_ull(best->item_begin), pd_ull(best->item_end));
        PD_TRY(print_id(d, to, best->doc));
        pd_bytes_print(to, ",\"begin\":%llu,\"end\":%llu", pd_ull(best->begin), pd_ull(best->end));
    }
    pd_bytes_print(to, "}\n");
    return PD_OK;
}

static void add_item(const struct pd_dedup *d, struct suite *s, const struct found *f,
                     uint64_t words)
{
    s->items++;
    s->short_items += words < d->gram_words;
    s->documents += f->documents;
    if (f->documents)
        s->found[kind_of(f, words)]++;
}

static uint64_t found_of(const struct suite *s)
{
    return s->found[WHOLE] + s->found[PART] + s->found[EDITED];
}

static void print_suite(struct pd_bytes *to, const char *name, const struct suite *s)
{
    pd_bytes_print(to, "{\"suite\":");
    pd_json_quote(to, name, strlen(name));
    pd_bytes_print(to, ",\"items\":%llu,\"found\":%llu", pd_ull(s->items), pd_ull(found_of(s)));
    for (int k = 0; k < KINDS; k++)
        pd_bytes_print(to, ",\"%s\":%llu", kind_names[k], pd_ull(s->found[k]));
    pd_bytes_print(to, ",\"documents\":%llu,\"too_short\":%llu}\n", pd_ull(s->documents),
                   pd_ull(s->short_items));
}

/* Write a file to the folder of the proof. */
static int write_file(const struct pd_dedup *d, const char *name, const struct pd_bytes *text)
{
    struct pd_output out;
    return pd_output_put(&out, pd_output_open_proof(d, &out, name), text->v, text->n);
}

static void say_suite(const char *name, const struct suite *s)
{
    pd_log(PD_LOG_INFO,
           "  items       %13s of %s found in %s  (%s whole, %s in part, %s edited%s%s%s)",
           pd_grouped(found_of(s)), pd_grouped(s->items), name, pd_grouped(s->found[WHOLE]),
           pd_grouped(s->found[PART]), pd_grouped(s->found[EDITED]), s->short_items ? "; " : "",
           s->short_items ? pd_grouped(s->short_items) : "",
           s->short_items ? " too short to look for" : "");
}

/* Append the lines of the items of a suite, and its own. */
static int report_suite(struct pd_dedup *d, uint64_t k, const struct found *items,
                        struct pd_bytes *lines, struct suite *s)
{
    const struct pd_dedup_file *f = &d->files[k];
    for (uint64_t item = f->first; item < f->last; item++) {
        const struct found *found = &items[item - d->targets];
        add_item(d, s, found, d->item_words[item - d->targets]);
        PD_TRY(print_item(d, lines, f->path, item, found));
    }
    return PD_OK;
}

int pd_leaks_report(struct pd_dedup *d)
{
    struct found *items = pd_zeroed(d->ndocs - d->targets + 1, sizeof *items);
    struct pd_bytes lines = {0}, suites = {0};
    struct suite all = {0};
    uint64_t nsuites = 0;
    int status = read_found(d, items);
    for (uint64_t k = 0; k < d->nfiles && status >= 0; k++) {
        struct suite s = {0};
        if (d->files[k].written)
            continue;
        status = report_suite(d, k, items, &lines, &s);
        print_suite(&suites, d->files[k].path, &s);
        if (nsuites++ < SUITES_TOLD)
            say_suite(d->files[k].path, &s);
        for (size_t at = 0; at < sizeof s / sizeof(uint64_t); at++)
            ((uint64_t *)(void *)&all)[at] += ((const uint64_t *)(const void *)&s)[at];
    }
    if (nsuites > SUITES_TOLD)
        say_suite("all suites", &all);
    PD_THEN(status, write_file(d, "items.jsonl", &lines));
    PD_THEN(status, write_file(d, "suites.jsonl", &suites));
    free(items);
    PD_RELEASE(pd_bytes, &lines, &suites);
    return status;
}

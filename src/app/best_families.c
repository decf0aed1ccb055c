/* app/best_families.c - see src/app/best_families.h */
#include "best_families.h"

#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"
#include "pardup/result/table.h"
#include "pardup/run/fetch.h"

/* A document of a family. */
struct home {
    uint64_t doc;    /* row of /documents, or of /sources with PD_SOURCE_ROW */
    uint64_t family; /* its index in the list, by row */
    uint64_t site;   /* hash of its name */
    double value;    /* of the family */
};
PD_VEC(homes, struct home);

/* ---- orders ---- */

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_row(const void *x, const void *y)
{
    return compare(((const struct pd_best_family *)x)->row,
                   ((const struct pd_best_family *)y)->row);
}

static int by_value(const void *x, const void *y)
{
    const struct pd_best_family *a = x, *b = y;
    return a->value != b->value ? (a->value > b->value ? -1 : 1) : by_row(x, y);
}

/* By document, best families first. */
static int by_doc(const void *x, const void *y)
{
    const struct home *a = x, *b = y;
    if (a->doc != b->doc || a->value == b->value)
        return a->doc != b->doc ? compare(a->doc, b->doc) : compare(a->family, b->family);
    return a->value > b->value ? -1 : 1;
}

static int by_site(const void *x, const void *y)
{
    const struct home *a = x, *b = y;
    return a->family != b->family ? compare(a->family, b->family) : compare(a->site, b->site);
}

static void sort(struct pd_best_families *best, int (*order)(const void *, const void *))
{
    PD_VEC_SORT(best, order);
}

static void sort_homes(struct homes *homes, int (*order)(const void *, const void *))
{
    PD_VEC_SORT(homes, order);
}

static void keep_best(struct pd_best_families *best, size_t most)
{
    sort(best, by_value);
    best->n = pd_min_size(best->n, most);
}

/* ---- values ---- */

static double value_of(const struct pd_best_family *f)
{
    const double places = (double)f->places;
    return places > 1 ? (double)f->words * (double)(f->documents + f->sites) / (places * places)
                      : 0;
}

/* List the families that have the greatest values if each document has a site of its own. */
static int read_families(struct pd_result *result, struct pd_best_families *best, uint64_t *all)
{
    static const char *const columns[] = {"members", "documents", "words", "representative", NULL};
    struct pd_table_reader t;
    uint64_t first = 0;
    int status = pd_table_open(&t, result, "families", columns);
    while (status >= 0 && (status = pd_table_next(&t)) == PD_OK) {
        struct pd_best_family f = {.row = t.row,
                                   .first = first,
                                   .representative = pd_table_count(&t, 3),
                                   .places = pd_table_count(&t, 0),
                                   .documents = pd_table_count(&t, 1),
                                   .words = pd_table_count(&t, 2),
                                   .sites = pd_table_count(&t, 1)};
        first += f.places;
        f.value = value_of(&f);
        pd_best_families_push(best, f);
        if (best->n == 4 * (size_t)PD_BEST_MOST)
            keep_best(best, PD_BEST_MOST);
    }
    *all = t.rows;
    pd_table_close(&t);
    keep_best(best, PD_BEST_MOST);
    return status < 0 ? status : PD_OK;
}

/* The document of the place at hand. */
static uint64_t document_of(const struct pd_table_reader *members)
{
    return pd_table_signed(members, 0) < 0 ? pd_table_count(members, 1) | PD_SOURCE_ROW
                                           : pd_table_count(members, 0);
}

/* List the documents of each family. */
static int read_homes(struct pd_result *result, const struct pd_best_families *best,
                      struct homes *homes)
{
    static const char *const columns[] = {"doc", "?source", NULL};
    struct pd_table_reader t;
    int status = pd_table_open(&t, result, "members", columns);
    for (size_t k = 0; k < best->n; k++) {
        const struct pd_best_family *f = &best->v[k];
        const size_t from = homes->n;
        for (uint64_t p = 0; p < pd_min_u64(f->places, PD_BEST_PLACES) && status >= 0; p++) {
            status = pd_table_at(&t, f->first + p);
            if (status >= 0 && (homes->n == from || homes->v[homes->n - 1].doc != document_of(&t)))
                homes_push(homes, (struct home){.doc = document_of(&t), .family = k});
        }
    }
    pd_table_close(&t);
    return status;
}

/* Read the sites of the documents, which are in order. */
static int read_sites(struct pd_result *result, struct homes *homes)
{
    static const char *const columns[] = {"?host", NULL};
    struct pd_table_reader tables[2] = {{0}, {0}}; /* /documents, /sources */
    int status = PD_OK;
    for (size_t k = 0; k < homes->n && status >= 0; k++) {
        const bool source = homes->v[k].doc & PD_SOURCE_ROW;
        struct pd_table_reader *t = &tables[source];
        if (!t->table)
            status = pd_table_open(t, result, source ? "sources" : "documents", columns);
        PD_THEN(status, pd_table_at(t, homes->v[k].doc & ~PD_SOURCE_ROW));
        if (status >= 0) {
            size_t n;
            const char *host = pd_table_text(t, 0, &n);
            homes->v[k].site = pd_hash_bytes(host, n);
        }
    }
    for (int k = 0; k < 2; k++)
        pd_table_close(&tables[k]);
    return status;
}

/* Count the sites of each family, and value it by them. */
static void count_sites(struct pd_best_families *best, struct homes *homes)
{
    sort_homes(homes, by_site);
    for (size_t k = 0; k < best->n; k++)
        best->v[k].sites = 0;
    for (size_t k = 0; k < homes->n; k++)
        best->v[homes->v[k].family].sites += k == 0 || by_site(&homes->v[k - 1], &homes->v[k]) != 0;
    for (size_t k = 0; k < best->n; k++)
        best->v[k].value = value_of(&best->v[k]);
    for (size_t k = 0; k < homes->n; k++)
        homes->v[k].value = best->v[homes->v[k].family].value;
}

/* Divide the value of each family by its rank among the families of a document: its worst rank. */
static void count_told(struct pd_best_families *best, struct homes *homes)
{
    uint64_t told = 0;
    sort_homes(homes, by_doc);
    for (size_t k = 0; k < homes->n; k++) {
        told = k > 0 && homes->v[k].doc == homes->v[k - 1].doc ? told + 1 : 1;
        uint64_t *of = &best->v[homes->v[k].family].told;
        *of = pd_max_u64(*of, told);
    }
    for (size_t k = 0; k < best->n; k++)
        best->v[k].value /= (double)pd_max_u64(best->v[k].told, 1);
}

int pd_best_families_find(struct pd_result *result, size_t most, struct pd_best_families *best,
                          uint64_t *all)
{
    struct homes homes = {0};
    int status = read_families(result, best, all);
    sort(best, by_row);
    PD_THEN(status, read_homes(result, best, &homes));
    sort_homes(&homes, by_doc);
    PD_THEN(status, read_sites(result, &homes));
    count_sites(best, &homes);
    count_told(best, &homes);
    homes_release(&homes);
    keep_best(best, most);
    return status;
}

/*
 * app/export/network.c - documents and what they share, as GraphML or GEXF; see export.h
 *
 * Nodes are the documents that share passages. An edge goes from the older document to the younger
 * one, and from the first to the second where dates do not say it.
 *
 * Sources: GraphML 1.0 and GEXF 1.3, their primers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/ids.h"
#include "app/print.h"
#include "export.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

enum { DOC_A, DOC_B, WORDS_A, WORDS_B, AGREEMENT };
static const char *const columns[] = {"doc_a", "doc_b", "words_a", "words_b", "agreement", NULL};

/* What two documents share. Passages lie in order of their documents. */
struct edge {
    uint64_t a, b, passages, words;
    double agreeing; /* words that agree */
};

struct network {
    struct pd_exporting *x;
    bool gexf, check;
    uint64_t documents[2];
    unsigned char *seen[2]; /* documents and sources with passages */
    struct pd_cells dates;  /* of documents; no values: there are none */
    struct edge edge;       /* the edge at hand */
    uint64_t edges;         /* written */
};

static const char *date_of(const struct network *w, uint64_t doc, size_t *n)
{
    *n = 0;
    return w->dates.values.n ? pd_cells_text(&w->dates, doc, n) : "";
}

/* ---- nodes ---- */

static void put_value(const struct network *w, const char *key, const char *value, size_t n)
{
    if (n == 0)
        return;
    printf(w->gexf ? "<attvalue for=\"" : "<data key=\"");
    pd_print_xml(key, strlen(key));
    printf(w->gexf ? "\" value=\"" : "\">");
    pd_print_xml(value, n);
    printf(w->gexf ? "\"/>" : "</data>");
}

static void put_node(const struct network *w, bool source, uint64_t doc)
{
    const struct pd_exporting *x = w->x;
    size_t n = 0, label = 0;
    for (size_t k = 0; k < x->ncalled; k++) /* --label, or the address, or the id */
        if (strcmp(x->called[k].name, "label") == 0 ||
            (label == 0 && strcmp(x->called[k].name, "url") == 0 &&
             x->called[k].cells[source].values.n &&
             *pd_cells_text(&x->called[k].cells[source], doc, &n)))
            label = k;
    const char *text = pd_cells_text(&x->called[label].cells[source], doc, &n);
    printf("<node id=\"%c%llu\"", source ? 's' : 'd', (unsigned long long)doc);
    if (w->gexf) {
        printf(" label=\"");
        pd_print_xml(text, n);
        printf("\"><attvalues>");
    } else {
        putchar('>');
        put_value(w, "label", text, n);
    }
    text = source ? "" : date_of(w, doc, &n);
    put_value(w, "date", text, source ? 0 : n);
    for (size_t k = 0; k < x->ncalled; k++) {
        const struct pd_cells *cells = &x->called[k].cells[source];
        char *key = pd_printed("f%zu", k);
        text = cells->values.n ? pd_cells_text(cells, doc, &n) : "";
        put_value(w, key, text, cells->values.n ? n : 0);
        free(key);
    }
    printf(w->gexf ? "</attvalues></node>\n" : "</node>\n");
}

/* ---- edges ---- */

static void put_edge(struct network *w)
{
    const struct edge *e = &w->edge;
    const char kind = w->check ? 's' : 'd';
    bool turned = false;
    if (!e->passages)
        return;
    if (!w->check) {
        size_t n[2];
        const char *a = date_of(w, e->a, &n[0]), *b = date_of(w, e->b, &n[1]);
        turned = pd_date_compare_times(pd_date_parse(b, n[1]), pd_date_parse(a, n[0])) < 0;
    }
    const double agreement = e->words ? e->agreeing / (double)e->words : 0;
    printf("<edge id=\"e%llu\" source=\"%c%llu\" target=\"%c%llu\"", (unsigned long long)w->edges++,
           turned ? kind : 'd', (unsigned long long)(turned ? e->b : e->a), turned ? 'd' : kind,
           (unsigned long long)(turned ? e->a : e->b));
    if (w->gexf)
        printf(" weight=\"%llu\"><attvalues><attvalue for=\"words\" value=\"%llu\"/><attvalue "
               "for=\"passages\" value=\"%llu\"/><attvalue for=\"agreement\" value=\"%.4f\"/>"
               "</attvalues></edge>\n",
               (unsigned long long)e->words, (unsigned long long)e->words,
               (unsigned long long)e->passages, agreement);
    else
        printf("><data key=\"words\">%llu</data><data key=\"passages\">%llu</data><data "
               "key=\"agreement\">%.4f</data></edge>\n",
               (unsigned long long)e->words, (unsigned long long)e->passages, agreement);
}

/* Go through all passages: with `edges` print edges, else see which documents have some. */
static int read_passages(struct network *w, bool edges)
{
    struct pd_table_reader t;
    int status = pd_table_open(&t, w->x->result, "passages", columns);
    while (status >= 0 &&
           (status = pd_next_passage(&t, w->documents[0], w->documents[w->check])) == PD_OK) {
        const uint64_t a = pd_table_count(&t, DOC_A), b = pd_table_count(&t, DOC_B),
                       words = pd_max_u64(pd_table_count(&t, WORDS_A), pd_table_count(&t, WORDS_B));
        const double agreement = pd_table_real(&t, AGREEMENT);
        w->seen[0][a] = w->seen[w->check][b] = 1;
        if (!edges)
            continue;
        if (w->edge.passages && (w->edge.a != a || w->edge.b != b)) {
            put_edge(w);
            w->edge = (struct edge){.passages = 0};
        }
        w->edge = (struct edge){a, b, w->edge.passages + 1, w->edge.words + words,
                                w->edge.agreeing + (agreement > 0 ? agreement * (double)words : 0)};
    }
    pd_table_close(&t);
    return status < 0 ? status : PD_OK;
}

/* ---- the file ---- */

static void put_key(const struct network *w, const char *key, const char *of, const char *name,
                    const char *type)
{
    if (w->gexf)
        printf("<attribute id=\"%s\" type=\"%s\" title=\"", key,
               strcmp(type, "int") == 0 ? "integer" : type);
    else
        printf("<key id=\"%s\" for=\"%s\" attr.type=\"%s\" attr.name=\"", key, of, type);
    pd_print_xml(name, strlen(name));
    printf("\"/>\n");
}

static void put_head(const struct network *w)
{
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    printf(w->gexf ? "<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">\n"
                   : "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    printf("<!-- generator: pardup -->\n");
    if (w->gexf)
        printf("<graph defaultedgetype=\"directed\">\n<attributes class=\"node\">\n");
    else
        put_key(w, "label", "node", "label", "string");
    put_key(w, "date", "node", "date", "string");
    for (size_t k = 0; k < w->x->ncalled; k++) {
        char *key = pd_printed("f%zu", k);
        const char *name = w->x->called[k].name;
        char *shown = pd_printed(
            "%s%s", strcmp(name, "date") == 0 || strcmp(name, "label") == 0 ? "meta_" : "", name);
        put_key(w, key, "node", shown, "string");
        PD_FREE(shown, key);
    }
    if (w->gexf)
        printf("</attributes>\n<attributes class=\"edge\">\n");
    put_key(w, "words", "edge", "words", "int");
    put_key(w, "passages", "edge", "passages", "int");
    put_key(w, "agreement", "edge", "agreement", "double");
    printf(w->gexf ? "</attributes>\n<nodes>\n" : "<graph edgedefault=\"directed\">\n");
}

static int write_network(struct network *w)
{
    struct pd_exporting *x = w->x;
    if (pd_result_has(x->result, "documents", "date"))
        PD_TRY(pd_result_read(x->result, "documents", "date", 0, w->documents[0], &w->dates));
    PD_TRY(read_passages(w, false));
    put_head(w);
    for (int source = 0; source < 2; source++)
        for (uint64_t doc = 0; doc < w->documents[source]; doc++)
            if (w->seen[source][doc])
                put_node(w, source, doc);
    if (w->gexf)
        printf("</nodes>\n<edges>\n");
    PD_TRY(read_passages(w, true));
    put_edge(w);
    printf(w->gexf ? "</edges>\n</graph>\n</gexf>\n" : "</graph>\n</graphml>\n");
    return PD_OK;
}

int pd_export_network(struct pd_exporting *x)
{
    struct network w = {
        .x = x, .gexf = x->format == PD_ROWS_GEXF, .dates = {.kind = PD_VALUES_TEXT}};
    uint64_t rows;
    w.check = pd_result_has(x->result, "sources", "id");
    PD_TRY(pd_export_begin(x, &rows, w.documents));
    for (int k = 0; k < 2; k++)
        w.seen[k] = pd_zeroed(w.documents[k] + 1, 1);
    const int status = write_network(&w);
    PD_FREE(w.seen[0], w.seen[1]);
    pd_bytes_release(&w.dates.values);
    return status;
}

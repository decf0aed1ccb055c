/*
 * app/command/cmd_picture.c - pardup picture: two documents, or documents over time, as SVG for a
 * talk.
 *
 * All is drawn in units of a picture that is 1,600 wide; a browser scales it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/ids.h"
#include "app/label.h"
#include "app/part.h"
#include "app/print.h"
#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/base/search.h"

enum {
    WIDTH = 1600,
    MARGIN = 60,
    HEIGHT = 760,
    BAR = 36,
    TOP = 170,
    BOTTOM = 560, /* of two documents */
    LANE = 66,
    AXIS = 110,
    LETTER = 17,
    LABEL = 24,
    LONG_LABEL = 90 /* of a network */
};
#define BLUE "#2563a8"

/* A passage or, of a network, what two documents share. */
struct link {
    uint64_t doc[2], begin[2], end[2], words;
    double agreeing; /* words that agree */
};
PD_VEC(links, struct link);

struct node {
    uint64_t doc;
    double year, x, y;
};

struct picture {
    struct pd_result *result;
    struct pd_doc_label label;
    struct links links; /* the first ones have most words */
    uint64_t documents; /* of the result */
};

enum { DOC_A, DOC_B, BEGIN_A, BEGIN_B, END_A, END_B, WORDS_A, WORDS_B, AGREEMENT };
static const char *const columns[] = {"doc_a", "doc_b",   "begin_a", "begin_b",   "end_a",
                                      "end_b", "words_a", "words_b", "agreement", NULL};

static int by_words(const void *va, const void *vb)
{
    const struct link *a = va, *b = vb;
    if (a->words != b->words)
        return a->words < b->words ? 1 : -1;
    if (a->doc[0] != b->doc[0])
        return a->doc[0] > b->doc[0] ? 1 : -1;
    if (a->doc[1] != b->doc[1])
        return a->doc[1] > b->doc[1] ? 1 : -1;
    return (a->begin[0] > b->begin[0]) - (a->begin[0] < b->begin[0]);
}

static bool has(const struct pd_doc_rows *rows, uint64_t doc)
{
    return pd_search_has(rows->v, rows->n, doc);
}

/* Read passages of the pair, or add up the passages of each pair: they lie in order of documents. */
static int read_links(struct picture *p, const struct pd_doc_rows *pair)
{
    struct pd_table_reader t;
    int status = pd_table_open(&t, p->result, "passages", columns);
    while (status >= 0 && (status = pd_next_passage(&t, p->documents, p->documents)) == PD_OK) {
        struct link l = {.words =
                             pd_max_u64(pd_table_count(&t, WORDS_A), pd_table_count(&t, WORDS_B))};
        for (int k = 0; k < 2; k++) {
            l.doc[k] = pd_table_count(&t, DOC_A + k);
            l.begin[k] = pd_table_count(&t, BEGIN_A + k);
            l.end[k] = pd_table_count(&t, END_A + k);
        }
        const double agreement = pd_table_real(&t, AGREEMENT);
        l.agreeing = agreement > 0 ? agreement * (double)l.words : 0;
        struct link *last = p->links.n ? &p->links.v[p->links.n - 1] : NULL;
        if (pair->n && !(has(&pair[0], l.doc[0]) && has(&pair[1], l.doc[1]))) {
            if (!(has(&pair[1], l.doc[0]) && has(&pair[0], l.doc[1])))
                continue;
            l = (struct link){{l.doc[1], l.doc[0]},
                              {l.begin[1], l.begin[0]},
                              {l.end[1], l.end[0]},
                              l.words,
                              l.agreeing};
        }
        if (!pair->n && last && last->doc[0] == l.doc[0] && last->doc[1] == l.doc[1]) {
            last->words += l.words;
            last->agreeing += l.agreeing;
        } else {
            links_push(&p->links, l);
        }
    }
    pd_table_close(&t);
    PD_VEC_SORT(&p->links, by_words);
    return status < 0 ? status : PD_OK;
}

/* ---- SVG ---- */

static void put_head(double height, const char *title)
{
    printf(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- generator: pardup -->\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" "
        "font-family=\"sans-serif\" "
        "font-size=\"24\" fill=\"#222\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
        "<text x=\"%d\" y=\"56\" font-size=\"34\">%s</text>\n",
        WIDTH, height, MARGIN, title);
}

/*
 * Shorten an address and a date behind it to the end of the address, which differs between pages of
 * a site. Returns the bytes that are left out at the begin.
 */
static size_t shorten_address(const char *text, size_t *n, size_t most)
{
    const char *scheme = memmem(text, *n, "://", 3);
    if (!scheme || memchr(text, ' ', (size_t)(scheme - text)))
        return 0;
    const char *date = memmem(scheme, *n - (size_t)(scheme - text), ", ", 2);
    *n = date ? (size_t)(date - text) : *n;
    const size_t host = (size_t)(scheme + 3 - text);
    size_t cut = *n - host > most ? *n - most : host;
    while (cut < *n && (text[cut] & 0xC0) == 0x80) /* not within a character */
        cut++;
    return cut;
}

/* Print the label of a document, cut at `most` characters if it is longer. Returns its characters. */
static int put_label(struct picture *p, uint64_t doc, size_t most, size_t *shown)
{
    const char *text;
    size_t n, at = 0, bytes;
    uint32_t character;
    PD_TRY(pd_label_of(&p->label, doc, &text, &n));
    if (n > most) {
        const size_t cut = shorten_address(text, &n, most);
        text += cut;
        n -= cut;
    }
    for (*shown = 0; at < n && *shown < most; at += bytes, ++*shown)
        pd_plain_at(text + at, n - at, &bytes, &character);
    pd_print_xml(text, at);
    if (at < n)
        printf("\xE2\x80\xA6");
    return PD_OK;
}

/* ---- two documents ---- */

static int draw_pair(struct picture *p, size_t drawn)
{
    static const char *const lengths[] = {"text_bytes", NULL};
    uint64_t bytes[2], words = 0, longest = 1;
    struct pd_table_reader t;
    PD_TRY(pd_table_open(&t, p->result, "documents", lengths));
    int status = PD_OK;
    for (int k = 0; k < 2 && status >= 0; k++) {
        status = pd_table_at(&t, p->links.v[0].doc[k]);
        bytes[k] = status < 0 ? 0 : pd_table_count(&t, 0);
        longest = pd_max_u64(longest, bytes[k]);
    }
    pd_table_close(&t);
    PD_TRY(status);
    for (size_t k = 0; k < p->links.n; k++)
        words += p->links.v[k].words;
    const double scale = (WIDTH - 2.0 * MARGIN) / (double)longest;
    char *title = pd_printed("%s passage%s, %s words", pd_grouped(p->links.n),
                             pd_plural(p->links.n), pd_grouped(words));
    put_head(HEIGHT, title);
    free(title);
    for (int k = 0; k < 2; k++) {
        size_t shown;
        printf("<text x=\"%d\" y=\"%d\">", MARGIN, k ? BOTTOM + BAR + 44 : TOP - 24);
        PD_TRY(put_label(p, p->links.v[0].doc[k], LONG_LABEL, &shown));
        printf("</text>\n<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#d5d9de\"/>\n",
               MARGIN, k ? BOTTOM : TOP, (double)bytes[k] * scale, BAR);
    }
    const int from = TOP + BAR, middle = (TOP + BAR + BOTTOM) / 2;
    for (size_t k = 0; k < drawn; k++) {
        const struct link *l = &p->links.v[k];
        double x[2][2];
        for (int side = 0; side < 2; side++) {
            x[side][0] = MARGIN + (double)l->begin[side] * scale;
            x[side][1] = fmax(MARGIN + (double)l->end[side] * scale, x[side][0] + 2);
            printf("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"" BLUE "\"/>\n",
                   x[side][0], side ? BOTTOM : TOP, x[side][1] - x[side][0], BAR);
        }
        const double agreement = l->words ? l->agreeing / (double)l->words : 0;
        printf("<path d=\"M%.1f %dC%.1f %d %.1f %d %.1f %dL%.1f %dC%.1f %d %.1f %d %.1f %dZ\" "
               "fill=\"" BLUE
               "\" fill-opacity=\"%.2f\"><title>%s words, %.0f %% agree</title></path>\n",
               x[0][0], from, x[0][0], middle, x[1][0], middle, x[1][0], BOTTOM, x[1][1], BOTTOM,
               x[1][1], middle, x[0][1], middle, x[0][1], from, 0.15 + 0.5 * agreement * agreement,
               pd_grouped(l->words), 100 * agreement);
    }
    printf("<text x=\"%d\" y=\"%d\" fill=\"#666\">Each bar is a text from its first to its last "
           "word; bands are "
           "passages, darker where more words agree.</text>\n</svg>\n",
           MARGIN, HEIGHT - 40);
    return PD_OK;
}

/* ---- documents over time ---- */

static int by_year(const void *va, const void *vb)
{
    const struct node *a = va, *b = vb;
    return a->year != b->year ? (a->year > b->year) - (a->year < b->year)
                              : (a->doc > b->doc) - (a->doc < b->doc);
}

static struct node *node_of(struct node *nodes, size_t n, uint64_t doc)
{
    for (size_t k = 0; k < n; k++)
        if (nodes[k].doc == doc)
            return &nodes[k];
    return NULL;
}

/* List documents of the links with the middle of their dates, as a year. Links of others go. */
static int list_nodes(struct picture *p, size_t most, struct node *nodes, size_t *n)
{
    static const char *const dates[] = {"?date", NULL};
    struct pd_table_reader t;
    size_t used = 0;
    PD_TRY(pd_table_open(&t, p->result, "documents", dates));
    int status = PD_OK;
    for (size_t k = 0; k < p->links.n && used < most && status >= 0; k++) {
        double years[2] = {NAN, NAN};
        for (int side = 0; side < 2 && status >= 0; side++) {
            size_t bytes = 0;
            status = pd_table_at(&t, p->links.v[k].doc[side]);
            const char *text = status < 0 ? "" : pd_table_text(&t, 0, &bytes);
            years[side] = pd_date_middle(pd_date_parse(text, bytes));
        }
        if (isnan(years[0]) || isnan(years[1]))
            continue;
        for (int side = 0; side < 2; side++)
            if (!node_of(nodes, *n, p->links.v[k].doc[side]))
                nodes[(*n)++] = (struct node){p->links.v[k].doc[side], years[side], 0, 0};
        p->links.v[used++] = p->links.v[k];
    }
    pd_table_close(&t);
    p->links.n = used;
    qsort(nodes, *n, sizeof *nodes, by_year);
    return status;
}

/* Draw an axis with a line at round years. */
static void put_axis(double from, double to, double scale, double height)
{
    static const int steps[] = {1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000};
    size_t s = 0;
    while (s + 1 < sizeof steps / sizeof *steps && (to - from) / steps[s] > 12)
        s++;
    for (double year = ceil(from / steps[s]) * steps[s]; year <= to; year += steps[s])
        printf("<path d=\"M%.1f 90V%.0f\" stroke=\"#e3e6ea\"/><text x=\"%.1f\" y=\"%.0f\" "
               "text-anchor=\"middle\" "
               "fill=\"#666\">%.0f</text>\n",
               MARGIN + (year - from) * scale, height - 70, MARGIN + (year - from) * scale,
               height - 36, year);
}

static int draw_network(struct picture *p, size_t most)
{
    const size_t links = p->links.n;
    struct node *nodes = pd_realloc(NULL, 2 * pd_min_size(most, links) + 1, sizeof *nodes);
    double *ends = NULL;
    size_t n = 0, lanes = 0;
    int status = list_nodes(p, most, nodes, &n);
    if (status >= 0 && n == 0)
        status = pd_fail(PD_EFORMAT,
                         "%s: no two documents with dates share a passage; --metadata FILE.csv or "
                         "--keep-fields date of detect gives dates, and --pair draws two documents",
                         pd_result_path(p->result));
    if (status < 0) {
        free(nodes);
        return status;
    }
    const double from = floor(nodes[0].year), to = fmax(nodes[n - 1].year, from + 1),
                 room = LABEL * LETTER, scale = (WIDTH - 2.0 * MARGIN - room) / (to - from);
    ends = pd_zeroed(n, sizeof *ends);
    for (size_t k = 0; k < n; k++) { /* the first lane in which the label has room */
        size_t lane = 0;
        nodes[k].x = MARGIN + (nodes[k].year - from) * scale;
        while (lane < lanes && ends[lane] > nodes[k].x)
            lane++;
        lanes += lane == lanes;
        ends[lane] = nodes[k].x + room + 20;
        nodes[k].y = AXIS + 20 + LANE * (double)lane;
    }
    const double height = AXIS + LANE * (double)lanes + 110;
    char *title = pd_printed("%s of %s pairs of documents that share text, over time",
                             pd_grouped(p->links.n), pd_grouped(links));
    put_head(height, title);
    free(title);
    put_axis(from, to + room / scale, scale, height);
    for (size_t k = p->links.n; k-- > 0;) { /* the strongest ones above */
        const struct link *l = &p->links.v[k];
        const struct node *a = node_of(nodes, n, l->doc[0]), *b = node_of(nodes, n, l->doc[1]);
        const double bend = (a->x + b->x) / 2 + (fabs(a->x - b->x) < 30 ? 60 : 0);
        printf("<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" stroke=\"" BLUE
               "\" stroke-opacity=\"0.4\" stroke-width=\"%.1f\"><title>%s words</title></path>\n",
               a->x, a->y, bend, a->y, bend, b->y, b->x, b->y,
               1.5 + 9 * sqrt((double)l->words / (double)p->links.v[0].words),
               pd_grouped(l->words));
    }
    for (size_t k = 0; k < n && status >= 0; k++) {
        size_t shown;
        printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"8\" fill=\"#222\"/><text x=\"%.1f\" y=\"%.1f\" "
               "stroke=\"#fff\" "
               "stroke-width=\"5\" paint-order=\"stroke\">",
               nodes[k].x, nodes[k].y, nodes[k].x + 14, nodes[k].y + 9);
        status = put_label(p, nodes[k].doc, LABEL, &shown);
        printf("</text>\n");
    }
    printf("</svg>\n");
    PD_FREE(nodes, ends);
    return status;
}

/* ---- the command ---- */

static int settle(struct pd_options *o)
{
    if (o->print.network && o->print.pair[0])
        return pd_fail(PD_EUSAGE, "picture: --pair or --network, not both");
    return o->output ? PD_OK : pd_fail(PD_EUSAGE, "picture: give the picture a name with -o FILE");
}

static int draw(struct picture *p, const struct pd_print_options *o)
{
    struct pd_doc_rows pair[2] = {{0}};
    int status = PD_OK;
    if (pd_result_has(p->result, "sources", "id"))
        status = pd_fail(PD_EFORMAT, "%s: is a result of check; a picture needs one of detect",
                         pd_result_path(p->result));
    for (int k = 0; k < 2 && o->pair[0] && status >= 0; k++)
        status = pd_ids_find(p->result, o->pair[k], &pair[k]);
    PD_THEN(status, pd_result_rows(p->result, "documents", &p->documents));
    PD_THEN(status, read_links(p, pair));
    if (status >= 0 && p->links.n == 0)
        status = pd_fail(PD_EFORMAT, "%s: no passages to draw", pd_result_path(p->result));
    const size_t most = (size_t)o->limit;
    PD_THEN(status,
            o->pair[0] ? draw_pair(p, pd_min_size(p->links.n, most)) : draw_network(p, most));
    PD_RELEASE(pd_doc_rows, &pair[0], &pair[1]);
    return status;
}

static int run(const struct pd_options *o)
{
    struct picture p = {.documents = 0};
    PD_TRY(pd_result_open(o->operands.v[0], &p.result));
    int status = pd_label_open(&p.label, p.result, o->print.label);
    struct pd_new_file n = {.f = NULL};
    PD_THEN(status, pd_part_open(&n, stdout, o->output));
    PD_THEN(status, draw(&p, &o->print));
    status = pd_part_close(&n, status);
    pd_label_close(&p.label);
    links_release(&p.links);
    pd_result_close(p.result);
    return status;
}

const struct pd_command pd_command_picture = {
    .name = "picture",
    .usage = "[options] -o PICTURE.svg OUT.h5",
    .help = "draw two documents, or documents over time, for a talk",
    .brief = "output pair network limit label force",
    .example = "pardup picture -o network.svg out.h5",
    .operands = PD_OPERANDS_RESULT,
    .settle = settle,
    .alone = run,
};
